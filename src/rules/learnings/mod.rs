//! Learnings: what the members of a learning team keep for their next task.

mod shared;

crate::family! {
    structure
    too_many_lines
    tier_too_long
    missing_date
    invalid_date
    future_date
    duplicate_entry
    similar_entry
    stale_entry
    misplaced_tier
    unsettled_note
    unknown_sender
    missing_sender
    missing_file
    orphan_file
    promotable
    malformed_decision
}
