//! `completions SHELL`: a script that teaches a shell the command line.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;

use super::{CliError, Exit};
use crate::cli::{Cli, CompletionsArgs};
use crate::rules;

/// Prints the completion script for a shell.
pub fn run(args: &CompletionsArgs) -> Result<Exit, CliError> {
    let mut command = command();
    let names: Vec<_> = Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let names = names.join(" ");
    let mut script = generate(args.shell, &mut command);
    for mend in mends(args.shell, &script, &names) {
        script = mend.apply(&script);
    }
    if args.shell == Shell::Fish {
        script += &values_for_fish(&command);
    }
    std::io::stdout().lock().write_all(script.as_bytes()).map_err(CliError::Output)?;
    Ok(Exit::Clean)
}

fn generate(shell: Shell, command: &mut Command) -> String {
    // By way of memory: the generator takes no for an answer by a panic.
    let mut script = Vec::new();
    clap_complete::generate(shell, command, "squad-lint", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The command line with the names of rules where it takes them. For completion only: which names there are is decided, and
/// said better, when a command runs.
fn command() -> Command {
    let mut command = Cli::command();
    // Only now subcommands have their options.
    command.build();
    command.mut_args(with_rules).mut_subcommands(|command| command.mut_args(with_rules))
}

fn with_rules(arg: Arg) -> Arg {
    let takes_a_rule = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == "RULE"));
    if !takes_a_rule && arg.get_id() != "rule" {
        return arg;
    }
    let names = rules::families().into_iter().chain(rules::all().map(|registered| registered.rule.name));
    arg.value_parser(PossibleValuesParser::new(names))
}

/// A part of a script that the generator writes wrongly.
struct Mend {
    wrong: String,
    right: String,
    /// Whether every place is meant, not only the first.
    everywhere: bool,
}

impl Mend {
    fn first(wrong: &str, right: &str) -> Self {
        Self { wrong: wrong.to_owned(), right: right.to_owned(), everywhere: false }
    }

    fn every(wrong: &str, right: &str) -> Self {
        Self { everywhere: true, ..Self::first(wrong, right) }
    }

    fn apply(&self, script: &str) -> String {
        match self.everywhere {
            true => script.replace(&self.wrong, &self.right),
            false => script.replacen(&self.wrong, &self.right, 1),
        }
    }
}

/// What is wrong in the `script` for a shell; `names` are the subcommands.
fn mends(shell: Shell, script: &str, names: &str) -> Vec<Mend> {
    match shell {
        // The generator takes the hyphen of the program's name for the one between two commands: it finds no subcommand.
        Shell::Bash => vec![Mend::every("squad__subcmd__lint", "squad__lint")],
        // The generator gives up where an option of the program waits for its value, and takes a path for a subcommand.
        Shell::Fish => vec![
            Mend::first("2>/dev/null\n    or return\n", "2>/dev/null\n    or return 0\n"),
            Mend::first("if set -q argv[1]\n", &format!("if contains -- \"$argv[1]\" {names} help\n")),
        ],
        // The generator wants the subcommand after the paths. It comes first or not at all: any other first word is a
        // path for `check`. And options may follow paths.
        Shell::Zsh => {
            let is_check = format!("[[ \" {names} help \" == *\" $line[1] \"* ]] || line[1]=check");
            let of_paths = script.lines().find(|line| line.contains("::paths -- ")).unwrap_or_default();
            vec![
                Mend::first(&format!("{of_paths}\n"), ""),
                Mend::every("$line[2]", "$line[1]"),
                Mend::every("'*::paths -- ", "'*:paths -- "),
                Mend::first("\":: :_squad-lint_commands\"", "\":: :{ _squad-lint_commands; _files }\""),
                Mend::first("        case $line[1] in\n", &format!("        {is_check}\n        case $line[1] in\n")),
            ]
        }
        _ => Vec::new(),
    }
}

/// The generator for fish knows no values of arguments without a name.
fn values_for_fish(command: &Command) -> String {
    let mut script = String::new();
    for subcommand in command.get_subcommands() {
        for argument in subcommand.get_positionals() {
            let values: Vec<_> =
                argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
            if !values.is_empty() {
                let (name, values) = (subcommand.get_name(), values.join(" "));
                let condition = format!("__fish_squad_lint_using_subcommand {name}");
                script += &["complete -c squad-lint -n \"", &condition, "\" -f -a \"", &values, "\"\n"].concat();
            }
        }
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_mended_is_in_what_the_generator_writes() {
        for (shell, count) in [(Shell::Bash, 1), (Shell::Fish, 2), (Shell::Zsh, 5)] {
            let mut script = generate(shell, &mut command());
            let mends = mends(shell, &script, "check explain");
            assert_eq!(mends.len(), count, "{shell}");
            for mend in mends {
                assert!(mend.wrong.len() > 1 && script.contains(&mend.wrong), "{shell}: {:?} is gone", mend.wrong);
                script = mend.apply(&script);
            }
        }
        assert!(values_for_fish(&command()).contains("sem/missing-field"));
    }
}
