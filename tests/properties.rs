//! What holds for every text: parsers never panic, spans lie inside the file on character boundaries, the blocks tile the
//! file, and print ∘ parse is the identity.

use std::sync::Arc;

use crate::support::no_files::no_files;
use proptest::prelude::*;
use squad_lint::diagnostic::{Diagnostic, Fix, RuleId, Scope, Severity};
use squad_lint::dialects::squad;
use squad_lint::engine::{self, RuleSet};
use squad_lint::facts::Run;
use squad_lint::formats::entries::{self, Block};
use squad_lint::formats::learnings::Learnings;
use squad_lint::formats::markdown::{self, MarkKind};
use squad_lint::formats::sem::field::{related, tags};
use squad_lint::formats::team_decisions::TeamDecisions;
use squad_lint::formats::timestamp::{Reading, Timestamp};
use squad_lint::formats::{roster, sem::literal};
use squad_lint::options::Options;
use squad_lint::rule::Document;
use squad_lint::rules;
use squad_lint::select::selected::Selected;
use squad_lint::suppress::{self, add::Target};
use squad_lint::text::{ColumnUnit, Source, Span};

/// Pieces of which memory files are made, whole and damaged.
const PIECES: &[&str] = &[
    "### 2026-02-15T14:32:15-0800: decision: Per-agent models",
    "### 2026-02-15T14:32:15Z: note: x",
    "## 2026-13-45T25:61:61-9999: memory - y",
    "### 2026-02-10: User directive — models",
    "# # Decision: x",
    "###",
    " ### Sub",
    "**type:** decision  ",
    "**timestamp:** 2026-02-15 14:32",
    "**author:** Verbal",
    "**Author**: Verbal | **Date:** 2026-01-01",
    "- **By:** x",
    "**tags:** a,, b ,",
    "**details:**",
    "**related:**",
    "- proposal: 024",
    "* decision: 2026-02-10T09:15:00-0800",
    "**supersedes:** 2026-02-15T14:32:15-0800",
    "**scope:** agent:Verbal",
    "**expires:** soon",
    "---",
    "```",
    "````md",
    "~~~",
    "<!--",
    "-->",
    "<details>",
    "<<<<<<< ours",
    "=======",
    ">>>>>>> theirs",
    "  ```js",
    "- - 1. item",
    "| **By** | x |",
    "> **By:** x",
    "*emphasis* text",
    "\u{1F680} émoji \u{202e}",
    "\u{feff}",
    "\u{1b}[31m\0\u{b}",
    "name: x",
    "<!-- squad-lint: ignore sem, sem/expired -- why -->",
    "  <!-- squad-lint: ignore-file markdown -->",
    "<!-- squad-lint ignore é",
    "# squad-lint: ignore all",
    "",
    " ",
    "\t",
];
/// Pieces of which learnings files are made, whole and damaged.
const LEARNINGS: &[&str] = &[
    "# Learnings: db",
    "# Archive: db",
    "## Codebase Patterns",
    "## core — often",
    "### Own #",
    "# Gotchas",
    "## Cross-Agent Notes",
    "- x (added: 2026-02-28, dispatch: a.6)",
    "* (from db) x *(updated: 2026-02-30)*",
    "+ x (added: 2026-02-28",
    "12. é (dispatch: x) (added: 2999-01-01).",
    "- (none yet)",
    "-",
    "- (",
    "- [added: x](y) ([(",
    "  - inner (decided: 2026-02-13, by: db)",
    "  more `code` ``x` (added: 2026-01-01)",
    "lazy (from db)",
    "  ```",
    "```",
    "  <!--",
    "-->",
    "| a | b |",
    "---",
    "by: db)",
    "\\",
    "\u{feff}",
    "name: x",
    "",
    " ",
];
const ENDS: &[&str] = &["\n", "\n", "\n", "\r\n", "\r", "\n\n", " "];

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(String::from),
        1 => "\\PC{0,20}",
        1 => ".{0,8}",
    ];
    let line = (piece, prop::sample::select(ENDS)).prop_map(|(piece, end)| piece + end);
    prop::collection::vec(line, 0..24).prop_map(|lines| lines.concat())
}

