//! Rows of `team.md` that mean one folder under several names.

use std::borrow::Cow;
use std::collections::HashMap;

use bstr::{BString, ByteSlice};

use crate::diagnostic::{Finding, Severity};
use crate::dialects::roster;
use crate::facts::Run;
use crate::facts::roster::Roster;
use crate::formats::charter::section::SectionName;
use crate::formats::charter::validate::mismatch;
use crate::formats::charter::{Charter, title_parts};
use crate::formats::manifest::Text;
use crate::formats::roster::{Casting, Standing, Status, Team, bare, is_of_signs, spelled_out};
use crate::fs::path::join;
use crate::rule::Document;

/// Reports the rows of a `team.md` with the charter of another row, and those whose agent has another name in the registry.
pub fn compare(document: &Document, roster: &Roster, report: &mut dyn FnMut(Finding)) {
    let Some(team) = document.body::<Team>() else { return };
    let entries = roster.registry.iter().flat_map(|registry| &registry.agents);
    let entries = entries.filter(|entry| entry.status == Status::Active && !entry.is_ambiguous);
    let names: HashMap<String, &Text> =
        entries.filter_map(|entry| Some((bare(&entry.key.as_ref()?.value), entry.name.as_ref()?))).collect();
    let registry: BString = join(document.root(), "casting/registry.json");
    let mut first: HashMap<String, &Text> = HashMap::new();
    for row in team.rows.iter().filter(|row| row.standing == Standing::Agent) {
        let Some(charter) = &row.charter else { continue };
        if roster.find(&row.name.value).is_none() {
            continue;
        }
        let (name, folder) = (&row.name, bare(&charter.value));
        let other = first.entry(folder.clone()).or_insert(name);
        let finding = if differ(&other.value, &name.value) {
            let message = format!("`{}` has the charter of `{}`: `agents/{}/`", name.value, other.value, charter.value);
            let finding = Finding::at(charter.span, message).label("second row with this charter");
            finding
                .related(other.span, "first one")
                .help("write the path of its own charter, or remove one of the two rows")
        } else if let Some(known) = names.get(&folder).filter(|known| {
            let are_of_signs = is_of_signs(&known.value) && is_of_signs(&name.value);
            // A key can be the name, and the other one the role.
            differ(&known.value, &name.value)
                && (are_of_signs || differ(&folder, &name.value) && differ(&known.value, &row.role))
        }) {
            let (own, other, folder) = (&name.value, &known.value, &charter.value);
            let message = format!("agent of `agents/{folder}/` is `{own}` in `team.md` and `{other}` in the registry");
            let finding = Finding::at(name.span, message).label("another name in the registry");
            let finding = finding.related_in(registry.clone(), known.span, "the other name");
            finding.help("write one name in both places, or correct the path of the charter")
        } else {
            continue;
        };
        report(finding.at_most(Severity::Warning));
    }
}

/// Reports the entries of a registry whose charters have other names in their titles.
pub fn compare_titles(document: &Document, run: &Run<'_>, report: &mut dyn FnMut(Finding)) {
    let Some(registry) = document.body::<Casting>().filter(|_| document.kind() == &roster::REGISTRY) else { return };
    let mut names: HashMap<String, usize> = HashMap::new();
    for name in registry.agents.iter().filter_map(|entry| entry.name.as_ref()) {
        *names.entry(bare(&name.value)).or_default() += 1;
    }
    for entry in registry.agents.iter().filter(|entry| entry.status == Status::Active && !entry.is_ambiguous) {
        let Some((key, known)) = entry.key.as_ref().zip(entry.name.as_ref()) else { continue };
        // Two agents of one name are reported as such.
        if names.get(&bare(&known.value)).is_some_and(|count| *count > 1) {
            continue;
        }
        let path = join(document.root(), &format!("agents/{}/charter.md", key.value));
        let Some(source) = run.read(path.as_bstr()) else { continue };
        let known_charter = run.document_at(path.as_bstr()).and_then(|document| document.body::<Charter>());
        let charter = known_charter.map_or_else(|| Cow::Owned(Charter::parse(source.text())), Cow::Borrowed);
        // The charter of another agent is reported as such.
        let Some(title) = charter.title().filter(|_| mismatch(source.text(), &charter, path.as_bstr()).is_none())
        else {
            continue;
        };
        let name = title.name.of(source.text());
        // `Jörg — Dev` is the charter of `Joerg`.
        let first = name.split(['—', '–', '-', ':', '(']).next().unwrap_or_default();
        if name.contains('{') || !differ(name, &known.value) || !differ(first, &known.value) {
            continue;
        }
        let message =
            format!("`persistent_name` of `{}` is `{}`, but its charter is called `{name}`", key.value, known.value);
        let finding = Finding::at(known.span, message).label("another name in the charter");
        let finding = finding.related_in(path, title.line, "the title");
        // `squad health` reads the name of a charter in one of these two places.
        let is_read = charter.section(SectionName::Identity).is_some() || title_parts(name).is_some();
        let finding = if is_read { finding.note("`squad health` fails for this") } else { finding };
        let finding = finding.help("write one name in both places");
        report(finding.at_most(Severity::Warning));
    }
}

/// Whether the two certainly are different names: they have no word in common. Names in other scripts are never certain, and neither
/// are a name in letters and one of signs.
fn differ(one: &str, other: &str) -> bool {
    let (a, b) = (bare(one), bare(other));
    if is_of_signs(one) && is_of_signs(other) {
        return a != b;
    }
    let is_known = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let words = |name: &str| -> Vec<String> {
        name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(bare).collect()
    };
    let others = words(other);
    is_known(&a)
        && is_known(&b)
        && !a.contains(&b)
        && !b.contains(&a)
        && spelled_out(one) != spelled_out(other)
        && !words(one).iter().any(|word| others.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_a_common_word_differ() {
        for (one, other) in [("Ada", "Bob"), ("Mary Ann", "bob-smith"), ("🎬 Ada", "Alice"), ("🦊", "🐻 ")] {
            assert!(differ(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("Ada", "ada"),
            ("Ada Lovelace", "Ada"),
            ("Mary Ann", "maryann"),
            ("Jörg", "joerg"),
            ("さくら", "sakura"),
            ("Ann (Lead)", "lead"),
            ("", "Ada"),
            ("🎬", "Ada"),
            ("❤️", "❤"),
        ] {
            assert!(!differ(one, other), "{one} {other}");
        }
    }
}
