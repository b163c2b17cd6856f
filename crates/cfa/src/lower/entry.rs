//! A function that is checked without a `main`.
//!
//! The start of the program is then a function of ours that makes up arguments and calls the one that is asked for. Every
//! choice it makes is an input: whether a pointer is null, equal to an earlier one or points to a new object, and each scalar
//! in that object. So all engines, the replay, and the harness treat arguments as they treat `__VERIFIER_nondet_*`. The same
//! choices in the same order are written down as C ([`Driver`]), for a harness that calls the function for real.
//!
//! What is not covered is listed as an assumption: objects of other sizes, pointers into the middle of objects and to the
//! program's own objects, objects that overlap, and data that is linked deeper than [`Entry::pointer_depth`].

mod values;

use super::types::{CType, FunctionType};
use super::{FnInfo, Lower};
use crate::ir::{Callee, FuncId, Granted, Idx, Image, ObjId, ObjectKind, Op, SrcPos};
use robusto_syntax::Span;
use robusto_syntax::ast::{DeclaratorPart, FunctionDef, Item, RecordKind, TypeSpec};
use values::Maker;

/// A function to start at, and what it gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub function: String,
    /// Most pointers that are followed one behind the other; those behind them are null.
    pub pointer_depth: u32,
    /// Number of scalars behind a pointer to one.
    pub elements: u64,
    /// Whether its pointers may be null. Pointers in objects may be in any case.
    pub null: bool,
    /// Whether globals hold anything, not their initial values.
    pub havoc_globals: bool,
}

impl Entry {
    /// A function with pointers to small objects and globals as they are initialised.
    pub fn new(function: &str) -> Self {
        Self { function: function.to_owned(), pointer_depth: 2, elements: 8, null: true, havoc_globals: false }
    }
}

/// The entry as C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// The number of the file that defines the function.
    pub unit: usize,
    /// Declarations at file scope, and a `main`. It calls `robusto_input` for each input, `robusto_fill` for memory.
    pub text: String,
}

/// A function that a program defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defined {
    /// Its name.
    pub name: String,
    /// Where.
    pub pos: SrcPos,
}

