//! Words with which a text says for whom it is: as a field (`Visibility: internal`), or as a label, in brackets or in bold
//! (`Acme internal: …`, `(confidential)`). Of code, such words say how it is, in other places: `internal APIs`.

use super::orders::is_owner;
use super::plain::plain;
use super::says::{CODE, TECHNICAL};
use super::words::{has, is_one_of, pieces, set_off, words, words_at};

/// What a text says of whom it is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Classified {
    /// Nothing, or that it is for all.
    #[default]
    Nothing,
    /// That it is not for others.
    Text,
    /// The same, and nothing more: it is about what follows.
    Alone,
}

/// The names of fields.
const FIELDS: [&str; 5] = ["visibility", "sensitivity", "confidentiality", "classification", "audience"];

/// What a field can have before its name: `data classification`.
const OF_FIELDS: [&str; 9] =
    ["data", "information", "content", "document", "section", "entry", "note", "text", "security"];

/// Values of such a field with which a text is not for others.
const VALUES: [&str; 9] =
    ["internal", "private", "confidential", "secret", "restricted", "proprietary", "sensitive", "local", "nonpublic"];

/// Words that can be beside such a value, or beside `confidential`.
const BESIDE: [&str; 12] =
    ["only", "use", "for", "strictly", "highly", "very", "and", "business", "information", "note", "notes", "the"];

/// Words before `internal` that are no names, though a text can begin with them.
const NO_NAMES: [&str; 34] = [
    "a", "all", "also", "an", "and", "any", "are", "as", "both", "but", "each", "every", "few", "for", "from", "if",
    "in", "is", "its", "keep", "make", "many", "more", "most", "new", "no", "not", "on", "or", "prefer", "some", "the",
    "use", "when",
];

/// Whether a word of such a mark can be in `text`. Nearly all lines end here.
pub(super) fn may_be_classified(text: &str) -> bool {
    const STARTS: [(&str, u8); 6] = [
        ("internal", b'l'),
        ("confiden", b'f'),
        ("visibility", b'v'),
        ("sensitivity", b'v'),
        ("classification", b'f'),
        ("audience", b'd'),
    ];
    STARTS.into_iter().any(|(start, rare)| has(text, start, rare))
}

/// What `text`, a line without the marker of its item, or a title, says of whom it is for.
pub(super) fn classified(text: &str) -> Classified {
    if !may_be_classified(text) {
        return Classified::Nothing;
    }
    let shown = plain(text);
    let is_alone = || is_claim(&shown) && words(&shown).nth(1).is_some() || is_confidential(&shown);
    match field(&shown) {
        Classified::Nothing if is_alone() => Classified::Alone,
        Classified::Nothing => {
            let is_set_off =
                pieces(&shown).any(|piece| piece.is_set_off && piece.text.split(',').next().is_some_and(is_claim));
            // Markup is gone from what is shown.
            let is_bold = || text.contains(['*', '_']) && set_off(text).any(is_claim);
            if is_set_off || is_bold() { Classified::Text } else { Classified::Nothing }
        }
        field => field,
    }
}

/// Whether a field of `text` says that this is not for others.
fn field(text: &str) -> Classified {
    let mut found = Classified::Nothing;
    let mut before = (0, "");
    for (at, word) in words_at(text) {
        let (last_at, last) = std::mem::replace(&mut before, (at, word));
        if !is_one_of(word, &FIELDS) {
            continue;
        }
        let start = if is_one_of(last, &OF_FIELDS) { last_at } else { at };
        let signs = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '“' | '”' | '[' | ']');
        let head = text.get(..start).unwrap_or_default().trim_end_matches(|c: char| signs(c) && c != '[');
        // In the midst of a sentence, it is the field of something else.
        let begins = head.is_empty() || head.ends_with(['(', '[', '|', '.', ';', ',', '!', ':', '—', '–', '-', '•']);
        let rest = text.get(at + word.len()..).unwrap_or_default().trim_start_matches(signs);
        // A cell beside it, or a sign that gives it a value.
        let Some(rest) = rest.strip_prefix([':', '=', '|', '：']).filter(|_| begins) else { continue };
        let end = rest.find(|c: char| "(.,;|)]}—–<>".contains(c)).unwrap_or(rest.len());
        let value = rest.get(..end).and_then(|value| value.split(" - ").next()).unwrap_or_default();
        if is_value(value) {
            let behind = rest.get(value.len()..).unwrap_or_default().trim_start();
            // `Visibility: internal,` goes on.
            let goes_on = behind.starts_with([',', ';', '—', '–', '-']) || behind.contains(char::is_alphanumeric);
            let has_more = goes_on || head.contains(char::is_alphanumeric);
            found = found.max(if has_more { Classified::Text } else { Classified::Alone });
        }
    }
    found
}

