//! Terms without operands: symbols and constants.

use super::{Node, Sort, Symbol, Term, Terms, fold};

impl Terms {
    /// The free variable of that name; the same name gives the same term.
    ///
    /// # Panics
    /// If the name is taken with another sort.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&symbol) = self.by_name.get(name) {
            let term = self.symbol_terms[symbol.index()];
            assert_eq!(self.sort(term), sort, "symbol {name} has another sort");
            return term;
        }
        self.new_symbol(name.into(), sort)
    }

    /// A free variable that nobody has yet; its name starts with the prefix.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.by_name.contains_key(name.as_str()) {
                return self.new_symbol(name.into(), sort);
            }
        }
    }

    fn new_symbol(&mut self, name: Box<str>, sort: Sort) -> Term {
        if let Sort::Bits(width) = sort {
            assert!((1..=128).contains(&width), "symbol {name} of width {width}");
        }
        let symbol = Symbol(self.names.len() as u32);
        let term = self.push(Node::Symbol(symbol), sort);
        self.by_name.insert(name.clone(), symbol);
        self.names.push(name);
        self.symbol_terms.push(term);
        term
    }

    /// The name of a free variable.
    pub fn symbol_name(&self, s: Symbol) -> &str {
        &self.names[s.index()]
    }

    /// The term of a free variable.
    pub fn symbol_term(&self, s: Symbol) -> Term {
        self.symbol_terms[s.index()]
    }

    /// The free variable that a term is, if it is one.
    pub fn as_symbol(&self, t: Term) -> Option<Symbol> {
        match self.node(t) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// A constant; bits beyond the width are cut off.
    pub fn constant(&mut self, width: u16, bits: u128) -> Term {
        self.intern(Node::Const { width, bits: fold::mask(width, bits) })
    }

    /// A truth value.
    #[inline]
    pub fn truth(&mut self, b: bool) -> Term {
        Term(b.into())
    }

    /// True.
    #[inline]
    pub fn yes(&self) -> Term {
        Term(1)
    }

    /// False.
    #[inline]
    pub fn no(&self) -> Term {
        Term(0)
    }

    /// The bits of a constant.
    #[inline]
    pub fn as_const(&self, t: Term) -> Option<u128> {
        match self.nodes[t.index()] {
            Node::Const { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// Whether it is the truth value true.
    #[inline]
    pub fn is_true(&self, t: Term) -> bool {
        t == Term(1)
    }

    /// Whether it is the truth value false.
    #[inline]
    pub fn is_false(&self, t: Term) -> bool {
        t == Term(0)
    }
}
