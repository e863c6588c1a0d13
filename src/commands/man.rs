//! `man`: the manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::{CliError, Exit};
use crate::cli::{Cli, ManArgs};

/// A page that could not be written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot write {}", path.display())]
#[diagnostic(help("name a folder in which you have permission to write, such as `~/.local/share/man/man1`"))]
pub struct WritePage {
    path: PathBuf,
    source: io::Error,
}

/// Prints the page of the program, or writes it and one for each subcommand into a folder.
pub fn run(args: &ManArgs) -> Result<Exit, CliError> {
    let mut command = Cli::command().disable_help_subcommand(true).override_usage(
        "squad-lint [OPTIONS] [PATH]...\n\
         squad-lint COMMAND [OPTIONS] [ARGUMENT]...",
    );
    command.build();
    match &args.dir {
        None => {
            let page = page(&command, true);
            page.and_then(|page| io::stdout().lock().write_all(&page)).map_err(CliError::Output)?;
        }
        Some(dir) => write_pages(&command, dir, true)?,
    }
    Ok(Exit::Clean)
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &Command, dir: &Path, is_main: bool) -> Result<(), CliError> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = dir.join(format!("{name}.1"));
    let page = page(command, is_main).map_err(CliError::Output)?;
    fs::create_dir_all(dir).and_then(|()| fs::write(&path, page)).map_err(|source| WritePage { path, source })?;
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write_pages(subcommand, dir, false)?;
    }
    Ok(())
}

/// One page as roff. It bears no date, so that the same version gives the same bytes.
fn page(command: &Command, is_main: bool) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    // Not its own title: an empty date would be left out there, and the version would stand in its place.
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut page = format!(".TH {name} 1 \"\" \"squad-lint {}\"\n", env!("CARGO_PKG_VERSION")).into_bytes();
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if is_main {
        page.extend(what_holds_for_all().render().into_bytes());
    } else {
        let mut roff = Roff::new();
        roff.control("SH", ["SEE ALSO"]).text([bold("squad-lint"), roman("(1)")]);
        page.extend(roff.render().into_bytes());
    }
    Ok(page)
}

/// What the types of the command line do not know.
fn what_holds_for_all() -> Roff {
    let mut roff = Roff::new();
    let mut section = |title: &str, items: &[(&str, &str)]| {
        roff.control("SH", [title]);
        for (name, text) in items {
            roff.control("TP", []).text([bold(*name)]).text([roman(*text)]);
        }
    };
    section(
        "EXIT STATUS",
        &[
            ("0", "no findings at or above --fail-on"),
            ("1", "findings"),
            ("2", "the run failed: wrong usage, invalid configuration, a file or repository that cannot be read"),
        ],
    );
    section(
        "ENVIRONMENT",
        &[
            ("NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE", "whether to use colour, unless --color is given"),
            ("COLUMNS", "the width of the output, if the terminal does not report it"),
            ("SOURCE_DATE_EPOCH", "the current time, in seconds since 1970, unless --now is given"),
        ],
    );
    section(
        "CONFIGURATION",
        &[(
            "squad-lint.toml, .squad-lint.toml, .config/squad-lint.toml",
            "the configuration, at the root of the repository; none is needed",
        )],
    );
    roff
}
