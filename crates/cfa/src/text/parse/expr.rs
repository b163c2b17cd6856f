//! Expressions: first a tree with the types that the text tells, then the nodes of the pool.

use super::body::Body;
use super::decl::Entity;
use super::lex::Token;
use super::{Parsed, type_from_name};
use crate::ir::{BinOp, CastOp, Claim, Expr, ExprId, Ty, UnOp, fold};
use crate::text::print::{cast_from_name, precedence};
use crate::verify::typing;

/// Deepest nesting; the printer stays far below.
const DEEPEST: u32 = 400;

/// A tree node.
pub(super) struct Node {
    kind: Kind,
    /// The type, where the text tells it.
    ty: Option<Ty>,
    /// Where it starts.
    token: usize,
    depth: u32,
}

enum Kind {
    /// An expression of the pool.
    Known(ExprId),
    /// A number, and whether a minus stands before it.
    Int(u64, bool),
    /// The text of a float, read when its type is known, and whether a minus stands before it.
    Float(Box<str>, bool),
    Load(Box<Node>),
    Unary(&'static str, Box<Node>),
    Binary(&'static str, Box<Node>, Box<Node>),
    Cast(CastOp, Box<Node>),
    Holds(Claim, Box<Node>, Box<Node>),
}

impl Body<'_, '_> {
    /// An expression; of type `ty` if one is given.
    pub fn expr(&mut self, ty: Option<Ty>) -> Parsed<ExprId> {
        let node = self.tree(0, 0)?;
        self.resolve(&node, ty)
    }

    /// A binary expression whose operators have at least this precedence.
    fn tree(&mut self, level: u8, nesting: u32) -> Parsed<Node> {
        let mut lhs = self.prefix(nesting)?;
        while let Token::Symbol(symbol) = self.cursor.peek() {
            let Some(next) = precedence(symbol).filter(|&p| p >= level) else { break };
            self.cursor.next();
            let rhs = self.tree(next + 1, nesting + 1)?;
            let comparison = matches!(symbol, "==" | "!=") || (symbol.starts_with('<') && symbol != "<<");
            let ty = if comparison { Some(Ty::BOOL) } else { lhs.ty.or(rhs.ty) };
            let (token, depth) = (lhs.token, lhs.depth.max(rhs.depth) + 1);
            lhs = self.node(Kind::Binary(symbol, lhs.into(), rhs.into()), ty, token, depth)?;
        }
        Ok(lhs)
    }

    fn node(&self, kind: Kind, ty: Option<Ty>, token: usize, depth: u32) -> Parsed<Node> {
        if depth > DEEPEST {
            return self.cursor.error_at(token, "this expression is nested too deeply");
        }
        Ok(Node { kind, ty, token, depth })
    }

    fn prefix(&mut self, nesting: u32) -> Parsed<Node> {
        let token = self.cursor.at;
        if nesting > DEEPEST {
            return self.cursor.error("this expression is nested too deeply");
        }
        match self.cursor.next() {
            Token::Int(value) => self.literal(Kind::Int(value, false), token),
            Token::Float(text) => self.literal(Kind::Float(text.into(), false), token),
            Token::Symbol("-") => match self.cursor.peek() {
                Token::Int(value) => {
                    self.cursor.next();
                    self.literal(Kind::Int(value, true), token)
                }
                Token::Float(text) => {
                    self.cursor.next();
                    self.literal(Kind::Float(text.into(), true), token)
                }
                Token::Word("inf") => {
                    self.cursor.next();
                    self.literal(Kind::Float("inf".into(), true), token)
                }
                _ => self.unary("-", token, nesting),
            },
            Token::Symbol(symbol @ ("!" | "~")) => self.unary(symbol, token, nesting),
            Token::Symbol("(") => {
                let inner = self.tree(0, nesting + 1)?;
                self.cursor.symbol(")")?;
                Ok(inner)
            }
            Token::Symbol("&") => {
                let at = self.cursor.at;
                let expr = match self.entity()? {
                    Entity::Object(object) => Expr::ObjAddr(object),
                    Entity::Function(function) => Expr::FuncAddr(function),
                    Entity::Var(_) => return self.cursor.error_at(at, "a variable has no address"),
                };
                self.known(expr, token)
            }
            Token::Word("null") => self.known(Expr::Const(Ty::Ptr, 0), token),
            Token::Word("true") => self.known(Expr::Const(Ty::BOOL, 1), token),
            Token::Word("false") => self.known(Expr::Const(Ty::BOOL, 0), token),
            Token::Word("inf") => self.literal(Kind::Float("inf".into(), false), token),
            Token::Word(word) => match self.cursor.peek() {
                Token::Symbol("[") => self.load(word, token, nesting),
                Token::Symbol("(") => self.cast(word, token, nesting),
                _ => self.reference(word, token),
            },
            Token::Quoted(_) => {
                self.cursor.at = token;
                self.var_node(token)
            }
            _ => self.cursor.error_at(token, "expected an expression"),
        }
    }

    fn known(&mut self, expr: Expr, token: usize) -> Parsed<Node> {
        let id = self.intern(expr, token)?;
        self.node(Kind::Known(id), Some(self.program.exprs.ty(id)), token, 1)
    }

    /// A variable, or a part of a large expression.
    fn reference(&mut self, word: &str, token: usize) -> Parsed<Node> {
        let digits = word.strip_prefix('$').filter(|d| d.bytes().all(|b| b.is_ascii_digit()));
        if let Some(digits) = digits {
            let part = digits.parse::<usize>().ok().and_then(|n| self.parts.get(n.wrapping_sub(1)).copied());
            let Some(id) = part else { return self.cursor.error_at(token, "there is no `let` for this part") };
            return self.node(Kind::Known(id), Some(self.program.exprs.ty(id)), token, 1);
        }
        self.cursor.at = token;
        self.var_node(token)
    }

    fn var_node(&mut self, token: usize) -> Parsed<Node> {
        let var = self.var()?;
        self.known(Expr::Var(var), token)
    }

    fn literal(&mut self, kind: Kind, token: usize) -> Parsed<Node> {
        let ty = if self.cursor.eat_symbol(":") { Some(self.cursor.ty()?) } else { None };
        self.node(kind, ty, token, 1)
    }

    fn unary(&mut self, symbol: &'static str, token: usize, nesting: u32) -> Parsed<Node> {
        let arg = self.prefix(nesting + 1)?;
        let (ty, depth) = (arg.ty, arg.depth + 1);
        self.node(Kind::Unary(symbol, arg.into()), ty, token, depth)
    }

    fn load(&mut self, word: &str, token: usize, nesting: u32) -> Parsed<Node> {
        let Some(ty) = type_from_name(word) else { return self.cursor.error_at(token, "expected a type before `[`") };
        self.cursor.symbol("[")?;
        let addr = self.tree(0, nesting + 1)?;
        self.cursor.symbol("]")?;
        let depth = addr.depth + 1;
        self.node(Kind::Load(addr.into()), Some(ty), token, depth)
    }

    fn claim(&mut self, claim: Claim, token: usize, nesting: u32) -> Parsed<Node> {
        self.cursor.symbol("(")?;
        let addr = self.tree(0, nesting + 1)?;
        self.cursor.symbol(",")?;
        let size = self.tree(0, nesting + 1)?;
        self.cursor.symbol(")")?;
        let depth = addr.depth.max(size.depth) + 1;
        self.node(Kind::Holds(claim, addr.into(), size.into()), Some(Ty::BOOL), token, depth)
    }

    fn cast(&mut self, word: &str, token: usize, nesting: u32) -> Parsed<Node> {
        if let Some(claim) = Claim::ALL.into_iter().find(|claim| claim.name() == word) {
            return self.claim(claim, token, nesting);
        }
        let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let bits = word[name.len()..].parse::<u8>().ok();
        let target = match (cast_from_name(name), bits) {
            (Some(op @ CastOp::PtrToInt), None) => Some((op, self.program.model.size_ty())),
            (Some(op @ CastOp::IntToPtr), None) => Some((op, Ty::Ptr)),
            (Some(CastOp::PtrToInt | CastOp::IntToPtr) | None, _) | (_, None) => None,
            (Some(op @ (CastOp::SToF | CastOp::UToF | CastOp::FToF)), Some(32)) => Some((op, Ty::F32)),
            (Some(op @ (CastOp::SToF | CastOp::UToF | CastOp::FToF)), Some(64)) => Some((op, Ty::F64)),
            (Some(op @ (CastOp::SToF | CastOp::UToF | CastOp::FToF)), Some(80)) => Some((op, Ty::F80)),
            (Some(CastOp::SToF | CastOp::UToF | CastOp::FToF), _) => None,
            (Some(op), Some(bits)) => Some((op, Ty::Int(bits))),
        };
        let Some((op, ty)) = target else { return self.cursor.error_at(token, "there is no such conversion") };
        self.cursor.symbol("(")?;
        let arg = self.tree(0, nesting + 1)?;
        self.cursor.symbol(")")?;
        let depth = arg.depth + 1;
        self.node(Kind::Cast(op, arg.into()), Some(ty), token, depth)
    }

    /// Interns a node that fits its operands.
    fn intern(&mut self, expr: Expr, token: usize) -> Parsed<ExprId> {
        match typing::check(self.program.model, expr, |x| self.program.exprs.ty(x)) {
            Ok(()) => Ok(self.program.exprs.intern(expr)),
            Err(message) => self.cursor.error_at(token, message),
        }
    }

    /// Turns a tree into nodes of the pool; `wanted` is the type that its surroundings ask for.
    fn resolve(&mut self, node: &Node, wanted: Option<Ty>) -> Parsed<ExprId> {
        let Some(ty) = node.ty.or(wanted) else {
            return self.cursor.error_at(node.token, "the type of this constant is not clear; write it, as in 1:i32");
        };
        if let Some(wanted) = wanted.filter(|&wanted| wanted != ty) {
            return self.cursor.error_at(node.token, format!("expected a value of type {wanted}, found {ty}"));
        }
        let expr = match &node.kind {
            Kind::Known(id) => return Ok(*id),
            Kind::Int(value, negative) => match self.int_bits(ty, *value, *negative) {
                Some(bits) => Expr::Const(ty, bits),
                None => return self.cursor.error_at(node.token, format!("this is no constant of type {ty}")),
            },
            Kind::Float(text, negative) => match float_bits(ty, text, *negative) {
                Some(bits) => Expr::Const(ty, bits),
                None => return self.cursor.error_at(node.token, format!("this is no constant of type {ty}")),
            },
            Kind::Load(addr) => Expr::Load(ty, self.resolve(addr, Some(Ty::Ptr))?),
            Kind::Unary(symbol, arg) => {
                let arg = self.resolve(arg, Some(ty))?;
                let op = match *symbol {
                    "-" if ty.is_float() => UnOp::FNeg,
                    "-" => UnOp::Neg,
                    "!" if ty != Ty::BOOL => return self.cursor.error_at(node.token, "`!` takes a bool; write `~`"),
                    "~" if ty == Ty::BOOL => return self.cursor.error_at(node.token, "on a bool, write `!`"),
                    _ => UnOp::Not,
                };
                Expr::Unary(op, arg)
            }
            Kind::Binary(symbol, lhs, rhs) => self.binary(node.token, symbol, lhs, rhs, ty)?,
            Kind::Cast(op, arg) => Expr::Cast(*op, ty, self.resolve(arg, None)?),
            Kind::Holds(claim, addr, size) => {
                let size_ty = self.program.model.size_ty();
                Expr::Holds(*claim, self.resolve(addr, Some(Ty::Ptr))?, self.resolve(size, Some(size_ty))?)
            }
        };
        self.intern(expr, node.token)
    }

    fn binary(&mut self, token: usize, symbol: &str, lhs: &Node, rhs: &Node, ty: Ty) -> Parsed<Expr> {
        use BinOp::*;
        // The operands of a comparison have their own type; those of others have that of the result.
        let comparison = matches!(symbol, "==" | "!=") || (symbol.starts_with('<') && symbol != "<<");
        let operand = if comparison { lhs.ty.or(rhs.ty) } else { Some(ty) };
        let pointer = symbol == "+" && operand == Some(Ty::Ptr);
        let a = self.resolve(lhs, operand)?;
        let b = self.resolve(rhs, if pointer { Some(self.program.model.size_ty()) } else { operand })?;
        let float = self.program.exprs.ty(a).is_float();
        let op = match (symbol, float) {
            ("+", _) if pointer => PtrAdd,
            ("+", true) => FAdd,
            ("+", false) => Add,
            ("-", true) => FSub,
            ("-", false) => Sub,
            ("*", true) => FMul,
            ("*", false) => Mul,
            ("/", true) => FDiv,
            ("<", true) => FLt,
            ("<=", true) => FLe,
            ("==", true) => FEq,
            ("!=", true) => FNe,
            ("==", false) => Eq,
            ("!=", false) => Ne,
            ("/s", false) => SDiv,
            ("/u", false) => UDiv,
            ("%s", false) => SRem,
            ("%u", false) => URem,
            ("&", false) => And,
            ("|", false) => Or,
            ("^", false) => Xor,
            ("<<", false) => Shl,
            (">>s", false) => AShr,
            (">>u", false) => LShr,
            ("<s", false) => SLt,
            ("<=s", false) => SLe,
            ("<u", false) => ULt,
            ("<=u", false) => ULe,
            (_, true) => return self.cursor.error_at(token, format!("`{symbol}` does not take floats")),
            (_, false) => {
                let hint = format!("`{symbol}` takes floats; write `{symbol}s` or `{symbol}u` for integers");
                return self.cursor.error_at(token, hint);
            }
        };
        Ok(Expr::Binary(op, a, b))
    }

    /// The bits of an integer literal; a float or pointer literal in this form gives its bits.
    fn int_bits(&self, ty: Ty, value: u64, negative: bool) -> Option<u64> {
        let width = ty.bits(self.program.model);
        if width > 64 || (negative && !matches!(ty, Ty::Int(_))) {
            return None;
        }
        if !negative {
            return (fold::mask(width, value) == value).then_some(value);
        }
        (value <= 1 << (width - 1)).then(|| fold::mask(width, value.wrapping_neg()))
    }
}

fn float_bits(ty: Ty, text: &str, negative: bool) -> Option<u64> {
    match ty {
        Ty::F32 => {
            let value: f32 = text.parse().ok()?;
            Some((if negative { -value } else { value }).to_bits().into())
        }
        Ty::F64 => {
            let value: f64 = text.parse().ok()?;
            Some((if negative { -value } else { value }).to_bits())
        }
        _ => None,
    }
}
