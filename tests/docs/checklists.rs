//! Checklists of a squad in `.squad/checklists/`: each is a list of steps in YAML.

use squad_lint::dialects::{Body, Dialect, FileKind, StatePath, Syntax, has_extension};
use squad_lint::formats::yaml::{Node, Yaml};

/// The dialect.
pub static DIALECT: Dialect = Dialect { kind_in_root, ..Dialect::NEW };

/// One checklist: `checklists/release.yaml`.
pub static CHECKLIST: FileKind =
    FileKind { name: "checklist", syntax: Syntax::Yaml, parse: |text| Box::new(Checklist::parse(text)) };

/// The steps of a checklist.
#[derive(Debug)]
pub struct Checklist {
    /// Each item of the list, in the order of the file.
    pub steps: Vec<Node>,
}

impl Checklist {
    /// Parses `text`. A text that is not a list has no steps.
    pub fn parse(text: &str) -> Self {
        let root = Yaml::parse(text).root;
        Self { steps: root.as_ref().and_then(Node::items).unwrap_or_default().to_vec() }
    }
}

impl Body for Checklist {
    fn part_starts(&self) -> Vec<u32> {
        self.steps.iter().map(|step| step.span.start).collect()
    }
}

fn kind_in_root(path: StatePath<'_>) -> Option<&'static FileKind> {
    let is_in_folder = path.inner.starts_with(b"checklists/");
    (is_in_folder && has_extension(path.name(), ".yaml")).then_some(&CHECKLIST)
}
