//! `squad-lint.toml`: reading it ([`read`]), saying what is wrong in it (`validate`), and what is made from its schema:
//! [`schema`] for editors, [`render`] for `init` and the documentation. What it may say is in [`crate::settings`].

pub mod keys;
mod problem;
pub mod read;
pub mod render;
pub mod schema;
mod validate;

pub use read::{ConfigError, FILE_NAMES, Loaded, Named, Places, discover, find, load, settings};
