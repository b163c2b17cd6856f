//! The laws of lattices, as one macro for the tests of all domains.

/// Checks the laws of a lattice with `leq`, `join` and `meet` on all triples of the given elements.
#[cfg(test)]
macro_rules! check_lattice_laws {
    ($elements:expr) => {{
        let elements = $elements;
        for a in &elements {
            assert!(a.leq(a), "{a:?}");
            assert_eq!(a.join(a), *a);
            assert_eq!(a.meet(a), *a);
            for b in &elements {
                let (join, meet) = (a.join(b), a.meet(b));
                assert!(a.leq(&join) && b.leq(&join), "{a:?} {b:?}");
                assert!(meet.leq(a) && meet.leq(b), "{a:?} {b:?}");
                assert_eq!(join, b.join(a));
                assert_eq!(meet, b.meet(a));
                assert_eq!(a.leq(b), join == *b, "{a:?} {b:?}");
                for c in &elements {
                    assert_eq!(join.join(c), a.join(&b.join(c)), "{a:?} {b:?} {c:?}");
                    assert!(!(a.leq(b) && b.leq(c)) || a.leq(c), "{a:?} {b:?} {c:?}");
                    assert!(!(a.leq(c) && b.leq(c)) || join.leq(c), "{a:?} {b:?} {c:?}");
                    assert!(!(c.leq(a) && c.leq(b)) || c.leq(&meet), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }};
}

#[cfg(test)]
pub(crate) use check_lattice_laws;
