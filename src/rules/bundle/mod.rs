//! Bundles of portable squads.

mod shared;

crate::family! {
    invalid_json
    duplicate_key
    missing_field
    wrong_type
    unsupported_version
    unsafe_name
    forbidden_content
    scribe_history
    project_context
    project_specific
    too_large
    blank_file
    roster_mismatch
}
