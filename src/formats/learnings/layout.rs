//! Compares the sections of a learnings file with the expected ones: the four sections of the protocol, or its two tiers.

use super::{Learnings, Section, SectionKind};
use crate::text::Span;
use crate::text::suggest::{Tolerance, nearest};

/// What differs from the expected layout. Sections are meant by their places in [`Learnings::sections`], in file order.
///
/// Only outermost sections count: what a team puts below them is its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Expected, and not there.
    pub missing: Vec<SectionKind>,
    /// Named or ranked otherwise than expected, and which they are.
    pub misspelt: Vec<(usize, SectionKind)>,
    /// Those that were there before, and the first of their kind.
    pub repeated: Vec<(usize, usize)>,
    /// The first that belongs before one above it, and that one.
    pub out_of_order: Option<(usize, usize)>,
    /// Those of the team's own.
    pub own: Vec<usize>,
}

/// The four sections of a file without tiers.
const FOUR: [SectionKind; 4] =
    [SectionKind::CodebasePatterns, SectionKind::Gotchas, SectionKind::Preferences, SectionKind::CrossAgentNotes];

/// The tiers of a file that has one of them.
const TIERS: [SectionKind; 2] = [SectionKind::Core, SectionKind::TaskRelevant];

/// A known name of fewer letters is near to many words: `Cores` and `Code` are none of `Core`.
const LONG: usize = 7;

impl Layout {
    /// The layout of a file.
    pub fn of(text: &str, learnings: &Learnings) -> Self {
        let mut out = Self::default();
        let outermost: Vec<(usize, &Section)> = outermost(learnings).collect();
        let has_tiers = outermost.iter().any(|(_, section)| section.tier.is_some());
        let expected: &[SectionKind] = if has_tiers { &TIERS } else { &FOUR };
        let mut found: Vec<(usize, SectionKind)> = Vec::new();
        for &(place, section) in &outermost {
            let is_there = |kind: SectionKind| outermost.iter().any(|(_, other)| other.kind == Some(kind));
            let first = |kind: SectionKind| found.iter().find(|(_, other)| *other == kind).map(|(first, _)| *first);
            let Some(kind) = section.kind else {
                let meant = near(section.name.of(text), expected, Tolerance::Sure);
                match meant.filter(|kind| !is_there(*kind) && first(*kind).is_none()) {
                    Some(kind) => {
                        out.misspelt.push((place, kind));
                        found.push((place, kind));
                    }
                    None => out.own.push(place),
                }
                continue;
            };
            if let Some(first) = first(kind) {
                out.repeated.push((place, first));
                continue;
            }
            if !is_exact(text, section, kind) {
                out.misspelt.push((place, kind));
            }
            found.push((place, kind));
        }
        out.missing = expected.iter().copied().filter(|kind| !found.iter().any(|(_, other)| other == kind)).collect();
        out.out_of_order = out_of_order(&found);
        out
    }

    /// The name of a section of the team's own that may be meant for one that is missing, and for which.
    pub fn meant<'a>(&self, text: &'a str, learnings: &Learnings) -> Option<(&'a str, SectionKind)> {
        self.own.iter().find_map(|place| {
            let name = learnings.sections.get(*place)?.name.of(text);
            Some((name, near(name, &self.missing, Tolerance::Help)?))
        })
    }
}

/// The file of a member who has learned nothing yet, with `end` at the end of each line.
pub fn blank(name: &str, end: &str) -> String {
    let section = |kind: SectionKind| format!("{end}## {}{end}- (none yet){end}", kind.name());
    let sections: Vec<String> = FOUR.into_iter().map(section).collect();
    format!("# Learnings: {name}{end}{}", sections.concat())
}

/// The sections that are in no other, with their places.
fn outermost(learnings: &Learnings) -> impl Iterator<Item = (usize, &Section)> {
    let mut end = 0;
    learnings.sections.iter().enumerate().filter(move |(_, section)| {
        let is_outermost = section.span.start() >= end;
        if is_outermost {
            // What is below a heading of the title's level was hardly meant to be a part of it.
            end = if section.level == 1 { section.body.end() } else { section.span.end() };
        }
        is_outermost
    })
}

