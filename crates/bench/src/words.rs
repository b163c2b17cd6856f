//! Arguments as a shell reads and writes them.

/// The words of a command line; `None` if a quote is not closed.
pub fn split(text: &str) -> Option<Vec<String>> {
    shlex::split(text)
}

/// A command line that a shell reads as these arguments.
pub fn join<S: AsRef<str>>(args: &[S]) -> String {
    let args = args.iter().map(AsRef::as_ref);
    // No argument of a process holds the byte 0, the only one that cannot be quoted.
    shlex::try_join(args.clone()).unwrap_or_else(|_| args.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        assert_eq!(split(" a 'b c'\"d\" '' e\\ f ").unwrap(), ["a", "b cd", "", "e f"]);
        assert!(split("").unwrap().is_empty());
        assert_eq!(split("'"), None);
        let odd = ["--analysis", "bdd", "", "a b", "it's", "$x", "#"];
        assert_eq!(split(&join(&odd)).unwrap(), odd);
        assert_eq!(join(&["--analysis", "bdd"]), "--analysis bdd");
    }
}
