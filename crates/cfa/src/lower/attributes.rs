//! The registry of attributes: what each attribute of GCC (on x86), of clang and of the standard means here.
//!
//! The modules that give an attribute its meaning find it by name; this table says for all of them how well that is done.
//! An attribute that is in no row is listed as an assumption; one that is not supported makes the verdict unknown.

use super::Lower;
use crate::ir::Granted;
use robusto_syntax::ast::TranslationUnit;

/// How an attribute is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It means what the compiler's manual says.
    Exact,
    /// It does not change what a program does; or it promises something of which no use is made.
    None,
    /// It is taken not to change what a program does, which is listed as an assumption.
    Assumed,
    /// A program with it gets no verdict but unknown.
    Unsupported,
}

impl Effect {
    /// A few words.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Exact => "exact",
            Effect::None => "no effect",
            Effect::Assumed => "assumption",
            Effect::Unsupported => "unsupported",
        }
    }
}

/// Attributes that are treated alike.
pub struct Row {
    /// How they are treated.
    pub effect: Effect,
    /// Why; may be empty.
    pub note: &'static str,
    /// The names, without the underscores around them.
    pub names: &'static str,
}

const fn row(effect: Effect, note: &'static str, names: &'static str) -> Row {
    Row { effect, note, names }
}

/// The table.
pub const ROWS: &[Row] = &[
    row(Effect::Exact, "layout and alignment", "packed aligned scalar_storage_order transparent_union gcc_struct"),
    row(Effect::Exact, "the type", "mode vector_size"),
    row(Effect::Exact, "symbols", "weak alias weakref ifunc"),
    row(Effect::Exact, "run before and after `main`, by priority", "constructor destructor"),
    row(Effect::Exact, "the function runs when the variable ends", "cleanup"),
    row(Effect::Exact, "an external function with it ends the program", "noreturn _Noreturn"),
    row(Effect::Exact, "an external function with it changes nothing", "const pure"),
    row(Effect::Exact, "each `extern inline` definition yields to another one", "gnu_inline"),
    row(Effect::Exact, "sections that run before or after `main` make the verdict unknown", "section"),
    row(
        Effect::None,
        "what it promises of the result is not used",
        "malloc alloc_size alloc_align assume_aligned returns_nonnull unsequenced reproducible",
    ),
    row(
        Effect::None,
        "what it promises of arguments and callers is not used",
        "nonnull nonnull_if_nonzero access leaf nothrow expected_throw sentinel null_terminated_string_arg fd_arg fd_arg_read \
         fd_arg_write noescape assume",
    ),
    row(
        Effect::None,
        "warnings",
        "unused maybe_unused deprecated unavailable warning error warn_unused_result nodiscard warn_if_not_aligned format \
         format_arg nonstring designated_init fallthrough tainted_args uninitialized flag_enum enum_extensibility \
         diagnose_if availability annotate warn_unused",
    ),
    row(
        Effect::None,
        "inlining and optimisation",
        "always_inline noinline noclone noipa no_icf flatten artificial cold hot likely unlikely musttail \
         not_tail_called disable_tail_calls simd may_alias no_reorder optnone minsize no_builtin nodebug nomerge \
         speculative_load_hardening",
    ),
    row(
        Effect::None,
        "linking and visibility",
        "visibility externally_visible used retain common nocommon symver tls_model dllimport dllexport selectany \
         shared model nodirect_extern_access noplt",
    ),
    row(
        Effect::None,
        "instrumentation and hardening",
        "no_instrument_function no_profile_instrument_function no_sanitize no_sanitize_address no_sanitize_thread \
         no_sanitize_undefined no_sanitize_coverage no_sanitize_memory no_address_safety_analysis \
         disable_sanitizer_instrumentation stack_protect no_stack_protector no_split_stack no_stack_limit \
         patchable_function_entry fentry_name fentry_section nocf_check cf_check indirect_branch function_return \
         indirect_return strub zero_call_used_regs xray_always_instrument xray_never_instrument",
    ),
    row(
        Effect::None,
        "calling conventions, which caller and callee share",
        "cdecl fastcall stdcall thiscall vectorcall regparm sseregparm ms_abi sysv_abi callee_pop_aggregate_return \
         force_align_arg_pointer ms_hook_prologue no_caller_saved_registers no_callee_saved_registers preserve_none \
         preserve_most preserve_all",
    ),
    row(
        Effect::None,
        "`__builtin_object_size` is open where it depends on it",
        "counted_by strict_flex_array pass_object_size pass_dynamic_object_size",
    ),
    row(
        Effect::None,
        "for other checkers",
        "noderef bitwise force nocast safe context guarded_by pt_guarded_by capability lockable acquire_capability \
         release_capability requires_capability no_thread_safety_analysis acquired_after acquired_before btf_type_tag \
         btf_decl_tag preserve_access_index",
    ),
    row(
        Effect::Assumed,
        "compiled for other instructions or with other options",
        "target target_clones target_version optimize",
    ),
    row(Effect::Unsupported, "the body is assembly", "naked"),
    row(Effect::Unsupported, "runs at any time", "interrupt interrupt_handler signal"),
    row(Effect::Exact, "a call of an external function with it makes the verdict unknown", "returns_twice"),
    row(Effect::Unsupported, "is not set when the program starts", "noinit persistent"),
    row(Effect::Unsupported, "other representations of values", "hardbool"),
    row(Effect::Unsupported, "layout (the program is rejected)", "ms_struct"),
    row(Effect::Unsupported, "attributes of something else", "copy"),
    row(
        Effect::Unsupported,
        "types and names of clang",
        "ext_vector_type neon_vector_type matrix_type address_space overloadable enable_if internal_linkage blocks",
    ),
];

