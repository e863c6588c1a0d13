//! A block of lines in an ignore file, between two comments.

/// Where lines belong in an ignore file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) at: usize,
    /// The last line of the block there, if somebody removed it: it comes back with the lines.
    pub(super) lost_end: Option<&'static str>,
}

/// A block of lines between two comments, as far as a file was read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    end: Option<usize>,
    /// The end of the last line of a block that is not closed, and whether lines go on there.
    open: Option<(usize, bool)>,
}

impl Block {
    /// Reads the line `content`, which is at the bytes `at` to `next`, where `first` and `last` are the comments. A block that is not
    /// closed has the lines that are its own, and not those of others below them.
    pub(super) fn read(
        &mut self,
        content: &str,
        (at, next): (usize, usize),
        (first, last): (&str, &str),
        is_own: impl Fn(&str) -> bool,
    ) {
        match (content, self.open) {
            _ if content == first => self.open = Some((next, true)),
            _ if content == last => *self = Self { end: Some(at), open: None },
            // What a line below brings back has to be above.
            _ if content.starts_with('!') => *self = Self::default(),
            (_, Some((_, true))) if is_own(content) => self.open = Some((next, true)),
            (_, Some((end, _))) => self.open = Some((end, false)),
            _ => {}
        }
    }

    /// Where lines belong in the block that ends with `last`; `None` if there is no block.
    pub(super) fn place(self, last: &'static str) -> Option<Place> {
        let closed = self.end.map(|at| Place { at, lost_end: None });
        closed.or_else(|| self.open.map(|(at, _)| Place { at, lost_end: Some(last) }))
    }
}
