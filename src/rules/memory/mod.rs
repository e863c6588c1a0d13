//! The size of a team's memory, and what it loses.

mod shared;

use bstr::BStr;

crate::family! {
    file_too_large
    context_budget
    dangling_archive
    entry_lost
    placeholder
    split_ledger
    unpacked_template
    merge_marker
    replacement_character
    shell_damage
    old_root_path
    stale_focus
    skill_front_matter
    governed
    agent_note
}

/// Whether the file at `inner` in its state root is a log of a session.
fn is_log(inner: &BStr) -> bool {
    inner.starts_with(b"log/") || inner.starts_with(b"orchestration-log/")
}
