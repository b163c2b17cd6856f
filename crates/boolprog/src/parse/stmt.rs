//! Statements.

use super::{BLOCKS, KEYWORDS, Parser, Result, THREADS};
use crate::ast::{Name, Stmt, StmtKind};
use crate::lex::Kind;
use robusto_syntax::Diagnostic;

impl Parser<'_> {
    /// Statements up to one of these words, which stays.
    pub(super) fn block(&mut self, ends: &[&str]) -> Result<Vec<Stmt>> {
        self.blocks += 1;
        if self.blocks > BLOCKS {
            let message = format!("statements are nested more than {BLOCKS} levels deep");
            return Err(Diagnostic::error(self.peek().span, message));
        }
        let mut list = Vec::new();
        while !ends.iter().any(|end| self.is_word(end)) {
            if self.accept(";") {
                continue;
            }
            list.push(self.statement(ends)?);
        }
        self.blocks -= 1;
        Ok(list)
    }

    fn statement(&mut self, ends: &[&str]) -> Result<Stmt> {
        let mut labels = Vec::new();
        while self.peek_second().kind == Kind::Punct(":") && self.is_label() {
            let span = self.peek().span;
            labels.push(Name { text: self.text_of(span).into(), span });
            self.at += 2;
        }
        let start = self.peek().span;
        let at_end = ends.iter().any(|end| self.is_word(end));
        if !labels.is_empty() && (at_end || self.accept(";")) {
            return Ok(Stmt { labels, kind: StmtKind::Skip, span: start });
        }
        let kind = self.kind()?;
        let span = start.to(self.tokens[self.at - 1].span);
        let is_block = matches!(kind, StmtKind::If { .. } | StmtKind::While { .. });
        let at_end = ends.iter().any(|end| self.is_word(end));
        if !self.accept(";") && !is_block && !at_end {
            return Err(self.unexpected("`;`"));
        }
        Ok(Stmt { labels, kind, span })
    }

    fn is_label(&self) -> bool {
        let token = self.peek();
        match token.kind {
            Kind::Number | Kind::Braced => true,
            Kind::Word => !KEYWORDS.contains(&self.text_of(token.span)),
            Kind::Punct(_) | Kind::End => false,
        }
    }

    fn kind(&mut self) -> Result<StmtKind> {
        let token = self.peek();
        let word = if token.kind == Kind::Word { self.text_of(token.span) } else { "" };
        if !KEYWORDS.contains(&word) {
            return self.assignment_or_call();
        }
        self.at += 1;
        match word {
            "skip" | "dfs" => Ok(StmtKind::Skip),
            "assume" => Ok(StmtKind::Assume(self.expression()?)),
            "assert" => Ok(StmtKind::Assert(self.expression()?)),
            "abortif" => Ok(StmtKind::AbortIf(self.expression()?)),
            "dead" => Ok(StmtKind::Dead(self.names()?)),
            "print" => {
                self.expect("(")?;
                let list = self.expressions()?;
                self.expect(")")?;
                Ok(StmtKind::Print(list))
            }
            "goto" => {
                let mut labels = Vec::new();
                loop {
                    if !self.is_label() {
                        return Err(self.unexpected("a label"));
                    }
                    let span = self.peek().span;
                    labels.push(Name { text: self.text_of(span).into(), span });
                    self.at += 1;
                    if !self.accept(",") {
                        return Ok(StmtKind::Goto(labels));
                    }
                }
            }
            "if" => self.conditional(),
            "while" => {
                let condition = self.expression()?;
                self.expect_word("do")?;
                let body = self.block(&["od"])?;
                self.expect_word("od")?;
                Ok(StmtKind::While { condition, body })
            }
            "return" => {
                let ends = [Kind::Punct(";"), Kind::End].contains(&self.peek().kind)
                    || ["end", "fi", "od", "else", "elsif"].iter().any(|end| self.is_word(end));
                if ends {
                    return Ok(StmtKind::Return(Vec::new()));
                }
                let in_parentheses = self.is_list_in_parentheses();
                self.at += usize::from(in_parentheses);
                let values = self.expressions()?;
                if in_parentheses {
                    self.expect(")")?;
                }
                Ok(StmtKind::Return(values))
            }
            "decl" | "enforce" => {
                let message = format!("`{word}` stands before the statements of a procedure");
                Err(Diagnostic::error(token.span, message))
            }
            _ => {
                self.at -= 1;
                Err(self.unexpected("a statement"))
            }
        }
    }

    /// Whether `(e, f` follows, and not an expression that begins with a parenthesis.
    fn is_list_in_parentheses(&self) -> bool {
        let mut depth = 0;
        for token in &self.tokens[self.at..] {
            match token.kind {
                Kind::Punct("(" | "[") => depth += 1,
                Kind::Punct(")" | "]") => depth -= 1,
                Kind::Punct(",") if depth == 1 => return true,
                Kind::Punct(";") | Kind::End => return false,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
        }
        false
    }

    fn conditional(&mut self) -> Result<StmtKind> {
        let mut arms = Vec::new();
        loop {
            let condition = self.expression()?;
            self.expect_word("then")?;
            arms.push((condition, self.block(&["elsif", "else", "fi"])?));
            if !self.accept_word("elsif") {
                break;
            }
        }
        let otherwise = if self.accept_word("else") { self.block(&["fi"])? } else { Vec::new() };
        self.expect_word("fi")?;
        Ok(StmtKind::If { arms, otherwise })
    }

    fn assignment_or_call(&mut self) -> Result<StmtKind> {
        let (token, next) = (self.peek(), self.peek_second().kind);
        let word = self.text_of(token.span);
        if token.kind == Kind::Word && THREADS.contains(&word) && ![Kind::Punct(":="), Kind::Punct(",")].contains(&next)
        {
            let message = format!("`{word}`: threads are not supported");
            let help = "only sequential Boolean programs can be checked";
            return Err(Diagnostic::error(token.span, message).help(help));
        }
        if ![Kind::Word, Kind::Braced].contains(&token.kind) {
            return Err(self.unexpected("a statement"));
        }
        if next == Kind::Punct("(") {
            return self.call(Vec::new());
        }
        let targets = self.names()?;
        self.expect(":=")?;
        let token = self.peek();
        let is_name = token.kind == Kind::Word && !KEYWORDS.contains(&self.text_of(token.span));
        if is_name && self.peek_second().kind == Kind::Punct("(") {
            return self.call(targets);
        }
        let values = self.expressions()?;
        let constrain = if self.accept_word("constrain") { Some(self.expression()?) } else { None };
        Ok(StmtKind::Assign { targets, values, constrain })
    }

    fn call(&mut self, targets: Vec<Name>) -> Result<StmtKind> {
        let callee = self.name()?;
        self.expect("(")?;
        let args = if self.accept(")") {
            Vec::new()
        } else {
            let args = self.expressions()?;
            self.expect(")")?;
            args
        };
        if self.is_word("constrain") {
            let message = "a call has no `constrain`";
            return Err(Diagnostic::error(self.peek().span, message).help("write an `assume` behind it"));
        }
        Ok(StmtKind::Call { targets, callee, args })
    }
}
