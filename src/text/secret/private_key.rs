//! Private keys: a line `-----BEGIN … PRIVATE KEY-----`, and lines of base64 in any dress: in a list, a quotation, a comment, a table,
//! or all on one line.

use super::letters::no_width;
use super::random::{is_example, is_random};

/// The longest name of a header, such as `-----BEGIN ENCRYPTED PRIVATE KEY-----`, in bytes.
const LONGEST_HEADER: usize = 60;

/// So many bytes before its first long line can a key begin: fields such as `DEK-Info` are between.
const NEAR: usize = 400;

/// So many bytes of a key are read.
const LONGEST_KEY: usize = 24_000;

/// A line of a key has so many bytes at least, unless it is the last one.
pub const SHORTEST_LINE: usize = 40;

/// A key has so many letters at least.
const SHORTEST_KEY: usize = 60;

/// Where the private key begins and ends whose first line of base64 is at `line`. The name alone is not a key.
pub fn around(bytes: &[u8], line: usize, passed: usize) -> Option<(usize, usize)> {
    let near = bytes.get(line.saturating_sub(NEAR).max(passed)..line)?;
    let name = last_name(near)?;
    let name_start = line - near.len() + name;
    let head = bytes.get(name_start.saturating_sub(LONGEST_HEADER)..name_start)?;
    let begin = memchr::memmem::rfind(head, b"-----BEGIN")?;
    let is_header = head.get(begin..)?.iter().all(|byte| byte.is_ascii_uppercase() || b"- 0".contains(byte));
    let body = name_start + "PRIVATE KEY".len();
    // The end of another key is no beginning.
    let between = bytes.get(body..line)?;
    if !is_header || memchr::memmem::find(between, b"-----END").is_some() {
        return None;
    }
    let (letters, end) = body_of(bytes, line);
    let is_key = letters.len() >= SHORTEST_KEY && is_random(&letters);
    // In thousands of letters, each short word is somewhere.
    let is_key = is_key && !letters.get(..SHORTEST_KEY).is_some_and(is_example);
    is_key.then(|| (name_start - head.len() + begin, footer(bytes, end).unwrap_or(end)))
}

/// Where the last name of a private key begins in `bytes`: few other words have a `K`.
fn last_name(bytes: &[u8]) -> Option<usize> {
    let mut starts = memchr::memrchr_iter(b'K', bytes).filter_map(|at| at.checked_sub("PRIVATE ".len()));
    starts.find(|start| bytes.get(*start..).is_some_and(|rest| rest.starts_with(b"PRIVATE KEY")))
}

/// The letters of the key whose first line is at `at`, and where they end. All lines are as long as the first one, but the last.
fn body_of(bytes: &[u8], at: usize) -> (String, usize) {
    let (mut letters, mut end, mut next) = (String::new(), at, at);
    let mut width = None;
    while letters.len() < LONGEST_KEY {
        let line = bytes.get(next..).unwrap_or_default();
        let len = line.iter().take_while(|byte| is_base64(**byte)).count();
        let width = *width.get_or_insert(len);
        if len == 0 || len > width {
            break;
        }
        letters.push_str(std::str::from_utf8(line.get(..len).unwrap_or_default()).unwrap_or_default());
        end = next + len;
        if len < width {
            break;
        }
        let Some(gap) = gap(bytes.get(end..).unwrap_or_default()) else { break };
        next = end + gap;
    }
    (letters, end)
}

/// The bytes between two lines of a key: a line end, also as an escape, and what the lines are dressed in. `None` where another
/// text begins.
fn gap(bytes: &[u8]) -> Option<usize> {
    const LONGEST: usize = 40;
    let mut at = 0;
    while at < LONGEST {
        let rest = bytes.get(at..)?;
        at += match rest {
            // A comment: no line of a key begins with two slashes and a blank.
            [b'\\', b'\\', b'n' | b'r' | b't', ..] | [b'/', b'/', b' ', ..] => 3,
            [b'\\', b'n' | b'r' | b't' | b'\\' | b'"', ..] | [b'+', b' ', ..] => 2,
            [b'<', b'b', b'r', b'>', ..] => 4,
            [b'<', b'b', b'r', b'/', b'>', ..] => 5,
            [
                b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'>' | b'#' | b'|' | b'*' | b',' | b';' | b'-',
                ..,
            ] => 1,
            _ => match no_width(rest) {
                0 => return (at > 0).then_some(at),
                len => len,
            },
        };
        // The dashes of the footer.
        if rest.starts_with(b"-----") {
            return None;
        }
    }
    None
}

/// Where the footer ends that is after `end`.
fn footer(bytes: &[u8], end: usize) -> Option<usize> {
    let near = bytes.get(end..(end + LONGEST_HEADER).min(bytes.len()))?;
    let begin = memchr::memmem::find(near, b"-----END")?;
    let rest = near.get(begin..)?;
    let name = memchr::memmem::find(rest, b"PRIVATE KEY")?;
    Some(end + begin + name + "PRIVATE KEY".len())
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
