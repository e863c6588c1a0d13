//! What a shell leaves of a text that it took for a string with escapes: PowerShell reads `` `f `` in double quotation marks as
//! a form feed, and two backticks as one, so that three of them at the start of a line become one.

use super::{Span, control, line_end, lines};

/// A place where a shell replaced something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// What the shell left.
    pub span: Span,
    /// What was there; `None` where that is uncertain.
    pub original: Option<String>,
    /// What the shell left, in words.
    pub name: &'static str,
}

/// How many lines a code block has at most whose fences are damaged.
const MAX_BLOCK: usize = 300;

/// The damage in `text`, in order. `has_lone_backtick` says whether a line of it is a backtick alone: nearly no text has one, and to
/// look for it would mean to read the text once more.
///
/// A tab is damage inside a line, after a single blank or a bracket and before a small letter, if the text has other damage or
/// a tab in a sentence, before the rest of a word such as `tests`.
pub fn damage(text: &str, has_lone_backtick: bool) -> Vec<Damage> {
    let bytes = text.as_bytes();
    let mut suspects = parts(bytes).filter(|part| has_odd(part.bytes)).flat_map(Part::suspects).peekable();
    let mut found = if has_lone_backtick { fences(text) } else { Vec::new() };
    if suspects.peek().is_none() {
        return found;
    }
    let fences = found.clone();
    let in_fence = |at: usize| {
        let before = fences.partition_point(|fence| fence.span.start() <= at);
        before.checked_sub(1).and_then(|last| fences.get(last)).is_some_and(|fence| at < fence.span.end())
    };
    // What a terminal obeys is another defect.
    let mut sequences = control::sequences(text).into_iter().map(|one| one.span).peekable();
    let mut line = Line::default();
    let mut tabs: Vec<(usize, bool)> = Vec::new();
    for (at, byte) in suspects {
        let is_control = is_control(byte);
        let begins_word = !is_control && begins_word(text, at);
        while sequences.next_if(|sequence| sequence.end() <= at).is_some() {}
        if sequences.peek().is_some_and(|sequence| sequence.start() <= at) {
            continue;
        }
        if is_control {
            found.extend(damage_at(text, at, byte).filter(|_| !in_fence(at)));
        } else if begins_word && byte == b'\r' {
            found.push(letter(at, "r", "carriage return"));
        } else if begins_word && !in_fence(at) {
            line.go_to(text, at);
            let is_after_text = line.first_text.is_some_and(|first| first < at);
            let is_in_sentence = is_of_word(text, at) && line.first_letter.is_some_and(|first| first < at);
            tabs.extend(is_after_text.then_some((at, is_in_sentence)));
        }
    }
    let is_damaged = !found.is_empty() || tabs.iter().any(|(_, is_in_sentence)| *is_in_sentence);
    found.extend(tabs.iter().filter(|_| is_damaged).map(|(at, _)| letter(*at, "t", "tab")));
    found.sort_by_key(|one| one.span);
    found
}

fn letter(at: usize, letter: &str, name: &'static str) -> Damage {
    Damage { span: Span::new(at, at + 1), original: Some(letter.to_owned()), name }
}

#[allow(clippy::needless_bitwise_bool, reason = "a branch would keep the loop over bytes from being vectorised")]
fn is_control(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r') | (byte == 0x7f)
}

/// So many bytes are looked at at a time.
const CHUNK: usize = 512;

/// Whether `bytes` have other control characters than line feeds; most texts have none. This loop is one of a few instructions
/// per 16 bytes.
#[allow(clippy::needless_bitwise_bool, reason = "as above")]
fn has_odd(bytes: &[u8]) -> bool {
    bytes.iter().fold(false, |found, byte| found | (*byte < b' ') & (*byte != b'\n') | (*byte == 0x7f))
}

/// Whether `byte` may be damage before `next`: a control character, or a tab or a carriage return in place of a letter.
#[allow(clippy::needless_bitwise_bool, reason = "as above")]
fn is_suspect(byte: u8, next: u8) -> bool {
    is_control(byte) | ((byte == b'\t') | (byte == b'\r')) & next.is_ascii_lowercase()
}

/// A part of a text.
struct Part<'a> {
    start: usize,
    bytes: &'a [u8],
    /// The byte after them; 0 at the end of the text.
    behind: u8,
}

