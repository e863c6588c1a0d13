//! Objects of packs. Most of them are stored as what differs from another one, which differs from a third one, and so on.

use std::sync::{Arc, Mutex, PoisonError};

use foldhash::HashMap;
use gix::ObjectId;
use gix::objs::Kind;
use gix::odb::pack::cache::DecodeEntry;
use gix::odb::pack::index::File;

/// At most so many bytes of objects are kept.
const CAPACITY: usize = 8 << 20;

/// An object, as what differs from it needs it.
struct Base {
    kind: Kind,
    bytes: Vec<u8>,
    packed_size: usize,
}

/// What was read, for all threads: whatever differs from it is read without reading it again.
#[derive(Clone, Default)]
pub(crate) struct Bases(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    /// By pack and place in it.
    bases: HashMap<(u32, u64), Arc<Base>>,
    size: usize,
}

impl DecodeEntry for Bases {
    fn put(&mut self, pack: u32, offset: u64, bytes: &[u8], kind: Kind, packed_size: usize) {
        if bytes.len() > CAPACITY / 8 {
            return;
        }
        let base = Arc::new(Base { kind, bytes: bytes.to_vec(), packed_size });
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.size + bytes.len() > CAPACITY {
            *kept = Kept::default();
        }
        kept.size += bytes.len();
        kept.bases.insert((pack, offset), base);
    }

    fn get(&mut self, pack: u32, offset: u64, out: &mut Vec<u8>) -> Option<(Kind, usize)> {
        // It is copied after the lock is open again: other threads wait for it.
        let base = self.0.lock().unwrap_or_else(PoisonError::into_inner).bases.get(&(pack, offset))?.clone();
        out.clear();
        out.extend_from_slice(&base.bytes);
        Some((base.kind, base.packed_size))
    }
}

/// Sorts `items` by the places of their objects in the packs of `repository`: an object is after the one that it differs from.
/// What is in no pack comes last.
pub(crate) fn sort<T>(repository: &gix::Repository, items: &mut [T], id: impl Fn(&T) -> Option<ObjectId>) {
    let files = std::fs::read_dir(repository.objects.store_ref().path().join("pack")).into_iter().flatten().flatten();
    let mut indices: Vec<_> = files.map(|file| file.path()).collect();
    indices.retain(|path| path.extension().is_some_and(|end| end == "idx"));
    indices.sort();
    let hash = repository.object_hash();
    let indices: Vec<File> = indices.into_iter().filter_map(|path| File::at(path, hash).ok()).collect();
    items.sort_by_cached_key(|item| {
        let place = id(item).and_then(|id| {
            let in_pack =
                |(pack, index): (usize, &File)| index.lookup(id).map(|at| (pack, index.pack_offset_at_index(at)));
            indices.iter().enumerate().find_map(in_pack)
        });
        (place.is_none(), place)
    });
}
