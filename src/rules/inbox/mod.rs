//! The inbox, `decisions/inbox/`.

crate::family! {
    multiple_entries
}
