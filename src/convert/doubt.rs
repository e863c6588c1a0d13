//! Dates that cannot be right: those that the history, the team or the entries around them speak against.

use super::reason::Reason;
use super::subject::{EntryFile, FirstSeen, Lifetime, Pattern, Subject, Written, matches};
use super::when::{day_of, read};
use super::{Confidence, Evidence};
use crate::formats::legacy::day;
use crate::formats::timestamp::Timestamp;
use crate::text::Span;

/// Seconds.
const DAY: i64 = 24 * 60 * 60;

/// Where the day begins first, it does so many seconds before it begins in UTC.
const FIRST_ZONE: i64 = 14 * 60 * 60;

/// So many days before its commit, a date that is before the team was invented.
const LONG_BEFORE: i64 = 60;

/// Adds why the date is doubtful. Where the history refutes it, the date of the commit that added the heading is taken instead: agents
/// who do not know the date invent one.
pub fn apply(subject: Subject<'_>, origin: Option<&FirstSeen>, evidence: &mut Evidence<Timestamp>) {
    let Some(at) = evidence.value else { return };
    let written = origin.and_then(|origin| origin.as_written.as_ref());
    let is_day = evidence.reasons.contains(&Reason::Midnight);
    let doubt = of_file(subject, at).or_else(|| after_its_commit(written?, at, is_day));
    let Some(doubt) = doubt.or_else(|| out_of_line(subject, at)) else { return };
    evidence.strength = evidence.strength.min(Confidence::Medium);
    // The first commit of a repository has what its team wrote, if that was created in those days.
    let begins =
        |written: &Written| subject.place.created.is_some_and(|day| (day.unix() - written.at.unix()).abs() <= 7 * DAY);
    let is_refuted = |written: &&Written| match doubt {
        Reason::BeforeFirstCommit(_) | Reason::BeforeTeam(_) | Reason::FarFromTeam(..) if written.is_first => {
            begins(written) && !written.moved_here
        }
        _ if written.is_first => false,
        Reason::AfterLastCommit(_) | Reason::AfterArchive(_) | Reason::AfterItsCommit(..) => true,
        Reason::BeforeFirstCommit(_) => !written.moved_here,
        Reason::BeforeTeam(_) | Reason::FarFromTeam(..) => {
            !written.moved_here && (at.unix() - written.at.unix()).abs() > LONG_BEFORE * DAY
        }
        _ => false,
    };
    let instead = written.filter(|written| of_file(subject, written.at).is_none()).filter(is_refuted);
    evidence.reasons.push(doubt);
    let Some(Written { commit, at: first, .. }) = instead else { return };
    // The text keeps what it says.
    evidence.used.clear();
    let day = with_year_of(at, *first).filter(|day| *day != at && of_file(subject, *day).is_none());
    if let Some(day) = day {
        evidence.value = Some(day);
        return evidence.reasons.push(Reason::YearInstead(commit.clone(), day_of(*first)));
    }
    evidence.value = Some(*first);
    evidence.reasons.retain(|reason| !matches!(reason, Reason::Midnight | Reason::NoOffset));
    evidence.reasons.push(Reason::CommitInstead(commit.clone(), first.to_string()));
}

/// Gives an entry whose date is only a month, `2025-07`, the time of the commit that added it, where that is of this month, or the history
/// refutes all of the month.
pub fn of_month(subject: Subject<'_>, origin: Option<&FirstSeen>, evidence: &mut Evidence<Timestamp>) {
    let [Reason::UnclearDate(text)] = evidence.reasons.as_slice() else { return };
    let month = text.trim().split_once('-').filter(|(year, month)| year.len() == 4 && month.len() == 2);
    let Some((Ok(year), Ok(month))) = month.map(|(year, month)| (year.parse(), month.parse())) else { return };
    let (Some(last), Some(origin)) = (Timestamp::midnight(year, month, 28), origin) else { return };
    let is_same = day_of(origin.at).get(..7) == Some(text.trim());
    if evidence.value.is_none()
        && (is_same || matches!(of_place(&subject.place, last), Some(Reason::BeforeFirstCommit(_))))
    {
        (evidence.value, evidence.strength) = (Some(origin.at), Confidence::Medium);
        evidence.reasons.push(Reason::DateFromCommit(origin.commit.clone(), origin.at.to_string()));
    }
}

/// The moment `at` in the year of its commit, where that is in the week before it: a slip of the year.
fn with_year_of(at: Timestamp, commit: Timestamp) -> Option<Timestamp> {
    let (text, year) = (at.to_string(), commit.to_string());
    let day = Timestamp::read(&format!("{}{}", year.get(..4)?, text.get(4..)?))?;
    let is_near = day.unix() <= commit.unix() && commit.unix() - day.unix() <= 7 * DAY;
    is_near.then_some(day)
}

