//! The second pass: initial values and edges.

use super::decl::{Declarations, Entity};
use super::lex::Token;
use super::{Cursor, Key, Parsed};
use crate::ir::{
    Edge, ExprId, ExprPool, FuncId, Function, Idx, LocId, ObjectKind, Program, RelocTarget, Relocation, SrcPos, VarId,
    VarKind,
};
use rustc_hash::FxHashMap;

/// What the second pass works on.
pub(super) struct Body<'c, 't> {
    pub cursor: &'c mut Cursor<'t>,
    pub program: Program,
    globals: FxHashMap<Key, Entity>,
    locals: FxHashMap<Key, Entity>,
    /// The parts of large expressions, from `$1` on.
    pub parts: Vec<ExprId>,
}

/// Reads values and edges.
pub(super) fn program(cursor: &mut Cursor<'_>, found: Declarations) -> Parsed<Program> {
    let Declarations {
        model,
        main,
        outside,
        files,
        assumptions,
        functions,
        vars,
        objects,
        globals,
        bodies,
        values,
        addresses,
    } = found;
    let mut exprs = ExprPool::new(model);
    for (id, var) in vars.enumerate() {
        exprs.declare(id, var.ty);
    }
    let program = Program { model, files, functions, vars, objects, exprs, main: None, assumptions, outside };
    let ids = program.functions.ids();
    let mut body = Body { cursor, program, globals, locals: FxHashMap::default(), parts: Vec::new() };
    if let Some((key, at)) = main {
        body.program.main = match body.globals.get(&key) {
            Some(&Entity::Function(function)) => Some(function),
            _ => return body.cursor.error_at(at, "there is no function with this name"),
        };
    }
    for (id, offset, at) in addresses {
        body.cursor.at = at;
        let relocation = body.relocation(offset)?;
        if let ObjectKind::Global(image) | ObjectKind::Constant(image) = &mut body.program.objects[id].kind {
            image.relocations.push(relocation);
        }
    }
    for (id, at) in values {
        body.cursor.at = at;
        let ty = body.program.vars[id].ty;
        let value = body.expr(Some(ty))?;
        let pos = body.cursor.place_and_end()?;
        let var = &mut body.program.vars[id];
        (var.kind, var.pos) = (VarKind::Global(value), pos);
    }
    for (id, (locals, at)) in std::iter::zip(ids, bodies) {
        body.cursor.at = at;
        body.locals = locals;
        body.function(id)?;
    }
    Ok(body.program)
}

impl Body<'_, '_> {
    /// What a name means here.
    pub fn entity(&mut self) -> Parsed<Entity> {
        let at = self.cursor.at;
        let key = self.cursor.key()?;
        match self.locals.get(&key).or_else(|| self.globals.get(&key)) {
            Some(&entity) => Ok(entity),
            None => self.cursor.error_at(at, "there is no declaration of this name"),
        }
    }

    /// A variable.
    pub fn var(&mut self) -> Parsed<VarId> {
        let at = self.cursor.at;
        match self.entity()? {
            Entity::Var(var) => Ok(var),
            Entity::Object(_) => self.cursor.error_at(at, "this is an object; only its address (&) is a value"),
            Entity::Function(_) => self.cursor.error_at(at, "this is a function; only its address (&) is a value"),
        }
    }

    fn relocation(&mut self, offset: u64) -> Parsed<Relocation> {
        self.cursor.symbol("&")?;
        let at = self.cursor.at;
        let target = match self.entity()? {
            Entity::Object(object) => RelocTarget::Object(object),
            Entity::Function(function) => RelocTarget::Function(function),
            Entity::Var(_) => return self.cursor.error_at(at, "a variable has no address"),
        };
        let negative = self.cursor.eat_symbol("-");
        let at = self.cursor.at;
        let addend = if negative || self.cursor.eat_symbol("+") { self.cursor.int()? } else { 0 };
        let addend = if negative { 0i64.checked_sub_unsigned(addend) } else { i64::try_from(addend).ok() };
        let Some(addend) = addend else { return self.cursor.error_at(at, "this number is too large") };
        self.cursor.end_of_line()?;
        Ok(Relocation { offset, target, addend })
    }

    fn function(&mut self, id: FuncId) -> Parsed<()> {
        let header = self.program.functions[id].clone();
        let start = self.cursor.at;
        let mut edges = Vec::new();
        loop {
            self.cursor.skip_blank_lines();
            match self.cursor.peek() {
                Token::Symbol("}") => break,
                Token::Word("let") => self.part()?,
                _ => edges.push(self.edge(&header)?),
            }
        }
        let ends = edges.iter().flat_map(|e: &Edge| [e.src, e.dst]);
        let labels = header.labels.iter().map(|l| l.loc);
        let last = ends.chain(labels).chain([header.entry, header.exit]).max().map_or(0, LocId::index);
        if last >= 2 * edges.len() + header.labels.len() + 2 {
            return self.cursor.error_at(start, format!("there is no location before L{last}"));
        }
        self.program.functions[id] = Function::with_edges(header, last + 1, edges);
        Ok(())
    }

    /// `let $1: i32 = …`
    fn part(&mut self) -> Parsed<()> {
        self.cursor.word("let")?;
        if self.cursor.peek() != Token::Word(&format!("${}", self.parts.len() + 1)) {
            return self.cursor.error(format!("expected `${}`", self.parts.len() + 1));
        }
        self.cursor.next();
        self.cursor.symbol(":")?;
        let ty = self.cursor.ty()?;
        self.cursor.symbol("=")?;
        let part = self.expr(Some(ty))?;
        self.parts.push(part);
        self.cursor.end_of_line()
    }

    fn edge(&mut self, function: &Function) -> Parsed<Edge> {
        let src = LocId::new(self.cursor.location()?);
        self.cursor.symbol("->")?;
        let dst = LocId::new(self.cursor.location()?);
        self.cursor.symbol(":")?;
        let op = self.op(function)?;
        let pos: SrcPos = self.cursor.place_and_end()?;
        Ok(Edge { src, dst, op, pos })
    }
}
