//! `scanf` and `fscanf`.
//!
//! The format is read here. A call becomes: choose the number of conversions that succeed, or the end of the file;
//! store any value of its type through each of that many pointers; leave the rest alone. C11, 7.21.6.2.

use super::print::literal;
use crate::ir::{BinOp, ExprId, FuncId, Granted, HavocSource, Idx, Op, Ty, VarId};
use crate::lower::place::Place;
use crate::lower::types::{CType, FloatKind, IntKind, TypeId};
use crate::lower::{Lower, R, Val};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

/// What one conversion stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stored {
    /// A number; one of few digits lies between two others.
    Int(IntKind, Option<(i128, i128)>),
    /// A floating number.
    Float(FloatKind),
    /// `%p`
    Pointer,
    /// `%n`: the number of characters so far.
    Count(IntKind),
    /// `%c`: this many characters of this size.
    Chars(u64, u64),
    /// `%[`: at most this many characters of this size, and a closing zero.
    Text(Option<u64>, u64),
    /// `%s`: the same, without white space.
    Word(Option<u64>, u64),
}

/// What a number of at most `width` characters can be, with a sign among them, if all fit the type of this length. At most
/// 9 decimal digits, so that no hexadecimal number of `%i` is larger.
fn range(base: i128, width: Option<u64>, length: &[u8]) -> Option<(i128, i128)> {
    let limit = match length {
        b"hh" => i128::from(i8::MAX),
        b"h" => i128::from(i16::MAX),
        _ => i128::from(i32::MAX),
    };
    let width = u32::try_from(width.filter(|&width| width > 0)?).ok()?;
    let most = base.checked_pow(width)? - 1;
    (most <= limit).then_some((1 - base.pow(width - 1), most))
}

/// The conversions of a format that store something; `None` for one that is not understood.
fn conversions(format: &[u8]) -> Option<Vec<Stored>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&b| b == b'%') {
        rest = &rest[at + 1..];
        if let [b'%', after @ ..] = rest {
            rest = after;
            continue;
        }
        let suppressed = rest.first() == Some(&b'*');
        rest = &rest[usize::from(suppressed)..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let width = std::str::from_utf8(&rest[..digits]).ok().and_then(|text| text.parse().ok());
        rest = &rest[digits..];
        let letters = rest.iter().take_while(|b| b"hlLqjzt".contains(b)).count();
        let length = &rest[..letters];
        rest = &rest[letters..];
        let (&conversion, after) = rest.split_first()?;
        rest = after;
        let wide = if length == b"l" { 4 } else { 1 };
        let int = |signed: bool| {
            let kind = match length {
                b"" => IntKind::Int,
                b"hh" => IntKind::SChar,
                b"h" => IntKind::Short,
                b"l" | b"z" | b"t" => IntKind::Long,
                b"ll" | b"q" | b"L" | b"j" => IntKind::LongLong,
                _ => return None,
            };
            Some(if signed { kind } else { kind.to_unsigned() })
        };
        let stored = match conversion {
            b'd' | b'i' | b'u' => Stored::Int(int(conversion != b'u')?, range(10, width, length)),
            b'o' => Stored::Int(int(false)?, range(8, width, length)),
            b'x' | b'X' => Stored::Int(int(false)?, range(16, width, length)),
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Stored::Float(match length {
                b"" => FloatKind::Float,
                b"l" => FloatKind::Double,
                b"L" => FloatKind::LongDouble,
                _ => return None,
            }),
            b'p' => Stored::Pointer,
            b'n' => Stored::Count(int(true)?),
            b'c' => Stored::Chars(width.unwrap_or(1), wide),
            b'C' => Stored::Chars(width.unwrap_or(1), 4),
            b's' => Stored::Word(width, wide),
            b'S' => Stored::Word(width, 4),
            b'[' => {
                // A bracket right at the beginning belongs to the set.
                let skip = match rest {
                    [b'^', b']', ..] => 2,
                    [b']' | b'^', ..] => 1,
                    _ => 0,
                };
                let end = rest.get(skip..)?.iter().position(|&b| b == b']')?;
                rest = &rest[skip + end + 1..];
                Stored::Text(width, wide)
            }
            _ => return None,
        };
        if !suppressed {
            found.push(stored);
        }
    }
    Some(found)
}

