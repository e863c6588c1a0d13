//! Sets of globs over paths. Nearly all that anyone writes are names and folders: these are compared as they are, and only
//! what has a `*` inside is compiled, which would cost a short run more than all else it does.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// A glob that says no more than where a name is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plain {
    name: Vec<u8>,
    /// `**/` before it: in any folder.
    anywhere: bool,
    /// `/**` after it: what is in the folder, and not the folder itself.
    inside: bool,
}

/// A set of globs: `*` stops at `/`, `**` does not.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    plain: Vec<Plain>,
    compiled: Option<GlobSet>,
    ignores_case: bool,
    /// A bit for each byte that a path may end with which one of `plain` matches; some bytes share theirs.
    ends: u64,
}

impl Globs {
    /// The paths that `globs` match.
    ///
    /// # Errors
    /// The first glob that is none.
    pub fn new<S: AsRef<str>>(globs: impl IntoIterator<Item = S>) -> Result<Self, globset::Error> {
        Self::build(globs, false)
    }

    /// The paths that `globs` match whatever the case of their ASCII letters.
    ///
    /// # Errors
    /// The first glob that is none.
    pub fn ignoring_case<S: AsRef<str>>(globs: impl IntoIterator<Item = S>) -> Result<Self, globset::Error> {
        Self::build(globs, true)
    }

    fn build<S: AsRef<str>>(globs: impl IntoIterator<Item = S>, ignores_case: bool) -> Result<Self, globset::Error> {
        let mut set = Self { ignores_case, ..Self::default() };
        let mut others: Option<GlobSetBuilder> = None;
        for glob in globs {
            let glob = glob.as_ref();
            if let Some(plain) = plain(glob) {
                set.ends |= plain.ends();
                set.plain.push(plain);
                continue;
            }
            let glob = GlobBuilder::new(glob).literal_separator(true).case_insensitive(ignores_case).build()?;
            others.get_or_insert_with(GlobSetBuilder::new).add(glob);
        }
        set.compiled = others.map(|others| others.build()).transpose()?;
        Ok(set)
    }

    /// Whether one of them matches `path`, which has `/` between its parts.
    pub fn is_match(&self, path: &[u8]) -> bool {
        let compiled = || {
            let path = bstr::ByteSlice::to_path(path).ok();
            path.zip(self.compiled.as_ref()).is_some_and(|(path, set)| set.is_match(path))
        };
        // Most paths end with a byte that no name ends with.
        let may_end = path.last().is_some_and(|last| self.ends & end_bit(*last) != 0);
        may_end && self.plain.iter().any(|plain| plain.matches(path, self.ignores_case)) || compiled()
    }

    /// Whether one of them may match a path right in `folder`.
    pub fn may_match_in(&self, folder: &[u8]) -> bool {
        self.compiled.is_some() || self.plain.iter().any(|plain| plain.may_match_in(folder, self.ignores_case))
    }
}

/// The bit of the last byte of a path, the same for a letter in both cases.
fn end_bit(byte: u8) -> u64 {
    1 << (byte.to_ascii_lowercase() % 64)
}

impl Plain {
    /// The bits of the bytes that a path may end with which it matches.
    fn ends(&self) -> u64 {
        match self.name.last().filter(|_| !self.inside) {
            Some(last) => end_bit(*last),
            None => u64::MAX,
        }
    }

    fn may_match_in(&self, folder: &[u8], ignores_case: bool) -> bool {
        let parent = memchr::memrchr(b'/', &self.name).and_then(|end| self.name.get(..end));
        match (self.inside, parent) {
            (true, _) => true,
            (false, None) => self.anywhere || folder.is_empty(),
            (false, Some(parent)) => ends_with(folder, parent, self.anywhere, ignores_case),
        }
    }

    fn matches(&self, path: &[u8], ignores_case: bool) -> bool {
        let len = self.name.len();
        // Whether the name and something after it are at the start of `rest`.
        let starts = |rest: &[u8]| {
            rest.get(len) == Some(&b'/')
                && rest.len() > len + 1
                && rest.get(..len).is_some_and(|part| equal(part, &self.name, ignores_case))
        };
        match (self.anywhere, self.inside) {
            (anywhere, false) => ends_with(path, &self.name, anywhere, ignores_case),
            (false, true) => starts(path),
            (true, true) => {
                starts(path) || memchr::memchr_iter(b'/', path).any(|at| path.get(at + 1..).is_some_and(starts))
            }
        }
    }
}

/// Whether `path` is `name`, or, `anywhere`, ends with `/` and `name`.
fn ends_with(path: &[u8], name: &[u8], anywhere: bool, ignores_case: bool) -> bool {
    match path.len().checked_sub(name.len() + 1) {
        // Nearly all paths have no `/` there.
        Some(slash) if anywhere => {
            path.get(slash) == Some(&b'/') && path.get(slash + 1..).is_some_and(|end| equal(end, name, ignores_case))
        }
        Some(_) => false,
        None => equal(path, name, ignores_case),
    }
}

fn equal(one: &[u8], other: &[u8], ignores_case: bool) -> bool {
    if ignores_case { one.eq_ignore_ascii_case(other) } else { one == other }
}

/// `glob` as a name in its place, if it is no more than that.
fn plain(glob: &str) -> Option<Plain> {
    let (anywhere, rest) = glob.strip_prefix("**/").map_or((false, glob), |rest| (true, rest));
    let (inside, name) = rest.strip_suffix("/**").map_or((false, rest), |name| (true, name));
    let is_plain = !name.is_empty() && !name.contains(['*', '?', '[', ']', '{', '}', '\\', '!', ',']);
    // What starts or ends with `/`, or has two of them, is left to those who know what it means.
    let is_path = !name.starts_with('/') && !name.ends_with('/') && !name.contains("//");
    (is_plain && is_path).then(|| Plain { name: name.into(), anywhere, inside })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_globs_match_what_the_compiled_ones_do() -> Result<(), globset::Error> {
        let globs = ["a", "a/b", "**/a", "**/a/b", "a/**", "**/a/**", "**/.a/b/**", "a b", "ä/**"];
        let parts = ["a", "b", ".a", "A", "xa", "ax", "ä"];
        let mut paths: Vec<String> = parts.map(String::from).to_vec();
        for _ in 0..3 {
            let longer = paths.iter().flat_map(|path| parts.map(|part| format!("{path}/{part}"))).collect::<Vec<_>>();
            paths.extend(longer.into_iter().step_by(3));
        }
        for glob in globs {
            for ignores_case in [false, true] {
                let own = Globs::build([glob], ignores_case)?;
                assert!(own.compiled.is_none(), "{glob}");
                let compiled = GlobBuilder::new(glob).literal_separator(true).case_insensitive(ignores_case).build()?;
                let compiled = compiled.compile_matcher();
                for path in &paths {
                    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                    assert!(own.may_match_in(folder.as_bytes()) || !own.is_match(path.as_bytes()), "{glob} {path}");
                    assert_eq!(own.is_match(path.as_bytes()), compiled.is_match(path), "{glob} {path} {ignores_case}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn others_are_compiled() -> Result<(), globset::Error> {
        let globs = Globs::new(["x", "a/*.md", "{b,c}/**"])?;
        for (path, expected) in [("x", true), ("a/y.md", true), ("a/b/y.md", false), ("c/d", true), ("y", false)] {
            assert_eq!(globs.is_match(path.as_bytes()), expected, "{path}");
        }
        assert!(Globs::new(["a["]).is_err());
        Ok(())
    }
}
