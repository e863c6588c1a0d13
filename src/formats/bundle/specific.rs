//! What in the histories of a bundle is true in one project only.

use super::heading::is_project_context;
use super::portable::local;
use super::tag::tag;
use crate::text::{Span, email};

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
    /// `- [local] …`, with all that is below.
    Local,
    /// `## Project Context`, with all that is below.
    ProjectContext,
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
            Self::ProjectContext => "a project context",
        }
    }
}

/// The facts in `text`, a history, that are true in one project only, in its order. What is marked as local is one of them.
pub fn specifics(text: &str) -> Vec<Specific> {
    let mut found = Vec::new();
    let mut at = 0;
    for (mark, whole) in local(text) {
        found.extend(in_part(text, Span::new(at, whole.start())));
        let kind = match mark.of(text) {
            title if is_project_context(title) && tag(title).is_none() => SpecificKind::ProjectContext,
            _ => SpecificKind::Local,
        };
        found.push(Specific { span: mark, kind });
        at = whole.end();
    }
    found.extend(in_part(text, Span::new(at, text.len())));
    found
}

/// Those in a part of `text` without marks.
fn in_part(text: &str, part: Span) -> Vec<Specific> {
    let mut found = Vec::new();
    let (mut before, mut is_about_port) = ("", false);
    for span in words(part.of(text)) {
        let span = Span::new(part.start() + span.start(), part.start() + span.end());
        let word = span.of(text);
        let kind = match kind(word, before) {
            None if is_about_port && is_port(word) => Some(SpecificKind::Port),
            kind => kind,
        };
        found.extend(kind.map(|kind| Specific { span, kind }));
        // `port 3000`, `--port 3000`, `the port is 3000`.
        is_about_port = is_port_name(word)
            || ["EXPOSE", "listens", "listening"].contains(&word)
            || is_about_port && ["is", "=", "to", "number", "was", "on", "at"].contains(&word);
        before = word;
    }
    found
}

/// The words of `text` without the signs around them.
fn words(text: &str) -> impl Iterator<Item = Span> {
    // Not a search in a string of them: this is asked at each character of each history.
    let is_around = |c: char| {
        matches!(
            c,
            '`' | '\'' | '"' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ',' | ';' | '*' | '|' | '!' | '?' | '…'
        )
    };
    let is_between = move |c: char| c.is_whitespace() || is_around(c);
    let mut at = 0;
    text.split_inclusive(is_between).filter_map(move |piece| {
        let start = at;
        at += piece.len();
        let word = piece.trim_end_matches(is_between).trim_end_matches(['.', ':']);
        (!word.is_empty()).then(|| Span::new(start, start + word.len()))
    })
}

fn kind(word: &str, before: &str) -> Option<SpecificKind> {
    if word.len() < 4 || !word.contains(['/', '\\', '@', '.', ':', '=']) {
        return None;
    }
    if word.contains('@') && !word.contains("://") {
        return email::is_address(word).then_some(SpecificKind::Email);
    }
    // `PORT=4000`, `--port=3000`, `ENDPOINT=http://localhost:4317`.
    let (key, word) = word.split_once('=').unwrap_or(("", word));
    if is_port_name(key) && is_port(word) {
        return Some(SpecificKind::Port);
    }
    let (address, is_url) = match word.split_once("://") {
        Some((_, rest)) => (rest, true),
        None => (word, false),
    };
    if is_host_name(key) && !is_loopback(word) && word.starts_with(char::is_alphanumeric) {
        return Some(SpecificKind::Host);
    }
    let authority = address.split('/').next().unwrap_or_default();
    // `postgres://kim@db:5432/app`.
    let authority = authority.rsplit('@').next().unwrap_or_default();
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    // `postgres:16` is the tag of an image.
    let is_service = host.split(['-', '_']).any(|part| SERVICES.contains(&part)) && port.len() > 3;
    // `8080:80` of a container; `10:30` is a time.
    let is_mapping = is_port(host) && host.len() > 3 || host.is_empty() && port.len() > 3;
    let is_meant = is_service || is_mapping || is_url && !host.is_empty() || is_domain(host);
    if is_port(port) && (is_loopback(host) || is_local_host(host, true) || is_meant)
        || authority.len() < address.len()
            && is_port(authority)
            && matches!(address.rsplit('/').next(), Some("tcp" | "udp"))
    {
        return Some(SpecificKind::Port);
    }
    let is_version = ["version", "versions", "release", "v"].iter().any(|word| before.eq_ignore_ascii_case(word));
    let is_address = is_url || ["host", "server", "ip", "address"].iter().any(|word| before.eq_ignore_ascii_case(word));
    if !is_version && (is_local_host(host, is_address) || is_of_project(host)) {
        return Some(SpecificKind::Host);
    }
    match () {
        () if is_url => None,
        () if is_absolute(word) => Some(SpecificKind::AbsolutePath),
        () if is_source(word) => Some(SpecificKind::SourcePath),
        () => None,
    }
}

