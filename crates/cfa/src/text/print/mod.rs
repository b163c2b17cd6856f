//! Programs as text.

mod expr;
mod names;
mod op;

pub(super) use expr::{cast_from_name, precedence};
pub(super) use names::bare_prefix;
pub use names::{Names, Spelling};
pub(super) use op::error_from_name;
pub(crate) use op::op_exprs;

use crate::ir::{
    Edge, ExprId, FuncId, Idx, IdxVec, Image, ObjId, ObjectKind, Outside, Program, RelocTarget, SrcPos, Ty, VarId,
    VarKind,
};
use expr::{Context, ExprWriter, Type};
use names::{write_byte, write_name, write_quoted};
use std::fmt::{self, Write};

/// The program as text; see [`crate::text`] for the language.
pub fn print(program: &Program) -> String {
    let names = Names::new(program);
    let mut printer = Printer {
        names: &names,
        out: String::new(),
        parts: IdxVec::filled(0, program.exprs.len()),
        visited: IdxVec::filled(false, program.exprs.len()),
        next_part: 1,
        next_var: 0,
        next_object: 0,
    };
    printer.program(program).expect("writing to a string does not fail");
    printer.out
}

/// Column where the places of edges stand.
const PLACE_COLUMN: usize = 60;

struct Printer<'a> {
    names: &'a Names<'a>,
    out: String,
    /// The number of each large expression that has been defined.
    parts: IdxVec<ExprId, u32>,
    /// Expressions whose large parts have been defined.
    visited: IdxVec<ExprId, bool>,
    next_part: u32,
    next_var: usize,
    next_object: usize,
}

