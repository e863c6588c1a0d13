//! Bytes as git names them.

use gix::ObjectId;
use gix::objs::{Kind, compute_hash};

use super::repository::Git;

/// The name of a blob with these bytes, in hexadecimal digits: 40, as `git hash-object` prints it. `None` for bytes that were made
/// to have the name of others.
pub fn name(bytes: &[u8]) -> Option<String> {
    compute_hash(gix::hash::Kind::Sha1, Kind::Blob, bytes).ok().map(|id| id.to_string())
}

impl Git {
    /// The number of bytes of the blob `id`, which is not read; `None` if it cannot be found.
    pub fn blob_len(&self, id: ObjectId) -> Option<u64> {
        self.local().try_find_header(id).ok()?.map(|header| header.size())
    }

    /// The blob `id` at the start of `bytes` and what follows it, if they begin with it and it ends a line. It is not read: it is known by its name.
    pub fn added_to<'b>(&self, id: ObjectId, bytes: &'b [u8]) -> Option<(&'b [u8], &'b [u8])> {
        let (old, added) = bytes.split_at_checked(usize::try_from(self.blob_len(id)?).ok()?)?;
        let hash = compute_hash(self.local().object_hash(), Kind::Blob, old);
        (old.ends_with(b"\n") && hash.is_ok_and(|hash| hash == id)).then_some((old, added))
    }
}
