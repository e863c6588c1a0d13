//! Entries of before SEM.

crate::family! {
    entry
    undated
    field_alias
}
