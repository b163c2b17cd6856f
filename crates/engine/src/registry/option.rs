//! Options of engines and the values that were given to them.

use std::fmt;
use std::str::FromStr;

/// Something that can be chosen. No two have the same name.
#[derive(Debug)]
pub struct Opt {
    /// Its name, without dashes.
    pub name: &'static str,
    /// What it means, in a line.
    pub help: &'static str,
    /// What can be given.
    pub kind: Kind,
}

/// What can be given to an option.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Nothing: it is there or not.
    Flag,
    /// One of these, with what they mean; the first is the default.
    Choice {
        /// What the value is called.
        value: &'static str,
        /// The choices.
        list: &'static [(&'static str, &'static str)],
    },
    /// A text in some notation.
    Text {
        /// What the value is called.
        value: &'static str,
        /// The default, if there is one.
        default: Option<&'static str>,
        /// Says what is wrong with a text.
        check: fn(&str) -> Result<(), String>,
    },
    /// A file that is read, for one engine: the value is its text.
    Input,
    /// A file that is written: one engine can do that, not several.
    File,
    /// A folder that files are written to.
    Folder,
}

impl Kind {
    /// Whether a plan of several engines passes it on.
    pub fn is_passed_on(&self) -> bool {
        !matches!(self, Kind::File | Kind::Input)
    }

    /// What holds if nothing is given.
    pub fn default(&self) -> Option<&'static str> {
        match self {
            Kind::Choice { list, .. } => list.first().map(|(name, _)| *name),
            Kind::Text { default, .. } => *default,
            Kind::Flag | Kind::Input | Kind::File | Kind::Folder => None,
        }
    }
}

impl PartialEq for Opt {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Opt {}

/// The check of a text that is read as a `T`.
pub fn readable<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<(), String> {
    text.parse::<T>().map(drop).map_err(|error| error.to_string())
}

/// What was given.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Values(Vec<(&'static Opt, String)>);

impl Values {
    /// These values and one more; a flag has an empty one. It is the caller's business that the option can be given it.
    pub fn with(mut self, option: &'static Opt, value: impl Into<String>) -> Self {
        self.0.retain(|(other, _)| *other != option);
        self.0.push((option, value.into()));
        self
    }

    /// The options that were given.
    pub fn given(&self) -> impl Iterator<Item = &'static Opt> {
        self.0.iter().map(|(option, _)| *option)
    }

    /// Whether an option was given.
    pub fn has(&self, option: &Opt) -> bool {
        self.given().any(|given| given == option)
    }

    /// What was given, else the default.
    pub fn text(&self, option: &Opt) -> Option<&str> {
        let given = self.0.iter().find(|(other, _)| *other == option);
        given.map(|(_, value)| &**value).or(option.kind.default())
    }

    /// The same as a value. A text that cannot be read counts as none; [`Kind::Text`] has a check for that.
    pub fn parsed<T: FromStr>(&self, option: &Opt) -> Option<T> {
        self.text(option)?.parse().ok()
    }
}

/// An option that the engine does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`--{option}` is no option of `--analysis {engine}`; {} it", have(owners))]
pub struct Misplaced {
    /// The option.
    pub option: &'static str,
    /// The engine.
    pub engine: &'static str,
    /// Those that have it.
    pub owners: Vec<&'static str>,
}

/// `predicate and impact have`
fn have(owners: &[&str]) -> String {
    match owners {
        [] => "no engine has".to_owned(),
        [one] => format!("{one} has"),
        [some @ .., last] => format!("{} and {last} have", some.join(", ")),
    }
}
