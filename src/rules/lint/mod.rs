//! What is wrong with a file before its content counts.

crate::family! {
    invalid_utf8
}
