//! Where compilers may have put an argument elsewhere than the text expects, so that what an instruction does is in doubt: an input is
//! read behind the write of an output that may share its register (gcc does that even with an updated output whose value is equal),
//! memory is touched that the statement does not name.

use super::argument::Argument;
use super::operand::Execution;
use crate::lower::place::Place;

impl Execution<'_, '_, '_> {
    /// Whether an argument is still in its register.
    pub(super) fn check_input(&self, number: usize) -> Option<()> {
        let Argument { constraint, is_output, .. } = self.arguments[number];
        if is_output {
            return Some(());
        }
        let register = constraint.register?;
        let shared = self.overwritten.iter().any(|other| other.may_share(register));
        let moved = constraint.memory && (self.memory_written || !self.overwritten.is_empty());
        (!shared && !moved).then_some(())
    }

    /// Whether the address of an argument in memory is still there, and no other argument is in doubt to lie in memory.
    pub(super) fn check_memory(&self, number: usize) -> Option<()> {
        let place = self.arguments[number].place?;
        let there = self.overwritten.is_empty() || self.lower.is_fixed_address(place.addr);
        (there && !self.uncertain).then_some(())
    }

    /// Whether an access stays within what the statement names.
    pub(super) fn check_size(&self, place: Place, bits: u8) -> Option<()> {
        let fits = u64::from(bits) / 8 <= self.lower.types.size(place.ty)?;
        (fits || self.clobbers_memory).then_some(())
    }

    /// Whether an argument in memory holds what the program has stored there: compilers leave out stores to what is only written.
    pub(super) fn check_kept(&self, number: usize) -> Option<()> {
        let argument = self.arguments[number];
        let kept = !argument.is_output || argument.constraint.updated || argument.whole || self.clobbers_memory;
        (kept || self.is_read_too(number)).then_some(())
    }

    /// Whether an output in memory is an input there, too.
    pub(super) fn is_read_too(&self, number: usize) -> bool {
        let addr = |argument: &Argument| argument.memory().map(|place| place.addr);
        let output = addr(&self.arguments[number]);
        output.is_some() && self.arguments.iter().any(|input| !input.is_output && addr(input) == output)
    }

    /// A write of memory that an argument names.
    pub(super) fn note_write(&mut self, number: usize, bits: u8) -> Option<()> {
        let argument = self.arguments[number];
        let size = self.lower.types.size(argument.place?.ty)?;
        let whole = u64::from(bits) / 8 >= size;
        if !whole {
            self.check_kept(number)?;
        }
        self.memory_written = true;
        self.arguments[number].written = true;
        self.arguments[number].whole |= whole;
        (argument.is_output || self.clobbers_memory).then_some(())
    }
}
