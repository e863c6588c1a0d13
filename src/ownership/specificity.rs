//! Which of two globs says more precisely what it means: the one all of whose paths the other matches, too.

use super::glob::{Alternative, Part};

/// Whether `outer` matches all that `inner` matches, as far as the two texts show; where they do not, the answer is no.
pub(super) fn covers(outer: &Alternative, inner: &Alternative) -> bool {
    parts_cover(outer, false, inner) || outer.names_folder && parts_cover(outer, true, inner)
}

/// Whether `outer`, with all that lies inside if `inside` says so, covers `inner`. What names a folder in one names it in the
/// other, too: `src/**` covers `src`, though it does not match a file of that name.
fn parts_cover(outer: &Alternative, inside: bool, inner: &Alternative) -> bool {
    let (outer, inner, names_folder) = (&outer.parts, &inner.parts, inner.names_folder);
    let last = outer.len() - usize::from(!inside);
    // Which parts of `inner` may be the next when the parts before this one have taken those before.
    let mut open = vec![false; inner.len() + 1];
    if let Some(first) = open.first_mut() {
        *first = true;
    }
    for (number, outer) in outer.iter().chain(inside.then_some(&Part::Any)).enumerate() {
        let mut next = vec![false; open.len()];
        let mut reached = false;
        for (at, is_open) in open.iter().enumerate() {
            let (to, is_next) = match outer {
                Part::Any if number == last && at == inner.len() && !names_folder => (at, reached),
                Part::Any => (at, reached || *is_open),
                outer => (at + 1, *is_open && inner.get(at).is_some_and(|inner| part_covers(outer, inner))),
            };
            reached |= is_open;
            if let Some(slot) = next.get_mut(to) {
                *slot |= is_next;
            }
        }
        open = next;
    }
    open.last().copied().unwrap_or_default()
}

/// Whether one part, which is not `**`, covers another.
fn part_covers(outer: &Part, inner: &Part) -> bool {
    match (outer, inner) {
        (Part::Name(outer), Part::Name(inner)) => outer == inner,
        (Part::Pattern(outer), Part::Name(inner)) => outer.matches(inner),
        (Part::Pattern(outer), Part::Pattern(inner)) => outer.covers(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::GlobError;
    use super::super::glob::Glob;
    use super::*;

    fn is_covered(inner: &str, outer: &str) -> Result<bool, GlobError> {
        let (outer, inner) = (Glob::parse(outer)?.alternatives, Glob::parse(inner)?.alternatives);
        Ok(inner.iter().all(|inner| outer.iter().any(|outer| covers(outer, inner))))
    }

    #[test]
    fn the_narrower_of_two_globs() -> Result<(), GlobError> {
        // Each is narrower than the one after it, and not the other way round.
        for (inner, outer) in [
            ("src/lib/*.test.ts", "src/lib/**"),
            ("src/lib/**", "src/**"),
            ("src/lib", "src/**"),
            ("src/lib", "src/*"),
            ("src/lib/*", "src/lib/**"),
            ("src/lib/x", "src/lib"),
            ("src/lib/*.rs", "src/lib"),
            ("src/main.rs", "src/*.rs"),
            ("**/*.test.ts", "**/*.ts"),
            ("**/*.ts", "**"),
            ("a/b/**/c", "a/**/c"),
            ("vitest.config.ts", "*.config.*"),
            ("*.config.ts", "*.config.*"),
            ("*.config.*", "*"),
            ("a?", "a*"),
            ("[ab]x", "?x"),
            ("[ab]x", "*x"),
            ("src/{a,b}/**", "src/**"),
            ("docs/guide.md", "{docs,src}/*.md"),
            (".github/workflows/**", ".github"),
            ("a/*/b", "a/**/b"),
            ("**/a/b", "**/b"),
        ] {
            assert!(is_covered(inner, outer)?, "{inner} in {outer}");
            assert!(!is_covered(outer, inner)?, "{outer} in {inner}");
        }
        // Neither says more.
        for (one, other) in [
            ("**/*.test.ts", "src/**"),
            ("*.md", "README.*"),
            ("a/**/c", "a/b/**"),
            ("a*", "*b"),
            ("src/*/x", "src/a/*"),
            ("[ab]x", "[bc]x"),
        ] {
            assert!(!is_covered(one, other)? && !is_covered(other, one)?, "{one} {other}");
        }
        // Both say the same.
        for (one, other) in [
            ("src/core/**", "src/core"),
            ("src/core/", "./src/core/**"),
            ("{a,b}/x", "{b,a}/x"),
            ("**/**/x", "**/x"),
            ("a**", "a*"),
        ] {
            assert!(is_covered(one, other)? && is_covered(other, one)?, "{one} {other}");
        }
        Ok(())
    }
}
