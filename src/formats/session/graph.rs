//! Which task waits for which one.

use std::collections::{HashMap, VecDeque};

use super::field::Field;
use super::model::Plan;
use crate::text::suggest::{Tolerance, nearest};

/// How many names a misspelt one is compared with: each costs, for each that is misspelt.
pub(super) const COMPARED_MAX: usize = 200;

/// The tasks of a session by the places of their plans, and the order that `requires` and `blocks` ask for.
#[derive(Clone, Debug, Default)]
pub struct TaskGraph {
    by_id: HashMap<String, usize>,
    /// The tasks that must be complete before each one, sorted.
    before: Vec<Vec<usize>>,
    /// The tasks that wait for each one, sorted.
    after: Vec<Vec<usize>>,
}

impl TaskGraph {
    /// The graph of `plans`. Of two plans of one task the first one counts; a dependency on a task without a plan is left out.
    pub fn new(plans: &[&Plan]) -> Self {
        let mut graph = Self {
            by_id: HashMap::with_capacity(plans.len()),
            before: vec![Vec::new(); plans.len()],
            after: vec![Vec::new(); plans.len()],
        };
        for (at, plan) in plans.iter().enumerate() {
            if let Some(id) = &plan.task_id {
                graph.by_id.entry(id.value.clone()).or_insert(at);
            }
        }
        for (at, plan) in plans.iter().enumerate() {
            for id in &plan.requires {
                graph.add(graph.task(&id.value), Some(at));
            }
            for id in &plan.blocks {
                graph.add(Some(at), graph.task(&id.value));
            }
        }
        for tasks in graph.before.iter_mut().chain(&mut graph.after) {
            tasks.sort_unstable();
            tasks.dedup();
        }
        graph
    }

    fn add(&mut self, first: Option<usize>, then: Option<usize>) {
        let Some((first, then)) = first.zip(then) else { return };
        self.before.get_mut(then).into_iter().for_each(|tasks| tasks.push(first));
        self.after.get_mut(first).into_iter().for_each(|tasks| tasks.push(then));
    }

    /// The plan of the task with that ID.
    pub fn task(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The ID that `id`, which no task has, is probably meant for; not the one of the task `own`, which does not wait for itself. None
    /// if there are too many to compare.
    pub fn meant(&self, id: &str, own: Option<&str>) -> Option<&str> {
        if self.by_id.len() > COMPARED_MAX {
            return None;
        }
        let ids = self.by_id.keys().map(String::as_str);
        let may_be = ids.filter(|other| Some(*other) != own && !is_other_number(id, other));
        nearest(id, may_be, Tolerance::Help)
    }

    /// The tasks that must be complete before `task`.
    pub fn before(&self, task: usize) -> &[usize] {
        self.before.get(task).map_or(&[], Vec::as_slice)
    }

    /// The tasks that wait for `task`.
    pub fn after(&self, task: usize) -> &[usize] {
        self.after.get(task).map_or(&[], Vec::as_slice)
    }

    /// For each task, whether it comes before or after `task`, through any number of others, or is `task` itself.
    pub fn ordered(&self, task: usize) -> Vec<bool> {
        let mut ordered = vec![false; self.before.len()];
        for next in [Self::before, Self::after] {
            let mut seen = vec![false; self.before.len()];
            let mut open = vec![task];
            while let Some(at) = open.pop() {
                let Some(seen) = seen.get_mut(at).filter(|seen| !**seen) else { continue };
                *seen = true;
                open.extend(next(self, at));
            }
            ordered.iter_mut().zip(seen).for_each(|(ordered, seen)| *ordered |= seen);
        }
        ordered
    }

    /// Tasks that wait for each other in a circle: each list is a shortest circle of its tasks. Each one waits for the
    /// next, and the last for the first. Tasks that are in several circles come once.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let mut cycles: Vec<Vec<usize>> = self.knots().iter().filter_map(|knot| self.cycle_in(knot)).collect();
        cycles.sort_unstable();
        cycles
    }

