//! The front matter of a `SKILL.md`: what readers list a skill by.

use super::yaml::{Node, Value, Yaml};
use crate::formats::markdown::front_matter;
use crate::text::{Span, bom_len, lines};

/// Why readers drop a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes in question.
    pub span: Span,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// What is wrong with front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// There is none: `# Retries` on the first line.
    None,
    /// It is below a title, from the first of these lines to the second.
    Below(usize, usize),
    /// The second `---` is missing.
    Unclosed,
    /// A value without quotes has a colon and a blank: `description: Use when: a call fails`.
    Colon,
    /// It is not YAML for another reason, which the parser gives.
    Invalid(String),
    /// A field is missing or empty: `name` or `description`.
    Missing(&'static str),
    /// A field is missing, and another one has a longer name: `name`, and `skill_name`.
    Misnamed(&'static str, String),
    /// The two fields `name` and `description` are missing or empty.
    MissingBoth,
    /// A field has another value than a text: `description: true`.
    NoText(&'static str),
    /// A key is there twice: `name`.
    Twice(String),
    /// No text follows the front matter.
    EmptyBody,
}

impl ProblemKind {
    /// Whether the two are one defect. What a parser says of invalid YAML depends on where it stops.
    fn is_like(&self, other: &Self) -> bool {
        self == other || matches!((self, other), (Self::Invalid(_), Self::Invalid(_)))
    }
}

/// The folder and the title of each skill that Squad installs without front matter.
const INSTALLED: [(&str, &str); 4] = [
    ("cli-wiring", "# Skill: CLI Command Wiring"),
    ("model-selection", "# Model Selection"),
    ("nap", "# Skill: nap"),
    ("personal-squad", "# Personal Squad \u{2014} Skill Document"),
];

/// Whether `text` is a skill that Squad itself installs in the folder of this name, in the form without front matter.
pub fn is_installed(folder: &str, text: &str) -> bool {
    let text = text.get(bom_len(text)..).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default().trim_end();
    INSTALLED.iter().any(|(name, title)| *name == folder && first == *title)
}

/// The first thing that is wrong with the front matter of `text`, a `SKILL.md`, and was not wrong `before` a change.
pub fn problem(text: &str, before: Option<&str>) -> Option<Problem> {
    let found = problems(text);
    let known = before.filter(|_| !found.is_empty()).map(problems).unwrap_or_default();
    let mut new = found.into_iter().filter(|problem| !known.iter().any(|known| known.kind.is_like(&problem.kind)));
    let first = new.next()?;
    // Who adds one would be told of the other next.
    let are_both =
        first.kind == ProblemKind::Missing("name") && new.any(|next| next.kind == ProblemKind::Missing("description"));
    Some(if are_both { Problem { kind: ProblemKind::MissingBoth, ..first } } else { first })
}

/// All that is wrong, in the order in which it is to be mended.
fn problems(text: &str) -> Vec<Problem> {
    let start = bom_len(text);
    let mut all = lines(text, Span::new(start, text.len())).peekable();
    let first = all.next().unwrap_or(Span::at(start));
    let is = |line: Span, end: &str| line.of(text).trim_end() == end;
    if !is(first, "---") {
        // A comment above it may be about this.
        let is_text = |line: &Span| !line.of(text).trim().is_empty() && !line.of(text).starts_with("<!--");
        let shown = lines(text, Span::new(start, text.len())).find(is_text).unwrap_or(first);
        let kind = below(text, start);
        let span = kind.as_ref().map_or(shown, |(span, _)| *span);
        return vec![Problem { span, kind: kind.map_or(ProblemKind::None, |(_, kind)| kind) }];
    }
    let inside_start = all.peek().map_or(text.len(), |line| line.start());
    let Some(end) = all.find(|line| is(*line, "---") || is(*line, "...")) else {
        return vec![Problem { span: first, kind: ProblemKind::Unclosed }];
    };
    let inside = Span::new(inside_start, end.start());
    let yaml = Yaml::parse(inside.of(text));
    if let Some(error) = yaml.error {
        let place = |span: Span| Span::new(inside.start() + span.start(), inside.start() + span.end());
        let colon = lines(text, inside).find_map(|line| colon_in(text, line));
        return vec![match colon {
            Some(span) => Problem { span, kind: ProblemKind::Colon },
            None => Problem { span: place(error.span), kind: ProblemKind::Invalid(error.message) },
        }];
    }
    let mut problems = Vec::new();
    for (_, again) in yaml.root.as_ref().map(Node::duplicate_keys).unwrap_or_default() {
        let key = Span::new(inside.start() + again.start(), inside.start() + again.end());
        problems.push(Problem { span: key, kind: ProblemKind::Twice(key.of(text).to_owned()) });
    }
    let pairs = yaml.root.as_ref().and_then(Node::pairs).unwrap_or_default();
    let has = |field: &str| pairs.iter().any(|(key, value)| key.as_str() == Some(field) && is_text(value));
    let is_other = |value: &Node| value.value != Value::Null && value.as_str().is_none();
    for field in ["name", "description"].into_iter().filter(|field| !has(field)) {
        let is_there = pairs.iter().any(|(key, value)| key.as_str() == Some(field) && is_other(value));
        let is_longer = |key: &&str| key.split(['_', '-']).any(|word| word == field) && *key != field;
        let longer =
            pairs.iter().filter(|(_, value)| is_text(value)).filter_map(|(key, _)| key.as_str()).find(is_longer);
        let kind = match longer {
            _ if is_there => ProblemKind::NoText(field),
            Some(longer) => ProblemKind::Misnamed(field, longer.to_owned()),
            None => ProblemKind::Missing(field),
        };
        problems.push(Problem { span: first, kind });
    }
    if text.get(end.end()..).is_none_or(|body| body.trim().is_empty()) {
        problems.push(Problem { span: end.trim(text), kind: ProblemKind::EmptyBody });
    }
    problems
}

/// Whether the value is text or a number, and not empty.
fn is_text(value: &Node) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty()) || value.as_number().is_some()
}

