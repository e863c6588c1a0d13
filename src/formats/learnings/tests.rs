use super::*;

const FILE: &str = "\
# Learnings: architect

## Core — High-Reuse Fundamentals

### Project Structure
- Path alias `@` maps to `/src` (added: 2026-02-28, dispatch: a6r.6)
* Two lines
  of text (updated: 2026-03-01)
  - inner (added: 2026-01-01)

  ```sh
  # no heading (added: 2020-01-01)
  - no item
  ```

| a | b |
|---|---|

```
- no item
```
1. Numbered (added: 2026-02-30)

## Cross-Agent Notes
- (from logic) ELK returns top-left (added: 2026-02-28)
- (none yet)
";

#[test]
fn a_file_with_all_of_it() {
    let found = Learnings::parse(FILE);
    assert_eq!(found.title.and_then(|title| title.name).map(|name| name.of(FILE)), Some("architect"));
    let sections: Vec<_> = found.sections.iter().map(|s| (s.name.of(FILE), s.kind, s.within, s.tier)).collect();
    let core = Some(SectionKind::Core);
    let notes = Some(SectionKind::CrossAgentNotes);
    assert_eq!(
        sections,
        [
            ("Core — High-Reuse Fundamentals", core, core, Some(Tier::Core)),
            ("Project Structure", None, core, Some(Tier::Core)),
            ("Cross-Agent Notes", notes, notes, None),
        ]
    );
    assert!(found.sections[0].span.of(FILE).ends_with("(added: 2026-02-30)\n\n"));
    assert_eq!(found.sections[0].body.of(FILE), "\n");
    let entries: Vec<_> = found.entries.iter().map(|e| (e.text.of(FILE), e.section, e.placeholder)).collect();
    assert_eq!(entries[0], ("Path alias `@` maps to `/src`", Some(1), false));
    assert!(entries[1].0.starts_with("Two lines\n") && entries[1].0.ends_with("```"));
    assert!(found.entries[1].span.of(FILE).ends_with("  ```\n"));
    assert_eq!(entries[2], ("Numbered", Some(1), false));
    assert_eq!(entries[3], ("ELK returns top-left", Some(2), false));
    assert_eq!(entries[4], ("(none yet)", Some(2), true));
    assert_eq!(found.entries[3].sender.map(|sender| sender.of(FILE)), Some("logic"));
    let day = |day: Option<Date>| day.map(|day| day.to_string());
    let days: Vec<_> = found.entries.iter().map(|entry| (day(entry.added()), day(entry.newest()))).collect();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        days,
        [
            (text("2026-02-28"), text("2026-02-28")),
            (text("2026-01-01"), text("2026-03-01")),
            (None, None),
            (text("2026-02-28"), text("2026-02-28")),
            (None, None)
        ]
    );
    assert_eq!(found.print(FILE), FILE);
}

#[test]
fn texts_without_their_marks() {
    for (item, text) in [
        ("- x *(added: 2026-02-28)*", "x"),
        ("- x (dispatch: a) (added: 2026-02-28).", "x"),
        ("- x (added: 2026-02-28) <!-- y -->", "x"),
        ("- **(from db)** x", "x"),
        ("- (from db): x (y) (added: 2026-02-28)", "x (y)"),
        ("- x (added: 2026-02-28) y", "x (added: 2026-02-28) y"),
        ("- (added: 2026-02-28) x", "(added: 2026-02-28) x"),
        ("-", ""),
        ("- (added: 2026-02-28)", ""),
    ] {
        let found = Learnings::parse(item);
        assert_eq!(found.entries[0].text.of(item), text, "{item}");
    }
}

#[test]
fn placeholders() {
    for item in ["- (none yet)", "* _None yet_", "-", "- none", "- N/A", "- <!-- add here -->", "- …"] {
        assert!(Learnings::parse(item).entries[0].placeholder, "{item}");
    }
    for item in ["- none of it works", "- `none`", "- None yet (added: 2026-02-28)"] {
        assert!(!Learnings::parse(item).entries[0].placeholder, "{item}");
    }
}

#[test]
fn titles() {
    let names = |text: &str| {
        let found = Learnings::parse(text);
        (found.title.is_some(), found.more_titles.len(), found.sections.len())
    };
    assert_eq!(names("## Gotchas\n- x\n"), (false, 0, 1));
    assert_eq!(names("# a\n# b\n## Gotchas\n"), (true, 1, 1));
    assert_eq!(names("# Gotchas\n# Preferences\n"), (false, 0, 2));
    assert_eq!(names("\u{feff}---\nname: x\n---\r\n# Learnings: x\r\n- y\r\n"), (true, 0, 0));
    let text = "# a\n## Gotchas\n- x\n# b\n- y\n### Own\n- z\n";
    let found = Learnings::parse(text);
    let sections: Vec<_> = found.entries.iter().map(|entry| entry.section).collect();
    assert_eq!(sections, [Some(0), None, Some(1)]);
    assert_eq!(found.sections[1].within, None);
}

#[test]
fn every_line_end_counts() {
    for end in ["\n", "\r\n", "\r"] {
        let text = FILE.replace('\n', end);
        let found = Learnings::parse(&text);
        assert_eq!((found.entries.len(), found.sections.len()), (5, 3), "{end:?}");
        assert_eq!(found.print(&text), text);
    }
}
