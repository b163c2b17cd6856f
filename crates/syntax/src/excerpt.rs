//! A source line with a mark below: what of the line is shown, and where the mark stands.

/// Longest source line shown whole; of a longer one (machine-made code) a window around the mark is shown.
const WINDOW: usize = 120;

/// The two lines of an excerpt, without what stands left of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The source line, or the part of it around the mark.
    pub text: String,
    /// Blanks, a caret below the column, and tildes below the rest of what is marked.
    pub mark: String,
}

impl Excerpt {
    /// Marks that many characters of a line from a column on, which is counted from 1.
    pub fn new(line: &str, column: usize, marked: usize) -> Self {
        let line: Vec<char> = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let caret = column.saturating_sub(1).min(line.len());
        let first = if line.len() <= WINDOW { 0 } else { caret.saturating_sub(WINDOW / 2) };
        let text: String = line.iter().skip(first).take(WINDOW).collect();
        let room = (line.len() - caret).min(WINDOW - (caret - first)).max(1);
        let rest = marked.clamp(1, room) - 1;
        Self { text, mark: format!("{:indent$}^{:~<rest$}", "", "", indent = caret - first) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, column: usize, marked: usize, text: &str, mark: &str) {
        let expected = Excerpt { text: text.to_owned(), mark: mark.to_owned() };
        assert_eq!(Excerpt::new(line, column, marked), expected);
    }

    #[test]
    fn marks() {
        check("int x = y;", 9, 1, "int x = y;", "        ^");
        check("\tint é = y;", 6, 100, " int é = y;", "     ^~~~~~");
        check("", 0, 0, "", "^");
        check("ab", 9, 3, "ab", "  ^");
    }

    #[test]
    fn long_lines() {
        let line = format!("{}x{}", "a".repeat(500), "b".repeat(500));
        let text = format!("{}x{}", "a".repeat(60), "b".repeat(59));
        check(&line, 501, 1, &text, &format!("{}^", " ".repeat(60)));
        check(&line, 501, 900, &text, &format!("{}^{}", " ".repeat(60), "~".repeat(59)));
        check(&line, 1001, 1, &line[940..], &format!("{}^", " ".repeat(60)));
    }
}
