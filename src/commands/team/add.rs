//! `team add`: a new member begins with the learnings of related members.

use std::io::{self, Write};

use bstr::{BString, ByteSlice};

use super::{Workspace, learnings_of};
use crate::cli::team::AddArgs;
use crate::commands::fix;
use crate::commands::{Exit, Stop};
use crate::facts::staleness::{self, today};
use crate::fix::passes::FixedFile;
use crate::formats::manifest::is_name;
use crate::rule::Document;
use crate::team::onboarding::{self, Seed, Source};
use crate::terminal::{display_path, escape};

/// Why nobody was added.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotAdded {
    #[error("`{name}` cannot be the name of a member")]
    #[diagnostic(help("use small letters, digits, `-` and `_`, a letter first"))]
    Name { name: String },
    #[error("`{name}` has learnings already: {path}")]
    #[diagnostic(help("it stays as it is; `squad-lint team reflect` adds to it"))]
    There { name: String, path: String },
    #[error("`{name}` cannot begin with its own learnings")]
    #[diagnostic(help("name other members with `--from`"))]
    Itself { name: String },
}

/// Adds the member, or shows what that comes to.
pub fn run(args: &AddArgs) -> Result<Exit, Stop> {
    let workspace = Workspace::open(&args.files)?;
    let run = workspace.run(&[]);
    let team = workspace.team(&run)?;
    let name = || escape(&args.member);
    if !is_name(&args.member) {
        return Err(NotAdded::Name { name: name() }.into());
    }
    if args.from.contains(&args.member) {
        return Err(NotAdded::Itself { name: name() }.into());
    }
    let path = team.learnings_of(&args.member);
    let is_there = path.to_path().is_ok_and(|path| workspace.repository.root.join(path).symlink_metadata().is_ok());
    if is_there {
        return Err(NotAdded::There { name: name(), path: display_path(&path) }.into());
    }
    let all = workspace.learnings(Some(team.memory.as_bstr()));
    let mut parsed = Vec::new();
    for member in &args.from {
        parsed.push(workspace.read(learnings_of(&all, member)?.as_bstr())?);
    }
    let documents: Vec<Document<'_>> = parsed.iter().map(crate::parsed::Parsed::document).collect();
    let of_all = workspace.run(&documents);
    let stale: Vec<Vec<usize>> = documents
        .iter()
        .map(|document| staleness::stale(&of_all, document).iter().map(|aged| aged.entry).collect())
        .collect();
    let sources = documents.iter().zip(&stale).zip(&args.from).filter_map(|((document, stale), name)| {
        Some(Source { name, text: document.text(), learnings: document.learnings()?, stale })
    });
    let caps = &workspace.options.learnings;
    let seed = onboarding::seed_learnings(&args.member, &sources.collect::<Vec<_>>(), today(&workspace.options), caps);
    let file =
        FixedFile { path: path.clone(), old: None, new: seed.text.clone().into_bytes(), count: 1, after: [].into() };
    let is_member = team.manifest.member(&args.member).is_some();
    let report =
        Report { args, path: &path, seed: &seed, manifest: (!is_member).then(|| team.manifest_path().to_owned()) };
    if !args.apply {
        fix::print_diff(&[file]).map_err(Stop::Output)?;
        // What stands beside the diff is worth no failure.
        let _ = report.write(&mut workspace.terminal.stderr());
        return Ok(Exit::Clean);
    }
    let written = fix::write_files(vec![file], &workspace.repository.root, "written", workspace.terminal);
    if written.failed {
        return Ok(Exit::Incomplete);
    }
    report.write(&mut workspace.terminal.stdout()).map_err(Stop::Output)?;
    Ok(Exit::Clean)
}

/// What is said.
struct Report<'a> {
    args: &'a AddArgs,
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
            let (path, name) = (display_path(manifest), escape(&self.args.member));
            writeln!(out, "  left to you: under `members:` in {path}")?;
            writeln!(
                out,
                "    - name: {name}\n      role: \"...\"\n      tools: [Read, Grep, Glob]\n      owns: [\"...\"]"
            )?;
        }
        Ok(())
    }
}
