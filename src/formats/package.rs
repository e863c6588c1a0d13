//! package.json, as far as it says what npm publishes.

use std::collections::BTreeMap;

use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, ast};
use serde_json::Value;

use crate::text::Span;

/// What a package.json says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// Its name, which npm accepts, and where that is with its quotes.
    pub name: Option<(String, Span)>,
    /// Whether `private` keeps npm from publishing it.
    pub private: bool,
    /// Whether it is an editor's extension, which npm does not publish: `engines` asks for one.
    pub is_extension: bool,
    /// Whether it has a key that only packages need that are published: `files`, `bin`, `exports` or `publishConfig`.
    pub is_for_publishing: bool,
    /// `files`.
    pub files: Option<Files>,
    /// Paths that npm takes always, each with its place, quotes included: `main`, `browser` and `bin`.
    pub entry_points: Vec<(String, Span)>,
    /// The folders of other packages that belong to this one, as globs.
    pub workspaces: Option<Vec<String>>,
}

/// Whether npm accepts a package of this name: it refuses those that are not the same in a URL.
fn is_name(name: &str) -> bool {
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '/' | '-' | '_' | '.' | '~' | '!' | '*' | '\'');
    !name.is_empty() && name.chars().all(is_plain)
}

/// The list of what belongs in the package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The list with its brackets.
    pub span: Span,
    /// Its items, each with its place, quotes included.
    pub items: Vec<(String, Span)>,
}

impl Package {
    /// The package that `text` describes; `None` if that is not a JSON object, or npm would not get further than
    /// `files`.
    pub fn parse(text: &str) -> Option<Self> {
        // npm passes over a byte order mark.
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let offset = text.len() - json.len();
        let value: Value = serde_json::from_str(json).ok()?;
        let object = value.as_object()?;
        let places = jsonc_parser::parse_to_ast(json, &CollectOptions::default(), &ParseOptions::default()).ok()?;
        let Some(ast::Value::Object(places)) = places.value else { return None };
        let place = |key: &str| last(&places, key);
        let span = |value: &ast::Value<'_>| Span::new(value.start() + offset, value.end() + offset);

        let name = object.get("name").and_then(Value::as_str).filter(|name| is_name(name));
        let name = name.and_then(|name| Some((name.to_owned(), span(place("name")?))));
        let files = match object.get("files") {
            Some(list) if is_true(list) => {
                let items = list.as_array()?;
                let array = place("files")?.as_array()?;
                let values = items.iter().zip(&array.elements);
                let items = values.map(|(value, place)| Some((value.as_str()?.to_owned(), span(place))));
                Some(Files { span: span(place("files")?), items: items.collect::<Option<_>>()? })
            }
            _ => None,
        };
        Some(Self {
            entry_points: entry_points(&places, offset, name.is_some()),
            name,
            private: object.get("private").is_some_and(is_true),
            is_extension: value.pointer("/engines/vscode").is_some(),
            is_for_publishing: ["files", "bin", "exports", "publishConfig"].iter().any(|key| object.contains_key(*key)),
            files,
            workspaces: object.get("workspaces").and_then(workspaces),
        })
    }
}

/// The value of `key`: the last one counts.
fn last<'o, 'a>(object: &'o ast::Object<'a>, key: &str) -> Option<&'o ast::Value<'a>> {
    object.properties.iter().rev().find(|property| property.name.as_str() == key).map(|property| &property.value)
}

fn entry_points(object: &ast::Object<'_>, offset: usize, is_named: bool) -> Vec<(String, Span)> {
    let path = |value: &ast::Value<'_>| {
        let path = value.as_string_lit()?.value.to_string();
        Some((path, Span::new(value.start() + offset, value.end() + offset)))
    };
    let given = |key: &str| last(object, key).and_then(path);
    let programs: Vec<(String, Span)> = match last(object, "bin") {
        Some(program @ ast::Value::StringLit(_)) if is_named => path(program).into_iter().collect(),
        Some(ast::Value::Array(paths)) => paths.elements.iter().filter_map(path).collect(),
        Some(ast::Value::Object(programs)) => {
            let programs = programs.properties.iter().map(|program| (program.name.as_str(), &program.value));
            programs.collect::<BTreeMap<_, _>>().into_values().filter_map(path).collect()
        }
        _ => Vec::new(),
    };
    let programs = programs.into_iter().map(|(path, span)| (inside(&path), span));
    let all = given("browser").into_iter().chain(given("main")).chain(programs);
    all.filter(|(path, _)| !path.is_empty()).collect()
}

/// `path` without anything that leads out of the package, as npm makes it of the paths of programs.
fn inside(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\', ':']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn workspaces(value: &Value) -> Option<Vec<String>> {
    let list = value.get("packages").unwrap_or(value).as_array()?;
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// What JavaScript takes for true.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// `text` as a JSON string.
pub fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_says_and_where() {
        let text = "\u{feff}{\n  \"author\": \"ä\",\n  \"name\": \"a\",\n  \"files\": [\"lib\", \"!.squad\"],\n  \"bin\": \"./cli.js\"\n}\n";
        let package = Package::parse(text).unwrap();
        let (name, place) = package.name.unwrap();
        assert_eq!((name.as_str(), place.of(text)), ("a", "\"a\""));
        let files = package.files.unwrap();
        assert_eq!(files.span.of(text), "[\"lib\", \"!.squad\"]");
        let items: Vec<_> = files.items.iter().map(|(item, place)| (item.as_str(), place.of(text))).collect();
        assert_eq!(items, [("lib", "\"lib\""), ("!.squad", "\"!.squad\"")]);
        let points: Vec<_> = package.entry_points.iter().map(|(path, place)| (path.as_str(), place.of(text))).collect();
        assert_eq!(points, [("cli.js", "\"./cli.js\"")]);
        assert!(!package.private && !package.is_extension && package.workspaces.is_none());
    }

    #[test]
    fn the_last_of_two_keys_counts() {
        let text = r#"{"name": "a", "name": "b", "private": 1, "engines": {"vscode": "*"}}"#;
        let package = Package::parse(text).unwrap();
        let (name, place) = package.name.unwrap();
        assert_eq!((name.as_str(), place.of(text)), ("b", "\"b\""));
        assert!(package.private && package.is_extension);
    }

    #[test]
    fn what_npm_cannot_read_is_none() {
        for text in ["", "[]", "{", "{\"name\": \"a\",}", "// x\n{}", "{\"files\": \"lib\"}", "{\"files\": [1]}"] {
            assert_eq!(Package::parse(text), None, "{text}");
        }
        assert!(Package::parse("{\"files\": null}").unwrap().files.is_none());
    }
}
