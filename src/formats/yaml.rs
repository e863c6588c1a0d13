//! YAML 1.2 as a tree whose nodes know their bytes.
//!
//! Everything that is written is in the tree: a key that occurs twice occurs twice, an alias stays an alias and is never
//! expanded, so that the tree is never larger than its text.

mod build;
mod error;
mod scalar;
mod tree;

use std::collections::{HashMap, HashSet};

pub use tree::{Anchor, MAX_DEPTH, MAX_NODES, Node, Value, Yaml, YamlError};

impl Yaml {
    /// Reads `text`. Never fails: what is wrong is in [`Yaml::error`].
    pub fn parse(text: &str) -> Self {
        build::parse(text)
    }
}

/// The nodes of a tree that have an anchor.
#[derive(Clone, Debug, Default)]
pub struct Anchors<'a> {
    nodes: HashMap<Anchor, &'a Node>,
    aliased: HashSet<Anchor>,
}

impl<'a> Anchors<'a> {
    /// Those under `root`.
    pub fn of(root: &'a Node) -> Self {
        let mut anchors = Self::default();
        for node in root.walk() {
            if let Some(anchor) = node.anchor {
                anchors.nodes.insert(anchor, node);
            }
            if let Value::Alias(anchor) = node.value {
                anchors.aliased.insert(anchor);
            }
        }
        anchors
    }

    /// The node that `node` means: itself, or the one that it is an alias of. Never an alias.
    pub fn resolve(&self, node: &'a Node) -> Option<&'a Node> {
        match node.value {
            Value::Alias(anchor) => self.nodes.get(&anchor).copied(),
            _ => Some(node),
        }
    }

    /// Whether an alias leads to `node`.
    pub fn is_aliased(&self, node: &Node) -> bool {
        node.anchor.is_some_and(|anchor| self.aliased.contains(&anchor))
    }
}

#[cfg(test)]
mod tests;
