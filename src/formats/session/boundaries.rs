//! Which files a plan lets its agent change, exactly: globs against globs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::field::Field;
use super::model::{Boundary, Plan};
use crate::ownership::overlap::{Meeting, PathGlob, near, near_between};

/// An allowed glob and a forbidden one of the same plan that match the same path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The place among the allowed globs.
    pub allowed: usize,
    /// The place among the forbidden globs.
    pub forbidden: usize,
    /// A path that both match.
    pub path: String,
    /// Whether the forbidden glob matches all that the allowed one does, so that nothing of it is left.
    pub nothing_left: bool,
}

/// Two plans that let their agents change the same path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The place of the later plan.
    pub plan: usize,
    /// The place of the earlier plan.
    pub other: usize,
    /// The place of the glob among the allowed ones of the later plan.
    pub own: usize,
    /// The place of the glob among the allowed ones of the earlier plan.
    pub theirs: usize,
    /// A path that both plans allow, and neither forbids.
    pub path: String,
}

/// What was found, and whether all was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared<T> {
    /// What was found.
    pub found: Vec<T>,
    /// The first forbidden glob, or the first plan, that was not compared with all others, since this takes too long.
    pub incomplete: Option<usize>,
}

/// How much is done to compare the globs of one plan, and those of all plans of a session, in states of the search. A pair that
/// people write takes some hundred.
const WORK_OF_PLAN: usize = 500_000;
const WORK_OF_SESSION: usize = 2_000_000;

/// How many pairs of globs, and how many pairs of plans for these, are looked at in a session.
const PAIRS_MAX: usize = 50_000_000;

/// Why a boundary or a path is not one of files in the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// It begins at the root of the file system: `/etc/hosts`, `C:\temp`.
    Absolute,
    /// It begins in the folder of a user: `~/.ssh`.
    Home,
    /// A part is `..`.
    Parent,
}

impl Escape {
    /// How `path` leads out of the repository; `None` if it does not.
    pub fn of(path: &str) -> Option<Self> {
        let path = path.strip_prefix('!').unwrap_or(path);
        let is_drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        if path.starts_with(['/', '\\']) || is_drive {
            return Some(Self::Absolute);
        }
        if path.starts_with('~') && matches!(path.as_bytes().get(1), None | Some(b'/' | b'\\')) {
            return Some(Self::Home);
        }
        path.split(['/', '\\']).any(|part| part == "..").then_some(Self::Parent)
    }

    /// How it leads out, as part of a message.
    pub fn message(self) -> &'static str {
        match self {
            Self::Absolute => "is an absolute path",
            Self::Home => "is in a home folder",
            Self::Parent => "has `..`",
        }
    }
}

/// The globs of `boundaries` that can be read and say what is matched.
fn positive(boundaries: &[Boundary]) -> impl Iterator<Item = (usize, &PathGlob)> {
    let globs = boundaries.iter().enumerate();
    globs.filter_map(|(at, boundary)| Some((at, boundary.paths.as_ref().filter(|paths| !paths.is_negated())?)))
}

impl Plan {
    /// Whether every allowed glob can be read: what cannot may allow any path.
    pub fn has_clear_boundary(&self) -> bool {
        !self.allowed.is_empty() && self.allowed.iter().all(|boundary| boundary.paths.is_some())
    }

    /// Whether the agent may change the file at `path`: it is allowed, and not forbidden.
    pub fn permits(&self, path: &str) -> bool {
        positive(&self.allowed).any(|(_, glob)| glob.matches(path)) && !self.forbids(path)
    }

    /// Whether the agent may write the output at `path`: this file, or one in this folder, unless its name is that of a file. With
    /// `is_folder`, it is a folder.
    pub fn permits_output(&self, path: &str, is_folder: bool) -> bool {
        let is_file = !is_folder && path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        let inside = || {
            let folder = PathGlob::parse(&format!("{}/", literal(path))).ok()?;
            let except: Vec<&PathGlob> = self.excluded().collect();
            let mut left = WORK_OF_PLAN;
            let never = |glob: &PathGlob| folder.common_path(glob, &except, &mut left) == Meeting::Never;
            Some(!positive(&self.allowed).map(|(_, glob)| glob).all(never))
        };
        self.permits(path) || !is_file && inside() == Some(true)
    }

