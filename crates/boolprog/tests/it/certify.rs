//! Certificates: right ones are accepted, wrong ones are not.

use crate::random::Generator;
use crate::support::program;
use robusto_boolprog::certificate::{Builder, ProcedureProof, Proof, text};
use robusto_boolprog::certify::{self, Failure};
use robusto_boolprog::explicit::{self, Explored, Frame, Reduction};
use robusto_boolprog::program::{Formula, NodeId, ProcId, Term, VarId};
use robusto_boolprog::{Engine, Facts, Program, Question, Targets, check};
use robusto_limits::{Limits, Progress};
use robusto_testing::Random;
use robusto_verdict::certificate::{Entry, Summary};
use robusto_verdict::{Certificate, Certification, Verdict};

/// Per procedure its name, what enters it and its summary; then procedure, node and relation.
fn certificate(procedures: &[(&str, &str, &str)], heads: &[(&str, u32, &str)]) -> Certificate {
    let summary = |&(function, pre, post): &(&str, &str, &str)| Summary {
        function: function.to_owned(),
        pre: pre.to_owned(),
        post: post.to_owned(),
    };
    let entry = |&(function, location, formula): &(&str, u32, &str)| Entry {
        calls: Vec::new(),
        function: function.to_owned(),
        location,
        formula: formula.to_owned(),
    };
    let (procedures, entries) = (procedures.iter().map(summary).collect(), heads.iter().map(entry).collect());
    Certificate::Summaries { procedures, entries }
}

fn verdict(program: &Program, certificate: &Certificate) -> Result<u64, Failure> {
    let targets = Targets::new(program, &Question::Assert);
    certify::check(program, &targets, certificate, &Limits::none()).map(|done| done.checks)
}

