//! Where nondeterministic values come from.

use crate::EdgeRef;
use robusto_cfa::ir::{DataModel, FuncId, HavocSource, Ty};
use std::str::FromStr;

/// A question for a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The `Havoc` or `HavocMem` edge; or the edge whose undefined result is wanted.
    pub at: EdgeRef,
    /// Why the value is nondeterministic.
    pub source: HavocSource,
    /// Its type.
    pub ty: Ty,
    /// Sizes of C's types.
    pub model: DataModel,
}

/// Chooses the nondeterministic values of an execution.
pub trait Inputs {
    /// A value of the wanted type; bits beyond its width are cut off.
    fn value(&mut self, request: Request) -> u128;

    /// Bytes for a `HavocMem` edge (the type asked for is `Int(8)`). By default, one value for each.
    fn fill(&mut self, request: Request, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.value(request) as u8;
        }
    }

    /// Content of an object that begins to live, which is zero when this is called. By default it stays so.
    fn fresh(&mut self, bytes: &mut [u8]) {
        let _ = bytes;
    }

    /// Bytes outside of the program's objects when the execution starts, by address; all others are zero. By default there are none.
    fn outside(&mut self) -> Vec<(u64, u8)> {
        Vec::new()
    }

    /// The same for a local object of a function that is entered. By default no other than any object.
    fn fresh_local(&mut self, function: FuncId, bytes: &mut [u8]) {
        let _ = function;
        self.fresh(bytes);
    }

    /// Says that an edge allocates an object on the heap. Nothing by default.
    fn allocated(&mut self, at: EdgeRef) {
        let _ = at;
    }

    /// The same for an object on the heap, which this edge allocates. By default no other than any object.
    fn fresh_heap(&mut self, at: EdgeRef, bytes: &mut [u8]) {
        let _ = at;
        self.fresh(bytes);
    }
}

/// Zero for everything.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zeros;

impl Inputs for Zeros {
    fn value(&mut self, _: Request) -> u128 {
        0
    }

    fn fill(&mut self, _: Request, bytes: &mut [u8]) {
        bytes.fill(0);
    }
}

/// Pseudo-random values; the same seed gives the same values everywhere.
///
/// SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014, fig. 17).
#[derive(Clone, Debug)]
pub struct Seeded(u64);

impl Seeded {
    /// The values of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

impl Inputs for Seeded {
    /// Half of the integers are small or extreme: programs compare with such constants, and uniform 32-bit values would
    /// hardly ever meet one.
    fn value(&mut self, request: Request) -> u128 {
        let bits = self.bits();
        let wide = u128::from(bits) | u128::from(self.bits()) << 64;
        if request.ty.is_float() || request.ty == Ty::Ptr {
            return wide;
        }
        let choice = self.bits();
        match choice % 8 {
            0..=2 => wide % 256,
            3 => (wide % 256).wrapping_neg(),
            4 => {
                let top = 1u128 << (request.ty.bits(request.model) - 1);
                if choice & 8 == 0 { top } else { top.wrapping_sub(1) }
            }
            _ => wide,
        }
    }

    fn fill(&mut self, _: Request, bytes: &mut [u8]) {
        self.fresh(bytes);
    }

    fn fresh(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.bits().to_le_bytes()[..chunk.len()]);
        }
    }
}

/// A list of values for the program's inputs ([`HavocSource::Input`]) in their order; all other values, and those after
/// the end of the list, come from the fallback.
#[derive(Clone, Debug)]
pub struct Listed<F> {
    values: std::vec::IntoIter<InputValue>,
    fallback: F,
}

impl<F: Inputs> Listed<F> {
    /// A list with a fallback.
    pub fn new(values: Vec<InputValue>, fallback: F) -> Self {
        Self { values: values.into_iter(), fallback }
    }

    /// Number of values that have not been asked for.
    pub fn left(&self) -> usize {
        self.values.len()
    }
}

impl<F: Inputs> Inputs for Listed<F> {
    fn value(&mut self, request: Request) -> u128 {
        let listed = if request.source == HavocSource::Input { self.values.next() } else { None };
        match listed {
            Some(value) => value.bits(request.ty),
            None => self.fallback.value(request),
        }
    }

