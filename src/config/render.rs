//! TOML from the schema: values, keys, and the file that `init` writes.

use std::fmt::Write;

use serde_json::Value;

use super::keys::{self, Takes};
use super::schema;
use crate::terminal::{escape, without_log_commands};

/// The widest line of a comment.
const WIDTH: usize = 110;

/// The text that `squad-lint init` writes: every key with its default, commented out.
pub fn template() -> String {
    let schema = schema::base();
    let mut text = "# Configuration of squad-lint: every key with its default. Remove the `#` to change one.\n\
                    # `squad-lint config` shows the effective values. Options of the command line take precedence.\n"
        .to_owned();
    let mut table = String::new();
    for keys::Key { path, node } in keys::all(&schema) {
        let (name, above) = path.split_last().unwrap_or((&"", &[]));
        let takes = node.takes();
        let example = node.example().unwrap_or_default();
        // `[[overrides]]` has no header of its own: an empty one would be an override.
        let one = if takes.is_list_of_tables() { example.get(0) } else { None };
        let of = if one.is_some() || matches!(takes, Takes::Table) { dotted(&path) } else { dotted(above) };
        if of != table && one.is_none() {
            let _ = write!(text, "\n[{of}]");
        }
        table = of;
        text.push('\n');
        let words = match &takes {
            Takes::Word(words) => {
                format!(" One of {}.", words.iter().map(|word| string(word)).collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        };
        comment(&mut text, &format!("{}{words}", node.about()));
        let line = |mark: &str, name: &str, of: &Value| format!("{mark}{} = {}\n", key(name), value(of));
        match (node.default(), one.unwrap_or(&example)) {
            (Some(default), _) if one.is_none() => text.push_str(&line("#", name, default)),
            (_, Value::Object(pairs)) => {
                text.push_str("# For example:\n");
                text.push_str(&one.map_or_else(String::new, |_| format!("# [[{table}]]\n")));
                text.extend(pairs.iter().map(|(name, of)| line("# ", name, of)));
            }
            (_, example) => {
                text.push_str("# For example:\n");
                text.push_str(&line("# ", name, example));
            }
        }
    }
    text
}

/// Adds `prose` as a comment of several lines.
fn comment(text: &mut String, prose: &str) {
    let mut line = "#".to_owned();
    for word in prose.split(' ') {
        if line.len() + word.len() >= WIDTH {
            text.push_str(&std::mem::replace(&mut line, "#".to_owned()));
            text.push('\n');
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}

/// The names of tables and a key, as TOML.
pub fn dotted(path: &[&str]) -> String {
    path.iter().map(|name| key(name)).collect::<Vec<_>>().join(".")
}

/// A key as TOML.
pub fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_bare { name.to_owned() } else { string(name) }
}

/// A value as TOML, on one line.
pub fn value(value: &Value) -> String {
    let joined = |items: Vec<String>| items.join(", ");
    match value {
        Value::String(text) => string(text),
        Value::Number(number) => grouped(&number.to_string()),
        Value::Array(items) => format!("[{}]", joined(items.iter().map(self::value).collect())),
        Value::Object(pairs) if pairs.is_empty() => "{}".to_owned(),
        Value::Object(pairs) => {
            let pair = |(name, of): (&String, &Value)| format!("{} = {}", key(name), self::value(of));
            format!("{{ {} }}", joined(pairs.iter().map(pair).collect()))
        }
        other => other.to_string(),
    }
}

/// A whole number with `_` between thousands, from five digits on.
fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if digits.len() > 4 && at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

/// A string as TOML, whose escapes JSON shares.
pub fn string(text: &str) -> String {
    let json = Value::from(text).to_string();
    // JSON leaves DEL, what reorders text and what the log of a build takes for a command as they are.
    let json = without_log_commands(&json, "\\u005B").into_owned();
    if escape(&json) == json { json } else { json.chars().map(escaped).collect() }
}

fn escaped(c: char) -> String {
    let own = c.to_string();
    if escape(&own) == own { own } else { format!("\\U{:08X}", u32::from(c)) }
}
