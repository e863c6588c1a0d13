//! Reflections: what a member of a learning team returns (seed 004, "Reflection Schema").

crate::family! {}
