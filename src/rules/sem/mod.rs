//! Squad Entry Markdown: the entries of seed 000.

crate::family! {
    timestamp_format
    summary_too_long
    missing_terminator
    ambiguous_terminator
    invalid_scope
    unknown_scope_target
    malformed_tags
    malformed_related
    dangling_reference
    supersedes_order
    expired
    expires_before_timestamp
    missing_rationale
    duplicate_entry
}
