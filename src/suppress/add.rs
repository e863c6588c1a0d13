//! Writing suppressions for what was found.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::Suppression;
use super::find::item_end;
use crate::diagnostic::{Diagnostic, Edit};
use crate::formats::entries::Entries;
use crate::formats::markdown::line::{indentation, item_marker};
use crate::formats::markdown::{ContentColumns, Mark, MarkKind};
use crate::text::{Span, bom_len, line_end, line_ending};

/// A text in which suppressions can be written.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The text.
    pub text: &'a str,
    /// Its blocks where it is Markdown; `None` for a text with comments after `#`.
    pub entries: Option<&'a Entries>,
    /// The suppressions that are in it.
    pub list: &'a [Suppression],
    /// What to write after the rules; empty for nothing.
    pub reason: &'a str,
}

/// Where the name of a rule goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Site {
    /// Into the suppression of that index.
    Into(usize),
    /// Into a new one for the whole file.
    Top,
    /// Into a new one above the line that starts at that byte.
    Above(usize),
}

impl Target<'_> {
    /// The edits that suppress the findings `here` at their lines, and the findings `in_file` in the whole file. Each edit can
    /// be applied by itself.
    pub fn edits<'d>(
        self,
        here: impl IntoIterator<Item = &'d Diagnostic>,
        in_file: impl IntoIterator<Item = &'d Diagnostic>,
    ) -> Vec<Edit> {
        let mut sites: BTreeMap<Site, BTreeSet<&str>> = BTreeMap::new();
        let mut here: Vec<&Diagnostic> = here.into_iter().collect();
        here.sort_by_key(|diagnostic| diagnostic.span);
        let mut walk = Walk::new(self);
        for diagnostic in here {
            sites.entry(walk.site(diagnostic.span)).or_default().insert(diagnostic.rule.name);
        }
        for diagnostic in in_file {
            sites.entry(walk.site(None)).or_default().insert(diagnostic.rule.name);
        }
        let mut columns = ContentColumns::new(self.text);
        sites.into_iter().filter_map(|(site, rules)| self.edit(site, &rules, &mut columns)).collect()
    }

    fn edit(self, site: Site, rules: &BTreeSet<&str>, columns: &mut ContentColumns<'_>) -> Option<Edit> {
        let names = rules.iter().copied().collect::<Vec<_>>().join(", ");
        Some(match site {
            Site::Into(index) => {
                let last = self.list.get(index)?.names.last()?;
                Edit::insert(last.end(), format!(", {names}"))
            }
            Site::Top => {
                let at = self.top();
                let before = Span::new(0, at).of(self.text);
                let line_end = line_ending(self.text);
                let own_line = if at > bom_len(self.text) && !before.ends_with(['\n', '\r']) { line_end } else { "" };
                Edit::insert(at, format!("{own_line}{}{line_end}", self.comment("ignore-file", &names)))
            }
            Site::Above(at) => {
                let indent = indent(self.text, at, columns);
                Edit::insert(at, format!("{indent}{}{}", self.comment("ignore", &names), line_ending(self.text)))
            }
        })
    }

    fn comment(self, word: &str, names: &str) -> String {
        let reason = if self.reason.is_empty() { String::new() } else { format!(" -- {}", self.reason) };
        let inner = format!("squad-lint: {word} {names}{reason}");
        if self.entries.is_some() { format!("<!-- {inner} -->") } else { format!("# {inner}") }
    }

    /// Behind a byte order mark and front matter.
    fn top(self) -> usize {
        let front_matter = self.entries.and_then(|entries| entries.outline.front_matter);
        front_matter.map_or(bom_len(self.text), Span::end)
    }

    /// The start of the line above which a suppression applies to the byte `at` in the line at `own`, which is none itself.
    fn line_for(self, at: usize, own: usize) -> usize {
        let Some(entries) = self.entries else { return own };
        if let Some(entry) = entries.around(at) {
            return line_start(self.text, entry.start());
        }
        let block = block_start(&entries.outline.marks, at).filter(|block| !has_left_item(self.text, *block, own));
        let mark = block.unwrap_or(own);
        item_start(self.text, line_start(self.text, mark))
    }
}

/// A walk through a text, finding by finding.
struct Walk<'a> {
    target: Target<'a>,
    of_file: Site,
    /// The lines of suppressions.
    lines: HashSet<usize>,
    /// The suppressions that hold for a place, by their index and in the order of their places; and those met that may not have
    /// ended.
    ahead: std::iter::Peekable<std::vec::IntoIter<usize>>,
    open: Vec<usize>,
    /// The last line that a new suppression is for, and where that goes: a line can have thousands of findings.
    last: Option<(Span, Site)>,
}