/// Whether `value` is that of a text that is not for others, and nothing more.
fn is_value(value: &str) -> bool {
    let mut is_one = false;
    words(value).all(|word| {
        let is_value = is_one_of(word, &VALUES);
        is_one |= is_value;
        is_value || is_one_of(word, &BESIDE) || is_owner(word)
    }) && is_one
}

/// Whether `text` is a claim that it is not for others, and nothing more: `Acme internal`, `company-internal`, `strictly confidential`.
fn is_claim(text: &str) -> bool {
    is_confidential(text) || is_internal_to_owner(text)
}

fn is_confidential(text: &str) -> bool {
    let mut is_one = false;
    let mut others = 0;
    words(text).all(|word| {
        let is_word = is_one_of(word, &["confidential"]);
        is_one |= is_word;
        let is_name = || word.starts_with(char::is_uppercase) && !is_one_of(word, &NO_NAMES);
        others += usize::from(!is_word);
        is_word
            || others <= 3
                && (is_one_of(word, &BESIDE)
                    || is_one_of(word, &["internal"])
                    || is_owner(word)
                    || !is_one && is_name())
    }) && is_one
}

/// Whether `text` calls itself internal to those who write, whom it names before or behind the word.
fn is_internal_to_owner(text: &str) -> bool {
    let mut all = words_at(text);
    let (Some((at, owner)), Some((behind, internal))) = (all.next(), all.next()) else { return false };
    // `Access.internal` is code.
    let signs = text.get(at + owner.len()..behind).unwrap_or_default();
    let is_joined = matches!(signs.trim_matches(' '), "" | "-" | "\u{2010}" | "\u{2011}");
    let is_name = || {
        owner.starts_with(char::is_uppercase)
            && !owner.ends_with("ly")
            && ![&NO_NAMES[..], &CODE, &TECHNICAL].iter().any(|known| is_one_of(owner, known))
    };
    is_joined
        && is_one_of(internal, &["internal"])
        && (is_owner(owner) || is_name())
        && all.all(|(_, word)| is_one_of(word, &["only", "use", "note", "notes", "information"]))
}

#[cfg(test)]
mod tests {
    use super::super::{only_portable, without_local};
    use super::*;

    #[test]
    fn what_a_line_says_of_whom_it_is_for() {
        for line in [
            "Visibility: internal",
            "**Sensitivity:** confidential",
            "visibility = internal",
            "Data classification: restricted.",
            "| Classification | confidential |",
            "Audience: company internal only",
            "\"sensitivity\": \"confidential\"",
            "[visibility: private]",
            "Confidential",
            "Strictly confidential!",
            "**Acme confidential**",
            "Acme internal:",
            "Company-internal",
        ] {
            assert_eq!(classified(line), Classified::Alone, "{line}");
        }
        for line in [
            "Acme internal: the vault",
            "ACME-internal — the vault",
            "the vault (Acme internal)",
            "the vault [team-internal]",
            "the vault **Acme internal**, and",
            "Company internal use only: the vault",
            "Confidential: the vault",
            "the vault (confidential)",
            "the vault (strictly confidential, until March)",
            "sensitivity: confidential, the vault",
            "the vault. Sensitivity: confidential",
            "the vault; visibility = internal",
            "the vault (visibility: private)",
            "Visibility: internal (until March), the vault",
            "Document visibility: private — the vault",
        ] {
            assert_eq!(classified(line), Classified::Text, "{line}");
        }
        for line in [
            "internal APIs are versioned",
            "Internal: never call the database from the view",
            "The internal: prefix marks private crates",
            "Keep internal: helpers without a caller",
            "Mostly internal: a new parser",
            "API internal: handlers return a result",
            "Set `visibility: private` on new repositories",
            "`visibility: internal` is the default of the build",
            "Visibility = internal modules are not documented",
            "Visibility: internal and external callers differ",
            "Visibility: public",
            "Audience: developers who are new to Rust",
            "Classification: a forest beats a regression",
            "Sensitivity: 0.93, specificity: 0.88",
            "Timeouts (internal and external) are explicit",
            "Rust internals: how borrows work",
            "Confidential data never goes into logs",
            "Keep confidential data out of prompts",
            "the endpoint (internal only) needs no token",
            "Is it confidential?",
            "types with `@access(Access.internal)` are crate-wide",
            "the type (Access/internal) is hidden",
            "Project\nInternal only, the keys:",
            "fields have internal visibility",
        ] {
            assert_eq!(classified(line), Classified::Nothing, "{line}");
        }
    }

