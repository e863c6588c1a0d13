//! The globs as one tree of parts, and the way of paths down it.

use std::cmp::Ordering;
use std::collections::HashMap;

use bstr::{BStr, ByteSlice};

use super::glob::{Alternative, Part};
use super::pattern::{Pattern, extension};

/// How many nodes a tree may have: more is nothing that anyone wrote.
const NODES_MAX: usize = 1 << 20;

#[derive(Debug, Default)]
struct Node {
    /// The names that lead on, sorted.
    names: Vec<(Box<[u8]>, u32)>,
    /// A bit for each kind of name among them, see [`kind`]: most names of files are of none of these.
    kinds: [u64; 2],
    /// The patterns that lead on.
    patterns: Patterns,
    /// Where `**` leads.
    any: Option<u32>,
    /// Whether `**` led here, so that any folder leads here again.
    is_any: bool,
    /// The classes of globs that end here; for `**`, they match all that comes below.
    here: Vec<usize>,
    /// Whether a glob ends right below, so that the name of a file counts.
    has_ends: bool,
}

/// Names with wildcards, and where each leads. Few of them are compared with a name: those that begin with a text are found
/// by it, others by their extension.
#[derive(Debug, Default)]
struct Patterns {
    /// By the text they begin with; if there is none, by their extension.
    all: Vec<(Pattern, u32)>,
    /// How many begin with no text, and of these, how many ask for no extension.
    open: usize,
    any_extension: usize,
    /// The texts, sorted.
    starts: Vec<Start>,
}

/// A text with which patterns begin.
#[derive(Debug)]
struct Start {
    text: Box<[u8]>,
    /// The positions of its patterns among all.
    patterns: std::ops::Range<usize>,
    /// The longest of the other texts with which this one begins.
    shorter: Option<usize>,
}

impl Patterns {
    fn sort(&mut self) {
        self.all.sort_by_cached_key(|(pattern, _)| (pattern.start().to_vec(), pattern.extension().map(Vec::from)));
        self.open = self.all.partition_point(|(pattern, _)| pattern.start().is_empty());
        let open = self.all.get(..self.open).unwrap_or_default();
        self.any_extension = open.partition_point(|(pattern, _)| pattern.extension().is_none());
        for (at, (pattern, _)) in self.all.iter().enumerate().skip(self.open) {
            let text = pattern.start();
            if let Some(last) = self.starts.last_mut().filter(|last| *last.text == *text) {
                last.patterns.end = at + 1;
                continue;
            }
            let mut shorter = self.starts.len().checked_sub(1);
            while let Some(start) =
                shorter.and_then(|at| self.starts.get(at)).filter(|start| !text.starts_with(&start.text))
            {
                shorter = start.shorter;
            }
            self.starts.push(Start { text: text.into(), patterns: at..at + 1, shorter });
        }
    }

    fn matching(&self, name: &[u8], mut found: impl FnMut(u32)) {
        let mut compare = |patterns: &[(Pattern, u32)]| {
            for (_, next) in patterns.iter().filter(|(pattern, _)| pattern.matches(name)) {
                found(*next);
            }
        };
        compare(self.all.get(..self.any_extension).unwrap_or_default());
        if self.any_extension < self.open
            && let Some(wanted) = extension(name)
        {
            let others = self.all.get(self.any_extension..self.open).unwrap_or_default();
            compare(equal(others, |pattern| pattern.extension().cmp(&Some(wanted))));
        }
        // All texts with which the name begins are before it, and lead from one to the next.
        let mut at = self.starts.partition_point(|start| *start.text <= *name).checked_sub(1);
        while let Some(start) = at.and_then(|at| self.starts.get(at)) {
            if name.starts_with(&start.text) {
                compare(self.all.get(start.patterns.clone()).unwrap_or_default());
            }
            at = start.shorter;
        }
    }
}

/// A bit for the length of `name`, and one for its last byte.
fn kind(name: &[u8]) -> [u64; 2] {
    [name.len(), name.last().copied().map_or(0, usize::from)].map(|value| 1 << (value % 64))
}

/// The part of `sorted` for which `order` says equal.
fn equal(sorted: &[(Pattern, u32)], order: impl Fn(&Pattern) -> Ordering) -> &[(Pattern, u32)] {
    let rest = sorted.get(sorted.partition_point(|(pattern, _)| order(pattern).is_lt())..).unwrap_or_default();
    rest.get(..rest.partition_point(|(pattern, _)| order(pattern).is_eq())).unwrap_or_default()
}

