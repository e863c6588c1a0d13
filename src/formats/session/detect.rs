//! The kind of a file by its content. Teams keep other files in the folders of their sessions, and some have the same names:
//! these are left alone.

use super::kind::{Kind, Named};
use super::reader::Reader;
use crate::formats::yaml::Node;

/// Keys that tell a kind, each with its weight. A key that two kinds have tells less.
fn weight(kind: Kind, key: &str) -> u32 {
    match (kind, key) {
        (Kind::Status, "session_id" | "agents_active" | "tasks_total" | "validation_gates")
        | (Kind::Plan, "instruction" | "boundaries" | "dependencies" | "success_criteria")
        | (
            Kind::Progress,
            "progress_percentage" | "current_action" | "completed_steps" | "remaining_steps" | "artifacts_created",
        )
        | (Kind::Message, "response_needed" | "response_by" | "from_agent" | "to_agent" | "message_id")
        | (Kind::Broadcast, "agents_activate" | "agents_deactivate")
        | (Kind::Error, "error_id" | "attempted_fixes" | "requires_intervention")
        | (Kind::Lock, "locked_by" | "locked_at" | "expires_at") => 3,
        (Kind::Metrics, "session_metrics" | "per_agent_metrics") => 4,
        (Kind::Status, "started_at" | "tasks_completed")
        | (Kind::Progress, "validation_results" | "blockers" | "tokens_used")
        | (Kind::Message, "subject" | "message")
        | (Kind::Broadcast, "phase" | "timestamp")
        | (Kind::Error, "severity" | "occurred_at" | "error")
        | (Kind::Lock, "operation") => 2,
        (Kind::Status, "status" | "phase")
        | (Kind::Plan, "meta" | "inputs" | "outputs" | "task_id" | "agent" | "timeout")
        | (Kind::Progress, "meta" | "status" | "time_spent" | "task_id" | "agent" | "updated_at")
        | (Kind::Message, "meta" | "type" | "context")
        | (Kind::Error, "agent" | "task_id")
        | (Kind::Lock, "file" | "task_id") => 1,
        _ => 0,
    }
}

/// Whether `key` is one of the protocol, also if it is written in another way, as `Task ID` is.
pub(super) fn is_like_known(key: &str) -> bool {
    let key = key.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    Kind::ALL.iter().any(|kind| weight(*kind, &key) > 0)
}

/// What is enough for a file that is certain to be of its kind by its name, for one whose name says its kind, and for one whose
/// name says another.
const CERTAIN: u32 = 1;
const NAMED: u32 = 3;
const UNNAMED: u32 = 6;

/// The kind of the file whose YAML is `root`; `None` if it is not a file of the protocol.
pub(super) fn of_tree(root: &Node, reader: &Reader<'_>, named: Named) -> Option<Kind> {
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in reader.pairs(root) {
        keys.extend(key.as_str());
    }
    if let Some(meta) = reader.get(root, "meta") {
        keys.extend(reader.pairs(meta).iter().filter_map(|(key, _)| key.as_str()));
    }
    let least = if named.is_certain() { CERTAIN } else { NAMED };
    of_keys(&keys, named, least)
}

/// The kind of a file that is not YAML, by what looks like its keys. One that begins with a key of the protocol, or with a brace
/// and one, is certain to be meant as YAML.
pub(super) fn of_text(text: &str, named: Named) -> Option<Kind> {
    let text = text.trim_start_matches('\u{feff}');
    let is_known = |key: &&str| Kind::ALL.iter().any(|kind| weight(*kind, key) > 0);
    let mut keys: Vec<&str> = Vec::new();
    for key in text.lines().flat_map(keys_of).filter(is_known) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#') && *line != "---");
    // `meta` without its colon, too.
    let is_yaml = first.is_some_and(|line| {
        line.starts_with(['{', '['])
            || is_known(&line.trim_end())
            || keys_of(line).next().is_some_and(|key| is_known(&key))
    });
    of_keys(&keys, named, if is_yaml && named.is_certain() { CERTAIN } else { NAMED })
}

