//! What the subcommands of `bundle` do.

pub mod check;
pub mod diff;
pub mod difference;
pub mod export;
pub mod import;
pub mod load;
pub mod origin;
pub mod report;
mod sections;
pub mod squad;
