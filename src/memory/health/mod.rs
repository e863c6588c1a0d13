//! The health of a memory: findings about its age and its size, and what the entries themselves show.

pub mod over;
pub mod report;

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use self::over::Over;
use super::record::{DAY, Record};
use super::show::Moments;
use crate::diagnostic::{Diagnostic, Severity};
use crate::facts::Run;
use crate::facts::loaded::{self, Load};
use crate::formats::timestamp::Timestamp;
use crate::outcome::Outcome;
use crate::text::{ColumnUnit, Span};

/// The topics, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Merge conflicts, between whose markers no entry applies.
    Conflict,
    /// Entries that should have been reviewed.
    Expired,
    /// Entries that are to be reviewed soon.
    ExpiringSoon,
    /// Entries that refer to one that was replaced.
    CitesSuperseded,
    /// Entries that agents load although another one replaces them.
    Superseded,
    /// Learnings that were not confirmed for long.
    Stale,
    /// Agents that load too much.
    Budget,
    /// Files over their limits from which `memory archive` moves nothing.
    TooLarge,
    /// Files from which `memory archive` moves entries.
    Archive,
}

impl Topic {
    /// All, in the order of the report.
    pub const ALL: [Self; 9] = [
        Self::Conflict,
        Self::Expired,
        Self::ExpiringSoon,
        Self::CitesSuperseded,
        Self::Superseded,
        Self::Stale,
        Self::Budget,
        Self::TooLarge,
        Self::Archive,
    ];

    /// Its name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Expired => "expired",
            Self::ExpiringSoon => "expiring-soon",
            Self::CitesSuperseded => "cites-superseded",
            Self::Superseded => "superseded",
            Self::Stale => "stale",
            Self::Budget => "budget",
            Self::TooLarge => "too-large",
            Self::Archive => "archive",
        }
    }

    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Conflict => "in conflict",
            Self::Expired => "expired",
            Self::ExpiringSoon => "expiring soon",
            Self::CitesSuperseded => "cites a superseded entry",
            Self::Superseded => "superseded, and still loaded",
            Self::Stale => "stale",
            Self::Budget => "too much to load",
            Self::TooLarge => "too large, and cannot be archived",
            Self::Archive => "can be archived",
        }
    }

    /// The topic of a rule's findings.
    fn of(rule: &str) -> Option<Self> {
        RULES.into_iter().find(|(name, _)| *name == rule).map(|(_, topic)| topic)
    }
}

/// The rules whose findings are part of the report.
pub const RULES: [(&str, Topic); 6] = [
    ("markdown/conflict-marker", Topic::Conflict),
    ("sem/expired", Topic::Expired),
    ("learnings/stale-entry", Topic::Stale),
    ("learnings/unsettled-note", Topic::Stale),
    ("memory/context-budget", Topic::Budget),
    ("memory/file-too-large", Topic::Archive),
];

/// One thing to look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// What it is about.
    pub topic: Topic,
    /// The file.
    pub path: BString,
    /// The line, from 1; `None` for a whole file.
    pub line: Option<usize>,
    /// What it says.
    pub message: String,
    /// How much it matters.
    pub severity: Severity,
}

/// The report.
#[derive(Debug)]
pub struct Health {
    /// What to look at, by topic and place.
    pub items: Vec<Item>,
    /// What the agents of each state root load, the one with the most first.
    pub loads: Vec<(BString, Vec<Load>)>,
    /// The most tokens that an agent may load.
    pub most: u64,
    /// How many entries apply, of how many.
    pub entries: (usize, usize),
}

impl Health {
    /// The memory of `run`, whose entries are `records`. The rules say what was `found` in it. An entry that expires within
    /// `soon` seconds is shown.
    pub fn of(run: &Run<'_>, records: &[Record<'_>], found: Found<'_>, soon: i64) -> Self {
        let now = run.options.now;
        let places: Places<'_, '_> =
            records.iter().map(|record| ((record.document.path(), record.span.start()), record)).collect();
        let of_rules = found.outcome.diagnostics.iter();
        let mut items: Vec<Item> =
            of_rules.filter_map(|diagnostic| from_rule(diagnostic, found.outcome, &places)).collect();
        items.extend(found.over.iter().map(|over| {
            let (path, severity) = (over.diagnostic.path.clone(), over.severity(found.outcome));
            let topic = if over.moves { Topic::Archive } else { Topic::TooLarge };
            Item { topic, path, line: None, message: over.message(), severity }
        }));
        let moments = Moments::of(records);
        for record in records {
            items.extend(expiring(record, now, soon));
            items.extend(cites(record, &moments, now));
            items.extend(replaced(record));
        }
        items.sort();
        let roots: BTreeSet<&BStr> = run.documents.iter().map(|document| document.root()).collect();
        let loads = roots.into_iter().map(|root| (root.to_owned(), loaded::of(run, root)));
        Self {
            items,
            loads: loads.filter(|(_, loads)| !loads.is_empty()).collect(),
            most: run.options.memory.max_context_tokens.get(),
            entries: (records.iter().filter(|record| record.is_in_force(now)).count(), records.len()),
        }
    }

    /// The highest severity of all items.
    pub fn worst(&self) -> Option<Severity> {
        self.items.iter().map(|item| item.severity).max()
    }
}

