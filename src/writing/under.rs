//! What an entry is below in its file.

/// What an entry is below, once it is put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Under {
    /// Whatever its place in time is below.
    Anything,
    /// No title of a section that says something.
    None,
    /// The title of this section.
    Title(String),
}

impl Under {
    /// The title of the section, without its hashes.
    pub(super) fn title(&self) -> Option<&str> {
        match self {
            Self::Title(title) => Some(title),
            Self::Anything | Self::None => None,
        }
    }
}
