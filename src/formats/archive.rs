//! Where a text sends its readers to an archive: a link to one, or words such as "archived to" before its path.

mod words;

use std::sync::LazyLock;

use regex::Regex;

use self::words::{is_undone, said};
use super::markdown::lines_with;
use crate::text::Span;

/// A place where a text names an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The path as it is written, without quotes, and without a part after `#`.
    pub span: Span,
    /// The path, `/` between its parts.
    pub path: String,
    /// Whether it is a link, and not words.
    pub is_link: bool,
}

/// The target of an inline link or of a link definition.
static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r"(?:\]\((?-u:\s*)|^ {0,3}\[[^\]]+\]:(?-u:\s*))(?:<(?<angled>[^<>]*)>|(?<bare>[^ \t\r\n()<>]+))")
});

/// A sentence that begins by telling what to do.
static ORDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i-u)^(?u:[^0-9a-z_])*(?:\d+\.\s*)?(?:step \d+(?u:[^0-9a-z_])+)?(?:[\w .]{1,30}:(?u:[^0-9a-z_])+)?(?:move|archive|append|copy|write|create|put|add|store|save|rotate|keep|delete|trim|split|prune|make|ensure)\b",
    )
});

/// A box that is not ticked.
static OPEN_TASK: LazyLock<Option<Regex>> = LazyLock::new(|| regex(r"(?-u)^\s*(?:[-*+]|\d+[.)])\s+\[ \]"));

/// Whether a path means something else: `{name}`, `<name>`, `*`, `$X`, `YYYY-MM`, `...`.
fn has_placeholder(path: &str) -> bool {
    let is_one = |word: &str| {
        matches!(word, "YY" | "YYY" | "YYYY" | "MM" | "DD" | "HH")
            || (1..=4).contains(&word.len()) && ['N', 'X'].iter().any(|letter| word.trim_matches(*letter).is_empty())
    };
    path.contains(['{', '}', '<', '>', '*', '?', '$', '%', '~', '|', '[', ']', '…'])
        || path.contains("...")
        || path.split(|c: char| !c.is_ascii_alphabetic()).any(is_one)
}

fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|regex| regex.is_match(text))
}

/// The archives that `text` sends its readers to, in order. Code, examples, placeholders and instructions do not count.
pub fn references(text: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    let is_likely = |line: Span| {
        names_markdown(line.of(text).as_bytes())
            && (has_link(line.of(text)) || said(statement(text, line).of(text)).next().is_some())
    };
    for line in lines_with(text, "rchiv", is_likely) {
        links(text, line, &mut found);
        statements(text, line, &mut found);
    }
    found.sort_by_key(|reference: &Reference| (reference.span, !reference.is_link));
    found.dedup_by_key(|reference| reference.span);
    found
}

/// Whether `line` can name a Markdown file.
fn names_markdown(line: &[u8]) -> bool {
    memchr::memchr_iter(b'.', line).any(|dot| line.get(dot + 1).is_some_and(|next| next.eq_ignore_ascii_case(&b'm')))
}

/// Whether `line` can have a link or define one.
fn has_link(line: &str) -> bool {
    let bytes = line.as_bytes();
    memchr::memchr_iter(b']', bytes).any(|end| matches!(bytes.get(end + 1), Some(b'(' | b':')))
}

fn links(text: &str, line: Span, found: &mut Vec<Reference>) {
    let content = line.of(text);
    if !has_link(content) {
        return;
    }
    let Some(regex) = LINK.as_ref() else { return };
    let mut context = Context::new(content);
    for link in regex.captures_iter(content) {
        let Some(target) = link.name("angled").or_else(|| link.name("bare")) else { continue };
        let Some(reference) = reference(line.start() + target.start(), target.as_str(), true) else { continue };
        // In a sentence that tells what to do, the link is to what that would make.
        let (from, _) = context.sentence(target.start(), target.end());
        if !context.is_in_code(target.start()) && !context.is_order(from, target.start()) && !context.is_open_task() {
            found.push(reference);
        }
    }
}

