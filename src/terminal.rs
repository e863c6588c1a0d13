//! Colours, width and verbosity of the output, and the escaping of text that others wrote.

mod plain;

use std::borrow::Cow;
use std::env::var_os;
use std::fmt::Write as _;
use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};

use self::plain::Stdout;
use crate::text::mask::Masked;

/// Where colour is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless a variable such as `NO_COLOR` says otherwise
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The width, in columns, of what is not a terminal.
pub const DEFAULT_WIDTH: usize = 120;

/// How to write to standard output and standard error.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    choice: ColorChoice,
    /// The width of a line, in columns.
    pub width: usize,
    /// Whether to print results only, without totals and notes.
    pub quiet: bool,
    /// Whether to print which files are read and skipped, and why.
    pub verbose: bool,
}

impl Terminal {
    /// What `--color` and the environment ask for: `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, `TERM`, `CI`
    /// and `COLUMNS` count, in this order, after `--color`.
    pub fn new(when: ColorWhen) -> Self {
        let set = |name| var_os(name).is_some_and(|value: std::ffi::OsString| !value.is_empty());
        let forced = var_os("FORCE_COLOR").is_some_and(|value| !value.is_empty() && value != "0");
        let choice = match when {
            ColorWhen::Always => ColorChoice::AlwaysAnsi,
            ColorWhen::Never => ColorChoice::Never,
            ColorWhen::Auto if set("NO_COLOR") => ColorChoice::Never,
            ColorWhen::Auto if forced => ColorChoice::AlwaysAnsi,
            ColorWhen::Auto => ColorChoice::Auto,
        };
        Self { choice, width: width(), quiet: false, verbose: false }
    }

    /// This terminal with the verbosity of `--quiet` and `--verbose`.
    #[must_use]
    pub fn with_verbosity(self, quiet: bool, verbose: bool) -> Self {
        Self { quiet, verbose, ..self }
    }

    /// Whether colours are wanted on standard error, or on standard output.
    pub fn has_colors(self, on_stderr: bool) -> bool {
        let choice = match (self.choice, on_stderr) {
            (ColorChoice::Auto, true) => AutoStream::choice(&io::stderr()),
            (ColorChoice::Auto, false) => AutoStream::choice(&io::stdout()),
            (choice, _) => choice,
        };
        choice != ColorChoice::Never
    }

    /// Standard output, without secrets, and without escape sequences where they are not wanted.
    pub fn stdout(self) -> Masked<Stdout> {
        Masked::new(Stdout::new(self.choice))
    }

    /// Standard error, likewise.
    pub fn stderr(self) -> Masked<AutoStream<io::Stderr>> {
        Masked::new(AutoStream::new(io::stderr(), self.choice))
    }

    /// Prints `line` to standard error, if `--verbose` is given.
    pub fn detail(self, line: &str) {
        if self.verbose {
            self.print_note(line);
        }
    }

    /// Prints `line` to standard error, unless `--quiet` is given.
    pub fn note(self, line: &str) {
        if !self.quiet {
            self.print_note(line);
        }
    }

    /// Prints `line` to standard error, also with `--quiet`: without it the result would mislead.
    pub fn say(self, line: &str) {
        self.print_note(line);
    }

    fn print_note(self, line: &str) {
        // A closed standard error does not stop the work.
        let _ = writeln!(self.stderr(), "{}", escape(line));
    }

    /// Writes the summary of a command that changed files to standard output; beside a diff, which other programs read
    /// from standard output, to standard error. With `--quiet` it is not written.
    ///
    /// # Errors
    /// When standard output cannot be written to.
    pub fn summary(self, is_diff: bool, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self.quiet {
            return Ok(());
        }
        if is_diff {
            let mut out = io::BufWriter::new(self.stderr());
            // The diff is complete without the summary.
            let _ = write(&mut out).and_then(|()| out.flush());
            return Ok(());
        }
        let mut out = io::BufWriter::new(self.stdout());
        write(&mut out).and_then(|()| out.flush())
    }
}

