//! Constant expressions of `#if`: all integers are of 64 bits, identifiers are zero.

use super::source::is;
use super::{Pp, PpKind, PpToken, Preprocessor, fail};
use crate::lex::{Punct, number, quoted};

/// A value of type `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    fn signed(bits: i64) -> Self {
        Self { bits, unsigned: false }
    }

    fn truth(value: bool) -> Self {
        Self::signed(i64::from(value))
    }
}

/// Deepest nesting of parentheses and operators.
const MAX_DEPTH: u32 = 500;

struct Evaluator<'p, 't> {
    preprocessor: &'p Preprocessor<'t>,
    tokens: &'p [PpToken],
    at: usize,
    /// Where to report what is missing at the end.
    end: u32,
    depth: u32,
    /// False where an operand does not matter, as after `0 &&`: there a division by zero is none.
    live: bool,
}

impl Preprocessor<'_> {
    /// Whether the condition after `#if`, at offset `at`, holds.
    pub(super) fn evaluate(&mut self, tokens: &[PpToken], at: u32) -> Pp<bool> {
        let resolved = self.resolve_defined(tokens, at)?;
        let tokens = self.expand_list(&resolved, 0)?;
        let tokens = self.resolve_has(&tokens)?;
        let end = tokens.last().map_or(at, |token| token.offset);
        let mut evaluator = Evaluator { preprocessor: self, tokens: &tokens, at: 0, end, depth: 0, live: true };
        let value = evaluator.comma()?;
        match evaluator.tokens.get(evaluator.at) {
            None => Ok(value.bits != 0),
            Some(token) => fail(token.offset, "expected an operator in the condition"),
        }
    }

    /// Replaces `defined X` and `defined(X)` by 0 or 1; their operands are not expanded.
    fn resolve_defined(&mut self, tokens: &[PpToken], at: u32) -> Pp<Vec<PpToken>> {
        let mut out = Vec::new();
        let mut rest = tokens;
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            if token.kind != PpKind::Ident || token.text != self.words.defined {
                out.push(*token);
                continue;
            }
            let name = match after {
                [open, name, close, ..] if is(open, Punct::LParen) && is(close, Punct::RParen) => {
                    rest = &after[3..];
                    name
                }
                [name, ..] => {
                    rest = &after[1..];
                    name
                }
                [] => return fail(at, "no macro name after `defined`"),
            };
            if name.kind != PpKind::Ident {
                return fail(name.offset, "no macro name after `defined`");
            }
            let text = if self.is_defined(name) { "1" } else { "0" };
            out.push(PpToken { kind: PpKind::Number, text: self.names.intern(text), ..*token });
        }
        Ok(out)
    }
}

/// Precedence of a binary operator; greater binds tighter.
fn precedence(punct: Punct) -> Option<u8> {
    Some(match punct {
        Punct::PipePipe => 1,
        Punct::AmpAmp => 2,
        Punct::Pipe => 3,
        Punct::Caret => 4,
        Punct::Amp => 5,
        Punct::EqEq | Punct::BangEq => 6,
        Punct::Lt | Punct::Gt | Punct::LtEq | Punct::GtEq => 7,
        Punct::Shl | Punct::Shr => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => return None,
    })
}

impl Evaluator<'_, '_> {
    fn punct(&self) -> Option<Punct> {
        match self.tokens.get(self.at)?.kind {
            PpKind::Punct(punct) => Some(punct),
            _ => None,
        }
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.punct() == Some(punct);
        self.at += usize::from(found);
        found
    }

    fn offset(&self) -> u32 {
        self.tokens.get(self.at).map_or(self.end, |token| token.offset)
    }

    /// Runs a rule whose value matters only if `live`.
    fn operand(&mut self, live: bool, rule: impl FnOnce(&mut Self) -> Pp<Value>) -> Pp<Value> {
        if self.depth >= MAX_DEPTH {
            return fail(self.offset(), "the condition is nested too deep");
        }
        self.depth += 1;
        let outer = self.live;
        self.live &= live;
        let value = rule(self);
        self.live = outer;
        self.depth -= 1;
        value
    }

    fn comma(&mut self) -> Pp<Value> {
        let mut value = self.conditional()?;
        while self.eat(Punct::Comma) {
            value = self.conditional()?;
        }
        Ok(value)
    }

    fn conditional(&mut self) -> Pp<Value> {
        let condition = self.binary(1)?;
        if !self.eat(Punct::Question) {
            return Ok(condition);
        }
        let holds = condition.bits != 0;
        let then = self.operand(holds, Self::comma)?;
        if !self.eat(Punct::Colon) {
            return fail(self.offset(), "expected `:` in the condition");
        }
        let otherwise = self.operand(!holds, Self::conditional)?;
        let chosen = if holds { then } else { otherwise };
        Ok(Value { unsigned: then.unsigned || otherwise.unsigned, ..chosen })
    }

