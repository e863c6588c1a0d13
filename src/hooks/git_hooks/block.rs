//! Our lines in the file of a hook: a block between two marks, behind the first line. What is before and after it is somebody
//! else's, and stays.

use std::ops::Range;

use bstr::ByteSlice;

/// How the first line of the block begins, and the last one.
const MARKS: (&[u8], &[u8]) = (b"# >>> squad-lint", b"# <<< squad-lint");

/// The line of the block that says that the file was not there before.
const MADE: &[u8] = b"# squad-lint made this file.\n";

/// The last line of the block is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unclosed;

/// Where the first block is in `text`, with the line end behind it.
pub(super) fn find(text: &[u8]) -> Result<Option<Range<usize>>, Unclosed> {
    let mut start = None;
    let mut at = 0;
    for line in text.lines_with_terminator() {
        let end = at + line.len();
        match start {
            None if line.starts_with(MARKS.0) => start = Some(at),
            Some(start) if line.starts_with(MARKS.1) => return Ok(Some(start..end)),
            _ => {}
        }
        at = end;
    }
    if start.is_some() { Err(Unclosed) } else { Ok(None) }
}

/// `text` with the block of `script` behind its first line, if that names a shell, else before it.
pub(super) fn inserted(text: &[u8], script: &str) -> Vec<u8> {
    let block = own(script, false);
    if !text.starts_with(b"#!") {
        return [&block, text].concat();
    }
    match text.find_byte(b'\n') {
        Some(end) => {
            let (first, rest) = text.split_at(end + 1);
            [first, &block, rest].concat()
        }
        // So that `removed` finds no line end where there was none.
        None => [text, b"\n", block.trim_end()].concat(),
    }
}

/// `text`, in which the block is at `place`, with the block of `script` instead.
pub(super) fn renewed(text: &[u8], place: Range<usize>, script: &str) -> Vec<u8> {
    let (before, old, after) = divided(text, place);
    let block = own(script, is_made(old));
    let block = if old.ends_with(b"\n") { &block } else { block.trim_end() };
    [before, block, after].concat()
}

/// What is left without the block at `place`; `None` if the file was not there before, and nothing else is in it.
pub(super) fn removed(text: &[u8], place: Range<usize>, script: &str) -> Option<Vec<u8>> {
    let (before, old, after) = divided(text, place);
    let first = script.lines().next().unwrap_or_default();
    if is_made(old) && after.is_empty() && before.trim_end() == first.as_bytes() {
        return None;
    }
    let is_last = !old.ends_with(b"\n") && after.is_empty();
    let before = if is_last { before.strip_suffix(b"\n").unwrap_or(before) } else { before };
    Some([before, after].concat())
}

fn divided(text: &[u8], place: Range<usize>) -> (&[u8], &[u8], &[u8]) {
    let (before, rest) = text.split_at_checked(place.start).unwrap_or((text, b""));
    let (block, after) = rest.split_at_checked(place.len()).unwrap_or((rest, b""));
    (before, block, after)
}

fn is_made(block: &[u8]) -> bool {
    block.contains_str(MADE)
}

/// The block of `script`, for a file that was there before unless it `is_made`.
fn own(script: &str, is_made: bool) -> Vec<u8> {
    let place = find(script.as_bytes()).ok().flatten().unwrap_or_default();
    let block = script.as_bytes().get(place).unwrap_or_default();
    if is_made { block.to_vec() } else { block.replace(MADE, "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = include_str!("../../../hooks/pre-commit");

    #[test]
    fn what_was_inserted_is_removed_byte_for_byte() {
        for text in [
            &b"#!/bin/sh\necho 1\n"[..],
            b"#!/usr/bin/env bash\n\n\necho 1",
            b"echo 1\n",
            b"",
            b"\n",
            b"#!/bin/sh",
            b"#!/bin/sh\n",
            b"#!/bin/sh\n# \xff\xfe\r\necho\n\n",
        ] {
            let with = inserted(text, SCRIPT);
            let place = find(&with).unwrap().unwrap();
            assert_eq!(removed(&with, place.clone(), SCRIPT).as_deref(), Some(text), "{:?}", text.as_bstr());
            assert_eq!(renewed(&with, place.clone(), SCRIPT), with);
            // What another tool appends stays.
            let longer = [with.as_slice(), b"# theirs\n"].concat();
            if with.ends_with(b"\n") {
                let left = [text, b"# theirs\n"].concat();
                assert_eq!(removed(&longer, place, SCRIPT).as_deref(), Some(left.as_slice()));
            }
        }
    }

    #[test]
    fn a_file_that_was_not_there_is_not_left() {
        let place = find(SCRIPT.as_bytes()).unwrap().unwrap();
        assert_eq!(removed(SCRIPT.as_bytes(), place.clone(), SCRIPT), None);
        let longer = format!("{SCRIPT}# --- other ---\necho\n");
        let left = removed(longer.as_bytes(), place.clone(), SCRIPT).unwrap();
        assert_eq!(left.as_bstr(), "#!/bin/sh\n# --- other ---\necho\n");
        assert_eq!(renewed(SCRIPT.as_bytes(), place, SCRIPT).as_bstr(), SCRIPT);
    }

    #[test]
    fn a_block_without_its_end_is_not_guessed() {
        assert_eq!(find(b"#!/bin/sh\n# >>> squad-lint >>>\necho\n"), Err(Unclosed));
        assert_eq!(find(b"#!/bin/sh\necho\n"), Ok(None));
    }
}
