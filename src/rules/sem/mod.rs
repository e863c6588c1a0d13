//! Squad Entry Markdown: the entries of seed 000.

crate::family! {
    summary_too_long
    timestamp_format
    directive_by_agent
    unknown_author
    duplicate_entry
    out_of_order
    trailing_hard_break
    mixed_formats
    reference_divergence
    label_layout
}
