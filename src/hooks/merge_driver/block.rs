//! Our block in `.gitattributes`.

use bstr::ByteSlice;

use crate::dialects::merged_in;

const START: &str = "# >>> squad-lint: merges memory entry by entry >>>";

/// The first line of a block after a line that had no line end, which `uninstall` takes back.
const START_AFTER_OPEN_LINE: &str =
    "# >>> squad-lint: merges memory entry by entry; the line above had no line end >>>";

/// The last line of the block.
pub const END: &str = "# <<< squad-lint <<<";

/// `text` with the block for files in these roots, at its place or at the end, where it has the last word; `None` if the block in it
/// has no end. A root is a glob from the repository's root, such as `**/.squad`.
pub fn with(text: &[u8], roots: &[String]) -> Option<Vec<u8>> {
    let (before, behind) = match find(text)? {
        Some((before, behind)) => (before, behind),
        None => (text, [].as_slice()),
    };
    let mut out = before.to_vec();
    let line_end = if text.find(b"\r\n").is_some() { "\r\n" } else { "\n" };
    let is_open = !out.is_empty() && !out.ends_with(b"\n");
    let start = if is_open { START_AFTER_OPEN_LINE } else { START };
    if is_open {
        out.extend_from_slice(line_end.as_bytes());
    }
    let files = roots.iter().filter(|root| is_pattern(root)).flat_map(|root| {
        let slash = if root.starts_with("**/") { "" } else { "/" };
        merged_in(root).iter().map(move |file| format!("{slash}{root}/{file} merge=squad-lint diff=squad-lint"))
    });
    for line in [start.to_owned()].into_iter().chain(files).chain([END.to_owned()]) {
        out.extend_from_slice(line.as_bytes());
        out.extend_from_slice(line_end.as_bytes());
    }
    out.extend_from_slice(behind);
    Some(out)
}

/// Whether git reads a glob as we do: it knows no braces, and blanks end a pattern.
fn is_pattern(root: &str) -> bool {
    !root.contains(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '"' | '\\'))
}

/// `text` without the block; `None` if the block in it has no end.
pub fn without(text: &[u8]) -> Option<Vec<u8>> {
    Some(match find(text)? {
        Some((before, behind)) => [before, behind].concat(),
        None => text.to_vec(),
    })
}

/// What is before and after the block, if there is one; `None` if it has no end.
#[allow(clippy::option_option, reason = "a block without an end differs from none")]
fn find(text: &[u8]) -> Option<Option<(&[u8], &[u8])>> {
    let (mut at, mut start) = (0, None);
    for line in text.lines_with_terminator() {
        let words = line.trim_ascii_end();
        if start.is_none() && words == START.as_bytes() {
            start = Some(at);
        } else if start.is_none() && words == START_AFTER_OPEN_LINE.as_bytes() {
            let before = text.get(..at)?;
            start = Some(
                before.strip_suffix(b"\n").map_or(before, |before| before.strip_suffix(b"\r").unwrap_or(before)).len(),
            );
        }
        at += line.len();
        if let Some(start) = start.filter(|_| words == END.as_bytes()) {
            return Some(Some((text.get(..start)?, text.get(at..)?)));
        }
    }
    if start.is_some() { None } else { Some(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_and_goes() {
        let with = |text: &[u8]| with(text, &["**/.squad".into(), "a b".into()]);
        for text in ["", "*.png binary\n", "a\r\n", "a", "a\r\nb"] {
            let once = with(text.as_bytes()).unwrap();
            assert_eq!(with(&once).unwrap(), once);
            assert_eq!(without(&once).unwrap(), text.as_bytes());
        }
        let grown = [with(b"a\n").unwrap(), b"b\n".to_vec()].concat();
        assert_eq!(with(&grown).unwrap(), grown);
        assert_eq!(without(&grown).unwrap(), b"a\nb\n");
        assert_eq!(with(format!("{START}\nb\n").as_bytes()), None);
    }
}
