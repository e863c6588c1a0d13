//! The headings of a history or a `team.md`: those that Markdown shows, and what only looks like one.

use super::classified::{Classified, classified};
use super::orders::{may_say_order, says_order};
use super::plain::plain;
use super::prefix::Prefix;
use super::tag::{NOUNS, Reach, is_local_context, said, tag};
use super::words::{has, is, may_say_context, words};
use crate::formats::markdown::line::{indentation, item_marker};

/// How a heading is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `## Title`.
    Signs,
    /// A title over a line of `=` or `-`.
    Underlined,
    /// What looks like a heading, and is shown as something else: in a comment, a code fence, a quotation or a list.
    Alike,
}

/// A heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) level: u8,
    pub(super) style: Style,
}

/// The lowest level of a heading.
pub(super) const LOWEST: u8 = 6;

/// The title of a section that travels.
const PORTABLE_CONTEXT: [&str; 2] = ["portable", "context"];

/// Whether `title` says that what follows is about the project, whatever other words are around it: `## Project Context (App)`.
pub(super) fn is_project_context(title: &str) -> bool {
    // Nearly all lines end here.
    if !may_be_project_context(title) {
        return false;
    }
    let title = plain(title);
    if !may_say_context(&title) {
        return false;
    }
    let mut before_is_project = false;
    title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).any(|word| {
        if before_is_project && is_qualifier(word) {
            return false;
        }
        let is_called = before_is_project && word.eq_ignore_ascii_case("context");
        before_is_project = word.eq_ignore_ascii_case("project");
        is_called || word.eq_ignore_ascii_case("projectcontext")
    })
}

/// Words that can be in the midst of `Project Context`: `Project-Specific Context`.
fn is_qualifier(word: &str) -> bool {
    ["specific", "related", "level", "wide", "local"].iter().any(|known| is(word, known))
}

/// Whether `title` is such as `Project-Specific Paths` or `My Project-Specific Notes`.
fn is_project_specific(title: &str) -> bool {
    may_be_specific(title) && {
        let shown = plain(title);
        let mut before = ["", ""];
        let mut title = words(&shown).skip_while(|word| is_number(word));
        let begins = title.next().is_some_and(|word| is(word, "project"))
            && title.next().is_some_and(|word| is(word, "specific"));
        begins
            || words(&shown).any(|word| {
                let [first, last] = before;
                before = [last, word];
                is(first, "project") && is(last, "specific") && NOUNS.iter().any(|known| is(word, known))
            })
    }
}

/// Whether `specific` is in `text`.
pub(super) fn may_be_specific(text: &str) -> bool {
    has(text, "specific", b'f')
}

/// Whether `Project Context` can be in `text`, be it hidden by markup or written with other letters.
pub(super) fn may_be_project_context(text: &str) -> bool {
    !text.is_ascii() || memchr::memchr3(b'<', b'&', b'x', text.as_bytes()).is_some() || text.contains('X')
}

/// What `title` says of its section, by words and tags.
pub(super) fn mark(title: &str) -> Option<Reach> {
    match () {
        () if is_project_context(title)
            || is_local_context(title)
            || is_project_specific(title)
            || said(title).is_local
            || may_say_order(title) && says_order(&plain(title))
            || classified(title) != Classified::Nothing =>
        {
            Some(Reach::Local)
        }
        () => tag(title),
    }
}

/// Whether `title` is `Portable Context` and nothing more, whatever signs and numbers are around it: `### 1. **Portable Context:**`.
pub(super) fn is_portable_context(title: &str) -> bool {
    let title = title.trim_start_matches(|c: char| !c.is_alphabetic()).trim_end_matches(|c: char| !c.is_alphanumeric());
    title.split_whitespace().map(str::to_lowercase).eq(PORTABLE_CONTEXT)
}

/// The heading that `line` looks like, wherever it is: after blanks, signs of quotations, and markers of items.
pub(super) fn alike(line: &str) -> Option<Heading> {
    let signs = [' ', '\t', '>', '-', '*', '+', '.', ')', '\u{feff}'];
    let rest = line.trim_start_matches(|c: char| signs.contains(&c) || c.is_ascii_digit());
    let title = rest.trim_start_matches('#');
    let count = rest.len() - title.len();
    let level = u8::try_from(count).unwrap_or(LOWEST).min(LOWEST);
    // `#12` is the number of an issue.
    let is_heading = count > 1 || count == 1 && (title.is_empty() || title.starts_with([' ', '\t']));
    is_heading.then_some(Heading { level, style: Style::Alike })
}

