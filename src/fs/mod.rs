//! Files on disk: read within bounds, written whole or not at all.

pub mod atomic;
mod attributes;
pub mod folder;
pub mod guard;
mod late;
pub mod lock;
pub mod new_folder;
pub mod path;
pub mod read;
mod signals;
pub mod stamp;
mod temporary;
mod write_error;
