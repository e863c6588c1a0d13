//! Reports as the programs that read them see them: each format against its specification, with nothing from a file in it
//! that does something, and files that are written whole or not at all.
//!
//! `SQUAD_LINT_UPDATE=1 cargo test report::` writes what is expected of the sample.
//! `SQUAD_LINT_SARIF_SCHEMA` names the schema of the SARIF standard; without it the test that needs it is ignored.

mod files;
mod harmless;
mod kept;
mod modes;
mod read;
mod sarif;
mod valid;
