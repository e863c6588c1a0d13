//! What a team's memory costs, and what of it is lost.

crate::family! {
    file_too_large
    dangling_archive
    entry_lost
}
