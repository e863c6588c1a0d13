//! The search for a path that two globs match.
//!
//! Two machines go through one path side by side, and a third one, of all globs that must not match, beside them. The first state in
//! which both ends are reached and the third is not at an end gives a path, and if there is no such state, there is no such path.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{Move, PathGlob};
use crate::ownership::pattern::Token;

/// How much is done for one pair of globs, in states. Globs as people write them make some hundred: two make the product of their
/// lengths at most, and only those that must not match can make more.
const WORK_MAX: usize = 200_000;

/// How many places of globs are stepped from, or moves of globs looked at, for as much work as a state makes.
const STEPS: usize = 16;

/// How much work it is to begin.
const START: usize = 8;

/// Whether two globs match the same path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// They match this one, which is short.
    At(String),
    /// They do not.
    Never,
    /// Finding it out takes too long.
    Unknown,
}

impl PathGlob {
    /// A path that this glob and `other` match, and none of `except`. `left` says how much work may still be done for all pairs, in
    /// states of the search.
    ///
    /// A name with a dot at the end, such as `App.tsx`, is a file here, and not a folder with all that is in it: otherwise it would
    /// have paths such as `App.tsx/x.css` in common with `**/*.css`. It is a folder if the other glob has a folder of this name.
    ///
    /// ```
    /// # use squad_lint::ownership::overlap::{Meeting, PathGlob};
    /// let globs = ["src/**", "**/*.test.ts", "src/web"].map(|glob| PathGlob::parse(glob).unwrap());
    /// let ([all, tests, web], mut left) = (globs, 10_000);
    /// assert_eq!(all.common_path(&tests, &[], &mut left), Meeting::At("src/.test.ts".into()));
    /// assert_eq!(web.common_path(&tests, &[&all], &mut left), Meeting::Never);
    /// ```
    pub fn common_path(&self, other: &Self, except: &[&Self], left: &mut usize) -> Meeting {
        // In front of all: the path as people see it, `app/[id]/page.tsx` and not `app/d/page.tsx`.
        if self.names.is_some() || other.names.is_some() {
            let (one, two) = (self.names.as_deref().unwrap_or(self), other.names.as_deref().unwrap_or(other));
            if let found @ Meeting::At(_) = one.common_path(two, except, left) {
                return found;
            }
        }
        let is_one = |not: &&Self| not.alternatives == self.alternatives || not.alternatives == other.alternatives;
        if !self.may_meet(other, true) || except.iter().any(is_one) {
            return Meeting::Never;
        }
        if *left == 0 {
            return Meeting::Unknown;
        }
        // What must not match has all paths that it can.
        let may_matter = |glob: &&Self| glob.may_meet(self, false) && glob.may_meet(other, false);
        let except: Vec<&Self> = except.iter().copied().filter(may_matter).collect();
        let all = || [self, other].into_iter().chain(except.iter().copied());
        let mut search = Search::new(self, other, &except);
        search.work = START + all().map(|glob| glob.moves.len()).sum::<usize>() / STEPS;
        let most = WORK_MAX.min(*left);
        let found = search.run(&alphabet(all()), most);
        *left = left.saturating_sub(search.work);
        found
    }
}

