//! The size of a team's memory, and what it loses.

mod shared;

crate::family! {
    file_too_large
    dangling_archive
    entry_lost
}
