//! The front matter of a file of the inbox: in a ledger, it would be text in the midst of the file. Its keys become fields.

use super::entries::begins_with_part;
use super::file_name::{first_field, is_one, with_fields};
use crate::dialects::FileKind;
use crate::formats::yaml::{Node, Value, Yaml};
use crate::text::{Span, lines, similarity};

/// `text` with fields for the keys of its front matter, and with its title for a heading, or else `usual`. `None` if it has none, if
/// it has several entries or one in SEM, which says all that itself, or if the front matter is not a list of keys. What is no value of
/// one line stays YAML, below the text.
pub(super) fn as_fields(text: &str, kind: &FileKind, usual: &str) -> Option<String> {
    let span = kind.entries(text).outline.front_matter?;
    let inside: String = lines(text, span)
        .map(|line| line.of(text))
        .filter(|line| line.trim_end() != "---")
        .flat_map(|line| [line, "\n"])
        .collect();
    let body = text.get(span.end()..)?.trim();
    let parsed = kind.entries(body);
    if parsed.sem(body).next().is_some() || parsed.legacy().count() > 1 {
        return None;
    }
    let yaml = Yaml::parse(&inside);
    let pairs = yaml.root.as_ref().filter(|_| yaml.error.is_none()).and_then(Node::pairs)?;
    let (mut title, mut fields, mut rest) = (None, Vec::new(), String::new());
    let ends = pairs.iter().skip(1).map(|(key, _)| key.span.start()).chain([inside.len()]);
    for ((key, value), end) in pairs.iter().zip(ends) {
        let (Some(word), Some(value)) = (key.as_str(), written(value, &inside)) else {
            rest.push_str(inside.get(key.span.start()..end)?);
            continue;
        };
        let key = word;
        match key.to_lowercase().as_str() {
            "title" | "summary" | "name" if title.is_none() && !value.is_empty() => title = Some((key, value)),
            _ => fields.push((label(key), value)),
        }
    }
    // A comment is not read, and stays.
    let comments = lines(&inside, Span::new(0, inside.len())).map(|line| line.of(&inside).trim());
    let comments: Vec<&str> =
        comments.filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim()).collect();
    fields.extend(comments.iter().map(|comment| ("Comment".to_owned(), (*comment).to_owned())));
    let has_heading = body.starts_with('#') && !begins_with_part(body) && is_one(body);
    let own = body.lines().next().unwrap_or_default().trim_start_matches('#').trim();
    let body = match title {
        Some((key, title)) if has_heading => {
            if similarity::normal(&title) != similarity::normal(own) {
                fields.insert(0, (label(key), title));
            }
            body.to_owned()
        }
        None if has_heading => body.to_owned(),
        title => {
            let title = title.map_or_else(|| usual.to_owned(), |(_, title)| title);
            format!("# {title}\n\n{body}")
        }
    };
    // A field that the text has with the same value is there once.
    fields.retain(|(name, value)| value.is_empty() || !body.lines().any(|line| line == format!("**{name}:** {value}")));
    let fields: Vec<(&str, String)> = fields.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let body = if rest.is_empty() { body } else { format!("{body}\n\n```yaml\n{rest}```\n") };
    let parsed = kind.entries(&body);
    let entry = parsed.legacy().next().filter(|entry| entry.span.start() == 0);
    let first = entry.and_then(|entry| first_field(&body, parsed.legacy_fields(entry)));
    Some(with_fields(&body, &fields, first))
}

/// `text` with its title before the fields and quoted fields that are above it. In a ledger, they would be a part of what is before.
/// `None` if there is anything else above the title.
pub(super) fn below_title(text: &str) -> Option<String> {
    let start = text.find("\n# ")? + 1;
    let (above, rest) = text.split_at_checked(start)?;
    let above = above.trim();
    let is_field = |line: &str| {
        let line = line.trim_start_matches(['>', ' ']);
        line.is_empty() || line.strip_prefix("**").is_some_and(|line| line.contains(":**") || line.contains("**:"))
    };
    if above.is_empty() || !above.lines().all(is_field) || !is_one(rest) {
        return None;
    }
    let (title, below) = rest.split_once('\n').unwrap_or((rest, ""));
    Some(format!("{title}\n\n{above}\n\n{}", below.trim_start_matches('\n')))
}

