//! The bytes that a model chooses for memory.

use super::expr::Scene;
use super::regions::RangePart;
use super::{Cell, Encoder, PathFormula};
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::ir::{FuncId, Op};
use robusto_cpa::{Step, Stopped};
use robusto_logic::{Evaluator, Model};

/// Bytes of an object or range, by their offsets; what no read depends on is left out.
pub type Bytes = Vec<(u64, u8)>;

/// Memory that a step leaves with nondeterministic content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Filled {
    /// The range of a `HavocMem`.
    Range(Bytes),
    /// An object that begins to live, with its size.
    Fresh(u64, Bytes),
}

impl Encoder<'_> {
    /// What a model chooses for the memory that a step havocs, allocates, or enters a function with: one item for each
    /// object, in the order of the function.
    pub fn filled(&mut self, before: &PathFormula, step: Step, model: &Model) -> Result<Vec<Filled>, Stopped> {
        let (function, edge) = step.edge_ref();
        let op = &step.edge(&self.facts.program).op;
        let (addr, size) = match (step, op) {
            (Step::Edge(..), &Op::HavocMem { addr, size, .. }) => (Some(addr), size),
            (Step::Edge(..), &Op::Alloc { size, zeroed: false, .. }) => (None, size),
            (Step::Enter { callee, .. }, _) => {
                return Ok(match self.step(before, step)? {
                    Some(after) => self.filled_objects(&after, callee, model),
                    None => Vec::new(),
                });
            }
            _ => return Ok(Vec::new()),
        };
        let mut scene = Scene::new(before, function, step);
        let size = self.eval(&mut scene, size)?;
        let addr = match addr {
            Some(addr) => self.eval(&mut scene, addr)?,
            None => self.value(before, Cell::HeapTop),
        };
        let Some(after) = self.step(before, step)? else { return Ok(Vec::new()) };
        let (to, size) = (self.terms.evaluate(addr, model), self.terms.evaluate(size, model) as u64);
        Ok(vec![if matches!(op, Op::HavocMem { .. }) {
            let parts = self.regions.of_range(function, edge).to_vec();
            Filled::Range(self.content(&after, &parts, to, size, model))
        } else {
            let site = self.facts.points_to.site_at(function, edge);
            let parts = self.regions.of_base(Base::Site(site)).to_vec();
            Filled::Fresh(size, self.content(&after, &parts, to, size, model))
        }])
    }

    /// What a model chooses for the objects of a function that has just been entered.
    pub fn filled_objects(&mut self, f: &PathFormula, function: FuncId, model: &Model) -> Vec<Filled> {
        let facts = self.facts;
        let activation = self.activation(f, function);
        let fill = |&object| {
            let size = facts.program.objects[object].size;
            let parts = self.regions.of_base(Base::Object(object)).to_vec();
            let bytes = match self.addresses.object(object, activation) {
                Some(address) => self.content(f, &parts, address.into(), size, model),
                None => Vec::new(),
            };
            Filled::Fresh(size, bytes)
        };
        facts.program.functions[function].objects.iter().map(fill).collect()
    }

    /// The content of a range after some paths. Where a region is an array, the elements that matter are those that the
    /// model mentions, and those at known places.
    fn content(&mut self, f: &PathFormula, parts: &[RangePart], to: u128, size: u64, model: &Model) -> Bytes {
        let mut bytes = Bytes::new();
        for part in parts {
            let memory = self.value(f, Cell::Region(part.region));
            let region = &self.regions.regions[part.region];
            let mut values = Evaluator::new(&self.terms, model);
            let mut write = |at: u128, value: u128| {
                for k in 0..region.width {
                    if at + u128::from(k) < size.into() {
                        bytes.push((at as u64 + k, (value >> (8 * k)) as u8));
                    }
                }
            };
            if let Some((object, offset)) = region.single {
                let own = self.addresses.object(object, 0).map(|base| u128::from(base + offset));
                if let Some(at) = own.and_then(|own| own.checked_sub(to)) {
                    write(at, values.value(memory));
                }
                continue;
            }
            let places = part.places.iter().flatten().map(|&place| to + u128::from(place));
            let mentioned = self.terms.symbols(memory).into_iter().filter_map(|symbol| model.array(symbol));
            let range = to..to + u128::from(size);
            let mut indices: Vec<u128> = places.chain(mentioned.flat_map(|a| a.elements.keys().copied())).collect();
            indices.retain(|index| range.contains(index));
            indices.sort_unstable();
            indices.dedup();
            for index in indices {
                write(index - to, values.element(memory, index));
            }
        }
        bytes
    }
}
