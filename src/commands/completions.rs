//! `completions SHELL`: a script that teaches a shell the command line.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;

use super::{Exit, Stop};
use crate::cli::{Cli, CompletionsArgs};
use crate::rules;

/// Prints the completion script for a shell.
pub fn run(args: &CompletionsArgs) -> Result<Exit, Stop> {
    let mut command = command();
    let names: Vec<_> = Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let names = names.join(" ");
    let script = match args.shell {
        Shell::Bash => bash(&generate(Shell::Bash, &mut command)),
        Shell::Fish => fish(&generate(Shell::Fish, &mut command), &command, &names),
        Shell::Zsh => zsh(&generate(Shell::Zsh, &mut command), &names),
        shell => generate(shell, &mut command),
    };
    std::io::stdout().lock().write_all(script.as_bytes()).map_err(Stop::Output)?;
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

/// The generator takes the hyphen of the program's name for the one between two commands, so that no subcommand is found.
fn bash(script: &str) -> String {
    script.replace("squad__subcmd__lint", "squad__lint")
}

/// The generator knows no values of arguments without a name, gives up where an option of the program waits for its value,
/// and takes a path for a subcommand.
fn fish(script: &str, command: &Command, names: &str) -> String {
    let mut script = script.replacen("2>/dev/null\n    or return\n", "2>/dev/null\n    or return 0\n", 1).replacen(
        "if set -q argv[1]\n",
        &format!("if contains -- \"$argv[1]\" {names} help\n"),
        1,
    );
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

/// The generator wants the subcommand behind the paths. Here it stands first or not at all: what is none is a path for `check`.
/// And options may follow paths.
fn zsh(script: &str, names: &str) -> String {
    let is_check = format!("[[ \" {names} help \" == *\" $line[1] \"* ]] || line[1]=check");
    let of_paths = script.lines().find(|line| line.contains("::paths -- ")).unwrap_or_default();
    script
        .replacen(&format!("{of_paths}\n"), "", 1)
        .replace("$line[2]", "$line[1]")
        .replace("'*::paths -- ", "'*:paths -- ")
        .replacen("\":: :_squad-lint_commands\"", "\":: :{ _squad-lint_commands; _files }\"", 1)
        .replacen("        case $line[1] in\n", &format!("        {is_check}\n        case $line[1] in\n"), 1)
}