impl<'a> Part<'a> {
    /// The bytes that may be damage, with their positions.
    fn suspects(self) -> impl Iterator<Item = (usize, u8)> + use<'a> {
        let Self { start, bytes, behind } = self;
        let next = bytes.get(1..).unwrap_or_default();
        // Nearly always there are tabs and line ends alone.
        let has_pair = bytes.iter().zip(next).fold(false, |found, (byte, next)| found | is_suspect(*byte, *next));
        let has_any = has_pair || bytes.last().is_some_and(|last| is_suspect(*last, behind));
        let pairs = bytes.iter().zip(next.iter().copied().chain([behind])).enumerate();
        let found = pairs.take_while(move |_| has_any).filter(|(_, (byte, next))| is_suspect(**byte, *next));
        found.map(move |(at, (byte, _))| (start + at, *byte))
    }
}

/// The parts of a text, of [`CHUNK`] bytes each.
fn parts(bytes: &[u8]) -> impl Iterator<Item = Part<'_>> {
    bytes.chunks(CHUNK).enumerate().map(move |(number, part)| {
        let start = number * CHUNK;
        Part { start, bytes: part, behind: bytes.get(start + CHUNK).copied().unwrap_or_default() }
    })
}

/// The damage that the control character at `at` is. A page break is none.
fn damage_at(text: &str, at: usize, byte: u8) -> Option<Damage> {
    let next = text.as_bytes().get(at + 1).copied();
    let (original, name) = match byte {
        0x00 => ("0", "NUL (U+0000)"),
        0x07 => ("a", "bell (U+0007)"),
        0x08 => ("b", "backspace (U+0008)"),
        0x0b => ("v", "vertical tab (U+000B)"),
        0x0c if next.is_none_or(|next| matches!(next, b'\n' | b'\r')) => return None,
        0x0c => ("f", "form feed (U+000C)"),
        0x1b => ("e", "escape (U+001B)"),
        _ => ("", "control character"),
    };
    let goes_on = next.is_some_and(|next| next.is_ascii_alphanumeric() || b"_.-".contains(&next));
    let is_certain = !original.is_empty() && goes_on && begins_word(text, at);
    Some(Damage { span: Span::new(at, at + 1), original: is_certain.then(|| original.to_owned()), name })
}

/// Whether a word can begin at `at`, and nothing is aligned there.
fn begins_word(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    before.is_empty()
        || before.ends_with(['\n', '(', '\\', '/', '*', '"', '`', '[', '|', ','])
        || before.ends_with(' ') && !before.ends_with("  ")
}

/// Whether a word that often begins with a `t` continues after the tab at `at`.
fn is_of_word(text: &str, at: usize) -> bool {
    const RESTS: [&str; 20] = [
        "arget", "ask", "eam", "emplate", "est-", "est.", "est/", "est_", "ests", "heme", "icker", "ime", "itle",
        "oken", "ool", "rans", "rigger", "rue", "ry", "ype",
    ];
    let after = text.get(at + 1..).unwrap_or_default();
    RESTS.iter().any(|rest| after.starts_with(rest))
}

/// The line of a tab. One walk over all tabs reads each line once.
#[derive(Default)]
struct Line {
    /// Where it was looked for last.
    at: usize,
    is_known: bool,
    /// Its first character that is not blank.
    first_text: Option<usize>,
    /// Its first letter or digit.
    first_letter: Option<usize>,
}

impl Line {
    /// Goes on to the line of byte `at`, which is after the last one.
    fn go_to(&mut self, text: &str, at: usize) {
        let passed = text.as_bytes().get(self.at..at).unwrap_or_default();
        let end = memchr::memrchr2(b'\n', b'\r', passed);
        if end.is_some() || !self.is_known {
            let start = end.map_or(self.at, |end| self.at + end + 1);
            let line = text.get(start..).unwrap_or_default();
            let line = line.split(['\n', '\r']).next().unwrap_or_default();
            let first = |is: fn(char) -> bool| line.find(is).map(|first| start + first);
            self.first_text = first(|c| !c.is_whitespace());
            self.first_letter = first(char::is_alphanumeric);
            self.is_known = true;
        }
        self.at = at;
    }
}

