//! Squad Entry Markdown: headers, fields and references of entries.

crate::family! {
    malformed_header
    timestamp_format
    invalid_timestamp
    future_timestamp
    header_field_mismatch
    missing_field
    missing_body_field
    summary_too_long
    unknown_type
    unknown_field
    duplicate_field
    field_case
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
    directive_by_agent
    unknown_author
    duplicate_entry
    out_of_order
    trailing_hard_break
    mixed_formats
    reference_divergence
    label_layout
}
