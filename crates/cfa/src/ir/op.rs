//! What edges do.

use super::{ExprId, FuncId, VarId};

/// Operation of an edge.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Nothing.
    Skip,
    /// Goes on only where the condition (type `BOOL`) has this truth value. A branch is two edges with the same
    /// condition and opposite truth values; a lone `Assume` blocks the executions that it does not admit.
    Assume {
        /// The condition.
        cond: ExprId,
        /// The truth value it must have.
        truth: bool,
    },
    /// `var := value`
    Assign {
        /// The variable.
        var: VarId,
        /// A value of the variable's type.
        value: ExprId,
    },
    /// Writes a value to memory, little-endian, as many bytes as its type has.
    Store {
        /// Address (type `Ptr`).
        addr: ExprId,
        /// The value.
        value: ExprId,
    },
    /// Copies `size` bytes; the ranges may overlap (`memmove`).
    Copy {
        /// To (type `Ptr`).
        dst: ExprId,
        /// From (type `Ptr`).
        src: ExprId,
        /// Number of bytes (type `size_ty`).
        size: ExprId,
    },
    /// Sets `size` bytes.
    Fill {
        /// To (type `Ptr`).
        dst: ExprId,
        /// The value of each (type `Int(8)`).
        byte: ExprId,
        /// Number of bytes (type `size_ty`).
        size: ExprId,
    },
    /// The variable takes any value of its type.
    Havoc {
        /// The variable.
        var: VarId,
        /// Why.
        source: HavocSource,
    },
    /// `size` bytes take any value.
    HavocMem {
        /// Where (type `Ptr`).
        addr: ExprId,
        /// Number of bytes (type `size_ty`).
        size: ExprId,
        /// Why.
        source: HavocSource,
    },
    /// Calls a function; its parameters take the arguments, one each.
    Call {
        /// Takes the returned value.
        result: Option<VarId>,
        /// What is called.
        callee: Callee,
        /// The arguments.
        args: Box<[ExprId]>,
    },
    /// Calls a library function that has no body in the automata. An engine that does not know it may treat it as
    /// a havoc of the result and of the memory that [`Builtin::writes`] names.
    Builtin {
        /// Takes the returned value.
        result: Option<VarId>,
        /// Which.
        builtin: Builtin,
        /// The arguments.
        args: Box<[ExprId]>,
    },
    /// `var :=` address of a new object of `size` bytes. The content is nondeterministic unless `zeroed`. It is never null: where an
    /// allocation may fail, a branch before it says so.
    Alloc {
        /// Takes the address (type `Ptr`).
        var: VarId,
        /// Number of bytes (type `size_ty`).
        size: ExprId,
        /// Where.
        kind: AllocKind,
        /// Whether the bytes are zero.
        zeroed: bool,
    },
    /// Ends an allocated object; of a null pointer, does nothing. Of the library's kind, does nothing either where no such object
    /// begins: `fclose(stdin)`.
    Free {
        /// Its address.
        ptr: ExprId,
        /// How it was allocated.
        kind: AllocKind,
    },
    /// Leaves the function; the edge ends at the function's exit.
    Return {
        /// The returned value.
        value: Option<ExprId>,
    },
    /// A property is violated. The edge ends at a location without successors.
    Error(ErrorKind),
    /// The program ends (`exit`, `abort`). The edge ends at a location without successors.
    Halt {
        /// The exit status (type `Int(32)`); `None` for `abort`.
        status: Option<ExprId>,
    },
    /// Something that is not modelled: an execution that comes here makes the verdict unknown. The edge ends at a
    /// location without successors.
    Unsupported(Box<str>),
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function.
    Direct(FuncId),
    /// The function whose address the expression (type `Ptr`) has. If that is one outside of the program, it does what the second
    /// function does; without that, the call is not modelled.
    Indirect(ExprId, Option<FuncId>),
}

/// Where an allocated object lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AllocKind {
    /// `malloc`, `calloc`, `realloc`
    Heap,
    /// `alloca`, a variable-length array: gone when the function returns.
    Stack,
    /// What a library function keeps for itself, as `fopen`: the program may not free it, and it is no leak.
    Library,
    /// What a function that is checked by itself gets: it may free that, and what it does not free its caller still holds.
    Caller,
}

/// Which property an error edge violates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ErrorKind {
    /// `reach_error()`, `__VERIFIER_error()`
    ReachError,
    /// `assert`
    Assert,
    /// Signed overflow.
    Overflow,
    /// Division by zero.
    DivByZero,
    /// A shift by a negative amount, or by the width or more.
    BadShift,
    /// An access outside of a live object, or a call through what is no function's address.
    Deref,
    /// `free` of what is no live heap object.
    Free,
    /// A heap object that no pointer leads to.
    Track,
    /// A heap object that is live at the end.
    Cleanup,
    /// A value of memory or of a variable that was never set decides a branch.
    Uninit,
    /// A label that must not be reached.
    Label,
}

