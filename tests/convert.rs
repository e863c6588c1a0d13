//! `convert` as its users meet it, with the real program on real files.
//!
//! - `convert/command.rs`: options, output, backups, logs, what is left alone.
//! - `convert/corpus.rs`: real files, counted.
//! - `convert/history.rs`: dates and authors from git.
//! - `convert/text.rs`: what entries become.
//! - `convert/lossless.rs`: no byte of a body is lost, on made-up and on real files.

mod command;
mod corpus;
mod history;
mod lossless;
mod text;

use std::path::Path;
use std::process::Output;

use crate::support::{squad_lint, stderr, stdout};
use serde_json::Value;

/// The example of the specification, with an entry that cannot be converted.
const THREE: &str = "# Team Decisions\n\n\
    ### 2026-02-10: User directive — model selection cost optimization\n\
    **By:** Brady (via Copilot)\n\
    **What:** Agents should pick their own models. Cost counts.\n\
    **Why:** User request — captured for team memory\n\n\
    ### 2026-02-11: Use Postgres\n\
    **What:** One database for all.\n\n\
    ### 2026-02-12: Tabs\n\
    **By:** Keaton\n\
    **What:** Tabs, not blanks.\n";

fn convert(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).arg("convert").args(args).output().unwrap()
}

/// The JSON that a dry run prints.
fn json(folder: &Path, args: &[&str]) -> Value {
    let output = convert(folder, &[&["--dry-run", "--format", "json"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}
