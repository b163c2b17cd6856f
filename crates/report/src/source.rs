//! The lines of the program's files, for excerpts.

use robusto_verdict::{Counterexample, Finding, Place, Verdict};

/// The files of a program with their text, where it is known.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    names: Vec<Box<str>>,
    texts: Vec<Option<Vec<String>>>,
}

impl Sources {
    /// The files with these names; `read` brings a file's text.
    pub fn new(names: &[Box<str>], mut read: impl FnMut(&str) -> Option<String>) -> Self {
        let mut lines = |name: &str| Some(read(name)?.lines().map(str::to_owned).collect());
        Self { names: names.to_vec(), texts: names.iter().map(|name| lines(name)).collect() }
    }

    /// `file:line:column`
    pub fn place(&self, pos: Place) -> String {
        match self.name(pos) {
            Some(name) => format!("{name}:{}:{}", pos.line, pos.column),
            None => "no position".to_owned(),
        }
    }

    /// The name of the file, if the position is one.
    pub fn name(&self, pos: Place) -> Option<&str> {
        if pos.line == 0 {
            return None;
        }
        self.names.get(usize::from(pos.file)).map(|name| &**name)
    }

    /// Whether a position is in code that the user did not write: models of library functions.
    pub fn is_builtin(&self, pos: Place) -> bool {
        self.name(pos).is_none_or(|name| name.starts_with('<'))
    }

    /// Where a finding is for the user: a violation inside of the model of a library function is at the call that led there.
    pub fn place_of(&self, finding: &Finding) -> Place {
        let own = finding.target.pos;
        match &finding.verdict {
            Verdict::False(cex) if self.is_builtin(own) => {
                let mut places = cex.trace.iter().rev().map(|line| line.pos);
                places.find(|&pos| !self.is_builtin(pos)).unwrap_or(own)
            }
            _ => own,
        }
    }

    /// The name of a finding, with what has to happen beside the program's own steps.
    pub fn named(&self, finding: &Finding) -> String {
        let name = &finding.target.name;
        let Verdict::False(cex) = &finding.verdict else { return name.clone() };
        let places: Vec<String> =
            cex.failures.iter().map(|&pos| self.place(self.caller(cex, pos)).to_string()).collect();
        match &places[..] {
            [] => name.clone(),
            [one] => format!("{name} if the allocation at {one} fails"),
            several => format!("{name} if the allocations at {} fail", several.join(", ")),
        }
    }

    /// A place on the way of a counterexample; if it is inside of the model of a library function, that of the call.
    fn caller(&self, cex: &Counterexample, pos: Place) -> Place {
        let Some(at) = cex.trace.iter().position(|line| line.pos == pos).filter(|_| self.is_builtin(pos)) else {
            return pos;
        };
        cex.trace[..at].iter().rev().map(|line| line.pos).find(|&pos| !self.is_builtin(pos)).unwrap_or(pos)
    }

    /// The names of all files.
    pub fn names(&self) -> &[Box<str>] {
        &self.names
    }

    /// The lines of a file, if its text is known.
    pub fn lines(&self, file: u16) -> Option<&[String]> {
        self.texts.get(usize::from(file))?.as_deref()
    }

    /// The line at a position, tabs replaced.
    pub fn line(&self, pos: Place) -> Option<String> {
        let lines = self.texts.get(usize::from(pos.file))?.as_ref()?;
        let line = lines.get(usize::try_from(pos.line).ok()?.checked_sub(1)?)?;
        Some(line.chars().map(|c| if c == '\t' { ' ' } else { c }).collect())
    }
}
