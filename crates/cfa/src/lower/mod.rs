//! From syntax trees to automata: names are resolved, types computed, C's implicit conversions made explicit, side
//! effects and control flow turned into edges.
//!
//! Two passes. The first declares everything at file scope of all files (types, objects, functions, initial values), the
//! second lowers function bodies; so a call knows the callee's definition even when that comes later or from another
//! file. Every variable starts as a memory object; [`crate::promote`] then makes plain variables of those whose address
//! is not needed.
//!
//! | module | turns |
//! |---|---|
//! | `types`, `layout`, `declare` | declarations into C types with sizes and offsets |
//! | `scope` | names into objects, functions, constants |
//! | `expr`, `type_of`, `place`, `arith`, `convert`, `assign` | expressions into edges and pool expressions |
//! | `order` | operands whose order C leaves open into a choice, where it matters |
//! | `checks` | undefined arithmetic into error edges, where a property asks for them |
//! | `call`, `library`, `builtins`, `external` | calls into edges; what library functions, compiler builtins and functions without a body do |
//! | `init` | initialisers into stores or memory images |
//! | `stmt`, `function`, `leave`, `passed`, `asm` | statements and bodies into locations and edges |
//! | `file_scope`, `symbols`, `aliases`, `start` | declarations of several files into one program with its start |
//! | `entry` | a function that is checked without a `main` into a start that makes up its arguments |
//! | `composite`, `half` | complex numbers, vectors and floats of 16 bits into operations on others |
//! | `nested` | functions inside functions into functions with one more parameter |
//! | `variadic` | lists of variable arguments |
//! | `models` | library functions written in C, added when a program refers to them |

mod aliases;
mod arith;
mod asm;
mod assign;
mod atomics;
pub(crate) mod attributes;
mod builtins;
mod call;
mod checks;
mod composite;
mod computed;
mod conditional;
mod constant;
mod convert;
mod declare;
pub(crate) mod entry;
mod expr;
mod external;
mod file_scope;
mod function;
mod half;
mod init;
mod layout;
mod leave;
pub(crate) mod library;
mod literal;
mod locator;
mod models;
mod name;
mod nested;
mod noted;
mod order;
mod passed;
mod place;
mod rounding;
mod scope;
mod shapes;
mod size;
mod start;
mod stmt;
mod symbols;
mod type_of;
pub(crate) mod types;
mod variadic;

use crate::ir::{DataModel, ExprId, FuncId, Granted, LocId, ObjId, Object, ObjectKind, Op, Program, SrcPos, Ty};
use crate::ir::{Image, Var, VarId, VarKind};
pub use checks::Checks;
pub use entry::{Defined, Driver, Entry};
use function::FnState;
use locator::Locator;
use robusto_syntax::ast::TranslationUnit;
use robusto_syntax::source::FileId;
use robusto_syntax::{Bump, Diagnostic, Interner, Severity, SourceMap, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{FileScope, Scopes};
use types::{TypeId, Types};

/// What the lowering needs to know beside the text.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes of C's types.
    pub model: DataModel,
    /// Undefined arithmetic that becomes error edges.
    pub checks: Checks,
    /// What functions without a body may change.
    pub externs: Externs,
    /// What reading something `volatile` gives.
    pub volatile: Volatile,
    /// Whether allocations may fail.
    pub malloc: Malloc,
    /// The function to start at, if that is not `main`.
    pub entry: Option<Entry>,
}

/// What a function that is neither defined nor in the library may change beside its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Externs {
    /// What its non-const pointer arguments reach; functions that it is given may be called.
    #[default]
    Args,
    /// That, and all objects with external linkage.
    All,
    /// Nothing.
    Pure,
    /// Not known: a call is not supported.
    Unknown,
}

/// What reading something `volatile` gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Volatile {
    /// What was last written.
    #[default]
    Plain,
    /// Any value.
    Havoc,
}

