//! Bytes as git names them.

use gix::objs::{Kind, compute_hash};

/// The name of a blob with these bytes, in hexadecimal digits: 40, as `git hash-object` prints it. `None` for bytes that were made
/// to have the name of others.
pub fn name(bytes: &[u8]) -> Option<String> {
    compute_hash(gix::hash::Kind::Sha1, Kind::Blob, bytes).ok().map(|id| id.to_string())
}
