//! Where a tool writes: by its name and its arguments.

use super::arguments::Arguments;

/// Where a tool wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A file, by the path that the tool was given.
    File(String),
    /// A key of the state tools of Squad: a path below `.squad/`, wherever the state is kept.
    Key(String),
}

/// The places that `tool` wrote to, if it is one that writes.
pub(super) fn places(tool: &str, arguments: Arguments) -> Vec<Place> {
    // The name of the server comes before, with a sign that each harness chooses.
    let is = |name: &str| tool.ends_with(name);
    let key = if is("squad_state_write") || is("squad_state_append") || is("squad_state_create_if_absent") {
        arguments.key
    } else if is("squad_decide") {
        arguments.author.zip(arguments.summary).map(|(author, summary)| inbox_key(&author, &summary))
    } else if is("squad_memory") {
        arguments.agent.map(|agent| format!("agents/{agent}/history.md"))
    } else if writes(tool) && arguments.command.as_deref() != Some("view") {
        return arguments.paths.into_iter().map(Place::File).collect();
    } else {
        None
    };
    key.map(Place::Key).into_iter().collect()
}

/// Whether a tool of this name writes files. VS Code sends the events of all tools.
fn writes(tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    ["write", "edit", "create", "replace", "insert", "patch", "append"].iter().any(|word| tool.contains(word))
}

/// The key of a decision in the inbox, as Squad names it.
fn inbox_key(author: &str, summary: &str) -> String {
    let author = dashed(author, |c| matches!(c, 'a'..='z' | '0'..='9' | '_' | '-'), 60);
    let summary = dashed(summary, |c| matches!(c, 'a'..='z' | '0'..='9'), 50);
    format!("decisions/inbox/{author}-{summary}.md")
}

/// `text` in small letters, with a dash for each run of other signs, and at most `len` characters.
fn dashed(text: &str, is_kept: impl Fn(char) -> bool, len: usize) -> String {
    let mut out = String::new();
    for c in text.to_lowercase().chars() {
        match is_kept(c) && c != '-' {
            true => out.push(c),
            false if !out.ends_with('-') => out.push('-'),
            false => {}
        }
    }
    let out = out.strip_prefix('-').unwrap_or(&out);
    out.strip_suffix('-').unwrap_or(out).chars().take(len).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tools_that_write_have_places() {
        let with_path = || Arguments { paths: vec!["a.md".into()], ..Arguments::default() };
        for tool in ["Write", "Edit", "MultiEdit", "create", "edit", "apply_patch", "create_file", "editFiles"] {
            assert_eq!(places(tool, with_path()), [Place::File("a.md".into())], "{tool}");
        }
        for tool in ["Read", "view", "read_file", "Grep", "list_dir", "Bash"] {
            assert_eq!(places(tool, with_path()), [], "{tool}");
        }
        let view = Arguments { command: Some("view".into()), ..with_path() };
        assert_eq!(places("str_replace_editor", view), []);
    }

    #[test]
    fn state_tools_write_keys() {
        let arguments = |key: &str| Arguments { key: Some(key.into()), ..Arguments::default() };
        for tool in ["squad_state_write", "squad_state-squad_state_append", "mcp__squad_state__squad_state_write"] {
            assert_eq!(places(tool, arguments("decisions.md")), [Place::Key("decisions.md".into())], "{tool}");
        }
        assert_eq!(places("squad_state-squad_state_read", arguments("decisions.md")), []);
        let decision = Arguments {
            author: Some("Keaton (Lead)".into()),
            summary: Some("Use TypeScript, for all *new* code!".into()),
            ..Arguments::default()
        };
        let key = "decisions/inbox/keaton-lead-use-typescript-for-all-new-code.md";
        assert_eq!(places("mcp__squad_state__squad_decide", decision), [Place::Key(key.into())]);
    }
}
