//! The heads of loops, in a program that is followed call by call.

use super::graph::{Crossing, Graph, Link, Point, Split, Way, by_width};
use crate::unroll::{ContextId, Counting, Found, Place, Unroller};
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::Ty;
use robusto_cpa::control::Location;
use robusto_limits::{Limits, Stopped};
use robusto_logic::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most variables per head and width.
const MAX_VARIABLES: usize = 10;

/// The graph of a program without recursion, given what is known at each head that [`Unroller::heads`] lists.
pub(crate) fn graph(encoder: &mut Encoder<'_>, known: &[Term], limits: &Limits) -> Result<Option<Graph>, Stopped> {
    let program = &encoder.facts().program;
    let Some(main) = program.main else { return Ok(None) };
    let entry = Location { function: main, loc: program.functions[main].entry };
    let mut unroller = Unroller::new(encoder.facts(), Counting::Blocks);
    let Some(places) = unroller.heads(entry, usize::MAX) else { return Ok(None) };
    assert_eq!(places.len(), known.len(), "something is known at each head");
    let number: FxHashMap<_, _> =
        places.iter().enumerate().map(|(i, place)| ((place.context, place.location), i)).collect();
    let start = encoder.initial();
    let mut graph = Graph { splits: vec![Split::default()], ..Graph::default() };
    for (i, place) in places.iter().enumerate() {
        graph.points.push(Point::new(unroller.contexts().stack(place.context), place.location, 0, known[i]));
        let at = encoder.anything_in(unroller.contexts().active(place.context, place.location));
        let anything = encoder.identity_where(&at, known[i]);
        unroller.start_at(Place { origin: i as u32, ..*place }, anything);
    }
    let origin = places.len() as u32;
    let link = |from, to, paths| Link { way: Way { from, paths, crossing: Crossing::default() }, to };
    if let Some(&to) = number.get(&(ContextId::EMPTY, entry)) {
        graph.links.push(link(None, to, start.clone()));
    }
    unroller.start_at(Place { origin, block: 0, context: ContextId::EMPTY, location: entry }, start);
    for from in 0..=origin {
        let mut found = Found::default();
        unroller.run(encoder, from, 0, limits, &mut found)?;
        graph.violations.push(found.violations.iter().map(|v| v.guard).collect());
        graph.unmodelled.push(found.unmodelled.iter().map(|u| u.guard).collect());
    }
    for (place, paths) in unroller.ends() {
        let to = number[&(place.context, place.location)];
        let from = (place.origin != origin).then_some(place.origin as usize);
        graph.links.push(link(from, to, paths.clone()));
    }
    choose_variables(&mut graph, encoder);
    Ok(Some(graph))
}

/// Variables that a condition depends on or that a block changes, the former first.
fn choose_variables(graph: &mut Graph, encoder: &mut Encoder<'_>) {
    let program = &encoder.facts().program;
    let mut tested = FxHashSet::default();
    for guard in graph.conditions() {
        tested.extend(encoder.terms.symbols(guard).into_iter().filter_map(|s| encoder.cell_of(s)));
    }
    let changed: FxHashSet<Cell> = graph
        .links
        .iter()
        .map(|l| &l.way)
        .filter(|w| w.from.is_some())
        .flat_map(|w| w.paths.env.keys().copied())
        .collect();
    for point in &mut graph.points {
        let mut worth = Vec::new();
        for var in program.vars.ids() {
            let cell = Cell::Var(var, 0);
            let is_tested = tested.contains(&cell);
            if matches!(program.vars[var].ty, Ty::Int(2..=64))
                && (is_tested || changed.contains(&cell))
                && point.may_be_read(encoder, cell)
            {
                worth.push((!is_tested, encoder.input(cell)));
            }
        }
        if encoder.watches_heap() {
            worth.extend(of_memory(encoder, point, &tested));
        }
        point.variables = by_width(encoder, worth, MAX_VARIABLES);
    }
}

/// What relates sizes of allocated objects and addresses to other variables: these themselves, and narrower integers as wide
/// as they are.
fn of_memory(encoder: &mut Encoder<'_>, point: &Point, tested: &FxHashSet<Cell>) -> Vec<(bool, Term)> {
    let program = &encoder.facts().program;
    let words = encoder.object_words().into_iter().filter(|cell| tested.contains(cell));
    let pointers = program.vars.ids().filter(|&var| program.vars[var].ty == Ty::Ptr).map(|var| Cell::Var(var, 0));
    let pointers = pointers.filter(|cell| tested.contains(cell) && point.may_be_read(encoder, *cell));
    let cells: Vec<Cell> = words.chain(pointers).collect();
    let mut found: Vec<(bool, Term)> = cells.into_iter().map(|cell| (false, encoder.input(cell))).collect();
    let width = u16::from(program.model.pointer_bits());
    for var in program.vars.ids() {
        let cell = Cell::Var(var, 0);
        let is_narrow = matches!(program.vars[var].ty, Ty::Int(bits @ 2..) if u16::from(bits) < width);
        if is_narrow && tested.contains(&cell) && point.may_be_read(encoder, cell) {
            let value = encoder.input(cell);
            let wide = if program.vars[var].signed {
                encoder.terms.sext(value, width)
            } else {
                encoder.terms.zext(value, width)
            };
            found.push((true, wide));
        }
    }
    found
}
