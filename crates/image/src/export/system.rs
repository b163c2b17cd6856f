//! The model as one transition system.

use crate::model::{Model, Place};
use robusto_cfa::ir::{Op, Program};
use robusto_limits::Stopped;
use robusto_logic::blast::float::spell_out;
use robusto_logic::{Node, Sort, Substitution, Term, Terms};
use rustc_hash::FxHashSet;

/// A state variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in every format.
    pub name: String,
    /// What it is in the program.
    pub meaning: String,
    /// Its value before a step.
    pub symbol: Term,
    /// Its value at the start, if that is not arbitrary.
    pub start: Option<u128>,
}

/// A choice.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name in every format.
    pub name: String,
    /// What it is in the model.
    pub meaning: String,
    /// Its value in a step.
    pub symbol: Term,
}

/// A value of the counter.
#[derive(Clone, Debug)]
pub struct Location {
    /// What it is, for people.
    pub meaning: String,
    /// The name of its bad state, if it must not be reached.
    pub bad: Option<String>,
}

/// A way out of a location.
#[derive(Clone, Debug)]
pub(super) struct Exit {
    pub guard: Term,
    pub to: usize,
    /// By variable.
    pub assign: Vec<(usize, Term)>,
}

/// The model, with names, over inputs and state variables only.
pub struct System {
    pub(super) terms: Terms,
    /// The counter's value before a step.
    pub(super) counter: Term,
    /// The state, the counter aside: the words of the model in their order.
    pub variables: Vec<Variable>,
    /// The choices.
    pub inputs: Vec<Input>,
    /// The locations of the model in their order; the system starts at the first.
    pub locations: Vec<Location>,
    /// The exits of the model in their order.
    pub(super) exits: Vec<Vec<Exit>>,
}

/// The name of the counter.
pub(super) const COUNTER: &str = "pc";

impl System {
    /// The system of a model.
    pub fn of(program: &Program, model: &Model) -> Result<Self, Stopped> {
        let mut terms = model.terms.clone();
        let exits = interpreted(&mut terms, model);
        let mut names = Names::default();
        let mut variables = Vec::with_capacity(model.words.len());
        for word in &model.words {
            let name = names.give("w_", &word.name);
            variables.push(Variable { name, meaning: word.name.clone(), symbol: word.symbol, start: None });
        }
        for &(word, value) in &model.start {
            let Some(value) = terms.as_const(value) else {
                return Err(Stopped::Unsupported(format!(
                    "a start value of {} that is no constant",
                    variables[word].meaning
                )));
            };
            variables[word].start = Some(value);
        }
        // Nobody looks at what is dead: with a value, other tools have fewer starts to consider.
        for (number, variable) in variables.iter_mut().enumerate() {
            if !model.live[0].contains(number) {
                variable.start.get_or_insert(0);
            }
        }
        let state: FxHashSet<Term> = variables.iter().map(|variable| variable.symbol).collect();
        let roots: Vec<Term> = exits.iter().flatten().flat_map(Exit::terms).collect();
        let mut inputs = Vec::new();
        for t in terms.subterms(&roots) {
            if let Some(symbol) = terms.as_symbol(t)
                && !state.contains(&t)
            {
                let meaning = terms.symbol_name(symbol).to_owned();
                inputs.push(Input { name: names.give("i_", &meaning), meaning, symbol: t });
            }
        }
        let locations = model.places.iter().map(|place| location(program, place, &mut names)).collect();
        let counter = terms.symbol("counter!", Sort::Bits(model.counter_bits().max(1) as u16));
        Ok(Self { terms, counter, variables, inputs, locations, exits })
    }

    /// The width of a variable or an input.
    pub fn width(&self, symbol: Term) -> u16 {
        self.terms.width(symbol)
    }

    /// The locations that must not be reached, with the names of their bad states.
    pub(super) fn bad(&self) -> Vec<(usize, String)> {
        let all = self.locations.iter().enumerate();
        all.filter_map(|(number, location)| Some((number, location.bad.clone()?))).collect()
    }

    /// Whether the counter is at a location.
    pub(super) fn is_at(&mut self, location: usize) -> Term {
        let number = self.terms.constant(self.terms.width(self.counter), location as u128);
        self.terms.eq(self.counter, number)
    }

