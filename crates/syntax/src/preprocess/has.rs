//! `__has_attribute`, `__has_c_attribute` and `__has_builtin` in conditions: the answers of GCC 12.

use super::source::is;
use super::{Pp, PpKind, PpToken, Preprocessor, fail};
use crate::lex::Punct;

/// Attributes of GNU.
const ATTRIBUTES: &str = "access alias aligned alloc_align alloc_size always_inline artificial assume_aligned cdecl cleanup cold \
    common const constructor copy deprecated designated_init destructor error externally_visible fallthrough \
    fastcall flatten format format_arg gcc_struct gnu_inline hot ifunc interrupt leaf malloc may_alias mode \
    ms_abi ms_struct naked no_address_safety_analysis no_icf no_instrument_function \
    no_profile_instrument_function no_reorder no_sanitize no_sanitize_address no_sanitize_thread \
    no_sanitize_undefined no_split_stack no_stack_limit no_stack_protector noclone nocommon noinit noinline \
    noipa nonnull nonstring noplt noreturn nothrow objc_nullability objc_root_class optimize packed \
    patchable_function_entry persistent pure regparm retain returns_nonnull returns_twice scalar_storage_order \
    section sentinel simd stack_protect stdcall symver sysv_abi target target_clones thiscall tls_model \
    transaction_callable transaction_may_cancel_outer transaction_pure transaction_safe transaction_unsafe \
    transparent_union unavailable uninitialized unused used vector_size visibility warn_if_not_aligned \
    warn_unused_result warning weak weakref zero_call_used_regs";

/// Builtin functions, without the prefix `__builtin_`.
const BUILTINS: &str = "abort abs acos add_overflow add_overflow_p alloca alloca_with_align alloca_with_align_and_max apply \
    apply_args asin assoc_barrier assume_aligned atan atan2 bcmp bcopy bswap128 bswap16 bswap32 bswap64 bzero \
    calloc ceil choose_expr classify_type clear_padding clrsb clrsbl clrsbll clz clzl clzll constant_p \
    convertvector copysign copysignf cos cpu_init cpu_is cpu_supports ctz ctzl ctzll dynamic_object_size exit \
    exp expect expect_with_probability extend_pointer extract_return_addr fabs fabsf ffs ffsl ffsll floor fmax \
    fmin fmod fpclassify fprintf frame_address free frob_return_addr has_attribute huge_val huge_valf huge_vall \
    ia32_pause ia32_rdtsc inf inff infl isdigit isfinite isgreater isgreaterequal isinf isinf_sign isless \
    islessequal islessgreater isnan isnormal isunordered labs llabs log longjmp lround malloc memchr memcmp \
    memcpy memmove mempcpy memset mul_overflow mul_overflow_p nan nanf nanl nans object_size offsetof parity \
    parityl parityll popcount popcountl popcountll pow powi prefetch printf putchar puts realloc return \
    return_address rint round sadd_overflow saddl_overflow saddll_overflow setjmp shuffle shufflevector signbit \
    signbitf signbitl sin smul_overflow smull_overflow smulll_overflow snprintf speculation_safe_value sprintf \
    sqrt ssub_overflow ssubl_overflow ssubll_overflow stack_restore stack_save stpcpy strcat strchr strcmp \
    strcpy strdup strlen strncat strncmp strncpy strpbrk strrchr strspn strstr sub_overflow sub_overflow_p trap \
    trunc types_compatible_p uadd_overflow uaddl_overflow uaddll_overflow umul_overflow umull_overflow \
    umulll_overflow unreachable usub_overflow usubl_overflow usubll_overflow va_arg_pack va_arg_pack_len va_copy \
    va_end va_start vsnprintf vsprintf";

/// Whether a name is one of these operators, or `__has_include`; they count as defined.
pub(super) fn is_operator(name: &str) -> bool {
    matches!(name, "__has_attribute" | "__has_c_attribute" | "__has_builtin" | "__has_include" | "__has_include_next")
}

impl Preprocessor<'_> {
    /// Replaces the operators with their operands by numbers.
    pub(super) fn resolve_has(&mut self, tokens: &[PpToken]) -> Pp<Vec<PpToken>> {
        let mut out = Vec::new();
        let mut rest = tokens;
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            let name = self.names.text(token.text).to_owned();
            if token.kind != PpKind::Ident || !is_operator(&name) || name.starts_with("__has_include") {
                out.push(*token);
                continue;
            }
            let close = after.iter().position(|t| is(t, Punct::RParen));
            let (Some(close), true) = (close, after.first().is_some_and(|t| is(t, Punct::LParen))) else {
                return fail(token.offset, format!("expected a name in parentheses after `{name}`"));
            };
            let operand: String = after[1..close].iter().map(|t| self.names.text(t.text)).collect();
            rest = &after[close + 1..];
            out.push(PpToken { kind: PpKind::Number, text: self.names.intern(answer(&name, &operand)), ..*token });
        }
        Ok(out)
    }
}

fn answer(operator: &str, operand: &str) -> &'static str {
    let known = match operator {
        "__has_builtin" => {
            let plain = operand.strip_prefix("__builtin_").unwrap_or(operand);
            plain.starts_with("__sync_") || plain.starts_with("__atomic_") || contains(BUILTINS, plain)
        }
        "__has_c_attribute" => match plain_name(operand) {
            "deprecated" | "fallthrough" | "maybe_unused" => return "201904",
            "nodiscard" => return "202003",
            name => name.strip_prefix("gnu::").is_some_and(|name| contains(ATTRIBUTES, plain_name(name))),
        },
        _ => contains(ATTRIBUTES, plain_name(operand.strip_prefix("gnu::").unwrap_or(operand))),
    };
    if known { "1" } else { "0" }
}

/// The name without the underscores around it.
fn plain_name(name: &str) -> &str {
    name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name)
}

fn contains(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}