/// The value in `line` if it has no quotes and a colon with a blank.
fn colon_in(text: &str, line: Span) -> Option<Span> {
    let (key, value) = line.of(text).split_once(": ")?;
    let is_key = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let value_start = line.start() + key.len() + 2;
    let is_plain = !value.trim_start().starts_with(['"', '\'', '|', '>', '[', '{', '#', '&']);
    (is_key && is_plain && value.contains(": ")).then(|| Span::new(value_start, line.end()).trim(text))
}

/// The front matter that is below a title in the first lines: its first line, and between which lines it is.
fn below(text: &str, start: usize) -> Option<(Span, ProblemKind)> {
    const FIRST_LINES: usize = 20;
    let is_fence = |line: &Span| ["```", "~~~"].iter().any(|fence| line.of(text).trim_start().starts_with(fence));
    // An example in code is none.
    let mut above = lines(text, Span::new(start, text.len())).take(FIRST_LINES).take_while(|line| !is_fence(line));
    let (at, first) = above.by_ref().enumerate().find(|(_, line)| line.of(text).trim_end() == "---")?;
    let found = front_matter(text.get(first.start()..)?)?.of(text.get(first.start()..)?);
    let is_matter = found.lines().any(|line| line.starts_with("name:") || line.starts_with("description:"));
    is_matter.then(|| (first, ProblemKind::Below(at + 1, at + found.lines().count())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_skill_is_dropped() {
        for (text, place, kind) in [
            ("# A\n", "# A", ProblemKind::None),
            ("# A\nText\n---\nname: a\n---\n", "---", ProblemKind::Below(3, 5)),
            ("# A\n---\nText\n---\n", "# A", ProblemKind::None),
            ("# A\n```\n---\nname: a\n---\n```\n", "# A", ProblemKind::None),
            ("", "", ProblemKind::None),
            ("<!-- x -->\n# A\n", "# A", ProblemKind::None),
            ("---\nname: a\n", "---", ProblemKind::Unclosed),
            ("---\n---\n# A\n", "---", ProblemKind::MissingBoth),
            ("---\nname: a\n---\n", "---", ProblemKind::Missing("description")),
            ("---\n\n# A\n\n---\n", "---", ProblemKind::MissingBoth),
            ("---\r\nname: a\r\ndescription: ''\r\n---\r\n", "---", ProblemKind::Missing("description")),
            ("---\nname: a\ndescription:\n---\n", "---", ProblemKind::Missing("description")),
            ("---\nname: a\ndescription: true\n---\n", "---", ProblemKind::NoText("description")),
            ("---\nname: a\ndescription: Use when: x\n---\n", "Use when: x", ProblemKind::Colon),
            ("---\nname: a\ndescription: b\n---\n", "---", ProblemKind::EmptyBody),
            ("---\nname: a\ndescription: b\nname: c\n---\nText\n", "name", ProblemKind::Twice("name".into())),
            ("---\r\nname: a\r\ndescription: b\r\n---\r\n\r\n \t", "---", ProblemKind::EmptyBody),
            ("---\nname: a\ndescription: b\n...", "...", ProblemKind::EmptyBody),
        ] {
            let found = problem(text, None).unwrap();
            assert_eq!((found.span.of(text), found.kind), (place, kind), "{text:?}");
        }
        let text = "---\nname: \"a\ndescription: b\n---\n";
        assert!(matches!(problem(text, None).unwrap().kind, ProblemKind::Invalid(_)));
    }

    #[test]
    fn what_readers_take() {
        for text in [
            "---\nname: a\ndescription: b\n---\n# A\n",
            "\u{feff}---\nname: 7\ndescription: \"Use when: x\"\nmetadata:\n  a: [b]\n---\nText\n",
            "---\n\n# A note.\nname: a\ndescription: b\n---\nText",
            "---\nname: a\ndescription: >\n  Use when: x\n---\n\nText\n",
        ] {
            assert_eq!(problem(text, None), None, "{text:?}");
        }
    }

    #[test]
    fn what_a_change_makes_of_a_skill() {
        let both = "---\nmetadata: a\n---\nText\n";
        let name = "---\nname: a\n---\nText\n";
        let good = "---\nname: a\ndescription: b\n---\nText\n";
        for (before, after, expected) in [
            ("# A\n", "# A, as before\n", None),
            ("---\nname: a\ndescription: Use: x\n---\n", "---\nname: a\ndescription: Use: y\n---\n", None),
            ("---\nname: \"a\n---\n", "---\nb: c\nname: \"a\n---\n", None),
            // What one field that is missing hid is not new, either.
            (both, name, None),
            (name, both, Some(ProblemKind::Missing("name"))),
            (name, "---\nname: a\n---\n", Some(ProblemKind::EmptyBody)),
            (good, name, Some(ProblemKind::Missing("description"))),
            ("# A\n", name, Some(ProblemKind::Missing("description"))),
            ("# A\n", both, Some(ProblemKind::MissingBoth)),
            ("# A\n", good, None),
        ] {
            let found = problem(after, Some(before)).map(|problem| problem.kind);
            assert_eq!(found, expected, "{before:?} {after:?}");
        }
    }
}
