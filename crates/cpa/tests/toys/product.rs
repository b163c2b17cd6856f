//! Products: strengthen, compare, merge^agree, nesting.

use crate::domain::{DIAMOND, Direct, Hull, Merging, explore, image, program, states, variable};
use robusto_cfa::ir::{Idx, LocId, Program, VarId};
use robusto_cpa::control::Location;
use robusto_cpa::{Analysis, Composite, Merge, Order, Prec, Product, Reduction, Step, Unreduced};
use robusto_limits::Stopped;

/// Which remainders modulo 2 a variable has; conditions say nothing about them.
struct Parity<'p> {
    program: &'p Program,
    var: VarId,
    merging: Merging,
}

/// Even, odd.
type Remainders = [bool; 2];

impl<'p> Parity<'p> {
    fn new(program: &'p Program, merging: Merging) -> Self {
        Self { program, var: variable(program, "x"), merging }
    }
}

impl Analysis for Parity<'_> {
    type State = Remainders;

    fn initial(&mut self) -> Result<Remainders, Stopped> {
        Ok([true, false])
    }

    fn transfer(&mut self, state: &Remainders, step: Step) -> Result<Option<Remainders>, Stopped> {
        if let Step::Edge(..) = step
            && matches!(step.edge(self.program).op, robusto_cfa::ir::Op::Assume { .. })
        {
            return Ok(Some(*state));
        }
        let has = |x: &u8| state[usize::from(x % 2)];
        let after = image(self.program, step, self.var, (0..=255).filter(has));
        Ok(Some([0, 1].map(|r| after.iter().any(|x| x % 2 == r))))
    }

    fn merge(&mut self, new: &Remainders, old: &Remainders, _: Location) -> Result<Merge<Remainders>, Stopped> {
        let join = [new[0] || old[0], new[1] || old[1]];
        Ok(if self.merging == Merging::Sep || join == *old { Merge::Keep } else { Merge::Replace(join) })
    }

    fn stop(&self, new: &Remainders, old: &Remainders) -> Result<bool, Stopped> {
        Ok((!new[0] || old[0]) && (!new[1] || old[1]))
    }
}

/// Ends of hulls have a possible remainder; a hull of one value knows its own.
struct Ends;

impl Reduction<Hull<'_>, Parity<'_>> for Ends {
    fn strengthen(
        &mut self,
        _: &mut Hull<'_>,
        _: &mut Parity<'_>,
        ((lo, hi), remainders): ((u8, u8), Remainders),
        _: Step,
    ) -> Result<Option<((u8, u8), Remainders)>, Stopped> {
        let possible = |x: &u8| remainders[usize::from(x % 2)];
        let lo = (lo..=hi).find(possible);
        let hi = lo.and_then(|lo| (lo..=hi).rev().find(possible));
        let (Some(lo), Some(hi)) = (lo, hi) else { return Ok(None) };
        let remainders = if lo == hi { [lo % 2 == 0, lo % 2 == 1] } else { remainders };
        Ok(Some(((lo, hi), remainders)))
    }
}

/// Counts by two; the error is at 5.
const BY_TWO: &str = "
  entry L0, exit L6
  L0 -> L1: x := 0
  L1 -> L2: assume x <u 200
  L1 -> L3: assume not (x <u 200)
  L2 -> L4: assume x == 5
  L2 -> L5: assume not (x == 5)
  L4 -> L6: error reach_error
  L5 -> L1: x := x + 2
  L3 -> L6: return
";

#[test]
fn components_strengthen_each_other() {
    let program = program(BY_TWO, "");
    let hull = || Hull::new(&program, "x", Merging::WidenAt(LocId::new(1)));
    let parity = || Parity::new(&program, Merging::Join);
    let mut alone = Composite::new(&program, hull(), &Direct, 10);
    assert!(!states(&explore(&mut alone, Order::default()).arg, 0, 4).is_empty(), "bounds say nothing about 5");
    let unreduced = Product { left: hull(), right: parity(), reduction: Unreduced };
    let mut side_by_side = Composite::new(&program, unreduced, &Direct, 10);
    let arg = explore(&mut side_by_side, Order::default()).arg;
    assert!(!states(&arg, 0, 4).is_empty(), "neither do both, side by side");
    let reduced = Product { left: hull(), right: parity(), reduction: Ends };
    let mut cpa = Composite::new(&program, reduced, &Direct, 10);
    let arg = explore(&mut cpa, Order::default()).arg;
    assert!(states(&arg, 0, 4).is_empty(), "5 is odd");
    assert_eq!(states(&arg, 0, 3), [((200, 254), [true, false])], "255 is odd, too");
}

