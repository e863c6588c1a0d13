//! Options before the subcommand, as in `squad-lint --quiet rules`.
//!
//! Where `check` is not named, all that follows an option is a path, also `rules`. Only options that every subcommand has may
//! come before its name.

use std::ffi::OsString;

use clap::{Command, CommandFactory};

use super::Cli;

/// `args`, the words after the name of the program, with the options of every subcommand after the name of the subcommand.
pub fn moved(mut args: Vec<OsString>) -> Vec<OsString> {
    let leading = leading(&args);
    // The names are of use only here: a hook has no such options.
    if leading > 0 && args.get(leading).is_some_and(|word| is_subcommand(word, &Cli::command())) {
        args.get_mut(..=leading).unwrap_or_default().rotate_right(1);
    }
    args
}

/// How many words the options of every subcommand take at the start of `args`.
fn leading(args: &[OsString]) -> usize {
    let mut count = 0;
    while let Some(word) = args.get(count).and_then(|word| word.to_str()) {
        count += match word {
            "-q" | "--quiet" | "-v" | "--verbose" => 1,
            "--color" => 2,
            word if word.starts_with("--color=") => 1,
            _ => break,
        };
    }
    count
}

fn is_subcommand(word: &OsString, command: &Command) -> bool {
    word.to_str().is_some_and(|name| command.find_subcommand(name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(line: &str) -> String {
        let args = line.split(' ').map(OsString::from).collect();
        moved(args).join(" ".as_ref()).into_string().unwrap_or_default()
    }

    #[test]
    fn only_what_every_subcommand_has_moves() {
        assert_eq!(after("--quiet rules --format json"), "rules --quiet --format json");
        assert_eq!(after("-v --color never team prompt x"), "team -v --color never prompt x");
        assert_eq!(after("--color=always rules"), "rules --color=always");
        for line in ["--quiet", "--quiet docs rules", "--fix rules", "-q --fix rules", "rules -q", "--color", ""] {
            assert_eq!(after(line), line);
        }
    }
}