    /// The sets of tasks that lead to each other (Tarjan's strongly connected components), without single tasks.
    fn knots(&self) -> Vec<Vec<usize>> {
        const NEW: usize = usize::MAX;
        let count = self.before.len();
        let (mut number, mut low, mut on_stack) = (vec![NEW; count], vec![NEW; count], vec![false; count]);
        let (mut stack, mut knots, mut next) = (Vec::new(), Vec::new(), 0);
        for start in 0..count {
            if number.get(start) != Some(&NEW) {
                continue;
            }
            // The task, and how many of its neighbours were examined.
            let mut way = vec![(start, 0)];
            while let Some(&mut (task, ref mut looked)) = way.last_mut() {
                if *looked == 0
                    && let (Some(number), Some(low), Some(on_stack)) =
                        (number.get_mut(task), low.get_mut(task), on_stack.get_mut(task))
                {
                    (*number, *low, *on_stack) = (next, next, true);
                    next += 1;
                    stack.push(task);
                }
                let neighbour = self.before(task).get(*looked).copied();
                *looked += 1;
                if let Some(other) = neighbour {
                    if number.get(other) == Some(&NEW) {
                        way.push((other, 0));
                    } else if on_stack.get(other) == Some(&true) {
                        lower(&mut low, task, number.get(other).copied());
                    }
                    continue;
                }
                way.pop();
                let own = low.get(task).copied();
                if let Some(&(parent, _)) = way.last() {
                    lower(&mut low, parent, own);
                }
                if own == number.get(task).copied() {
                    let first = stack.iter().rposition(|other| *other == task).unwrap_or(0);
                    let mut knot = stack.split_off(first);
                    for task in &knot {
                        if let Some(on_stack) = on_stack.get_mut(*task) {
                            *on_stack = false;
                        }
                    }
                    knot.sort_unstable();
                    if knot.len() > 1 || self.before(task).contains(&task) {
                        knots.push(knot);
                    }
                }
            }
        }
        knots
    }

    /// A shortest circle through the first task of `knot`.
    fn cycle_in(&self, knot: &[usize]) -> Option<Vec<usize>> {
        let start = *knot.first()?;
        let mut from: HashMap<usize, usize> = HashMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(task) = open.pop_front() {
            for &next in self.before(task).iter().filter(|next| knot.binary_search(next).is_ok()) {
                if next == start {
                    let mut cycle = vec![task];
                    while let Some(before) = cycle.last().filter(|last| **last != start).and_then(|last| from.get(last))
                    {
                        cycle.push(*before);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                from.entry(next).or_insert_with(|| {
                    open.push_back(next);
                    task
                });
            }
        }
        None
    }
}

/// Whether two IDs differ only in their numbers, as `task_002` and `task_003` do, which are two tasks. `task_2` and `task_002` have
/// the same number.
fn is_other_number(one: &str, other: &str) -> bool {
    words(one).eq(words(other)) && !numbers(one).eq(numbers(other))
}

/// The letters of `id` in lower case.
fn words(id: &str) -> impl Iterator<Item = char> {
    let plain = id.chars().filter(|c| !c.is_ascii_digit() && !matches!(c, '-' | '_' | ' '));
    plain.flat_map(char::to_lowercase)
}

/// The numbers in `id`, without zeros before them.
fn numbers(id: &str) -> impl Iterator<Item = &str> {
    let numbers = id.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    numbers.map(|number| number.trim_start_matches('0'))
}

fn lower(low: &mut [usize], task: usize, to: Option<usize>) {
    if let (Some(low), Some(to)) = (low.get_mut(task), to) {
        *low = to.min(*low);
    }
}

/// Whether two tasks have an order, asked many times.
#[derive(Debug)]
pub struct Orders<'g> {
    graph: &'g TaskGraph,
    known: HashMap<usize, Vec<bool>>,
}

/// Of how many tasks the order is remembered: each takes a byte for every task.
const ORDERS_MAX: usize = 256;

impl<'g> Orders<'g> {
    /// Those of `graph`.
    pub fn new(graph: &'g TaskGraph) -> Self {
        Self { graph, known: HashMap::new() }
    }

