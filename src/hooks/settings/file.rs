//! The settings of each harness, and our entries in them.

use std::fs;
use std::io;
use std::path::Path;

use regex::Regex;

use super::edit::{self, Problem};
use super::json::{Json, Style};
use crate::formats::json::{Node, Value};
use crate::fs::atomic::WriteError;
use crate::fs::read::{self, FileError};

/// Why settings were not changed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum SettingsError {
    #[error("cannot read {path}")]
    #[diagnostic(help("check that it is a file, and that you have permission to read it"))]
    Read { path: &'static str, source: FileError },
    #[error("{path} has {size} bytes, more than {MOST_BYTES}")]
    #[diagnostic(help("write the entries yourself; docs/hooks.md has them"))]
    TooLarge { path: &'static str, size: u64 },
    #[error("{path} is a link, or is in a folder that is a link")]
    #[diagnostic(help("write the entries into the file that it leads to; docs/hooks.md has them"))]
    Link { path: &'static str },
    #[error("{path} begins with a byte order mark")]
    #[diagnostic(help("save it as UTF-8 without a byte order mark, and run again"))]
    ByteOrderMark { path: &'static str },
    #[error("line {line} of {path} is not JSON: {message}")]
    #[diagnostic(help(
        "remove comments and commas at the end of lists, or write the entries yourself; docs/hooks.md has them"
    ))]
    Syntax { path: &'static str, line: usize, message: String },
    #[error("{place} in {path} is {noun}, expected {expected}")]
    #[diagnostic(help("repair it, and run again"))]
    Kind { path: &'static str, place: String, noun: &'static str, expected: &'static str },
    #[error("{path} has version {found}, expected version 1")]
    #[diagnostic(help("move it elsewhere and run again, or use a newer squad-lint"))]
    Version { path: &'static str, found: String },
    #[error("cannot write the settings")]
    #[diagnostic(help("check that you have permission to write there; nothing was changed"))]
    Write(#[from] WriteError),
}

/// A file of settings.
#[derive(Debug)]
pub(super) struct SettingsFile {
    /// Its path below the root of the repository.
    pub(super) path: &'static str,
    /// What our entries in it do.
    pub(super) purpose: &'static str,
    /// Our entries, each with its event.
    entries: fn() -> Vec<(&'static str, Json)>,
    /// Whether it has a version.
    has_version: bool,
}

/// All files.
pub(super) const FILES: [SettingsFile; 2] = [
    SettingsFile {
        path: ".github/hooks/squad-lint.json",
        purpose: "Copilot and VS Code check what their agents write",
        entries: copilot,
        has_version: true,
    },
    SettingsFile {
        path: ".claude/settings.json",
        purpose: "Claude Code checks what its agents write",
        entries: claude,
        has_version: false,
    },
];

/// Our command, where the harness can be known.
const COMMAND: &str = "squad-lint hook";

/// A larger file is not read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// In seconds; a check takes a few hundredths of one.
const TIMEOUT: u32 = 20;

fn copilot() -> Vec<(&'static str, Json)> {
    let entry = |matcher: Option<&'static str>| {
        let matcher = matcher.map(|matcher| ("matcher", Json::Text(matcher)));
        let rest =
            [("bash", Json::Text(COMMAND)), ("powershell", Json::Text(COMMAND)), ("timeoutSec", Json::Number(TIMEOUT))];
        Json::Object([("type", Json::Text("command"))].into_iter().chain(matcher).chain(rest).collect())
    };
    let tools = "create|edit|str_replace_editor|apply_patch|squad_state-.*";
    vec![("postToolUse", entry(Some(tools))), ("agentStop", entry(None)), ("subagentStop", entry(None))]
}

fn claude() -> Vec<(&'static str, Json)> {
    let entry = |matcher: Option<&'static str>| {
        let matcher = matcher.map(|matcher| ("matcher", Json::Text(matcher)));
        // Copilot and VS Code read these settings, too, and are not to answer twice.
        let hook = Json::Object(vec![
            ("type", Json::Text("command")),
            ("command", Json::Text("squad-lint hook --harness claude")),
            ("timeout", Json::Number(TIMEOUT)),
        ]);
        Json::Object(matcher.into_iter().chain([("hooks", Json::List(vec![hook]))]).collect())
    };
    let tools = "Write|Edit|MultiEdit|mcp__squad_state__.*";
    vec![("PostToolUse", entry(Some(tools))), ("Stop", entry(None)), ("SubagentStop", entry(None))]
}

/// The keys of commands: one for all systems, or one for each.
const COMMANDS: [&str; 7] = ["command", "exec", "bash", "powershell", "windows", "linux", "osx"];

/// What ends a command of the shell, or leads its output elsewhere.
const OPERATORS: [char; 6] = [';', '&', '|', '<', '>', '\n'];

/// Whether the text under `key` of `entry`, with its `args`, runs squad-lint: alone, along with something else, in another folder, or
/// by another program.
fn runs_hook(entry: &Node, key: &str) -> bool {
    let command = entry.get(key).and_then(Node::as_str).unwrap_or_default();
    let args = entry.get("args").map(Node::items).unwrap_or_default().iter().filter_map(Node::as_str);
    let args: Vec<&str> = args.collect();
    command.split(OPERATORS).any(|part| {
        let words = part.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')']));
        let words: Vec<&str> = words.chain(args.iter().copied()).collect();
        let is_run = |(at, word): (usize, &&str)| {
            is_program(word) && names_hook(words.get(at + 1..).unwrap_or_default().iter().copied())
        };
        // `npx -p squad-lint squad-lint hook` names the package before the program.
        words.iter().enumerate().any(is_run)
    })
}

