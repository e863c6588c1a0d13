//! Counts and lists in sentences.

/// `1 file`, `2 files`.
pub fn plural(count: usize, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
}
