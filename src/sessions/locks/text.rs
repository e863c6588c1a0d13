//! The text and the name of a lock, as the specification has them.

use std::fmt::Write as _;

use crate::formats::session::boundaries::Escape;
use crate::formats::timestamp::Timestamp;
use crate::formats::yaml::Yaml;

/// What is in a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content<'a> {
    pub(super) file: &'a str,
    pub(super) locked_by: &'a str,
    pub(super) locked_at: Timestamp,
    pub(super) expires_at: Timestamp,
    pub(super) task_id: Option<&'a str>,
    pub(super) operation: &'a str,
}

impl Content<'_> {
    /// The YAML of the lock.
    pub(super) fn text(&self) -> String {
        let (locked_at, expires_at) = (self.locked_at.in_utc(), self.expires_at.in_utc());
        // A folder `~` of the repository is not that of a user, and a file `c:x` is on no drive.
        let is_taken_wrong = Escape::of(self.file).is_some();
        let file = if is_taken_wrong { format!("./{}", self.file) } else { self.file.to_owned() };
        let fields = [
            ("file", Some(scalar(&file))),
            ("locked_by", Some(scalar(self.locked_by))),
            ("locked_at", Some(locked_at)),
            ("expires_at", Some(expires_at)),
            ("task_id", self.task_id.map(scalar)),
            ("operation", Some(scalar(self.operation))),
        ];
        let mut text = String::new();
        for (name, value) in fields {
            if let Some(value) = value {
                let _ = writeln!(text, "{name}: {value}");
            }
        }
        text
    }

    /// The name of its file; the `number`th one, where others are taken.
    pub(super) fn name(&self, number: usize) -> String {
        let again = if number == 0 { String::new() } else { format!(".{number}") };
        let agent = plain(self.locked_by, AGENT_MAX);
        format!("{}{agent}-{}{again}.lock", prefix(self.file), self.locked_at.unix())
    }
}

/// How the name of each lock for `file` begins.
pub(super) fn prefix(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    format!("{}-", plain(name, FILE_MAX))
}

/// Whether a lock for `file` may have the name `name`: that of this program, or one that others write, with the whole path in it or
/// with all signs of the file's name.
pub(super) fn may_be_name(name: &[u8], file: &str) -> bool {
    let base = file.rsplit('/').next().unwrap_or(file);
    let path = file.replace('/', "_");
    let begins = |start: &str| {
        let rest = name.strip_prefix(start.as_bytes());
        rest.is_some_and(|rest| start.len() >= FILE_MAX || rest.starts_with(b"-") || rest.starts_with(b".lock"))
    };
    [base, &path].into_iter().any(|text| begins(&plain(text, FILE_MAX)) || begins(text) || begins(cut(text, FILE_MAX)))
}

/// The first `most` bytes of `text`, and what is left of a character there.
fn cut(text: &str, most: usize) -> &str {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= most);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// How many bytes of a file's name are used. Together with an agent, a moment, a number and `.lock` they are fewer than 255, which is
/// as much as most file systems allow.
const FILE_MAX: usize = 120;

/// How many bytes of an agent's name are used.
const AGENT_MAX: usize = 90;

/// The first `most` bytes of `name`, and what is left of a character there, with `%` and two digits for what no file system has in a name.
fn plain(name: &str, most: usize) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            '%' | '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*' => {
                let _ = write!(out, "%{:02X}", u32::from(c));
            }
            c if c.is_control() => {
                let _ = write!(out, "%{:02X}", u32::from(c));
            }
            c => out.push(c),
        }
        if out.len() >= most {
            break;
        }
    }
    out
}

/// `text` as a YAML value that reads as this text.
fn scalar(text: &str) -> String {
    let is_simple = |c: char| c.is_ascii_alphanumeric() || "_./@+-[]()".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
    if begins && text.chars().all(is_simple) && reads_as(text, text) {
        return text.to_owned();
    }
    // A string of JSON is one of YAML, where its control characters are escaped, too.
    let json = serde_json::Value::from(text).to_string();
    json.chars().fold(String::new(), |mut out, c| {
        let _ = if c.is_control() { write!(out, "\\u{:04x}", u32::from(c)) } else { write!(out, "{c}") };
        out
    })
}

fn reads_as(written: &str, text: &str) -> bool {
    Yaml::parse(written).root.is_some_and(|root| root.as_str() == Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(file: &str) -> Content<'_> {
        let locked_at = Timestamp::read("2024-01-15T10:37:00Z").unwrap();
        Content {
            file,
            locked_by: "frontend-ui-developer[1]",
            locked_at,
            expires_at: locked_at.plus_seconds(120),
            task_id: Some("task_001"),
            operation: "modify",
        }
    }

    #[test]
    fn a_lock_is_the_one_of_the_specification() {
        let content = content("frontend/src/App.tsx");
        let expected = "file: frontend/src/App.tsx\nlocked_by: frontend-ui-developer[1]\nlocked_at: 2024-01-15T10:37:00Z\n\
                        expires_at: 2024-01-15T10:39:00Z\ntask_id: task_001\noperation: modify\n";
        assert_eq!(content.text(), expected);
        assert_eq!(content.name(0), "App.tsx-frontend-ui-developer[1]-1705315020.lock");
        assert_eq!(content.name(1), "App.tsx-frontend-ui-developer[1]-1705315020.1.lock");
    }

    #[test]
    fn every_name_reads_as_it_is() {
        for file in [
            "123",
            "true",
            "a b.rs",
            "- x",
            "ab: c",
            "#x",
            "é",
            "\u{1}\u{7f}\u{85}\n\"'\\",
            "a\u{2028}b",
            "[x",
            "null",
            ".5",
        ] {
            let read = Yaml::parse(&content(file).text());
            let root = read.root.unwrap();
            let (key, value) = &root.pairs().unwrap()[0];
            assert_eq!((key.as_str(), value.as_str()), (Some("file"), Some(file)), "{file:?}: {:?}", read.error);
        }
    }

    #[test]
    fn a_path_that_looks_like_another_one_begins_with_a_dot() {
        for (file, written) in [("~/x", "./~/x"), ("c:x", "./c:x"), ("src/~", "src/~"), ("ab:x", "ab:x")] {
            let read = Yaml::parse(&content(file).text());
            assert_eq!(read.root.unwrap().pairs().unwrap()[0].1.as_str(), Some(written), "{file}");
        }
    }

    #[test]
    fn a_name_is_one_that_file_systems_have() {
        assert_eq!(prefix("a/b:c%d\u{1}.ts"), "b%3Ac%25d%01.ts-");
        let long = "é".repeat(500);
        assert!(content(&long).name(0).len() < 255);
    }
}
