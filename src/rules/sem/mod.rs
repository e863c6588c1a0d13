//! Squad Entry Markdown: the entries of seed 000.

crate::family! {
    summary_too_long
    timestamp_format
    duplicate_entry
}