/// `text` with the comments above its first heading below that, behind the fields there: above it, they would be an entry of their own, or
/// a part of what is before. `None` if there are none, or anything else is above it.
pub(super) fn below_heading(text: &str) -> Option<String> {
    let mut rest = text.trim_start();
    while rest.starts_with("<!--") {
        let (_, behind) = rest.split_once("-->")?;
        rest = behind.trim_start();
    }
    let above = text.get(..text.len() - rest.len())?.trim();
    if above.is_empty() || !rest.starts_with('#') || begins_with_part(rest) {
        return None;
    }
    let (heading, below) = rest.split_once('\n').unwrap_or((rest, ""));
    let below = below.trim_start_matches('\n');
    let is_field = |line: &&str| line.starts_with("**") || line.starts_with("- **") || line.starts_with("> **");
    let fields: usize = below.split_inclusive('\n').take_while(is_field).map(str::len).sum();
    let (fields, below) = below.split_at_checked(fields)?;
    let fields = if fields.is_empty() { String::new() } else { format!("{}\n\n", fields.trim_end()) };
    Some(format!("{heading}\n\n{fields}{above}\n\n{}", below.trim_start_matches('\n')))
}

/// The name of a field, which readers know from older entries.
fn label(key: &str) -> String {
    match key.to_lowercase().as_str() {
        "author" | "by" => "By".to_owned(),
        "date" | "created" | "timestamp" => "Date".to_owned(),
        _ => {
            let mut letters = key.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            format!("{first}{}", letters.as_str().replace(['_', '-'], " "))
        }
    }
}

/// A value in one line; `None` if it is a mapping, or a list of lists.
fn written(value: &Node, yaml: &str) -> Option<String> {
    if let Some(items) = value.items() {
        let items: Option<Vec<String>> = items.iter().map(|item| scalar(item, yaml)).collect();
        return items.map(|items| items.join(", "));
    }
    scalar(value, yaml)
}

fn scalar(value: &Node, yaml: &str) -> Option<String> {
    match &value.value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        // As it is written: `1.10` is a version.
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => Some(value.span.of(yaml).trim().to_owned()),
        Value::Sequence(_) | Value::Mapping(_) | Value::Alias(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{below_heading, below_title};

    #[test]
    fn comments_above_a_heading_go_below_it() {
        let text = "<!-- by hand -->\n<!-- a\n# b -->\n\n# Tabs\n**By:** Verbal\n\nWe use tabs.\n";
        let expected = "# Tabs\n\n**By:** Verbal\n\n<!-- by hand -->\n<!-- a\n# b -->\n\nWe use tabs.\n";
        assert_eq!(below_heading(text).as_deref(), Some(expected));
        assert_eq!(below_heading("<!-- a -->\n# Tabs\nText.\n").as_deref(), Some("# Tabs\n\n<!-- a -->\n\nText.\n"));
        for text in ["# Tabs\n", "<!-- a -->\nWords.\n\n# Tabs\n", "<!-- a -->\n\n## Context\n", "<!-- a\n# Tabs\n", ""]
        {
            assert_eq!(below_heading(text), None, "{text}");
        }
    }

    #[test]
    fn fields_above_a_title_go_below_it() {
        let text = "> **Date:** 2026-02-11\n> **Author:** Verbal\n\n# Tabs\n\nWe use tabs.\n";
        let expected = "# Tabs\n\n> **Date:** 2026-02-11\n> **Author:** Verbal\n\nWe use tabs.\n";
        assert_eq!(below_title(text).as_deref(), Some(expected));
        let text = "**By:** Verbal\n# Tabs\nWe use tabs.\n";
        assert_eq!(below_title(text).as_deref(), Some("# Tabs\n\n**By:** Verbal\n\nWe use tabs.\n"));
        for text in [
            "# Tabs\n\n**By:** Verbal\n",
            "Words.\n\n# Tabs\n",
            "**By:** Verbal\n\n# Tabs\n\n# Logs\n",
            "**By:** Verbal\n",
        ] {
            assert_eq!(below_title(text), None, "{text}");
        }
    }
}
