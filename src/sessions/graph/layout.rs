//! Where everything is in the picture: layers from left to right, in each of them tasks from top to bottom.
//!
//! An edge that leads over layers gets a place in each of them, so that it does not run through tasks. Tasks without any edge are
//! in rows below.

use std::collections::HashSet;

use super::{Graph, order};

/// The size of a task, in pixels.
pub(super) const BOX: (i64, i64) = (210, 58);
/// From one layer to the next.
const STEP: i64 = BOX.0 + 70;
/// Between two tasks of a layer, and around the picture.
const GAP: i64 = 18;
/// The height of the place of an edge in a layer that it leads over.
const LANE: i64 = 12;
/// Where more places than this would be needed, long edges are straight.
const MOST_LANES: usize = 20_000;
/// How often the heights are evened out.
const ROUNDS: usize = 12;

/// The picture.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Its width and height.
    pub(super) size: (i64, i64),
    /// The left upper corner of each task.
    pub(super) boxes: Vec<(i64, i64)>,
    /// The edges.
    pub(super) edges: Vec<Edge>,
}

/// An edge of the picture.
#[derive(Debug)]
pub(super) struct Edge {
    /// The points that it passes, from the first task to the second.
    pub(super) points: Vec<(i64, i64)>,
    /// Whether it closes a circle.
    pub(super) closes: bool,
}

/// A task, or the place of an edge in a layer.
#[derive(Clone, Copy, Debug, Default)]
struct Item {
    layer: usize,
    /// Its middle.
    y: i64,
    height: i64,
}

/// Where everything in `graph` is; the picture begins `top` pixels below its upper edge.
pub(super) fn of(graph: &Graph, top: i64) -> Layout {
    let (closing, layer_of) = (graph.closing(), graph.layers());
    let linked: HashSet<usize> = graph.edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let mut items: Vec<Item> = layer_of.iter().map(|layer| Item { layer: *layer, y: 0, height: BOX.1 }).collect();
    let forwards: Vec<(usize, usize)> = graph.edges.iter().copied().filter(|edge| !closing.contains(edge)).collect();
    let layer = |node: usize| layer_of.get(node).copied().unwrap_or(0);
    let lanes: usize = forwards.iter().map(|(from, to)| layer(*to).saturating_sub(layer(*from) + 1)).sum();
    let mut ways: Vec<Vec<usize>> = Vec::with_capacity(forwards.len());
    for (from, to) in &forwards {
        let mut way = vec![*from];
        if lanes <= MOST_LANES {
            for layer in layer(*from) + 1..layer(*to) {
                way.push(items.len());
                items.push(Item { layer, y: 0, height: LANE });
            }
        }
        way.push(*to);
        ways.push(way);
    }
    let (mut before, mut behind) = (vec![Vec::new(); items.len()], vec![Vec::new(); items.len()]);
    for (from, to) in ways.iter().flat_map(|way| way.iter().zip(way.iter().skip(1))) {
        push(&mut behind, *from, *to);
        push(&mut before, *to, *from);
    }
    let count = items.iter().map(|item| item.layer + 1).max().unwrap_or(0);
    let mut columns = vec![Vec::new(); count];
    for (at, item) in items.iter().enumerate() {
        if at >= graph.nodes.len() || linked.contains(&at) {
            push(&mut columns, item.layer, at);
        }
    }
    columns.retain(|column| !column.is_empty());
    order::sort(&mut columns, &before, &behind);
    even_out(&columns, &mut items, (&before, &behind));
    draw(graph, &linked, &items, &forwards, &ways, &closing, top)
}

/// Gives each item a height near those of its neighbours, in the order of its column.
fn even_out(columns: &[Vec<usize>], items: &mut [Item], (before, behind): (&[Vec<usize>], &[Vec<usize>])) {
    for column in columns {
        place(column, items, |_, _| 0);
    }
    for round in 0..ROUNDS {
        let neighbours = if round % 2 == 0 { before } else { behind };
        let wish = |item: usize, items: &[Item]| {
            let y = |item: &usize| items.get(*item).map_or(0, |item| item.y);
            let all = neighbours.get(item).map(Vec::as_slice).unwrap_or_default();
            match i64::try_from(all.len()) {
                Ok(count) if count > 0 => all.iter().map(y).sum::<i64>() / count,
                _ => y(&item),
            }
        };
        let count = columns.len();
        for at in 0..count {
            let column = columns.get(if round % 2 == 0 { at } else { count - 1 - at });
            place(column.map(Vec::as_slice).unwrap_or_default(), items, wish);
        }
    }
}

