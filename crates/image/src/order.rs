//! The first order of the bits: words that are used together stand together, and bits of the same significance of words of the
//! same width that depend on each other beside each other.
//!
//! The words are arranged by FORCE (Aloul, Markov, Sakallah: *FORCE: a fast and easy-to-implement variable-ordering heuristic*,
//! GLSVLSI 2003): each word moves to the middle of the exits that use it, again and again.

use crate::circuit::{Circuit, Exit};
use crate::space::cone;
use robusto_logic::DisjointSets;
use robusto_logic::blast::aig::Lit;
use rustc_hash::FxHashMap;

/// Rounds of FORCE; it settles within about ten on the programs of the corpus.
const ROUNDS: usize = 20;

/// Most words whose bits are interleaved. More of them are seldom in one sum, and keep others apart.
const MOST_INTERLEAVED: usize = 6;

/// Exits with more words than this say little about which of them belong together.
const LARGEST: usize = 60;

/// All bits of all words, as word and position, from the top of the order.
pub(crate) fn bits(circuit: &Circuit) -> Vec<(usize, usize)> {
    let words = circuit.words.len();
    let owners: FxHashMap<usize, usize> = circuit
        .words
        .iter()
        .enumerate()
        .flat_map(|(number, bits)| bits.iter().map(move |bit| (bit.node(), number)))
        .collect();
    let used = |roots: Vec<Lit>| -> Vec<usize> {
        let mut used: Vec<usize> = cone(circuit, roots).iter().filter_map(|node| owners.get(node).copied()).collect();
        used.sort_unstable();
        used.dedup();
        used
    };
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut groups = DisjointSets::new(words);
    let mut sizes = vec![1; words];
    for exit in circuit.exits.iter().flatten() {
        let Exit { guard, assign, .. } = exit;
        let mut together = used(vec![*guard]);
        for (word, value) in assign {
            let mut sources = used(value.clone());
            for &source in &sources {
                let is_wide =
                    circuit.words[source].len() > 1 && circuit.words[source].len() == circuit.words[*word].len();
                let (a, b) = (groups.first(*word), groups.first(source));
                if is_wide && a != b && sizes[a] + sizes[b] <= MOST_INTERLEAVED {
                    let size = sizes[a] + sizes[b];
                    groups.unite(a, b);
                    sizes[groups.first(a)] = size;
                }
            }
            sources.push(*word);
            together.extend(&sources);
            edges.push(sources);
        }
        together.sort_unstable();
        together.dedup();
        edges.push(together);
    }
    edges.retain(|edge| (2..=LARGEST).contains(&edge.len()));
    let arranged = arranged(words, &edges);
    let mut order = Vec::new();
    let mut is_done = vec![false; words];
    for &word in &arranged {
        if is_done[word] {
            continue;
        }
        let group = groups.first(word);
        let mut members: Vec<usize> = arranged.iter().copied().filter(|&w| groups.first(w) == group).collect();
        members.retain(|&member| !std::mem::replace(&mut is_done[member], true));
        let widest = members.iter().map(|&member| circuit.words[member].len()).max().unwrap_or(0);
        for bit in (0..widest).rev() {
            order.extend(
                members.iter().filter(|&&member| bit < circuit.words[member].len()).map(|&member| (member, bit)),
            );
        }
    }
    order
}

/// The words, so that those that share edges are near each other.
fn arranged(words: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut of_word: Vec<Vec<usize>> = vec![Vec::new(); words];
    for (number, edge) in edges.iter().enumerate() {
        edge.iter().for_each(|&word| of_word[word].push(number));
    }
    let mut order: Vec<usize> = (0..words).collect();
    let mut best = (u64::MAX, order.clone());
    for _ in 0..ROUNDS {
        let mut places = vec![0_usize; words];
        order.iter().enumerate().for_each(|(place, &word)| places[word] = place);
        let span = |edge: &Vec<usize>| {
            let (first, last) = (edge.iter().map(|&w| places[w]).min(), edge.iter().map(|&w| places[w]).max());
            (last.unwrap_or(0) - first.unwrap_or(0)) as u64
        };
        let cost: u64 = edges.iter().map(span).sum();
        if cost < best.0 {
            best = (cost, order.clone());
        }
        let middle: Vec<f64> =
            edges.iter().map(|edge| edge.iter().map(|&w| places[w] as f64).sum::<f64>() / edge.len() as f64).collect();
        let pull = |word: usize| {
            let of_word = &of_word[word];
            if of_word.is_empty() {
                return places[word] as f64;
            }
            of_word.iter().map(|&edge| middle[edge]).sum::<f64>() / of_word.len() as f64
        };
        let pulls: Vec<f64> = (0..words).map(pull).collect();
        order.sort_by(|&a, &b| pulls[a].total_cmp(&pulls[b]).then(a.cmp(&b)));
    }
    best.1
}
