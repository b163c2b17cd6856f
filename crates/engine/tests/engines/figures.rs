//! Figures 3 and 4 of Beyer, Keremoglu, Wendler, FMCAD 2010: the graphs of the predicate analysis.

use robusto_analyses::predicate::{
    Abe, AbstractionKind, BlockOperator, Blockwise, MergeKind, Options, Role, Scope, State,
};
use robusto_analyses::symbolic::Cell;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Idx, LocId, Op, Program};
use robusto_cpa::control::Location;
use robusto_cpa::{Arg, Composite, Exploration, Order, Plain, Run, Status, Strategy};
use std::ops::ControlFlow;

/// Figure 2 of Beyer, Keremoglu, Wendler, FMCAD 2010. The edge back to the loop head does nothing there; ours would
/// be left out then.
const FIGURE_2: &str = "\
program LP64
main main
file 0 \"figure1.c\"

function main() -> i32 @1:5 {
  local i: s32 @2:9
  local j: s32 @2:12
  entry L0, exit L7
  L0 -> L1: i := 0                @2:9
  L1 -> L2: assume i <s 2         @3:12
  L1 -> L4: assume not (i <s 2)   @3:12
  L2 -> L3: i := i + 1            @4:9
  L3 -> L1: j := 0                @5:5
  L4 -> L5: assume i != 2         @6:9
  L4 -> L6: assume not (i != 2)   @6:9
  L5 -> L8: error reach_error     @7:9
  L6 -> L7: return 0              @9:1
}
";

/// The paper's name of each location; `E` is where our error edge, which the paper does not have, ends.
fn names(program: &Program) -> Vec<(LocId, char)> {
    let function = &program.functions[program.main.expect("there is a main")];
    let mut names = vec![(function.entry, '2')];
    for edge in function.edges().iter() {
        match (edge.op.clone(), edge.pos.line) {
            (Op::Assign { .. }, 2) => names.push((edge.dst, '3')),
            (Op::Assume { truth: true, .. }, 3) => names.push((edge.dst, '4')),
            (Op::Assign { .. }, 4) => names.push((edge.dst, '5')),
            (Op::Assume { truth: false, .. }, 3) => names.push((edge.dst, '6')),
            (Op::Assume { truth: true, .. }, 6) => names.push((edge.dst, '7')),
            (Op::Error(_), _) => names.push((edge.dst, 'E')),
            _ => {}
        }
    }
    names
}

/// Explores with the predicates i = 0, i = 1 and i = 2 everywhere. Returns for each state the paper's location, and
/// whether it has concrete states; and the formulas of the abstraction states.
fn explore_by<S>(strategy: S, block: BlockOperator, merge: MergeKind) -> (Vec<(char, bool)>, Vec<String>)
where
    S: for<'a> Strategy<Abe<'a>>,
{
    let facts = Facts::of(robusto_cfa::text::parse(FIGURE_2).expect("it is well-formed"));
    let main = facts.program.main.expect("there is a main");
    let names = names(&facts.program);
    let options = Options { block, abstraction: AbstractionKind::Boolean, scope: Scope::Global, merge };
    let mut abe = Abe::new(&facts, options, &robusto_limits::Limits::none());
    let i = facts.program.vars.enumerate().find(|(_, v)| &*v.name == "i").map(|(id, _)| id).expect("i is declared");
    for value in 0..3 {
        let encoder = abe.encoder_mut();
        let input = encoder.input(Cell::Var(i, 0));
        let constant = encoder.terms.constant(32, value);
        let predicate = encoder.terms.eq(input, constant);
        abe.track(Location { function: main, loc: LocId::new(0) }, predicate);
    }
    let mut cpa = Composite::new(&facts.program, abe, &facts, 10).with_strategy(strategy);
    let mut exploration = Exploration::start(&mut cpa, main, Order::ReversePostOrder).expect("nothing stops it");
    let run = exploration.run(&mut cpa, |_| ControlFlow::Continue(()));
    assert!(matches!(run, Run::Complete));
    let arg: &Arg<State> = &exploration.arg;
    let mut states = Vec::new();
    let mut formulas = Vec::new();
    for id in arg.ids() {
        let node = arg.node(id);
        let Some(&(_, name)) = names.iter().find(|(loc, _)| *loc == node.state.location.loc) else { continue };
        states.push((name, node.status == Status::Live));
        if node.status == Status::Live && node.state.data.role == Role::Start {
            formulas.push(format!("{name}: {}", cpa.data.show(node.state.data.block)));
        }
    }
    (states, formulas)
}

