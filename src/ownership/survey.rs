//! All files at once: what no glob matches, which glob matches none, and which two are at odds over some.

use std::collections::{BTreeMap, HashMap};

use bstr::{BStr, BString};

use super::tree::Finder;
use super::{Owners, Ownership};

/// How many of the files that nobody owns are kept.
const SHOWN: usize = 3;

/// Two globs of different members that match the same files, and of which neither is the more precise one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// The number of the one that comes first.
    pub first: usize,
    /// The number of the other.
    pub second: usize,
    /// How many files nobody owns because of them; 0 for two globs that mean the same and match none.
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
    /// How many files nobody owns.
    pub unowned: usize,
    /// The first of these.
    pub unowned_files: Vec<BString>,
}

/// The files that the same globs match.
struct Group<'p> {
    files: usize,
    first: Vec<&'p BStr>,
}

impl Survey {
    pub(super) fn new<'p>(ownership: &Ownership, paths: impl IntoIterator<Item = &'p BStr>) -> Self {
        let mut finder = Finder::new(&ownership.tree);
        let mut groups: Vec<Group<'p>> = Vec::new();
        let mut survey = Self::default();
        for path in paths {
            survey.files += 1;
            let set = finder.find(path);
            while groups.len() <= set {
                groups.push(Group { files: 0, first: Vec::new() });
            }
            let Some(group) = groups.get_mut(set) else { continue };
            group.files += 1;
            if group.first.len() < SHOWN {
                group.first.push(path);
            }
        }
        let mut unowned: Vec<&'p BStr> = Vec::new();
        let mut files_of = vec![0; ownership.classes.len()];
        // Many sets have the same globs at odds.
        let mut disputes: BTreeMap<Vec<usize>, (usize, Option<&'p BStr>)> = BTreeMap::new();
        for (classes, group) in finder.sets().iter().zip(&groups) {
            for class in classes {
                if let Some(files) = files_of.get_mut(*class) {
                    *files += group.files;
                }
            }
            let Owners { deciding, .. } = ownership.owners_of(classes);
            if deciding.is_empty() {
                survey.unowned += group.files;
                unowned.extend(&group.first);
            } else if deciding.len() > 1 {
                let dispute = disputes.entry(deciding).or_default();
                dispute.0 += group.files;
                dispute.1 = dispute.1.into_iter().chain(group.first.first().copied()).min();
            }
        }
        unowned.sort_unstable();
        survey.unowned_files = unowned.into_iter().take(SHOWN).map(BString::from).collect();
        let of_class = |class: &Option<usize>| class.and_then(|class| files_of.get(class).copied());
        survey.matches = ownership.class_of.iter().map(of_class).collect();
        survey.contests = contests(ownership, &disputes);
        survey
    }
}

fn contests(ownership: &Ownership, disputes: &BTreeMap<Vec<usize>, (usize, Option<&BStr>)>) -> Vec<Contest> {
    let mut pairs: HashMap<(usize, usize), (usize, Option<&BStr>)> = HashMap::new();
    let unmatched = ownership.classes.iter().map(|class| (&class.globs, (0, None)));
    for (globs, (files, example)) in disputes.iter().map(|(globs, found)| (globs, *found)).chain(unmatched) {
        let Some(&first) = globs.first() else { continue };
        for &second in globs.iter().filter(|glob| ownership.member(**glob) != ownership.member(first)) {
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
