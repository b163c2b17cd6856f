//! Library functions without a body.

mod float;
mod format;
mod math;

use super::{InvalidPolicy, Machine, Stop};
use crate::code::BuiltinSite;
use crate::memory::{Access, Memory, What};
use crate::observer::{Change, Observer};
use crate::outcome::{Outcome, Undefined};
use crate::show;
use format::{Arguments, Trouble};
use robusto_cfa::ir::{Builtin, Ty};

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stream {
    Out,
    Err,
    /// A file that the program has opened: nobody looks at it.
    Away,
}

impl<O: Observer> Machine<'_, O> {
    /// Executes the library function of a site; gives what it has changed.
    pub(super) fn builtin(&mut self, call: u32) -> Result<Change, Stop> {
        let site = &self.code.builtins[call as usize];
        let args: Vec<(u128, Ty)> = site.args.iter().map(|&arg| (self.get_operand(arg), arg.ty)).collect();
        let (value, change) = self.library(site, &args)?;
        let Some(var) = site.result else { return Ok(change) };
        let operand = self.var(var);
        // A 32-bit count that is wanted as something else, by a declaration of the program's own, keeps its sign.
        self.set_operand(operand, value);
        Ok(if change == Change::None { Change::Var(var) } else { change })
    }

    fn library(&mut self, site: &BuiltinSite, args: &[(u128, Ty)]) -> Result<(u128, Change), Stop> {
        let value = |index: usize| args.get(index).map_or(0, |&(value, _)| value as u64);
        let rest = |index: usize| args.get(index..).unwrap_or_default();
        let count = |length: usize| (length as i32) as u128;
        use Builtin::*;
        let (stream, text) = match site.builtin {
            Printf => (Stream::Out, self.format(site.builtin, value(0), Arguments::Values(rest(1)))?),
            Vprintf => (Stream::Out, self.format(site.builtin, value(0), Arguments::Slots(value(1)))?),
            Fprintf => (self.stream(value(0)), self.format(site.builtin, value(1), Arguments::Values(rest(2)))?),
            Vfprintf => (self.stream(value(0)), self.format(site.builtin, value(1), Arguments::Slots(value(2)))?),
            Sprintf | Vsprintf | Snprintf | Vsnprintf => return self.print_to_memory(site.builtin, args),
            Puts => {
                let mut text = self.string(value(0), None)?.to_vec();
                text.push(b'\n');
                (Stream::Out, text)
            }
            Fputs => (self.stream(value(1)), self.string(value(0), None)?.to_vec()),
            Putchar | Fputc | Putc => {
                let stream = if site.builtin == Putchar { Stream::Out } else { self.stream(value(1)) };
                let byte = value(0) as u8;
                self.output(stream, &[byte])?;
                return Ok((byte.into(), Change::None));
            }
            Fwrite => {
                let (size, count) = (value(1), value(2));
                self.output_bytes(self.stream(value(3)), value(0), size.saturating_mul(count))?;
                return Ok((count.into(), Change::None));
            }
            Write => {
                let stream = match value(0) as u32 {
                    1 => Stream::Out,
                    2 => Stream::Err,
                    _ => Stream::Away,
                };
                self.output_bytes(stream, value(1), value(2))?;
                return Ok((value(2).into(), Change::None));
            }
            Fflush => return Ok((0, Change::None)),
            // A function without a body may change what the pointer reaches; this execution is one where it does not.
            Escape | Register => return Ok((0, Change::None)),
            ObjectSize => {
                let rest = |target: crate::memory::Target| {
                    u64::try_from(target.offset).ok().and_then(|at| target.size.checked_sub(at))
                };
                let living = self.memory.locate(value(0)).filter(|target| !target.dead);
                let size = living.and_then(rest).unwrap_or(0);
                return Ok((size.into(), Change::None));
            }
            other => {
                let Some(value) = math::evaluate(other, args) else {
                    let what = format!("library function `{}`", other.name()).into();
                    return Err(Outcome::Unsupported { what, at: self.here() }.into());
                };
                return Ok((value, Change::None));
            }
        };
        self.output(stream, &text)?;
        Ok((count(text.len()), Change::None))
    }

    /// The stream that a `FILE *` stands for: all but `stderr` and opened files are the output.
    fn stream(&self, file: u64) -> Stream {
        match self.memory.locate(file) {
            Some(target) => {
                let name = match target.what {
                    What::Environment(name) => name,
                    What::Object(id) => &*self.program.objects[id].name,
                    _ => "",
                };
                match target.what {
                    What::Heap(_) => Stream::Away,
                    _ if name == "stderr" => Stream::Err,
                    _ => Stream::Out,
                }
            }
            None => Stream::Out,
        }
    }

    fn output_bytes(&mut self, stream: Stream, addr: u64, size: u64) -> Result<(), Stop> {
        if size == 0 {
            return Ok(());
        }
        let bytes = self.memory.rest(addr).and_then(|rest| rest.get(..usize::try_from(size).ok()?));
        let Some(bytes) = bytes.map(<[u8]>::to_vec) else { return Err(self.bad_access(Access::Read, addr, size)) };
        self.output(stream, &bytes)
    }

    fn output(&mut self, stream: Stream, bytes: &[u8]) -> Result<(), Stop> {
        let result = match stream {
            Stream::Out => self.streams.out.write_all(bytes),
            Stream::Err => self.streams.err.write_all(bytes),
            Stream::Away => return Ok(()),
        };
        if O::ACTIVE {
            self.observer.output(bytes);
        }
        result.map_err(|error| Outcome::OutputFailed(error.kind()).into())
    }

    fn string(&self, addr: u64, max: Option<u64>) -> Result<&[u8], Stop> {
        string(&self.memory, addr, max).map_err(|trouble| self.trouble("string", trouble))
    }

    fn format(&self, builtin: Builtin, format: u64, mut arguments: Arguments<'_>) -> Result<Vec<u8>, Stop> {
        let text = self.string(format, None)?;
        format::format(text, &mut arguments, &self.memory, self.program.model)
            .map_err(|trouble| self.trouble(builtin.name(), trouble))
    }

    fn trouble(&self, function: &'static str, trouble: Trouble) -> Stop {
        match trouble {
            Trouble::Undefined(problem) => self.undefined(Undefined::Format { function, problem }),
            Trouble::Unsupported(what) => {
                Outcome::Unsupported { what: format!("{function}: {what}").into(), at: self.here() }.into()
            }
            Trouble::Access { addr, size } => self.bad_access(Access::Read, addr, size),
            Trouble::Unterminated { addr } => {
                let what = show::pointer(self.program, &self.memory, addr).into();
                self.undefined(Undefined::Unterminated(what))
            }
        }
    }

    /// `sprintf` and its kin.
    fn print_to_memory(&mut self, builtin: Builtin, args: &[(u128, Ty)]) -> Result<(u128, Change), Stop> {
        let value = |index: usize| args.get(index).map_or(0, |&(value, _)| value as u64);
        let bounded = matches!(builtin, Builtin::Snprintf | Builtin::Vsnprintf);
        let first = if bounded { 2 } else { 1 };
        let arguments = match builtin {
            Builtin::Vsprintf | Builtin::Vsnprintf => Arguments::Slots(value(first + 1)),
            _ => Arguments::Values(args.get(first + 1..).unwrap_or_default()),
        };
        let mut text = self.format(builtin, value(first), arguments)?;
        let length = text.len();
        let limit = if bounded { value(1) } else { u64::MAX };
        if limit == 0 {
            return Ok(((length as i32) as u128, Change::None));
        }
        text.truncate(length.min((limit - 1).min(usize::MAX as u64) as usize));
        text.push(0);
        let (addr, size) = (value(0), text.len() as u64);
        match self.memory.update(addr, size, |bytes| bytes.copy_from_slice(&text)) {
            Some(()) => {}
            None if self.config.invalid == InvalidPolicy::Stop => {
                return Err(self.bad_access(Access::Write, addr, size));
            }
            None => {}
        }
        Ok(((length as i32) as u128, Change::Memory { addr, size }))
    }
}

/// The string at an address, without its end; at most `max` bytes, and then it needs no end.
fn string(memory: &Memory, addr: u64, max: Option<u64>) -> Result<&[u8], Trouble> {
    if max == Some(0) {
        return Ok(&[]);
    }
    let rest = memory.rest(addr).ok_or(Trouble::Access { addr, size: 1 })?;
    let limit = max.unwrap_or(u64::MAX).min(rest.len() as u64) as usize;
    match rest[..limit].iter().position(|&byte| byte == 0) {
        Some(length) => Ok(&rest[..length]),
        None if max.is_some_and(|max| max <= rest.len() as u64) => Ok(&rest[..limit]),
        None => Err(Trouble::Unterminated { addr }),
    }
}