/// All attributes with their rows.
pub fn attributes() -> impl Iterator<Item = (&'static str, &'static Row)> {
    ROWS.iter().flat_map(|row| row.names.split_ascii_whitespace().map(move |name| (name, row)))
}

impl<'a> Lower<'a, '_> {
    /// Looks up the attributes of a file, each name once.
    pub(super) fn look_up_attributes(&mut self, unit: &TranslationUnit<'a>) {
        for attribute in unit.attributes {
            let name = self.text(attribute.name).to_owned();
            let row = attributes().find(|(known, _)| *known == name).map(|(_, row)| row);
            let kind = match row.map(|row| row.effect) {
                Some(Effect::Exact | Effect::None) => continue,
                Some(Effect::Unsupported) => {
                    self.symbols.unknown_start = Some(format!("attribute `{name}`"));
                    continue;
                }
                Some(Effect::Assumed) => Granted::TargetAttribute { name },
                None => Granted::UnknownAttribute { name },
            };
            let pos = self.pos(attribute.span);
            self.assume_at(pos, kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{DataModel, Op, Program};

    fn compile(text: &str) -> Program {
        let mut sources = robusto_syntax::SourceMap::new();
        let file = sources.add("a.c", text.to_owned()).expect("it is short");
        crate::compile(&mut sources, &[file], crate::Options::new(DataModel::Lp64)).expect("it is C").0
    }

    fn assumptions(text: &str) -> Vec<String> {
        compile(text).assumptions.iter().map(|a| format!("{}: {}", a.pos.line, a.text)).collect()
    }

    fn unsupported(text: &str) -> Option<String> {
        let program = compile(text);
        let edges = program.functions.iter().flat_map(|f| f.edges().iter());
        edges.filter_map(|e| if let Op::Unsupported(what) = &e.op { Some(what.to_string()) } else { None }).next()
    }

    #[test]
    fn every_name_stands_once() {
        let mut names: Vec<&str> = attributes().map(|(name, _)| name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn what_is_not_known_is_listed_once() {
        let text = "int x __attribute__((unused, strange));\nint main(void) { __attribute__((__strange__)) int y = 0; \
                    return y; }";
        assert_eq!(assumptions(text), ["1: attribute `strange` is not known and has no effect"]);
    }

    #[test]
    fn attributes_without_a_place_in_the_tree_are_found() {
        let text = "enum e { A __attribute__((odd)) };\nint main(void) { l: __attribute__((even)); return A; }";
        let listed = assumptions(text);
        assert_eq!(listed.len(), 2, "{listed:?}");
    }

    #[test]
    fn standard_attributes_are_known_by_their_own_names() {
        assert!(assumptions("[[maybe_unused]] int x;\nint main(void) { return 0; }").is_empty());
        let listed = assumptions("[[packed]] int x; [[other::packed]] int y;\nint main(void) { return 0; }");
        assert_eq!(
            listed,
            [
                "1: attribute `[[packed]]` is not known and has no effect",
                "1: attribute `other::packed` is not known and has no effect"
            ]
        );
    }

    #[test]
    fn a_function_that_returns_twice_counts_where_it_is_called() {
        let declared = "int again(void) __attribute__((returns_twice));\n";
        assert_eq!(unsupported(&format!("{declared}int main(void) {{ return 0; }}")), None);
        let called = unsupported(&format!("{declared}int main(void) {{ return again(); }}"));
        assert_eq!(called.as_deref(), Some("call of `again`, which may return twice"));
    }

    #[test]
    fn what_is_not_supported_makes_the_start_so() {
        let text = "__attribute__((interrupt)) void f(void *p) {}\nint main(void) { return 0; }";
        assert_eq!(unsupported(text).as_deref(), Some("attribute `interrupt`"));
        assert_eq!(unsupported("__attribute__((noinline)) void f(void) {} int main(void) { return 0; }"), None);
    }
}