impl<'a> Walk<'a> {
    fn new(target: Target<'a>) -> Self {
        let sound = |whole_file: bool| {
            let one = target.list.iter().enumerate().filter(|(_, one)| one.problem.is_none());
            one.filter(move |(_, one)| one.whole_file == whole_file).map(|(index, _)| index)
        };
        let mut ahead: Vec<usize> = sound(false).collect();
        ahead.sort_by_key(|index| target.list.get(*index).map(|one| one.target.start));
        Self {
            target,
            of_file: sound(true).next().map_or(Site::Top, Site::Into),
            lines: target.list.iter().map(|one| one.line.start()).collect(),
            ahead: ahead.into_iter().peekable(),
            open: Vec::new(),
            last: None,
        }
    }

    /// Where the name of a rule goes that finds something at `span`, which does not lie before the one asked for last.
    fn site(&mut self, span: Option<Span>) -> Site {
        let Target { text, list, .. } = self.target;
        let Some(span) = span.filter(|span| span.start() >= self.target.top()) else { return self.of_file };
        // What is found at the end of the text is found in its last line.
        let at = span.start().min(text.len().saturating_sub(1));
        let reach = |index: usize| list.get(index).map_or(Span::default(), |one| one.target);
        while let Some(index) = self.ahead.next_if(|index| reach(*index).start() <= at) {
            self.open.push(index);
        }
        while self.open.pop_if(|index| reach(*index).end() <= at).is_some() {}
        if let Some(index) = self.open.last() {
            return Site::Into(*index);
        }
        if let Some((_, site)) = self.last.filter(|(line, _)| line.start() <= at && at < line.end()) {
            return site;
        }
        let own = line_start(text, at);
        let (end, _) = line_end(text.as_bytes(), at);
        let site = Site::Above(if self.lines.contains(&own) { own } else { self.target.line_for(at, own) });
        self.last = Some((Span::new(own, end), site));
        site
    }
}

/// The first line of the code block or table that holds the byte `at`.
fn block_start(marks: &[Mark], at: usize) -> Option<usize> {
    let above = marks.get(..marks.partition_point(|mark| mark.line.start() <= at))?;
    let last = above.last()?;
    let inside = at <= last.line.end();
    match last.kind {
        MarkKind::FenceOpen | MarkKind::FencedHeading | MarkKind::FenceClose
            if inside || last.kind != MarkKind::FenceClose =>
        {
            above.iter().rev().find(|mark| mark.kind == MarkKind::FenceOpen).map(|mark| mark.line.start())
        }
        MarkKind::TableRow if inside => {
            let mut start = last.line.start();
            for mark in above.iter().rev().skip(1) {
                if mark.kind != MarkKind::TableRow || mark.next as usize != start {
                    break;
                }
                start = mark.line.start();
            }
            Some(start)
        }
        _ => None,
    }
}

/// Whether the code block at `block` was in a list item that has ended above the line at `own`.
fn has_left_item(text: &str, block: usize, own: usize) -> bool {
    let item = line_at(text, item_start(text, line_start(text, block))).as_bytes();
    let (indent, skip) = indentation(item);
    let content = item.get(skip..).and_then(item_marker).map_or(0, |marker| indent + marker + 1);
    let line = line_at(text, own);
    !line.trim().is_empty() && own > block && indentation(line.as_bytes()).0 < content
}

/// How many lines upwards a list item is looked for.
const FAR: usize = 100;

/// The blanks for a comment above the line at `own`: those of the line, or fewer where they make it code.
fn indent<'a>(text: &'a str, own: usize, columns: &mut ContentColumns<'_>) -> &'a str {
    let line = line_at(text, own);
    let (column, skip) = indentation(line.as_bytes());
    let blanks = line.get(..skip).unwrap_or_default();
    if column < 4 {
        return blanks;
    }
    let base = columns.at(own);
    if column < base + 4 { blanks } else { blanks.get(..base.min(skip)).unwrap_or_default() }
}

/// The line that starts at byte `at`, without its line end.
fn line_at(text: &str, at: usize) -> &str {
    Span::new(at, text.len()).of(text).split(['\n', '\r']).next().unwrap_or_default()
}

/// The first line of the list item to which the line at `own` belongs as text, else `own`.
fn item_start(text: &str, own: usize) -> usize {
    let mut start = own;
    for _ in 0..FAR {
        let line = line_at(text, start).as_bytes();
        let (indent, skip) = indentation(line);
        let Some(rest) = line.get(skip..).filter(|rest| !rest.is_empty()) else { return own };
        if item_marker(rest).is_some() {
            let (_, next) = line_end(text.as_bytes(), start);
            return if start == own || item_end(text, next, indent) > own { start } else { own };
        }
        if start == 0 || indent == 0 && !rest.first().is_some_and(u8::is_ascii_alphanumeric) {
            return own;
        }
        start = line_start(text, start - 1);
    }
    own
}

/// The start of the line that holds the byte `at`.
fn line_start(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut before = bytes.get(..at.min(bytes.len())).unwrap_or_default();
    // The line feed of a CRLF belongs to the line that it ends.
    if bytes.get(at) == Some(&b'\n') && before.last() == Some(&b'\r') {
        before = before.get(..before.len() - 1).unwrap_or_default();
    }
    memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1).max(if at >= 3 { bom_len(text) } else { 0 })
}
