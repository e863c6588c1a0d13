//! What two bundles do not have in common: by agent, by file, and by section.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use serde_json::Value;

use super::load::Loaded;
use crate::formats::bundle::{Section, headed};

/// One difference between two bundles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What happened on the way from the first bundle to the second one.
    pub change: Change,
    /// The agent, if it is about one.
    pub agent: Option<String>,
    /// The file that it is about: `charter.md`, `casting/policy.json`, or the field `exported_from`; `None` for a whole agent.
    pub file: Option<String>,
    /// The heading of the section, such as `## Learnings`; empty for the text before the first heading, and `None` for a whole file.
    pub section: Option<String>,
    /// How many lines only the second bundle has.
    pub added: usize,
    /// How many lines only the first bundle has.
    pub removed: usize,
}

/// How a part differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Only the second bundle has it.
    Added,
    /// Only the first bundle has it.
    Removed,
    /// Both have it, and not the same.
    Changed,
}

impl Change {
    /// The lower-case word, such as `added`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

/// The texts of a bundle by agent and file, so that two can be compared part by part.
struct Parts<'a> {
    /// Each agent with its files.
    agents: BTreeMap<&'a str, BTreeMap<&'static str, &'a str>>,
    files: BTreeMap<String, &'a str>,
    casting: BTreeMap<&'a str, Value>,
    /// The agents of the registry.
    registered: BTreeMap<String, Value>,
    exported_from: Option<Value>,
}

impl<'a> Parts<'a> {
    fn of(loaded: &'a Loaded) -> Self {
        let bundle = &loaded.bundle;
        let agents = bundle.agents.iter().map(|agent| {
            let texts = [("charter.md", &agent.charter), ("history.md", &agent.history)];
            let texts = texts.into_iter().filter_map(|(file, text)| Some((file, text.as_ref()?.value.as_str())));
            (agent.key.value.as_str(), texts.collect())
        });
        let files = bundle.files.iter().map(|file| (file.name.to_owned(), file.text.value.as_str()));
        let skills = bundle.skills.iter().map(|skill| (skill_name(&skill.value), skill.value.as_str()));
        let mut casting: BTreeMap<&str, Value> = bundle
            .casting
            .iter()
            .filter_map(|member| Some((member.key.value.as_str(), loaded.value(member)?)))
            .collect();
        let agents_of = |registry: &mut Value| registry.get_mut("agents").map(Value::take);
        let registered = match casting.get_mut("registry").and_then(agents_of) {
            Some(Value::Object(agents)) => agents.into_iter().collect(),
            _ => BTreeMap::new(),
        };
        let exported_from = bundle.exported_from.as_ref().and_then(|member| loaded.value(member));
        Self { agents: agents.collect(), files: files.chain(skills).collect(), casting, registered, exported_from }
    }
}

/// The name of the file of a skill: by the `name` in its front matter, as an import uses it.
fn skill_name(text: &str) -> String {
    let name = text.lines().find_map(|line| line.strip_prefix("name:")).unwrap_or_default();
    format!("skills/{}/SKILL.md", name.trim().trim_matches(['"', '\'']))
}

/// The differences on the way from `one` to `other`, agent by agent and file by file. The moment of the export is none.
pub fn between(one: &Loaded, other: &Loaded) -> Vec<Difference> {
    let (one, other) = (Parts::of(one), Parts::of(other));
    let mut found = Vec::new();
    for agent in keys(&one.agents, &other.agents) {
        match (one.agents.get(agent), other.agents.get(agent)) {
            (Some(one), Some(other)) => {
                for file in keys(one, other) {
                    texts(Some(agent), file, (one.get(file).copied(), other.get(file).copied()), &mut found);
                }
            }
            (one, _) => found.push(Difference {
                change: if one.is_some() { Change::Removed } else { Change::Added },
                agent: Some((*agent).to_owned()),
                file: None,
                section: None,
                added: 0,
                removed: 0,
            }),
        }
    }
    for agent in keys(&one.registered, &other.registered) {
        values(
            Some(agent),
            "casting/registry.json",
            (one.registered.get(agent), other.registered.get(agent)),
            &mut found,
        );
    }
    for key in keys(&one.casting, &other.casting) {
        values(None, &format!("casting/{key}.json"), (one.casting.get(key), other.casting.get(key)), &mut found);
    }
    values(None, "exported_from", (one.exported_from.as_ref(), other.exported_from.as_ref()), &mut found);
    for file in keys(&one.files, &other.files) {
        texts(None, file, (one.files.get(file).copied(), other.files.get(file).copied()), &mut found);
    }
    found
}