/// One character for each set of characters that the globs do not tell apart; `/` is the last.
fn alphabet<'g>(globs: impl Iterator<Item = &'g PathGlob>) -> Vec<char> {
    let mut starts: Vec<u32> = vec![1, u32::from('/'), u32::from('/') + 1];
    for one in globs.flat_map(|glob| &glob.moves) {
        let Move::One(token) = one else { continue };
        match token {
            Token::Char(c) => starts.extend([u32::from(*c), u32::from(*c) + 1]),
            Token::Class { ranges, .. } => {
                starts.extend(ranges.iter().flat_map(|(from, to)| [u32::from(*from), u32::from(*to) + 1]));
            }
            Token::One | Token::Many => {}
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().skip(1).copied().chain([u32::from(char::MAX) + 1]);
    let ranges: Vec<(u32, u32)> = starts.iter().copied().zip(ends).collect();
    let pick = |(start, end): (u32, u32)| {
        let usual = ['a', 'x', '0', '_', '-', 'A'].into_iter().find(|c| (start..end).contains(&u32::from(*c)));
        let readable = (start.max(0x21)..end.min(0x7f)).next();
        usual.or_else(|| readable.and_then(char::from_u32)).or_else(|| (start..end).find_map(char::from_u32))
    };
    let mut chars: Vec<char> = ranges.into_iter().filter_map(pick).filter(|c| *c != '/').collect();
    // What can be read comes first, so that the path is a usual one.
    chars.sort_by_key(|c| (!c.is_ascii_lowercase(), !c.is_ascii_alphanumeric(), !c.is_ascii_graphic(), *c));
    chars.push('/');
    chars
}

/// What is known of the name that is being read: no path has an empty one, `.` or `..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Name {
    Empty,
    Dot,
    DotDot,
    Usual,
}

impl Name {
    fn then(self, c: char) -> Self {
        match (self, c) {
            (_, '/') => Self::Empty,
            (Self::Empty, '.') => Self::Dot,
            (Self::Dot, '.') => Self::DotDot,
            _ => Self::Usual,
        }
    }
}

/// Where the machines are after the start of some path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    one: u32,
    other: u32,
    name: Name,
    /// The number of the set of places of those that must not match.
    except: usize,
}

struct Search<'g> {
    one: &'g PathGlob,
    other: &'g PathGlob,
    except: &'g [&'g PathGlob],
    /// The places where each of the two ends with the name of a file, for all that the other one says.
    files: (Vec<u32>, Vec<u32>),
    /// How much was done, in states.
    work: usize,
    /// The sets of places of those that must not match: the number of the glob, and its place.
    sets: Vec<Vec<(usize, u32)>>,
    numbers: HashMap<Vec<(usize, u32)>, usize>,
    /// Where a character leads from a set.
    known: HashMap<(usize, char), usize>,
    /// The states, each with the one before it and the character between the two.
    states: Vec<(State, usize, char)>,
    seen: HashSet<State>,
    open: VecDeque<usize>,
}

