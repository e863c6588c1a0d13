//! The audit of governed memory, and what a change makes of it.

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::Finding;
use crate::dialects::governed;
use crate::facts::Run;
use crate::facts::gone::{self, Gone};
use crate::formats::audit::{LostLine, lost_line};
use crate::formats::governed::Records;
use crate::fs::path::join;
use crate::rules::gone::finding;
use crate::rules::memory::shared::changed::{self, Changed};
use crate::select::read_error::ReadError;

/// An audit of so many bytes is compared by its lines, also where it has too many to be checked.
const MOST: u64 = 256 << 20;

/// An audit before a change or after it.
enum Text {
    Bytes(Vec<u8>),
    /// It has so many bytes that only their number is known.
    Long(u64),
}

impl Text {
    /// What reading it with at most [`MOST`] bytes gave; `None` if there is none, or if it cannot be read.
    fn of(read: Result<Option<Vec<u8>>, ReadError>) -> Option<Self> {
        match read {
            Ok(bytes) => Some(Self::Bytes(bytes?)),
            Err(ReadError::TooBig { size, .. }) => Some(Self::Long(size)),
            Err(_) => None,
        }
    }

    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Long(len) => *len,
        }
    }

    /// What of it `new` lacks: its first line, or one with the number 0 where that cannot be told.
    fn lost_in(&self, new: &Self) -> Option<LostLine> {
        match (self, new) {
            (Self::Bytes(old), Self::Bytes(new)) => lost_line(old, new),
            _ => (new.len() < self.len()).then_some(LostLine { line: 0, instead: None }),
        }
    }
}

/// Whether an archive of the state root has all lines of `old`: a full audit becomes `audit.1.jsonl`.
fn is_archived(run: &Run<'_>, root: &BStr, old: &Text) -> bool {
    (1..=3).any(|number| {
        let path = join(root, &format!("memory/audit.{number}.jsonl"));
        Text::of(run.input.read(path.as_bstr(), MOST).map(Some)).is_some_and(|file| old.lost_in(&file).is_none())
    })
}

/// An audit from which a change removes a line, or in which it rewrites one.
pub struct Rewritten {
    /// What is said of it.
    pub finding: Finding,
    /// The audit.
    pub path: BString,
    /// The line that is in it instead of the old one. What is wrong with that line is not said again.
    pub instead: Option<usize>,
}

/// The audits from which a change removes a line, or in which it rewrites one.
pub fn rewritten(run: &Run<'_>) -> Vec<Rewritten> {
    let mut found = Vec::new();
    changed::each(run, &governed::AUDIT, MOST, |audit| found.extend(rewritten_in(audit, run)));
    found
}

fn rewritten_in(audit: Changed, run: &Run<'_>) -> Option<Rewritten> {
    let (before, after, path) = (Text::of(audit.before)?, Text::of(audit.after)?, audit.path);
    let LostLine { line, instead } = before.lost_in(&after)?;
    if is_archived(run, audit.root.as_bstr(), &before) || path.ends_with(b"audit.3.jsonl") {
        return None;
    }
    let message = match line {
        0 => "lines of the audit were removed, expected only new lines".to_owned(),
        _ => format!("line {line} of the audit was removed or rewritten, expected only new lines"),
    };
    let help = "restore the lines, and add new ones at the end";
    let finding = Finding::whole_file(message).in_file(path.clone()).help(help);
    Some(Rewritten { finding, path, instead })
}

/// The audit and the index that the change takes away, while other files of the team stay.
pub fn gone(run: &Run<'_>) -> Vec<Finding> {
    let all = gone::of(run, &[&governed::AUDIT, &governed::INDEX]);
    all.iter()
        .filter_map(|gone| if gone.kind == &governed::AUDIT { gone_audit(gone, run) } else { gone_index(gone) })
        .collect()
}

fn gone_audit(gone: &Gone<'_>, run: &Run<'_>) -> Option<Finding> {
    let before = Text::of(gone.changes.before(gone.change, MOST))?;
    let is_blank = matches!(&before, Text::Bytes(bytes) if bytes.trim().is_empty());
    if gone.inner() != "memory/audit.jsonl" || is_blank || is_archived(run, gone.root.as_bstr(), &before) {
        return None;
    }
    Some(finding(gone, "the audit", ", expected only new lines in it"))
}

/// An index without entries can go.
fn gone_index(gone: &Gone<'_>) -> Option<Finding> {
    let has_entries = match Text::of(gone.changes.before(gone.change, MOST))? {
        Text::Bytes(bytes) => !Records::index(&String::from_utf8_lossy(&bytes)).entries.is_empty(),
        Text::Long(_) => true,
    };
    has_entries.then(|| finding(gone, "the index of governed memory", ", without which Squad's tools find no entry"))
}
