//! What library functions change beside their arguments and results: variables that headers declare, and what was pushed
//! back to a stream.

use super::endings::FORGET;
use super::table::Entry;
use crate::ir::{Expr, FuncId, HavocSource, Idx, Op};
use crate::lower::Lower;

/// Functions, and the variables of the library that they may change.
const VARIABLES: &[(&str, &str)] = &[
    (
        "tzset localtime localtime_r ctime ctime_r mktime timelocal strftime",
        "timezone daylight tzname __timezone __daylight __tzname",
    ),
    ("lgamma lgammaf lgammal gamma gammaf", "signgam __signgam"),
    ("setenv unsetenv clearenv putenv", "environ __environ _environ"),
    ("error error_at_line", "error_message_count"),
];

/// Functions that move a stream, or read from it without a look at what was pushed back.
const MOVES: &str = "rewind fseek fseeko fseeko64 fsetpos fsetpos64 fflush fclose pclose freopen scanf fscanf";

fn among(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}

/// Whether a function changes something beside its arguments.
pub(super) fn acts_beside(name: &str) -> bool {
    among(MOVES, name) || VARIABLES.iter().any(|(functions, _)| among(functions, name))
}

impl Lower<'_, '_> {
    /// The changes of a call that has returned.
    pub(super) fn change_beside(&mut self, entry: &Entry, id: FuncId) {
        if self.in_model {
            return;
        }
        if among(MOVES, entry.name) {
            self.pending_call(FORGET, &[]);
        }
        for (_, variables) in VARIABLES.iter().filter(|(functions, _)| among(functions, entry.name)) {
            variables.split_ascii_whitespace().for_each(|variable| self.change_variable(variable, id));
        }
    }

    /// A variable that the library defines takes any value. Whether the program uses it is known at the end.
    fn change_variable(&mut self, name: &str, id: FuncId) {
        let object = self.names.get(name).and_then(|symbol| self.linked_objects.get(&symbol)).copied();
        let Some(object) = object.filter(|object| self.objects[object.index()].defined.is_none()) else { return };
        let size = self.types.size(self.objects[object.index()].ty).unwrap_or(0);
        if size == 0 || self.fun.quiet {
            return;
        }
        self.pending.variables.insert((self.fun.builder.id, object));
        let addr = self.program.exprs.intern(Expr::ObjAddr(object));
        let size = self.program.exprs.size(size);
        self.emit(Op::HavocMem { addr, size, source: HavocSource::External(id) });
    }

    /// Takes the changes of variables out that the program does not use.
    pub(super) fn settle_variables(&mut self) {
        let unused = |lower: &Self, object: crate::ir::ObjId| !lower.objects[object.index()].used;
        let mut gone: Vec<_> =
            self.pending.variables.iter().copied().filter(|&(_, object)| unused(self, object)).collect();
        gone.sort_unstable();
        for (function, object) in gone {
            let addr = self.program.exprs.intern(Expr::ObjAddr(object));
            self.program.functions[function].map_ops(|op| {
                if matches!(op, Op::HavocMem { addr: changed, .. } if *changed == addr) {
                    *op = Op::Skip;
                }
            });
        }
    }
}