impl<'g> Search<'g> {
    fn new(one: &'g PathGlob, other: &'g PathGlob, except: &'g [&'g PathGlob]) -> Self {
        Self {
            one,
            other,
            except,
            files: (one.files_beside(other), other.files_beside(one)),
            work: 0,
            sets: Vec::new(),
            numbers: HashMap::new(),
            known: HashMap::new(),
            states: Vec::new(),
            seen: HashSet::new(),
            open: VecDeque::new(),
        }
    }

    fn run(&mut self, alphabet: &[char], most: usize) -> Meeting {
        let first = self.except.iter().enumerate();
        let first = first.flat_map(|(number, glob)| glob.first().into_iter().map(move |place| (number, place)));
        let except = self.number(first.collect());
        for one in self.one.first() {
            for other in self.other.first() {
                self.add(State { one, other, name: Name::Empty, except }, usize::MAX, '/');
            }
        }
        let (mut ones, mut others) = (Vec::new(), Vec::new());
        while let Some((at, state)) = self.next() {
            if self.is_end(state) {
                return Meeting::At(self.path(at));
            }
            if self.work > most {
                return Meeting::Unknown;
            }
            // Most places lead on by one character only.
            let only = self.one.only(state.one).or_else(|| self.other.only(state.other));
            for &c in only.as_ref().map_or(alphabet, std::slice::from_ref) {
                if c == '/' && (state.name != Name::Usual || self.is_file(state)) {
                    continue;
                }
                ones.clear();
                others.clear();
                self.one.step(state.one, c, &mut ones);
                if !ones.is_empty() {
                    self.other.step(state.other, c, &mut others);
                }
                if others.is_empty() {
                    continue;
                }
                let (name, except) = (state.name.then(c), self.except_after(state.except, c));
                // Usual lists of folders that must not match would have as many sets as they have subsets.
                if self.excludes_rest(except) {
                    continue;
                }
                for &one in &ones {
                    for &other in &others {
                        self.add(State { one, other, name, except }, at, c);
                    }
                }
            }
        }
        Meeting::Never
    }

    fn next(&mut self) -> Option<(usize, State)> {
        let at = self.open.pop_front()?;
        Some((at, self.states.get(at)?.0))
    }

    /// Whether one of the two ends here with the name of a file.
    fn is_file(&self, state: State) -> bool {
        self.files.0.contains(&state.one) || self.files.1.contains(&state.other)
    }

    fn add(&mut self, state: State, before: usize, c: char) {
        if self.seen.insert(state) {
            self.work += 1;
            self.open.push_back(self.states.len());
            self.states.push((state, before, c));
        }
    }

    fn is_end(&self, state: State) -> bool {
        let mut except = self.sets.get(state.except).into_iter().flatten();
        state.name == Name::Usual
            && self.one.is_end(state.one)
            && self.other.is_end(state.other)
            && !except.any(|(glob, place)| self.except.get(*glob).is_some_and(|glob| glob.is_end(*place)))
    }

    /// Whether one of those that must not match has every path that goes on from this set of places.
    fn excludes_rest(&self, set: usize) -> bool {
        let mut places = self.sets.get(set).into_iter().flatten();
        places.any(|(glob, place)| self.except.get(*glob).is_some_and(|glob| glob.is_rest(*place)))
    }

    fn except_after(&mut self, set: usize, c: char) -> usize {
        if let Some(known) = self.known.get(&(set, c)) {
            return *known;
        }
        let mut next = Vec::new();
        self.work += self.sets.get(set).map_or(0, Vec::len) / STEPS;
        for (number, place) in self.sets.get(set).into_iter().flatten() {
            let mut places = Vec::new();
            self.except.get(*number).into_iter().for_each(|glob| glob.step(*place, c, &mut places));
            next.extend(places.into_iter().map(|place| (*number, place)));
        }
        let number = self.number(next);
        self.known.insert((set, c), number);
        number
    }

    fn number(&mut self, mut set: Vec<(usize, u32)>) -> usize {
        set.sort_unstable();
        set.dedup();
        if let Some(known) = self.numbers.get(&set) {
            return *known;
        }
        self.sets.push(set.clone());
        self.numbers.insert(set, self.sets.len() - 1);
        self.sets.len() - 1
    }

    /// The path to the state with that number.
    fn path(&self, mut at: usize) -> String {
        let mut chars = Vec::new();
        while let Some((_, before, c)) = self.states.get(at).filter(|(_, before, _)| *before != usize::MAX) {
            chars.push(*c);
            at = *before;
        }
        chars.iter().rev().collect()
    }
}

#[cfg(test)]
mod tests {
    use bstr::BStr;
    use proptest::prelude::*;

    use super::*;
    use crate::ownership::Ownership;
    use crate::ownership::error::GlobError;

    fn read(glob: &str) -> PathGlob {
        PathGlob::parse(glob).unwrap_or_else(|error| panic!("`{glob}` {error}"))
    }

    fn meeting(one: &str, other: &str, except: &[&str]) -> Meeting {
        let except: Vec<PathGlob> = except.iter().map(|glob| read(glob)).collect();
        read(one).common_path(&read(other), &except.iter().collect::<Vec<_>>(), &mut { usize::MAX })
    }

    fn common(one: &str, other: &str, except: &[&str]) -> Option<String> {
        match meeting(one, other, except) {
            Meeting::At(path) => Some(path),
            Meeting::Never => None,
            Meeting::Unknown => panic!("{one} {other} {except:?} take too long"),
        }
    }

    #[test]
    fn folders_that_must_not_match_take_little_work() {
        let names = ["node_modules", "dist", "build", ".git", "coverage", "vendor", "__tests__", "out"];
        let globs = names.map(|name| format!("**/{name}/**"));
        let except: Vec<PathGlob> = globs.iter().map(String::as_str).chain(["**/*.ts"]).map(read).collect();
        let mut left = 200_000;
        let found = read("src/**/*.ts").common_path(&read("src/**"), &except.iter().collect::<Vec<_>>(), &mut left);
        assert!(found == Meeting::Never && left > 180_000, "{left}");
    }