/// merge^agree: where one component keeps states apart, the other does not mix them.
#[test]
fn components_merge_together_or_not_at_all() {
    let program = program(&DIAMOND.replace("x := 3", "x := 4"), "");
    for (left, right, expected) in [
        (Merging::Join, Merging::Join, vec![((1, 4), [true, true])]),
        (Merging::Join, Merging::Sep, vec![((1, 1), [false, true]), ((4, 4), [true, false])]),
        (Merging::Sep, Merging::Join, vec![((1, 1), [false, true]), ((4, 4), [true, false])]),
    ] {
        let (left, right) = (Hull::new(&program, "x", left), Parity::new(&program, right));
        let product = Product { left, right, reduction: Unreduced };
        let mut cpa = Composite::new(&program, product, &Direct, 10);
        assert_eq!(states(&explore(&mut cpa, Order::default()).arg, 0, 3), expected);
    }
    // Where both are of one remainder, a component that keeps states apart has nothing to keep.
    let program = crate::domain::program(DIAMOND, "");
    let (left, right) = (Hull::new(&program, "x", Merging::Join), Parity::new(&program, Merging::Sep));
    let mut cpa = Composite::new(&program, Product { left, right, reduction: Unreduced }, &Direct, 10);
    assert_eq!(states(&explore(&mut cpa, Order::default()).arg, 0, 3), [((1, 3), [false, true])]);
}

/// A hull of one value is within its remainder, whatever the other component says.
struct Within;

impl Reduction<Hull<'_>, Parity<'_>> for Within {
    fn compare(
        &self,
        (_, &(lo, hi)): (&Hull<'_>, &(u8, u8)),
        (_, remainders): (&Parity<'_>, &Remainders),
    ) -> Result<bool, Stopped> {
        Ok(lo == hi && remainders[usize::from(lo % 2)])
    }
}

#[test]
fn stop_compares_across_components() {
    let program = program(DIAMOND, "");
    let product = |reduction| {
        let (left, right) = (Hull::new(&program, "x", Merging::Sep), Parity::new(&program, Merging::Sep));
        Product { left, right, reduction }
    };
    // The new pair does not know its remainder; that of the old pair has its only value all the same.
    let (new, old) = (((4, 4), [true, true]), ((0, 9), [true, false]));
    assert!(product(Within).stop(&new, &old).expect("nothing stops it"));
    let other = ((5, 5), [true, true]);
    assert!(!product(Within).stop(&other, &old).expect("nothing stops it"), "5 is odd");
    let outside = ((12, 12), [true, true]);
    assert!(!product(Within).stop(&outside, &old).expect("nothing stops it"), "the other component counts as well");
}

/// A product is an analysis: it can be a component, and `prec` reaches all of them.
#[test]
fn products_nest() {
    let program = program(DIAMOND, "");
    let mut y = Hull::new(&program, "y", Merging::Join);
    y.precision = vec![(LocId::new(3), Prec::Adjusted)];
    let inner = Product { left: Hull::new(&program, "x", Merging::Join), right: y, reduction: Unreduced };
    let product = Product { left: Parity::new(&program, Merging::Join), right: inner, reduction: Unreduced };
    let mut cpa = Composite::new(&program, product, &Direct, 10);
    let arg = explore(&mut cpa, Order::default()).arg;
    // `y` is 0, so that there is only one branch.
    assert_eq!(states(&arg, 0, 1), [([true, false], ((0, 0), (0, 0)))]);
    assert!(states(&arg, 0, 2).is_empty());
    assert_eq!(states(&arg, 0, 3), [([false, true], ((1, 1), (0, 255)))]);
}
