//! `.claude/team.yaml`: the members of a learning team, what each may do, and what each owns.
//!
//! [`Manifest::parse`] takes what has the right shape and passes over what has not; [`Manifest::mappings`] is the file as
//! it is written, for the rules that judge shapes. Aliases (`*name`) and merge keys (`<<`) are followed, once each: what
//! they lead to in all is bounded.

mod effective;
mod fields;
mod shape;
mod shell;
pub mod values;

pub use effective::{DEFAULT_BUDGET, DEFAULT_MODEL, DEFAULT_PERMISSION_MODE, Effective, Setting};
pub use fields::{Field, Takes};
pub use shape::{Mapping, Pair, Scope};
pub use shell::breaks_out;
pub use values::is_name;

use std::collections::HashSet;

use crate::formats::yaml::{Anchors, Node, Yaml, YamlError};
use crate::text::Span;

/// How many bytes of text may come from aliases, beyond those that are written.
const MAX_BORROWED: usize = 1 << 20;

/// A team manifest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// The tree; `None` if the file is empty or not YAML.
    pub root: Option<Node>,
    /// Why it is not YAML.
    pub error: Option<YamlError>,
    /// Where a second document begins, which no tool reads.
    pub second: Option<Span>,
    /// Whether another tool's file has the name: nothing in it is the protocol's. Then nothing is read.
    pub is_foreign: bool,
    /// The team's slug.
    pub team: Option<Text>,
    /// What the project is.
    pub description: Option<Text>,
    /// What applies to members that do not say otherwise.
    pub defaults: Settings,
    /// The members, in order. An item that is not a mapping is none.
    pub members: Vec<Member>,
}

/// Text in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Where it is, with its quotes. Of an alias: where the anchor's value is.
    pub span: Span,
    /// What it says, without quotes and escapes.
    pub value: String,
}

/// A number in a manifest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Where it is.
    pub span: Span,
    /// Its value; can be infinite or no number (`.nan`).
    pub value: f64,
}

/// Options of a spawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// `model`.
    pub model: Option<Text>,
    /// `budget`, in US dollars.
    pub budget: Option<Number>,
    /// `permission-mode`.
    pub permission_mode: Option<Text>,
}

/// A member of the team.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Member {
    /// The item of the list, from its first key to its last value.
    pub span: Span,
    /// `name`.
    pub name: Option<Text>,
    /// `role`.
    pub role: Option<Text>,
    /// What it overrides.
    pub settings: Settings,
    /// `tools`; items that are not text are left out.
    pub tools: Option<Vec<Text>>,
    /// `owns`: globs of the files that the member is responsible for; items that are not text are left out.
    pub owns: Option<Vec<Text>>,
}

impl Manifest {
    /// Reads `text`. Never fails: what is wrong is left out.
    pub fn parse(text: &str) -> Self {
        let Yaml { root, error, second } = Yaml::parse(text);
        let mut manifest = Self { error, second, ..Self::default() };
        if let Some(root) = &root {
            manifest.read(root, &mut Copier { left: 2 * text.len() + MAX_BORROWED });
        }
        manifest.root = root;
        manifest
    }

    fn read(&mut self, root: &Node, copy: &mut Copier) {
        let anchors = Anchors::of(root);
        let mappings = shape::mappings(root, &anchors);
        self.is_foreign = shape::is_foreign(&mappings);
        if self.is_foreign {
            return;
        }
        for mapping in mappings {
            match mapping.scope {
                Scope::Top => {
                    self.team = mapping.get("team").and_then(|node| copy.text(node));
                    self.description = mapping.get("description").and_then(|node| copy.text(node));
                }
                Scope::Defaults => self.defaults = settings(&mapping, copy),
                Scope::Member => self.members.push(Member {
                    span: mapping.span,
                    name: mapping.get("name").and_then(|node| copy.text(node)),
                    role: mapping.get("role").and_then(|node| copy.text(node)),
                    settings: settings(&mapping, copy),
                    tools: mapping.get("tools").and_then(|list| copy.texts(list, &anchors)),
                    owns: mapping.get("owns").and_then(|list| copy.texts(list, &anchors)),
                }),
            }
        }
    }

    /// The first member of that name.
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name.as_ref().is_some_and(|own| own.value == name))
    }

    /// The names of the members, in order; a name that two members have occurs twice.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().filter_map(|member| member.name.as_ref()).map(|name| name.value.as_str())
    }

    /// The values of the fields that the protocol knows, each with the name of its field: of a list its items, aliases
    /// followed. What aliases lead to from several places comes once a field.
    pub fn values(&self) -> Vec<(&'static str, &Node)> {
        let Some(root) = &self.root else { return Vec::new() };
        let anchors = Anchors::of(root);
        let mut seen = HashSet::new();
        let mut values = Vec::new();
        for mapping in shape::mappings(root, &anchors) {
            for field in mapping.scope.fields() {
                let Some(value) = mapping.get(field.name) else { continue };
                let items = match field.takes {
                    Takes::Texts => value.items().unwrap_or_default(),
                    _ => std::slice::from_ref(value),
                };
                let items = items.iter().filter_map(|item| anchors.resolve(item));
                values.extend(items.filter(|item| seen.insert((field.name, item.span))).map(|item| (field.name, item)));
            }
        }
        values
    }

    /// The mappings whose keys have a meaning, with the text in them: the file, `defaults`, each member. None where the
    /// file is foreign.
    pub fn mappings(&self) -> Vec<Mapping<'_>> {
        let root = self.root.as_ref().filter(|_| !self.is_foreign);
        root.map_or_else(Vec::new, |root| shape::mappings(root, &Anchors::of(root)))
    }
}

impl Text {
    /// The text `value` at `span`.
    pub fn new(span: Span, value: impl Into<String>) -> Self {
        Self { span, value: value.into() }
    }

    /// Where the value itself is, without quotes; [`Text::span`] where it is written in another way than it reads.
    pub fn inner(&self, text: &str) -> Span {
        let inner = Span::new(self.span.start() + 1, self.span.end().saturating_sub(1));
        if !inner.is_empty() && self.span.of(text) != self.value && inner.of(text) == self.value {
            inner
        } else {
            self.span
        }
    }
}

fn settings(mapping: &Mapping<'_>, copy: &mut Copier) -> Settings {
    let budget = mapping.get("budget").and_then(|node| Some(Number { span: node.span, value: node.as_number()? }));
    Settings {
        model: mapping.get("model").and_then(|node| copy.text(node)),
        budget,
        permission_mode: mapping.get("permission-mode").and_then(|node| copy.text(node)),
    }
}

/// Takes texts out of the tree, until aliases have led to too many.
struct Copier {
    left: usize,
}

impl Copier {
    fn text(&mut self, node: &Node) -> Option<Text> {
        let text = node.as_str()?;
        self.left = self.left.checked_sub(text.len() + 1)?;
        Some(Text { span: node.span, value: text.to_owned() })
    }

    fn texts(&mut self, list: &Node, anchors: &Anchors<'_>) -> Option<Vec<Text>> {
        let items = list.items()?.iter().filter_map(|item| anchors.resolve(item));
        // The first that is too much ends it: others would be checked for nothing.
        let texts = items.filter(|item| item.as_str().is_some()).map_while(|item| self.text(item));
        Some(texts.collect())
    }
}

#[cfg(test)]
mod tests;