/// Whether the program at the path `word` is this one, of any version.
fn is_program(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.split('@').next().unwrap_or_default().to_ascii_lowercase();
    let end = name.strip_prefix("squad-lint");
    matches!(end, Some("" | ".exe" | ".cmd" | ".bat" | ".ps1"))
}

/// Whether `words`, what comes after our program, are those of `hook`, after options of all commands or not.
fn names_hook<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut has_value = false;
    for word in words {
        match word {
            "hook" => return true,
            option if option.starts_with('-') => has_value = !option.contains('='),
            _ if has_value => has_value = false,
            _ => return false,
        }
    }
    false
}

/// Whether a command of `entry` runs squad-lint, for some of the tools in `matcher` or for all.
fn runs_for(entry: &Node, matcher: Option<&str>) -> bool {
    let mut commands = COMMANDS.into_iter().map(|key| runs_hook(entry, key));
    let hooks = entry.get("hooks").map(Node::items).unwrap_or_default();
    let is_for_these = || {
        let (Some(theirs), Some(matcher)) = (entry.get("matcher").and_then(Node::as_str), matcher) else { return true };
        let theirs = theirs.trim();
        // What another engine of patterns knows may be for these.
        let Ok(pattern) = Regex::new(&format!("^(?:{theirs})")) else { return true };
        // One tool of a server is enough to know all of them.
        let tools = matcher.split('|').map(|tool| tool.replace(".*", "squad_state_write"));
        let has_tool = |tool: String| pattern.is_match(&tool) || theirs.split('|').any(|other| other == tool);
        matches!(theirs, "" | "*") || theirs.contains("squad_state") || tools.into_iter().any(has_tool)
    };
    (commands.any(|runs| runs) || hooks.iter().any(|hook| runs_for(hook, matcher))) && is_for_these()
}

/// The entries for `event`, under each of its names.
fn items<'a>(root: &'a Node, event: &'a str) -> impl Iterator<Item = &'a Node> {
    // Copilot also takes the names that Claude Code has for them.
    let other = match event {
        "postToolUse" => "PostToolUse",
        "agentStop" => "Stop",
        "subagentStop" => "SubagentStop",
        _ => event,
    };
    let names = [Some(event), Some(other).filter(|other| *other != event)];
    let list = move |name: &str| root.get("hooks").and_then(|hooks| hooks.get(name)).map(Node::items);
    names.into_iter().flatten().filter_map(list).flatten()
}

/// Whether nothing but blanks of JSON is in `text`.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

