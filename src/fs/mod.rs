//! Files on disk: read within bounds, written whole or not at all.

pub mod atomic;
pub mod path;
pub mod read;
