//! The tree of a Boolean program, as written: names unresolved, nothing folded.
//!
//! Expressions lie in one arena, children before parents, the nodes of one expression beside each other. So whoever walks an
//! expression loops over a range and never recurses, however deep it is.

use robusto_syntax::Span;

/// A Boolean program.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Global variables.
    pub globals: Vec<Name>,
    /// Procedures.
    pub procedures: Vec<Procedure>,
    /// The nodes of all expressions.
    pub nodes: Vec<Node>,
}

impl File {
    /// The nodes of an expression, the root last.
    pub fn nodes_of(&self, tree: Tree) -> &[Node] {
        &self.nodes[tree.first as usize..=tree.root.0 as usize]
    }

    /// A node.
    pub fn node(&self, id: NodeRef) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

/// A name and where it stands. Names in braces (`{x == 0}`) keep their braces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// As written.
    pub text: Box<str>,
    /// Where.
    pub span: Span,
}

impl Name {
    /// Whether this is the target that takes a value and forgets it.
    pub fn is_discard(&self) -> bool {
        &*self.text == "_"
    }
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// Number of values that it returns.
    pub results: u32,
    /// Parameters.
    pub formals: Vec<Name>,
    /// Local variables.
    pub locals: Vec<Name>,
    /// What holds throughout the body.
    pub enforce: Vec<Tree>,
    /// Whether `dfs` stands with it: advice on the search, without a meaning.
    pub dfs: bool,
    /// Statements.
    pub body: Vec<Stmt>,
    /// The `end`.
    pub end: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Labels in front of it.
    pub labels: Vec<Name>,
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands, without labels.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Nothing.
    Skip,
    /// `x, y := e, f constrain c`
    Assign {
        /// What is written; `_` forgets.
        targets: Vec<Name>,
        /// As many values.
        values: Vec<Tree>,
        /// Relates values before and after.
        constrain: Option<Tree>,
    },
    /// `x, y := p(e, f)` or `p(e, f)`
    Call {
        /// What takes the results; may be empty.
        targets: Vec<Name>,
        /// Who is called.
        callee: Name,
        /// The arguments.
        args: Vec<Tree>,
    },
    /// `assume(e)`
    Assume(Tree),
    /// `assert(e)`
    Assert(Tree),
    /// `abortif(e)`
    AbortIf(Tree),
    /// `dead x, y`
    Dead(Vec<Name>),
    /// `print(e, f)`
    Print(Vec<Tree>),
    /// `goto L, M`
    Goto(Vec<Name>),
    /// `if e then … elsif f then … else … fi`
    If {
        /// Conditions and what is done under them.
        arms: Vec<(Tree, Vec<Stmt>)>,
        /// What is done otherwise.
        otherwise: Vec<Stmt>,
    },
    /// `while e do … od`
    While {
        /// The condition.
        condition: Tree,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// `return e, f`
    Return(Vec<Tree>),
}

/// A node of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeRef(pub u32);

/// An expression: the range of its nodes, the root last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The first node.
    pub first: u32,
    /// The root.
    pub root: NodeRef,
}

/// A node of an expression and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub expr: Expr,
    /// Where.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// `T`, `F`, `1`, `0`
    Const(bool),
    /// `*`
    Choice,
    /// `x`
    Var(Box<str>),
    /// `'x`
    Next(Box<str>),
    /// `!e`
    Not(NodeRef),
    /// `e & f & …` without parentheses in between; the same for `|` and `^`
    Chain(BinaryOp, Vec<NodeRef>),
    /// `e = f`, `e != f`, `e => f`
    Binary(BinaryOp, NodeRef, NodeRef),
    /// `e ? f : g`
    Ite(NodeRef, NodeRef, NodeRef),
    /// `schoose[e, f]`
    Schoose(NodeRef, NodeRef),
}

/// Operators between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `=>`
    Implies,
    /// `=`
    Eq,
    /// `!=`
    Ne,
}

impl BinaryOp {
    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Implies => "=>",
            BinaryOp::Eq => "=",
            BinaryOp::Ne => "!=",
        }
    }

    /// Whether a row of them is one [`Expr::Chain`].
    pub fn is_chained(self) -> bool {
        matches!(self, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
    }
}