/// Places the items of a column as near to their wishes as their order lets them.
fn place(column: &[usize], items: &mut [Item], wish: impl Fn(usize, &[Item]) -> i64) {
    let wishes: Vec<i64> = column.iter().map(|item| wish(*item, items)).collect();
    let half = |item: &usize| items.get(*item).map_or(0, |item| item.height / 2);
    // As far up as the ones above let it, and as far down as the ones below let it: between the two there is room for all.
    let mut low = Vec::with_capacity(column.len());
    let mut end = i64::MIN / 2;
    for (item, wish) in column.iter().zip(&wishes) {
        let y = (*wish).max(end + half(item));
        end = y + half(item) + GAP;
        low.push(y);
    }
    let mut high = Vec::with_capacity(column.len());
    let mut start = i64::MAX / 2;
    for (item, wish) in column.iter().zip(&wishes).rev() {
        let y = (*wish).min(start - half(item));
        start = y - half(item) - GAP;
        high.push(y);
    }
    for ((item, low), high) in column.iter().zip(low).zip(high.into_iter().rev()) {
        if let Some(item) = items.get_mut(*item) {
            item.y = i64::midpoint(low, high);
        }
    }
}

fn draw(
    graph: &Graph,
    linked: &HashSet<usize>,
    items: &[Item],
    forwards: &[(usize, usize)],
    ways: &[Vec<usize>],
    closing: &HashSet<(usize, usize)>,
    top: i64,
) -> Layout {
    let lanes = items.iter().skip(graph.nodes.len());
    let shown = items.iter().enumerate().filter(|(at, _)| linked.contains(at)).map(|(_, item)| item).chain(lanes);
    let (mut first, mut last) = (i64::MAX, i64::MIN);
    let mut columns = 0;
    for item in shown {
        first = first.min(item.y - item.height / 2);
        last = last.max(item.y + item.height / 2);
        columns = columns.max(item.layer + 1);
    }
    let height = if linked.is_empty() { 0 } else { last - first + GAP };
    let left = |layer: usize| GAP + STEP * number(layer);
    let mut boxes = Vec::with_capacity(graph.nodes.len());
    // At least a screen wide.
    let width = columns.max(4);
    let mut alone = 0;
    for (at, item) in items.iter().take(graph.nodes.len()).enumerate() {
        boxes.push(if linked.contains(&at) {
            (left(item.layer), top + item.y - item.height / 2 - first)
        } else {
            let place = (alone % width, alone / width);
            alone += 1;
            (left(place.0), top + height + number(place.1) * (BOX.1 + GAP))
        });
    }
    let corner = |node: usize| boxes.get(node).copied().unwrap_or_default();
    let mut edges = Vec::with_capacity(graph.edges.len());
    for ((from, to), way) in forwards.iter().zip(ways) {
        let (start, end) = (corner(*from), corner(*to));
        let mut points = vec![(start.0 + BOX.0, start.1 + BOX.1 / 2)];
        for lane in way.iter().skip(1).take(way.len().saturating_sub(2)).filter_map(|item| items.get(*item)) {
            let (x, y) = (left(lane.layer), top + lane.y - first);
            points.extend([(x, y), (x + BOX.0, y)]);
        }
        points.push((end.0, end.1 + BOX.1 / 2));
        edges.push(Edge { points, closes: false });
    }
    // In the order of the graph, so that two runs draw the same.
    for (from, to) in graph.edges.iter().filter(|edge| closing.contains(edge)) {
        let (start, end) = (corner(*from), corner(*to));
        let points = vec![(start.0 + BOX.0 / 2, start.1 + BOX.1), (end.0 + BOX.0 / 2, end.1 + BOX.1)];
        edges.push(Edge { points, closes: true });
    }
    let rows = alone.div_ceil(width);
    let used = if alone == 0 { columns } else { columns.max(alone.min(width)) };
    let bottom = top + height + number(rows) * (BOX.1 + GAP);
    let low = edges.iter().filter(|edge| edge.closes).map(Edge::bottom).max().unwrap_or(0);
    Layout { size: (left(used.max(1)) - (STEP - BOX.0) + GAP, bottom.max(low + GAP)), boxes, edges }
}

