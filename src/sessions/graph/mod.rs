//! The tasks of a session as a graph: for Graphviz, for Mermaid, and as a picture.

pub mod dot;
mod layers;
mod layout;
pub mod mermaid;
mod order;
pub mod svg;

use std::collections::HashSet;

/// Tasks, and which of them comes before which.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// What the picture is called.
    pub title: String,
    /// The tasks.
    pub nodes: Vec<Node>,
    /// The places in `nodes` of a task and of one that waits for it, each pair once.
    pub edges: Vec<(usize, usize)>,
}

/// A task.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its ID.
    pub id: String,
    /// Who works on it.
    pub agent: Option<String>,
    /// How it is.
    pub state: NodeState,
    /// How far it is, in percent.
    pub percentage: Option<u64>,
}

/// How a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeState {
    /// It waits for its agent: all tasks before it are completed.
    Ready,
    /// It waits for other tasks.
    Waiting,
    /// Its agent works on it.
    InProgress,
    /// Its agent waits for another one.
    Blocked,
    /// It is done.
    Completed,
    /// Others wait for it, and no file says what it is.
    Missing,
}

impl NodeState {
    /// Every state, in the order of a list.
    pub const ALL: [Self; 6] =
        [Self::InProgress, Self::Blocked, Self::Ready, Self::Waiting, Self::Completed, Self::Missing];

    /// Its word in output for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Waiting => "waiting",
            Self::InProgress => "in_progress",
            Self::Blocked => "blocked",
            Self::Completed => "completed",
            Self::Missing => "missing",
        }
    }

    /// Its words for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::InProgress => "in progress",
            state => state.as_str(),
        }
    }
}

impl Node {
    /// What is below its ID: who, and how far.
    fn details(&self) -> Vec<String> {
        let state = match (self.state, self.percentage) {
            (NodeState::Completed | NodeState::Missing, _) | (_, None) => self.state.words().to_owned(),
            (state, Some(percentage)) => format!("{} {percentage} %", state.words()),
        };
        self.agent.iter().cloned().chain([state]).collect()
    }
}

impl Graph {
    /// The places in `nodes` of those that come directly before each node.
    pub fn before(&self) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.nodes.len()];
        for (from, to) in &self.edges {
            if let Some(before) = before.get_mut(*to) {
                before.push(*from);
            }
        }
        before
    }

    /// The places in `nodes` of those that come directly after each node.
    pub fn after(&self) -> Vec<Vec<usize>> {
        let mut after = vec![Vec::new(); self.nodes.len()];
        for (from, to) in &self.edges {
            if let Some(after) = after.get_mut(*from) {
                after.push(*to);
            }
        }
        after
    }

    /// The edges that close a circle: without them there is none.
    pub fn closing(&self) -> HashSet<(usize, usize)> {
        layers::closing(&self.after())
    }

    /// How many nodes are on the longest way to each one; edges that close a circle do not count.
    pub fn layers(&self) -> Vec<usize> {
        layers::layers(&self.after(), &self.closing())
    }
}
