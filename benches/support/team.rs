//! A learning team of any size in a repository of any size.

use std::fmt::Write as _;

use super::monorepo::{Monorepo, WORDS, source_folder, source_path};

/// How many members, each with learnings of 60 lines.
pub const MEMBERS: usize = 500;
/// How many globs each of them has under `owns`.
pub const GLOBS: usize = 10;

const LAST_LEARNINGS: usize = MEMBERS + 1;
const MANIFEST: &str = ".claude/team.yaml";

/// A repository of `count` tracked files, with a manifest and the learnings of its team.
pub fn repository(count: usize) -> Monorepo {
    let learnings = (0..MEMBERS).map(|member| format!("memory/agents/{}/learnings.md", name(member)));
    // The last commit changes the first file, among others.
    let mut files: Vec<String> = ["README.md".to_owned(), MANIFEST.to_owned()].into_iter().chain(learnings).collect();
    files.extend((0..count - files.len() - 1).map(source_path));
    Monorepo::of(files, text)
}

/// What each member owns: mostly folders, some kinds of files in a folder, a file, a name anywhere.
pub fn globs(member: usize) -> Vec<String> {
    let glob = |number: usize| {
        // No two of them meet, and each matches something.
        let at = 2 * (member * GLOBS + number);
        let folder = source_folder(at);
        let file = source_path(8 * at);
        let name = file.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default().to_owned();
        match number {
            0 if member == 0 => "**".to_owned(),
            0..=5 => format!("{folder}/**"),
            6 => format!("{folder}/*.{{ts,rs}}"),
            7 => format!("{folder}/**/*_*.go"),
            8 => file,
            _ => format!("**/{name}.*"),
        }
    };
    (0..GLOBS).map(glob).collect()
}

fn name(member: usize) -> String {
    format!("{}-{member}", WORDS[member % 13])
}

fn text(path: &str, at: usize) -> String {
    match at {
        1 => manifest(),
        2..=LAST_LEARNINGS => learnings(at - 2),
        _ => format!("# {path}\n"),
    }
}

fn manifest() -> String {
    let mut text =
        "team: monorepo\ndescription: \"A team for each part\"\n\ndefaults:\n  model: sonnet\n  budget: 0.50\n  \
                    permission-mode: dontAsk\n\nmembers:\n"
            .to_owned();
    for member in 0..MEMBERS {
        let _ = writeln!(
            text,
            "  - name: {}\n    role: \"What is in {}\"\n    tools: [Read, Write, Edit, Grep, Glob, \"Bash(git:*)\"]\n    owns:",
            name(member),
            source_folder(member)
        );
        for glob in globs(member) {
            let _ = writeln!(text, "      - \"{glob}\"");
        }
        text.push('\n');
    }
    text
}

/// 60 lines, of which none says what another one does.
fn learnings(member: usize) -> String {
    const SUBJECTS: [&str; 11] = [
        "Retries",
        "Migrations",
        "Snapshots",
        "Feature flags",
        "Webhooks",
        "Fixtures",
        "Rate limits",
        "Timestamps",
        "Cursors",
        "Locales",
        "Uploads",
    ];
    const VERBS: [&str; 7] = ["lose", "repeat", "shadow", "outlive", "reorder", "truncate", "need"];
    const OBJECTS: [&str; 13] = [
        "the last page",
        "open sessions",
        "a rolled back write",
        "its own lock",
        "the parent span",
        "empty batches",
        "cached headers",
        "half of the keys",
        "stale tokens",
        "the tenant's zone",
        "a missing index",
        "trailing commas",
        "the second replica",
    ];
    const ENDINGS: [&str; 5] = [
        "unlike in staging",
        "so check twice",
        "since the move to v2",
        "when the queue is cold",
        "as the runbook says",
    ];
    let mut text = format!("# Learnings: {}\n", name(member));
    let mut at = member * 51;
    for (section, entries) in [("Codebase Patterns", 20), ("Gotchas", 18), ("Preferences", 6), ("Cross-Agent Notes", 7)]
    {
        let _ = writeln!(text, "\n## {section}");
        for entry in 0..entries {
            let from = if entries == 7 { format!("(from {}) ", name(at % MEMBERS)) } else { String::new() };
            let (subject, verb) = (SUBJECTS[at % 11], VERBS[at / 11 % 7]);
            let (object, ending) = (OBJECTS[at % 13], ENDINGS[at % 5]);
            let day = if entries == 7 { 20 + entry } else { 10 + entry % 18 };
            let file = source_path(at * 31 % 90_000);
            let _ = writeln!(text, "- {from}{subject} {verb} {object} in `{file}`, {ending} (added: 2026-02-{day})");
            at += 1;
        }
    }
    text
}
