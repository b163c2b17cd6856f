//! YAML as a tree, with places for messages. Only what task files and witnesses need: one document, no anchors and aliases,
//! keys that are words, each once.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

/// Deeper nesting is an error: whoever walks the tree may recurse. Task files and witnesses have less than ten levels.
const DEEPEST: usize = 100;

/// A node and where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Line, from 1.
    pub line: usize,
    /// Offset of its first byte.
    pub offset: usize,
    /// What it is.
    pub value: Value,
}

/// What a node is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A scalar.
    Scalar {
        /// Its text, without quotes.
        text: String,
        /// Whether it is written without quotes.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order of the text.
    Map(Vec<(String, Node)>),
}

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Error {
    /// Line, from 1.
    pub line: usize,
    /// Offset of the byte.
    pub offset: usize,
    /// One sentence, lower case, no full stop.
    pub message: String,
}

impl From<Error> for String {
    fn from(error: Error) -> Self {
        error.to_string()
    }
}

/// A list or mapping that is not complete; a mapping holds the key whose value comes next.
enum Open {
    List(Vec<Node>),
    Map(Vec<(String, Node)>, Option<String>),
}

/// Reads a document.
pub fn read(text: &str) -> Result<Node, Error> {
    let mut open: Vec<(Place, Open)> = Vec::new();
    let mut root = None;
    let mut cursor = Cursor { text, index: 0, offset: 0 };
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|e| cursor.place(e.marker()).error(format!("this is not YAML: {}", e.info())))?;
        let place = cursor.place(&span.start);
        let done = match event {
            Event::Scalar(text, style, ..) => {
                if let Some((_, Open::Map(entries, key @ None))) = open.last_mut() {
                    if entries.iter().any(|(known, _)| *known == text) {
                        return Err(place.error(format!("'{text}' stands twice")));
                    }
                    *key = Some(text.into_owned());
                    continue;
                }
                place.node(Value::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain })
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if matches!(open.last(), Some((_, Open::Map(_, None)))) {
                    return Err(place.error("a key must be a word".to_owned()));
                }
                if open.len() == DEEPEST {
                    return Err(place.error(format!("more than {DEEPEST} lists and mappings within each other")));
                }
                let list = matches!(event, Event::SequenceStart(..));
                open.push((place, if list { Open::List(Vec::new()) } else { Open::Map(Vec::new(), None) }));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some((start, Open::List(items))) => start.node(Value::List(items)),
                Some((start, Open::Map(entries, _))) => start.node(Value::Map(entries)),
                None => return Err(place.error("this is not YAML".to_owned())),
            },
            Event::Alias(_) => return Err(place.error("aliases are not allowed".to_owned())),
            Event::DocumentStart(_) if root.is_some() => return Err(place.error("a second document".to_owned())),
            _ => continue,
        };
        match open.last_mut() {
            None => root = Some(done),
            Some((_, Open::List(items))) => items.push(done),
            Some((_, Open::Map(entries, key))) => entries.extend(key.take().map(|key| (key, done))),
        }
    }
    root.ok_or_else(|| Place { line: 1, offset: 0 }.error("the file is empty".to_owned()))
}

#[derive(Clone, Copy)]
struct Place {
    line: usize,
    offset: usize,
}

impl Place {
    fn node(self, value: Value) -> Node {
        Node { line: self.line, offset: self.offset, value }
    }

    fn error(self, message: String) -> Error {
        Error { line: self.line, offset: self.offset, message }
    }
}

/// From the parser's places, which count characters, to bytes. Consecutive places are near each other.
struct Cursor<'t> {
    text: &'t str,
    index: usize,
    offset: usize,
}

impl Cursor<'_> {
    fn place(&mut self, at: &Marker) -> Place {
        let step = |sum: usize, c: char| sum + c.len_utf8();
        if at.index() >= self.index {
            self.offset += self.text[self.offset..].chars().take(at.index() - self.index).fold(0, step);
        } else {
            self.offset -= self.text[..self.offset].chars().rev().take(self.index - at.index()).fold(0, step);
        }
        self.index = at.index();
        Place { line: at.line(), offset: self.offset }
    }
}

