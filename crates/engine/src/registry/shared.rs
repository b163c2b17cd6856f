//! Options that several engines have.

use super::option::{Kind, Opt, Values, readable};
use robusto_cpa::Order;

/// The order of exploration.
pub static ORDER: Opt = Opt {
    name: "order",
    help: "order of exploration",
    kind: Kind::Choice {
        value: "ORDER",
        list: &[
            ("rpo", "Reverse post-order, called functions first"),
            ("bfs", "Breadth first"),
            ("dfs", "Depth first"),
        ],
    },
};

/// The chosen order.
pub fn order(values: &Values) -> Order {
    match values.text(&ORDER) {
        Some("bfs") => Order::BreadthFirst,
        Some("dfs") => Order::DepthFirst,
        _ => Order::ReversePostOrder,
    }
}

/// Where invariants come from that engines start with.
pub static INVARIANTS: Opt = Opt {
    name: "invariants",
    help: "invariants to start with",
    kind: Kind::Choice {
        value: "SOURCE",
        list: &[("intervals", "Bounds of variables by interval analysis"), ("none", "Engines start with nothing")],
    },
};

/// Whether to use interval invariants.
pub fn invariants(values: &Values) -> bool {
    values.text(&INVARIANTS) != Some("none")
}

/// How far loops are unrolled.
pub static MAX_BOUND: Opt = Opt {
    name: "max-bound",
    help: "unroll loops at most this far",
    kind: Kind::Text { value: "N", default: None, check: readable::<u32> },
};

/// The greatest bound, if there is one.
pub fn max_bound(values: &Values) -> Option<u32> {
    values.parsed(&MAX_BOUND)
}

/// Where queries of the solvers go.
pub static SMT2: Opt =
    Opt { name: "smt2", help: "write the queries of the solver to this folder, in SMT-LIB 2", kind: Kind::Folder };

/// Where the abstract reachability graph goes.
pub static ARG: Opt =
    Opt { name: "arg", help: "draw the abstract reachability graph to a file (.svg or .dot)", kind: Kind::File };

/// The predicates of a fixed abstraction; `robusto abstract` has the format.
pub static PREDICATES: Opt = Opt {
    name: "predicates",
    help: "the predicates of this file and no others, in the format of `robusto abstract`",
    kind: Kind::Input,
};