/// Whether allocations of the program may fail. One of more than an implementation can give always fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Malloc {
    /// They never do, which is listed as an assumption.
    #[default]
    NeverFails,
    /// Any of them may give null.
    MayFail,
}

impl Options {
    /// No checks.
    pub fn new(model: DataModel) -> Self {
        Self {
            model,
            checks: Checks::NONE,
            externs: Externs::default(),
            volatile: Volatile::default(),
            malloc: Malloc::default(),
            entry: None,
        }
    }
}

/// Most errors shown for one program.
const MAX_ERRORS: usize = 20;

/// What comes of compiling.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// The functions that the files define.
    pub functions: Vec<Defined>,
    /// The start as C, if it is not `main`.
    pub driver: Option<Driver>,
}

/// As [`compile_all`]; gives the program, and warnings.
pub fn compile(
    sources: &mut SourceMap,
    files: &[FileId],
    options: Options,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    compile_all(sources, files, options).map(|compiled| (compiled.program, compiled.warnings))
}

/// Parses, types, lowers and links the files (already preprocessed) into one program, and adds the library models that
/// it refers to.
pub fn compile_all(sources: &mut SourceMap, files: &[FileId], options: Options) -> Result<Compiled, Vec<Diagnostic>> {
    compile_rounding(sources, files, options, false)
}

