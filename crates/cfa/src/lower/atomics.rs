//! `__sync_*` and `__atomic_*` builtins. There is one thread, so they are plain reads and writes.

use super::place::Place;
use super::types::IntKind;
use super::{Lower, R, Val};
use robusto_syntax::ast::{BinaryOp, Expr};
use robusto_syntax::{Span, Symbol};

impl<'a> Lower<'a, '_> {
    /// A call to an atomic builtin; the operand types decide the type of the result.
    pub(super) fn atomic(&mut self, name: Symbol, args: &[Expr<'a>], span: Span) -> R<Val> {
        let text = self.text(name).to_owned();
        self.at_span(span);
        let rest = text.trim_start_matches("__sync_").trim_start_matches("__atomic_").trim_end_matches("_n");
        if matches!(rest, "synchronize" | "thread_fence" | "signal_fence") {
            return Ok(self.void_value());
        }
        let Some(target) = args.first() else {
            return self.error(span, format!("`{text}` needs arguments"));
        };
        let place = self.pointed(target)?;
        if let Some(op) = operator(rest) {
            let new_wanted = rest.ends_with("_fetch");
            return self.fetch_and(place, op, args.get(1), new_wanted, span);
        }
        match (rest, args) {
            ("load", [_, ..]) => {
                let value = self.read(place, span)?;
                Ok(self.capture(value))
            }
            ("store", [_, value, ..]) => {
                let value = self.rvalue(value)?;
                self.store(place, value, span)?;
                Ok(self.void_value())
            }
            ("exchange" | "lock_test_and_set", [_, value, ..]) => {
                let old = self.read(place, span)?;
                let old = self.capture(old);
                let value = self.rvalue(value)?;
                self.store(place, value, span)?;
                Ok(old)
            }
            ("lock_release" | "clear", _) => {
                let zero = self.int_value(0);
                self.store(place, zero, span)?;
                Ok(self.void_value())
            }
            ("test_and_set", _) => {
                let old = self.read(place, span)?;
                let old = self.capture(old);
                let one = self.int_value(1);
                self.store(place, one, span)?;
                Ok(old)
            }
            ("val_compare_and_swap" | "bool_compare_and_swap", [_, expected, new, ..]) => {
                let old = self.read(place, span)?;
                let old = self.capture(old);
                let expected = self.rvalue(expected)?;
                let same = self.binary_values(BinaryOp::Eq, old, expected, span)?;
                let same = self.capture(same);
                self.store_if(same, place, new, span)?;
                Ok(if rest.starts_with("bool") { same } else { old })
            }
            ("compare_exchange", [_, expected, new, ..]) => {
                let expected_place = self.pointed(expected)?;
                let old = self.read(place, span)?;
                let old = self.capture(old);
                let expected = self.read(expected_place, span)?;
                let same = self.binary_values(BinaryOp::Eq, old, expected, span)?;
                let same = self.capture(same);
                self.store_if(same, place, new, span)?;
                self.store(expected_place, old, span)?;
                let ty = self.types.int(IntKind::Bool);
                self.convert(same, ty, span)
            }
            _ => {
                self.unsupported(&format!("call of `{text}`"));
                Ok(self.any_of(place.ty))
            }
        }
    }

    fn store(&mut self, place: Place, value: Val, span: Span) -> R<()> {
        let value = self.convert(value, place.ty, span)?;
        self.write(place, value);
        Ok(())
    }

    fn store_if(&mut self, cond: Val, place: Place, new: &Expr<'a>, span: Span) -> R<()> {
        let (yes, end) = (self.location(), self.location());
        let cond = self.truth(cond, span)?;
        self.branch(cond, yes, end);
        self.fun.at = yes;
        let new = self.rvalue(new)?;
        self.store(place, new, span)?;
        self.label_here(end);
        Ok(())
    }

    fn fetch_and(&mut self, place: Place, op: Fetch, arg: Option<&Expr<'a>>, new_wanted: bool, span: Span) -> R<Val> {
        let old = self.read(place, span)?;
        let old = self.capture(old);
        let Some(arg) = arg else { return self.error(span, "this call needs two arguments") };
        let operand = self.rvalue(arg)?;
        let new = match op {
            Fetch::Op(op) => self.unchecked(|lower| lower.binary_values(op, old, operand, span))?,
            Fetch::Nand => {
                let and = self.binary_values(BinaryOp::BitAnd, old, operand, span)?;
                let ones = self.int_value(-1);
                self.binary_values(BinaryOp::BitXor, and, ones, span)?
            }
        };
        let new = self.convert(new, place.ty, span)?;
        let new = self.capture(new);
        self.write(place, new);
        Ok(if new_wanted { new } else { old })
    }
}

enum Fetch {
    Op(BinaryOp),
    Nand,
}

fn operator(name: &str) -> Option<Fetch> {
    let op = name
        .strip_prefix("fetch_and_")
        .or_else(|| name.strip_prefix("fetch_"))
        .or_else(|| name.strip_suffix("_and_fetch"))
        .or_else(|| name.strip_suffix("_fetch"))?;
    Some(match op {
        "add" => Fetch::Op(BinaryOp::Add),
        "sub" => Fetch::Op(BinaryOp::Sub),
        "or" => Fetch::Op(BinaryOp::BitOr),
        "and" => Fetch::Op(BinaryOp::BitAnd),
        "xor" => Fetch::Op(BinaryOp::BitXor),
        "nand" => Fetch::Nand,
        _ => return None,
    })
}
