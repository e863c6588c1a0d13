//! Governed memory of a squad: `memory/index.json`, its audit, tombstones, and the front matter of its entries. See
//! `docs/formats/governed-memory.md`.

use bstr::{BStr, BString};

use super::json::{Node, Places, Value, byte_order_mark};
use super::json_shape::{self, Field, Further, MOST, Of, Problem, is_day, optional, required};
use crate::fs::path::join;
use crate::text::{Span, bom_len, lines};

/// What may be remembered where.
pub(super) const CLASSES: [&str; 6] = ["TRANSIENT", "LOCAL", "DECISION", "POLICY", "COPILOT_MEMORY", "FORBIDDEN"];

/// Whether `word` is one of the classes.
pub fn is_class(word: &str) -> bool {
    CLASSES.contains(&word)
}

/// Whether Squad keeps entries of the class `word`.
pub fn is_kept(word: &str) -> bool {
    !matches!(word, "FORBIDDEN" | "TRANSIENT")
}

/// When an entry is loaded.
const GUIDANCE: [&str; 4] = ["ALWAYS", "ON-DEMAND", "ARCHIVE", "NEVER"];

/// The same in a tombstone, where Squad writes it as in front matter.
const LISTED_GUIDANCE: [&str; 8] =
    ["ALWAYS", "ON-DEMAND", "ARCHIVE", "NEVER", "[ALWAYS]", "[ON-DEMAND]", "[ARCHIVE]", "[NEVER]"];

/// What the path of an entry begins with that a provider outside of the repository keeps.
const OF_PROVIDERS: [&str; 2] = ["host-injected-copilot-adapter:", "copilot-memory:"];

const PROVIDERS: [&str; 3] = ["local", "hostInjectedCopilotAdapter", "copilot"];

const STATES: [&str; 3] = ["active", "deleted", "superseded"];

const ENTRY: [Field; 11] = [
    required("id", Of::Text),
    required("class", Of::Word(&CLASSES)),
    required("loadGuidance", Of::Word(&GUIDANCE)),
    required("title", Of::Text),
    required("path", Of::Text),
    required("status", Of::Word(&STATES)),
    required("createdAt", Of::Time),
    required("updatedAt", Of::Time),
    optional("supersedes", Of::Text),
    optional("supersededBy", Of::Text),
    optional("deletedAt", Of::Time),
];

const TOMBSTONE: [Field; 7] = [
    required("id", Of::Text),
    required("deletedAt", Of::Time),
    required("path", Of::Text),
    optional("previousStatus", Of::Word(&STATES)),
    optional("supersedes", Of::Text),
    optional("supersededBy", Of::Text),
    optional("loadGuidance", Of::Word(&LISTED_GUIDANCE)),
];

const CONFIG: [Field; 1] = [optional("defaultProvider", Of::Word(&PROVIDERS))];

/// A string of a file, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The string.
    pub value: String,
    /// Its place, with its quotes.
    pub span: Span,
}

/// An entry of the index, or a tombstone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its name among all entries.
    pub id: Option<Text>,
    /// The file with its text.
    pub path: Option<Text>,
    /// `active`, `deleted` or `superseded`.
    pub status: Option<Text>,
    /// What may be remembered where: `LOCAL`.
    pub class: Option<Text>,
    /// The entry that it replaces.
    pub supersedes: Option<Text>,
    /// The entry that replaces it.
    pub superseded_by: Option<Text>,
    /// When it was deleted.
    pub deleted_at: Option<Text>,
}

/// What is in a JSON file of governed memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// What is wrong with each of them by itself.
    pub problems: Vec<Problem>,
    /// What is wrong behind these.
    pub further: Option<Further>,
    /// The entries of an index; a tombstone is one.
    pub entries: Vec<Entry>,
}

impl Entry {
    fn new(node: &Node) -> Self {
        let text = |key: &str| {
            let value = node.get(key)?;
            Some(Text { value: value.as_str()?.to_owned(), span: value.span })
        };
        Self {
            id: text("id"),
            path: text("path"),
            status: text("status"),
            class: text("class"),
            supersedes: text("supersedes"),
            superseded_by: text("supersededBy"),
            deleted_at: text("deletedAt"),
        }
    }

    /// Whether a provider outside of the repository keeps its text.
    fn is_of_provider(&self) -> bool {
        let is_named = |path: &Text| OF_PROVIDERS.iter().any(|provider| path.value.starts_with(provider));
        self.class.as_ref().is_some_and(|class| class.value == "COPILOT_MEMORY")
            || self.path.as_ref().is_some_and(is_named)
    }

    /// Whether it has that status.
    pub fn is(&self, status: &str) -> bool {
        self.status.as_ref().is_some_and(|own| own.value == status)
    }
}

