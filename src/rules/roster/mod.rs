//! Who is on a squad: `team.md`, `agents/`, `casting/` and `routing.md`.

mod shared;

crate::family! {
    drift
    missing_charter
    empty_members
    name_collision
    invalid_registry
    unknown_routing
    imported_placeholder
}
