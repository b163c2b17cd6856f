//! Colour, where there is a terminal.

/// How text looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Whether the reader is a terminal that shows colours.
    pub colour: bool,
}

impl Style {
    /// What the reader should see first.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Something wrong.
    pub fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// Values.
    pub fn value(self, text: &str) -> String {
        self.wrap("36", text)
    }

    /// What may be skipped.
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