/// Whether `key` is that of a host: `DB_HOST`, `--host`.
fn is_host_name(key: &str) -> bool {
    let key = key.trim_start_matches('-');
    let last = key.rsplit(['_', '-']).next().unwrap_or_default();
    ["host", "hostname"].iter().any(|known| last.eq_ignore_ascii_case(known))
}

/// Whether `host` is a name of the Internet, and not that of a file: `db.acme.com`, not `app.css`.
fn is_domain(host: &str) -> bool {
    const ENDINGS: [&str; 12] = ["com", "net", "org", "io", "dev", "cloud", "eu", "de", "fr", "uk", "home", "local"];
    host.rsplit_once('.').is_some_and(|(name, ending)| !name.is_empty() && ENDINGS.contains(&ending))
}

/// Whether `host` is one on which a project runs: `staging.acme.com`, `acme.azurewebsites.net`.
fn is_of_project(host: &str) -> bool {
    const STAGES: [&str; 8] = ["staging", "stage", "preprod", "prod", "production", "qa", "uat", "intranet"];
    const HOSTERS: [&str; 13] = [
        ".azurewebsites.net",
        ".azurecontainerapps.io",
        ".database.windows.net",
        ".cloudapp.azure.com",
        ".herokuapp.com",
        ".vercel.app",
        ".netlify.app",
        ".fly.dev",
        ".onrender.com",
        ".run.app",
        ".ngrok.io",
        ".ngrok-free.app",
        ".ts.net",
    ];
    let is_hosted = HOSTERS.iter().any(|end| host.len() > end.len() && host.ends_with(end));
    is_hosted || is_domain(host) && host.split(['.', '-']).any(|part| STAGES.contains(&part))
}

/// Whether `word` says that a port follows: `port`, `--port`, `API_PORT`.
fn is_port_name(word: &str) -> bool {
    let word = word.trim_start_matches('-');
    let start = word.len().saturating_sub("port".len());
    let is_whole = |before: &str| before.is_empty() || before.ends_with(['_', '-']);
    word.eq_ignore_ascii_case("ports")
        || word
            .split_at_checked(start)
            .is_some_and(|(before, end)| end.eq_ignore_ascii_case("port") && is_whole(before))
}

fn is_port(word: &str) -> bool {
    let is_number = (2..=5).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number && word.parse::<u16>().is_ok()
}

/// Names that people give to the services of a project, as in `redis:6379`.
const SERVICES: [&str; 25] = [
    "api",
    "app",
    "backend",
    "cache",
    "client",
    "db",
    "database",
    "elasticsearch",
    "frontend",
    "gateway",
    "grafana",
    "host",
    "kafka",
    "memcached",
    "minio",
    "mongo",
    "mongodb",
    "mysql",
    "nats",
    "postgres",
    "rabbitmq",
    "redis",
    "server",
    "web",
    "worker",
];

/// The machine itself, which every project has.
fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host == "0.0.0.0" || host.starts_with("127.")
}

