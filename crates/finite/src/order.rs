//! The order of variables in the decision diagrams.
//!
//! Full-width variables that one operation relates form a cluster whose bits are interleaved. Clusters are placed by the
//! FORCE heuristic (Aloul, Markov, Sakallah: *FORCE: a fast and easy-to-implement variable-ordering heuristic*, GLSVLSI
//! 2003): each set of variables that the program uses close together pulls its members to their common centre.

use crate::encoding::takes_full_width;
use robusto_cfa::analysis::graph::Graph;
use robusto_cfa::analysis::scc::Sccs;
use robusto_cfa::analysis::uses::{defined, for_each_root};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Idx, Op, VarId};
use rustc_hash::FxHashMap;

/// Most rounds of FORCE. It stops by itself when a round gains nothing: after 1 to 12 rounds for the 26 to 336 clusters of
/// 17 programs of `systemc`, `ssh-simplified`, `product-lines`, `seq-mthreaded` and others.
const MAX_ROUNDS: usize = 30;

/// Edges whose variables are taken together: a short run of tests or assignments. With 2, 6 and 12 edges `token_ring.07`
/// takes 3.3, 2.4 and 8.4 s of CPU time, `Problem05_label10` 3.4, 3.7 and 4.1 s; but `s3_srvr_7` 0.4, 1.3 and 0.4 s.
const WINDOW: usize = 6;

/// Clusters of variables, in order.
pub fn order(facts: &Facts) -> Vec<Vec<VarId>> {
    let program = &facts.program;
    let uses = hyperedges(facts);
    let related = related(facts);
    let mut clusters: Vec<Vec<VarId>> = Vec::new();
    let mut cluster_of: Vec<Option<usize>> = vec![None; program.vars.len()];
    let mut of_component: FxHashMap<_, usize> = FxHashMap::default();
    for &var in uses.iter().flatten() {
        if cluster_of[var.index()].is_some() {
            continue;
        }
        let cluster = *of_component.entry(related.component(var)).or_insert_with(|| {
            clusters.push(Vec::new());
            clusters.len() - 1
        });
        clusters[cluster].push(var);
        cluster_of[var.index()] = Some(cluster);
    }
    let edges: Vec<Vec<usize>> = uses
        .iter()
        .map(|vars| {
            let mut members: Vec<usize> = vars.iter().filter_map(|v| cluster_of[v.index()]).collect();
            members.sort_unstable();
            members.dedup();
            members
        })
        .filter(|members| members.len() > 1)
        .collect();
    let placed = force(clusters.len(), &edges);
    let mut taken: Vec<Option<Vec<VarId>>> = clusters.into_iter().map(Some).collect();
    placed.into_iter().filter_map(|i| taken[i].take()).collect()
}

/// Full-width variables that one operation relates: a copy, sum or comparison of two 32-bit variables takes 2³² nodes
/// unless their bits are interleaved.
fn related(facts: &Facts) -> Sccs<VarId> {
    let program = &facts.program;
    let wide: Vec<bool> = program.vars.ids().map(|v| takes_full_width(facts, v)).collect();
    let mut pairs: Vec<(VarId, VarId)> = Vec::new();
    let mut relate = |vars: &mut Vec<VarId>| {
        vars.retain(|v| wide[v.index()]);
        for pair in vars.windows(2) {
            pairs.extend([(pair[0], pair[1]), (pair[1], pair[0])]);
        }
    };
    for (id, function) in program.functions.enumerate() {
        for (edge_id, edge) in function.edges().enumerate() {
            let mut vars: Vec<VarId> = Vec::new();
            match &edge.op {
                Op::Call { result, args, .. } => {
                    let Some(site) = facts.calls.site(id, edge_id) else { continue };
                    for &callee in &site.callees {
                        for (&param, &arg) in program.functions[callee].params.iter().zip(args.iter()) {
                            vars.clear();
                            vars.push(param);
                            vars.extend(facts.uses.vars(arg));
                            relate(&mut vars);
                        }
                        vars.clear();
                        vars.extend(result.iter().chain(&facts.results[callee]));
                        relate(&mut vars);
                    }
                }
                op => {
                    vars.extend(defined(op));
                    for_each_root(op, |root| vars.extend(facts.uses.vars(root)));
                    relate(&mut vars);
                }
            }
        }
    }
    Sccs::new(&Graph::new(program.vars.len(), pairs.iter().copied()))
}

/// Sets of variables that the program uses close together.
fn hyperedges(facts: &Facts) -> Vec<Vec<VarId>> {
    let program = &facts.program;
    let mut sets = Vec::new();
    for (id, function) in program.functions.enumerate() {
        if !facts.calls.is_reachable(id) {
            continue;
        }
        let mut window: Vec<Vec<VarId>> = Vec::new();
        for edge in function.edges().iter() {
            if matches!(edge.op, Op::Assume { truth: false, .. }) {
                continue;
            }
            let mut vars: Vec<VarId> = defined(&edge.op).into_iter().collect();
            for_each_root(&edge.op, |root| vars.extend(facts.uses.vars(root)));
            if vars.is_empty() {
                continue;
            }
            window.push(vars);
            if window.len() == WINDOW {
                sets.push(window.concat());
                window.drain(..WINDOW / 2);
            }
        }
        if !window.is_empty() {
            sets.push(window.concat());
        }
    }
    sets
}

/// Positions by FORCE: the items in their final order.
fn force(items: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items).collect();
    let mut best = (f64::INFINITY, order.clone());
    for _ in 0..MAX_ROUNDS {
        let mut position = vec![0.0; items];
        for (i, &item) in order.iter().enumerate() {
            position[item] = i as f64;
        }
        let span: f64 = edges
            .iter()
            .map(|e| {
                let (low, high) =
                    e.iter().fold((f64::INFINITY, 0.0f64), |(l, h), &i| (l.min(position[i]), h.max(position[i])));
                high - low
            })
            .sum();
        if span < best.0 {
            best = (span, order.clone());
        } else {
            break;
        }
        let (mut sum, mut count) = (vec![0.0; items], vec![0.0; items]);
        for e in edges {
            let centre = e.iter().map(|&i| position[i]).sum::<f64>() / e.len() as f64;
            for &i in e {
                sum[i] += centre;
                count[i] += 1.0;
            }
        }
        let pulled = |i: usize| if count[i] > 0.0 { sum[i] / count[i] } else { position[i] };
        order.sort_by(|&a, &b| pulled(a).total_cmp(&pulled(b)).then(a.cmp(&b)));
    }
    best.1
}