/// The level of the heading in HTML that begins on `line`, which is shown as one wherever it is but in code: `<h2>`, `<div><h2 id="a">`.
pub(super) fn html_heading(line: &str) -> Option<u8> {
    let mut is_code = false;
    let mut levels = memchr::memchr2_iter(b'<', b'`', line.as_bytes()).filter_map(|at| {
        is_code ^= line.as_bytes().get(at) == Some(&b'`');
        match line.as_bytes().get(at..)? {
            [b'<', b'h' | b'H', level @ b'1'..=b'6', rest @ ..] if !is_code => {
                (!rest.first().is_some_and(u8::is_ascii_alphanumeric)).then_some(level - b'0')
            }
            _ => None,
        }
    });
    let first = levels.next()?;
    Some(levels.fold(first, u8::min))
}

/// Whether `line`, which is not a heading, is meant as the title `Project Context`: it is nothing else, whatever signs, elements and emoji are around
/// it, or it is a title with other words, or begins with the words in bold letters or in an element.
pub(super) fn is_project_title(line: &str) -> bool {
    if !is_project_context(line) {
        return false;
    }
    // An item or a row of a table is about the project itself.
    let rest = Prefix::of(line).rest;
    let is_text = || !is_item(rest) && !rest.starts_with('|');
    names_only_project(line) || is_bare_title(line) || is_text() && begins_with_bold_project(line)
}

/// Whether `text` begins with `Project Context` in bold letters or in an element. An item is about the project then, and not what follows it.
pub(super) fn begins_with_bold_project(text: &str) -> bool {
    is_project_context(text) && {
        let text = ["[x] ", "[X] "].iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text);
        let begin = text.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '*' | '_' | '<'));
        begin.starts_with(['*', '_', '<']) && begins_with_project(&plain(text), 0)
    }
}

/// Whether `line` is perhaps meant so: it begins with these words, and there are few others.
pub(super) fn is_near_project_title(line: &str) -> bool {
    is_project_context(line) && {
        let shown = plain(line);
        words(&shown).nth(LONGEST).is_none() && begins_with_project(&shown, 2)
    }
}

/// A longer line is not a title, unless Markdown shows it as one.
pub(super) const LONGEST: usize = 6;

/// Whether `text` is `Project Context` and a number at most.
pub(super) fn names_only_project(text: &str) -> bool {
    let shown = plain(text);
    begins_with_project(&shown, 0) && {
        let count = words(&shown).skip_while(|word| is_number(word)).filter(|word| !is_qualifier(word)).count();
        count == 2 || count == 1
    }
}

/// Whether `text` begins with `Project Context` behind so many other words at most, not counting numbers.
fn begins_with_project(text: &str, others: usize) -> bool {
    let words = words(text).skip_while(|word| is_number(word));
    let mut words = words.take(others + 3).filter(|word| !is_qualifier(word)).take(others + 2);
    let mut before = "";
    let mut number = 0;
    words.any(|word| {
        let first = std::mem::replace(&mut before, word);
        number += 1;
        is(first, "project") && is(word, "context") || is(word, "projectcontext") && number <= others + 1
    })
}

pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether `line` is a title without signs of a heading: all but a tag in bold letters, or in an element for titles.
pub(super) fn is_bare_title(line: &str) -> bool {
    const ELEMENTS: [&str; 13] =
        ["<h1", "<h2", "<h3", "<h4", "<h5", "<h6", "<summary", "<strong", "<b>", "<caption", "<dt", "<th>", "<legend"];
    let signs = |c: char| matches!(c, ' ' | '\t' | '>' | '-' | '+' | '.' | ')') || c.is_ascii_digit();
    let text = line.trim_start_matches(signs).trim_end();
    let text = text.strip_prefix("* ").unwrap_or(text);
    let text = without_tag(text).trim_end_matches([':', ' ']);
    let is_in = |sign: &str| {
        text.len() > 2 * sign.len()
            && text.strip_prefix(sign).is_some_and(|rest| rest.ends_with(sign) || rest.ends_with(":**"))
    };
    let is_html = || {
        let lower = text.to_ascii_lowercase();
        ELEMENTS.iter().any(|start| lower.contains(start))
    };
    ["**", "__", "*", "_"].into_iter().any(is_in) || text.starts_with('<') && is_html()
}

/// `text` without the tag that it begins or ends with: `**Title** [local]:`.
fn without_tag(text: &str) -> &str {
    let is_sign = |c: char| matches!(c, ':' | ' ' | '`' | '\\');
    let text = text.trim_matches(is_sign);
    let behind = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(text, |(_, rest)| rest);
    let text = if behind.trim().is_empty() { text } else { behind.trim_matches(is_sign) };
    let before = text.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')).map_or(text, |(rest, _)| rest);
    if before.trim().is_empty() { text } else { before.trim_matches(is_sign) }
}

