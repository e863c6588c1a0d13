//! Paths that are left out, by glob.

use bstr::BStr;

use crate::layout::globs::Globs;

/// What is left out by default: templates are filled in later and break rules until then (RULES.md).
pub const DEFAULT_EXCLUDES: [&str; 2] = ["**/.squad/templates/**", "**/.ai-team/templates/**"];

/// A set of globs over paths relative to the repository's root.
#[derive(Clone, Debug, Default)]
pub struct Excludes {
    set: Globs,
}

impl Excludes {
    /// The paths that `globs` match: `*` stops at `/`, `**` does not. A glob without `/` matches a name anywhere; one
    /// that matches a folder leaves out all that is in it.
    ///
    /// # Errors
    /// The first glob that is none.
    pub fn new<S: AsRef<str>>(globs: impl IntoIterator<Item = S>) -> Result<Self, globset::Error> {
        let mut all = Vec::new();
        for glob in globs {
            let glob = glob.as_ref().trim_end_matches('/');
            let glob = glob.strip_prefix("./").unwrap_or(glob);
            let glob = match glob.strip_prefix('/') {
                Some(rest) => rest.to_owned(),
                None if glob.contains('/') => glob.to_owned(),
                None => format!("**/{glob}"),
            };
            // The glob as it was written comes first: an error names it.
            let inside = (!glob.ends_with("/**")).then(|| format!("{glob}/**"));
            all.push(glob);
            all.extend(inside);
        }
        Ok(Self { set: Globs::new(all)? })
    }

    /// Whether the file at `path` is left out.
    pub fn matches(&self, path: &BStr) -> bool {
        self.set.is_match(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_folders_and_globs() -> Result<(), globset::Error> {
        let excludes = Excludes::new(["generated", "docs/*.md", "/.squad/log/", "./a/b", "**/inbox/*-x.md"])?;
        let excluded = |path: &str| excludes.matches(path.into());
        for path in
            ["generated/a.md", "x/generated/b/c.md", "docs/a.md", ".squad/log/a.md", "a/b/c.md", "q/inbox/k-x.md"]
        {
            assert!(excluded(path), "{path}");
        }
        for path in ["docs/a/b.md", "x/.squad/log/a.md", "regenerated/a.md", "inbox/x/k-x.md"] {
            assert!(!excluded(path), "{path}");
        }
        Ok(())
    }
}
