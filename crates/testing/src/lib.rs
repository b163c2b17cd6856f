//! Random numbers and a clock for tests: one generator, the same sequence for a seed on every machine and in every version, so that the
//! seed in a failed test's message repeats the failure.
//!
//! That is why the generator is not a crate such as `fastrand`, which may change its sequences in any release.

use std::time::Duration;

/// SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014, fig. 17). Neighbouring
/// seeds give unrelated sequences.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to below `bound`, which is positive.
    pub fn below<N: Number>(&mut self, bound: N) -> N {
        N::from_bits(self.bits() % bound.to_bits())
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of the items, of which there is at least one.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

/// CPU time of this thread. A test that measures or limits time takes this one: the clock on the wall depends on who else uses the
/// machine.
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("no time is negative")
}

/// How many random cases: what the variable `ROBUSTO_CASES` says, else so many.
pub fn cases(default: u64) -> u64 {
    std::env::var("ROBUSTO_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Tells what a run of random cases has found; at least 30 % of the results must be neither everything nor nothing.
pub fn tell(what: &str, cases: u64, results: u64, informative: u64) {
    println!("{what}: {cases} cases, {informative} of {results} results are neither everything nor nothing");
    assert!(informative * 10 >= results * 3, "{informative} of {results} results say something");
}

/// The types of bounds.
pub trait Number {
    /// A number that the type holds.
    fn from_bits(bits: u64) -> Self;
    /// A number that is not negative.
    fn to_bits(self) -> u64;
}

macro_rules! numbers {
    ($($ty:ty),*) => {
        $(impl Number for $ty {
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }

            fn to_bits(self) -> u64 {
                self as u64
            }
        })*
    };
}

numbers!(u8, u16, u32, u64, usize, i32);

#[cfg(test)]
mod tests {
    use super::*;

    /// The first values of the published generator for the seed 1234567.
    #[test]
    fn sequence() {
        let mut random = Random::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.bits(), random.bits(), random.bits()], expected);
    }

    #[test]
    fn every_number_below_the_bound_comes() {
        let mut random = Random::new(1);
        let mut seen = [false; 7];
        for _ in 0..200 {
            seen[random.below(7)] = true;
        }
        assert_eq!(seen, [true; 7]);
        assert!((0..100).any(|_| random.one_in(3)) && (0..100).any(|_| !random.one_in(3)));
        assert!((0..20).all(|_| [4, 5].contains(&random.pick(&[4, 5]))));
    }
}
