//! Where a text sends its readers to an archive: a link to one, or words such as "archived to" before its path.

use std::sync::LazyLock;

use regex::Regex;

use super::markdown::lines_with;
use crate::text::Span;

/// A place where a text names an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The path as it is written, without quotes, and without a part behind `#`.
    pub span: Span,
    /// The path, `/` between its parts.
    pub path: String,
    /// Whether it is a link, and not words.
    pub is_link: bool,
}

/// The target of an inline link or of a link definition.
static LINK: LazyLock<Option<Regex>> =
    LazyLock::new(|| regex(r"(?:\]\(\s*|^ {0,3}\[[^\]]+\]:\s*)(?:<(?<angled>[^<>]*)>|(?<bare>[^\s()<>]+))"));

/// `archived to x.md`, `Archived decisions in x.md`: the words between are of the same sentence.
static SAID: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(concat!(
        r"(?i)\barchived\b(?<between>[^\n.;!?|`]{0,80}?)\b(?<word>to|into|in|at|under)\s+",
        r#"(?:(?:the|a|new|file|folder|archive) ){0,3}["'*_(]{0,3}"#,
        r"(?:`(?<quoted>[^`\n]+)`|(?<bare>[^\s`\[\]()<>,;|]+))",
    ))
});

/// What somebody is told to do, would do, or did not do.
static UNDONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(concat!(
        r"(?i)\b(?:if|when|whenever|once|should|must|shall|will|would|could|might|(?-i:may)|can|needs? to|to be|be|being",
        r"|gets?|until|unless|not|never|no longer|always|every time|each time|automatically|periodically|exceeds?",
        r"|e\.g\.|for example|example|todo|tbd|plan|plans|planned|proposed?|proposal|want|wants|wanted)\b|n['’]t\b|\?",
    ))
});

/// A sentence that begins by telling what to do.
static ORDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)^\W*(?:\d+\.\s*)?(?:step \d+\W+)?(?:[\w .]{1,30}:\W+)?(?:move|archive|append|copy|write|create|put|add|store|save|rotate|keep|delete|trim|split|prune|make|ensure)\b",
    )
});

/// A box that nobody has ticked.
static OPEN_TASK: LazyLock<Option<Regex>> = LazyLock::new(|| regex(r"^\s*(?:[-*+]|\d+[.)])\s+\[ \]"));

/// What stands for something else: `{name}`, `<name>`, `*`, `$X`, `YYYY-MM`, `...`.
static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r"[{}<>*?$%~|\[\]…]|\.\.\.|(?:^|[^A-Za-z])(?:Y{2,4}|MM|DD|HH|N{1,4}|X{1,4})(?:[^A-Za-z]|$)")
});

fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|regex| regex.is_match(text))
}

/// The archives that `text` sends its readers to, in order. Code, examples, placeholders and instructions do not count.
pub fn references(text: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    for line in lines_with(text, "rchiv") {
        links(text, line, &mut found);
        statements(text, line, &mut found);
    }
    found.sort_by_key(|reference: &Reference| (reference.span, !reference.is_link));
    found.dedup_by_key(|reference| reference.span);
    found
}

fn links(text: &str, line: Span, found: &mut Vec<Reference>) {
    let content = line.of(text);
    let Some(regex) = LINK.as_ref() else { return };
    for link in regex.captures_iter(content) {
        let Some(target) = link.name("angled").or_else(|| link.name("bare")) else { continue };
        // In a sentence that tells what to do, the link is to what that would make.
        let is_order = matches(&ORDER, sentence(content, target.start(), target.end()).0);
        if is_in_code(content, target.start()) || is_order || matches(&OPEN_TASK, content) {
            continue;
        }
        found.extend(reference(line.start() + target.start(), target.as_str(), true));
    }
}

fn statements(text: &str, line: Span, found: &mut Vec<Reference>) {
    // The words may stand at the end of the line before.
    let above = text.get(..line.start()).unwrap_or_default().trim_end_matches(['\r', '\n']);
    let gap = text.get(above.len()..line.start()).unwrap_or_default().matches('\n').count();
    let start = above.rfind('\n').map_or(0, |at| at + 1);
    let goes_on = gap == 1 && line.of(text).starts_with(|c: char| c.is_alphanumeric() || matches!(c, '`' | ' '));
    let window = Span::new(if goes_on { start } else { line.start() }, line.end());
    let content = window.of(text);
    let Some(regex) = SAID.as_ref() else { return };
    for said in regex.captures_iter(content) {
        let Some(path) = said.name("quoted").or_else(|| said.name("bare")) else { continue };
        let at = window.start() + path.start();
        let Some(whole) = said.get(0) else { continue };
        if at < line.start() || is_in_code(content, whole.start()) || is_quoted(content, whole.start()) {
            continue;
        }
        let (before, sentence) = sentence(content, whole.start(), whole.end());
        let habit = before.trim_end().ends_with("are") || before.trim_end().ends_with("is");
        let word = said.name("word").map_or("", |word| word.as_str());
        let is_habit = habit && !matches!(word.to_ascii_lowercase().as_str(), "in" | "at" | "under");
        if is_habit || matches(&UNDONE, sentence) || matches(&ORDER, before) || matches(&OPEN_TASK, content) {
            continue;
        }
        found.extend(reference(at, path.as_str(), false));
    }
}

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
    (is_archive && !is_elsewhere && !matches(&PLACEHOLDER, &decoded)).then(|| Reference {
        span: Span::new(at, at + path.len()),
        path: decoded,
        is_link,
    })
}

/// The sentence around `start..end`: up to `start`, and whole. A full stop inside a path ends none.
fn sentence(line: &str, start: usize, end: usize) -> (&str, &str) {
    let before = line.get(..start).unwrap_or_default();
    let ends = [". ", "! ", "? ", "; ", "| "];
    let from = ends.iter().filter_map(|end| before.rfind(end)).max().map_or(0, |at| at + 2);
    let behind = line.get(end..).unwrap_or_default();
    let to = ends.iter().filter_map(|end| behind.find(end)).min().map_or(line.len(), |at| end + at + 1);
    (line.get(from..start).unwrap_or_default(), line.get(from..to).unwrap_or_default())
}

/// Whether byte `at` of `line` stands between two backticks.
fn is_in_code(line: &str, at: usize) -> bool {
    line.get(..at).is_some_and(|before| before.matches('`').count() % 2 == 1)
}

/// Whether byte `at` of `line` stands between two quotation marks.
fn is_quoted(line: &str, at: usize) -> bool {
    let count = |text: Option<&str>| text.map_or(0, |text| text.matches(['"', '“', '”']).count());
    count(line.get(..at)) % 2 == 1 && count(line.get(at..)) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        references(text).into_iter().map(|reference| reference.path).collect()
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
