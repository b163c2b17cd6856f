//! Tokens, punctuators and keywords.

use crate::{Span, Symbol};

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Offset of its first byte.
    pub lo: u32,
    /// Offset after its last byte.
    pub hi: u32,
}

const _: () = assert!(size_of::<Token>() <= 16);

impl Token {
    /// Its place.
    pub fn span(self) -> Span {
        Span::new(self.lo, self.hi)
    }
}

/// Kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The end of the text.
    End,
    /// Text that is no token.
    Error,
    /// An identifier that is no keyword.
    Ident(Symbol),
    /// A number.
    Number,
    /// A character constant.
    Char,
    /// A string literal.
    Str,
    /// An operator or a separator.
    Punct(Punct),
    /// A keyword.
    Keyword(Keyword),
}

/// Operators and separators (digraphs included).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the characters")]
pub enum Punct {
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Semi,
    Comma,
    Colon,
    Question,
    Tilde,
    Dot,
    Arrow,
    Ellipsis,
    Plus,
    PlusPlus,
    PlusEq,
    Minus,
    MinusMinus,
    MinusEq,
    Star,
    StarEq,
    Slash,
    SlashEq,
    Percent,
    PercentEq,
    Amp,
    AmpAmp,
    AmpEq,
    Pipe,
    PipePipe,
    PipeEq,
    Caret,
    CaretEq,
    Bang,
    BangEq,
    Eq,
    EqEq,
    Lt,
    LtEq,
    Shl,
    ShlEq,
    Gt,
    GtEq,
    Shr,
    ShrEq,
    Hash,
    HashHash,
}

impl Punct {
    /// How a closing or separating punctuator is written in messages.
    pub fn text(self) -> &'static str {
        match self {
            Self::LParen => "(",
            Self::RParen => ")",
            Self::LBracket => "[",
            Self::RBracket => "]",
            Self::LBrace => "{",
            Self::RBrace => "}",
            Self::Semi => ";",
            Self::Comma => ",",
            Self::Colon => ":",
            Self::Eq => "=",
            _ => "operator",
        }
    }
}

/// Keywords; all spellings of one keyword (`const`, `__const`, `__const__`) are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the keywords")]
pub enum Keyword {
    Alignas,
    Alignof,
    Asm,
    Atomic,
    Attribute,
    Auto,
    AutoType,
    Bool,
    Break,
    Case,
    Char,
    ChooseExpr,
    Complex,
    Const,
    Continue,
    Default,
    Do,
    Double,
    Else,
    Enum,
    Extension,
    Extern,
    Float,
    For,
    Generic,
    Goto,
    If,
    Imag,
    Inline,
    Int,
    Int128,
    Label,
    Long,
    Noreturn,
    Offsetof,
    Real,
    Register,
    Restrict,
    Return,
    Short,
    Signed,
    Sizeof,
    Static,
    StaticAssert,
    Struct,
    Switch,
    ThreadLocal,
    Typedef,
    Typeof,
    TypesCompatible,
    Union,
    Unsigned,
    VaArg,
    Void,
    Volatile,
    While,
}

/// All spellings of all keywords.
pub(super) const KEYWORDS: &[(&str, Keyword)] = &[
    ("_Alignas", Keyword::Alignas),
    ("_Alignof", Keyword::Alignof),
    ("__alignof", Keyword::Alignof),
    ("__alignof__", Keyword::Alignof),
    ("asm", Keyword::Asm),
    ("__asm", Keyword::Asm),
    ("__asm__", Keyword::Asm),
    ("_Atomic", Keyword::Atomic),
    ("__attribute", Keyword::Attribute),
    ("__attribute__", Keyword::Attribute),
    ("auto", Keyword::Auto),
    ("__auto_type", Keyword::AutoType),
    ("_Bool", Keyword::Bool),
    ("break", Keyword::Break),
    ("case", Keyword::Case),
    ("char", Keyword::Char),
    ("__builtin_choose_expr", Keyword::ChooseExpr),
    ("_Complex", Keyword::Complex),
    ("__complex", Keyword::Complex),
    ("__complex__", Keyword::Complex),
    ("const", Keyword::Const),
    ("__const", Keyword::Const),
    ("__const__", Keyword::Const),
    ("continue", Keyword::Continue),
    ("default", Keyword::Default),
    ("do", Keyword::Do),
    ("double", Keyword::Double),
    ("else", Keyword::Else),
    ("enum", Keyword::Enum),
    ("__extension__", Keyword::Extension),
    ("extern", Keyword::Extern),
    ("float", Keyword::Float),
    ("for", Keyword::For),
    ("_Generic", Keyword::Generic),
    ("goto", Keyword::Goto),
    ("if", Keyword::If),
    ("__imag", Keyword::Imag),
    ("__imag__", Keyword::Imag),
    ("inline", Keyword::Inline),
    ("__inline", Keyword::Inline),
    ("__inline__", Keyword::Inline),
    ("int", Keyword::Int),
    ("__int128", Keyword::Int128),
    ("__label__", Keyword::Label),
    ("long", Keyword::Long),
    ("_Noreturn", Keyword::Noreturn),
    ("__builtin_offsetof", Keyword::Offsetof),
    ("__real", Keyword::Real),
    ("__real__", Keyword::Real),
    ("register", Keyword::Register),
    ("restrict", Keyword::Restrict),
    ("__restrict", Keyword::Restrict),
    ("__restrict__", Keyword::Restrict),
    ("return", Keyword::Return),
    ("short", Keyword::Short),
    ("signed", Keyword::Signed),
    ("__signed", Keyword::Signed),
    ("__signed__", Keyword::Signed),
    ("sizeof", Keyword::Sizeof),
    ("static", Keyword::Static),
    ("_Static_assert", Keyword::StaticAssert),
    ("struct", Keyword::Struct),
    ("switch", Keyword::Switch),
    ("_Thread_local", Keyword::ThreadLocal),
    ("__thread", Keyword::ThreadLocal),
    ("typedef", Keyword::Typedef),
    ("typeof", Keyword::Typeof),
    ("__typeof", Keyword::Typeof),
    ("__typeof__", Keyword::Typeof),
    ("typeof_unqual", Keyword::Typeof),
    ("__typeof_unqual", Keyword::Typeof),
    ("__typeof_unqual__", Keyword::Typeof),
    ("__builtin_types_compatible_p", Keyword::TypesCompatible),
    ("union", Keyword::Union),
    ("unsigned", Keyword::Unsigned),
    ("__builtin_va_arg", Keyword::VaArg),
    ("void", Keyword::Void),
    ("volatile", Keyword::Volatile),
    ("__volatile", Keyword::Volatile),
    ("__volatile__", Keyword::Volatile),
    ("while", Keyword::While),
];
