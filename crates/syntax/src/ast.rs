//! The syntax tree: C11 with the GNU extensions that real (preprocessed) programs use.
//!
//! The tree is as written: names are not resolved, types not computed, nothing is folded. Two things are decided by
//! the parser because the grammar needs them: whether a name is a typedef, and how literals read. All nodes live in an
//! arena, so children are plain references and nodes are `Copy`.

use crate::{Span, Symbol};

/// One preprocessed file.
#[derive(Clone, Copy, Debug)]
pub struct TranslationUnit<'a> {
    /// Declarations and definitions in order.
    pub items: &'a [Item<'a>],
    /// What pragmas say of symbols; they count for the whole file.
    pub pragmas: &'a [SymbolPragma],
    /// The attributes of the file wherever they stand, each name at its first place. A standard one has its prefix
    /// (`clang::x`), or brackets if it has none and is not of the standard (`[[x]]`); those of GNU have their plain names.
    pub attributes: &'a [Attribute<'a>],
}

/// A pragma about the symbol of a function or variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolPragma {
    /// `#pragma weak name`
    Weak(Symbol),
    /// `#pragma weak name = target`
    WeakAlias(Symbol, Symbol),
    /// `#pragma redefine_extname name symbol`
    Rename(Symbol, Symbol),
}

/// What stands at file scope.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// A function with a body.
    Function(&'a FunctionDef<'a>),
    /// A declaration.
    Declaration(&'a Declaration<'a>),
    /// `_Static_assert`.
    StaticAssert(&'a StaticAssert<'a>),
    /// `asm("…");` at file scope, with its text.
    Asm(Symbol, Span),
}

/// A function definition.
#[derive(Clone, Copy, Debug)]
pub struct FunctionDef<'a> {
    /// Specifiers; without any type specifier the type is `int`.
    pub specs: DeclSpecs<'a>,
    /// The declarator; the part next to the name is [`DeclaratorPart::Function`].
    pub declarator: Declarator<'a>,
    /// Parameter declarations in the style of K&R.
    pub kr_params: &'a [Declaration<'a>],
    /// The body.
    pub body: Block<'a>,
    /// From the first specifier to the closing brace.
    pub span: Span,
}

/// A declaration with any number of declarators.
#[derive(Clone, Copy, Debug)]
pub struct Declaration<'a> {
    /// Specifiers.
    pub specs: DeclSpecs<'a>,
    /// What is declared, each with its initialiser.
    pub declarators: &'a [InitDeclarator<'a>],
    /// The whole declaration.
    pub span: Span,
}

/// A declarator with its initialiser.
#[derive(Clone, Copy, Debug)]
pub struct InitDeclarator<'a> {
    /// The declarator.
    pub declarator: Declarator<'a>,
    /// `asm("name")` after the declarator.
    pub asm_name: Option<Symbol>,
    /// `= initialiser`.
    pub init: Option<Init<'a>>,
    /// Declarator and initialiser.
    pub span: Span,
}

/// Storage class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Quals {
    /// `const`
    pub constant: bool,
    /// `volatile`
    pub volatile: bool,
    /// `restrict`
    pub restrict: bool,
    /// `_Atomic` as a qualifier.
    pub atomic: bool,
}

/// Declaration specifiers.
#[derive(Clone, Copy, Debug)]
pub struct DeclSpecs<'a> {
    /// Storage class.
    pub storage: Option<Storage>,
    /// `_Thread_local` or `__thread`.
    pub thread_local: bool,
    /// `inline`
    pub inline: bool,
    /// `_Noreturn` (an attribute `noreturn` stays in `attrs`).
    pub noreturn: bool,
    /// Qualifiers.
    pub quals: Quals,
    /// The type.
    pub ty: TypeSpec<'a>,
    /// GNU attributes among the specifiers.
    pub attrs: &'a [Attribute<'a>],
    /// `_Alignas` arguments.
    pub alignas: &'a [Alignas<'a>],
    /// All specifiers.
    pub span: Span,
}

