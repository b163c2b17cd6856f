//! The check of certificates: is this really why no target is reached?
//!
//! Each procedure is looked at alone, without stacks (`walk`); recursion may be as deep as it likes. What is shown:
//!
//! | place | what must hold |
//! |---|---|
//! | start | any values of globals and parameters are entries of `main` |
//! | call | the values are entries of the callee; behind it the globals and results are any that its summary allows |
//! | loop head | the relation that the certificate has there; from there control goes on with any state that satisfies it |
//! | exit | the summary |
//! | target | nothing arrives there |
//!
//! Every cycle of a procedure passes a node for which the certificate has a relation, else it is refuted.
//!
//! *Soundness*, by induction over the steps of an execution: whenever an activation is entered, its globals and parameters are
//! entries of its procedure; whenever control is at a node of it, the values at its entry and now are those of some model of
//! the walk; whenever it returns, its summary relates the two. So no execution reaches a target.
//!
//! What the check trusts: the automata, and the logic (terms, SAT, 2QBF, its own small diagrams). It shares no more with the
//! engines: no liveness, no modification sets (that a variable keeps its value is claimed by the certificate, and shown), no
//! decision diagrams of theirs.

mod order;
mod prover;
mod walk;

use crate::certificate::{ProcedureProof, Proof, Relation, text};
use crate::program::{Formula, ProcId, Program, Term, VarId};
use crate::targets::Targets;
use order::Order;
use robusto_limits::Limits;
use robusto_verdict::Certificate;
pub use robusto_verdict::certify::{Failure, Policy, Statistics};
use walk::Walk;

/// Checks a certificate that no target is reached.
pub fn check(
    program: &Program,
    targets: &Targets,
    certificate: &Certificate,
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let Some(main) = program.main else { return Err(Failure::Refuted("the program has no main".to_owned())) };
    match certificate {
        Certificate::Vacuous if targets.is_empty() => return Ok(Statistics { checks: 1, calls: 0 }),
        Certificate::Vacuous => return Err(Failure::Refuted("there is something that can be violated".to_owned())),
        _ => {}
    }
    let proof = text::read(program, certificate).map_err(Failure::Refuted)?;
    for (&id, known) in &proof.procedures {
        check_scopes(program, id, known)?;
    }
    let Some(start) = proof.procedures.get(&main) else {
        return Err(Failure::Refuted("it says nothing of `main`".to_owned()));
    };
    let (marks, order) = (targets.marks(program), Order::new(program, &proof));
    let mut done = Statistics::default();
    for (&id, known) in &proof.procedures {
        limits.look()?;
        let mut walk = Walk::new(program, &proof, id, &order, limits);
        if id == main {
            walk.start(&start.entries)?;
        }
        walk.run(known, &marks[id.index()])?;
        done = done + walk.statistics();
    }
    Ok(done)
}

/// Formulas speak of what is there at their places: of the caller's values at the entry, of what the caller sees at the exit.
fn check_scopes(program: &Program, id: ProcId, known: &ProcedureProof) -> Result<(), Failure> {
    let name = &program.procedure(id).name;
    let inputs = program.globals.len() + program.procedure(id).formals as usize;
    let results = program.frame_size(id) - program.procedure(id).results as usize;
    let is_input = |var: VarId| var.index() < inputs;
    let is_output = |var: VarId| program.is_global(var) || var.index() >= results;
    let check = |formula: &Formula, now: &dyn Fn(VarId) -> bool, place: &str| {
        let wrong = formula.0.iter().find_map(|term| match *term {
            Term::Var(var) if !is_input(var) => Some((var, "at the entry")),
            Term::Next(var) if !now(var) => Some((var, "there")),
            _ => None,
        });
        wrong.map_or(Ok(()), |(var, when)| {
            let variable = &program.variable(id, var).name;
            Err(Failure::Refuted(format!("{place} of `{name}`: `{variable}` has no value {when}")))
        })
    };
    let check_relation = |relation: &Relation, now: &dyn Fn(VarId) -> bool, place: &str| {
        if let Some(&var) = relation.same.iter().find(|&&var| !is_input(var) || !now(var)) {
            let variable = &program.variable(id, var).name;
            return Err(Failure::Refuted(format!("{place} of `{name}`: `{variable}` has no value at both ends")));
        }
        check(&relation.formula, now, place)
    };
    check(&known.entries, &|_| false, "the entry")?;
    for (node, relation) in &known.heads {
        check_relation(relation, &|_| true, &format!("node {}", node.0))?;
    }
    check_relation(&known.summary, &is_output, "the exit")
}

/// The relation of a procedure that the certificate says nothing of: nobody enters it.
fn never_entered(proof: &Proof, id: ProcId) -> bool {
    !proof.procedures.contains_key(&id)
}
