//! Tree to automata: names, numbers of arguments and results, and what each construct means, settled here once.
//!
//! | construct | meaning |
//! |---|---|
//! | `*` | a choice, made anew for each occurrence and each execution |
//! | `schoose[a, b]` | `a \| (* & !b)` |
//! | `if e`, `while e` | two edges, `assume e` and `assume !e`; with `*` both may be open |
//! | `goto L, M` | an edge to each |
//! | `assert e` | two edges: `assume e` goes on, `assume !e` leads to a node of its own, from which none goes on |
//! | `abortif e` | `assume !e` |
//! | `dead x` | `x := *` |
//! | `enforce e` | every state in the body satisfies `e`: an `assume e` at the entry and behind each step that may change it, before the next label or statement is reached; callees do as they like meanwhile |
//! | `print`, `dfs`, `skip` | nothing |
//! | end of a body | returns any values |
//!
//! Globals and locals start with any value. A local hides a global of its name.

mod expr;
mod stmt;

use crate::ast::{File, Name};
use crate::program::{Edge, Formula, Label, NodeId, Op, ProcId, Procedure, Program, Role, VarId, Variable};
use robusto_syntax::{Diagnostic, SourceMap, Span};
use robusto_verdict::Place;
use rustc_hash::FxHashMap;

/// The automata of a program, or all that is wrong with its names.
pub fn lower(file: &File, sources: &SourceMap) -> Result<Program, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let globals = scope(&file.globals, 0, "global variable", &mut errors);
    let mut procedures: FxHashMap<&str, (ProcId, Span)> = FxHashMap::default();
    for (i, procedure) in file.procedures.iter().enumerate() {
        let Name { text, span } = &procedure.name;
        if let Some((_, first)) = procedures.insert(text, (ProcId(i as u32), *span)) {
            let message = format!("there are two procedures `{text}`");
            errors.push(Diagnostic::error(*span, message).note(first, "the first one is here"));
        }
    }
    let main = procedures.get("main").map(|(id, _)| *id);
    let names = Names { file, sources, globals, procedures };
    let lowered = (0..file.procedures.len()).map(|i| Lowerer::procedure(&names, i, &mut errors)).collect();
    if errors.is_empty() {
        let globals = file.globals.iter().map(|name| names.variable(name)).collect();
        Ok(Program { globals, procedures: lowered, main })
    } else {
        errors.sort_by_key(|error| error.span.lo);
        Err(errors)
    }
}

/// What is known everywhere.
struct Names<'f> {
    file: &'f File,
    sources: &'f SourceMap,
    globals: FxHashMap<&'f str, VarId>,
    procedures: FxHashMap<&'f str, (ProcId, Span)>,
}

impl Names<'_> {
    fn place(&self, span: Span) -> Place {
        let position = self.sources.position(span.lo);
        Place {
            file: u16::try_from(position.file).unwrap_or(u16::MAX),
            column: u16::try_from(position.column).unwrap_or(u16::MAX),
            line: position.line,
        }
    }

    fn variable(&self, name: &Name) -> Variable {
        Variable { name: name.text.clone(), place: self.place(name.span) }
    }
}

/// The names of a list, numbered from `first`.
fn scope<'f>(list: &'f [Name], first: usize, what: &str, errors: &mut Vec<Diagnostic>) -> FxHashMap<&'f str, VarId> {
    let mut scope: FxHashMap<&str, VarId> = FxHashMap::default();
    for (i, name) in list.iter().enumerate() {
        if name.is_discard() {
            errors.push(Diagnostic::error(name.span, "`_` cannot be declared; it is the target that forgets"));
        }
        if let Some(before) = scope.insert(&name.text, VarId((first + i) as u32)) {
            let message = format!("there are two {what}s `{}`", name.text);
            errors.push(
                Diagnostic::error(name.span, message).note(list[before.index() - first].span, "the first one is here"),
            );
        }
    }
    scope
}

