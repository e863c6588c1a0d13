//! Values of a tree by their keys, with aliases and merge keys followed.

use std::cell::Cell;

use crate::formats::yaml::{Anchors, Node, Value};
use crate::text::Span;

/// How many keys are examined beyond those of a usual file of the same size: aliases can lead to a large mapping from many
/// places.
const LOOKS: usize = 100_000;

/// How many keys are examined for each byte of the text.
const LOOKS_PER_BYTE: usize = 64;

/// Reads one tree.
pub(super) struct Reader<'a> {
    text: &'a str,
    anchors: Anchors<'a>,
    left: Cell<usize>,
}

impl<'a> Reader<'a> {
    /// A reader of the tree at `root`, which was read from `text`.
    pub(super) fn new(root: &'a Node, text: &'a str) -> Self {
        // Most files have no anchor.
        let anchors = if text.contains('&') { Anchors::of(root) } else { Anchors::default() };
        Self { text, anchors, left: Cell::new(text.len().saturating_mul(LOOKS_PER_BYTE).saturating_add(LOOKS)) }
    }

    /// Whether aliases lead to too much: what was read is not all.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// The node that `node` means.
    pub(super) fn follow(&self, node: &'a Node) -> Option<&'a Node> {
        self.anchors.resolve(node)
    }

    /// The name that `node` is, as the file has it: `001` is not the number 1.
    pub(super) fn written(&self, node: &'a Node) -> Option<&'a str> {
        match &node.value {
            Value::String(text) => Some(text),
            // With a tag it can have quotes.
            Value::Int(_) | Value::Float(_) => Some(node.span.of(self.text).trim_matches(['"', '\''])),
            _ => None,
        }
    }

    /// What the file has for `node`.
    pub(super) fn source(&self, node: &Node) -> &'a str {
        node.span.of(self.text)
    }

    /// Whether `node` is a list of one plain word in brackets, such as `[filename]`.
    pub(super) fn is_in_brackets(&self, node: &Node) -> bool {
        let text = self.source(node);
        text.strip_prefix('[').is_some_and(|rest| !rest.contains(['"', '\'', ',']))
    }

    /// The tag of `node`, which is empty, and where it is: `!.env` without quotes is one.
    pub(super) fn tag(&self, node: &Node) -> Option<(&'a str, Span)> {
        let before = self.text.get(..node.span.start())?.trim_end_matches(' ');
        let start = before.rfind(|c: char| c.is_whitespace() || matches!(c, '[' | ',')).map_or(0, |at| at + 1);
        let tag = before.get(start..).filter(|tag| tag.len() > 1 && tag.starts_with('!'))?;
        Some((tag, Span::new(start, before.len())))
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

    /// The key and the value of `key` in the mapping that `node` means. If the key occurs twice, most readers use the last
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
