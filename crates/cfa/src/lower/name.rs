//! Names of variables, functions and enumerators.

use super::place::Place;
use super::scope::Sym;
use super::types::IntKind;
use super::{Lower, R, Val};
use crate::ir::{Idx, RelocTarget};
use robusto_syntax::{Span, Symbol};

impl<'a> Lower<'a, '_> {
    pub(super) fn identifier(&mut self, name: Symbol, span: Span) -> R<Val> {
        if let Some(Sym::Constant(value, ty)) = self.scopes.lookup(name) {
            let bits = self.types.as_int(ty).map_or(32, |k| k.bits(self.model()));
            return Ok(Val { e: self.program.exprs.int(bits, value), ty });
        }
        let place = self.named_place(name, span)?;
        self.read(place, span)
    }

    /// The variable or function of this name.
    pub(super) fn named_place(&mut self, name: Symbol, span: Span) -> R<Place> {
        match self.scopes.lookup(name) {
            Some(Sym::Object(obj)) => {
                // The object's own type may be more complete than the declaration in scope.
                let ty = self.objects[obj.index()].ty;
                if self.is_weak_object(obj) && !self.fun.constant_only {
                    return Ok(Place { addr: self.weak_address(RelocTarget::Object(obj)), ty, bits: None });
                }
                let addr = match self.owner_of_object(obj) {
                    Some(owner) => self.captured_object(owner, obj),
                    None => self.obj_addr(obj),
                };
                Ok(Place { addr, ty, bits: None })
            }
            Some(Sym::Alias(obj, ty)) => Ok(Place { addr: self.obj_addr(obj), ty, bits: None }),
            Some(Sym::Vla(var, ty)) => Ok(Place { addr: self.var_here(var), ty, bits: None }),
            Some(Sym::Function(id)) => {
                let ty = self.functions[id.index()].ty;
                if self.is_weak_function(id) && !self.fun.constant_only {
                    return Ok(Place { addr: self.weak_address(RelocTarget::Function(id)), ty, bits: None });
                }
                Ok(Place { addr: self.function_address(id), ty, bits: None })
            }
            Some(Sym::Constant(..)) => self.error(span, "an enumerator has no place"),
            Some(Sym::Typedef(..)) => {
                let text = self.text(name).to_owned();
                self.error(span, format!("`{text}` is a type, not a value"))
            }
            None => self.undeclared(name, span),
        }
    }

    fn undeclared(&mut self, name: Symbol, span: Span) -> R<Place> {
        let text = self.text(name).to_owned();
        if matches!(text.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let function = self.fun.name.map(|f| self.text(f).to_owned()).unwrap_or_default();
            let mut bytes = function.into_bytes();
            bytes.push(0);
            let char = self.types.int(IntKind::Char);
            let ty = self.types.array(char, Some(bytes.len() as u64));
            let obj = self.constant_object(bytes, char);
            return Ok(Place { addr: self.obj_addr(obj), ty, bits: None });
        }
        self.error(span, format!("`{text}` is not declared"))
    }

    // ---- forms ----------------------------------------------------------------------------------------------------
}
