//! How a session is, for people.

use std::collections::HashSet;
use std::io::{self, Write};

use super::{Status, Wait, Why};
use crate::formats::session::field::GateState;
use crate::formats::timestamp::Timestamp;
use crate::sessions::clock::lasted;
use crate::sessions::folder::has_ended;
use crate::sessions::graph::{Graph, NodeState};
use crate::sessions::locks::Lock;
use crate::sessions::tasks::Task;
use crate::terminal::{display_path, escape};

/// Deeper tasks are not indented further.
const DEEPEST: usize = 16;

/// Writes it.
///
/// # Errors
/// What the writer says.
pub fn write(status: &Status, out: &mut dyn Write) -> io::Result<()> {
    head(status, out)?;
    tasks(status, out)?;
    waits(status, out)?;
    locks(status, out)?;
    if !status.unreadable.is_empty() {
        writeln!(out, "\ncannot be read")?;
        for (path, reason) in &status.unreadable {
            writeln!(out, "  {}: {}", display_path(path.as_bytes()), escape(reason))?;
        }
    }
    Ok(())
}

fn head(status: &Status, out: &mut dyn Write) -> io::Result<()> {
    let has_unreadable = || status.unreadable.iter().any(|(path, _)| path.starts_with("session-status."));
    let state = match status.state {
        Some(state) => state.as_str(),
        None if has_unreadable() => "status cannot be read",
        None if status.has_status => "status unknown",
        None => "no status",
    };
    let phase = status.phase.map(|phase| format!(", phase {}", phase.as_str())).unwrap_or_default();
    let (word, end) = match status.state.is_some_and(has_ended) {
        true => ("after", status.ended_at),
        false => ("for", Some(status.now)),
    };
    let since = status.started_at.zip(end).map(|(from, to)| format!(", {word} {}", lasted(from, to)));
    let since = since.unwrap_or_default();
    writeln!(out, "session {}: {state}{phase}{since}", status.name)?;
    writeln!(out, "{}", display_path(status.path.as_os_str().as_encoded_bytes()))?;
    if !status.gates.is_empty() {
        let gate = |(name, state): &(String, Option<GateState>)| {
            let state = state.map_or("?", |state| state.as_str()).replace('_', " ");
            format!("{} {state}", escape(name))
        };
        writeln!(out, "\ngates   {}", status.gates.iter().map(gate).collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

/// The tasks: each below the one that it waits for.
fn tasks(status: &Status, out: &mut dyn Write) -> io::Result<()> {
    let all = &status.tasks;
    if all.tasks.is_empty() {
        return writeln!(out, "\ntasks   none");
    }
    let counts = NodeState::ALL.into_iter().map(|state| (state, all.count(state))).filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts.map(|(state, count)| format!("{count} {}", state.words())).collect();
    let said = match status.counted {
        (Some(completed), Some(total)) => format!(" (the status says {completed} of {total} completed)"),
        _ => String::new(),
    };
    writeln!(out, "\ntasks   {}{said}", counts.join(", "))?;
    let rows = rows(&all.graph(String::new()));
    let width =
        rows.iter().map(|row| row.branch.chars().count() + name(&all.tasks, row.at).chars().count()).max().unwrap_or(0);
    let width = width.min(60);
    for row in rows {
        let Some(task) = all.tasks.get(row.at) else { continue };
        let name = format!("{}{}", row.branch, escape(&task.node.id));
        let state = match (task.node.state, task.node.percentage) {
            (state @ (NodeState::InProgress | NodeState::Blocked), Some(percentage)) => {
                format!("{} {percentage} %", state.words())
            }
            (state, _) => state.words().to_owned(),
        };
        let agent = task.node.agent.as_deref().map(escape).unwrap_or_default();
        let more: Vec<String> = row.also.iter().map(|at| self::name(&all.tasks, *at)).collect();
        let more = if more.is_empty() { String::new() } else { format!("  also after {}", more.join(", ")) };
        let circle = if row.in_circle { "  in a cycle" } else { "" };
        writeln!(out, "{}", format!("  {name:width$}  {state:18}  {agent}{more}{circle}").trim_end())?;
    }
    Ok(())
}

fn name(tasks: &[Task], at: usize) -> String {
    tasks.get(at).map(|task| escape(&task.node.id)).unwrap_or_default()
}

/// A line of the tree.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    /// The place of the task.
    at: usize,
    /// What is before its name.
    branch: String,
    /// Other tasks that come before it.
    also: Vec<usize>,
    /// Whether an edge of it closes a circle.
    in_circle: bool,
}

/// The lines of the tree: each task once, below the last task that it waits for, so that all of these are above it.
fn rows(graph: &Graph) -> Vec<Row> {
    let closing = graph.closing();
    let before = graph.before();
    let circle: HashSet<usize> = closing.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let open = |of: usize| {
        let all = before.get(of).into_iter().flatten().copied();
        all.filter(|other| !closing.contains(&(*other, of))).collect::<Vec<usize>>()
    };
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    let layers = graph.layers();
    order.sort_by_key(|at| layers.get(*at));
    // A later task does not change the order of the earlier ones.
    let mut tree = Tree::new(graph.nodes.len());
    for at in order {
        let parent = open(at).into_iter().reduce(|one, other| if tree.is_before(one, other) { other } else { one });
        tree.add(at, parent);
    }
    let parent_of = |at: usize| tree.places.get(at).and_then(|place| place.parent);
    let children = |of: usize| tree.children.get(of).cloned().unwrap_or_default();
    let roots = tree.roots.iter().copied();
    let mut rows = Vec::new();
    let mut waiting: Vec<(usize, String, String)> = roots.rev().map(|at| (at, String::new(), String::new())).collect();
    while let Some((at, branch, below)) = waiting.pop() {
        let children = children(at);
        for (number, child) in children.iter().enumerate().rev() {
            let is_last = number + 1 == children.len();
            let (own, next) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let is_deep = below.chars().count() >= DEEPEST * 3;
            let next = if is_deep { below.clone() } else { format!("{below}{next}") };
            waiting.push((*child, format!("{below}{own}"), next));
        }
        let parent = parent_of(at);
        let also = open(at).into_iter().filter(|other| Some(*other) != parent).collect();
        rows.push(Row { at, branch, also, in_circle: circle.contains(&at) });
    }
    rows
}

/// The tasks as a forest, each with its place in it.
struct Tree {
    roots: Vec<usize>,
    children: Vec<Vec<usize>>,
    places: Vec<InTree>,
}

/// The place of a task in the forest.
#[derive(Clone, Copy, Default)]
struct InTree {
    parent: Option<usize>,
    /// How many children its parent had before it.
    number: usize,
    depth: usize,
}

impl Tree {
    fn new(count: usize) -> Self {
        Self { roots: Vec::new(), children: vec![Vec::new(); count], places: vec![InTree::default(); count] }
    }

    /// Adds a task, after all that is below `parent`.
    fn add(&mut self, at: usize, parent: Option<usize>) {
        let depth = parent.map_or(0, |parent| self.place(parent).depth + 1);
        let siblings = parent.map_or(Some(&mut self.roots), |parent| self.children.get_mut(parent));
        if let Some((siblings, place)) = siblings.zip(self.places.get_mut(at)) {
            *place = InTree { parent, number: siblings.len(), depth };
            siblings.push(at);
        }
    }

    fn place(&self, at: usize) -> InTree {
        self.places.get(at).copied().unwrap_or_default()
    }

    /// Whether `one` is shown above `other`.
    fn is_before(&self, one: usize, other: usize) -> bool {
        let (mut low, mut high) = (self.place(one), self.place(other));
        let is_deeper = low.depth > high.depth;
        let up = |place: InTree| place.parent.map_or(place, |parent| self.place(parent));
        let (mut own, mut others) = (one, other);
        while low.depth > high.depth {
            (own, low) = (low.parent.unwrap_or(own), up(low));
        }
        while high.depth > low.depth {
            (others, high) = (high.parent.unwrap_or(others), up(high));
        }
        if own == others {
            return !is_deeper;
        }
        while low.parent != high.parent {
            (low, high) = (up(low), up(high));
        }
        low.number < high.number
    }
}

fn waits(status: &Status, out: &mut dyn Write) -> io::Result<()> {
    let now = status.now;
    let (overdue, others): (Vec<&Wait>, Vec<&Wait>) = status.waits.iter().partition(|wait| wait.is_overdue(now));
    for (title, waits) in [("overdue", overdue), ("waiting", others)] {
        if !waits.is_empty() {
            writeln!(out, "\n{title}")?;
        }
        for Wait { who, whom, why } in waits {
            let (who, whom) = (escape(who), escape(whom));
            let line = match why {
                Why::Task { task, before, state } => {
                    format!("{who} waits for {whom}: {} needs {} ({})", escape(task), escape(before), state.words())
                }
                Why::Blocker { task, description, since } => {
                    let why = description.as_deref().map_or_else(|| "blocked".to_owned(), escape);
                    let since = since.map(|since| format!(", for {}", lasted(since, now))).unwrap_or_default();
                    format!("{who} waits for {whom}: {} is blocked{since}: {why}", escape(task))
                }
                Why::Answer { kind, subject, by } => {
                    let kind = kind.map_or("message", |kind| kind.as_str());
                    let subject =
                        subject.as_deref().map(|text| format!(" {}", escape(text.trim()))).unwrap_or_default();
                    let by = by.map(|by| format!(", {}", due(by, now))).unwrap_or_default();
                    format!("{who} waits for {whom}: {kind}{subject}{by}")
                }
                Why::Lock { file } => format!("{who} waits for {whom}: lock on {}", display_path(file.as_bytes())),
            };
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

fn due(by: Timestamp, now: Timestamp) -> String {
    match by.unix() < now.unix() {
        true => format!("due {} ago", lasted(by, now)),
        false => format!("due in {}", lasted(now, by)),
    }
}

/// A lock that was made so many seconds after now was made by another clock.
const SKEW: i64 = 5;

fn locks(status: &Status, out: &mut dyn Write) -> io::Result<()> {
    if status.locks.is_empty() && status.unreadable_locks.is_empty() {
        return Ok(());
    }
    let now = status.now;
    let expired = status.locks.iter().filter(|(lock, _)| lock.is_expired(now)).count();
    let held = status.locks.len() - expired;
    writeln!(out, "\nlocks   {held} held, {expired} expired")?;
    let named = |lock: &Lock| (display_path(lock.file.as_bytes()), escape(&lock.locked_by.to_string()));
    let mut widths = (0, 0);
    for (file, holder) in status.locks.iter().map(|(lock, _)| named(lock)) {
        widths = (widths.0.max(file.chars().count()), widths.1.max(holder.chars().count()));
    }
    for (lock, waiting) in &status.locks {
        let (file, holder) = named(lock);
        let left = match lock.is_expired(now) {
            true => format!("expired {} ago", lasted(lock.expires_at, now)),
            false => format!("{} more", lasted(now, lock.expires_at)),
        };
        let task = lock.task_id.as_deref().map(|task| format!(", {}", escape(task))).unwrap_or_default();
        let skew = lock.locked_at.map_or(0, |at| at.unix().saturating_sub(now.unix()));
        let skew = match skew > SKEW {
            true => {
                let ahead = lasted(now, now.plus_seconds(skew));
                format!(", locked {ahead} in the future by another clock")
            }
            false => String::new(),
        };
        let waiting = if waiting.is_empty() { String::new() } else { format!(", {} waiting", waiting.len()) };
        let (wide, narrow) = (widths.0.min(60), widths.1.min(40));
        writeln!(out, "  {file:wide$}  {holder:narrow$}  {left}{task}{waiting}{skew}")?;
    }
    for lock in &status.unreadable_locks {
        writeln!(out, "  {}: {}", lock.shown(), escape(&lock.reason))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::graph::Node;

    fn graph(count: usize, edges: &[(usize, usize)]) -> Graph {
        let node = |at: usize| Node { id: at.to_string(), agent: None, state: NodeState::Ready, percentage: None };
        Graph { title: String::new(), nodes: (0..count).map(node).collect(), edges: edges.to_vec() }
    }

    fn drawn(graph: &Graph) -> Vec<String> {
        rows(graph).iter().map(|row| format!("{}{}", row.branch, row.at)).collect()
    }

    #[test]
    fn each_task_is_below_the_last_one_that_it_waits_for() {
        let graph = graph(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (1, 2)]);
        assert_eq!(drawn(&graph), ["0", "└─ 1", "   └─ 2", "      └─ 3", "4"]);
        assert_eq!(rows(&graph)[3].also, [1]);
    }

    #[test]
    fn all_that_a_task_waits_for_is_above_it() {
        // Each task may wait for those before it; the numbers come from a simple generator.
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 40).unwrap()
        };
        for count in 2..40 {
            let edges: HashSet<(usize, usize)> = (0..count).map(|_| (next() % count, next() % count)).collect();
            let mut edges: Vec<_> = edges.into_iter().filter(|(from, to)| from < to).collect();
            edges.sort_unstable();
            let graph = graph(count, &edges);
            let order: Vec<usize> = rows(&graph).iter().map(|row| row.at).collect();
            assert_eq!(order.iter().collect::<HashSet<_>>().len(), count);
            let place = |at: usize| order.iter().position(|own| *own == at).unwrap();
            assert!(edges.iter().all(|(from, to)| place(*from) < place(*to)), "{edges:?}: {order:?}");
        }
    }

    #[test]
    fn circles_have_a_beginning() {
        let graph = graph(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(drawn(&graph), ["0", "└─ 1", "   └─ 2"]);
        assert!(rows(&graph)[0].in_circle && rows(&graph)[2].in_circle);
    }

    #[test]
    fn a_long_chain_stays_narrow() {
        let count = 2_000;
        let edges: Vec<(usize, usize)> = (1..count).map(|at| (at - 1, at)).collect();
        let drawn = drawn(&graph(count, &edges));
        assert_eq!(drawn.len(), count);
        assert!(drawn.iter().all(|line| line.chars().count() < 60));
    }
}
