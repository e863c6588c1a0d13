//! What in the texts of a bundle belongs to a project.

use super::heading::{PROJECT_CONTEXT, headings};
use super::portable::local;
use crate::formats::markdown::{self, MarkKind};
use crate::text::Span;

/// The sections `## Project Context` of `text`, each up to the next heading that is as high, or to the end. The heading is the
/// first line.
pub fn project_context(text: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut open = None;
    for heading in headings(text).into_iter().filter(|heading| heading.level <= 2) {
        if let Some(start) = open.take() {
            found.push(Span::new(start, heading.span.start()));
        }
        open = heading.is_called(text, PROJECT_CONTEXT).then_some(heading.span.start());
    }
    found.extend(open.map(|start| Span::new(start, text.len())));
    found
}

/// `text` without the sections `## Project Context`.
pub fn without_project_context(text: &str) -> String {
    let mut rest = String::with_capacity(text.len());
    let mut at = 0;
    for section in project_context(text) {
        rest.push_str(text.get(at..section.start()).unwrap_or_default());
        at = section.end();
    }
    rest.push_str(text.get(at..).unwrap_or_default());
    rest
}

/// A part of a text with its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The line of the heading; empty for the text before the first one.
    pub heading: Span,
    /// All of it, the heading included.
    pub span: Span,
}

/// The parts of `text`, each from a heading of any level to the next one. Together they are the whole text.
pub fn headed(text: &str) -> Vec<Section> {
    let headings = markdown::scan(text).marks.into_iter().filter(|mark| matches!(mark.kind, MarkKind::Heading(_)));
    let mut sections = vec![Section { heading: Span::at(0), span: Span::at(0) }];
    for heading in headings.map(|mark| mark.line) {
        if let Some(last) = sections.last_mut() {
            last.span.end = heading.start;
        }
        sections.push(Section { heading, span: heading });
    }
    if let Some(last) = sections.last_mut() {
        last.span = Span::new(last.span.start(), text.len());
    }
    sections.retain(|section| !section.span.is_empty());
    sections
}

/// A fact that is true in one project only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specific {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: SpecificKind,
}

/// The kinds of facts that are true in one project only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecificKind {
    /// `/home/kim/app`, `C:\src`.
    AbsolutePath,
    /// `src/middleware/auth.rs`.
    SourcePath,
    /// `port 3000`, `localhost:3000`.
    Port,
    /// `10.0.0.7`, `db.internal`.
    Host,
    /// `kim@acme.io`.
    Email,
    /// `- [local] …`, `## Project Context`, with all that is below.
    Local,
}

impl SpecificKind {
    /// What it is called in a message.
    pub fn noun(self) -> &'static str {
        match self {
            Self::AbsolutePath => "an absolute path",
            Self::SourcePath => "the path of a source file",
            Self::Port => "a port",
            Self::Host => "a local host",
            Self::Email => "an e-mail address",
            Self::Local => "text that is marked as local",
        }
    }
}

/// The facts in `text`, a history, that are true in one project only, in its order. What is marked as local is one of them.
pub fn specifics(text: &str) -> Vec<Specific> {
    let mut found = Vec::new();
    let mut at = 0;
    for (mark, whole) in local(text) {
        found.extend(in_part(text, Span::new(at, whole.start())));
        found.push(Specific { span: mark, kind: SpecificKind::Local });
        at = whole.end();
    }
    found.extend(in_part(text, Span::new(at, text.len())));
    found
}

/// Those in a part of `text` without marks.
fn in_part(text: &str, part: Span) -> Vec<Specific> {
    let mut found = Vec::new();
    let mut before = "";
    for span in words(part.of(text)) {
        let span = Span::new(part.start() + span.start(), part.start() + span.end());
        let word = span.of(text);
        let kind = match kind(word) {
            None if before.eq_ignore_ascii_case("port") && is_port(word) => Some(SpecificKind::Port),
            kind => kind,
        };
        found.extend(kind.map(|kind| Specific { span, kind }));
        before = word;
    }
    found
}

/// The words of `text` without the signs around them.
fn words(text: &str) -> impl Iterator<Item = Span> {
    let is_around = |c: char| "`'\"()[]{}<>,;*|!?…".contains(c);
    let is_between = move |c: char| c.is_whitespace() || is_around(c);
    let mut at = 0;
    text.split_inclusive(is_between).filter_map(move |piece| {
        let start = at;
        at += piece.len();
        let word = piece.trim_end_matches(is_between).trim_end_matches(['.', ':']);
        (!word.is_empty()).then(|| Span::new(start, start + word.len()))
    })
}

fn kind(word: &str) -> Option<SpecificKind> {
    if word.len() < 4 || !word.contains(['/', '\\', '@', '.', ':']) {
        return None;
    }
    if word.contains('@') {
        return is_email(word).then_some(SpecificKind::Email);
    }
    let (address, is_url) = match word.split_once("://") {
        Some((_, rest)) => (rest, true),
        None => (word, false),
    };
    let authority = address.split('/').next().unwrap_or_default();
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    if is_local_host(host) {
        return Some(if is_port(port) { SpecificKind::Port } else { SpecificKind::Host });
    }
    match () {
        () if is_url => None,
        () if is_absolute(word) => Some(SpecificKind::AbsolutePath),
        () if is_source(word) => Some(SpecificKind::SourcePath),
        () => None,
    }
}

