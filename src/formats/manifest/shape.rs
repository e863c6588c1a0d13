//! The mappings of a manifest whose keys mean something, after aliases and merge keys.

use crate::formats::yaml::{Anchors, Node, Value};
use crate::text::Span;

/// How many pairs and items aliases and merge keys may lead to in a file, beyond those that are written. A hundred members
/// who share a list of a hundred tools come nowhere near.
const MAX_BORROWED: usize = 100_000;

/// Which keys a mapping can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The file.
    Top,
    /// What is under `defaults`.
    Defaults,
    /// An item of `members`.
    Member,
}

/// A mapping whose keys mean something.
#[derive(Clone, Debug)]
pub struct Mapping<'a> {
    /// Which keys it can have.
    pub scope: Scope,
    /// Where it is.
    pub span: Span,
    /// Its pairs in order, then those of its merge keys.
    pub pairs: Vec<Pair<'a>>,
}

/// A key and its value.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The key.
    pub key: &'a Node,
    /// The value as it is written; can be an alias.
    pub written: &'a Node,
    /// The value; never an alias.
    pub value: &'a Node,
    /// Whether a merge key brought it.
    pub merged: bool,
}

impl<'a> Mapping<'a> {
    /// The value of `key`. Where it occurs twice, most readers take the last one; a merged one counts if there is no
    /// other.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.pair(key).map(|pair| pair.value)
    }

    /// The pair of `key` that counts.
    pub fn pair(&self, key: &str) -> Option<&Pair<'a>> {
        let named = |pair: &&Pair<'a>| pair.key.as_str() == Some(key);
        let own = self.pairs.iter().rev().find(|pair| !pair.merged && named(pair));
        own.or_else(|| self.pairs.iter().find(named))
    }
}

/// The file's own mapping, `defaults` and the members, in this order.
pub(super) fn mappings<'a>(root: &'a Node, anchors: &Anchors<'a>) -> Vec<Mapping<'a>> {
    let mut walk = Walk { anchors, left: MAX_BORROWED };
    let Some(top) = walk.mapping(root, Scope::Top) else { return Vec::new() };
    let defaults = top.get("defaults").and_then(|node| walk.mapping(node, Scope::Defaults));
    let members = top.get("members").and_then(Node::items).unwrap_or_default();
    let members: Vec<_> = members.iter().filter_map(|item| walk.mapping(item, Scope::Member)).collect();
    [Some(top), defaults].into_iter().flatten().chain(members).collect()
}

/// Whether `mappings` are of a file that is not a manifest of the protocol. Others use the name, too, with members even.
pub(super) fn is_foreign(mappings: &[Mapping<'_>]) -> bool {
    let Some(top) = mappings.first() else { return false };
    let team = top.get("team").map(|node| &node.value);
    let speaks = |mapping: &Mapping<'_>| match mapping.scope {
        Scope::Top => !matches!(team, None | Some(Value::Null | Value::Mapping(_))),
        Scope::Defaults => ["model", "budget", "permission-mode"].iter().any(|key| mapping.get(key).is_some()),
        Scope::Member => ["owns", "tools"].iter().any(|key| mapping.get(key).is_some()),
    };
    let is_known = |pair: &Pair<'_>| pair.key.as_str().is_some_and(|key| Scope::Top.knows(key));
    let nothing_else = !matches!(team, Some(Value::Mapping(_))) && top.pairs.iter().all(is_known);
    !nothing_else && !mappings.iter().any(speaks)
}

struct Walk<'w, 'a> {
    anchors: &'w Anchors<'a>,
    left: usize,
}

impl<'a> Walk<'_, 'a> {
    fn mapping(&mut self, written: &'a Node, scope: Scope) -> Option<Mapping<'a>> {
        let node = self.follow(written)?;
        let own = node.pairs()?;
        let mut mapping = Mapping { scope, span: node.span, pairs: Vec::with_capacity(own.len()) };
        self.add(own, false, &mut mapping.pairs);
        for (_, value) in own.iter().filter(|(key, _)| is_merge(key)) {
            let bases = match self.follow(value) {
                Some(Node { value: Value::Sequence(bases), .. }) => bases.as_slice(),
                Some(_) => std::slice::from_ref(value),
                None => continue,
            };
            for base in bases {
                if let Some(pairs) = self.follow(base).and_then(Node::pairs) {
                    self.add(pairs, true, &mut mapping.pairs);
                }
            }
        }
        Some(mapping)
    }

    fn add(&mut self, pairs: &'a [(Node, Node)], merged: bool, to: &mut Vec<Pair<'a>>) {
        for (key, written) in pairs.iter().filter(|(key, _)| !is_merge(key)) {
            let Some(value) = self.follow(written) else { continue };
            to.push(Pair { key, written, value, merged });
        }
    }

    /// What `node` means; `None` once too much has been reached by aliases.
    fn follow(&mut self, node: &'a Node) -> Option<&'a Node> {
        let found = self.anchors.resolve(node)?;
        if matches!(node.value, Value::Alias(_)) {
            let size = match &found.value {
                Value::Sequence(items) => items.len(),
                Value::Mapping(pairs) => pairs.len(),
                _ => 0,
            };
            self.left = self.left.checked_sub(size + 1)?;
        }
        Some(found)
    }
}

/// `<<`, which takes over what another mapping holds. YAML 1.2 has dropped it; the readers have not.
fn is_merge(key: &Node) -> bool {
    key.as_str() == Some("<<")
}
