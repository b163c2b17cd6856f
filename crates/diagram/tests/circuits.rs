//! Bit-vector circuits against plain arithmetic: all inputs of small widths, random ones of large widths.

use robusto_diagram::bits::{Bits, CircuitError, Circuits};
use robusto_diagram::{Bdd, Diagrams, StoreSize, VarIndex};
use robusto_testing::Random;

type Operator = (&'static str, fn(&Circuits, &Bits, &Bits) -> Bits, fn(u32, u64, u64) -> u64);

const SMALL: StoreSize = StoreSize { nodes: 1 << 18, cache: 1 << 14 };
const BUDGET: usize = 1 << 12;

fn mask(width: u32, value: u64) -> u64 {
    value & (u64::MAX >> (64 - width))
}

fn signed(width: u32, value: u64) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

fn truth(circuits: &Circuits, f: Bdd) -> Bits {
    circuits.from_bool(&f, 1)
}

/// Every operator with its meaning; the meaning is masked to the width of the result.
#[rustfmt::skip]
const OPERATORS: &[Operator] = &[
    ("not", |c, a, _| c.not(a).unwrap(), |_, a, _| !a),
    ("and", |c, a, b| c.and(a, b).unwrap(), |_, a, b| a & b),
    ("or", |c, a, b| c.or(a, b).unwrap(), |_, a, b| a | b),
    ("xor", |c, a, b| c.xor(a, b).unwrap(), |_, a, b| a ^ b),
    ("neg", |c, a, _| c.neg(a).unwrap(), |_, a, _| a.wrapping_neg()),
    ("add", |c, a, b| c.add(a, b).unwrap(), |_, a, b| a.wrapping_add(b)),
    ("sub", |c, a, b| c.sub(a, b).unwrap(), |_, a, b| a.wrapping_sub(b)),
    ("mul", |c, a, b| c.mul(a, b).unwrap(), |_, a, b| a.wrapping_mul(b)),
    ("udiv", |c, a, b| c.udiv(a, b).unwrap(), |_, a, b| a.checked_div(b).unwrap_or(u64::MAX)),
    ("urem", |c, a, b| c.urem(a, b).unwrap(), |_, a, b| a.checked_rem(b).unwrap_or(a)),
    ("sdiv", |c, a, b| c.sdiv(a, b).unwrap(), |w, a, b| match (signed(w, a), signed(w, b)) {
        (a, 0) => if a < 0 { 1 } else { u64::MAX },
        (a, b) => a.wrapping_div(b) as u64,
    }),
    ("srem", |c, a, b| c.srem(a, b).unwrap(), |w, a, b| match (signed(w, a), signed(w, b)) {
        (a, 0) => a as u64,
        (a, b) => a.wrapping_rem(b) as u64,
    }),
    ("shl", |c, a, b| c.shl(a, b).unwrap(), |w, a, b| if b >= w.into() { 0 } else { a << b }),
    ("lshr", |c, a, b| c.lshr(a, b).unwrap(), |w, a, b| if b >= w.into() { 0 } else { a >> b }),
    ("ashr", |c, a, b| c.ashr(a, b).unwrap(), |w, a, b| (signed(w, a) >> b.min(u64::from(w) - 1)) as u64),
    ("eq", |c, a, b| truth(c, c.eq(a, b).unwrap()), |_, a, b| (a == b).into()),
    ("ne", |c, a, b| truth(c, c.ne(a, b).unwrap()), |_, a, b| (a != b).into()),
    ("ult", |c, a, b| truth(c, c.ult(a, b).unwrap()), |_, a, b| (a < b).into()),
    ("ule", |c, a, b| truth(c, c.ule(a, b).unwrap()), |_, a, b| (a <= b).into()),
    ("slt", |c, a, b| truth(c, c.slt(a, b).unwrap()), |w, a, b| (signed(w, a) < signed(w, b)).into()),
    ("sle", |c, a, b| truth(c, c.sle(a, b).unwrap()), |w, a, b| (signed(w, a) <= signed(w, b)).into()),
    ("nonzero", |c, a, _| truth(c, c.is_nonzero(a).unwrap()), |_, a, _| (a != 0).into()),
    ("ite", |c, a, b| c.ite(&a[0], a, b).unwrap(), |_, a, b| if a & 1 == 1 { a } else { b }),
];

/// The value of a vector under an assignment.
fn value(diagrams: &Diagrams, bits: &Bits, assignment: &[bool]) -> u64 {
    bits.iter().rev().fold(0, |value, bit| value << 1 | u64::from(diagrams.evaluate(bit, assignment)))
}

fn bits_of(width: u32, value: u64) -> impl Iterator<Item = bool> {
    (0..width).map(move |bit| value >> bit & 1 == 1)
}

#[test]
fn all_inputs_of_small_widths() {
    for width in 1..=4 {
        let diagrams = Diagrams::new(2 * width, SMALL);
        let circuits = diagrams.circuits(BUDGET);
        // The bits of the operands alternate in the order.
        let vars = |offset| (0..width).map(|bit| VarIndex::new(2 * bit + offset)).collect::<Vec<_>>();
        let (a, b) = (circuits.variables(&vars(0)).unwrap(), circuits.variables(&vars(1)).unwrap());
        let values = 0..1u64 << width;
        for &(name, circuit, meaning) in OPERATORS {
            let symbolic = circuit(&circuits, &a, &b);
            for y in values.clone() {
                let constant_y = circuits.constant(width as usize, y.into());
                let half = circuit(&circuits, &a, &constant_y);
                for x in values.clone() {
                    let constant_x = circuits.constant(width as usize, x.into());
                    let other_half = circuit(&circuits, &constant_x, &b);
                    let constant = circuit(&circuits, &constant_x, &constant_y);
                    let mut assignment = vec![false; 2 * width as usize];
                    for (bit, (x, y)) in bits_of(width, x).zip(bits_of(width, y)).enumerate() {
                        (assignment[2 * bit], assignment[2 * bit + 1]) = (x, y);
                    }
                    let expected = mask(symbolic.width() as u32, meaning(width, x, y));
                    assert_eq!(value(&diagrams, &symbolic, &assignment), expected, "{name} {width} {x} {y}");
                    assert_eq!(value(&diagrams, &half, &assignment), expected, "{name} {width} {x} {y}, constant y");
                    assert_eq!(
                        value(&diagrams, &other_half, &assignment),
                        expected,
                        "{name} {width} {x} {y}, constant x"
                    );
                    assert_eq!(circuits.as_constant(&constant), Some(expected.into()), "{name} {width} {x} {y}");
                }
            }
        }
    }
}

#[test]
fn extension_truncation_and_constant_shifts() {
    for width in 1..=4u32 {
        let diagrams = Diagrams::new(width, SMALL);
        let circuits = diagrams.circuits(BUDGET);
        let a = circuits.variables(&(0..width).map(VarIndex::new).collect::<Vec<_>>()).unwrap();
        for x in 0..1u64 << width {
            let assignment: Vec<_> = bits_of(width, x).collect();
            let value = |bits: &Bits| value(&diagrams, bits, &assignment);
            assert_eq!(value(&circuits.zext(&a, 7)), x);
            assert_eq!(value(&circuits.sext(&a, 7)), mask(7, signed(width, x) as u64));
            for narrow in 1..=width {
                assert_eq!(value(&circuits.trunc(&a, narrow as usize)), mask(narrow, x));
            }
            for amount in 0..6 {
                assert_eq!(value(&circuits.shl_constant(&a, amount)), mask(width, x << amount));
                assert_eq!(value(&circuits.lshr_constant(&a, amount)), x >> amount);
                assert_eq!(
                    value(&circuits.ashr_constant(&a, amount)),
                    mask(width, (signed(width, x) >> amount) as u64)
                );
            }
            let vars: Vec<_> = (0..width).map(VarIndex::new).collect();
            assert!(diagrams.evaluate(&circuits.vars_equal(&vars, x.into()).unwrap(), &assignment));
        }
    }
}

/// Operands whose bits are constant but for a few: under the assignment they have the wanted values.
#[test]
fn random_inputs_of_large_widths() {
    let mut random = Random::new(1);
    for width in [8, 13, 16, 31, 32, 63, 64] {
        let diagrams = Diagrams::new(8, SMALL);
        let circuits = diagrams.circuits(BUDGET);
        for _ in 0..20 {
            let assignment: Vec<_> = bits_of(8, random.bits()).collect();
            let mut operand = |first: u32| {
                // Small, huge and arbitrary values.
                let shift = random.bits() % u64::from(width);
                let x = mask(
                    width,
                    if random.bits().is_multiple_of(2) {
                        random.bits() >> shift
                    } else {
                        (random.bits() as i64 >> shift) as u64
                    },
                );
                let mut bits = circuits.constant(width as usize, x.into()).into_vec();
                for var in first..first + 4 {
                    let place = (random.bits() % u64::from(width)) as usize;
                    let negated = assignment[var as usize] != (x >> place & 1 == 1);
                    bits[place] = diagrams.literal(VarIndex::new(var), !negated).unwrap();
                }
                (x, Bits::new(bits))
            };
            let ((x, a), (y, b)) = (operand(0), operand(4));
            for &(name, circuit, meaning) in OPERATORS {
                let result = circuit(&circuits, &a, &b);
                let expected = mask(result.width() as u32, meaning(width, x, y));
                assert_eq!(value(&diagrams, &result, &assignment), expected, "{name} {width} {x:#x} {y:#x}");
            }
        }
    }
}

#[test]
fn wide_constants_need_no_nodes() {
    let diagrams = Diagrams::new(0, SMALL);
    let circuits = diagrams.circuits(0);
    let (a, b) = (circuits.constant(128, u128::MAX / 3), circuits.constant(128, 0x1234_5678_9abc_def0));
    assert_eq!(
        circuits.as_constant(&circuits.mul(&a, &b).unwrap()),
        Some((u128::MAX / 3).wrapping_mul(0x1234_5678_9abc_def0))
    );
    assert_eq!(circuits.as_constant(&circuits.udiv(&a, &b).unwrap()), Some(u128::MAX / 3 / 0x1234_5678_9abc_def0));
    assert_eq!(diagrams.statistics().nodes, 0);
}

#[test]
fn a_wide_multiplication_is_given_up() {
    let diagrams = Diagrams::new(64, StoreSize { nodes: 1 << 20, cache: 1 << 16 });
    let circuits = diagrams.circuits(2_000);
    let a = circuits.variables(&(0..32).map(|bit| VarIndex::new(2 * bit)).collect::<Vec<_>>()).unwrap();
    let b = circuits.variables(&(0..32).map(|bit| VarIndex::new(2 * bit + 1)).collect::<Vec<_>>()).unwrap();
    assert_eq!(circuits.mul(&a, &b), Err(CircuitError::TooLarge));
    assert!(circuits.add(&a, &b).is_ok());
    assert!(circuits.slt(&a, &b).is_ok());
}
