//! What is wrong with a file before its content counts.

crate::family! {
    unreadable_file
    invalid_utf8
    file_too_big
}