impl ErrorKind {
    /// All of them.
    pub const ALL: [ErrorKind; 11] = {
        use ErrorKind::*;
        [ReachError, Assert, Overflow, DivByZero, BadShift, Deref, Free, Track, Cleanup, Uninit, Label]
    };

    /// The word for the violated property in the text form of automata, and in other formats.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::ReachError => "reach_error",
            ErrorKind::Assert => "assert",
            ErrorKind::Overflow => "overflow",
            ErrorKind::DivByZero => "div_by_zero",
            ErrorKind::BadShift => "bad_shift",
            ErrorKind::Deref => "deref",
            ErrorKind::Free => "free",
            ErrorKind::Track => "track",
            ErrorKind::Cleanup => "cleanup",
            ErrorKind::Uninit => "uninit",
            ErrorKind::Label => "label",
        }
    }

    /// What has happened, in words.
    pub fn describe(self) -> &'static str {
        match self {
            ErrorKind::ReachError => "error call",
            ErrorKind::Assert => "assertion",
            ErrorKind::Overflow => "signed overflow",
            ErrorKind::DivByZero => "division by zero",
            ErrorKind::BadShift => "bad shift",
            ErrorKind::Deref => "invalid access",
            ErrorKind::Free => "invalid free",
            ErrorKind::Track => "lost memory",
            ErrorKind::Cleanup => "memory not freed",
            ErrorKind::Uninit => "branch by an uninitialised value",
            ErrorKind::Label => "label",
        }
    }
}

/// Where a nondeterministic value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum HavocSource {
    /// `__VERIFIER_nondet_*`: an input of the program.
    Input,
    /// An uninitialised local variable.
    Uninit,
    /// The result of a function without a body.
    External(FuncId),
    /// What a function without a body writes through its argument at this position, from 1; 0 if by way of further pointers.
    Written(FuncId, u8),
    /// A read of something `volatile`.
    Volatile,
    /// A choice between going on and stopping at a violation, where several properties are looked at in one run.
    Violation,
    /// Whether the precision of `long double` makes a difference. In an execution by the interpreter it does not; for a
    /// verdict nobody knows.
    Precision,
    /// Undefined behaviour: division by zero, a bad shift, a missing return value.
    Undefined,
    /// Something that is not modelled; the program lists it as an assumption.
    Unmodelled,
    /// The end of a local variable's block, where somebody asks for that; a check of memory makes something of it.
    Ended,
    /// The order of evaluation, which C leaves open; 0 is the one that compilers usually take.
    Order,
    /// Whether an allocation fails.
    Allocation,
}

macro_rules! builtins {
    ($($variant:ident $name:literal $writes:expr;)*) => {
        /// Library functions without a body.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[expect(missing_docs, reason = "each is the C function of that name")]
        pub enum Builtin { $($variant),* }

        impl Builtin {
            /// All of them.
            pub const ALL: &[Builtin] = &[$(Builtin::$variant),*];

            /// The C name.
            pub fn name(self) -> &'static str {
                match self { $(Builtin::$variant => $name),* }
            }

            /// The one with this C name.
            pub fn from_name(name: &str) -> Option<Builtin> {
                match name { $($name => Some(Builtin::$variant),)* _ => None }
            }

            /// Positions of the pointer arguments through which it writes to memory. (`printf`'s `%n` is rejected.)
            pub fn writes(self) -> &'static [usize] {
                match self { $(Builtin::$variant => &$writes),* }
            }
        }
    };
}

