//! Random operations of octagons or polyhedra with operands, results and times, for `scripts/numeric-vs-ppl`:
//! `cargo run --release -p robusto-domains --example numeric_trace octagon|polyhedron VARIABLES OPERATIONS SEED`.
//!
//! States grow as those of an analysis do: by assignments, conditions and joins of earlier states. A state is `settled`, which for
//! polyhedra means that both forms are there and minimal, before an operation and within its time. Each operation is written as
//!
//! | line | meaning |
//! |---|---|
//! | `case OPERATION NANOSECONDS` | the best of some runs |
//! | `state K` | K lines follow, or it is empty if K is -1: operands, then the result |
//! | `= c a…`, `<= c a…` | c + Σ a·x = 0, or ≤ 0: of a state, or the condition |
//! | `:= x c a…` | the assignment: x becomes c + Σ a·x; or the projection |
//! | `answer 0`, `answer 1` | the result of a comparison |

use robusto_domains::blocks::Block;
use robusto_domains::octagon::Matrix;
use robusto_domains::polyhedron::Convex;
use robusto_domains::{Blocks, Constraint, Ideal, Lattice, Order, Sum, Thresholds};
use robusto_testing::Random;
use std::time::Instant;

/// How often an operation is measured.
const RUNS: usize = 7;

/// States with more constraints are not used any further: single operations on them would be all that one sees.
const LARGEST: usize = 24;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [domain, variables, operations, seed] = &arguments[..] else { panic!("domain, variables, operations, seed") };
    let number = |text: &String| text.parse::<usize>().expect("a number");
    let trace = Trace { variables: number(variables), octagonal: domain == "octagon" };
    println!("{domain} {variables}");
    let random = Random::new(number(seed) as u64);
    if trace.octagonal {
        trace.run::<Matrix>(number(operations), random);
    } else {
        trace.run::<Convex>(number(operations), random);
    }
}

struct Trace {
    variables: usize,
    octagonal: bool,
}

type State<B> = Blocks<usize, B>;

impl Trace {
    fn run<B: Block>(&self, operations: usize, mut random: Random) {
        let mut states: Vec<State<B>> = vec![State::top()];
        for some in 1..=self.variables {
            // As ranges of a type would do it.
            let bounds = (0..some).flat_map(|x| [(x, 1, -100), (x, -1, 0)]);
            states.push(bounds.fold(State::top(), |state, (x, sign, constant)| {
                let sum = Sum::new(constant, [(x, sign)]).expect("small numbers");
                state.assume(&Constraint { sum, order: Order::AtMost })
            }));
        }
        for _ in 0..operations {
            let (a, b) = (random.pick(&states), random.pick(&states));
            let result = self.operation(&a, &b, &mut random);
            let small = result.constraints().is_some_and(|all| all.len() <= LARGEST);
            if small && states.len() < 32 {
                states.push(result);
            } else if small {
                let place = 1 + random.below(states.len() - 1);
                states[place] = result;
            }
        }
    }

    fn operation<B: Block>(&self, a: &State<B>, b: &State<B>, random: &mut Random) -> State<B> {
        match random.below(10) {
            0..=2 => {
                let order = random.pick(&[Order::AtMost, Order::AtMost, Order::Equal]);
                let constraint = Constraint { sum: self.sum(random, 2), order };
                let (time, result) = measure(|| a.assume(&constraint).settled());
                println!("case assume {time}");
                self.state(a);
                println!("{}", self.row(&constraint));
                self.state(&result);
                result
            }
            3..=5 => {
                let (x, sum) = (random.below(self.variables), self.sum(random, 1));
                let (time, result) = measure(|| a.assign(&[(x, sum.clone())]).settled());
                println!("case assign {time}");
                self.state(a);
                println!(":= {x} {}", self.entries(&sum));
                self.state(&result);
                result
            }
            6 => {
                let x = random.below(self.variables);
                let (time, result) = measure(|| a.project(&[x]).settled());
                println!("case project {time}");
                self.state(a);
                println!(":= {x} {}", self.entries(&Sum::constant(0)));
                self.state(&result);
                result
            }
            7 => {
                let (time, answer) = measure(|| a.leq(b));
                println!("case leq {time}");
                self.state(a);
                self.state(b);
                println!("answer {}", u8::from(answer));
                let (time, result) = measure(|| a.meet(b).settled());
                println!("case meet {time}");
                [a, b, &result].into_iter().for_each(|state| self.state(state));
                result
            }
            8 => {
                let (time, result) = measure(|| a.join(b).settled());
                println!("case join {time}");
                [a, b, &result].into_iter().for_each(|state| self.state(state));
                result
            }
            _ => {
                // Without thresholds, and with the join made before, as the other package wants it.
                let join = a.join(b).settled();
                let (time, result) = measure(|| a.widen(&join, &Thresholds::NONE).settled());
                println!("case widen {time}");
                [a, &join, &result].into_iter().for_each(|state| self.state(state));
                result
            }
        }
    }

    fn state<B: Block>(&self, state: &State<B>) {
        let Some(constraints) = state.constraints() else {
            println!("state -1");
            return;
        };
        println!("state {}", constraints.len());
        constraints.iter().for_each(|constraint| println!("{}", self.row(constraint)));
    }

    fn row(&self, constraint: &Constraint<usize>) -> String {
        let order = if constraint.order == Order::Equal { "=" } else { "<=" };
        format!("{order} {}", self.entries(&constraint.sum))
    }

    fn entries(&self, sum: &Sum<usize>) -> String {
        let mut entries = vec![0; self.variables + 1];
        entries[0] = sum.offset();
        sum.terms().iter().for_each(|&(x, k)| entries[x + 1] = k);
        entries.iter().map(i128::to_string).collect::<Vec<_>>().join(" ")
    }

    /// An octagon gets one or two variables with ±1, as the other package approximates other sums in its own way. A condition
    /// has coefficients without a common factor: the other package does not round to integers.
    fn sum(&self, random: &mut Random, octagonal_terms: usize) -> Sum<usize> {
        loop {
            let sum = self.any_sum(random, octagonal_terms);
            if sum.terms().iter().any(|term| term.1.abs() == 1) {
                return sum;
            }
        }
    }

    fn any_sum(&self, random: &mut Random, octagonal_terms: usize) -> Sum<usize> {
        let constant = i128::from(random.below(40)) - 20;
        let (coefficients, most): (&[i128], usize) =
            if self.octagonal { (&[1, -1], octagonal_terms) } else { (&[1, 1, 1, -1, -1, 2, -3], 3) };
        let terms: Vec<(usize, i128)> =
            (0..1 + random.below(most)).map(|_| (random.below(self.variables), random.pick(coefficients))).collect();
        Sum::new(constant, terms).expect("small numbers")
    }
}

fn measure<T>(run: impl Fn() -> T) -> (u128, T) {
    let mut best = None;
    for _ in 0..RUNS {
        let start = Instant::now();
        let result = run();
        let time = start.elapsed().as_nanos();
        if best.as_ref().is_none_or(|(least, _)| time < *least) {
            best = Some((time, result));
        }
    }
    best.expect("there are some runs")
}
