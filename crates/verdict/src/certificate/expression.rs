//! Formulas as s-expressions, whatever their terms are.
//!
//! ```text
//! formula   = leaf | "$" number | "(" operator number* formula* ")" | "(let" binding+ formula ")"
//! binding   = "(" "$" number formula ")"
//! ```
//!
//! A part that is used twice is bound by the outermost `let`, so the text is linear in the size of the shared formula.
//! Neither direction recurses.

use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::hash::Hash;

/// A formula that is written.
pub trait Writer {
    /// Names a term. Operands come before the terms that have them.
    type Term: Copy + Ord + Hash;

    /// The operands of a term.
    fn operands(&self, term: Self::Term) -> impl DoubleEndedIterator<Item = Self::Term>;

    /// Writes a leaf; or a parenthesis, the operator and its numbers. Says whether it is the latter.
    fn open(&self, term: Self::Term, out: &mut String) -> bool;
}

/// Writes a term. All terms below it are given, it among them.
pub fn write<W: Writer>(writer: &W, below: &[W::Term], root: W::Term) -> String {
    let mut uses: FxHashMap<W::Term, u32> = FxHashMap::default();
    below.iter().flat_map(|&term| writer.operands(term)).for_each(|operand| *uses.entry(operand).or_default() += 1);
    let is_leaf = |term: W::Term| writer.operands(term).next().is_none();
    let mut shared: Vec<W::Term> = uses.into_iter().filter(|use_| use_.1 > 1).map(|use_| use_.0).collect();
    shared.retain(|&term| !is_leaf(term));
    shared.sort_unstable();
    let names: FxHashMap<W::Term, usize> = shared.iter().enumerate().map(|(name, &term)| (term, name)).collect();
    let mut out = String::new();
    if shared.is_empty() {
        tree(writer, &names, root, &mut out);
        return out;
    }
    out.push_str("(let ");
    for (name, &term) in shared.iter().enumerate() {
        let _ = write!(out, "(${name} ");
        tree(writer, &names, term, &mut out);
        out.push_str(") ");
    }
    match names.get(&root) {
        Some(name) => drop(write!(out, "${name}")),
        None => tree(writer, &names, root, &mut out),
    }
    out.push(')');
    out
}

/// Writes a term down to leaves and shared terms; the root is written out even if it is shared.
fn tree<W: Writer>(writer: &W, names: &FxHashMap<W::Term, usize>, root: W::Term, out: &mut String) {
    enum Item<T> {
        Term(T),
        Close,
    }
    let mut stack = vec![Item::Term(root)];
    let mut is_first = true;
    while let Some(item) = stack.pop() {
        let term = match item {
            Item::Close => {
                out.push(')');
                continue;
            }
            Item::Term(term) => term,
        };
        if !is_first {
            out.push(' ');
            if let Some(name) = names.get(&term) {
                let _ = write!(out, "${name}");
                continue;
            }
        }
        is_first = false;
        if writer.open(term, out) {
            stack.push(Item::Close);
            stack.extend(writer.operands(term).rev().map(Item::Term));
        }
    }
}

/// What becomes of a formula that is read.
pub trait Reader {
    /// A term.
    type Term: Copy;

    /// How many numbers follow an operator.
    fn numbers(&self, operator: &str) -> usize;

    /// The term of a leaf.
    fn leaf(&mut self, word: &str) -> Result<Self::Term, String>;

    /// The term of a list.
    fn list(&mut self, operator: &str, numbers: &[u16], operands: &[Self::Term]) -> Result<Self::Term, String>;
}

/// A list that is being read.
struct List<'t, T> {
    operator: &'t str,
    numbers: Vec<u16>,
    operands: Vec<T>,
}

