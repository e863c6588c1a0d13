//! The files that a text names under `file`, whether it is YAML or not.

use crate::formats::yaml::Yaml;

/// The key of the file in a lock.
const KEY: &str = "file";

/// What is around a name where it is not part of it.
const QUOTES: [char; 2] = ['"', '\''];

/// All files that a lock with this `text` may be for. Where it is not clear where a name ends, all that it may be: a file that is held in vain
/// is better than one with two holders.
pub(super) fn files(text: &str) -> Vec<String> {
    let mut files = Vec::new();
    if let Some(root) = Yaml::parse(text).root {
        let pairs = root.walk().filter_map(|node| node.pairs()).flatten();
        let values = pairs.filter(|(key, _)| key.as_str() == Some(KEY)).filter_map(|(_, value)| value.as_str());
        files.extend(values.map(|value| value.trim().to_owned()));
    }
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        for value in values(line) {
            let is_below = matches!(value.chars().next(), None | Some('|' | '>' | '#'));
            let value = if is_below { lines.peek().map_or("", |next| next.trim()) } else { value };
            files.extend(readings(value));
        }
    }
    files.retain(|file| !file.is_empty());
    files.sort();
    files.dedup();
    files
}

/// What follows each key `file` in `line`: at its start, or in brackets.
fn values(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices(KEY).filter_map(|(at, _)| {
        let before = line.get(..at)?.trim_end_matches(QUOTES).trim_end().trim_start_matches('\u{feff}');
        let is_key = before.is_empty() || before.ends_with(['{', ',', '-', '?']);
        let after = line.get(at + KEY.len()..)?.trim_start_matches(QUOTES).trim_start();
        after.strip_prefix(':').filter(|_| is_key).map(str::trim)
    })
}

/// The names that `value` and what follows it in its line may be.
fn readings(value: &str) -> Vec<String> {
    let quoted = value.strip_prefix(QUOTES).and_then(|rest| rest.split(QUOTES).next());
    let parts = [Some(value), quoted, value.split([',', '}']).next(), value.split(" #").next()];
    let as_written = parts.into_iter().flatten().map(|part| part.trim().trim_matches(QUOTES).to_owned());
    let parsed = Yaml::parse(value).root.and_then(|root| root.as_str().map(str::to_owned));
    as_written.chain(parsed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_wherever_it_is_named() {
        for (text, expected) in [
            ("file: src/a.rs\n\tlocked_by: x\n", &["src/a.rs"][..]),
            ("file: a\nfile: b\n", &["a", "b"]),
            ("{file: a, locked_by: x", &["a"]),
            ("{\"locked_by\": \"x\", \"file\": \"a b\", ", &["a b"]),
            ("file: \"a\\u00e9\" # why\nx: [", &["a\u{e9}"]),
            ("file: >-\n  a/b\nx: [", &["a/b"]),
            ("file:\n  a/b\nx: [", &["a/b"]),
            ("- file: a\n--- \nfile: b\n", &["a", "b"]),
            ("x: &f a\nlock:\n  file: [id]/a\nx: [", &["[id]/a"]),
        ] {
            let found = files(text);
            assert!(expected.iter().all(|file| found.iter().any(|found| found == file)), "{text:?}: {found:?}");
        }
        for text in ["", "# file: a\n", "profile: a\n", "files: a\n", "file\n", "my_file: b"] {
            assert_eq!(files(text), Vec::<String>::new(), "{text:?}");
        }
    }
}
