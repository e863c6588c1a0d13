//! Who owns which file: the globs that the members of a team have under `owns`, over all files of a repository at once.
//!
//! All globs are one tree of parts, down which a path is led folder by folder; paths come sorted, so what applies to a folder
//! is found out once. Nothing is compiled: names are looked up, and of those with wildcards only the ones with the right
//! extension are compared.
//!
//! Of the globs that match a file, the most precise count: one is left out if another matches a part of what it matches.
//! If the remaining globs belong to more than one member, the file has no clear owner.

mod error;
mod glob;
pub mod overlap;
mod pattern;
mod specificity;
mod survey;
mod tree;

use std::collections::HashMap;

use bstr::BStr;

pub use error::GlobError;
pub use survey::{Contest, Survey};

use glob::{Alternative, Glob};
use tree::{Finder, Tree};

/// What is wrong with `glob`, if it is invalid.
pub fn problem(glob: &str) -> Option<GlobError> {
    Glob::parse(glob).err()
}

/// How many globs with no order among them are compared with each other; what is beyond counts as one more owner.
const WINNERS_MAX: usize = 64;

/// A glob without braces, of whoever has written it.
#[derive(Debug)]
struct Class {
    alternative: Alternative,
    /// The numbers of the globs that are it, or of whose braces it is a part.
    globs: Vec<usize>,
}

/// The globs of a team, each with the number of its member. Their own numbers are those in the order they were given in.
#[derive(Debug)]
pub struct Ownership {
    classes: Vec<Class>,
    globs: Vec<Claimed>,
    /// The number of a glob, and of a later one that says the same.
    repeated: Vec<(usize, usize)>,
    tree: Tree,
    has_negated: bool,
}

/// What is known of a glob.
#[derive(Clone, Copy, Debug)]
struct Claimed {
    member: usize,
    negated: bool,
    readable: bool,
}

/// Who owns a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owners {
    /// The globs that match it and are not taken back, by their numbers.
    pub matching: Vec<usize>,
    /// The most precise of them.
    pub deciding: Vec<usize>,
}

impl Ownership {
    /// The globs with the numbers of their members. An invalid glob matches nothing.
    pub fn new<'a>(globs: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let mut new = Self {
            classes: Vec::new(),
            globs: Vec::new(),
            repeated: Vec::new(),
            tree: Tree::default(),
            has_negated: false,
        };
        let mut alternatives: Vec<(Alternative, usize)> = Vec::new();
        for (number, (member, text)) in globs.into_iter().enumerate() {
            let glob = Glob::parse(text).ok();
            let negated = glob.as_ref().is_some_and(|glob| glob.negated);
            new.globs.push(Claimed { member, negated, readable: glob.is_some() });
            new.has_negated |= negated;
            alternatives.extend(glob.into_iter().flat_map(|glob| glob.alternatives).map(|one| (one, number)));
        }
        alternatives.sort_unstable();
        let mut classes_of: Vec<Vec<usize>> = vec![Vec::new(); new.globs.len()];
        for (alternative, glob) in alternatives {
            match new.classes.last_mut() {
                Some(class) if class.alternative == alternative => class.globs.push(glob),
                _ => new.classes.push(Class { alternative, globs: vec![glob] }),
            }
            classes_of.get_mut(glob).into_iter().for_each(|classes| classes.push(new.classes.len() - 1));
        }
        let mut firsts: HashMap<Vec<usize>, usize> = HashMap::new();
        for (number, classes) in classes_of.into_iter().enumerate().filter(|(_, classes)| !classes.is_empty()) {
            if new.globs.get(number).is_some_and(|glob| !glob.negated) {
                let first = *firsts.entry(classes).or_insert(number);
                new.repeated.extend((first != number).then_some((first, number)));
            }
        }
        new.tree = Tree::new(new.classes.iter().map(|class| &class.alternative).zip(0..));
        new
    }

    /// The member of the glob with that number.
    pub fn member(&self, glob: usize) -> Option<usize> {
        self.globs.get(glob).map(|glob| glob.member)
    }

    /// Who owns each of `paths`, which are relative to the folder of the team; quickest where they are sorted.
    pub fn owners<'p>(&self, paths: impl IntoIterator<Item = &'p BStr>) -> Vec<Owners> {
        let mut finder = Finder::new(&self.tree);
        let sets: Vec<usize> = paths.into_iter().map(|path| finder.find(path)).collect();
        let owners: Vec<Owners> = finder.sets().iter().map(|classes| self.owners_of(classes)).collect();
        sets.into_iter().map(|set| owners.get(set).cloned().unwrap_or_default()).collect()
    }

    /// The globs that are, or hold, one of `classes`, in order, each once.
    fn globs_of(&self, classes: &[usize]) -> Vec<usize> {
        let classes = classes.iter().filter_map(|class| self.classes.get(*class));
        let mut globs: Vec<usize> = classes.flat_map(|class| &class.globs).copied().collect();
        globs.sort_unstable();
        globs.dedup();
        globs
    }

    fn owners_of(&self, classes: &[usize]) -> Owners {
        let mut matching = self.globs_of(classes);
        if !self.has_negated {
            return Owners { matching, deciding: self.globs_of(&self.most_specific(classes)) };
        }
        let claimed = |glob: &usize| self.globs.get(*glob);
        let takers: Vec<usize> =
            matching.iter().filter_map(claimed).filter(|glob| glob.negated).map(|glob| glob.member).collect();
        let is_kept = |glob: &usize| claimed(glob).is_some_and(|glob| !glob.negated && !takers.contains(&glob.member));
        matching.retain(is_kept);
        let is_held = |class: &&usize| self.globs_of(&[**class]).iter().any(is_kept);
        let classes: Vec<usize> = classes.iter().filter(is_held).copied().collect();
        let mut deciding = self.globs_of(&self.most_specific(&classes));
        deciding.retain(is_kept);
        Owners { matching, deciding }
    }

    /// Those of `classes` that cover none of the others.
    fn most_specific(&self, classes: &[usize]) -> Vec<usize> {
        let covers = |outer: usize, inner: usize| {
            let pair = self.classes.get(outer).zip(self.classes.get(inner));
            pair.is_some_and(|(outer, inner)| specificity::covers(&outer.alternative, &inner.alternative))
        };
        let mut winners: Vec<usize> = Vec::new();
        for &class in classes {
            let (mut beaten, mut beats) = (false, Vec::new());
            for &other in winners.iter().take(WINNERS_MAX) {
                match (covers(class, other), covers(other, class)) {
                    (true, false) => beaten = true,
                    (false, true) => beats.push(other),
                    // The same in other words, or neither in the other.
                    _ => {}
                }
            }
            if !beaten {
                winners.retain(|winner| !beats.contains(winner));
                winners.push(class);
            }
        }
        winners
    }
}

