//! Changes as a unified diff that `git apply` takes.

use std::io::{self, IsTerminal, Write};

use bstr::ByteSlice;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use super::passes::FixedFile;
use crate::terminal::escape;
use crate::text::mask::masked_bytes;

/// How many unchanged lines stand around a change, as git has it.
const CONTEXT: usize = 3;

/// What is before a diff that shows less than it changes. `git apply` and `patch` pass over it, and refuse a diff of lines that the
/// file does not have.
const MASKED: &[u8] = b"The diff below has asterisks in place of secrets: do not apply it.\n";

/// Writes what `file` becomes.
///
/// # Errors
/// What the writer says.
pub fn write(file: &FixedFile, out: &mut dyn Write) -> io::Result<()> {
    let old = file.old.as_deref().unwrap_or_default();
    if file.goes() {
        return write_removed(&file.path, old, out);
    }
    let (before, after) = (quoted(b"a/", &file.path), quoted(b"b/", &file.path));
    let (raw_old, raw_new) = (lines(old), lines(&file.new));
    let groups = group_diff_ops(capture_diff_slices(Algorithm::Myers, &raw_old, &raw_new), CONTEXT);
    // As many lines: line ends are not masked.
    let (masked_old, masked_new) = (masked_bytes(old), masked_bytes(&file.new));
    let (old, new) = (lines(&masked_old), lines(&masked_new));
    let is_masked = |op: &DiffOp| {
        raw_old.get(op.old_range()) != old.get(op.old_range()) || raw_new.get(op.new_range()) != new.get(op.new_range())
    };
    if groups.iter().flatten().any(is_masked) {
        out.write_all(MASKED)?;
    }
    out.write_all(b"diff --git ")?;
    out.write_all(&[before.as_slice(), b" ", after.as_slice(), b"\n"].concat())?;
    if file.old.is_none() {
        out.write_all(b"new file mode 100644\n--- /dev/null\n")?;
    } else {
        out.write_all(&[b"--- ", before.as_slice(), end(&before)].concat())?;
    }
    out.write_all(&[b"+++ ", after.as_slice(), end(&after)].concat())?;
    groups.iter().try_for_each(|group| hunk(group, &old, &new, out))
}

/// Writes that the file at `path`, which holds `old`, goes.
///
/// # Errors
/// What the writer says.
pub fn write_removed(path: &[u8], old: &[u8], out: &mut dyn Write) -> io::Result<()> {
    write_gone(path, old, FILE, out)
}

/// The modes of files and of symbolic links in git.
const FILE: &str = "100644";
const LINK: &str = "120000";

fn write_gone(path: &[u8], old: &[u8], mode: &str, out: &mut dyn Write) -> io::Result<()> {
    let (before, after) = (quoted(b"a/", path), quoted(b"b/", path));
    let masked = masked_bytes(old);
    if *masked != *old {
        out.write_all(MASKED)?;
    }
    out.write_all(&[b"diff --git ", before.as_slice(), b" ", &after].concat())?;
    writeln!(out, "\ndeleted file mode {mode}")?;
    if old.is_empty() {
        return Ok(());
    }
    out.write_all(&[b"--- ", before.as_slice(), end(&before), b"+++ /dev/null\n"].concat())?;
    let old = lines(&masked);
    writeln!(out, "@@ -{} +0,0 @@", place(0, old.len()))?;
    write_lines(b"-", &old, out)
}

/// Prints what `files` become, as a unified diff.
///
/// # Errors
/// What the writer says.
pub fn print<'a>(files: impl IntoIterator<Item = &'a FixedFile>) -> io::Result<()> {
    files.into_iter().try_for_each(|file| print_part(|out| write(file, out)))
}

/// Prints that the file at `path`, which holds `old`, goes.
///
/// # Errors
/// What the writer says.
pub fn print_removed(path: &[u8], old: &[u8]) -> io::Result<()> {
    print_part(|out| write_removed(path, old, out))
}

/// Prints that the symbolic link at `path`, which leads to `target`, goes.
///
/// # Errors
/// What the writer says.
pub fn print_removed_link(path: &[u8], target: &[u8]) -> io::Result<()> {
    print_part(|out| write_gone(path, target, LINK, out))
}

/// Prints that the file at `from` moves to `to` as it is.
///
/// # Errors
/// What the writer says.
pub fn print_renamed(from: &[u8], to: &[u8]) -> io::Result<()> {
    print_part(|out| {
        out.write_all(&[b"diff --git ", quoted(b"a/", from).as_slice(), b" ", &quoted(b"b/", to), b"\n"].concat())?;
        out.write_all(b"similarity index 100%\nrename from ")?;
        out.write_all(&[quoted(b"", from).as_slice(), b"\nrename to ", &quoted(b"", to), b"\n"].concat())
    })
}

/// Prints a part of a diff.
fn print_part(render: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let stdout = io::stdout();
    let for_people = stdout.is_terminal();
    let mut out = io::BufWriter::new(stdout.lock());
    if for_people {
        // What controls a terminal is shown, not sent: a diff is not applied from there.
        let mut shown = Vec::new();
        render(&mut shown)?;
        for line in shown.lines() {
            writeln!(out, "{}", escape(&line.to_str_lossy()))?;
        }
    } else {
        render(&mut out)?;
    }
    out.flush()
}

/// Lines as git counts them: a lone carriage return ends none.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

fn hunk(group: &[DiffOp], old: &[&[u8]], new: &[&[u8]], out: &mut dyn Write) -> io::Result<()> {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return Ok(()) };
    let before = place(first.old_range().start, last.old_range().end);
    let after = place(first.new_range().start, last.new_range().end);
    writeln!(out, "@@ -{before} +{after} @@")?;
    for op in group {
        let gone = old.get(op.old_range()).unwrap_or_default();
        if let DiffOp::Equal { .. } = op {
            write_lines(b" ", gone, out)?;
        } else {
            write_lines(b"-", gone, out)?;
            write_lines(b"+", new.get(op.new_range()).unwrap_or_default(), out)?;
        }
    }
    Ok(())
}

fn write_lines(sign: &[u8], lines: &[&[u8]], out: &mut dyn Write) -> io::Result<()> {
    for line in lines {
        out.write_all(sign)?;
        out.write_all(line)?;
        if !line.ends_with(b"\n") {
            out.write_all(b"\n\\ No newline at end of file\n")?;
        }
    }
    Ok(())
}

/// The first line, from 1, and how many there are; of none, the line before them.
fn place(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        len => format!("{},{len}", start + 1),
    }
}

/// The end of a line with a name: a tab tells where a name with blanks ends.
fn end(name: &[u8]) -> &'static [u8] {
    if name.contains(&b' ') && !name.starts_with(b"\"") { b"\t\n" } else { b"\n" }
}

/// A path as git writes it into a diff: in quotes, with escapes, where it holds more than plain characters.
fn quoted(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    let plain = |&byte: &u8| (b' '..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    let path = [prefix, &masked_bytes(path)].concat();
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