/// Whether `host` is one of a private network. Four numbers are often a version, and names such as `.env.local` are those of files:
/// `is_address` says that an address is meant.
fn is_local_host(host: &str, is_address: bool) -> bool {
    let numbers: Vec<u8> = host.split('.').filter_map(|part| part.parse().ok()).collect();
    if let [a, b, _, _] = numbers[..] {
        let is_private = matches!((a, b), (10, _) | (192, 168) | (172, 16..=31));
        return host.split('.').count() == 4 && !is_loopback(host) && (is_private || is_address && a > 0);
    }
    let Some((name, ending)) = host.rsplit_once('.') else { return false };
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let is_ending = ["internal", "corp", "lan"].contains(&ending) || is_address && ending == "local";
    // In every container, this is the machine that it runs on.
    is_ending && host != "host.docker.internal" && name.split('.').all(is_part)
}

/// Folders at the top of a disk in which people and programs keep files of projects.
const TOPS: [&str; 9] = ["Users", "home", "workspaces", "workspace", "mnt", "opt", "srv", "root", "var"];

/// Folders in these that every system has.
const OF_SYSTEM: [&str; 9] = ["homebrew", "local", "log", "run", "lib", "tmp", "cache", "spool", "opt"];

/// Folders of programs in the folder of a user.
const OF_PROGRAMS: [&str; 26] = [
    "aspire",
    "aws",
    "azure",
    "bashrc",
    "bash_profile",
    "cache",
    "cargo",
    "claude",
    "config",
    "copilot",
    "docker",
    "dotnet",
    "gitconfig",
    "gitignore",
    "gradle",
    "kube",
    "local",
    "m2",
    "npm",
    "npmrc",
    "nuget",
    "profile",
    "rustup",
    "squad",
    "ssh",
    "zshrc",
];

fn is_absolute(word: &str) -> bool {
    if let Some(rest) = word.strip_prefix('/') {
        let (top, rest) = rest.split_once('/').unwrap_or((rest, ""));
        let second = rest.split('/').next().unwrap_or_default();
        return TOPS.contains(&top) && !second.is_empty() && !OF_SYSTEM.contains(&second);
    }
    if let Some(rest) = word.strip_prefix("~/") {
        let first = rest.split('/').next().unwrap_or_default();
        let is_of_program =
            first == "Library" || first.strip_prefix('.').is_some_and(|name| OF_PROGRAMS.contains(&name));
        return !first.is_empty() && !is_of_program;
    }
    let [drive, b':', b'\\' | b'/', rest @ ..] = word.as_bytes() else { return false };
    let of_windows = ["programdata", "program files", "program", "windows"];
    let first: Vec<u8> = rest.iter().copied().take_while(|byte| !matches!(byte, b'\\' | b'/')).collect();
    drive.is_ascii_alphabetic() && !of_windows.iter().any(|name| first.eq_ignore_ascii_case(name.as_bytes()))
}

/// Folders of source code at the top of a project.
const SOURCES: [&str; 4] = ["src", "packages", "cmd", "pkg"];

/// Others, which are also words: `test/build/deploy` names three steps.
const SOURCE_WORDS: [&str; 12] = [
    "lib",
    "app",
    "apps",
    "test",
    "tests",
    "internal",
    "scripts",
    "server",
    "client",
    "components",
    "infra",
    "backend",
];

