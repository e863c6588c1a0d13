//! What a text says by which it stays where agents read it: an order, the owner's word, an open question.

use super::hold::{self, Hold};
use super::near::{
    around, is_ban, is_bold_label, is_item, is_label, is_more, is_negated, is_none, is_one_clause, is_past, is_start,
    is_title_of_list, without_last, words,
};
use super::owner::{USER_SAID, has_word_of};
use super::signs;
use crate::text::words::{begins_with, contains, is_in_word};

/// Whom a history names.
#[derive(Clone, Copy, Debug, Default)]
pub struct People<'a> {
    /// The first name of the person whose project it is.
    pub owner: Option<&'a str>,
    /// The agent whose history it is, by its folder.
    pub agent: Option<&'a str>,
}

/// Why a text stays for what one of its lines says: it is a directive or the word of the owner, a task for the agent, or waits for an
/// answer.
pub fn of_text(text: &str, people: People<'_>) -> Option<Hold> {
    if people.owner.is_some_and(|owner| has_word_of(owner, text)) {
        return Some(Hold::Order);
    }
    if people.agent.is_some_and(|agent| has_task_of(agent, text)) {
        return Some(Hold::Open);
    }
    let said = signs::find_iter(text).filter_map(|(range, found)| {
        let (before, after) = around(text, range)?;
        // `📌 Team update (2026-02-10): Josh directive`
        let lead = before.rsplit(": ").next()?;
        let is_directive = match found {
            "irective" | "IRECTIVE" => is_titled_directive(lead, after),
            " directed " => is_order_of(lead),
            "anding rule" | "anding obligation" => {
                let before = before.strip_suffix("st").or_else(|| before.strip_suffix("St"));
                before.is_some_and(|before| !before.ends_with(is_in_word))
            }
            "o new " => is_freeze(before, after),
            "DO NOT " | "MUST NOT " | "must NOT " | "NEVER " => !before.ends_with(is_in_word),
            // A decision is an order by itself, and leaves when it is old; an agent is not told again what its history had.
            "Always" | "Never" | "Do not" | "Do NOT" | "Don't" | "Avoid" => {
                let is_word = !after.starts_with(is_in_word) && !after.starts_with('-');
                people.agent.is_some() && is_word && is_start(before)
            }
            "always " => {
                let is_word = people.agent.is_some() && !before.ends_with(is_in_word);
                is_word && (after.contains(", never ") || is_for_any(before))
            }
            "angerous to change" | "angerous to Change" => people.agent.is_some() && before.ends_with(['D', 'd']),
            // `hard requirement`
            "ard constraint" | "ard requirement" | "ard constitutional" | "ard rule" => {
                let is_word = before.strip_suffix(['h', 'H']).is_some_and(|before| !before.ends_with(is_in_word));
                people.agent.is_some() && is_word && !words(before).rev().skip(1).take(2).any(|word| word == "not")
            }
            "atterns to " | "attern to " | "ules to " => {
                people.agent.is_some()
                    && before.strip_suffix(['p', 'P', 'r', 'R']).is_some_and(|before| !before.ends_with(is_in_word))
                    && begins_with(after, &["follow", "keep", "preserve", "repeat", "replicate", "reuse"])
            }
            "only ever " => people.agent.is_some() && before.ends_with("should "),
            "orbidden" => is_ban(before, after),
            "oing forward" => {
                let is_update = people.agent.is_some() && before.contains('📌');
                is_update || ["permanent", "all ", "every "].iter().any(|word| contains(before, word))
            }
            "xclusive claim" | "urable team convention" | "ule to remember" => people.agent.is_some(),
            // `Guardrails Established: …`, `Governance Change: …`
            "uardrail" | "overnance " => people.agent.is_some() && is_label(before, after),
            "esson:" => {
                people.agent.is_some()
                    && ["always", "must", "never"].iter().any(|word| words(after).any(|said| said == *word))
            }
            "Rule:" => people.agent.is_some() && before.ends_with("**"),
            "MUST " if people.agent.is_some() && (before.contains('📌') || after.contains("decided by ")) => true,
            "must " | "MUST " => {
                // `README must remain an index`, `**Critical**: the endpoint must use the cache`
                let is_rule = begins_with(after, &["not be", "remain", "stay"]) || contains(before, "critical");
                people.agent.is_some() && is_rule || is_for_all(before) && !is_past(after)
            }
            // `**README convention**: …`, `**Maintenance**: When features change, …`
            "onvention" => people.agent.is_some() && is_bold_label(before, after),
            "aintenance" => people.agent.is_some() && is_bold_label(before, after) && contains(after, " when "),
            // `All components need the import`
            "need" if people.agent.is_some() && after.starts_with(' ') && is_for_all(before) => true,
            "User " | "Owner " => is_start(before) && (begins_with(after, USER_SAID) || is_preference(after)),
            "he user " | "he owner " => before.strip_suffix('T').is_some_and(is_start) && begins_with(after, USER_SAID),
            "roduct owner " => before.ends_with(['P', 'p']) && begins_with(after, USER_SAID),
            _ => false,
        };
        let is_open = || match found {
            "aiting" | "AITING" => answers(after, 1),
            "ait for " => !is_negated(before) && answers(after, 0),
            "uestion" => is_open_question(lead, after),
            "lease confirm" | "till open" | "TILL OPEN" => true,
            "ithdrawn" => {
                people.agent.is_some()
                    && (words(before).any(|word| word.starts_with("remain")) || contains(after, " pending "))
            }
            // `3 OPEN (#12, #14, #15)`
            " OPEN (" => before.ends_with(|c: char| c.is_ascii_digit()),
            "pen issues" | "pen Issues" | "pen Blockers" => is_open_list(lead, after),
            "ech debt" | "ech Debt" | "cal debt" | "cal Debt" | "nown issues" | "nown Issues" => {
                before.trim_start().starts_with('#')
            }
            // A decision is settled, whatever it recommends.
            "ext action" | "ext Action" | "ext steps" | "ext Steps" | "ecommendations" | "ECOMMENDATIONS" => {
                people.agent.is_some() && is_open_list(lead, after.trim_start_matches(is_in_word))
            }
            // Within a summary of one paragraph, too.
            "ey concerns" => people.agent.is_some() && before.ends_with(['K', 'k']) && after.starts_with([':', '*']),
            "ction item" | "ction Item" => after.starts_with('s') && words(lead).count() <= WHOSE,
            "ction required" | "ction Required" | "CTION REQUIRED" | "ction needed" | "ction Needed"
            | "CTION NEEDED" | "ecision required" | "ecision Required" | "ECISION REQUIRED" | "ecision needed"
            | "ecision Needed" => !after.starts_with(is_in_word) && words(lead).count() <= WHOSE && !is_none(lead),
            "eferred" | "uture phases" | "uture Phases" => is_title_of_list(before, after),
            "[ ] " => is_item(before),
            "tatus:" | "ending:" | "ollow-up" | "ollow-Up" | "PEN:" => is_open_label(found, before, after),
            "need" | "Need" => is_needed(after),
            "evisit " => begins_with(after, &["in", "after", "when", "once", "if", "by", "at"]),
            _ => false,
        };
        match found {
            "irective" | "IRECTIVE" => is_directive.then_some(Hold::Directive),
            _ if is_directive => Some(Hold::Order),
            _ => is_open().then_some(Hold::Open),
        }
    });
    said.min()
}

