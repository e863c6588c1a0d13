//! What the subcommands of `memory` write: new entries, and those of the inbox.
//!
//! `squad.rs` finds the files, `entry.rs` makes the text of an entry, and `sheet.rs` puts texts into a file at their places:
//! `cell.rs` cuts it into parts that nothing is put into, `read_back.rs` compares what readers find with what was put together.
//! `add.rs`, `inbox.rs` and `archive.rs` are what the subcommands do.

pub mod add;
pub mod archive;
mod cell;
pub mod details;
pub mod entry;
pub mod inbox;
pub mod kept;
pub mod open_block;
mod read_back;
mod sheet;
pub mod squad;
mod under;
mod versions;