    #[test]
    fn globs_that_meet_have_a_path_in_common() {
        for (one, other, path) in [
            ("src/**", "src/a.rs", Some("src/a.rs")),
            ("src/**", "**/*.rs", Some("src/.rs")),
            ("src/*", "*/a", Some("src/a")),
            ("src", "src/a/b", Some("src/a/b")),
            ("src/a", "src/b", None),
            ("src/*", "src/*/*", None),
            ("**", ".env", Some(".env")),
            ("*.rs", "*.ts", None),
            ("a*", "*b", Some("ab")),
            ("[a-c]x", "[!a-b]x", Some("cx")),
            ("[ab]", "[cd]", None),
            ("{a,b}/x", "{b,c}/x", Some("b/x")),
            ("{a,b}/x", "c/**", None),
            ("?", ".*", None),
            ("??", ".*", Some(".a")),
            ("a/**/b", "a/b", Some("a/b")),
            ("a/**", "a/", Some("a/a")),
            ("a/**/z", "**/m/*", Some("a/m/z")),
            ("src/App.tsx", "**/*.test.ts", None),
            ("src/App.tsx", "src/**/*.css", None),
            ("src/App.tsx", "src/App.tsx", Some("src/App.tsx")),
            (".env", "**/*.ts", None),
            ("a.b", "*/c", None),
            ("conf.d", "conf.d/a.conf", Some("conf.d/a.conf")),
            ("conf.d/", "**/*.ts", Some("conf.d/.ts")),
            (".github", "**/*.yml", Some(".github/.yml")),
            ("src/web", "**/*.ts", Some("src/web/.ts")),
            // Well-known files have no dot.
            ("Makefile", "**/*.mk", None),
            ("docker/Dockerfile", "docker/**/*.sh", None),
            ("LICENSE", "**/LICENSE", Some("LICENSE")),
            ("LICENSE", "LICENSE/MIT", Some("LICENSE/MIT")),
            ("conf.d", "conf.d/*.conf", Some("conf.d/.conf")),
            ("docs/a.b", "docs/a.b/*/x.md", Some("docs/a.b/a/x.md")),
            ("LICENSE/", "**/*.txt", Some("LICENSE/.txt")),
        ] {
            assert_eq!(common(one, other, &[]).as_deref(), path, "{one} {other}");
            assert_eq!(common(other, one, &[]).is_some(), path.is_some(), "{other} {one}");
        }
    }

    #[test]
    fn what_must_not_match_is_left_out() {
        for (one, other, except, path) in [
            ("src/**", "src/**", ["src/a/**"].as_slice(), Some("src/a")),
            ("src/**", "src/db/**", &["src/db/**"], None),
            ("src/**", "src/db/**", &["src/**/*.ts", "src/db/*"], Some("src/db/a/a")),
            ("*", "*", &["[a-z]*", "[!a-z]*"], None),
            ("a", "a", &["**"], None),
        ] {
            assert_eq!(common(one, other, except).as_deref(), path, "{one} {other} {except:?}");
        }
    }

    #[test]
    fn what_leaves_the_repository_is_no_glob() {
        assert_eq!(PathGlob::parse("../a").err(), Some(GlobError::Leaves));
        assert!(read("!a").is_negated());
    }

    #[test]
    fn a_search_ends() {
        // The places of `except` make a set for each of the last twenty characters.
        let (many, hard) = ("*a*b*c*d*e*f*g*h*i*j*k", format!("*a{}", "?".repeat(40)));
        assert_eq!(meeting(many, &hard, &[&hard]), Meeting::Never);
        assert!(common(&many.repeat(5), &hard.repeat(5), &[]).is_some());
        // Too long for an answer, and no reason to wait.
        assert_eq!(meeting(&many.repeat(100), &hard.repeat(90), &[]), Meeting::Unknown);
    }

    /// Pieces of names, and folders.
    fn glob() -> impl Strategy<Value = String> {
        let part = prop::sample::select(vec![
            "a",
            "b",
            "ab",
            "**",
            "*",
            "a*",
            "*b",
            "?",
            "??",
            "[ab]",
            "[!a]",
            "*a*",
            "{a,b/a}",
            "{a,b}{,b}",
            "a?",
            ".",
            ".a",
            "*.a",
            "b.a",
        ]);
        prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"))
    }

