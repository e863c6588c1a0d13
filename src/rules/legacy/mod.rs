//! Entries from before Squad Entry Markdown.

mod shared;

crate::family! {
    entry
    undated
    impossible_date
    duplicate_entry
    headless_entry
    field_alias
}
