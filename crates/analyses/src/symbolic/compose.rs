//! Formulas one after the other.

use super::{Encoder, PathFormula};
use robusto_logic::{Substitution, Term};

impl Encoder<'_> {
    /// A term over the values at the end of a formula's paths, in terms of the values at their start.
    pub fn apply(&mut self, f: &PathFormula, t: Term) -> Term {
        let mut map = Substitution::new();
        for symbol in self.terms.symbols(t) {
            if let Some(value) = self.cell_of(symbol).and_then(|cell| f.env.get(&cell)) {
                map.insert_symbol(&self.terms, symbol, *value);
            }
        }
        self.terms.substitute(t, &mut map)
    }

    /// First one formula's paths, then another's, whose choices are renamed to an instance (0 keeps their names).
    pub fn compose(&mut self, first: &PathFormula, second: &PathFormula, instance: u32) -> PathFormula {
        let mut roots: Vec<Term> = second.env.values().copied().collect();
        roots.push(second.guard);
        let mut map = Substitution::new();
        for t in self.terms.subterms(&roots) {
            let Some(symbol) = self.terms.as_symbol(t) else { continue };
            if self.choices.contains(&symbol) {
                let renamed = self.instance(t, instance);
                map.insert(t, renamed);
            } else if let Some(value) = self.cell_of(symbol).and_then(|cell| first.env.get(&cell)) {
                map.insert(t, *value);
            }
        }
        let mut result = first.clone();
        for (&cell, &value) in &second.env {
            let value = self.terms.substitute(value, &mut map);
            result.env.insert(cell, value);
        }
        let guard = self.terms.substitute(second.guard, &mut map);
        self.restrict(&mut result, guard);
        result.choices += second.choices;
        result.activations = second.activations.clone();
        result
    }

    /// The copy of a choice symbol for an instance; 0 is the symbol itself.
    pub fn instance(&mut self, choice: Term, instance: u32) -> Term {
        if instance == 0 {
            return choice;
        }
        let symbol = self.terms.as_symbol(choice).expect("choices are symbols");
        if let Some(&known) = self.instances.get(&(symbol, instance)) {
            return known;
        }
        let name = format!("{}@{instance}", self.terms.symbol_name(symbol));
        let sort = self.terms.sort(choice);
        let copy = self.terms.symbol(&name, sort);
        self.choices.insert(self.terms.as_symbol(copy).expect("a symbol"));
        self.instances.insert((symbol, instance), copy);
        copy
    }
}
