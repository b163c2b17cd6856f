//! The tree as text. What this writes reads back as the same program, in every dialect: each operand that has an operator of
//! its own is in parentheses.

use crate::ast::{Expr, File, Name, NodeRef, Stmt, StmtKind, Tree};
use std::fmt::Write as _;

/// The text of a program.
pub fn print(file: &File) -> String {
    let mut printer = Printer { file, out: String::new() };
    if !file.globals.is_empty() {
        let _ = writeln!(printer.out, "decl {};\n", names(&file.globals));
    }
    for (i, procedure) in file.procedures.iter().enumerate() {
        let kind = match procedure.results {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            count => format!("bool<{count}>"),
        };
        let dfs = if procedure.dfs { " dfs" } else { "" };
        let gap = if i > 0 { "\n" } else { "" };
        let (name, formals) = (&procedure.name.text, names(&procedure.formals));
        let _ = writeln!(printer.out, "{gap}{kind} {name}({formals}){dfs} begin");
        if !procedure.locals.is_empty() {
            let _ = writeln!(printer.out, "  decl {};", names(&procedure.locals));
        }
        for &condition in &procedure.enforce {
            let _ = writeln!(printer.out, "  enforce {};", expression(file, condition));
        }
        printer.block(&procedure.body, 1);
        printer.out.push_str("end\n");
    }
    printer.out
}

/// The text of an expression.
pub fn expression(file: &File, tree: Tree) -> String {
    /// What is still to be written.
    enum Piece {
        Text(&'static str),
        Operand(NodeRef),
        Whole(NodeRef),
    }
    let mut out = String::new();
    let mut todo = vec![Piece::Whole(tree.root)];
    while let Some(piece) = todo.pop() {
        let node = match piece {
            Piece::Text(text) => {
                out.push_str(text);
                continue;
            }
            Piece::Operand(node)
                if matches!(file.node(node).expr, Expr::Chain(..) | Expr::Binary(..) | Expr::Ite(..)) =>
            {
                todo.extend([Piece::Text(")"), Piece::Whole(node), Piece::Text("(")]);
                continue;
            }
            Piece::Operand(node) | Piece::Whole(node) => node,
        };
        match &file.node(node).expr {
            Expr::Const(value) => out.push_str(if *value { "T" } else { "F" }),
            Expr::Choice => out.push('*'),
            Expr::Var(name) => out.push_str(name),
            Expr::Next(name) => {
                out.push('\'');
                out.push_str(name);
            }
            Expr::Not(inner) => todo.extend([Piece::Operand(*inner), Piece::Text("!")]),
            Expr::Chain(op, members) => {
                for (i, &member) in members.iter().enumerate().rev() {
                    todo.push(Piece::Operand(member));
                    if i > 0 {
                        todo.extend([Piece::Text(" "), Piece::Text(op.text()), Piece::Text(" ")]);
                    }
                }
            }
            Expr::Binary(op, left, right) => todo.extend([
                Piece::Operand(*right),
                Piece::Text(" "),
                Piece::Text(op.text()),
                Piece::Text(" "),
                Piece::Operand(*left),
            ]),
            Expr::Ite(condition, then, otherwise) => todo.extend([
                Piece::Operand(*otherwise),
                Piece::Text(" : "),
                Piece::Operand(*then),
                Piece::Text(" ? "),
                Piece::Operand(*condition),
            ]),
            Expr::Schoose(one, zero) => todo.extend([
                Piece::Text("]"),
                Piece::Whole(*zero),
                Piece::Text(", "),
                Piece::Whole(*one),
                Piece::Text("schoose["),
            ]),
        }
    }
    out
}

/// The text of a statement without what is nested in it: `if e`, `while e`.
pub fn statement(file: &File, kind: &StmtKind) -> String {
    let one = |tree: &Tree| expression(file, *tree);
    let list = |trees: &[Tree]| trees.iter().map(one).collect::<Vec<_>>().join(", ");
    match kind {
        StmtKind::Skip => "skip".to_owned(),
        StmtKind::Assign { targets, values, constrain } => {
            let constrain = constrain.as_ref().map_or(String::new(), |c| format!(" constrain {}", one(c)));
            format!("{} := {}{constrain}", names(targets), list(values))
        }
        StmtKind::Call { targets, callee, args } => {
            let targets = if targets.is_empty() { String::new() } else { names(targets) + " := " };
            format!("{targets}{}({})", callee.text, list(args))
        }
        StmtKind::Assume(condition) => format!("assume({})", one(condition)),
        StmtKind::Assert(condition) => format!("assert({})", one(condition)),
        StmtKind::AbortIf(condition) => format!("abortif({})", one(condition)),
        StmtKind::Dead(list) => format!("dead {}", names(list)),
        StmtKind::Print(values) => format!("print({})", list(values)),
        StmtKind::Goto(labels) => format!("goto {}", names(labels)),
        StmtKind::If { arms, .. } => {
            arms.first().map_or(String::new(), |(condition, _)| format!("if {}", one(condition)))
        }
        StmtKind::While { condition, .. } => format!("while {}", one(condition)),
        StmtKind::Return(values) if values.is_empty() => "return".to_owned(),
        StmtKind::Return(values) => format!("return {}", list(values)),
    }
}

fn names(list: &[Name]) -> String {
    list.iter().map(|name| &*name.text).collect::<Vec<_>>().join(", ")
}

struct Printer<'f> {
    file: &'f File,
    out: String,
}

impl Printer<'_> {
    fn block(&mut self, list: &[Stmt], depth: usize) {
        for stmt in list {
            self.stmt(stmt, depth);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        let indent = depth * 2;
        for label in &stmt.labels {
            let _ = writeln!(self.out, "{:indent$}{}:", "", label.text, indent = indent - 2);
        }
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                for (i, (condition, body)) in arms.iter().enumerate() {
                    let word = if i == 0 { "if" } else { "elsif" };
                    let _ = writeln!(self.out, "{:indent$}{word} {} then", "", expression(self.file, *condition));
                    self.block(body, depth + 1);
                }
                if !otherwise.is_empty() {
                    let _ = writeln!(self.out, "{:indent$}else", "");
                    self.block(otherwise, depth + 1);
                }
                let _ = writeln!(self.out, "{:indent$}fi;", "");
            }
            StmtKind::While { condition, body } => {
                let _ = writeln!(self.out, "{:indent$}while {} do", "", expression(self.file, *condition));
                self.block(body, depth + 1);
                let _ = writeln!(self.out, "{:indent$}od;", "");
            }
            kind => {
                let _ = writeln!(self.out, "{:indent$}{};", "", statement(self.file, kind));
            }
        }
    }
}
