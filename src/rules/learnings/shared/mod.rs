//! What the rules of this family have in common.

mod names;
mod oldest;

use bstr::{BStr, ByteSlice};
use jiff::civil::Date;
use jiff::tz::Offset;

pub use names::{expected, strangers, team};
pub use oldest::oldest;

use crate::document::Document;
use crate::formats::learnings::Entry;
use crate::formats::markdown::line::item_marker;
use crate::formats::timestamp::Timestamp;
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

/// Whether the change that is looked at touched what stands at `span`; all of it counts where there is no change.
pub fn counts(document: &Document<'_>, span: Span) -> bool {
    let Some(hunks) = document.before.and_then(|before| before.hunks.as_ref()) else { return true };
    let line = |at: usize| u32::try_from(document.source.position(at, ColumnUnit::Byte).line).unwrap_or(u32::MAX);
    let (first, last) = (line(span.start()), line(span.end().saturating_sub(1).max(span.start())));
    let at = hunks.partition_point(|(_, now)| now.end <= first);
    hunks.get(at).is_some_and(|(_, now)| now.start <= last)
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
pub fn at_lines(document: &Document<'_>, spans: impl IntoIterator<Item = Span>) -> String {
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

/// `a`, `a and b`, `a, b and c`.
pub fn enumerated(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}