/// Whether a heading says what the section is called, at level 2. A tier may say more after its name.
fn is_exact(text: &str, section: &Section, kind: SectionKind) -> bool {
    let name = section.name.of(text);
    let rest = name.strip_prefix(kind.name());
    let says_more = |rest: &str| kind.tier().is_some() && rest.starts_with([' ', ':']);
    section.level == 2 && rest.is_some_and(|rest| rest.is_empty() || says_more(rest))
}

/// The heading of a section that is called `name` and is of that kind, and whether it says all that `name` says: a tier may say
/// more after its own name, and from others no words are to be taken, as in `Gotchas (new)`.
pub fn heading(name: &str, kind: SectionKind) -> (String, bool) {
    let wanted = format!("## {}", kind.name());
    let head = SectionKind::head(name);
    let rest = name.find(head).and_then(|at| name.get(at + head.len()..)).unwrap_or_default();
    if !rest.contains(char::is_alphanumeric) {
        return (wanted, true);
    }
    match kind.tier().is_some() && rest.starts_with([' ', ':']) {
        true => (wanted + rest, true),
        false => (wanted, false),
    }
}

/// The one of `kinds` that `name` may be meant for.
fn near(name: &str, kinds: &[SectionKind], tolerance: Tolerance) -> Option<SectionKind> {
    let names = kinds.iter().map(|kind| kind.name()).filter(|known| known.len() >= LONG);
    let near = nearest(SectionKind::head(name), names, tolerance)?;
    kinds.iter().copied().find(|kind| kind.name() == near)
}

fn out_of_order(found: &[(usize, SectionKind)]) -> Option<(usize, usize)> {
    let rank = |kind: SectionKind| SectionKind::ALL.iter().position(|other| *other == kind);
    let mut highest: Option<(usize, SectionKind)> = None;
    for &(place, kind) in found {
        if let Some((above, other)) = highest
            && rank(kind) < rank(other)
        {
            return Some((place, above));
        }
        highest = Some((place, kind));
    }
    None
}

/// The known sections in their order, and the span that they take the place of. Sections of the team's own keep their
/// places. `None` if that would not give the same sections and entries.
pub fn in_order(text: &str, learnings: &Learnings) -> Option<(Span, String)> {
    let known: Vec<&Section> =
        outermost(learnings).map(|(_, section)| section).filter(|one| one.kind.is_some()).collect();
    let mut sorted = known.clone();
    sorted.sort_by_key(|section| SectionKind::ALL.iter().position(|kind| Some(*kind) == section.kind));
    let whole = known.first()?.span.to(known.last()?.span);
    let (mut content, mut at) = (String::with_capacity(whole.len()), whole.start());
    for (place, section) in known.iter().zip(sorted) {
        let (there, comes) = (without_blanks(text, place.span), without_blanks(text, section.span));
        // A comment at the end may be meant for what follows.
        if comes.of(text).ends_with("-->") {
            return None;
        }
        content.push_str(Span::new(at, there.start()).of(text));
        content.push_str(comes.of(text));
        at = there.end();
    }
    content.push_str(Span::new(at, whole.end()).of(text));
    let new = [Span::new(0, whole.start()).of(text), &content, Span::new(whole.end(), text.len()).of(text)].concat();
    (summary(text, learnings) == summary(&new, &Learnings::parse(&new))).then_some((whole, content))
}

fn without_blanks(text: &str, span: Span) -> Span {
    Span::new(span.start(), span.start() + span.of(text).trim_end().len())
}

