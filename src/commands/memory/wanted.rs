//! What the options of `memory` ask for.

use crate::cli::memory::QueryArgs;
use crate::commands::CliError;
use crate::engine::session::Session;
use crate::formats::sem::Scope;
use crate::formats::timestamp::Timestamp;
use crate::memory::glance::{About, Glance, Person, Readers};
use crate::memory::people::{People, UnknownAgent, UnknownAuthor};
use crate::memory::query::{Author, Query, Reference, State, has_scope, is_by};
use crate::memory::record::Record;
use crate::memory::records;
use crate::project::Project;
use crate::terminal::escape;
use crate::text::any_case::AnyCase;

/// A value of an option that cannot be understood.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum QueryError {
    #[error("`{text}` is not a scope")]
    #[diagnostic(help("a scope is `team`, `project`, `agent:NAME` or `skill:NAME`"))]
    Scope { text: String },
    #[error("the text to search for is too long")]
    #[diagnostic(help("search for a part of it"))]
    Text,
}

/// What tells from the bytes of an entry that it is not asked for.
pub(super) fn glance<'a>(
    args: &'a QueryArgs,
    project: &Project,
    session: &Session<'_>,
) -> Result<Option<Glance<'a>>, CliError> {
    let roots = || session.roots_of(|file| records::are_in(file.kind));
    let person = |name: &str| {
        let names = session.look_around(|run| People::names_of(run, roots(), name));
        Person::of(names.iter().map(String::as_str))
    };
    let readers = |text: &'a String| {
        Some(match Scope::parse(text)? {
            Scope::Team => Readers::Team,
            Scope::Project => Readers::Named("project".to_owned()),
            Scope::Skill(name) => Readers::Named(name.to_ascii_lowercase()),
            Scope::Agent(name) => Readers::Agent(person(name)?),
        })
    };
    let since = args.recent.map(|seconds| project.options.now.unix().saturating_sub(seconds));
    // One that the bytes tell nothing of can be in any entry.
    let people = args.author.iter().map(|name| person(name)).collect::<Option<Vec<_>>>().unwrap_or_default();
    let scopes = args.scope.iter().map(readers).collect::<Option<Vec<_>>>().unwrap_or_default();
    Ok(Glance::of(About { since, people, scopes, ..args.about() }).map_err(|_| QueryError::Text)?)
}

/// The first agent that a scope in `args` names, if none of `all` has that scope, and no team has such an agent.
pub(super) fn unknown_agent(args: &QueryArgs, people: &People, all: &[Record<'_>]) -> Option<UnknownAgent> {
    let scopes = args.scope.iter().filter_map(|text| Scope::parse(text));
    let is_known = |scope: Scope<'_>| all.iter().any(|record| has_scope(record, scope, people));
    let mut unknown = scopes.filter_map(|scope| match scope {
        Scope::Agent(name) if !is_known(scope) => people.agent(name).err(),
        _ => None,
    });
    unknown.next()
}

/// The entries that `args` ask for, of `all`.
pub(super) fn query<'a>(
    args: &'a QueryArgs,
    people: &'a People,
    all: &[Record<'_>],
    now: Timestamp,
) -> Result<Query<'a>, CliError> {
    let scope = |text: &'a String| Scope::parse(text).ok_or_else(|| QueryError::Scope { text: escape(text) });
    for name in &args.author {
        let is_known = || all.iter().any(|record| is_by(record, name, people)) || people.agent(name).is_ok();
        if !all.is_empty() && !is_known() {
            let authors = all.iter().filter_map(|record| record.author.as_deref());
            return Err(UnknownAuthor::new(name, authors.chain(people.names())).into());
        }
    }
    if let Some(error) = unknown_agent(args, people, all).filter(|_| !all.is_empty()) {
        return Err(error.into());
    }
    let state = args.superseded.then_some(State::Superseded).or(args.in_force.then_some(State::InForce));
    Ok(Query {
        types: &args.types,
        authors: args.author.iter().map(|name| Author::of(name, all, people)).collect(),
        scopes: args.scope.iter().map(scope).collect::<Result<_, _>>()?,
        reader: args.reader.as_deref().map(|name| people.agent(name)).transpose()?,
        tags: &args.tag,
        after: args.after,
        before: args.before,
        since: args.recent.map(|seconds| now.unix().saturating_sub(seconds)),
        related: args.related.iter().map(|text| Reference::parse(text)).collect(),
        texts: args
            .text
            .iter()
            .map(|text| AnyCase::new([text.as_str()]))
            .collect::<Result<_, _>>()
            .map_err(|_| QueryError::Text)?,
        state,
        now: Some(now),
    })
}
