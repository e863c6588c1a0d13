//! Our lines in the file of a hook: a block between two marks, after the first line. What is before and after it is somebody
//! else's, and stays.

use bstr::ByteSlice;

/// The first line of the block, and the last one, whole: other tools may have marks that begin like these.
const MARKS: (&[u8], &[u8]) = (
    b"# >>> squad-lint: `squad-lint install` renews the lines up to the next mark, `squad-lint uninstall` removes them >>>",
    b"# <<< squad-lint <<<",
);

/// The line of the block that says that the file was not there before.
const MADE: &[u8] = b"# squad-lint made this file.\n";

/// The last line of the block is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unclosed;

/// A file with our block, without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rest {
    /// What another program wrote.
    pub(super) text: Vec<u8>,
    /// Whether the file was not there before.
    pub(super) is_made: bool,
}

/// What `text` holds beside our block; `None` if the block is not in it. A second block is as good as the first.
pub(super) fn find(text: &[u8]) -> Result<Option<Rest>, Unclosed> {
    let mut rest = Vec::new();
    let mut block: Option<Vec<u8>> = None;
    let (mut count, mut is_made) = (0, false);
    for line in text.lines_with_terminator() {
        let bare = line.trim_end_with(|c| matches!(c, '\r' | '\n'));
        match &mut block {
            None if bare == MARKS.0 => block = Some(line.to_vec()),
            None => rest.extend_from_slice(line),
            Some(lines) => {
                lines.extend_from_slice(line);
                if bare == MARKS.1 {
                    count += 1;
                    // Git may have given it other line ends.
                    is_made |= lines.contains_str(MADE.trim_end());
                    block = None;
                }
            }
        }
    }
    if block.is_some() {
        return Err(Unclosed);
    }
    // As `with_block` leaves a first line without a line end.
    if count > 0 && text.ends_with(MARKS.1) && rest.find_byte(b'\n').is_some_and(|end| end + 1 == rest.len()) {
        rest.pop();
    }
    Ok((count > 0).then_some(Rest { text: rest, is_made }))
}

impl Rest {
    /// The file with the block of `script` after its first line.
    pub(super) fn renewed(&self, script: &str) -> Vec<u8> {
        if self.is_own(script) {
            // Also if git gave it other line ends.
            return script.as_bytes().to_vec();
        }
        with_block(&self.text, &own(script, self.is_made))
    }

    /// The file without the block; `None` if it was not there before, and nothing else than the first line of `script` is in it.
    pub(super) fn without_block(self, script: &str) -> Option<Vec<u8>> {
        (!self.is_own(script)).then_some(self.text)
    }

    fn is_own(&self, script: &str) -> bool {
        let first = script.lines().next().unwrap_or_default();
        self.is_made && self.text.trim_end() == first.as_bytes()
    }
}

/// `text` with the block of `script` after its first line, if that names a shell, else before it.
pub(super) fn inserted(text: &[u8], script: &str) -> Vec<u8> {
    with_block(text, &own(script, false))
}

fn with_block(text: &[u8], block: &[u8]) -> Vec<u8> {
    if !text.starts_with(b"#!") {
        return [block, text].concat();
    }
    match text.find_byte(b'\n') {
        Some(end) => {
            let (first, rest) = text.split_at(end + 1);
            [first, block, rest].concat()
        }
        // So that `find` gives it back without a line end.
        None => [text, b"\n", block.trim_end()].concat(),
    }
}

/// The block of `script`, for a file that was there before unless it `is_made`.
fn own(script: &str, is_made: bool) -> Vec<u8> {
    // Without its first line, the script is the block.
    let block = script.split_once('\n').map_or(script, |(_, block)| block).as_bytes();
    if is_made { block.to_vec() } else { block.replace(MADE, "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = include_str!("../../../hooks/pre-commit");

    fn found(text: &[u8]) -> Rest {
        find(text).unwrap().unwrap()
    }

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
            assert_eq!(found(&with).without_block(SCRIPT).as_deref(), Some(text), "{:?}", text.as_bstr());
            assert_eq!(found(&with).renewed(SCRIPT), with);
            // What another tool appends stays.
            let longer = [with.as_slice(), b"# theirs\n"].concat();
            if with.ends_with(b"\n") {
                let left = [text, b"# theirs\n"].concat();
                assert_eq!(found(&longer).without_block(SCRIPT).as_deref(), Some(left.as_slice()));
            }
        }
    }

    #[test]
    fn a_file_that_was_not_there_is_not_left() {
        assert_eq!(found(SCRIPT.as_bytes()).without_block(SCRIPT), None);
        let longer = format!("{SCRIPT}# --- other ---\necho\n");
        let left = found(longer.as_bytes()).without_block(SCRIPT).unwrap();
        assert_eq!(left.as_bstr(), "#!/bin/sh\n# --- other ---\necho\n");
        assert_eq!(found(SCRIPT.as_bytes()).renewed(SCRIPT).as_bstr(), SCRIPT);
    }

    #[test]
    fn a_block_goes_back_after_the_first_line() {
        let block = SCRIPT.split_once('\n').unwrap().1;
        let rest = found(format!("#!/bin/sh\nread -r l\n{block}echo\n").as_bytes());
        assert_eq!(rest.renewed(SCRIPT).as_bstr(), format!("#!/bin/sh\n{block}read -r l\necho\n"));
        assert_eq!(rest.without_block(SCRIPT).unwrap().as_bstr(), "#!/bin/sh\nread -r l\necho\n");
    }

    #[test]
    fn a_second_block_goes_with_the_first() {
        let block = SCRIPT.split_once('\n').unwrap().1;
        let rest = found(format!("#!/bin/sh\n{block}echo\n{block}").as_bytes());
        assert_eq!(rest.renewed(SCRIPT).as_bstr(), format!("#!/bin/sh\n{block}echo\n"));
        assert_eq!(rest.without_block(SCRIPT).unwrap().as_bstr(), "#!/bin/sh\necho\n");
    }

    #[test]
    fn a_block_without_its_end_is_not_guessed() {
        assert_eq!(find(&[b"#!/bin/sh\n", MARKS.0, b"\necho\n"].concat()), Err(Unclosed));
        assert_eq!(find(b"#!/bin/sh\necho\n"), Ok(None));
    }

    #[test]
    fn marks_of_others_are_theirs() {
        assert_eq!(find(b"# >>> squad-lint-extras >>>\necho\n# <<< squad-lint-extras <<<\n"), Ok(None));
        let text = format!("{SCRIPT}# >>> squad-lint-extras >>>\necho\n# <<< squad-lint-extras <<<\n");
        let left = found(text.as_bytes()).without_block(SCRIPT).unwrap();
        assert_eq!(left.as_bstr(), "#!/bin/sh\n# >>> squad-lint-extras >>>\necho\n# <<< squad-lint-extras <<<\n");
    }
}
