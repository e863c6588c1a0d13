//! What the options of a spawn can be, as Claude Code takes them.

use crate::text::suggest::{Tolerance, nearest};

const MODELS: [&str; 8] = ["sonnet", "opus", "haiku", "fable", "default", "best", "opusplan", "inherit"];
const PERMISSION_MODES: [&str; 7] =
    ["default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"];
const ISOLATIONS: [&str; 2] = ["worktree", "none"];

/// Tools of Claude Code, to know misspelt ones by. Others are fine: servers bring their own.
const TOOLS: [&str; 15] = [
    "Agent",
    "Bash",
    "Edit",
    "Glob",
    "Grep",
    "LSP",
    "MultiEdit",
    "NotebookEdit",
    "Read",
    "Skill",
    "Task",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
    "Write",
];

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The value that was found, and the value that was expected.
    pub message: String,
    /// A few words for the place.
    pub label: String,
    /// What to do.
    pub help: String,
    /// What to know for that.
    pub note: Option<&'static str>,
}

impl Flaw {
    fn new(message: String, label: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message, label: label.into(), help: help.into(), note: None }
    }
}

/// `text` for a message: its first line, and not too much of it.
pub fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None if line.len() < text.len() => format!("{line}…"),
        None => line.to_owned(),
    }
}

/// What is wrong with `value` as a budget in US dollars.
pub fn budget(value: f64) -> Option<Flaw> {
    let message = format!("budget is {value}, expected more than 0");
    let help = "write the maximum cost of a task in US dollars, as in `0.50`";
    (!(value.is_finite() && value > 0.0)).then(|| Flaw::new(message, "expected more than 0", help))
}

/// What is wrong with `value` as a model. All that can be a name of one is taken: models come and go.
pub fn model(value: &str) -> Option<Flaw> {
    // `sonnet[1m]` is `sonnet` with a larger window.
    let alias = value.split('[').next().unwrap_or(value);
    if MODELS.contains(&alias) {
        return None;
    }
    let message = || format!("unknown model `{}`, expected an alias or a model name", short(value));
    if value.contains(char::is_whitespace) {
        return Some(Flaw::new(
            message(),
            "model names have no spaces",
            "write an alias such as `sonnet`, or a model name",
        ));
    }
    let meant = nearest(alias, MODELS, Tolerance::Help)?;
    Some(Flaw::new(message(), format!("did you mean `{meant}`?"), format!("write `{meant}`")))
}

/// Whether `name` can be that of a member, or a team's slug: small letters, digits, `-` and `_`, a letter first.
pub fn is_name(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.bytes().all(inner)
}

/// What is wrong with `value` as a permission mode.
pub fn permission_mode(value: &str) -> Option<Flaw> {
    choice("permission mode", value, &PERMISSION_MODES)
}

/// What is wrong with `value` as an isolation.
pub fn isolation(value: &str) -> Option<Flaw> {
    choice("isolation", value, &ISOLATIONS)
}

fn choice(what: &str, value: &str, known: &[&'static str]) -> Option<Flaw> {
    if known.contains(&value) {
        return None;
    }
    let all = known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
    let message = format!("unknown {what} `{}`, expected one of {all}", short(value));
    Some(match nearest(value, known.iter().copied(), Tolerance::Help) {
        Some(meant) => Flaw::new(message, format!("did you mean `{meant}`?"), format!("write `{meant}`")),
        None => Flaw::new(message, format!("unknown {what}"), format!("write one of {all}")),
    })
}

/// What is wrong with `value` as one tool: `Name`, or `Name(what it may do)`.
pub fn tool(value: &str) -> Option<Flaw> {
    let message = |expected: &str| format!("invalid tool `{}`, expected {expected}", short(value));
    let (name, rest) = value.split_at(value.find('(').unwrap_or(value.len()));
    let (opened, closed) = (rest.matches('(').count(), value.matches(')').count());
    if !rest.is_empty() && !rest.ends_with(')') || opened != closed {
        let flaw = Flaw::new(
            message("matching parentheses with `)` at the end"),
            "not closed",
            "close the bracket, or write the tool in quotes",
        );
        return Some(Flaw { note: Some("YAML splits an unquoted item of a list at each comma"), ..flaw });
    }
    if name.trim() == name && name.contains([',', ' ']) {
        let help = "write each tool as its own item: `[Read, Grep]`";
        return Some(Flaw::new(message("one tool per item"), "more than one tool", help));
    }
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '*' | '.' | ':' | '/' | '@');
    if name.is_empty() || !name.chars().all(part) {
        let help = "write the name, with what it may do in parentheses: `Bash(git:*)`";
        return Some(Flaw::new(message("a name, or a name and parentheses"), "not a tool name", help));
    }
    if rest == "()" {
        let help = format!("write `{}`, or add what it may do in the parentheses", short(name));
        return Some(Flaw::new(message("something in the parentheses"), "empty parentheses", help));
    }
    if TOOLS.contains(&name) {
        return None;
    }
    // Only the case is judged: a name that is near may well be that of another tool.
    let meant = TOOLS.iter().find(|tool| tool.eq_ignore_ascii_case(name))?;
    Some(Flaw::new(
        message(&format!("`{meant}`")),
        format!("did you mean `{meant}`?"),
        format!("write `{meant}{}`", short(rest)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_has_no_flaw() {
        for value in
            ["sonnet", "opus", "sonnet[1m]", "claude-opus-4-6", "gpt-5", "us.anthropic.claude-x-v1:0", "k2", "o3"]
        {
            assert_eq!(model(value), None, "{value}");
        }
        for value in PERMISSION_MODES {
            assert_eq!(permission_mode(value), None);
        }
        for value in [
            "Read",
            "Bash(git:*)",
            "Bash(uv run pytest:*)",
            "mcp__github__*",
            "Agent(a, b)",
            "Bash(f(x))",
            "Cron",
            "Skill(a:b)",
        ] {
            assert_eq!(tool(value), None, "{value}");
        }
        assert_eq!((budget(0.01), isolation("worktree")), (None, None));
    }

    #[test]
    fn flaws_say_what_was_meant() {
        let help = |flaw: Option<Flaw>| flaw.map(|flaw| flaw.help).unwrap_or_default();
        assert_eq!(help(model("sonet")), "write `sonnet`");
        assert_eq!(help(model("Opus")), "write `opus`");
        assert!(help(model("claude opus")).contains("or a model name"));
        assert_eq!(help(permission_mode("dontask")), "write `dontAsk`");
        assert_eq!(help(permission_mode("accept-edits")), "write `acceptEdits`");
        assert!(help(permission_mode("yolo")).starts_with("write one of `default`"));
        assert_eq!(help(isolation("worktrees")), "write `worktree`");
        assert_eq!(help(tool("read")), "write `Read`");
        assert_eq!(help(tool("bash(git:*)")), "write `Bash(git:*)`");
        assert!(
            help(tool("Bash(git:*")).contains("close the bracket, or write the tool in quotes")
                && help(tool("b)")).contains("close")
        );
        assert!(help(tool("Read, Write")).contains("as its own item"));
        assert!(help(tool("Bash()")).contains("in the parentheses") && help(tool("!x")).contains("write the name"));
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(budget(wrong).is_some());
        }
    }
}
