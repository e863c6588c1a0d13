//! The files that a text names under `file`, whether it is YAML or not.

use bstr::ByteSlice;

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

/// The texts that `bytes`, which are no lock, may be: as UTF-8 and as UTF-16, with the slashes of Windows as those of paths, and what YAML
/// makes of its values.
pub(super) fn texts(bytes: &[u8]) -> Vec<String> {
    let mut texts = vec![bytes.to_str_lossy().into_owned()];
    if bytes.contains(&0) {
        for to_unit in [u16::from_le_bytes, u16::from_be_bytes] {
            let (pairs, _) = bytes.as_chunks::<2>();
            let units: Vec<u16> = pairs.iter().map(|pair| to_unit(*pair)).collect();
            texts.push(String::from_utf16_lossy(&units));
        }
    }
    let values: Vec<String> = texts.iter().flat_map(|text| scalars(text)).collect();
    texts.extend(values);
    let in_windows = texts.iter().filter(|text| text.contains('\\')).map(|text| with_slashes(text));
    let in_windows: Vec<String> = in_windows.collect();
    texts.extend(in_windows);
    texts
}

fn scalars(text: &str) -> Vec<String> {
    let Some(root) = Yaml::parse(text).root else { return Vec::new() };
    root.walk().filter_map(|node| node.as_str()).map(str::to_owned).collect()
}

/// `path` with a slash for each backslash, or for two, as they are in quotation marks.
pub(super) fn with_slashes(path: &str) -> String {
    path.replace("\\\\", "/").replace('\\', "/")
}

/// Whether `text` mentions the path `file`, also behind `./`.
pub(super) fn mentions(text: &str, file: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(file).any(|(at, _)| {
        let (before, from) = text.split_at_checked(at).unwrap_or_default();
        let before = before.strip_suffix("./").unwrap_or(before);
        let after = from.get(file.len()..).unwrap_or_default();
        !before.ends_with(|c| is_part(c) || matches!(c, '/' | '.')) && !after.starts_with(is_part)
    })
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
        for (text, file) in [
            ("file: [src/a.rs, src/b.rs]\n", "src/b.rs"),
            ("file:\n\n  # why\n  src/a.rs\nx: [", "src/a.rs"),
            ("\"\\x66ile\": ./src/a.rs\rx", "src/a.rs"),
            ("file: src\\a.rs\nx: [", "src/a.rs"),
            ("{\"file\": \"src\\\\a.rs\"", "src/a.rs"),
            ("x: \"caf\\u00e9.rs\"\n", "caf\u{e9}.rs"),
        ] {
            assert!(texts(text.as_bytes()).iter().any(|text| mentions(text, file)), "{text:?}");
        }
        let utf_16: Vec<u8> = "\u{feff}file: src/\u{e9}.rs".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(texts(&utf_16).iter().any(|text| mentions(text, "src/\u{e9}.rs")));
        assert!(!mentions("file: src/a.rs_old, xsrc/a.rs, x/src/a.rs, ../src/a.rs", "src/a.rs"));
        for text in ["", "# file: a\n", "profile: a\n", "files: a\n", "file\n", "my_file: b"] {
            assert_eq!(files(text), Vec::<String>::new(), "{text:?}");
        }
    }
}