/// Whether the word around `found` is the label of what is open: `**Status:** Proposed — pending review`, also at the end of an entry,
/// `**Follow-up:** Wire the field`, `OPEN: (a) the port is unconfirmed`.
fn is_open_label(found: &str, before: &str, after: &str) -> bool {
    if !is_start(without_last(before)) {
        return false;
    }
    match found {
        "tatus:" => hold::is_state_of_open(after),
        "ending:" => before.ends_with(['P', 'p']) && is_more(after),
        "PEN:" => before.ends_with('O') && is_more(after),
        _ => after.trim_start_matches(['s', '*', '_']).strip_prefix(':').is_some_and(is_more),
    }
}

/// Whether a line of `text` gives a task to the agent whose history it is: `Jayne should add tests`.
fn has_task_of(agent: &str, text: &str) -> bool {
    let mut letters = agent.chars();
    let Some(first) = letters.next() else { return false };
    let name: String = first.to_uppercase().chain(letters).collect();
    memchr::memmem::find_iter(text.as_bytes(), name.as_str()).any(|at| {
        let (before, after) = around(text, at..at + name.len()).unwrap_or_default();
        let after = after.strip_prefix(' ').unwrap_or_default();
        !before.ends_with(is_in_word) && begins_with(after, &["should", "must", "needs to", "has to"])
    })
}

/// So many words can say whose directive or answer it is: `awaiting Captain's final approval`.
const WHOSE: usize = 3;

/// `- **Josh directive** — no new features`: the words around `irective`.
fn is_titled_directive(lead: &str, after: &str) -> bool {
    let after = without_bracket(after.trim_start_matches(is_in_word)).trim_start_matches(['*', '_', ' ']);
    lead.ends_with(['d', 'D']) && words(lead).count() <= WHOSE && after.starts_with([':', '-', '\u{2013}', '\u{2014}'])
}

/// `**User Preferences (Josh):**`: what comes after `User`.
fn is_preference(after: &str) -> bool {
    let rest = after.strip_prefix("Preference").or_else(|| after.strip_prefix("preference"));
    let rest = rest.map(|rest| without_bracket(rest.strip_prefix('s').unwrap_or(rest)).trim_start_matches(['*', '_']));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':') || rest.starts_with(" observed"))
}

