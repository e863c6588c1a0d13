//! Who is on a squad: `team.md`, `agents/`, `casting/` and `routing.md`.

crate::family! {
    drift
}
