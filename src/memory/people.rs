//! Who is meant by a name: compared as the roster compares names.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use bstr::{BStr, BString};

use super::record::{Record, home, keeper};
use crate::facts::roster::Roster;
use crate::facts::{Run, learning_team};
use crate::formats::roster::{author_names, bare, is_built_in};
use crate::formats::sem::Scope;
use crate::terminal::escape;
use crate::text::suggest::{Tolerance, nearest};

/// The members of every team whose memory is read.
#[derive(Debug)]
pub struct People {
    teams: BTreeMap<BString, Team>,
}

/// The members of one team.
#[derive(Debug, Default)]
struct Team {
    /// Agents and humans, as they are written.
    names: BTreeSet<String>,
    /// The roster of a squad.
    roster: Option<Arc<Roster>>,
}

/// An agent that a question is about.
#[derive(Debug)]
pub struct Agent<'p> {
    /// The name, as the question has it.
    pub name: &'p str,
    /// The teams that it is on, by their folders.
    teams: Vec<(&'p BString, &'p Team)>,
}

/// No team has an agent of that name.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("there is no agent `{name}` on the team")]
#[diagnostic(help("{help}"))]
pub struct UnknownAgent {
    name: String,
    help: String,
}

/// No entry is by an author of that name, and no team has such a member.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("there is no author `{name}`")]
#[diagnostic(help("{help}"))]
pub struct UnknownAuthor {
    name: String,
    help: String,
}

impl UnknownAuthor {
    /// That no entry is by `name`; `known` are those who have written any, and the members of the team.
    pub fn new<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        // As the first of them has it: `Verbal` in an entry is the `verbal` of the team.
        let mut seen = HashSet::new();
        let known = known.filter(|name| seen.insert(bare(name))).collect();
        Self { name: escape(name), help: advice(name, &known, "authors are") }
    }
}

/// How many names a help line gives.
const NAMED: usize = 12;

impl People {
    /// The members of the teams whose files `run` has, and of those that have no memory yet.
    pub fn of(run: &Run<'_>) -> Self {
        let squads = run.squads();
        let mut teams: BTreeMap<BString, Team> =
            squads.roots().map(|root| (root.to_owned(), Team::of(run, root))).collect();
        for document in run.documents {
            let team = teams.entry(home(document).to_owned()).or_insert_with(|| Team::of(run, document.root()));
            team.names.extend(keeper(document).map(str::to_owned));
            if home(document) != document.root()
                && let Some(learning) = learning_team::of(run, document.path())
            {
                let names = learning.manifest.members.iter().filter_map(|member| member.name.as_ref());
                team.names.extend(names.map(|name| name.value.clone()));
            }
        }
        Self { teams }
    }

    /// The agent of that name.
    ///
    /// # Errors
    /// If no team has one, and one is known.
    pub fn agent<'p>(&'p self, name: &'p str) -> Result<Agent<'p>, UnknownAgent> {
        let is_on = |team: &(&BString, &Team)| team.1.has(name);
        let teams: Vec<_> = self.teams.iter().filter(is_on).collect();
        if !teams.is_empty() {
            return Ok(Agent { name, teams });
        }
        // Without a roster, or for an agent that every team has, any team can be meant.
        if is_built_in(name) || self.names().next().is_none() {
            return Ok(Agent { name, teams: self.teams.iter().collect() });
        }
        Err(UnknownAgent { name: escape(name), help: advice(name, &self.names().collect(), "the team has") })
    }