#[track_caller]
fn refuted(text: &str, certificate: &Certificate) -> String {
    match verdict(&program(text), certificate) {
        Err(Failure::Refuted(what)) => what,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn accepted(text: &str, certificate: &Certificate) {
    verdict(&program(text), certificate).unwrap_or_else(|failure| panic!("{failure}"));
}

/// The node of a label.
fn label(text: &str, name: &str) -> u32 {
    let program = program(text);
    let mut labels = program.procedures.iter().flat_map(|procedure| &procedure.labels);
    labels.find(|label| &*label.name == name).expect("a label").node.0
}

const LOOP: &str = "decl g; void main() begin g := T; H: while * do g := !g; g := !g; od assert(g); end";

#[test]
fn summaries_alone_certify_nothing_where_there_are_loops() {
    let head = label(LOOP, "H");
    accepted(LOOP, &certificate(&[("0:main", "true", "true")], &[("0:main", head, "v0:g")]));
    let what = refuted(LOOP, &certificate(&[("0:main", "true", "true")], &[]));
    assert!(what.contains("a loop through node") && what.contains("has no relation"), "{what}");
}

#[test]
fn a_relation_must_hold_at_first_and_again() {
    let head = label(LOOP, "H");
    let at_head = |relation: &str| certificate(&[("0:main", "true", "true")], &[("0:main", head, relation)]);
    assert!(refuted(LOOP, &at_head("(not v0:g)")).contains("the relation at node"), "not at first");
    assert!(refuted(LOOP, &at_head("true")).contains("can be reached"), "too weak");
    let flips = "decl g; void main() begin g := T; H: while * do g := !g; od assert(g); end";
    let what = refuted(flips, &at_head("v0:g"));
    assert!(what.starts_with("the relation at node") && what.contains("line 1"), "{what}");
}

/// Trap (c): with guards instead of a selector, one of the two ways is lost where paths meet.
#[test]
fn paths_that_meet_are_both_kept() {
    for bad in [true, false] {
        let [first, second] = if bad { ["T", "F"] } else { ["F", "T"] };
        let text = format!(
            "decl g; void main() begin goto A, B; A: g := {first}; goto C; B: g := {second}; C: assert(g); end"
        );
        let what = refuted(&text, &certificate(&[("0:main", "true", "true")], &[]));
        assert!(what.contains("can be reached"), "{what}");
    }
    let choice = "decl g; void main() begin if * then g := T; else g := F; fi assert(g); end";
    refuted(choice, &certificate(&[("0:main", "true", "true")], &[]));
}

const CALL: &str = "decl g, h;
    void main() begin g := T; h := T; flip(g); assert(h); assert(!g); end
    void flip(p) begin assert(p); g := !p; end";

#[test]
fn calls_are_summarised() {
    let both = |pre: &str, post: &str| certificate(&[("0:main", "true", "true"), ("1:flip", pre, post)], &[]);
    accepted(CALL, &both("(and e0:g e2:p)", "(same v1:h) (not v0:g)"));
    accepted(CALL, &both("e2:p", "(same v1:h) (xor v0:g e2:p)"));
    assert!(
        refuted(CALL, &both("true", "(same v1:h) (not v0:g)")).contains("can be reached"),
        "the callee's assertion"
    );
    assert!(refuted(CALL, &both("(not e2:p)", "false")).contains("none of its entries"));
    refuted(CALL, &both("e2:p", "(same v0:g v1:h) true"));
    assert!(refuted(CALL, &both("e2:p", "(not v0:g)")).contains("can be reached"), "h could change");
    assert!(refuted(CALL, &both("e2:p", "(same v1:h) true")).contains("can be reached"));
    let what = refuted(CALL, &certificate(&[("0:main", "true", "true")], &[]));
    assert_eq!(what, "line 2 calls `flip`, which is said never to be entered");
    let what = refuted(CALL, &certificate(&[("1:flip", "e2:p", "(same v1:h) (not v0:g)")], &[]));
    assert_eq!(what, "it says nothing of `main`");
    assert!(refuted(CALL, &certificate(&[("0:main", "e0:g", "true")], &[])).starts_with("the start of the program"));
}

#[test]
fn recursion_of_any_depth() {
    let text = "decl g;
        void main() begin g := T; f(); assert(g); end
        void f() begin if * then g := !g; f(); g := !g; fi end";
    accepted(text, &certificate(&[("0:main", "true", "true"), ("1:f", "true", "(same v0:g) true")], &[]));
    refuted(text, &certificate(&[("0:main", "true", "true"), ("1:f", "e0:g", "(same v0:g) true")], &[]));
    refuted(text, &certificate(&[("0:main", "true", "true"), ("1:f", "true", "(not v0:g)")], &[]));
}

/// Trap (h): a callee that fails and never returns.
#[test]
fn a_failure_in_a_callee_is_not_hidden_by_its_summary() {
    let text = "void main() begin f(); end void f() begin assert(F); assume(F); end";
    let what = refuted(text, &certificate(&[("0:main", "true", "true"), ("1:f", "true", "false")], &[]));
    assert!(what.contains("of `f`") && what.contains("can be reached"), "{what}");
}

#[test]
fn choices_of_a_relation_are_existential() {
    let text = "decl a, b; void main() begin a := *; b := a; H: while * do skip; od assert(a = b); end";
    let head = label(text, "H");
    let at_head = |relation: &str| certificate(&[("0:main", "true", "true")], &[("0:main", head, relation)]);
    // Both are what some choice says; they are what all choices say; they are what a choice and its negation say.
    accepted(text, &at_head("(and (not (xor v0:a c0)) (not (xor v1:b c0)))"));
    accepted(text, &at_head("(ite c7 (and v0:a v1:b) (and (not v0:a) (not v1:b)))"));
    refuted(text, &at_head("(and (not (xor v0:a c0)) (xor v1:b c0))"));
    refuted(text, &at_head("(and v0:a (and v1:b c0))"));
    refuted(text, &at_head("(or c0 (and v0:a v1:b))"));
    accepted(text, &certificate(&[("0:main", "(or c0 e0:a)", "true")], &[("0:main", head, "(not (xor v0 v1))")]));
}

#[test]
fn formulas_speak_of_what_is_there() {
    let text =
        "decl g; void main() begin f(g); end bool f(p) begin decl l; l := p; H: while * do skip; od return l; end";
    let f = |pre: &str, at: &str, post: &str| {
        certificate(&[("0:main", "true", "true"), ("1:f", pre, post)], &[("1:f", label(text, "H"), at)])
    };
    accepted(text, &f("true", "(not (xor v2:l e1:p))", "(not (xor v3:f.0 e1:p))"));
    let read = |certificate: Certificate| refuted(text, &certificate);
    assert_eq!(read(f("v0:g", "true", "true")), "the entry of `f`: `g` has no value there");
    assert_eq!(read(f("e2:l", "true", "true")), "the entry of `f`: `l` has no value at the entry");
    assert_eq!(read(f("true", "true", "v2:l")), "the exit of `f`: `l` has no value there");
    assert_eq!(read(f("true", "true", "(same v1:p) true")), "the exit of `f`: `p` has no value at both ends");
    assert!(read(f("true", "(same v2:l) true", "true")).ends_with("`l` has no value at both ends"));
    assert!(read(f("true", "v9", "true")).contains("`v9` is neither"));
    assert!(read(f("true", "v0:h", "true")).contains("`v0:h` is neither"));
    assert!(read(f("true", "(and v0:g", "true")).contains("the formula ends too early"));
    assert!(read(f("(let ($0 e0) $1)", "true", "true")).contains("$1 is not bound"));
    assert!(read(certificate(&[("2:g", "true", "true")], &[])).contains("there is no procedure `2:g`"));
    assert!(read(certificate(&[("0:main", "true", "true")], &[("0:main", 99, "true")])).contains("no such node"));
}

#[test]
fn what_is_deep_or_broken_is_read_without_harm() {
    let text = "void main() begin skip; end";
    let deep = format!("{}true{}", "(not ".repeat(200_000), ")".repeat(200_000));
    accepted(text, &certificate(&[("0:main", &deep, "true")], &[]));
    for broken in
        ["(", ")", "(and))", "$", "($0 true)", "(let ($0 true))", "c4294967295", "c4294967296", "é", "()", "true true"]
    {
        let result = verdict(&program(text), &certificate(&[("0:main", broken, "true")], &[]));
        assert!(broken == "c4294967295" || matches!(result, Err(Failure::Refuted(_))), "{broken}: {result:?}");
    }
}

/// A `true` for a wrong reason is none.
#[test]
fn what_has_no_targets_is_vacuous_and_nothing_else_is() {
    accepted("void main() begin skip; end", &Certificate::Vacuous);
    refuted(LOOP, &Certificate::Vacuous);
    refuted(LOOP, &Certificate::Unrolled { bound: 3 });
    let report = check(&program(LOOP), &Question::Assert, Engine::Bdd, &Limits::none(), &Progress::default());
    assert_eq!(report.verdict, Verdict::True);
    assert!(matches!(report.certification, Certification::Yes { checks: 4.., .. }), "{:?}", report.certification);
}

/// All that the oracle finds, without targets: exact, and no certificate if a target is among it.
fn explore<'p>(program: &'p Program, facts: &Facts) -> Explored<'p> {
    let reduction = Reduction::live(program, facts);
    explicit::explore(program, reduction, &Targets::default(), &Limits::none(), &Progress::default()).expect("no limit")
}

