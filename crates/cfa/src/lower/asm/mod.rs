//! Inline assembly.
//!
//! Instructions of x86 that are known (`instruction`) are executed: the text is parsed (`parse`), its arguments are evaluated
//! (`constraint`, `argument`), and every instruction becomes edges on places and values (`execute`, `bits`, `flags`, `operand`, `register`). What
//! is in `doubt` is not executed; whether something is, is tried aside first. A call of a function outside changes the outputs, under `--extern pure`.
//!
//! Other texts may give their outputs any value, which is listed; those that may write to memory beyond that are not supported,
//! unless all their instructions are known to write registers only.

mod argument;
mod bits;
mod constraint;
mod doubt;
mod execute;
mod flags;
mod instruction;
mod operand;
mod parse;
mod register;

use super::types::CType;
use super::{Externs, Lower, R};
use crate::ir::{Granted, HavocSource};
use argument::Argument;
use instruction::{Action, Instruction};
use operand::Execution;
use robusto_syntax::Span;
use robusto_syntax::ast::Asm;

impl<'a> Lower<'a, '_> {
    /// An assembly statement.
    pub(super) fn asm(&mut self, span: Span, asm: &Asm<'a>) -> R<()> {
        let arguments = self.assembly_arguments(asm)?;
        self.at_span(span);
        if !asm.labels.is_empty() {
            self.unsupported("asm goto");
            return Ok(());
        }
        let instructions = self.instructions(asm);
        if let Some(instructions) = &instructions {
            let run = |lower: &mut Self| execute(lower, span, asm, arguments.clone(), instructions);
            match self.in_scratch(run).0 {
                Some(Ok(())) => return run(self).unwrap_or(Ok(())),
                Some(failed) => return failed,
                None => {}
            }
            if is_call(instructions) && self.externs == Externs::Pure {
                return self.any_outputs(span, &arguments, Granted::AssemblyCall);
            }
        }
        let writes_registers = writes_registers(&arguments, instructions.as_deref());
        if asm.basic || (asm.clobbers_memory || self.may_write(&arguments)) && !writes_registers {
            self.unsupported("inline assembly that may change memory");
            return Ok(());
        }
        self.any_outputs(span, &arguments, Granted::Assembly)
    }

    /// The instructions, if all are known.
    fn instructions(&self, asm: &Asm<'a>) -> Option<Vec<Instruction>> {
        let template = self.text(asm.template);
        // Without operands, `%` starts the name of a register.
        if asm.basic && template.contains('%') {
            return None;
        }
        let operands = asm.outputs.iter().chain(asm.inputs);
        let names: Vec<Option<&str>> = operands.map(|operand| operand.name.map(|name| self.text(name))).collect();
        parse::parse(template, &names)
    }

    fn any_outputs(&mut self, span: Span, arguments: &[Argument], granted: Granted) -> R<()> {
        self.assume(span, granted);
        for place in arguments.iter().filter(|argument| argument.is_output).filter_map(|argument| argument.place) {
            self.havoc_place(place, HavocSource::Unmodelled);
        }
        Ok(())
    }

    /// Whether the instructions get something to write through beside their outputs: an address, or a place in memory.
    /// The rules of GCC forbid to write there without saying so, but programs do.
    fn may_write(&self, arguments: &[Argument]) -> bool {
        arguments.iter().filter(|argument| !argument.is_output).any(|input| {
            let is_pointer = |ty| matches!(self.types.get(ty), CType::Pointer(_));
            input.constraint.is_memory() || input.given.is_some_and(|value| is_pointer(value.ty))
        })
    }
}

/// Executes all instructions and writes the outputs; `None` if something is in doubt.
fn execute<'a>(
    lower: &mut Lower<'a, '_>,
    span: Span,
    asm: &Asm<'a>,
    arguments: Vec<Argument>,
    instructions: &[Instruction],
) -> Option<R<()>> {
    let is_idle = instructions.iter().all(|instruction| instruction.action == Action::Nothing);
    let mut execution = Execution::new(lower, arguments, asm.clobbers_memory, span);
    execution.load_registers(is_idle)?;
    for instruction in instructions {
        execution.step(instruction)?;
    }
    execution.write_outputs()
}

/// Whether the text calls a function and does nothing else.
fn is_call(instructions: &[Instruction]) -> bool {
    let is = |action| instructions.iter().any(|instruction| instruction.action == action);
    is(Action::Call) && instructions.iter().all(|i| matches!(i.action, Action::Call | Action::Nothing))
}

/// Whether all instructions are known to write outputs in registers only.
fn writes_registers(arguments: &[Argument], instructions: Option<&[Instruction]>) -> bool {
    let in_register = |argument: &Argument| argument.constraint.is_register();
    arguments.iter().filter(|argument| argument.is_output).all(in_register)
        && instructions.is_some_and(|all| parse::write_only(all, |number| arguments[number].is_output))
}
