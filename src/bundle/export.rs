//! From a squad to a bundle. What belongs to the project stays.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Value, json};

use super::origin::{Origin, Origins};
use super::squad::{Agent, Squad};
use crate::formats::bundle::{
    Cut, Format, Reason, Scribes, Stay, has_local, only_portable, without_local, without_project_context,
};
use crate::formats::roster::{Standing, Team, bare};
use crate::report::json_writer;
use crate::terminal::escape;
use crate::text::prose::enumerated;

/// What to export.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// The format of the bundle.
    pub format: Format,
    /// The agents by the names of their folders; all if there are none.
    pub agents: &'a [String],
    /// Whether only what is marked as portable is left of the histories.
    pub portable_only: bool,
    /// The project that the squad leaves.
    pub project: &'a str,
    /// The moment of the export.
    pub at: &'a str,
}

/// A squad that was exported.
#[derive(Debug)]
pub struct Exported {
    /// The bundle.
    pub bytes: Vec<u8>,
    /// What of the files does not travel, and what does though it is marked, in words for people: ``note: left out: lines 3-5 of the
    /// history of `keaton`: marked as local``.
    pub notes: Vec<String>,
    /// Which files the texts in the bundle are from.
    pub origins: Origins,
}

/// Why a squad is not exported.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ExportError {
    /// An agent that the squad does not have.
    #[error("there is no agent `{name}` with a charter")]
    #[diagnostic(help("the agents are {known}"))]
    UnknownAgent {
        /// The name as given.
        name: String,
        /// The agents of the squad.
        known: String,
    },
    /// The bundle cannot be written as JSON.
    #[error("cannot write the bundle")]
    Write(#[from] std::io::Error),
}

#[derive(Serialize)]
struct Portable<'a> {
    squad_format_version: &'a str,
    exported_at: &'a str,
    exported_from: From<'a>,
    casting: Casting,
    agents: BTreeMap<&'a str, Texts<'a>>,
    team: &'a str,
    routing: Option<&'a str>,
    ceremonies: Option<&'a str>,
}

#[derive(Serialize)]
struct From<'a> {
    project: &'a str,
    owner: &'a str,
}

#[derive(Serialize)]
struct Casting {
    registry: Value,
    history: Option<Value>,
    policy: Option<Value>,
}

#[derive(Serialize)]
struct Texts<'a> {
    charter: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<&'a str>,
}

#[derive(Serialize)]
struct OfSquad<'a> {
    version: &'a str,
    exported_at: &'a str,
    squad_version: &'a str,
    team_md: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    routing_md: Option<&'a str>,
    team: &'a str,
    casting: BTreeMap<&'static str, Value>,
    agents: BTreeMap<&'a str, Texts<'a>>,
    skills: [&'a str; 0],
}

