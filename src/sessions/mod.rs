//! Running sessions of a team: the locks of its agents, how far it is, and what is left of it. See `docs/sessions.md`.

pub mod clock;
pub mod folder;
pub mod graph;
pub mod locks;
