//! What an evaluation may touch, and when two evaluations must not change places.

use robusto_syntax::Symbol;
use rustc_hash::FxHashSet;

/// How an evaluation may end the execution, or violate a property.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ends(u8);

impl Ends {
    /// `exit`, `abort`, an assumption, a loop without end.
    pub const HALT: Ends = Ends(1);
    /// A failing `assert`.
    pub const ASSERT: Ends = Ends(2);
    /// `reach_error()`
    pub const REACH: Ends = Ends(4);
    /// Overflow or division by zero.
    pub const ARITHMETIC: Ends = Ends(8);
    /// A label, which a property may forbid.
    pub const LABEL: Ends = Ends(16);

    const HALTING: u8 = 1 | 2 | 4;
    const ERRORS: u8 = 2 | 4 | 8 | 16;

    /// These without those.
    pub fn without(self, other: Ends) -> Ends {
        Ends(self.0 & !other.0)
    }

    /// Whether one may end the execution before the other violates a property, for which the first was not asked.
    pub fn compete(self, other: Ends) -> bool {
        let hides = |a: u8, b: u8| {
            let (halts, errors) = (a & Self::HALTING, b & Self::ERRORS);
            // Two violations of one property: whichever comes first, it is violated.
            halts != 0 && errors != 0 && !(halts == errors && halts.count_ones() == 1)
        };
        hides(self.0, other.0) || hides(other.0, self.0)
    }
}

impl std::ops::BitOrAssign for Ends {
    fn bitor_assign(&mut self, other: Ends) {
        self.0 |= other.0;
    }
}

/// What an evaluation itself does; what the functions that it calls do is not part of it.
#[derive(Clone, Default, Debug)]
pub struct Effects {
    /// Variables read by name.
    pub reads: Vec<Symbol>,
    /// Variables written by name.
    pub writes: Vec<Symbol>,
    /// Whether it reads through pointers.
    pub reads_memory: bool,
    /// Whether it writes through pointers.
    pub writes_memory: bool,
    /// How it may end the execution.
    pub ends: Ends,
    /// Functions called by name.
    pub calls: Vec<Symbol>,
    /// Whether it calls through a pointer.
    pub calls_pointer: bool,
}

impl Effects {
    /// Each name once.
    pub fn tidy(mut self) -> Self {
        for names in [&mut self.reads, &mut self.writes, &mut self.calls] {
            names.sort_unstable();
            names.dedup();
        }
        self
    }

    /// Whether nothing is touched, called or ended.
    pub fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty() && !self.reads_memory && !self.writes_memory && !self.acts()
    }

    /// Whether something is written, called or ended.
    pub fn acts(&self) -> bool {
        !self.writes.is_empty() || self.writes_memory || self.calls() || self.ends != Ends::default()
    }

    /// Whether a function is called.
    pub fn calls(&self) -> bool {
        self.calls_pointer || !self.calls.is_empty()
    }
}

/// What a call may touch, with everything that the called function calls.
#[derive(Clone, Default, Debug)]
pub struct Footprint {
    /// Variables with static storage read by name.
    pub reads: FxHashSet<Symbol>,
    /// Variables with static storage written by name.
    pub writes: FxHashSet<Symbol>,
    /// Whether it reads through pointers.
    pub reads_memory: bool,
    /// Whether it writes through pointers.
    pub writes_memory: bool,
    /// How it may end the execution.
    pub ends: Ends,
}

impl Footprint {
    /// Adds another one.
    pub fn add(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.ends |= other.ends;
    }

    /// Adds what a function's own text does.
    pub fn add_own(&mut self, effects: &Effects) {
        self.reads.extend(&effects.reads);
        self.writes.extend(&effects.writes);
        self.reads_memory |= effects.reads_memory;
        self.writes_memory |= effects.writes_memory;
        self.ends |= effects.ends;
    }

    /// Whether two calls touch the same thing, one of them writing. `reachable` says whether a variable can be
    /// touched through pointers.
    pub fn meets(&self, other: &Footprint, reachable: &dyn Fn(Symbol) -> bool) -> bool {
        let common = |a: &FxHashSet<Symbol>, b: &FxHashSet<Symbol>| {
            let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            small.iter().any(|name| large.contains(name))
        };
        let through = |writer: &Footprint, other: &Footprint| {
            writer.writes_memory
                && (other.reads_memory
                    || other.writes_memory
                    || other.reads.iter().chain(&other.writes).any(|&name| reachable(name)))
        };
        let named = |writer: &Footprint, other: &Footprint| {
            other.reads_memory && writer.writes.iter().any(|&name| reachable(name))
        };
        common(&self.writes, &other.writes)
            || common(&self.writes, &other.reads)
            || common(&self.reads, &other.writes)
            || through(self, other)
            || through(other, self)
            || named(self, other)
            || named(other, self)
    }
}
