//! No byte of a body is lost: line by line the old body is found again in the new entry, in its order.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bstr::ByteSlice;
use proptest::prelude::*;
use squad_lint::convert::file::{self, Item, TimestampAllocator};
use squad_lint::convert::{Confidence, EntryFile};
use squad_lint::dialects::{FileKind, kind_in_root, squad};
use squad_lint::formats::entries;
use squad_lint::formats::sem::FieldName;
use squad_lint::formats::timestamp::Timestamp;
use squad_lint::text::Source;

use crate::support::{files_below, needs};

fn convert(source: &Source, kind: &'static FileKind, inner: &str) -> Vec<Item> {
    let parsed = entries::parse(source.text());
    let free = |_, _| false;
    let agents = BTreeSet::new();
    let place = EntryFile {
        file_kind: kind,
        inner: inner.into(),
        agents: &agents,
        humans: &agents,
        lifetime: None,
        created: None,
        usual: None,
    };
    file::convert(source, &parsed, place, Confidence::Low, |_| None, &mut TimestampAllocator::new(&free))
}

/// What follows the label of a line such as `- **By:** Keaton`; `None` where there is no label.
fn value(line: &str) -> Option<&str> {
    let rest = line
        .trim_start_matches(|c: char| c == '-' || c == '*' || c == '+' || c == '.' || c == ' ' || c.is_ascii_digit());
    let (_, value) = rest.split_once(':')?;
    Some(value.strip_prefix("**").unwrap_or(value).trim())
}

/// What the new entry lacks of the old one; empty when it lacks nothing. Where two labels say the same, either can have moved.
fn lost(old: &str, item: &Item) -> Vec<String> {
    let either = [false, true].map(|moves| lost_where(old, item, moves));
    either.into_iter().min_by_key(Vec::len).unwrap_or_default()
}

/// The same, where a label that says why, and is in the details as well, `moves` to the rationale.
fn lost_where(old: &str, item: &Item, moves: bool) -> Vec<String> {
    let new = &item.converted.as_ref().unwrap().text;
    let parsed = entries::parse(new);
    let entry = parsed.sem(new).next().unwrap();
    let part = |name| entry.value(name).unwrap_or_default();
    let kept = |text: &'static str| move |line: &&str| !line.trim().is_empty() && line.trim() != text;
    let stamp = entry.timestamp().unwrap();
    let mut missing = Vec::new();

    let mut body: Vec<&str> = old.lines().flat_map(|line| line.split('\r')).skip(1).filter(kept("")).collect();
    let rationale = part(FieldName::Rationale);
    let is_rule = |line: &&str| matches!(line.trim(), "---" | "***");
    let rules = part(FieldName::Details).lines().chain(rationale.lines()).filter(is_rule).count();
    // The new entry has an end of its own.
    while body.last().is_some_and(|line| line.trim() == "---")
        && body.iter().filter(|line| is_rule(line)).count() > rules
    {
        body.pop();
    }
    let mut rationale = rationale.lines().filter(kept("")).peekable();
    let details = part(FieldName::Details);
    let mut details = details.lines().flat_map(|line| line.split('\r')).filter(kept("")).peekable();
    let heading = old.lines().next().unwrap();
    // A heading that does not fit stands first.
    if details.peek().is_some_and(|first| {
        !first.trim_start().starts_with('#')
            && heading.contains(first.trim())
            && !body.first().is_some_and(|line| line.contains(first.trim()))
    }) {
        details.next();
    }
    let same = |new: &str, old: &str| {
        let old = old.trim_end();
        let new = new.trim_end();
        // A heading may be lowered.
        let unlowered = |line: &str| line.trim_start().trim_start_matches('#').to_owned();
        let lowered = old.trim_start().starts_with('#') && unlowered(new) == unlowered(old);
        new.trim_start() == old.trim_start()
            || lowered
            || new.trim() == "***" && old.trim() == "---"
            || Some(new.trim()) == value(old)
    };
    let mut begun = false;
    for line in body {
        // The rationale is one run of lines, from the first label on that says why; a label in a fence stays in the details.
        let stays = !moves && details.peek().is_some_and(|new| *new == line);
        let from_here = begun || line.contains("**Why:**") && !stays;
        if from_here && rationale.peek().is_some_and(|new| same(new, line)) {
            begun = rationale.next().is_some();
        } else if details.peek().is_some_and(|new| same(new, line)) {
            details.next();
        } else if rationale.peek().is_some_and(|new| same(new, line)) {
            begun = rationale.next().is_some();
        } else {
            let value = value(line).unwrap_or(line);
            let in_stamp = Timestamp::read(value) == Some(stamp)
                || stamp.to_string().starts_with(&value.replace(" UTC", "").replace(' ', "T"));
            let label = line.contains(':') && value.is_empty();
            let day = squad_lint::formats::legacy::day::find(value).and_then(|day| day.date);
            let day = day.is_some_and(|(year, month, day)| {
                stamp.to_string().starts_with(&format!("{year:04}-{month:02}-{day:02}"))
            });
            if !(in_stamp || day || label || entry.author() == Some(value)) {
                missing.push(line.to_owned());
            }
        }
    }
    missing.extend(details.chain(rationale).map(|line| format!("more than before: {line}")));
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect::<Vec<_>>();
    let (there, date) = (words(new).concat(), words(&stamp.to_string()).concat());
    for word in words(heading) {
        let known = there.contains(&word)
            || date.contains(&word)
            || ["user", "directive", "directives", "decision", "utc"].contains(&word.as_str());
        let time = word.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
        if !known && !time {
            missing.push(format!("word of the heading: {word}"));
        }
    }
    missing
}