fn is_source(word: &str) -> bool {
    let path = word.strip_prefix("./").unwrap_or(word);
    let Some((top, rest)) = path.split_once('/') else { return false };
    let is_name = |part: &str| !part.is_empty() && !part.contains(['*', '{', '$']);
    // `src/tests` means two folders; `src/a/b` and `src/a.rs` are paths.
    let has_ending = rest.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty() && (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_deep = rest.contains('/') || has_ending;
    // In a list of words, none has a capital letter or a sign.
    let is_path = SOURCES.contains(&top)
        || SOURCE_WORDS.contains(&top)
            && (rest.ends_with('/') || rest.bytes().any(|byte| !byte.is_ascii_lowercase() && byte != b'/'));
    is_path && is_deep && rest.trim_end_matches('/').split('/').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("on 192.168.1.20", "192.168.1.20", SpecificKind::Host),
            ("http://pi.local/x", "http://pi.local/x", SpecificKind::Host),
            ("run `PORT=4000 npm start`", "PORT=4000", SpecificKind::Port),
            ("run it with --port 3000", "3000", SpecificKind::Port),
            ("`--port=3000`", "--port=3000", SpecificKind::Port),
            ("**Port:** 5000", "5000", SpecificKind::Port),
            ("its port is 7043", "7043", SpecificKind::Port),
            ("ports 18888 (UI)", "18888", SpecificKind::Port),
            ("the cache redis:6379", "redis:6379", SpecificKind::Port),
            ("localhost:5000", "localhost:5000", SpecificKind::Port),
            ("postgres://kim:x@db1:5432/app", "postgres://kim:x@db1:5432/app", SpecificKind::Port),
            ("db.acme.com:5432", "db.acme.com:5432", SpecificKind::Port),
            ("prod-db:5432", "prod-db:5432", SpecificKind::Port),
            ("http://buildbox:8080/x", "http://buildbox:8080/x", SpecificKind::Port),
            ("it runs on :3000", ":3000", SpecificKind::Port),
            ("-p 8080:80", "8080:80", SpecificKind::Port),
            ("5432/tcp is open", "5432/tcp", SpecificKind::Port),
            ("EXPOSE 8080", "8080", SpecificKind::Port),
            ("it listens on 3000", "3000", SpecificKind::Port),
            ("DB_HOST=db1", "DB_HOST=db1", SpecificKind::Host),
            ("the server 52.14.3.9", "52.14.3.9", SpecificKind::Host),
            ("host pi.local", "pi.local", SpecificKind::Host),
            ("see https://staging.acme.com/x", "https://staging.acme.com/x", SpecificKind::Host),
            ("acme-api.azurewebsites.net", "acme-api.azurewebsites.net", SpecificKind::Host),
            ("10.0.0.7:80", "10.0.0.7:80", SpecificKind::Port),
            ("~/.pumpkin/recordings", "~/.pumpkin/recordings", SpecificKind::AbsolutePath),
            ("tests/Unit.Tests/", "tests/Unit.Tests/", SpecificKind::SourcePath),
            ("ask kim@acme.io,", "kim@acme.io", SpecificKind::Email),
            ("- A\n- [local] in src/a/b\n- B\n", "- [local] in src/a/b", SpecificKind::Local),
            ("Project Context\n===\n\nsrc/a/b\n", "Project Context", SpecificKind::ProjectContext),
        ] {
            assert_eq!(found(text), [(word.to_owned(), kind)], "{text}");
        }
        for text in [
            "always use TypeScript strict mode, and/or Rust 1.89",
            "read .squad/decisions.md and agents/keaton/history.md first",
            "https://docs.rs/gix/latest and @copilot, a@example.com, 1@users.noreply.github.com",
            "0.8.21.4 is not semver, version 10.0.0.1, 10.0.19041.1, and 127.0.0.1 is localhost, --host 0.0.0.0",
            "`#!/usr/bin/env bash`, /etc/hosts, /tmp/x, /opt/homebrew/bin/go, ~/.ssh/config, C:\\ProgramData\\npm\\x",
            ".env.local, settings.local, Access.internal, host.docker.internal, app.css:1360, issue:1234, --port 70000",
            "postgres:16, ~/Library/Caches/x, git@github.com:a/b, sdk-node@0.57.x, test/tag/package/publication, the port of 2026",
            "at 10:30, main.rs:1234, https://acme.com/x, https://kim@github.com/a, HOST=localhost, --host=0.0.0.0, HOST=$x",
            "src/tests, version 1.2.3, import the port in 2026, e.g. this: that",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