/// The globs of a team.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// The tree of `globs`, each with the number of its class; they are sorted, and each is there once.
    pub(super) fn new<'a>(globs: impl IntoIterator<Item = (&'a Alternative, usize)>) -> Self {
        let mut tree = Self { nodes: vec![Node::default()] };
        // The nodes on the way to the last glob, and its parts.
        let (mut way, mut last): (Vec<u32>, &[Part]) = (vec![0], &[]);
        for (glob, class) in globs {
            let shared = last.iter().zip(&glob.parts).take_while(|(one, other)| one == other).count();
            way.truncate(shared + 1);
            for part in glob.parts.iter().skip(way.len() - 1) {
                let Some(next) = way.last().and_then(|node| tree.add(*node, part)) else { break };
                way.push(next);
            }
            last = glob.parts.get(..way.len() - 1).unwrap_or_default();
            let Some(&end) = way.last().filter(|_| last.len() == glob.parts.len()) else { continue };
            tree.end(end, class);
            if glob.names_folder
                && let Some(inside) = tree.add(end, &Part::Any)
            {
                tree.end(inside, class);
            }
        }
        for at in 0..tree.nodes.len() {
            let is_end = |next: &u32| tree.node(*next).is_some_and(|node| !node.here.is_empty());
            let has_ends = tree.nodes.get(at).is_some_and(|node| node.next().any(is_end));
            let Some(node) = tree.nodes.get_mut(at) else { continue };
            node.has_ends = has_ends;
            node.names.sort_unstable();
            node.patterns.sort();
        }
        tree
    }

    fn end(&mut self, node: u32, class: usize) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.here.push(class);
        }
    }

    /// The node to which `part` leads from `node`: a new one, except for `**`. None if there are too many.
    fn add(&mut self, node: u32, part: &Part) -> Option<u32> {
        let new = u32::try_from(self.nodes.len()).ok().filter(|_| self.nodes.len() < NODES_MAX)?;
        let parent = self.nodes.get_mut(node as usize)?;
        let mut child = Node::default();
        match part {
            Part::Any => {
                if let Some(any) = parent.any {
                    return Some(any);
                }
                parent.any = Some(new);
                child.is_any = true;
            }
            Part::Name(name) => {
                for (kinds, bit) in parent.kinds.iter_mut().zip(kind(name)) {
                    *kinds |= bit;
                }
                parent.names.push((name.clone(), new));
            }
            Part::Pattern(pattern) => parent.patterns.all.push((pattern.clone(), new)),
        }
        self.nodes.push(child);
        Some(new)
    }
}

impl Tree {
    fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)
    }
}

impl Node {
    /// Where `name` leads, except for `**`.
    fn step(&self, name: &[u8], mut found: impl FnMut(u32)) {
        if self.kinds.iter().zip(kind(name)).all(|(kinds, bit)| kinds & bit != 0)
            && let Ok(at) = self.names.binary_search_by(|(own, _)| (**own).cmp(name))
            && let Some((_, next)) = self.names.get(at)
        {
            found(*next);
        }
        self.patterns.matching(name, found);
    }

    /// Where a name can lead, except for `**`.
    fn next(&self) -> impl Iterator<Item = &u32> {
        let names = self.names.iter().map(|(_, next)| next);
        names.chain(self.patterns.all.iter().map(|(_, next)| next))
    }

    /// Whether something can follow.
    fn leads_on(&self) -> bool {
        self.next().next().is_some()
    }
}

/// A folder on the way to the present one.
#[derive(Debug)]
struct Frame {
    /// Where its path ends.
    end: usize,
    /// Where its nodes begin, and the classes that match all in it end.
    nodes: usize,
    inherited: usize,
    /// Whether the names of the files in it count.
    has_ends: bool,
    /// The set of the files that nothing else matches.
    set: Option<usize>,
}

/// Leads paths down a tree. Each answer is the number of a set of classes.
#[derive(Debug)]
pub(super) struct Finder<'t> {
    tree: &'t Tree,
    folder: Vec<u8>,
    frames: Vec<Frame>,
    /// All files in one of the folders on the way have one set: where the path of that folder ends, and the set.
    settled: Option<(usize, usize)>,
    /// The nodes of all frames, one after the other.
    nodes: Vec<u32>,
    /// The classes that match all in a folder; those of a frame begin with those of the one above.
    inherited: Vec<usize>,
    sets: Vec<Vec<usize>>,
    numbers: HashMap<Vec<usize>, usize>,
    /// The set of a folder, and what else matches a file there, to the set of the file.
    further: HashMap<Vec<usize>, usize>,
    key: Vec<usize>,
    next: Vec<u32>,
}

