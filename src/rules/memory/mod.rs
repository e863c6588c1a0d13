//! The size of a team's memory, and what it loses.

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Edit, Passage, Step};
use crate::document::Document;
use crate::facts::Run;
use crate::formats::entries::Block;
use crate::formats::legacy::LegacyEntry;
use crate::formats::markdown::MarkKind;
use crate::formats::sem::{End, Entry, EntryType};
use crate::formats::timestamp::Timestamp;
use crate::text::Span;

crate::family! {
    file_too_large
    dangling_archive
    entry_lost
    placeholder
    split_ledger
    unpacked_template
    merge_marker
    replacement_character
    shell_damage
    old_root_path
    stale_focus
}

/// An entry younger than this stays where agents read it.
const FRESH_DAYS: i64 = 7;

/// Old entries that move to an archive.
struct Archiving {
    steps: Vec<Step>,
    /// How many entries move.
    entries: usize,
    /// How many bytes stay.
    left: u64,
}

/// What moves old entries of `document` to the file `archive` beside it, until at most `cap` bytes are left: the oldest go
/// first. `None` if none can go.
///
/// Directives stay, since they hold until they are taken back; so do entries without a date, and those that cannot go
/// without changing what their neighbours mean.
fn archiving(document: &Document, run: &Run<'_>, archive: &str, cap: u64, now: Timestamp) -> Option<Archiving> {
    let mut old = entries(document);
    old.retain(|entry| entry.at < now.unix().saturating_sub(FRESH_DAYS * 86_400));
    old.sort_by_key(|entry| (entry.at, entry.span));
    let mut left = document.source.bytes().len() as u64;
    let mut going: Vec<Span> = Vec::new();
    for entry in old {
        if left <= cap {
            break;
        }
        left -= entry.span.len() as u64;
        going.push(entry.span);
    }
    going.sort();
    let path = beside(document.source.path(), archive);
    let target = (!going.is_empty()).then(|| run.read_or_new(path.as_bstr()))?;
    let end = if target.is_new() { document.source.line_ending() } else { target.line_ending() };
    let above = match target.text() {
        "" => format!("# Archive of {}{end}{end}", document.source.path().rsplit_str("/").next()?.to_str().ok()?),
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
    let entries = going.len();
    let edits = going.into_iter().map(|span| Step::Edit(Edit::delete(span)));
    Some(Archiving { steps: edits.chain([Step::Append { path, text: content }]).collect(), entries, left })
}

/// An entry that may go.
struct Old {
    /// With the blank lines after it.
    span: Span,
    /// Its moment, in seconds since 1970.
    at: i64,
}

fn entries(document: &Document) -> Vec<Old> {
    let text = document.text();
    let mut sem = document.entries.sem(text);
    let mut blocks = document.entries.blocks().peekable();
    let mut found = Vec::new();
    let mut before_ends = true;
    while let Some(block) = blocks.next() {
        let (at, ends) = match block {
            Block::Prose(_) => (None, before_ends),
            Block::Sem(spans) => {
                let entry = sem.next();
                let ends = matches!(spans.end, End::Rule(_)) && spans.continued.is_none();
                let may_go = |entry: &Entry<'_>| entry.entry_type() != Some(EntryType::Directive);
                (entry.filter(may_go).filter(|_| ends).and_then(Entry::timestamp), ends)
            }
            Block::Legacy(entry) => {
                let is_directive = entry.title.of(text).to_ascii_lowercase().contains("directive");
                let may_go = entry.identified && !is_directive && !holds_section(document, entry);
                let date = entry.date.filter(|_| may_go);
                (date.and_then(|date| day(date.of(text))), true)
            }
        };
        let blank = |next: &Block<'_>| matches!(next, Block::Prose(span) if span.of(text).trim().is_empty());
        let mut span = block.span();
        if !matches!(block, Block::Prose(_))
            && let Some(gap) = blocks.next_if(blank)
        {
            span = span.to(gap.span());
        }
        // Text without a heading would end up in the entry before.
        let is_loose =
            |next: &Block<'_>| matches!(next, Block::Prose(span) if !span.of(text).trim_start().starts_with('#'));
        let moment = at.filter(|_| before_ends && !blocks.peek().is_some_and(is_loose));
        found.extend(moment.map(|at| Old { span, at: at.unix() }));
        before_ends = ends;
    }
    found
}

/// Whether a heading as high as the entry's own is in it: a part of it, or of the file.
fn holds_section(document: &Document, entry: &LegacyEntry) -> bool {
    let marks = &document.entries.outline.marks;
    let inside = marks.iter().skip(marks.partition_point(|mark| mark.line.start < entry.heading.end));
    let mut inside = inside.take_while(|mark| mark.line.start < entry.span.end);
    inside.any(|mark| matches!(mark.kind, MarkKind::Heading(level) if level <= entry.level))
}

/// The start of the day that `text` begins with.
fn day(text: &str) -> Option<Timestamp> {
    Timestamp::read(&format!("{}T00:00:00+0000", text.get(..10)?))
}

/// The file `name` in the folder of `path`.
fn beside(path: &BStr, name: &str) -> BString {
    let folder = path.rfind_byte(b'/').and_then(|slash| path.get(..=slash)).unwrap_or_default();
    [folder, name.as_bytes()].concat().into()
}
