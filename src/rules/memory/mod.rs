//! What a team's memory costs.

crate::family! {
    file_too_large
}