/// Code fences of one backtick: a line with a backtick and the name of a language, and a line with a backtick alone.
fn fences(text: &str) -> Vec<Damage> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // The line that opens a block, and where that line begins.
    let mut open: Option<(Span, String, usize)> = None;
    let mut next = 0;
    for at in memchr::memchr_iter(b'`', bytes) {
        if at < next {
            continue;
        }
        let before = bytes.get(next..at).unwrap_or_default();
        let start = memchr::memrchr2(b'\n', b'\r', before).map_or(next, |end| next + end + 1);
        let (end, behind) = line_end(bytes, at);
        next = behind;
        let line = Span::new(start, end).trim(text);
        let inner = line.of(text);
        let Some(rest) = inner.strip_prefix('`') else { continue };
        if let Some(language) = language(rest) {
            open = Some((line, language, start));
        } else if rest.starts_with("``") {
            open = None;
        } else if rest.is_empty()
            && let Some((opening, language, first)) = open.take()
            && lines(text, Span::new(first, start)).nth(MAX_BLOCK).is_none()
        {
            let name = "lone backtick in place of a code fence";
            found.push(Damage { span: opening, original: Some(format!("```{language}")), name });
            found.push(Damage { span: line, original: Some("```".to_owned()), name });
        }
    }
    found
}

/// The name of a language, whose first letter a shell may have replaced.
fn language(text: &str) -> Option<String> {
    const LANGUAGES: [&str; 28] = [
        "bash",
        "c",
        "cpp",
        "cs",
        "csharp",
        "css",
        "diff",
        "go",
        "html",
        "java",
        "javascript",
        "js",
        "json",
        "jsx",
        "markdown",
        "md",
        "powershell",
        "ps1",
        "python",
        "razor",
        "sh",
        "sql",
        "text",
        "ts",
        "tsx",
        "typescript",
        "xml",
        "yaml",
    ];
    let original = match text.chars().next()? {
        '\u{8}' => Some('b'),
        '\u{7}' => Some('a'),
        '\t' => Some('t'),
        '.' => None,
        first => Some(first),
    };
    let rest = text.get(1..)?;
    let name: String = original.into_iter().chain(rest.chars().take(MAX_LANGUAGE)).collect();
    LANGUAGES.contains(&name.as_str()).then_some(name)
}

/// No name of a language is longer, in characters.
const MAX_LANGUAGE: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn has_lone_backtick(text: &str) -> bool {
        text.lines().any(|line| line.trim() == "`")
    }

    fn restored(text: &str) -> String {
        let mut out = String::new();
        let mut at = 0;
        for one in damage(text, has_lone_backtick(text)) {
            out.push_str(&text[at..one.span.start()]);
            out.push_str(&one.original.unwrap_or_else(|| "?".to_owned()));
            at = one.span.end();
        }
        out + &text[at..]
    }

    #[test]
    fn what_a_shell_replaced_is_restored() {
        for (text, original) in [
            ("Removed \u{8}ackground, \u{c}rontend/x", "Removed background, frontend/x"),
            ("tag \u{0}.8.18 and \u{b}0.5", "tag 0.8.18 and v0.5"),
            ("- \u{7}lias: hire\r\n", "- alias: hire\r\n"),
            ("The \u{1b}dit tool, true and \retain", "The edit tool, true and retain"),
            ("Added \try-catch\n- \tests/x\n", "Added try-catch\n- tests/x\n"),
            ("`\u{8}ash\ngit status\n`\n", "```bash\ngit status\n```\n"),
            ("x\u{8}y \u{1}", "x?y ?"),
        ] {
            assert_eq!(restored(text), original);
        }
    }

    #[test]
    fn what_no_shell_replaced() {
        for text in [
            "",
            "- \titem\n-\titem\n\tcode\n",
            "a\tb\nkey:  \tvalue\n",
            "page\n\u{c}\npage \u{1b}[31mred\u{1b}[0m\r\n",
            "`code`\n\n`sh`\n`\n",
            "```bash\n`\n```\n",
            "one\rtwo\r",
            "name \tvalue\n",
        ] {
            assert_eq!(damage(text, has_lone_backtick(text)), [], "{text:?}");
        }
    }
}
