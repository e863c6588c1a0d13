//! The tasks of a session: who works on them, how far they are, and which waits for which.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::graph::{Graph, Node, NodeState};
use super::read::Files;
use crate::formats::session::field::{Agent, Field, TaskState};
use crate::formats::session::model::{Blocker, Plan, Progress};
use crate::formats::session::{SessionFile, Summary};

/// A task.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is, for a picture.
    pub node: Node,
    /// Who works on it.
    pub agent: Option<Agent>,
    /// Why it does not go on.
    pub blockers: Vec<Blocker>,
}

/// All tasks of a session: each after those that it waits for, as far as there is no circle, else by their IDs.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The places of a task and of one that waits for it, each pair once, in order.
    pub edges: Vec<(usize, usize)>,
}

impl Tasks {
    /// The tasks that `files` name; `summary` is the one of the same files.
    pub fn of(files: &Files, summary: &Summary) -> Self {
        let all: Vec<&SessionFile> = files.files.values().map(AsRef::as_ref).collect();
        let mut new = Self::default();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let plans: Vec<&Plan> = all.iter().filter_map(|file| file.plan()).collect();
        let newest = |id: &str| all.get(summary.progress_of(id)?)?.progress();
        let add = |new: &mut Self, id: &'_ str, agent: Option<&Field<Agent>>, is_there: bool| {
            let progress = newest(id);
            new.tasks.push(Task::new(id, agent, progress, is_there));
            new.tasks.len() - 1
        };
        for plan in &plans {
            if let Some(id) = &plan.task_id
                && !places.contains_key(id.value.as_str())
            {
                places.insert(&id.value, add(&mut new, &id.value, plan.agent.as_ref(), true));
            }
        }
        for progress in all.iter().filter_map(|file| file.progress()) {
            if let Some(id) = &progress.task_id
                && !places.contains_key(id.value.as_str())
            {
                places.insert(&id.value, add(&mut new, &id.value, None, true));
            }
        }
        let mut edges = HashSet::new();
        for plan in plans {
            let Some(own) = plan.task_id.as_ref().and_then(|id| places.get(id.value.as_str()).copied()) else {
                continue;
            };
            let others = plan.requires.iter().map(|id| (id, true)).chain(plan.blocks.iter().map(|id| (id, false)));
            for (id, is_before) in others {
                let other = *places.entry(&id.value).or_insert_with(|| add(&mut new, &id.value, None, false));
                edges.insert(if is_before { (other, own) } else { (own, other) });
            }
        }
        new.edges = edges.into_iter().collect();
        new.edges.sort_unstable();
        new.mark_waiting();
        new.sort();
        new
    }

    /// Tells the tasks that can begin from those that wait for others.
    fn mark_waiting(&mut self) {
        let is_done =
            |tasks: &[Task], at: usize| tasks.get(at).is_some_and(|task| task.node.state == NodeState::Completed);
        for (before, task) in &self.edges {
            if !is_done(&self.tasks, *before)
                && let Some(task) = self.tasks.get_mut(*task).filter(|task| task.node.state == NodeState::Ready)
            {
                task.node.state = NodeState::Waiting;
            }
        }
    }

    /// Puts each task after those that it waits for; of tasks that do not wait for each other, `task_2` comes before `task_10`.
    fn sort(&mut self) {
        let graph = self.graph(String::new());
        let closing = graph.closing();
        let mut before: Vec<usize> = vec![0; self.tasks.len()];
        for (_, to) in self.edges.iter().filter(|edge| !closing.contains(edge)) {
            before.get_mut(*to).into_iter().for_each(|count| *count += 1);
        }
        let after = graph.after();
        let key = |at: usize| Reverse((self.tasks.get(at).map(|task| natural(&task.node.id)), at));
        let free = before.iter().enumerate().filter(|(_, count)| **count == 0);
        let mut free: BinaryHeap<_> = free.map(|(at, _)| key(at)).collect();
        let mut order = Vec::with_capacity(self.tasks.len());
        while let Some(Reverse((_, at))) = free.pop() {
            order.push(at);
            for next in after.get(at).into_iter().flatten().filter(|next| !closing.contains(&(at, **next))) {
                let Some(count) = before.get_mut(*next) else { continue };
                *count -= 1;
                if *count == 0 {
                    free.push(key(*next));
                }
            }
        }
        let mut places = vec![0; order.len()];
        for (place, at) in order.iter().enumerate() {
            places.get_mut(*at).into_iter().for_each(|own| *own = place);
        }
        let place = |at: usize| places.get(at).copied().unwrap_or(at);
        self.edges = self.edges.iter().map(|(from, to)| (place(*from), place(*to))).collect();
        self.edges.sort_unstable();
        self.tasks = order.iter().filter_map(|at| self.tasks.get(*at).cloned()).collect();
    }

    /// The graph of the tasks.
    pub fn graph(&self, title: String) -> Graph {
        Graph { title, nodes: self.tasks.iter().map(|task| task.node.clone()).collect(), edges: self.edges.clone() }
    }

    /// How many tasks are in `state`.
    pub fn count(&self, state: NodeState) -> usize {
        self.tasks.iter().filter(|task| task.node.state == state).count()
    }
}

/// The parts of `id`, for comparing: digits are numbers, so that `2` comes before `10`.
fn natural(id: &str) -> Vec<(u128, String)> {
    let mut parts = Vec::new();
    let mut rest = id;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, behind) = rest.split_at(text);
        let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        let (digits, behind) = behind.split_at(digits);
        parts.push((0, text.to_owned()));
        parts.push((digits.parse().unwrap_or(u128::MAX), String::new()));
        rest = behind;
    }
    parts
}

impl Task {
    fn new(id: &str, agent: Option<&Field<Agent>>, progress: Option<&Progress>, is_there: bool) -> Self {
        let state = match progress.and_then(|progress| Some(progress.status.as_ref()?.value)) {
            Some(TaskState::Completed) => NodeState::Completed,
            Some(TaskState::InProgress) => NodeState::InProgress,
            Some(TaskState::Blocked) => NodeState::Blocked,
            Some(TaskState::Pending) | None if is_there => NodeState::Ready,
            Some(TaskState::Pending) | None => NodeState::Missing,
        };
        let agent = agent.or_else(|| progress?.agent.as_ref()).map(|agent| agent.value.clone());
        let percentage = progress.and_then(|progress| Some(progress.percentage.as_ref()?.value));
        Self {
            node: Node { id: id.to_owned(), agent: agent.as_ref().map(Agent::to_string), state, percentage },
            agent,
            blockers: progress.map(|progress| progress.blockers.clone()).unwrap_or_default(),
        }
    }
}
