//! Names for people: those of the source, numbered where they are not unique.

use super::expr::cut;
use crate::ir::{ExprId, FuncId, IdxVec, ObjId, ObjectKind, Program, VarId};
use rustc_hash::FxHashMap;
use std::fmt::{self, Write};

/// The names of a program's variables, objects and functions as the text form spells them; prints single expressions and
/// operations.
#[derive(Debug)]
pub struct Names<'p> {
    pub(super) program: &'p Program,
    functions: IdxVec<FuncId, u32>,
    vars: IdxVec<VarId, u32>,
    objects: IdxVec<ObjId, u32>,
    /// Expressions that are too large to be printed inside others.
    pub(super) large: IdxVec<ExprId, bool>,
}

impl<'p> Names<'p> {
    /// Gives every entity a name that is unique where it is visible. Functions come first, so that they keep theirs.
    pub fn new(program: &'p Program) -> Self {
        let mut global = FxHashMap::<&str, u32>::default();
        let mut count = |name: &'p str| {
            let copy = global.entry(name).or_default();
            *copy += 1;
            *copy
        };
        let functions = program.functions.iter().map(|f| count(&f.name)).collect();
        // Entities of a function are counted below; those that no list holds (invalid programs only) stay at 0.
        let mut vars: IdxVec<VarId, u32> =
            program.vars.iter().map(|v| if v.kind.owner().is_none() { count(&v.name) } else { 0 }).collect();
        let mut objects: IdxVec<ObjId, u32> = program
            .objects
            .iter()
            .map(|o| if matches!(o.kind, ObjectKind::Local(_)) { 0 } else { count(&o.name) })
            .collect();
        let mut local = FxHashMap::<&str, u32>::default();
        for function in program.functions.iter() {
            local.clear();
            let mut count = |name: &'p str| {
                let copy = local.entry(name).or_insert_with(|| global.get(name).copied().unwrap_or(0));
                *copy += 1;
                *copy
            };
            for &var in function.params.iter().chain(&function.locals) {
                if let Some(v) = program.vars.get(var)
                    && vars[var] == 0
                {
                    vars[var] = count(&v.name);
                }
            }
            for &object in &function.objects {
                if let Some(o) = program.objects.get(object)
                    && objects[object] == 0
                {
                    objects[object] = count(&o.name);
                }
            }
        }
        Self { program, functions, vars, objects, large: cut(&program.exprs) }
    }

    /// A variable's name.
    pub fn var(&self, id: VarId) -> Spelling<'p> {
        let name = self.program.vars.get(id).map(|v| &*v.name);
        Spelling::new(name, id.to_string(), self.vars.get(id))
    }

    /// An object's name.
    pub fn object(&self, id: ObjId) -> Spelling<'p> {
        let name = self.program.objects.get(id).map(|o| &*o.name);
        Spelling::new(name, id.to_string(), self.objects.get(id))
    }

    /// A function's name.
    pub fn function(&self, id: FuncId) -> Spelling<'p> {
        let name = self.program.functions.get(id).map(|f| &*f.name);
        Spelling::new(name, id.to_string(), self.functions.get(id))
    }
}

/// A name as the text form spells it.
#[derive(Clone, Debug)]
pub struct Spelling<'p> {
    name: Result<&'p str, String>,
    copy: u32,
}

impl<'p> Spelling<'p> {
    fn new(name: Option<&'p str>, id: String, copy: Option<&u32>) -> Self {
        Self { name: name.ok_or(id), copy: copy.copied().unwrap_or(0) }
    }
}

impl fmt::Display for Spelling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Ok(name) => write_name(f, name)?,
            // Only in an invalid program.
            Err(id) => write!(f, "?{id}")?,
        }
        match self.copy {
            1 => Ok(()),
            copy => write!(f, "'{copy}"),
        }
    }
}

/// Words with a meaning of their own where a name could stand.
const RESERVED: &[&str] = &[
    "alloc",
    "assume",
    "builtin",
    "call",
    "copy",
    "error",
    "false",
    "fill",
    "free",
    "halt",
    "havoc",
    "inf",
    "let",
    "not",
    "null",
    "return",
    "skip",
    "true",
    "unsupported",
];

/// Length of the longest prefix that is a bare name: identifier characters, dots, `$`, and indices `[3]`.
pub(in crate::text) fn bare_prefix(text: &str) -> usize {
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'$')) {
        return 0;
    }
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.') => at += 1,
            Some(b'[') => {
                let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
                if digits == 0 || bytes.get(at + 1 + digits) != Some(&b']') {
                    return at;
                }
                at += digits + 2;
            }
            _ => return at,
        }
    }
}

/// A keyword, or a reference to a cut part (`$1`). Types need no quotes, as they stand only before `[` and after `:`.
fn is_special(name: &str) -> bool {
    RESERVED.contains(&name) || name.strip_prefix('$').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

/// Writes a name, in quotes if it needs them.
pub(in crate::text) fn write_name(out: &mut impl Write, name: &str) -> fmt::Result {
    if !name.is_empty() && bare_prefix(name) == name.len() && !is_special(name) {
        return out.write_str(name);
    }
    write_quoted(out, name)
}

/// Writes a text in quotes.
pub(in crate::text) fn write_quoted(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        if c.is_ascii() || c.is_control() {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().try_for_each(|b| write_byte(out, b))?;
        } else {
            out.write_char(c)?;
        }
    }
    out.write_char('"')
}

/// Writes a byte inside quotes.
pub(in crate::text) fn write_byte(out: &mut impl Write, byte: u8) -> fmt::Result {
    match byte {
        b'"' => out.write_str("\\\""),
        b'\\' => out.write_str("\\\\"),
        b'\n' => out.write_str("\\n"),
        b'\r' => out.write_str("\\r"),
        b'\t' => out.write_str("\\t"),
        0 => out.write_str("\\0"),
        b' '..=b'~' => out.write_char(byte.into()),
        _ => write!(out, "\\x{byte:02x}"),
    }
}
