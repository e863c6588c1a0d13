//! The keys of `squad-lint.toml`: what each takes, and what is said where it gets something else.

use std::num::IntErrorKind;

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::read::Problem;
use crate::diagnostic::Level;
use crate::layout::exclude::Excludes;
use crate::layout::globs::Globs;
use crate::layout::role::Roots;
use crate::terminal::escape;

/// A key and what it takes.
struct Key {
    name: &'static str,
    takes: Takes,
    /// A value, as it is written in the file.
    example: &'static str,
}

/// What a key takes.
enum Takes {
    /// One of these words.
    Word(&'static [&'static str]),
    /// Globs, each of which this accepts.
    Globs(fn(&str) -> Result<(), globset::Error>),
    /// A whole number of these, from 1.
    Count(&'static str),
    /// A whole number from 1 to 100.
    Percent,
    /// A branch's name.
    Branch,
    /// A table of these keys.
    Table(&'static [Key]),
    /// Tables of these keys, all of which each must have.
    Tables(&'static [Key]),
    /// Rules and families with their levels, and these keys.
    Levels(&'static [Key]),
}

const fn key(name: &'static str, takes: Takes, example: &'static str) -> Key {
    Key { name, takes, example }
}

const SEVERITIES: &[&str] = &["info", "warning", "error"];

/// The keys of the whole file.
const KEYS: &[Key] = &[
    key("fail-on", Takes::Word(SEVERITIES), "\"warning\""),
    key("min-severity", Takes::Word(SEVERITIES), "\"info\""),
    key("exclude", Takes::Globs(|glob| Excludes::new([glob]).map(drop)), "[\".squad/agents/*/drafts\"]"),
    key("phase", Takes::Word(&["dual", "sem-only"]), "\"sem-only\""),
    key("max-file-size", Takes::Count("bytes"), "4_000_000"),
    key("roots", Takes::Table(ROOTS), "{ state = [\".squad\"] }"),
    key("rules", Takes::Levels(RULES), "{ \"sem/expired\" = \"off\" }"),
    key("overrides", Takes::Tables(OVERRIDE), "[{ files = [\"docs\"], rules = { sem = \"off\" } }]"),
    key("memory", Takes::Table(MEMORY), "{ history-max = 20_000 }"),
    key("learnings", Takes::Table(LEARNINGS), "{ lines-max = 80 }"),
    key("guard", Takes::Table(GUARD), "{ policy = \"never-tracked\" }"),
];

const ROOTS: &[Key] = &[
    key("state", Takes::Globs(|glob| Roots::new([glob]).map(drop)), "[\".squad\", \"notes/team\"]"),
    key("manifests", Takes::Globs(|glob| Roots::new([glob]).map(drop)), "[\"team.yaml\"]"),
];

const RULES: &[Key] = &[key("options", Takes::Table(OPTIONS), "{ \"sem/summary-too-long\" = { max = 100 } }")];

const OPTIONS: &[Key] = &[key("sem/summary-too-long", Takes::Table(SUMMARY_TOO_LONG), "{ max = 100 }")];

const SUMMARY_TOO_LONG: &[Key] = &[key("max", Takes::Count("characters"), "100")];

const OVERRIDE: &[Key] = &[
    key("files", Takes::Globs(|glob| Excludes::new([glob]).map(drop)), "[\".squad/agents/*/drafts\"]"),
    key("rules", Takes::Levels(&[]), "{ sem = \"off\" }"),
];

const MEMORY: &[Key] = &[
    key("decisions-max", Takes::Count("bytes"), "40_000"),
    key("decisions-hard-max", Takes::Count("bytes"), "200_000"),
    key("history-max", Takes::Count("bytes"), "20_000"),
];

const LEARNINGS: &[Key] = &[
    key("lines-max", Takes::Count("lines"), "80"),
    key("core-max", Takes::Count("lines"), "40"),
    key("task-relevant-max", Takes::Count("lines"), "40"),
    key("stale-after", Takes::Count("days"), "30"),
    key("unsettled-after", Takes::Count("days"), "7"),
    key("promote-after", Takes::Count("sprints"), "4"),
    key("similarity", Takes::Percent, "80"),
];

const POLICIES: &[&str] = &["never-tracked", "tracked-minus-runtime", "not-on-protected", "state-branch"];

const GUARD: &[Key] = &[
    key("policy", Takes::Word(POLICIES), "\"tracked-minus-runtime\""),
    key("branches", Takes::Globs(|glob| Globs::new([glob]).map(drop)), "[\"main\", \"release/*\"]"),
    key("state-branch", Takes::Branch, "\"squad-state\""),
];

/// Checks the whole file; `rules` are the names of the rules and families.
pub(super) fn check(document: &DeTable<'_>, rules: &[&str]) -> Result<(), Problem> {
    table(document, KEYS, rules, false)
}

/// Checks a table that takes `keys` and, with `levels`, the names in `rules`.
fn table(table: &DeTable<'_>, keys: &'static [Key], rules: &[&str], levels: bool) -> Result<(), Problem> {
    for (name, found) in table {
        match keys.iter().find(|key| key.name == name.get_ref().as_ref()) {
            Some(key) => value(key, found, rules)?,
            None if levels && rules.contains(&name.get_ref().as_ref()) => word(&Level::WORDS, found)?,
            None => return Err(unknown(name, keys, rules, levels)),
        }
    }
    Ok(())
}

fn value(key: &'static Key, found: &Spanned<DeValue<'_>>, rules: &[&str]) -> Result<(), Problem> {
    let is = found.get_ref();
    let wrong = |expected: &str| {
        let Key { name, example, .. } = key;
        let help = format!("write it as in `{name} = {example}`");
        Problem::at(found.span(), format!("found {}, expected {expected}", shown(is)), help)
    };
    match (&key.takes, is) {
        (Takes::Word(words), _) => word(words, found),
        (Takes::Globs(accepts), DeValue::Array(globs)) => {
            globs.iter().try_for_each(|one| match (one.get_ref().as_str().map(accepts), one.get_ref()) {
                (Some(Ok(())), _) => Ok(()),
                (Some(Err(error)), is) => Err(Problem::at(
                    one.span(),
                    format!("{} is not a glob: {}", shown(is), escape(&error.kind().to_string())),
                    "`*`, `?`, `[…]` and `{…}` are special; one that stands for itself goes into brackets, as in `[{]`",
                )),
                (None, is) => Err(Problem::at(
                    one.span(),
                    format!("found {}, expected a glob", shown(is)),
                    format!("write it as in `{} = {}`", key.name, key.example),
                )),
            })
        }
        (Takes::Globs(_), _) => Err(wrong("a list of globs")),
        (Takes::Count(unit), DeValue::Integer(number)) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(1..) => Ok(()),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => {
                Err(wrong(&format!("a number of {unit}, at most {}", i64::MAX)))
            }
            _ => Err(wrong(&format!("a number of {unit}, at least 1"))),
        },
        (Takes::Count(unit), _) => Err(wrong(&format!("a whole number of {unit}"))),
        (Takes::Branch, DeValue::String(name)) if !name.trim().is_empty() => Ok(()),
        (Takes::Percent, DeValue::Integer(number)) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(1..=100) => Ok(()),
            _ => Err(wrong("a whole number from 1 to 100")),
        },
        (Takes::Percent, _) => Err(wrong("a whole number from 1 to 100")),
        (Takes::Branch, _) => Err(wrong("the name of a branch")),
        (Takes::Table(keys), DeValue::Table(found)) => table(found, keys, rules, false),
        (Takes::Levels(keys), DeValue::Table(found)) => table(found, keys, rules, true),
        (Takes::Table(_) | Takes::Levels(_), _) => Err(wrong("a table")),
        (Takes::Tables(keys), DeValue::Array(tables)) => each(key.name, keys, tables, rules),
        (Takes::Tables(_), _) => Err(wrong("a list of tables")),
    }
}

fn each(name: &str, keys: &'static [Key], tables: &DeArray<'_>, rules: &[&str]) -> Result<(), Problem> {
    for found in tables {
        let DeValue::Table(inner) = found.get_ref() else {
            let message = format!("found {}, expected a table", shown(found.get_ref()));
            return Err(Problem::at(found.span(), message, format!("write it as `[[{name}]]`")));
        };
        table(inner, keys, rules, false)?;
        if let Some(key) = keys.iter().find(|key| inner.get(key.name).is_none()) {
            let message = format!("`[[{name}]]` without the key `{}`", key.name);
            return Err(Problem::at(found.span(), message, format!("add it, as in `{} = {}`", key.name, key.example)));
        }
    }
    Ok(())
}

/// Checks for one of `words`.
fn word(words: &[&str], found: &Spanned<DeValue<'_>>) -> Result<(), Problem> {
    let given = found.get_ref().as_str();
    if given.is_some_and(|given| words.contains(&given)) {
        return Ok(());
    }
    let message = format!("found {}, expected one of `{}`", shown(found.get_ref()), words.join("`, `"));
    let help = match given.and_then(|given| nearest(given, words)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "write one of these words, in quotes".to_owned(),
    };
    Err(Problem::at(found.span(), message, help))
}

fn unknown(name: &Spanned<DeString<'_>>, keys: &[Key], rules: &[&str], levels: bool) -> Problem {
    let given = name.get_ref().as_ref();
    let keys: Vec<&str> = keys.iter().map(|key| key.name).collect();
    let near = match levels {
        true => nearest(given, rules).or_else(|| nearest(given, &keys)),
        false => nearest(given, &keys),
    };
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if levels => "`squad-lint rules` lists all rules".to_owned(),
        None => format!("the keys here are {}", keys.join(", ")),
    };
    let what = if levels { "rule or family" } else { "key" };
    Problem::at(name.span(), format!("there is no {what} `{}`", escape(given)), help)
}

