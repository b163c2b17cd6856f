//! Drawings.

use crate::{random, samples};
use robusto_cfa::draw::{Edge, Graph, Node, NodeId, Options, Tone, dot, graphs, graphs_dot, graphs_svg, svg};
use robusto_cfa::ir::{DataModel, FuncId, Idx, LocId, Program};
use robusto_cfa::text::parse;

/// Checks that tags are balanced and that no character stands for itself that must not.
fn check_xml(text: &str) {
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a stray `>`");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        let name = |tag: &str| tag.split([' ', '/']).next().unwrap_or_default().to_string();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed));
        } else if !tag.starts_with('?') && !tag.ends_with('/') {
            open.push(name(tag));
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?} not closed");
    for (at, _) in text.match_indices('&') {
        assert!(["&amp;", "&lt;", "&gt;", "&quot;"].iter().any(|entity| text[at..].starts_with(entity)));
    }
    assert!(!text.contains("NaN") && !text.contains("inf\""));
}

#[test]
fn dot_of_a_small_program() {
    let head = |_: FuncId, loc: LocId| loc == LocId::new(1);
    let text = dot(&samples::counter(), Options { loop_heads: Some(&head), ..Options::default() });
    assert!(text.contains("subgraph cluster_0 {\n    label=\"main(argc) (count.c:3:5)\";"), "{text}");
    assert!(text.contains("n0_1 [label=\"L1\\nagain:\", shape=ellipse, peripheries=2"), "{text}");
    assert!(text.contains("n0_1 -> n0_2 [label=\"assume i <s n\""), "{text}");
}

#[test]
fn drawings_are_well_formed() {
    for program in
        [samples::counter(), samples::everything(DataModel::Lp64)].into_iter().chain((0..50).map(random::program))
    {
        check_xml(&svg(&program, Options::default()));
        let text = dot(&program, Options::default());
        assert_eq!(text.matches('{').count() - text.matches('}').count(), 0);
    }
    check_xml(&svg(&Program::new(DataModel::Lp64), Options::default()));
}

#[test]
fn sequences_become_one_edge() {
    let text = "program LP64\nfunction f(x: s32) {\n  entry L0, exit L4\n  L0 -> L1: x := 1\n  L1 -> L2: skip\n\
        L2 -> L3: x := x + 1\n  L3 -> L4: return\n}\n";
    let drawing = graphs_dot(&contracted(&parse(text).unwrap()));
    assert!(drawing.contains("n0_0 -> n0_1 [label=\"x := 1\\nx := x + 1\\nreturn\""), "{drawing}");
    for program in (0..50).map(random::program) {
        check_xml(&graphs_svg(&contracted(&program)));
    }
}

fn contracted(program: &Program) -> Vec<Graph> {
    graphs(program, Options::default()).into_iter().map(Graph::contract_sequences).collect()
}

/// A cycle that nothing leads to stays.
#[test]
fn a_cycle_alone_is_no_sequence() {
    let mut graph = Graph::default();
    let ids: Vec<NodeId> = (0..3).map(|_| graph.nodes.push(Node::default())).collect();
    for (from, to) in [(1, 2), (2, 1)] {
        let (from, to) = (ids[from], ids[to]);
        graph.edges.push(Edge {
            from,
            to,
            label: vec![],
            tone: Tone::Plain,
            dashed: false,
            tooltip: String::new(),
            stands_for: vec![],
        });
    }
    let graph = graph.contract_sequences();
    assert_eq!((graph.nodes.len(), graph.edges.len()), (3, 2));
}

#[test]
fn a_loop_at_a_location_and_unreachable_exit() {
    let text = "program LP64\nfunction f() {\n  entry L0, exit L1\n  L0 -> L0: skip\n}\n";
    check_xml(&svg(&parse(text).unwrap(), Options::default()));
}

/// A function of many branches, a loop around them, and a return in each.
fn large(branches: usize) -> Program {
    let mut text = String::from("program LP64\nfunction f(x: s32) {\n  entry L0, exit L1\n");
    // Branch i has the locations 3i + 2 (test), 3i + 3 (return) and 3i + 4 (the other way).
    text += "  L0 -> L2: skip\n";
    for i in 0..branches {
        let (test, out, on) = (3 * i + 2, 3 * i + 3, 3 * i + 4);
        let next = if i + 1 == branches { 2 } else { 3 * i + 5 };
        text += &format!("  L{test} -> L{out}: assume x == {i}\n  L{test} -> L{on}: assume not (x == {i})\n");
        text += &format!("  L{out} -> L1: return\n  L{on} -> L{next}: x := x * 3 + {i}\n");
    }
    parse(&(text + "}\n")).unwrap()
}

#[test]
fn five_thousand_locations() {
    let program = large(1700);
    let start = robusto_testing::thread_time();
    let drawing = svg(&program, Options::default());
    let time = robusto_testing::thread_time() - start;
    assert!(time.as_secs() < 20, "{time:?}");
    check_xml(&drawing);
    assert_eq!(drawing.matches("<ellipse").count(), program.functions[FuncId::new(0)].num_locs());
}
