//! Who is on a squad: `team.md`, the registry of the casting, and names as people compare them.

mod casting;
mod routing;
mod team;

use std::collections::BTreeMap;

use foldhash::HashSet;

pub use casting::{Casting, Entry, Problem, Status, WRITE_OBJECT};
pub use routing::routed;
pub use team::{Row, Standing, Team};

use super::table;
use crate::text::suggest::Outline;

/// Names as a team uses them: looked up without regard to case, however many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    folded: BTreeMap<String, Outline>,
    bare: HashSet<String>,
    first_words: HashSet<String>,
}

/// So many names are compared one by one: that is faster than a copy of the one looked for in lower case.
const FEW: usize = 16;

impl Names {
    /// Adds one.
    pub fn insert(&mut self, name: &str) {
        let folded = name.to_lowercase();
        // Each file of an agent names it. Beyond ASCII two names that fold alike can differ otherwise.
        if name.is_ascii() && self.folded.contains_key(&folded) {
            return;
        }
        self.first_words.extend(words(&folded).next().map(str::to_owned));
        self.bare.insert(bare(name));
        let outline = Outline::of(&folded);
        self.folded.insert(folded, outline);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.folded.is_empty()
    }

    /// All names in lower case, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.folded.keys().map(String::as_str)
    }

    /// All names in lower case, in their order, each with its outline: to find the one that another word is a slip of.
    pub fn outlined(&self) -> impl Iterator<Item = (&str, Outline)> {
        self.folded.iter().map(|(name, outline)| (name.as_str(), *outline))
    }

    /// Whether `name` is one of them; beyond ASCII, it must be in lower case.
    pub fn contains(&self, name: &str) -> bool {
        if self.folded.len() > FEW {
            return self.folded.contains_key(&name.to_ascii_lowercase());
        }
        self.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Whether `name` is one of them, except for the signs between its letters: `code-reviewer` is `Code Reviewer`.
    pub fn contains_bare(&self, name: &str) -> bool {
        self.bare.contains(&bare(name))
    }

    /// Whether one of them has `word`, in lower case, as its first word.
    pub fn has_first(&self, word: &str) -> bool {
        self.first_words.contains(word)
    }
}

/// The letters and digits of a name alone, in lower case and without accents. A name without any is its signs, such as `🦊`: a heart is
/// one heart, whether it has a variation selector or not.
pub fn bare(name: &str) -> String {
    let mut bare = String::with_capacity(name.len());
    // Most names are ASCII.
    if name.is_ascii() {
        bare.extend(name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        let letters = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
        bare.extend(letters.flat_map(without_accent).filter(|c| c.is_alphanumeric()));
    }
    let is_shown = |c: &char| !c.is_whitespace() && !matches!(c, '\u{fe00}'..='\u{fe0f}');
    if bare.is_empty() { name.chars().filter(is_shown).collect() } else { bare }
}

/// As [`bare`], with two letters for an umlaut: `joerg` for `Jörg`.
pub fn spelled_out(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for letter in name.chars().flat_map(char::to_lowercase) {
        match letter {
            'ä' => out.push_str("ae"),
            'ö' | 'ø' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'å' => out.push_str("aa"),
            other => out.push(other),
        }
    }
    bare(&out)
}

/// The ways to write a name without signs between its letters: [`bare`] and [`spelled_out`], where these differ.
pub fn spellings(name: &str) -> impl Iterator<Item = String> {
    let spelled_out = (!name.is_ascii()).then(|| spelled_out(name));
    std::iter::once(bare(name)).chain(spelled_out)
}

/// The letter under the accent of a letter, as it is written in the names of folders, or the two that it is made of.
fn without_accent(letter: char) -> impl Iterator<Item = char> {
    let (first, second) = match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => ('a', None),
        'æ' => ('a', Some('e')),
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => ('c', None),
        'ď' | 'đ' | 'ð' => ('d', None),
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => ('e', None),
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => ('g', None),
        'ĥ' | 'ħ' => ('h', None),
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => ('i', None),
        'ĵ' => ('j', None),
        'ķ' => ('k', None),
        'ĺ' | 'ļ' | 'ľ' | 'ł' => ('l', None),
        'ñ' | 'ń' | 'ņ' | 'ň' => ('n', None),
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => ('o', None),
        'œ' => ('o', Some('e')),
        'ŕ' | 'ŗ' | 'ř' => ('r', None),
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => ('s', None),
        'ß' => ('s', Some('s')),
        'ţ' | 'ť' | 'ŧ' | 'ț' => ('t', None),
        'þ' => ('t', Some('h')),
        'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => ('u', None),
        'ŵ' => ('w', None),
        'ý' | 'ÿ' | 'ŷ' => ('y', None),
        'ź' | 'ż' | 'ž' => ('z', None),
        other => (other, None),
    };
    std::iter::once(first).chain(second)
}

/// The agents that every squad has. They need no row, no folder and no entry of the registry.
const BUILT_IN: [&str; 4] = ["scribe", "ralph", "rai", "factchecker"];

/// Whether `name` is that of an agent that every squad has, of the coordinator, or of `@copilot`.
pub fn is_built_in(name: &str) -> bool {
    let name = bare(name);
    BUILT_IN.contains(&name.as_str()) || matches!(name.as_str(), "coordinator" | "squad" | "copilot")
}

/// Whether people take the two for one name: `Mary Ann`, `mary-ann`, `🎬 Mary Ann`.
pub fn same(one: &str, other: &str) -> bool {
    bare(one) == bare(other)
}