    /// Whether a forbidden glob matches the file at `path`.
    pub fn forbids(&self, path: &str) -> bool {
        self.excluded().any(|glob| glob.matches(path))
    }

    /// The forbidden globs, and the allowed ones with a `!`, which take back.
    fn excluded(&self) -> impl Iterator<Item = &PathGlob> {
        let taken_back =
            self.allowed.iter().filter_map(|boundary| boundary.paths.as_ref()).filter(|glob| glob.is_negated());
        positive(&self.forbidden).map(|(_, glob)| glob).chain(taken_back)
    }

    /// The allowed globs that forbidden ones contradict: for each forbidden one the first that it leaves nothing of,
    /// else the first.
    pub fn conflicts(&self) -> Compared<Conflict> {
        let allowed = positive(&self.allowed).map(|(at, glob)| (true, at, glob));
        let globs: Vec<(bool, usize, &PathGlob)> =
            allowed.chain(positive(&self.forbidden).map(|(at, glob)| (false, at, glob))).collect();
        let paths: Vec<&PathGlob> = globs.iter().map(|(.., glob)| *glob).collect();
        let mut found: BTreeMap<usize, Conflict> = BTreeMap::new();
        let (mut left, mut pairs, mut incomplete): (usize, usize, Option<usize>) = (WORK_OF_PLAN, PAIRS_MAX, None);
        let second = globs.iter().filter(|(is_allowed, ..)| *is_allowed).count();
        near_between(&paths, second, |later, earlier| {
            // The allowed ones come first.
            let (Some(&(false, forbidden, no)), Some(&(true, allowed, yes))) = (globs.get(later), globs.get(earlier))
            else {
                return true;
            };
            let known = found.get(&forbidden);
            if known.is_some_and(|known| known.nothing_left && known.allowed < allowed) {
                return true;
            }
            pairs = pairs.saturating_sub(1);
            match yes.common_path(no, &[], &mut left) {
                Meeting::At(path) => {
                    let nothing_left = yes.common_path(yes, &[no], &mut left) == Meeting::Never;
                    let is_worse = |known: &Conflict| (nothing_left, known.allowed) > (known.nothing_left, allowed);
                    if known.is_none_or(is_worse) {
                        found.insert(forbidden, Conflict { allowed, forbidden, path, nothing_left });
                    }
                }
                Meeting::Never => {}
                Meeting::Unknown => incomplete = Some(incomplete.map_or(forbidden, |known| known.min(forbidden))),
            }
            pairs > 0 && left > 0
        });
        Compared {
            found: found.into_values().collect(),
            incomplete: incomplete.or((left == 0 || pairs == 0).then_some(0)),
        }
    }
}

/// A glob without braces, and the plans that allow it: the place of each, and that of the glob in it. In the order of the plans.
struct Allowed<'p> {
    glob: &'p PathGlob,
    plans: Vec<(usize, usize)>,
}

