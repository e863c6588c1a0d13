//! What each agent loads when it starts, and how many tokens that is.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use super::{Run, files, squads, unused};
use crate::dialects::learnings::LEARNINGS;
use crate::dialects::squad::{CHARTER, DECISIONS, HISTORY};
use crate::document::Document;
use crate::fs::path::inner_path;
use crate::text::tokens::Tokens;

/// What one agent loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// The agent; `None` for a team without agents, whose decisions are loaded by whoever works there.
    pub agent: Option<String>,
    /// Its files, each with its tokens, the one with the most first.
    pub files: Vec<(BString, u64)>,
    /// The tokens of all of them.
    pub tokens: u64,
}

/// What the agents of the state root at `root` load, the one with the most first: its charter, its history and the decisions of a
/// squad, the learnings of a learning team. Files that no agent loads do not count. Empty if the root has no such files.
pub fn of(run: &Run<'_>, root: &BStr) -> Vec<Load> {
    if unused::is_left_over(run, root) {
        return Vec::new();
    }
    by_agent(run, root, |document| measure(run, document))
}

/// Whether an agent of the state root at `root` may load more than `most` tokens, by the bytes of its files alone.
pub fn may_exceed(run: &Run<'_>, root: &BStr, most: u64) -> bool {
    // The files of an agent are side by side, in its folder.
    let (mut shared, mut own, mut last, mut largest) = (0_u64, 0_u64, String::new(), 0_u64);
    each(run, root, |_, agent, document| {
        let tokens = Tokens::at_most(document.source.bytes().len()).count();
        let Some(agent) = agent else { return shared += tokens };
        if agent != last {
            agent.clone_into(&mut last);
            own = 0;
        }
        own += tokens;
        largest = largest.max(own);
    });
    shared + largest > most
}

/// What the agents load of the files that `measure` has a size for.
fn by_agent(run: &Run<'_>, root: &BStr, measure: impl Fn(&Document) -> Option<u64>) -> Vec<Load> {
    let (mut shared, mut own): (Vec<File>, BTreeMap<String, Vec<File>>) = (Vec::new(), BTreeMap::new());
    each(run, root, |path, agent, document| {
        let Some(tokens) = measure(document) else { return };
        match agent {
            None => shared.push((path.to_owned(), tokens)),
            Some(agent) => own.entry(agent.to_owned()).or_default().push((path.to_owned(), tokens)),
        }
    });
    let mut loads: Vec<Load> =
        own.into_iter().map(|(agent, own)| Load::new(Some(agent), own.into_iter().chain(shared.clone()))).collect();
    if loads.is_empty() && !shared.is_empty() {
        loads.push(Load::new(None, shared.into_iter()));
    }
    loads.sort_by(|one, other| other.tokens.cmp(&one.tokens).then_with(|| one.agent.cmp(&other.agent)));
    loads
}

/// Visits the files of the state root at `root` that agents may load: the path of each, the agent, or `None` for all of them, and the
/// document.
fn each(run: &Run<'_>, root: &BStr, mut visit: impl FnMut(&BStr, Option<&str>, &Document)) {
    // Both are in the order of their paths.
    let start = run.documents.partition_point(|document| document.path() < root);
    let mut documents = run.documents.iter().skip(start).peekable();
    for file in files::in_folder(run, root).iter().filter(|file| file.root == root) {
        let path = file.path.as_bstr();
        while documents.next_if(|document| document.path() < path).is_some() {}
        let is_ledger = file.kind == &DECISIONS && path.ends_with(b"decisions.md");
        let agent = match [&CHARTER, &HISTORY, &LEARNINGS].contains(&file.kind) {
            true => agent_of(inner_path(path, root)),
            false => None,
        };
        if !is_ledger && agent.is_none() {
            continue;
        }
        let agent = agent.filter(|_| !is_ledger);
        match documents.peek().filter(|document| document.path() == path) {
            Some(document) => visit(path, agent, document),
            None => drop(run.load(file).map(|document| visit(path, agent, &document))),
        }
    }
}

/// A path and its tokens.
type File = (BString, u64);

impl Load {
    fn new(agent: Option<String>, files: impl Iterator<Item = File>) -> Self {
        let mut files: Vec<File> = files.collect();
        files.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        let tokens = files.iter().map(|(_, tokens)| tokens).sum();
        Self { agent, files, tokens }
    }

    /// The agent, or who is meant where none is known.
    pub fn name(&self) -> &str {
        self.agent.as_deref().unwrap_or("every agent")
    }
}

/// The tokens of a file that agents load.
fn measure(run: &Run<'_>, document: &Document) -> Option<u64> {
    squads::is_loaded(run, document).then(|| document.tokens().count())
}

/// The agent in whose folder a file is, by its path in the state root.
fn agent_of(inner: &BStr) -> Option<&str> {
    let folder = inner.get(..memchr::memrchr(b'/', inner)?)?;
    let name = folder.strip_prefix(b"agents/").unwrap_or(folder);
    let is_name = memchr::memchr(b'/', name).is_none() && !name.starts_with(b"_");
    is_name.then(|| std::str::from_utf8(name).ok())?
}
