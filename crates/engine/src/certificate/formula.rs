//! Formulas of certificates as s-expressions ([`expression`]).
//!
//! ```text
//! leaf      = constant | cell | "(old" cell ")" | "any"
//! constant  = "true" | "false" | value ":" width
//! cell      = "v" number [ "#" activation ] [ ":" name ] | "m" number | "heap" | "extent" number | "starts" number
//!           | "live" | "outside"
//! operator  = not neg add sub mul udiv sdiv urem srem and or xor shl lshr ashr eq ult ule slt sle ite concat
//!             select store splice | extract LOW WIDTH | zext WIDTH | sext WIDTH | opaque NUMBER WIDTH | constarray WIDTH |
//!             f.add WIDTH … (operators of floats)
//! ```
//!
//! Truth values are bit-vectors of width 1. The meaning of the operators is that of [`robusto_logic::Node`], which is
//! SMT-LIB's where SMT-LIB has them. `v17:main::x` is variable number 17 of the automaton, whose name must be `main::x`;
//! `m3` is a region of memory, `extent3` says how large the live objects of an allocation site are, `starts3` where they
//! begin, `live` how many live; `(old m3)` is what it was when the procedure was entered. `any` is an index that stands for
//! all ([`instances`]). `count:32` is a number n of iterations ([`count`]), `choose2:32` is n·(n - 1)/2 modulo
//! 2^32, `choose3:32` is n·(n - 1)·(n - 2)/6.

use super::instances;
use crate::unroll::binomial;
use robusto_analyses::symbolic::{Cell, Encoder, RegionId, Room};
use robusto_cfa::analysis::points_to::SiteId;
use robusto_cfa::ir::{Idx as _, Program, VarId};
use robusto_logic::{BinaryOp, FloatOp, Node, Sort, Symbol, Term, Terms};
use robusto_verdict::certificate::expression::{self, Reader, Writer};
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

/// How the name of a number of iterations begins.
const COUNT: &str = "count:";

/// The number of iterations that a closed form is about, of some width. It is no value of the program.
pub fn count(encoder: &mut Encoder<'_>, width: u16) -> Term {
    encoder.terms.symbol(&format!("{COUNT}{width}"), Sort::Bits(width))
}

/// Whether a symbol is such a number, or a binomial coefficient of it. A variable of a function `count` is called `count::n`, and is none.
pub fn is_count(encoder: &Encoder<'_>, symbol: Symbol) -> bool {
    let width = encoder.terms.symbol_name(symbol).strip_prefix(COUNT);
    width.is_some_and(|width| width.parse::<u16>().is_ok()) || binomial::chosen(&encoder.terms, symbol).is_some()
}

/// Writes a term over inputs of cells.
///
/// # Panics
/// If it has symbols of another sort.
pub fn print(encoder: &Encoder<'_>, root: Term) -> String {
    expression::write(&Written(encoder), &encoder.terms.subterms(&[root]), root)
}

/// The terms of an encoder, when they are written.
struct Written<'e, 'f>(&'e Encoder<'f>);

impl Writer for Written<'_, '_> {
    type Term = Term;

    fn operands(&self, term: Term) -> impl DoubleEndedIterator<Item = Term> {
        self.0.terms.node(term).operands().into_iter()
    }

    fn open(&self, term: Term, out: &mut String) -> bool {
        let node = self.0.terms.node(term);
        let _ = match node {
            Node::Const { width: 1, bits } => write!(out, "{}", bits == 1),
            Node::Const { width, bits } => write!(out, "{bits}:{width}"),
            Node::Symbol(symbol) if instances::is_any_index(self.0, symbol) => write!(out, "any"),
            Node::Symbol(symbol) if is_count(self.0, symbol) => write!(out, "{}", self.0.terms.symbol_name(symbol)),
            Node::Symbol(symbol) => {
                let (cell, old) = match self.0.cell_of(symbol) {
                    Some(cell) => (cell, false),
                    None => (self.0.old_of(symbol).expect("certificates speak of cells only"), true),
                };
                let name = cell_name(&self.0.facts().program, cell);
                if old { write!(out, "(old {name})") } else { write!(out, "{name}") }
            }
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
            Node::Float(op, _, _, width) => write!(out, "({} {width}", op.name()),
            Node::Select(..) => write!(out, "(select"),
            Node::Store(..) => write!(out, "(store"),
            Node::ConstArray { index, .. } => write!(out, "(constarray {index}"),
            Node::Splice { .. } => write!(out, "(splice"),
        };
        !matches!(node, Node::Const { .. } | Node::Symbol(_))
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
        Cell::RoomTop(room) => format!("heap{}", room as u8),
        Cell::Extent(site) => format!("extent{}", site.index()),
        Cell::Starts(site) => format!("starts{}", site.index()),
        Cell::Live => "live".to_owned(),
    }
}

