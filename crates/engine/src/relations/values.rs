//! What is worth relating at the cut points of procedures, and by what cases are told apart.

use super::graph::{Graph, Over, Point, Split, Way, by_width};
use super::procedures::Violated;
use crate::certificate::may_be_read;
use crate::procedures::{CutId, End, Procedure, Procedures};
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::Ty;
use robusto_logic::{Sort, Substitution, Symbol, Term};
use rustc_hash::FxHashSet;

/// Most variables per point and width.
const MAX_VARIABLES: usize = 12;

/// Most conditions by which cases of a procedure are told apart.
const MAX_CONDITIONS: usize = 5;

/// A term over inputs, as one over the values at the entry.
fn of_old(encoder: &mut Encoder<'_>, t: Term) -> Term {
    let mut map = Substitution::new();
    for symbol in encoder.terms.symbols(t) {
        if let Some(cell) = encoder.cell_of(symbol) {
            let old = encoder.old(cell);
            map.insert_symbol(&encoder.terms, symbol, old);
        }
    }
    encoder.terms.substitute(t, &mut map)
}

/// The first conditions of a procedure that are about nothing but what it is entered with, and the values that these are
/// about, where they do not decide the result alone.
pub(super) fn split(encoder: &mut Encoder<'_>, procedure: &Procedure) -> Split {
    if procedure.is_start {
        return Split::default();
    }
    let entry = procedure.cut(CutId::ENTRY);
    let at_entry = |encoder: &Encoder<'_>, symbol: Symbol| {
        let cell = encoder.old_of(symbol);
        let is_word = matches!(encoder.terms.sort(encoder.terms.symbol_term(symbol)), Sort::Bits(1..=64));
        is_word && cell.is_some_and(|cell| may_be_read(encoder, &[], entry.location, cell))
    };
    let leaving = procedure.links.iter().filter(|link| link.from == CutId::ENTRY);
    // Guards that exclude each other have no conjunction with atoms.
    let mut conditions: Vec<Term> = leaving.clone().flat_map(|link| encoder.terms.atoms(link.formula.guard)).collect();
    conditions.sort_unstable();
    conditions.dedup();
    conditions.retain(|&atom| encoder.terms.symbols(atom).into_iter().all(|symbol| at_entry(encoder, symbol)));
    conditions.truncate(MAX_CONDITIONS);
    let direct: Vec<Term> =
        leaving.filter(|link| link.to == End::Cut(CutId::EXIT)).map(|link| link.formula.guard).collect();
    let mut direct = encoder.terms.or_all(&direct);
    if !encoder.terms.symbols(direct).into_iter().all(|symbol| at_entry(encoder, symbol)) {
        direct = encoder.terms.no();
    }
    let mut tested: Vec<Symbol> = conditions.iter().flat_map(|&c| encoder.terms.symbols(c)).collect();
    tested.sort_unstable();
    tested.dedup();
    let mut values = Vec::new();
    for symbol in tested {
        let value = encoder.terms.symbol_term(symbol);
        let none = encoder.terms.constant(encoder.terms.width(value), 0);
        values.push(encoder.terms.ite(direct, none, value));
    }
    Split { conditions, values }
}

/// Bounds that hold at a point, if they are inductive.
pub(super) fn intervals_at(
    encoder: &mut Encoder<'_>,
    point: &Point,
    is_entry: bool,
    intervals: Option<&Invariants>,
) -> Vec<Term> {
    let Some(intervals) = intervals else { return Vec::new() };
    let mut bounds = vec![intervals.here(encoder, point.location, 0)];
    let mut callee = point.location.function;
    for &(caller, edge) in point.calls.iter().rev() {
        bounds.push(intervals.pending(encoder, (caller, edge), callee, 0));
        callee = caller;
    }
    let all = encoder.terms.and_all(&bounds);
    let mut bounds = encoder.terms.conjuncts(all);
    if is_entry {
        bounds = bounds.into_iter().map(|bound| of_old(encoder, bound)).collect();
    }
    bounds.retain(|&bound| point.can_say(encoder, bound));
    bounds
}

