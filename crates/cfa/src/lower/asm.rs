//! Inline assembly.
//!
//! Instructions are not executed. An empty template (a barrier for the compiler) does nothing: an operand that is read and
//! written keeps its value. Other templates may give their outputs any value, which is listed; those that may write to
//! memory beyond that are not supported, unless all their instructions are known to write registers only.

use super::types::CType;
use super::{Lower, R, Val, instructions};
use crate::ir::{Granted, HavocSource};
use robusto_syntax::Span;
use robusto_syntax::ast::{Asm, AsmOperand, ExprKind};

/// Instructions of x86 that change neither memory nor registers of the program.
const IDLE: &[&str] = &["nop", "pause", "rep nop", "mfence", "lfence", "sfence", "endbr64", "endbr32"];

impl<'a> Lower<'a, '_> {
    /// An assembly statement.
    pub(super) fn asm(&mut self, span: Span, asm: &Asm<'a>) -> R<()> {
        let mut inputs = Vec::new();
        for input in asm.inputs {
            let value = self.rvalue(input.expr)?;
            inputs.push(self.capture(value));
        }
        self.at_span(span);
        if !asm.labels.is_empty() {
            self.unsupported("asm goto");
            return Ok(());
        }
        if self.is_idle(asm) {
            return self.idle_asm(span, asm, &inputs);
        }
        if asm.basic || (asm.clobbers_memory || self.may_write(asm, &inputs)) && !self.writes_registers(asm) {
            for output in asm.outputs {
                self.place(output.expr)?;
            }
            self.unsupported("inline assembly that may change memory");
            return Ok(());
        }
        self.assume(span, Granted::Assembly);
        for output in asm.outputs {
            let place = self.place(output.expr)?;
            self.havoc_place(place, HavocSource::Unmodelled);
        }
        Ok(())
    }

    /// Whether no instruction of the template has an effect.
    fn is_idle(&self, asm: &Asm<'a>) -> bool {
        let instructions = self.text(asm.template).split([';', '\n']);
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut lines = instructions.map(words).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
        // `rep; nop` is one instruction.
        while let Some(line) = lines.next() {
            let idle = IDLE.contains(&line.as_str()) || line == "rep" && lines.peek().is_some_and(|next| next == "nop");
            if !idle {
                return false;
            }
        }
        true
    }

    /// No instruction: an output has the value of the input that is in the same register.
    fn idle_asm(&mut self, span: Span, asm: &Asm<'a>, inputs: &[Val]) -> R<()> {
        for (i, output) in asm.outputs.iter().enumerate() {
            let place = self.place(output.expr)?;
            if self.text(output.constraint).contains('+') || self.is_kept(asm, output) {
                continue;
            }
            let same = asm.inputs.iter().position(|input| self.is_tied(input, i, output));
            match same {
                Some(input) => {
                    let value = self.convert(inputs[input], place.ty, output.expr.span)?;
                    self.write(place, value);
                }
                None => {
                    self.assume(span, Granted::Assembly);
                    self.havoc_place(place, HavocSource::Unmodelled);
                }
            }
        }
        Ok(())
    }

    /// Whether an output is a variable in memory that is an input there too: nothing writes it.
    fn is_kept(&self, asm: &Asm<'a>, output: &AsmOperand<'a>) -> bool {
        let in_memory = |operand: &AsmOperand<'a>| matches!(self.text(operand.constraint), "m" | "=m");
        let variable = |operand: &AsmOperand<'a>| match operand.expr.kind {
            ExprKind::Ident(name) => Some(name),
            _ => None,
        };
        let same = |input: &&AsmOperand<'a>| in_memory(input) && variable(input) == variable(output);
        in_memory(output) && variable(output).is_some() && asm.inputs.iter().any(|input| same(&input))
    }

    /// Whether an input is in the place of an output: `"0"`, `"[name]"`.
    fn is_tied(&self, input: &AsmOperand<'a>, index: usize, output: &AsmOperand<'a>) -> bool {
        let constraint = self.text(input.constraint).trim_start_matches('%');
        constraint.parse() == Ok(index)
            || output.name.is_some_and(|name| constraint == format!("[{}]", self.text(name)))
    }

    /// Whether all instructions are known to write outputs in registers only.
    fn writes_registers(&self, asm: &Asm<'a>) -> bool {
        let in_register = |output: &AsmOperand<'a>| {
            let constraint = self.text(output.constraint).trim_start_matches(['=', '+', '&']);
            !constraint.is_empty()
                && constraint.chars().all(|c| matches!(c, 'r' | 'q' | 'Q' | 'a' | 'b' | 'c' | 'd' | 'S' | 'D'))
        };
        let is_output = |operand: &str| {
            let named = |output: &AsmOperand<'a>| output.name.is_some_and(|name| self.text(name) == operand);
            operand.parse().is_ok_and(|number: usize| number < asm.outputs.len()) || asm.outputs.iter().any(named)
        };
        asm.outputs.iter().all(in_register) && instructions::write_only(self.text(asm.template), is_output)
    }

    /// Whether the instructions get something to write through beside their outputs: an address, or a place in memory.
    /// The rules of GCC forbid to write there without saying so, but programs do.
    fn may_write(&self, asm: &Asm<'a>, inputs: &[Val]) -> bool {
        asm.inputs.iter().zip(inputs).any(|(input, value)| {
            let constraint = self.text(input.constraint);
            let in_memory = !constraint.is_empty() && constraint.chars().all(|c| matches!(c, 'm' | 'o' | 'V' | '%'));
            in_memory || matches!(self.types.get(value.ty), CType::Pointer(_))
        })
    }
}
