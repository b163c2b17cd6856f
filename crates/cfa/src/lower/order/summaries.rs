//! What the functions of the program touch, and what they call.
//!
//! Computed from the syntax trees when the first expression needs it: bodies are lowered one after the other, and a
//! call may come before the function that it calls.

use super::effects::{Effects, Footprint};
use super::library;
use super::scan::{FileNames, Scan, Summary, Taken};
use crate::analysis::graph::Graph;
use crate::analysis::scc::Sccs;
use crate::ir::{Idx, ObjectKind};
use crate::lower::scope::Sym;
use crate::lower::types::{CType, TypeId};
use crate::lower::{Externs, Lower, models};
use robusto_syntax::Symbol;
use robusto_syntax::ast::{DeclaratorPart, ExprKind, Item, Storage, SymbolPragma, TranslationUnit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// All functions of the program.
#[derive(Default, Debug)]
pub struct Summaries {
    /// Names at file scope.
    pub file: FileNames,
    /// Functions by name; of those with the same name in several files, all.
    functions: FxHashMap<Symbol, Vec<Summary>>,
    /// Names with static storage whose address is taken somewhere.
    taken: Taken,
    /// Names that may mean the same function or variable, by each of them.
    same: FxHashMap<Symbol, Rc<[Symbol]>>,
    /// Functions that others choose at the start of the program.
    chosen: FxHashSet<Symbol>,
    footprints: FxHashMap<Symbol, Rc<Footprint>>,
    /// What a call through a pointer may touch.
    through_pointer: Option<Rc<Footprint>>,
}

impl Summaries {
    /// Reads the program.
    fn new(names: &robusto_syntax::Interner, units: &[TranslationUnit<'_>]) -> Self {
        let (mut all, mut same) = (Self::default(), Vec::new());
        let declarations = units.iter().flat_map(|unit| unit.items).filter_map(|item| match item {
            Item::Declaration(d) if d.specs.storage != Some(Storage::Typedef) => Some(d),
            _ => None,
        });
        for d in declarations.clone().flat_map(|d| d.declarators) {
            let Some(name) = d.declarator.name else { continue };
            match d.declarator.parts.first() {
                Some(DeclaratorPart::Function(_)) => {
                    all.file.functions.insert(name);
                    continue;
                }
                Some(DeclaratorPart::Array(_)) => all.file.arrays.insert(name),
                _ => false,
            };
            all.file.objects.insert(name);
        }
        for item in units.iter().flat_map(|unit| unit.items) {
            let Item::Function(def) = item else { continue };
            all.file.functions.extend(def.declarator.name);
        }
        for init in declarations.clone().flat_map(|d| d.declarators).filter_map(|d| d.init.as_ref()) {
            all.taken.add(Scan::taken_by(names, &all.file, init));
        }
        for item in units.iter().flat_map(|unit| unit.items) {
            let Item::Function(def) = item else { continue };
            for (name, mut summary) in Scan::function(names, &all.file, &|_| None, def) {
                all.taken.add(std::mem::take(&mut summary.foreign));
                same.append(&mut summary.same);
                all.functions.entry(name).or_default().push(summary);
            }
        }
        let mut declared = Vec::new();
        for item in units.iter().flat_map(|unit| unit.items) {
            match item {
                Item::Declaration(d) => {
                    declared.extend(d.declarators.iter().map(|i| (&d.specs, &i.declarator, i.asm_name)));
                }
                Item::Function(def) => declared.push((&def.specs, &def.declarator, None)),
                Item::StaticAssert(_) | Item::Asm(..) => {}
            }
        }
        for (specs, declarator, asm) in declared {
            let Some(name) = declarator.name else { continue };
            same.extend(asm.map(|symbol| (name, symbol)));
            for attr in specs.attrs.iter().chain(declarator.attrs) {
                let kind = names.text(attr.name);
                if matches!(kind, "alias" | "weakref" | "ifunc" | "copy")
                    && let Some(ExprKind::Str(units, _)) = attr.args.first().map(|arg| arg.kind)
                {
                    let text: String = units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
                    same.extend(names.get(&text).map(|target| (name, target)));
                    if kind == "ifunc" {
                        all.chosen.insert(name);
                    }
                }
            }
        }
        for pragma in units.iter().flat_map(|unit| unit.pragmas) {
            if let SymbolPragma::WeakAlias(name, target) | SymbolPragma::Rename(name, target) = *pragma {
                same.push((name, target));
            }
        }
        all.unite(&same);
        all
    }

    /// Makes one of names that may mean the same.
    fn unite(&mut self, pairs: &[(Symbol, Symbol)]) {
        let mut groups: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
        let mut group_of: FxHashMap<Symbol, Symbol> = FxHashMap::default();
        for &(a, b) in pairs {
            let (a, b) = (*group_of.entry(a).or_insert(a), *group_of.entry(b).or_insert(b));
            if a == b {
                continue;
            }
            let moved = groups.remove(&b).unwrap_or_else(|| vec![b]);
            for &name in &moved {
                group_of.insert(name, a);
            }
            groups.entry(a).or_insert_with(|| vec![a]).extend(moved);
        }
        for group in groups.into_values() {
            let group: Rc<[Symbol]> = group.into();
            for names in [&mut self.taken.address, &mut self.taken.bare] {
                if group.iter().any(|name| names.contains(name)) {
                    names.extend(group.iter());
                }
            }
            self.same.extend(group.iter().map(|&name| (name, group.clone())));
        }
    }

    /// Whether some names may mean the same.
    pub fn has_same(&self) -> bool {
        !self.same.is_empty()
    }

    /// Adds the other names of what these mean.
    pub fn add_same(&self, names: &mut Vec<Symbol>) {
        for i in 0..names.len() {
            if let Some(group) = self.same.get(&names[i]) {
                names.extend(group.iter());
            }
        }
    }
}

impl Taken {
    fn add(&mut self, other: Taken) {
        self.address.extend(other.address);
        self.bare.extend(other.bare);
    }
}

impl Lower<'_, '_> {
    /// Reads the program's functions, once.
    pub(super) fn read_summaries(&mut self) {
        if self.summaries.is_none() {
            self.summaries = Some(Box::new(Summaries::new(&self.names, &self.units)));
        }
    }

    /// What the calls of an evaluation may touch; `None` if it calls nothing.
    pub(super) fn footprint(&mut self, effects: &Effects) -> Option<Rc<Footprint>> {
        let mut parts: Vec<Rc<Footprint>> = effects.calls.iter().map(|&name| self.footprint_of(name)).collect();
        if effects.calls_pointer {
            parts.push(self.footprint_through_pointer());
        }
        if parts.len() <= 1 {
            return parts.pop();
        }
        let mut whole = Footprint::default();
        parts.iter().for_each(|part| whole.add(part));
        Some(Rc::new(whole))
    }

    fn footprint_of(&mut self, name: Symbol) -> Rc<Footprint> {
        self.close_footprints();
        if let Some(known) = self.summaries.as_ref().and_then(|s| s.footprints.get(&name)) {
            return known.clone();
        }
        // Called in no function body that was read: one of ours, or by a name that is made up.
        let mut found = Footprint::default();
        if self.add_external(name, &mut found) == Calls::Back {
            found.add(&self.footprint_through_pointer());
        }
        Rc::new(found)
    }

    /// Any function whose address is taken.
    fn footprint_through_pointer(&mut self) -> Rc<Footprint> {
        self.close_footprints();
        self.summaries.as_ref().and_then(|s| s.through_pointer.clone()).unwrap_or_default()
    }

    /// Adds to each function what the functions that it calls touch: over the components of the call graph, callees
    /// first. A call through a pointer leads to one more node, and from there to all functions whose address is taken.
    fn close_footprints(&mut self) {
        let Some(summaries) = self.summaries.as_ref().filter(|s| s.through_pointer.is_none()) else { return };
        let bodies = || summaries.functions.values().flatten().map(|body| &body.effects);
        let mut names: Vec<Symbol> = summaries.functions.keys().copied().collect();
        names.extend(bodies().flat_map(|effects| &effects.calls));
        names.extend(summaries.taken.bare.iter().filter(|name| self.linked_functions.contains_key(name)));
        names.extend(summaries.same.keys());
        names.sort_unstable();
        names.dedup();
        let numbers: FxHashMap<Symbol, Node> =
            names.iter().enumerate().map(|(i, &name)| (name, Node::new(i))).collect();
        let pointer = Node::new(names.len());
        let mut own = vec![Footprint::default(); names.len() + 1];
        let mut edges = Vec::new();
        for (i, name) in names.iter().enumerate() {
            let node = Node::new(i);
            if summaries.taken.bare.contains(name) {
                edges.push((pointer, node));
            }
            let same = summaries.same.get(name).into_iter().flat_map(|group| group.iter());
            edges.extend(same.map(|other| (node, numbers[other])));
            if summaries.chosen.contains(name) {
                edges.push((node, pointer));
            }
            let Some(found) = summaries.functions.get(name) else {
                if self.add_external(*name, &mut own[i]) == Calls::Back {
                    edges.push((node, pointer));
                }
                continue;
            };
            let is_error = library::is_error(self.text(*name));
            for effects in found.iter().map(|body| &body.effects) {
                own[i].add_own(effects);
                // How the body of an error ends does not matter.
                let counts = |callee: &&Symbol| !(is_error && library::is_end(self.text(**callee)));
                edges.extend(effects.calls.iter().filter(counts).map(|callee| (node, numbers[callee])));
                if effects.calls_pointer {
                    edges.push((node, pointer));
                }
            }
            if is_error {
                own[i].ends = super::effects::Ends::REACH;
            }
            if summaries.has_same() {
                let Footprint { reads, writes, .. } = &mut own[i];
                for touched in [reads, writes] {
                    let mut names = touched.iter().copied().collect();
                    summaries.add_same(&mut names);
                    touched.extend(names);
                }
            }
        }
        // A pointer from outside may lead to a function that is not here.
        let outside = &mut own[names.len()];
        (outside.reads_memory, outside.writes_memory) = (true, true);
        let graph = Graph::new(own.len(), edges.iter().copied());
        let components = Sccs::new(&graph);
        let mut closed: Vec<Rc<Footprint>> = Vec::new();
        for id in components.ids() {
            let mut whole = Footprint::default();
            let mut below = Vec::new();
            for &node in components.members(id) {
                whole.add(&own[node.index()]);
                below.extend(graph.successors(node).map(|callee| components.component(callee)).filter(|&c| c != id));
            }
            below.sort_unstable();
            below.dedup();
            below.iter().for_each(|c| whole.add(&closed[c.index()]));
            closed.push(Rc::new(whole));
        }
        let of = |node: Node| closed[components.component(node).index()].clone();
        let (footprints, through_pointer) =
            (names.iter().map(|&name| (name, of(numbers[&name]))).collect(), of(pointer));
        if let Some(summaries) = &mut self.summaries {
            summaries.footprints = footprints;
            summaries.through_pointer = Some(through_pointer);
        }
    }

    /// A function without a body: what its name says, else what its parameters let it reach.
    fn add_external(&self, name: Symbol, whole: &mut Footprint) -> Calls {
        let text = self.text(name);
        // It may set `errno`, or wait for something that does not come.
        whole.writes_memory |= self.changes_by_name(text);
        if models::source(text).is_some_and(|model| model.contains("__robusto_assume(")) {
            whole.ends |= super::effects::Ends::HALT;
        }
        if let Some(known) = library::footprint(text) {
            whole.add(&known);
            return Calls::None;
        }
        let Some(&id) = self.linked_functions.get(&name) else {
            let reaches = !text.starts_with("__builtin_");
            whole.reads_memory |= reaches;
            whole.writes_memory |= reaches;
            return Calls::None;
        };
        let info = &self.functions[id.index()];
        if info.noreturn {
            whole.ends |= super::effects::Ends::HALT;
        }
        let CType::Function(function) = self.types.get(info.ty) else { return Calls::None };
        let pointer = |ty: &TypeId| matches!(self.types.get(*ty), CType::Pointer(_) | CType::Record(_));
        if !function.prototype || function.variadic || function.params.iter().any(pointer) {
            (whole.reads_memory, whole.writes_memory) = (true, true);
        }
        if self.externs == Externs::All {
            whole.reads.extend(self.linked_objects.keys());
            whole.writes.extend(self.linked_objects.keys());
        }
        if function.params.iter().any(|&ty| self.types.as_function(ty).is_some()) { Calls::Back } else { Calls::None }
    }

    /// Whether a name means a variable of the function being lowered.
    pub(super) fn is_local(&self, name: Symbol) -> bool {
        match self.scopes.lookup(name) {
            Some(Sym::Object(obj)) => matches!(self.program.objects[obj].kind, ObjectKind::Local(_)),
            Some(Sym::Vla(..)) => true,
            _ => false,
        }
    }

    /// Whether a variable in scope can be touched through pointers.
    pub(super) fn is_reachable(&self, name: Symbol) -> bool {
        if !self.is_local(name) {
            return self.is_global_reachable(name);
        }
        let ty = match self.scopes.lookup(name) {
            Some(Sym::Object(obj)) => self.objects[obj.index()].ty,
            Some(Sym::Vla(_, ty)) => ty,
            _ => return true,
        };
        let bodies = self.fun.name.and_then(|f| self.summaries.as_ref()?.functions.get(&f));
        // A function that is not in the program's text: one of ours.
        let Some(bodies) = bodies else { return true };
        bodies.iter().any(|body| self.is_taken(&body.own, name, Some(ty)))
    }

    /// Whether a variable with static storage can be touched through pointers.
    pub(super) fn is_global_reachable(&self, name: Symbol) -> bool {
        let Some(summaries) = &self.summaries else { return true };
        let visible = match self.scopes.lookup(name) {
            Some(Sym::Object(obj)) if !self.is_local(name) => Some(obj),
            _ => self.linked_objects.get(&name).copied(),
        };
        let ty = visible.map(|obj| self.objects[obj.index()].ty);
        self.is_taken(&summaries.taken, name, ty)
    }

    fn is_taken(&self, taken: &Taken, name: Symbol, ty: Option<TypeId>) -> bool {
        if taken.address.contains(&name) {
            return true;
        }
        let Some(ty) = ty else { return taken.bare.contains(&name) };
        match *self.types.get(ty) {
            CType::Int(_) | CType::Float(_) | CType::Half { .. } | CType::Pointer(_) => false,
            CType::Array(of, _) | CType::Vla(of, _) => taken.bare.contains(&name) || self.holds_array(of, 0),
            _ => self.holds_array(ty, 0),
        }
    }

    /// Whether a type has an array inside, whose address an expression may give without `&`.
    fn holds_array(&self, ty: TypeId, depth: u32) -> bool {
        match *self.types.get(ty) {
            CType::Array(..) | CType::Vla(..) => true,
            CType::Record(record) => match &self.types.record(record).layout {
                Some(layout) => depth > 20 || layout.fields.iter().any(|f| self.holds_array(f.ty, depth + 1)),
                None => true,
            },
            _ => false,
        }
    }
}

/// A node of the call graph: a function by name, or what pointers lead to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Node(u32);

impl Idx for Node {
    fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 functions"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whether a function may call functions that it gets.
#[derive(PartialEq, Eq)]
enum Calls {
    None,
    Back,
}