    /// Whether one of the two tasks waits for the other one, through any number of others.
    pub fn are_ordered(&mut self, one: usize, other: usize) -> bool {
        let has_none = |task| self.graph.before(task).is_empty() && self.graph.after(task).is_empty();
        if has_none(one) || has_none(other) {
            return one == other;
        }
        if self.known.len() >= ORDERS_MAX && !self.known.contains_key(&one) {
            self.known.clear();
        }
        let ordered = self.known.entry(one).or_insert_with(|| self.graph.ordered(one));
        ordered.get(other).copied().unwrap_or_default()
    }
}

/// The item of `ids` that is `id`.
pub fn find<'i>(ids: &'i [Field<String>], id: &str) -> Option<&'i Field<String>> {
    ids.iter().find(|own| own.value == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;

    fn graph(tasks: &[(&str, &[&str], &[&str])]) -> TaskGraph {
        let field = |text: &str| Field::new(Span::at(0), text.to_owned());
        let fields = |ids: &[&str]| ids.iter().map(|id| field(id)).collect();
        let plan = |(id, requires, blocks): &(&str, &[&str], &[&str])| Plan {
            task_id: Some(field(id)),
            requires: fields(requires),
            blocks: fields(blocks),
            ..Plan::default()
        };
        let plans: Vec<Plan> = tasks.iter().map(plan).collect();
        TaskGraph::new(&plans.iter().collect::<Vec<_>>())
    }

    #[test]
    fn requires_and_blocks_say_the_same() {
        let graph = graph(&[("a", &[], &["c"]), ("b", &["a", "gone"], &[]), ("c", &["a", "b"], &[])]);
        assert_eq!((graph.before(2), graph.after(0)), ([0, 1].as_slice(), [1, 2].as_slice()));
        assert_eq!((graph.task("b"), graph.task("gone")), (Some(1), None));
        assert!(graph.cycles().is_empty());
        assert_eq!(graph.ordered(1), [true, true, true]);
    }

    #[test]
    fn tasks_without_an_order_run_together() {
        let graph = graph(&[("a", &[], &[]), ("b", &["a"], &[]), ("c", &["a"], &[]), ("d", &["b", "c"], &[])]);
        assert_eq!(graph.ordered(1), [true, true, false, true]);
        assert_eq!(graph.ordered(3), [true; 4]);
    }

    #[test]
    fn another_number_is_another_task() {
        let graph = graph(&[("task_001", &[], &[]), ("search", &[], &[]), ("api-v1", &[], &[])]);
        for (id, own, expected) in [
            ("task_0001", None, Some("task_001")),
            ("Task-01", None, Some("task_001")),
            ("tsk_001", None, Some("task_001")),
            ("task_00l", None, Some("task_001")),
            ("task_002", None, None),
            ("task_010", None, None),
            ("TASK-2", None, None),
            ("api-v2", None, None),
            ("serch", None, Some("search")),
            // No task waits for itself.
            ("serch", Some("search"), None),
            ("serch", Some("task_001"), Some("search")),
            ("deploy", None, None),
        ] {
            assert_eq!(graph.meant(id, own), expected, "{id}");
        }
    }

    #[test]
    fn circles_are_found_once() {
        let of = |tasks: &[(&str, &[&str], &[&str])]| graph(tasks).cycles();
        assert_eq!(of(&[("a", &["a"], &[])]), [[0]]);
        assert_eq!(of(&[("a", &["b"], &[]), ("b", &["c"], &[]), ("c", &["a"], &[])]), [[0, 1, 2]]);
        assert_eq!(of(&[("a", &["b"], &["b"]), ("b", &[], &[])]), [[0, 1]]);
        // Two circles with a task in common, and one beside them.
        let two: &[(&str, &[&str], &[&str])] = &[
            ("a", &["b", "c"], &[]),
            ("b", &["a"], &[]),
            ("c", &["d"], &[]),
            ("d", &["a"], &[]),
            ("x", &["y"], &[]),
            ("y", &["x", "a"], &[]),
        ];
        assert_eq!(of(two), [[0, 1], [4, 5]]);
    }

    #[test]
    fn a_long_chain_is_followed() {
        let ids: Vec<String> = (0..20_000).map(|at| format!("t{at}")).collect();
        let field = |text: &str| Field::new(Span::at(0), text.to_owned());
        let plans: Vec<Plan> = (0..ids.len())
            .map(|at| Plan {
                task_id: Some(field(&ids[at])),
                requires: vec![field(&ids[(at + 1) % ids.len()])],
                ..Plan::default()
            })
            .collect();
        assert_eq!(TaskGraph::new(&plans.iter().collect::<Vec<_>>()).cycles().first().map(Vec::len), Some(ids.len()));
    }
}
