//! YAML as a tree, with lines for messages. Only what witnesses need: no anchors, no tags, one document.

use saphyr_parser::{Event, Parser, ScalarStyle};

/// A node and the line where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) value: Value,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// A scalar, and whether it is written without quotes.
    Scalar {
        text: String,
        plain: bool,
    },
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

enum Open {
    List(usize, Vec<Node>),
    Map(usize, Vec<(String, Node)>, Option<String>),
}

/// Reads a document.
pub(crate) fn read(text: &str) -> Result<Node, String> {
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| format!("line {}: this is not YAML: {}", e.marker().line(), e.info()))?;
        let line = span.start.line();
        let done = match event {
            Event::Scalar(text, style, ..) => {
                if let Some(Open::Map(_, entries, key @ None)) = open.last_mut() {
                    if entries.iter().any(|(known, _)| *known == text) {
                        return Err(format!("line {line}: '{text}' stands twice"));
                    }
                    *key = Some(text.into_owned());
                    continue;
                }
                Node { line, value: Value::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain } }
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(line, Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Map(line, Vec::new(), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(line, items)) => Node { line, value: Value::List(items) },
                Some(Open::Map(line, entries, _)) => Node { line, value: Value::Map(entries) },
                None => return Err("this is not YAML".to_owned()),
            },
            Event::Alias(_) => return Err(format!("line {line}: aliases are not allowed")),
            Event::DocumentStart(_) if root.is_some() => return Err(format!("line {line}: a second document")),
            _ => continue,
        };
        match open.last_mut() {
            None => root = Some(done),
            Some(Open::List(_, items)) => items.push(done),
            Some(Open::Map(_, entries, key)) => match key.take() {
                Some(key) => entries.push((key, done)),
                None => return Err(format!("line {}: a key must be a word", done.line)),
            },
        }
    }
    root.ok_or_else(|| "the file is empty".to_owned())
}

impl Node {
    /// The text of a scalar.
    pub(crate) fn text(&self, what: &str) -> Result<&str, String> {
        match &self.value {
            Value::Scalar { text, .. } => Ok(text),
            _ => Err(format!("line {}: '{what}' must be a text", self.line)),
        }
    }

    /// A positive number.
    pub(crate) fn number(&self, what: &str) -> Result<u32, String> {
        match &self.value {
            Value::Scalar { text, plain: true } => match text.parse() {
                Ok(number) if number > 0 => Ok(number),
                _ => Err(format!("line {}: '{what}' must be a positive number, not '{text}'", self.line)),
            },
            _ => Err(format!("line {}: '{what}' must be a number", self.line)),
        }
    }

    /// The items of a list.
    pub(crate) fn list(&self, what: &str) -> Result<&[Node], String> {
        match &self.value {
            Value::List(items) => Ok(items),
            _ => Err(format!("line {}: '{what}' must be a list", self.line)),
        }
    }

    /// The entries of a mapping, which must have all of `needed` and nothing beside `needed` and `allowed`.
    pub(crate) fn fields(&self, what: &str, needed: &[&str], allowed: &[&str]) -> Result<Fields<'_>, String> {
        let Value::Map(entries) = &self.value else {
            return Err(format!("line {}: '{what}' must be a mapping", self.line));
        };
        for name in needed {
            if !entries.iter().any(|(key, _)| key == name) {
                return Err(format!("line {}: '{what}' lacks '{name}'", self.line));
            }
        }
        for (key, node) in entries {
            if !needed.contains(&key.as_str()) && !allowed.contains(&key.as_str()) {
                return Err(format!("line {}: '{what}' has an unknown field '{key}'", node.line));
            }
        }
        Ok(Fields(entries))
    }
}

/// The entries of a mapping.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'n>(&'n [(String, Node)]);

impl<'n> Fields<'n> {
    pub(crate) fn get(self, name: &str) -> Option<&'n Node> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, node)| node)
    }

    /// A field that [`Node::fields`] has seen.
    pub(crate) fn need(self, name: &str) -> Result<&'n Node, String> {
        self.get(name).ok_or_else(|| format!("'{name}' is missing"))
    }

    pub(crate) fn text(self, name: &str) -> Result<&'n str, String> {
        self.need(name)?.text(name)
    }
}
