//! Calls that are stepped over: what a call may change takes any value, and a summary says which.
//!
//! A summary relates the values at a function's exit to those at its entry, which have symbols of their own
//! ([`Encoder::old`]). It is written for the first activation of its function; where it is used, it speaks of the one that was
//! entered.
//!
//! Soundness: [`Encoder::changed_by`] has every cell that a step of the function, or of one that it may call, assigns in
//! [`Encoder::step`], but for variables of activations that end with the call. So [`Encoder::step_over`] has an end for
//! every execution of the call that returns.

use super::{Cell, Encoder, PathFormula};
use imbl::OrdMap;
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::ir::{EdgeId, FuncId, Op, VarKind};
use robusto_logic::{Substitution, Symbol, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Encoder<'_> {
    /// The symbol for the value that a cell had when the function was entered.
    pub fn old(&mut self, cell: Cell) -> Term {
        let input = self.input(cell);
        let symbol = self.terms.as_symbol(input).expect("a symbol");
        // No name in C has a space.
        let name = format!("old {}", self.terms.symbol_name(symbol));
        let sort = self.sort(cell);
        let old = self.terms.symbol(&name, sort);
        self.olds.insert(self.terms.as_symbol(old).expect("a symbol"), cell);
        old
    }

    /// The cell whose value at the entry of the function a symbol stands for.
    pub fn old_of(&self, symbol: Symbol) -> Option<Cell> {
        self.olds.get(&symbol).copied()
    }

    /// The start of a function in any state, with these cells' values as [`Encoder::old`] names them.
    pub fn entered(&mut self, function: FuncId, cells: impl IntoIterator<Item = Cell>) -> PathFormula {
        let counted = self.counts_calls(function);
        let activations: OrdMap<FuncId, u32> = counted.then_some((function, 1u32)).into_iter().collect();
        let mut start = PathFormula::empty(self.terms.yes(), activations);
        for cell in cells {
            let value = self.old(cell);
            start.env.insert(cell, value);
        }
        start
    }

    /// The state at the exit of a function, which was entered from an edge with `inside`: the cells that the call may change,
    /// and the result, have any values.
    pub fn step_over(&mut self, inside: &PathFormula, at: (FuncId, EdgeId), callee: FuncId) -> PathFormula {
        let mut exit = inside.clone();
        let before = self.value(inside, Cell::HeapTop);
        for &cell in self.changed_by(callee).iter() {
            let sort = self.sort(cell);
            let value = self.choose(&mut exit, at, sort);
            exit.env.insert(cell, value);
            if cell == Cell::HeapTop {
                // The heap grows.
                let grows = self.terms.ule(before, value);
                self.restrict(&mut exit, grows);
            }
        }
        if let Some(result) = self.facts.results[callee] {
            let cell = self.var_cell(inside, result);
            let sort = self.sort(cell);
            let value = self.choose(&mut exit, at, sort);
            exit.env.insert(cell, value);
        }
        exit
    }

    /// Paths on which a condition holds, too.
    pub fn assume(&mut self, f: &PathFormula, condition: Term) -> PathFormula {
        let mut restricted = f.clone();
        self.restrict(&mut restricted, condition);
        restricted
    }

    /// A formula about the first activation of a function, as one about its youngest activation after some paths.
    pub fn about_youngest(&mut self, f: &PathFormula, function: FuncId, formula: Term) -> Term {
        let activation = self.activation(f, function);
        let mut map = Substitution::new();
        for symbol in self.terms.symbols(formula) {
            if let Some(Cell::Var(var, 0)) = self.cell_of(symbol)
                && self.facts.program.vars[var].kind.owner() == Some(function)
            {
                let value = self.input(Cell::Var(var, activation));
                map.insert_symbol(&self.terms, symbol, value);
            }
        }
        self.terms.substitute(formula, &mut map)
    }

    /// A summary of a function as a condition on the values when it was entered with `inside`, and at its `exit`.
    pub fn summary(&mut self, inside: &PathFormula, exit: &PathFormula, function: FuncId, summary: Term) -> Term {
        let activation = self.activation(inside, function);
        let mut map = Substitution::new();
        for symbol in self.terms.symbols(summary) {
            let (cell, f) = match (self.cell_of(symbol), self.old_of(symbol)) {
                (Some(cell), _) => (cell, exit),
                (_, Some(cell)) => (cell, inside),
                _ => continue,
            };
            let cell = match cell {
                Cell::Var(var, 0) if self.facts.program.vars[var].kind.owner() == Some(function) => {
                    Cell::Var(var, activation)
                }
                cell => cell,
            };
            let value = self.value(f, cell);
            map.insert_symbol(&self.terms, symbol, value);
        }
        self.terms.substitute(summary, &mut map)
    }

    /// The globals and the memory that a call of a function may change.
    pub fn changed_by(&mut self, function: FuncId) -> Rc<[Cell]> {
        if let Some(known) = self.changed.get(&function) {
            return known.clone();
        }
        let mut cells = BTreeSet::new();
        let effects = self.facts.modref.of_call(function);
        cells.extend(effects.writes.iter().map(|var| Cell::Var(var, 0)));
        if effects.calls_unknown {
            let vars = &self.facts.program.vars;
            let globals = vars.enumerate().filter(|(_, info)| matches!(info.kind, VarKind::Global(_)));
            cells.extend(globals.map(|(var, _)| Cell::Var(var, 0)));
            cells.extend(self.regions.regions.ids().map(Cell::Region));
            cells.insert(Cell::HeapTop);
        }
        let mut seen = FxHashSet::from_iter([function]);
        let mut todo = vec![function];
        while let Some(at) = todo.pop() {
            self.memory_changed_in(at, &mut cells);
            todo.extend(self.facts.calls.callees(at).filter(|&callee| seen.insert(callee)));
        }
        let cells: Rc<[Cell]> = cells.into_iter().collect();
        self.changed.insert(function, cells.clone());
        cells
    }

    /// The memory that a function's own steps may change, with its beginning.
    fn memory_changed_in(&mut self, function: FuncId, cells: &mut BTreeSet<Cell>) {
        let facts = self.facts;
        let program = &facts.program;
        if !facts.points_to.reached(function) {
            return;
        }
        let mut regions = BTreeSet::new();
        for object in self.fresh_objects(function) {
            regions.extend(self.regions.of_base(Base::Object(object)).iter().map(|p| p.region));
        }
        for (edge, e) in program.functions[function].edges().enumerate() {
            regions.extend(self.regions.of_range(function, edge).iter().map(|p| p.region));
            match e.op {
                Op::Store { addr, value } => {
                    let size = program.exprs.ty(value).size(program.model);
                    regions.insert(self.regions.of_access(addr, size));
                }
                Op::Copy { .. } => regions.extend(self.regions.of_copy(function, edge).regions()),
                Op::Alloc { .. } => {
                    cells.insert(Cell::HeapTop);
                    let site = facts.points_to.site_at(function, edge);
                    regions.extend(self.regions.of_base(Base::Site(site)).iter().map(|p| p.region));
                }
                _ => {}
            }
        }
        cells.extend(regions.into_iter().filter(|&r| self.regions.regions[r].read).map(Cell::Region));
    }
}
