//! Binomial coefficients C(n, j) modulo 2^w, where n is the number of iterations of a closed form.
//!
//! In closed forms they are symbols, since all that is needed of them to show one by induction is that C(0, j) = 0 and
//! C(n + 1, j) = C(n, j) + C(n, j - 1). A solver would have to find that out from products of 32 bits, which takes it
//! minutes. Where a number of iterations is put in, so are their values.

use robusto_logic::{Sort, Symbol, Term, Terms};

/// Greatest j.
pub const DEGREE: usize = 3;

/// How the names of these symbols begin.
const NAME: &str = "choose";

/// The symbol for C(n, j) modulo 2^width.
pub fn choose(terms: &mut Terms, j: usize, width: u16) -> Term {
    debug_assert!((2..=DEGREE).contains(&j));
    terms.symbol(&format!("{NAME}{j}:{width}"), Sort::Bits(width))
}

/// The symbol with this name, if it is one: `choose2:32` for C(n, 2) modulo 2^32.
pub fn named(terms: &mut Terms, name: &str) -> Option<Term> {
    let (j, width) = name.strip_prefix(NAME)?.split_once(':')?;
    let (j, width) = (j.parse().ok()?, width.parse().ok()?);
    let fits = (2..=DEGREE).contains(&j) && (1..=127).contains(&width);
    fits.then(|| choose(terms, j, width))
}

/// The j of such a symbol. A variable of a function `choose2` is called `choose2::x`, and is none.
pub fn chosen(terms: &Terms, symbol: Symbol) -> Option<usize> {
    let (j, width) = terms.symbol_name(symbol).strip_prefix(NAME)?.split_once(':')?;
    width.parse::<u16>().ok()?;
    j.parse().ok()
}

/// What C(n, j) is after one more iteration, or before the last one.
pub fn neighbour(terms: &mut Terms, j: usize, width: u16, count: Term, next: bool) -> Term {
    let here = if j == 1 { resized(terms, count, width) } else { choose(terms, j, width) };
    match (j, next) {
        (1, _) => {
            let one = terms.constant(width, 1);
            if next { terms.add(here, one) } else { terms.sub(here, one) }
        }
        (2, true) => {
            let grows = resized(terms, count, width);
            terms.add(here, grows)
        }
        (_, true) => {
            let grows = choose(terms, j - 1, width);
            terms.add(here, grows)
        }
        (_, false) => {
            let grown = neighbour(terms, j - 1, width, count, false);
            terms.sub(here, grown)
        }
    }
}

/// C(n, j) modulo 2^width, for 1 ≤ j ≤ 3. The product n·(n - 1)·… is even; one more bit keeps what its half loses. What is
/// left to divide by is 3, which has an inverse.
pub fn value(terms: &mut Terms, count: Term, j: usize, width: u16) -> Term {
    if j == 1 {
        return resized(terms, count, width);
    }
    let wide = width + 1;
    let mut factor = resized(terms, count, wide);
    let mut product = factor;
    let one = terms.constant(wide, 1);
    for _ in 1..j {
        factor = terms.sub(factor, one);
        product = terms.mul(product, factor);
    }
    let half = terms.extract(product, 1, width);
    let rest = terms.constant(width, if j == 2 { 1 } else { inverse(3, width) });
    terms.mul(half, rest)
}

/// A number of another width: cut, or with zeros in front.
pub fn resized(terms: &mut Terms, t: Term, width: u16) -> Term {
    if terms.width(t) > width { terms.extract(t, 0, width) } else { terms.zext(t, width) }
}

/// The inverse of an odd number modulo 2^width (Newton's iteration doubles the bits that are right).
pub fn inverse(odd: u128, width: u16) -> u128 {
    debug_assert!(odd % 2 == 1);
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    robusto_logic::term::fold::mask(width, inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_logic::Model;
    use robusto_logic::term::fold::mask;

    #[test]
    fn odd_numbers_have_inverses() {
        for width in [1, 5, 8, 32, 64, 128] {
            for odd in (1..200).step_by(2) {
                assert_eq!(mask(width, inverse(odd, width).wrapping_mul(odd)), 1, "{odd} at {width}");
            }
        }
    }

    /// Values by Pascal's triangle, and that symbols step as the values do.
    #[test]
    fn values_are_binomial_coefficients() {
        for (width, counted) in [(1, 6), (3, 5), (4, 4), (5, 3), (8, 8), (32, 8)] {
            let mut terms = Terms::new();
            let n = terms.symbol("n", Sort::Bits(counted));
            let all: Vec<Term> = (1..=DEGREE).map(|j| value(&mut terms, n, j, width)).collect();
            let steps: Vec<[Term; 2]> =
                (1..=DEGREE).map(|j| [true, false].map(|next| neighbour(&mut terms, j, width, n, next))).collect();
            let symbols: Vec<Term> = (2..=DEGREE).map(|j| choose(&mut terms, j, width)).collect();
            let mut row = [0u128; DEGREE + 1];
            row[0] = 1;
            let mut before = [0u128; DEGREE + 1];
            for count in 0..1u128 << counted {
                let mut next = row;
                (1..=DEGREE).for_each(|j| next[j] = row[j].wrapping_add(row[j - 1]));
                let mut model = Model::new();
                model.set(terms.as_symbol(n).expect("a symbol"), count);
                for (j, &symbol) in (2..).zip(&symbols) {
                    model.set(terms.as_symbol(symbol).expect("a symbol"), mask(width, row[j]));
                }
                for j in 1..=DEGREE {
                    let value = |t: Term| terms.evaluate(t, &model);
                    assert_eq!(value(all[j - 1]), mask(width, row[j]), "C({count}, {j}) at {width}");
                    assert_eq!(value(steps[j - 1][0]), mask(width, next[j]), "C({count} + 1, {j}) at {width}");
                    if count > 0 {
                        assert_eq!(value(steps[j - 1][1]), mask(width, before[j]), "C({count} - 1, {j}) at {width}");
                    }
                }
                (before, row) = (row, next);
            }
        }
    }
}
