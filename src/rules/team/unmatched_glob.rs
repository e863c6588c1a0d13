//! # team/unmatched-glob
//!
//! ## What it flags
//!
//! A glob under `owns` that matches none of the files that git tracks. If no glob of the team matches any file except
//! hidden files and the team's own, there is one finding for all of them. The rule is silent in a folder outside git,
//! and in a repository that tracks only hidden files and the team's own.
//!
//! Globs begin at the folder that holds `.claude/`. `*` and `?` stop at `/`, `**` as a whole part does not, `{a,b}`
//! are alternatives, and a name without a wildcard at the end (`src/core`) is a file, or a folder with everything in
//! it. Case matters.
//!
//! ## Why it matters
//!
//! The files were moved or deleted, or the glob does not mean what its author intended: `*.test.ts` matches only files
//! in the top folder. In both cases the manifest names an owner, but the files have none.
//!
//! ## Example
//!
//! ```yaml
//! members:
//!   - name: tester
//!     owns: ["*.test.ts"]
//! ```
//!
//! ## How to fix
//!
//! Write the current path of the files, use `**/*.test.ts` for files in any folder, or remove the glob. New files count
//! as soon as you `git add` them.
//!
//! ## Source
//!
//! Learning teams, "Ownership":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/learning-teams.md#ownership>

use std::collections::BTreeMap;

use bstr::BStr;

use crate::diagnostic::{Finding, Severity};
use crate::facts::survey::{Claim, claims};
use crate::facts::{Run, tracked_files};
use crate::formats::manifest::Manifest;
use crate::ownership::Ownership;
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule =
    Rule { name: "team/unmatched-glob", severity: Severity::Warning, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Context { document, .. } = *context;
    let Some(manifest) = document.body::<Manifest>() else { return };
    let path = document.source.path();
    let claims = claims(manifest);
    let survey = context.run().survey(path);
    let readable = survey.matches.iter().flatten().count();
    let unmatched: Vec<&Claim<'_>> =
        claims.iter().zip(&survey.matches).filter(|(_, files)| **files == Some(0)).map(|(claim, _)| claim).collect();
    let Some(first) = unmatched.first() else { return };
    if !tracked_files::of_team(context.run(), path).any(is_work) {
        return;
    }
    let files = plural(survey.files, "tracked file");
    // Hidden files and the team's own are there before any work.
    let matched = claims.iter().zip(&survey.matches).filter(|(_, files)| **files != Some(0));
    let matched = Ownership::new(matched.map(|(claim, _)| (0, claim.glob.value.as_str())));
    let work = tracked_files::of_team(context.run(), path).filter(|path| is_work(path));
    if unmatched.len() > 1 && !matched.match_any(work) {
        let message = match unmatched.len() {
            count if count == readable => format!("none of the team's {readable} globs matches any of the {files}"),
            count => format!(
                "{count} of the team's {readable} globs match none of the {files}, and the others only hidden files and those \
                 of the team"
            ),
        };
        sink.report(
            Finding::at(first.glob.span, message)
                .label("matches no file; the other globs match none either")
                .help("write globs relative to the folder that holds `.claude/`, or add the files to git"),
        );
        return;
    }
    let nearby = nearby(&unmatched, context.run(), path);
    for claim in unmatched {
        let glob = claim.glob.value.as_str();
        let help = match nearby.get(glob) {
            Some((meant, count)) => format!("did you mean `{meant}`, which matches {}?", plural(*count, "file")),
            None => {
                "write the current path of the files, relative to the folder that holds `.claude/`, or remove the glob"
                    .to_owned()
            }
        };
        let message = format!("`{glob}` matches none of the {files}");
        sink.report(Finding::at(claim.glob.span, message).label("matches no file").help(help));
    }
}

/// Whether it is a file that someone could own: in a repository that has none yet, globs are plans.
fn is_work(path: &BStr) -> bool {
    !path.starts_with(b".") && !path.starts_with(b"memory/")
}

/// What someone who wrote these globs may have meant, and how many files that matches.
fn nearby<'a>(claims: &[&Claim<'a>], run: &Run<'_>, path: &BStr) -> BTreeMap<&'a str, (String, usize)> {
    let mut meant: Vec<(&'a str, String)> = Vec::new();
    for claim in claims {
        let glob = claim.glob.value.as_str();
        let from_top = glob.trim_start_matches("./").trim_start_matches('/');
        meant.push((glob, glob.replace('\\', "/")));
        if !from_top.starts_with(['*', '!']) || !from_top.contains("**") {
            meant.push((glob, format!("**/{from_top}")));
        }
        if let Some(folder) = glob.strip_suffix("/*") {
            meant.push((glob, format!("{folder}/**")));
        }
    }
    meant.retain(|(glob, meant)| glob != meant && !glob.starts_with('!'));
    let ownership = Ownership::new(meant.iter().map(|(_, glob)| (0, glob.as_str())));
    let counts = ownership.survey(tracked_files::of_team(run, path).filter(|path| is_work(path)), |_| false).matches;
    let mut found = BTreeMap::new();
    for ((glob, meant), count) in meant.into_iter().zip(counts) {
        if let Some(count @ 1..) = count {
            found.entry(glob).or_insert((meant, count));
        }
    }
    found
}
