//! Why a file was merged by lines, and not by entries.

/// Why a file was merged by lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByLines {
    /// Such a file has no entries, as `team.yaml`.
    NoEntries,
    /// A version is not UTF-8.
    NotUtf8,
    /// A version still has a conflict, as after a commit of `<<<<<<<`.
    Unresolved,
    /// The merged entries would not be read as they were before, as an entry whose heading or end another one takes as a part of
    /// itself.
    Swallowed,
    /// A line would not be in the merged file as often as the three versions demand, as one that changed places with an entry on both
    /// sides, or that is an item on one side and text in a comment on the other.
    Lost,
}

impl ByLines {
    /// The reason in words, after "merged by lines:".
    pub fn reason(self) -> &'static str {
        match self {
            Self::NoEntries => "such a file has no entries",
            Self::NotUtf8 => "a version is not UTF-8",
            Self::Unresolved => "a version has an unresolved conflict",
            Self::Swallowed => "an entry would lose text to another one",
            Self::Lost => "it would lose or duplicate a line",
        }
    }
}