/// The plans that allow a path that an earlier one allows as well: for each the first that was found. `together` says which two
/// plans run at the same time.
pub fn overlaps(plans: &[&Plan], together: impl FnMut(usize, usize) -> bool) -> Compared<Overlap> {
    // One plan may have very many globs.
    if plans.len() < 2 {
        return Compared { found: Vec::new(), incomplete: None };
    }
    let mut left = WORK_OF_SESSION;
    // Without braces: many plans may share one of the alternatives.
    let mut each: Vec<(Cow<'_, PathGlob>, usize, usize)> = Vec::new();
    for (plan, own) in plans.iter().enumerate() {
        let except: Vec<&PathGlob> = own.excluded().collect();
        for (at, glob) in positive(&own.allowed) {
            for glob in glob.each() {
                // `session/boundary-conflict` reports what a plan both allows and forbids.
                let is_touched = except.iter().any(|not| not.may_meet(&glob, false));
                if !(is_touched && glob.common_path(&glob, &except, &mut left) == Meeting::Never) {
                    each.push((glob, plan, at));
                }
            }
        }
    }
    let mut places: HashMap<&PathGlob, usize> = HashMap::new();
    let mut all: Vec<Allowed<'_>> = Vec::new();
    for (glob, plan, at) in &each {
        let place = *places.entry(glob).or_insert_with(|| {
            all.push(Allowed { glob, plans: Vec::new() });
            all.len() - 1
        });
        all.get_mut(place).into_iter().for_each(|allowed| allowed.plans.push((*plan, *at)));
    }
    let mut comparison = Comparison {
        plans,
        together,
        found: vec![None; plans.len()],
        left,
        pairs: PAIRS_MAX,
        incomplete: BTreeSet::new(),
    };
    for allowed in all.iter().filter(|allowed| allowed.plans.len() > 1) {
        comparison.compare(allowed, allowed);
    }
    let globs: Vec<&PathGlob> = all.iter().map(|allowed| allowed.glob).collect();
    near(&globs, |one, other| {
        if let (Some(one), Some(other)) = (all.get(one), all.get(other)) {
            comparison.compare(one, other);
        }
        comparison.pairs > 0
    });
    let found: Vec<Overlap> = comparison.found.iter().flatten().cloned().collect();
    let is_open = |plan: &usize| matches!(comparison.found.get(*plan), Some(None));
    let incomplete = match comparison.pairs == 0 || comparison.left == 0 {
        // The first plan has no earlier one.
        true => (1..plans.len()).find(is_open),
        false => comparison.incomplete.iter().copied().find(is_open),
    };
    Compared { found, incomplete }
}

/// The plans that are compared, and how far this is.
struct Comparison<'p, F> {
    plans: &'p [&'p Plan],
    together: F,
    /// For each plan.
    found: Vec<Option<Overlap>>,
    /// How much may still be done, in states of the search.
    left: usize,
    /// How many pairs may still be looked at.
    pairs: usize,
    /// The plans of which a pair takes too long.
    incomplete: BTreeSet<usize>,
}

impl<F: FnMut(usize, usize) -> bool> Comparison<'_, F> {
    /// Looks for a path of both globs that two plans allow.
    fn compare(&mut self, one: &Allowed<'_>, other: &Allowed<'_>) {
        self.pairs = self.pairs.saturating_sub(1);
        // A path that both match, if it is known.
        let mut path: Option<String> = None;
        let is_same = std::ptr::eq(one, other);
        for (one, other) in [(one, other), (other, one)].into_iter().take(if is_same { 1 } else { 2 }) {
            for &(later, own) in &one.plans {
                if self.found.get(later).is_none_or(Option::is_some) {
                    continue;
                }
                for &(earlier, theirs) in other.plans.iter().take_while(|(earlier, _)| *earlier < later) {
                    self.pairs = self.pairs.saturating_sub(1);
                    if self.pairs == 0 || self.left == 0 {
                        return;
                    }
                    if !(self.together)(later, earlier) {
                        continue;
                    }
                    if path.is_none() {
                        match one.glob.common_path(other.glob, &[], &mut self.left) {
                            Meeting::At(found) => path = Some(found),
                            Meeting::Never => return,
                            Meeting::Unknown => {
                                self.incomplete.insert(later);
                                return;
                            }
                        }
                    }
                    let common = path.as_deref().unwrap_or_default();
                    match self.meeting(later, earlier, (one.glob, other.glob), common) {
                        Meeting::At(found) => {
                            let shown = self.shown((later, own), (earlier, theirs)).unwrap_or_else(|| found.clone());
                            let overlap = Overlap { plan: later, other: earlier, own, theirs, path: shown };
                            self.found.get_mut(later).into_iter().for_each(|found| *found = Some(overlap.clone()));
                            // What these plans do not forbid is likely allowed by others, too.
                            path = Some(found);
                            break;
                        }
                        Meeting::Never => {}
                        Meeting::Unknown => drop(self.incomplete.insert(later)),
                    }
                }
            }
        }
    }

    /// A path of two globs of these plans as people write it, if one of them has a name such as `[id]`.
    fn shown(&mut self, (later, own): (usize, usize), (earlier, theirs): (usize, usize)) -> Option<String> {
        let (plan, other) = (self.plans.get(later)?, self.plans.get(earlier)?);
        let one = plan.allowed.get(own)?.paths.as_ref()?;
        let two = other.allowed.get(theirs)?.paths.as_ref()?;
        if !one.has_names() && !two.has_names() {
            return None;
        }
        let except: Vec<&PathGlob> = plan.excluded().chain(other.excluded()).collect();
        match one.common_path(two, &except, &mut self.left) {
            Meeting::At(path) => Some(path),
            Meeting::Never | Meeting::Unknown => None,
        }
    }

    /// A path of both globs that neither plan forbids; `path` is one of both globs.
    fn meeting(&mut self, later: usize, earlier: usize, globs: (&PathGlob, &PathGlob), path: &str) -> Meeting {
        let (Some(plan), Some(other)) = (self.plans.get(later), self.plans.get(earlier)) else { return Meeting::Never };
        if !plan.forbids(path) && !other.forbids(path) {
            return Meeting::At(path.to_owned());
        }
        let except: Vec<&PathGlob> = plan.excluded().chain(other.excluded()).collect();
        globs.0.common_path(globs.1, &except, &mut self.left)
    }
}

