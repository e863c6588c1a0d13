//! Squad Entry Markdown: the entries of seed 000.

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
    duplicate_entry
}
