//! The tree that a text is read into.

use std::collections::HashMap;

use crate::text::Span;

/// How deep lists and mappings may be in each other.
pub const MAX_DEPTH: usize = 64;

/// How many nodes a file may have.
pub const MAX_NODES: usize = 1_000_000;

/// The first document of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Yaml {
    /// What it holds; `None` if the file has no document, or is not YAML.
    pub root: Option<Node>,
    /// Why it is not YAML: the first reason there is.
    pub error: Option<YamlError>,
    /// Where a second document begins; what it holds is not in the tree.
    pub second: Option<Span>,
}

/// Why a text is not YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    /// Where it was noticed.
    pub span: Span,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

/// A value and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its bytes: with quotes and brackets, without anchor, tag and the `|` of a block. Empty where nothing is written.
    pub span: Span,
    /// What it is.
    pub value: Value,
    /// The name that aliases find it by.
    pub anchor: Option<Anchor>,
}

/// The number of an anchor; a name that is given again gets another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Anchor(pub(super) usize);

/// What a node is, by the core schema of YAML 1.2: `no` is text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`, `~` or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number of 64 bits.
    Int(i64),
    /// Another number.
    Float(f64),
    /// Text, without its quotes and escapes.
    String(String),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys and values in the order they are written; a key can occur more than once.
    Mapping(Vec<(Node, Node)>),
    /// `*name`: what is at the anchor.
    Alias(Anchor),
}

impl Node {
    /// The text that it is.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number that it is.
    pub fn as_number(&self) -> Option<f64> {
        match self.value {
            // Beyond 2^53 it is not exact, and no longer a budget.
            #[expect(clippy::cast_precision_loss)]
            Value::Int(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The keys and values of a mapping.
    pub fn pairs(&self) -> Option<&[(Node, Node)]> {
        match &self.value {
            Value::Mapping(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// What it is, in a word or two, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "a boolean",
            Value::Int(_) | Value::Float(_) => "a number",
            Value::String(_) => "text",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
            Value::Alias(_) => "an alias",
        }
    }

    /// Keys of this mapping that occurred in it before: where first, where again.
    pub fn duplicate_keys(&self) -> Vec<(Span, Span)> {
        let pairs = self.pairs().unwrap_or_default();
        let mut first: HashMap<Key<'_>, Span> = HashMap::with_capacity(pairs.len());
        let mut again = Vec::new();
        for (key, _) in pairs {
            let Some(name) = Key::of(key) else { continue };
            match first.get(&name) {
                Some(&before) => again.push((before, key.span)),
                None => drop(first.insert(name, key.span)),
            }
        }
        again
    }

    /// This node and all within, each before what is in it.
    pub fn walk(&self) -> impl Iterator<Item = &Node> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let node = waiting.pop()?;
            match &node.value {
                Value::Sequence(items) => waiting.extend(items.iter().rev()),
                Value::Mapping(pairs) => waiting.extend(pairs.iter().rev().flat_map(|(key, value)| [value, key])),
                _ => {}
            }
            Some(node)
        })
    }
}

/// A key that can be compared. Lists and mappings as keys are not.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Float(u64),
    String(&'a str),
    Alias(Anchor),
}

impl<'a> Key<'a> {
    fn of(node: &'a Node) -> Option<Self> {
        match &node.value {
            Value::Null => Some(Self::Null),
            Value::Bool(value) => Some(Self::Bool(*value)),
            Value::Int(value) => Some(Self::Int(*value)),
            Value::Float(value) => Some(Self::Float(value.to_bits())),
            Value::String(value) => Some(Self::String(value)),
            Value::Alias(anchor) => Some(Self::Alias(*anchor)),
            Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }
}
