//! Which plans let their agents change the same file, exactly: globs against globs.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::boundaries::{Compared, PAIRS_MAX, positive};
use super::model::Plan;
use crate::ownership::overlap::{Meeting, PathGlob, near};

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

/// How much is done to compare the globs of all plans of a session, in states of the search.
const WORK_OF_SESSION: usize = 2_000_000;

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
    /// How many pairs may still be examined.
    pairs: usize,
    /// The plans that are in a pair whose comparison takes too long.
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

#[cfg(test)]
mod tests {
    use super::super::boundaries::tests::plan;
    use super::*;

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
            ("log/[0-9]/a.md", "log/[0-9]/a.md", Some("log/0/a.md")),
            ("log/[0-9]/a.md", "log/?????/a.md", None),
            ("log/[0-9]/a.md", "log/*[a-z0-9-]]/a.md", None),
        ] {
            assert_eq!(meet(one, other).as_deref(), expected, "{one} {other}");
            assert_eq!(meet(other, one).as_deref(), expected, "{other} {one}");
        }
        // Forbidden by the name that is allowed.
        let conflicts = plan(&["app/[id]/page.tsx"], &["app/[id]/**"]).conflicts().found;
        assert!(matches!(conflicts.as_slice(), [conflict] if conflict.nothing_left), "{conflicts:?}");
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
    fn a_dotted_name_is_a_folder_where_another_plan_says_so() {
        for path in ["conf.d", "x/conf.d", "docs/v1.2", "README"] {
            for below in ["*.conf", "?.md", "*/x.md", "**/*.md"] {
                let below = format!("{path}/{below}");
                for (one, other) in [(path, below.as_str()), (&below, path)] {
                    let plans = [plan(&[one], &[]), plan(&[other], &[])];
                    assert_eq!(overlaps(&[&plans[0], &plans[1]], |_, _| true).found.len(), 1, "{one} {other}");
                    assert_eq!(plan(&[one], &[other]).conflicts().found.len(), 1, "{one} {other}");
                }
            }
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
        // Neither runs beside another one, so that all are examined.
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
}