/// The symbols, by procedure, whose values some condition depends on: in a condition, in the new value of one of them, or
/// returned for one of them.
pub(super) fn needed(
    encoder: &mut Encoder<'_>,
    graph: &Graph,
    ends: &[(Way, Violated)],
    procedures: &Procedures<'_>,
) -> FxHashSet<(usize, Symbol)> {
    let source = |way: &Way| way.from.map_or(0, |from| graph.points[from].procedure);
    let mut needed = FxHashSet::default();
    let ways = || graph.links.iter().map(|link| &link.way).chain(ends.iter().map(|(way, _)| way));
    for way in ways() {
        needed.extend(encoder.terms.symbols(way.paths.guard).into_iter().map(|symbol| (source(way), symbol)));
    }
    loop {
        let before = needed.len();
        for (way, Over { callee, exit, .. }) in
            ways().flat_map(|way| way.crossing.over.iter().map(move |over| (way, over)))
        {
            let Some(number) = procedures.number(*callee) else { continue };
            let program = &encoder.facts().program;
            let owner = |cell| match cell {
                Cell::Var(var, _) => program.vars[var].kind.owner(),
                _ => None,
            };
            let is_needed =
                |value: Term| encoder.terms.as_symbol(value).is_some_and(|s| needed.contains(&(source(way), s)));
            let returned: Vec<Cell> =
                exit.env.iter().filter(|&(_, &value)| is_needed(value)).map(|(&c, _)| c).collect();
            for cell in returned.into_iter().filter(|&cell| owner(cell).is_none_or(|owner| owner == *callee)) {
                let cell = match cell {
                    Cell::Var(var, _) => Cell::Var(var, 0),
                    cell => cell,
                };
                let input = encoder.input(cell);
                needed.extend(encoder.terms.as_symbol(input).map(|symbol| (number, symbol)));
            }
        }
        for link in &graph.links {
            let target = graph.points[link.to].procedure;
            let here: Vec<Symbol> = needed.iter().filter(|&&(p, _)| p == target).map(|&(_, symbol)| symbol).collect();
            for symbol in here {
                let value = encoder.terms.symbol_term(symbol);
                let after = graph.after(encoder, link, value);
                needed.extend(encoder.terms.symbols(after).into_iter().map(|symbol| (source(&link.way), symbol)));
            }
        }
        if needed.len() == before {
            return needed;
        }
    }
}

/// The variables worth relating at a cut point: those that some condition depends on, of the procedure and at its entry.
pub(super) fn variables(
    encoder: &mut Encoder<'_>,
    graph: &Graph,
    needed: &FxHashSet<(usize, Symbol)>,
    at: usize,
    procedure: &Procedure,
    is_entry: bool,
) -> Vec<Vec<Term>> {
    let program = &encoder.facts().program;
    let point = &graph.points[at];
    let tested: FxHashSet<Symbol> = graph.conditions().flat_map(|guard| encoder.terms.symbols(guard)).collect();
    let entry = procedure.cut(CutId::ENTRY).location;
    let mut cells: Vec<Cell> = program.vars.ids().map(|var| Cell::Var(var, 0)).collect();
    cells.extend(encoder.regions().regions.ids().map(Cell::Region));
    let mut worth: Vec<(bool, Term)> = Vec::new();
    for cell in cells {
        let is_number = match cell {
            Cell::Var(var, _) => matches!(program.vars[var].ty, Ty::Int(2..=64)),
            _ => matches!(encoder.sort(cell), Sort::Bits(2..=64)),
        };
        if !is_number {
            continue;
        }
        // At the entry, a value has but the one name.
        let here = !is_entry && point.may_be_read(encoder, cell);
        let before = !procedure.is_start && may_be_read(encoder, &[], entry, cell);
        let values = [here.then(|| encoder.input(cell)), before.then(|| encoder.old(cell))];
        for value in values.into_iter().flatten() {
            let symbol = encoder.terms.as_symbol(value).expect("a symbol");
            if needed.contains(&(point.procedure, symbol)) {
                worth.push((!tested.contains(&symbol), value));
            }
        }
    }
    by_width(encoder, worth, MAX_VARIABLES)
}