impl Export<'_> {
    /// The bundle with `squad`. The same squad at the same moment gives the same bytes.
    ///
    /// # Errors
    /// See [`ExportError`].
    pub fn bytes(&self, squad: Squad) -> Result<Exported, ExportError> {
        let mut left_out = Vec::new();
        let mut origins = Origins { folder: squad.folder, ..Origins::default() };
        let squad = self.travelling(squad, &mut left_out, &mut origins)?;
        if self.format == Format::Export && squad.ceremonies.is_some() {
            left_out.push("`ceremonies.md`: the format of Squad has no field for it".to_owned());
        }
        if !squad.of_project.is_empty() {
            let names: Vec<String> = squad.of_project.iter().map(|name| format!("`{name}`")).collect();
            left_out.push(format!("{}: for this project only", enumerated(&names)));
        }
        let mut notes: Vec<String> = left_out.into_iter().map(|what| format!("note: left out: {what}")).collect();
        notes.extend(marked(&squad, self.format));
        let agents = squad
            .agents
            .iter()
            .map(|agent| (agent.name.as_str(), Texts { charter: &agent.charter, history: agent.history.as_deref() }));
        let agents: BTreeMap<_, _> = agents.collect();
        let mut bytes = Vec::new();
        match self.format {
            Format::Portable => json_writer::write(
                &Portable {
                    squad_format_version: "1.0",
                    exported_at: self.at,
                    exported_from: From { project: self.project, owner: "" },
                    casting: Casting {
                        // The format has no squad without one.
                        registry: squad.registry.unwrap_or_else(|| json!({ "agents": {} })),
                        history: squad.history,
                        policy: squad.policy,
                    },
                    agents,
                    team: &squad.team,
                    routing: squad.routing.as_deref(),
                    ceremonies: squad.ceremonies.as_deref(),
                },
                &mut bytes,
            )?,
            Format::Export => {
                let casting = [("registry", squad.registry), ("history", squad.history), ("policy", squad.policy)];
                json_writer::write(
                    &OfSquad {
                        version: "1.0",
                        exported_at: self.at,
                        squad_version: concat!("squad-lint ", env!("CARGO_PKG_VERSION")),
                        team_md: &squad.team,
                        routing_md: squad.routing.as_deref(),
                        team: &squad.team,
                        casting: casting.into_iter().filter_map(|(key, value)| Some((key, value?))).collect(),
                        agents,
                        skills: [],
                    },
                    &mut bytes,
                )?;
            }
        }
        Ok(Exported { bytes, notes, origins })
    }

    /// What of `squad` travels. What of its files does not is added to `left_out`, and where the rest is from to `origins`.
    fn travelling(
        &self,
        squad: Squad,
        left_out: &mut Vec<String>,
        origins: &mut Origins,
    ) -> Result<Squad, ExportError> {
        let kept = self.kept(&squad)?;
        let is_kept = |name: &str| kept.as_ref().is_none_or(|kept| kept.contains(&bare(name)));
        let scribes = Scribes::of(&squad.team);
        let mut add = |path: String, origin: Origin| drop(origins.files.insert(path, origin));
        let agents = squad.agents.into_iter().filter(|agent| is_kept(&agent.name)).map(|agent| {
            let Agent { name, charter, history } = agent;
            add(format!("agents/{name}/charter.md"), Origin::whole(&charter));
            let history = history.and_then(|history| {
                let is_scribe = scribes.has(&name, &charter);
                let cut = self.history((&name, is_scribe), &history, left_out);
                let lines = cut.lines(&history);
                add(format!("agents/{name}/history.md"), Origin { text: history, lines });
                (!cut.text.is_empty()).then_some(cut.text)
            });
            Agent { name, charter, history }
        });
        let agents: Vec<Agent> = agents.collect();
        let mut registry = squad.registry;
        let mut was_imported = false;
        if let Some(Value::Object(registry)) = &mut registry {
            // The mark of an import that the team has not seen yet.
            was_imported = registry.remove("imported_from").is_some();
            let is_entry_kept = |entry: &Value| {
                let names = ["persistent_name", "name", "id"].iter().filter_map(|field| entry.get(field)?.as_str());
                kept.is_none() || names.into_iter().any(is_kept)
            };
            match registry.get_mut("agents") {
                Some(Value::Object(agents)) => agents.retain(|key, entry| is_kept(key) || is_entry_kept(entry)),
                // Some squads have a list, though tools read an object.
                Some(Value::Array(agents)) => agents.retain(is_entry_kept),
                _ => {}
            }
        }
        // An import wrote it for its mark.
        let registry = registry.filter(|registry| !(was_imported && *registry == json!({ "agents": {} })));
        let cut = without_project_context(&squad.team);
        if !cut.stays.is_empty() {
            left_out.push("`## Project Context` of `team.md`".to_owned());
        }
        let mut lines = cut.lines(&squad.team);
        let team = match &kept {
            Some(kept) => without_rows(&cut.text, kept, &mut lines),
            None => cut.text,
        };
        for (path, text) in &squad.json {
            add((*path).to_owned(), Origin::json(text));
        }
        add("team.md".to_owned(), Origin { text: squad.team, lines });
        for (file, text) in [("routing.md", &squad.routing), ("ceremonies.md", &squad.ceremonies)] {
            if let Some(text) = text {
                add(file.to_owned(), Origin::whole(text));
            }
        }
        Ok(Squad { agents, registry, team: format!("{}\n", team.trim_end()), ..squad })
    }

    /// The names of the agents that are wanted; `None` for all.
    fn kept(&self, squad: &Squad) -> Result<Option<BTreeSet<String>>, ExportError> {
        for name in self.agents {
            if !squad.agents.iter().any(|agent| bare(&agent.name) == bare(name)) {
                let known: Vec<String> =
                    squad.agents.iter().map(|agent| format!("`{}`", escape(&agent.name))).collect();
                return Err(ExportError::UnknownAgent { name: escape(name), known: known.join(", ") });
            }
        }
        let kept = self.agents.iter().map(|name| bare(name)).collect();
        Ok((!self.agents.is_empty()).then_some(kept))
    }

    /// What of the history of the agent `name`, which can be Scribe, travels. What does not is added to `left_out`, with its lines and the reason.
    fn history(&self, (name, is_scribe): (&str, bool), history: &str, left_out: &mut Vec<String>) -> Cut {
        let cut = match () {
            () if is_scribe => Cut::nothing(history, Reason::Scribe),
            () if self.portable_only => only_portable(history),
            () => without_local(history),
        };
        let stays = &cut.stays;
        let reasons: BTreeSet<Reason> = stays.iter().map(|stay| stay.reason).collect();
        left_out.extend(reasons.into_iter().map(|reason| {
            let lines: Vec<Stay> = stays.iter().copied().filter(|stay| stay.reason == reason).collect();
            format!("{} of the history of `{}`: {}", in_words(&lines), escape(name), reason.words())
        }));
        cut
    }
}

