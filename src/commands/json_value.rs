//! `json-value FILE [KEY]...`: what is at a place of a JSON file, for scripts such as the GitHub Action's.

use std::fs::File;
use std::io::{self, BufReader, Write};

use serde_json::Value;

use super::{CliError, Exit};
use crate::cli::JsonValueArgs;
use crate::terminal::display_path;

/// Why nothing was printed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NoValue {
    #[error("cannot read {path}")]
    Unread { path: String, source: io::Error },
    #[error("{path} is not JSON")]
    NoJson { path: String, source: serde_json::Error },
    #[error("the value in {path} has a control character")]
    #[diagnostic(help("pass `--null` to print it as it is"))]
    Control { path: String },
}

/// Prints the texts, numbers and truths that the keys lead to, one a line. Where they lead to nothing, to a list or to an
/// object, nothing is printed.
pub fn run(args: &JsonValueArgs) -> Result<Exit, CliError> {
    let path = || display_path(args.file.as_os_str().as_encoded_bytes());
    let file = File::open(&args.file).map_err(|source| NoValue::Unread { path: path(), source })?;
    let value: Value = serde_json::from_reader(BufReader::new(file)).map_err(|source| match source.is_io() {
        true => NoValue::Unread { path: path(), source: source.into() },
        false => NoValue::NoJson { path: path(), source },
    })?;
    let mut found = vec![&value];
    for key in &args.keys {
        found = found.into_iter().flat_map(|value| step(value, key)).collect();
    }
    let mut out = String::new();
    if args.count {
        out = format!("{}\n", found.len());
    } else {
        for text in found.into_iter().filter_map(text) {
            if !args.null && text.contains(char::is_control) {
                return Err(NoValue::Control { path: path() }.into());
            }
            out.push_str(&text);
            out.push(if args.null { '\0' } else { '\n' });
        }
    }
    io::stdout().lock().write_all(out.as_bytes()).map_err(CliError::Output)?;
    Ok(Exit::Clean)
}

/// The values that `key` leads to from `value`.
fn step<'a>(value: &'a Value, key: &str) -> Vec<&'a Value> {
    match (value, key) {
        (Value::Array(items), "*") => items.iter().collect(),
        (Value::Object(_), key) => value.get(key).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