fn statements(text: &str, line: Span, found: &mut Vec<Reference>) {
    let window = statement(text, line);
    let content = window.of(text);
    let mut said = said(content).peekable();
    if said.peek().is_none() {
        return;
    }
    let mut context = Context::new(content);
    for said in said {
        let at = window.start() + said.path.start;
        if at < line.start() {
            continue;
        }
        let (start, end) = (said.whole.start, said.whole.end);
        let part = |range| content.get(range).unwrap_or_default();
        let Some(reference) = reference(at, part(said.path), false) else { continue };
        if context.is_in_code(start) || context.is_quoted(start) {
            continue;
        }
        let (from, to) = context.sentence(start, end);
        let before = part(from..start).trim_end();
        let habit = before.ends_with("are") || before.ends_with("is");
        let is_habit = habit && !matches!(part(said.word).to_ascii_lowercase().as_str(), "in" | "at" | "under");
        let is_told = context.is_undone(from, to) || context.is_order(from, start);
        if !is_habit && !is_told && !context.is_open_task() {
            found.push(reference);
        }
    }
}

/// The words that may lead to a path in `line`: with the line before, where the sentence goes on.
fn statement(text: &str, line: Span) -> Span {
    if !line.of(text).starts_with(|c: char| c.is_alphanumeric() || matches!(c, '`' | ' ')) {
        return line;
    }
    let before = text.get(..line.start()).unwrap_or_default();
    let above = before.trim_end_matches(['\r', '\n']);
    let gap = before.get(above.len()..).unwrap_or_default();
    match gap.matches('\n').count() {
        1 => Span::new(above.rfind('\n').map_or(0, |at| at + 1), line.end()),
        _ => line,
    }
}

/// What is known of one line, found once for all that is named in it.
struct Context<'a> {
    line: &'a str,
    /// The positions of backticks, of quotation marks, and of the starts of all sentences but the first.
    backticks: Vec<usize>,
    quotes: Vec<usize>,
    starts: Vec<usize>,
    open_task: Option<bool>,
    /// The last sentence that was asked about, and whether it says what someone is to do.
    undone: Option<((usize, usize), bool)>,
}

impl<'a> Context<'a> {
    fn new(line: &'a str) -> Self {
        let bytes = line.as_bytes();
        let is_start = |at: &usize| {
            let end = at.checked_sub(2).and_then(|at| bytes.get(at));
            end.is_some_and(|byte| matches!(byte, b'.' | b'!' | b'?' | b';' | b'|'))
        };
        Self {
            line,
            backticks: memchr::memchr_iter(b'`', bytes).collect(),
            quotes: line.match_indices(['"', '“', '”']).map(|(at, _)| at).collect(),
            // A full stop inside a path ends no sentence.
            starts: memchr::memchr_iter(b' ', bytes).map(|blank| blank + 1).filter(is_start).collect(),
            open_task: None,
            undone: None,
        }
    }

    /// The sentence around `start..end`.
    fn sentence(&self, start: usize, end: usize) -> (usize, usize) {
        let before = self.starts.partition_point(|at| *at <= start).checked_sub(1);
        let behind = self.starts.partition_point(|at| *at < end + 2);
        let from = before.and_then(|index| self.starts.get(index)).copied().unwrap_or(0);
        (from, self.starts.get(behind).map_or(self.line.len(), |at| at - 1))
    }

    /// Whether byte `at` is between two backticks.
    fn is_in_code(&self, at: usize) -> bool {
        self.backticks.partition_point(|backtick| *backtick < at) % 2 == 1
    }

    /// Whether byte `at` is between two quotation marks.
    fn is_quoted(&self, at: usize) -> bool {
        let before = self.quotes.partition_point(|quote| *quote < at);
        before % 2 == 1 && before < self.quotes.len()
    }

    fn is_open_task(&mut self) -> bool {
        *self.open_task.get_or_insert_with(|| matches(&OPEN_TASK, self.line))
    }

    /// Whether the sentence `from..to` says what someone is to do, would do, or did not do.
    fn is_undone(&mut self, from: usize, to: usize) -> bool {
        if let Some((_, known)) = self.undone.filter(|(sentence, _)| *sentence == (from, to)) {
            return known;
        }
        let undone = is_undone(self.line.get(from..to).unwrap_or_default());
        self.undone = Some(((from, to), undone));
        undone
    }

    /// Whether the sentence that begins at `from` begins by telling what to do before `end`.
    fn is_order(&self, from: usize, end: usize) -> bool {
        // One sentence can name thousands of files: only so much of it is its beginning.
        let end = (from..=end.min(from + BEGINNING)).rev().find(|end| self.line.is_char_boundary(*end));
        matches(&ORDER, self.line.get(from..end.unwrap_or(from)).unwrap_or_default())
    }
}

/// In how many bytes a sentence that tells what to do has begun to.
const BEGINNING: usize = 256;

