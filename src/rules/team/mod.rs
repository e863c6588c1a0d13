//! The manifest of a learning team (seed 004, "Team Manifest").

crate::family! {}