/// The width of a line, in columns.
pub fn width() -> usize {
    let columns = var_os("COLUMNS").and_then(|value| value.to_str()?.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(measured).filter(|&width| width > 0).unwrap_or(DEFAULT_WIDTH).max(40)
}

/// Whether a character does more than to be in its line: it controls a terminal, ends the line, or reorders the text.
pub fn is_active(c: char) -> bool {
    let reorders = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || reorders
}

/// The first character of `text` that is active, and its place.
pub fn find_active(text: &str) -> Option<(usize, char)> {
    // Most texts have none of the bytes that such a character begins with: these are looked for many at a time.
    const BLOCK: usize = 64;
    let may_begin = |byte: &u8| matches!(byte, 0..b' ' | 0x7f | 0xc2 | 0xe2);
    let may_hold = |block: &[u8]| block.iter().fold(false, |found, byte| found | may_begin(byte));
    let block = text.as_bytes().chunks(BLOCK).position(may_hold)? * BLOCK;
    let first = block + text.as_bytes().get(block..)?.iter().position(may_begin)?;
    let (_, rest) = text.split_at_checked(first)?;
    rest.char_indices().find(|(_, c)| is_active(*c)).map(|(at, c)| (first + at, c))
}

/// `text` on one line and harmless: control characters, line ends, ANSI sequences and the characters that reorder
/// text become `\u{…}`, and nothing in it is a command to the log of a build.
pub fn escape(text: &str) -> String {
    escaped(text).into_owned()
}

/// The same, which nearly no text needs.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let text = without_log_commands(text, "\\u{5b}");
    let Some((first, _)) = find_active(&text) else { return text };
    let (before, rest) = text.split_at(first);
    let mut out = before.to_owned();
    for c in rest.chars() {
        match c {
            '\t' => out.push(' '),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c if is_active(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// `text` with `instead` for each `[` that makes a command of the text before it. The runners of GitHub, Azure Pipelines
/// and `TeamCity` take `##[set-output name=x]`, `##vso[…` and `##teamcity[…` for commands, also in the middle of a line.
pub fn without_log_commands<'a>(text: &'a str, instead: &str) -> Cow<'a, str> {
    if memchr::memchr(b'#', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(hashes) = rest.find("##") {
        let (before, after) = rest.split_at(hashes + 2);
        let name = after.trim_start_matches('#').trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        out.push_str(before);
        rest = after;
        if let Some(behind) = name.strip_prefix('[') {
            out.push_str(after.get(..after.len() - name.len()).unwrap_or_default());
            out.push_str(instead);
            rest = behind;
        }
    }
    if out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// A path for people: as UTF-8 where it is, escaped, and never with a beginning that a log reads as a command (`::`,
/// `##`, also after blanks) or a shell as an option.
pub fn display_path(path: &[u8]) -> String {
    let path = escape(&String::from_utf8_lossy(path));
    if path.trim_start().starts_with([':', '#', '-']) { format!("./{path}") } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_foreign_stays_active() {
        assert_eq!(escape("a\u{1b}[31mb\r\nc\u{9b}\u{202e}d\t"), "a\\u{1b}[31mb\\r\\nc\\u{9b}\\u{202e}d ");
        assert_eq!(display_path(b"::error::x.md"), "./::error::x.md");
        assert_eq!(display_path(b" \xc2\xa0::error::x.md"), "./ \u{a0}::error::x.md");
        assert_eq!(display_path(b"a\xff.md"), "a\u{fffd}.md");
    }

    #[test]
    fn commands_in_the_middle_of_a_line_lose_their_bracket() {
        for (text, safe) in [
            ("a ##[set-output name=x]y", "a ##(set-output name=x]y"),
            ("##vso[task x]##[b]", "##vso(task x]##(b]"),
            ("###[a] #[b] ## [c] ##", "###(a] #[b] ## [c] ##"),
            ("##-[a]", "##-[a]"),
            ("plain", "plain"),
        ] {
            assert_eq!(without_log_commands(text, "("), safe);
        }
        assert_eq!(escape("##[x]"), "##\\u{5b}x]");
    }
}
