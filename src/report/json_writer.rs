//! JSON for every format that is made of it, in characters that do nothing where it is printed.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

use crate::terminal::{find_active, without_log_commands};

/// Writes `value` and a line end.
///
/// JSON itself lets pass what reorders text or controls a terminal with one character above ASCII, and what the log of a
/// build takes for a command: they are escaped, which a reader of JSON does not see.
///
/// # Errors
/// What the writer says.
pub fn write(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write_with(PrettyFormatter::new(), value, out)
}

/// Writes `value` on one line, likewise.
///
/// # Errors
/// What the writer says.
pub fn line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write_with(CompactFormatter, value, out)
}

fn write_with(formatter: impl Formatter, value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    // The serializer writes a sign at a time: to a buffer of its own, which costs no call through `dyn`.
    let mut json = Vec::new();
    value
        .serialize(&mut serde_json::Serializer::with_formatter(&mut json, Harmless(formatter)))
        .map_err(io::Error::from)?;
    json.push(b'\n');
    out.write_all(&json)
}

/// Serializes an iterator, an item at a time. It goes through once only.
pub struct Stream<I>(std::cell::Cell<Option<I>>);

impl<I: Iterator> Stream<I> {
    /// The items of `iter`.
    pub fn new(iter: I) -> Self {
        Self(std::cell::Cell::new(Some(iter)))
    }
}

impl<I: Iterator> Serialize for Stream<I>
where
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// A formatter that escapes more than it must.
struct Harmless<F>(F);

impl<F: Formatter> Formatter for Harmless<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let fragment = without_log_commands(fragment, "\\u005b");
        let mut rest = fragment.as_ref();
        while let Some((at, c)) = find_active(rest) {
            let (before, after) = rest.split_at(at);
            write!(writer, "{before}\\u{:04x}", u32::from(c))?;
            rest = after.get(c.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_back_and_does_nothing_on_the_way() {
        let text = "a\u{9b}31m\u{202e}b\u{7f} ##[x]\n::error::é\u{1F680}";
        let mut out = Vec::new();
        write(&Stream::new([text, ""].iter()), &mut out).unwrap();
        let json = String::from_utf8(out).unwrap();
        assert_eq!(json.lines().nth(1).unwrap().trim(), r#""a\u009b31m\u202eb\u007f ##\u005bx]\n::error::é🚀","#);
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), [text, ""]);

        let mut out = Vec::new();
        line(&[text, ""], &mut out).unwrap();
        let expected = r#"["a\u009b31m\u202eb\u007f ##\u005bx]\n::error::é🚀",""]"#;
        assert_eq!(String::from_utf8(out).unwrap(), format!("{expected}\n"));
    }
}
