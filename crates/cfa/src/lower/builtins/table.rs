//! The registry of compiler builtins: names and families of names that the modules beside, and `atomics`, give a meaning.
//!
//! Library functions by the name `__builtin_f` mean `f`, and builtins that are written in C are in the library's table.
//! All other names are not supported.

use crate::lower::library::table::Treatment;

/// Builtins that are treated alike.
pub struct Row {
    /// What they are about.
    pub about: &'static str,
    /// How well they are modelled.
    pub treatment: Treatment,
    /// What the treatment leaves out or takes for granted; may be empty.
    pub note: &'static str,
    /// The names; `{a,b}` stands for one of several parts, of which one may be empty.
    pub names: &'static str,
}

const fn exact(about: &'static str, names: &'static str) -> Row {
    Row { about, treatment: Treatment::Exact, note: "", names }
}

const fn over(about: &'static str, note: &'static str, names: &'static str) -> Row {
    Row { about, treatment: Treatment::Over, note, names }
}

/// The table.
pub const ROWS: &[Row] = &[
    exact("hints", "__builtin_expect __builtin_expect_with_probability __builtin_prefetch __builtin_cpu_init"),
    exact("hints", "__builtin_stack_restore __builtin___clear_cache"),
    over("hints", "an assumption", "__builtin_assume_aligned __builtin_assume __builtin_unreachable"),
    exact("variable arguments", "__builtin_va_start __builtin_c23_va_start __builtin_va_end __builtin_va_copy"),
    exact("variable arguments", "__builtin_va_arg"),
    exact("types", "__builtin_classify_type __builtin_types_compatible_p __builtin_choose_expr __builtin_offsetof"),
    exact("places", "__builtin_LINE __builtin_FILE __builtin_FUNCTION"),
    over("questions to the compiler", "open where optimisation decides", "__builtin_constant_p"),
    over(
        "questions to the compiler",
        "open where optimisation decides",
        "__builtin_object_size __builtin_dynamic_object_size",
    ),
    over(
        "the stack",
        "any address",
        "__builtin_return_address __builtin_frame_address __builtin_extract_return_addr __builtin_frob_return_addr \
         __builtin_stack_save",
    ),
    over(
        "the stack",
        "the stack has room",
        "__builtin_alloca __builtin_alloca_with_align __builtin_alloca_with_align_and_max",
    ),
    exact("overflow", "__builtin_{add,sub,mul}_overflow __builtin_{add,sub,mul}_overflow_p"),
    exact("overflow", "__builtin_{s,u}{add,sub,mul}{,l,ll}_overflow"),
    exact("overflow", "__builtin_{addc,subc}{b,s,,l,ll}"),
    exact("bits", "__builtin_clrsb{,l,ll,g} __builtin_{clzg,ctzg,popcountg,parityg,ffsg}"),
    exact("bits", "__builtin_{bitreverse,rotateleft,rotateright}{8,16,32,64} __builtin_bswap128"),
    exact("floats", "__builtin_{inf,huge_val}{,f,l,f32,f64,f128,f32x,f64x,q}"),
    over(
        "floats",
        "of a text that is computed the payload is 0",
        "__builtin_{nan,nans}{,f,l,f32,f64,f128,f32x,f64x,q}",
    ),
    exact("floats", "__builtin_{isunordered,isgreater,isgreaterequal,isless,islessequal,islessgreater}"),
    exact("floats", "__builtin_fpclassify __builtin_isinf_sign"),
    exact("floats", "__builtin_{isnan,isinf,isfinite,finite,isnormal,signbit}{,f,l,f32,f64,f128,q}"),
    over("floats", "the result is computed by the interpreter only", "__builtin_powi{,f,l}"),
    exact("atomics", "__sync_synchronize __atomic_thread_fence __atomic_signal_fence"),
    exact("atomics", "__c11_atomic_thread_fence __c11_atomic_signal_fence __c11_atomic_init"),
    exact("atomics", "__sync_fetch_and_{add,sub,or,and,xor,nand} __sync_{add,sub,or,and,xor,nand}_and_fetch"),
    exact("atomics", "__sync_{val,bool}_compare_and_swap __sync_lock_test_and_set __sync_lock_release"),
    exact("atomics", "{__atomic,__c11_atomic}_fetch_{add,sub,or,and,xor,nand}"),
    exact("atomics", "__atomic_{add,sub,or,and,xor,nand}_fetch"),
    exact("atomics", "__atomic_{load,store,exchange}{,_n} __c11_atomic_{load,store,exchange}"),
    over(
        "atomics",
        "a weak one may fail",
        "__atomic_compare_exchange{,_n} __c11_atomic_compare_exchange_{strong,weak}",
    ),
    exact("atomics", "__atomic_test_and_set __atomic_clear __atomic_always_lock_free"),
    over("atomics", "open for large objects", "__atomic_is_lock_free __c11_atomic_is_lock_free"),
];

