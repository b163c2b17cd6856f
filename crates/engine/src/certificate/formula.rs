//! Formulas of certificates as s-expressions.
//!
//! ```text
//! formula   = constant | cell | "(old" cell ")" | "$" number | "(" operator operand* ")" | "(let" binding+ formula ")"
//! binding   = "(" "$" number formula ")"
//! constant  = "true" | "false" | value ":" width
//! cell      = "v" number [ "#" activation ] [ ":" name ] | "m" number | "heap"
//! operator  = not neg add sub mul udiv sdiv urem srem and or xor shl lshr ashr eq ult ule slt sle ite concat
//!             select store splice | extract LOW WIDTH | zext WIDTH | sext WIDTH | opaque NUMBER WIDTH | constarray WIDTH
//! ```
//!
//! Truth values are bit-vectors of width 1. The meaning of the operators is that of [`robusto_logic::Node`], which is
//! SMT-LIB's where SMT-LIB has them. `v17:main::x` is variable number 17 of the automaton, whose name must be `main::x`;
//! `m3` is a region of memory; `(old m3)` is what it was when the procedure was entered. A subterm that is used twice is bound by the outermost `let`, so the text is linear in the
//! size of the shared term. Neither direction recurses.

use robusto_analyses::symbolic::{Cell, Encoder, RegionId};
use robusto_cfa::ir::{Idx as _, Program, VarId};
use robusto_logic::{BinaryOp, Node, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// Names of the binary operators.
const BINARY: [(&str, BinaryOp); 18] = {
    use BinaryOp::*;
    [
        ("add", Add),
        ("sub", Sub),
        ("mul", Mul),
        ("udiv", UDiv),
        ("sdiv", SDiv),
        ("urem", URem),
        ("srem", SRem),
        ("and", And),
        ("or", Or),
        ("xor", Xor),
        ("shl", Shl),
        ("lshr", LShr),
        ("ashr", AShr),
        ("eq", Eq),
        ("ult", ULt),
        ("ule", ULe),
        ("slt", SLt),
        ("sle", SLe),
    ]
};

/// Writes a term over inputs of cells.
///
/// # Panics
/// If it has symbols of another sort.
pub fn print(encoder: &Encoder<'_>, root: Term) -> String {
    let terms = &encoder.terms;
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    let all = terms.subterms(&[root]);
    for &t in &all {
        for &operand in terms.node(t).operands().iter() {
            *uses.entry(operand).or_default() += 1;
        }
    }
    let is_leaf = |t: Term| matches!(terms.node(t), Node::Const { .. } | Node::Symbol(_));
    // Operands have smaller numbers, so in ascending order each shared term comes after those that it uses.
    let mut shared: Vec<Term> =
        all.into_iter().filter(|&t| !is_leaf(t) && uses.get(&t).is_some_and(|&n| n > 1)).collect();
    shared.sort_unstable();
    let names: FxHashMap<Term, usize> = shared.iter().enumerate().map(|(i, &t)| (t, i)).collect();
    let mut out = String::new();
    if shared.is_empty() {
        tree(encoder, &names, root, &mut out);
        return out;
    }
    out.push_str("(let ");
    for (i, &t) in shared.iter().enumerate() {
        let _ = write!(out, "(${i} ");
        tree(encoder, &names, t, &mut out);
        out.push_str(") ");
    }
    match names.get(&root) {
        Some(i) => {
            let _ = write!(out, "${i}");
        }
        None => tree(encoder, &names, root, &mut out),
    }
    out.push(')');
    out
}

/// Writes a term down to leaves and shared terms; the root is written out even if it is shared.
fn tree(encoder: &Encoder<'_>, names: &FxHashMap<Term, usize>, root: Term, out: &mut String) {
    enum Item {
        Term(Term),
        Close,
    }
    let terms = &encoder.terms;
    let mut stack = vec![Item::Term(root)];
    let mut first = true;
    while let Some(item) = stack.pop() {
        let t = match item {
            Item::Close => {
                out.push(')');
                continue;
            }
            Item::Term(t) => t,
        };
        if !first {
            out.push(' ');
        }
        if let Some(i) = names.get(&t).filter(|_| !first) {
            let _ = write!(out, "${i}");
            continue;
        }
        first = false;
        let node = terms.node(t);
        match node {
            Node::Const { width: 1, bits } => {
                out.push_str(if bits == 1 { "true" } else { "false" });
                continue;
            }
            Node::Const { width, bits } => {
                let _ = write!(out, "{bits}:{width}");
                continue;
            }
            Node::Symbol(symbol) => {
                let (cell, old) = match encoder.cell_of(symbol) {
                    Some(cell) => (cell, false),
                    None => (encoder.old_of(symbol).expect("certificates speak of cells only"), true),
                };
                let name = cell_name(&encoder.facts().program, cell);
                let _ = if old { write!(out, "(old {name})") } else { write!(out, "{name}") };
                continue;
            }
            _ => {}
        }
        let _ = match node {
            Node::Const { .. } | Node::Symbol(_) => unreachable!("leaves are done"),
            Node::Not(_) => write!(out, "(not"),
            Node::Neg(_) => write!(out, "(neg"),
            Node::Binary(op, ..) => {
                let name = BINARY.iter().find(|(_, o)| *o == op).expect("all are listed").0;
                write!(out, "({name}")
            }
            Node::Ite(..) => write!(out, "(ite"),
            Node::Extract { lo, width, .. } => write!(out, "(extract {lo} {width}"),
            Node::Concat(..) => write!(out, "(concat"),
            Node::ZExt(_, width) => write!(out, "(zext {width}"),
            Node::SExt(_, width) => write!(out, "(sext {width}"),
            Node::Opaque(function, _, _, width) => write!(out, "(opaque {function} {width}"),
            Node::Select(..) => write!(out, "(select"),
            Node::Store(..) => write!(out, "(store"),
            Node::ConstArray { index, .. } => write!(out, "(constarray {index}"),
            Node::Splice { .. } => write!(out, "(splice"),
        };
        stack.push(Item::Close);
        stack.extend(node.operands().iter().rev().map(|&t| Item::Term(t)));
    }
}

/// The name of a cell.
fn cell_name(program: &Program, cell: Cell) -> String {
    match cell {
        Cell::Var(var, activation) => {
            let activation = if activation == 0 { String::new() } else { format!("#{activation}") };
            format!("v{}{activation}:{}", var.index(), var_name(program, var))
        }
        Cell::Region(region) => format!("m{}", region.index()),
        Cell::HeapTop => "heap".to_owned(),
    }
}

/// A variable with its function, without characters that mean something here.
fn var_name(program: &Program, var: VarId) -> String {
    let info = &program.vars[var];
    let owner = info.kind.owner().map(|f| format!("{}::", program.functions[f].name)).unwrap_or_default();
    let name = format!("{owner}{}", info.name);
    name.chars().map(|c| if c.is_whitespace() || c == '(' || c == ')' { '_' } else { c }).collect()
}

/// A list that is being read.
struct List<'t> {
    operator: &'t str,
    numbers: Vec<u16>,
    operands: Vec<Term>,
}

