//! `squad-lint` reads the files in which teams of AI agents keep their memory and says precisely what is wrong.
//!
//! A path becomes a [`text::Source`], a source becomes a [`document::Document`], a document goes through the rules and
//! becomes [`diagnostic::Diagnostic`]s, which are rendered. `docs/how-it-is-built.md` shows the way.

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

pub mod baseline;
pub mod cli;
pub mod commands;
pub mod config;
pub mod convert;
pub mod diagnostic;
pub mod document;
pub mod engine;
pub mod errors;
pub mod facts;
pub mod fix;
pub mod formats;
pub mod fs;
pub mod git;
pub mod layout;
pub mod options;
pub mod outcome;
pub mod ownership;
pub mod project;
pub mod report;
pub mod rule;
pub mod rule_set;
pub mod rules;
pub mod select;
pub mod settings;
pub mod suppress;
pub mod team;
pub mod terminal;
pub mod text;
pub mod value_source;
