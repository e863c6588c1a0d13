//! The size of a team's memory, and what it loses.

mod shared;

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
