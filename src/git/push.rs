//! What git pushes, as it tells a pre-push hook.

use bstr::{BString, ByteSlice};

/// One branch that a push changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// The branch over there, by its short name.
    pub branch: BString,
    /// The commit that it has now, in hex; `None` for a new branch.
    pub old: Option<String>,
    /// The commit that it gets, in hex.
    pub new: String,
}

/// A line that git would not write.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is not in the form that git passes to a pre-push hook")]
pub struct PushError {
    /// The line, from 1.
    pub line: usize,
}

/// The branches in what git writes to a pre-push hook, one a line:
/// `<local ref> <local object> <remote ref> <remote object>`. Deletions and tags carry nothing to a branch.
///
/// # Errors
/// The first line that is none.
pub fn parse(text: &[u8]) -> Result<Vec<Push>, PushError> {
    let mut pushes = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
        let malformed = || PushError { line: at + 1 };
        let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
        // The first can be any expression, `HEAD@{1 day ago}` among them.
        let [_, .., new, remote, old] = words.as_slice() else { return Err(malformed()) };
        let (new, old) = (object(new).ok_or_else(malformed)?, object(old).ok_or_else(malformed)?);
        let (Some(new), Some(branch)) = (new, remote.strip_prefix(b"refs/heads/")) else { continue };
        pushes.push(Push { branch: branch.into(), old, new });
    }
    Ok(pushes)
}

/// The one branch that a hook manager hands on: `old` and `new` are commits, and `branch` is the name over there.
pub fn from_variables(branch: &str, old: Option<&str>, new: &str) -> Vec<Push> {
    let name = |word: &str| object(word.as_bytes()).unwrap_or_else(|| Some(word.to_owned()));
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch).into();
    name(new).map(|new| Push { branch, old: old.and_then(name), new }).into_iter().collect()
}

/// An object's name in hex; `Some(None)` for the name of nothing, all zeroes; `None` for no name at all.
fn object(word: &[u8]) -> Option<Option<String>> {
    let is_name = matches!(word.len(), 40 | 64) && word.iter().all(u8::is_ascii_hexdigit);
    let name = is_name.then(|| String::from_utf8_lossy(word).into_owned())?;
    Some(Some(name).filter(|name| name.bytes().any(|byte| byte != b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_tags_and_deletions() -> Result<(), PushError> {
        let (a, b, zero) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let text = format!(
            "refs/heads/x {a} refs/heads/main {b}\nHEAD~1 {a} refs/heads/new/one {zero}\n(delete) {zero} refs/heads/old {b}\n\
             refs/tags/v1 {a} refs/tags/v1 {zero}\n"
        );
        let pushes = parse(text.as_bytes())?;
        let shown: Vec<_> = pushes.iter().map(|push| (push.branch.to_string(), push.old.is_some())).collect();
        assert_eq!(shown, [("main".to_owned(), true), ("new/one".to_owned(), false)]);
        assert_eq!(parse(b"").map(|pushes| pushes.len()).ok(), Some(0));
        assert_eq!(parse(b"\nrefs/heads/x main\n").map_err(|error| error.line), Err(2));
        Ok(())
    }
}
