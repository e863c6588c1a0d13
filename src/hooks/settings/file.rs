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
    #[error("{path} is a link, or in a folder that is one")]
    #[diagnostic(help("write the entries into the file that it leads to; docs/hooks.md has them"))]
    Link { path: &'static str },
    #[error("{path} begins with a byte order mark")]
    #[diagnostic(help("save it as UTF-8 without a byte order mark, and run again"))]
    ByteOrderMark { path: &'static str },
    #[error("{path} is not JSON: {message} in line {line}")]
    #[diagnostic(help(
        "remove comments and commas at the end of lists, or write the entries yourself; docs/hooks.md has them"
    ))]
    Syntax { path: &'static str, line: usize, message: String },
    #[error("{place} in {path} is {noun}, expected {expected}")]
    #[diagnostic(help("repair it, and run again"))]
    Kind { path: &'static str, place: String, noun: &'static str, expected: &'static str },
    #[error("{path} has version {found}, expected version 1")]
    #[diagnostic(help("move it away and run again, or use a newer squad-lint"))]
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
const COMMANDS: [&str; 3] = ["command", "bash", "powershell"];

/// What ends a command of the shell, or leads its output elsewhere.
const OPERATORS: [char; 6] = [';', '&', '|', '<', '>', '\n'];

/// Whether `command` is one of ours alone: also by its path, or by a program that runs those of npm.
fn is_ours(command: &Node) -> bool {
    const RUNNERS: [&str; 7] = ["npx", "bunx", "pnpm", "dlx", "exec", "--yes", "-y"];
    let text = command.as_str().unwrap_or_default().trim();
    let mut words = text.split_whitespace().skip_while(|word| RUNNERS.contains(word));
    // What does more, such as `squad-lint hook && ./notify.sh`, is somebody's own.
    !text.contains(OPERATORS) && words.next().is_some_and(is_program) && names_hook(words)
}

/// Whether `command` is as this program writes it, now or in an earlier version.
fn is_plain(command: &Node) -> bool {
    matches!(command.as_str(), Some("squad-lint hook" | "squad-lint hook --harness claude"))
}

/// Whether `command` of `entry` in `text` may be renewed: nobody has changed it, or its time.
fn is_renewable(entry: &Node, command: &Node, text: &str) -> bool {
    let mut times = ["timeout", "timeoutSec"].into_iter().filter_map(|key| entry.get(key));
    is_plain(command) && times.all(|time| time.span.of(text) == TIMEOUT.to_string())
}

/// Whether ours runs in `command`, in whatever way: along with something else, in another folder, or with a limit.
fn runs_ours(command: &Node) -> bool {
    command.as_str().unwrap_or_default().split(OPERATORS).any(|part| {
        let mut words = part.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')']));
        words.any(is_program) && names_hook(words)
    })
}

