//! Paths as git writes them: bytes, relative to the root of a repository, with `/` between their parts.

use std::path::{Component, Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};

/// `path` inside the state root at `root`.
pub fn inner_path<'a>(path: &'a BStr, root: &BStr) -> &'a BStr {
    let rest = if root.is_empty() { Some(path.as_bytes()) } else { path.strip_prefix(root.as_bytes()) };
    let rest = rest.unwrap_or(path);
    rest.strip_prefix(b"/").unwrap_or(rest).as_bstr()
}

/// The path of `name` in `folder`; the empty folder is the root of the repository.
pub fn join(folder: &BStr, name: &str) -> BString {
    match folder.is_empty() {
        true => name.into(),
        false => [folder.as_bytes(), b"/", name.as_bytes()].concat().into(),
    }
}

/// Whether `path` is in `folder`; all paths are in the empty one.
pub fn is_in(path: &BStr, folder: &BStr) -> bool {
    folder.is_empty() || path.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
}

/// The path of `inner` in the folder `root`, as by [`Path::join`], which gets memory twice.
pub fn below(root: &Path, inner: impl AsRef<Path>) -> PathBuf {
    let (root, inner) = (root.as_os_str(), inner.as_ref());
    let mut path = PathBuf::with_capacity(root.len() + 1 + inner.as_os_str().len());
    path.push(root);
    path.push(inner);
    path
}

/// A relative path as git writes it: bytes, `/` between its parts.
pub fn to_bytes(path: &Path) -> BString {
    let mut bytes = Vec::new();
    for part in path.components() {
        if let Component::Normal(part) = part {
            if !bytes.is_empty() {
                bytes.push(b'/');
            }
            bytes.extend_from_slice(part.as_encoded_bytes());
        }
    }
    bytes.into()
}
