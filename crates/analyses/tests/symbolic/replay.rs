//! Models of error paths, replayed with the inputs and the memory that they choose.

use crate::follow::compile;
use robusto_analyses::symbolic::{Contents, Encoder, PathFormula};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::DataModel;
use robusto_cpa::control::Location;
use robusto_cpa::{Analysis, Composite, Merge, Order, Run, Step, explore};
use robusto_interp::inputs::Request;
use robusto_interp::{Code, Config, Inputs, Machine, Outcome, Silent, Streams};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Model, Solver, Term};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// One formula per path, with what it chooses.
#[derive(Clone)]
struct Path {
    formula: PathFormula,
    values: Vec<Term>,
    memory: Vec<Contents>,
}

struct Paths<'f> {
    encoder: Encoder<'f>,
    errors: Vec<Path>,
}

impl Analysis for Paths<'_> {
    type State = Path;

    fn initial(&mut self) -> Result<Path, Stopped> {
        let formula = self.encoder.initial();
        let main = self.encoder.facts().program.main.expect("main");
        let memory = self.encoder.contents_of_objects(&formula, main)?;
        Ok(Path { formula, values: Vec::new(), memory })
    }

    fn transfer(&mut self, state: &Path, step: Step) -> Result<Option<Path>, Stopped> {
        let Some(formula) = self.encoder.step(&state.formula, step)? else { return Ok(None) };
        let mut next = state.clone();
        next.values.extend(self.encoder.choice(&state.formula, step));
        next.memory.extend(self.encoder.contents(&state.formula, &formula, step)?);
        next.formula = formula;
        if step.is_error(&self.encoder.facts().program) {
            self.errors.push(next.clone());
        }
        Ok(Some(next))
    }

    fn merge(&mut self, _: &Path, _: &Path, _: Location) -> Result<Merge<Path>, Stopped> {
        Ok(Merge::Keep)
    }

    fn stop(&self, _: &Path, _: &Path) -> Result<bool, Stopped> {
        Ok(false)
    }
}

struct Replay {
    values: VecDeque<u128>,
    memory: VecDeque<Vec<u8>>,
}

impl Inputs for Replay {
    fn value(&mut self, _: Request) -> u128 {
        self.values.pop_front().expect("the path has the value")
    }

    fn fill(&mut self, _: Request, bytes: &mut [u8]) {
        self.fresh(bytes);
    }

    fn fresh(&mut self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.memory.pop_front().expect("the path has the memory"));
    }
}

/// Every error path that the solver finds possible must be an execution; there must be one.
fn check(text: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let facts = Facts::of(compile(text, model));
        let main = facts.program.main.expect("main");
        let mut cpa =
            Composite::new(&facts.program, Paths { encoder: Encoder::new(&facts), errors: Vec::new() }, &facts, 10);
        let (_, run) = explore(&mut cpa, main, Order::DepthFirst, |_| ControlFlow::Continue(()));
        assert!(matches!(run, Run::Complete), "{run:?}");
        let Paths { mut encoder, errors } = cpa.data;
        let mut possible = 0;
        for path in errors {
            let mut solver = Solver::new(&Limits::none());
            if solver.check(&mut encoder.terms, &[path.formula.guard]).expect("nobody cancels") == Answer::Unsat {
                continue;
            }
            possible += 1;
            let model: Model = solver.model(&encoder.terms);
            let value = |&t: &Term| model.get(encoder.terms.as_symbol(t).expect("a symbol"));
            let mut inputs = Replay {
                values: path.values.iter().map(value).collect(),
                memory: path.memory.iter().map(|c| c.bytes(&encoder, &model)).collect(),
            };
            let (mut out, mut err) = (std::io::sink(), std::io::sink());
            let streams = Streams { out: &mut out, err: &mut err };
            let code = Code::new(&facts.program);
            let outcome = Machine::new(&facts.program, &code, Config::default(), &mut inputs, Silent, streams)
                .expect("it can start")
                .run();
            assert!(matches!(outcome, Outcome::ErrorReached { .. }), "{}", outcome.describe(&facts.program));
        }
        assert!(possible > 0, "the error is possible");
    }
}

#[test]
fn uninitialised_memory() {
    check(
        "typedef typeof(sizeof 0) size_t;
        extern void *malloc(size_t); extern unsigned __VERIFIER_nondet_uint(void); extern void __VERIFIER_error(void);
        struct s { int a; char c; short pair[2]; };
        int f(int key) { int inner[20]; struct s x; struct s *p = &x; return inner[key & 15] == 11 && p->pair[key & 1] == 12; }
        int main() {
            int small[2], big[50]; struct s many[6];
            unsigned i = __VERIFIER_nondet_uint();
            char *bytes = malloc(8 + (i & 3));
            struct s *one = malloc(sizeof *one);
            int *words = malloc(sizeof(int) * 30);
            if (i < 6 && big[i + 30] == 7 && small[i & 1] == -5 && many[i].c == 'x' && many[i].pair[1] == 300)
                if (bytes[3] == 'k' && one->a == 77 && one->pair[i & 1] == 9 && words[i] == 1000 + i)
                    if (f(i)) __VERIFIER_error();
        }",
    );
}

#[test]
fn error_paths_through_pointers() {
    check(
        "typedef typeof(sizeof 0) size_t;
        extern void *malloc(size_t); extern unsigned __VERIFIER_nondet_uint(void); extern void __VERIFIER_error(void);
        struct node { int value; struct node *next; };
        int twice(int x) { return 2 * x; } int thrice(int x) { return 3 * x; }
        int main() {
            struct node *list = 0; int sum = 0;
            for (int i = 0; i < 3; i++) {
                struct node *n = malloc(sizeof *n);
                n->value = __VERIFIER_nondet_uint() & 7; n->next = list; list = n;
            }
            int (*f)(int) = list->value > 3 ? twice : thrice;
            for (struct node *n = list; n; n = n->next) sum += f(n->value);
            if (sum == 30 && list->next->value == list->value + 2) __VERIFIER_error();
        }",
    );
}