impl Edge {
    /// How far down the curve of an edge reaches that closes a circle.
    pub(super) fn bottom(&self) -> i64 {
        self.points.iter().map(|(_, y)| *y).max().unwrap_or(0) + 24
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX / STEP)
}

fn push(all: &mut [Vec<usize>], at: usize, value: usize) {
    if let Some(list) = all.get_mut(at) {
        list.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::graph::{Node, NodeState};

    fn graph(count: usize, edges: Vec<(usize, usize)>) -> Graph {
        let node = |at: usize| Node { id: at.to_string(), agent: None, state: NodeState::Ready, percentage: None };
        Graph { title: String::new(), nodes: (0..count).map(node).collect(), edges }
    }

    /// Edges of every length; some close circles.
    fn tangled(count: usize) -> Graph {
        let mut edges: Vec<(usize, usize)> = (0..count).map(|at| (at * 7 % count, at * 13 % count)).collect();
        edges.extend((8..count).map(|at| (at - 1 - at % 8, at)));
        edges.sort_unstable();
        edges.dedup();
        graph(count + 5, edges)
    }

    fn assert_readable(graph: &Graph) {
        let layout = of(graph, 70);
        assert_eq!(layout.boxes.len(), graph.nodes.len());
        assert_eq!(layout.edges.len(), graph.edges.len());
        let mut boxes = layout.boxes.clone();
        for (x, y) in &boxes {
            assert!(
                *x >= 0 && *y >= 70 && x + BOX.0 <= layout.size.0 && y + BOX.1 <= layout.size.1,
                "{x} {y} {:?}",
                layout.size
            );
        }
        boxes.sort_unstable();
        for two in boxes.windows(2) {
            assert!(two[0].0 != two[1].0 || two[0].1 + BOX.1 < two[1].1, "{two:?} overlap");
        }
        let straight = layout.edges.iter().filter(|edge| !edge.closes);
        for points in straight.flat_map(|edge| edge.points.windows(2)) {
            assert!(points[0].0 < points[1].0, "an edge leads back: {points:?}");
            // A part that is as wide as a task runs between tasks.
            let is_over = |(x, y): &(i64, i64)| *x == points[0].0 && (*y..=y + BOX.1).contains(&points[0].1);
            assert!(
                points[1].0 - points[0].0 != BOX.0 || !layout.boxes.iter().any(is_over),
                "{points:?} runs through a task"
            );
        }
    }

    #[test]
    fn tasks_do_not_overlap_and_edges_run_between_them() {
        for graph in [
            graph(0, vec![]),
            graph(1, vec![]),
            graph(30, vec![]),
            graph(1, vec![(0, 0)]),
            graph(2, vec![(0, 1), (1, 0)]),
            graph(5, vec![(0, 1), (1, 2), (2, 3), (0, 3), (3, 1)]),
            tangled(60),
            tangled(300),
        ] {
            assert_readable(&graph);
        }
    }

    #[test]
    fn large_graphs_are_drawn() {
        let chain = |count: usize| (1..count).map(|at| (at - 1, at)).collect::<Vec<_>>();
        let star = |count: usize| (1..count).map(|at| (0, at)).collect::<Vec<_>>();
        for edges in [chain(5_000), star(5_000), [chain(1_000), star(1_000)].concat()] {
            let layout = of(&graph(5_000, edges), 70);
            assert_eq!(layout.boxes.len(), 5_000);
        }
        assert_eq!(of(&tangled(1_000), 70).boxes.len(), 1_005);
    }
}
