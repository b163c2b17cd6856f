//! Which of two answers counts, and what becomes of the other.

use super::*;
use crate::slice::tests::problem;
use robusto_limits::Cpu;
use std::sync::atomic::AtomicUsize;

/// Checks the slice of a program with a stand-in for the engines. It is told which side it is about.
fn checked(limits: &Limits, engines: impl Fn(Side, &Job<'_>) -> Report + Sync) -> (Side, Report) {
    let problem = problem();
    let slice = problem.slice().expect("it has one");
    let (values, outputs, progress) = (Values::default(), Outputs::default(), Progress::default());
    let certify = Conditions::new(Policy::Auto, false, limits);
    let (problem, values, progress, outputs) = (&problem, &values, &progress, &outputs);
    let job = Job { problem, values, traces: false, limits, progress, certify, outputs };
    let of = |job: &Job<'_>| if job.problem.whole().is_some() { Side::Slice } else { Side::Program };
    check(&job, slice, &|job: &Job<'_>| engines(of(job), job))
}

/// Limits of which so much is left for ever: the slice has its head start by the clock, and nobody runs out of time.
fn seconds(seconds: u64) -> Limits {
    let most = Duration::from_secs(seconds);
    Limits::none().with_cpu(Some(Cpu { most, used: || Some(Duration::ZERO) }))
}

/// Whether the program has begun, for the slice to wait for.
#[derive(Default)]
struct Begun(AtomicBool);

impl Begun {
    fn tell(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn wait(&self) {
        while !self.0.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Works until it is stopped.
fn endless(side: Side, job: &Job<'_>) -> Report {
    while job.limits.look().is_ok() {
        std::thread::sleep(Duration::from_millis(1));
    }
    with_turn(side, STOPPED, Report::unknown(job.limits.why().into()))
}

fn with_turn(side: Side, outcome: &str, report: Report) -> Report {
    let (of_slice, decided) = (side == Side::Slice, outcome == "true");
    let (start, end) = (Duration::ZERO, Duration::from_millis(1));
    let turn = Turn { lane: 0, engine: "toy", of_slice, start, end, outcome: outcome.to_owned(), decided };
    Report { turns: vec![turn], ..report }
}

fn proved(side: Side) -> Report {
    with_turn(side, "true", Report::new(Verdict::True))
}

#[test]
fn a_slice_that_answers_at_once_is_alone() {
    let program = AtomicUsize::new(0);
    let (side, report) = checked(&seconds(60), |side, _| {
        program.fetch_add(usize::from(side == Side::Program), Ordering::Relaxed);
        proved(side)
    });
    assert_eq!((side, report.verdict), (Side::Slice, Verdict::True));
    assert_eq!(program.load(Ordering::Relaxed), 0);
}

#[test]
fn the_first_answer_ends_the_other() {
    for first in [Side::Slice, Side::Program] {
        let begun = Begun::default();
        let (side, report) = checked(&seconds(5), |side, job| {
            if side == Side::Program {
                begun.tell();
            }
            if side == first {
                begun.wait();
                return proved(side);
            }
            // Without the answer of the other it has no end.
            endless(side, job)
        });
        assert_eq!((side, report.verdict), (first, Verdict::True));
        let turns: Vec<_> = report.turns.iter().map(|t| (t.lane, t.of_slice, &*t.outcome, t.decided)).collect();
        let (own, other) = ("true", ANSWERED);
        let expected = match first {
            Side::Slice => [(0, true, own, true), (1, false, other, false)],
            Side::Program => [(0, true, other, false), (1, false, own, true)],
        };
        assert_eq!(turns, expected);
        assert!(report.turns[1].start >= Duration::from_millis(100), "it began later: {:?}", report.turns);
    }
}

#[test]
fn without_an_answer_the_other_goes_on() {
    let (side, report) = checked(&seconds(60), |side, _| match side {
        Side::Slice => Report::unknown(Reason::NoProgress),
        Side::Program => proved(side),
    });
    assert_eq!((side, report.verdict), (Side::Program, Verdict::True));
    let begun = Begun::default();
    let (side, report) = checked(&seconds(5), |side, _| match side {
        Side::Slice => {
            begun.wait();
            proved(side)
        }
        Side::Program => {
            begun.tell();
            Report::unknown(Reason::NoProgress)
        }
    });
    assert_eq!((side, report.verdict), (Side::Slice, Verdict::True));
}

#[test]
fn without_any_answer_it_is_what_is_said_of_the_program() {
    let (side, report) = checked(&seconds(60), |side, _| {
        Report::unknown(if side == Side::Slice { Reason::NoProgress } else { Reason::Bound(7) })
    });
    assert_eq!((side, report.verdict), (Side::Program, Verdict::Unknown(Reason::Bound(7))));
    let soon = Limits::new(Some(Duration::from_secs(1)), None, Arc::default());
    let (side, report) = checked(&soon, endless);
    assert_eq!((side, report.verdict), (Side::Program, Verdict::Unknown(Reason::Timeout)));
}

/// Limits of CPU time and memory are for both; when one is reached, both end.
#[test]
fn limits_are_for_both() {
    static SPENT: AtomicUsize = AtomicUsize::new(0);
    let cpu = Cpu {
        most: Duration::from_millis(500),
        used: || Some(Duration::from_millis(SPENT.load(Ordering::Relaxed) as u64)),
    };
    let spending = |side: Side, job: &Job<'_>| {
        while job.limits.look().is_ok() {
            std::thread::sleep(Duration::from_millis(10));
            SPENT.fetch_add(10, Ordering::Relaxed);
        }
        with_turn(side, STOPPED, Report::unknown(job.limits.why().into()))
    };
    let (_, report) = checked(&Limits::none().with_cpu(Some(cpu)), spending);
    assert_eq!(report.verdict, Verdict::Unknown(Reason::Timeout));
    // Nine tenths are in use as soon as the program is there: the slice makes room.
    static USED: AtomicUsize = AtomicUsize::new(0);
    let memory = Memory { most: 1000, used: || Some(USED.load(Ordering::Relaxed) as u64) };
    let limits = Limits::until(None, Some(memory), Arc::default());
    let limits = limits.with_cpu(seconds(5).cpu);
    let (side, report) = checked(&limits, |side, job| match side {
        Side::Slice => {
            let report = endless(side, job);
            USED.store(0, Ordering::Relaxed);
            report
        }
        Side::Program => {
            USED.store(950, Ordering::Relaxed);
            while USED.load(Ordering::Relaxed) > 0 && job.limits.look().is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(job.limits.look(), Ok(()), "the program goes on");
            proved(side)
        }
    });
    assert_eq!((side, report.verdict), (Side::Program, Verdict::True));
}

#[test]
fn the_user_stops_both() {
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits::until(None, None, cancel.clone());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            cancel.store(true, Ordering::Relaxed);
        });
        let (_, report) = checked(&limits, endless);
        assert_eq!(report.verdict, Verdict::Unknown(Reason::Interrupted));
    });
}