/// Whether `text` looks like YAML that was cut off, and not like text for people: it is one word, or it begins with a bracket, or a
/// key, and not every bracket is closed.
pub(super) fn is_torn(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim();
    let text = text.strip_prefix("---").unwrap_or(text).trim_start();
    let is_word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let count = |brackets: [char; 2]| text.matches(brackets).count();
    let is_open = || count(['[', '{']) > count([']', '}']);
    // A title of a text for people is a comment in YAML.
    let said = text.lines().find(|line| !matches!(line.trim_start().chars().next(), None | Some('#')));
    let begins = text.starts_with('[') || said.is_some_and(|line| line.starts_with('{')) || key_at(text).is_some();
    is_word(text) || begins && is_open()
}

/// Whether `text` is a title and a list below it, as in Markdown, without a key of the protocol beside the list.
pub(super) fn is_titled_list(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty());
    let is_titled = lines.next().is_some_and(|line| line.starts_with('#') && !line.starts_with("# squad-lint:"));
    let mut said = lines.filter(|line| !line.starts_with('#'));
    is_titled
        && said.next().is_some_and(|line| line.starts_with("- "))
        && !said.any(|line| !line.starts_with([' ', '\t']) && key_at(line).is_some_and(is_like_known))
}

/// What looks like the keys of `line`: at its start, and after each `{` and the `,` that follow.
fn keys_of(line: &str) -> impl Iterator<Item = &str> {
    let start = line.len() - line.trim_start().len();
    let rest = line.get(start..).unwrap_or_default();
    let rest = rest.strip_prefix("- ").unwrap_or(rest);
    // Only those of the top, and those of `meta`, tell the kind.
    let first = Some(rest).filter(|_| start <= 8);
    let inner = rest.find('{').and_then(|at| rest.get(at + 1..)).unwrap_or_default();
    first.into_iter().chain(inner.split(['{', ','])).filter_map(key_at)
}

/// The key at the start of `text`, as in `meta: …` and `"meta": …`.
fn key_at(text: &str) -> Option<&str> {
    let text = text.trim_start().trim_start_matches(['"', '\'']);
    let end = text.find(|c: char| !(c.is_ascii_lowercase() || c == '_'))?;
    let rest = text.get(end..)?.trim_start_matches(['"', '\'']).trim_start();
    text.get(..end).filter(|key| !key.is_empty() && rest.starts_with(':'))
}

