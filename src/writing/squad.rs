//! The files of a squad that entries are written to.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice, ByteVec};

use super::kept::{self, Kept};
use crate::dialects::{FileKind, squad};
use crate::facts::squads;
use crate::formats::roster::{Team, author_names, same};
use crate::formats::sem::{Entry, EntryType, FieldName};
use crate::formats::timestamp::{Reading, Timestamp};
use crate::fs::atomic;
use crate::fs::path::join;
use crate::fs::read::{FileError, read};
use crate::project::Project;
use crate::select::selected::Selected;
use crate::select::worktree::{self, SelectError};
use crate::terminal::display_path;
use crate::text::prose::enumerated;
use crate::text::{MAX_BYTES, Span};

/// A squad and its files.
#[derive(Debug)]
pub struct Squad<'p> {
    /// The project.
    pub project: &'p Project,
    /// Its state root, such as `.squad`.
    pub root: BString,
    /// Its files, in the order of their paths.
    pub files: Vec<Selected>,
    /// What is in its inbox and is not read.
    pub passed_over: Vec<Kept>,
}

/// An entry that its timestamp names.
#[derive(Debug)]
pub struct Named {
    /// Its place, as `PATH:LINE`.
    pub place: String,
    /// Its type; `None` if it does not say one.
    pub kind: Option<EntryType>,
    /// Its scope, as written.
    pub scope: Option<String>,
}

/// Why there is no squad to write to.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SquadError {
    /// There is none.
    #[error("there is no squad here: no state root has a `decisions.md`, a `team.md` or an agent")]
    #[diagnostic(help("run it in the project of the squad, or name its folder with `--root`"))]
    Nothing,
    /// There are several.
    #[error("there are several squads here: {roots}")]
    #[diagnostic(help("name the state root of one of them with `--squad`"))]
    Several {
        /// Their state roots.
        roots: String,
    },
    /// The one that was named is none of those that there are.
    #[error("no squad has the state root `{given}`")]
    #[diagnostic(help("the squads here are in {roots}"))]
    Unknown {
        /// What was named.
        given: String,
        /// The state roots that there are.
        roots: String,
    },
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: FileError,
    },
    /// A file is not text.
    #[error("{path} is not UTF-8")]
    #[diagnostic(help("save it as UTF-8; nothing was written"))]
    NotUtf8 {
        /// The file.
        path: String,
    },
    /// The files cannot be found.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Select(#[from] SelectError),
}

impl<'p> Squad<'p> {
    /// The squad of a project: the one whose state root is `given`, or the only one.
    ///
    /// # Errors
    /// See [`SquadError`].
    pub fn find(project: &'p Project, given: Option<&Path>) -> Result<Self, SquadError> {
        let selection = worktree::select(&project.repository, &project.roots, &project.excludes, &[])?;
        let kinds: [&FileKind; 4] = [&squad::DECISIONS, &squad::TEAM, &squad::HISTORY, &squad::INBOX];
        let files = selection.files.iter().filter(|file| kinds.contains(&file.kind) && !file.root.is_empty());
        let mut roots: Vec<BString> = files.map(|file| file.root.clone()).collect();
        if roots.is_empty() {
            // A new team, or one whose ledger is a link that leads out.
            let charters = selection.files.iter().filter(|file| *file.kind == squad::CHARTER && !file.root.is_empty());
            roots = charters.map(|file| file.root.clone()).collect();
        }
        roots.dedup();
        roots.sort_unstable();
        roots.dedup();
        let shown = |roots: &[BString]| {
            let shown: Vec<String> = roots.iter().map(|root| format!("`{}`", display_path(root))).collect();
            enumerated(&shown)
        };
        if let Some(given) = given.filter(|_| !roots.is_empty()) {
            let all = shown(&roots);
            let text = <Vec<u8>>::from_path_lossy(given).trim_end_with(|c| c == '/').to_vec();
            let text = text.strip_prefix(b"./").unwrap_or(&text).as_bstr();
            // As the root is named in messages, or as a path from here.
            let full = given.canonicalize().ok();
            let is_given = |root: &BString| {
                let own = project.repository.root.join(root.to_path_lossy());
                root == text || full.is_some() && own.canonicalize().ok() == full
            };
            roots.retain(is_given);
            if roots.is_empty() {
                return Err(SquadError::Unknown { given: display_path(text), roots: all });
            }
        }
        let [root] = roots.as_slice() else {
            return Err(match roots.is_empty() {
                true => SquadError::Nothing,
                false => SquadError::Several { roots: shown(&roots) },
            });
        };
        let files = selection.files.iter().filter(|file| file.root == *root).cloned().collect();
        let passed_over = kept::passed_over(project, &selection, root.as_bstr());
        Ok(Self { project, root: root.clone(), files, passed_over })
    }

    /// The path of the ledger.
    pub fn ledger(&self) -> BString {
        join(self.root.as_bstr(), "decisions.md")
    }

