//! What is taken for granted, with the functions that need it: what only a function needs that no execution enters is not
//! listed with the program.

use crate::analysis::uses::for_each_root;
use crate::ir::{
    Assumption, Callee, Expr, ExprId, FuncId, Granted, IdxVec, ObjectKind, Op, Program, RelocTarget, SrcPos,
};
use rustc_hash::FxHashSet;

/// What is taken for granted so far, in the order of the places.
#[derive(Default)]
pub struct Noted {
    known: FxHashSet<(Option<FuncId>, Granted)>,
    list: Vec<(Option<FuncId>, Granted, SrcPos)>,
}

impl Noted {
    /// Notes something that a function needs, or the program as a whole.
    pub fn add(&mut self, function: Option<FuncId>, kind: Granted, pos: SrcPos) {
        if self.known.insert((function, kind.clone())) {
            self.list.push((function, kind, pos));
        }
    }

    /// What the program needs as far as `main` may lead to it, each once, at its first place.
    pub fn of_reachable(self, program: &Program) -> Vec<Assumption> {
        let reachable = reachable(program);
        let mut listed = FxHashSet::default();
        let needed = self.list.into_iter().filter(|(function, ..)| function.is_none_or(|f| reachable[f]));
        needed.filter(|(_, kind, _)| listed.insert(kind.clone())).map(|(_, kind, pos)| kind.at(pos)).collect()
    }
}

/// The functions that `main` may lead to; all of them if there is no `main`. A function whose address is in a variable from the
/// start, is handed out, or is taken in a function that can be reached, counts as called: more than the call graph has, never less.
fn reachable(program: &Program) -> IdxVec<FuncId, bool> {
    let mut reached: IdxVec<FuncId, bool> = program.functions.iter().map(|_| program.main.is_none()).collect();
    let mut seen = FxHashSet::default();
    let handed_out = program.functions.enumerate().filter(|(_, function)| function.handed_out);
    let mut open: Vec<FuncId> = program.main.into_iter().chain(handed_out.map(|(id, _)| id)).collect();
    for object in program.objects.iter() {
        if let ObjectKind::Global(image) | ObjectKind::Constant(image) = &object.kind {
            open.extend(image.relocations.iter().filter_map(|relocation| match relocation.target {
                RelocTarget::Function(function) => Some(function),
                RelocTarget::Object(_) => None,
            }));
        }
    }
    while let Some(function) = open.pop() {
        if std::mem::replace(&mut reached[function], true) {
            continue;
        }
        for edge in program.functions[function].edges().iter() {
            if let Op::Call { callee: Callee::Direct(callee), .. } = edge.op {
                open.push(callee);
            }
            for_each_root(&edge.op, |root| addresses(program, root, &mut seen, &mut open));
        }
    }
    reached
}

/// The functions whose address an expression takes.
fn addresses(program: &Program, root: ExprId, seen: &mut FxHashSet<ExprId>, found: &mut Vec<FuncId>) {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        if let Expr::FuncAddr(function) = program.exprs.get(id) {
            found.push(function);
        }
        open.extend(program.exprs.operands(id));
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::DataModel;
    use crate::lower::{Options, compile};
    use robusto_syntax::SourceMap;

    fn lines(text: &str) -> Vec<u32> {
        let mut sources = SourceMap::new();
        let file = sources.add("a.c", text.to_owned()).expect("it is short");
        let (program, _) = compile(&mut sources, &[file], Options::new(DataModel::Lp64)).expect("it is C");
        program.assumptions.iter().map(|a| a.pos.line).collect()
    }

    #[test]
    fn what_nothing_reaches_needs_nothing() {
        let rest = "int f(void);\nstatic int unused(void) { return f(); }\nstatic int used(void) { return f(); }\n";
        assert_eq!(lines(&format!("{rest}int main(void) {{ return used(); }}")), [3], "at the first place that counts");
        assert!(lines(&format!("{rest}int main(void) {{ return 0; }}")).is_empty());
        assert_eq!(lines(&format!("{rest}int main(void) {{ return (int)(long)used; }}")), [3], "by its address");
        assert_eq!(lines(&format!("{rest}int (*p)(void) = unused;\nint main(void) {{ return 0; }}")), [2]);
        assert_eq!(lines(rest), [2], "a library has no main");
    }
}
