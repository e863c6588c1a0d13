//! The keys of the file as its schema describes them.

use std::fmt;

use serde_json::{Map, Value};

/// A part of the schema, such as what it says about one key.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    own: &'a Value,
    whole: &'a Value,
}

/// What a key takes.
#[derive(Clone, Debug)]
pub enum Takes<'a> {
    /// One of these words.
    Word(Vec<&'a str>),
    /// A glob.
    Glob,
    /// The name of a branch.
    Branch,
    /// Any string, or any but the empty one.
    Text {
        /// Whether it may be empty.
        may_be_empty: bool,
    },
    /// A whole number between these.
    Number {
        /// The smallest one.
        min: i64,
        /// The largest one.
        max: i64,
    },
    /// A list.
    List(Node<'a>),
    /// A table.
    Table,
}

impl<'a> Node<'a> {
    /// The whole file, in its schema.
    pub fn root(schema: &'a Value) -> Self {
        Self { own: schema, whole: schema }
    }

    /// What the schema says under `name`: beside a reference, or where the reference leads.
    fn get(self, name: &str) -> Option<&'a Value> {
        self.own.get(name).or_else(|| {
            let path = self.own.get("$ref")?.as_str()?.trim_start_matches('#');
            self.whole.pointer(path)?.get(name)
        })
    }

    /// The keys of a table, in the order of the alphabet.
    pub fn keys(self) -> impl Iterator<Item = (&'a str, Self)> {
        let whole = self.whole;
        let keys = self.get("properties").and_then(Value::as_object).into_iter().flatten();
        keys.map(move |(name, own)| (name.as_str(), Self { own, whole }))
    }

    /// The keys that a table must have.
    pub fn required(self) -> impl Iterator<Item = &'a str> {
        self.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// What each other key of a table takes: the level of a rule, where it takes names of rules.
    pub fn level(self) -> Option<Self> {
        let own = self.get("additionalProperties").filter(|other| other.is_object())?;
        Some(Self { own, whole: self.whole })
    }

    /// The description.
    pub fn about(self) -> &'a str {
        self.own.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// The default; `None` if leaving the key out has a meaning of its own.
    pub fn default(self) -> Option<&'a Value> {
        self.own.get("default")
    }

    /// A value to show. That of a table is its first key with an example.
    pub fn example(self) -> Option<Value> {
        if let Some(example) = self.own.get("examples").and_then(|examples| examples.get(0)) {
            return Some(example.clone());
        }
        let (name, example) = self.keys().find_map(|(name, key)| Some((name, key.example()?)))?;
        Some(Value::Object(Map::from_iter([(name.to_owned(), example)])))
    }

    /// What it takes.
    pub fn takes(self) -> Takes<'a> {
        if let Some(Value::Array(words)) = self.get("oneOf") {
            return Takes::Word(words.iter().filter_map(|word| word.get("const")?.as_str()).collect());
        }
        let number = |name, default| self.get(name).and_then(Value::as_i64).unwrap_or(default);
        match self.get("type").and_then(Value::as_str) {
            Some("string") if self.get("format").is_some_and(|format| format == "glob") => Takes::Glob,
            Some("string") if self.get("pattern").is_some() => Takes::Branch,
            Some("string") => Takes::Text { may_be_empty: self.get("minLength").is_none() },
            Some("integer") => Takes::Number { min: number("minimum", i64::MIN), max: number("maximum", i64::MAX) },
            Some("array") => {
                let own = self.get("items").unwrap_or(&Value::Null);
                Takes::List(Self { own, whole: self.whole })
            }
            _ => Takes::Table,
        }
    }
}

impl Takes<'_> {
    /// Whether it is a list of tables, such as `[[overrides]]`.
    pub fn is_list_of_tables(&self) -> bool {
        matches!(self, Self::List(of) if matches!(of.takes(), Takes::Table))
    }
}

impl fmt::Display for Takes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(words) => write!(f, "one of `{}`", words.join("`, `")),
            Self::Glob => f.write_str("a glob"),
            Self::Branch => f.write_str("a name that git takes for a branch"),
            Self::Text { may_be_empty: true } => f.write_str("a string"),
            Self::Text { may_be_empty: false } => f.write_str("a string that is not empty"),
            Self::Number { min, max: i64::MAX } => write!(f, "a whole number, at least {min}"),
            Self::Number { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::List(of) => match of.takes() {
                Takes::Glob => f.write_str("a list of globs"),
                Takes::Table => f.write_str("a list of tables"),
                _ => f.write_str("a list"),
            },
            Self::Table => f.write_str("a table"),
        }
    }
}

/// A key of the file.
#[derive(Clone, Debug)]
pub struct Key<'a> {
    /// The names of the tables that it is in, and its own name.
    pub path: Vec<&'a str>,
    /// What the schema says about it.
    pub node: Node<'a>,
}

/// Every key of the file, table by table. A table is a key itself only if it takes names of rules.
pub fn all(schema: &Value) -> Vec<Key<'_>> {
    let mut keys = Vec::new();
    add(&mut keys, &[], Node::root(schema));
    keys
}

fn add<'a>(keys: &mut Vec<Key<'a>>, above: &[&'a str], table: Node<'a>) {
    // In TOML, a key after the header of a table belongs to that table.
    let has_header = |node: Node<'_>| matches!(node.takes(), Takes::Table) || node.takes().is_list_of_tables();
    let (tables, plain): (Vec<_>, Vec<_>) = table.keys().partition(|(_, node)| has_header(*node));
    for (name, node) in plain.into_iter().chain(tables) {
        let path = [above, &[name]].concat();
        let is_table = matches!(node.takes(), Takes::Table);
        if !is_table || node.level().is_some() {
            keys.push(Key { path: path.clone(), node });
        }
        if is_table {
            add(keys, &path, node);
        }
    }
}
