//! Paths in the commands that help texts give.

use bstr::{BStr, ByteSlice};

/// `path` as a word of a POSIX shell.
pub fn word(path: &BStr) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+@%=:,".contains(byte) || !byte.is_ascii();
    let text = path.to_str_lossy();
    if path.iter().all(plain) && !path.starts_with(b"-") {
        return text.into_owned();
    }
    let prefix = if path.starts_with(b"-") { "./" } else { "" };
    format!("'{prefix}{}'", text.replace('\'', r"'\''"))
}
