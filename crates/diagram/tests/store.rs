//! What happens when the store is full.

use robusto_diagram::{Bdd, Diagrams, Full, StoreSize, VarIndex};
use std::cell::Cell;
use std::rc::Rc;

/// `x0 ↔ xn, x1 ↔ xn+1, …` with all `x0 … xn-1` above the others: 3 · 2^n - 4 nodes.
fn exponential(diagrams: &Diagrams, pairs: u32) -> Result<Bdd, Full> {
    (0..pairs).try_fold(diagrams.top(), |all, pair| {
        let (a, b) = (diagrams.var(VarIndex::new(pair))?, diagrams.var(VarIndex::new(pair + pairs))?);
        diagrams.and(&all, &diagrams.iff(&a, &b)?)
    })
}

#[test]
fn full_then_usable_again() {
    let diagrams = Diagrams::new(40, StoreSize { nodes: 20_000, cache: 1 << 10 });
    let kept = diagrams.cube(&[VarIndex::new(3), VarIndex::new(7)]).unwrap();
    for _ in 0..3 {
        assert_eq!(exponential(&diagrams, 20), Err(Full));
        diagrams.collect_garbage();
        let nodes = diagrams.statistics().nodes;
        assert!(nodes < 10, "{nodes} nodes are left");
        // What was there before is intact, and there is room for new functions.
        assert_eq!(kept, diagrams.cube(&[VarIndex::new(7), VarIndex::new(3)]).unwrap());
        assert!(exponential(&diagrams, 8).is_ok());
    }
}

/// The last operations would take gigabytes; somebody asks them to stop on the way.
#[test]
fn operations_stop_on_the_way() {
    let diagrams = Diagrams::new(80, StoreSize::default());
    let (patience, asked) = (Rc::new(Cell::new(3)), Rc::new(Cell::new(0)));
    let (most, count) = (patience.clone(), asked.clone());
    diagrams.stop_when(move || {
        count.set(count.get() + 1);
        count.get() > most.get()
    });
    assert_eq!(exponential(&diagrams, 40), Err(Full));
    assert!(diagrams.statistics().peak_nodes < 100_000, "it was asked often enough");
    patience.set(u32::MAX);
    assert!(exponential(&diagrams, 8).is_ok(), "the store is as usable as before");
}

#[test]
fn garbage_is_collected_on_demand() {
    let diagrams = Diagrams::new(24, StoreSize { nodes: 5_000, cache: 1 << 10 });
    // Far more nodes than the store has, but only a few alive at a time.
    for round in 0..200u32 {
        let mut f = diagrams.bottom();
        for bit in 0..60u32 {
            let row = round.wrapping_mul(0x9e37_79b9).wrapping_add(bit.wrapping_mul(0x85eb_ca6b));
            let literals: Vec<_> = (0..24).map(|var| (VarIndex::new(var), row >> var & 1 == 1)).collect();
            f = diagrams.or(&f, &diagrams.literals(&literals).unwrap()).unwrap();
        }
    }
    let statistics = diagrams.statistics();
    assert!(statistics.collections > 0);
    assert!(statistics.peak_nodes <= 5_000);
}

#[test]
fn timing_is_optional() {
    let diagrams = Diagrams::new(20, StoreSize { nodes: 1 << 16, cache: 1 << 10 });
    exponential(&diagrams, 8).unwrap();
    let statistics = diagrams.statistics();
    assert!(statistics.operations > 8 && statistics.time.is_zero());
    diagrams.set_timing(true);
    exponential(&diagrams, 9).unwrap();
    assert!(!diagrams.statistics().time.is_zero());
}

#[test]
fn the_store_grows_and_shrinks() {
    let diagrams = Diagrams::new(40, StoreSize::default());
    for pairs in [15, 4, 16, 3] {
        let f = exponential(&diagrams, pairs).unwrap();
        assert_eq!(diagrams.node_count(&f), 3 * (1 << pairs) - 4);
        diagrams.collect_garbage();
        assert_eq!(diagrams.statistics().nodes, 3 * (1 << pairs) - 4);
        assert_eq!(f, exponential(&diagrams, pairs).unwrap());
    }
    diagrams.collect_garbage();
    assert_eq!(diagrams.statistics().nodes, 0);
}