/// What is in a file, whatever its order.
fn summary<'a>(text: &'a str, learnings: &Learnings) -> Vec<(&'a str, &'a str)> {
    let name = |place: usize| learnings.sections.get(place).map_or("", |section| section.name.of(text));
    let sections = (0..learnings.sections.len()).map(|place| (name(place), ""));
    let entries = learnings.entries.iter();
    let entries = entries.map(|entry| (entry.section.map_or("", name), entry.span.of(text).trim_end()));
    let mut all: Vec<_> = sections.chain(entries).collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Layout {
        Layout::of(text, &Learnings::parse(text))
    }

    const WHOLE: &str = "# Learnings: x\n\n## Codebase Patterns\n- a\n\n## Gotchas\n- b\n\n## Preferences\n- c\n\n## Cross-Agent Notes\n- d\n";

    #[test]
    fn what_is_as_expected() {
        assert_eq!(layout(WHOLE), Layout::default());
        let own = layout(&WHOLE.replace("## Preferences", "## Testing\n- t\n\n### Gotchas\n- g\n\n## Preferences"));
        assert_eq!(own, Layout { own: vec![2], ..Layout::default() });
        let tiers = "## Core — High-Reuse\n### Gotchas\n- a\n## Task-Relevant\n- b\n## Cross-Agent Notes\n";
        assert_eq!(layout(tiers), Layout::default());
    }

    #[test]
    fn a_blank_file_is_as_expected() {
        let text = blank("x", "\r\n");
        assert_eq!(layout(&text), Layout::default());
        assert_eq!(Learnings::parse(&text).real_entries().count(), 0);
    }

    #[test]
    fn what_differs() {
        use SectionKind::{CodebasePatterns, CrossAgentNotes, Gotchas, Preferences, TaskRelevant};
        assert_eq!(layout("# x\n").missing, [CodebasePatterns, Gotchas, Preferences, CrossAgentNotes]);
        assert_eq!(layout("## Core\n").missing, [TaskRelevant]);
        let spelt = layout("## Codbase patterns\n## Gotcha\n# Preferences\n## Cross agent notes\n");
        let all = [(0, CodebasePatterns), (1, Gotchas), (2, Preferences), (3, CrossAgentNotes)];
        assert_eq!((spelt.misspelt.as_slice(), spelt.missing.len()), (all.as_slice(), 0));
        let twice = layout(&(WHOLE.to_owned() + "## Gotchas\n- e\n## Gotchas (new)\n"));
        assert_eq!(twice.repeated, [(4, 1), (5, 1)]);
    }

    #[test]
    fn a_word_of_its_own_is_no_slip() {
        let text = WHOLE.replace("## Preferences", "## References");
        let found = layout(&text);
        assert_eq!((found.misspelt.as_slice(), found.own.as_slice()), ([].as_slice(), [2].as_slice()));
        assert_eq!(found.meant(&text, &Learnings::parse(&text)), Some(("References", SectionKind::Preferences)));
        assert_eq!(layout("## Cores\n## Task-Relevant\n").own, [0]);
    }

    #[test]
    fn a_heading_keeps_its_words() {
        for (name, kind, expected, says_all) in [
            ("gotchas:", SectionKind::Gotchas, "## Gotchas", true),
            ("**Gotcha**", SectionKind::Gotchas, "## Gotchas", true),
            ("Gotchas (new)", SectionKind::Gotchas, "## Gotchas", false),
            ("core — High-Reuse", SectionKind::Core, "## Core — High-Reuse", true),
            ("Task relevant: now", SectionKind::TaskRelevant, "## Task-Relevant: now", true),
            ("*Core* (all)", SectionKind::Core, "## Core", false),
        ] {
            assert_eq!(heading(name, kind), (expected.to_owned(), says_all), "{name}");
        }
    }

    #[test]
    fn order_is_restored() {
        let text = "# x\n\n## Gotchas\n- b\n\n## Own\n- o\n\n## Codebase Patterns\n- a\n### Deep\n- d";
        let learnings = Learnings::parse(text);
        assert_eq!(layout(text).out_of_order, Some((2, 0)));
        let (span, content) = in_order(text, &learnings).unwrap();
        let new = [&text[..span.start()], &content, &text[span.end()..]].concat();
        assert_eq!(new, "# x\n\n## Codebase Patterns\n- a\n### Deep\n- d\n\n## Own\n- o\n\n## Gotchas\n- b");
        for comment in
            ["## Gotchas\n- b\n<!-- x -->\n## Codebase Patterns\n", "## Gotchas\n- b\n## Codebase Patterns\n```\n"]
        {
            let learnings = Learnings::parse(comment);
            assert_eq!(in_order(comment, &learnings), None, "{comment}");
        }
    }
}
