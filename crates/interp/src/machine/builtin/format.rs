//! `printf` formats, with the results of the C library of GNU.

use super::{float, string};
use crate::memory::Memory;
use robusto_cfa::ir::{CastOp, DataModel, Ty, fold};

/// Why a format cannot be printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// C does not define the result.
    Undefined(Box<str>),
    /// Not modelled.
    Unsupported(Box<str>),
    /// An invalid read.
    Access { addr: u64, size: u64 },
    /// A string without an end.
    Unterminated { addr: u64 },
}

/// Arguments after the format.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arguments<'a> {
    /// Values with their types.
    Values(&'a [(u128, Ty)]),
    /// Address of the next slot of a `va_list`.
    Slots(u64),
}

impl Arguments<'_> {
    /// The next argument, which is a `long double`, as double.
    fn next_long(&mut self, memory: &Memory, conversion: u8) -> Result<u64, Trouble> {
        let bits = match self {
            Arguments::Values([(value, Ty::F80), rest @ ..]) => {
                let value = *value;
                *self = Arguments::Values(rest);
                value
            }
            Arguments::Values(_) => {
                let problem = format!("conversion `%L{}` of something else", char::from(conversion));
                return Err(Trouble::Undefined(problem.into()));
            }
            Arguments::Slots(addr) => {
                let value = memory.read_wide(*addr, 10).ok_or(Trouble::Access { addr: *addr, size: 10 })?;
                *addr += 16;
                value
            }
        };
        let convert = |from, to, bits| fold::cast_wide(CastOp::FToF, from, to, DataModel::Lp64, bits);
        let double = convert(Ty::F80, Ty::F64, bits);
        let exact = convert(Ty::F64, Ty::F80, double) == bits || f64::from_bits(double as u64).is_nan();
        if !exact || conversion.eq_ignore_ascii_case(&b'a') {
            return Err(Trouble::Unsupported("the digits of a `long double`".into()));
        }
        Ok(double as u64)
    }

    /// The low 64 bits of the next argument.
    fn next(&mut self, memory: &Memory, float: bool, conversion: u8) -> Result<u64, Trouble> {
        match self {
            Arguments::Values([]) => Err(Trouble::Undefined("more conversions than arguments".into())),
            Arguments::Values([(value, ty), rest @ ..]) => {
                if ty.is_float() != float || *ty == Ty::F80 {
                    let problem = format!("conversion `%{}` of an argument of type {ty}", char::from(conversion));
                    return Err(Trouble::Undefined(problem.into()));
                }
                let value =
                    if *ty == Ty::F32 { f64::from(f32::from_bits(*value as u32)).to_bits() } else { *value as u64 };
                *self = Arguments::Values(rest);
                Ok(value)
            }
            Arguments::Slots(addr) => {
                let value = memory.read(*addr, 8).ok_or(Trouble::Access { addr: *addr, size: 8 })?;
                *addr += 8;
                Ok(value)
            }
        }
    }
}

/// Flags, width and precision of a conversion.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Spec {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
}

/// Longest width or precision; C allows more, but nobody means it.
const LONGEST: usize = 1 << 20;

/// Prints the arguments as the format says.
pub(super) fn format(
    format: &[u8],
    arguments: &mut Arguments<'_>,
    memory: &Memory,
    model: DataModel,
) -> Result<Vec<u8>, Trouble> {
    let mut out = Vec::with_capacity(format.len() + 16);
    let mut rest = format;
    while let Some(percent) = rest.iter().position(|&byte| byte == b'%') {
        out.extend_from_slice(&rest[..percent]);
        rest = &rest[percent + 1..];
        let spec = read_spec(&mut rest, arguments, memory)?;
        let length = read_length(&mut rest);
        let Some((&conversion, after)) = rest.split_first() else {
            return Err(Trouble::Undefined("the format ends inside a conversion".into()));
        };
        rest = after;
        convert(&mut out, conversion, spec, length, arguments, memory, model)?;
    }
    out.extend_from_slice(rest);
    Ok(out)
}

fn read_spec(rest: &mut &[u8], arguments: &mut Arguments<'_>, memory: &Memory) -> Result<Spec, Trouble> {
    let mut spec = Spec::default();
    while let Some((&byte, after)) = rest.split_first() {
        match byte {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            b'\'' => {}
            _ => break,
        }
        *rest = after;
    }
    let width = read_number(rest, arguments, memory)?;
    spec.left |= width < 0;
    spec.width = width.unsigned_abs() as usize;
    if let Some((b'.', after)) = rest.split_first() {
        *rest = after;
        let precision = read_number(rest, arguments, memory)?;
        spec.precision = usize::try_from(precision).ok();
    }
    if spec.width > LONGEST || spec.precision.is_some_and(|precision| precision > LONGEST) {
        return Err(Trouble::Unsupported("a width or precision above a million".into()));
    }
    Ok(spec)
}

/// Digits, or `*` and an argument; 0 if there is neither.
fn read_number(rest: &mut &[u8], arguments: &mut Arguments<'_>, memory: &Memory) -> Result<i64, Trouble> {
    if let Some((b'*', after)) = rest.split_first() {
        *rest = after;
        return Ok((arguments.next(memory, false, b'*')? as i32).into());
    }
    let mut number = 0i64;
    while let Some((&digit @ b'0'..=b'9', after)) = rest.split_first() {
        number = number.saturating_mul(10).saturating_add((digit - b'0').into());
        *rest = after;
    }
    Ok(number)
}

/// A length modifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Int,
    Char,
    Short,
    Long,
    LongLong,
    Size,
    LongDouble,
}

