//! The expressions that a witness may contain.

use robusto_syntax::ast::{Expr, ExprKind, Item, StmtKind, UnaryOp};
use robusto_syntax::{Bump, Interner, SourceMap};

/// One expression, and nothing else: it goes into the text of a program, so a witness must not be able to smuggle in a
/// statement. Side effects and calls are not allowed.
pub(crate) fn check(text: &str) -> Result<(), String> {
    if text.contains(['\n', '\r', '#', '\\']) {
        return Err("it must be one line of C".to_owned());
    }
    if text.contains("__robusto_at") {
        return Err("it uses a name that is not the program's".to_owned());
    }
    // Once alone, so that unbalanced parentheses cannot hide; comments would swallow what follows.
    if text.contains("//") || text.contains("/*") {
        return Err("it must not contain a comment".to_owned());
    }
    let mut sources = SourceMap::new();
    let wrapped = format!("int f(void) {{ return ({text}); }}");
    let file = sources.add("expression", wrapped).map_err(|e| e.to_string())?;
    let arena = Bump::new();
    let mut names = Interner::new();
    let unit = robusto_syntax::parse::parse(&arena, &mut sources, file, &mut names)
        .map_err(|errors| errors.first().map_or(String::new(), |e| e.message.clone()))?;
    let [Item::Function(def)] = unit.items else { return Err("it is more than an expression".to_owned()) };
    let [stmt] = def.body.stmts else { return Err("it is more than an expression".to_owned()) };
    let StmtKind::Return(Some(e)) = stmt.kind else { return Err("it is no expression".to_owned()) };
    if pure(e) { Ok(()) } else { Err("it has side effects".to_owned()) }
}

fn pure(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(..) | ExprKind::Ident(_) => true,
        ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, _) => false,
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Member(a, _) | ExprKind::Arrow(a, _) => pure(a),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => pure(a) && pure(b),
        ExprKind::Conditional(a, b, c) => pure(a) && b.is_none_or(pure) && pure(c),
        ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => true,
        _ => false,
    }
}

/// The number in `\result == number`.
pub(crate) fn result_constant(text: &str) -> Option<i128> {
    let rest = text.trim().strip_prefix("\\result")?.trim_start().strip_prefix("==")?.trim();
    match rest {
        "(-2147483647 - 1)" => return Some(-2_147_483_648),
        "(-9223372036854775807LL - 1)" => return Some(i64::MIN.into()),
        _ => {}
    }
    rest.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
}

/// The name and the number in `name == number`.
pub(crate) fn variable_constant(text: &str) -> Option<(String, i128)> {
    let (name, value) = text.split_once("==")?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    Some((name.to_owned(), value.trim().parse().ok()?)).filter(|_| is_name)
}
