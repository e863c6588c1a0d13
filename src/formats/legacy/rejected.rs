//! What the title of a section says about the entries below it by its words: that they do not apply.

/// What a section of such entries says about them, in one word.
fn is_state(word: &str) -> bool {
    matches!(
        word,
        "rejected"
            | "declined"
            | "disproved"
            | "disproven"
            | "debunked"
            | "refuted"
            | "falsified"
            | "invalidated"
            | "superseded"
            | "replaced"
            | "obsolete"
            | "deprecated"
            | "outdated"
            | "abandoned"
            | "discarded"
            | "withdrawn"
            | "revoked"
            | "rescinded"
            | "retracted"
            | "reverted"
            | "overruled"
            | "overturned"
            | "wrong"
            | "skipped"
    )
}

/// The same in several. Words are compared, as a search in the text for each phrase would take half of a whole run: most headings are
/// asked.
const PHRASES: [&[&str]; 14] = [
    &["not", "to", "build"],
    &["not", "to", "do"],
    &["not", "to", "use"],
    &["not", "building"],
    &["won't", "build"],
    &["will", "not", "build"],
    &["won't", "do"],
    &["will", "not", "do"],
    &["decided", "against"],
    &["ruled", "out"],
    &["no", "longer", "valid"],
    &["no", "longer", "apply"],
    &["no", "longer", "applies"],
    &["not", "in", "force"],
];

/// Each of them has one of these words.
fn is_of_phrase(word: &str) -> bool {
    matches!(word, "not" | "won't" | "against" | "out" | "longer")
}

/// What such a title can call the entries, and the words that join it to what it says about them.
const AROUND: [&str; 34] = [
    "idea",
    "ideas",
    "feature",
    "features",
    "decision",
    "decisions",
    "directive",
    "directives",
    "proposal",
    "proposals",
    "assumption",
    "assumptions",
    "hypothesis",
    "hypotheses",
    "entry",
    "entries",
    "learning",
    "learnings",
    "memory",
    "memories",
    "note",
    "notes",
    "rule",
    "rules",
    "design",
    "designs",
    "we",
    "were",
    "that",
    "and",
    "or",
    "the",
    "our",
    "explicitly",
];

/// Whether a title says about the entries below it that they were rejected, disproved or replaced: `Rejected ideas`, `Wrong assumptions
/// (disproved)`, `Skipped features (explicit decisions NOT to build)`. `Deprecated APIs` names what the entries are about.
pub fn is_rejected(title: &str) -> bool {
    let title = title.to_lowercase().replace('\u{2019}', "'");
    title.split(['(', ')', '[', ']', ':', ';', ',', '\u{2013}', '\u{2014}']).any(|part| {
        let words: Vec<&str> =
            part.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
        let is_phrase = || PHRASES.iter().any(|phrase| words.windows(phrase.len()).any(|some| some == *phrase));
        words.iter().any(|word| is_of_phrase(word)) && is_phrase()
            || words.iter().any(|word| is_state(word))
                && words.iter().all(|word| is_state(word) || AROUND.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phrase_has_a_word_that_tells_of_it() {
        assert!(PHRASES.iter().all(|phrase| phrase.iter().any(|word| is_of_phrase(word))));
    }

    #[test]
    fn a_title_says_that_its_entries_were_rejected() {
        for title in [
            "Rejected ideas",
            "Rejected",
            "\u{274c} Rejected / superseded",
            "Ideas we rejected",
            "Skipped Features (explicit decisions NOT to build)",
            "Wrong assumptions (disproved)",
            "Superseded decisions (2026-02)",
            "Caching: rejected designs",
            "Things we won\u{2019}t build",
        ] {
            assert!(is_rejected(title), "{title}");
        }
        for title in [
            "Deprecated APIs",
            "Skipped test decisions",
            "Rejected requests are logged",
            "Decisions",
            "How we handle rejected pull requests",
            "Not yet decided",
            // A part of the document of one decision.
            "Rejected alternatives",
            "",
        ] {
            assert!(!is_rejected(title), "{title}");
        }
    }
}