/// The kind that `keys` tell, of those that the name allows if they weigh `least`. A file among the locks is one, whatever it holds:
/// agents look only whether it is there.
fn of_keys(keys: &[&str], named: Named, least: u32) -> Option<Kind> {
    let scores = Kind::ALL.map(|kind| (keys.iter().map(|key| weight(kind, key)).sum::<u32>(), kind));
    // Of equals the one that the name allows, and of these the first.
    let best =
        scores.iter().copied().max_by_key(|(score, kind)| (*score, named.allows(*kind), std::cmp::Reverse(*kind)));
    let own = scores.iter().copied().filter(|(_, kind)| named.allows(*kind));
    let own = own.max_by_key(|(score, kind)| (*score, std::cmp::Reverse(*kind))).filter(|(score, _)| *score >= least);
    match (own, best) {
        // Another kind has to be clearly the better one.
        (Some((own, kind)), Some((score, _))) if score < own + UNNAMED => Some(kind),
        (_, Some((score, kind))) if score >= UNNAMED => Some(kind),
        (own, _) => own.map(|(_, kind)| kind).or((named == Named::Lock).then_some(Kind::Lock)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_meant_as_yaml_has_a_kind() {
        for (named, text, expected) in [
            (Named::Plan, "meta: {task_id: a, agent: b}, instruction: [x", Some(Kind::Plan)),
            (Named::Plan, "{meta: {task_id: a, agent: b", Some(Kind::Plan)),
            (Named::Plan, "{\"meta\": {\"task_id\": \"a\"", Some(Kind::Plan)),
            (Named::Plan, "---\n# Task\nmeta: task_id: a", Some(Kind::Plan)),
            (Named::Plan, "instruction:\tx\n  y", Some(Kind::Plan)),
            (Named::Status, "status: active: yes", Some(Kind::Status)),
            (Named::Plan, "# Plan\n\n1. `meta: b`\n\tTab.\n", None),
            (Named::Comm, "a: *unknown\n", None),
            (Named::Error, "error: it failed: {x\n", None),
            (Named::Comm, "All is well, {so: far}: yes", None),
        ] {
            assert_eq!(of_text(text, named), expected, "{text}");
        }
    }

    #[test]
    fn text_that_was_cut_off_is_not_for_people() {
        for (text, expected) in [
            ("m", true),
            ("---\nmet\n", true),
            ("{{{", true),
            ("a: [[[", true),
            ("[a, b", true),
            ("# Task\n\n{a: 1", true),
            ("# Task\n\na: [1", false),
            ("All went well", false),
            ("- one", false),
            ("# Notes", false),
            ("[ ] one: [two](x)", false),
            ("a: *b", false),
            ("See [1", false),
            ("", false),
        ] {
            assert_eq!(is_torn(text), expected, "{text}");
        }
        assert_eq!(of_text("meta\n  task_id: task_001\n", Named::Plan), Some(Kind::Plan));
    }

    #[test]
    fn a_list_below_a_title_is_for_people() {
        for (text, expected) in [
            ("# Retro\n\n- went well\n- status: more tests\n\n## Next\n", true),
            ("\n# Retro\n- one: two: three\n  more: so\n", true),
            ("- one\n- two\n", false),
            ("# squad-lint: ignore session\n- one\n", false),
            ("# Retro\n\nText.\n", false),
            ("# Retro\n", false),
            ("# Task\n- one\nstatus: active\n", false),
            ("# Task\n---\n- one\n", false),
        ] {
            assert_eq!(is_titled_list(text), expected, "{text}");
        }
    }

    #[test]
    fn keys_decide() {
        for (named, keys, expected) in [
            (Named::Comm, ["meta", "status", "progress_percentage"].as_slice(), Some(Kind::Progress)),
            (Named::Comm, &["meta", "from_agent", "to_agent", "message"], Some(Kind::Message)),
            (Named::Plan, &["meta", "status", "progress_percentage", "current_action"], Some(Kind::Progress)),
            (Named::Plan, &["meta", "instruction"], Some(Kind::Plan)),
            (Named::Lock, &["locked_by"], Some(Kind::Lock)),
            (Named::Lock, &["file"], Some(Kind::Lock)),
            (Named::Lock, &[], Some(Kind::Lock)),
            (Named::Status, &["status", "phase"], Some(Kind::Status)),
            (Named::Status, &["title"], None),
            (Named::Comm, &["status"], Some(Kind::Progress)),
            (Named::Comm, &["subject"], Some(Kind::Message)),
            (Named::Plan, &["meta"], Some(Kind::Plan)),
            (Named::Status, &["status", "phase", "started_at"], Some(Kind::Status)),
            (Named::Error, &["title", "agent"], None),
            (Named::Metrics, &["cpu", "memory"], None),
            (Named::Metrics, &["session_metrics"], Some(Kind::Metrics)),
            (Named::Broadcast, &["phase", "timestamp"], Some(Kind::Broadcast)),
            (Named::Broadcast, &["title"], None),
        ] {
            let least = if named.is_certain() { CERTAIN } else { NAMED };
            assert_eq!(of_keys(keys, named, least), expected, "{named:?} {keys:?}");
        }
    }
}
