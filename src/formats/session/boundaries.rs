//! Which files a plan lets its agent change, exactly: globs against globs.

use std::collections::HashSet;

use super::field::Field;
use super::model::{Boundary, Plan};
use crate::ownership::overlap::PathGlob;

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

/// How many pairs of globs are looked at in a session: enough for a thousand plans that all allow the same folder.
const PAIRS_MAX: usize = 1_000_000;

/// How many states are looked at to compare the globs of one plan, and those of all plans of a session. A pair that people write
/// takes some hundred.
const STATES_OF_PLAN: usize = 500_000;
const STATES_OF_SESSION: usize = 20_000_000;

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

    /// The allowed globs that forbidden ones contradict: for each forbidden one a first.
    pub fn conflicts(&self) -> Vec<Conflict> {
        let mut left = STATES_OF_PLAN;
        let mut conflicts: Vec<Conflict> = Vec::new();
        let globs = positive(&self.allowed).map(|(at, glob)| (false, at, glob));
        let globs = globs.chain(positive(&self.forbidden).map(|(at, glob)| (true, at, glob)));
        let mut found: HashSet<usize> = HashSet::new();
        near(globs.collect(), |one, other| {
            let (no, yes) = match (one, other) {
                ((true, at, no), (false, allowed, yes)) | ((false, allowed, yes), (true, at, no)) => {
                    ((at, no), (allowed, yes))
                }
                _ => return,
            };
            if found.contains(&no.0) {
                return;
            }
            if let Some(path) = yes.1.common_path_within(no.1, &[], &mut left) {
                found.insert(no.0);
                let nothing_left = yes.1.common_path(yes.1, &[no.1]).is_none();
                conflicts.push(Conflict { allowed: yes.0, forbidden: no.0, path, nothing_left });
            }
        });
        conflicts.sort_by_key(|conflict| conflict.forbidden);
        conflicts
    }

    fn path_in(&self, other: &Self, one: &PathGlob, two: &PathGlob, left: &mut usize) -> Option<String> {
        if !one.may_meet(two) {
            return None;
        }
        let except: Vec<&PathGlob> = self.excluded().chain(other.excluded()).collect();
        one.common_path_within(two, &except, left)
    }
}

/// Calls `look` with pairs of `globs`, among them each two that have the names at their starts in common: others never meet. In the
/// order of these names, one is below the other.
fn near<'g, T: Copy>(
    mut globs: Vec<(T, usize, &'g PathGlob)>,
    mut look: impl FnMut((T, usize, &'g PathGlob), (T, usize, &'g PathGlob)),
) {
    globs.sort_by(|(_, _, one), (_, _, other)| one.prefix().cmp(other.prefix()));
    let (mut above, mut pairs): (Vec<(T, usize, &PathGlob)>, usize) = (Vec::new(), 0);
    for glob in globs {
        while above.pop_if(|(_, _, last)| !glob.2.prefix().starts_with(last.prefix())).is_some() {}
        for &other in &above {
            pairs += 1;
            if pairs > PAIRS_MAX {
                return;
            }
            look(glob, other);
        }
        above.push(glob);
    }
}

/// The plans that allow a path that an earlier one allows as well: for each the first that was found. `together` says which two
/// plans run at the same time.
pub fn overlaps(plans: &[&Plan], mut together: impl FnMut(usize, usize) -> bool) -> Vec<Overlap> {
    let globs = plans.iter().enumerate();
    let globs = globs.flat_map(|(plan, found)| positive(&found.allowed).map(move |(at, glob)| (plan, at, glob)));
    let mut found: Vec<Option<Overlap>> = vec![None; plans.len()];
    let mut left = STATES_OF_SESSION;
    near(globs.collect(), |one, other| {
        let ((later, own, one), (earlier, theirs, two)) = if one.0 > other.0 { (one, other) } else { (other, one) };
        let (Some(slot), Some(plan), Some(other)) = (found.get_mut(later), plans.get(later), plans.get(earlier)) else {
            return;
        };
        if later == earlier || slot.is_some() || !together(later, earlier) {
            return;
        }
        if let Some(path) = plan.path_in(other, one, two, &mut left) {
            *slot = Some(Overlap { plan: later, other: earlier, own, theirs, path });
        }
    });
    found.into_iter().flatten().collect()
}

/// `path` as globs have it; `None` if it is no path of a file in the repository, as in `a report in the chat`.
pub fn inner_path(path: &Field<String>) -> Option<String> {
    let text = path.value.as_str();
    let is_path =
        !text.contains("://") && !text.contains(['\n', '*', '<', '>', '|', '"']) && text.contains(['/', '\\', '.']);
    if !is_path || text.contains(char::is_whitespace) || Escape::of(text).is_some() {
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
                paths: PathGlob::parse(glob).ok(),
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
    fn conflicts_say_what_is_left() {
        let conflicts = |allowed: &[&str], forbidden: &[&str]| -> Vec<(usize, usize, bool)> {
            let found = plan(allowed, forbidden).conflicts().into_iter();
            found.map(|conflict| (conflict.allowed, conflict.forbidden, conflict.nothing_left)).collect()
        };
        assert_eq!(conflicts(&["src/**"], &["src/db/**", "lib/**"]), [(0, 0, false)]);
        assert_eq!(conflicts(&["a", "src/db/x.rs"], &["src/db/**"]), [(1, 0, true)]);
        assert_eq!(conflicts(&["src/*.ts"], &["**/*.rs"]), []);
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
            overlaps(&plans, together).into_iter().map(|found| (found.plan, found.other)).collect()
        };
        assert_eq!(found(&|_, _| true), [(2, 0), (4, 3)]);
        assert_eq!(found(&|one, other| (one, other) != (2, 0)), [(2, 1), (4, 3)]);
        for found in overlaps(&plans, |_, _| true) {
            assert!(plans[found.plan].permits(&found.path) && plans[found.other].permits(&found.path), "{found:?}");
        }
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
        for path in ["a report", "report", "https://a/b", "src/*.rs", "../a", ".", ""] {
            assert_eq!(inner(path), None, "{path}");
        }
    }
}