/// A variable with its function, without characters that mean something here.
fn var_name(program: &Program, var: VarId) -> String {
    let info = &program.vars[var];
    let owner = info.kind.owner().map(|f| format!("{}::", program.functions[f].name)).unwrap_or_default();
    let name = format!("{owner}{}", info.name);
    name.chars().map(|c| if c.is_whitespace() || c == '(' || c == ')' { '_' } else { c }).collect()
}

/// Reads a formula.
pub fn parse(encoder: &mut Encoder<'_>, text: &str) -> Result<Term, String> {
    expression::read(&mut Building(encoder), text)
}

/// The encoder whose terms are read.
struct Building<'e, 'f>(&'e mut Encoder<'f>);

impl Reader for Building<'_, '_> {
    type Term = Term;

    fn numbers(&self, operator: &str) -> usize {
        match operator {
            "extract" | "opaque" => 2,
            "zext" | "sext" | "constarray" => 1,
            _ if FloatOp::from_name(operator).is_some() => 1,
            _ => 0,
        }
    }

    fn leaf(&mut self, word: &str) -> Result<Term, String> {
        leaf(self.0, word)
    }

    fn list(&mut self, operator: &str, numbers: &[u16], operands: &[Term]) -> Result<Term, String> {
        match operator {
            "old" => old(self.0, operands),
            _ => build(&mut self.0.terms, operator, numbers, operands),
        }
    }
}

fn leaf(encoder: &mut Encoder<'_>, token: &str) -> Result<Term, String> {
    let unknown = || format!("`{token}` is neither a constant nor a cell of this program");
    match token {
        "true" => return Ok(encoder.terms.yes()),
        "false" => return Ok(encoder.terms.no()),
        "any" => return Ok(instances::any_index(encoder)),
        "heap" => return Ok(encoder.input(Cell::HeapTop)),
        "live" => return Ok(encoder.input(Cell::Live)),
        _ => {}
    }
    if let Some(&room) = Room::ALL.iter().find(|&&room| token == format!("heap{}", room as u8)) {
        return Ok(encoder.input(Cell::RoomTop(room)));
    }
    if let Some(width) = token.strip_prefix(COUNT) {
        let width: u16 = width.parse().map_err(|_| unknown())?;
        return if (1..=128).contains(&width) { Ok(count(encoder, width)) } else { Err(unknown()) };
    }
    if let Some(symbol) = binomial::named(&mut encoder.terms, token) {
        return Ok(symbol);
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
    for (prefix, cell) in [("extent", Cell::Extent as fn(SiteId) -> Cell), ("starts", Cell::Starts)] {
        if let Some(number) = token.strip_prefix(prefix) {
            let number: u32 = number.parse().map_err(|_| unknown())?;
            let site = SiteId::new(number as usize);
            if !encoder.watches_site(site) {
                return Err(unknown());
            }
            return Ok(encoder.input(cell(site)));
        }
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
fn old(encoder: &mut Encoder<'_>, operands: &[Term]) -> Result<Term, String> {
    let symbol = match *operands {
        [operand] => encoder.terms.as_symbol(operand),
        _ => None,
    };
    let cell = symbol.and_then(|symbol| encoder.cell_of(symbol)).ok_or("`old` is of one cell")?;
    Ok(encoder.old(cell))
}

/// The term of a list, if the sorts are right.
fn build(terms: &mut Terms, operator: &str, numbers: &[u16], args: &[Term]) -> Result<Term, String> {
    use Sort::{Array, Bits};
    let wrong = || format!("wrong operands of `{operator}`");
    let sorts: Vec<Sort> = args.iter().map(|&t| terms.sort(t)).collect();
    let binary = BINARY.iter().find(|(name, _)| *name == operator);
    if let (Some(op), &[x, y], [Bits(a), Bits(b)], &[width]) = (FloatOp::from_name(operator), args, &sorts[..], numbers)
    {
        return if op.fits(*a, *b, width) { Ok(terms.build(Node::Float(op, x, y, width))) } else { Err(wrong()) };
    }
    let node = match (operator, args, &sorts[..], numbers) {
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
