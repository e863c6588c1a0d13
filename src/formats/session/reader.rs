//! Values of a tree by their keys, with aliases and merge keys followed.

use std::cell::Cell;

use crate::formats::yaml::{Anchors, Node, Value};

/// How many keys are looked at beyond those of a usual file of the same size: aliases can lead to a large mapping from many
/// places.
const LOOKS: usize = 100_000;

/// How many keys are looked at for each byte of the text.
const LOOKS_PER_BYTE: usize = 64;

/// Reads one tree.
pub(super) struct Reader<'a> {
    anchors: Anchors<'a>,
    left: Cell<usize>,
}

impl<'a> Reader<'a> {
    /// A reader of the tree at `root`, whose text has `len` bytes.
    pub(super) fn new(root: &'a Node, text: &str) -> Self {
        // Most files have no anchor.
        let anchors = if text.contains('&') { Anchors::of(root) } else { Anchors::default() };
        Self { anchors, left: Cell::new(text.len().saturating_mul(LOOKS_PER_BYTE).saturating_add(LOOKS)) }
    }

    /// Whether aliases lead to too much: what was read is not all.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// The node that `node` means.
    pub(super) fn follow(&self, node: &'a Node) -> Option<&'a Node> {
        self.anchors.resolve(node)
    }

    /// The keys and values of the mapping that `node` means, without those of merge keys.
    pub(super) fn pairs(&self, node: &'a Node) -> &'a [(Node, Node)] {
        let pairs = self.follow(node).and_then(Node::pairs).unwrap_or_default();
        let left = self.left.get().saturating_sub(pairs.len() + 1);
        self.left.set(left);
        if left == 0 { &[] } else { pairs }
    }

    /// The items of the list that `node` means.
    pub(super) fn items(&self, node: &'a Node) -> impl Iterator<Item = &'a Node> {
        let items = self.follow(node).and_then(Node::items).unwrap_or_default();
        let left = self.left.get().saturating_sub(items.len() + 1);
        self.left.set(left);
        let items = if left == 0 { &[] } else { items };
        items.iter().filter_map(|item| self.follow(item))
    }

    /// The key and the value of `key` in the mapping that `node` means. If the key is there twice, most readers take the last
    /// one; that of a merge key counts if there is no other.
    pub(super) fn pair(&self, node: &'a Node, key: &str) -> Option<(&'a Node, &'a Node)> {
        let find = |pairs: &'a [(Node, Node)]| pairs.iter().rev().find(|(own, _)| own.as_str() == Some(key));
        let pairs = self.pairs(node);
        let merged = || {
            let bases = pairs.iter().filter(|(key, _)| key.as_str() == Some("<<")).map(|(_, value)| value);
            let bases = bases.flat_map(|value| match self.follow(value).map(|node| &node.value) {
                Some(Value::Sequence(bases)) => bases.as_slice(),
                _ => std::slice::from_ref(value),
            });
            bases.map(|base| self.pairs(base)).find_map(find)
        };
        let (key, value) = find(pairs).or_else(merged)?;
        Some((key, self.follow(value)?))
    }

    /// The value of `key` in the mapping that `node` means; `None` if nothing is written there.
    pub(super) fn get(&self, node: &'a Node, key: &str) -> Option<&'a Node> {
        self.pair(node, key).map(|(_, value)| value).filter(|value| value.value != Value::Null)
    }
}