    fn fill(&mut self, request: Request, bytes: &mut [u8]) {
        if request.source != HavocSource::Input {
            return self.fallback.fill(request, bytes);
        }
        for byte in bytes {
            *byte = self.value(request) as u8;
        }
    }

    fn fresh(&mut self, bytes: &mut [u8]) {
        self.fallback.fresh(bytes);
    }
}

/// A value of a list.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum InputValue {
    /// An integer or character.
    Int(i128),
    /// A floating-point number.
    Float(f64),
}

impl InputValue {
    /// The bits of the value in a type: integers become floats and floats integers by C's conversions.
    pub fn bits(self, ty: Ty) -> u128 {
        match (ty, self) {
            (Ty::F32, InputValue::Int(value)) => (value as f32).to_bits().into(),
            (Ty::F64, InputValue::Int(value)) => (value as f64).to_bits().into(),
            (Ty::F32, InputValue::Float(value)) => (value as f32).to_bits().into(),
            (Ty::F64, InputValue::Float(value)) => value.to_bits().into(),
            (Ty::Int(_) | Ty::Ptr, InputValue::Int(value)) => value as u128,
            (Ty::Int(_) | Ty::Ptr, InputValue::Float(value)) => value as i128 as u128,
        }
    }
}

/// A line of a list of inputs that is not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: `{text}` is not an integer, character or floating-point number")]
pub struct BadInput {
    /// Line, from 1.
    pub line: usize,
    /// Its text.
    pub text: Box<str>,
}

/// Reads a list of inputs: one value per line; decimal (`-7`), hexadecimal (`0x1F`), character (`'a'`, `'\n'`) or
/// floating-point (`1.5e3`, `nan`); empty lines and what follows a `#` do not count.
pub fn parse(text: &str) -> Result<Vec<InputValue>, BadInput> {
    let mut values = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        // `'#'` is a character.
        let end = if line.starts_with("'#'") { 3 } else { line.find('#').unwrap_or(line.len()) };
        let text = line[..end].trim();
        if !text.is_empty() {
            values.push(text.parse().map_err(|()| BadInput { line: index + 1, text: text.into() })?);
        }
    }
    Ok(values)
}

impl FromStr for InputValue {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if let Some(quoted) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            return character(quoted).map(InputValue::Int).ok_or(());
        }
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        // C's suffixes are allowed.
        let integer = digits.trim_end_matches(['u', 'U', 'l', 'L']);
        let value = match integer.strip_prefix("0x").or_else(|| integer.strip_prefix("0X")) {
            Some(hex) => u128::from_str_radix(hex, 16).ok(),
            None => integer.parse::<u128>().ok(),
        };
        match value {
            Some(value) if negative => Ok(InputValue::Int((value as i128).wrapping_neg())),
            Some(value) => Ok(InputValue::Int(value as i128)),
            None => text.parse().map(InputValue::Float).map_err(|_| ()),
        }
    }
}

fn character(text: &str) -> Option<i128> {
    let mut chars = text.chars();
    let value = match (chars.next()?, chars.next()) {
        ('\\', Some(escape)) => match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            '0' => 0,
            '\\' | '\'' | '"' => escape as i128,
            _ => return None,
        },
        (c, None) => c as i128,
        _ => return None,
    };
    chars.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use InputValue::{Float, Int};

    #[test]
    fn parses_lists() {
        let text = "# inputs\n-7\n0x1F  # hex\n'a'\n'\\n'\n'#'\n\n1.5e3\n-0x10\n4294967295u\n-1.0\n";
        let values =
            [Int(-7), Int(31), Int(97), Int(10), Int(35), Float(1500.0), Int(-16), Int(4294967295), Float(-1.0)];
        assert_eq!(parse(text).unwrap(), values);
        assert_eq!(parse("1\n\nabc\n").unwrap_err().line, 3);
    }

    #[test]
    fn converts_to_the_wanted_type() {
        assert_eq!(Int(-1).bits(Ty::Int(8)) as u8, 255);
        assert_eq!(Int(3).bits(Ty::F32), u128::from(3f32.to_bits()));
        assert_eq!(Float(-2.5).bits(Ty::Int(32)) as u32 as i32, -2);
        assert_eq!(Float(0.1).bits(Ty::F64), u128::from(0.1f64.to_bits()));
    }
}