/// `formula`, and a literal besides.
fn strengthened(formula: &Formula, literal: Term, positive: bool) -> Formula {
    let mut builder = Builder::new();
    let mut root = 0;
    let mut numbers: Vec<u32> = Vec::new();
    for term in &formula.0 {
        root = builder.add(term.with_operands(|i| numbers[i as usize]));
        numbers.push(root);
    }
    let leaf = builder.add(literal);
    let leaf = if positive { leaf } else { builder.add(Term::Not(leaf)) };
    let root = builder.add(Term::And([root, leaf].into()));
    builder.formula(root)
}

/// Random programs: the exact sets are accepted if nothing is violated, whoever computed them, and never if something is.
/// Sets from which a state that is reached is missing are never accepted.
#[test]
fn sets_that_miss_a_state_are_refuted() {
    const PROGRAMS: u64 = 400;
    let (mut right, mut wrong, mut violated) = (0, 0, 0);
    for seed in 0..PROGRAMS {
        let source = Generator::program(seed);
        let program = program(&source);
        let facts = Facts::new(&program);
        let explored = explore(&program, &facts);
        let proof = explored.proof(&facts).expect("a small one");
        let certificate = text::write(&program, &proof);
        let read = text::read(&program, &certificate).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(sizes(&read), sizes(&proof), "seed {seed}:\n{source}");
        let question = Question::Assert;
        let report = check(&program, &question, Engine::Explicit, &Limits::none(), &Progress::default());
        let result = verdict(&program, &certificate);
        if !matches!(report.verdict, Verdict::True) {
            assert!(matches!(result, Err(Failure::Refuted(_))), "seed {seed}: {result:?}\n{source}");
            violated += 1;
            continue;
        }
        assert!(result.is_ok(), "seed {seed}: {result:?}\n{source}");
        right += 1;
        let mut random = Random::new(seed);
        for mutant in mutants(&program, &facts, &explored, &proof, &mut random) {
            let result = verdict(&program, &text::write(&program, &mutant));
            assert!(matches!(result, Err(Failure::Refuted(_))), "seed {seed}: {result:?}\n{source}\n{mutant:#?}");
            wrong += 1;
        }
    }
    assert!(right > 100 && violated > 100 && wrong > 500, "{right} right, {violated} violated, {wrong} mutants");
}

