//! Images and preimages of the steps of small programs fit together.

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{DataModel, Op, VarId};
use robusto_cfa::{Options, compile};
use robusto_cpa::{Effect, Step};
use robusto_diagram::{Bdd, Diagrams, VarIndex};
use robusto_finite::{Meaning, Model};
use robusto_syntax::SourceMap;

fn facts(text: &str) -> Facts {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.to_owned()).expect("small");
    match compile(&mut sources, &[file], Options::new(DataModel::Lp64)) {
        Ok((program, _)) => Facts::of(program),
        Err(errors) => panic!("{}\n{text}", errors[0].render(&sources)),
    }
}

/// Plain and indexed variables, values that depend on their target, parameters that are swapped by recursion.
const PROGRAM: &str = "
    extern unsigned char nondet(void);
    unsigned char g, phase; unsigned wide;
    unsigned char swap(unsigned char a, unsigned char b) {
        if (a > b) return a;
        unsigned char c = a + 1;
        return swap(b, c);
    }
    unsigned char next(unsigned char mode) {
        switch (mode) { case 3: return 7; case 7: return 11; default: return 3; }
    }
    int main() {
        unsigned char x = nondet(), y = x;
        while (phase != 11) {
            phase = next(phase);
            y = y + x; x = x ^ 3; x = 2 * x;
            if (x > 5 && (y == 2 || g < x)) { g = swap(x, y); wide = wide + g; } else { x = nondet(); }
            if (wide == 70000) return 1;
        }
        return 0;
    }";

/// All steps of a program.
fn steps(facts: &Facts, blocks: &Model<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    for (function, body) in facts.program.functions.enumerate() {
        for (edge, e) in body.edges().enumerate() {
            match e.op {
                Op::Call { .. } => {
                    let site = facts.calls.site(function, edge).expect("every call");
                    for &callee in &site.callees {
                        steps.push(Step::Enter { caller: function, edge, callee });
                        steps.push(Step::Leave { callee, caller: function, edge });
                    }
                }
                _ => steps.push(Step::Edge(function, edge)),
            }
        }
        for from in body.locs() {
            let exits = blocks.blocks()[function][from].iter().flat_map(|block| block.exits.clone());
            steps.extend(exits.map(|to| Step::Block {
                function,
                from,
                to,
                edge: body.out(from).next().expect("a test").0,
            }));
        }
    }
    steps
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A union of a few cubes over some bits, of which two thirds are among the first.
    fn set(&mut self, d: &Diagrams, bits: &[VarIndex], first: usize) -> Bdd {
        let mut set = d.bottom();
        for _ in 0..1 + self.below(2) {
            let mut literals: Vec<(VarIndex, bool)> = Vec::new();
            for _ in 0..3 + self.below(8) {
                let among = if self.below(3) > 0 && first > 0 { first } else { bits.len() };
                let bit = bits[self.below(among as u64) as usize];
                if literals.iter().all(|&(known, _)| known != bit) {
                    literals.push((bit, self.below(2) == 1));
                }
            }
            set = d.or(&set, &d.literals(&literals).expect("room")).expect("room");
        }
        set
    }
}

#[test]
fn images_and_preimages_are_dual() {
    let facts = facts(PROGRAM);
    let mut model = Model::new(&facts, Default::default());
    let mut random = Random(7);
    let bits = |model: &Model<'_>, wanted: &dyn Fn(VarId) -> bool| -> Vec<VarIndex> {
        let codes = facts.program.vars.ids().filter(|&v| wanted(v)).filter_map(|v| model.encoding().get(v));
        codes.flat_map(|code| code.bits.clone()).collect()
    };
    let (mut met, mut missed) = (0, 0);
    let all = steps(&facts, &model);
    for &step in &all {
        let effect = Effect::of(&facts, step);
        let lost = effect.overlaid(&facts, step);
        let assigned = |v: VarId| effect.assign.iter().any(|&(a, _)| a == v);
        let kept = |v: VarId| (assigned(v) || !effect.dying.contains(&v)) && !lost.contains(&v);
        let transition = model.transition(step).expect("room");
        // The bits that the step changes come first.
        let changed = bits(&model, &|v| assigned(v) && kept(v));
        let others = |wanted: &dyn Fn(VarId) -> bool| bits(&model, &|v| wanted(v) && !(assigned(v) && kept(v)));
        let before = [changed.clone(), others(&|_| true)].concat();
        let after = [changed.clone(), others(&kept)].concat();
        for _ in 0..30 {
            let d = model.diagrams();
            let (source, target) = (random.set(d, &before, changed.len()), random.set(d, &after, changed.len()));
            let image = model.image(&source, &transition).expect("room");
            let preimage = model.preimage(&target, &transition).expect("room");
            let forwards = !d.disjoint(&image, &target);
            assert_eq!(forwards, !d.disjoint(&source, &preimage), "{step:?} {effect:?}");
            *(if forwards { &mut met } else { &mut missed }) += 1;
            // What is forgotten and what belongs to nobody is not constrained.
            let support = d.support(&image);
            assert!(support.iter().all(|bit| after.contains(bit)), "{step:?} {effect:?}");
        }
    }
    assert!(met > 100 && missed > 100, "{met} {missed}");
    assert!(all.iter().any(|step| matches!(step, Step::Block { .. })));
}

#[test]
fn variables_take_the_bits_that_their_class_needs() {
    let facts = facts(PROGRAM);
    let model = Model::new(&facts, Default::default());
    let code = |name: &str| {
        let (var, _) = facts.program.vars.enumerate().find(|(_, v)| &*v.name == name).expect("declared");
        model.encoding().get(var).expect("tracked")
    };
    assert!(matches!(code("phase").meaning, Meaning::Index { .. }));
    assert!(code("phase").bits.len() < 8 && code("phase").next.is_empty());
    assert_eq!((code("wide").bits.len(), code("wide").next.len()), (32, 32));
    // Current and next bits alternate, the most significant on top.
    let wide = code("wide");
    assert!(wide.bits.iter().zip(&wide.next).all(|(bit, next)| bit < next));
    assert!(wide.bits.windows(2).all(|pair| pair[0] > pair[1]));
}