impl Node {
    /// An error at the node.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error { line: self.line, offset: self.offset, message: message.into() }
    }

    /// The text of a scalar.
    pub fn text(&self, what: &str) -> Result<&str, Error> {
        match &self.value {
            Value::Scalar { text, .. } => Ok(text),
            _ => Err(self.error(format!("'{what}' must be a text"))),
        }
    }

    /// A positive number.
    pub fn number(&self, what: &str) -> Result<u32, Error> {
        match &self.value {
            Value::Scalar { text, plain: true } => match text.parse() {
                Ok(number) if number > 0 => Ok(number),
                _ => Err(self.error(format!("'{what}' must be a positive number, not '{text}'"))),
            },
            _ => Err(self.error(format!("'{what}' must be a number"))),
        }
    }

    /// The items of a list.
    pub fn list(&self, what: &str) -> Result<&[Node], Error> {
        match &self.value {
            Value::List(items) => Ok(items),
            _ => Err(self.error(format!("'{what}' must be a list"))),
        }
    }

    /// The value of a key; `None` also if the node is no mapping.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => Fields(entries).get(key),
            _ => None,
        }
    }

    /// The entries of a mapping, which must have all of `needed` and nothing beside `needed` and `allowed`.
    pub fn fields(&self, what: &str, needed: &[&str], allowed: &[&str]) -> Result<Fields<'_>, Error> {
        let Value::Map(entries) = &self.value else {
            return Err(self.error(format!("'{what}' must be a mapping")));
        };
        for name in needed {
            if !entries.iter().any(|(key, _)| key == name) {
                return Err(self.error(format!("'{what}' lacks '{name}'")));
            }
        }
        for (key, node) in entries {
            if !needed.contains(&key.as_str()) && !allowed.contains(&key.as_str()) {
                return Err(node.error(format!("'{what}' has an unknown field '{key}'")));
            }
        }
        Ok(Fields(entries))
    }
}

/// The entries of a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'n>(&'n [(String, Node)]);

impl<'n> Fields<'n> {
    /// The value of a key.
    pub fn get(self, name: &str) -> Option<&'n Node> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, node)| node)
    }

    /// A field that [`Node::fields`] has seen.
    pub fn need(self, name: &str) -> Result<&'n Node, Error> {
        let missing = || Place { line: 1, offset: 0 }.error(format!("'{name}' is missing"));
        self.get(name).ok_or_else(missing)
    }

    /// The text of a field that [`Node::fields`] has seen.
    pub fn text(self, name: &str) -> Result<&'n str, Error> {
        self.need(name)?.text(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees() {
        let root = read("é: [1, 'two']\nb:\n  c: \"x\"\n").unwrap();
        let list = root.get("é").unwrap();
        assert_eq!((list.line, list.offset), (1, 4));
        let items = list.list("é").unwrap();
        assert_eq!(items[0].value, Value::Scalar { text: "1".to_owned(), plain: true });
        assert_eq!((items[1].text("é"), items[1].offset), (Ok("two"), 8));
        assert_eq!((items[0].number("é").unwrap(), items[1].number("é").is_err()), (1, true));
        let c = root.get("b").and_then(|b| b.get("c")).unwrap();
        assert_eq!((c.line, c.offset, c.text("c")), (3, 23, Ok("x")));
        assert!(root.get("d").is_none() && c.get("d").is_none());
    }

    #[test]
    fn errors() {
        let check = |text: &str, line: usize, offset: usize, message: &str| {
            let found = read(text).unwrap_err();
            let place = (found.line, found.offset);
            let start: String = text.chars().take(40).collect();
            assert!(place == (line, offset) && found.message.contains(message), "{start}: {found:?}");
        };
        check("", 1, 0, "empty");
        check("a: 1\nb: 2\na: 3\n", 3, 10, "'a' stands twice");
        check("{{}: x}", 1, 1, "a key");
        check("x: &a 1\ny: *a\n", 2, 11, "alias");
        check("é: 1\n---\nb: 2\n", 2, 6, "second document");
        check("a: [b", 2, 5, "not YAML");
        check(&"- ".repeat(100_000), 1, 2 * DEEPEST, "within each other");
    }

    #[test]
    fn fields() {
        let root = read("a: 1\nb: 2\n").unwrap();
        assert_eq!(root.fields("it", &["a"], &["b"]).unwrap().text("a"), Ok("1"));
        let message = |needed: &[&str], allowed: &[&str]| root.fields("it", needed, allowed).unwrap_err().to_string();
        assert_eq!(message(&["a", "c"], &["b"]), "line 1: 'it' lacks 'c'");
        assert_eq!(message(&["a"], &[]), "line 2: 'it' has an unknown field 'b'");
    }
}