/// The same, with operations of floats that follow the rounding mode, if that is asked for or the program changes the mode.
fn compile_rounding(
    sources: &mut SourceMap,
    files: &[FileId],
    options: Options,
    rounding: bool,
) -> Result<Compiled, Vec<Diagnostic>> {
    let arena = Bump::new();
    let mut names = Interner::new();
    let mut units = Vec::new();
    let mut errors = Vec::new();
    for &file in files {
        match robusto_syntax::parse::parse(&arena, sources, file, &mut names) {
            Ok(unit) => units.push(unit),
            Err(found) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut lower = Lower::new(&arena, sources, names, options.clone());
    lower.rounding = rounding;
    lower.units.clone_from(&units);
    lower.program_of(&units);
    if !rounding && lower.may_change_rounding() {
        drop(lower);
        return compile_rounding(sources, files, options, true);
    }
    lower.finish()
}

/// Marks that an error was reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

type R<T> = Result<T, Failed>;

/// A value: of a scalar type an expression, of a struct, union or opaque type the address of its bytes.
#[derive(Clone, Copy, Debug)]
struct Val {
    e: ExprId,
    ty: TypeId,
}

/// What is known of a function beside its automaton.
#[derive(Debug)]
struct FnInfo {
    ty: TypeId,
    name: Symbol,
    defined: Option<Span>,
    /// `noreturn`
    noreturn: bool,
    /// Attributes `const` and `pure`: it changes nothing.
    pure: bool,
    /// Whether a body is being or has been lowered.
    lowered: bool,
    /// Whether its address is taken or it is called.
    used: bool,
}

/// What is known of an object beside its bytes.
#[derive(Clone, Copy, Debug)]
struct ObjInfo {
    ty: TypeId,
    /// The definition, or tentative definition; `None` for an `extern` declaration.
    defined: Option<Span>,
    initialised: bool,
    used: bool,
}

/// The state of the lowering.
struct Lower<'a, 's> {
    arena: &'a Bump,
    sources: &'s mut SourceMap,
    names: Interner,
    types: Types,
    program: Program,
    checks: Checks,
    externs: Externs,
    volatile: Volatile,
    malloc: Malloc,
    entry: Option<Entry>,
    driver: Option<Driver>,
    scopes: Scopes,
    /// Functions and objects with external linkage, by name.
    linked_functions: FxHashMap<Symbol, FuncId>,
    linked_objects: FxHashMap<Symbol, ObjId>,
    functions: Vec<FnInfo>,
    objects: Vec<ObjInfo>,
    /// String literals by content.
    strings: FxHashMap<(Vec<u8>, u64), ObjId>,
    /// Number of elements of variable-length arrays.
    vla_counts: Vec<VarId>,
    fun: FnState,
    symbols: symbols::Symbols,
    /// The functions around the one being lowered, outermost first.
    enclosing: Vec<FnState>,
    nested: FxHashMap<FuncId, nested::Nested>,
    /// The parts of constant complex numbers and vectors, by address.
    composites: FxHashMap<ExprId, Box<[Val]>>,
    /// Constants that some wider float, rounded to double, has become.
    rounded: FxHashSet<ExprId>,
    /// Types that were found already.
    known: type_of::KnownExprs,
    /// Whether operations of floats follow the rounding mode.
    rounding: bool,
    locator: Locator,
    diagnostics: Vec<Diagnostic>,
    noted: noted::Noted,
    /// Number of the file being lowered, to keep `static` names apart.
    unit: usize,
    /// The library models declared so far, by text; each with its file scope until its bodies are lowered.
    models: Vec<(&'static str, Option<(TranslationUnit<'a>, FileScope)>)>,
    /// The functions that models define, with the types that the program declares.
    model_types: FxHashMap<FuncId, TypeId>,
    /// The library's functions of a name that the program defines too, which only the library itself means.
    private_models: FxHashMap<Symbol, FuncId>,
    /// Whether a library model is being lowered.
    in_model: bool,
    /// Calls of models that the program may turn out not to need.
    pending: library::Pending,
    /// Objects that functions of the library keep for what they return, by their names.
    library_objects: FxHashMap<(&'static str, u8), ObjId>,
    anonymous: u32,
    /// The struct that a `va_list` consists of, once it is needed.
    va_list_record: Option<TypeId>,
    /// Number of labels whose address is taken.
    labels_taken: u64,
    /// For functions whose call is an error, the functions that pointers to them point to.
    by_pointer: FxHashMap<FuncId, FuncId>,
    /// For types of functions, what one outside of the program does.
    outside: FxHashMap<TypeId, FuncId>,
    /// The files, for what their functions touch.
    units: Vec<TranslationUnit<'a>>,
    summaries: Option<Box<order::Summaries>>,
}

impl<'a, 's> Lower<'a, 's> {
    fn new(arena: &'a Bump, sources: &'s mut SourceMap, names: Interner, options: Options) -> Self {
        let mut program = Program::new(options.model);
        program.exprs.keep_reads(options.checks.reads);
        program.functions.push(crate::ir::Function::header("", SrcPos::default()));
        let mut types = Types::new(options.model);
        let void = types.void();
        let mut lower = Self {
            arena,
            sources,
            names,
            types,
            program,
            checks: options.checks,
            externs: options.externs,
            volatile: options.volatile,
            malloc: options.malloc,
            entry: options.entry,
            driver: None,
            scopes: Scopes::new(),
            linked_functions: FxHashMap::default(),
            linked_objects: FxHashMap::default(),
            functions: Vec::new(),
            objects: Vec::new(),
            strings: FxHashMap::default(),
            vla_counts: Vec::new(),
            fun: FnState::scratch(FuncId::FIRST, void),
            symbols: symbols::Symbols::default(),
            enclosing: Vec::new(),
            nested: FxHashMap::default(),
            composites: FxHashMap::default(),
            rounded: FxHashSet::default(),
            known: type_of::KnownExprs::default(),
            rounding: false,
            locator: Locator::default(),
            diagnostics: Vec::new(),
            noted: noted::Noted::default(),
            unit: 0,
            models: Vec::new(),
            model_types: FxHashMap::default(),
            private_models: FxHashMap::default(),
            in_model: false,
            pending: library::Pending::default(),
            library_objects: FxHashMap::default(),
            anonymous: 0,
            va_list_record: None,
            labels_taken: 0,
            by_pointer: FxHashMap::default(),
            outside: FxHashMap::default(),
            units: Vec::new(),
            summaries: None,
        };
        let nameless = lower.names.intern("");
        // Function 0 owns what constant expressions at file scope leave behind; it has no name and is dropped at the end.
        lower.functions.push(FnInfo {
            ty: void,
            name: nameless,
            defined: None,
            noreturn: false,
            pure: false,
            lowered: false,
            used: false,
        });
        lower
    }

    fn model(&self) -> DataModel {
        self.program.model
    }

    fn finish(mut self) -> Result<Compiled, Vec<Diagnostic>> {
        if self.diagnostics.iter().any(|d| d.severity == Severity::Error) {
            self.diagnostics.retain(|d| d.severity == Severity::Error);
            return Err(self.diagnostics);
        }
        let (functions, driver) = (self.defined_functions(), self.driver.take());
        self.mark_handed_out();
        self.program.files = self.sources.names().iter().map(|n| n.as_str().into()).collect();
        self.program.assumptions = std::mem::take(&mut self.noted).of_reachable(&self.program);
        let shapes = shapes::ObjectShapes { types: &self.types, names: &self.names, objects: &self.objects };
        let program = crate::promote::promote(self.program, &shapes);
        crate::verify::assert_valid(&program, "lowering");
        Ok(Compiled { program, warnings: self.diagnostics, functions, driver })
    }

    // ---- messages -------------------------------------------------------------------------------------------------

    /// Reports an error.
    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> R<T> {
        self.report(Diagnostic::error(span, message))
    }

    fn report<T>(&mut self, diagnostic: Diagnostic) -> R<T> {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
        Err(Failed)
    }

    /// Notes something that is approximated or taken for granted.
    fn assume(&mut self, span: Span, kind: Granted) {
        if self.fun.quiet {
            return;
        }
        let pos = self.pos(span);
        let function = (!self.fun.constant_only).then_some(self.fun.builder.id);
        self.noted.add(function, kind, pos);
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    fn pos(&mut self, span: Span) -> SrcPos {
        self.locator.position(self.sources, span.lo)
    }

    // ---- building blocks ------------------------------------------------------------------------------------------

    /// A new temporary of the current function.
    fn temp(&mut self, ty: Ty, signed: bool) -> VarId {
        self.fun.temps += 1;
        let name = format!("t{}", self.fun.temps);
        let kind = VarKind::Temp(self.fun.builder.id);
        self.new_var(Var { name: name.into(), ty, signed, kind, pos: self.fun.pos })
    }

    fn new_var(&mut self, var: Var) -> VarId {
        let ty = var.ty;
        let owner = var.kind;
        let id = self.program.vars.push(var);
        self.program.exprs.declare(id, ty);
        match owner {
            VarKind::Local(_) | VarKind::Temp(_) => self.fun.builder.header.locals.push(id),
            VarKind::Param(_) => self.fun.builder.header.params.push(id),
            VarKind::Global(_) => {}
        }
        id
    }

    /// A new memory object.
    fn new_object(&mut self, name: &str, ty: TypeId, kind: ObjectKind, align: u64, pos: SrcPos) -> ObjId {
        let size = self.types.size(ty).unwrap_or(0);
        let align = u32::try_from(self.types.align(ty).max(align)).unwrap_or(1 << 20);
        let local = matches!(kind, ObjectKind::Local(_));
        let id = self.program.objects.push(Object { name: name.into(), size, align, kind, pos });
        self.objects.push(ObjInfo { ty, defined: None, initialised: false, used: false });
        if local {
            self.fun.builder.header.objects.push(id);
        }
        id
    }

    /// A new unnamed local object that holds a value of a struct, union or opaque type.
    fn temp_object(&mut self, ty: TypeId) -> ExprId {
        let obj = self.unnamed_object(ty);
        self.obj_addr(obj)
    }

    fn unnamed_object(&mut self, ty: TypeId) -> ObjId {
        if self.is_variable_size(ty) {
            self.unsupported("a value of a struct of variable size");
        }
        self.fun.temps += 1;
        let name = format!("t{}", self.fun.temps);
        let kind = ObjectKind::Local(self.fun.builder.id);
        self.new_object(&name, ty, kind, 1, self.fun.pos)
    }

    fn obj_addr(&mut self, obj: ObjId) -> ExprId {
        self.objects[crate::ir::Idx::index(obj)].used = true;
        self.program.exprs.intern(crate::ir::Expr::ObjAddr(obj))
    }

    /// The address of a function. One whose call is an error is called by way of another function, which makes it so.
    fn func_addr(&mut self, func: FuncId) -> ExprId {
        let func = self.error_by_pointer(func);
        self.func_addr_of(func)
    }

    fn func_addr_of(&mut self, func: FuncId) -> ExprId {
        self.functions[crate::ir::Idx::index(func)].used = true;
        self.program.exprs.intern(crate::ir::Expr::FuncAddr(func))
    }

    /// A constant object (string literal).
    fn constant_object(&mut self, bytes: Vec<u8>, elem: TypeId) -> ObjId {
        let unit = self.types.size(elem).unwrap_or(1);
        if let Some(&obj) = self.strings.get(&(bytes.clone(), unit)) {
            return obj;
        }
        let len = bytes.len() as u64 / unit;
        let ty = self.types.array(elem, Some(len));
        let name = format!("str{}", self.strings.len() + 1);
        let image = Image { bytes: trim(&bytes), relocations: Vec::new() };
        let obj = self.new_object(&name, ty, ObjectKind::Constant(image), 1, self.fun.pos);
        self.strings.insert((bytes, unit), obj);
        obj
    }

    // ---- edges ----------------------------------------------------------------------------------------------------

    fn at_span(&mut self, span: Span) {
        self.fun.pos = self.pos(span);
    }

    /// Adds an edge with this operation and moves to its end.
    fn emit(&mut self, op: Op) {
        let next = self.fun.builder.location();
        let (at, pos) = (self.fun.at, self.fun.pos);
        self.fun.builder.edge(at, next, op, pos);
        self.fun.at = next;
    }

    /// Adds an edge to a given location; what follows cannot be reached unless something jumps there.
    fn jump(&mut self, to: LocId) {
        let (at, pos) = (self.fun.at, self.fun.pos);
        self.fun.builder.edge(at, to, Op::Skip, pos);
        self.fun.at = self.fun.builder.location();
    }

    /// Adds an edge to a dead end.
    fn emit_end(&mut self, op: Op) {
        self.emit(op);
        self.fun.at = self.fun.builder.location();
    }

    /// Two edges to `yes` and `no`; with a constant condition, one.
    fn branch(&mut self, cond: ExprId, yes: LocId, no: LocId) {
        if let Some(value) = self.constant_truth(cond) {
            return self.jump(if value { yes } else { no });
        }
        let (at, pos) = (self.fun.at, self.fun.pos);
        self.fun.builder.edge(at, yes, Op::Assume { cond, truth: true }, pos);
        self.fun.builder.edge(at, no, Op::Assume { cond, truth: false }, pos);
        self.fun.at = self.fun.builder.location();
    }

    fn label_here(&mut self, loc: LocId) {
        self.jump(loc);
        self.fun.at = loc;
    }

    fn assign_var(&mut self, var: VarId, value: ExprId) {
        self.emit(Op::Assign { var, value });
    }

    /// Something that is not modelled: an edge that says so, and an unspecified value to go on with.
    fn unsupported(&mut self, what: &str) {
        self.emit_end(Op::Unsupported(what.into()));
    }
}

/// The bytes without trailing zeros.
fn trim(bytes: &[u8]) -> Vec<u8> {
    let len = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    bytes[..len].to_vec()
}