    /// All that somebody is called in the squads of `run` that have their state in `roots`.
    pub fn names_of<'r>(run: &Run<'_>, roots: impl IntoIterator<Item = &'r BStr>, name: &str) -> BTreeSet<String> {
        let rosters = roots.into_iter().map(|root| run.roster(root));
        let names = rosters.flat_map(|roster| roster.names_of(name).map(str::to_owned).collect::<Vec<_>>());
        names.chain([bare(name)]).collect()
    }

    /// All names, each once for each team.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.teams.values().flat_map(|team| team.names.iter().map(String::as_str))
    }

    /// Whether only a first word makes `written`, the author of an entry of the team at `home`, the person `name`: the team lists a
    /// `david`, and no `David Ortinau`.
    pub fn is_guessed(&self, home: &BStr, written: &str, name: &str) -> bool {
        let is_listed = |name: &str| {
            let roster = self.teams.get(home).and_then(|team| team.roster.as_ref());
            roster.is_some_and(|roster| roster.has(name.split('(').next().unwrap_or_default()))
        };
        !(is_named_so(written, name) || is_listed(written) && is_listed(name))
    }

    /// Whether `written`, the author of an entry of the team at `home`, is the person `name`.
    pub fn is_same(&self, home: &BStr, written: &str, name: &str) -> bool {
        self.teams.get(home).map_or_else(|| is_named(written, name), |team| team.is_same(written, name))
    }
}

impl Team {
    fn of(run: &Run<'_>, root: &BStr) -> Self {
        let Some(squad) = run.squads().at(root) else { return Self::default() };
        let names = squad.agents.iter().chain(squad.humans.iter()).map(str::to_owned).collect();
        Self { names, roster: Some(run.roster(root)) }
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| bare(known) == bare(name))
            || self.roster.as_ref().is_some_and(|roster| roster.find(name).is_some())
    }

    fn is_same(&self, written: &str, name: &str) -> bool {
        let member = |name: &str| self.roster.as_ref()?.find(name).map(std::ptr::from_ref);
        is_named(written, name) || member(written).is_some_and(|one| member(name) == Some(one))
    }
}

/// Whether the author value `written` means `name`: `Keaton (Lead)` and `@keaton` are `keaton`.
fn is_named(written: &str, name: &str) -> bool {
    let name = bare(name);
    bare(written) == name || author_names(written).iter().any(|known| bare(known) == name)
}

/// The same, and not by the first word of several alone: `David Ortinau (dev)` is not `david`.
fn is_named_so(written: &str, name: &str) -> bool {
    let (names, name) = (author_names(written), bare(name));
    let first = names.first().and_then(|whole| whole.split_once(' ')).map(|(first, _)| first);
    bare(written) == name || names.iter().any(|own| Some(own.as_str()) != first && bare(own) == name)
}

impl Agent<'_> {
    /// Whether this agent should read `record`: by its scope, or by its file where it has none.
    pub fn reads(&self, record: &Record<'_>) -> bool {
        let home = record.home();
        let Some((_, team)) = self.teams.iter().find(|(folder, _)| *folder == home) else { return false };
        match record.scope {
            Some(Scope::Team | Scope::Project) => true,
            Some(Scope::Agent(name)) => team.is_same(name, self.name),
            Some(Scope::Skill(_)) => false,
            None => record.keeper().is_none_or(|keeper| team.is_same(keeper, self.name)),
        }
    }

    /// Whether `written`, a name in `record`, is this agent.
    pub fn is(&self, record: &Record<'_>, written: &str) -> bool {
        let home = record.home();
        self.teams.iter().any(|(folder, team)| *folder == home && team.is_same(written, self.name))
    }

    /// The folders of the teams that it is on.
    pub fn homes(&self) -> impl Iterator<Item = &BStr> {
        self.teams.iter().map(|(folder, _)| folder.as_ref())
    }
}

/// Which of the `known` names is meant, or what they are.
fn advice(name: &str, known: &BTreeSet<&str>, intro: &str) -> String {
    if let Some(near) = nearest(name, known.iter().copied(), Tolerance::Help) {
        return format!("did you mean `{near}`?");
    }
    let more = if known.len() > NAMED { ", …" } else { "" };
    let names: Vec<String> = known.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    format!("{intro} {}{more}", names.join(", "))
}
