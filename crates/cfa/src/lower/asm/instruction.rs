//! Instructions of x86 that are known, and what their names say (AT&T syntax).

/// An instruction with its operands, the destination last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instruction {
    pub(super) action: Action,
    /// Bits, if the name ends with them.
    pub(super) bits: Option<u8>,
    pub(super) operands: Vec<Operand>,
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// `nop`, fences: nothing that one thread sees.
    Nothing,
    Move,
    /// `movzb`, `movsw`: the source has so many bits.
    Extend {
        from: u8,
        signed: bool,
    },
    LoadAddress,
    Compute(Compute),
    Change(Change),
    Shift(Shift),
    Bit(Bit),
    Set(Condition),
    MoveIf(Condition),
    Exchange,
    ExchangeAdd,
    CompareExchange,
    /// `bsf`, `bsr`: the position of the lowest or highest one.
    Scan {
        lowest: bool,
    },
    /// `popcnt`
    Count,
    /// `ud2`
    Trap,
    Call,
    /// Writes its last operand and nothing else; not executed.
    Opaque,
}

/// Instructions of two operands; `Compare` and `Test` set flags only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compute {
    Add,
    AddCarry,
    Sub,
    SubCarry,
    And,
    Or,
    Xor,
    Multiply,
    Compare,
    Test,
}

/// Instructions of one operand, which they change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Increment,
    Decrement,
    Negate,
    Not,
    SwapBytes,
}

/// Shifts and rotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shift {
    Left,
    Right,
    SignedRight,
    RotateLeft,
    RotateRight,
}

/// What becomes of the bit that goes to the carry flag: `bt`, `bts`, `btr`, `btc`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bit {
    Kept,
    Set,
    Reset,
    Changed,
}

/// A condition on flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Condition {
    pub(super) what: Holds,
    pub(super) negated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    Overflow,
    Carry,
    Zero,
    CarryOrZero,
    Sign,
    /// Sign and overflow differ.
    Less,
    LessOrZero,
}

/// An operand as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    /// `%1`, `%k[name]`: the argument with this number.
    Argument(usize, Part),
    /// `$%c1`: the constant.
    Constant(usize),
    /// `$7`
    Number(i64),
    /// `%%ecx`: the register, by the letter of its constraint.
    Register(char, Part),
    /// `8(%0,%1,4)`
    Address {
        offset: i64,
        base: Box<Operand>,
        index: Option<(Box<Operand>, u8)>,
    },
    Other,
}

/// Which part of a register an operand means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// As many bits as its type has.
    Own,
    /// The lowest bits.
    Low(u8),
    /// Bits 8 to 15.
    High,
}

impl Instruction {
    /// The operand that is written, if it is only one. `None` if nothing is.
    pub(super) fn written(&self) -> Result<Option<&Operand>, ()> {
        match self.action {
            Action::Nothing | Action::Compute(Compute::Compare | Compute::Test) | Action::Bit(Bit::Kept) => Ok(None),
            // Instructions on strings of bits write beside their operand.
            Action::Bit(_) | Action::Exchange | Action::ExchangeAdd | Action::CompareExchange => Err(()),
            Action::Trap | Action::Call => Err(()),
            _ => Ok(self.operands.last()),
        }
    }
}

/// The instruction of a name that takes this number of operands, with the bits that the name ends with.
pub(super) fn by_name(name: &str, operands: usize) -> Option<(Action, Option<u8>)> {
    let found = || match conditional(name).or_else(|| extension(name)) {
        Some(found) => Some(found),
        None => match plain(name) {
            Some(action) => Some((action, None)),
            None => {
                let (name, bits) = with_suffix(name)?;
                Some((plain(name)?, Some(bits)))
            }
        },
    };
    let (action, bits) = found()?;
    let fits = match action {
        Action::Nothing | Action::Trap => operands == 0 && bits.is_none(),
        Action::Change(_) | Action::Set(_) | Action::Call => operands == 1,
        Action::Shift(_) | Action::Opaque => operands == 1 || operands == 2,
        _ => operands == 2,
    };
    fits.then_some((action, bits))
}

fn plain(name: &str) -> Option<Action> {
    Some(match name {
        "nop" | "pause" | "mfence" | "lfence" | "sfence" | "endbr64" | "endbr32" => Action::Nothing,
        "mov" => Action::Move,
        "lea" => Action::LoadAddress,
        "add" => Action::Compute(Compute::Add),
        "adc" => Action::Compute(Compute::AddCarry),
        "sub" => Action::Compute(Compute::Sub),
        "sbb" => Action::Compute(Compute::SubCarry),
        "and" => Action::Compute(Compute::And),
        "or" => Action::Compute(Compute::Or),
        "xor" => Action::Compute(Compute::Xor),
        "imul" => Action::Compute(Compute::Multiply),
        "cmp" => Action::Compute(Compute::Compare),
        "test" => Action::Compute(Compute::Test),
        "inc" => Action::Change(Change::Increment),
        "dec" => Action::Change(Change::Decrement),
        "neg" => Action::Change(Change::Negate),
        "not" => Action::Change(Change::Not),
        "bswap" => Action::Change(Change::SwapBytes),
        "shl" | "sal" => Action::Shift(Shift::Left),
        "shr" => Action::Shift(Shift::Right),
        "sar" => Action::Shift(Shift::SignedRight),
        "rol" => Action::Shift(Shift::RotateLeft),
        "ror" => Action::Shift(Shift::RotateRight),
        "bt" => Action::Bit(Bit::Kept),
        "bts" => Action::Bit(Bit::Set),
        "btr" => Action::Bit(Bit::Reset),
        "btc" => Action::Bit(Bit::Changed),
        "xchg" => Action::Exchange,
        "xadd" => Action::ExchangeAdd,
        "cmpxchg" => Action::CompareExchange,
        "bsf" => Action::Scan { lowest: true },
        "bsr" => Action::Scan { lowest: false },
        "popcnt" => Action::Count,
        "lzcnt" | "tzcnt" => Action::Opaque,
        "ud2" => Action::Trap,
        "call" => Action::Call,
        _ => return None,
    })
}

