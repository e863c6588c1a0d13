//! A new member begins with the learnings of related members.

use std::io::{self, Write};

use bstr::{BString, ByteSlice};

use super::workspace::{Workspace, learnings_of};
use crate::errors::CliError;
use crate::facts::staleness::{self, today};
use crate::fix::passes::FixedFile;
use crate::fix::problems::Problems;
use crate::fix::{diff, work_tree};
use crate::formats::learnings::Learnings;
use crate::formats::manifest::is_name;
use crate::team::onboarding::{self, Seed, Source};
use crate::terminal::{display_path, escape};

/// Why no member was added.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotAdded {
    #[error("`{name}` cannot be the name of a member")]
    #[diagnostic(help("use lower-case letters, digits, `-` and `_`, and begin with a letter"))]
    Name { name: String },
    #[error("`{name}` already has learnings: {path}")]
    #[diagnostic(help("it stays as it is; `squad-lint team reflect` adds to it"))]
    There { name: String, path: String },
    #[error("`{name}` cannot begin with its own learnings")]
    #[diagnostic(help("name other members with `--from`"))]
    Itself { name: String },
}

/// Creates the learnings of the `member` from those of the members `from`, or with `diff` shows them. Whether the file
/// could be written.
///
/// # Errors
/// When a name or a file is not fit for it, and what standard output says.
pub fn run(workspace: &Workspace, member: &str, from: &[String], is_diff: bool) -> Result<bool, CliError> {
    let run = workspace.run(&[]);
    let team = workspace.team(&run)?;
    let name = || escape(member);
    if !is_name(member) {
        return Err(NotAdded::Name { name: name() }.into());
    }
    if from.iter().any(|other| other == member) {
        return Err(NotAdded::Itself { name: name() }.into());
    }
    let path = team.learnings_of(member);
    let is_there =
        path.to_path().is_ok_and(|path| workspace.project.repository.root.join(path).symlink_metadata().is_ok());
    if is_there {
        return Err(NotAdded::There { name: name(), path: display_path(&path) }.into());
    }
    let all = workspace.learnings(Some(team.memory.as_bstr()));
    let mut documents = Vec::new();
    for other in from {
        documents.push(workspace.read(learnings_of(&all, other)?.as_bstr())?);
    }
    let of_all = workspace.run(&documents);
    let stale: Vec<Vec<usize>> = documents
        .iter()
        .map(|document| staleness::stale(&of_all, document).iter().map(|aged| aged.entry).collect())
        .collect();
    let sources = documents.iter().zip(&stale).zip(from).filter_map(|((document, stale), name)| {
        Some(Source { name, text: document.text(), learnings: document.body::<Learnings>()?, stale })
    });
    let caps = &workspace.project.options.learnings;
    let seed =
        onboarding::seed_learnings(member, &sources.collect::<Vec<_>>(), today(&workspace.project.options), caps);
    let file =
        FixedFile { path: path.clone(), old: None, new: seed.text.clone().into_bytes(), count: 1, after: [].into() };
    let is_member = team.manifest.member(member).is_some();
    let report =
        Report { member, path: &path, seed: &seed, manifest: (!is_member).then(|| team.manifest_path().to_owned()) };
    if is_diff {
        diff::print(&[file]).map_err(CliError::Output)?;
        workspace.terminal.summary(is_diff, |out| report.write(out)).map_err(CliError::Output)?;
        return Ok(true);
    }
    let mut problems = Problems::default();
    let written = work_tree::write(vec![file], &workspace.project.repository.root, "written", &mut problems);
    problems.show(workspace.terminal);
    if written.failed {
        return Ok(false);
    }
    workspace.terminal.summary(is_diff, |out| report.write(out)).map_err(CliError::Output)?;
    Ok(true)
}

/// What is said.
struct Report<'a> {
    member: &'a str,
    path: &'a BString,
    seed: &'a Seed,
    /// The manifest, where the member is not in it.
    manifest: Option<BString>,
}

impl Report<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let of: Vec<String> =
            self.seed.taken.iter().map(|(name, count)| format!("{count} of {}", escape(name))).collect();
        writeln!(out, "{}: {} lines, with {}", display_path(self.path), self.seed.text.lines().count(), of.join(", "))?;
        for (count, why) in [
            (self.seed.stale, "stale"),
            (self.seed.alike, "similar to others"),
            (self.seed.over, "over the limit"),
            (self.seed.unfit, "not plain text"),
        ] {
            if count > 0 {
                writeln!(out, "  left where they are: {count} {why}")?;
            }
        }
        if let Some(manifest) = &self.manifest {
            let (path, name) = (display_path(manifest), escape(self.member));
            writeln!(out, "  left to you: under `members:` in {path}")?;
            writeln!(
                out,
                "    - name: {name}\n      role: \"...\"\n      tools: [Read, Grep, Glob]\n      owns: [\"...\"]"
            )?;
        }
        Ok(())
    }
}