fn explore_with(block: BlockOperator, merge: MergeKind) -> (Vec<(char, bool)>, Vec<String>) {
    explore_by(Blockwise, block, merge)
}

/// With the paper's merge.
fn explore(block: BlockOperator) -> (Vec<(char, bool)>, Vec<String>) {
    explore_with(block, MergeKind::Block)
}

fn count(states: &[(char, bool)], live: bool) -> Vec<(char, usize)> {
    let count = |name| states.iter().filter(|&&s| s == (name, live)).count();
    "23456E".chars().map(|name| (name, count(name))).collect()
}

#[test]
fn figure_3_large_block_encoding() {
    let (states, formulas) = explore(BlockOperator::Loops);
    let thirteen = [('2', 1), ('3', 3), ('4', 3), ('5', 3), ('6', 3), ('E', 0)];
    assert_eq!(count(&states, true), thirteen);
    let unreachable = [('2', 0), ('3', 1), ('4', 0), ('5', 0), ('6', 0), ('E', 3)];
    assert_eq!(count(&states, false), unreachable, "the dashed states");
    assert_eq!(formulas.len(), 4, "the start and three loop heads: {formulas:?}");
}

#[test]
fn figure_4_blocks_of_length_7() {
    let (states, formulas) = explore(BlockOperator::Length(7));
    // One state fewer than in the paper: behind 3/5 the loop cannot be left, which simplification finds out already, so
    // that there is no state at 6 in the first block.
    let ten = [('2', 1), ('3', 3), ('4', 2), ('5', 2), ('6', 2), ('E', 0)];
    assert_eq!(count(&states, true), ten, "{formulas:?}");
    let unreachable = [('2', 0), ('3', 0), ('4', 1), ('5', 0), ('6', 0), ('E', 2)];
    assert_eq!(count(&states, false), unreachable, "the dashed states");
    assert_eq!(formulas.len(), 3, "the start, 3/8 and 6/17: {formulas:?}");
}

/// The same blocks, where visits of the loop head stay apart: the paper's 3/5 and 3/14 are two states each, and so are those
/// behind them. Simplification finds out that the loop cannot be left in the first block, so that there is no state at
/// 6. The abstraction states are the same, but 3/8 holds the third visit only: i = 2.
#[test]
fn figure_4_with_visits_apart() {
    let (states, formulas) = explore_with(BlockOperator::Length(7), MergeKind::Visits);
    let fifteen = [('2', 1), ('3', 5), ('4', 4), ('5', 4), ('6', 1), ('E', 0)];
    assert_eq!(count(&states, true), fifteen, "{formulas:?}");
    let unreachable = [('2', 0), ('3', 0), ('4', 1), ('5', 0), ('6', 0), ('E', 1)];
    assert_eq!(count(&states, false), unreachable, "the dashed states");
    assert_eq!(formulas.len(), 3, "the start, 3/8 and 6/17: {formulas:?}");
}

/// The operators of the analysis are right by themselves: without a strategy that keeps blocks apart, they do. What is live
/// in the end is the same. In which order states are taken is the strategy's business: without it, an error in a block
/// that holds loops is looked at, and found unreachable, before all its paths have arrived.
#[test]
fn the_strategy_changes_nothing() {
    for block in [BlockOperator::Sbe, BlockOperator::Lbe, BlockOperator::Loops, BlockOperator::Length(7)] {
        let (plain, mut plain_formulas) = explore_by(Plain, block, MergeKind::Visits);
        let (states, mut formulas) = explore_with(block, MergeKind::Visits);
        assert_eq!(count(&plain, true), count(&states, true), "{block}");
        if !block.holds_loops() {
            assert_eq!(count(&plain, false), count(&states, false), "{block}");
        }
        plain_formulas.sort();
        formulas.sort();
        assert_eq!(plain_formulas, formulas, "{block}");
    }
}
