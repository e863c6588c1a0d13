use super::*;

fn entry(text: &str) -> Option<(&str, Option<&str>)> {
    let line_end = text.find('\n').unwrap_or(text.len());
    let level = u8::try_from(text.trim_start().bytes().take_while(|&b| b == b'#').count()).ok()?;
    let mut fields = Vec::new();
    let below = Span::new(line_end, text.len());
    match heading(text, Span::new(0, line_end), level, below, Above::Nothing, &mut fields) {
        HeadingKind::Entry(entry) => Some((entry.title.of(text), entry.date.map(|date| date.of(text)))),
        _ => None,
    }
}

#[test]
fn the_shapes_of_headings() {
    for (text, title, date) in [
        ("### 2026-02-10: User directive — models", "User directive — models", Some("2026-02-10")),
        ("### 2026-02-10 — Use `x`", "Use `x`", Some("2026-02-10")),
        ("### 2026-02-21T21:35Z: Tabs", "Tabs", Some("2026-02-21T21:35Z")),
        ("## 2026-02-21T01-09-49Z: Tabs", "Tabs", Some("2026-02-21T01-09-49Z")),
        ("### 🚀 2026-02-10: Ship it", "Ship it", Some("2026-02-10")),
        ("## Shell design (2026-02-10)", "Shell design (2026-02-10)", Some("2026-02-10")),
        ("# Decision: No tabs", "Decision: No tabs", None),
        ("# # Decision: No tabs", "Decision: No tabs", None),
        ("## Caching\n**Author:** Verbal\n**Date:** 2026-01-02\n", "Caching", Some("2026-01-02")),
        ("### Caching\n**What:** x\n**Why:** y\n", "Caching", None),
        (" ### 2026-02-10: Indented", "Indented", Some("2026-02-10")),
    ] {
        assert_eq!(entry(text), Some((title, date)), "{text}");
    }
}

#[test]
fn prose_headings() {
    for text in [
        "# Team Decisions",
        "## Archive (2026-02)",
        "## Project Context",
        "### Context",
        "### Decision",
        "#",
        "## How we work\n\ntext",
    ] {
        assert_eq!(entry(text), None, "{text}");
    }
}

#[test]
fn sections_of_an_entry_do_not_end_it() {
    let ends = |text: &str| {
        let entries = crate::formats::entries::parse(text);
        entries.legacy().map(|entry| entry.span.of(text).lines().count()).collect::<Vec<_>>()
    };
    assert_eq!(ends("### 2026-02-10: Tabs\n\n## Context\n\ntext\n\n## Decision\n\ntext\n"), [9]);
    assert_eq!(ends("# Tabs (2026-02-10)\n\n## Decisions\n\ntext\n"), [5]);
    assert_eq!(ends("### 2026-02-10: Tabs\n\n## Archived Decisions\n\ntext\n"), [2]);
}

#[test]
fn a_title_with_a_text_and_entries_below_it_ends_an_entry() {
    let (upper, lower) = ("### 2026-02-10: Tabs\n\n", "### 2026-02-11: Spaces\n");
    let ends = |title: &str| {
        let text = format!("{upper}{title}{lower}");
        let entries = crate::formats::entries::parse(&text);
        let first = entries.legacy().next().map(|entry| entry.span.of(&text).lines().count());
        let last = entries.legacy().last().map(|entry| entries.sections_of(entry.span.start()).count());
        (first, last)
    };
    for title in [
        "## Rejected ideas\n\n",
        "## Rejected ideas\n\nNot these.\n\n",
        "## Rejected ideas\n\nNot these:\n\n- one\n\n---\n\n",
        "## Rejected ideas (2026-02-11)\n\nNot these.\n\n",
        "## Frontend\n\nWhat we build there.\n\n",
    ] {
        assert_eq!(ends(title), (Some(2), Some(1)), "{title}");
    }
    for title in [
        "## Context\n\nWhat we build there.\n\n",
        "#### Rejected ideas\n\nNot these.\n\n",
        // A rule ends a document with its last part.
        "## Sprint goal\n\nWhat we build next.\n\n---\n\n",
    ] {
        assert_eq!(ends(title), (Some(2 + title.lines().count()), Some(0)), "{title}");
    }
}