/// Bits by the last letter of a name.
fn with_suffix(name: &str) -> Option<(&str, u8)> {
    let (end, letter) = name.char_indices().last()?;
    Some((&name[..end], bits_of(letter)?))
}

fn bits_of(letter: char) -> Option<u8> {
    Some(match letter {
        'b' => 8,
        'w' => 16,
        'l' => 32,
        'q' => 64,
        _ => return None,
    })
}

/// `movzbl`, `movswq`, `movslq`
fn extension(name: &str) -> Option<(Action, Option<u8>)> {
    let (rest, signed) = match name.strip_prefix("movz") {
        Some(rest) => (rest, false),
        None => (name.strip_prefix("movs")?, true),
    };
    let mut letters = rest.chars();
    let from = bits_of(letters.next()?)?;
    let to = letters.next().map(bits_of);
    let known = from < 32 || from == 32 && signed;
    if !known || letters.next().is_some() || to == Some(None) || to.flatten().is_some_and(|to| to <= from) {
        return None;
    }
    Some((Action::Extend { from, signed }, to.flatten()))
}

/// `sete`, `cmovnel`
fn conditional(name: &str) -> Option<(Action, Option<u8>)> {
    if let Some(code) = name.strip_prefix("set") {
        return match condition(code) {
            Some(condition) => Some((Action::Set(condition), Some(8))),
            None => is_parity(code).then_some((Action::Opaque, Some(8))),
        };
    }
    let code = name.strip_prefix("cmov")?;
    if let Some(condition) = condition(code) {
        return Some((Action::MoveIf(condition), None));
    }
    if is_parity(code) {
        return Some((Action::Opaque, None));
    }
    let (code, bits) = with_suffix(code)?;
    match condition(code) {
        Some(condition) => Some((Action::MoveIf(condition), Some(bits))),
        None => is_parity(code).then_some((Action::Opaque, Some(bits))),
    }
}

/// Parity is no flag of the model.
fn is_parity(code: &str) -> bool {
    matches!(code, "p" | "np" | "pe" | "po")
}

/// The condition of a code such as `nae`.
pub(super) fn condition(code: &str) -> Option<Condition> {
    let (what, negated) = match code {
        "o" => (Holds::Overflow, false),
        "no" => (Holds::Overflow, true),
        "b" | "c" | "nae" => (Holds::Carry, false),
        "nb" | "nc" | "ae" => (Holds::Carry, true),
        "e" | "z" => (Holds::Zero, false),
        "ne" | "nz" => (Holds::Zero, true),
        "be" | "na" => (Holds::CarryOrZero, false),
        "nbe" | "a" => (Holds::CarryOrZero, true),
        "s" => (Holds::Sign, false),
        "ns" => (Holds::Sign, true),
        "l" | "nge" => (Holds::Less, false),
        "nl" | "ge" => (Holds::Less, true),
        "le" | "ng" => (Holds::LessOrZero, false),
        "nle" | "g" => (Holds::LessOrZero, true),
        _ => return None,
    };
    Some(Condition { what, negated })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_bits() {
        let add = Action::Compute(Compute::Add);
        assert_eq!(by_name("add", 2), Some((add, None)));
        assert_eq!(by_name("addb", 2), Some((add, Some(8))));
        assert_eq!(by_name("sub", 2), Some((Action::Compute(Compute::Sub), None)));
        assert_eq!(by_name("shl", 2), Some((Action::Shift(Shift::Left), None)));
        assert_eq!(by_name("shll", 1), Some((Action::Shift(Shift::Left), Some(32))));
        assert_eq!(by_name("btl", 2), Some((Action::Bit(Bit::Kept), Some(32))));
        assert_eq!(by_name("bts", 2), Some((Action::Bit(Bit::Set), None)));
        assert_eq!(by_name("movzbl", 2), Some((Action::Extend { from: 8, signed: false }, Some(32))));
        assert_eq!(by_name("movslq", 2), Some((Action::Extend { from: 32, signed: true }, Some(64))));
        let less = Condition { what: Holds::Less, negated: false };
        assert_eq!(by_name("cmovl", 2), Some((Action::MoveIf(less), None)));
        assert_eq!(by_name("cmovll", 2), Some((Action::MoveIf(less), Some(32))));
        assert_eq!(by_name("setl", 1), Some((Action::Set(less), Some(8))));
        assert_eq!(by_name("setnp", 1), Some((Action::Opaque, Some(8))));
    }

    #[test]
    fn what_is_not_an_instruction_of_the_list() {
        for (name, operands) in [
            ("movsb", 0),
            ("movsl", 0),
            ("movsq", 2),
            ("movzlq", 2),
            ("movzwb", 2),
            ("nopl", 0),
            ("add", 3),
            ("inc", 2),
            ("cmpxchg8b", 1),
            ("jmp", 1),
            ("setx", 1),
            ("", 0),
        ] {
            assert_eq!(by_name(name, operands), None, "{name}");
        }
    }
}