fn is_port(word: &str) -> bool {
    (2..=5).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_local_host(host: &str) -> bool {
    let is_number = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_address = host.split('.').count() == 4 && host.split('.').all(is_number);
    let ending = host.rsplit_once('.').map(|(_, ending)| ending);
    host.eq_ignore_ascii_case("localhost")
        || is_address
        || ending.is_some_and(|ending| ["internal", "local", "corp", "lan", "localhost"].contains(&ending))
}

/// Folders at the top of a disk in which people and programs keep files.
const TOPS: [&str; 12] =
    ["Users", "home", "workspaces", "workspace", "mnt", "opt", "var", "srv", "etc", "tmp", "usr", "root"];

fn is_absolute(word: &str) -> bool {
    if let Some(rest) = word.strip_prefix('/') {
        let (top, rest) = rest.split_once('/').unwrap_or((rest, ""));
        return TOPS.contains(&top) && !rest.is_empty();
    }
    if word.starts_with("~/") {
        return true;
    }
    matches!(word.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic())
}

/// Folders of source code at the top of a project.
const SOURCES: [&str; 16] = [
    "src",
    "lib",
    "app",
    "apps",
    "packages",
    "test",
    "tests",
    "cmd",
    "internal",
    "scripts",
    "server",
    "client",
    "components",
    "infra",
    "pkg",
    "backend",
];

fn is_source(word: &str) -> bool {
    let path = word.strip_prefix("./").unwrap_or(word);
    let Some((top, rest)) = path.split_once('/') else { return false };
    let is_name = |part: &str| !part.is_empty() && !part.contains(['*', '{', '$']);
    // `src/tests` means two folders; `src/a/b` and `src/a.rs` are paths.
    let is_deep = rest.contains('/')
        || rest.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty()
                && (1..=5).contains(&ending.len())
                && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
    SOURCES.contains(&top) && is_deep && rest.trim_end_matches('/').split('/').all(is_name)
}

fn is_email(word: &str) -> bool {
    let Some((name, host)) = word.split_once('@') else { return false };
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_host = host.contains('.') && host.split('.').all(is_part);
    let is_real = !host.starts_with("example.") && !host.ends_with("noreply.github.com") && !name.contains("noreply");
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte));
    is_name
        && is_host
        && is_real
        && host.rsplit('.').next().is_some_and(|top| top.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_on_the_project() {
        let text = "# Team\n\n## Project Context\n\n- a\n\n### More\n\n## Members\n\nx\n\n## project context\nb";
        let found: Vec<_> = project_context(text).iter().map(|span| span.of(text)).collect();
        assert_eq!(found, ["## Project Context\n\n- a\n\n### More\n\n", "## project context\nb"]);
        assert!(project_context("```\n## Project Context\n```\n").is_empty());
        for heading in
            ["## Project Context:", "## **Project  context**", "Project Context\n---", "# 📋 Project Context"]
        {
            let text = format!("# Team\n\n{heading}\n\n- a\n\n## Members\n");
            let found: Vec<_> = project_context(&text).iter().map(|span| span.of(&text).to_owned()).collect();
            assert_eq!(found, [format!("{heading}\n\n- a\n\n")], "{heading}");
        }
    }

    #[test]
    fn facts_of_one_project() {
        let found = |text: &str| -> Vec<_> {
            specifics(text).iter().map(|one| (one.span.of(text).to_owned(), one.kind)).collect()
        };
        for (text, word, kind) in [
            ("it is in `/home/kim/app`.", "/home/kim/app", SpecificKind::AbsolutePath),
            ("see C:\\src\\app", "C:\\src\\app", SpecificKind::AbsolutePath),
            ("Auth middleware is in src/middleware/auth", "src/middleware/auth", SpecificKind::SourcePath),
            ("(./src/main.rs)", "./src/main.rs", SpecificKind::SourcePath),
            ("The API runs on port 3000.", "3000", SpecificKind::Port),
            ("http://localhost:8080/x", "http://localhost:8080/x", SpecificKind::Port),
            ("the database db.internal", "db.internal", SpecificKind::Host),
            ("ask kim@acme.io,", "kim@acme.io", SpecificKind::Email),
            ("- A\n- [local] in src/a/b\n- B\n", "- [local] in src/a/b", SpecificKind::Local),
            ("Project Context\n===\n\nsrc/a/b\n", "Project Context", SpecificKind::Local),
        ] {
            assert_eq!(found(text), [(word.to_owned(), kind)], "{text}");
        }
        for text in [
            "always use TypeScript strict mode, and/or Rust 1.89",
            "read .squad/decisions.md and agents/keaton/history.md first",
            "https://docs.rs/gix/latest and @copilot, a@example.com, 1@users.noreply.github.com",
            "src/tests, version 1.2.3, import the port in 2026, e.g. this: that",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
