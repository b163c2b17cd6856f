//! Operators of floats that round in another direction than to nearest: library functions of our own.
//!
//! `a + b` rounded up is the call `__robusto_add_up(a, b)`. A conversion has a constant of the type that it converts to as its second
//! argument.

use super::Builtin;
use robusto_ieee::Rounding;

/// What is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "operators of floats, two functions, and conversions")]
pub enum Directed {
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    Rint,
    Fma,
    Convert,
    OfSigned,
    OfUnsigned,
}

/// The builtins of an operator, rounded down, up and toward zero.
pub fn builtins(of: Directed) -> [Builtin; 3] {
    use Builtin as B;
    match of {
        Directed::Add => [B::AddDown, B::AddUp, B::AddZero],
        Directed::Sub => [B::SubDown, B::SubUp, B::SubZero],
        Directed::Mul => [B::MulDown, B::MulUp, B::MulZero],
        Directed::Div => [B::DivDown, B::DivUp, B::DivZero],
        Directed::Sqrt => [B::SqrtDown, B::SqrtUp, B::SqrtZero],
        Directed::Rint => [B::RintDown, B::RintUp, B::RintZero],
        Directed::Fma => [B::FmaDown, B::FmaUp, B::FmaZero],
        Directed::Convert => [B::ConvertDown, B::ConvertUp, B::ConvertZero],
        Directed::OfSigned => [B::OfSignedDown, B::OfSignedUp, B::OfSignedZero],
        Directed::OfUnsigned => [B::OfUnsignedDown, B::OfUnsignedUp, B::OfUnsignedZero],
    }
}

/// The operator and the direction of a builtin.
pub fn directed(builtin: Builtin) -> Option<(Directed, Rounding)> {
    use Builtin::*;
    use Directed::{Add, Convert, Div, Fma, Mul, OfSigned, OfUnsigned, Rint, Sqrt, Sub};
    use Rounding::{Down, Up, Zero};
    Some(match builtin {
        AddDown => (Add, Down),
        AddUp => (Add, Up),
        AddZero => (Add, Zero),
        SubDown => (Sub, Down),
        SubUp => (Sub, Up),
        SubZero => (Sub, Zero),
        MulDown => (Mul, Down),
        MulUp => (Mul, Up),
        MulZero => (Mul, Zero),
        DivDown => (Div, Down),
        DivUp => (Div, Up),
        DivZero => (Div, Zero),
        SqrtDown => (Sqrt, Down),
        SqrtUp => (Sqrt, Up),
        SqrtZero => (Sqrt, Zero),
        RintDown => (Rint, Down),
        RintUp => (Rint, Up),
        RintZero => (Rint, Zero),
        FmaDown => (Fma, Down),
        FmaUp => (Fma, Up),
        FmaZero => (Fma, Zero),
        ConvertDown => (Convert, Down),
        ConvertUp => (Convert, Up),
        ConvertZero => (Convert, Zero),
        OfSignedDown => (OfSigned, Down),
        OfSignedUp => (OfSigned, Up),
        OfSignedZero => (OfSigned, Zero),
        OfUnsignedDown => (OfUnsigned, Down),
        OfUnsignedUp => (OfUnsigned, Up),
        OfUnsignedZero => (OfUnsigned, Zero),
        _ => return None,
    })
}
