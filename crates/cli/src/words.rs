//! The words of this process's command line, for another one that does a part of its work.

use std::ffi::OsString;

/// The words without some options and their values.
pub fn of_this_process_without(options: &[&str]) -> Vec<OsString> {
    without(std::env::args_os().skip(1), options)
}

fn without(given: impl IntoIterator<Item = OsString>, options: &[&str]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut given = given.into_iter();
    while let Some(word) = given.next() {
        let text = word.to_str().unwrap_or_default();
        if text == "--" {
            words.push(word);
            words.extend(given);
            break;
        }
        if options.contains(&text) {
            given.next();
        } else if !options.iter().any(|option| text.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))) {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_their_values() {
        let given = "check --json - a.c --jobs=4 --jobsy=1 -D X --json b -- --json c".split(' ').map(OsString::from);
        let left = without(given, &["--json", "--jobs"]);
        assert_eq!(left, "check a.c --jobsy=1 -D X -- --json c".split(' ').map(OsString::from).collect::<Vec<_>>());
    }
}
