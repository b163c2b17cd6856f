//! Everything that a verdict can take for granted.

use super::{Assumption, SrcPos};
use std::fmt;

/// One line per kind: its name, its sentence, and when it is listed.
macro_rules! kinds {
    ($($kind:ident $({ $($field:ident),+ })? = $text:literal, $when:literal;)+) => {
        /// Something that the automata approximate or take for granted; its text is one sentence.
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub enum Granted {
            $(#[doc = $when] $kind $({ $(#[doc = "What the sentence names."] $field: String),+ })?,)+
        }

        impl fmt::Display for Granted {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Granted::$kind $({ $($field),+ })? => write!(f, $text),)+
                }
            }
        }

        impl Granted {
            /// Every kind once, with what it names in capitals, and when it is listed.
            pub fn all() -> Vec<(Granted, &'static str)> {
                vec![$((Granted::$kind $({ $($field: stringify!($field).to_uppercase()),+ })?, $when),)+]
            }
        }
    };
}

kinds! {
    ExternalPure { name } = "external function `{name}` returns any value and changes nothing else",
        "a function without a body and with the attribute `const` or `pure` is called";
    ExternalNothing { name } = "external function `{name}` returns any value and changes nothing else (--extern pure)",
        "a function without a body is called, under `--extern pure`";
    ExternalArguments { name } = "external function `{name}` returns any value and changes at most what its arguments reach (--extern args)",
        "a function without a body is called, under `--extern args`";
    ExternalGlobals { name } = "external function `{name}` returns any value and changes at most what its arguments reach, and globals (--extern all)",
        "a function without a body is called, under `--extern all`";
    FunctionOutside { name } = "a pointer from outside of type `{name}` leads to a function that the program hands out, or to one that returns any value and changes at most what its arguments reach (and globals, under --extern all)",
        "a call through a pointer from outside is reached";
    ExternalEnds { name } = "external function `{name}` ends the program",
        "a function without a body that is declared `noreturn` is called";
    ExternalObject { name } = "`{name}` is declared but not defined; it may hold anything when the program starts",
        "an external variable is used";
    ExternalSize { name, count } = "`{name}` is declared without a size; it is taken to have {count} elements",
        "an external array without a size is used";
    WeakAddress { name } = "`{name}` is weak and not defined; its address may be null",
        "a weak symbol without a definition is used";
    Arguments { count, variables, length } = "the program gets at most {count} arguments, and `envp` has at most {variables} variables, of at most {length} characters each",
        "memory is checked, and `main` uses its arguments";
    EntryGlobals { name } = "`{name}` is called once, with any arguments, when globals have their initial values (see --havoc-globals)",
        "a function is checked without `main`";
    EntryAnyGlobals { name } = "`{name}` is called once, with any arguments and any content of globals (--havoc-globals)",
        "a function is checked without `main`, under `--havoc-globals`";
    EntryPointers { elements } = "pointers that it gets are null, equal, or point to the start of a new object of their type, or of {elements} elements of a scalar type; bytes between members are zero",
        "a function that is checked without `main` gets pointers";
    EntryNonNull { elements } = "pointers that it gets are not null (--non-null) but equal, or point to the start of a new object of their type, or of {elements} elements of a scalar type; bytes between members are zero",
        "a function that is checked without `main` gets pointers, under `--non-null`";
    EntryStream = "streams that it gets are open",
        "a function that is checked without `main` gets pointers to `FILE`";
    EntryOverlap = "objects behind pointers that it gets neither overlap nor are the program's own; those of different types differ, and those of `restrict` parameters",
        "a function that is checked without `main` gets pointers";
    EntryText { most } = "pointers to `char` that it gets point to texts of at most {most} characters",
        "a function that is checked without `main` gets pointers to `char`";
    EntryUntyped { bytes } = "pointers to `void` or to an incomplete type that it gets point to {bytes} bytes",
        "a function that is checked without `main` gets such pointers";
    EntryDepth { depth } = "of the pointers that it gets, those more than {depth} levels deep, and some of large structures, lead to no further objects (see --pointer-depth)",
        "a function that is checked without `main` gets pointers to data with further pointers";
    EntryVariadic { name } = "`{name}` gets no variable arguments",
        "a function with variable arguments is checked without `main`";
    UnknownAttribute { name } = "attribute `{name}` is not known and has no effect",
        "a declaration of the program has an attribute that is not in the table";
    TargetAttribute { name } = "attribute `{name}` changes only how the code is compiled",
        "a declaration of the program chooses other instructions or another optimisation";
    Volatile = "what is volatile changes only when the program writes it (see --volatile)",
        "something volatile is read, under `--volatile plain`";
    Register = "reading something volatile at a fixed address gives any value, and writing it changes nothing but memory at fixed addresses",
        "a device's register is accessed: something volatile at an address that is a constant number";
    NamedRegister = "a variable in a named register is a plain variable",
        "a variable is declared with a register";
    Assembly = "inline assembly may change its outputs and nothing else",
        "an assembly statement with outputs is executed";
    AssemblyCall = "inline assembly calls a function outside, which gives its outputs any value and changes nothing else (--extern pure)",
        "an assembly statement calls a function, under `--extern pure`";
    FileAssembly = "assembly at file scope changes nothing that the program defines",
        "there is assembly outside of functions";
    WideFloats = "`long double` and `_Float128` are computed with the precision of `double`",
        "floats wider than `double` are used";
    NanPayload = "a NaN from a string that is computed has payload 0",
        "`nan` is called with something else than a literal";
    Computed { name } = "what `{name}` computes may be any value",
        "a library function is called whose result is defined but not computed here";
    Loose { name } = "`{name}` may give any result, also one that does not fit its arguments or earlier calls",
        "a library function is called of whose result nothing is known, or too little";
    Ranged { name } = "`{name}` may give any value of the range of its function, whatever its argument",
        "a library function such as `sin` is called, whose result is known to lie in a range only";
    Format { name } = "formats of `{name}` that are not literals have no `%n`",
        "a function that prints is called with a format that is computed";
    TextRoom = "texts that are read have room in their objects",
        "`scanf` reads a text without a width";
    GetsRoom = "lines that `gets` reads have room in their objects",
        "`gets` is called";
    LongEnvironment = "values of environment variables are shorter than 1 MiB, and at most two of them are asked for again",
        "`getenv` is called";
    LongPrint = "texts that `asprintf` makes are shorter than 1 GiB; formats have no `%n`",
        "`asprintf` is called";
    OldEntries { name } = "of what `{name}` gave before, at most one entry keeps its content",
        "`readdir` is called";
    Locale = "the locale stays \"C\"",
        "`setlocale` is called, and not with a literal that names this locale";
    Untranslated = "messages are not translated",
        "`gettext` is called, or one of its kin";
    SharedMapping = "bytes of a file that is mapped change only where the program writes to the mapping",
        "`mmap` is called, and not without a file";
    DefaultSignals = "no signal is ignored or blocked when the program starts",
        "`raise` is called, or `kill` for the program itself";
    LongLine = "lines that `getline` reads are shorter than 1 MiB",
        "`getline` is called";
    HeapRoom = "memory allocation does not fail",
        "memory is allocated, under `--malloc never-fails`";
    StackRoom = "the stack has room for `alloca` and for arrays of variable length",
        "memory is allocated on the stack";
    HeapReuse = "memory that was freed is not given out again, and `realloc` gives other memory",
        "pointers to allocated memory are compared in a program that frees some";
    ComparatorCalls = "a function that compares for `qsort` or `bsearch` changes nothing, however often it is called; Robusto chooses which pairs it compares, and in which order",
        "`qsort` or `bsearch` is called";
    FloatRounding = "results of floats are rounded to their types, as with SSE (-mfpmath=sse)",
        "floats are computed under ILP32";
    FloatBits = "a result that is no number has the bits that SSE gives it",
        "floats are computed, and their memory is read as something else";
    AssumeAligned = "pointers given to `__builtin_assume_aligned` are aligned as it says",
        "the builtin is called";
    AssumeHolds = "conditions given to `__builtin_assume` hold",
        "the builtin is called";
    Unreachable = "`__builtin_unreachable` is not reached",
        "the builtin is called";
    AnyAddress { name } = "`__builtin_{name}` gives any address",
        "the program asks for return or frame addresses";
    ConstantP = "what `__builtin_constant_p` says of a value that is no constant is open",
        "the builtin is called with a value that is computed";
    ObjectSize = "what `__builtin_object_size` knows of a pointer is open",
        "the builtin is called with a pointer that names no object";
    WeakExchange = "a weak compare-and-exchange may fail although the values are equal",
        "a weak atomic exchange is called";
    LockFree = "whether a large object is lock-free depends on the library",
        "`__atomic_is_lock_free` is called for an object larger than a register";
    OutsidePointer = "a pointer from outside of the program points to none of the program's objects, and values that lie where it points \
        overlap as a whole or not at all",
        "the program accesses memory through a pointer of which nothing is known";
    NumberMemory = "numbers of the program lead to memory only from 0x1000 to 4 GiB (with 32 bits from 0x10000000 to 0x60000000), where none of its objects lies",
        "memory is accessed at an address that is a number of the program";
    AddressNumbers = "objects lie at the addresses that Robusto gives them, whose numbers the program uses",
        "an address becomes a number";
    AddressOrder = "objects lie in the order in which Robusto places them, which the program looks at",
        "pointers to different objects are compared by `<` or the like";
    AddressEnds = "no object begins where another one ends",
        "a pointer to the end of an object is compared with a pointer to another one";
    LiteralAddresses = "string literals are one object if they are equal, and else share no bytes",
        "the addresses of string literals are compared";
}

impl Granted {
    /// The kind that has exactly this sentence and names nothing.
    pub fn of_text(text: &str) -> Option<Granted> {
        Self::all().into_iter().map(|(kind, _)| kind).find(|kind| kind.to_string() == text)
    }

    /// An entry in a program's list.
    pub fn at(&self, pos: SrcPos) -> Assumption {
        Assumption { text: self.to_string().into(), pos }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_differ() {
        let mut texts: Vec<String> = Granted::all().iter().map(|(kind, _)| kind.to_string()).collect();
        texts.sort();
        let count = texts.len();
        texts.dedup();
        assert_eq!(texts.len(), count);
    }

    #[test]
    fn sentences_name_what_they_are_about() {
        let kind = Granted::ExternalSize { name: "a".into(), count: "3".into() };
        assert_eq!(kind.to_string(), "`a` is declared without a size; it is taken to have 3 elements");
        assert_eq!(Granted::of_text("memory allocation does not fail"), Some(Granted::HeapRoom));
        assert_eq!(Granted::of_text("anything"), None);
    }
}
