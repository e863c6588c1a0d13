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

/// The glob `text` with its `[` and `]` as characters; `None` if it has none but those of ranges, such as `[0-9]`, which are not names.
pub(super) fn with_brackets(text: &str) -> Option<String> {
    let mut glob = String::with_capacity(text.len() + 8);
    let (mut rest, mut has_name) = (text, false);
    while let Some(c) = rest.chars().next() {
        let ranges = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).filter(|(inner, _)| is_ranges(inner));
        if let Some((inner, behind)) = ranges {
            glob.extend(["[", inner, "]"]);
            rest = behind;
            continue;
        }
        if matches!(c, '[' | ']') {
            glob.push('\\');
            has_name |= c == '[';
        }
        let len = if c == '\\' { rest.chars().take(2).map(char::len_utf8).sum() } else { c.len_utf8() };
        let (piece, behind) = rest.split_at(len);
        glob.push_str(piece);
        rest = behind;
    }
    has_name.then_some(glob)
}

/// Whether `inner`, which is in brackets, is ranges such as `a-z0-9`, and signs beside them: no letter or digit is by itself.
fn is_ranges(inner: &str) -> bool {
    let mut rest = inner.strip_prefix(['!', '^']).unwrap_or(inner).as_bytes();
    let mut has_range = false;
    while let [first, behind @ ..] = rest {
        match behind {
            [b'-', last, behind @ ..] if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() => {
                if first > last {
                    return false;
                }
                has_range = true;
                rest = behind;
            }
            _ if first.is_ascii_alphanumeric() || !first.is_ascii() || matches!(first, b'\\' | b'[') => return false,
            _ => rest = behind,
        }
    }
    has_range
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_no_names() {
        for text in ["a/[0-9]", "[a-z]*", "[!a-zA-Z0-9_-].x", "\\[id\\]", "a"] {
            assert_eq!(with_brackets(text), None, "{text}");
        }
        for (text, expected) in [
            ("app/[id]/[0-9].ts", "app/\\[id\\]/[0-9].ts"),
            ("[post-slug]", "\\[post-slug\\]"),
            ("[id-name]", "\\[id-name\\]"),
            ("[[...slug]]", "\\[\\[...slug\\]\\]"),
            ("[é-z]", "\\[é-z\\]"),
            ("[0-9", "\\[0-9"),
        ] {
            assert_eq!(with_brackets(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn names_are_sorted() {
        assert!(FOLDERS.is_sorted() && FILES.is_sorted());
    }
}