/// Why a date is doubtful, whatever the entries around it have.
fn of_file(subject: Subject<'_>, at: Timestamp) -> Option<Reason> {
    of_place(&subject.place, at).or_else(|| after_archive(subject, at))
}

/// Why a date is doubtful: it is before the repository, the team or nearly all of its entries, or after the last commit.
fn of_place(place: &EntryFile<'_>, at: Timestamp) -> Option<Reason> {
    let is_before = |first: &Timestamp, days: i64| at.unix() < first.unix() - days * DAY;
    if let Some(first) = place.lifetime.and_then(|known| known.first).filter(|first| is_before(first, 7)) {
        return Some(Reason::BeforeFirstCommit(day_of(first)));
    }
    if let Some(created) = place.created.filter(|created| is_before(created, 7)) {
        return Some(Reason::BeforeTeam(day_of(created)));
    }
    let is_late = |last: Timestamp| place.lifetime.is_none() && at.unix() > last.unix() + 60 * DAY;
    if let Some((first, last)) = place.usual.filter(|(first, last)| is_before(first, 60) || is_late(*last)) {
        return Some(Reason::FarFromTeam(day_of(first), day_of(last)));
    }
    let Lifetime { last, now, .. } = place.lifetime?;
    let is_new = (at.unix() - now.unix()).abs() <= 2 * DAY;
    (at.unix() > last.unix() + 2 * DAY && !is_new).then(|| Reason::AfterLastCommit(day_of(last)))
}

/// Why a date, which `is_day` without a time of day, is doubtful: it is later than the commit that added it.
fn after_its_commit(written: &Written, at: Timestamp, is_day: bool) -> Option<Reason> {
    let committed = written.committed.max(written.at.unix());
    // The day had not begun yet, neither in UTC nor where it was written. A machine in UTC says nothing of where that is, and a time may be
    // of any zone.
    let offset = i64::from(written.at.offset());
    let zone = if is_day && offset != 0 { offset.max(0) * 60 } else { FIRST_ZONE };
    let is_later = at.unix() > committed.saturating_add(zone);
    (is_later && !written.is_first).then(|| Reason::AfterItsCommit(written.commit.clone(), day_of(written.at)))
}

/// Why a date is doubtful: the entries before and after it are of one month, and it is of another time. One of them may have a
/// wrong date itself. Where those right beside it are of a few days, a week is another time; the histories of agents have no such order.
fn out_of_line(subject: Subject<'_>, at: Timestamp) -> Option<Reason> {
    // What is doubtful itself says nothing of others.
    let sound = |at: &Timestamp| of_file(subject, *at).is_none();
    let moments = |dates: [Option<Span>; 2]| {
        dates.map(|date| Some(read(subject.of(date?))?.at).filter(|at: &Timestamp| sound(at)))
    };
    let apart = |one: Timestamp, other: Timestamp| (one.unix() - other.unix()).abs();
    let is_far = |other: Timestamp| apart(other, at) > 60 * DAY;
    let (before, after) = (moments(subject.beside.before), moments(subject.beside.after));
    let is_off = |(before, after): &(Timestamp, Timestamp)| {
        apart(*before, *after) <= 4 * DAY && apart(*before, at).min(apart(*after, at)) >= 7 * DAY
    };
    let (last, next) = (before.first().copied().flatten(), after.first().copied().flatten());
    let is_ordered = !subject.is_kept() && !subject.beside.shares_its_day;
    if let Some((last, _)) = last.zip(next).filter(|pair| is_ordered && is_off(pair)) {
        return Some(Reason::OtherTime(day_of(last)));
    }
    let beside = last.into_iter().chain(next);
    let mut pairs =
        before.iter().flatten().flat_map(|before| after.iter().flatten().map(move |after| (*before, *after)));
    let agree = |(before, after): &(Timestamp, Timestamp)| {
        apart(*before, *after) <= 31 * DAY && is_far(*before) && is_far(*after)
    };
    let (before, _) = pairs.find(agree)?;
    beside.into_iter().all(is_far).then(|| Reason::OtherTime(day_of(before)))
}

/// Why a date is doubtful: it is later than the archive that has it, `decisions-archive-2026-04-17.md` or `Archived on 2026-04-17` in
/// its first lines.
fn after_archive(subject: Subject<'_>, at: Timestamp) -> Option<Reason> {
    static ARCHIVED: Pattern = Pattern::new(r"(?i)^[>*_\s]*archived on\b");
    const FIRST_LINES: usize = 8;
    let day = |text: &str| day::find(text)?.date.map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"));
    let name = subject.file_name();
    let head = subject.text.get(..subject.entry.heading.start()).unwrap_or_default();
    let said = head.lines().take(FIRST_LINES).filter(|line| matches(&ARCHIVED, line)).find_map(day);
    let of_name = || day(&name).filter(|_| name.to_lowercase().contains("archive"));
    let archived = said.or_else(of_name)?;
    (day_of(at) > archived).then_some(Reason::AfterArchive(archived))
}
