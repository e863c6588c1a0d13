//! Merges one entry, whatever its place.

use std::borrow::Cow;

use super::lines;
use super::parts::{Part, PartKind};
use super::versions::{Markers, Versions};

/// What a merge makes of one entry.
pub struct Outcome<'a> {
    /// What it is.
    pub kind: PartKind,
    /// What it says, with the markers of its conflicts.
    pub body: Cow<'a, str>,
    /// The blank lines and rules after it.
    pub tail: &'a str,
    /// How many conflicts it has.
    pub conflicts: usize,
    /// Whether the rules after it are in the body: what one side removed is in the conflict up to its end.
    pub is_closed: bool,
    /// All that `memory` should read as this entry, if at most one side changed that.
    pub whole: Option<&'a str>,
}

/// The merged entry; `None` if it is removed. It is disputed if one side moved it, and the other one removed it, or if it would have a
/// line again that one of them removed.
pub fn outcome<'a>(
    versions: &Versions<Option<&Part<'a>>>,
    is_disputed: bool,
    markers: &Markers<'_>,
) -> Option<Outcome<'a>> {
    let bodies = versions.map(|part| part.map(|part| part.body));
    let kind = versions.ours.or(versions.theirs).or(versions.base)?.kind;
    let tail = tail(&versions.map(|part| part.map(|part| part.tail)));
    let is_closed = versions.ours.is_none() || versions.theirs.is_none();
    let kept = bodies.trivial().or_else(|| longer_addition(&bodies)).filter(|_| !is_disputed);
    let (body, conflicts) = if let Some(body) = kept {
        (Cow::Borrowed(body?), 0)
    } else {
        // A line end of its own for the last line, which is not compared with one that has a line end.
        let end = |part: &Part<'a>| if is_closed { part.tail.trim_end() } else { "" };
        let texts = versions.map(|part| part.map(|part| format!("{}{}\n", part.body, end(part))).unwrap_or_default());
        let texts =
            Versions { base: texts.base.as_bytes(), ours: texts.ours.as_bytes(), theirs: texts.theirs.as_bytes() };
        let (merged, conflicts) =
            if is_disputed { (lines::conflict(texts, markers), 1) } else { lines::merge(texts, markers) };
        let merged = String::from_utf8(merged).ok()?;
        (Cow::Owned(merged.strip_suffix('\n').unwrap_or(&merged).to_owned()), conflicts)
    };
    let whole = versions.map(|part| part.map(|part| part.whole)).trivial().unwrap_or_else(|| retitled(versions));
    let is_entry = versions.iter().flatten().all(|part| !part.whole.is_empty());
    let is_closed = is_closed && conflicts > 0;
    Some(Outcome { kind, body, tail, conflicts, is_closed, whole: whole.filter(|_| is_entry && conflicts == 0) })
}

/// All that a side has of an entry to which it alone gave another title: what the other side has behind the old one is not its end.
fn retitled<'a>(versions: &Versions<Option<&Part<'a>>>) -> Option<&'a str> {
    let Versions { base: Some(base), ours: Some(ours), theirs: Some(theirs) } = *versions else { return None };
    let changed = if ours.body == base.body { theirs } else { ours };
    let is_alone = ours.body == base.body || theirs.body == base.body;
    Some(changed.whole).filter(|_| is_alone && changed.body.lines().next() != base.body.lines().next())
}

/// The longer text of two that both sides added, if it has all lines of the other one, in their order.
fn longer_addition<'a>(bodies: &Versions<Option<&'a str>>) -> Option<Option<&'a str>> {
    let Versions { base: None, ours: Some(ours), theirs: Some(theirs) } = *bodies else { return None };
    let (longer, shorter) = if ours.len() < theirs.len() { (theirs, ours) } else { (ours, theirs) };
    let mut rest = longer.lines();
    shorter.lines().all(|line| rest.any(|other| other == line)).then_some(Some(longer))
}

/// The blank lines and rules after a part: those that a side changed, the longer ones if both did.
pub fn tail<'a>(tails: &Versions<Option<&'a str>>) -> &'a str {
    match (tails.ours, tails.theirs) {
        (Some(ours), Some(theirs)) => {
            let longer = if (ours.len(), ours) < (theirs.len(), theirs) { theirs } else { ours };
            let base = tails.base.unwrap_or(longer);
            Versions { base, ours, theirs }.trivial().unwrap_or(longer)
        }
        (ours, theirs) => ours.or(theirs).or(tails.base).unwrap_or_default(),
    }
}
