//! The order of variables in the decision diagrams.
//!
//! Variables that members of one group are (assigned to or compared with each other at full width) form a cluster whose
//! bits are interleaved. Clusters are placed by the FORCE heuristic (Aloul, Markov, Sakallah: *FORCE: a fast and easy-
//! to-implement variable-ordering heuristic*, GLSVLSI 2003): each set of variables that the program uses close together
//! pulls its members to their common centre.

use crate::facts::Facts;
use robusto_cfa::analysis::classify::{Class, GroupId};
use robusto_cfa::analysis::uses::{defined, for_each_root};
use robusto_cfa::ir::{Idx, Op, VarId};
use rustc_hash::FxHashMap;

/// Rounds of FORCE; it settles in about log n rounds.
const ROUNDS: usize = 30;

/// Edges whose variables are taken together: a short run of tests or assignments.
const WINDOW: usize = 6;

/// Clusters of variables, in order.
pub fn order(facts: &Facts) -> Vec<Vec<VarId>> {
    let program = &facts.program;
    let mut clusters: Vec<Vec<VarId>> = Vec::new();
    let mut cluster_of: Vec<Option<usize>> = vec![None; program.vars.len()];
    let mut of_group: FxHashMap<GroupId, usize> = FxHashMap::default();
    let uses = hyperedges(facts);
    for &var in uses.iter().flatten() {
        if cluster_of[var.index()].is_some() {
            continue;
        }
        let group = facts.classes.group_id(var);
        // Interleaving pays where whole values are copied and compared: at full width.
        let wide = matches!(facts.classes.group(var).class, Class::Linear | Class::General)
            && facts.classes.group(var).values.is_none();
        let cluster = match of_group.get(&group) {
            Some(&known) if wide => known,
            _ => {
                clusters.push(Vec::new());
                clusters.len() - 1
            }
        };
        of_group.insert(group, cluster);
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
    for _ in 0..ROUNDS {
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
