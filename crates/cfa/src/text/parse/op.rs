//! Operations.

use super::Parsed;
use super::body::Body;
use super::decl::Entity;
use super::lex::Token;
use super::type_from_name;
use crate::ir::{AllocKind, Builtin, Callee, ExprId, FuncId, Function, HavocSource, Op, Ty, VarId};
use crate::text::print::error_from_name;

impl Body<'_, '_> {
    /// An operation of an edge of `function`.
    pub fn op(&mut self, function: &Function) -> Parsed<Op> {
        let start = self.cursor.at;
        let size = self.program.model.size_ty();
        let Token::Word(word) = self.cursor.next() else {
            self.cursor.at = start;
            return self.assignment();
        };
        Ok(match word {
            "skip" => Op::Skip,
            "assume" => {
                let truth = !self.cursor.eat_word("not");
                Op::Assume { cond: self.expr(Some(Ty::BOOL))?, truth }
            }
            "copy" => {
                let [dst, src, size] = self.list([Ty::Ptr, Ty::Ptr, size])?;
                Op::Copy { dst, src, size }
            }
            "fill" => {
                let [dst, byte, size] = self.list([Ty::Ptr, Ty::Int(8), size])?;
                Op::Fill { dst, byte, size }
            }
            "havoc" => self.havoc()?,
            "call" => self.call(None)?,
            "builtin" => self.builtin(None)?,
            "free" => {
                let kind = self.alloc_kind()?;
                let [ptr] = self.list([Ty::Ptr])?;
                Op::Free { ptr, kind }
            }
            "return" => match function.ret {
                Some(ret) if !self.at_end() => Op::Return { value: Some(self.expr(Some(ret))?) },
                _ => Op::Return { value: None },
            },
            "error" => {
                let kind = match self.cursor.peek() {
                    Token::Word(word) => error_from_name(word),
                    _ => None,
                };
                let Some(kind) = kind else { return self.cursor.error("expected a property, such as `reach_error`") };
                self.cursor.next();
                Op::Error(kind)
            }
            "halt" if self.at_end() => Op::Halt { status: None },
            "halt" => Op::Halt { status: Some(self.expr(Some(Ty::Int(32)))?) },
            "unsupported" => Op::Unsupported(self.cursor.quoted()?),
            word if self.cursor.peek() == Token::Symbol("[") => {
                let Some(ty) = type_from_name(word) else {
                    return self.cursor.error_at(start, "expected a type before `[`");
                };
                self.cursor.symbol("[")?;
                let addr = self.expr(Some(Ty::Ptr))?;
                self.cursor.symbol("]")?;
                self.cursor.symbol(":=")?;
                Op::Store { addr, value: self.expr(Some(ty))? }
            }
            _ => {
                self.cursor.at = start;
                self.assignment()?
            }
        })
    }

    fn at_end(&self) -> bool {
        matches!(self.cursor.peek(), Token::Symbol("@") | Token::Newline | Token::End)
    }

    /// `x := …`
    fn assignment(&mut self) -> Parsed<Op> {
        let at = self.cursor.at;
        let var = self.var()?;
        let ty = self.program.vars[var].ty;
        self.cursor.symbol(":=")?;
        if self.cursor.eat_word("call") {
            return self.call(Some(var));
        }
        if self.cursor.eat_word("builtin") {
            return self.builtin(Some(var));
        }
        if !self.cursor.eat_word("alloc") {
            return Ok(Op::Assign { var, value: self.expr(Some(ty))? });
        }
        if ty != Ty::Ptr {
            return self.cursor.error_at(at, format!("this variable has type {ty} instead of ptr"));
        }
        let zeroed = self.cursor.eat_word("zeroed");
        let kind = self.alloc_kind()?;
        let [size] = self.list([self.program.model.size_ty()])?;
        Ok(Op::Alloc { var, size, kind, zeroed })
    }

    fn alloc_kind(&mut self) -> Parsed<AllocKind> {
        if self.cursor.eat_word("heap") {
            return Ok(AllocKind::Heap);
        }
        if self.cursor.eat_word("stack") {
            Ok(AllocKind::Stack)
        } else if self.cursor.eat_word("library") {
            Ok(AllocKind::Library)
        } else if self.cursor.eat_word("caller") {
            Ok(AllocKind::Caller)
        } else {
            self.cursor.error("expected `heap`, `stack`, `library` or `caller`")
        }
    }

