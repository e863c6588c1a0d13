//! Changes as a unified diff that `git apply` takes.

use std::io::{self, Write};

use bstr::ByteSlice;
use similar::TextDiff;

use super::passes::FixedFile;

/// Writes what `file` becomes.
///
/// # Errors
/// What the writer says.
pub fn write(file: &FixedFile, out: &mut dyn Write) -> io::Result<()> {
    let old = file.old.as_deref().unwrap_or_default();
    let (before, after) = (quoted(b"a/", &file.path), quoted(b"b/", &file.path));
    out.write_all(b"diff --git ")?;
    out.write_all(&[before.as_slice(), b" ", after.as_slice(), b"\n"].concat())?;
    if file.old.is_none() {
        out.write_all(b"new file mode 100644\n--- /dev/null\n")?;
    } else {
        out.write_all(&[b"--- ", before.as_slice(), end(&before)].concat())?;
    }
    out.write_all(&[b"+++ ", after.as_slice(), end(&after)].concat())?;
    let diff = TextDiff::from_lines(old, file.new.as_slice());
    diff.unified_diff().context_radius(3).to_writer(out)
}

/// The end of a line with a name: a tab tells where a name with blanks ends.
fn end(name: &[u8]) -> &'static [u8] {
    if name.contains(&b' ') && !name.starts_with(b"\"") { b"\t\n" } else { b"\n" }
}

/// A path as git writes it into a diff: in quotes, with escapes, where it holds more than plain characters.
fn quoted(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    let plain = |&byte: &u8| (b' '..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    let path = [prefix, path].concat();
    if path.iter().all(plain) {
        return path;
    }
    let mut out = vec![b'"'];
    for byte in path.bytes() {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', byte]),
            b'\n' => out.extend(b"\\n"),
            b'\t' => out.extend(b"\\t"),
            byte if plain(&byte) => out.push(byte),
            byte => out.extend(format!("\\{byte:03o}").as_bytes()),
        }
    }
    out.push(b'"');
    out
}
