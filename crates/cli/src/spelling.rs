//! The closest of several names, for messages about one that does not exist.

/// `; did you mean X?` if a name is close enough, else nothing.
pub fn hint<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    match closest(wanted, names) {
        Some(name) => format!("; did you mean `{name}`?"),
        None => String::new(),
    }
}

/// The name that takes the fewest changes, if a third of the letters, or two, are enough for it.
pub fn closest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let most = (wanted.chars().count() / 3).max(2);
    let near = names.into_iter().map(|name| (distance(wanted, name), name)).min()?;
    (near.0 <= most).then_some(near.1)
}

/// Changes of one letter, case apart, and swaps of two neighbours that make one word of the other (restricted
/// Damerau-Levenshtein distance).
fn distance(a: &str, b: &str) -> usize {
    let letters = |text: &str| text.to_lowercase().chars().collect::<Vec<char>>();
    let (a, b) = (letters(a), letters(b));
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substituted = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = substituted.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names() {
        let names = ["unreach-call", "assert", "no-overflow", "ERROR"];
        assert_eq!(closest("unreachcall", names), Some("unreach-call"));
        assert_eq!(closest("asert", names), Some("assert"));
        assert_eq!(closest("ERORR", names), Some("ERROR"));
        assert_eq!(closest("error", names), Some("ERROR"));
        assert_eq!(closest("encode", ["decode", "free"]), Some("decode"));
        assert_eq!(closest("memory", names), None);
        assert_eq!(closest("x", []), None);
        assert_eq!((distance("", "abc"), distance("ab", "ba"), distance("kitten", "sitting")), (3, 1, 3));
    }
}
