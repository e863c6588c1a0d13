//! Whether the authors of entries are on the team. Many entries have the same author, who is looked for once.

use std::sync::{Mutex, PoisonError};

use bstr::{BStr, BString};
use foldhash::HashMap;

use super::squads::Squad;
use super::{Gather, Run};
use crate::formats::roster;
use crate::text::suggest::{Tolerance, nearest_outlined};

/// A name is compared with this many others: no team has more, but a hostile `team.md` does.
const COMPARED: usize = 200;
/// Names beyond this many bytes are compared with none.
const NAME_MAX: usize = 64;

/// An author of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Author {
    /// An agent of the team, a person in `team.md`, or the coordinator.
    Known,
    /// Somebody else, and the known name that is probably meant.
    Unknown(Option<String>),
}

impl Author {
    fn of(author: &str, team: &Squad) -> Self {
        if roster::is_agent(author, &team.agents)
            || roster::is_human(author, &team.humans)
            || roster::is_coordinator(author)
        {
            return Self::Known;
        }
        let names = roster::author_names(author);
        if names.iter().any(|name| is_login_of(name, team)) {
            return Self::Known;
        }
        let known = || team.agents.outlined().take(COMPARED).chain(team.humans.outlined().take(COMPARED));
        let near = names.iter().find_map(|name| nearest_outlined(name, known(), Tolerance::Help));
        Self::Unknown(near.map(str::to_owned))
    }
}

/// People sign with the name of their account: `bradygaster` for `Brady`.
fn is_login_of(name: &str, team: &Squad) -> bool {
    (4..=NAME_MAX).filter_map(|len| name.get(..len)).any(|first| team.humans.has_first(first))
}

/// The authors that were asked for, by their state roots.
#[derive(Debug, Default)]
pub struct Authors(Mutex<HashMap<BString, HashMap<String, Author>>>);

/// See [`Authors`].
pub type Fact = Authors;

impl Gather for Authors {
    fn gather(_: &Run<'_>) -> Self {
        Self::default()
    }
}

/// What is known of `author` in the state root `root`; `None` if the root has no agents.
pub fn at(run: &Run<'_>, root: &BStr, author: &str) -> Option<Author> {
    let team = run.squads().at(root).filter(|team| !team.agents.is_empty())?;
    let authors = || run.authors().0.lock().unwrap_or_else(PoisonError::into_inner);
    let known = authors().get(root).and_then(|authors| authors.get(author)).cloned();
    Some(known.unwrap_or_else(|| {
        let found = Author::of(author, team);
        authors().entry(root.to_owned()).or_default().insert(author.to_owned(), found.clone());
        found
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_on_the_team() {
        let mut team = Squad::default();
        team.agents.insert("keaton");
        team.humans.insert("Brady Gaster");
        for author in ["Keaton", "Keaton (Lead)", "Brady", "bradygaster", "Coordinator"] {
            assert_eq!(Author::of(author, &team), Author::Known, "{author}");
        }
        assert_eq!(Author::of("Keeton", &team), Author::Unknown(Some("keaton".into())));
        assert_eq!(Author::of("Verbal", &team), Author::Unknown(None));
    }
}