#[cfg(test)]
mod tests {
    use globset::{GlobBuilder, GlobMatcher};
    use proptest::prelude::*;

    use super::*;

    /// The numbers of the globs that match each path, by globset.
    fn by_globset(globs: &[String], paths: &[String]) -> Vec<Vec<usize>> {
        let compile = |glob: &str| -> GlobMatcher {
            let glob = GlobBuilder::new(glob).literal_separator(true).empty_alternates(true).build();
            glob.unwrap().compile_matcher()
        };
        let matchers = globs.iter().map(|glob| {
            let is_name = glob.rsplit('/').next().is_some_and(|last| !last.contains(['*', '?', '[']));
            (compile(glob), is_name.then(|| compile(&format!("{glob}/**"))))
        });
        let matchers: Vec<_> = matchers.collect();
        let of_path = |path: &String| {
            let matching = matchers.iter().enumerate().filter(|(_, (glob, inside))| {
                glob.is_match(path) || inside.as_ref().is_some_and(|inside| inside.is_match(path))
            });
            matching.map(|(number, _)| number).collect()
        };
        paths.iter().map(of_path).collect()
    }

    fn ours(globs: &[String], paths: &[String]) -> Vec<Vec<usize>> {
        let ownership = Ownership::new(globs.iter().map(|glob| (0, glob.as_str())));
        ownership
            .owners(paths.iter().map(|path| path.as_str().into()))
            .into_iter()
            .map(|owners| owners.matching)
            .collect()
    }

    fn glob() -> impl Strategy<Value = String> {
        let part = prop::sample::select(vec![
            "a",
            "b",
            "c.x",
            "**",
            "*",
            "*.x",
            "a*",
            "?",
            "[ab]",
            "[!a]",
            "*b*",
            "{a,b/c}",
            "{a,b}{,.x}",
            "a?x",
            "*.b.x",
            "**",
        ]);
        prop::collection::vec(part, 1..5).prop_map(|parts| parts.join("/"))
    }

    fn path() -> impl Strategy<Value = String> {
        let name = prop::sample::select(vec!["a", "b", "c", "ab", "c.x", "a.x", "b.x", "a.b.x", ".x", "aax"]);
        prop::collection::vec(name, 1..6).prop_map(|names| names.join("/"))
    }

