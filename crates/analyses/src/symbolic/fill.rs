//! The bytes that a model chooses for memory.

use super::expr::Scene;
use super::{Cell, Encoder, PathFormula};
use robusto_cfa::ir::Op;
use robusto_cpa::{Step, Stopped};
use robusto_logic::{Evaluator, Model, Node};

impl Encoder<'_> {
    /// The bytes that a `HavocMem` step writes in a model when it is taken after some paths, with their offsets from the
    /// start of the range. Bytes that no later read depends on are left out.
    pub fn filled(&mut self, before: &PathFormula, step: Step, model: &Model) -> Result<Vec<(u64, u8)>, Stopped> {
        let Step::Edge(function, edge) = step else { return Ok(Vec::new()) };
        let Op::HavocMem { addr, size, .. } = step.edge(&self.facts.program).op else { return Ok(Vec::new()) };
        let mut scene = Scene::new(before, function, step);
        let (addr, size) = (self.eval(&mut scene, addr)?, self.eval(&mut scene, size)?);
        let Some(after) = self.step(before, step)? else { return Ok(Vec::new()) };
        let parts = self.regions.of_range(function, edge).to_vec();
        let fixed_size = self.terms.as_const(size);
        let mut values = Evaluator::new(&self.terms, model);
        let (to, bytes) = (values.value(addr), values.value(size));
        let mut filled = Vec::new();
        for part in parts {
            let region = &self.regions.regions[part.region];
            let Some(&memory) = after.env.get(&Cell::Region(part.region)) else { continue };
            let width = region.width;
            let mut write = |at: u128, value: u128| {
                for k in 0..u128::from(width) {
                    if at + k < bytes {
                        filled.push(((at + k) as u64, (value >> (8 * k)) as u8));
                    }
                }
            };
            if let Some((object, offset)) = region.single {
                let own = self.addresses.object(object, 0).map(|base| u128::from(base + offset));
                if let Some(at) = own.and_then(|own| own.checked_sub(to)) {
                    write(at, values.value(memory));
                }
            } else if let (Some(places), Some(_)) = (&part.places, fixed_size) {
                for &place in places {
                    write(place.into(), values.element(memory, to + u128::from(place)));
                }
            } else if let Node::Splice { source, .. } = self.terms.node(memory)
                && let Some(chosen) = self.terms.as_symbol(source).and_then(|symbol| model.array(symbol))
            {
                for (&index, &value) in &chosen.elements {
                    if let Some(at) = index.checked_sub(to) {
                        write(at, value);
                    }
                }
            }
        }
        Ok(filled)
    }
}