/// Argument of `_Alignas`.
#[derive(Clone, Copy, Debug)]
pub enum Alignas<'a> {
    /// `_Alignas(type)`
    Type(TypeName<'a>),
    /// `_Alignas(expression)`
    Expr(&'a Expr<'a>),
}

/// Whether `signed` or `unsigned` was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Neither.
    None,
    /// `signed`
    Signed,
    /// `unsigned`
    Unsigned,
}

/// Type specifiers, normalised (`long unsigned long` is `LongLong(Unsigned)`).
#[derive(Clone, Copy, Debug)]
pub enum TypeSpec<'a> {
    /// No type specifier at all: `int` by the old rule.
    Implicit,
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// `char`
    Char(Sign),
    /// `short`
    Short(Sign),
    /// `int`
    Int(Sign),
    /// `long`
    Long(Sign),
    /// `long long`
    LongLong(Sign),
    /// `__int128`
    Int128(Sign),
    /// `float`, `_Float32`
    Float,
    /// `double`, `_Float64`, `_Float32x`
    Double,
    /// `long double`, `_Float64x`
    LongDouble,
    /// `_Float128`, `__float128`
    Float128,
    /// `_Float16`
    Half {
        /// `__bf16`
        brain: bool,
    },
    /// `_Complex` with its real type.
    Complex(&'a TypeSpec<'a>),
    /// `struct` or `union`
    Record(&'a RecordSpec<'a>),
    /// `enum`
    Enum(&'a EnumSpec<'a>),
    /// A typedef name.
    Typedef(Symbol),
    /// `typeof(expression)`
    TypeofExpr(&'a Expr<'a>),
    /// `typeof(type)`
    TypeofType(&'a TypeName<'a>),
    /// `__auto_type`
    AutoType,
    /// `__CPROVER_size_t`
    Size,
    /// `__CPROVER_ssize_t`
    SignedSize,
    /// `__builtin_va_list`
    VaList,
    /// `_Atomic(type)`
    Atomic(&'a TypeName<'a>),
}

/// `struct` or `union`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// A struct or union specifier.
#[derive(Clone, Copy, Debug)]
pub struct RecordSpec<'a> {
    /// `struct` or `union`.
    pub kind: RecordKind,
    /// The tag.
    pub tag: Option<Symbol>,
    /// The members between braces; `None` without braces.
    pub members: Option<&'a [Member<'a>]>,
    /// Attributes before the tag or after the closing brace.
    pub attrs: &'a [Attribute<'a>],
    /// What pragmas say where the members end.
    pub pragmas: LayoutPragmas,
    /// Keyword to closing brace.
    pub span: Span,
}

/// Pragmas that change the layout of structs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayoutPragmas {
    /// Greatest alignment of members, by `#pragma pack`.
    pub pack: Option<u32>,
    /// `#pragma scalar_storage_order big-endian`
    pub big_endian: bool,
    /// `#pragma ms_struct on`
    pub ms_struct: bool,
}

/// A line in a struct or union body.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Specifiers.
    pub specs: DeclSpecs<'a>,
    /// The members; empty for an anonymous struct or union.
    pub declarators: &'a [MemberDeclarator<'a>],
    /// The whole line.
    pub span: Span,
}

/// One member.
#[derive(Clone, Copy, Debug)]
pub struct MemberDeclarator<'a> {
    /// The declarator (without a name for an unnamed bit-field).
    pub declarator: Declarator<'a>,
    /// Width of a bit-field.
    pub bits: Option<&'a Expr<'a>>,
}

/// An enum specifier.
#[derive(Clone, Copy, Debug)]
pub struct EnumSpec<'a> {
    /// The tag.
    pub tag: Option<Symbol>,
    /// The enumerators between braces; `None` without braces.
    pub enumerators: Option<&'a [Enumerator<'a>]>,
    /// Attributes.
    pub attrs: &'a [Attribute<'a>],
    /// Keyword to closing brace.
    pub span: Span,
}

/// One enumerator.
#[derive(Clone, Copy, Debug)]
pub struct Enumerator<'a> {
    /// Its name.
    pub name: Symbol,
    /// `= value`.
    pub value: Option<&'a Expr<'a>>,
    /// Name and value.
    pub span: Span,
}