/// The numbers of lines: `line 3`, `lines 3-5 and 9`; of many, the first ones.
fn in_words(lines: &[Stay]) -> String {
    const MOST: usize = 20;
    let mut numbers: Vec<String> = lines
        .iter()
        .take(MOST)
        .map(|Stay { first, last, .. }| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    let more: usize = lines.iter().skip(MOST).map(|stay| stay.last - stay.first + 1).sum();
    if more > 0 {
        numbers.push(format!("{more} more"));
    }
    let noun = if matches!(lines, [Stay { first, last, .. }] if first == last) { "line" } else { "lines" };
    format!("{noun} {}", enumerated(&numbers))
}

/// Names the files of `squad` that travel as they are, though something in them is marked as local.
fn marked(squad: &Squad, format: Format) -> Option<String> {
    let ceremonies = squad.ceremonies.as_ref().filter(|_| format == Format::Portable);
    let own = [("team.md", Some(&squad.team)), ("routing.md", squad.routing.as_ref()), ("ceremonies.md", ceremonies)];
    let own = own.into_iter().filter_map(|(file, text)| Some((file.to_owned(), text?)));
    let charters =
        squad.agents.iter().map(|agent| (format!("the charter of `{}`", escape(&agent.name)), &agent.charter));
    let files: Vec<String> = own.chain(charters).filter(|(_, text)| has_local(text)).map(|(file, _)| file).collect();
    let what = "exported text that is marked as local, because marks count only in histories";
    (!files.is_empty()).then(|| format!("warning: {what}: {}", enumerated(&files)))
}

/// `team` without the rows of agents that are not in `kept`. `places` are those of its lines, and of those that are left.
fn without_rows(team: &str, kept: &BTreeSet<String>, places: &mut Vec<(usize, usize)>) -> String {
    let gone = Team::parse(team).rows.into_iter().filter(|row| {
        let folder = row.charter.as_ref().is_some_and(|charter| kept.contains(&bare(&charter.value)));
        let is_agent = match row.standing {
            Standing::Agent => true,
            // Without its charter, not such as `@copilot`.
            Standing::BuiltIn => row.charter.is_some(),
            _ => false,
        };
        is_agent && !folder && !kept.contains(&bare(&row.name.value))
    });
    let starts: BTreeSet<usize> = gone.map(|row| row.name.span.start()).collect();
    let (mut left, mut left_places) = (String::with_capacity(team.len()), Vec::new());
    let mut at = 0;
    let mut next = places.iter().peekable();
    for line in team.split_inclusive('\n') {
        let end = at + line.len();
        let is_left = starts.range(at..end).next().is_none();
        while let Some((inner, outer)) = next.next_if(|(inner, _)| *inner < end) {
            if is_left {
                left_places.push((left.len() + inner.saturating_sub(at), *outer));
            }
        }
        if is_left {
            left.push_str(line);
        }
        at = end;
    }
    *places = left_places;
    left
}
