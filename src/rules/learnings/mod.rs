//! Learnings: what the members of a team keep for their next task (seed 004, "Learnings Files").

mod shared;

crate::family! {
    structure
    file_too_long
    tier_too_long
    missing_date
    invalid_date
    future_date
    missing_sender
    unknown_sender
    malformed_decision
    misplaced_tier
    missing_file
    orphan_file
}
