//! The command line of `hook`.

use clap::{Args, ValueEnum};

/// The programs that run agents and send events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Harness {
    /// Claude Code
    Claude,
    /// Copilot CLI and the Copilot cloud agent
    Copilot,
    /// VS Code
    #[value(name = "vscode")]
    VsCode,
}

/// The options of `hook`.
#[derive(Debug, Clone, Args)]
pub struct HookArgs {
    /// The harness that sends the event [default: detected from the event]. The hook ignores events of other harnesses
    #[arg(long, value_name = "NAME", value_enum)]
    pub harness: Option<Harness>,
}
