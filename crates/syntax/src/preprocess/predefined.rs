//! Macros that are defined from the beginning: those of GCC for x86-64 and i386 on Linux that programs ask about.

use super::macros::{Builtin, Macro};
use super::source::Source;
use super::{DataModel, Options, Pp, Preprocessor, fail};
use std::rc::Rc;

const COMMON: &str = include_str!("predefined_common.txt");
const LP64: &str = include_str!("predefined_lp64.txt");
const ILP32: &str = include_str!("predefined_ilp32.txt");

impl Preprocessor<'_> {
    /// Defines the predefined macros and those of the options.
    pub(super) fn predefine(&mut self, options: &Options) -> Pp<()> {
        let model = match options.data_model {
            DataModel::Lp64 => LP64,
            DataModel::Ilp32 => ILP32,
        };
        for line in COMMON.lines().chain(model.lines()) {
            self.define_text(line)?;
        }
        for (name, builtin) in
            [("__LINE__", Builtin::Line), ("__FILE__", Builtin::File), ("__COUNTER__", Builtin::Counter)]
        {
            let name = self.names.intern(name);
            self.macros.insert(name, Rc::new(Macro::Builtin(builtin)));
        }
        for definition in &options.defines {
            let text = match definition.split_once('=') {
                Some((name, value)) => format!("{name} {value}"),
                None => format!("{definition} 1"),
            };
            if text.contains(['\n', '\r']) || self.define_text(&text).is_err() {
                return fail(0, format!("`{definition}` on the command line is not a macro definition"));
            }
        }
        Ok(())
    }

    fn define_text(&mut self, text: &str) -> Pp<()> {
        let tokens = Source::tokens_of(text, &mut self.names)?;
        self.define(&tokens, 0)
    }
}