/// A GNU attribute, or a standard one of the same meaning. The double underscores around a name (`__packed__`) are stripped.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// Its name.
    pub name: Symbol,
    /// Arguments that read as expressions (a bare identifier is an expression; arguments that do not read as
    /// expressions are left out).
    pub args: &'a [Expr<'a>],
    /// Name and arguments.
    pub span: Span,
}

/// A declarator: the name and what surrounds it.
#[derive(Clone, Copy, Debug)]
pub struct Declarator<'a> {
    /// The name; `None` in an abstract declarator.
    pub name: Option<Symbol>,
    /// Derivations from the name outwards: `int *a[3]` has `[Array(3), Pointer]`, `int (*a)[3]` has `[Pointer, Array(3)]`.
    pub parts: &'a [DeclaratorPart<'a>],
    /// Attributes of the declarator.
    pub attrs: &'a [Attribute<'a>],
    /// The name, or where it would stand.
    pub span: Span,
}

/// A derivation in a declarator.
#[derive(Clone, Copy, Debug)]
pub enum DeclaratorPart<'a> {
    /// `*`
    Pointer(Quals),
    /// `[size]`
    Array(ArraySize<'a>),
    /// `(parameters)`
    Function(&'a Params<'a>),
}

/// Size of an array declarator.
#[derive(Clone, Copy, Debug)]
pub enum ArraySize<'a> {
    /// `[]`
    Unknown,
    /// `[*]`
    Star,
    /// `[expression]` (`static` and qualifiers are dropped).
    Expr(&'a Expr<'a>),
}

/// Parameters of a function declarator.
#[derive(Clone, Copy, Debug)]
pub struct Params<'a> {
    /// Prototype parameters. `(void)` is the empty list with `prototype` set.
    pub params: &'a [Param<'a>],
    /// `...`
    pub variadic: bool,
    /// False for `()` and for the identifier list of a K&R definition.
    pub prototype: bool,
    /// Identifier list of a K&R definition.
    pub kr_names: &'a [Symbol],
}

/// A prototype parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param<'a> {
    /// Specifiers.
    pub specs: DeclSpecs<'a>,
    /// The declarator, perhaps abstract.
    pub declarator: Declarator<'a>,
}

/// A type name, as in casts and `sizeof`.
#[derive(Clone, Copy, Debug)]
pub struct TypeName<'a> {
    /// Specifiers.
    pub specs: DeclSpecs<'a>,
    /// An abstract declarator.
    pub declarator: Declarator<'a>,
    /// The whole.
    pub span: Span,
}

/// `_Static_assert(condition, "message")`.
#[derive(Clone, Copy, Debug)]
pub struct StaticAssert<'a> {
    /// The condition.
    pub condition: &'a Expr<'a>,
    /// The whole.
    pub span: Span,
}

/// An initialiser.
#[derive(Clone, Copy, Debug)]
pub enum Init<'a> {
    /// An expression.
    Expr(&'a Expr<'a>),
    /// `{ … }`
    List(&'a [InitItem<'a>], Span),
}

/// An entry of an initialiser list.
#[derive(Clone, Copy, Debug)]
pub struct InitItem<'a> {
    /// `.field`, `[index]`, … (also the old `field:`).
    pub designators: &'a [Designator<'a>],
    /// The value.
    pub init: Init<'a>,
}

/// A designator.
#[derive(Clone, Copy, Debug)]
pub enum Designator<'a> {
    /// `.name`
    Field(Symbol, Span),
    /// `[index]`
    Index(&'a Expr<'a>),
    /// `[first ... last]`
    Range(&'a Expr<'a>, &'a Expr<'a>),
}

/// A block.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Statements and declarations in order.
    pub stmts: &'a [Stmt<'a>],
    /// Brace to brace.
    pub span: Span,
}

/// A statement, or a declaration in a block.
#[derive(Clone, Copy, Debug)]
pub struct Stmt<'a> {
    /// What it is.
    pub kind: StmtKind<'a>,
    /// The whole statement.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Clone, Copy, Debug)]