/// `path` as a glob that matches nothing else.
fn literal(path: &str) -> String {
    let escaped = path.chars().map(|c| if "*?[]{}!,\\".contains(c) { format!("\\{c}") } else { c.to_string() });
    escaped.collect()
}

/// What people write where there is no path.
const NO_PATHS: [&str; 2] = ["n/a", "n.a."];

/// `path` as globs have it; `None` if it is no path of a file in the repository, as in `a report in the chat`.
pub fn inner_path(path: &Field<String>) -> Option<String> {
    let text = path.value.as_str();
    let is_path =
        !text.contains("://") && !text.contains(['\n', '*', '<', '>', '|', '"']) && text.contains(['/', '\\', '.']);
    let is_none = NO_PATHS.iter().any(|none| text.eq_ignore_ascii_case(none));
    if !is_path || is_none || text.contains(char::is_whitespace) || Escape::of(text).is_some() {
        return None;
    }
    let path = text.replace('\\', "/");
    let names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    (!names.is_empty()).then(|| names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;

    fn plan(allowed: &[&str], forbidden: &[&str]) -> Plan {
        let globs = |globs: &[&str]| {
            let glob = |glob: &&str| Boundary {
                glob: Field::new(Span::at(0), (*glob).to_owned()),
                paths: PathGlob::parse_with_names(glob).ok(),
            };
            globs.iter().map(glob).collect()
        };
        Plan { allowed: globs(allowed), forbidden: globs(forbidden), ..Plan::default() }
    }

    #[test]
    fn a_plan_permits_what_it_allows_and_does_not_forbid() {
        let plan = plan(&["src/**", "docs", "!src/gen/**"], &["src/db/**", "**/*.sql"]);
        for (path, expected) in [
            ("src/a.rs", true),
            ("docs/a/b.md", true),
            ("src/db/a.rs", false),
            ("docs/a.sql", false),
            ("src/gen/a.rs", false),
            ("README.md", false),
        ] {
            assert_eq!(plan.permits(path), expected, "{path}");
        }
    }

    #[test]
    fn words_in_brackets_are_names_of_folders_too() {
        let same =
            [plan(&["app/[id]/page.tsx"], &[]), plan(&["app/[id]/page.tsx"], &[]), plan(&["app/[user-id]/**"], &[])];
        let found = overlaps(&same.iter().collect::<Vec<_>>(), |_, _| true).found;
        let paths: Vec<(usize, &str)> = found.iter().map(|found| (found.plan, found.path.as_str())).collect();
        assert_eq!(paths, [(1, "app/[id]/page.tsx")]);
        assert!(same[0].permits("app/[id]/page.tsx") && same[0].permits("app/i/page.tsx"));
        assert!(same[2].permits_output("app/[user-id]/x.tsx", false) && !same[2].permits("app/u/x.tsx"));
        let meet = |one: &str, other: &str| {
            let plans = [plan(&[one], &[]), plan(&[other], &[])];
            let found = overlaps(&[&plans[0], &plans[1]], |_, _| true).found;
            found.first().map(|found| found.path.clone())
        };
        for (one, other, expected) in [
            ("app/**", "app/[id]/page.tsx", Some("app/[id]/page.tsx")),
            ("app/[id]/**", "app/[slug]/**", None),
            ("app/[id]/page.tsx", "app/d/page.tsx", Some("app/d/page.tsx")),
            ("app/[[...slug]]/a.ts", "app/[[...slug]]/a.ts", Some("app/[[...slug]]/a.ts")),
            ("app/[id]/page.tsx", "app/\\[id\\]/page.tsx", Some("app/[id]/page.tsx")),
        ] {
            assert_eq!(meet(one, other).as_deref(), expected, "{one} {other}");
            assert_eq!(meet(other, one).as_deref(), expected, "{other} {one}");
        }
        // Forbidden by the name that is allowed.
        let conflicts = plan(&["app/[id]/page.tsx"], &["app/[id]/**"]).conflicts().found;
        assert!(matches!(conflicts.as_slice(), [conflict] if conflict.nothing_left), "{conflicts:?}");
    }

    #[test]
    fn an_output_may_be_a_folder() {
        let own = plan(&["designs/**", "docs/*.md"], &["designs/old/**"]);
        for (path, expected) in [
            ("designs", true),
            ("designs/a.md", true),
            ("designs/new", true),
            ("designs/old", true),
            ("designs/old/x", false),
            ("docs", true),
            ("docs/sub", false),
            ("src", false),
            ("src/a.md", false),
        ] {
            assert_eq!(own.permits_output(path, false), expected, "{path}");
        }
        assert!(own.permits_output("designs/v1.2", true) && !own.permits_output("src/v1.2", true));
    }

    #[test]
    fn conflicts_say_what_is_left() {
        let conflicts = |allowed: &[&str], forbidden: &[&str]| -> Vec<(usize, usize, bool)> {
            let found = plan(allowed, forbidden).conflicts();
            assert_eq!(found.incomplete, None);
            let found = found.found.into_iter();
            found.map(|conflict| (conflict.allowed, conflict.forbidden, conflict.nothing_left)).collect()
        };
        assert_eq!(conflicts(&["src/**"], &["src/db/**", "lib/**"]), [(0, 0, false)]);
        assert_eq!(conflicts(&["a", "src/db/x.rs"], &["src/db/**"]), [(1, 0, true)]);
        assert_eq!(conflicts(&["src/*.ts"], &["**/*.rs"]), []);
        // A name with a dot is a file.
        assert_eq!(conflicts(&["src/App.tsx", ".env"], &["**/*.test.ts"]), []);
        assert_eq!(conflicts(&["server/a.sql"], &["**/*.sql"]), [(0, 0, true)]);
        // The worst one counts.
        assert_eq!(conflicts(&["server/**", "server/App.tsx", "server/a.sql"], &["**/*.sql", "x"]), [(2, 0, true)]);
    }

    #[test]
    fn plans_overlap_where_neither_forbids_it() {
        let plans = [
            plan(&["src/**"], &["src/web/**"]),
            plan(&["src/web/**"], &[]),
            plan(&["src/**/*.css"], &["src/web/a.css"]),
            plan(&["docs/**"], &[]),
            plan(&["lib/a.rs", "docs/x.md"], &[]),
        ];
        let plans: Vec<&Plan> = plans.iter().collect();
        let found = |together: &dyn Fn(usize, usize) -> bool| -> Vec<(usize, usize)> {
            overlaps(&plans, together).found.into_iter().map(|found| (found.plan, found.other)).collect()
        };
        assert_eq!(found(&|_, _| true), [(2, 0), (4, 3)]);
        assert_eq!(found(&|one, other| (one, other) != (2, 0)), [(2, 1), (4, 3)]);
        for found in overlaps(&plans, |_, _| true).found {
            assert!(plans[found.plan].permits(&found.path) && plans[found.other].permits(&found.path), "{found:?}");
        }
    }

    #[test]
    fn what_takes_too_long_is_said() {
        // Sets of places for each of the last characters, as many as there are.
        let hard: Vec<String> = (0..20).map(|at| format!("**/*a{}b{at}", "?".repeat(30 + at))).collect();
        let forbidden: Vec<&str> = hard.iter().map(String::as_str).collect();
        let plans = [plan(&["**"], &forbidden), plan(&["**"], &forbidden), plan(&["**/*b1"], &forbidden)];
        let found = overlaps(&plans.iter().collect::<Vec<_>>(), |_, _| true);
        assert_eq!((found.found.len(), found.incomplete), (2, None), "{found:?}");
        let long = "*a*b*c*d*e*f*g*h*i*j*k";
        let [allowed, forbidden] = [long.repeat(100), format!("*a{}", "?".repeat(40)).repeat(90)];
        assert_eq!(plan(&[&allowed], &[".env", &forbidden]).conflicts().incomplete, Some(1));
        let plans = [plan(&[&allowed], &[]), plan(&["src/**"], &[]), plan(&[&forbidden], &[])];
        assert_eq!(overlaps(&plans.iter().collect::<Vec<_>>(), |_, _| true).incomplete, Some(2));
    }

    #[test]
    fn thousands_of_plans_are_compared() {
        let plans: Vec<Plan> = (0..1000).map(|at| plan(&[&format!("**/part{at}*.ts"), "x/*.md"], &["x/**"])).collect();
        let plans: Vec<&Plan> = plans.iter().collect();
        let found = overlaps(&plans, |_, _| true);
        // `part1*` and `part10*`
        assert_eq!((found.found.len(), found.incomplete), (990, None));
    }

    #[test]
    fn what_many_plans_share_is_compared_once() {
        // Neither runs beside another one, so that all are looked at.
        let plans: Vec<Plan> = (0..2000)
            .map(|at| plan(&[&format!("src/{{shared,p{at}}}/**"), &format!("{{lib,q{at}}}/x")], &["lib/**"]))
            .collect();
        let plans: Vec<&Plan> = plans.iter().collect();
        let found = overlaps(&plans, |_, _| false);
        assert_eq!((found.found.len(), found.incomplete), (0, None));
        let mut asked = 0;
        let found = overlaps(&plans, |_, _| {
            asked += 1;
            true
        });
        assert_eq!((found.found.len(), found.incomplete, asked), (1999, None, 1999));
    }

    #[test]
    fn paths_that_leave_the_repository() {
        for (path, expected) in [
            ("/etc", Some(Escape::Absolute)),
            ("C:\\x", Some(Escape::Absolute)),
            ("c:x", Some(Escape::Absolute)),
            ("\\\\host\\x", Some(Escape::Absolute)),
            ("~/x", Some(Escape::Home)),
            ("~", Some(Escape::Home)),
            ("!../x", Some(Escape::Parent)),
            ("a\\..\\b", Some(Escape::Parent)),
            ("~x/a", None),
            ("a..b/c", None),
            ("**", None),
            ("", None),
        ] {
            assert_eq!(Escape::of(path), expected, "{path}");
        }
        let inner = |path: &str| inner_path(&Field::new(Span::at(0), path.to_owned()));
        assert_eq!(inner("./a//b.rs").as_deref(), Some("a/b.rs"));
        assert_eq!(inner("a\\b").as_deref(), Some("a/b"));
        for path in ["n/a", "N/A", "a report", "report", "https://a/b", "src/*.rs", "../a", ".", ""] {
            assert_eq!(inner(path), None, "{path}");
        }
    }
}
