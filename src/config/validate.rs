//! Checks a file against the schema, so that an error names the place, what was expected there, and an example.

use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

use super::keys::{Node, Takes};
use super::problem::Problem;
use super::{render, schema};
use crate::layout::globs::Globs;
use crate::settings::BranchName;
use crate::terminal::escape;
use crate::text::suggest::{self, Tolerance};

/// Checks the whole file; `rules` are the names of the rules and families.
pub(super) fn check(document: &DeTable<'_>, rules: &[&str]) -> Result<(), Problem> {
    table(document, Node::root(&schema::base()), rules)
}

/// Checks a table against what the schema says about it.
fn table(table: &DeTable<'_>, node: Node<'_>, rules: &[&str]) -> Result<(), Problem> {
    for (name, found) in table {
        let given = name.get_ref().as_ref();
        let own = node.keys().find(|(key, _)| *key == given).map(|(_, key)| key);
        let of = own.or_else(|| node.level().filter(|_| rules.contains(&given)));
        let Some(of) = of else { return Err(unknown(name, node, rules)) };
        value(found, of, &Key { name: given, node: of }, rules)?;
    }
    Ok(())
}

/// A key, for its example.
struct Key<'a> {
    name: &'a str,
    node: Node<'a>,
}

impl Key<'_> {
    fn assignment(&self) -> String {
        let example = self.node.example().unwrap_or_default();
        format!("{} = {}", render::key(self.name), render::value(&example))
    }
}

/// Checks a value, or an item of a list, of `key`.
fn value(found: &Spanned<DeValue<'_>>, node: Node<'_>, key: &Key<'_>, rules: &[&str]) -> Result<(), Problem> {
    let takes = node.takes();
    let is = found.get_ref();
    let wrong = |expected: &str| {
        let message = format!("found {}, expected {expected}", shown(is));
        Err(Problem::at(found.span(), message, format!("write it as in `{}`", key.assignment())))
    };
    match (&takes, is) {
        (Takes::Word(words), _) => word(words, found),
        (Takes::Glob, DeValue::String(glob)) => match Globs::new([glob]) {
            Ok(_) => Ok(()),
            Err(error) => Err(Problem::at(
                found.span(),
                format!("{} is not a glob: {}", shown(is), escape(&error.kind().to_string())),
                "`*`, `?`, `[…]` and `{…}` are special; put it into brackets to match it literally, as in `[{]`",
            )),
        },
        (Takes::Branch, DeValue::String(name)) if BranchName::is_valid(name) => Ok(()),
        (Takes::Text { may_be_empty }, DeValue::String(text)) if *may_be_empty || !text.trim().is_empty() => Ok(()),
        (Takes::Number { min, max }, DeValue::Integer(number)) => match whole(number) {
            Some(number) if (*min..=*max).contains(&number) => Ok(()),
            None if *max == i64::MAX => wrong(&format!("a whole number from {min} to {max}")),
            _ => wrong(&takes.to_string()),
        },
        (Takes::List(items), DeValue::Array(list)) => list.iter().try_for_each(|item| match item.get_ref() {
            is if takes.is_list_of_tables() && !is.is_table() => {
                let message = format!("found {}, expected a table", shown(is));
                Err(Problem::at(item.span(), message, format!("write it as `[[{}]]`", key.name)))
            }
            _ => value(item, *items, key, rules),
        }),
        (Takes::Table, DeValue::Table(inner)) => {
            table(inner, node, rules)?;
            let Some(name) = node.required().find(|name| inner.get(*name).is_none()) else { return Ok(()) };
            let missing = node.keys().find(|(key, _)| *key == name).map(|(name, node)| Key { name, node });
            let help = missing.map_or_else(String::new, |missing| format!("add it, as in `{}`", missing.assignment()));
            Err(Problem::at(found.span(), format!("missing key `{name}` in `[[{}]]`", key.name), help))
        }
        _ => wrong(&takes.to_string()),
    }
}

fn whole(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// Checks for one of `words`.
fn word(words: &[&str], found: &Spanned<DeValue<'_>>) -> Result<(), Problem> {
    let given = found.get_ref().as_str();
    if given.is_some_and(|given| words.contains(&given)) {
        return Ok(());
    }
    let message = format!("found {}, expected {}", shown(found.get_ref()), Takes::Word(words.to_vec()));
    let help = match given.and_then(|given| suggest::nearest_key(given, words)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "write one of these words, in quotes".to_owned(),
    };
    Err(Problem::at(found.span(), message, help))
}

/// The problem with a key that `table` does not take.
fn unknown(name: &Spanned<DeString<'_>>, table: Node<'_>, rules: &[&str]) -> Problem {
    let given = name.get_ref().as_ref();
    let keys: Vec<&str> = table.keys().map(|(key, _)| key).collect();
    let takes_rules = table.level().is_some();
    let near = suggest::nearest(given, rules.iter().copied().filter(|_| takes_rules), Tolerance::Help);
    let help = match near.or_else(|| suggest::nearest_key(given, &keys)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if takes_rules => "run `squad-lint rules` to list all rules".to_owned(),
        None => format!("use one of {}", keys.join(", ")),
    };
    let what = if takes_rules { "rule or family" } else { "key" };
    Problem::at(name.span(), format!("unknown {what} `{}`", escape(given)), help)
}

/// A value as an error names it: itself where it is short, else its kind.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.chars().count() <= 60 => format!("`{}`", escape(text)),
        DeValue::Integer(number) => format!("`{}`", number.as_str()),
        DeValue::Float(number) => format!("`{}`", number.as_str()),
        DeValue::Boolean(word) => format!("`{word}`"),
        DeValue::Datetime(moment) => format!("`{moment}`"),
        DeValue::String(_) => "a string".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
