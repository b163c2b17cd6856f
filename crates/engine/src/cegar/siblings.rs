//! Predicates that come along with others.
//!
//! A predicate `x == c` of a variable that the program only compares with constants comes with `x == d` for the others:
//! sooner or later they are needed as well, and each refinement builds the graph anew. (`s3_clnt_1` of the SSH programs: 16
//! refinements without this.) Only constants that `x` itself is compared with or assigned count, not those of variables that
//! it is copied from or to: flags that go through a common status variable would each get a dozen that they never hold
//! (`floppy_simpl4`: 48 predicates in one place instead of 21).

use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::analysis::classify::Class;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{BinOp, Expr, ExprId, Op, Program, VarId, VarKind, fold};
use robusto_logic::{BinaryOp, Node, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Most constants of a variable.
const MOST: usize = 64;

/// For each variable the constants that it is compared with or assigned, as its bit patterns.
#[derive(Debug, Default)]
pub struct Siblings {
    constants: FxHashMap<VarId, BTreeSet<u64>>,
}

impl Siblings {
    /// Looks at all comparisons and assignments of a program.
    pub fn of(facts: &Facts) -> Self {
        let program = &facts.program;
        let mut constants: FxHashMap<VarId, BTreeSet<u64>> = FxHashMap::default();
        let mut add = |var: VarId, bits: u64| {
            let width = program.vars[var].ty.bits(program.model);
            constants.entry(var).or_default().insert(fold::mask(width.min(64), bits));
        };
        for id in program.exprs.ids() {
            if let Expr::Binary(BinOp::Eq | BinOp::Ne, a, b) = program.exprs.get(id) {
                for (x, c) in [(a, b), (b, a)] {
                    if let (Some(var), Some(bits)) = (variable(program, x), program.exprs.as_const(c)) {
                        add(var, bits);
                    }
                }
            }
        }
        for edge in program.functions.iter().flat_map(|function| function.edges().iter()) {
            if let Op::Assign { var, value, .. } = edge.op
                && let Some(bits) = program.exprs.as_const(value)
            {
                add(var, bits);
            }
        }
        for (var, info) in program.vars.enumerate() {
            if let VarKind::Global(init) = info.kind
                && let Some(bits) = program.exprs.as_const(init)
            {
                add(var, bits);
            }
        }
        Self { constants }
    }

    /// A predicate and those that come with it.
    pub fn with(&self, encoder: &mut Encoder<'_>, predicate: Term) -> Vec<Term> {
        let mut all = vec![predicate];
        let Node::Binary(BinaryOp::Eq, x, c) = encoder.terms.node(predicate) else { return all };
        let var = encoder.terms.as_symbol(x).and_then(|symbol| encoder.cell_of(symbol));
        let (Some(Cell::Var(var, _)), Some(_)) = (var, encoder.terms.as_const(c)) else { return all };
        let group = encoder.facts().classes.group(var);
        if group.values.is_none() && !matches!(group.class, Class::Enumerated(_)) {
            return all;
        }
        let Some(constants) = self.constants.get(&var).filter(|constants| constants.len() <= MOST) else { return all };
        let width = encoder.terms.width(x);
        for &pattern in constants {
            let constant = encoder.terms.constant(width, pattern.into());
            let sibling = encoder.terms.eq(x, constant);
            if sibling != predicate {
                all.push(sibling);
            }
        }
        all
    }

    /// Predicates `x == c` with a constant that `x` is compared with or assigned, for each variable with few values among the inputs
    /// of a term; what [`Siblings::with`] adds to one of them is left to that.
    pub fn values(&self, encoder: &mut Encoder<'_>, t: Term) -> Vec<Term> {
        let mut all = Vec::new();
        for symbol in encoder.terms.symbols(t) {
            let Some(Cell::Var(var, _)) = encoder.cell_of(symbol) else { continue };
            let x = encoder.terms.symbol_term(symbol);
            let Some(&pattern) = self.constants.get(&var).and_then(BTreeSet::first) else { continue };
            let constant = encoder.terms.constant(encoder.terms.width(x), pattern.into());
            let predicate = encoder.terms.eq(x, constant);
            let few = self.with(encoder, predicate);
            if few.len() > 1 {
                all.extend(few);
            }
        }
        all
    }
}

/// The variable whose value, perhaps cast, an expression is.
fn variable(program: &Program, mut expr: ExprId) -> Option<VarId> {
    loop {
        match program.exprs.get(expr) {
            Expr::Var(var) => return Some(var),
            Expr::Cast(_, _, inner) => expr = inner,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_cfa::ir::Idx;

    /// `status` takes the value of `flag`, so both are in one group.
    const PROGRAM: &str = "\
program LP64
main main
file 0 \"status.c\"

function main() -> i32 @1:5 {
  local flag: s32 @2:9
  local status: s32 @2:15
  entry L0, exit L9
  L0 -> L1: flag := 1                     @3:5
  L1 -> L2: status := flag                @4:5
  L2 -> L3: assume status == 259          @5:9
  L2 -> L4: assume not (status == 259)    @5:9
  L3 -> L4: status := 77                  @6:9
  L4 -> L5: assume flag == 0              @7:9
  L4 -> L6: assume not (flag == 0)        @7:9
  L5 -> L6: flag := 0                     @8:9
  L6 -> L9: return 0                      @9:1
}
";

    #[test]
    fn constants_of_other_members_of_the_group_are_left_out() {
        let facts = Facts::of(robusto_cfa::text::parse(PROGRAM).expect("it is well-formed"));
        let mut encoder = Encoder::new(&facts);
        let siblings = Siblings::of(&facts);
        for (var, own) in [(0, [0, 1]), (1, [77, 259])] {
            let input = encoder.input(Cell::Var(VarId::new(var), 0));
            let mut predicates = own.map(|value| {
                let constant = encoder.terms.constant(32, value);
                encoder.terms.eq(input, constant)
            });
            let mut found = siblings.with(&mut encoder, predicates[0]);
            found.sort_unstable();
            predicates.sort_unstable();
            assert_eq!(found, predicates);
        }
    }
    #[test]
    fn values_of_all_variables_of_a_condition() {
        let facts = Facts::of(robusto_cfa::text::parse(PROGRAM).expect("it is well-formed"));
        let mut encoder = Encoder::new(&facts);
        let siblings = Siblings::of(&facts);
        let equal = |encoder: &mut Encoder<'_>, var: usize, value: u128| {
            let input = encoder.input(Cell::Var(VarId::new(var), 0));
            let constant = encoder.terms.constant(32, value);
            encoder.terms.eq(input, constant)
        };
        let mut expected = [(0, 0), (0, 1), (1, 77), (1, 259)].map(|(var, value)| equal(&mut encoder, var, value));
        let (flag, status) = (equal(&mut encoder, 0, 5), equal(&mut encoder, 1, 6));
        let condition = encoder.terms.or(flag, status);
        let mut found = siblings.values(&mut encoder, condition);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
