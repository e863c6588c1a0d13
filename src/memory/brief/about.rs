//! The files at hand, and how entries name them.

/// A file at hand, as texts name it, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its path in the repository.
    path: String,
    /// Its name, if texts are likely to mean it by that.
    name: Option<String>,
    /// The folder that it is in, with `/` after it.
    folder: Option<String>,
    /// Its name without the extension, if that is long enough for a word of its own.
    stem: Option<String>,
}

impl About {
    /// The file at `path`, which need not exist.
    pub fn new(path: &str) -> Self {
        let path = path.trim_start_matches("./").trim_end_matches('/').to_lowercase();
        let (folder, name) = path.rsplit_once('/').map_or((None, path.as_str()), |(folder, name)| (Some(folder), name));
        let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or_default();
        let common = ["index", "main", "readme", "utils", "types", "tests"];
        Self {
            name: (name.len() > 3 && name != path).then(|| name.to_owned()),
            folder: folder.map(|folder| format!("{folder}/")),
            stem: (stem.len() > 4 && !common.contains(&stem) && stem != path).then(|| stem.to_owned()),
            path,
        }
    }

    /// The most exact way in which `text`, in lower case, names it.
    pub(super) fn named_in(&self, text: &str) -> Option<Naming> {
        let named = |name: &Option<String>| name.as_ref().is_some_and(|name| has_word(text, name));
        match () {
            () if has_word(text, &self.path) => Some(Naming::Path(self.path.clone())),
            () if named(&self.name) => Some(Naming::Name(self.name.clone()?)),
            () if self.folder.as_ref().is_some_and(|folder| text.contains(folder)) => {
                Some(Naming::Folder(self.folder.clone()?))
            }
            () if named(&self.stem) => Some(Naming::Word(self.stem.clone()?)),
            () => None,
        }
    }
}

/// Whether `text` has `word`, not as a part of another word.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|behind| behind.chars().next());
        !is_part(before) && !is_part(behind)
    })
}

/// How an entry names a file at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Naming {
    /// By its path: `src/ledger.rs`.
    Path(String),
    /// By its name: `ledger.rs`.
    Name(String),
    /// By its folder: `src/`.
    Folder(String),
    /// By its name without the extension: `ledger`.
    Word(String),
}

impl Naming {
    /// The points that it brings.
    pub(super) fn points(&self) -> u32 {
        match self {
            Self::Path(_) => 80,
            Self::Name(_) => 60,
            Self::Folder(_) => 30,
            Self::Word(_) => 20,
        }
    }

    /// The text that names it.
    pub fn text(&self) -> &str {
        match self {
            Self::Path(text) | Self::Name(text) | Self::Folder(text) | Self::Word(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_more_or_less_of_its_path() {
        let file = About::new("./src/Ledger.rs");
        for (text, expected) in [
            ("see src/ledger.rs:12", Some(Naming::Path("src/ledger.rs".to_owned()))),
            ("`ledger.rs` is slow", Some(Naming::Name("ledger.rs".to_owned()))),
            ("all of src/ moves", Some(Naming::Folder("src/".to_owned()))),
            ("the ledger is slow", Some(Naming::Word("ledger".to_owned()))),
            ("ledgers are slow", None),
            ("my_ledger.rs", None),
        ] {
            assert_eq!(file.named_in(text), expected, "{text}");
        }
        assert_eq!(About::new("main.rs").named_in("the main thing"), None);
    }
}
