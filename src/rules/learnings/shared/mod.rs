//! What the rules of this family have in common.

mod archive;
mod clauses;
mod contrast;
mod emptying;
mod for_good;
mod guidance;
mod introduction;
mod last;
mod names;
mod oldest;
mod similar;
mod stays;

use std::collections::HashSet;

use bstr::{BStr, ByteSlice};
use jiff::civil::Date;
use jiff::tz::Offset;

pub use archive::archiving;
pub use emptying::lines_gone;
pub use for_good::holds_for_good;
pub use guidance::guides;
pub use last::without_last;
pub use names::{expected, meant, members, team, unknown_names};
pub use oldest::{oldest, undated};
pub use similar::similar;
pub use stays::{is_open, kept, may_leave};

use crate::document::Document;
use crate::formats::learnings::{Entry, Learnings};
use crate::formats::markdown::line::item_marker;
use crate::formats::timestamp::Timestamp;
pub use crate::text::enumerated;
use crate::text::{ColumnUnit, Span, lines};

/// The latest day that any clock on earth shows at `now`: a mark is a day without an offset.
pub fn latest_day(now: Timestamp) -> Date {
    let moment = jiff::Timestamp::from_second(now.unix().saturating_add(14 * 3600));
    moment.map_or(Date::MAX, |moment| Offset::UTC.to_datetime(moment).date())
}

/// The folder of a member's file, which is called as the member.
pub fn member(path: &BStr) -> String {
    path.rsplit_str("/").nth(1).unwrap_or_default().to_str_lossy().into_owned()
}

/// So many entries are named by their lines.
const LINES: usize = 5;

/// The lines of the entries at `places`, and how many more there are.
pub fn named(document: &Document, learnings: &Learnings, places: &[usize]) -> String {
    let spans = places.iter().filter_map(|place| learnings.entries.get(*place)).map(|entry| entry.span);
    let spans: Vec<_> = spans.collect();
    let all = at_lines(document, spans.iter().copied());
    match spans.len().saturating_sub(LINES) {
        more if more > 0 && all.matches(',').count() >= LINES => {
            let named = at_lines(document, spans.into_iter().take(LINES));
            format!("{} (and {more} more entries)", named.replace(" and ", ", "))
        }
        _ => all,
    }
}

/// What a change touched of a file's entries.
#[derive(Debug)]
pub struct Touched<'a> {
    document: &'a Document,
    /// The entries that were there before; `None` if there is no change, or nothing was there.
    before: Option<HashSet<String>>,
}

impl<'a> Touched<'a> {
    /// What the checked change touched in `document`.
    pub fn of(document: &'a Document) -> Self {
        let old = document.before.as_ref().and_then(|before| before.source.as_ref().filter(|_| before.hunks.is_some()));
        let entries = |text: &str| Learnings::parse(text).entries.iter().map(|entry| key(text, entry.span)).collect();
        Self { document, before: old.map(|old| entries(old.text())) }
    }

    /// Whether the entry at `span` is new or changed. Without a change, every entry counts.
    pub fn holds(&self, span: Span) -> bool {
        self.before.as_ref().is_none_or(|before| !before.contains(&key(self.document.text(), span)))
    }
}

/// What tells an entry from others, whatever its line ends.
fn key(text: &str, span: Span) -> String {
    span.of(text).trim().replace("\r\n", "\n")
}

/// The first line of what was learned: where a finding about the whole entry points.
pub fn first_line(text: &str, entry: &Entry) -> Span {
    let what = if entry.text.is_empty() { entry.span.trim(text) } else { entry.text };
    lines(text, what).next().unwrap_or(what)
}

/// The end of the first paragraph of an entry, where its marks belong.
pub fn end_of_paragraph(text: &str, entry: &Entry) -> usize {
    let mut end = entry.span.start();
    for (number, line) in lines(text, entry.span).enumerate() {
        let rest = line.trim(text).of(text).as_bytes();
        let is_other = item_marker(rest).is_some() || matches!(rest, [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..]);
        if number > 0 && (is_other || rest.is_empty() || matches!(rest, [b'|' | b'>' | b'#', ..])) {
            break;
        }
        end = line.trim(text).end();
    }
    end
}

/// The lines at which `spans` start, as people say it: `line 4`, `lines 4, 6–8 and 12`.
pub fn at_lines(document: &Document, spans: impl IntoIterator<Item = Span>) -> String {
    let mut numbers: Vec<usize> =
        spans.into_iter().map(|span| document.source.position(span.start(), ColumnUnit::Byte).line).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let words = runs.iter().flat_map(|&(first, last)| match last - first {
        0 => vec![first.to_string()],
        1 => vec![first.to_string(), last.to_string()],
        _ => vec![format!("{first}–{last}")],
    });
    let words: Vec<String> = words.collect();
    let noun = if matches!(words.as_slice(), [one] if !one.contains('–')) { "line" } else { "lines" };
    format!("{noun} {}", enumerated(&words))
}
