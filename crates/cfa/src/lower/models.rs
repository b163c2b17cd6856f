//! Library functions written in C, and the declarations that the compiler knows by itself.
//!
//! A program that calls `strlen` without defining it gets the model's body, lowered like its own code; so every engine
//! understands it. Each file of models holds functions that belong together.

use crate::ir::DataModel;

/// Declarations of the functions that a compiler knows without a header.
pub fn prelude(model: DataModel) -> String {
    with_types(include_str!("../../models/prelude.c"), model)
}

/// Text of ours with the types that depend on the data model in front.
pub fn with_types(text: &str, model: DataModel) -> String {
    let size = match model {
        DataModel::Ilp32 => "unsigned int",
        DataModel::Lp64 => "unsigned long",
    };
    format!("typedef {size} __robusto_size;\n{text}")
}

macro_rules! models {
    ($($file:literal: $($name:literal)*;)*) => {
        /// The C text that defines a library function.
        pub fn source(name: &str) -> Option<&'static str> {
            match name.strip_prefix("__builtin_").unwrap_or(name) {
                $($($name)|* => Some(include_str!(concat!("../../models/", $file))),)*
                _ => None,
            }
        }
    };
}

models! {
    "strlen.c": "strlen" "strnlen";
    "strcpy.c": "strcpy" "strncpy" "stpcpy";
    "strcat.c": "strcat" "strncat";
    "strcmp.c": "strcmp" "strncmp" "strcasecmp";
    "strchr.c": "strchr" "strrchr" "strstr";
    "memcmp.c": "memcmp" "memchr";
    "strdup.c": "strdup";
    "abs.c": "abs" "labs" "llabs";
    "realloc.c": "realloc";
    "atoi.c": "atoi" "atol";
    "ctype.c": "isdigit" "isalpha" "isalnum" "isspace" "isupper" "islower" "isxdigit" "isprint" "ispunct" "toupper" "tolower";
    "qsort.c": "qsort";
    "bits.c": "clz" "clzl" "clzll" "ctz" "ctzl" "ctzll" "popcount" "popcountl" "popcountll" "ffs" "ffsl" "ffsll"
        "parity" "parityl" "parityll";
    "bswap.c": "bswap16" "bswap32" "bswap64";
    "float.c": "signbit" "signbitf" "__signbit" "__signbitf" "copysign" "copysignf" "fmax" "fmin" "fmaxf" "fminf"
        "isnan" "__isnan" "__isnanf" "isinf" "__isinf" "__isinff" "__finite" "__finitef" "__fpclassify" "__fpclassifyf";
}
