//! What is done with a learning team (seed 004): its members are spawned, and what they learned is kept.

pub mod shell;
pub mod spawn;
