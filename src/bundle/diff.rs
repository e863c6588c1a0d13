//! What two bundles do not have in common: by agent, by file, and by section.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::difference::{Change, Difference, whole};
use super::import::skill_files;
use super::load::Loaded;
use super::sections;
use crate::formats::json::Raw;

/// The parts of a bundle, so that two can be compared part by part. Texts and values are those of the bundle itself.
struct Parts<'a> {
    agents: BTreeMap<&'a str, Agent<'a>>,
    files: BTreeMap<String, &'a str>,
    casting: BTreeMap<&'a str, Raw<'a>>,
    /// The agents of the registry.
    registered: Vec<(Cow<'a, str>, Raw<'a>)>,
    /// The rest of the registry.
    registry: Vec<(Cow<'a, str>, Raw<'a>)>,
    /// `exported_from`, and what is not read.
    fields: BTreeMap<&'a str, Raw<'a>>,
}

/// One agent: its texts by their files, and its other fields.
struct Agent<'a> {
    texts: BTreeMap<&'static str, &'a str>,
    fields: Vec<(Cow<'a, str>, Raw<'a>)>,
}

impl<'a> Parts<'a> {
    fn of(loaded: &'a Loaded) -> Self {
        let bundle = &loaded.bundle;
        let agents = bundle.agents.iter().map(|agent| {
            let texts = [("charter.md", &agent.charter), ("history.md", &agent.history)];
            let texts = texts.into_iter().filter_map(|(file, text)| Some((file, text.as_ref()?.value.as_str())));
            let mut fields: Vec<_> =
                agent.others.iter().map(|(key, value)| (loaded.said(*key), loaded.raw(*value))).collect();
            fields.sort_by(|(one, _), (other, _)| one.cmp(other));
            (agent.key.value.as_str(), Agent { texts: texts.collect(), fields })
        });
        let files = bundle.files.iter().map(|file| (file.name.to_owned(), file.text.value.as_str()));
        let mut casting: BTreeMap<&str, Raw<'_>> = bundle
            .casting
            .iter()
            .filter_map(|member| Some((member.key.value.as_str(), loaded.value(member)?)))
            .collect();
        let mut registry = casting.get("registry").copied().and_then(Raw::members).unwrap_or_default();
        // A list of them, which some squads have, is compared as a whole.
        let agents_at = registry.iter().position(|(key, value)| key == "agents" && value.members().is_some());
        // That there are some, even none, is a part of the rest.
        let listed = agents_at.and_then(|at| registry.get_mut(at));
        let registered = listed.map(|(_, listed)| std::mem::replace(listed, Raw("{}"))).and_then(Raw::members);
        let registered = registered.unwrap_or_default();
        if let Some(whole) = casting.get_mut("registry").filter(|whole| whole.members().is_some()) {
            // Its parts are compared one by one.
            *whole = Raw("{}");
        }
        let fields = bundle.exported_from.iter().chain(&bundle.others);
        let fields = fields.filter_map(|member| Some((member.key.value.as_str(), loaded.value(member)?))).collect();
        let files =
            files.chain(skill_files(&bundle.skills).into_iter().map(|skill| (skill.path, skill.text))).collect();
        Self { agents: agents.collect(), files, casting, registered, registry, fields }
    }
}

/// The file that names the agents.
const REGISTRY: &str = "casting/registry.json";

/// The differences on the way from `one` to `other`, agent by agent and file by file. The moment of the export is none.
pub fn between(one: &Loaded, other: &Loaded) -> Vec<Difference> {
    let (one, other) = (Parts::of(one), Parts::of(other));
    let mut found = Vec::new();
    for agent in keys(&one.agents, &other.agents) {
        match (one.agents.get(agent), other.agents.get(agent)) {
            (Some(one), Some(other)) => {
                for file in keys(&one.texts, &other.texts) {
                    let both = (one.texts.get(file).copied(), other.texts.get(file).copied());
                    sections::compare(Some(agent), file, both, &mut found);
                }
                for_each_key(&one.fields, &other.fields, |key, one, other| {
                    found.extend(difference(Some(agent), key, (one, other)));
                });
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
    for_each_key(&one.registered, &other.registered, |agent, one, other| {
        found.extend(difference(Some(agent), REGISTRY, (one, other)));
    });
    let mut is_same = true;
    for_each_key(&one.registry, &other.registry, |_, one, other| is_same &= change(one, other).is_none());
    if !is_same {
        found.push(whole(Change::Changed, None, REGISTRY));
    }
    for key in keys(&one.casting, &other.casting) {
        let both = (one.casting.get(key).copied(), other.casting.get(key).copied());
        found.extend(difference(None, &format!("casting/{key}.json"), both));
    }
    for key in keys(&one.fields, &other.fields) {
        found.extend(difference(None, key, (one.fields.get(key).copied(), other.fields.get(key).copied())));
    }
    for file in keys(&one.files, &other.files) {
        sections::compare(None, file, (one.files.get(file).copied(), other.files.get(file).copied()), &mut found);
    }
    found
}

/// The keys of both maps, in order.
fn keys<'k, K: Ord, V, W>(one: &'k BTreeMap<K, V>, other: &'k BTreeMap<K, W>) -> BTreeSet<&'k K> {
    one.keys().chain(other.keys()).collect()
}

/// Calls `look` with each key that one of both has, in order, and with its values.
fn for_each_key<'v>(
    one: &[(Cow<'_, str>, Raw<'v>)],
    other: &[(Cow<'_, str>, Raw<'v>)],
    mut look: impl FnMut(&str, Option<Raw<'v>>, Option<Raw<'v>>),
) {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    while let Some(key) = [one.peek(), other.peek()].into_iter().flatten().map(|(key, _)| key).min() {
        let value = |(_, value): &(_, Raw<'v>)| *value;
        let (left, right) =
            (one.next_if(|(own, _)| own == key).map(value), other.next_if(|(own, _)| own == key).map(value));
        look(key, left, right);
    }
}

/// What happened to a value; `None` for nothing.
fn change(one: Option<Raw<'_>>, other: Option<Raw<'_>>) -> Option<Change> {
    match (one, other) {
        (None, None) => None,
        (None, Some(_)) => Some(Change::Added),
        (Some(_), None) => Some(Change::Removed),
        (Some(one), Some(other)) => (!one.is_same(other)).then_some(Change::Changed),
    }
}

fn difference(agent: Option<&str>, file: &str, (one, other): (Option<Raw<'_>>, Option<Raw<'_>>)) -> Option<Difference> {
    Some(whole(change(one, other)?, agent, file))
}
