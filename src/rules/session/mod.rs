//! The files by which a running squad works together.

mod shared;

crate::family! {
    invalid_yaml
    missing_field
    invalid_value
    placeholder
    name_mismatch
    duplicate_file
    inconsistent_status
    inconsistent_progress
    dangling_dependency
    dependency_cycle
    asymmetric_dependency
    boundary_conflict
    boundary_escape
    output_outside_boundary
    overlapping_boundaries
    invalid_lock
    lock_conflict
    expired_lock
    lock_name
    overdue_response
    overdue_plan
    retention
    inconsistent_metrics
    unknown_agent
}
