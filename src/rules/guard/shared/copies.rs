//! Files that are in two places: in the working tree, and on the state branch.

use bstr::{BStr, ByteSlice};

use crate::facts::Run;
use crate::facts::state_roots::StateRoot;
use crate::select::revision::Revision;

/// Whether the file at `path` is on the branch, too, with other content.
pub fn differs(run: &Run<'_>, state: &StateRoot, branch: &Revision, path: &BStr) -> bool {
    let inner = state.inner(path);
    let parts: Vec<&[u8]> = inner.split_str("/").collect();
    let is_compared = match parts.as_slice() {
        // Each machine has an audit of its own.
        [b"memory", _, ..] => state.runtime_of(path).is_none(),
        [b"decisions.md"]
        | [b"agents", _, b"history.md"]
        | [b"decisions", b"inbox", _, ..]
        | [b"rai" | b"fact-checker", b"audit-trail.md"]
        | [b"log" | b"orchestration-log" | b"sessions" | b"identity" | b"casting", _, ..] => true,
        _ => false,
    };
    if !is_compared || !run.git(|_| branch.has(inner)).unwrap_or_default() {
        return false;
    }
    let (Some(here), Ok(there)) = (run.read(path), branch.read(inner, run.max_bytes())) else { return false };
    // Git may write other line ends to disk.
    let lines = |bytes: &[u8]| bytes.replace("\r\n", "\n");
    here.bytes() != there && lines(here.bytes()) != lines(&there)
}
