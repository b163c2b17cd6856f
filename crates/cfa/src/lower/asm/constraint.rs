//! Constraints of arguments.

use super::instruction::{Condition, condition};

/// Where a constraint lets an argument be, and what else it says.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Constraint {
    /// `+`
    pub(super) updated: bool,
    /// `&`: written before all inputs are read, so no input is in the same register.
    pub(super) early: bool,
    pub(super) register: Option<Registers>,
    pub(super) memory: bool,
    /// A constant in the instruction, below this bound.
    pub(super) immediate: Option<u64>,
    /// The argument in whose place it is.
    pub(super) tied: Option<usize>,
    /// `=@ccz`: the condition at the end.
    pub(super) condition: Option<Condition>,
    /// Something that is not known, such as registers of floats.
    pub(super) other: bool,
}

/// General registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Registers {
    Any,
    /// The one of this letter.
    One(char),
}

impl Registers {
    /// Whether two arguments may be in the same register.
    pub(super) fn may_share(self, other: Registers) -> bool {
        self == Registers::Any || other == Registers::Any || self == other
    }
}

impl Constraint {
    /// The constraint of this text, for an argument of a text whose outputs have these names.
    pub(super) fn new(text: &str, outputs: &[Option<&str>]) -> Self {
        let mut found = Constraint::default();
        if let Some(code) = text.strip_prefix("=@cc") {
            found.condition = condition(code);
            found.other = found.condition.is_none();
            return found;
        }
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            match letter {
                '=' | '?' | '!' | ',' => {}
                '+' => found.updated = true,
                '&' => found.early = true,
                'r' | 'q' | 'Q' | 'R' | 'l' => found.register = Some(Registers::Any),
                'a' | 'b' | 'c' | 'd' | 'S' | 'D' => {
                    let one = Registers::One(letter);
                    found.register = Some(if found.register.is_none() { one } else { Registers::Any });
                }
                'm' | 'o' | 'V' => found.memory = true,
                'i' | 'n' | 's' | 'e' | 'Z' | 'K' | 'L' => found.immediate = Some(u64::MAX),
                'I' => found.below(32),
                'J' => found.below(64),
                'M' => found.below(4),
                'N' => found.below(256),
                'O' => found.below(128),
                'g' => {
                    (found.register, found.memory) = (Some(Registers::Any), true);
                    found.immediate = Some(u64::MAX);
                }
                '0'..='9' => {
                    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                    let start = text.len() - rest.len() - 1;
                    found.tied = text[start..=start + digits].parse().ok().filter(|&number| number < outputs.len());
                    found.other |= found.tied.is_none();
                    rest = &rest[digits..];
                }
                '[' => {
                    let (name, behind) = rest.split_once(']').unwrap_or((rest, ""));
                    found.tied = outputs.iter().position(|output| *output == Some(name));
                    found.other |= found.tied.is_none();
                    rest = behind;
                }
                _ => found.other = true,
            }
        }
        found
    }

    fn below(&mut self, bound: u64) {
        self.immediate = self.immediate.max(Some(bound));
    }

    /// Whether the argument is in memory in any case.
    pub(super) fn is_memory(&self) -> bool {
        self.memory && self.register.is_none() && self.immediate.is_none() && self.tied.is_none() && !self.other
    }

    /// Whether the argument is in a register in any case.
    pub(super) fn is_register(&self) -> bool {
        self.register.is_some() && !self.memory && self.immediate.is_none() && !self.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_say_where_an_argument_is() {
        let of = |text| Constraint::new(text, &[None, Some("out")]);
        assert!(of("=m").is_memory() && of("+m").updated && !of("rm").is_memory());
        assert!(of("=&r").is_register() && of("=&r").early && !of("=qm").is_register());
        assert_eq!(of("=a").register, Some(Registers::One('a')));
        assert_eq!(of("=ad").register, Some(Registers::Any));
        assert_eq!(of("Ir").immediate, Some(32));
        assert_eq!(of("Nd").immediate, Some(256));
        assert_eq!(of("er").immediate, Some(u64::MAX));
        assert_eq!(of("0").tied, Some(0));
        assert_eq!(of("[out]").tied, Some(1));
        assert!(of("=x").other && of("%r").other && of("7").other && of("[none]").other && of("=@ccp").other);
        assert!(of("=@ccnz").condition.is_some());
    }
}