impl Records {
    /// Reads an `index.json`.
    pub fn index(text: &str) -> Self {
        let mut records = Self::default();
        let Some(node) = records.parse(text) else { return records };
        if !matches!(node.value, Value::List(_)) {
            let message = format!("found {}, expected a list of entries", node.noun());
            records.problems.push(Problem::new(node.span, message, "expected `[…]`", "write the entries as a list"));
        }
        for node in node.items() {
            if json_shape::check(node, &ENTRY, &mut records.problems) {
                records.add(node);
            }
            records.bound();
        }
        records
    }

    /// Reads a tombstone.
    pub fn tombstone(text: &str) -> Self {
        let mut records = Self::default();
        if let Some(node) = records.parse(text)
            && json_shape::check(&node, &TOMBSTONE, &mut records.problems)
        {
            records.add(&node);
        }
        records
    }

    /// Reads the `config.json` of the memory. To Squad an empty one has the defaults.
    pub fn config(text: &str) -> Self {
        let mut records = Self::default();
        if text.trim().is_empty() {
            return records;
        }
        if let Some(node) = records.parse(text) {
            json_shape::check(&node, &CONFIG, &mut records.problems);
        }
        records
    }

    /// Whether tools can read all of it.
    pub fn is_readable(&self) -> bool {
        self.further.is_none() && !self.problems.iter().any(|problem| problem.is_grave)
    }

    fn add(&mut self, node: &Node) {
        let entry = Entry::new(node);
        if let Some(id) = entry.id.as_ref().filter(|id| is_path(&id.value)) {
            let (label, help) = ("names a file elsewhere", "write it without `/` and `\\`");
            self.problems.push(Problem::new(id.span, "`id` is a path, expected a name", label, help));
        }
        // What is empty is reported as such.
        let path = entry.path.as_ref().filter(|path| !entry.is_of_provider() && !path.value.trim().is_empty());
        self.problems.extend(path.and_then(path_problem));
        // Of one that says nothing nothing is compared: an index can have millions.
        if entry != Entry::default() {
            self.entries.push(entry);
        }
    }

    /// Counts the problems behind the first ones, instead of keeping them.
    fn bound(&mut self) {
        for problem in self.problems.drain(MOST.min(self.problems.len())..) {
            Further::add(&mut self.further, problem.span, problem.is_grave);
        }
    }

    /// The value in `text`. What is after a byte order mark is read all the same, for what else is wrong.
    fn parse(&mut self, text: &str) -> Option<Node> {
        let start = bom_len(text);
        if let Some(mark) = byte_order_mark(text) {
            let help = "save the file as UTF-8 without the mark: Squad stops at it";
            self.problems.push(Problem::new(
                mark.span,
                format!("invalid JSON: {}", mark.message),
                "expected JSON",
                help,
            ));
        }
        let node = Node::parse(text.get(start..).unwrap_or_default(), &Places::from(start));
        for (span, key, first) in node.iter().flat_map(Node::odd_keys) {
            self.problems.push(odd_key((span, key, first)));
            self.bound();
        }
        node.map_err(|error| {
            let help = "correct the syntax: Squad stops at this file";
            self.problems.push(Problem::new(
                error.span,
                format!("invalid JSON: {}", error.message),
                "expected JSON",
                help,
            ));
        })
        .ok()
    }
}

/// The problem of a key that an object has twice, after the place of the `first` one, or that JavaScript takes for something else.
pub(crate) fn odd_key((span, key, first): (Span, &str, Option<Span>)) -> Problem {
    let (message, label) = match first {
        Some(_) => (format!("duplicate key `{key}`"), "the last one counts"),
        None => ("key `__proto__` changes the object itself when JavaScript reads it".to_owned(), "reserved"),
    };
    Problem::new(span, message, label, "remove the key").mild()
}

/// `path` of an entry inside of its state root, also if it was written on Windows. `None` if it leads out of it.
pub fn inner_path(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let inner = path.strip_prefix("./").unwrap_or(&path);
    let inner = inner.strip_prefix(".squad/").or_else(|| inner.strip_prefix(".ai-team/"))?;
    let is_inside = inner.split('/').all(|part| !matches!(part, "" | "." | ".."));
    is_inside.then(|| inner.to_owned())
}