builtins! {
    Printf "printf" [];
    Fprintf "fprintf" [];
    Sprintf "sprintf" [0];
    Snprintf "snprintf" [0];
    Vprintf "vprintf" [];
    Vfprintf "vfprintf" [];
    Vsprintf "vsprintf" [0];
    Vsnprintf "vsnprintf" [0];
    Puts "puts" [];
    Putchar "putchar" [];
    Fputs "fputs" [];
    Fputc "fputc" [];
    Putc "putc" [];
    Fflush "fflush" [];
    Fwrite "fwrite" [];
    Write "write" [];
    Fabs "fabs" [];
    Fabsl "fabsl" [];
    Sqrtl "sqrtl" [];
    Floorl "floorl" [];
    Ceill "ceill" [];
    Roundl "roundl" [];
    Truncl "truncl" [];
    Rintl "rintl" [];
    Fmodl "fmodl" [];
    Remainderl "remainderl" [];
    Fmal "fmal" [];
    Fabsf "fabsf" [];
    Sqrt "sqrt" [];
    Sqrtf "sqrtf" [];
    Floor "floor" [];
    Floorf "floorf" [];
    Ceil "ceil" [];
    Ceilf "ceilf" [];
    Round "round" [];
    Roundf "roundf" [];
    Trunc "trunc" [];
    Truncf "truncf" [];
    Rint "rint" [];
    Rintf "rintf" [];
    Fmod "fmod" [];
    Fmodf "fmodf" [];
    Sin "sin" [];
    Cos "cos" [];
    Tan "tan" [];
    Atan "atan" [];
    Atan2 "atan2" [];
    Exp "exp" [];
    Log "log" [];
    Pow "pow" [];
    Asin "asin" [];
    Asinf "asinf" [];
    Acos "acos" [];
    Acosf "acosf" [];
    Sinh "sinh" [];
    Sinhf "sinhf" [];
    Cosh "cosh" [];
    Coshf "coshf" [];
    Tanh "tanh" [];
    Tanhf "tanhf" [];
    Asinh "asinh" [];
    Asinhf "asinhf" [];
    Acosh "acosh" [];
    Acoshf "acoshf" [];
    Atanh "atanh" [];
    Atanhf "atanhf" [];
    Exp2 "exp2" [];
    Exp2f "exp2f" [];
    Exp10 "exp10" [];
    Exp10f "exp10f" [];
    Expm1 "expm1" [];
    Expm1f "expm1f" [];
    Log2 "log2" [];
    Log2f "log2f" [];
    Log10 "log10" [];
    Log10f "log10f" [];
    Log1p "log1p" [];
    Log1pf "log1pf" [];
    Cbrt "cbrt" [];
    Cbrtf "cbrtf" [];
    Hypot "hypot" [];
    Hypotf "hypotf" [];
    Sinf "sinf" [];
    Cosf "cosf" [];
    Tanf "tanf" [];
    Atanf "atanf" [];
    Atan2f "atan2f" [];
    Expf "expf" [];
    Logf "logf" [];
    Powf "powf" [];
    Remainder "remainder" [];
    Remainderf "remainderf" [];
    Fma "fma" [];
    Fmaf "fmaf" [];
    Sinl "sinl" [];
    Cosl "cosl" [];
    Tanl "tanl" [];
    Atanl "atanl" [];
    Atan2l "atan2l" [];
    Expl "expl" [];
    Logl "logl" [];
    Powl "powl" [];
    Acosl "acosl" [];
    Asinl "asinl" [];
    Acoshl "acoshl" [];
    Asinhl "asinhl" [];
    Atanhl "atanhl" [];
    Coshl "coshl" [];
    Sinhl "sinhl" [];
    Tanhl "tanhl" [];
    Exp2l "exp2l" [];
    Expm1l "expm1l" [];
    Exp10l "exp10l" [];
    Log10l "log10l" [];
    Log1pl "log1pl" [];
    Log2l "log2l" [];
    Cbrtl "cbrtl" [];
    Hypotl "hypotl" [];
    Roundeven "roundeven" [];
    Roundevenf "roundevenf" [];
    Roundevenl "roundevenl" [];
    AddDown "__robusto_add_down" [];
    AddUp "__robusto_add_up" [];
    AddZero "__robusto_add_zero" [];
    SubDown "__robusto_sub_down" [];
    SubUp "__robusto_sub_up" [];
    SubZero "__robusto_sub_zero" [];
    MulDown "__robusto_mul_down" [];
    MulUp "__robusto_mul_up" [];
    MulZero "__robusto_mul_zero" [];
    DivDown "__robusto_div_down" [];
    DivUp "__robusto_div_up" [];
    DivZero "__robusto_div_zero" [];
    SqrtDown "__robusto_sqrt_down" [];
    SqrtUp "__robusto_sqrt_up" [];
    SqrtZero "__robusto_sqrt_zero" [];
    RintDown "__robusto_rint_down" [];
    RintUp "__robusto_rint_up" [];
    RintZero "__robusto_rint_zero" [];
    FmaDown "__robusto_fma_down" [];
    FmaUp "__robusto_fma_up" [];
    FmaZero "__robusto_fma_zero" [];
    ConvertDown "__robusto_convert_down" [];
    ConvertUp "__robusto_convert_up" [];
    ConvertZero "__robusto_convert_zero" [];
    OfSignedDown "__robusto_of_signed_down" [];
    OfSignedUp "__robusto_of_signed_up" [];
    OfSignedZero "__robusto_of_signed_zero" [];
    OfUnsignedDown "__robusto_of_unsigned_down" [];
    OfUnsignedUp "__robusto_of_unsigned_up" [];
    OfUnsignedZero "__robusto_of_unsigned_zero" [];
    ObjectSize "__robusto_object_size" [];
    Escape "__robusto_escape" [0];
    Register "__robusto_register" [0];
}