    fn binary(&mut self, min: u8) -> Pp<Value> {
        let mut left = self.unary()?;
        while let Some(punct) = self.punct() {
            let Some(precedence) = precedence(punct).filter(|&p| p >= min) else { break };
            let offset = self.offset();
            self.at += 1;
            let live = match punct {
                Punct::AmpAmp => left.bits != 0,
                Punct::PipePipe => left.bits == 0,
                _ => true,
            };
            let right = self.operand(live, |e| e.binary(precedence + 1))?;
            left = self.apply(punct, left, right, offset)?;
        }
        Ok(left)
    }

    fn apply(&self, punct: Punct, left: Value, right: Value, offset: u32) -> Pp<Value> {
        let unsigned = left.unsigned || right.unsigned;
        let (a, b) = (left.bits, right.bits);
        let less = |a: i64, b: i64| if unsigned { (a as u64) < b as u64 } else { a < b };
        let bits = match punct {
            Punct::PipePipe => return Ok(Value::truth(a != 0 || b != 0)),
            Punct::AmpAmp => return Ok(Value::truth(a != 0 && b != 0)),
            Punct::EqEq => return Ok(Value::truth(a == b)),
            Punct::BangEq => return Ok(Value::truth(a != b)),
            Punct::Lt => return Ok(Value::truth(less(a, b))),
            Punct::Gt => return Ok(Value::truth(less(b, a))),
            Punct::LtEq => return Ok(Value::truth(!less(b, a))),
            Punct::GtEq => return Ok(Value::truth(!less(a, b))),
            Punct::Shl | Punct::Shr => {
                let back = !right.unsigned && b < 0;
                let distance = if back { b.unsigned_abs() } else { b as u64 };
                let left_shift = (punct == Punct::Shl) != back;
                return Ok(Value { bits: shift(left, distance, left_shift), unsigned: left.unsigned });
            }
            Punct::Pipe => a | b,
            Punct::Caret => a ^ b,
            Punct::Amp => a & b,
            Punct::Plus => a.wrapping_add(b),
            Punct::Minus => a.wrapping_sub(b),
            Punct::Star => a.wrapping_mul(b),
            _ if b == 0 && self.live => return fail(offset, "division by zero in the condition"),
            _ if b == 0 => 0,
            Punct::Slash if unsigned => (a as u64 / b as u64) as i64,
            Punct::Slash => a.wrapping_div(b),
            _ if unsigned => (a as u64 % b as u64) as i64,
            _ => a.wrapping_rem(b),
        };
        Ok(Value { bits, unsigned })
    }

    fn unary(&mut self) -> Pp<Value> {
        let Some(punct) = self.punct() else { return self.primary() };
        self.at += 1;
        match punct {
            Punct::Minus => self.map(|v| Value { bits: v.bits.wrapping_neg(), ..v }),
            Punct::Plus => self.map(|v| v),
            Punct::Tilde => self.map(|v| Value { bits: !v.bits, ..v }),
            Punct::Bang => self.map(|v| Value::truth(v.bits == 0)),
            Punct::LParen => {
                let value = self.operand(true, Self::comma)?;
                if !self.eat(Punct::RParen) {
                    return fail(self.offset(), "expected `)` in the condition");
                }
                Ok(value)
            }
            _ => {
                self.at -= 1;
                fail(self.offset(), "expected a value in the condition")
            }
        }
    }

    fn map(&mut self, f: impl FnOnce(Value) -> Value) -> Pp<Value> {
        self.operand(true, Self::unary).map(f)
    }

    fn primary(&mut self) -> Pp<Value> {
        let Some(token) = self.tokens.get(self.at) else { return fail(self.end, "the condition is incomplete") };
        self.at += 1;
        let text = self.preprocessor.names.text(token.text);
        match token.kind {
            PpKind::Ident if text.starts_with("__has_include") => {
                fail(token.offset, format!("`{text}` needs an external preprocessor"))
            }
            PpKind::Ident => Ok(Value::signed(0)),
            PpKind::Number => match number::read(text) {
                Ok(number::Number::Int(literal)) => match u64::try_from(literal.value) {
                    Ok(value) => Ok(Value { bits: value as i64, unsigned: literal.unsigned || value >> 63 == 1 }),
                    Err(_) => fail(token.offset, "the number exceeds 64 bits"),
                },
                Ok(number::Number::Float(_)) => fail(token.offset, "a floating number in the condition"),
                Err(message) => fail(token.offset, message),
            },
            PpKind::Char => {
                let (encoding, body) = quoted::split(text);
                let value = quoted::character(body, encoding).map(|value| Value::signed(value.into()));
                value.or_else(|message| fail(token.offset, message))
            }
            _ => fail(token.offset, "expected a value in the condition"),
        }
    }
}

fn shift(value: Value, distance: u64, left: bool) -> i64 {
    match (left, distance) {
        (true, 64..) => 0,
        (true, _) => value.bits << distance,
        (false, 64..) if value.unsigned || value.bits >= 0 => 0,
        (false, 64..) => -1,
        (false, _) if value.unsigned => (value.bits as u64 >> distance) as i64,
        (false, _) => value.bits >> distance,
    }
}