/// `text` without the bracket at its start that says whose a directive is: ` (Josh):**`.
fn without_bracket(text: &str) -> &str {
    let bracket = text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    bracket.map_or(text, |(_, rest)| rest)
}

/// `Josh directed us to …`, but not `Users are directed to …`.
fn is_order_of(lead: &str) -> bool {
    let passive = ["is", "are", "was", "were", "be", "been"];
    (1..=WHOSE).contains(&words(lead).count()) && words(lead).next_back().is_some_and(|last| !passive.contains(&last))
}

/// Whether what is said before `must` is that of all of some kind: `Every component of the page must …`.
fn is_for_all(before: &str) -> bool {
    let sentence = ENDS.iter().filter_map(|end| before.rfind(end).map(|at| at + end.len())).max().unwrap_or(0);
    let sentence = before.get(sentence..).unwrap_or_default();
    sentence.match_indices(' ').any(|(end, _)| {
        let (lead, rest) = sentence.split_at_checked(end).unwrap_or_default();
        let word = lead.rsplit(|c| !is_in_word(c)).next().unwrap_or_default();
        let lead = lead.strip_suffix(word).unwrap_or_default().trim_end();
        ALL.contains(&word) && (words(lead).next().is_none() || lead.ends_with([',', '('])) && is_one_clause(rest)
    })
}

/// `For any proxy to another host, always …`
fn is_for_any(before: &str) -> bool {
    let sentence = ENDS.iter().filter_map(|end| before.rfind(end).map(|at| at + end.len())).max().unwrap_or(0);
    let mut words = words(before.get(sentence..).unwrap_or_default());
    words.next().is_some_and(|word| matches!(word, "For" | "for"))
        && words.next().is_some_and(|word| matches!(word, "any" | "all" | "every" | "each"))
}

/// Between two sentences, or between two parts of one.
const ENDS: [&str; 8] = [". ", "; ", ": ", ":** ", "! ", "? ", "|", "\u{2014}"];

/// How an order to all begins.
const ALL: [&str; 9] = ["All", "Every", "Each", "Any", "all", "every", "each", "ALL", "EVERY"];

/// `No new features until testing is solid` at the start of a sentence.
fn is_freeze(before: &str, after: &str) -> bool {
    before.strip_suffix(['N', 'n']).is_some_and(is_start)
        && after.split(['.', ';']).next().is_some_and(|sentence| contains(sentence, " until "))
}

/// What can be missing.
const ANSWERS: [&str; 15] = [
    "answer",
    "approval",
    "clarification",
    "confirmation",
    "decision",
    "direction",
    "feedback",
    "go-ahead",
    "input",
    "qa",
    "read",
    "reply",
    "review",
    "sign-off",
    "verdict",
];

/// Whether an answer is within the first words of `after`: `waiting for owner sign-off`. `more` words can be before it; then none is joined to what is waited for.
fn answers(after: &str, more: usize) -> bool {
    if more > 0 && !after.starts_with([' ', ':']) {
        return false;
    }
    let mut words = after.split(' ').filter(|word| !word.is_empty()).take(WHOSE + more);
    words.any(|word| begins_with(word, &ANSWERS))
}

/// `Open questions for Captain`, `the question remains`.
fn is_open_question(lead: &str, after: &str) -> bool {
    let lead = lead.strip_suffix(['q', 'Q']).unwrap_or_default();
    let is_open = words(lead).next_back().is_some_and(|last| last.eq_ignore_ascii_case("open"));
    let mut behind = words(after.strip_prefix('s').unwrap_or(after)).skip_while(|word| matches!(*word, "was" | "were"));
    is_open && words(lead).filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).count() < WHOSE
        || after.starts_with([' ', 's'])
            && behind.next().is_some_and(|word| matches!(word, "raised" | "remain" | "remains"))
}

/// `**Known open issues:**` before a list. The first letter of the word is the last one of `lead`.
fn is_open_list(lead: &str, after: &str) -> bool {
    let mut letters = lead.chars();
    let is_word = letters.next_back().is_some_and(char::is_alphabetic) && !letters.as_str().ends_with(is_in_word);
    let after = after.trim_start_matches(['*', '_', ' ']);
    is_word && words(lead).count() <= WHOSE && (after.is_empty() || after.starts_with([':', '(']))
}

/// `needs team confirmation`: what comes after `need`. `needs input validation` waits for no answer.
fn is_needed(after: &str) -> bool {
    let Some(rest) = after.strip_prefix("s ").or_else(|| after.strip_prefix(' ')) else { return false };
    let mut words = rest.split(' ').take(2);
    let answers: [&str; 6] = ["approval", "clarification", "confirmation", "decision", "direction", "sign-off"];
    words.any(|word| begins_with(word, &answers))
}

#[cfg(test)]
mod tests;
