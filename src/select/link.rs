//! Whether a symbolic link that is in git leads somewhere.

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::tree::EntryKind;

use crate::git::change::Blob;
use crate::git::error::GitError;
use crate::git::repository::Git;
use crate::select::tracked::link_target;

/// Whether the link `id` at `path` certainly leads nowhere in a tree where `find` finds what is at a path. One that leads out of the
/// repository, or by way of another link or a submodule, may lead anywhere.
///
/// # Errors
/// When git cannot read the link, or what it leads to.
pub fn leads_nowhere(
    git: &Git,
    path: &BStr,
    id: ObjectId,
    find: impl Fn(&BStr) -> Result<Option<Blob>, GitError>,
) -> Result<bool, GitError> {
    let Some(target) = resolve(path, link_target(git, id)?.as_bstr()) else { return Ok(false) };
    for end in target.find_iter(b"/") {
        let folder = target.get(..end).unwrap_or_default().as_bstr();
        if find(folder)?.is_some_and(|found| matches!(found.kind, EntryKind::Link | EntryKind::Commit)) {
            return Ok(false);
        }
    }
    Ok(find(target.as_bstr())?.is_none())
}

/// The path that the `target` of the link at `path` means; `None` for one outside of the repository, and for one that goes up after it
/// went down: if it went down a link, it comes up elsewhere.
fn resolve(path: &BStr, target: &BStr) -> Option<BString> {
    if target.starts_with(b"/") || target.contains(&b'\\') {
        return None;
    }
    let mut parts: Vec<&[u8]> = path.split_str("/").collect();
    parts.pop();
    let mut went_down = false;
    for part in target.split_str("/") {
        match part {
            b"" | b"." => {}
            b".." if went_down => return None,
            b".." => drop(parts.pop()?),
            part => {
                went_down = true;
                parts.push(part);
            }
        }
    }
    (!parts.is_empty()).then(|| bstr::join("/", parts).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_target_of_a_link_means() {
        for (target, expected) in [
            ("b.md", Some(".squad/agents/b.md")),
            ("./x/b.md", Some(".squad/agents/x/b.md")),
            ("../../docs/b.md", Some("docs/b.md")),
            ("../../../b.md", None),
            ("../..", None),
            ("x/../b.md", None),
            ("/b.md", None),
            ("..\\b.md", None),
        ] {
            let found = resolve(".squad/agents/a.md".into(), target.into());
            assert_eq!(found, expected.map(BString::from), "{target}");
        }
    }
}
