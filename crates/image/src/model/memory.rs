//! Arrays become words: one for each address in a region of memory that an object of the program can have.
//!
//! A read at an address that is no element gives any value, a write there changes nothing: an execution that does so has left
//! its objects, which is undefined (see `symbolic`).

use super::encode::{self, Encoded};
use super::{Code, Exit, Model, Narrowed, Options, Word};
use robusto_analyses::symbolic::regions::Cells;
use robusto_analyses::symbolic::{Cell, Encoder, RegionId};
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::ObjectKind;
use robusto_limits::{Limits, Stopped};
use robusto_logic::blast::definition;
use robusto_logic::{Node, Sort, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Most elements of all arrays together. Each read at a computed address is a choice between the elements of its region.
const MOST_ELEMENTS: usize = 4096;

/// Heap objects begin at multiples of this.
const HEAP_ALIGNMENT: u64 = 16;

/// Terms between two looks at the clock.
const POLL: usize = 4096;

/// The model with arrays as words.
pub(super) fn scalars(
    facts: &Facts,
    encoded: Encoded<'_>,
    options: &Options,
    limits: &Limits,
) -> Result<Model, Stopped> {
    let Encoded { mut encoder, places, exits, start } = encoded;
    let mut words = Vec::new();
    let mut places_of: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut elements: FxHashMap<RegionId, Vec<(u64, usize)>> = FxHashMap::default();
    for cell in needed(&mut encoder, &exits) {
        let input = encoder.input(cell);
        let symbol = encoder.terms.as_symbol(input).expect("an input is a symbol");
        let name = encoder.terms.symbol_name(symbol).to_owned();
        if let (Sort::Array { element, .. }, Cell::Region(region)) = (encoder.sort(cell), cell) {
            let mut of_region = Vec::new();
            for address in addresses(facts, &mut encoder, region, options) {
                let name = format!("{name}[{address:#x}]");
                let symbol = encoder.terms.symbol(&name, Sort::Bits(element));
                of_region.push((address, words.len()));
                words.push(Word { name, symbol, cell, address: Some(address), code: Code::Plain });
            }
            if words.len() > MOST_ELEMENTS {
                return Err(Stopped::Unsupported(format!("more than {MOST_ELEMENTS} elements of memory")));
            }
            elements.insert(region, of_region);
        } else {
            places_of.insert(cell, words.len());
            words.push(Word { name, symbol: input, cell, address: None, code: Code::Plain });
        }
    }
    let approximations = encoder.approximations().cloned().collect();
    let mut lowering = Lowering {
        encoder: &mut encoder,
        words: &words,
        elements: &elements,
        done: FxHashMap::default(),
        limits,
        polled: 0,
    };
    let assigned =
        |lowering: &mut Lowering<'_, '_>, assign: Vec<(Cell, Term)>| -> Result<Vec<(usize, Term)>, Stopped> {
            let mut out = Vec::new();
            for (cell, value) in assign {
                if let Some(&word) = places_of.get(&cell) {
                    out.push((word, lowering.lower(value)?));
                } else if let Cell::Region(region) = cell
                    && let Some(of_region) = elements.get(&region)
                {
                    for &(address, word) in of_region {
                        let value = lowering.read(value, address)?;
                        if value != words[word].symbol {
                            out.push((word, value));
                        }
                    }
                }
            }
            Ok(out)
        };
    let mut lowered = Vec::with_capacity(exits.len());
    for block in exits {
        let mut out = Vec::with_capacity(block.len());
        for encode::Exit { guard, to, assign, steps } in block {
            let guard = lowering.lower(guard)?;
            out.push(Exit { guard, to, assign: assigned(&mut lowering, assign)?, steps });
        }
        lowered.push(out);
    }
    let start = assigned(&mut lowering, start)?;
    let terms = std::mem::take(&mut encoder.terms);
    Ok(Model {
        terms,
        words,
        places,
        exits: lowered,
        start,
        live: Vec::new(),
        groups: Vec::new(),
        approximations,
        narrowed: Narrowed::default(),
    })
}

/// The cells that some guard depends on, in whatever order blocks are executed.
fn needed(encoder: &mut Encoder<'_>, exits: &[Vec<encode::Exit>]) -> Vec<Cell> {
    let mut sources: FxHashMap<Cell, Vec<Term>> = FxHashMap::default();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut cells: BTreeSet<Cell> = BTreeSet::new();
    let mut todo: Vec<Term> = Vec::new();
    for exit in exits.iter().flatten() {
        todo.push(exit.guard);
        exit.assign.iter().for_each(|&(cell, value)| sources.entry(cell).or_default().push(value));
    }
    while let Some(t) = todo.pop() {
        if !seen.insert(t) {
            continue;
        }
        let cell = encoder.terms.as_symbol(t).and_then(|symbol| encoder.cell_of(symbol));
        if let Some(cell) = cell
            && cells.insert(cell)
        {
            todo.extend(sources.get(&cell).into_iter().flatten());
        }
        todo.extend(encoder.terms.node(t).operands().iter());
    }
    cells.into_iter().collect()
}

/// The addresses of a region's elements.
fn addresses(facts: &Facts, encoder: &mut Encoder<'_>, region: RegionId, options: &Options) -> Vec<u64> {
    let width = encoder.regions().regions[region].width;
    let mut all = BTreeSet::new();
    for (object, info) in facts.program.objects.enumerate() {
        let activations = match info.kind {
            ObjectKind::Local(owner) if facts.calls.is_recursive(owner) => options.recursion,
            _ => 1,
        };
        let parts = encoder.regions().of_base(Base::Object(object)).iter().filter(|part| part.region == region);
        let offsets: Vec<u64> = parts.flat_map(|part| offsets(&part.cells, width, info.size)).collect();
        for activation in 0..activations {
            let Some(base) = encoder.address_of(object, activation) else { continue };
            all.extend(offsets.iter().map(|offset| base + offset));
        }
    }
    let start = encoder.initial();
    let top = encoder.value(&start, Cell::HeapTop);
    let heap = encoder.terms.as_const(top).expect("the heap starts at an address") as u64;
    for site in facts.points_to.sites().ids() {
        let parts = encoder.regions().of_base(Base::Site(site)).iter().filter(|part| part.region == region);
        if let (Some(address), Some(size)) = (encoder.address_of_site(site), facts.points_to.sites()[site].size) {
            all.extend(parts.flat_map(|part| offsets(&part.cells, width, size)).map(|offset| address + offset));
            continue;
        }
        for offset in parts.flat_map(|part| offsets(&part.cells, width, options.heap)) {
            let bases = (0..options.heap).step_by(HEAP_ALIGNMENT as usize);
            all.extend(bases.map(|base| base + offset).filter(|at| at + width <= options.heap).map(|at| heap + at));
        }
    }
    all.into_iter().collect()
}

/// Where elements of a width begin in an object of a size.
fn offsets(cells: &[Cells], width: u64, size: u64) -> Vec<u64> {
    let mut all = Vec::new();
    for cell in cells {
        let mut at = cell.first;
        while at.saturating_add(cell.size) <= size {
            all.extend((0..cell.size).step_by(width as usize).map(|k| at + k));
            if cell.stride == 0 || all.len() > MOST_ELEMENTS {
                break;
            }
            at += cell.stride;
        }
    }
    all
}

/// Rewrites terms without arrays.
struct Lowering<'a, 'f> {
    encoder: &'a mut Encoder<'f>,
    words: &'a [Word],
    elements: &'a FxHashMap<RegionId, Vec<(u64, usize)>>,
    done: FxHashMap<Term, Term>,
    limits: &'a Limits,
    polled: usize,
}

impl Lowering<'_, '_> {
    /// The element of an array at an address.
    fn read(&mut self, array: Term, address: u64) -> Result<Term, Stopped> {
        let (index, _) = self.encoder.terms.array_widths(array);
        let at = self.encoder.terms.constant(index, address.into());
        let element = self.encoder.terms.select(array, at);
        self.lower(element)
    }

    fn lower(&mut self, root: Term) -> Result<Term, Stopped> {
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            self.polled += 1;
            if self.polled.is_multiple_of(POLL) {
                self.limits.look()?;
            }
            let node = self.encoder.terms.node(top);
            if let Node::Select(array, index) = node {
                let Some(&at) = self.done.get(&index) else {
                    stack.push(index);
                    continue;
                };
                let lowered = match self.encoder.terms.as_symbol(array) {
                    Some(symbol) => self.element(symbol, at),
                    None => {
                        let meaning = definition(&mut self.encoder.terms, array, index);
                        let Some(&lowered) = self.done.get(&meaning) else {
                            stack.push(meaning);
                            continue;
                        };
                        lowered
                    }
                };
                self.done.insert(top, lowered);
                continue;
            }
            let operands = node.operands();
            let open: Vec<Term> = operands.iter().copied().filter(|t| !self.done.contains_key(t)).collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let new: Vec<Term> = operands.iter().map(|t| self.done[t]).collect();
            let lowered = if new.is_empty() { top } else { self.encoder.terms.build(node.with_operands(&new)) };
            self.done.insert(top, lowered);
        }
        Ok(self.done[&root])
    }

    /// The element of an array without operations on it, at an address that is already lowered.
    fn element(&mut self, array: Symbol, at: Term) -> Term {
        let terms = &mut self.encoder.terms;
        let array_term = terms.symbol_term(array);
        let (_, width) = terms.array_widths(array_term);
        let name = terms.symbol_name(array).to_owned();
        let of_region = match self.encoder.cell_of(array) {
            Some(Cell::Region(region)) => self.elements.get(&region).map_or(&[][..], Vec::as_slice),
            _ => &[],
        };
        let terms = &mut self.encoder.terms;
        if let Some(address) = terms.as_const(at) {
            return match of_region.iter().find(|&&(own, _)| u128::from(own) == address) {
                Some(&(_, word)) => self.words[word].symbol,
                // A choice of memory has an element for each address; elsewhere this is memory outside of all objects.
                None => terms.symbol(&format!("{name}!{address:#x}"), Sort::Bits(width)),
            };
        }
        let index = terms.width(at);
        let mut value = terms.symbol(&format!("{name}!{}", at.index()), Sort::Bits(width));
        for &(own, word) in of_region.iter().rev() {
            let own = terms.constant(index, own.into());
            let is_it = terms.eq(at, own);
            value = terms.ite(is_it, self.words[word].symbol, value);
        }
        value
    }
}
