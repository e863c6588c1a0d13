//! What a file is beside its bytes: whose it is, who may do what with it, and its extended attributes.

use std::fs::File;
use std::io;

/// Gives `new`, which is to take the place of `old`, its owner, group, mode, access control list and extended attributes.
///
/// Only root may give files away: elsewhere the owner is who replaces the file. Where the group cannot stay either, it may do
/// no more than everybody.
///
/// # Errors
/// Where the list or an attribute cannot be kept: without them others might read or write the file.
#[cfg(unix)]
pub(super) fn keep(new: &File, old: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let metadata = old.metadata()?;
    let stay = || new.metadata().map(|own| (own.uid() == metadata.uid(), own.gid() == metadata.gid()));
    // The system takes bits out of the mode with the owner, and a list says what the mode says about the group: in this order.
    if stay()? != (true, true) {
        let _ = fchown(new, Some(metadata.uid()), Some(metadata.gid()))
            .or_else(|_| fchown(new, None, Some(metadata.gid())));
    }
    extended::leave(new, old)?;
    let (owner_stays, group_stays) = stay()?;
    let mode = metadata.mode() & 0o7777;
    let of_group = if group_stays { mode & 0o2070 } else { mode & ((mode & 0o7) << 3) };
    new.set_permissions(PermissionsExt::from_mode((mode & !0o2070) | of_group))?;
    extended::copy(new, old, owner_stays && group_stays)
}

