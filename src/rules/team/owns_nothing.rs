//! # team/owns-nothing
//!
//! ## What it flags
//!
//! A glob under `owns` that matches none of the files that git tracks. Where no glob of the team matches any, that is one
//! finding. Passed over: a folder outside git, and a repository that tracks nothing but hidden files and the team's own.
//!
//! Globs begin at the folder that holds `.claude/`; `*` and `?` stop at `/`, `**` as a whole part does not, `{a,b}` are
//! alternatives, and a name without wildcard at the end (`src/core`) is a file or a folder with all that is in it. The case
//! of letters counts.
//!
//! ## Why it matters
//!
//! The files were moved or deleted, or the glob never said what was meant: `*.test.ts` are files in the top folder alone.
//! In both cases the member believes to be responsible for something, and nobody is.
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
//! Write the path that the files have now, `**/*.test.ts` for files in any folder, or take the glob out. Files that are not
//! in git yet count as soon as they are added.
//!
//! ## Source
//!
//! The protocol of learning teams, "Required Fields": `owns` are the files that a member is responsible for.

use std::collections::BTreeMap;

use bstr::BStr;

use crate::diagnostic::{Finding, Severity};
use crate::facts::Facts;
use crate::facts::owned::{Claim, claims};
use crate::options::Options;
use crate::ownership::Ownership;
use crate::rule::{Check, Document, Rule, Sink};
use crate::text::prose::plural;

/// The rule.
pub static RULE: Rule = Rule {
    name: "team/owns-nothing",
    since: "0.1.0",
    severity: Severity::Warning,
    enabled: true,
    fixes: &[],
    check: Check::DocumentInRepository(check),
};

fn check(document: &Document<'_>, facts: &Facts<'_>, _: &Options, sink: &mut Sink<'_>) {
    let Some(manifest) = document.manifest() else { return };
    let path = document.source.path();
    let claims = claims(manifest);
    let survey = facts.ownership(path, &claims);
    let readable = survey.matches.iter().flatten().count();
    let unmatched: Vec<&Claim<'_>> =
        claims.iter().zip(&survey.matches).filter(|(_, files)| **files == Some(0)).map(|(claim, _)| claim).collect();
    let Some(first) = unmatched.first() else { return };
    if !facts.files_of_team(path).any(is_work) {
        return;
    }
    let files = plural(survey.files, "tracked file");
    if unmatched.len() == readable && readable > 1 {
        let message = format!("none of the {readable} globs of the team matches one of the {files}");
        sink.report(Finding::at(first.glob.span, message).label("matches nothing, nor do the others").help(
            "globs begin at the folder that holds `.claude/`: write them as seen from there, or add the files to git",
        ));
        return;
    }
    let nearby = nearby(&unmatched, facts, path);
    for claim in unmatched {
        let glob = claim.glob.value.as_str();
        let help = match nearby.get(glob) {
            Some((meant, count)) => format!("did you mean `{meant}`, which matches {}?", plural(*count, "file")),
            None => "write the path that the files have now, or take the glob out".to_owned(),
        };
        let message = format!("`{glob}` matches none of the {files}");
        sink.report(Finding::at(claim.glob.span, message).label("matches nothing").help(help));
    }
}

/// Whether it is a file that somebody could own: in a repository that has none yet, globs are plans.
fn is_work(path: &BStr) -> bool {
    !path.starts_with(b".") && !path.starts_with(b"memory/")
}

/// What somebody who wrote these globs may have meant, and how many files that matches.
fn nearby<'a>(claims: &[&Claim<'a>], facts: &Facts<'_>, path: &BStr) -> BTreeMap<&'a str, (String, usize)> {
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
    let counts = ownership.survey(facts.files_of_team(path).filter(|path| is_work(path)), |_| false).matches;
    let mut found = BTreeMap::new();
    for ((glob, meant), count) in meant.into_iter().zip(counts) {
        if let Some(count @ 1..) = count {
            found.entry(glob).or_insert((meant, count));
        }
    }
    found
}