/// The names that a pattern stands for.
#[cfg(test)]
fn expand(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let (parts, after) = rest.split_once('}').expect("braces are closed");
    let ends = expand(after);
    parts.split(',').flat_map(|part| ends.iter().map(move |end| format!("{before}{part}{end}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{DataModel, Op};

    /// What is not supported in a program.
    fn unsupported(body: &str) -> Vec<String> {
        let text = format!(
            "struct s {{ int a; }} s; int x, y, z; unsigned char c; unsigned short h; unsigned u; unsigned long l; \
             unsigned long long ll; long sl; long long sll; double d; __builtin_va_list ap, aq; char *p; \
             int f(int n, ...) {{ {body}; return 0; }} int main(void) {{ return f(1, 2); }}"
        );
        let mut sources = robusto_syntax::SourceMap::new();
        let file = sources.add("a.c", text).expect("it is short");
        let compiled = crate::compile(&mut sources, &[file], crate::Options::new(DataModel::Lp64));
        let (program, _) = compiled.unwrap_or_else(|errors| panic!("{body}: {errors:?}"));
        let edges = program.functions.iter().flat_map(|f| f.edges().iter());
        edges.filter_map(|e| if let Op::Unsupported(what) = &e.op { Some(what.to_string()) } else { None }).collect()
    }

    /// Arguments that suit a builtin.
    fn arguments(name: &str) -> &'static str {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        match plain {
            "va_start" | "c23_va_start" => "ap, n",
            "va_end" => "ap",
            "va_copy" => "aq, ap",
            "va_arg" => "ap, int",
            "types_compatible_p" => "int, long",
            "choose_expr" => "1, x, y",
            "offsetof" => "struct s, a",
            "object_size" | "dynamic_object_size" => "p, 0",
            "expect_with_probability" => "x, 1, 0.5",
            "alloca_with_align_and_max" => "8, 64, 64",
            "fpclassify" => "0, 1, 2, 3, 4, d",
            "return_address" | "frame_address" => "0",
            "LINE" | "FILE" | "FUNCTION" | "unreachable" | "cpu_init" | "stack_save" | "__sync_synchronize" => "",
            "assume" => "x",
            "assume_aligned" => "p, 8",
            "prefetch" | "extract_return_addr" | "frob_return_addr" | "stack_restore" => "p",
            "alloca_with_align" => "8, 64",
            _ if plain.starts_with("inf") || plain.starts_with("huge_val") => "",
            _ if plain.starts_with("nan") => "\"1\"",
            _ if plain.starts_with("powi") => "d, 2",
            _ if plain.starts_with("addc") || plain.starts_with("subc") => match &plain[4..] {
                "b" => "1, 2, 0, &c",
                "s" => "1, 2, 0, &h",
                "l" => "1, 2, 0, &l",
                "ll" => "1, 2, 0, &ll",
                _ => "1, 2, 0, &u",
            },
            _ if plain.ends_with("_overflow_p") => "x, y, z",
            _ if plain.ends_with("l_overflow") && plain.contains("ll_") => "1, 2, &sll",
            _ if plain.ends_with("l_overflow") && !plain.ends_with("mul_overflow") => "1, 2, &sl",
            _ if plain.ends_with("_overflow") => "x, y, &z",
            _ if plain.starts_with("rotate") => "u, 3",
            _ if plain.starts_with("is") && plain.ends_with(['r', 'l', 'd', 's']) && plain.contains("ss") => "d, d",
            _ if plain.starts_with("isgreater") || plain == "isunordered" || plain.starts_with("islessequal") => "d, d",
            _ if plain.starts_with("is") || plain.starts_with("finite") || plain.starts_with("signbit") => "d",
            _ if name.ends_with("_fence") => "5",
            _ if name.ends_with("_lock_free") => "4, 0",
            "__atomic_load" => "&x, &y, 5",
            "__atomic_store" => "&x, &y, 5",
            "__atomic_exchange" => "&x, &y, &z, 5",
            "__atomic_compare_exchange" => "&x, &y, &z, 0, 5, 5",
            "__atomic_compare_exchange_n" => "&x, &y, 1, 0, 5, 5",
            _ if name.contains("compare_exchange") => "&x, &y, 1, 5, 5",
            _ if name.contains("compare_and_swap") => "&x, 1, 2",
            "__atomic_load_n" | "__c11_atomic_load" | "__atomic_test_and_set" | "__atomic_clear" => "&x, 5",
            "__sync_lock_release" => "&x",
            _ if name.contains("atomic") => "&x, 1, 5",
            _ if name.starts_with("__sync") => "&x, 1",
            "__builtin___clear_cache" | "___clear_cache" => "p, p",
            "expect" => "x, 1",
            _ => "u",
        }
    }

    #[test]
    fn every_name_of_the_table_is_known() {
        for row in ROWS {
            for name in row.names.split_ascii_whitespace().flat_map(expand) {
                let found = unsupported(&format!("{name}({})", arguments(&name)));
                assert!(!found.iter().any(|what| what.contains("call of")), "{name}: {found:?}");
            }
        }
    }

    #[test]
    fn other_names_are_not_supported() {
        for name in ["__builtin_strange", "__atomic_fetch_strange", "__sync_strange"] {
            assert_eq!(unsupported(&format!("{name}(&x, 1)")), [format!("call of `{name}`")]);
        }
    }

    #[test]
    fn patterns_stand_for_all_their_names() {
        assert_eq!(expand("a{b,}c{1,2}"), ["abc1", "abc2", "ac1", "ac2"]);
    }
}
