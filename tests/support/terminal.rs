//! A terminal to run the program on.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// A terminal: the side of the program, and the side of the one who looks at it.
pub fn terminal() -> (File, File) {
    let outer = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&outer).unwrap();
    unlockpt(&outer).unwrap();
    let name = ptsname(&outer, Vec::new()).unwrap();
    let name = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let inner = OpenOptions::new().read(true).write(true).open(name).unwrap();
    (inner, File::from(outer))
}

/// Reads from `terminal` until `wanted` says enough, or the program has closed it.
pub fn read_until(terminal: &mut File, wanted: impl Fn(&str) -> bool) -> String {
    let mut seen = Vec::new();
    let mut buffer = [0; 1024];
    loop {
        let text = String::from_utf8_lossy(&seen).into_owned();
        if wanted(&text) {
            return text;
        }
        // Linux reports a closed terminal as an error.
        match terminal.read(&mut buffer) {
            Ok(0) | Err(_) => return text,
            Ok(len) => seen.extend(&buffer[..len]),
        }
    }
}