/// What is said where, and with how many terms; their order may differ.
fn sizes(proof: &Proof) -> Vec<(ProcId, Option<NodeId>, usize, usize)> {
    let of = |id: ProcId, known: &ProcedureProof| {
        let heads = known.heads.iter().map(|(&node, relation)| (Some(node), relation));
        let relations = heads.chain([(None, &known.summary)]);
        let sizes = relations.map(|(node, relation)| (id, node, relation.same.len(), relation.formula.0.len()));
        sizes.chain([(id, None, 0, known.entries.0.len())]).collect::<Vec<_>>()
    };
    proof.procedures.iter().flat_map(|(&id, known)| of(id, known)).collect()
}

/// Proofs from which something that is reached is missing: one literal more in a set that has a state without it.
fn mutants(
    program: &Program,
    facts: &Facts,
    explored: &Explored<'_>,
    proof: &Proof,
    random: &mut Random,
) -> Vec<Proof> {
    let mut all = Vec::new();
    let mut missing = |id: ProcId, node: NodeId, change: &mut dyn FnMut(&mut Proof, Term, bool)| {
        let entry = facts.entry(program, id);
        let live = facts
            .live(id, node)
            .iter()
            .filter(|&var| node != program.procedure(id).exit || !is_inner(program, id, var));
        let leaves: Vec<(bool, VarId)> =
            entry.iter().map(|&var| (true, var)).chain(live.map(|var| (false, var))).collect();
        if leaves.is_empty() {
            return;
        }
        let (at_entry, var) = random.pick(&leaves);
        let positive = random.one_in(2);
        let states = explored.relation(id, node, Frame::MAX, Frame::MAX);
        let value = |(entry, now): &(Frame, Frame)| (if at_entry { entry } else { now }) & (1 << var.index()) != 0;
        if states.iter().any(|state| value(state) != positive) {
            let mut mutant = proof.clone();
            change(&mut mutant, if at_entry { Term::Var(var) } else { Term::Next(var) }, positive);
            all.push(mutant);
        }
    };
    for (&id, known) in &proof.procedures {
        let exit = program.procedure(id).exit;
        for _ in 0..3 {
            missing(id, exit, &mut |mutant, literal, positive| {
                let summary = &mut mutant.procedures.get_mut(&id).expect("it is there").summary;
                summary.formula = strengthened(&summary.formula, literal, positive);
            });
            for &node in known.heads.keys() {
                missing(id, node, &mut |mutant, literal, positive| {
                    let heads = &mut mutant.procedures.get_mut(&id).expect("it is there").heads;
                    let relation = heads.get_mut(&node).expect("it is there");
                    relation.formula = strengthened(&relation.formula, literal, positive);
                });
            }
        }
    }
    for id in proof.procedures.keys() {
        let mut gone = proof.clone();
        gone.procedures.remove(id);
        all.push(gone);
    }
    all
}

fn is_inner(program: &Program, id: ProcId, var: VarId) -> bool {
    !program.is_global(var) && var.index() < program.frame_size(id) - program.procedure(id).results as usize
}
