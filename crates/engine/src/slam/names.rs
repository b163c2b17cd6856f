//! Names of the procedures, variables and labels of a Boolean program.

use super::precision::Precision;
use crate::procedures::{Cut, End, Link, Procedure, Procedures};
use robusto_analyses::symbolic::Encoder;
use robusto_boolprog::parse::is_reserved;
use robusto_cpa::control::Location;
use robusto_logic::Term;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The longest predicate that is a name by itself.
const LONGEST: usize = 60;

/// Names.
pub struct Names {
    /// By number of the procedure.
    pub procedures: Vec<Rc<str>>,
    /// What is inside of each.
    pub of: Vec<Inside>,
}

/// Names inside of a procedure, by number.
#[derive(Default)]
pub struct Inside {
    /// Of predicates at the entry.
    pub entry: Vec<Rc<str>>,
    /// Of local ones.
    pub local: Vec<Rc<str>>,
    /// Of those at the exit.
    pub exit: Vec<Rc<str>>,
    /// What takes the results of calls.
    pub returned: Vec<Rc<str>>,
    /// Labels of cut points.
    pub cuts: Vec<Rc<str>>,
    /// Labels of links.
    pub links: Vec<Rc<str>>,
    /// Labels of calls.
    pub calls: Vec<Rc<str>>,
}

impl Names {
    /// Names for everything.
    pub fn of(encoder: &Encoder<'_>, procedures: &Procedures<'_>, precision: &Precision) -> Self {
        let program = &encoder.facts().program;
        let mut used: FxHashSet<Rc<str>> = FxHashSet::from_iter(["main".into()]);
        let mut names = Vec::new();
        for procedure in &procedures.list {
            let own = &*program.functions[procedure.function].name;
            let own = if is_reserved(own) { format!("{own}_") } else { own.to_owned() };
            names.push(if procedure.is_start { "main".into() } else { unused(&mut used, &own) });
        }
        let most = precision.of.iter().map(|scopes| scopes.exit.len()).max().unwrap_or(0);
        let inside = |(number, procedure): (usize, &Procedure)| {
            let scopes = &precision.of[number];
            let mut used = FxHashSet::default();
            let mut list = |terms: &[Term], mark: &str| -> Vec<Rc<str>> {
                terms.iter().map(|&t| unused(&mut used, &shown(encoder, t, mark))).collect()
            };
            let (entry, local, exit) =
                (list(&scopes.entry, "at entry: "), list(&scopes.local, ""), list(&scopes.exit, "at exit: "));
            let line = |location: Location| {
                let mut out = program.functions[location.function].out(location.loc);
                out.find_map(|(_, edge)| (edge.pos.line > 0).then_some(edge.pos.line)).unwrap_or(0)
            };
            let cut = |(i, cut): (usize, &Cut)| format!("N{}_{i}", line(cut.location)).into();
            let link = |(i, link): (usize, &Link)| {
                let line = match link.to {
                    End::Violation(step) => step.edge(program).pos.line,
                    _ => line(procedure.cut(link.from).location),
                };
                format!("L{line}_{i}").into()
            };
            Inside {
                entry,
                local,
                exit,
                returned: (0..most).map(|i| format!("returned{i}").into()).collect(),
                cuts: procedure.cuts.iter().enumerate().map(cut).collect(),
                links: procedure.links.iter().enumerate().map(link).collect(),
                calls: procedure
                    .calls
                    .iter()
                    .enumerate()
                    .map(|(i, call)| format!("C{}_{i}", line(procedure.cut(call.at).location)).into())
                    .collect(),
            }
        };
        let of = procedures.list.iter().enumerate().map(inside).collect();
        Self { procedures: names, of }
    }
}

/// A predicate as a name.
fn shown(encoder: &Encoder<'_>, term: Term, mark: &str) -> String {
    let text = encoder.terms.display(term).to_string();
    if text.chars().count() > LONGEST || text.contains(['{', '}', '\n']) {
        return format!("{{{mark}p{}}}", term.index());
    }
    format!("{{{mark}{text}}}")
}

/// A name that is not used yet.
fn unused(used: &mut FxHashSet<Rc<str>>, wanted: &str) -> Rc<str> {
    let mut name: Rc<str> = wanted.into();
    let mut number = 1;
    while !used.insert(name.clone()) {
        number += 1;
        name = match wanted.strip_suffix('}') {
            Some(inner) => format!("{inner} #{number}}}").into(),
            None => format!("{wanted}_{number}").into(),
        };
    }
    name
}
