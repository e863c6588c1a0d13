//! Git, by gix: objects, the index, what differs, and the index written anew. Nothing here knows what a team keeps.

pub mod age;
pub mod attributes;
pub mod blame;
pub mod blob;
pub mod change;
pub mod compare;
pub mod error;
pub mod hooks;
pub mod ignore;
pub mod index;
pub mod lines;
mod open;
mod packed;
pub mod push;
pub mod range;
pub mod renames;
pub mod repository;
pub mod write;
