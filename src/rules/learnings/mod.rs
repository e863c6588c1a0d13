//! Learnings: what the members of a team keep for their next task (seed 004, "Learnings Files").

crate::family! {
    duplicate_entry
    similar_entry
    stale_entry
    unsettled_note
    promotable
}
