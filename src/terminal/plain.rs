//! Standard output without escape sequences where they are not wanted.

use std::io::{self, StdoutLock, Write};

use anstream::adapter::StripBytes;
use anstream::{AutoStream, ColorChoice};

/// Standard output, with escape sequences or without them.
#[derive(Debug)]
pub struct Stdout(Inner);

#[derive(Debug)]
enum Inner {
    /// As a terminal wants it.
    Auto(AutoStream<StdoutLock<'static>>),
    /// Without escape sequences.
    Plain(Plain<StdoutLock<'static>>),
}

impl Stdout {
    /// Standard output, as `choice` wants it.
    pub(super) fn new(choice: ColorChoice) -> Self {
        let lock = io::stdout().lock();
        let choice = if choice == ColorChoice::Auto { AutoStream::choice(&lock) } else { choice };
        Self(match choice {
            ColorChoice::Never => Inner::Plain(Plain::new(lock)),
            choice => Inner::Auto(AutoStream::new(lock, choice)),
        })
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Inner::Auto(out) => out.write(bytes),
            Inner::Plain(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Inner::Auto(out) => out.flush(),
            Inner::Plain(out) => out.inner.flush(),
        }
    }
}

/// Writes all but escape sequences. To look for them byte by byte takes a tenth of a long answer, and nearly none has any: a text
/// without the bytes that can begin one is written as it is.
#[derive(Debug)]
struct Plain<W> {
    inner: W,
    strip: StripBytes,
    /// Whether nothing is open that began before.
    is_at_start: bool,
}

impl<W: Write> Plain<W> {
    fn new(inner: W) -> Self {
        Self { inner, strip: StripBytes::new(), is_at_start: true }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_at_start && is_plain(bytes) {
            self.inner.write_all(bytes)?;
            return Ok(bytes.len());
        }
        self.is_at_start = false;
        for part in self.strip.strip_next(bytes) {
            self.inner.write_all(part)?;
        }
        Ok(bytes.len())
    }
}

/// Whether a text is whole, and nothing in it controls a terminal.
fn is_plain(bytes: &[u8]) -> bool {
    const BLOCK: usize = 64;
    let is_control = |byte: &u8| matches!(byte, 0..b'\t' | 0x0b | 0x0e..b' ' | 0x7f);
    let has_control = |block: &[u8]| block.iter().fold(false, |found, byte| found | is_control(byte));
    !bytes.chunks(BLOCK).any(has_control) && std::str::from_utf8(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_what_is_left_without_escape_sequences(
            parts in prop::collection::vec("[ -~\n\t\r\u{1b}\u{b}\u{c}\u{7f}\u{80}-\u{ff}\u{2014}\u{1f98a}]{0,12}", 0..6),
            at in 0usize..40,
        ) {
            let text = parts.concat();
            let mut out = Plain::new(Vec::new());
            // A part may end in the midst of a character.
            let (before, behind) = text.as_bytes().split_at(at.min(text.len()));
            let (mut strip, mut expected) = (StripBytes::new(), Vec::new());
            for part in [before, behind] {
                out.write_all_of(part);
                expected.extend(strip.strip_next(part).flatten().copied());
            }
            prop_assert_eq!(out.inner, expected);
        }
    }

    impl Plain<Vec<u8>> {
        fn write_all_of(&mut self, bytes: &[u8]) {
            assert_eq!(self.write(bytes).unwrap(), bytes.len());
        }
    }
}
