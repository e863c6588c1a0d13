//! `team show`: what the members are spawned with, and who says so.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::is_folder_name;
use crate::facts::learning_team::LearningTeam;
use crate::formats::manifest::{Member, Setting, Text};
use crate::report::json_writer;
use crate::terminal::{display_path, escape};
use crate::text::ColumnUnit;
use crate::value_source::ValueSource;

/// A team, as it is printed.
#[derive(Serialize)]
struct Shown<'a> {
    manifest: Cow<'a, str>,
    team: Option<&'a str>,
    description: Option<&'a str>,
    members: Vec<ShownMember<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ShownMember<'a> {
    name: Option<&'a str>,
    role: Option<&'a str>,
    model: ShownSetting<&'a str>,
    budget: ShownSetting<f64>,
    permission_mode: ShownSetting<&'a str>,
    /// `None` where the manifest has none, or no list.
    tools: Option<Vec<&'a str>>,
    owns: Option<Vec<&'a str>>,
    /// The path of its learnings; `None` where its name is that of no folder.
    learnings: Option<String>,
}

#[derive(Serialize)]
struct ShownSetting<T> {
    value: T,
    origin: &'static str,
    /// The line of the manifest, from 1.
    line: Option<usize>,
}

/// Prints the team, or the member `only`, as JSON or for people.
///
/// # Errors
/// What the writer says.
pub fn write(team: &LearningTeam, only: Option<&Member>, json: bool, out: &mut impl Write) -> io::Result<()> {
    let shown = Shown {
        manifest: team.source.path().to_string().into(),
        team: value(team.manifest.team.as_ref()),
        description: value(team.manifest.description.as_ref()),
        members: match only {
            Some(only) => vec![shown(team, only)],
            None => team.manifest.members.iter().map(|member| shown(team, member)).collect(),
        },
    };
    match shown.members.as_slice() {
        _ if json => json_writer::write(&shown, out),
        [one] if only.is_some() => write_member(&shown, one, out),
        _ => write_team(&shown, out),
    }
}

fn value(text: Option<&Text>) -> Option<&str> {
    text.map(|text| text.value.as_str())
}

fn shown<'a>(team: &'a LearningTeam, member: &'a Member) -> ShownMember<'a> {
    let options = team.manifest.effective(member);
    let name = value(member.name.as_ref());
    let folder = name.filter(|name| is_folder_name(name));
    ShownMember {
        name,
        role: value(member.role.as_ref()),
        model: setting(team, options.model),
        budget: setting(team, options.budget),
        permission_mode: setting(team, options.permission_mode),
        tools: values(member.tools.as_deref()),
        owns: values(member.owns.as_deref()),
        learnings: folder.map(|folder| team.learnings_of(folder).to_string()),
    }
}

fn values(texts: Option<&[Text]>) -> Option<Vec<&str>> {
    Some(texts?.iter().map(|text| text.value.as_str()).collect())
}

fn setting<T>(team: &LearningTeam, setting: Setting<T>) -> ShownSetting<T> {
    let line = setting.span.map(|span| team.source.position(span.start(), ColumnUnit::Char).line);
    ShownSetting { value: setting.value, origin: origin(setting.origin), line }
}

/// What the output calls a value that the member gives itself.
const MEMBER: &str = "member";

/// What the output calls the place that a value comes from.
fn origin(source: ValueSource) -> &'static str {
    match source {
        ValueSource::Member => MEMBER,
        ValueSource::Team => "defaults",
        _ => "built-in",
    }
}

/// An amount of US dollars: with cents, or as precise as it is written.
fn amount(value: f64) -> String {
    let cents = format!("{value:.2}");
    if cents.parse() == Ok(value) { cents } else { value.to_string() }
}

/// What is said behind a value that the member does not give itself.
fn of_others(origin: &str) -> String {
    match origin == MEMBER {
        true => String::new(),
        false => format!(" ({origin})"),
    }
}

fn write_team(shown: &Shown<'_>, out: &mut impl Write) -> io::Result<()> {
    head(shown, out)?;
    if shown.members.is_empty() {
        return writeln!(out, "\nno members");
    }
    let header = ["member", "model", "budget", "permission mode", "tools", "owns"].map(str::to_owned);
    let count = |list: &Option<Vec<&str>>| list.as_ref().map_or_else(|| "-".to_owned(), |list| list.len().to_string());
    let row = |member: &ShownMember<'_>| {
        [
            member.name.map_or_else(|| "(no name)".to_owned(), escape),
            escape(member.model.value) + &of_others(member.model.origin),
            amount(member.budget.value) + &of_others(member.budget.origin),
            escape(member.permission_mode.value) + &of_others(member.permission_mode.origin),
            count(&member.tools),
            count(&member.owns),
        ]
    };
    let rows: Vec<_> = std::iter::once(header).chain(shown.members.iter().map(row)).collect();
    let mut widths = [0; 6];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    writeln!(out)?;
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

fn head(shown: &Shown<'_>, out: &mut impl Write) -> io::Result<()> {
    let team = shown.team.map_or_else(|| "(no name)".to_owned(), escape);
    match shown.description {
        Some(description) => writeln!(out, "{team}: {}", escape(description.trim()))?,
        None => writeln!(out, "{team}")?,
    }
    writeln!(out, "{}", display_path(shown.manifest.as_bytes()))
}

fn write_member(shown: &Shown<'_>, member: &ShownMember<'_>, out: &mut impl Write) -> io::Result<()> {
    let name = member.name.map_or_else(|| "(no name)".to_owned(), escape);
    match member.role {
        Some(role) => writeln!(out, "{name}: {}", escape(role.trim()))?,
        None => writeln!(out, "{name}")?,
    }
    let path = display_path(shown.manifest.as_bytes());
    let place = |origin: &str, line: Option<usize>| match line {
        Some(line) => format!("{origin}, {path}:{line}"),
        None => origin.to_owned(),
    };
    let settings = [
        ("model", escape(member.model.value), place(member.model.origin, member.model.line)),
        ("budget", format!("{} USD", amount(member.budget.value)), place(member.budget.origin, member.budget.line)),
        (
            "permission-mode",
            escape(member.permission_mode.value),
            place(member.permission_mode.origin, member.permission_mode.line),
        ),
    ];
    let width = settings.iter().map(|(_, value, _)| value.chars().count()).max().unwrap_or(0);
    writeln!(out)?;
    for (key, value, place) in settings {
        writeln!(out, "{key:15}  {value:width$}  {place}")?;
    }
    for (key, list) in [("tools", &member.tools), ("owns", &member.owns)] {
        let items: Vec<_> = list.iter().flatten().map(|item| escape(item)).collect();
        let none = if list.is_some() { "nothing" } else { "not said" };
        let text = if items.is_empty() { none.to_owned() } else { items.join(&format!("\n{:17}", "")) };
        writeln!(out, "{key:15}  {text}")?;
    }
    match &member.learnings {
        Some(path) => writeln!(out, "{:15}  {}", "learnings", display_path(path.as_bytes())),
        None => Ok(()),
    }
}
