//! The three versions that a merge looks at, and the markers of its conflicts.

/// The three versions of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions<T> {
    /// The version that both sides come from.
    pub base: T,
    /// The version of the branch that is checked out.
    pub ours: T,
    /// The version of the branch that is merged.
    pub theirs: T,
}

impl<T> Versions<T> {
    /// The three, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        [&self.base, &self.ours, &self.theirs].into_iter()
    }

    /// What `change` makes of each of them.
    pub fn map<'a, U>(&'a self, mut change: impl FnMut(&'a T) -> U) -> Versions<U> {
        Versions { base: change(&self.base), ours: change(&self.ours), theirs: change(&self.theirs) }
    }
}

impl<T: Copy + PartialEq> Versions<T> {
    /// The result of the merge if only one side changed, or both did the same.
    pub fn trivial(&self) -> Option<T> {
        if self.ours == self.theirs || self.base == self.theirs {
            Some(self.ours)
        } else if self.base == self.ours {
            Some(self.theirs)
        } else {
            None
        }
    }
}

/// What a conflict shows, as git's `merge.conflictStyle` has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// `merge`: both sides, without the lines that both have at the start and the end.
    #[default]
    Merge,
    /// `diff3`: both sides, and the base between them.
    Diff3,
    /// `zdiff3`: as `diff3`, but without the lines that both sides have at the start and the end.
    Zdiff3,
}

impl Style {
    /// The style that git calls so. Git's default if there is no such style.
    pub fn named(name: &str) -> Self {
        match name {
            "diff3" => Self::Diff3,
            "zdiff3" => Self::Zdiff3,
            _ => Self::Merge,
        }
    }
}

/// The lines around a conflict, as git writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Markers<'a> {
    /// How often a marker repeats its character: 7, unless the attribute `conflict-marker-size` says another number.
    pub size: usize,
    /// What is between them.
    pub style: Style,
    /// The name of the base, where the style shows it.
    pub base: &'a str,
    /// The name of our side, such as `HEAD`.
    pub ours: &'a str,
    /// The name of their side, such as a branch.
    pub theirs: &'a str,
}

impl Default for Markers<'_> {
    fn default() -> Self {
        Self { size: 7, style: Style::Merge, base: "base", ours: "ours", theirs: "theirs" }
    }
}