pub enum StmtKind<'a> {
    /// `;`
    Empty,
    /// `expression;`
    Expr(&'a Expr<'a>),
    /// A declaration.
    Declaration(&'a Declaration<'a>),
    /// `_Static_assert`.
    StaticAssert(&'a StaticAssert<'a>),
    /// A nested function (GNU).
    Function(&'a FunctionDef<'a>),
    /// `__label__ a, b;` (GNU).
    LocalLabels(&'a [Symbol]),
    /// `{ … }`
    Block(&'a Block<'a>),
    /// `if`
    If(&'a Expr<'a>, &'a Stmt<'a>, Option<&'a Stmt<'a>>),
    /// `while`
    While(&'a Expr<'a>, &'a Stmt<'a>),
    /// `do … while`
    DoWhile(&'a Stmt<'a>, &'a Expr<'a>),
    /// `for`
    For(&'a For<'a>),
    /// `switch`
    Switch(&'a Expr<'a>, &'a Stmt<'a>),
    /// `case value:`
    Case(&'a Expr<'a>, &'a Stmt<'a>),
    /// `case first ... last:` (GNU).
    CaseRange(&'a Expr<'a>, &'a Expr<'a>, &'a Stmt<'a>),
    /// `default:`
    Default(&'a Stmt<'a>),
    /// `name:`
    Label(Symbol, &'a Stmt<'a>),
    /// `goto name;`
    Goto(Symbol),
    /// `goto *expression;` (GNU).
    GotoComputed(&'a Expr<'a>),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return expression;`
    Return(Option<&'a Expr<'a>>),
    /// Inline assembly.
    Asm(&'a Asm<'a>),
}

/// A `for` statement.
#[derive(Clone, Copy, Debug)]
pub struct For<'a> {
    /// First clause: an expression statement, a declaration, or empty.
    pub init: Stmt<'a>,
    /// Condition.
    pub condition: Option<&'a Expr<'a>>,
    /// What runs after each iteration.
    pub step: Option<&'a Expr<'a>>,
    /// Body.
    pub body: Stmt<'a>,
}

/// Inline assembly.
#[derive(Clone, Copy, Debug)]
pub struct Asm<'a> {
    /// The instructions.
    pub template: Symbol,
    /// No operands and no clobbers can be given: `asm("…")`.
    pub basic: bool,
    /// Output operands (lvalues), each with its constraint.
    pub outputs: &'a [AsmOperand<'a>],
    /// Input operands, each with its constraint.
    pub inputs: &'a [AsmOperand<'a>],
    /// Whether memory is among the clobbers.
    pub clobbers_memory: bool,
    /// Labels of `asm goto`.
    pub labels: &'a [Symbol],
}

/// An operand of inline assembly.
#[derive(Clone, Copy, Debug)]
pub struct AsmOperand<'a> {
    /// `[name]`
    pub name: Option<Symbol>,
    /// The constraint, such as `"=r"`.
    pub constraint: Symbol,
    /// The expression.
    pub expr: &'a Expr<'a>,
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Expr<'a> {
    /// What it is.
    pub kind: ExprKind<'a>,
    /// The whole expression.
    pub span: Span,
}

/// Kinds of expressions. Parentheses leave no trace.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind<'a> {
    /// An integer literal.
    Int(&'a IntLit),
    /// A floating literal.
    Float(&'a FloatLit),
    /// A character constant: its value as `int` (for a wide one, as its character type).
    Char(i32, Encoding),
    /// A string literal, adjacent ones joined, without the closing zero. Each element is one code unit of the encoding
    /// (a byte, 0 to 255, for a plain string).
    Str(&'a [u32], Encoding),
    /// A name.
    Ident(Symbol),
    /// A prefix operator.
    Unary(UnaryOp, &'a Expr<'a>),
    /// `e++`
    PostIncrement(&'a Expr<'a>),
    /// `e--`
    PostDecrement(&'a Expr<'a>),
    /// A binary operator (`&&`, `||` included).
    Binary(BinaryOp, &'a Expr<'a>, &'a Expr<'a>),
    /// `=` or a compound assignment.
    Assign(Option<BinaryOp>, &'a Expr<'a>, &'a Expr<'a>),
    /// `a ? b : c`; without `b` for the GNU form `a ?: c`.
    Conditional(&'a Expr<'a>, Option<&'a Expr<'a>>, &'a Expr<'a>),
    /// `a, b`
    Comma(&'a Expr<'a>, &'a Expr<'a>),
    /// `(type)e`
    Cast(&'a TypeName<'a>, &'a Expr<'a>),
    /// `(type){ … }`
    CompoundLiteral(&'a TypeName<'a>, &'a Init<'a>),
    /// `f(arguments)`
    Call(&'a Expr<'a>, &'a [Expr<'a>]),
    /// `e.name`
    Member(&'a Expr<'a>, Symbol),
    /// `e->name`
    Arrow(&'a Expr<'a>, Symbol),
    /// `a[i]`
    Index(&'a Expr<'a>, &'a Expr<'a>),
    /// `sizeof e`
    SizeofExpr(&'a Expr<'a>),
    /// `sizeof(type)`
    SizeofType(&'a TypeName<'a>),
    /// `_Alignof e` (GNU).
    AlignofExpr(&'a Expr<'a>),
    /// `_Alignof(type)`
    AlignofType(&'a TypeName<'a>),
    /// `({ … })` (GNU).
    Statement(&'a Block<'a>),
    /// `&&label` (GNU).
    LabelAddress(Symbol),
    /// `_Generic(e, type: e, default: e)`; the `default` has no type.
    Generic(&'a Expr<'a>, &'a [(Option<TypeName<'a>>, Expr<'a>)]),
    /// `__builtin_offsetof(type, member.path[i])`; the first designator is a field.
    Offsetof(&'a TypeName<'a>, &'a [Designator<'a>]),
    /// `__builtin_va_arg(e, type)`
    VaArg(&'a Expr<'a>, &'a TypeName<'a>),
    /// `__builtin_types_compatible_p(type, type)`
    TypesCompatible(&'a TypeName<'a>, &'a TypeName<'a>),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(&'a Expr<'a>, &'a Expr<'a>, &'a Expr<'a>),
}

/// Encoding prefix of a character or string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// None, or `u8`.
    Plain,
    /// `L` (`wchar_t`, 32 bits).
    Wide,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
}

/// Base in which an integer literal was written; it decides which types it may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// Decimal.
    Decimal,
    /// Octal, hexadecimal or binary.
    Other,
}

/// An integer literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLit {
    /// Its value.
    pub value: u128,
    /// Its base.
    pub base: Base,
    /// Suffix `u`.
    pub unsigned: bool,
    /// Number of `l` in the suffix: 0, 1 or 2.
    pub longs: u8,
    /// Suffix `i` or `j` (GNU imaginary).
    pub imaginary: bool,
}

/// Suffix of a floating literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    /// None.
    Double,
    /// `f`
    Float,
    /// `f16`
    Half,
    /// `l`
    LongDouble,
    /// `q`, `f128`
    Float128,
}

/// A floating literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatLit {
    /// Its value rounded to double.
    pub double: f64,
    /// Its value rounded to float (rounding twice would be wrong).
    pub single: f32,
    /// Its value rounded to the 80 bits of x87, if it is a `long double`; else 0.
    pub extended: u128,
    /// Whether a double holds it: a wider float is the same number then.
    pub exact: bool,
    /// Whether a wider float, rounded to double, is the same double: the number is not about half way between two.
    pub near: bool,
    /// Its suffix.
    pub suffix: FloatSuffix,
    /// Suffix `i` or `j` (GNU imaginary).
    pub imaginary: bool,
}

/// Prefix operators (`__extension__` is dropped by the parser).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    BitNot,
    /// `!`
    Not,
    /// `*`
    Deref,
    /// `&`
    AddressOf,
    /// `++`
    PreIncrement,
    /// `--`
    PreDecrement,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the operators")]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}