fn check(source: &Source, kind: &'static FileKind, inner: &str) -> usize {
    let items = convert(source, kind, inner);
    let mut count = 0;
    for item in items.iter().filter(|item| item.converted.is_some()) {
        let missing = lost(source.slice(item.span), item);
        let new = &item.converted.as_ref().unwrap().text;
        assert!(missing.is_empty(), "{}: {missing:#?}\n{}\n=>\n{new}", source.path(), source.slice(item.span));
        count += 1;
    }
    // All that is no converted entry stands as it stood.
    let Some(new) = file::apply(source, &items) else { return count };
    let mut rest = new.as_slice();
    let mut at = 0;
    for item in items.iter().filter(|item| item.converted.is_some()) {
        let between = &source.bytes()[at..item.span.start()];
        rest = rest
            .strip_prefix(between)
            .and_then(|rest| rest.strip_prefix(item.converted.as_ref().unwrap().text.as_bytes()))
            .unwrap();
        at = item.span.end();
    }
    assert_eq!(rest.as_bstr(), source.bytes()[at..].as_bstr());
    // And the second run has nothing to do.
    let again = Source::new(source.path(), new);
    assert!(convert(&again, kind, inner).iter().all(|item| item.converted.is_none()), "{}", source.path());
    count
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn nothing_of_real_files_is_lost() {
    let corpus = needs("SQUAD_LINT_CORPUS");
    let mut count = 0;
    for path in files_below(&corpus).into_iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let Some((kind, inner)) = locate(&path) else { continue };
        let source = Source::new(path.to_str().unwrap(), fs::read(corpus.join(&path)).unwrap());
        count += check(&source, kind, &inner);
    }
    assert!(count > 2_500, "only {count} entries were converted");
}

/// The kind of a file in a state root, and its path in there.
fn locate(path: &Path) -> Option<(&'static FileKind, String)> {
    let path = path.to_str()?;
    let inner = [".squad/", ".ai-team/"].iter().find_map(|root| path.get(path.find(root)? + root.len()..))?;
    let kind = kind_in_root(inner.into(), "".into()).filter(|kind| kind.holds_legacy())?;
    Some((kind, inner.to_owned()))
}

/// Lines of which legacy entries are made, whole and damaged.
const LINES: &[&str] = &[
    "### 2026-02-10: User directive — models",
    "## 2026-02-10T14:47: Tabs",
    "# Decision: x y",
    "### Caching (2026-02-11)",
    "**By:** Keaton",
    "**Author:** Verbal | **Date:** 2026-01-01",
    "- **By:** Fenster",
    "**Date:** 2026-02-12",
    "**What:** Use it. Always.",
    "**Why:** It is there.",
    "**Why:**",
    "**Status:** Accepted",
    "**author:** Hockney",
    "**details:**",
    "**related:**",
    "  **summary:** x",
    "## Context",
    "#### Decision",
    "text of some length",
    "  indented text",
    "- item",
    "---",
    " ---",
    "***",
    "```",
    "~~~md",
    "<!-- x -->",
    "<!--",
    "<div>",
    "<!-- squad-lint: ignore legacy/entry -->",
    "| **By** | Keaton |",
    "> quote",
    "### 2026-02-15T14:32:15-0800: note: x",
    "",
    "",
    "",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_of_any_text_is_lost(lines in prop::collection::vec(prop::sample::select(LINES), 0..40), end in prop::sample::select(&["\n", "\r\n"])) {
        let text: String = lines.iter().map(|line| format!("{line}{end}")).collect();
        let source = Source::new(".squad/decisions.md", text.into_bytes());
        check(&source, &squad::DECISIONS, "decisions.md");
    }
}
