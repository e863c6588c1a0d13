//! How the shell would read the values of a manifest in the command that spawns a member.

use std::ops::Range;

/// The word that ends the heredoc of the command.
const HEREDOC: &str = "PROMPT";

/// How a value is in the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShellContext {
    /// A word without quotes.
    Word,
    /// Between double quotes, with others, parted by commas.
    Quoted,
    /// In a heredoc whose word is quoted: nothing in it means anything but a line with that word.
    Heredoc,
}

impl ShellContext {
    fn of(field: &str) -> Option<Self> {
        match field {
            "model" | "permission-mode" | "budget" => Some(Self::Word),
            "tools" => Some(Self::Quoted),
            "name" | "role" | "owns" => Some(Self::Heredoc),
            _ => None,
        }
    }
}

/// What in `value`, a value of `field`, the shell takes for more than text, in bytes: the first of it.
pub fn breaks_out(field: &str, value: &str) -> Option<Range<usize>> {
    match ShellContext::of(field)? {
        ShellContext::Word => in_word(value),
        ShellContext::Quoted => in_quotes(value),
        ShellContext::Heredoc => in_heredoc(value),
    }
}

/// Quotes, expansions, what ends or joins commands, and a blank before what looks like an option.
fn in_word(value: &str) -> Option<Range<usize>> {
    let bytes = value.as_bytes();
    let option = |at: usize| bytes.get(at + 1) == Some(&b'-');
    let breaks = |(at, byte): (usize, &u8)| match byte {
        b'"' | b'\'' | b'`' | b'$' | b'\\' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' | b'\n' | b'\r' => true,
        b' ' | b'\t' => option(at),
        // As the first one, an option of the program.
        b'-' => at == 0,
        _ => false,
    };
    let at = bytes.iter().enumerate().find(|&found| breaks(found)).map(|(at, _)| at)?;
    let is_command = value.get(at..).is_some_and(|rest| rest.starts_with("$("));
    Some(at..at + if is_command { 2 } else { 1 })
}

/// What ends the quotes or runs a command between them.
fn in_quotes(value: &str) -> Option<Range<usize>> {
    let mut from = 0;
    while let Some(rest) = value.get(from..).filter(|rest| !rest.is_empty()) {
        if let Some(start) = ["\"", "`", "$(", "${"].iter().find(|start| rest.starts_with(**start)) {
            return Some(from..from + start.len());
        }
        let mut chars = rest.chars();
        let first = chars.next().map_or(1, char::len_utf8);
        // Behind a backslash they are text; at the end it takes the meaning of the quote behind.
        from += match rest.strip_prefix('\\') {
            Some("") => return Some(from..value.len()),
            Some(_) => first + chars.next().map_or(0, char::len_utf8),
            None => first,
        };
    }
    None
}

/// The line that ends the heredoc.
fn in_heredoc(value: &str) -> Option<Range<usize>> {
    let mut from = 0;
    for line in value.split('\n') {
        if line == HEREDOC && value.contains('\n') {
            return Some(from..from + line.len());
        }
        from += line.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_the_shell_is_found() {
        let found = |field, value: &str| breaks_out(field, value).and_then(|range| value.get(range).map(str::to_owned));
        for (field, value, expected) in [
            ("model", "sonnet; rm -rf ~", Some(";")),
            ("model", "$(id)", Some("$(")),
            ("model", "$HOME", Some("$")),
            ("model", "sonnet --dangerously-skip-permissions", Some(" ")),
            ("model", "--help", Some("-")),
            ("model", "sonnet[1m]", None),
            ("model", "claude sonnet", None),
            ("permission-mode", "plan | sh", Some("|")),
            ("budget", "`id`", Some("`")),
            ("tools", "Bash(git log | head; ls & x:*)", None),
            ("tools", "Bash(echo \"x\":*)", Some("\"")),
            ("tools", "Bash(echo \\\"x\\\" \\$(id):*)", None),
            ("tools", "Bash(ls $(id):*)", Some("$(")),
            ("tools", "Bash(é`id`:*)", Some("`")),
            ("tools", "Bash(grep \\d $HOME:*)", None),
            ("tools", "Read\\", Some("\\")),
            ("tools", "Read\\\\", None),
            ("role", "says \"hi\" to $(x) and `y`", None),
            ("role", "a\nPROMPT\nid", Some("PROMPT")),
            ("role", "PROMPT", None),
            ("role", "a\n PROMPT\n", None),
            ("owns", "a\nPROMPT", Some("PROMPT")),
            ("description", "$(id)", None),
        ] {
            assert_eq!(found(field, value).as_deref(), expected, "{field}: {value}");
        }
    }
}