    proptest! {
        #[test]
        fn globs_match_what_those_of_globset_do(
            globs in prop::collection::vec(glob(), 1..12),
            mut paths in prop::collection::vec(path(), 1..40),
            is_sorted in any::<bool>(),
        ) {
            if is_sorted {
                paths.sort();
            }
            prop_assert_eq!(ours(&globs, &paths), by_globset(&globs, &paths));
        }

        /// What covers another glob matches all that the other matches.
        #[test]
        fn what_is_narrower_matches_less(one in glob(), other in glob(), paths in prop::collection::vec(path(), 1..40)) {
            let read = |glob: &str| Glob::parse(glob).unwrap().alternatives;
            let covers = |inner: &Alternative| read(&one).iter().any(|outer| specificity::covers(outer, inner));
            // What names a folder is compared as the folder, and matches files of that name, too.
            if read(&other).iter().all(|inner| !inner.names_folder && covers(inner)) {
                for (path, globs) in paths.iter().zip(ours(&[one.clone(), other.clone()], &paths)) {
                    prop_assert!(globs != [1], "{} {} {}", one, other, path);
                }
            }
        }

        #[test]
        fn nothing_makes_it_panic(globs in prop::collection::vec(".*", 0..8), paths in prop::collection::vec(".*", 0..8)) {
            let ownership = Ownership::new(globs.iter().map(|glob| (0, glob.as_str())));
            let paths: Vec<_> = paths.iter().map(|path| BStr::new(path.as_str())).collect();
            prop_assert_eq!(ownership.owners(paths.iter().copied()).len(), paths.len());
            prop_assert_eq!(ownership.survey(paths.iter().copied(), |_| true).files, paths.len());
            for glob in &globs {
                let _ = problem(glob);
            }
        }
    }

    /// Who owns `path`, by the numbers of the members, where each line is a member.
    fn members(lines: &[&[&str]], path: &str) -> Vec<usize> {
        let globs = lines.iter().zip(0..).flat_map(|(globs, member)| globs.iter().map(move |glob| (member, *glob)));
        let ownership = Ownership::new(globs);
        let owners = ownership.owners([BStr::new(path)]);
        let mut members: Vec<_> = owners[0].deciding.iter().filter_map(|glob| ownership.member(*glob)).collect();
        members.dedup();
        members
    }

    #[test]
    fn the_most_precise_glob_decides() {
        let logic: &[&str] = &["src/lib/**", "src/fixtures/**"];
        let tester: &[&str] = &["src/lib/*.test.ts", "vitest.config.ts"];
        let all: &[&str] = &["**"];
        for (path, expected) in [
            ("src/lib/a.ts", vec![0]),
            ("src/lib/a.test.ts", vec![1]),
            ("src/lib/deep/a.test.ts", vec![0]),
            ("vitest.config.ts", vec![1]),
            ("README.md", vec![2]),
        ] {
            assert_eq!(members(&[logic, tester, all], path), expected, "{path}");
        }
        assert_eq!(members(&[logic, tester], "README.md"), [0; 0]);
    }

    #[test]
    fn globs_without_an_order_share_a_file() {
        assert_eq!(members(&[&["src/**"], &["**/*.test.ts"]], "src/a.test.ts"), [0, 1]);
        assert_eq!(members(&[&["src/**"], &["src"]], "src/a.ts"), [0, 1]);
        // A third one that both cover decides.
        assert_eq!(members(&[&["src/**"], &["**/*.test.ts"], &["src/a.test.ts"]], "src/a.test.ts"), [2]);
    }

    #[test]
    fn what_is_taken_back_is_not_owned() {
        let globs: &[&[&str]] = &[&["src/**", "!src/generated/**"], &["**"]];
        assert_eq!(members(globs, "src/a.rs"), [0]);
        assert_eq!(members(globs, "src/generated/a.rs"), [1]);
    }

    #[test]
    fn a_star_stays_in_its_folder() {
        let globs: &[&[&str]] = &[&["*.md"], &["**/*.md"]];
        assert_eq!(members(globs, "README.md"), [0]);
        assert_eq!(members(globs, "docs/README.md"), [1]);
    }

    #[test]
    fn a_survey_counts() {
        let globs = [(0, "src/**"), (1, "src/**"), (2, "docs/"), (2, "nothing/*"), (3, "[")];
        let paths = ["README.md", "docs/a.md", "src/a.rs", "src/b/c.rs"].map(BStr::new);
        let survey = Ownership::new(globs).survey(paths, |_| true);
        let contest = Contest { first: 0, second: 1, files: 2, example: Some("src/a.rs".into()) };
        let expected = Survey {
            files: 4,
            matches: vec![Some(2), Some(2), Some(1), Some(0), None],
            contests: vec![contest],
            unowned: 1,
            unowned_files: vec!["README.md".into()],
        };
        assert_eq!(survey, expected);
    }
}
