//! Who keeps the record of the sessions: Scribe, whatever name a team gives it.

use std::collections::HashSet;

use crate::formats::roster::{Team, bare};

/// The agents of a squad that are Scribe.
#[derive(Clone, Debug, Default)]
pub struct Scribes {
    /// The names of those that `team.md` says it of, as they are compared.
    names: HashSet<String>,
}

impl Scribes {
    /// Those of a squad whose `team.md` is `team`.
    pub fn of(team: &str) -> Self {
        let rows = Team::parse(team).rows.into_iter();
        let rows = rows.filter(|row| bare(&row.name.value) == SCRIBE || is_role(&row.role));
        let names = rows.flat_map(|row| [Some(row.name), row.charter]).flatten();
        Self { names: names.map(|name| bare(&name.value)).collect() }
    }

    /// Whether the agent in that folder, with that charter, is Scribe.
    pub fn has(&self, folder: &str, charter: &str) -> bool {
        let folder = bare(folder);
        folder == SCRIBE || self.names.contains(&folder) || is_of_scribe(charter)
    }
}

/// Its own name, and its role in many squads.
const SCRIBE: &str = "scribe";

/// Whether `role` is that of Scribe: `Session Logger`, `Scribe (silent)`.
fn is_role(role: &str) -> bool {
    let mut words = role.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|first| {
        first.eq_ignore_ascii_case(SCRIBE)
            || first.eq_ignore_ascii_case("session")
                && words
                    .next()
                    .is_some_and(|next| ["logger", "logging"].iter().any(|log| next.eq_ignore_ascii_case(log)))
    })
}

/// Whether `charter` says so in its title or as its role: `# Kobayashi — Session Logger`, `- **Role:** Scribe`.
fn is_of_scribe(charter: &str) -> bool {
    /// The role is at the beginning.
    const FIRST: usize = 40;
    let mut lines = charter.lines().take(FIRST).map(|line| line.trim_start_matches('\u{feff}'));
    let is_named = |part: &str| [SCRIBE, "sessionlogger"].contains(&bare(part).as_str());
    lines.any(|line| match line.strip_prefix("# ") {
        Some(title) => title.split(['—', '–', '-', ':', '|']).any(is_named),
        None => line.split_once(':').is_some_and(|(label, role)| bare(label) == "role" && is_role(role)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_scribe() {
        let team = "# Team\n\n## Members\n\n| Name | Role | Charter |\n|---|---|---|\n| Keaton | Lead | .squad/agents/keaton/charter.md |\n\
                    | Kobayashi | Session Logger | .squad/agents/log/charter.md |\n";
        let scribes = Scribes::of(team);
        assert!(scribes.has("kobayashi", "# K\n") && scribes.has("log", "") && scribes.has("Scribe", ""));
        for charter in ["# Hockney — Scribe\n", "# A\n\n- **Role:** Session logger, memory\n", "\u{feff}# Scribe\n"] {
            assert!(scribes.has("hockney", charter), "{charter}");
        }
        for charter in ["# Keaton — Lead\n\n**Role:** Describes sessions\n", "# A\n\nScribe: writes logs\n"] {
            assert!(!scribes.has("keaton", charter), "{charter}");
        }
    }
}