fn learnings_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(LEARNINGS).prop_map(String::from),
        1 => "\\PC{0,20}",
        1 => "[-()\\[\\]:,`<!> adef0-9]{0,20}",
    ];
    let line = (piece, prop::sample::select(ENDS)).prop_map(|(piece, end)| piece + end);
    prop::collection::vec(line, 0..24).prop_map(|lines| lines.concat())
}

fn fits(text: &str, span: Span) -> bool {
    text.get(span.start()..span.end()).is_some()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blocks_tile_and_print_back(text in any_text()) {
        let parsed = entries::parse(&text);
        let mut at = 0;
        for block in parsed.blocks() {
            prop_assert_eq!(block.span().start(), at);
            prop_assert!(!block.span().is_empty());
            at = block.span().end();
        }
        prop_assert_eq!(at, text.len());
        prop_assert_eq!(parsed.print(&text), text);
    }

    #[test]
    fn spans_lie_inside_the_text(text in any_text()) {
        let parsed = entries::parse(&text);
        for mark in &parsed.outline.marks {
            prop_assert!(fits(&text, mark.line));
        }
        for entry in parsed.sem(&text) {
            let header = entry.header();
            for span in [header.line, header.timestamp, header.kind, header.summary] {
                prop_assert!(fits(&text, span) && entry.span().contains(span));
            }
            for field in entry.fields() {
                for span in [field.label(), field.word(), field.value, field.line] {
                    prop_assert!(fits(&text, span) && entry.span().contains(span), "{:?}", field);
                }
                prop_assert!(tags(&text, field.value).all(|tag| field.value.contains(tag)));
                for item in related(&text, field.value) {
                    for span in [item.line, item.bullet(), item.kind, item.colon(), item.identifier()] {
                        prop_assert!(fits(&text, span) && field.value.contains(span));
                    }
                }
            }
            let _ = (entry.scope(), entry.author(), entry.timestamp(), literal::divergence(entry));
        }
        for entry in parsed.legacy() {
            prop_assert!(entry.span.contains(entry.title) && fits(&text, entry.title));
            prop_assert!(entry.date.is_none_or(|date| entry.span.contains(date)));
            for field in parsed.legacy_fields(entry) {
                prop_assert!(fits(&text, field.name) && fits(&text, field.value), "{:?}", field);
            }
        }
        let _ = roster::Team::parse(&text);
    }

    #[test]
    fn learnings_lie_in_order_and_print_back(text in learnings_text()) {
        let parsed = Learnings::parse(&text);
        let titles = parsed.title.iter().chain(&parsed.more_titles);
        for title in titles {
            for span in [title.line, title.text].into_iter().chain(title.name) {
                prop_assert!(fits(&text, span) && title.line.contains(span), "{:?}", title);
            }
        }
        let mut at = 0;
        for section in &parsed.sections {
            prop_assert!(section.heading.start() >= at, "{:?}", section);
            at = section.body.end();
            for span in [section.heading, section.name, section.body] {
                prop_assert!(fits(&text, span) && section.span.contains(span), "{:?}", section);
            }
        }
        let mut at = 0;
        for entry in &parsed.entries {
            prop_assert!(entry.span.start() >= at && !entry.span.is_empty(), "{:?}", entry);
            at = entry.span.end();
            for span in [entry.span, entry.text].into_iter().chain(entry.sender) {
                prop_assert!(fits(&text, span) && entry.span.contains(span), "{:?}", entry);
            }
            for mark in &entry.marks {
                prop_assert!(entry.span.contains(mark.group) && fits(&text, mark.group), "{:?}", mark);
                prop_assert!(mark.group.contains(mark.key) && fits(&text, mark.key), "{:?}", mark);
                prop_assert!(mark.group.contains(mark.value) && fits(&text, mark.value), "{:?}", mark);
            }
            if let Some(section) = parsed.section_of(entry) {
                prop_assert!(section.body.contains(entry.span), "{:?}", section);
            }
        }
        prop_assert_eq!(parsed.print(&text), text.as_str());
        prop_assert_eq!(TeamDecisions::parse(&text).items, parsed);
    }

    #[test]
    fn suppressions_lie_inside_the_text(text in any_text()) {
        let parsed = entries::parse(&text);
        let in_markdown = suppress::in_markdown(&text, &parsed);
        for one in in_markdown.iter().chain(&suppress::in_hash_comments(&text)) {
            let problem = one.problem.map(|problem| problem.span);
            let spans = [one.comment, one.line, one.reason, one.target];
            for &span in spans.iter().chain(&one.names).chain(&problem) {
                prop_assert!(fits(&text, span), "{:?}", one);
            }
            prop_assert!(one.line.contains(one.comment) && one.names.iter().all(|name| one.comment.contains(*name)));
        }
        let anywhere = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let found: Vec<Diagnostic> = anywhere.map(|at| finding(Some(Span::at(at)))).chain([finding(None)]).collect();
        for (entries, list) in [(Some(&parsed), in_markdown), (None, suppress::in_hash_comments(&text))] {
            let target = Target { text: &text, entries, list: &list, reason: "why" };
            for edit in target.edits(&found, &found) {
                prop_assert!(fits(&text, edit.span) && edit.span.is_empty(), "{:?}", edit);
            }
            let (kept, gone) = suppress::Filter::new(&text, &list).split(found.clone());
            prop_assert_eq!(kept.len() + gone.len(), found.len());
        }
    }

    /// A comment for a finding holds for it where it is put. On blank lines, inside HTML, and where the ends of code blocks in
    /// lists are guessed at, one for the whole file holds.
    #[test]
    fn an_added_suppression_holds(lines in prop::collection::vec(prop::sample::select(MARKDOWN), 1..16), at in 0_usize..200) {
        let text = lines.join("\n") + "\n";
        let html = text.contains("<!--\n") || text.contains("div>");
        let fence = text.contains("```") || text.contains("~~~");
        let list = lines.iter().any(|line| line.trim_start().starts_with(['-', '*', '+', '1', '2']));
        let at = at % text.len();
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let blank = text[start..].lines().next().is_none_or(|line| line.trim().is_empty());
        let suppressed = |text: &str, found: &Diagnostic, in_file: &[Diagnostic]| {
            let parsed = entries::parse(text);
            let target = Target { text, entries: Some(&parsed), list: &[], reason: "" };
            let here: &[Diagnostic] = if in_file.is_empty() { std::slice::from_ref(found) } else { &[] };
            let edit = target.edits(here, in_file).remove(0);
            let mut new = text.to_owned();
            new.insert_str(edit.span.start(), &edit.content);
            let start = found.span.unwrap().start();
            let start = if edit.span.start() <= start { start + edit.content.len() } else { start };
            let parsed = entries::parse(&new);
            let list = suppress::in_markdown(&new, &parsed);
            let (_, gone) = suppress::Filter::new(&new, &list).split(vec![finding(Some(Span::at(start)))]);
            (new, gone.len())
        };
        let found = finding(Some(Span::at(at)));
        let (new, count) = suppressed(&text, &found, std::slice::from_ref(&found));
        prop_assert_eq!(count, 1, "{}", new);
        let (new, count) = suppressed(&text, &found, &[]);
        prop_assert!(count == 1 || blank || html || fence && list, "{} in\n{}", at, new);
    }

    #[test]
    fn every_rule_reports_inside_the_file(text in any_text()) {
        let source = Arc::new(Source::new(".squad/decisions.md", text.clone().into_bytes()));
        for kind in [&squad::DECISIONS, &squad::INBOX, &squad::HISTORY, &squad::ARCHIVE] {
            let file = Selected::on_disk(source.path().to_owned(), ".squad".into(), kind, true, false);
            let documents = [Arc::new(Document::parse(file, source.clone()))];
            let all = RuleSet::new(rules::all().map(|registered| (registered.rule, registered.rule.severity)));
            let mut options = Options::at(Timestamp::from_unix(1_772_323_200));
            options.settings.phase = squad_lint::settings::Phase::SemOnly;
            let run = Run::new(no_files(), &documents, &options, []);
            for diagnostic in engine::check(&documents[0], &run, &all) {
                let mut last = 0;
                for span in diagnostic.span.into_iter().chain(diagnostic.related.iter().map(|related| related.span)) {
                    prop_assert!(fits(&text, span), "{}: {:?}", diagnostic.rule.name, span);
                }
                for edit in diagnostic.fix.iter().flat_map(Fix::edits) {
                    prop_assert!(fits(&text, edit.span) && edit.span.start() >= last, "{}: {:?}", diagnostic.rule.name, edit);
                    last = edit.span.end();
                }
                prop_assert!(!diagnostic.message.is_empty());
            }
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_keep_every_place(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let source = Source::new("x.md", bytes.clone());
        prop_assert_eq!(source.bytes(), &bytes[..]);
        prop_assert_eq!(source.text().len(), bytes.len());
        for offset in 0..=bytes.len() {
            let at = source.position(offset, ColumnUnit::Char);
            prop_assert!(at.line >= 1 && at.column >= 1);
        }
        let parsed = entries::parse(source.text());
        prop_assert_eq!(parsed.print(source.text()), source.text());
    }

    #[test]
    fn a_moment_prints_as_it_reads(seconds in -62_000_000_000_i64..253_000_000_000, text in "\\PC{0,30}") {
        let at = Timestamp::from_unix(seconds);
        if seconds >= -62_135_000_000 {
            prop_assert_eq!(Reading::whole(&at.to_string()), Reading::Canonical(at));
        }
        let (_, len) = Reading::prefix(&text);
        prop_assert!(text.is_char_boundary(len));
    }

    /// The line scan against the reference Markdown parser: the same top-level ATX headings and fences.
    #[test]
    fn headings_and_fences_are_commonmark_s(lines in prop::collection::vec(prop::sample::select(MARKDOWN), 0..16)) {
        let text = lines.join("\n") + "\n";
        let ours: Vec<usize> = markdown::scan(&text)
            .marks
            .iter()
            .filter(|mark| matches!(mark.kind, MarkKind::Heading(_)))
            .map(|mark| mark.line.start())
            .collect();
        prop_assert_eq!(ours, reference_headings(&text), "{}", text);
    }
}

fn finding(span: Option<Span>) -> Diagnostic {
    Diagnostic {
        standard: None,
        rule: RuleId { name: "sem/expired", scope: Scope::Entry },
        severity: Severity::Warning,
        path: ".squad/decisions.md".into(),
        span,
        message: "x".into(),
        label: String::new(),
        related: Vec::new(),
        notes: Vec::new(),
        fix: None,
    }
}

/// Lines in which CommonMark and the scan agree by design.
const MARKDOWN: &[&str] = &[
    "# a",
    "### b",
    "   ## c",
    "#",
    "#nothing",
    "text",
    "",
    "",
    "- item",
    "  more",
    "1. one",
    "   two",
    "```",
    "```js",
    "````",
    "~~~",
    "  ```",
    "   # in item",
    "> quote",
    "> # in quote",
    "<!-- x -->",
    "<!--",
    "-->",
    "**By:** x",
    "* * *",
    "    four",
    "  - nested",
    "    - deeper",
    "-",
    "2. two",
    "10) ten",
    "---",
    "===",
    "<div>",
    "</div> x",
    "\ttab",
    "## x ##",
    "+ plus",
    "      # deep",
    "- # heading in item",
    "- ```",
    "| a | b |",
    "*emphasis*",
];

/// The starts of the lines of all ATX headings that stand in no list item and no quote.
fn reference_headings(text: &str) -> Vec<usize> {
    use pulldown_cmark::{Event, Parser, Tag, TagEnd};
    let mut depth = 0_usize;
    let mut out = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Item | Tag::BlockQuote(_)) => depth += 1,
            Event::End(TagEnd::Item | TagEnd::BlockQuote(_)) => depth -= 1,
            Event::Start(Tag::Heading { .. }) if depth == 0 && is_atx(&text[range.clone()]) => {
                out.push(text[..range.start].rfind('\n').map_or(0, |at| at + 1));
            }
            _ => {}
        }
    }
    out
}

/// Whether a heading is marked by `#`, not by a line under it.
fn is_atx(heading: &str) -> bool {
    let text = heading.trim_start().trim_start_matches('#');
    heading.trim_start().starts_with('#') && (text.is_empty() || text.starts_with([' ', '\t', '\n']))
}

#[test]
fn a_file_of_nothing_is_no_block() {
    assert!(entries::parse("").blocks().next().is_none());
    assert!(matches!(entries::parse("x").blocks().collect::<Vec<_>>().as_slice(), [Block::Prose(_)]));
}
