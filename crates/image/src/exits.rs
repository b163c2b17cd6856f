//! Single exits of blocks as relations: what relations of clusters are made of, and how a path is walked back.

use crate::circuit::{Circuit, Exit};
use crate::model::{Model, WordSet};
use crate::space::{Space, full};
use robusto_diagram::{Bdd, VarIndex};
use robusto_limits::{Limits, Stopped};
use robusto_logic::blast::aig::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

/// A model with its gates and diagrams.
pub(crate) struct Exits<'m> {
    pub model: &'m Model,
    pub circuit: &'m Circuit,
    pub space: &'m Space,
    /// By location, its code in the counter.
    codes: Vec<Bdd>,
}

impl<'m> Exits<'m> {
    pub fn new(model: &'m Model, circuit: &'m Circuit, space: &'m Space) -> Result<Self, Stopped> {
        let code = |location| space.diagrams.literals(&Space::code(&space.counter, location)).map_err(full);
        let codes = (0..model.places.len()).map(code).collect::<Result<_, _>>()?;
        Ok(Self { model, circuit, space, codes })
    }

    /// The code of a location.
    pub fn code(&self, location: usize) -> &Bdd {
        &self.codes[location]
    }

    /// The set of states at the start.
    pub fn start(&self, limits: &Limits) -> Result<Bdd, Stopped> {
        let diagrams = &self.space.diagrams;
        let mut set = diagrams.top();
        let mut functions = self.space.functions(self.circuit, 0);
        for (word, value) in &self.circuit.start {
            for (&var, &bit) in self.space.now[*word].iter().zip(value) {
                let value = functions.of(bit, limits)?;
                set = diagrams
                    .and(&set, &diagrams.iff(&diagrams.var(var).map_err(full)?, &value).map_err(full)?)
                    .map_err(full)?;
            }
        }
        Ok(set)
    }

    /// The relation of an exit: its guard, where it leads, what it assigns, and which of the given words it keeps.
    pub fn relation(
        &self,
        location: usize,
        exit: &Exit,
        words: &WordSet,
        forget_dead: bool,
        limits: &Limits,
    ) -> Result<Bdd, Stopped> {
        let Self { model, space, .. } = self;
        let diagrams = &space.diagrams;
        let values: FxHashMap<usize, &Vec<Lit>> = exit.assign.iter().map(|(word, value)| (*word, value)).collect();
        let matters = |word: usize| words.contains(word) && (!forget_dead || model.live[exit.to].contains(word));
        let mut functions = space.functions_of_exit(self.circuit, location, exit, matters);
        let mut conjuncts = vec![functions.of(exit.guard, limits)?];
        for word in words.iter().filter(|&word| matters(word)) {
            for (bit, &next) in space.next[word].iter().enumerate() {
                let value = match values.get(&word) {
                    Some(value) => functions.of(value[bit], limits)?,
                    None => diagrams.var(space.now[word][bit]).map_err(full)?,
                };
                let next = diagrams.var(next).map_err(full)?;
                conjuncts.push(diagrams.iff(&next, &value).map_err(full)?);
            }
        }
        conjuncts.push(diagrams.literals(&Space::code(&space.next_counter, exit.to)).map_err(full)?);
        self.product(conjuncts, &functions.inputs(), limits)
    }

    /// The conjunction of some functions, each variable quantified behind the last one that has it.
    pub fn product(
        &self,
        conjuncts: Vec<Bdd>,
        quantified: &FxHashSet<VarIndex>,
        limits: &Limits,
    ) -> Result<Bdd, Stopped> {
        let diagrams = &self.space.diagrams;
        let mut last: FxHashMap<VarIndex, usize> = FxHashMap::default();
        for (number, conjunct) in conjuncts.iter().enumerate().filter(|_| !quantified.is_empty()) {
            let support = diagrams.support(conjunct);
            last.extend(support.into_iter().filter(|var| quantified.contains(var)).map(|var| (var, number)));
        }
        let mut product = diagrams.top();
        for (number, conjunct) in conjuncts.iter().enumerate() {
            limits.look()?;
            let done: Vec<VarIndex> = last.iter().filter(|&(_, &at)| at == number).map(|(&var, _)| var).collect();
            product = diagrams.and_exists(&product, conjunct, &diagrams.cube(&done).map_err(full)?).map_err(full)?;
        }
        Ok(product)
    }

