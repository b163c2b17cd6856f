//! What blocks share, as a hypergraph to be cut into clusters (Section 6).

use crate::model::Model;
use crate::partition::Hypergraph;
use rustc_hash::FxHashMap;

/// What a cut between clusters counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Criterion {
    /// Bits that are live in both.
    #[default]
    LiveVar,
    /// Bits that both assign.
    AsgnVar,
    /// Steps between them.
    CfgEdge,
}

/// The locations that are blocks, not sinks.
pub(super) fn blocks(model: &Model) -> Vec<usize> {
    (0..model.places.len()).filter(|&location| !model.exits[location].is_empty()).collect()
}

/// Blocks as vertices, in the order of their locations; what they share as edges.
pub fn hypergraph(model: &Model, criterion: Criterion) -> Hypergraph {
    let blocks = blocks(model);
    let numbers: FxHashMap<usize, u32> = blocks.iter().zip(0..).map(|(&location, number)| (location, number)).collect();
    let by_word = |has: &dyn Fn(usize, usize) -> bool| -> Vec<(Vec<u32>, u64)> {
        let of_word = |word: usize| {
            let blocks = blocks.iter().zip(0..).filter(|&(&location, _)| has(location, word)).map(|(_, number)| number);
            (blocks.collect(), u64::from(model.terms.width(model.words[word].symbol)))
        };
        (0..model.words.len()).map(of_word).collect()
    };
    let edges = match criterion {
        Criterion::LiveVar => by_word(&|location, word| model.live[location].contains(word)),
        Criterion::AsgnVar => by_word(&|location, word| {
            model.exits[location].iter().any(|exit| exit.assign.iter().any(|&(assigned, _)| assigned == word))
        }),
        Criterion::CfgEdge => {
            let steps =
                blocks.iter().flat_map(|&location| model.exits[location].iter().map(move |exit| (location, exit.to)));
            steps.filter_map(|(from, to)| Some((vec![numbers[&from], *numbers.get(&to)?], 1))).collect()
        }
    };
    Hypergraph::new(vec![1; blocks.len()], edges)
}
