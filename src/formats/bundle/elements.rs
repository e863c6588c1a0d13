//! Elements of HTML around other text: `<details>` … `</details>`. A tag in their lines holds for all that they enclose.

use super::prefix::Prefix;

/// Elements that enclose other text.
const ENCLOSING: [&str; 13] = [
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "div",
    "dl",
    "figure",
    "main",
    "ol",
    "section",
    "table",
    "ul",
];

/// The elements that are open.
#[derive(Debug, Default)]
pub(super) struct Elements {
    open: usize,
    /// The line of the outermost one.
    first: usize,
    is_local: bool,
}

impl Elements {
    /// Whether the last line is in a local element.
    pub(super) fn is_local(&self) -> bool {
        self.is_local
    }

    /// Goes on to the line with that number; `is_tagged` says whether it says that it is local. Returns the line from which on all is local
    /// up to it.
    pub(super) fn read(&mut self, line: &str, number: usize, is_tagged: bool) -> Option<usize> {
        if self.open == 0 {
            self.is_local = false;
        }
        let rest = Prefix::of(line).rest;
        if !rest.starts_with('<') {
            return None;
        }
        let was_open = self.open > 0;
        if !was_open {
            self.first = number;
        }
        let mut is_open = was_open;
        for at in memchr::memchr_iter(b'<', rest.as_bytes()) {
            let name = rest.get(at + 1..).unwrap_or_default();
            let (name, closes) = name.strip_prefix('/').map_or((name, false), |name| (name, true));
            let is_enclosing = ENCLOSING.iter().any(|known| {
                let (start, behind) = name.split_at_checked(known.len()).unwrap_or_default();
                start.eq_ignore_ascii_case(known) && !behind.starts_with(|c: char| c.is_ascii_alphanumeric())
            });
            if is_enclosing {
                self.open = if closes { self.open.saturating_sub(1) } else { self.open + 1 };
            }
            is_open |= self.open > 0;
        }
        let is_marked = is_open && is_tagged;
        self.is_local |= is_marked;
        is_marked.then_some(self.first)
    }
}
