//! Which engines run when.

use super::Look;
use crate::registry::Engine;
use crate::{accelerate, arrays, bdd, bmc, cegar, kind, numeric, pdr, product, slam, summaries, test};
use std::fmt;
use std::time::Duration;

/// An engine and how long it may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The engine.
    pub engine: &'static Engine,
    /// Its time; `None` for all that is left.
    pub time: Option<Duration>,
}

/// Engines side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Each lane's engines run one after the other.
    pub lanes: Vec<Vec<Turn>>,
    /// Whether unrolling has a glance before the lanes start, if none of them begins with it.
    pub glance: bool,
    /// Why these, for people.
    pub why: &'static str,
}

/// A share, in percent, that is only for programs which an engine solves at once: 1.8 s of a minute. With a lane of its own an
/// engine has no need of it.
const GLANCE: u32 = 3;

/// Why, for programs that no other plan is for.
const ARITHMETIC: &str =
    "arithmetic: predicates and induction for proofs, unrolling and closed forms of loops for errors";

/// What shares of the time are of if there is no limit. A user who sets none looks after a minute.
pub(crate) const USUAL_TIME: Duration = Duration::from_secs(60);

/// From this time on, the lane of engines that answer soon or never goes around twice: once with a quarter of the time for each engine,
/// so that the last ones do not begin the later the longer the limit is. With 60 s and one round, `pdr` began after 18 s, and
/// `ddv_machzwd_inl`, which it proves in a second, took 15 s of CPU time instead of 2 to 4 with 15 s.
const TWO_ROUNDS: Duration = Duration::from_secs(40);