/// The keys of both maps, in order.
fn keys<'k, K: Ord, V, W>(one: &'k BTreeMap<K, V>, other: &'k BTreeMap<K, W>) -> BTreeSet<&'k K> {
    one.keys().chain(other.keys()).collect()
}

/// What happened to a part; `None` for nothing.
fn change<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> Option<Change> {
    match (one, other) {
        (None, None) => None,
        (None, Some(_)) => Some(Change::Added),
        (Some(_), None) => Some(Change::Removed),
        (Some(one), Some(other)) => (one != other).then_some(Change::Changed),
    }
}

fn values(
    agent: Option<&str>,
    file: &str,
    (one, other): (Option<&Value>, Option<&Value>),
    found: &mut Vec<Difference>,
) {
    let Some(change) = change(one, other) else { return };
    let (agent, file) = (agent.map(str::to_owned), Some(file.to_owned()));
    found.push(Difference { change, agent, file, section: None, added: 0, removed: 0 });
}

fn texts(agent: Option<&str>, file: &str, (one, other): (Option<&str>, Option<&str>), found: &mut Vec<Difference>) {
    let mut add = |change, section: Option<&str>, texts: (&str, &str)| {
        let (added, removed) = lines(texts);
        let (agent, file) = (agent.map(str::to_owned), Some(file.to_owned()));
        found.push(Difference { change, agent, file, section: section.map(str::to_owned), added, removed });
    };
    match (one, other) {
        (Some(one), Some(other)) if one != other => {
            let (one, other) = (by_heading(one), by_heading(other));
            for heading in in_order(&one, &other) {
                let (one, other) = (one.get(heading), other.get(heading));
                let Some(change) = change(one.map(|(_, text)| text), other.map(|(_, text)| text)) else { continue };
                let text =
                    |found: Option<&(usize, &'_ str)>| found.map_or(String::new(), |(_, text)| (*text).to_owned());
                add(change, Some(heading.0), (&text(one), &text(other)));
            }
        }
        (Some(_), Some(_)) | (None, None) => {}
        (Some(one), None) => add(Change::Removed, None, (one, "")),
        (None, Some(other)) => add(Change::Added, None, ("", other)),
    }
}

/// The sections of `text` with their numbers. Of several with the same heading each has a number of its own.
fn by_heading(text: &str) -> BTreeMap<(&str, usize), (usize, &str)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut sections = BTreeMap::new();
    for (number, Section { heading, span }) in headed(text).into_iter().enumerate() {
        let heading = heading.of(text).trim_end();
        let count = counts.entry(heading).or_default();
        sections.insert((heading, *count), (number, span.of(text)));
        *count += 1;
    }
    sections
}

/// The headings of both texts, in the order of the second one, and then those that only the first one has.
fn in_order<'k, 't>(
    one: &'k BTreeMap<(&'t str, usize), (usize, &'t str)>,
    other: &'k BTreeMap<(&'t str, usize), (usize, &'t str)>,
) -> Vec<&'k (&'t str, usize)> {
    let mut headings: Vec<_> = other.iter().map(|(heading, (number, _))| ((false, *number), heading)).collect();
    let gone = one.iter().filter(|(heading, _)| !other.contains_key(*heading));
    headings.extend(gone.map(|(heading, (number, _))| ((true, *number), heading)));
    headings.sort();
    headings.into_iter().map(|(_, heading)| heading).collect()
}

/// How many lines only the second text has, and how many only the first one has, wherever they are.
fn lines((one, other): (&str, &str)) -> (usize, usize) {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    for line in other.lines() {
        *counts.entry(line).or_default() += 1;
    }
    for line in one.lines() {
        *counts.entry(line).or_default() -= 1;
    }
    counts.values().fold((0, 0), |(added, removed), &count| {
        let size = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
        if count > 0 { (added + size, removed) } else { (added, removed + size) }
    })
}