    /// The next value of the counter and of each variable: a tree of ifs over the counter's bits, with what keeps its value
    /// left out. Numbers that are no location's keep everything, so that a state that cannot be stays one that cannot be.
    pub(super) fn next(&mut self) -> (Term, Vec<Term>) {
        let width = self.terms.width(self.counter);
        let bits: Vec<Term> = (0..width).map(|bit| self.terms.extract(self.counter, bit, 1)).collect();
        let mut counter = Vec::new();
        let mut assigned: Vec<Vec<(usize, Term)>> = vec![Vec::new(); self.variables.len()];
        for (from, block) in self.exits.iter().enumerate() {
            // One of the guards holds, so that the last one need not be asked.
            let mut to = None;
            for exit in block.iter().rev() {
                let number = self.terms.constant(width, exit.to as u128);
                to = Some(to.map_or(number, |others| self.terms.ite(exit.guard, number, others)));
                for &(variable, value) in &exit.assign {
                    let others = match assigned[variable].last() {
                        Some(&(location, others)) if location == from => {
                            assigned[variable].pop();
                            others
                        }
                        _ => self.variables[variable].symbol,
                    };
                    let value = self.terms.ite(exit.guard, value, others);
                    assigned[variable].push((from, value));
                }
            }
            counter.extend(to.map(|to| (from, to)));
        }
        let next = select(&mut self.terms, &bits, 0, &counter, self.counter);
        let all = assigned.iter().zip(&self.variables);
        (next, all.map(|(values, variable)| select(&mut self.terms, &bits, 0, values, variable.symbol)).collect())
    }
}

impl Exit {
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        self.assign.iter().map(|&(_, value)| value).chain([self.guard])
    }
}

/// The value of the location whose number has these bits above those of `first`; `otherwise` if there is none. It recurses over
/// the bits of the counter.
fn select(terms: &mut Terms, bits: &[Term], first: usize, values: &[(usize, Term)], otherwise: Term) -> Term {
    let (Some((&bit, lower)), false) = (bits.split_last(), values.is_empty()) else {
        return values.first().map_or(otherwise, |&(_, value)| value);
    };
    let middle = first + (1 << lower.len());
    let (low, high) = values.split_at(values.partition_point(|&(location, _)| location < middle));
    let low = select(terms, lower, first, low, otherwise);
    let high = select(terms, lower, middle, high, otherwise);
    terms.ite(bit, high, low)
}

/// The exits, with operators on floats as gates: the formats know none.
fn interpreted(terms: &mut Terms, model: &Model) -> Vec<Vec<Exit>> {
    let all = model.exits.iter().flatten();
    let roots: Vec<Term> =
        all.flat_map(|exit| exit.assign.iter().map(|&(_, value)| value).chain([exit.guard])).collect();
    let mut meaning = Substitution::new();
    let mut all = terms.subterms(&roots);
    all.sort_unstable();
    for t in all {
        // Operands come first, and are without floats then.
        if let Node::Float(..) = terms.node(t) {
            let built = terms.substitute(t, &mut meaning);
            let gates = if let Node::Float(..) = terms.node(built) { spell_out(terms, built) } else { built };
            meaning.insert(t, gates);
        }
    }
    let mut exits = Vec::with_capacity(model.exits.len());
    for block in &model.exits {
        let mut out = Vec::with_capacity(block.len());
        for exit in block {
            let guard = terms.substitute(exit.guard, &mut meaning);
            let assign = exit.assign.iter().map(|&(word, value)| (word, terms.substitute(value, &mut meaning)));
            out.push(Exit { guard, to: exit.to, assign: assign.collect() });
        }
        exits.push(out);
    }
    exits
}

