//! What the names in a glob say: where all of its paths begin, and whether they are files.

use crate::ownership::glob::{Alternative, Part};

/// Folders whose names look like those of files.
const FOLDERS: [&[u8]; 12] = [
    b".ai-team",
    b".circleci",
    b".claude",
    b".config",
    b".devcontainer",
    b".github",
    b".gitlab",
    b".husky",
    b".idea",
    b".squad",
    b".storybook",
    b".vscode",
];

/// Whether `alternative` ends with a name that looks like that of a file: it has a dot, as `App.tsx` and `.env`.
pub(super) fn is_file(alternative: &Alternative) -> bool {
    let Some(Part::Name(name)) = alternative.parts.last().filter(|_| alternative.names_folder) else { return false };
    name.contains(&b'.') && FOLDERS.binary_search(&name.as_ref()).is_err()
}

/// The names without a wildcard at the start of `parts`.
pub(super) fn head(parts: &[Part]) -> &[Part] {
    let count = parts.iter().take_while(|part| matches!(part, Part::Name(_))).count();
    parts.get(..count).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_sorted() {
        assert!(FOLDERS.is_sorted());
    }
}
