//! Proofs as certificates, and what a certificate is about.
//!
//! A procedure is named by its number and its name (`1:lock`), since a name may have any characters.

use super::formula::{parse, parse_relation, plain, print, print_relation};
use super::{ProcedureProof, Proof};
use crate::program::{Formula, NodeId, Op, ProcId, Program, Term};
use crate::targets::Question;
use robusto_verdict::Certificate;
use robusto_verdict::certificate::text::Subject;
use robusto_verdict::certificate::{Entry, Summary};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What a certificate for a question about a program is about.
pub fn subject(program: &Program, question: &Question) -> Subject {
    let digest = Sha256::digest(automata(program).as_bytes());
    let hex = digest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    Subject { property: question.property().to_string(), model: "Boolean".to_owned(), program: hex }
}

/// Writes a proof down.
pub fn write(program: &Program, proof: &Proof) -> Certificate {
    let (mut procedures, mut entries) = (Vec::new(), Vec::new());
    for (&id, known) in &proof.procedures {
        let function = name(program, id);
        for (&node, relation) in &known.heads {
            let formula = print_relation(program, id, relation);
            entries.push(Entry { calls: Vec::new(), function: function.clone(), location: node.0, formula });
        }
        let (pre, post) = (print(program, id, &known.entries), print_relation(program, id, &known.summary));
        procedures.push(Summary { function, pre, post });
    }
    Certificate::Summaries { procedures, entries }
}

/// Reads a proof; says what is wrong with it, and where.
pub fn read(program: &Program, certificate: &Certificate) -> Result<Proof, String> {
    let Certificate::Summaries { procedures, entries } = certificate else {
        return Err("this kind of certificate is not for Boolean programs".to_owned());
    };
    let ids: BTreeMap<String, ProcId> = program.numbered().map(|(id, _)| (name(program, id), id)).collect();
    let find = |name: &str| ids.get(name).copied().ok_or_else(|| format!("there is no procedure `{name}`"));
    let mut proof = Proof::default();
    for Summary { function, pre, post } in procedures {
        let id = find(function)?;
        let wrong = |what: &'static str| move |error: String| format!("the {what} of `{function}`: {error}");
        let entries = parse(program, id, pre).map_err(wrong("entry"))?;
        let summary = parse_relation(program, id, post).map_err(wrong("exit"))?;
        if proof.procedures.insert(id, ProcedureProof { entries, heads: BTreeMap::new(), summary }).is_some() {
            return Err(format!("there are two summaries of `{function}`"));
        }
    }
    for Entry { calls, function, location, formula } in entries {
        let id = find(function)?;
        let wrong = |error: &str| format!("node {location} of `{function}`: {error}");
        if !calls.is_empty() {
            return Err(wrong("a Boolean program has no pending calls"));
        }
        if *location as usize >= program.procedure(id).outgoing.len() {
            return Err(wrong("there is no such node"));
        }
        let known = proof.procedures.get_mut(&id).ok_or_else(|| wrong("the procedure has no summary"))?;
        let relation = parse_relation(program, id, formula).map_err(|error| wrong(&error))?;
        if known.heads.insert(NodeId(*location), relation).is_some() {
            return Err(wrong("it is named twice"));
        }
    }
    Ok(proof)
}

fn name(program: &Program, id: ProcId) -> String {
    format!("{}:{}", id.0, plain(&program.procedure(id).name))
}

/// All that a certificate speaks of, as a text for the hash: nothing of where it stands in a file.
fn automata(program: &Program) -> String {
    let mut out = String::new();
    let variables = |out: &mut String, list: &[crate::program::Variable]| {
        for variable in list {
            let _ = write!(out, " {:?}", variable.name);
        }
    };
    out.push_str("globals");
    variables(&mut out, &program.globals);
    let _ = writeln!(out, "\nmain {:?}", program.main);
    for (_, procedure) in program.numbered() {
        let _ = write!(out, "procedure {:?} {} {}", procedure.name, procedure.formals, procedure.results);
        variables(&mut out, &procedure.variables);
        let _ =
            writeln!(out, "\nentry {} exit {} of {}", procedure.entry.0, procedure.exit.0, procedure.outgoing.len());
        for label in &procedure.labels {
            let _ = writeln!(out, "label {:?} {}", label.name, label.node.0);
        }
        for edge in &procedure.edges {
            let _ = write!(out, "{} {} {:?} {}", edge.from.0, edge.to.0, edge.role, edge.choices);
            operation(&mut out, &edge.op);
            out.push('\n');
        }
    }
    out
}

fn operation(out: &mut String, op: &Op) {
    let list = |out: &mut String, formulas: &[Formula]| formulas.iter().for_each(|formula| terms(out, formula));
    match op {
        Op::Skip => out.push_str(" skip"),
        Op::Assume(formula) => {
            out.push_str(" assume");
            terms(out, formula);
        }
        Op::Assign { targets, values, constrain } => {
            let _ = write!(out, " assign {:?}", targets.iter().map(|var| var.0).collect::<Vec<_>>());
            list(out, values);
            if let Some(formula) = constrain {
                out.push_str(" constrain");
                terms(out, formula);
            }
        }
        Op::Call { callee, args, targets } => {
            let targets: Vec<_> = targets.iter().map(|target| target.map(|var| var.0)).collect();
            let _ = write!(out, " call {} {targets:?}", callee.0);
            list(out, args);
        }
        Op::Return(values) => {
            out.push_str(" return");
            list(out, values);
        }
    }
}

fn terms(out: &mut String, formula: &Formula) {
    out.push_str(" [");
    for term in &formula.0 {
        let _ = match term {
            Term::Const(value) => write!(out, " {value}"),
            Term::Var(var) => write!(out, " v{}", var.0),
            Term::Next(var) => write!(out, " n{}", var.0),
            Term::Choice(number) => write!(out, " c{number}"),
            Term::Not(inner) => write!(out, " !{inner}"),
            Term::And(members) => write!(out, " &{members:?}"),
            Term::Or(members) => write!(out, " |{members:?}"),
            Term::Xor(members) => write!(out, " ^{members:?}"),
            Term::Ite(condition, then, otherwise) => write!(out, " ?{condition},{then},{otherwise}"),
        };
    }
    out.push_str(" ]");
}
