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

/// Files whose names have no dot.
const FILES: [&[u8]; 30] = [
    b"AUTHORS",
    b"Brewfile",
    b"CHANGELOG",
    b"CODEOWNERS",
    b"CONTRIBUTING",
    b"COPYING",
    b"Caddyfile",
    b"Containerfile",
    b"Dockerfile",
    b"Earthfile",
    b"Fastfile",
    b"GNUmakefile",
    b"Gemfile",
    b"Guardfile",
    b"INSTALL",
    b"Jenkinsfile",
    b"Justfile",
    b"LICENSE",
    b"MAINTAINERS",
    b"Makefile",
    b"NOTICE",
    b"Pipfile",
    b"Podfile",
    b"Procfile",
    b"README",
    b"Rakefile",
    b"Tiltfile",
    b"Vagrantfile",
    b"justfile",
    b"makefile",
];

/// The name at the end of `alternative`, if it looks like that of a file: it has a dot, as `App.tsx` and `.env`, or is known, as
/// `Makefile`.
pub(super) fn file_name(alternative: &Alternative) -> Option<&[u8]> {
    let Some(Part::Name(name)) = alternative.parts.last().filter(|_| alternative.names_folder) else { return None };
    let is_in = |names: &[&[u8]]| names.binary_search(&name.as_ref()).is_ok();
    (name.contains(&b'.') && !is_in(&FOLDERS) || is_in(&FILES)).then_some(name)
}

/// The names without a wildcard at the start of `parts`.
pub(super) fn head(parts: &[Part]) -> &[Part] {
    let count = parts.iter().take_while(|part| matches!(part, Part::Name(_))).count();
    parts.get(..count).unwrap_or_default()
}

/// The glob `text` with its `[` and `]` as characters; `None` if it has none.
pub(super) fn with_brackets(text: &str) -> Option<String> {
    if !text.contains('[') {
        return None;
    }
    let mut glob = String::with_capacity(text.len() + 8);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if matches!(c, '[' | ']') {
            glob.push('\\');
        }
        glob.push(c);
        if c == '\\' {
            glob.extend(chars.next());
        }
    }
    Some(glob)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(FOLDERS.is_sorted() && FILES.is_sorted());
    }
}