/// Reads a formula.
pub fn parse(encoder: &mut Encoder<'_>, text: &str) -> Result<Term, String> {
    let mut bound: FxHashMap<&str, Term> = FxHashMap::default();
    let mut open: Vec<List<'_>> = Vec::new();
    let mut tokens = Tokens(text);
    loop {
        let token = tokens.next().ok_or("the formula ends too early")?;
        let value = match token {
            "(" => {
                let operator = tokens.next().filter(|t| *t != "(" && *t != ")").ok_or("a list without operator")?;
                let count = match operator {
                    "extract" | "opaque" => 2,
                    "zext" | "sext" | "constarray" => 1,
                    _ => 0,
                };
                let number = |t: Option<&str>| t.and_then(|t| t.parse().ok()).ok_or("a number is missing");
                let numbers = (0..count).map(|_| number(tokens.next())).collect::<Result<Vec<u16>, _>>()?;
                open.push(List { operator, numbers, operands: Vec::new() });
                continue;
            }
            ")" => {
                let list = open.pop().ok_or("a parenthesis closes nothing")?;
                if list.operator.starts_with('$') {
                    let &[value] = &list.operands[..] else {
                        return Err(format!("{} has not one value", list.operator));
                    };
                    if !open.last().is_some_and(|l| l.operator == "let" && l.operands.is_empty()) {
                        return Err(format!("{} is bound outside of a let", list.operator));
                    }
                    if bound.insert(list.operator, value).is_some() {
                        return Err(format!("{} is bound twice", list.operator));
                    }
                    continue;
                }
                if list.operator == "old" { old(encoder, &list)? } else { build(&mut encoder.terms, &list)? }
            }
            _ if token.starts_with('$') => *bound.get(token).ok_or_else(|| format!("{token} is not bound"))?,
            _ => leaf(encoder, token)?,
        };
        match open.last_mut() {
            Some(list) => list.operands.push(value),
            None if tokens.next().is_some() => return Err("something follows the formula".to_owned()),
            None => return Ok(value),
        }
    }
}

/// The parentheses and words of a text.
struct Tokens<'t>(&'t str);

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.0.trim_start();
        if text.is_empty() {
            return None;
        }
        let end = match text.find(|c: char| c.is_whitespace() || c == '(' || c == ')') {
            Some(0) => 1,
            Some(end) => end,
            None => text.len(),
        };
        let (token, rest) = text.split_at(end);
        self.0 = rest;
        Some(token)
    }
}

