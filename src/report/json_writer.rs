//! JSON for every format that is made of it, in characters that do nothing where it is printed.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use crate::terminal::{find_active, without_log_commands};

/// Writes `value` and a line end.
///
/// JSON itself lets pass what reorders text or controls a terminal with one character above ASCII, and what the log of a
/// build takes for a command: they are escaped, which a reader of JSON does not see.
///
/// # Errors
/// What the writer says.
pub fn write(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write_with(Harmless { depth: Some(0), is_empty: true }, value, out)
}

/// Writes `value` on one line, likewise.
///
/// # Errors
/// What the writer says.
pub fn line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write_with(Harmless { depth: None, is_empty: true }, value, out)
}

fn write_with(formatter: Harmless, value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut json = Chunks { bytes: Vec::new(), out };
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut json, formatter)).map_err(io::Error::from)?;
    json.bytes.push(b'\n');
    json.hand_on()
}

/// So many bytes are handed on at once. None of them is kept: a report can be many times as long as the files that it is about.
const CHUNK: usize = 1 << 16;

/// Hands on what it is given in large parts. The serializer writes a sign at a time, and each call through `dyn` costs more than that.
struct Chunks<'o> {
    bytes: Vec<u8>,
    out: &'o mut dyn Write,
}

impl Chunks<'_> {
    fn hand_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}

impl Write for Chunks<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() < CHUNK { Ok(()) } else { self.hand_on() }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_on()
    }
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
struct Harmless {
    /// How many arrays and objects are open, where each value has a line of its own; `None` where all is on one line.
    depth: Option<usize>,
    /// Whether the array or object that is being written has no value so far.
    is_empty: bool,
}

/// A comma, a line end, and the indentation of lines: one piece of it is written for each value.
const BREAK: [u8; 130] = {
    let mut text = [b' '; 130];
    text[0] = b',';
    text[1] = b'\n';
    text
};

impl Harmless {
    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: u8) -> io::Result<()> {
        self.depth = self.depth.map(|depth| depth + 1);
        self.is_empty = true;
        writer.write_all(&[bracket])
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: u8) -> io::Result<()> {
        self.depth = self.depth.map(|depth| depth.saturating_sub(1));
        if !self.is_empty {
            self.begin_line(writer, 1)?;
        }
        self.is_empty = false;
        writer.write_all(&[bracket])
    }

    /// What is between two values, or before the first of them.
    fn begin_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.is_empty = false;
        match self.depth {
            Some(_) => self.begin_line(writer, usize::from(first)),
            None if first => Ok(()),
            None => writer.write_all(b","),
        }
    }

    /// Begins a line, with [`BREAK`] from byte `from` on.
    fn begin_line<W: ?Sized + Write>(&self, writer: &mut W, from: usize) -> io::Result<()> {
        let Some(depth) = self.depth else { return Ok(()) };
        let mut rest = 2 * depth;
        let here = rest.min(BREAK.len() - 2);
        writer.write_all(BREAK.get(from..2 + here).unwrap_or_default())?;
        rest -= here;
        while rest > 0 {
            let here = rest.min(BREAK.len() - 2);
            writer.write_all(BREAK.get(2..2 + here).unwrap_or_default())?;
            rest -= here;
        }
        Ok(())
    }
}

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        // Keys and words are short, and a look at each byte is quicker than a search.
        const SHORT: usize = 32;
        if fragment.len() <= SHORT && fragment.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'#') {
            return writer.write_all(fragment.as_bytes());
        }
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
        self.open(writer, b'[')
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b']')
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_value(writer, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b'{')
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b'}')
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_value(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(if self.depth.is_some() { b": " } else { b":" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_lines_are_those_of_serde_json() {
        for json in [
            r#"{"a":[],"b":{},"c":[1,[2,{"d":null}],"x"],"e":{"f":{"g":[[]]}}}"#.to_owned(),
            "[".repeat(99) + &"]".repeat(99),
        ] {
            let value: serde_json::Value = serde_json::from_str(&json).unwrap();
            let (mut lines, mut one) = (Vec::new(), Vec::new());
            write(&value, &mut lines).unwrap();
            line(&value, &mut one).unwrap();
            assert_eq!(String::from_utf8(lines).unwrap(), format!("{value:#}\n"));
            assert_eq!(String::from_utf8(one).unwrap(), format!("{value}\n"));
        }
    }

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

    /// Keeps the length of each part that it is given.
    struct Parts(Vec<usize>, Vec<u8>);

    impl Write for Parts {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.len());
            self.1.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_long_report_is_handed_on_in_parts() {
        let items: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
        let mut parts = Parts(Vec::new(), Vec::new());
        line(&Stream::new(items.iter()), &mut parts).unwrap();
        assert!(parts.0.len() > 5 && parts.0.iter().all(|len| *len < CHUNK + 100), "{:?}", parts.0);
        assert_eq!(String::from_utf8(parts.1).unwrap(), format!("{}\n", serde_json::to_string(&items).unwrap()));
    }
}
