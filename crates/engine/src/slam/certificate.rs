//! The certificate of summaries: what the engine of Boolean programs has proved, with predicates for variables.

use super::known::Known;
use super::names::Names;
use super::precision::{Precision, at_entry};
use crate::certificate::{entry, formula};
use crate::procedures::{CutId, Procedures};
use robusto_analyses::symbolic::Encoder;
use robusto_boolprog::Program;
use robusto_boolprog::certificate::{Proof, Relation};
use robusto_boolprog::program::{Formula, ProcId, Term as Boolean, VarId};
use robusto_cfa::ir::FuncId;
use robusto_logic::{Sort, Substitution, Term};
use robusto_verdict::Certificate;
use robusto_verdict::certificate::Summary;
use rustc_hash::FxHashMap;

/// The certificate; `None` if the proof speaks of something that has no meaning for the program.
pub fn certificate(
    encoder: &mut Encoder<'_>,
    procedures: &Procedures<'_>,
    (precision, facts): (&Precision, &Known),
    names: &Names,
    program: &Program,
    proof: &Proof,
) -> Option<Certificate> {
    let offset = program.procedures.len() - procedures.list.len();
    let c_program = &encoder.facts().program;
    let name = |function: FuncId| c_program.functions[function].name.to_string();
    let (mut summaries, mut entries) = (Vec::new(), Vec::new());
    for (number, procedure) in procedures.list.iter().enumerate() {
        let id = ProcId((number + offset) as u32);
        // What is never entered may demand that it is not.
        let Some(known) = proof.procedures.get(&id) else {
            let [pre, post] = ["false", "true"].map(str::to_owned);
            summaries.push(Summary { function: name(procedure.function), pre, post });
            continue;
        };
        let (scopes, own) = (&precision.of[number], &names.of[number]);
        let old: Vec<Term> = scopes.entry.iter().map(|&t| at_entry(encoder, t)).collect();
        let formal = |var: VarId, list: &[Term]| list.get(var.index().checked_sub(program.globals.len())?).copied();
        let pre = term(encoder, &known.entries, |leaf| match leaf {
            Leaf::Entry(var) => formal(var, &scopes.entry),
            Leaf::Now(_) => None,
        })?;
        let result = |var: VarId| (0..scopes.exit.len()).find(|&i| program.result(id, i) == var);
        let post = relation(encoder, &known.summary, |leaf| match leaf {
            Leaf::Entry(var) => formal(var, &old),
            Leaf::Now(var) => result(var).map(|i| scopes.exit[i]),
        })?;
        let [pre, post] = [(pre, CutId::ENTRY), (post, CutId::EXIT)].map(|(term, cut)| {
            let all = encoder.terms.and(term, facts.at(number, cut));
            formula::print(encoder, all)
        });
        summaries.push(Summary { function: name(procedure.function), pre, post });
        let labels: FxHashMap<&str, usize> = own.cuts.iter().enumerate().map(|(i, label)| (&**label, i)).collect();
        let locals: FxHashMap<&str, usize> = own.local.iter().enumerate().map(|(i, name)| (&**name, i)).collect();
        for (&node, here) in &known.heads {
            let mut at_node = program.procedure(id).labels.iter().filter(|label| label.node == node);
            let number_of_cut = at_node.find_map(|label| labels.get(&*label.name).copied())?;
            let cut = &procedure.cuts[number_of_cut];
            // A variable that is not tracked here has an old value, which says nothing: it may be either.
            let tracked = &scopes.tracked[number_of_cut];
            let stale: Vec<Term> =
                (0..own.local.len()).map(|i| encoder.terms.symbol(&format!("stale!{i}"), Sort::BOOL)).collect();
            let here = relation(encoder, here, |leaf| match leaf {
                Leaf::Entry(var) => formal(var, &old),
                Leaf::Now(var) => match locals.get(&*program.variable(id, var).name) {
                    Some(i) if tracked.contains(i) => Some(scopes.local[*i]),
                    Some(&i) => Some(stale[i]),
                    None => formal(var, &old),
                },
            })?;
            let here = either(encoder, here, &stale);
            let cut_id = CutId::new(number_of_cut);
            let unchanged = procedure.unchanged(encoder, cut_id);
            let here = encoder.terms.and_all(&[here, unchanged, facts.at(number, cut_id)]);
            let text = formula::print(encoder, here);
            entries.push(entry(c_program, &cut.calls, cut.location, text));
        }
    }
    Some(Certificate::Summaries { procedures: summaries, entries })
}

/// What holds for some values of some symbols.
fn either(encoder: &mut Encoder<'_>, mut term: Term, symbols: &[Term]) -> Term {
    for &symbol in symbols {
        let present = encoder.terms.symbols(term).into_iter().any(|s| encoder.terms.symbol_term(s) == symbol);
        if present {
            let both = [true, false].map(|value| {
                let mut map = Substitution::new();
                let value = encoder.terms.truth(value);
                map.insert(symbol, value);
                encoder.terms.substitute(term, &mut map)
            });
            term = encoder.terms.or_all(&both);
        }
    }
    term
}

/// A leaf of a formula.
enum Leaf {
    /// The value of a variable at the entry of the procedure.
    Entry(VarId),
    /// Its value now.
    Now(VarId),
}

fn relation(encoder: &mut Encoder<'_>, relation: &Relation, leaf: impl Fn(Leaf) -> Option<Term>) -> Option<Term> {
    // Parameters are never assigned; that they stay the same says nothing of the program.
    term(encoder, &relation.formula, leaf)
}

/// A formula with predicates for its leaves.
fn term(encoder: &mut Encoder<'_>, formula: &Formula, leaf: impl Fn(Leaf) -> Option<Term>) -> Option<Term> {
    let value = formula.fold(|boolean, values: &[Term]| {
        let at = |i: &u32| values[*i as usize];
        let terms = &mut encoder.terms;
        let value = match boolean {
            Boolean::Const(value) => Some(terms.truth(*value)),
            Boolean::Var(var) => leaf(Leaf::Entry(*var)),
            Boolean::Next(var) => leaf(Leaf::Now(*var)),
            // A choice would have to be quantified.
            Boolean::Choice(_) => None,
            Boolean::Not(inner) => Some(terms.not(at(inner))),
            Boolean::And(members) => Some(terms.and_all(&members.iter().map(at).collect::<Vec<_>>())),
            Boolean::Or(members) => Some(terms.or_all(&members.iter().map(at).collect::<Vec<_>>())),
            Boolean::Xor(members) => {
                let no = terms.no();
                Some(members.iter().map(at).fold(no, |a, b| {
                    let same = terms.eq(a, b);
                    terms.not(same)
                }))
            }
            Boolean::Ite(condition, then, otherwise) => Some(terms.ite(at(condition), at(then), at(otherwise))),
        };
        value.ok_or(())
    });
    value.ok()
}