/// Whether the program at the path `word` is this one, of any version.
fn is_program(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(name.split('@').next(), Some("squad-lint" | "squad-lint.exe"))
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

/// Whether somebody runs ours in a way of their own in `entry` of `text`, for some of the tools in `matcher` or for all.
fn has_own(entry: &Node, text: &str, matcher: Option<&str>) -> bool {
    let mut commands = COMMANDS.into_iter().filter_map(|key| entry.get(key));
    let hooks = entry.get("hooks").map(Node::items).unwrap_or_default();
    let is_for_these = || {
        let (Some(theirs), Some(matcher)) = (entry.get("matcher").and_then(Node::as_str), matcher) else { return true };
        let theirs = theirs.trim();
        let pattern = Regex::new(&format!("^(?:{theirs})$")).ok();
        let is_theirs = |tool: &str| pattern.as_ref().is_some_and(|pattern| pattern.is_match(tool));
        matches!(theirs, "" | "*")
            || matcher.split('|').any(|tool| is_theirs(tool) || theirs.split('|').any(|other| other == tool))
    };
    let is_own = |command: &Node| runs_ours(command) && !is_renewable(entry, command, text);
    (commands.any(is_own) || hooks.iter().any(|hook| has_own(hook, text, matcher))) && is_for_these()
}

/// Which parts of an entry are ours, as [`edit::removed`] takes them.
fn ours(entry: &Node, _: &str) -> Vec<Vec<usize>> {
    parts(entry, &|_, command| is_ours(command))
}

/// Those that may be renewed: the others are the team's to change.
fn renewable(entry: &Node, text: &str) -> Vec<Vec<usize>> {
    parts(entry, &|entry, command| is_renewable(entry, command, text))
}

/// Which parts of an entry have commands for which `is_own` holds: the ways to them.
fn parts(entry: &Node, is_own: &dyn Fn(&Node, &Node) -> bool) -> Vec<Vec<usize>> {
    let commands = || COMMANDS.into_iter().filter_map(|key| Some((key, entry.get(key)?)));
    let own: Vec<_> = commands().filter(|(_, command)| is_own(entry, command)).map(|(key, _)| key).collect();
    if !own.is_empty() {
        let is_whole = own.len() == commands().count();
        // With a command of another tool for another system, the entry stays.
        return if is_whole { vec![Vec::new()] } else { own.iter().filter_map(|key| way(entry, key)).collect() };
    }
    let hooks = entry.get("hooks").map(Node::items).unwrap_or_default();
    let parts = hooks.iter().map(|hook| parts(hook, is_own));
    if !hooks.is_empty() && parts.clone().all(|ways| ways.iter().any(Vec::is_empty)) {
        return vec![Vec::new()];
    }
    let list = way(entry, "hooks").unwrap_or_default();
    let below = |(at, ways): (usize, Vec<Vec<usize>>)| -> Vec<_> {
        ways.iter().map(|part| [list.as_slice(), &[at], part].concat()).collect()
    };
    parts.enumerate().flat_map(below).collect()
}

/// The way from an object to a member.
fn way(object: &Node, key: &str) -> Option<Vec<usize>> {
    edit::member(object, key).map(|at| vec![at])
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
        if text.trim().is_empty() {
            // So that `removed` gives it back: what had no bytes gets a blank line at its end.
            let new = self.new_text();
            return Ok(if text.is_empty() { new + "\n" } else { text.to_owned() + &new });
        }
        self.check_version(text)?;
        let mut new = text.to_owned();
        let entries = (self.entries)();
        let root = edit::parse(text).map_err(|problem| self.error(problem))?;
        let is_theirs = |event: &str, entry: &Json| {
            let theirs = root.get("hooks").and_then(|hooks| hooks.get(event)).map(Node::items);
            theirs.unwrap_or_default().iter().any(|item| has_own(item, text, entry.text_of("matcher")))
        };
        for (event, entry) in entries.iter().filter(|(event, entry)| !is_theirs(event, entry)) {
            new = edit::added(&new, event, entry, renewable).map_err(|problem| self.error(problem))?;
        }
        // Nothing is to run twice, or at another event.
        let events: Vec<_> = entries.iter().map(|(event, _)| *event).collect();
        let once = edit::removed(&new, &events, renewable).map_err(|problem| self.error(problem))?;
        Ok(once.unwrap_or(new))
    }

    /// `text`, the file as it is, without our entries; `None` if nothing else is in it.
    pub(super) fn removed(&self, text: &str) -> Result<Option<String>, SettingsError> {
        if text.trim().is_empty() {
            return Ok(Some(text.to_owned()));
        }
        let (new, own) = (self.new_text(), text.trim_start().replace("\r\n", "\n"));
        if own == format!("{new}\n") {
            return Ok(Some(String::new()));
        }
        let left = match own.trim_end() == new.trim_end() {
            true => None,
            false => edit::removed(text, &[], ours).map_err(|problem| self.error(problem))?,
        };
        if left.as_deref() == Some(text) {
            return Ok(left);
        }
        // A version alone stays if it was all that was there: then our entries come back in the same place.
        let is_theirs = |left: &String| self.added(left).is_ok_and(|again| again == text);
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