impl Printer<'_> {
    fn program(&mut self, program: &Program) -> fmt::Result {
        writeln!(self.out, "program {}", program.model)?;
        if let Some(main) = program.main {
            writeln!(self.out, "main {}", self.names.function(main))?;
        }
        self.out.push_str(match program.outside {
            Outside::Nowhere => "",
            Outside::Area => "outside\n",
            Outside::Numbers => "outside numbers\n",
        });
        for (i, file) in program.files.iter().enumerate() {
            write!(self.out, "file {i} ")?;
            write_quoted(&mut self.out, file)?;
            self.out.push('\n');
        }
        for assumption in &program.assumptions {
            self.out.push_str("assume ");
            write_quoted(&mut self.out, &assumption.text)?;
            self.end(assumption.pos)?;
        }
        let mut first = true;
        for id in program.objects.ids() {
            if !matches!(program.objects[id].kind, ObjectKind::Local(_)) {
                self.blank_before(&mut first);
                self.object(id)?;
            }
        }
        first = true;
        for (id, var) in program.vars.enumerate() {
            if let VarKind::Global(value) = var.kind {
                self.blank_before(&mut first);
                self.out.push_str("global ");
                self.var(id)?;
                self.out.push_str(" = ");
                let context = Context { signed: Some(var.signed), ..Context::TYPED };
                self.exprs().write(value, context)?;
                self.end(var.pos)?;
            }
        }
        program.functions.ids().try_for_each(|id| self.function(id))
    }

    fn blank_before(&mut self, first: &mut bool) {
        if std::mem::take(first) {
            self.out.push('\n');
        }
    }

    fn exprs(&mut self) -> ExprWriter<'_, &mut String> {
        ExprWriter { names: self.names, parts: Some(&self.parts), out: &mut self.out }
    }

    /// Ends the line with a place.
    fn end(&mut self, pos: SrcPos) -> fmt::Result {
        self.place(pos)?;
        self.out.push('\n');
        Ok(())
    }

    fn place(&mut self, pos: SrcPos) -> fmt::Result {
        match (pos.file, pos.line, pos.column) {
            (0, 0, 0) => Ok(()),
            (0, line, column) => write!(self.out, " @{line}:{column}"),
            (file, line, column) => write!(self.out, " @{file}:{line}:{column}"),
        }
    }

    /// Number (where it does not follow from the order), name and type of a variable.
    fn var(&mut self, id: VarId) -> fmt::Result {
        if id.index() != self.next_var {
            write!(self.out, "#{} ", id.index())?;
        }
        self.next_var = id.index() + 1;
        write!(self.out, "{}: ", self.names.var(id))?;
        let Some(var) = self.names.program.vars.get(id) else { return self.out.write_str("?") };
        match (var.ty, var.signed) {
            (Ty::BOOL, false) => self.out.write_str("bool"),
            (Ty::Int(bits), true) => write!(self.out, "s{bits}"),
            (Ty::Int(bits), false) => write!(self.out, "u{bits}"),
            (ty, signed) if signed == ty.is_float() => write!(self.out, "{ty}"),
            (ty, true) => write!(self.out, "signed {ty}"),
            (ty, false) => write!(self.out, "unsigned {ty}"),
        }
    }

    fn object(&mut self, id: ObjId) -> fmt::Result {
        let Some(object) = self.names.program.objects.get(id) else { return writeln!(self.out, "object ?{id}") };
        let (keyword, image) = match &object.kind {
            ObjectKind::Global(image) => ("object ", Some(image)),
            ObjectKind::Constant(image) => ("constant ", Some(image)),
            ObjectKind::Local(_) => ("object ", None),
        };
        self.out.push_str(keyword);
        if id.index() != self.next_object {
            write!(self.out, "#{} ", id.index())?;
        }
        self.next_object = id.index() + 1;
        write!(self.out, "{}: size {} align {}", self.names.object(id), object.size, object.align)?;
        match image {
            Some(image) if !image.bytes.is_empty() && image.relocations.is_empty() && image.bytes.len() <= 64 => {
                self.out.push_str(" = ");
                self.bytes(&image.bytes)?;
                self.end(object.pos)
            }
            Some(image) if !image.bytes.is_empty() || !image.relocations.is_empty() => {
                self.place(object.pos)?;
                self.image(image)
            }
            _ => self.end(object.pos),
        }
    }

    /// The content of an object; long runs of zeros are left out.
    fn image(&mut self, image: &Image) -> fmt::Result {
        const ROW: usize = 32;
        self.out.push_str(" {\n");
        for (row, bytes) in image.bytes.chunks(ROW).enumerate() {
            let last = (row + 1) * ROW >= image.bytes.len();
            if last || bytes.iter().any(|&b| b != 0) {
                write!(self.out, "  {}: ", row * ROW)?;
                self.bytes(bytes)?;
                self.out.push('\n');
            }
        }
        for relocation in &image.relocations {
            write!(self.out, "  {}: &", relocation.offset)?;
            match relocation.target {
                RelocTarget::Object(object) => write!(self.out, "{}", self.names.object(object))?,
                RelocTarget::Function(function) => write!(self.out, "{}", self.names.function(function))?,
            }
            match relocation.addend {
                0 => self.out.push('\n'),
                addend if addend > 0 => writeln!(self.out, " + {addend}")?,
                addend => writeln!(self.out, " - {}", addend.unsigned_abs())?,
            }
        }
        self.out.write_str("}\n")
    }

    /// Bytes as a string if they look like one, otherwise in hexadecimal.
    fn bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        let odd = bytes.iter().filter(|b| !matches!(b, b'\t' | b'\n' | b' '..=b'~')).count();
        if odd <= bytes.len() / 4 {
            self.out.push('"');
            bytes.iter().try_for_each(|&b| write_byte(&mut self.out, b))?;
            return self.out.write_char('"');
        }
        self.out.push_str("x\"");
        for (i, byte) in bytes.iter().enumerate() {
            if i > 0 && i % 4 == 0 {
                self.out.push(' ');
            }
            write!(self.out, "{byte:02x}")?;
        }
        self.out.write_char('"')
    }

    fn function(&mut self, id: FuncId) -> fmt::Result {
        let function = &self.names.program.functions[id];
        self.out.push_str(match (function.external, function.handed_out) {
            (true, _) => "\nexternal function ",
            (false, true) => "\nhanded function ",
            (false, false) => "\nfunction ",
        });
        write!(self.out, "{}(", self.names.function(id))?;
        for (i, &param) in function.params.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.var(param)?;
            self.place(self.pos_of(param))?;
        }
        self.out.push(')');
        if let Some(ret) = function.ret {
            write!(self.out, " -> {}", Type(ret))?;
        }
        self.place(function.pos)?;
        self.out.push_str(" {\n");
        for &object in &function.objects {
            self.out.push_str("  ");
            self.object(object)?;
        }
        for &local in &function.locals {
            let temp = self.names.program.vars.get(local).is_some_and(|v| matches!(v.kind, VarKind::Temp(_)));
            self.out.push_str(if temp { "  temp " } else { "  local " });
            self.var(local)?;
            self.end(self.pos_of(local))?;
        }
        for label in &function.labels {
            self.out.push_str("  label ");
            write_name(&mut self.out, &label.name)?;
            write!(self.out, ": {}", label.loc)?;
            self.end(label.pos)?;
        }
        writeln!(self.out, "  entry {}, exit {}", function.entry, function.exit)?;
        function.edges().iter().try_for_each(|edge| self.edge(edge))?;
        self.out.write_str("}\n")
    }

    fn pos_of(&self, var: VarId) -> SrcPos {
        self.names.program.vars.get(var).map_or(SrcPos::default(), |v| v.pos)
    }

    fn edge(&mut self, edge: &Edge) -> fmt::Result {
        let mut roots = Vec::new();
        op_exprs(&edge.op, |x| roots.push(x));
        roots.into_iter().try_for_each(|root| self.define_parts(root))?;
        let start = self.out.len();
        write!(self.out, "  {} -> {}: ", edge.src, edge.dst)?;
        self.exprs().op(&edge.op)?;
        if edge.pos != SrcPos::default() {
            let width = self.out[start..].chars().count();
            self.out.extend(std::iter::repeat_n(' ', PLACE_COLUMN.saturating_sub(width)));
        }
        self.end(edge.pos)
    }

    /// Defines the large expressions below `root` that have no number yet, operands first.
    fn define_parts(&mut self, root: ExprId) -> fmt::Result {
        let pool = &self.names.program.exprs;
        let mut stack = vec![(root, false)];
        while let Some((id, done)) = stack.pop() {
            if done {
                self.parts[id] = self.next_part;
                self.next_part += 1;
                write!(self.out, "  let ${}: {} = ", self.parts[id], Type(pool.ty(id)))?;
                self.exprs().node(id, Context::TYPED)?;
                self.out.push('\n');
            } else if !self.visited.get(id).copied().unwrap_or(true) {
                self.visited[id] = true;
                if self.names.large[id] {
                    stack.push((id, true));
                }
                let mut operands = pool.operands(id).filter(|&x| x < id);
                let (first, second) = (operands.next(), operands.next());
                stack.extend(second.into_iter().chain(first).map(|x| (x, false)));
            }
        }
        Ok(())
    }
}