    /// Every path of up to three names of up to two characters.
    fn paths() -> Vec<String> {
        let names = ["a", "b", "c", "aa", "ab", "ba", "bb", "ac", "cb", ".a", "a.", "cc", "b.a"];
        let join = |folders: &[String]| -> Vec<String> {
            folders.iter().flat_map(|folder| names.iter().map(move |name| format!("{folder}/{name}"))).collect()
        };
        let one: Vec<String> = names.map(str::to_owned).to_vec();
        let two = join(&one);
        let three = join(&two);
        [one, two, three].concat()
    }

    fn matched(glob: &str, paths: &[&str]) -> Vec<bool> {
        let ownership = Ownership::new([(0, glob)]);
        let owners = ownership.owners(paths.iter().map(|path| BStr::new(*path)));
        owners.iter().map(|owners| !owners.matching.is_empty()).collect()
    }

    /// The names of `glob`, without those that mean nothing.
    fn names(glob: &str) -> Vec<&str> {
        glob.split('/').filter(|name| !matches!(*name, "" | ".")).collect()
    }

    /// `glob` as it counts beside `other`: a name with a dot at the end is a file. A class has nothing in it.
    fn beside(glob: &str, other: &str) -> String {
        let is_plain = |name: &&&str| !name.contains(['*', '?', '[', '{']);
        let own = names(glob);
        let others = names(other);
        let folders = others.split_last().map_or(&[][..], |(_, folders)| folders);
        let is_folder = own.last().is_some_and(|name| folders.contains(name));
        let glob = glob.trim_end_matches("/.");
        match glob.strip_suffix(".a").filter(|_| !is_folder && own.last().is_some_and(|name| is_plain(&name))) {
            Some(start) => format!("{start}[.]a"),
            None => glob.to_owned(),
        }
    }

    proptest! {
        #[test]
        fn a_common_path_is_found_exactly_where_brute_force_finds_one(
            one in glob(), other in glob(), except in prop::collection::vec(glob(), 0..3),
        ) {
            let all = paths();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            let excepted: Vec<Vec<bool>> = except.iter().map(|glob| matched(glob, &all)).collect();
            let (own, others) = (beside(&one, &other), beside(&other, &one));
            let both = matched(&own, &all).into_iter().zip(matched(&others, &all));
            let by_force = both.enumerate().find(|(at, (one, other))| *one && *other && !excepted.iter().any(|not| not[*at]));
            let except: Vec<&str> = except.iter().map(String::as_str).collect();
            match common(&one, &other, &except) {
                Some(path) => {
                    for (glob, expected) in [(&own, true), (&others, true)] {
                        prop_assert_eq!(matched(glob, &[&path]), [expected], "{} {}", glob, path);
                    }
                    prop_assert!(except.iter().all(|glob| matched(glob, &[&path]) == [false]), "{:?} {}", except, path);
                    prop_assert!(path.split('/').all(|name| !matches!(name, "" | "." | "..")), "{}", path);
                }
                None => prop_assert!(by_force.is_none(), "{} {} {:?}: {}", one, other, except, all[by_force.unwrap().0]),
            }
        }

        #[test]
        fn a_machine_matches_what_the_tree_of_globs_does(glob in glob()) {
            let all = paths();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            let machine = read(&glob);
            for (path, expected) in all.iter().zip(matched(&glob, &all)) {
                prop_assert_eq!(machine.matches(path), expected, "{} {}", glob, path);
            }
        }

        #[test]
        fn any_two_texts_are_compared(one in ".{0,12}", other in ".{0,12}") {
            if let (Ok(one), Ok(other)) = (PathGlob::parse(&one), PathGlob::parse(&other)) {
                let meet = |one: &PathGlob, other: &PathGlob| one.common_path(other, &[], &mut 100_000) == Meeting::Never;
                prop_assert_eq!(meet(&one, &other), meet(&other, &one));
            }
        }
    }
}