    fn havoc(&mut self) -> Parsed<Op> {
        if self.cursor.peek() == Token::Word("memory") && self.cursor.peek_at(1) == Token::Symbol("(") {
            self.cursor.next();
            let [addr, size] = self.list([Ty::Ptr, self.program.model.size_ty()])?;
            return Ok(Op::HavocMem { addr, size, source: self.source()? });
        }
        let var = self.var()?;
        Ok(Op::Havoc { var, source: self.source()? })
    }

    fn source(&mut self) -> Parsed<HavocSource> {
        self.cursor.word("from")?;
        let start = self.cursor.at;
        Ok(match self.cursor.next() {
            Token::Word("input") => HavocSource::Input,
            Token::Word("uninit") => HavocSource::Uninit,
            Token::Word("external") => HavocSource::External(self.function_named()?),
            Token::Word("written") => {
                let function = self.function_named()?;
                let at = self.cursor.at;
                match u8::try_from(self.cursor.int()?) {
                    Ok(argument) => HavocSource::Written(function, argument),
                    Err(_) => return self.cursor.error_at(at, "the position of an argument is at most 255"),
                }
            }
            Token::Word("volatile") => HavocSource::Volatile,
            Token::Word("precision") => HavocSource::Precision,
            Token::Word("violation") => HavocSource::Violation,
            Token::Word("undefined") => HavocSource::Undefined,
            Token::Word("unmodelled") => HavocSource::Unmodelled,
            Token::Word("order") => HavocSource::Order,
            Token::Word("allocation") => HavocSource::Allocation,
            Token::Word("ended") => HavocSource::Ended,
            _ => return self.cursor.error_at(start, "expected where the value comes from, such as `input`"),
        })
    }

    fn function_named(&mut self) -> Parsed<FuncId> {
        let at = self.cursor.at;
        match self.entity()? {
            Entity::Function(function) => Ok(function),
            _ => self.cursor.error_at(at, "this is no function"),
        }
    }

    fn call(&mut self, result: Option<VarId>) -> Parsed<Op> {
        if self.cursor.eat_symbol("(") {
            self.cursor.symbol("*")?;
            let target = self.expr(Some(Ty::Ptr))?;
            self.cursor.symbol(")")?;
            let args = self.args(&[])?;
            let outside = if self.cursor.eat_word("else") { Some(self.function_named()?) } else { None };
            return Ok(Op::Call { result, callee: Callee::Indirect(target, outside), args });
        }
        let function = self.function_named()?;
        let params: Vec<Ty> =
            self.program.functions[function].params.iter().map(|&p| self.program.vars[p].ty).collect();
        let start = self.cursor.at;
        let args = self.args(&params)?;
        if args.len() != params.len() {
            let message = format!("{} arguments for {} parameters", args.len(), params.len());
            return self.cursor.error_at(start, message);
        }
        Ok(Op::Call { result, callee: Callee::Direct(function), args })
    }

    fn builtin(&mut self, result: Option<VarId>) -> Parsed<Op> {
        let builtin = match self.cursor.peek() {
            Token::Word(word) => Builtin::from_name(word),
            _ => None,
        };
        let Some(builtin) = builtin else { return self.cursor.error("there is no builtin function with this name") };
        self.cursor.next();
        Ok(Op::Builtin { result, builtin, args: self.args(&[])? })
    }

    /// Arguments in parentheses; the first ones have these types.
    fn args(&mut self, types: &[Ty]) -> Parsed<Box<[ExprId]>> {
        let mut args = Vec::new();
        self.cursor.symbol("(")?;
        while !self.cursor.eat_symbol(")") {
            if !args.is_empty() {
                self.cursor.symbol(",")?;
            }
            args.push(self.expr(types.get(args.len()).copied())?);
        }
        Ok(args.into())
    }

    fn list<const N: usize>(&mut self, types: [Ty; N]) -> Parsed<[ExprId; N]> {
        let start = self.cursor.at;
        let args = self.args(&types)?;
        let found = args.len();
        <[ExprId; N]>::try_from(&*args)
            .or_else(|_| self.cursor.error_at(start, format!("expected {N} operands, found {found}")))
    }
}
