//! Files of the inbox that are one entry as a whole, whatever is in them: those with the front matter of governed memory, as
//! `squad memory write` writes them, and those in which no heading tells an entry.

use bstr::ByteSlice;

use super::{Loser, Missing};
use crate::dialects::squad;
use crate::facts::files;
use crate::formats::entries::{Block, Entries};
use crate::formats::governed::{self, Head};
use crate::formats::label;
use crate::formats::legacy::Meaning;
use crate::formats::markdown::MarkKind;
use crate::text::{Source, Span, lines};

/// What such a file is.
pub(super) struct Whole {
    head: Head,
    title: Span,
    body: Span,
}

impl Loser<'_> {
    /// The entry that the `old` file is, which is parsed as `entries`.
    pub(super) fn whole(&self, old: &Source, entries: &Entries) -> Option<Whole> {
        let text = old.text();
        let name = self.change.old_path().rsplit_str("/").next().unwrap_or_default();
        let is_entry = |block: Block<'_>| !matches!(block, Block::Prose(_));
        let is_whole = self.file_kind == &squad::INBOX
            && !name.eq_ignore_ascii_case(b"README.md")
            && (governed::is_entry(text) || !entries.blocks().any(is_entry));
        let head = is_whole.then(|| governed::head(text))?;
        let below = Span::new(head.end, text.len());
        let is_heading = |kind| matches!(kind, MarkKind::Heading(_));
        let heading = entries.outline.marks.iter().find(|mark| is_heading(mark.kind) && mark.line.start() >= head.end);
        let first = lines(text, below).map(|line| line.trim(text)).find(|line| !line.is_empty())?;
        let after = |line: Span| Span::new(line.end(), text.len());
        let (title, body) = match (head.title, heading.map(|mark| mark.line)) {
            (Some(title), _) => (title, below),
            (None, Some(line)) => (unmarked(line, text), if line == first { after(line) } else { below }),
            (None, None) => (said_first(text, below).unwrap_or(first), below),
        };
        Some(Whole { head, title, body })
    }

    /// The entry, if the `new` version of the file is not it.
    pub(super) fn missing_whole(&self, whole: Whole, new: &Source) -> Option<Missing> {
        let old = self.old.get();
        let (text, Whole { head, title, body }) = (old.text(), whole);
        let after = governed::head(new.text());
        let id = |head: &Head, text: &str| head.id.map(|id| id.of(text).to_owned());
        let (id, id_after) = (id(&head, text), id(&after, new.text()));
        let is_other = id.is_some() && id_after.is_some() && id != id_after;
        let is_text = |rest: &str| !rest.trim().is_empty();
        let is_there = new.text().get(after.end..).is_some_and(is_text) && !is_other;
        // Squad's tools delete an entry on purpose, and leave a tombstone.
        let is_deleted = || id.is_some_and(|id| self.is_buried(&id));
        let whole = Span::new(0, text.len());
        let lost = self.lost(whole, None, head.date, title);
        let of = |span: Span| span.of(text).to_owned();
        (!is_there && !is_deleted()).then(|| Missing {
            key: None,
            heading: of(title),
            parts: vec![of(title), of(body)],
            text: [of(title), of(body)].join("\n"),
            lost,
        })
    }

    fn is_buried(&self, id: &str) -> bool {
        let root = self.run.input.roots.root_of(self.change.old_path());
        root.is_some_and(|root| files::has(self.run, governed::tombstone(root.as_bstr(), id).as_bstr()))
    }
}

/// What the first line of `below` says that does not tell who wrote it and when, without a label.
fn said_first(text: &str, below: Span) -> Option<Span> {
    lines(text, below).map(|line| line.trim(text)).filter(|line| !line.is_empty()).find_map(|line| {
        let Some(label) = label::parse(text, line) else { return Some(line) };
        let value = Span::new(label.span.end(), line.end()).trim(text);
        (Meaning::of(label.name.of(text)) == Meaning::What && !value.is_empty()).then_some(value)
    })
}

/// The heading `line` without its marks.
fn unmarked(line: Span, text: &str) -> Span {
    let title = line.of(text).trim_start_matches(['#', ' ']);
    Span::new(line.end() - title.len(), line.end())
}