impl<'t> Finder<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let mut finder = Self {
            tree,
            folder: Vec::new(),
            frames: Vec::new(),
            settled: None,
            nodes: Vec::new(),
            inherited: Vec::new(),
            sets: Vec::new(),
            numbers: HashMap::new(),
            further: HashMap::new(),
            key: Vec::new(),
            next: Vec::new(),
        };
        finder.open(0, &mut vec![0]);
        finder
    }

    /// The sets of classes that were answered with, each sorted.
    pub(super) fn sets(&self) -> &[Vec<usize>] {
        &self.sets
    }

    /// The number of the set of classes that match the file at `path`.
    pub(super) fn find(&mut self, path: &BStr) -> usize {
        if let Some((end, set)) = self.settled
            && (end == 0 || path.get(end) == Some(&b'/') && path.get(..end) == self.folder.get(..end))
        {
            return set;
        }
        let end = memchr::memrchr(b'/', path).unwrap_or(0);
        let folder = path.get(..end).unwrap_or_default();
        if self.folder != folder {
            self.enter(folder);
        }
        let Some(frame) = self.frames.last() else { return 0 };
        let (tree, of_folder) = (self.tree, frame.set);
        self.key.clear();
        if frame.has_ends {
            let name = path.get(if end == 0 { 0 } else { end + 1 }..).unwrap_or_default();
            for node in self.nodes.get(frame.nodes..).unwrap_or_default() {
                let Some(node) = tree.node(*node) else { continue };
                node.step(name, |next| self.key.extend(tree.node(next).into_iter().flat_map(|next| &next.here)));
            }
        }
        let of_folder = of_folder.unwrap_or_else(|| self.set_of_folder());
        if self.key.is_empty() {
            return of_folder;
        }
        self.key.push(of_folder);
        if let Some(known) = self.further.get(&self.key) {
            return *known;
        }
        let key = self.key.clone();
        self.key.pop();
        let mut classes = self.inherited.clone();
        classes.append(&mut self.key);
        let set = self.number(classes);
        self.further.insert(key, set);
        set
    }

    fn set_of_folder(&mut self) -> usize {
        let set = self.number(self.inherited.clone());
        if let Some(frame) = self.frames.last_mut() {
            frame.set = Some(set);
        }
        set
    }

    fn number(&mut self, mut classes: Vec<usize>) -> usize {
        classes.sort_unstable();
        classes.dedup();
        if let Some(known) = self.numbers.get(&classes) {
            return *known;
        }
        self.sets.push(classes.clone());
        self.numbers.insert(classes, self.sets.len() - 1);
        self.sets.len() - 1
    }

    /// Goes to `folder`: only the part of its path that is another than before is checked.
    fn enter(&mut self, folder: &[u8]) {
        let same = folder.iter().zip(&self.folder).take_while(|(new, old)| new == old).count();
        let is_on_the_way = |end: usize| end <= same && (end == 0 || folder.get(end).is_none_or(|&byte| byte == b'/'));
        while let Some(left) = self.frames.pop_if(|frame| !is_on_the_way(frame.end)) {
            self.nodes.truncate(left.nodes);
        }
        let (end, inherited) = self.frames.last().map_or((0, 0), |frame| (frame.end, frame.inherited));
        self.inherited.truncate(inherited);
        let mut start = if end == 0 { 0 } else { end + 1 };
        while let Some(rest) = folder.get(start..).filter(|rest| !rest.is_empty()) {
            let name = rest.get(..rest.find_byte(b'/').unwrap_or(rest.len())).unwrap_or_default();
            self.descend(name, start + name.len());
            start += name.len() + 1;
        }
        self.folder.clear();
        self.folder.extend_from_slice(folder);
        let settled = self.frames.iter().find(|frame| frame.nodes == self.nodes.len()).map(|frame| frame.end);
        self.settled = settled.map(|end| (end, self.set_of_folder()));
    }

    /// Goes to the folder `name` in the present one; its path ends at `end`.
    fn descend(&mut self, name: &[u8], end: usize) {
        let mut next = std::mem::take(&mut self.next);
        let from = self.frames.last().map_or(0, |frame| frame.nodes);
        for &number in self.nodes.get(from..).unwrap_or_default() {
            let Some(node) = self.tree.node(number) else { continue };
            node.step(name, |node| next.push(node));
            if node.is_any {
                next.push(number);
            }
        }
        self.open(end, &mut next);
        self.next = next;
    }

    /// Opens the folder whose path ends at `end` and to which the nodes `next` belong, and those that `**` reaches from them.
    fn open(&mut self, end: usize, next: &mut Vec<u32>) {
        let tree = self.tree;
        let reached = next.iter().filter_map(|node| tree.node(*node)?.any).collect::<Vec<_>>();
        for &any in &reached {
            let classes = tree.node(any).into_iter().flat_map(|node| &node.here);
            // Below a folder of the same name it is reached again.
            let known = self.inherited.len();
            for class in classes {
                if !self.inherited.iter().take(known).any(|known| known == class) {
                    self.inherited.push(*class);
                }
            }
        }
        next.extend(reached);
        next.sort_unstable();
        next.dedup();
        let start = self.nodes.len();
        self.nodes.extend(next.drain(..).filter(|node| tree.node(*node).is_some_and(Node::leads_on)));
        let mut own = self.nodes.get(start..).into_iter().flatten();
        let has_ends = own.any(|node| tree.node(*node).is_some_and(|node| node.has_ends));
        self.frames.push(Frame { end, nodes: start, inherited: self.inherited.len(), has_ends, set: None });
    }
}
