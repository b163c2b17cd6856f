//! Inline assembly.

use super::{Parse, Parser};
use crate::Symbol;
use crate::ast::{Asm, AsmOperand};
use crate::lex::{Keyword, Kind, Punct};

impl<'a> Parser<'a, '_> {
    /// `asm volatile ("template" : outputs : inputs : clobbers : labels);`
    pub(super) fn asm_statement(&mut self) -> Parse<Asm<'a>> {
        self.bump();
        while matches!(
            self.token.kind,
            Kind::Keyword(Keyword::Volatile | Keyword::Inline | Keyword::Goto | Keyword::Const)
        ) {
            self.bump();
        }
        let open = self.expect(Punct::LParen, "after `asm`")?;
        let template = self.string_text()?;
        let basic = self.at(Punct::RParen);
        let mut asm = Asm { template, basic, outputs: &[], inputs: &[], clobbers_memory: false, labels: &[] };
        if self.eat(Punct::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(Punct::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(Punct::Colon) {
            asm.clobbers_memory = self.asm_clobbers()?;
        }
        if self.eat(Punct::Colon) {
            asm.labels = self.asm_labels()?;
        }
        self.expect_close(Punct::RParen, open)?;
        self.expect(Punct::Semi, "after `asm`")?;
        Ok(asm)
    }

    fn asm_operands(&mut self) -> Parse<&'a [AsmOperand<'a>]> {
        let mut operands = Vec::new();
        while matches!(self.token.kind, Kind::Str | Kind::Punct(Punct::LBracket)) {
            let mut name = None;
            if self.at(Punct::LBracket) {
                let open = self.bump();
                name = Some(self.identifier("the operand's name")?);
                self.expect_close(Punct::RBracket, open)?;
            }
            let constraint = self.string_text()?;
            let open = self.expect(Punct::LParen, "after the constraint")?;
            let expr = self.expr()?;
            self.expect_close(Punct::RParen, open)?;
            operands.push(AsmOperand { name, constraint, expr });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        Ok(self.slice(&operands))
    }

    /// Whether memory is clobbered.
    fn asm_clobbers(&mut self) -> Parse<bool> {
        let mut memory = false;
        while self.token.kind == Kind::Str {
            let clobber = self.string_text()?;
            memory |= self.names.text(clobber) == "memory";
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        Ok(memory)
    }

    fn asm_labels(&mut self) -> Parse<&'a [Symbol]> {
        let mut labels = Vec::new();
        while !self.at(Punct::RParen) || !labels.is_empty() {
            labels.push(self.identifier("a label")?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        Ok(self.slice(&labels))
    }
}
