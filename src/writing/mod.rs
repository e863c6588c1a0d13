//! What the subcommands of `memory` write: new entries, and those of the inbox.
//!
//! `squad.rs` finds the files, `entry.rs` makes the text of an entry, and `sheet.rs` puts texts into a file at their places.
//! `add.rs`, `inbox.rs` and `archive.rs` are what the subcommands do.

pub mod add;
pub mod archive;
pub mod details;
pub mod entry;
pub mod inbox;
pub mod kept;
pub mod open_block;
mod sheet;
pub mod squad;
mod versions;