/// What is wrong with the `path` of an entry.
fn path_problem(path: &Text) -> Option<Problem> {
    if inner_path(&path.value).is_some() {
        return None;
    }
    let help = "write the path of a file in `.squad/`, beginning with `.squad/`";
    let plain = path.value.replace('\\', "/");
    let plain = plain.strip_prefix("./").unwrap_or(&plain);
    let is_in_root = plain.starts_with(".squad/") || plain.starts_with(".ai-team/");
    Some(if !is_in_root || climbs_out(plain) {
        Problem::new(path.span, "`path` points outside the state folder", "not in `.squad/`", help)
    } else if plain.ends_with('/') {
        Problem::new(path.span, "`path` is that of a folder, expected a file", "a folder", help).mild()
    } else {
        let part = plain.split('/').find(|part| matches!(*part, "" | "." | "..")).unwrap_or_default();
        let part = if part.is_empty() { "//" } else { part };
        let message = format!("`path` contains `{part}`, expected the plain path of the file");
        Problem::new(path.span, message, "not plain", "write it without `..`, `.` and `//`").mild()
    })
}

/// Whether `path` climbs out of the folder that it begins in with `..`, which is the state root if it begins with that.
pub(super) fn climbs_out(path: &str) -> bool {
    let plain = path.replace('\\', "/");
    let inner = plain.strip_prefix(".squad/").or_else(|| plain.strip_prefix(".ai-team/")).unwrap_or(&plain);
    let mut depth = 0_usize;
    for part in inner.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match (part, depth) {
            ("..", 0) => return true,
            ("..", _) => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

fn is_path(id: &str) -> bool {
    id.contains(['/', '\\', '\0']) || id == "." || id == ".."
}

/// The front matter of an entry.
struct FrontMatter<'t> {
    /// Its first line.
    opening: Span,
    /// Its last line; `None` if it is never closed.
    closing: Option<Span>,
    /// The keys and the places of the values.
    keys: Vec<(&'t str, Span)>,
}

impl<'t> FrontMatter<'t> {
    /// That of `text`, if it has any.
    fn of(text: &'t str) -> Option<Self> {
        let start = bom_len(text);
        let mut rows = lines(text, Span::new(start, text.len()));
        let first = rows.next().filter(|line| line.of(text).trim_end() == "---")?;
        let mut found = Self { opening: first.trim(text), closing: None, keys: Vec::new() };
        for line in rows {
            let row = line.of(text).trim_end();
            if row == "---" {
                found.closing = Some(line.trim(text));
                break;
            }
            if let Some((key, _)) = row.split_once(':').filter(|(key, _)| !key.starts_with([' ', '\t', '#', '-'])) {
                let value = Span::new(line.start() + key.len() + 1, line.start() + row.len()).trim(text);
                found.keys.push((key.trim(), value));
            }
        }
        Some(found)
    }
}

/// What is wrong with the front matter of an entry. `None` if `text` has none.
pub fn front_matter_problems(text: &str) -> Option<Vec<Problem>> {
    let FrontMatter { opening, closing, keys } = FrontMatter::of(text)?;
    let Some(closing) = closing else {
        let message = "front matter has no end, expected a second `---` line";
        return Some(vec![Problem::new(opening, message, "begins here", "add a `---` line below the last field")]);
    };
    let mut problems = Vec::new();
    if text.get(closing.end()..).is_none_or(|body| body.trim().is_empty()) {
        let (message, help) =
            ("entry has no text below its front matter", "restore the text, or delete the entry with Squad's tools");
        problems.push(Problem::new(closing, message, "nothing below", help).mild());
    }
    let words: [(&str, &[&str]); 5] =
        [("id", &[]), ("class", &CLASSES), ("loadGuidance", &GUIDANCE), ("title", &[]), ("createdAt", &[])];
    for (name, words) in words {
        let mut places = keys.iter().filter(|(key, _)| *key == name).map(|(_, span)| *span);
        let Some(span) = places.next() else {
            let (message, label) = (format!("missing field `{name}` in the front matter"), format!("no `{name}`"));
            problems.push(Problem::new(opening, message, label, format!("add a line `{name}: …`")).mild());
            continue;
        };
        if let Some(again) = places.next() {
            let (message, help) =
                (format!("duplicate field `{name}` in the front matter"), "remove one of the two lines");
            problems.push(Problem::new(again, message, "second one", help).mild());
        }
        let value = word(span.of(text));
        let expected = match name {
            _ if value.is_empty() => "expected a value".to_owned(),
            "createdAt" if !is_day(value) => "expected a form such as `2026-11-02T09:00:00Z`".to_owned(),
            "id" if is_path(value) => "expected a name without `/`".to_owned(),
            // Squad writes a list of one word, and reads several.
            _ if !words.is_empty() && !items(value).all(|word| words.contains(&word)) => {
                format!("expected one of `{}`", words.join("`, `"))
            }
            _ => continue,
        };
        let (fault, label, help) = match value {
            "" => ("empty", "no value", format!("write a value after `{name}:`")),
            _ => ("invalid", "", format!("correct the line `{name}: …`")),
        };
        let message = format!("{fault} `{name}` in the front matter, {expected}");
        problems.push(Problem::new(span, message, label, help).mild());
    }
    Some(problems)
}

/// The `id` and the classes in the front matter of an entry; `None` without an `id`.
pub fn id_and_classes(text: &str) -> Option<(&str, Vec<&str>)> {
    let front = FrontMatter::of(text).filter(|front| front.closing.is_some())?;
    let value = |name: &str| {
        let place = front.keys.iter().find(|(key, _)| *key == name)?.1;
        Some(word(place.of(text)))
    };
    let id = value("id").filter(|id| !id.is_empty())?;
    Some((id, value("class").map(|class| items(class).filter(|class| !class.is_empty()).collect()).unwrap_or_default()))
}

/// What the front matter of a file of the inbox says of its entry.
#[derive(Clone, Copy, Debug, Default)]
pub struct Head {
    /// `id`.
    pub id: Option<Span>,
    /// `title`.
    pub title: Option<Span>,
    /// `createdAt` or `date`.
    pub date: Option<Span>,
    /// Where the text below begins.
    pub end: usize,
}

/// That of `text`. One that is never closed is none.
pub fn head(text: &str) -> Head {
    let Some(FrontMatter { closing: Some(closing), keys, .. }) = FrontMatter::of(text) else {
        return Head { end: bom_len(text), ..Head::default() };
    };
    let find = |names: &[&str]| {
        let place = keys.iter().find(|(key, _)| names.contains(key))?.1;
        let value = word(place.of(text));
        let start = place.start() + place.of(text).find(value)?;
        (!value.is_empty()).then(|| Span::new(start, start + value.len()))
    };
    let (id, title, date) = (find(&["id"]), find(&["title"]), find(&["createdAt", "date"]));
    Head { id, title, date, end: closing.end() }
}

/// The path of the tombstone of the entry `id` in the state root `root`.
pub fn tombstone(root: &BStr, id: &str) -> BString {
    join(root, &format!("memory/tombstones/{id}.json"))
}

/// `value` without blanks and quotes around it.
fn word(value: &str) -> &str {
    value.trim().trim_matches(['"', '\''])
}

/// The words of `value`, which is one of them, or a list such as `[ALWAYS]`.
fn items(value: &str) -> impl Iterator<Item = &str> {
    let list = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    list.unwrap_or(value).split(',').take(if list.is_some() { usize::MAX } else { 1 }).map(word)
}

/// Whether `text` has the front matter of a governed entry: files of an inbox have other front matter, or none.
pub fn is_entry(text: &str) -> bool {
    let head = text.get(bom_len(text)..).unwrap_or_default();
    let mut rows = head.lines();
    rows.next().is_some_and(|line| line.trim_end() == "---")
        && rows.take_while(|line| line.trim_end() != "---").any(|line| line.starts_with("loadGuidance:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_entries() {
        assert_eq!(inner_path(".squad/memory/local/a.md").as_deref(), Some("memory/local/a.md"));
        assert_eq!(inner_path(".squad\\memory\\local\\a.md").as_deref(), Some("memory/local/a.md"));
        for path in ["", ".squad", "/etc/x", ".squad/../x", "../.squad/x", "C:\\x", ".squad//x", "memory/a.md"] {
            assert_eq!(inner_path(path), None, "{path}");
        }
    }

    #[test]
    fn paths_that_climb_out() {
        for path in ["..", "../x", ".squad/../x", ".squad\\..\\x", "a/../../x", "./../x"] {
            assert!(climbs_out(path), "{path}");
        }
        for path in ["", "x", ".squad/a/../x", "a/..", "..x", "host-injected-copilot-adapter:1"] {
            assert!(!climbs_out(path), "{path}");
        }
    }

    #[test]
    fn an_empty_configuration_has_the_defaults() {
        assert_eq!(Records::config("").problems.len() + Records::config(" \n").problems.len(), 0);
        assert_eq!(Records::config("{").problems.len(), 1);
    }

    #[test]
    fn hostile_names_are_names() {
        let text = r#"[{"__proto__": {"id": 1}, "id": "__proto__"}, 7, {"id": "../x"}]"#;
        let records = Records::index(text);
        let ids: Vec<_> = records.entries.iter().filter_map(|entry| Some(entry.id.as_ref()?.value.as_str())).collect();
        assert_eq!(ids, ["__proto__", "../x"]);
        let messages: Vec<_> = records.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert!(messages.contains(&"key `__proto__` changes the object itself when JavaScript reads it"));
        assert_eq!(Records::config("{\"a\": 1, \"a\": 2}").problems.len(), 1);
        assert!(messages.contains(&"found a number, expected an object"));
        assert!(messages.contains(&"`id` is a path, expected a name"));
        assert_eq!(Records::index(&"[".repeat(10_000)).problems.len(), 1);
    }
}