/// Builds the automaton of one procedure.
struct Lowerer<'f, 'e> {
    names: &'e Names<'f>,
    errors: &'e mut Vec<Diagnostic>,
    results: u32,
    locals: FxHashMap<&'f str, VarId>,
    /// What is enforced, with its number of choices.
    enforce: Option<(Formula, u32, Span)>,
    nodes: u32,
    exit: NodeId,
    edges: Vec<Edge>,
    labels: FxHashMap<&'f str, (NodeId, Span)>,
    /// Edges that lead to a label.
    jumps: Vec<(usize, &'f Name)>,
}

impl<'f, 'e> Lowerer<'f, 'e> {
    fn procedure(names: &'e Names<'f>, number: usize, errors: &'e mut Vec<Diagnostic>) -> Procedure {
        let tree = &names.file.procedures[number];
        let first = names.file.globals.len();
        let mut locals = scope(&tree.formals, first, "parameter", errors);
        for (name, var) in scope(&tree.locals, first + tree.formals.len(), "local variable", errors) {
            if locals.insert(name, var).is_some() {
                let at =
                    tree.locals.iter().find(|local| *local.text == *name).map_or(tree.name.span, |local| local.span);
                errors.push(Diagnostic::error(at, format!("`{name}` is a parameter already")));
            }
        }
        let mut variables: Vec<Variable> = tree.formals.iter().chain(&tree.locals).map(|n| names.variable(n)).collect();
        let place = names.place(tree.name.span);
        variables.extend((0..tree.results).map(|i| Variable { name: format!("{}.{i}", tree.name.text).into(), place }));
        let mut lowerer = Lowerer {
            names,
            errors,
            results: tree.results,
            locals,
            enforce: None,
            nodes: 0,
            exit: NodeId(0),
            edges: Vec::new(),
            labels: FxHashMap::default(),
            jumps: Vec::new(),
        };
        let entry = lowerer.node();
        let begin = lowerer.enforced(&tree.enforce, entry);
        let end = lowerer.node();
        lowerer.exit = lowerer.node();
        lowerer.list(&tree.body, begin, end);
        let choices: Vec<Formula> = (0..tree.results).map(Formula::choice).collect();
        let exit = lowerer.exit;
        lowerer.edge(end, exit, Op::Return(choices), tree.results, Role::Statement, "end", tree.end);
        lowerer.jump();
        lowerer.finish(tree.name.text.clone(), variables, tree.formals.len() as u32, entry)
    }

    /// Sets every jump to its label.
    fn jump(&mut self) {
        for (edge, name) in std::mem::take(&mut self.jumps) {
            match self.labels.get(&*name.text) {
                Some((node, _)) => self.edges[edge].to = *node,
                None => {
                    let message = format!("there is no label `{}` in this procedure", name.text);
                    self.errors.push(Diagnostic::error(name.span, message));
                }
            }
        }
    }

    fn finish(self, name: Box<str>, variables: Vec<Variable>, formals: u32, entry: NodeId) -> Procedure {
        let mut outgoing = vec![Vec::new(); self.nodes as usize];
        for (i, edge) in self.edges.iter().enumerate() {
            outgoing[edge.from.index()].push(crate::program::EdgeId(i as u32));
        }
        let places = self.labels.iter().map(|(name, &(node, span))| (span.lo, *name, node, self.names.place(span)));
        let mut labels: Vec<_> = places.collect();
        labels.sort_unstable_by_key(|label| label.0);
        let labels =
            labels.into_iter().map(|(_, name, node, place)| Label { name: name.into(), node, place }).collect();
        let (results, exit, edges) = (self.results, self.exit, self.edges);
        Procedure { name, variables, formals, results, entry, exit, edges, outgoing, labels }
    }

    fn node(&mut self) -> NodeId {
        self.nodes += 1;
        NodeId(self.nodes - 1)
    }

    #[expect(clippy::too_many_arguments, reason = "an edge has that many parts")]
    fn edge(&mut self, from: NodeId, to: NodeId, op: Op, choices: u32, role: Role, text: &str, span: Span) {
        let place = self.names.place(span);
        self.edges.push(Edge { from, to, op, choices, role, text: text.into(), place });
    }
}
