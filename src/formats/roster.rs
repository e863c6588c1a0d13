//! The names in `team.md`: the agents of its tables and the human it belongs to.

use std::collections::BTreeSet;

use crate::text::{Span, lines};

/// The names that a `team.md` gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    /// Agents: the first column of every table whose header starts with `Name`, the coordinator's too.
    pub agents: Vec<String>,
    /// Humans: the values of Owner and User.
    pub humans: Vec<String>,
}

/// Reads the names of a `team.md`. What is not understood is passed over.
pub fn parse(text: &str) -> Roster {
    let mut roster = Roster::default();
    let mut in_names = false;
    for line in lines(text, Span::new(0, text.len())) {
        let line = line.of(text).trim();
        if let Some(row) = line.strip_prefix('|') {
            let cell = plain(row.split('|').next().unwrap_or_default());
            if cell.eq_ignore_ascii_case("name") {
                in_names = true;
            } else if cell.eq_ignore_ascii_case("field") {
                in_names = false;
            } else if in_names && !cell.is_empty() && !cell.bytes().all(|byte| matches!(byte, b'-' | b':')) {
                roster.agents.push(cell.to_owned());
            }
            continue;
        }
        // A comment or a blank line does not end a table's meaning: rows may follow without a header.
        if line.starts_with('#') {
            in_names = false;
        }
        let field = line.trim_start_matches(['-', '*', ' ']);
        for label in ["Owner:**", "User:**", "Human:**"] {
            if let Some(value) = field.strip_prefix(label) {
                let name = value.split(['(', '<', '—']).next().unwrap_or_default();
                roster.humans.push(plain(name).to_owned());
            }
        }
    }
    roster
}

/// A cell without link, emphasis and the at sign: `[Keaton](https://…)`, `**Keaton**`, `@copilot`.
fn plain(cell: &str) -> &str {
    let cell = cell.trim();
    let cell = match cell.strip_prefix('[').and_then(|rest| rest.split_once("](")) {
        Some((name, _)) => name,
        None => cell,
    };
    cell.trim_matches(['*', '_', '`', '@', ' '])
}

/// The names that an author value may mean, best first: `Keaton (Lead)`, `Brady (via Copilot)`, `@user`, `A, B`.
/// Each is compared case-folded with the roster.
pub fn author_names(value: &str) -> Vec<String> {
    let value = plain(value);
    let head = value.split([',', ';', '&', '+', '/']).next().unwrap_or_default();
    let outside = head.split('(').next().unwrap_or_default();
    let outside = outside.split(" via ").next().unwrap_or_default().trim();
    let inside = value.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(inner, _)| inner.trim());
    let first_word = outside.split_whitespace().next();
    let mut names = Vec::new();
    for name in [Some(outside), first_word, inside].into_iter().flatten() {
        let name = plain(name).to_lowercase();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether the author `value` names one of `agents` (case-folded).
pub fn is_agent(value: &str, agents: &BTreeSet<String>) -> bool {
    is_exactly(value, agents) || author_names(value).iter().any(|name| agents.contains(name))
}

/// Whether the author `value` names one of `humans` anywhere, whole or by the first name: `Keaton, asked by Mike`.
pub fn is_human(value: &str, humans: &BTreeSet<String>) -> bool {
    if is_exactly(value, humans) {
        return !value.is_empty();
    }
    let value = words(value);
    humans.iter().any(|human| {
        let names = words(human);
        names.first().is_some_and(|first| value.contains(first))
    })
}

/// The usual case, without building names.
fn is_exactly(value: &str, known: &BTreeSet<String>) -> bool {
    known.iter().any(|name| name.eq_ignore_ascii_case(value))
}

/// Whether the author `value` is the specification's special value for the system itself.
pub fn is_coordinator(value: &str) -> bool {
    value.eq_ignore_ascii_case("coordinator") || author_names(value).iter().any(|name| name == "coordinator")
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables_and_owner() {
        let text = "# Team\n## Coordinator\n| Name | Role |\n|---|---|\n| Squad | Coordinator |\n\n## Members\n\
                    | Name | Role |\n|------|:---:|\n| [Keaton](https://e.x/K) | Lead |\n| Verbal | Prompts |\n\
                    <!-- note -->\n| @copilot | Coding Agent |\n\n## Board\n| Field | Value |\n|---|---|\n| x | y |\n\
                    - **Owner:** Josh Handel (josh@example.com)\n";
        let roster = parse(text);
        assert_eq!(roster.agents, ["Squad", "Keaton", "Verbal", "copilot"]);
        assert_eq!(roster.humans, ["Josh Handel"]);
    }

    #[test]
    fn authors_as_people_write_them() {
        assert_eq!(author_names("Brady (via Copilot)"), ["brady", "via copilot"]);
        assert_eq!(author_names("@tlmii"), ["tlmii"]);
        assert_eq!(author_names("Mike Linnen"), ["mike linnen", "mike"]);
        assert_eq!(author_names("Rabin + Fenster"), ["rabin"]);
    }

    #[test]
    fn agents_and_humans_are_told_apart() {
        let set = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
        let (agents, humans) = (set(&["keaton", "copilot"]), set(&["mike linnen", ""]));
        assert!(is_agent("Keaton (Lead)", &agents) && is_agent("@Copilot", &agents));
        assert!(!is_agent("Mike (via Copilot)", &agents) && !is_agent("Keatonson", &agents));
        assert!(is_human("Mike", &humans) && is_human("Keaton, asked by Mike Linnen", &humans));
        assert!(!is_human("Mikey", &humans) && !is_human("", &humans));
        assert!(is_coordinator("coordinator") && is_coordinator("Coordinator (system)") && !is_coordinator("Keaton"));
    }
}
