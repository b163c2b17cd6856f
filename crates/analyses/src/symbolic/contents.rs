//! Memory whose content is chosen, so that an execution can be replayed with it.
//!
//! The interpreter asks for bytes where an object begins to live and where an edge havocs memory. A formula chooses them
//! too; but what it chooses are the elements of regions. Here they become bytes again.

use super::expr::Scene;
use super::regions::RangePart;
use super::{Cell, Encoder, PathFormula};
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::ir::{FuncId, Op};
use robusto_cpa::Step;
use robusto_limits::Stopped;
use robusto_logic::{Evaluator, Model, Term};

/// No more bytes than this are written down; further ones count as zero.
const LIMIT: u64 = 1 << 20;

/// A range of bytes of chosen content.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Where it starts.
    address: Term,
    /// Number of bytes.
    size: Term,
    /// Its parts with the values of their regions.
    parts: Vec<(RangePart, Term)>,
}

impl Encoder<'_> {
    /// The memory whose content a step from one formula to the next chooses, in the order in which an execution asks for
    /// it: the range of a `HavocMem`, the object of an `Alloc`, the objects of a function that is entered.
    pub fn contents(&mut self, from: &PathFormula, to: &PathFormula, step: Step) -> Result<Vec<Contents>, Stopped> {
        let facts = self.facts;
        match (step, &step.edge(&facts.program).op) {
            (Step::Enter { callee, .. }, _) => self.contents_of_objects(to, callee),
            (Step::Edge(function, edge), &Op::HavocMem { addr, size, .. }) => {
                let mut scene = Scene::new(from, function, step);
                let (address, size) = (self.eval(&mut scene, addr)?, self.eval(&mut scene, size)?);
                let parts = self.regions.of_range(function, edge).to_vec();
                Ok(vec![self.contents_of(to, address, size, parts)])
            }
            (Step::Edge(function, edge), &Op::Alloc { size, zeroed: false, .. }) => {
                let mut scene = Scene::new(from, function, step);
                let size = self.eval(&mut scene, size)?;
                let address = self.allocated(from, (function, edge), size);
                let site = facts.points_to.site_at(function, edge);
                let parts = self.regions.of_base(Base::Site(site)).to_vec();
                Ok(vec![self.contents_of(to, address, size, parts)])
            }
            _ => Ok(Vec::new()),
        }
    }

    /// How many bytes a step from a formula allocates, if it does and that is no constant.
    pub fn allocated_size(&mut self, from: &PathFormula, step: Step) -> Result<Option<Term>, Stopped> {
        let Step::Edge(function, _) = step else { return Ok(None) };
        let Op::Alloc { size, .. } = step.edge(&self.facts.program).op else { return Ok(None) };
        let size = self.eval(&mut Scene::new(from, function, step), size)?;
        Ok(Some(size).filter(|&size| self.terms.as_const(size).is_none()))
    }

    /// The objects of a function that has just been entered; of `main` at the start of the program.
    pub fn contents_of_objects(&mut self, f: &PathFormula, function: FuncId) -> Result<Vec<Contents>, Stopped> {
        let program = &self.facts.program;
        let activation = self.activation(f, function);
        let objects = program.functions[function].objects.iter();
        objects
            .map(|&object| {
                let (address, size) = (self.address(object, activation)?, self.pointer(program.objects[object].size));
                let parts = self.regions.of_base(Base::Object(object)).to_vec();
                Ok(self.contents_of(f, address, size, parts))
            })
            .collect()
    }

    fn contents_of(&mut self, f: &PathFormula, address: Term, size: Term, parts: Vec<RangePart>) -> Contents {
        let with_value = |part: RangePart| {
            let value = self.value(f, Cell::Region(part.region));
            (part, value)
        };
        Contents { address, size, parts: parts.into_iter().map(with_value).collect() }
    }
}

impl Contents {
    /// The terms that a model must give values to.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        [self.address, self.size].into_iter().chain(self.parts.iter().map(|(_, value)| *value))
    }

    /// Replaces the terms, as when the formula is composed with others.
    pub fn map(&mut self, mut replace: impl FnMut(Term) -> Term) {
        self.address = replace(self.address);
        self.size = replace(self.size);
        for (_, value) in &mut self.parts {
            *value = replace(*value);
        }
    }

    /// The bytes in a model; those that nothing ever reads are zero.
    pub fn bytes(&self, encoder: &Encoder<'_>, model: &Model) -> Vec<u8> {
        let mut evaluator = Evaluator::new(&encoder.terms, model);
        let address = evaluator.value(self.address);
        let size = evaluator.value(self.size).min(LIMIT.into()) as u64;
        let mut bytes = vec![0; size as usize];
        for (part, memory) in &self.parts {
            let region = &encoder.regions.regions[part.region];
            for cells in &part.cells {
                let mut at = cells.first;
                while at.saturating_add(cells.size) <= size {
                    for k in (0..cells.size).step_by(region.width as usize) {
                        let here = address + u128::from(at + k);
                        let element = match region.single {
                            None => evaluator.element(*memory, here),
                            // A pointer to one of several objects may point to another one.
                            Some((base, offset)) => {
                                let own = encoder.base_address(base).map(|base| u128::from(base + offset));
                                if own != Some(here) {
                                    continue;
                                }
                                evaluator.value(*memory)
                            }
                        };
                        let start = (at + k) as usize;
                        let end = start + region.width as usize;
                        bytes[start..end].copy_from_slice(&element.to_le_bytes()[..region.width as usize]);
                    }
                    if cells.stride == 0 {
                        break;
                    }
                    at += cells.stride;
                }
            }
        }
        bytes
    }
}
