//! One pattern as npm reads it: minimatch, with names matched in any folder, hidden names not special, and letter case
//! ignored. It is close to a line of a .gitignore and differs enough to decide otherwise: braces expand, `@(a|b)` works,
//! and `a/*` matches what is in `a` only.

use super::brace;
use super::segment::Segment;

/// A path to match: its parts in lower case, perhaps with a `/` before or after.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    parts: &'a [String],
    leading: bool,
    trailing: bool,
}

impl<'a> Candidate<'a> {
    /// The path of these parts, which are in lower case and hold no `/`.
    pub fn new(parts: &'a [String]) -> Self {
        Self { parts, leading: false, trailing: false }
    }

    /// With a `/` before.
    #[must_use]
    pub fn rooted(self) -> Self {
        Self { leading: true, ..self }
    }

    /// With a `/` after.
    #[must_use]
    pub fn folder(self) -> Self {
        Self { trailing: true, ..self }
    }

    /// The last part alone.
    #[must_use]
    pub fn name(self) -> Self {
        Self::new(self.parts.get(self.parts.len().saturating_sub(1)..).unwrap_or_default())
    }

    fn len(self) -> usize {
        usize::from(self.leading) + self.parts.len() + usize::from(self.trailing)
    }

    /// The part at `index`; the ones before a leading and after a trailing `/` are empty and count.
    fn part(self, index: usize) -> &'a str {
        index.checked_sub(usize::from(self.leading)).and_then(|index| self.parts.get(index)).map_or("", String::as_str)
    }
}

/// One line of an ignore file, or one rule that npm makes of a package.json.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Whether it takes files in, instead of leaving them out.
    pub takes_in: bool,
    /// Whether it names no folder: npm holds it against names, too, when it asks what is in a folder.
    pub names_no_folder: bool,
    /// The place of the item of `files` that it was made of.
    pub item: Option<usize>,
    alternatives: Vec<Vec<Part>>,
}

#[derive(Clone, Debug)]
enum Part {
    /// `**`: any number of folders.
    Folders,
    /// Anything else between two `/`.
    Segment(Segment),
}

impl Pattern {
    /// The patterns of an ignore file. Blank lines and comments are none.
    pub fn of_lines(text: &str) -> impl Iterator<Item = Self> {
        let lines = text.lines().map(|line| line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}'));
        lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(Self::new)
    }

    /// The pattern `text`; each `!` before it turns its meaning round.
    pub fn new(text: &str) -> Self {
        let glob = text.trim_start_matches('!');
        let expanded = brace::expand(glob);
        let split: Vec<Vec<&str>> = expanded.iter().map(|glob| split(glob)).collect();
        let short = |parts: &Vec<&str>| parts.len() <= if parts.last() == Some(&"") { 2 } else { 1 };
        let part = |part: &&str| if *part == "**" { Part::Folders } else { Part::Segment(Segment::new(part)) };
        Self {
            takes_in: (text.len() - glob.len()) % 2 == 1,
            names_no_folder: split.iter().any(short),
            item: None,
            alternatives: split.iter().map(|parts| parts.iter().map(part).collect()).collect(),
        }
    }

    /// The same, made of the item of `files` at `place`.
    #[must_use]
    pub fn of_item(self, place: usize) -> Self {
        Self { item: Some(place), ..self }
    }

    /// Whether it matches `path`.
    pub fn matches(&self, path: Candidate<'_>) -> bool {
        self.any(path, matches_whole)
    }

    /// Whether it matches `path` or could match something below it.
    pub fn matches_from(&self, path: Candidate<'_>) -> bool {
        self.any(path, matches_start)
    }

    fn any(&self, path: Candidate<'_>, matches: fn(&[Part], Candidate<'_>) -> bool) -> bool {
        self.alternatives.iter().any(|parts| {
            // A pattern without `/` is held against the name.
            let path = if parts.len() == 1 { path.name() } else { path };
            matches(parts, path)
        })
    }
}

