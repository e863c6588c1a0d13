//! # team/invalid-name
//!
//! ## What it flags
//!
//! A member's name, or the team's slug, that is not made of small letters, digits, `-` and `_`, with a letter first.
//!
//! ## Why it matters
//!
//! The name is that of a folder (`memory/agents/<name>/`), and it stands in commands and in notes of others. Blanks and
//! slashes lead elsewhere, and names that differ in case only are one folder on some systems.
//!
//! ## Example
//!
//! ```yaml
//! team: Shop Backend
//! members:
//!   - name: Architect
//! ```
//!
//! ## How to fix
//!
//! Write it as `shop-backend`. Where only capital letters are wrong, `squad-lint --fix` makes them small, unless learnings are kept
//! under the name as it is: rename the folder, too, then.
//!
//! ## Source
//!
//! Seed 004, "Required Fields" (unique, lower case; a slug).

use bstr::ByteSlice;

use std::collections::HashMap;

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::facts::Facts;
use crate::formats::manifest::Text;
use crate::formats::manifest::values::short;
use crate::options::Options;
use crate::rule::{Check, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "team/invalid-name",
    since: "0.1.0",
    severity: Severity::Error,
    enabled: true,
    fixes: &[Applicability::Safe],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    let Some(manifest) = document.manifest() else { return };
    if let Some(team) = manifest.team.as_ref().filter(|team| is_wrong(&team.value)) {
        sink.report(describe(document, team, "the team's slug", true));
    }
    // How many members have a name, but for its case.
    let mut named: HashMap<String, usize> = HashMap::new();
    manifest.names().for_each(|name| *named.entry(name.to_ascii_lowercase()).or_default() += 1);
    for name in manifest.members.iter().filter_map(|member| member.name.as_ref()).filter(|name| is_wrong(&name.value)) {
        let is_only = named.get(&name.value.to_ascii_lowercase()) == Some(&1);
        let free = is_only && is_free(document, facts, &name.value);
        sink.report(describe(document, name, "a member's name", free));
    }
}

/// Whether `name` is there and no name. Without one, a field is missing.
fn is_wrong(name: &str) -> bool {
    !name.trim().is_empty() && !is_name(name)
}

fn is_name(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.bytes().all(inner)
}

/// Whether nothing is kept under `name`, so that it can be written small.
fn is_free(document: &Document<'_>, facts: &Facts<'_>, name: &str) -> bool {
    let Some(team) = facts.learning_team(document.source.path()) else { return false };
    let kept = [team.learnings_of(name), team.archive_of(name)];
    !kept.iter().any(|path| facts.read(path.as_bstr()).is_some())
}

fn describe(document: &Document<'_>, name: &Text, what: &str, free: bool) -> Finding {
    let span = name.inner(document.text());
    let small = name.value.to_ascii_lowercase();
    let finding = Finding::at(
        span,
        format!("{what} is `{}`, expected small letters, digits, `-` and `_`, a letter first", short(&name.value)),
    );
    match is_name(&small) {
        true if free && span.of(document.text()) == name.value => finding
            .label("capital letters")
            .help(format!("write `{small}`"))
            .fix(Applicability::Safe, [Edit::replace(span, small)]),
        true => finding
            .label("capital letters")
            .help(format!("write `{small}`, and rename what is kept under `{}` as well", short(&name.value))),
        false => finding.label("no name of a folder everywhere").help(match slug(&name.value) {
            Some(slug) => format!("write `{slug}`"),
            None => "choose another name, such as `backend`".to_owned(),
        }),
    }
}

/// A name that reads like `name`.
fn slug(name: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: Vec<_> = name.split(|c| !plain(c)).filter(|word| !word.is_empty()).collect();
    let slug = words.join("-").to_ascii_lowercase();
    (is_name(&slug) && slug.len() <= 40).then_some(slug)
}
