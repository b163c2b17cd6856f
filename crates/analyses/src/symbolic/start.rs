//! Where paths start: the program's initial state, and blocks.

use super::expr::Scene;
use super::{Cell, Encoder, PathFormula, RegionId};
use imbl::OrdMap;
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::ir::{EdgeId, FuncId, Image, ObjId, ObjectKind, RelocTarget, VarKind};
use robusto_cpa::Step;
use robusto_logic::{BinaryOp, Node, Term};

/// Statics of at most this many elements are written element by element over arbitrary memory.
const FEW: u64 = 16;

impl Encoder<'_> {
    /// The start of a block that follows some paths: every cell has its input as value.
    pub fn identity(&mut self, at: &PathFormula) -> PathFormula {
        PathFormula::empty(self.terms.yes(), at.activations.clone())
    }

    /// The same, where something is known of the inputs: those with one value have that, so that the formulas of the block
    /// are simplified by it.
    pub fn identity_where(&mut self, at: &PathFormula, known: Term) -> PathFormula {
        let mut f = self.identity(at);
        for conjunct in self.terms.conjuncts(known) {
            if let Node::Binary(BinaryOp::Eq, input, value) = self.terms.node(conjunct)
                && self.terms.as_const(value).is_some()
                && let Some(cell) = self.terms.as_symbol(input).and_then(|symbol| self.cell_of(symbol))
            {
                f.env.insert(cell, value);
            }
        }
        f
    }

    /// The start of the program. Globals and static objects have their initial values; parameters of `main`,
    /// uninitialised variables, and memory of locals and heap objects have arbitrary values, namely their inputs.
    pub fn initial(&mut self) -> PathFormula {
        let facts = self.facts;
        let program = &facts.program;
        let main = program.main.filter(|&main| self.counts_calls(main));
        let activations: OrdMap<FuncId, u32> = main.into_iter().map(|main| (main, 1u32)).collect();
        let mut f = PathFormula::empty(self.terms.yes(), activations);
        let live = program.main.map(|main| facts.liveness.at(main, program.functions[main].entry));
        // Initial values are constants and addresses of statics; they need no step.
        let nowhere = PathFormula::empty(self.terms.yes(), OrdMap::new());
        let mut scene = Scene::new(&nowhere, FuncId::FIRST, Step::Edge(FuncId::FIRST, EdgeId::FIRST));
        for (var, info) in program.vars.enumerate() {
            let VarKind::Global(init) = info.kind else { continue };
            if live.is_none_or(|live| live.contains(var)) {
                let value = self.eval(&mut scene, init).expect("statics have addresses");
                f.env.insert(Cell::Var(var, 0), value);
            }
        }
        for region in self.regions.regions.ids() {
            if self.regions.regions[region].read && !self.regions.regions[region].statics.is_empty() {
                let value = self.initial_memory(region);
                f.env.insert(Cell::Region(region), value);
            }
        }
        let top = self.pointer(self.objects.start);
        f.env.insert(Cell::HeapTop, top);
        self.begin_claims(&mut f);
        f
    }

    fn initial_memory(&mut self, region: RegionId) -> Term {
        let facts = self.facts;
        let description = self.regions.regions[region].clone();
        let width = description.width;
        if let Some((Base::Object(object), at)) = description.single {
            let bytes = self.image(object);
            return self.word(&bytes, at, width);
        }
        let index = u16::from(facts.program.model.pointer_bits());
        let zero = self.terms.constant(8 * width as u16, 0);
        let zeros = self.terms.const_array(index, zero);
        let mut memory = if description.others { self.input(Cell::Region(region)) } else { zeros };
        for (object, phases) in description.statics {
            let size = facts.program.objects[object].size;
            let base = self.addresses.object(object, 0).expect("statics have addresses");
            let bytes = self.image(object);
            let few = size / width * phases.len() as u64 <= FEW;
            if description.others && !few {
                let (to, from, size) = (self.pointer(base), self.pointer(0), self.pointer(size));
                memory = self.terms.splice(memory, zeros, to, from, size);
            }
            for phase in phases {
                let end = if description.others && few { size } else { bytes.len() as u64 };
                for at in (phase..end).step_by(width as usize).filter(|at| at + width <= size) {
                    let value = self.word(&bytes, at, width);
                    if value != zero || (description.others && few) {
                        let at = self.pointer(base + at);
                        memory = self.terms.store(memory, at, value);
                    }
                }
            }
        }
        memory
    }

    /// The initial bytes of a static object; those beyond are zero.
    fn image(&self, object: ObjId) -> Vec<u8> {
        let program = &self.facts.program;
        let (ObjectKind::Global(Image { bytes, relocations }) | ObjectKind::Constant(Image { bytes, relocations })) =
            &program.objects[object].kind
        else {
            unreachable!("only statics have images")
        };
        let mut bytes = bytes.clone();
        let width = usize::from(program.model.pointer_bits() / 8);
        for relocation in relocations {
            let target = match relocation.target {
                RelocTarget::Object(object) => self.addresses.object(object, 0).expect("statics have addresses"),
                RelocTarget::Function(function) => self.addresses.function(function),
            };
            let at = relocation.offset as usize;
            if bytes.len() < at + width {
                bytes.resize(at + width, 0);
            }
            let address = target.wrapping_add_signed(relocation.addend).to_le_bytes();
            bytes[at..at + width].copy_from_slice(&address[..width]);
        }
        bytes
    }

    /// A little-endian number of an image.
    fn word(&mut self, bytes: &[u8], at: u64, width: u64) -> Term {
        let value = (0..width).rev().fold(0u128, |value, k| {
            let byte = bytes.get((at + k) as usize).copied().unwrap_or(0);
            value << 8 | u128::from(byte)
        });
        self.terms.constant(8 * width as u16, value)
    }
}