fn leaf(encoder: &mut Encoder<'_>, token: &str) -> Result<Term, String> {
    let unknown = || format!("`{token}` is neither a constant nor a cell of this program");
    match token {
        "true" => return Ok(encoder.terms.yes()),
        "false" => return Ok(encoder.terms.no()),
        "heap" => return Ok(encoder.input(Cell::HeapTop)),
        _ => {}
    }
    if let Some(rest) = token.strip_prefix('v') {
        let (number, name) = rest.split_once(':').map_or((rest, None), |(number, name)| (number, Some(name)));
        let (number, activation) = number.split_once('#').unwrap_or((number, "0"));
        let (number, activation): (u32, u32) =
            (number.parse().map_err(|_| unknown())?, activation.parse().map_err(|_| unknown())?);
        let program = &encoder.facts().program;
        let var = VarId::new(number as usize);
        if program.vars.get(var).is_none() || name.is_some_and(|name| name != var_name(program, var)) {
            return Err(unknown());
        }
        return Ok(encoder.input(Cell::Var(var, activation)));
    }
    if let Some(number) = token.strip_prefix('m') {
        let number: u32 = number.parse().map_err(|_| unknown())?;
        let region = RegionId::new(number as usize);
        encoder.regions().regions.get(region).ok_or_else(unknown)?;
        return Ok(encoder.input(Cell::Region(region)));
    }
    let (value, width) = token.split_once(':').ok_or_else(unknown)?;
    let (value, width): (u128, u16) = (value.parse().map_err(|_| unknown())?, width.parse().map_err(|_| unknown())?);
    let fits = (1..=128).contains(&width) && (width == 128 || value >> width == 0);
    if fits { Ok(encoder.terms.constant(width, value)) } else { Err(unknown()) }
}

/// The value of a cell when the procedure was entered.
fn old(encoder: &mut Encoder<'_>, list: &List<'_>) -> Result<Term, String> {
    let symbol = match list.operands[..] {
        [operand] => encoder.terms.as_symbol(operand),
        _ => None,
    };
    let cell = symbol.and_then(|symbol| encoder.cell_of(symbol)).ok_or("`old` is of one cell")?;
    Ok(encoder.old(cell))
}

/// The term of a list, if the sorts are right.
fn build(terms: &mut Terms, list: &List<'_>) -> Result<Term, String> {
    use Sort::{Array, Bits};
    let wrong = || format!("wrong operands of `{}`", list.operator);
    let sorts: Vec<Sort> = list.operands.iter().map(|&t| terms.sort(t)).collect();
    let args = &list.operands[..];
    let numbers = &list.numbers[..];
    let binary = BINARY.iter().find(|(name, _)| *name == list.operator);
    let node = match (list.operator, args, &sorts[..], numbers) {
        ("let", &[body], ..) => return Ok(body),
        ("not", &[x], [Bits(_)], _) => Node::Not(x),
        ("neg", &[x], [Bits(_)], _) => Node::Neg(x),
        ("ite", &[c, x, y], [Bits(1), a, b], _) if a == b => Node::Ite(c, x, y),
        ("concat", &[x, y], [Bits(a), Bits(b)], _) if a + b <= 128 => Node::Concat(x, y),
        ("extract", &[arg], &[Bits(w)], &[lo, width])
            if width > 0 && lo.checked_add(width).is_some_and(|end| end <= w) =>
        {
            Node::Extract { arg, lo, width }
        }
        ("zext", &[x], &[Bits(w)], &[width]) if (w..=128).contains(&width) => Node::ZExt(x, width),
        ("sext", &[x], &[Bits(w)], &[width]) if (w..=128).contains(&width) => Node::SExt(x, width),
        ("opaque", &[x, y], [Bits(_), Bits(_)], &[function, width]) if (1..=128).contains(&width) => {
            Node::Opaque(function.into(), x, y, width)
        }
        ("select", &[array, at], &[Array { index, .. }, Bits(w)], _) if index == w => Node::Select(array, at),
        ("store", &[array, at, v], &[Array { index, element }, Bits(a), Bits(b)], _) if index == a && element == b => {
            Node::Store(array, at, v)
        }
        ("constarray", &[value], [Bits(_)], &[index]) if (1..=128).contains(&index) => {
            Node::ConstArray { index, value }
        }
        ("splice", &[base, source, to, from, size], &[a @ Array { index, .. }, b, Bits(x), Bits(y), Bits(z)], _)
            if a == b && [x, y, z] == [index; 3] =>
        {
            Node::Splice { base, source, to, from, size }
        }
        (_, &[x, y], [Bits(a), Bits(b)], _) if a == b && binary.is_some() => {
            Node::Binary(binary.expect("it is").1, x, y)
        }
        _ => return Err(wrong()),
    };
    Ok(terms.build(node))
}