    /// An exit, by location and number, from some of these locations to `at`, and the states of `sources` that it takes to some
    /// of the states there. All sets have the location in the counter.
    pub fn predecessor(
        &self,
        locations: &[usize],
        sources: &Bdd,
        at: usize,
        states: &Bdd,
        limits: &Limits,
    ) -> Result<Option<(usize, usize, Bdd)>, Stopped> {
        let diagrams = &self.space.diagrams;
        // The counter of the states says `at`; what comes before is about another one.
        let states = diagrams.cofactor(states, self.code(at)).map_err(full)?;
        // What dead words are does not matter, and a method may set them to what it likes.
        let dead = (0..self.model.words.len()).filter(|&word| !self.model.live[at].contains(word));
        let dead: Vec<VarIndex> = dead.flat_map(|word| self.space.now[word].iter().copied()).collect();
        let states = diagrams.exists(&states, &diagrams.cube(&dead).map_err(full)?).map_err(full)?;
        for &from in locations {
            let sources = diagrams.cofactor(sources, self.code(from)).map_err(full)?;
            if diagrams.is_false(&sources) {
                continue;
            }
            for (number, exit) in self.circuit.exits[from].iter().enumerate().filter(|(_, exit)| exit.to == at) {
                let before = self.before(from, exit, &states, limits)?;
                let before = diagrams.and(&before, &sources).map_err(full)?;
                if !diagrams.is_false(&before) {
                    return Ok(Some((from, number, diagrams.and(&before, self.code(from)).map_err(full)?)));
                }
            }
        }
        Ok(None)
    }

    /// The states from which an exit leads to some states; both without locations.
    fn before(&self, location: usize, exit: &Exit, states: &Bdd, limits: &Limits) -> Result<Bdd, Stopped> {
        let diagrams = &self.space.diagrams;
        let (relation, pairs) = self.single(location, exit, limits)?;
        let renaming = diagrams.renaming(&pairs).map_err(full)?;
        let next: Vec<VarIndex> =
            pairs.iter().map(|&(_, next)| next).chain(self.space.next_counter.iter().copied()).collect();
        let goal = diagrams.rename(states, &renaming).map_err(full)?;
        diagrams.and_exists(&relation, &goal, &diagrams.cube(&next).map_err(full)?).map_err(full)
    }

    /// The states to which an exit leads from some states of its location; both have the location in the counter.
    pub fn after(&self, location: usize, exit: &Exit, states: &Bdd, limits: &Limits) -> Result<Bdd, Stopped> {
        let diagrams = &self.space.diagrams;
        let (relation, mut pairs) = self.single(location, exit, limits)?;
        pairs.extend(self.space.counter.iter().copied().zip(self.space.next_counter.iter().copied()));
        let now: Vec<VarIndex> = pairs.iter().map(|&(now, _)| now).collect();
        let back: Vec<(VarIndex, VarIndex)> = pairs.iter().map(|&(now, next)| (next, now)).collect();
        let image = diagrams.and_exists(&relation, states, &diagrams.cube(&now).map_err(full)?).map_err(full)?;
        diagrams.rename(&image, &diagrams.renaming(&back).map_err(full)?).map_err(full)
    }

    /// The relation of an exit over the words that it assigns, and their bits now and next.
    fn single(&self, location: usize, exit: &Exit, limits: &Limits) -> Result<(Bdd, Pairs), Stopped> {
        let Self { space, .. } = self;
        let mut words = WordSet::new(self.model.words.len());
        exit.assign.iter().for_each(|(word, _)| words.insert(*word));
        let relation = self.relation(location, exit, &words, true, limits)?;
        let of_word = |word: usize| space.now[word].iter().copied().zip(space.next[word].iter().copied());
        Ok((relation, words.iter().flat_map(of_word).collect()))
    }
}

/// Variables, each with another one.
type Pairs = Vec<(VarIndex, VarIndex)>;