/// The level of the heading that `line`, without the signs before its text, makes of the one before it.
pub(super) fn underline(line: &str) -> Option<u8> {
    match line.trim_end().as_bytes() {
        [b'=', rest @ ..] if rest.iter().all(|byte| *byte == b'=') => Some(1),
        [b'-', rest @ ..] if rest.iter().all(|byte| *byte == b'-') => Some(2),
        _ => None,
    }
}

/// Whether the line is text of a paragraph that begins nothing else: with a line of `=` below it is a title.
pub(super) fn is_title(line: &str) -> bool {
    let text = line.trim_start();
    // What a link leads to is shown nowhere.
    let is_link_definition = text.starts_with('[') && text.contains("]:");
    indentation(line.as_bytes()).0 < 4
        && !is_item(line)
        && !text.starts_with(['#', '>', '|', '`', '~', '<', '-', '='])
        && !is_link_definition
        && text.contains(char::is_alphanumeric)
}

/// Whether a list item begins on the line.
pub(super) fn is_item(line: &str) -> bool {
    item_marker(line.trim_start().as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_the_project() {
        for title in [
            "# Project Context",
            "### **Project  context:**",
            "## Project Context (App)",
            "## 2. Our project-context, later",
            "ProjectContext",
            "## Project&nbsp;Context",
            "## 📋 **Project** `Context`",
            "## Project\u{200b} Con\u{ad}text",
            "## Project-Specific Context",
            "## Рrojесt Ｃｏｎｔｅｘｔ",
        ] {
            assert!(is_project_context(title), "{title}");
        }
        for (title, expected) in [
            ("## Project-Specific Notes", Some(Reach::Local)),
            ("## 2. Project-specific paths and ports", Some(Reach::Local)),
            ("## Project Notes", None),
            ("## Keys (do not export)", Some(Reach::Local)),
        ] {
            assert_eq!(mark(title), expected, "{title}");
        }
        for title in ["# Project", "## Context of the project", "## Projects, contexts", "## Portable Context"] {
            assert!(!is_project_context(title), "{title}");
        }
        for title in ["## 📋 Portable Context:", "### 1. Portable Context", "## 2.1) **Portable Context**"] {
            assert!(is_portable_context(title), "{title}");
        }
        assert!(!is_portable_context("## Portable Context (App)") && !is_portable_context("## Not Portable Context"));
    }

    #[test]
    fn what_looks_like_a_heading() {
        for (line, expected) in [
            ("## A", Some(2)),
            ("    > 1. ### A", Some(3)),
            ("##A", Some(2)),
            ("#12 is open", None),
            ("# A", Some(1)),
            ("A # b", None),
        ] {
            assert_eq!(alike(line).map(|heading| heading.level), expected, "{line}");
        }
        for line in [
            "**Project Context**",
            "- **Project Context:**",
            "**Project Context**:",
            "<h2>Project Context</h2>",
            "Project Context",
            "📋 **Project Context**",
            "🗂️ Project Context:",
            "<summary>📋 Project Context</summary>",
            "<div><h2>Project Context</h2>",
            "<div><h2>Our Project Context</h2>",
            "<!-- Project Context -->",
            "**Project Context** Rust",
            "**Project Context:** Rust",
            "**Project&nbsp;Context**",
            "| Project Context |",
            "3. Project Context",
            "**Project-Specific Context**",
        ] {
            assert!(is_project_title(line), "{line}");
        }
        for line in [
            "- **Project Context:** see below",
            "> - **Project Context**: see below",
            "| **Project Context** | see below |",
            "Read the project context first",
            "Project Context matters",
            "**Note** the project context",
        ] {
            assert!(!is_project_title(line), "{line}");
        }
        for line in ["Our Project Context (App)", "Project Context: Rust", "- Project Context: see below"] {
            assert!(is_near_project_title(line), "{line}");
        }
        for text in [
            "**Project Context:** app",
            "**Project Context** — x",
            "[x] **Project Context:** x",
            "<b>Project Context</b> x",
        ] {
            assert!(begins_with_bold_project(text), "{text}");
        }
        for text in ["Project Context: app", "**Note** the project context", "read the **Project Context**"] {
            assert!(!begins_with_bold_project(text), "{text}");
        }
        for (line, level) in
            [("<h2>A</h2>", Some(2)), ("<div><H3 id=\"a\">", Some(3)), ("`<h2>` is a tag", None), ("<hr>", None)]
        {
            assert_eq!(html_heading(line), level, "{line}");
        }
        assert!(!is_near_project_title("Read our own project context") && !is_near_project_title("Context"));
        for line in ["**Project Context**", "**Keys** [local]", "[local] **Keys**:", "_Keys_ `[local]`"] {
            assert!(is_bare_title(line), "{line}");
        }
        for line in ["- **Project Context:** see below", "**", "a [local]", "[local]"] {
            assert!(!is_bare_title(line), "{line}");
        }
    }
}
