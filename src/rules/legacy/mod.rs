//! Entries from before Squad Entry Markdown.

crate::family! {
    entry
    undated
    field_alias
}
