//! Whether a file on disk is still the one that was read, without reading it again.

use std::fs::Metadata;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A file can change twice within the resolution of its times, which is two seconds on FAT: only older files have a stamp.
const RESOLUTION: Duration = Duration::from_secs(2);

/// The size, the times and the identity of a file. A file with the same stamp holds the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    len: u64,
    modified: SystemTime,
    /// The device, the inode, and the time of the last change of either bytes or metadata.
    #[cfg(unix)]
    node: (u64, u64, i64, i64),
}

impl Stamp {
    /// The stamp of the file at `path`, or of the one that it links to. To be taken before the file is read. `None` for
    /// anything but a file, and for a file that has just changed: another change could leave the same stamp.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok().filter(Metadata::is_file)?;
        let stamp = Self {
            len: metadata.len(),
            modified: metadata.modified().ok()?,
            #[cfg(unix)]
            node: {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
            },
        };
        let settled = SystemTime::now().checked_sub(RESOLUTION)?;
        (stamp.last_change() < settled).then_some(stamp)
    }

    fn last_change(&self) -> SystemTime {
        #[cfg(unix)]
        {
            let (_, _, seconds, nanos) = self.node;
            let since = Duration::new(u64::try_from(seconds).unwrap_or(0), u32::try_from(nanos).unwrap_or(0));
            self.modified.max(SystemTime::UNIX_EPOCH + since)
        }
        #[cfg(not(unix))]
        self.modified
    }
}
