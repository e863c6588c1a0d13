//! Counts and lists in sentences.

/// `1 file`, `2 files`.
pub fn plural(count: usize, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
}

/// What a message says about all but the first of `count` places: ` (2 more in this file)`; nothing of a single one.
pub fn more_in_file(count: usize) -> String {
    match count.saturating_sub(1) {
        0 => String::new(),
        more => format!(" ({more} more in this file)"),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn enumerated(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// `bytes` with one decimal, or exact where `other` would read the same.
pub fn kilobytes(bytes: u64, other: u64) -> String {
    let tenths = |bytes: u64| bytes.saturating_add(50) / 100;
    let shown = tenths(bytes);
    if shown == tenths(other) { format!("{bytes} bytes") } else { format!("{}.{} KB", shown / 10, shown % 10) }
}