/// Reads a formula.
pub fn read<R: Reader>(reader: &mut R, text: &str) -> Result<R::Term, String> {
    let mut bound: FxHashMap<&str, R::Term> = FxHashMap::default();
    let mut open: Vec<List<'_, R::Term>> = Vec::new();
    let mut tokens = Tokens(text);
    loop {
        let token = tokens.next().ok_or("the formula ends too early")?;
        let value = match token {
            "(" => {
                let operator = tokens.next().filter(|t| *t != "(" && *t != ")").ok_or("a list without operator")?;
                let number = |t: Option<&str>| t.and_then(|t| t.parse().ok()).ok_or("a number is missing");
                let numbers = (0..reader.numbers(operator)).map(|_| number(tokens.next())).collect::<Result<_, _>>()?;
                open.push(List { operator, numbers, operands: Vec::new() });
                continue;
            }
            ")" => {
                let List { operator, numbers, operands } = open.pop().ok_or("a parenthesis closes nothing")?;
                match (operator, &operands[..]) {
                    (name, &[value]) if name.starts_with('$') => {
                        if !open.last().is_some_and(|outer| outer.operator == "let" && outer.operands.is_empty()) {
                            return Err(format!("{name} is bound outside of a let"));
                        }
                        if bound.insert(name, value).is_some() {
                            return Err(format!("{name} is bound twice"));
                        }
                        continue;
                    }
                    (name, _) if name.starts_with('$') => return Err(format!("{name} has not one value")),
                    ("let", &[body]) => body,
                    ("let", _) => return Err("a let has not one value".to_owned()),
                    (operator, operands) => reader.list(operator, &numbers, operands)?,
                }
            }
            _ if token.starts_with('$') => *bound.get(token).ok_or_else(|| format!("{token} is not bound"))?,
            _ => reader.leaf(token)?,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of numbers; terms are numbers of nodes, each with its operands.
    #[derive(Default)]
    struct Sums(Vec<(String, Vec<usize>)>);

    impl Writer for Sums {
        type Term = usize;

        fn operands(&self, term: usize) -> impl DoubleEndedIterator<Item = usize> {
            self.0[term].1.iter().copied()
        }

        fn open(&self, term: usize, out: &mut String) -> bool {
            let (word, operands) = &self.0[term];
            let is_list = !operands.is_empty();
            out.push_str(if is_list { "(" } else { "" });
            out.push_str(word);
            is_list
        }
    }

    impl Reader for Sums {
        type Term = usize;

        fn numbers(&self, operator: &str) -> usize {
            usize::from(operator == "times")
        }

        fn leaf(&mut self, word: &str) -> Result<usize, String> {
            word.parse::<u32>().map_err(|_| format!("`{word}` is no number"))?;
            self.0.push((word.to_owned(), Vec::new()));
            Ok(self.0.len() - 1)
        }

        fn list(&mut self, operator: &str, numbers: &[u16], operands: &[usize]) -> Result<usize, String> {
            let numbers: String = numbers.iter().map(|number| format!(" {number}")).collect();
            self.0.push((format!("{operator}{numbers}"), operands.to_vec()));
            Ok(self.0.len() - 1)
        }
    }

    #[test]
    fn what_is_read_is_written() {
        for text in [
            "7",
            "(plus 1 2)",
            "(let ($0 (plus 1 2)) (times 3 $0 (plus $0 4)))",
            "(let ($0 (plus 1 2)) ($1 (plus $0 $0)) (plus $1 $1))",
        ] {
            let mut sums = Sums::default();
            let root = read(&mut sums, text).expect("it is well-formed");
            let below: Vec<usize> = (0..sums.0.len()).collect();
            assert_eq!(write(&sums, &below, root), text);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = [
            ("(plus 1", "the formula ends too early"),
            (")", "a parenthesis closes nothing"),
            ("()", "a list without operator"),
            ("1 2", "something follows the formula"),
            ("(plus $0)", "$0 is not bound"),
            ("(plus ($0 1))", "$0 is bound outside of a let"),
            ("(let 1 ($0 2))", "$0 is bound outside of a let"),
            ("(let ($0 1) ($0 2) 3)", "$0 is bound twice"),
            ("(let ($0 1 2) 3)", "$0 has not one value"),
            ("(let ($0 1) 2 3)", "a let has not one value"),
            ("(times x 1)", "a number is missing"),
            ("(plus x)", "`x` is no number"),
        ];
        for (text, why) in wrong {
            assert_eq!(read(&mut Sums::default(), text), Err(why.to_owned()), "{text}");
        }
    }
}
