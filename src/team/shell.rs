//! Arguments as a command for a POSIX shell: `sh`, `dash`, `bash`, `ksh` and `zsh` hand on the very same bytes.
//!
//! Everything is in single quotes, in which nothing is special. What would control the terminal on which the command is
//! shown is written as `"$(printf '\033')"`, and what the log of a build would take for a command is parted by quotes
//! that hold nothing.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::terminal::{is_active, without_log_commands};

/// The groups of arguments as a command, a line for each group.
pub fn command(groups: &[Vec<String>]) -> String {
    let lines: Vec<String> =
        groups.iter().map(|group| group.iter().map(|argument| quote(argument)).collect::<Vec<_>>().join(" ")).collect();
    lines.join(" \\\n  ")
}

/// `argument` as one word of a command. It must not hold NUL, which no argument can.
pub fn quote(argument: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:,@+".contains(&byte);
    if !argument.is_empty() && argument.bytes().all(is_plain) && !argument.starts_with("::") {
        return Cow::Borrowed(argument);
    }
    let mut out = String::with_capacity(argument.len() + 2);
    out.push('\'');
    let mut chars = argument.chars().peekable();
    let mut starts_line = true;
    while let Some(c) = chars.next() {
        match c {
            '\'' => out.push_str("'\\''"),
            ':' if starts_line && chars.peek() == Some(&':') => out.push_str(":'\"\"'"),
            '\n' | '\t' => out.push(c),
            c if is_active(c) => {
                out.push_str("'\"$(printf '");
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(out, "\\{byte:03o}");
                }
                out.push_str("')\"'");
            }
            c => out.push(c),
        }
        starts_line = c == '\n' || starts_line && (c.is_whitespace() || is_active(c));
    }
    out.push('\'');
    // A bracket after `##` is between quotes, whatever is around it.
    Cow::Owned(without_log_commands(&out, "'\"\"'[").into_owned())
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    #[cfg(unix)]
    /// What a shell hands to a program: each argument with its end.
    fn through(shell: &str, arguments: &[String]) -> Vec<u8> {
        let groups = [vec!["printf".into(), "%s\\0".into()], arguments.to_vec()];
        let output = Command::new(shell).arg("-c").arg(command(&groups)).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        output.stdout
    }

    #[cfg(unix)]
    fn shells() -> Vec<&'static str> {
        let all = ["sh", "dash", "bash", "ksh", "zsh"];
        let is_there = |shell: &&str| Command::new(shell).arg("-c").arg(":").output().is_ok();
        all.into_iter().filter(is_there).collect()
    }

    #[test]
    fn what_it_looks_like() {
        for (argument, quoted) in [
            ("sonnet", "sonnet"),
            ("", "''"),
            ("~", "'~'"),
            ("Bash(git:*)", "'Bash(git:*)'"),
            ("don't", "'don'\\''t'"),
            ("a\u{1b}[m", "'a'\"$(printf '\\033')\"'[m'"),
            ("\u{202e}", "''\"$(printf '\\342\\200\\256')\"''"),
            ("a\n ::error::", "'a\n :'\"\"':error::'"),
            ("##[x]", "'##'\"\"'[x]'"),
        ] {
            assert_eq!(quote(argument), quoted);
        }
        let groups = [vec!["claude".to_owned(), "-p".to_owned()], vec!["--model".to_owned(), "a b".to_owned()]];
        assert_eq!(command(&groups), "claude -p \\\n  --model 'a b'");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[cfg(unix)]
        #[test]
        fn every_shell_hands_on_what_was_there(
            texts in prop::collection::vec(
                prop_oneof![
                    any::<String>(),
                    "[-'\"$`()!\\\\ \n\r\t:#\\[a~={},*?%&;|<>\u{1b}\u{9b}\u{2028}\u{e9}]{0,40}",
                ],
                1..40,
            ),
        ) {
            let texts: Vec<String> = texts.into_iter().map(|text| text.replace('\0', "")).collect();
            let expected: Vec<u8> = texts.iter().flat_map(|text| [text.as_bytes(), b"\0"].concat()).collect();
            for shell in shells() {
                prop_assert_eq!(through(shell, &texts), &expected[..], "{}", shell);
            }
        }

        #[test]
        fn nothing_of_it_is_active(text in any::<String>()) {
            let quoted = quote(&text);
            prop_assert!(!quoted.chars().any(|c| is_active(c) && !matches!(c, '\n' | '\t')));
            prop_assert_eq!(without_log_commands(&quoted, "!"), quoted.as_ref());
            prop_assert!(quoted.lines().all(|line| !line.trim_start().starts_with("::")));
        }
    }
}
