//! Expressions. A stack of open brackets instead of recursion, a row of operands and operators in each.

use super::{KEYWORDS, NESTING, Parser, Result};
use crate::ast::{BinaryOp, Expr, Node, NodeRef, Tree};
use crate::dialect;
use crate::lex::Kind;
use robusto_syntax::{Diagnostic, Span};

/// A row of operands with operators in between, and what it is part of.
struct Row {
    part: Part,
    operands: Vec<NodeRef>,
    operators: Vec<(BinaryOp, Span)>,
    /// `!` in front of the next operand.
    negations: Vec<Span>,
}

/// What a row is part of.
enum Part {
    Whole,
    Parentheses(Span),
    /// Behind `schoose[`.
    First(Span),
    /// Behind `schoose[e,`.
    Second(Span, NodeRef),
    /// Behind `e ?`.
    Then(NodeRef),
    /// Behind `e ? f :`.
    Else(NodeRef, NodeRef),
}

/// An operand in the making: a row of one associative operator grows until something else applies to it.
enum Item {
    Node(NodeRef),
    Chain(BinaryOp, Vec<NodeRef>),
}

impl Row {
    fn new(part: Part) -> Self {
        Self { part, operands: Vec::new(), operators: Vec::new(), negations: Vec::new() }
    }
}