fn lines_in(text: &str) -> usize {
    text.matches('\n').count()
}

/// Which parts of `entry` are `own`, as [`edit::removed`] takes them: all of it, or its command if others have joined it since. An
/// entry that somebody changed, or wrote otherwise, is theirs.
fn parts(entry: &Node, own: &Json, text: &str) -> Vec<Vec<usize>> {
    if own.is(entry, text) {
        return vec![Vec::new()];
    }
    let Value::Object(members) = &entry.value else { return Vec::new() };
    let is_ours = entry.get("matcher").and_then(Node::as_str) == own.text_of("matcher")
        && members.iter().all(|(_, name, _)| matches!(name.as_str(), "matcher" | "hooks"));
    let (true, Some(hook), Some(list)) = (is_ours, own.first_of("hooks"), edit::member(entry, "hooks")) else {
        return Vec::new();
    };
    let hooks = entry.get("hooks").map(Node::items).unwrap_or_default();
    let ours = hooks.iter().enumerate().filter(|(_, other)| hook.is(other, text)).map(|(at, _)| vec![list, at]);
    let ours: Vec<_> = ours.collect();
    // An entry without commands is none.
    if ours.len() < hooks.len() { ours } else { Vec::new() }
}

impl SettingsFile {
    /// What the file under `root` (canonical) holds; `None` if it is not there.
    pub(super) fn read(&self, root: &Path) -> Result<Option<String>, SettingsError> {
        let path = self.path;
        let full = root.join(path);
        let folder = full.parent().unwrap_or(root);
        let is_elsewhere = folder.canonicalize().is_ok_and(|canonical| canonical != folder);
        if is_elsewhere || full.is_symlink() {
            return Err(SettingsError::Link { path });
        }
        let bytes = match read::read(&full, MOST_BYTES) {
            Err(FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(FileError::TooBig { size, .. }) => return Err(SettingsError::TooLarge { path, size }),
            bytes => bytes.map_err(|source| SettingsError::Read { path, source })?,
        };
        if bytes.starts_with(b"\xef\xbb\xbf") {
            return Err(SettingsError::ByteOrderMark { path });
        }
        String::from_utf8(bytes).map(Some).map_err(|error| {
            let before = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            SettingsError::Syntax { path, line, message: "bytes that are not UTF-8".into() }
        })
    }

    /// The file where there was none.
    pub(super) fn new_text(&self) -> String {
        let events = (self.entries)().into_iter().map(|(event, entry)| (event, Json::List(vec![entry]))).collect();
        let version = self.has_version.then_some(("version", Json::Number(1)));
        let all = Json::Object(version.into_iter().chain([("hooks", Json::Object(events))]).collect());
        all.render(Style::Lines { end: "\n", indent: "", unit: "  " }) + "\n"
    }

    /// `text`, the file as it is, with our entries.
    pub(super) fn added(&self, text: &str) -> Result<String, SettingsError> {
        let new = self.with_entries(text)?;
        if new == text || self.removed(&new)?.as_deref() == Some(text) {
            return Ok(new);
        }
        // It looks like a file that was made, and `removed` would take all of it.
        Ok(edit::swapped(&new).unwrap_or(new))
    }

    fn with_entries(&self, text: &str) -> Result<String, SettingsError> {
        if is_blank(text) {
            // So that `removed` gives it back: what had no bytes gets a blank line at its end.
            let new = self.new_text();
            return Ok(if text.is_empty() { new + "\n" } else { text.to_owned() + &new });
        }
        self.check_version(text)?;
        let mut new = text.to_owned();
        let root = edit::parse(text).map_err(|problem| self.error(problem))?;
        let is_there =
            |event: &str, entry: &Json| items(&root, event).any(|item| runs_for(item, entry.text_of("matcher")));
        for (event, entry) in (self.entries)().iter().filter(|(event, entry)| !is_there(event, entry)) {
            new = edit::added(&new, event, entry).map_err(|problem| self.error(problem))?;
        }
        Ok(new)
    }

    /// The lines of `text` with a command that runs squad-lint, and that `install` did not write: somebody changed it, or wrote it
    /// otherwise.
    pub(super) fn others(&self, text: &str) -> Vec<usize> {
        let Ok(root) = edit::parse(text) else { return Vec::new() };
        let mut lines = Vec::new();
        for (event, own) in (self.entries)() {
            let is_under_event = |entry: &Node| {
                let own = root.get("hooks").and_then(|hooks| hooks.get(event)).map(Node::items).unwrap_or_default();
                own.iter().any(|own| own.span == entry.span)
            };
            for entry in items(&root, event) {
                // `removed` takes entries under this name of the event alone.
                let parts = if is_under_event(entry) { parts(entry, &own, text) } else { Vec::new() };
                let hooks = entry.get("hooks").map(Node::items).unwrap_or_default().iter().enumerate();
                let hooks = hooks.filter(|(at, _)| !parts.iter().any(|part| part.last() == Some(at)));
                let holders = std::iter::once(entry).chain(hooks.map(|(_, hook)| hook));
                let commands = holders.flat_map(|holder| {
                    let keys = COMMANDS.into_iter().filter(|key| runs_hook(holder, key));
                    keys.filter_map(|key| holder.get(key))
                });
                let commands = commands.filter(|_| !parts.contains(&Vec::new()));
                lines.extend(commands.map(|command| 1 + text.get(..command.span.start()).map_or(0, lines_in)));
            }
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// `text`, the file as it is, without our entries; `None` if nothing else is in it.
    pub(super) fn removed(&self, text: &str) -> Result<Option<String>, SettingsError> {
        if is_blank(text) {
            return Ok(Some(text.to_owned()));
        }
        let (new, own) = (self.new_text(), text.trim_start().replace("\r\n", "\n"));
        if own == format!("{new}\n") {
            return Ok(Some(String::new()));
        }
        let left = match own.trim_end() == new.trim_end() {
            true => None,
            false => edit::removed(text, |event, entry, text| {
                let own = (self.entries)().into_iter().find(|(name, _)| *name == event);
                own.map(|(_, own)| parts(entry, &own, text)).unwrap_or_default()
            })
            .map_err(|problem| self.error(problem))?,
        };
        if left.as_deref() == Some(text) {
            return Ok(left);
        }
        // A version alone stays if it was all that was there: then our entries come back in the same place.
        let is_theirs = |left: &String| {
            let again = self.with_entries(left).unwrap_or_default();
            again == text || edit::swapped(&again).is_some_and(|again| again == text)
        };
        let left = left.filter(|left| !self.has_only_version(left) || is_theirs(left));
        let blank = text.get(..text.len() - text.trim_start().len()).filter(|blank| !blank.is_empty());
        Ok(left.or_else(|| blank.map(str::to_owned)))
    }

    /// Whether nothing but the version is in `text`: that is of no use in a file that has our name.
    fn has_only_version(&self, text: &str) -> bool {
        let root = edit::parse(text).ok().filter(|_| self.has_version);
        root.is_some_and(|root| match &root.value {
            Value::Object(members) => members.iter().all(|(_, name, _)| name == "version"),
            _ => false,
        })
    }

    fn check_version(&self, text: &str) -> Result<(), SettingsError> {
        let root = edit::parse(text).map_err(|problem| self.error(problem))?;
        let version = root.get("version").map(|version| version.span.of(text));
        match version {
            _ if !self.has_version => Ok(()),
            Some("1") => Ok(()),
            found => {
                let found = found.unwrap_or("none").chars().take(20).collect();
                Err(SettingsError::Version { path: self.path, found })
            }
        }
    }

    fn error(&self, problem: Problem) -> SettingsError {
        let path = self.path;
        match problem {
            Problem::Syntax { line, message } => SettingsError::Syntax { path, line, message },
            Problem::Kind { place, noun, expected } => SettingsError::Kind { path, place, noun, expected },
        }
    }

    /// Removes the folders of the file that are empty by now: git keeps none of these.
    pub(super) fn remove_empty_folders(&self, root: &Path) {
        let folders = Path::new(self.path).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        for folder in folders {
            if fs::remove_dir(root.join(folder)).is_err() {
                return;
            }
        }
    }
}
