//! # team/invalid-name
//!
//! ## What it flags
//!
//! A name of a member or of the team that contains anything but lower-case letters, digits, `-` and `_`, or does not
//! begin with a letter.
//!
//! ## Why it matters
//!
//! The name is the name of a folder (`memory/agents/<name>/`), and it appears in commands and in the notes of other
//! members. Spaces and slashes break these, and names that differ only in case are one folder on some systems.
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
//! Write it as `shop-backend`. If only upper case is wrong, `squad-lint --fix` changes it to lower case, unless a
//! folder of learnings has the same name. In that case, rename the folder as well.
//!
//! ## Source
//!
//! Learning teams, "Required fields":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#required-fields>

use std::collections::HashMap;

use bstr::ByteSlice;

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::facts::{Run, learning_team};
use crate::formats::manifest::values::short;
use crate::formats::manifest::{Manifest, Text, is_name};
use crate::rule::{Check, Context, Document, Rule, Sink};

/// The rule.
pub static RULE: Rule = Rule {
    name: "team/invalid-name",
    severity: Severity::Error,
    fixes: &[Applicability::Safe],
    check: Check::Document(check),
    ..Rule::NEW
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let Some(manifest) = document.body::<Manifest>() else { return };
    if let Some(team) = manifest.team.as_ref().filter(|team| is_wrong(&team.value)) {
        sink.report(describe(document, team, "team name", true));
    }
    // How many members have a name, except for its case.
    let mut named: HashMap<String, usize> = HashMap::new();
    manifest.names().for_each(|name| *named.entry(name.to_ascii_lowercase()).or_default() += 1);
    for name in manifest.members.iter().filter_map(|member| member.name.as_ref()).filter(|name| is_wrong(&name.value)) {
        let is_only = named.get(&name.value.to_ascii_lowercase()) == Some(&1);
        let free = is_only && is_free(document, context.run(), &name.value);
        sink.report(describe(document, name, "member name", free));
    }
}

/// Whether `name` is there and no name. Without one, a field is missing.
fn is_wrong(name: &str) -> bool {
    !name.trim().is_empty() && !is_name(name)
}

/// Whether the team keeps nothing under `name`, so that a fix can write it in lower case.
fn is_free(document: &Document, run: &Run<'_>, name: &str) -> bool {
    let Some(team) = learning_team::of(run, document.source.path()) else { return false };
    let kept = [team.learnings_of(name), team.archive_of(name)];
    !kept.iter().any(|path| run.read(path.as_bstr()).is_some())
}

fn describe(document: &Document, name: &Text, what: &str, free: bool) -> Finding {
    let span = name.inner(document.text());
    let small = name.value.to_ascii_lowercase();
    let finding = Finding::at(
        span,
        format!(
            "invalid {what} `{}`: a name starts with a lower-case letter, and has only lower-case letters, digits, `-` and `_`",
            short(&name.value)
        ),
    );
    match is_name(&small) {
        true if free && span.of(document.text()) == name.value => finding
            .label("has a capital letter")
            .help(format!("write `{small}`"))
            .fix(Applicability::Safe, [Edit::replace(span, small)]),
        true => finding
            .label("has a capital letter")
            .help(format!("write `{small}`, and rename the files kept under `{}`", short(&name.value))),
        false => finding.label("not a portable folder name").help(match slug(&name.value) {
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