/// Whether a cell has no name: a dash, `TBD`, a check mark. A picture alone, such as `🦊`, is a name.
pub fn has_no_name(name: &str) -> bool {
    let is_check =
        |c| matches!(c, '\u{2705}' | '\u{2713}'..='\u{2718}' | '\u{274c}'..='\u{2757}' | '\u{2795}'..='\u{2797}');
    let is_picture = |c| matches!(c, '\u{231a}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}' | '\u{2b1b}'..='\u{2b55}' | '\u{1f000}'..='\u{1faff}');
    table::is_none(name) && !name.chars().any(|c| is_picture(c) && !is_check(c))
}

/// Whether a name has no letters and no digits, such as `🦊`.
pub fn is_of_signs(name: &str) -> bool {
    !has_no_name(name) && !name.contains(char::is_alphanumeric)
}

/// A name without markup and the at sign.
fn plain(name: &str) -> &str {
    table::plain(name).trim_matches('@')
}

/// The names that an author value may mean, best first: `Keaton (Lead)`, `Brady (via Copilot)`, `@user`, `A, B`.
/// Each is compared case-folded with the roster.
pub fn author_names(value: &str) -> Vec<String> {
    let value = plain(value);
    let head = value.split([',', ';', '&', '+', '/']).next().unwrap_or_default();
    let outside = head.split('(').next().unwrap_or_default();
    let outside = outside.split(" via ").next().unwrap_or_default().trim();
    let inside = value.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(inner, _)| inner.trim());
    let first_word = outside.split_whitespace().next();
    let mut names = Vec::new();
    for name in [Some(outside), first_word, inside].into_iter().flatten() {
        let name = plain(name).to_lowercase();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether the author `value` names one of `agents`.
pub fn is_agent(value: &str, agents: &Names) -> bool {
    agents.contains(value) || author_names(value).iter().any(|name| agents.contains(name))
}

/// Whether the author `value` names one of `humans` anywhere, whole or by the first name: `Keaton, asked by Mike`.
pub fn is_human(value: &str, humans: &Names) -> bool {
    if humans.contains(value) {
        return !value.is_empty();
    }
    let value = value.to_lowercase();
    words(&value).any(|word| humans.has_first(word))
}

/// Whether the author `value` is the specification's special value for the system itself.
pub fn is_coordinator(value: &str) -> bool {
    value.eq_ignore_ascii_case("coordinator") || author_names(value).iter().any(|name| name == "coordinator")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables_and_owner() {
        let text = "# Team\n## Coordinator\n| Name | Role |\n|---|---|\n| Squad | Coordinator |\n\n## Members\n\
                    | Name | Role |\n|------|:---:|\n| [Keaton](https://e.x/K) | Lead |\n| Verbal | Prompts |\n\
                    <!-- note -->\n| @copilot | Coding Agent |\n\n## Board\n| Field | Value |\n|---|---|\n| x | y |\n\
                    - **Owner:** Josh Handel (josh@example.com)\n";
        let roster = Team::parse(text);
        let names: Vec<_> = roster.rows.iter().map(|row| row.name.value.as_str()).collect();
        assert_eq!(names, ["Squad", "Keaton", "Verbal", "@copilot"]);
        assert_eq!(roster.humans, ["Josh Handel"]);
    }

    #[test]
    fn names_of_folders_have_no_accents() {
        for (name, folder) in
            [("Đorđe", "dorde"), ("Şebnem", "sebnem"), ("İpek", "ipek"), ("Łukasz", "lukasz"), ("Jörg", "jorg")]
        {
            assert_eq!(bare(name), folder);
        }
        assert_eq!(spelled_out("Jörg"), "joerg");
        assert_eq!((spelled_out("Weiß"), spelled_out("Bo")), ("weiss".into(), "bo".into()));
        for ascii in ["Bo", "Mary-Ann (Lead)", "@ +", ""] {
            assert_eq!(spelled_out(ascii), bare(ascii), "{ascii}");
        }
    }

    #[test]
    fn names_of_signs_alone() {
        assert!(same("🦊", " 🦊 ") && same("❤️", "❤") && same("👩‍💻", "👩‍💻") && same("🦊 Fox", "fox"));
        assert!(!same("🦊", "🐻") && !same("🦊", "") && !same("👩‍💻", "👨‍💻"));
    }

    #[test]
    fn authors_as_people_write_them() {
        assert_eq!(author_names("Brady (via Copilot)"), ["brady", "via copilot"]);
        assert_eq!(author_names("@tlmii"), ["tlmii"]);
        assert_eq!(author_names("Mike Linnen"), ["mike linnen", "mike"]);
        assert_eq!(author_names("Rabin + Fenster"), ["rabin"]);
    }

    #[test]
    fn agents_and_humans_are_told_apart() {
        let set = |names: &[&str]| {
            let mut set = Names::default();
            for name in names {
                set.insert(name);
            }
            set
        };
        let (agents, humans) = (set(&["keaton", "copilot"]), set(&["mike linnen", ""]));
        assert!(is_agent("Keaton (Lead)", &agents) && is_agent("@Copilot", &agents));
        assert!(!is_agent("Mike (via Copilot)", &agents) && !is_agent("Keatonson", &agents));
        assert!(is_human("Mike", &humans) && is_human("Keaton, asked by Mike Linnen", &humans));
        assert!(!is_human("Mikey", &humans) && !is_human("", &humans));
        assert!(agents.contains("KEATON") && !agents.contains("keat") && agents.contains_bare("co-pilot"));
        assert!(humans.has_first("mike") && !humans.has_first("linnen"));
        let many: Vec<String> = (0..100).map(|number| format!("Agent {number}")).collect();
        let many = set(&many.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(is_agent("agent 99", &many) && is_agent("AGENT 7 (Lead)", &many) && !is_agent("Agent 100", &many));
        assert!(is_coordinator("coordinator") && is_coordinator("Coordinator (system)") && !is_coordinator("Keaton"));
    }
}