impl Parser<'_> {
    /// An expression.
    pub(super) fn expression(&mut self) -> Result<Tree> {
        let first = self.file.nodes.len() as u32;
        let mut rows = vec![Row::new(Part::Whole)];
        while let Some(row) = rows.last_mut() {
            if row.operands.len() == row.operators.len() {
                self.operand(&mut rows)?;
                if rows.len() > NESTING + 1 {
                    let message = format!("the expression is nested more than {NESTING} levels deep");
                    return Err(Diagnostic::error(self.tokens[self.at - 1].span, message));
                }
                continue;
            }
            let token = self.peek();
            if let Some(op) = binary(token.kind) {
                row.operators.push((op, token.span));
                self.at += 1;
                continue;
            }
            let Some(row) = rows.pop() else { break };
            let value = self.reduce(&row);
            let Row { part, .. } = row;
            if self.accept("?") {
                // What stood here so far is the condition; the row goes on with the whole `e ? f : g` as its operand.
                rows.push(Row::new(part));
                rows.push(Row::new(Part::Then(value)));
                continue;
            }
            let (part, value) = match part {
                Part::Whole => return Ok(Tree { first, root: value }),
                Part::Parentheses(open) => {
                    self.close(")", open)?;
                    (None, value)
                }
                Part::First(open) => {
                    self.close(",", open)?;
                    (Some(Part::Second(open, value)), value)
                }
                Part::Second(open, one) => {
                    self.close("]", open)?;
                    (None, self.add(Expr::Schoose(one, value), open))
                }
                Part::Then(condition) => {
                    self.expect(":")?;
                    (Some(Part::Else(condition, value)), value)
                }
                Part::Else(condition, then) => {
                    let span = self.file.node(condition).span;
                    (None, self.add(Expr::Ite(condition, then, value), span))
                }
            };
            match part {
                Some(part) => rows.push(Row::new(part)),
                None => self.complete(&mut rows, value),
            }
        }
        Err(self.unexpected("an expression"))
    }

    /// The next operand, or the bracket that opens it.
    fn operand(&mut self, rows: &mut Vec<Row>) -> Result<()> {
        let token = self.peek();
        let text = self.text_of(token.span);
        let Some(row) = rows.last_mut() else { return Ok(()) };
        let leaf = match token.kind {
            Kind::Punct("!") => {
                row.negations.push(token.span);
                self.at += 1;
                return Ok(());
            }
            Kind::Punct("(") => {
                rows.push(Row::new(Part::Parentheses(token.span)));
                self.at += 1;
                return Ok(());
            }
            Kind::Word if text == "schoose" => {
                self.at += 1;
                self.expect("[")?;
                rows.push(Row::new(Part::First(token.span)));
                return Ok(());
            }
            Kind::Punct("*") => Expr::Choice,
            Kind::Punct("'") => {
                self.at += 1;
                let name = self.name()?;
                let node = self.add(Expr::Next(name.text), token.span.to(name.span));
                self.complete(rows, node);
                return Ok(());
            }
            Kind::Number if matches!(text, "0" | "1") => Expr::Const(text == "1"),
            Kind::Number => return Err(Diagnostic::error(token.span, "the only numbers are 0 and 1")),
            Kind::Word if matches!(text, "T" | "F") => Expr::Const(text == "T"),
            Kind::Word if KEYWORDS.contains(&text) => return Err(self.unexpected("an expression")),
            Kind::Word | Kind::Braced => {
                if self.peek_second().kind == Kind::Punct("(") {
                    let message = format!("`{text}` cannot be called inside an expression");
                    let help = "a call stands alone, or on the right of `:=`";
                    return Err(Diagnostic::error(token.span, message).help(help));
                }
                Expr::Var(text.into())
            }
            Kind::Punct(_) | Kind::End => return Err(self.unexpected("an expression")),
        };
        self.at += 1;
        let node = self.add(leaf, token.span);
        self.complete(rows, node);
        Ok(())
    }

    /// Hands an operand to the row that waits for it, with the negations in front of it.
    fn complete(&mut self, rows: &mut [Row], mut value: NodeRef) {
        let Some(row) = rows.last_mut() else { return };
        for span in std::mem::take(&mut row.negations).into_iter().rev() {
            value = self.add(Expr::Not(value), span);
        }
        row.operands.push(value);
    }

    /// Groups a row as the dialect does; warns if others do it differently.
    fn reduce(&mut self, row: &Row) -> NodeRef {
        let written: Vec<BinaryOp> = row.operators.iter().map(|&(op, _)| op).collect();
        if dialect::is_disputed(&written) {
            self.warn(row);
        }
        let mut values = vec![Item::Node(row.operands[0])];
        let mut pending: Vec<(BinaryOp, Span)> = Vec::new();
        for (&(op, span), &operand) in row.operators.iter().zip(&row.operands[1..]) {
            while let Some(last) = pending.pop_if(|(last, _)| self.dialect.is_first(*last, op)) {
                self.apply(last, &mut values);
            }
            pending.push((op, span));
            values.push(Item::Node(operand));
        }
        while let Some(last) = pending.pop() {
            self.apply(last, &mut values);
        }
        let span = self.file.node(row.operands[0]).span;
        let Some(item) = values.pop() else { return row.operands[0] };
        self.finish(item, span)
    }

    fn apply(&mut self, (op, span): (BinaryOp, Span), values: &mut Vec<Item>) {
        let (Some(right), Some(left)) = (values.pop(), values.pop()) else { return };
        let right = self.finish(right, span);
        values.push(match left {
            Item::Chain(same, mut members) if same == op => {
                members.push(right);
                Item::Chain(op, members)
            }
            left => {
                let left = self.finish(left, span);
                if op.is_chained() {
                    Item::Chain(op, vec![left, right])
                } else {
                    Item::Node(self.add(Expr::Binary(op, left, right), span))
                }
            }
        });
    }

    fn finish(&mut self, item: Item, span: Span) -> NodeRef {
        match item {
            Item::Node(node) => node,
            Item::Chain(op, members) => self.add(Expr::Chain(op, members), span),
        }
    }

    fn warn(&mut self, row: &Row) {
        let (first, span) = row.operators[0];
        let other = row.operators.iter().map(|&(op, _)| op).find(|op| *op != first).unwrap_or(first);
        let dialect = self.dialect;
        let message = if other == first {
            "tools may group repeated `=>` differently; here they group to the right".to_owned()
        } else {
            format!("tools group `{}` and `{}` differently; here as {dialect} does", first.text(), other.text())
        };
        let help = "parentheses settle it; --dialect slam, satabs or getafix chooses";
        self.warnings.push(Diagnostic::warning(span, message).help(help));
    }

    fn close(&mut self, punct: &'static str, open: Span) -> Result<Span> {
        self.expect(punct).map_err(|diagnostic| diagnostic.note(open, "to go with this"))
    }

    fn add(&mut self, expr: Expr, span: Span) -> NodeRef {
        self.file.nodes.push(Node { expr, span });
        NodeRef(self.file.nodes.len() as u32 - 1)
    }
}

fn binary(kind: Kind) -> Option<BinaryOp> {
    let Kind::Punct(text) = kind else { return None };
    [BinaryOp::And, BinaryOp::Or, BinaryOp::Xor, BinaryOp::Implies, BinaryOp::Eq, BinaryOp::Ne]
        .into_iter()
        .find(|op| op.text() == text)
}
