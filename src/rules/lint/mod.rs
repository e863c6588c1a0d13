//! What is wrong with a file before its content counts, and with the comments that suppress findings.

crate::family! {
    unreadable_file
    invalid_utf8
    file_too_large
    malformed_suppression
    unknown_rule
    unused_suppression
}
