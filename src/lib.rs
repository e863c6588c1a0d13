//! `squad-lint` reads the files in which teams of AI agents keep their memory and says precisely what is wrong.
//!
//! ```
//! let project = squad_lint::Project::open(".")?;
//! for finding in project.check()?.diagnostics {
//!     println!("{finding}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The pages of the rules are in [`rules`]. `docs/how-it-is-built.md` shows the way from a path to a finding; the modules on that
//! way are public for the program, its tests and its benches, and may change.

// No input may make the program panic. Tests may: there a panic is the message.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::panic,
        clippy::unreachable,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]

#[doc(hidden)]
pub mod archiving;
#[doc(hidden)]
pub mod baseline;
#[doc(hidden)]
pub mod bundle;
#[doc(hidden)]
pub mod charters;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod commands;
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod conversion;
#[doc(hidden)]
pub mod convert;
#[doc(hidden)]
pub mod diagnostic;
#[doc(hidden)]
pub mod dialects;
#[doc(hidden)]
pub mod document;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod errors;
#[doc(hidden)]
pub mod facts;
#[doc(hidden)]
pub mod fix;
#[doc(hidden)]
pub mod formats;
#[doc(hidden)]
pub mod fs;
#[doc(hidden)]
pub mod git;
#[doc(hidden)]
pub mod hooks;
#[doc(hidden)]
pub mod layout;
#[doc(hidden)]
pub mod memory;
#[doc(hidden)]
pub mod merge;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod outcome;
#[doc(hidden)]
pub mod ownership;
#[doc(hidden)]
pub mod project;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod reports;
#[doc(hidden)]
pub mod rule;
#[doc(hidden)]
pub mod rule_set;
pub mod rules;
#[doc(hidden)]
pub mod select;
#[doc(hidden)]
pub mod sessions;
#[doc(hidden)]
pub mod settings;
#[doc(hidden)]
pub mod suppress;
#[doc(hidden)]
pub mod team;
#[doc(hidden)]
pub mod terminal;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod value_source;
#[doc(hidden)]
pub mod writing;

pub use diagnostic::{Diagnostic, Severity};
pub use outcome::Outcome;
pub use project::Project;
