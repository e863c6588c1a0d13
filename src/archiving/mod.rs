//! Which entries of a memory file leave for its archive.

mod hold;
mod near;
mod order;
mod owner;
mod said;
mod section;
mod signs;
mod subject;
mod torn;
mod tree;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

pub use hold::{Hold, is_container};

use self::tree::Tree;
use crate::diagnostic::{Edit, Passage, Step};
use crate::document::Document;
use crate::facts::Run;
use crate::formats::timestamp::Timestamp;
use crate::text::Span;
use crate::text::prose::{enumerated, kilobytes};

/// What moves old entries to an archive.
pub struct Archiving {
    /// What the fix does; empty if the file would stay over its limit.
    pub steps: Vec<Step>,
    /// How many bytes stay once all that may go is gone, or just as many as needed.
    pub left: u64,
    /// Why the rest stays if the file would stay over its limit: how many sections, and how many bytes they have.
    pub stays: BTreeMap<Hold, (usize, u64)>,
    /// The heading of the section that keeps newer ones, if some stay for it, and why it stays itself.
    pub barrier: Option<(Span, Option<Hold>)>,
    /// Why sections stay that are older than what goes, and how many.
    pub older: BTreeMap<Hold, usize>,
}

impl Archiving {
    /// What moves old entries of `document` to the file `archive` beside it, until at most `cap` bytes are left. The oldest go first, by
    /// their own date or that of their section, each with everything under it.
    pub fn of(document: &Document, run: &Run<'_>, archive: &str, cap: u64, now: Timestamp) -> Self {
        let text = document.text();
        let mut tree = Tree::of(document, run, now);
        let size = document.source.bytes().len() as u64;
        let (mut going, mut left) = tree.oldest(size, cap);
        if left <= cap && run.options.history {
            let torn = torn::torn(document, run, &tree);
            while tree.hold_torn(&torn, &going) {
                (going, left) = tree.oldest(size, cap);
            }
        }
        if left > cap {
            let stays = tree.stays();
            // It is the cause only where the rest would be enough.
            let behind = stays.get(&Hold::Behind).map_or(0, |(_, bytes)| *bytes);
            let barrier = tree.keeps_newer().filter(|_| behind > 0 && behind >= left - cap);
            return Self { steps: Vec::new(), left, stays, barrier, older: BTreeMap::new() };
        }
        let older = tree.older(&going);
        let going = tree.with_emptied(text, &going);
        let path = beside(document.source.path(), archive);
        let target = run.read_or_new(path.as_bstr());
        let end = if target.is_new() { document.source.line_ending() } else { target.line_ending() };
        let name = document.source.path().rsplit_str("/").next().unwrap_or_default().to_str_lossy();
        let above = match target.text() {
            "" => format!("# Archive of {name}{end}{end}"),
            text if text.ends_with("\n\n") || text.ends_with("\n\r\n") => String::new(),
            text if text.ends_with('\n') => end.to_owned(),
            _ => end.repeat(2),
        };
        let mut content = Passage::new(above, end);
        for (number, span) in going.iter().enumerate() {
            if number > 0 {
                content.push(end);
            }
            content.push_lines(*span);
        }
        let edits = going.into_iter().map(|span| Step::Edit(Edit::delete(span)));
        let steps = edits.chain([Step::Append { path, text: content }]).collect();
        Self { steps, left, stays: BTreeMap::new(), barrier: None, older }
    }
}

/// The file `name` in the folder of `path`.
pub fn beside(path: &BStr, name: &str) -> BString {
    let folder = path.rfind_byte(b'/').and_then(|slash| path.get(..=slash)).unwrap_or_default();
    [folder, name.as_bytes()].concat().into()
}

/// So many reasons are named why entries stay.
const REASONS: usize = 3;

/// Why entries stay: the reasons with the most text. The rest of the file is less than these.
pub fn kept(stays: &BTreeMap<Hold, (usize, u64)>) -> String {
    let mut stays: Vec<_> = stays.iter().collect();
    stays.sort_by_key(|(_, (_, bytes))| Reverse(*bytes));
    let said = stays
        .into_iter()
        .take(REASONS)
        .map(|(hold, (count, bytes))| format!("{} ({})", hold.said(*count), kilobytes(*bytes, 0)));
    match said.collect::<Vec<_>>() {
        said if said.is_empty() => "no heading has a date".to_owned(),
        said => format!("it keeps {}", enumerated(&said)),
    }
}
