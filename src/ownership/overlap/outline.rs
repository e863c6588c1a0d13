//! What the parts of two globs tell without a search: most globs have nothing in common.

use bstr::ByteSlice;

use super::PathGlob;
use super::names::file_name;
use crate::ownership::glob::{Alternative, Part};

/// How many pairs of alternatives are compared before two globs are taken to have something in common.
const PAIRS_MAX: usize = 256;

impl PathGlob {
    /// Whether some path can be matched by both, as far as their parts tell. With `files`, names that look like those of files
    /// are files, unless the other glob has them as those of folders.
    pub fn may_meet(&self, other: &Self, files: bool) -> bool {
        let (one, two) = (&self.alternatives, &other.alternatives);
        if one.len().saturating_mul(two.len()) > PAIRS_MAX {
            return true;
        }
        // Whether more names can follow after the last part of each.
        let is_open = |own: &Alternative, beside: &Self| {
            own.names_folder
                && !(files && file_name(own).is_some_and(|name| !beside.folders().any(|other| other == name)))
        };
        let two: Vec<(&[Part], bool)> = two.iter().map(|own| (own.parts.as_slice(), is_open(own, self))).collect();
        one.iter().any(|own| {
            let own = (own.parts.as_slice(), is_open(own, other));
            two.iter().any(|other| may_meet(own, *other))
        })
    }
}

/// The same for the parts of two alternatives, and whether more names can follow after each.
fn may_meet((one, one_is_open): (&[Part], bool), (other, other_is_open): (&[Part], bool)) -> bool {
    let is_name = |pair: &(&Part, &Part)| !matches!(pair, (Part::Any, _) | (_, Part::Any));
    let mut at = 0;
    for pair in one.iter().zip(other).take_while(is_name) {
        if !names_meet(pair.0, pair.1) {
            return false;
        }
        at += 1;
    }
    // One of the two ends here, and the other one goes on.
    if (at == one.len() && at < other.len() && !one_is_open) || (at == other.len() && at < one.len() && !other_is_open)
    {
        return false;
    }
    let ends = |parts: &[Part], is_open: bool| !is_open && parts.last() != Some(&Part::Any);
    if !ends(one, one_is_open) || !ends(other, other_is_open) {
        return true;
    }
    let mut at = 0;
    for pair in one.iter().rev().zip(other.iter().rev()).take_while(is_name) {
        if !names_meet(pair.0, pair.1) {
            return false;
        }
        at += 1;
    }
    // One of the two begins here, and the other one has a name before that.
    let needs_more =
        |own: usize, parts: &[Part]| at == own && parts.iter().rev().skip(at).any(|part| *part != Part::Any);
    !needs_more(one.len(), other) && !needs_more(other.len(), one)
}

/// Whether one name can match both, as far as their starts and ends tell.
fn names_meet(one: &Part, other: &Part) -> bool {
    match (one, other) {
        (Part::Any, _) | (_, Part::Any) => true,
        (Part::Name(one), Part::Name(other)) => one == other,
        (Part::Name(name), Part::Pattern(pattern)) | (Part::Pattern(pattern), Part::Name(name)) => {
            pattern.matches(name)
        }
        (Part::Pattern(one), Part::Pattern(other)) => {
            let (start, end) = (one.start(), one.end());
            let starts = start.starts_with(other.start()) || other.start().starts_with(start);
            starts && (end.ends_with_str(other.end()) || other.end().ends_with_str(end))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_tell_what_cannot_meet() {
        let may = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|glob| PathGlob::parse(glob).unwrap());
            assert_eq!(one.may_meet(&other, true), other.may_meet(&one, true));
            one.may_meet(&other, true)
        };
        for (one, other, expected) in [
            ("src/**", "src/a", true),
            ("src/**", "lib/**", false),
            ("src/App.tsx", "**/*.test.ts", false),
            ("src/App", "**/*.test.ts", true),
            ("a.b", "a.b/c", true),
            ("**/a.ts", "**/b.ts", false),
            ("**/a/x.ts", "**/b/x.ts", false),
            ("**/a*.ts", "**/b*.ts", false),
            ("**/a*", "**/*b", true),
            ("*/a.ts", "a.ts", false),
            ("*/a.ts", "b/**/a.ts", true),
            ("x/y.ts", "**/z/x/y.ts", false),
            ("x/y.ts", "**/x/y.ts", true),
            ("src", "src/a", true),
            ("src/*", "src/*/*", false),
            ("{a,b}.ts", "b.ts", true),
            (".github", "**/*.yml", true),
            ("x/{conf.d,b}", "x/conf.d/*.c", true),
            ("**/conf.d", "conf.d/*.c", true),
            ("conf.d", "**/conf.d/*.c", true),
            ("conf.d", "conf.e/*.c", false),
        ] {
            assert_eq!(may(one, other), expected, "{one} {other}");
        }
    }
}
