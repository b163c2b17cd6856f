//! The predicate analysis and IMPACT: the paper's example, and random programs against the other engines.

mod support;

use robusto_analyses::facts::Facts;
use robusto_analyses::predicate::{Abe, AbstractionKind, BlockOperator, Options, Role, Scope, State};
use robusto_analyses::symbolic::Cell;
use robusto_cfa::ir::{Idx, LocId, Program};
use robusto_cpa::control::Location;
use robusto_cpa::{Arg, Composite, Exploration, Order, Run, Status};
use std::ops::ControlFlow;

/// Figure 2 of Beyer, Keremoglu, Wendler, FMCAD 2010. Our lowering would leave out the edge that does nothing.
const FIGURE_2: &str = "\
program LP64
main main
file 0 \"figure1.c\"

function main() -> i32 @1:5 {
  local i: s32 @2:9
  entry L0, exit L7
  L0 -> L1: i := 0                @2:9
  L1 -> L2: assume i <s 2         @3:12
  L1 -> L4: assume not (i <s 2)   @3:12
  L2 -> L3: i := i + 1            @4:9
  L3 -> L1: skip                  @5:5
  L4 -> L5: assume i != 2         @6:9
  L4 -> L6: assume not (i != 2)   @6:9
  L5 -> L8: error reach_error     @7:9
  L6 -> L7: return 0              @9:1
}
";

/// Explores with the predicates i = 0, i = 1 and i = 2 everywhere.
fn explore(program: Program, block: BlockOperator) -> (Vec<(usize, Role, Status)>, Vec<String>) {
    let facts = Facts::of(program);
    let main = facts.program.main.expect("there is a main");
    let options = Options { block, abstraction: AbstractionKind::Boolean, scope: Scope::Global };
    let mut abe = Abe::new(&facts, options, || Box::new(|| false), || Ok(()));
    let i = facts.program.vars.enumerate().find(|(_, v)| &*v.name == "i").map(|(id, _)| id).expect("i is declared");
    for value in 0..3 {
        let input = abe.encoder.input(Cell::Var(i, 0));
        let constant = abe.encoder.terms.constant(32, value);
        let predicate = abe.encoder.terms.eq(input, constant);
        abe.precision.add(Location { function: main, loc: LocId::new(0) }, predicate);
    }
    let mut cpa = Composite::new(&facts.program, abe, &facts, 10);
    let mut exploration = Exploration::start(&mut cpa, main, Order::ReversePostOrder).expect("nothing stops it");
    let run = exploration.run(&mut cpa, |_| ControlFlow::Continue(()));
    assert!(matches!(run, Run::Complete));
    let arg: &Arg<State> = &exploration.arg;
    let mut nodes: Vec<_> = arg
        .ids()
        .map(|id| arg.node(id))
        .map(|node| (node.state.location.loc.index(), node.state.data.role, node.status))
        .collect();
    nodes.sort_by_key(|&(loc, role, status)| (loc, format!("{role:?} {status:?}")));
    let formulas = arg
        .ids()
        .filter(|&id| arg.node(id).status == Status::Live && arg.node(id).state.data.role == Role::Start)
        .map(|id| {
            let state = &arg.node(id).state;
            let abstraction = cpa.data.block(state.data.block).abstraction.clone();
            format!("L{}: {}", state.location.loc.index(), cpa.data.show(&abstraction))
        })
        .collect();
    (nodes, formulas)
}

fn count(nodes: &[(usize, Role, Status)], loc: usize, status: Status) -> usize {
    nodes.iter().filter(|&&(l, _, s)| l == loc && s == status).count()
}

#[test]
fn figure_3_large_block_encoding() {
    let (nodes, formulas) = explore(support::automaton(FIGURE_2), BlockOperator::Loops);
    // The paper's locations 2, 3, 4, 5, 6, 7 are L0, L1, L2, L3, L4 and L5 with the error edge behind it.
    let live: Vec<usize> = (0..5).map(|loc| count(&nodes, loc, Status::Live)).collect();
    assert_eq!(live, [1, 3, 3, 3, 3], "thirteen states, {nodes:?}");
    assert_eq!(count(&nodes, 1, Status::Bottom), 1, "the loop is not entered a third time");
    assert_eq!(count(&nodes, 8, Status::Bottom), 3, "no state at the error");
    assert_eq!(nodes.iter().filter(|n| n.0 == 8 && n.2 == Status::Live).count(), 0);
    assert_eq!(formulas.len(), 4, "the start and three loop heads: {formulas:?}");
}

#[test]
fn figure_4_blocks_of_length_7() {
    // The error edge of ours is one operation more than the paper's error location.
    let (nodes, formulas) = explore(support::automaton(FIGURE_2), BlockOperator::Length(7));
    let live: Vec<usize> = (0..5).map(|loc| count(&nodes, loc, Status::Live)).collect();
    assert_eq!(live, [1, 3, 2, 2, 3], "eleven states, {nodes:?}");
    assert_eq!(count(&nodes, 2, Status::Bottom), 1, "after 3/14 the loop is not entered again");
    assert_eq!(count(&nodes, 8, Status::Live), 0);
    assert_eq!(formulas.len(), 3, "the start, 3/8 and 6/17: {formulas:?}");
}