    /// What its `team.md` says; nothing if there is none.
    ///
    /// # Errors
    /// See [`SquadError`].
    pub fn team(&self) -> Result<Team, SquadError> {
        let file = self.files.iter().find(|file| *file.kind == squad::TEAM);
        let text = file.map(|file| self.text(&file.path)).transpose()?.flatten();
        Ok(text.map(|text| Team::parse(&text)).unwrap_or_default())
    }

    /// Who is on it.
    ///
    /// # Errors
    /// See [`SquadError`].
    pub fn members(&self) -> Result<squads::Squad, SquadError> {
        let mut members = squads::Squad::of_files(self.files.iter());
        members.add_team(&self.team()?);
        Ok(members)
    }

    /// The path of the history of an agent, if there is such an agent. Names are compared as readers compare authors.
    pub fn history(&self, agent: &str) -> Option<BString> {
        let of_agent = |name: &str| {
            let mut histories = self.files.iter().filter(|file| *file.kind == squad::HISTORY);
            let folder = |file: &Selected| {
                file.inner_path().split_str("/").nth(1).unwrap_or_default().to_str_lossy().into_owned()
            };
            histories.find(|file| same(&folder(file), name)).map(|file| file.path.clone())
        };
        of_agent(agent).or_else(|| author_names(agent).iter().find_map(|name| of_agent(name)))
    }

    /// The bytes of a file as text; nothing if there is no such file.
    ///
    /// # Errors
    /// See [`SquadError`].
    pub fn text(&self, path: &BString) -> Result<Option<String>, SquadError> {
        let full = self.full(path);
        if full.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Ok(None);
        }
        let bytes = read(&full, MAX_BYTES).map_err(|source| SquadError::Read { path: display_path(path), source })?;
        String::from_utf8(bytes).map(Some).map_err(|_| SquadError::NotUtf8 { path: display_path(path) })
    }

    /// The entries of all files that are SEM, as `look` sees them. A file that cannot be read has none.
    fn each_entry(&self, mut look: impl FnMut(&Selected, Entry<'_>)) {
        for file in &self.files {
            let Ok(Some(text)) = self.text(&file.path) else { continue };
            for entry in file.kind.entries(&text).sem(&text) {
                look(file, entry);
            }
        }
    }

    /// The SEM entries of a moment, in the order of their files. Copies with the same text, as a merge of the inbox leaves them that
    /// was killed, are one entry.
    pub fn entries_at(&self, at: Timestamp) -> Vec<Named> {
        let mut found: Vec<(String, Named)> = Vec::new();
        self.each_entry(|file, entry| {
            if entry.timestamp().is_none_or(|own| own.unix() != at.unix()) {
                return;
            }
            let said = said(entry.span().of(entry.text()));
            if found.iter().any(|(other, _)| *other == said) {
                return;
            }
            let before = entry.text().get(..entry.span().start()).unwrap_or_default();
            let line = 1 + memchr::memchr_iter(b'\n', before.as_bytes()).count();
            let scope = entry.value(FieldName::Scope).map(|scope| scope.trim().to_owned());
            let place = format!("{}:{line}", display_path(&file.path));
            found.push((said, Named { place, kind: entry.entry_type(), scope }));
        });
        found.into_iter().map(|(_, named)| named).collect()
    }

    /// The first older entry that is dated to the second, with this moment: the path of its file, and its place.
    pub fn older_at(&self, at: Timestamp) -> Option<(String, String)> {
        self.files.iter().find_map(|file| {
            let text = self.text(&file.path).ok().flatten()?;
            let parsed = file.kind.entries(&text);
            let is_of =
                |date: &Span| Reading::prefix(date.of(&text)).0.moment().is_some_and(|own| own.unix() == at.unix());
            let entry = parsed.legacy().find(|entry| entry.date.or(entry.section_date).as_ref().is_some_and(is_of))?;
            let line = 1 + memchr::memchr_iter(b'\n', text.as_bytes().get(..entry.span.start())?).count();
            let path = display_path(&file.path);
            let place = format!("{path}:{line}");
            Some((path, place))
        })
    }

    /// The moments of all entries.
    pub fn moments(&self) -> HashSet<i64> {
        let mut moments = HashSet::new();
        self.each_entry(|_, entry| moments.extend(entry.timestamp().map(Timestamp::unix)));
        moments
    }

    /// Removes the temporary files that runs which were killed have left in the folders of the squad. Those of a run that lives are
    /// locked, and stay.
    pub fn sweep(&self) {
        let files = self.files.iter().map(|file| self.full(&file.path));
        let folders: BTreeSet<PathBuf> = files.filter_map(|file| file.parent().map(Path::to_path_buf)).collect();
        for folder in folders.iter().chain([&self.full(&self.root)]) {
            atomic::sweep(folder);
        }
    }

    /// A path of the squad as the system opens it.
    pub fn full(&self, path: &BString) -> PathBuf {
        self.project.repository.root.join(path.to_path_lossy())
    }
}

/// The text of an entry, whatever its line ends are, without the blanks and the rule at its end.
fn said(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    text.trim_end_matches(['-', '\n', ' ', '\t']).to_owned()
}
