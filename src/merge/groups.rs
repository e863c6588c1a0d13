//! What both sides have at one place, section by section: an entry that a side adds to a section stays out of the sections that the
//! other side adds.

use std::ops::Range;

use super::identity::Id;
use super::regions::places_in;
use super::versions::Versions;

/// The places of both sides that are merged with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub ours: Range<usize>,
    pub theirs: Range<usize>,
    /// Whether both sides began new sections at one place, over what is behind it.
    pub is_disputed: bool,
}

impl Pair {
    fn new(ours: Range<usize>, theirs: Range<usize>) -> Self {
        Self { ours, theirs, is_disputed: false }
    }
}

/// Cuts the places of a region into pairs, in order: what is above all headings, then each section that both sides have with itself, and
/// before it the sections that only our side has, and those that only their side has. `begins` says where a section begins.
///
/// Where the base has a heading in the region, one side removed it, moved it or gave it another title: what only one side has there is
/// one pair. So it is where both sides began sections over what is behind the region: it cannot be in both.
pub fn pairs(places: &Versions<Range<usize>>, ids: &Versions<&[Id]>, begins: &Versions<Vec<bool>>) -> Vec<Pair> {
    let heads = |range: &Range<usize>, begins: &[bool]| -> Vec<usize> {
        range.clone().filter(|place| begins.get(*place) == Some(&true)).collect()
    };
    let (ours, theirs) = (heads(&places.ours, &begins.ours), heads(&places.theirs, &begins.theirs));
    let is_new = heads(&places.base, &begins.base).is_empty();
    let titles =
        |heads: &[usize], ids: &[Id]| -> Vec<Option<Id>> { heads.iter().map(|at| ids.get(*at).copied()).collect() };
    let found = places_in(&titles(&ours, ids.ours), &titles(&theirs, ids.theirs));
    let start = |heads: &[usize], at: usize, end: usize| heads.get(at).copied().unwrap_or(end);
    let (our_start, their_start) =
        (|at: usize| start(&ours, at, places.ours.end), |at: usize| start(&theirs, at, places.theirs.end));
    let mut out = vec![Pair::new(places.ours.start..our_start(0), places.theirs.start..their_start(0))];
    let is_in_section = |at: usize, ids: &[Id], begins: &[bool]| at < ids.len() && begins.get(at) != Some(&true);
    let is_over = is_in_section(places.ours.end, ids.ours, &begins.ours)
        && is_in_section(places.theirs.end, ids.theirs, &begins.theirs);
    let mut next = (0, 0);
    let both = found.iter().enumerate().filter_map(|(at, place)| Some((at, (*place)?)));
    for (at, place) in both.chain([(ours.len(), theirs.len())]) {
        let (only_ours, only_theirs) = (our_start(next.0)..our_start(at), their_start(next.1)..their_start(place));
        let is_last = at == ours.len();
        let is_disputed = is_new && is_last && is_over && !only_ours.is_empty() && !only_theirs.is_empty();
        if is_new && !is_disputed {
            let (our_end, their_start) = (only_ours.end, only_theirs.start);
            out.push(Pair::new(only_ours, their_start..their_start));
            out.push(Pair::new(our_end..our_end, only_theirs));
        } else {
            out.push(Pair { ours: only_ours, theirs: only_theirs, is_disputed });
        }
        next = (at + 1, place + 1);
        out.push(Pair::new(our_start(at)..our_start(at + 1), their_start(place)..their_start(place + 1)));
    }
    out.retain(|pair| !pair.ours.is_empty() || !pair.theirs.is_empty());
    out
}