impl<'a> Lower<'a, '_> {
    /// The functions that the program defines, in the order of their definitions.
    pub(super) fn defined_functions(&self) -> Vec<Defined> {
        let mut ids: Vec<(usize, Span, FuncId)> =
            self.symbols.definitions.iter().map(|(&id, &(unit, _, span))| (unit, span, id)).collect();
        ids.sort();
        let defined = ids.into_iter().map(|(.., id)| &self.program.functions[id]);
        defined.map(|f| Defined { name: f.name.to_string(), pos: f.pos }).collect()
    }

    /// The function that the entry names, if the program defines it.
    pub(super) fn entry_function(&self) -> Option<FuncId> {
        let found = self.program.function_named(&self.entry.as_ref()?.function);
        found.filter(|id| self.symbols.definitions.contains_key(id) && self.functions[id.index()].lowered)
    }

    /// Makes arguments and calls the function; where the edges stand, the start is being lowered.
    pub(super) fn call_entry(&mut self, id: FuncId) {
        let Some(entry) = self.entry.clone() else { return };
        let pos = self.program.functions[id].pos;
        let CType::Function(function) = self.types.get(self.functions[id.index()].ty).clone() else { return };
        self.fun.pos = pos;
        let name = entry.function.clone();
        let mut maker = Maker::new(&entry, pos);
        let (before, after) = (self.fun.at, self.location());
        self.fun.at = after;
        if entry.havoc_globals {
            self.havoc_globals(&mut maker);
        }
        let kind = match entry.havoc_globals {
            true => Granted::EntryAnyGlobals { name: name.clone() },
            false => Granted::EntryGlobals { name: name.clone() },
        };
        self.assume_at(pos, kind);
        let definition = self.definition_of(id);
        let (mut args, mut texts) = (Vec::new(), Vec::new());
        if self.types.is_aggregate(function.ret) {
            args.push(self.temp_object(function.ret));
        }
        let first = args.len();
        for (i, &ty) in function.params.iter().enumerate() {
            let param = self.program.functions[id].params.get(first + i).copied();
            let name = param.map_or_else(|| format!("arg{}", i + 1), |var| self.program.vars[var].name.to_string());
            maker.restricted = definition.is_some_and(|def| is_restricted(def, i));
            if self.types.is_aggregate(ty) {
                let at = self.temp_object(ty);
                let (byte, size) = (self.program.exprs.int(8, 0), self.types.size(ty).unwrap_or(0));
                let size = self.program.exprs.size(size);
                self.emit(Op::Fill { dst: at, byte, size });
                let spelled = definition.and_then(|def| self.spelled(def, i));
                let variable = maker.structure(spelled);
                self.make_content(&mut maker, at, &format!("(char *)&{variable}"), ty, &name, 0);
                args.push(at);
                texts.push(variable);
            } else {
                let value = self.make_value(&mut maker, ty, &name, 0);
                args.push(value.e);
                let text = value.text;
                texts.push(if self.types.as_int(ty).is_some() {
                    format!("({}){text}", self.types.describe(ty))
                } else {
                    text
                });
            }
        }
        maker.restricted = false;
        if function.variadic {
            self.assume_at(pos, Granted::EntryVariadic { name: name.clone() });
            args.push(self.program.exprs.null());
        }
        let here = std::mem::replace(&mut self.fun.at, before);
        let null = self.program.exprs.null();
        for &variable in &maker.variables {
            self.assign_var(variable, null);
        }
        self.jump(after);
        self.fun.at = here;
        for kind in maker.granted() {
            self.assume_at(pos, kind);
        }
        self.fun.pos = pos;
        let result = self.result_var(function.ret);
        self.emit(Op::Call { result, callee: Callee::Direct(id), args: args.into() });
        let called = self.names.text(self.functions[id.index()].name).to_owned();
        maker.line(format!("{called}({});", texts.join(", ")));
        let unit = self.symbols.definitions.get(&id).map_or(0, |&(unit, ..)| unit);
        self.driver = Some(Driver { unit, text: maker.finish() });
    }

    /// A function without a body, for a pointer to a function of this type: one per type.
    fn made_up_function(&mut self, maker: &mut Maker, function: &FunctionType) -> (FuncId, String) {
        let ty = self.types.intern(CType::Function(function.clone()));
        if let Some((_, id, text)) = maker.functions.iter().find(|(known, ..)| *known == ty) {
            return (*id, text.clone());
        }
        let text = format!("robusto_callback_{}", maker.functions.len() + 1);
        let id = self.program.functions.push(crate::ir::Function::header(&text, maker.pos));
        let name = self.names.intern(&text);
        let info = FnInfo { ty, name, defined: None, noreturn: false, pure: false, lowered: false, used: true };
        self.functions.push(info);
        maker.functions.push((ty, id, text.clone()));
        (id, text)
    }

    /// Gives the program's own variables any content.
    fn havoc_globals(&mut self, maker: &mut Maker) {
        let own = |lower: &Self, obj: ObjId| {
            let (info, object) = (&lower.objects[obj.index()], &lower.program.objects[obj]);
            let file = lower.sources.names().get(usize::from(object.pos.file)).is_some_and(|n| !n.starts_with('<'));
            let elem = match *lower.types.get(info.ty) {
                CType::Array(of, _) => of,
                _ => info.ty,
            };
            let variable = matches!(object.kind, ObjectKind::Global(_)) && object.size > 0 && !elem.is_const();
            variable && file && info.defined.is_some_and(|span| span != Span::default())
        };
        let linked: Vec<ObjId> = self.linked_objects.values().copied().collect();
        for obj in self.program.objects.ids().filter(|&obj| own(self, obj)).collect::<Vec<_>>() {
            let (name, ty) = (self.program.objects[obj].name.to_string(), self.objects[obj.index()].ty);
            let text = maker.global(&name, linked.contains(&obj));
            let at = self.obj_addr(obj);
            maker.initial = match &self.program.objects[obj].kind {
                ObjectKind::Global(image) => image.clone(),
                _ => Image::default(),
            };
            self.make_content(maker, at, &text, ty, &name, 0);
        }
        maker.initial = Image::default();
    }

    fn definition_of(&self, id: FuncId) -> Option<FunctionDef<'a>> {
        let defined = self.functions[id.index()].defined?;
        self.units.iter().flat_map(|unit| unit.items).find_map(|item| match item {
            Item::Function(def) if def.declarator.span == defined => Some(**def),
            _ => None,
        })
    }

    /// The type of a parameter as the source has it, if that is a name.
    fn spelled(&self, def: FunctionDef<'a>, i: usize) -> Option<String> {
        let DeclaratorPart::Function(params) = def.declarator.parts.first()? else { return None };
        match params.params.get(i)?.specs.ty {
            TypeSpec::Typedef(name) => Some(self.text(name).to_owned()),
            TypeSpec::Record(record) => {
                let kind = if record.kind == RecordKind::Union { "union" } else { "struct" };
                Some(format!("{kind} {}", self.text(record.tag?)))
            }
            _ => None,
        }
    }
}

/// Whether a parameter is a pointer through which alone its object is changed.
fn is_restricted(def: FunctionDef<'_>, i: usize) -> bool {
    let Some(DeclaratorPart::Function(params)) = def.declarator.parts.first() else { return false };
    let quals = params.params.get(i).and_then(|param| param.declarator.parts.first());
    matches!(quals, Some(DeclaratorPart::Pointer(quals)) if quals.restrict)
}
