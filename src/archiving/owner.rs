//! The word of the person whose project it is.

use super::near::{around, is_start, words};
use crate::text::words::{begins_with, is_in_word};

/// What gives an order: what the owner does, and the first of these what `the user` does, who can be that of the program, too.
const SAID: [&str; 16] = [
    "directed",
    "wants",
    "wanted",
    "requested",
    "asked for",
    "confirmed",
    "approved",
    "decided",
    "chose",
    "clarified",
    "rejected",
    "prefers",
    "required",
    "requires",
    "insists",
    "provided",
];

/// Of these, what the user says, too.
pub const USER_SAID: &[&str] = SAID.split_at(12).0;

/// Whether `text` has the owner's word: `— decided by Josh Handel`, `- Brady: …`, `Brady wants …`, `(from Josh)`.
pub fn has_word_of(owner: &str, text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), owner).any(|at| {
        let (lead, after) = around(text, at..at + owner.len()).unwrap_or_default();
        let is_first = is_start(lead) || words(lead.rsplit(": ").next().unwrap_or_default()).next().is_none();
        let is_said = after.trim_start_matches('*').starts_with(':') || begins_with(surname(after), &SAID);
        // `confirmed non-commercial by Josh Handel`; what somebody asked for is done when it is done.
        let asks = ["requested", "asked", "reported"];
        let is_by = || {
            let mut last = words(lead).rev();
            last.next() == Some("by")
                && last.next().is_some_and(|verb| !asks.iter().any(|ask| ask.eq_ignore_ascii_case(verb)))
        };
        let is_of = || lead.ends_with("(from ");
        !lead.ends_with(is_in_word) && !after.starts_with(is_in_word) && (is_first && is_said || is_by() || is_of())
    })
}

/// What comes after a name, and after another that may belong to it: `Josh Handel wants …`.
fn surname(after: &str) -> &str {
    let after = after.trim_start();
    if after.starts_with(char::is_uppercase) { after.trim_start_matches(is_in_word).trim_start() } else { after }
}

/// The first name of the person whose project it is, from the first lines of a history: `- **Owner:** Josh Handel (josh@example.com)`.
pub fn owner(text: &str) -> Option<&str> {
    text.lines().take(HEAD).find_map(|line| {
        let line = line.trim_start_matches(|c: char| !c.is_alphabetic());
        let rest = ["Owner", "User", "Project Owner"].iter().find_map(|field| line.strip_prefix(field))?;
        first_name(rest.trim_start_matches('*').strip_prefix(':')?.trim_start_matches(['*', ' ']))
    })
}

/// The first word of the name of a person.
pub fn first_name(name: &str) -> Option<&str> {
    let first = name.get(..name.find(|c| !is_in_word(c)).unwrap_or(name.len()))?;
    first.starts_with(char::is_uppercase).then_some(first)
}

/// In so many lines at its start a history says whose project it is.
const HEAD: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_the_owner_is_known() {
        let head = "# History\n\n- **Owner:** Josh Handel (josh@example.com)\n- **Stack:** PHP\n";
        assert_eq!((owner(head), owner("# History\n**User:** Ann\n")), (Some("Josh"), Some("Ann")));
        assert_eq!((owner("Owner of the file: Josh"), owner("- **Owner:** {name}")), (None, None));
        for text in [
            "📌 Team update (2026-02-11): Submit-to-approval only — decided by Josh Handel",
            "  - Josh: a banner is required",
            "- Project confirmed non-commercial by Josh Handel",
            "- **Josh:** tabs",
            "📌 Team update (2026-02-11): Josh wants tabs",
            "Fixed the card. Josh wanted it to count past events only.",
            "**Approved by:** Josh (josh99)  ",
            "### 2026-02-11 \u{2014} Four decisions (from Josh Handel)",
            "- **Trigger:** Josh provided the text of the rules.",
            "**Context:** Josh Handel requested a smaller bill.",
        ] {
            assert!(has_word_of("Josh", text), "{text}");
        }
        for text in [
            "Paired with Josh on it",
            "reviewed for Joshua: fine",
            "asked Josh: fine",
            "decided by Mal for Josh",
            "**Requested by:** Josh",
            "Merged the branch from Josh",
            "The plan that Josh approved of is done",
            "**Trigger:** Josh reported a failure",
        ] {
            assert!(!has_word_of("Josh", text), "{text}");
        }
    }
}