/// A lane for two cores: engines with their shares of the time in percent; the last has all that is left.
type Shares = Vec<(&'static Engine, u32)>;

impl Plan {
    /// The plan for what was seen and a number of cores. Times are shares of a minute if there is no limit, else of the
    /// limit.
    pub fn for_program(look: &Look, timeout: Option<Duration>, cores: usize) -> Self {
        let (bdd, bmc, kind, test) = (&bdd::ENGINE, &bmc::ENGINE, &kind::ENGINE, &test::ENGINE);
        let (predicate, impact) = (&cegar::PREDICATE, &cegar::IMPACT);
        let (accelerate, arrays) = (&accelerate::ENGINE, &arrays::ENGINE);
        let (summaries, slam, numeric, pdr) = (&summaries::ENGINE, &slam::ENGINE, &numeric::ENGINE, &pdr::ENGINE);
        let product = &product::PRODUCT;
        // An engine that mostly answers soon or never has a short turn before one that may go on for long. Which these are
        // differs: of 46 tasks with arithmetic (`loops`, `bitvector`, `loop-acceleration`, `loop-lit`, 6 s each), unrolling
        // decided 19, predicates 14, induction and testing one each. The shares within a lane were not swept one by one.
        let (why, lanes): (_, [&[(&'static Engine, u32)]; 2]) = if look.recursive {
            // Of 43 recursive tasks (`recursive`, `recursive-simple`), summaries prove 7 that nothing else does, each within
            // a second; unrolling and predicates decide the rest within a few.
            let why = "recursion: summaries of procedures for proofs, unrolling for errors";
            (why, [&[(test, 4), (summaries, 26), (predicate, 34), (slam, 20), (impact, 16)], &[(bmc, 100)]])
        } else if look.floats {
            // Bounds of floats make many loops inductive at once: `filter1` and `rlim_invariant` (`float-benchs`) take 0.1 s by
            // induction, and 30 s where predicates have their turn first.
            let why = "floats: induction with bounds, then predicates; unrolling beside it";
            (why, [&[(test, 4), (kind, 6), (predicate, 46), (kind, 24), (impact, 20)], &[(bmc, 100)]])
        } else if look.is_finite_control() && look.arithmetic == 0 {
            // Where few of the variables matter, predicates show it at once: 400 locks in 0.1 s, for which diagrams take 1.3 s.
            let why = "all variables have few values: decision diagrams, and unrolling for short executions";
            (
                why,
                [
                    &[(bdd, 60), (impact, 40)],
                    &[(predicate, 2), (bmc, 10), (numeric, 25), (kind, 5), (predicate, 33), (kind, 25)],
                ],
            )
        } else if look.is_finite_control() {
            // The product decides all 43 tasks of Problem10 to Problem19 (`eca-rers2012`) in at most 11 s; diagrams alone follow
            // the numbers value by value (docs/results/product.md).
            let why =
                "nearly all variables have few values: decision diagrams, alone and beside intervals of the others";
            (
                why,
                [
                    &[(bdd, 60), (impact, 40)],
                    &[
                        (predicate, 2),
                        (bmc, 5),
                        (product, 25),
                        (bmc, 5),
                        (numeric, 15),
                        (kind, 5),
                        (predicate, 20),
                        (kind, 23),
                    ],
                ],
            )
        } else if look.loops == 0 {
            let why = "no loops: unrolling decides";
            (why, [&[(predicate, 100)], &[(bmc, 100)]])
        } else if look.indexed_accesses > 0 {
            // Of 46 tasks with arrays, invariants about elements prove 14 that were open before, most of them within a second of CPU time
            // (docs/results/arrays.md). Where they prove nothing, they mostly give up soon.
            let why = "arrays in loops: invariants about elements and predicates for proofs, unrolling and testing for errors";
            (
                why,
                [
                    &[(predicate, 50), (impact, 50)],
                    &[
                        (bmc, 4),
                        (accelerate, 6),
                        (arrays, 16),
                        (test, 8),
                        (numeric, 8),
                        (bdd, GLANCE),
                        (pdr, 5),
                        (kind, 20),
                        (bdd, 5),
                        (test, 18),
                        (bmc, 9),
                    ],
                ],
            )
        } else {
            // Flags behind pointers and calls through pointers are nothing for diagrams, and many for predicates: `pdr` proves
            // `ddv_machzwd_inl` and `ddv_machzwd_inw_p` in a second, which nothing else does in a minute. It answers soon or never;
            // `ssh/s3_srvr.blast.08` and four of its kin take it 1 to 2 s of CPU time, which 3 s on a busy machine were too few for.
            // Acceleration ends at once where no loop has a closed form, and mostly soon where one has.
            (
                ARITHMETIC,
                [
                    &[(predicate, 50), (impact, 50)],
                    &[
                        (bmc, 4),
                        (accelerate, 12),
                        (numeric, 8),
                        (bdd, GLANCE),
                        (test, 4),
                        (pdr, 10),
                        (kind, 26),
                        (bdd, 6),
                        (test, 16),
                        (bmc, 11),
                    ],
                ],
            )
        };
        let in_rounds = cores == 2 && why == ARITHMETIC && timeout.unwrap_or(USUAL_TIME) >= TWO_ROUNDS;
        let [one, beside] = lanes;
        let mut lanes = [one.to_vec(), beside.to_vec()];
        if look.is_copied() && !look.recursive {
            // All others copy what is called into its callers.
            lanes[1].insert(0, (summaries, 10));
        }
        let whole = timeout.unwrap_or(USUAL_TIME);
        let mut lanes: Vec<Vec<Turn>> = lanes_for(cores, lanes).into_iter().map(|lane| turns(&lane, whole)).collect();
        if in_rounds && let Some(lane) = lanes.last_mut() {
            *lane = two_rounds(lane, whole);
        }
        Plan { lanes, glance: true, why }
    }
}

/// The turns of a lane within a time.
fn turns(lane: &[(&'static Engine, u32)], whole: Duration) -> Vec<Turn> {
    let last = lane.len() - 1;
    let time = |i: usize, percent: u32| (i < last).then(|| whole * percent / 100);
    lane.iter().enumerate().map(|(i, &(engine, share))| Turn { engine, time: time(i, share) }).collect()
}

/// Turns that come around twice: each engine once with a quarter of its first turn, then all turns within the time that is left.
fn two_rounds(lane: &[Turn], whole: Duration) -> Vec<Turn> {
    let is_first = |&(i, turn): &(usize, &Turn)| lane[..i].iter().all(|earlier| earlier.engine != turn.engine);
    let firsts = lane.iter().enumerate().filter(is_first);
    let mut rounds: Vec<Turn> =
        firsts.filter_map(|(_, turn)| Some(Turn { time: Some(turn.time? / 4), ..*turn })).collect();
    let quick: Duration = rounds.iter().filter_map(|turn| turn.time).sum();
    let left = 1.0 - quick.as_secs_f64() / whole.as_secs_f64();
    rounds.extend(lane.iter().map(|turn| Turn { time: turn.time.map(|time| time.mul_f64(left)), ..*turn }));
    rounds
}

/// Lanes for a number of cores, from those for two. On one core, the turns of both alternate, with half of their times. On
/// more than two, each engine has a lane of its own as far as cores go; the others share lanes with the first.
fn lanes_for(cores: usize, two: [Shares; 2]) -> Vec<Shares> {
    let [one, beside] = &two;
    let longest = one.len().max(beside.len());
    let alternating = (0..longest).flat_map(|i| [beside.get(i), one.get(i)]).flatten().copied();
    match cores {
        0 | 1 => vec![alternating.map(|(engine, percent)| (engine, percent / 2)).collect()],
        2 => two.to_vec(),
        _ => {
            let mut engines: Vec<&'static Engine> = Vec::new();
            alternating.filter(|&(_, percent)| percent > GLANCE).for_each(|(engine, _)| {
                if !engines.contains(&engine) {
                    engines.push(engine);
                }
            });
            // The ones that decide least share lanes.
            let least = [&cegar::IMPACT, &test::ENGINE, &pdr::ENGINE];
            engines.sort_by_key(|engine| least.iter().position(|other| other == engine).map_or(0, |at| at + 1));
            let count = cores.min(engines.len());
            let lane = |i: usize| engines.iter().copied().skip(i).step_by(count).collect::<Vec<_>>();
            (0..count).map(lane).map(|lane| lane.iter().map(|&e| (e, 100 / lane.len() as u32)).collect()).collect()
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, lane) in self.lanes.iter().enumerate() {
            if i > 0 {
                f.write_str("; beside it ")?;
            }
            for (j, turn) in lane.iter().enumerate() {
                f.write_str(if j > 0 { ", then " } else { "" })?;
                f.write_str(turn.engine.name)?;
                if let Some(time) = turn.time {
                    write!(f, " ({} s)", (time.as_secs_f64() * 10.0).round() / 10.0)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(look: &Look, cores: usize) -> String {
        Plan::for_program(look, Some(Duration::from_secs(100)), cores).to_string()
    }

    #[test]
    fn lanes_are_as_many_as_cores() {
        let arithmetic = Look { loops: 1, arithmetic: 1, ..Look::default() };
        assert_eq!(
            shown(&arithmetic, 1),
            "bmc (2 s), then predicate (25 s), then accelerate (6 s), then impact (25 s), then numeric (4 s), then bdd (1 s), \
             then test (2 s), then pdr (5 s), then kind (13 s), then bdd (3 s), then test (8 s), then bmc"
        );
        assert_eq!(
            shown(&arithmetic, 2),
            "predicate (50 s), then impact; beside it bmc (1 s), then accelerate (3 s), then numeric (2 s), then bdd (0.8 s), \
             then test (1 s), then pdr (2.5 s), then kind (6.5 s), then bmc (3.3 s), then accelerate (10 s), then numeric (6.7 s), \
             then bdd (2.5 s), then test (3.3 s), then pdr (8.3 s), then kind (21.6 s), then bdd (5 s), then test (13.3 s), then bmc"
        );
        let short = Plan::for_program(&arithmetic, Some(Duration::from_secs(10)), 2).to_string();
        assert_eq!(
            short,
            "predicate (5 s), then impact; beside it bmc (0.4 s), then accelerate (1.2 s), then numeric (0.8 s), then bdd (0.3 s), \
             then test (0.4 s), then pdr (1 s), then kind (2.6 s), then bdd (0.6 s), then test (1.6 s), then bmc"
        );
        assert_eq!(
            shown(&arithmetic, 3),
            "bmc (33 s), then numeric (33 s), then impact; beside it predicate (33 s), then kind (33 s), then test; \
             beside it accelerate (33 s), then bdd (33 s), then pdr"
        );
        assert_eq!(
            shown(&arithmetic, 8),
            "bmc (50 s), then pdr; beside it predicate; beside it accelerate; beside it numeric; beside it kind; \
             beside it bdd; beside it impact; beside it test"
        );
        assert_eq!(
            shown(&arithmetic, 64),
            "bmc; beside it predicate; beside it accelerate; beside it numeric; beside it kind; beside it bdd; \
             beside it impact; beside it test; beside it pdr"
        );
        let straight = Look::default();
        assert_eq!(shown(&straight, 1), "bmc (50 s), then predicate");
        assert_eq!(shown(&straight, 8), "bmc; beside it predicate");
    }

    #[test]
    fn every_plan_has_the_same_engines_whatever_the_cores() {
        let finite = Look { few_valued: 3, loops: 1, ..Look::default() };
        let recursive = Look { recursive: true, ..Look::default() };
        let arrays = Look { loops: 1, arithmetic: 1, indexed_accesses: 1, ..Look::default() };
        for look in [finite, recursive, arrays, Look::default()] {
            let engines = |cores| {
                let plan = Plan::for_program(&look, None, cores);
                assert!(plan.lanes.iter().all(|lane| lane.last().is_some_and(|turn| turn.time.is_none())));
                let mut names: Vec<_> = plan.lanes.iter().flatten().map(|turn| turn.engine.name).collect();
                names.sort_unstable();
                names.dedup();
                names
            };
            for cores in [1, 3, 4, 16] {
                assert_eq!(engines(cores), engines(2), "{cores} cores");
            }
        }
    }
}
