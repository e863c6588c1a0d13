//! Three texts with the same line ends, and the merged text with those that it should have.

use foldhash::HashMap;
use std::borrow::Cow;

use super::versions::Versions;

/// Three texts of any line ends.
#[derive(Clone, Copy, Debug)]
pub struct LineEnds<'a> {
    texts: Versions<&'a str>,
    kinds: Versions<Kind>,
}

/// The line ends of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// All lines end with this.
    All(&'static str),
    /// Lines end in different ways.
    Mixed,
}

impl<'a> LineEnds<'a> {
    /// The line ends of these texts.
    pub fn of(texts: Versions<&'a str>) -> Self {
        Self { texts, kinds: texts.map(|text| Kind::of(text)) }
    }

    /// The texts with `\n` at the end of each line, the last one as well: a line without a line end would differ from the same line
    /// in the middle of another version, and run into what is put after it.
    pub fn unified(&self) -> Versions<Cow<'a, str>> {
        let unify = |text: &'a str, kind: Kind| {
            let mut text = match kind {
                Kind::All("\n") => Cow::Borrowed(text),
                Kind::All(line_end) => Cow::Owned(text.replace(line_end, "\n")),
                // As in git, another `\r` is a character of its line.
                Kind::Mixed => Cow::Owned(text.replace("\r\n", "\n")),
            };
            if !text.is_empty() && !text.ends_with('\n') {
                text.to_mut().push('\n');
            }
            text
        };
        Versions {
            base: unify(self.texts.base, self.kinds.base),
            ours: unify(self.texts.ours, self.kinds.ours),
            theirs: unify(self.texts.theirs, self.kinds.theirs),
        }
    }

    /// The merged text, whose lines all end with `\n`, with the line ends that a three-way merge gives it. After a conflict, the last
    /// line always has one.
    pub fn restored(&self, mut merged: String, conflicts: usize) -> String {
        let has_end = |text: &str, kind: Kind| text.is_empty() || text.ends_with(kind.last());
        let has_end = Versions {
            base: has_end(self.texts.base, self.kinds.base),
            ours: has_end(self.texts.ours, self.kinds.ours),
            theirs: has_end(self.texts.theirs, self.kinds.theirs),
        };
        if conflicts == 0 && has_end.trivial() == Some(false) {
            merged.truncate(merged.trim_end_matches('\n').len());
        }
        match self.kinds.trivial().unwrap_or(self.kinds.ours) {
            _ if self.kinds.iter().any(|kind| *kind == Kind::Mixed) => self.mixed(&merged),
            Kind::All("\n") | Kind::Mixed => merged,
            Kind::All(line_end) => merged.replace('\n', line_end),
        }
    }

    /// The merged text, where each line has the line end that it has in the versions, and else that of the line before.
    fn mixed(&self, merged: &str) -> String {
        let found = Versions {
            base: each_end(self.texts.base, self.kinds.base),
            ours: each_end(self.texts.ours, self.kinds.ours),
            theirs: each_end(self.texts.theirs, self.kinds.theirs),
        };
        let mut out = String::with_capacity(merged.len() + merged.len() / 16);
        let mut last = self.kinds.iter().find_map(|kind| kind.only()).unwrap_or("\n");
        for line in merged.split_inclusive('\n') {
            let words = line.strip_suffix('\n').unwrap_or(line);
            let ends = found.map(|ends| ends.get(words).copied());
            let end = ends.trivial().flatten().or(ends.ours).or(ends.theirs).flatten();
            last = end.unwrap_or(last);
            out.push_str(words);
            if words.len() < line.len() {
                out.push_str(last);
            }
        }
        out
    }
}

impl Kind {
    fn of(text: &str) -> Self {
        let count = |end: &str| memchr::memmem::find_iter(text.as_bytes(), end).count();
        let returns = memchr::memchr_iter(b'\r', text.as_bytes()).count();
        if returns == 0 {
            return Self::All("\n");
        }
        match (count("\r\n"), count("\n")) {
            (0, 0) => Self::All("\r"),
            (pairs, feeds) if pairs == feeds && pairs == returns => Self::All("\r\n"),
            _ => Self::Mixed,
        }
    }

    /// The last character of a line end.
    fn last(self) -> char {
        if self == Self::All("\r") { '\r' } else { '\n' }
    }

    fn only(self) -> Option<&'static str> {
        match self {
            Self::All(line_end) => Some(line_end),
            Self::Mixed => None,
        }
    }
}

/// The line end of each line of a text; nothing for lines that are there with different ones.
fn each_end(text: &str, kind: Kind) -> HashMap<&str, Option<&'static str>> {
    let mut found: HashMap<&str, Option<&'static str>> = HashMap::default();
    // The last line may have no line end.
    for line in text.split_inclusive(kind.last()).filter_map(|line| line.strip_suffix(kind.last())) {
        let (line, own) = match line.strip_suffix('\r') {
            _ if kind.last() == '\r' => (line, "\r"),
            Some(line) => (line, "\r\n"),
            None => (line, "\n"),
        };
        found.entry(line).and_modify(|known| *known = known.filter(|known| *known == own)).or_insert(Some(own));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restored(base: &str, ours: &str, theirs: &str, merged: &str) -> String {
        LineEnds::of(Versions { base, ours, theirs }).restored(merged.to_owned(), 0)
    }

    #[test]
    fn the_side_that_changed_them_decides() {
        assert_eq!(restored("a\n", "a\r\n", "a\nb\n", "a\nb\n"), "a\r\nb\r\n");
        assert_eq!(restored("a\r", "a\rb\r", "a\r", "a\nb\n"), "a\rb\r");
        assert_eq!(restored("a", "a\nb", "a\nc\n", "a\nb\nc\n"), "a\nb\nc\n");
        assert_eq!(restored("a", "a\r\nb", "a\r\nc", "a\nb\nc\n"), "a\r\nb\r\nc");
    }

    #[test]
    fn lines_of_a_mixed_text_keep_theirs() {
        let mixed = "a\r\nb\r\n\nc\n";
        assert_eq!(restored("a\r\nb\r\n", mixed, "a\r\nb\r\nd\r\n", "a\nb\n\nc\nd\n"), "a\r\nb\r\n\nc\nd\r\n");
        let unified = LineEnds::of(Versions { base: "", ours: mixed, theirs: "a\rb" }).unified();
        assert_eq!((&*unified.base, &*unified.ours, &*unified.theirs), ("", "a\nb\n\nc\n", "a\nb\n"));
    }

    #[test]
    fn a_return_in_a_line_is_no_line_end() {
        let base = "progress 10%\rprogress 100%\nprogress 10%\nend\n";
        let (ours, theirs) = (format!("{base}a\n"), format!("start\n{base}"));
        let ends = LineEnds::of(Versions { base, ours: &ours, theirs: &theirs });
        assert_eq!(ends.unified().base, base);
        let merged = format!("start\n{base}a\n");
        assert_eq!(ends.restored(merged.clone(), 0), merged);
        let (last, pair) = ("a\nb\r", "a\r\r\nb\n");
        assert_eq!(restored(last, last, "x\na\nb\r", "x\na\nb\r\n"), "x\na\nb\r");
        assert_eq!(restored(pair, pair, pair, "a\r\nb\n"), pair);
    }
}