impl<'a> Lower<'a, '_> {
    pub(super) fn scan(&mut self, name: &str, id: FuncId, args: &[Expr<'a>], span: Span) -> R<Val> {
        let first = if name == "scanf" { 1 } else { 2 };
        let ret = self.types.int(IntKind::Int);
        let format = args.get(first - 1).and_then(literal);
        let found = format.as_deref().and_then(conversions).filter(|found| found.len() <= args.len() - first);
        let Some(found) = found else {
            self.evaluate(args)?;
            self.at_span(span);
            self.unsupported(&format!("call of `{name}` with this format"));
            return Ok(self.any_of(ret));
        };
        self.evaluate(&args[..first])?;
        let mut targets = Vec::new();
        for arg in &args[first..] {
            let room = self.room(arg);
            let value = self.rvalue(arg)?;
            targets.push((self.capture(value), room));
        }
        self.at_span(span);
        if !self.fun.quiet {
            self.functions[id.index()].used = true;
        }
        let source = HavocSource::External(id);
        if found.iter().any(|stored| matches!(stored, Stored::Count(_) | Stored::Text(..) | Stored::Word(..))) {
            self.assume(span, Granted::Loose { name: name.to_owned() });
        }
        let result = self.number_of_conversions(&found, source);
        let done = self.location();
        let mut before = 0;
        for (stored, (target, room)) in found.into_iter().zip(targets) {
            if self.program.exprs.ty(target.e) != Ty::Ptr {
                self.unsupported(&format!("call of `{name}` with an argument that is no pointer"));
                break;
            }
            let next = self.location();
            if !matches!(stored, Stored::Count(_)) {
                before += 1;
                self.unless_less(result, before, next, done);
            } else {
                // Reached only if the text between the conversions matches too.
                self.unless_less(result, before, next, done);
                self.fun.at = next;
                let matches = self.temp(Ty::BOOL, false);
                self.emit(Op::Havoc { var: matches, source });
                let cond = self.program.exprs.var(matches);
                let (there, after) = (self.location(), self.location());
                self.branch(cond, there, after);
                self.fun.at = there;
                self.store_read(stored, target, room, source);
                self.label_here(after);
                continue;
            }
            self.fun.at = next;
            self.store_read(stored, target, room, source);
        }
        self.label_here(done);
        Ok(Val { e: self.program.exprs.var(result), ty: ret })
    }

    /// Any number from -1 to that of the conversions that count.
    fn number_of_conversions(&mut self, found: &[Stored], source: HavocSource) -> VarId {
        let most = found.iter().filter(|stored| !matches!(stored, Stored::Count(_))).count();
        let result = self.temp(Ty::Int(32), true);
        self.emit(Op::Havoc { var: result, source });
        let value = self.program.exprs.var(result);
        let (most, end) = (self.program.exprs.int(32, most as i128), self.program.exprs.int(32, -1));
        // As unsigned numbers, everything that is not among them lies above.
        let within = self.program.exprs.binary(BinOp::ULe, value, most);
        let (clamp, done) = (self.location(), self.location());
        self.branch(within, done, clamp);
        self.fun.at = clamp;
        self.assign_var(result, end);
        self.label_here(done);
        result
    }

    /// Goes to `done` if fewer conversions succeed.
    fn unless_less(&mut self, result: VarId, count: i128, next: crate::ir::LocId, done: crate::ir::LocId) {
        let (value, count) = (self.program.exprs.var(result), self.program.exprs.int(32, count));
        let fewer = self.program.exprs.binary(BinOp::SLt, value, count);
        self.branch(fewer, done, next);
    }

    /// The number of bytes that an argument has room for, where its type says so.
    fn room(&mut self, arg: &Expr<'a>) -> Option<u64> {
        let (ty, _) = self.unchecked(|lower| lower.in_scratch(|lower| lower.type_of(arg)));
        let ty = ty.ok()?;
        match *self.types.get(ty) {
            CType::Array(..) => self.types.size(ty),
            _ => None,
        }
    }

    fn store_read(&mut self, stored: Stored, target: Val, room: Option<u64>, source: HavocSource) {
        let addr = target.e;
        let place = |ty: TypeId| Place { addr, ty, bits: None };
        match stored {
            Stored::Int(kind, None) => {
                let ty = self.types.int(kind);
                self.havoc_place(place(ty), source);
            }
            Stored::Int(kind, Some((least, most))) => self.store_between(addr, kind, least, most, source),
            Stored::Float(kind) => {
                let ty = self.types.float(kind);
                self.havoc_place(place(ty), source);
            }
            Stored::Pointer => {
                let void = self.types.void();
                let ty = self.types.pointer(void);
                self.havoc_place(place(ty), source);
            }
            Stored::Count(kind) => {
                let bits = kind.bits(self.model());
                let var = self.temp(Ty::Int(bits), true);
                self.emit(Op::Havoc { var, source });
                let (value, mask) = (self.program.exprs.var(var), (1i128 << (bits - 1)) - 1);
                let mask = self.program.exprs.int(bits, mask);
                let value = self.program.exprs.binary(BinOp::And, value, mask);
                self.emit(Op::Store { addr, value });
            }
            Stored::Chars(count, size) => {
                let size = self.program.exprs.size(count.saturating_mul(size));
                self.emit(Op::HavocMem { addr, size, source });
            }
            Stored::Text(width, size) => self.store_text(addr, width, size, room, source),
            Stored::Word(width, size) => {
                self.store_text(addr, width, size, room, source);
                if size == 1 {
                    self.no_space(addr);
                }
            }
        }
    }

    /// Any number from the least to the most.
    fn store_between(&mut self, addr: ExprId, kind: IntKind, least: i128, most: i128, source: HavocSource) {
        let bits = kind.bits(self.model());
        let var = self.temp(Ty::Int(bits), true);
        self.emit(Op::Havoc { var, source });
        let pool = &mut self.program.exprs;
        let (value, least, most) = (pool.var(var), pool.int(bits, least), pool.int(bits, most));
        let (above, below) = (pool.binary(BinOp::SLe, least, value), pool.binary(BinOp::SLe, value, most));
        let fits = pool.binary(BinOp::And, above, below);
        let (clamp, done) = (self.location(), self.location());
        self.branch(fits, done, clamp);
        self.fun.at = clamp;
        self.assign_var(var, most);
        self.label_here(done);
        self.emit(Op::Store { addr, value });
    }

    /// The first character of a word is no white space; nor are the others, but that is not looked at: it would take a loop.
    fn no_space(&mut self, addr: ExprId) {
        let pool = &mut self.program.exprs;
        let first = pool.load(Ty::Int(8), addr);
        let [blank, tab, range, other] = [b' ', b'\t', b'\r' - b'\t', b'!'].map(|byte| pool.int(8, byte.into()));
        let is_blank = pool.binary(BinOp::Eq, first, blank);
        let from_tab = pool.binary(BinOp::Sub, first, tab);
        let is_control = pool.binary(BinOp::ULe, from_tab, range);
        let is_space = pool.binary(BinOp::Or, is_blank, is_control);
        let (replace, done) = (self.location(), self.location());
        self.branch(is_space, replace, done);
        self.fun.at = replace;
        self.emit(Op::Store { addr, value: other });
        self.label_here(done);
    }

    /// One to `width` characters and a closing zero. Without a width the text ends within the object.
    fn store_text(&mut self, addr: ExprId, width: Option<u64>, unit: u64, room: Option<u64>, source: HavocSource) {
        let ty = self.model().size_ty();
        let var = self.temp(ty, false);
        self.emit(Op::Havoc { var, source });
        let length = self.program.exprs.var(var);
        let most = match (width, room) {
            (Some(width), _) => self.program.exprs.size(width),
            // Where memory is checked, a text may be as long as it likes.
            (None, _) if self.checks().scopes => self.program.exprs.size(i32::MAX as u64),
            (None, Some(room)) => self.program.exprs.size((room / unit).saturating_sub(1)),
            (None, None) => {
                self.assume(Span::default(), Granted::TextRoom);
                let size = self.temp(ty, false);
                let builtin = crate::ir::Builtin::ObjectSize;
                self.emit(Op::Builtin { result: Some(size), builtin, args: [addr].into() });
                let pool = &mut self.program.exprs;
                let (unit, one) = (pool.size(unit), pool.size(1));
                let size = pool.var(size);
                let units = pool.binary(BinOp::UDiv, size, unit);
                pool.binary(BinOp::Sub, units, one)
            }
        };
        let pool = &mut self.program.exprs;
        let (none, one, step) = (pool.size(0), pool.size(1), pool.size(unit));
        let shorter = pool.binary(BinOp::ULe, length, most);
        let some = pool.binary(BinOp::Ne, length, none);
        let fits = pool.binary(BinOp::And, shorter, some);
        let bytes = pool.binary(BinOp::Mul, length, step);
        let end = pool.binary(BinOp::PtrAdd, addr, bytes);
        let (clamp, write) = (self.location(), self.location());
        self.branch(fits, write, clamp);
        self.fun.at = clamp;
        self.assign_var(var, one);
        self.label_here(write);
        self.emit(Op::HavocMem { addr, size: bytes, source });
        let bits = u8::try_from(unit * 8).unwrap_or(8);
        let zero = self.program.exprs.int(bits, 0);
        self.emit(Op::Store { addr: end, value: zero });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        use Stored::*;
        assert_eq!(conversions(b"%d %*d%lu"), Some(vec![Int(IntKind::Int, None), Int(IntKind::ULong, None)]));
        assert_eq!(conversions(b"%[]x]%7s%%%c"), Some(vec![Text(None, 1), Word(Some(7), 1), Chars(1, 1)]));
        assert_eq!(
            conversions(b"%[^]]%lf%n"),
            Some(vec![Text(None, 1), Float(FloatKind::Double), Count(IntKind::Int)])
        );
        assert_eq!(conversions(b"%2d%3hhx"), Some(vec![Int(IntKind::Int, Some((-9, 99))), Int(IntKind::UChar, None)]));
        assert_eq!(conversions(b"%ms"), None);
        assert_eq!(conversions(b"%"), None);
        assert_eq!(conversions(b"%[abc"), None);
    }
}
