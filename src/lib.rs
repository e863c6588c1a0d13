//! `squad-lint` reads the files in which teams of AI agents keep their memory and says precisely what is wrong.
//!
//! A path becomes a [`text::Source`], a source becomes a [`rule::Document`], a document goes through the rules and
//! becomes [`diagnostic::Diagnostic`]s, which are rendered. `docs/how-it-is-built.md` shows the way.

pub mod cli;
pub mod commands;
pub mod config;
pub mod diagnostic;
pub mod engine;
pub mod facts;
pub mod formats;
pub mod options;
pub mod report;
pub mod rule;
pub mod rules;
pub mod select;
pub mod terminal;
pub mod text;