/// What the rules find.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// What [`RULES`] find, as the configuration has them.
    pub outcome: &'a Outcome,
    /// The files over their limits, as `memory archive` sees them.
    pub over: &'a [Over],
}

/// The entries by their files and the bytes at which they begin.
type Places<'r, 'd> = BTreeMap<(&'d BStr, usize), &'r Record<'d>>;

fn from_rule(diagnostic: &Diagnostic, outcome: &Outcome, places: &Places<'_, '_>) -> Option<Item> {
    // What `memory archive` makes of a file is not what the configuration makes of the rule.
    let topic = Topic::of(diagnostic.rule.name).filter(|topic| *topic != Topic::Archive)?;
    let source = outcome.source(&diagnostic.path);
    let line = |at| Some(source?.position(at, ColumnUnit::Byte).line);
    let place = diagnostic.span.map(Span::start);
    let message = &diagnostic.message;
    let message = match topic {
        Topic::Conflict => {
            let end = diagnostic.related.first().and_then(|related| line(related.span.start()));
            let end = end.map(|end| format!(", up to line {end}")).unwrap_or_default();
            format!("{message}{end}: entries in it do not apply")
        }
        Topic::Expired => match place.and_then(|at| places.range(..=(diagnostic.path.as_bstr(), at)).next_back()) {
            Some((_, record)) if record.document.path() == diagnostic.path => format!("{message}: {}", record.summary),
            _ => message.clone(),
        },
        _ => message.clone(),
    };
    let (path, severity) = (diagnostic.path.clone(), diagnostic.severity);
    Some(Item { topic, path, line: place.and_then(line), message, severity })
}

fn item(record: &Record<'_>, topic: Topic, severity: Severity, message: String) -> Item {
    Item { topic, path: record.document.path().to_owned(), line: Some(record.line()), message, severity }
}

fn expiring(record: &Record<'_>, now: Timestamp, soon: i64) -> Option<Item> {
    let expires = record.expires.filter(|_| record.is_in_force(now))?;
    let left = expires.unix().saturating_sub(now.unix());
    if !(0..=soon).contains(&left) {
        return None;
    }
    let when = match left / DAY {
        0 => "within a day".to_owned(),
        1 => "in 1 day".to_owned(),
        days => format!("in {days} days"),
    };
    Some(item(record, Topic::ExpiringSoon, Severity::Info, format!("expires {when}: {}", record.summary)))
}

/// So many entries of one moment are examined.
const LOOKED_AT: usize = 64;

/// What an entry that applies refers to, and that another entry has replaced since. The one that replaces it may name it.
fn cites(record: &Record<'_>, moments: &Moments<'_, '_>, now: Timestamp) -> Option<Item> {
    if !record.is_in_force(now) {
        return None;
    }
    let replaced = record.related.iter().find_map(|related| {
        let cited = related.reading.moment()?;
        let by = moments
            .at(cited)
            .iter()
            .take(LOOKED_AT)
            .filter(|other| other.home() == record.home())
            .find_map(|one| one.superseded_by)?;
        let is_own = record.when.moment().is_some_and(|own| own.unix() == by.unix());
        (!is_own).then_some((cited, by))
    });
    let (cited, by) = replaced?;
    let message = format!("refers to {cited}, which {by} replaces: {}", record.summary);
    Some(item(record, Topic::CitesSuperseded, Severity::Warning, message))
}

/// An entry that agents load although another one replaces it.
fn replaced(record: &Record<'_>) -> Option<Item> {
    let by = record.superseded_by.filter(|_| record.is_loaded && !record.is_archived())?;
    Some(item(record, Topic::Superseded, Severity::Info, format!("superseded by {by}: {}", record.summary)))
}
