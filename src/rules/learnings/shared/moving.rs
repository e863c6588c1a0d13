//! Entries on their way from `learnings.md` to the `archive.md` beside it.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};
use jiff::civil::Date;

use crate::diagnostic::{Append, Edit};
use crate::document::Document;
use crate::facts::Facts;
use crate::formats::learnings::{Entry, Learnings, Section};
use crate::text::{Span, line_end};

/// An entry that goes.
#[derive(Clone, Copy, Debug)]
pub struct Going<'a> {
    /// The entry, which is one of the document's.
    pub entry: &'a Entry,
    /// Why, to be written behind it.
    pub reason: Option<&'a str>,
}

/// What takes entries out of a file and puts them into its archive.
#[derive(Debug)]
pub struct Moving {
    /// For this file.
    pub edits: Vec<Edit>,
    /// For the archive.
    pub append: Vec<Append>,
}

/// What moves `going`, in file order, to the `archive.md` beside `document`. Under the heading of its section, and with the
/// day `today`, each entry stays letter by letter as it is. A section of the team's own goes along when nothing is left in it.
/// `None` where nothing goes, or the file is none of learnings.
pub fn archiving(document: &Document<'_>, facts: &Facts<'_>, going: &[Going<'_>], today: Date) -> Option<Moving> {
    let (text, learnings) = (document.text(), document.learnings()?);
    let path = beside(document.source.path(), "archive.md");
    let target = (!going.is_empty()).then(|| facts.read_or_new(path.as_bstr()))?;
    let (own_end, end) = match target.is_new() {
        true => (document.source.line_ending(), document.source.line_ending()),
        false => (document.source.line_ending(), target.line_ending()),
    };
    let archived = Learnings::parse(target.text());
    let last = archived.sections.last().filter(|section| holds_entries_at_its_end(&archived, section));
    let mut heading = last.map(|section| section.name.of(target.text()).to_owned());
    let mut content = match target.text() {
        "" => format!("# Archive: {}{end}", member(document.source.path())),
        text if text.ends_with(['\n', '\r']) => String::new(),
        _ => end.to_owned(),
    };
    for one in going {
        let name = learnings.section_of(one.entry).map_or("", |section| section.name.of(text));
        let wanted = match name {
            "" => format!("Archived {today}"),
            name => format!("{name} (archived {today})"),
        };
        if heading.as_ref() != Some(&wanted) {
            content += &format!("{end}## {wanted}{end}");
            heading = Some(wanted);
        }
        let entry = Span::new(one.entry.span.start(), one.entry.span.end()).of(text).trim_end();
        let reason = one.reason.map(|reason| format!(" (archived: {today}, reason: {reason})"));
        let at = super::end_of_paragraph(text, one.entry).saturating_sub(one.entry.span.start());
        let (head, tail) = entry.split_at_checked(at).unwrap_or((entry, ""));
        let entry = [head, reason.as_deref().unwrap_or_default(), tail].concat();
        content += &if own_end == end { entry } else { entry.replace("\r\n", "\n").replace('\n', end) };
        content += end;
    }
    Some(Moving { edits: edits(text, learnings, going), append: vec![Append { path, content }] })
}

/// Whether an entry put at the end of a file would stand in `section`, its last, right below another one.
fn holds_entries_at_its_end(learnings: &Learnings, section: &Section) -> bool {
    learnings.entries.last().is_some_and(|entry| entry.span.end() == section.body.end())
}

/// The sections of the team's own that are empty without `going`, by their places.
pub fn emptied(text: &str, learnings: &Learnings, going: &[Going<'_>]) -> Vec<usize> {
    let mut left: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    for one in going {
        left.entry(one.entry.section.unwrap_or(usize::MAX)).or_default().push(one.entry.span);
    }
    let is_empty = |place: usize, gone: &[Span]| {
        learnings.sections.get(place).is_some_and(|section| {
            let mut at = section.body.start();
            let mut gaps = Vec::new();
            for span in gone {
                gaps.push(Span::new(at, span.start()));
                at = span.end();
            }
            gaps.push(Span::new(at, section.body.end()));
            let holds_none = section.span.end() == section.body.end();
            section.kind.is_none() && holds_none && gaps.iter().all(|gap| gap.of(text).trim().is_empty())
        })
    };
    left.into_iter().filter(|(place, gone)| is_empty(*place, gone)).map(|(place, _)| place).collect()
}

fn edits(text: &str, learnings: &Learnings, going: &[Going<'_>]) -> Vec<Edit> {
    let emptied = emptied(text, learnings, going);
    let sections = emptied.iter().filter_map(|place| learnings.sections.get(*place));
    let mut spans: Vec<Span> = sections.map(|section| section.heading.to(section.body)).collect();
    let stays = |entry: &Entry| entry.section.is_none_or(|place| !emptied.contains(&place));
    for one in going.iter().filter(|one| stays(one.entry)) {
        spans.push(with_blank_lines(text, one.entry.span));
    }
    spans.sort();
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if last.end >= span.start => *last = last.to(span),
            _ => joined.push(span),
        }
    }
    joined.into_iter().map(Edit::delete).collect()
}

/// An entry with the blank lines behind it where one stands before it, too.
fn with_blank_lines(text: &str, span: Span) -> Span {
    let before = Span::new(0, span.start()).of(text);
    let before = before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')).unwrap_or(before);
    if !before.ends_with('\n') {
        return span;
    }
    let mut end = span.end();
    while end < text.len() {
        let (line_end, next) = line_end(text.as_bytes(), end);
        if !Span::new(end, line_end).of(text).trim().is_empty() {
            break;
        }
        end = next;
    }
    Span::new(span.start(), end)
}

/// The folder of a member's file, which is called as the member.
pub fn member(path: &BStr) -> String {
    let folder = path.rsplit_str("/").nth(1).unwrap_or_default();
    folder.to_str_lossy().into_owned()
}

/// The file `name` in the folder of `path`.
fn beside(path: &BStr, name: &str) -> BString {
    let folder = path.rfind_byte(b'/').and_then(|slash| path.get(..=slash)).unwrap_or_default();
    [folder, name.as_bytes()].concat().into()
}
