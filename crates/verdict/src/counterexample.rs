//! Executions that violate a property.

use crate::place::Place;
use crate::target::EdgeNumber;

/// An execution that violates a property, as the interpreter saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The inputs in the order in which the program reads them.
    pub inputs: Vec<Assignment>,
    /// What functions without a body wrote to memory, in order.
    pub writes: Vec<Write>,
    /// Where operands are evaluated in another order than the usual one.
    pub orders: Vec<Place>,
    /// Where an allocation fails that need not.
    pub failures: Vec<Place>,
    /// What the program's calls of allocation functions gave, in their order, failed ones as well.
    pub heap: Vec<Allocation>,
    /// What was in local variables that the program did not initialise.
    pub locals: Locals,
    /// The steps.
    pub trace: Vec<TraceLine>,
}

/// What a call of an allocation function gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// The function.
    pub by: Allocator,
    /// What was in the memory, without zeros at the end; `None` if there was no memory, and the call gave null.
    pub content: Option<Vec<u8>>,
}

/// Functions of the library that allocate, as far as it makes a difference for the memory that they give.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Allocator {
    /// `malloc`.
    Malloc,
    /// `calloc`.
    Calloc,
    /// `realloc` and `reallocarray`.
    Realloc,
    /// `aligned_alloc`, `posix_memalign` and what else aligns.
    Aligned,
    /// `strdup` and `strndup`.
    Strdup,
    /// A function that does more than that, such as `getline`.
    Other,
}

/// What is in local variables without a value. Compilers can set all of them to zero, or to one pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Locals {
    /// Zero, or it does not matter.
    #[default]
    Zero,
    /// [`Locals::PATTERN`] in each byte.
    Pattern,
    /// Values that the violation needs.
    Chosen,
}

impl Locals {
    /// What gcc puts into each byte with `-ftrivial-auto-var-init=pattern`.
    pub const PATTERN: u8 = 0xFE;
}

/// A variable with the value that it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The value as text.
    pub value: String,
    /// Its bits.
    pub bits: u64,
    /// What sort of value it is.
    pub kind: ValueKind,
    /// Where it takes it.
    pub pos: Place,
    /// The function that reads it.
    pub function: String,
    /// The function without a body that returns it; `None` for `__VERIFIER_nondet_*`.
    pub external: Option<String>,
    /// Whether it is no input, but something that is not modelled: in reality it has a value of its own.
    pub unmodelled: bool,
}

/// What a function without a body wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Write {
    /// The function.
    pub function: String,
    /// The position of the argument through which it wrote, from 1; 0 if it is none of them.
    pub argument: u8,
    /// Where it wrote, readable.
    pub to: String,
    /// What it wrote.
    pub bytes: Vec<u8>,
    /// Where it is called.
    pub pos: Place,
}

impl Write {
    /// The start of a program without `main`, as it is named in [`Write::function`] and [`Assignment::function`].
    pub const START: &str = "_start";

    /// Whether it is memory that a function gets which is checked without `main`.
    pub fn is_of_start(&self) -> bool {
        self.function == Self::START
    }
}

/// One step of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceLine {
    /// Where.
    pub pos: Place,
    /// The edge of the automaton that is taken, for those who draw automata.
    pub at: Option<EdgeNumber>,
    /// The function.
    pub function: String,
    /// The operation, readable.
    pub operation: String,
    /// What changed: a variable and its new value.
    pub change: Option<(String, String)>,
    /// Whether that is no variable of the source.
    pub temporary: bool,
    /// What it wrote to memory.
    pub memory: Option<Stored>,
    /// For a call: the parameters with what they are given.
    pub parameters: Vec<(String, String)>,
    /// Number of pending calls.
    pub depth: usize,
    /// What sort of step it is.
    pub kind: StepKind,
    /// The variables of the source in a condition, with their values.
    pub reads: Vec<(String, String)>,
    /// Starts an iteration of the loop with this head (the number of a location of the function).
    pub head: Option<u32>,
    /// Whether it is a branch, or has an influence on a later one.
    pub matters: bool,
}

/// Bytes of memory with the value that they take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The address of the first.
    pub address: u64,
    /// How many.
    pub size: u64,
    /// Where that is, readable: the object, and the offset if there is one.
    pub name: String,
    /// The value as text.
    pub value: String,
}

/// Sorts of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// Reads an input.
    Input,
    /// A local variable begins to live without a value; it takes any.
    Uninitialised,
    /// C leaves undefined what happens; any value is taken.
    Undefined,
    /// A condition that had this truth value.
    Branch(bool),
    /// Enters a function.
    Call,
    /// Leaves a function.
    Return,
    /// Violates the property.
    Error,
    /// Anything else.
    Other,
}

/// Sorts of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// An integer of so many bits; one bit for truth values.
    Int(u8),
    /// IEEE single precision.
    Float,
    /// IEEE double precision.
    Double,
    /// A pointer.
    Pointer,
}