/// The reference to the path `written` at byte `at`, if an archive is what it names.
fn reference(at: usize, written: &str, is_link: bool) -> Option<Reference> {
    let path = written.split(['#', '?']).next().unwrap_or_default();
    let path = path.trim_end_matches(['.', ':', '"', '\'', '*', '_', ')']);
    let decoded = path.replace('\\', "/").replace("%20", " ");
    let lower = decoded.to_lowercase();
    let is_file = lower.rsplit('.').next().is_some_and(|ending| matches!(ending, "md" | "markdown"));
    let is_elsewhere = lower.contains(':') || lower.starts_with("//");
    let is_archive = |(at, part): (usize, &str)| {
        part.contains("archiv") && (at == 0 || !part.contains('.')) || at == 1 && part == "processed"
    };
    let is_archive = is_file && lower.rsplit('/').enumerate().any(is_archive);
    (is_archive && !is_elsewhere && !has_placeholder(&decoded)).then(|| Reference {
        span: Span::new(at, at + path.len()),
        path: decoded,
        is_link,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn paths(text: &str) -> Vec<String> {
        references(text).into_iter().map(|reference| reference.path).collect()
    }

    proptest! {
        #[test]
        fn a_pattern_finds_the_same_placeholders(path in "([YMDHNX]{0,5}|[a-z…é./_*-]|[.]{2,3}|[{}<>?$%~|\\[\\]]){0,4}") {
            let pattern = r"[{}<>*?$%~|\[\]…]|\.\.\.|(?:^|[^A-Za-z])(?:Y{2,4}|MM|DD|HH|N{1,4}|X{1,4})(?:[^A-Za-z]|$)";
            prop_assert_eq!(has_placeholder(&path), Regex::new(pattern).unwrap().is_match(&path), "{}", path);
        }
    }

    #[test]
    fn links_and_statements() {
        for (text, path) in [
            ("See [the old ones](decisions-archive.md).", "decisions-archive.md"),
            ("[old]: <archive/2026 01.md#x> \"title\"", "archive/2026 01.md"),
            ("[old](./archive/2026%2001.md)", "./archive/2026%2001.md"),
            ("Archived to decisions-archive-2026-01.md.", "decisions-archive-2026-01.md"),
            ("*Old gates archived to `hicks\\history-archive.md`.*", "hicks/history-archive.md"),
            ("(Archived decisions in `decisions-archive-2026-04-25.md`)", "decisions-archive-2026-04-25.md"),
            ("**Earlier work** archived to history-archive-v1.md.", "history-archive-v1.md"),
            ("Phase 0 has been archived to\n`decisions-archive.md` for reference", "decisions-archive.md"),
            ("Older entries are archived in `decisions-archive.md`.", "decisions-archive.md"),
            ("- [x] 3 files archived in decisions/processed/x.md", "decisions/processed/x.md"),
            ("Archived 9 entries into **decisions-archive.md**", "decisions-archive.md"),
        ] {
            let expected = path.replace("%20", " ");
            assert_eq!(paths(text), [expected], "{text}");
        }
    }

    #[test]
    fn what_sends_nobody_anywhere() {
        for text in [
            "archive entries older than 30 days to decisions-archive.md",
            "Old entries are archived to `decisions-archive.md`.",
            "When it is full, entries get archived to decisions-archive.md",
            "Archived decisions in `decisions-archive-YYYY-MM-DD.md`",
            "Archived to `agents/{name}/history-archive.md`",
            "archived to `*-archive.md`",
            "Move old entries to [the archive](decisions-archive.md).",
            "[notes](https://example.com/archive/x.md)",
            "`Archived to decisions-archive.md`",
            "It prints \"Archived to decisions-archive.md\" at the end",
            "```\nArchived to decisions-archive.md\n```",
            "All files archived to decisions.md",
            "These should be archived in docs/archive/new.md",
            "- [ ] Decisions archived to decisions-archive.md",
            "They were not archived to decisions-archive.md",
            "[code](src/archive.rs)",
            "They are archived. New ones go to x-archive.md",
        ] {
            assert_eq!(paths(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_place_is_the_path() {
        let text = "Line.\nArchived to `decisions-archive.md`, see [it](archive/x.md#top).\n";
        let spans: Vec<_> = references(text).iter().map(|reference| reference.span.of(text)).collect();
        assert_eq!(spans, ["decisions-archive.md", "archive/x.md"]);
    }
}