/// The one of `words` that `word` was probably meant to be.
fn nearest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let distance = |known: &str| match word.len() >= 3 && known.starts_with(word) {
        true => 0, // Cut short, as in `warn`.
        false => strsim::damerau_levenshtein(word, known),
    };
    words.iter().copied().min_by_key(|known| distance(known)).filter(|known| distance(known) <= 1 + word.len() / 3)
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::config::read::parse;
    use crate::config::schema::schema;

    /// Compares the keys of a table with what the schema says of it; `above` is the table's own header.
    fn compare(keys: &[Key], schema: &Value, whole: &Value, above: &str) {
        let reference = |of: &Value| of["$ref"].as_str().map(|name| name.trim_start_matches('#').to_owned());
        let resolved = reference(schema).and_then(|name| whole.pointer(&name)).unwrap_or(schema);
        let mut names: Vec<&str> = keys.iter().map(|key| key.name).collect();
        names.sort_unstable();
        let properties = resolved["properties"].as_object().unwrap();
        assert_eq!(properties.keys().collect::<Vec<_>>(), names, "[{above}]");
        for key in keys {
            let of_key = &properties[key.name];
            match key.takes {
                Takes::Table(keys) | Takes::Levels(keys) => compare(keys, of_key, whole, key.name),
                Takes::Tables(keys) => compare(keys, &of_key["items"], whole, key.name),
                Takes::Word(words) => {
                    let kinds = &whole.pointer(&reference(of_key).unwrap()).unwrap()["oneOf"];
                    let mut of_schema: Vec<&str> =
                        kinds.as_array().unwrap().iter().map(|one| one["const"].as_str().unwrap()).collect();
                    of_schema.sort_unstable();
                    let mut words = words.to_vec();
                    words.sort_unstable();
                    assert_eq!(words, of_schema, "{}", key.name);
                }
                Takes::Globs(_) => assert_eq!(of_key["items"]["type"], "string", "{}", key.name),
                Takes::Count(_) => assert_eq!(of_key["minimum"], 1, "{}", key.name),
                Takes::Percent => assert_eq!((&of_key["minimum"], &of_key["maximum"]), (&json!(1), &json!(100))),
                Takes::Branch => assert_eq!(of_key["minLength"], 1, "{}", key.name),
            }
        }
    }

    #[test]
    fn the_keys_are_those_of_the_types() {
        let schema = schema(std::iter::empty());
        compare(KEYS, &schema, &schema, "");
    }

    #[test]
    fn examples_are_accepted() {
        for key in KEYS {
            let line = format!("{} = {}", key.name, key.example);
            assert_eq!(parse(&line, &["sem", "sem/expired"]).map(drop), Ok(()), "{line}");
        }
    }
}
