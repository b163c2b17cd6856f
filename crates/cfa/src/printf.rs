//! How long a text is that `printf` makes: bounds from its format.

use crate::ir::{Expr, ExprId, ObjectKind, Program, Ty};

/// The shortest and the longest text of a format with these arguments, without the end; `None` where the format does not say.
pub fn lengths(program: &Program, format: &[u8], args: &[ExprId]) -> Option<(u64, u64)> {
    let (mut least, mut most) = (0u64, 0u64);
    let mut args = args.iter();
    let mut rest = format;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'%' {
            (least, most) = (least + 1, most + 1);
            continue;
        }
        let (conversion, behind) = Conversion::read(rest)?;
        rest = behind;
        let (shortest, longest) = match conversion.letter {
            b'%' => (1, 1),
            _ => conversion.lengths(program, *args.next()?)?,
        };
        least = least.checked_add(shortest.max(conversion.width))?;
        most = most.checked_add(longest.max(conversion.width))?;
    }
    // What is longer than an `int` says is an error.
    (most <= i32::MAX as u64).then_some((least, most))
}

/// The text of a constant that is pointed to, up to its end.
pub fn constant_text(program: &Program, pointer: ExprId) -> Option<Vec<u8>> {
    let Expr::ObjAddr(object) = program.exprs.get(pointer) else { return None };
    let object = &program.objects[object];
    let ObjectKind::Constant(image) = &object.kind else { return None };
    // Trailing zeros are left out.
    let end = image.bytes.iter().position(|&b| b == 0).unwrap_or(image.bytes.len());
    ((end as u64) < object.size).then(|| image.bytes[..end].to_vec())
}

/// What stands behind a `%`.
struct Conversion {
    width: u64,
    precision: Option<u64>,
    letter: u8,
}

impl Conversion {
    /// The conversion at the start of a text, and what is behind it.
    fn read(mut text: &[u8]) -> Option<(Self, &[u8])> {
        while let [b'-' | b'+' | b' ' | b'#' | b'0', behind @ ..] = text {
            text = behind;
        }
        let width = number(&mut text)?.unwrap_or(0);
        let precision = match text {
            [b'.', behind @ ..] => {
                text = behind;
                Some(number(&mut text)?.unwrap_or(0))
            }
            _ => None,
        };
        let mut wide = false;
        while let [letter @ (b'h' | b'l' | b'q' | b'j' | b'z' | b't'), behind @ ..] = text {
            wide |= *letter == b'l';
            text = behind;
        }
        let (&letter, behind) = text.split_first()?;
        // Wide characters have as many bytes as the locale gives them.
        let is_known = b"%diouxXcspeEfFgG".contains(&letter) && !(wide && b"cs".contains(&letter));
        is_known.then_some((Self { width, precision, letter }, behind))
    }

    /// The shortest and the longest text of an argument.
    fn lengths(&self, program: &Program, arg: ExprId) -> Option<(u64, u64)> {
        let ty = program.exprs.ty(arg);
        let precision = self.precision.unwrap_or(0);
        match (self.letter, ty) {
            (b'c', Ty::Int(_)) => Some((1, 1)),
            (b's', Ty::Ptr) => {
                let length = constant_text(program, arg)?.len() as u64;
                let shown = self.precision.map_or(length, |most| length.min(most));
                Some((shown, shown))
            }
            // "(nil)", or "0x" and the digits.
            (b'p', Ty::Ptr) => Some((3, 2 + u64::from(program.model.pointer_bits()) / 4)),
            // Sign or prefix, and digits: at most those of base 8. A precision of 0 shows 0 as nothing.
            (b'd' | b'i' | b'o' | b'u' | b'x' | b'X', Ty::Int(bits @ (32 | 64))) => {
                let digits = u64::from(bits).div_ceil(3);
                Some((self.precision.map_or(1, |precision| precision), 2 + digits.max(precision)))
            }
            // Sign, the digits of the largest double, point.
            (b'f' | b'F', Ty::F64) => Some((1, 1 + 309 + 1 + self.precision.unwrap_or(6))),
            // Sign, digits, point, exponent; `%g` may show 0.0001.
            (b'e' | b'E' | b'g' | b'G', Ty::F64) => Some((1, 1 + 1 + 1 + self.precision.unwrap_or(6) + 6)),
            _ => None,
        }
    }
}

/// A number at the start of a text, which is taken off; nothing if there is none, `None` if it is not written there (`*`) or too large.
fn number(text: &mut &[u8]) -> Option<Option<u64>> {
    if text.first() == Some(&b'*') {
        return None;
    }
    let count = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, behind) = text.split_at(count);
    *text = behind;
    if digits.is_empty() {
        return Some(None);
    }
    std::str::from_utf8(digits).ok()?.parse().ok().filter(|&number| number < 1 << 30).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{DataModel, Program};

    #[test]
    fn formats_bound_texts() {
        let mut program = Program::new(DataModel::Lp64);
        let (int, long) = (program.exprs.int(32, 5), program.exprs.int(64, 5));
        let double = program.exprs.constant(Ty::F64, 0);
        let of = |format: &[u8], args: &[ExprId]| lengths(&program, format, args);
        assert_eq!(of(b"abc%%", &[]), Some((4, 4)));
        assert_eq!(of(b"%d", &[int]), Some((1, 13)));
        assert_eq!(of(b"%20d|%-3c", &[int, int]), Some((24, 24)));
        assert_eq!(of(b"%#lo", &[long]), Some((1, 24)));
        assert_eq!(of(b"%.0d", &[int]), Some((0, 13)));
        assert_eq!(of(b"%.2f", &[double]), Some((1, 313)));
        assert_eq!(of(b"%.40d", &[int]), Some((40, 42)));
        for unknown in [&b"%s"[..], b"%*d", b"%n", b"%ls", b"%1$d", b"%d %d", b"%"] {
            assert_eq!(of(unknown, &[int]), None);
        }
    }
}