/// What a location is, and whether it is bad.
fn location(program: &Program, place: &Place, names: &mut Names) -> Location {
    match place {
        Place::Control(calls, at) => {
            let function = &program.functions[at.function];
            let line = function.out(at.loc).map(|(_, edge)| edge.pos.line).find(|&line| line > 0);
            let line = line.map(|line| format!(" line {line}")).unwrap_or_default();
            let callers: Vec<&str> = calls.iter().map(|&(caller, _)| &*program.functions[caller].name).collect();
            let callers =
                if callers.is_empty() { String::new() } else { format!(" called from {}", callers.join(", ")) };
            Location { meaning: format!("{}{line}{callers}", function.name), bad: None }
        }
        Place::End => Location { meaning: "end".to_owned(), bad: None },
        Place::Target(function, edge) => {
            let edge = program.functions[*function].edge(*edge);
            let (line, column) = (edge.pos.line, edge.pos.column);
            let (prefix, what) = match &edge.op {
                Op::Error(kind) => ("violation_", kind.name()),
                _ => ("unmodelled_", "step"),
            };
            let name = names.give(prefix, &format!("{what}_{line}_{column}"));
            Location { meaning: format!("{what} at {line}:{column}"), bad: Some(name) }
        }
        Place::Gap(what) => Location { meaning: format!("not modelled: {what}"), bad: Some(names.give("gap_", what)) },
        Place::Bound(what, most) => Location {
            meaning: format!("beyond the bound on {what}, which is {most}"),
            bad: Some(names.give("bound_", what)),
        },
    }
}

/// Names that every format takes: letters, digits and underscores, none twice.
#[derive(Default)]
struct Names(FxHashSet<String>);

impl Names {
    /// Longest name, the number that keeps it apart not counted.
    const LONGEST: usize = 80;

    /// A name for something that is called so elsewhere. The prefix keeps it apart from the words of the formats.
    fn give(&mut self, prefix: &str, from: &str) -> String {
        let plain: String =
            from.chars().take(Self::LONGEST).map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let plain = format!("{prefix}{}", plain.trim_end_matches('_'));
        let mut name = plain.clone();
        let mut number = 1;
        while !self.0.insert(name.clone()) {
            number += 1;
            name = format!("{plain}_{number}");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_logic::{Evaluator, Model as Values};

    /// Location 0 goes to 1 or to the sink 2, location 1 doubles a word and goes back; the number 3 is no location's.
    fn system() -> System {
        let mut terms = Terms::new();
        let counter = terms.symbol("counter!", Sort::Bits(2));
        let [x, choice] = ["x", "choice"].map(|name| terms.symbol(name, Sort::Bits(8)));
        let zero = terms.constant(8, 0);
        let stops = terms.eq(choice, zero);
        let goes = terms.not(stops);
        let twice = terms.add(x, x);
        let yes = terms.yes();
        let exits = vec![
            vec![
                Exit { guard: goes, to: 1, assign: Vec::new() },
                Exit { guard: stops, to: 2, assign: vec![(0, zero)] },
            ],
            vec![Exit { guard: yes, to: 0, assign: vec![(0, twice)] }],
            Vec::new(),
        ];
        let location = |bad: Option<&str>| Location { meaning: String::new(), bad: bad.map(str::to_owned) };
        System {
            terms,
            counter,
            variables: vec![Variable { name: "w_x".into(), meaning: "x".into(), symbol: x, start: None }],
            inputs: vec![Input { name: "i_choice".into(), meaning: "choice".into(), symbol: choice }],
            locations: vec![location(None), location(None), location(Some("violation_x"))],
            exits,
        }
    }

    /// The paper's Table 1, read literally, sends unused numbers and ends to location 0.
    #[test]
    fn sinks_and_unused_numbers_stay_where_they_are() {
        let mut system = system();
        let (counter, words) = system.next();
        let next = |at: u128, x: u128, choice: u128| {
            let mut values = Values::new();
            for (symbol, value) in
                [(system.counter, at), (system.variables[0].symbol, x), (system.inputs[0].symbol, choice)]
            {
                values.set(system.terms.as_symbol(symbol).expect("a symbol"), value);
            }
            let mut evaluator = Evaluator::new(&system.terms, &values);
            (evaluator.value(counter), evaluator.value(words[0]))
        };
        assert_eq!([next(0, 7, 1), next(0, 7, 0), next(1, 7, 0)], [(1, 7), (2, 0), (0, 14)]);
        assert_eq!([next(2, 7, 1), next(2, 7, 0)], [(2, 7), (2, 7)], "a sink");
        assert_eq!([next(3, 7, 1), next(3, 7, 0)], [(3, 7), (3, 7)], "no location");
    }

    #[test]
    fn names_are_plain_and_differ() {
        let mut names = Names::default();
        let given = ["f::x", "f__x", "memory0[0x10]", "next"].map(|from| names.give("w_", from));
        assert_eq!(given, ["w_f__x", "w_f__x_2", "w_memory0_0x10", "w_next"]);
    }
}