    /// Histories as teams write them. All that has a `vault` is not for others; the rest is.
    #[test]
    fn what_is_not_for_others_stays() {
        for (history, left) in [
            (
                "# Kim\n\n## Learnings\n\n- Acme internal: the vault is db-7\n- Reviews are short\n",
                "# Kim\n\n## Learnings\n\n- Reviews are short\n",
            ),
            (
                "# Kim\n\n## 2026-02-08: Keys\n\n- sensitivity: confidential — the vault\n  - The vault\n- Daily\n",
                "# Kim\n\n## 2026-02-08: Keys\n\n- Daily\n",
            ),
            (
                "# Kim\n\nVisibility = internal. The vault\nis in Frankfurt.\n\nReviews are short.\n",
                "# Kim\n\nReviews are short.\n",
            ),
            (
                "# Kim\n\n### Deploys\n\n**Sensitivity:** confidential\n\nThe vault.\n\n- The vault\n\n### Reviews\n\nShort.\n",
                "# Kim\n\n### Deploys\n\n### Reviews\n\nShort.\n",
            ),
            (
                "# Kim\n\n### Keys (Acme internal)\n\n- The vault\n\n### Reviews\n\nShort.\n",
                "# Kim\n\n### Reviews\n\nShort.\n",
            ),
            (
                "# Kim\n\n## Confidential\n\n### Keys\n\nThe vault.\n\n## Reviews\n\nShort.\n",
                "# Kim\n\n## Reviews\n\nShort.\n",
            ),
            ("---\nname: Kim\nvisibility: internal\n---\n\n# Kim\n\n- The vault\n", ""),
            (
                "| Learned | For |\n| --- | --- |\n| The vault | Acme-internal |\n| Short reviews | all |\n",
                "| Learned | For |\n| --- | --- |\n| Short reviews | all |\n",
            ),
            ("> Classification: confidential,\n> the vault\n\nShort reviews.\n", "Short reviews.\n"),
            (
                "# Kim\n\n<!-- visibility: internal -->\n\nThe vault.\n\n## Reviews\n\nShort.\n",
                "# Kim\n\n## Reviews\n\nShort.\n",
            ),
        ] {
            assert_eq!(without_local(history).text, left, "{history}");
            let marked = format!("## Portable Context\n\n{}", history.replace("# Kim\n\n", ""));
            let travels = only_portable(&marked).text;
            assert!(!travels.to_lowercase().contains("vault"), "{marked}: {travels}");
        }
        for history in [
            "# Kim\n\n## Learnings\n\n- Internal APIs are versioned: see the guide\n- Reviews are short\n",
            "# Kim\n\n## Learnings\n\n- Set `visibility: private` on new repositories, and review who may read them\n",
            "# Kim\n\nInternal visibility is the default of classes. Mark what others call as public.\n",
            "# Kim\n\n### Classification of errors\n\n- Classification: what users can repair comes first\n",
            "# Kim\n\n### Internal links\n\nInternal links resolve from the root, external ones open a tab.\n",
            "# Kim\n\n- Audience: readers who know the language\n- Sensitivity: 0.93 at a threshold of 0.5\n",
            "# Kim\n\n- Confidential data never goes into logs\n- Ask before confidential data goes into a prompt\n",
            "# Kim\n\n- Timeouts (internal and external) are explicit\n- Node internals: the event loop has phases\n",
            "# Kim\n\n- The compiler's internal representation: a tree\n- Keep internal: what has no caller\n",
            "# Kim\n\nTwo kinds of errors, internal and for users, are kept apart; the internal ones have codes.\n",
        ] {
            assert_eq!(without_local(history).text, history);
        }
        // In a code block, such a field is that of something else.
        let code = "# Kim\n\n```yaml\nvisibility: internal\n```\n\nText.\n";
        assert_eq!(without_local(code).text, code);
    }
}
