//! The manifest of a learning team (seed 004, "Team Manifest").

crate::family! {
    overlapping_ownership
    owns_nothing
    unowned_file
}

/// `1 file`, `2 files`.
fn plural(count: usize, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}