#[test]
fn a_panic_of_one_harms_not_the_other() {
    for broken in [Side::Slice, Side::Program] {
        let begun = Begun::default();
        let (side, report) = checked(&seconds(5), |side, _| {
            if side == Side::Program {
                begun.tell();
            }
            if side == broken {
                panic!("a mistake");
            }
            begun.wait();
            proved(side)
        });
        assert_ne!(side, broken);
        assert_eq!(report.verdict, Verdict::True);
        assert!(report.counters.contains(&("internal errors in", broken.to_string())), "{:?}", report.counters);
    }
    let both = catch_unwind(AssertUnwindSafe(|| checked(&seconds(5), |_, _| panic!("a mistake"))));
    assert!(both.is_err(), "it is no unknown");
}

/// While one checks a certificate, the other waits.
#[test]
fn the_floor_is_shared() {
    let busy = AtomicBool::new(false);
    let (side, _) = checked(&seconds(5), |side, job| match side {
        Side::Slice => {
            let floor = job.certify.floor.expect("there is one");
            floor.take();
            busy.store(true, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(600));
            busy.store(false, Ordering::Relaxed);
            floor.give_back();
            endless(side, job)
        }
        Side::Program => {
            assert!(!busy.load(Ordering::Relaxed), "it would disturb the check");
            proved(side)
        }
    });
    assert_eq!(side, Side::Program);
}

/// An execution of the program that leaves the rules of C ends both; one of the slice may be completed in another way.
#[test]
fn invalid_accesses_count_if_they_are_of_the_program() {
    let outside = || Reason::OutsideRules("a test".to_owned());
    let (side, report) = checked(&seconds(5), |side, job| match side {
        Side::Slice => endless(side, job),
        Side::Program => Report::unknown(outside()),
    });
    assert_eq!((side, report.verdict), (Side::Program, Verdict::Unknown(outside())));
    let (side, report) = checked(&seconds(5), |side, _| match side {
        Side::Slice => Report::unknown(outside()),
        Side::Program => proved(side),
    });
    assert_eq!((side, report.verdict), (Side::Program, Verdict::True));
}