/// The parts of a glob: `a/../` goes away, and a row of `**` is one.
fn split(glob: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    let rows = glob.split('/').enumerate();
    let last = glob.matches('/').count();
    for (_, part) in rows.filter(|(index, part)| !part.is_empty() || *index == 0 || *index == last) {
        match (parts.last(), part) {
            (Some(&"**"), "**") => {}
            (Some(previous), "..") if !matches!(*previous, "" | "." | ".." | "**") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    if parts.is_empty() {
        parts.push("");
    }
    parts
}

/// Whether `parts` (without `**`) match those of `path` from `at` on, as far as both go.
fn agree(parts: &[Part], path: Candidate<'_>, at: usize) -> bool {
    (at..path.len()).zip(parts).all(|(index, part)| match part {
        Part::Segment(segment) => segment.matches(path.part(index)),
        Part::Folders => false,
    })
}

/// Whether `path` has `len` parts, not counting an empty one after a last `/`.
fn has_parts(path: Candidate<'_>, len: usize) -> bool {
    path.len() == len || path.trailing && path.len() == len + 1
}

fn matches_whole(parts: &[Part], path: Candidate<'_>) -> bool {
    let mut sections = parts.split(|part| matches!(part, Part::Folders));
    let (Some(head), tail) = (sections.next(), sections.next_back()) else { return false };
    let Some(tail) = tail else { return has_parts(path, head.len()) && agree(head, path, 0) };
    if path.len() < head.len() || !agree(head, path, 0) {
        return false;
    }
    let mut at = head.len();
    let Some(end) = start_of_tail(tail, path, at) else { return false };
    for section in sections {
        // The first place found leaves most to the rest.
        let last = end.checked_sub(section.len());
        let Some(found) = last.and_then(|last| (at..=last).find(|at| agree(section, path, *at))) else { return false };
        at = found + section.len();
    }
    // A last `**` wants something to be there.
    !tail.is_empty() || at < end
}

/// Where `tail` starts when it matches the end of `path`, and not before `from`.
fn start_of_tail(tail: &[Part], path: Candidate<'_>, from: usize) -> Option<usize> {
    let start = path.len().checked_sub(tail.len()).filter(|start| *start >= from)?;
    if agree(tail, path, start) {
        return Some(start);
    }
    // `a/**/b` matches `a/b/`, too.
    (path.trailing && start > from && agree(tail, path, start - 1)).then(|| start - 1)
}

fn matches_start(parts: &[Part], path: Candidate<'_>) -> bool {
    let mut sections = parts.split(|part| matches!(part, Part::Folders));
    let head = sections.next().unwrap_or_default();
    let goes_on = sections.next().is_some() || path.len() <= head.len() || has_parts(path, head.len());
    goes_on && agree(head, path, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(path: &str) -> Vec<String> {
        path.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn names_folders_and_stars() {
        for (glob, path, expected) in [
            ("a", "x/y/a", true),
            ("*.md", "x/.b.md", true),
            ("A.MD", "x/a.md", true),
            ("a/*", "a/b", true),
            ("a/*", "a/b/c", false),
            ("a/**", "a", false),
            ("a/**", "a/b/c", true),
            ("a/**/c", "a/c", true),
            ("**/b/**/d", "a/b/c/d", true),
            ("**/b/**/d", "a/d", false),
            ("a/../b/c", "b/c", true),
            ("{a,b/c}/d", "b/c/d", true),
        ] {
            assert_eq!(Pattern::new(glob).matches(Candidate::new(&parts(path))), expected, "{glob} on {path}");
        }
    }

    #[test]
    fn slashes_before_and_after_are_parts() {
        let parts = parts("a/b");
        let path = Candidate::new(&parts);
        assert!(Pattern::new("/a/b").matches(path.rooted()));
        assert!(!Pattern::new("/a/b").matches(path));
        assert!(Pattern::new("a/b/").matches(path.folder()));
        assert!(!Pattern::new("a/b/").matches(path));
        assert!(Pattern::new("a/*/**").matches(path.folder()));
        assert!(!Pattern::new("a/b/*").matches(path.folder()));
        assert!(Pattern::new("a/b/c/*.js").matches_from(path));
        assert!(!Pattern::new("b/c").matches_from(path));
    }

    #[test]
    fn lines_of_a_file() {
        let of = |text: &str| Pattern::of_lines(text).map(|pattern| pattern.takes_in).collect::<Vec<_>>();
        assert_eq!(of("\u{feff}# comment\r\n\r\n  a  \r\n!b\n!!c\n"), [false, true, false]);
    }
}