/// Gives `new`, which is to take the place of `old`, its permissions.
#[cfg(not(unix))]
pub(super) fn keep(new: &File, old: &File) -> io::Result<()> {
    new.set_permissions(old.metadata()?.permissions())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod extended {
    use std::ffi::{CStr, CString};
    use std::fs::File;
    use std::io;

    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
    use rustix::io::Errno;

    /// The access control list on Linux.
    const ACCESS: &CStr = c"system.posix_acl_access";
    /// What the system itself makes of the bytes of a file, or writes where it likes.
    const OF_SYSTEM: [&CStr; 4] = [c"security.ima", c"security.evm", c"security.capability", c"com.apple.provenance"];

    /// Takes from `new` the list that its folder hands on, where `old` has none.
    pub(super) fn leave(new: &File, old: &File) -> io::Result<()> {
        let has = |file| names(file).map(|names| names.iter().any(|name| name.as_c_str() == ACCESS));
        if has(new)? && !has(old)? {
            fremovexattr(new, ACCESS).map_err(|error| failed(ACCESS, error))?;
        }
        Ok(())
    }

    /// Gives `new` the attributes of `old`. The list is about owner and group too: they have to be the same.
    pub(super) fn copy(new: &File, old: &File, is_same_owner: bool) -> io::Result<()> {
        for name in names(old)?.iter().filter(|name| !OF_SYSTEM.contains(&name.as_c_str())) {
            if name.as_c_str() == ACCESS && !is_same_owner {
                return Err(failed(name, Errno::PERM));
            }
            let value = value(old, name).map_err(|error| failed(name, error))?;
            if self::value(new, name).ok().as_ref() != Some(&value) {
                fsetxattr(new, name, &value, XattrFlags::empty()).map_err(|error| failed(name, error))?;
            }
        }
        Ok(())
    }

    /// The names of the attributes; none if the file system has no attributes.
    fn names(file: &File) -> io::Result<Vec<CString>> {
        let names = match whole(|buffer| flistxattr(file, buffer)) {
            Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(Vec::new()),
            names => names?,
        };
        Ok(names.split(|byte| *byte == 0).filter(|name| !name.is_empty()).flat_map(CString::new).collect())
    }

    fn value(file: &File, name: &CStr) -> Result<Vec<u8>, Errno> {
        whole(|buffer| fgetxattr(file, name, buffer))
    }

    /// What `read` puts into a buffer that is large enough.
    fn whole(read: impl Fn(&mut [u8]) -> Result<usize, Errno>) -> Result<Vec<u8>, Errno> {
        let mut buffer = vec![0; 1 << 10];
        loop {
            match read(&mut buffer) {
                // The system has none that are larger.
                Err(Errno::RANGE) if buffer.len() < 1 << 24 => buffer.resize(buffer.len() * 4, 0),
                Err(error) => return Err(error),
                Ok(len) => {
                    buffer.truncate(len);
                    return Ok(buffer);
                }
            }
        }
    }

    fn failed(name: &CStr, error: Errno) -> io::Error {
        let what = if name == ACCESS { "its access control list".into() } else { name.to_string_lossy() };
        let error = io::Error::from(error);
        io::Error::new(error.kind(), format!("{what} cannot be kept: {error}"))
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
mod extended {
    use std::fs::File;
    use std::io;

    pub(super) fn leave(_: &File, _: &File) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn copy(_: &File, _: &File, _: bool) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use rustix::fs::{XattrFlags, fgetxattr, fsetxattr, setxattr};

    use super::*;

    /// A list of the kernel's format: version 2, then for each entry tag, permissions and id.
    fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
        let entries = entries
            .iter()
            .flat_map(|(tag, may, id)| [&tag.to_le_bytes()[..], &may.to_le_bytes(), &id.to_le_bytes()].concat());
        2u32.to_le_bytes().into_iter().chain(entries).collect()
    }

    const NONE: u32 = u32::MAX;

    /// Owner rw, the user 12345 rw, the group r, at most rw, others nothing.
    fn one_more_user() -> Vec<u8> {
        list(&[(1, 6, NONE), (2, 6, 12345), (4, 4, NONE), (0x10, 6, NONE), (0x20, 0, NONE)])
    }

    fn get(file: &File, name: &str) -> Option<Vec<u8>> {
        let mut buffer = vec![0; 1 << 12];
        let len = fgetxattr(file, name, &mut buffer[..]).ok()?;
        buffer.truncate(len);
        Some(buffer)
    }

    fn files() -> (tempfile::TempDir, File, File) {
        let folder = tempfile::tempdir().unwrap();
        let make = |name| {
            let file = File::create_new(folder.path().join(name)).unwrap();
            file.set_permissions(fs::Permissions::from_mode(0o600)).unwrap();
            file
        };
        let (old, new) = (make("old"), make("new"));
        (folder, old, new)
    }

    #[test]
    fn lists_and_attributes_stay() {
        let (_folder, old, new) = files();
        let large = vec![7; 3000];
        let acl = one_more_user();
        for (name, value) in
            [("user.note", b"kept".as_slice()), ("user.large", &large), ("system.posix_acl_access", &acl)]
        {
            if let Err(error) = fsetxattr(&old, name, value, XattrFlags::empty()) {
                return eprintln!("no {name} here, left out: {error}");
            }
        }
        keep(&new, &old).unwrap();
        assert_eq!(get(&new, "user.note").unwrap(), b"kept");
        assert_eq!(get(&new, "user.large").unwrap(), large);
        assert_eq!(get(&new, "system.posix_acl_access").unwrap(), acl);
        // What the mode says about the group is the mask.
        assert_eq!(new.metadata().unwrap().mode() & 0o777, 0o660);
    }

    #[test]
    fn a_list_that_the_folder_hands_on_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name| File::create_new(folder.path().join(name)).unwrap();
        let old = make("old");
        old.set_permissions(fs::Permissions::from_mode(0o664)).unwrap();
        if let Err(error) = setxattr(folder.path(), "system.posix_acl_default", &one_more_user(), XattrFlags::empty()) {
            return eprintln!("no lists here, left out: {error}");
        }
        let new = make("new");
        assert!(get(&new, "system.posix_acl_access").is_some());
        keep(&new, &old).unwrap();
        assert_eq!(get(&new, "system.posix_acl_access"), None);
        assert_eq!(new.metadata().unwrap().mode() & 0o777, 0o664);
    }
}