fn read_length(rest: &mut &[u8]) -> Length {
    let (length, bytes) = match **rest {
        [b'h', b'h', ..] => (Length::Char, 2),
        [b'h', ..] => (Length::Short, 1),
        [b'l', b'l', ..] => (Length::LongLong, 2),
        [b'l', ..] => (Length::Long, 1),
        [b'q' | b'j', ..] => (Length::LongLong, 1),
        [b'z' | b't', ..] => (Length::Size, 1),
        [b'L', ..] => (Length::LongDouble, 1),
        _ => (Length::Int, 0),
    };
    *rest = &rest[bytes..];
    length
}

impl Length {
    fn bits(self, model: DataModel) -> u32 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int => 32,
            Length::Long | Length::Size => model.pointer_bits().into(),
            Length::LongLong | Length::LongDouble => 64,
        }
    }
}

fn convert(
    out: &mut Vec<u8>,
    conversion: u8,
    spec: Spec,
    length: Length,
    arguments: &mut Arguments<'_>,
    memory: &Memory,
    model: DataModel,
) -> Result<(), Trouble> {
    let shift = 64 - length.bits(model);
    let name = char::from(conversion);
    match conversion {
        b'%' => out.push(b'%'),
        b'd' | b'i' => {
            let value = ((arguments.next(memory, false, conversion)? << shift) as i64) >> shift;
            let digits = value.unsigned_abs().to_string();
            integer(out, spec, sign(spec, value < 0), digits, value == 0);
        }
        b'u' | b'x' | b'X' | b'o' => {
            let value = (arguments.next(memory, false, conversion)? << shift) >> shift;
            let (prefix, digits) = match conversion {
                b'u' => ("", value.to_string()),
                b'x' => ("0x", format!("{value:x}")),
                b'X' => ("0X", format!("{value:X}")),
                _ => ("", format!("{value:o}")),
            };
            let mut spec = spec;
            if conversion == b'o' && spec.alternate {
                // One more digit, so that the first is a 0.
                let wanted = if value == 0 { 1 } else { digits.len() + 1 };
                if spec.precision.is_some() || value != 0 {
                    let zero_padded = spec.zero && spec.precision.is_none() && spec.width >= wanted && !spec.left;
                    if !zero_padded {
                        spec.precision = Some(spec.precision.unwrap_or(0).max(wanted));
                    }
                }
            }
            let prefix = if spec.alternate && value != 0 { prefix } else { "" };
            integer(out, spec, prefix, digits, value == 0);
        }
        b'c' if length == Length::Long => return Err(Trouble::Unsupported("wide characters".into())),
        b'c' => {
            let byte = arguments.next(memory, false, conversion)? as u8;
            pad(out, spec, &[byte]);
        }
        b's' if length == Length::Long => return Err(Trouble::Unsupported("wide strings".into())),
        b's' => {
            let addr = arguments.next(memory, false, conversion)? & (u64::MAX >> (64 - model.pointer_bits()));
            if addr == 0 {
                let fits = spec.precision.is_none_or(|precision| precision >= 6);
                pad(out, spec, if fits { b"(null)" } else { b"" });
            } else {
                let text = string(memory, addr, spec.precision.map(|precision| precision as u64))?;
                pad(out, spec, text);
            }
        }
        b'p' => {
            let addr = arguments.next(memory, false, conversion)? & (u64::MAX >> (64 - model.pointer_bits()));
            if addr == 0 {
                pad(out, spec, b"(nil)");
            } else {
                integer(out, Spec { alternate: true, ..spec }, "0x", format!("{addr:x}"), false);
            }
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let bits = match length {
                Length::LongDouble => arguments.next_long(memory, conversion)?,
                _ => arguments.next(memory, true, conversion)?,
            };
            let value = f64::from_bits(bits);
            let magnitude = float::magnitude(value.abs(), conversion, spec);
            let prefix = sign(spec, value.is_sign_negative());
            let prefix = if conversion.eq_ignore_ascii_case(&b'a') && value.is_finite() {
                format!("{prefix}{}", if conversion == b'a' { "0x" } else { "0X" })
            } else {
                prefix.to_owned()
            };
            let zero = spec.zero && value.is_finite();
            integer(out, Spec { zero, precision: None, ..spec }, &prefix, magnitude, false);
        }
        b'n' => return Err(Trouble::Unsupported("conversion `%n`, which writes to memory".into())),
        _ => return Err(Trouble::Unsupported(format!("conversion `%{name}`").into())),
    }
    Ok(())
}

fn sign(spec: Spec, negative: bool) -> &'static str {
    match spec {
        _ if negative => "-",
        Spec { plus: true, .. } => "+",
        Spec { space: true, .. } => " ",
        _ => "",
    }
}

/// Sign or prefix, then digits: padded to the precision with zeros, then to the width with zeros or spaces.
fn integer(out: &mut Vec<u8>, spec: Spec, prefix: &str, mut digits: String, is_zero: bool) {
    if spec.precision == Some(0) && is_zero {
        digits.clear();
    }
    let zeros = match spec.precision {
        Some(precision) => precision.saturating_sub(digits.len()),
        None if spec.zero && !spec.left => spec.width.saturating_sub(prefix.len() + digits.len()),
        None => 0,
    };
    let mut text = Vec::with_capacity(prefix.len() + zeros + digits.len());
    text.extend_from_slice(prefix.as_bytes());
    text.resize(text.len() + zeros, b'0');
    text.extend_from_slice(digits.as_bytes());
    pad(out, spec, &text);
}

/// Pads to the width with spaces.
fn pad(out: &mut Vec<u8>, spec: Spec, text: &[u8]) {
    let spaces = spec.width.saturating_sub(text.len());
    if !spec.left {
        out.resize(out.len() + spaces, b' ');
    }
    out.extend_from_slice(text);
    if spec.left {
        out.resize(out.len() + spaces, b' ');
    }
}
