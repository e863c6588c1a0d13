//! All files at once: what no glob matches, which glob matches none, and which two are at odds over some.

use std::collections::{BTreeMap, HashMap};

use bstr::{BStr, BString};

use super::tree::Finder;
use super::{Claimed, Ownership};

/// How many files without an owner are kept.
const SHOWN: usize = 3;

/// Two globs of different members that match the same files, where neither is more specific.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// The number of the one that comes first.
    pub first: usize,
    /// The number of the other.
    pub second: usize,
    /// How many files have no clear owner because of them; 0 for two globs that mean the same and match none.
    pub files: usize,
    /// The first of these.
    pub example: Option<BString>,
}

/// What the globs of a team say about all files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// How many files there are.
    pub files: usize,
    /// How many of them each glob matches; `None` for one that could not be read.
    pub matches: Vec<Option<usize>>,
    /// The globs at odds, in the order of the second and the first. Where more than two are at odds over a file, each is
    /// shown with the first of them.
    pub contests: Vec<Contest>,
    /// How many of the files that need an owner have none.
    pub unowned: usize,
    /// The first of these.
    pub unowned_files: Vec<BString>,
}

/// The files that the same globs match.
struct Group<'p> {
    files: usize,
    first: &'p BStr,
    /// The most precise of the globs.
    deciding: Vec<usize>,
}

impl Ownership {
    /// What the globs have to say about `paths`; see [`Survey`]. Of the files that no glob matches, those count that
    /// `wants_owner`.
    pub fn survey<'p>(&self, paths: impl IntoIterator<Item = &'p BStr>, wants_owner: impl Fn(&BStr) -> bool) -> Survey {
        Survey::new(self, paths, wants_owner)
    }

    /// Whether a glob matches one of `paths`. The paths after that one are not asked for.
    pub fn match_any<'p>(&self, paths: impl IntoIterator<Item = &'p BStr>) -> bool {
        let mut finder = Finder::new(&self.tree);
        paths.into_iter().any(|path| {
            let set = finder.find(path);
            finder.sets().get(set).is_some_and(|classes| !classes.is_empty())
        })
    }
}

impl Survey {
    fn new<'p>(
        ownership: &Ownership,
        paths: impl IntoIterator<Item = &'p BStr>,
        wants_owner: impl Fn(&BStr) -> bool,
    ) -> Self {
        let mut finder = Finder::new(&ownership.tree);
        let mut groups: Vec<Group<'p>> = Vec::new();
        let mut survey = Self::default();
        for path in paths {
            survey.files += 1;
            let set = finder.find(path);
            // Sets are numbered as they come: one that is new has the next number.
            if set >= groups.len() {
                for classes in finder.sets().get(groups.len()..=set).unwrap_or_default() {
                    groups.push(Group { files: 0, first: path, deciding: ownership.owners_of(classes).deciding });
                }
            }
            let Some(group) = groups.get_mut(set) else { continue };
            group.files += 1;
            if group.files == 1 {
                group.first = path;
            }
            if group.deciding.is_empty() && wants_owner(path) {
                survey.unowned += 1;
                if survey.unowned <= SHOWN {
                    survey.unowned_files.push(path.into());
                }
            }
        }
        let mut matches = vec![0; ownership.globs.len()];
        // Many sets have the same globs at odds.
        let mut disputes: BTreeMap<Vec<usize>, (usize, Option<&'p BStr>)> = BTreeMap::new();
        for (classes, group) in finder.sets().iter().zip(groups).filter(|(_, group)| group.files > 0) {
            for glob in ownership.globs_of(classes) {
                matches.get_mut(glob).into_iter().for_each(|files| *files += group.files);
            }
            if group.deciding.len() > 1 {
                let dispute = disputes.entry(group.deciding).or_default();
                dispute.0 += group.files;
                dispute.1 = dispute.1.into_iter().chain([group.first]).min();
            }
        }
        let readable = |(glob, files): (&Claimed, usize)| glob.readable.then_some(files);
        survey.matches = ownership.globs.iter().zip(matches).map(readable).collect();
        survey.contests = contests(ownership, &disputes);
        survey
    }
}

fn contests(ownership: &Ownership, disputes: &BTreeMap<Vec<usize>, (usize, Option<&BStr>)>) -> Vec<Contest> {
    let mut pairs: HashMap<(usize, usize), (usize, Option<&BStr>)> = HashMap::new();
    let is_of_others = |first: usize, second: usize| ownership.member(first) != ownership.member(second);
    for &(first, second) in ownership.repeated.iter().filter(|(first, second)| is_of_others(*first, *second)) {
        pairs.insert((second, first), (0, None));
    }
    for (globs, &(files, example)) in disputes {
        let Some(&first) = globs.first() else { continue };
        for &second in globs.iter().filter(|second| is_of_others(first, **second)) {
            let pair = pairs.entry((second, first)).or_default();
            pair.0 += files;
            pair.1 = pair.1.into_iter().chain(example).min();
        }
    }
    let contest = |((second, first), (files, example)): (_, (_, Option<&BStr>))| Contest {
        first,
        second,
        files,
        example: example.map(BString::from),
    };
    let mut contests: Vec<_> = pairs.into_iter().map(contest).collect();
    contests.sort_unstable_by_key(|contest| (contest.second, contest.first));
    contests
}
