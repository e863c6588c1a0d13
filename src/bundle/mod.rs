//! What the subcommands of `bundle` do.

pub mod diff;
pub mod load;
pub mod report;
