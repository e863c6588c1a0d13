//! A squad on disk, as far as it travels.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::formats::bundle::{Loss, loss, second_folders};
use crate::fs::read::{self, FileError};
use crate::project::Project;
use crate::terminal::{display_path, escape};
use crate::text::prose::enumerated;

/// A squad: the texts of its files.
#[derive(Clone, Debug, Default)]
pub struct Squad {
    /// `team.md`.
    pub team: String,
    /// `routing.md`.
    pub routing: Option<String>,
    /// `ceremonies.md`.
    pub ceremonies: Option<String>,
    /// `casting/registry.json`.
    pub registry: Option<Value>,
    /// `casting/history.json`.
    pub history: Option<Value>,
    /// `casting/policy.json`.
    pub policy: Option<Value>,
    /// The texts of these files, with their paths.
    pub json: Vec<(&'static str, String)>,
    /// The agents with a charter, by the names of their folders.
    pub agents: Vec<Agent>,
    /// The folders with a history and no charter: they are not exported.
    pub without_charter: Vec<String>,
    /// The second folders of agents that every squad has, such as `Rai` beside `rai`: they are not exported.
    pub second: Vec<String>,
    /// The files and folders that belong to the project: `OF_PROJECT` lists them.
    pub of_project: Vec<&'static str>,
    /// The folder that it is in: `.squad`.
    pub folder: &'static str,
}

/// One agent of a squad.
#[derive(Clone, Debug, Default)]
pub struct Agent {
    /// The name of its folder.
    pub name: String,
    /// `charter.md`.
    pub charter: String,
    /// `history.md`.
    pub history: Option<String>,
}

/// Why a squad cannot be read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SquadError {
    /// The project has no squad.
    #[error("there is no squad in {root}: no `.squad/team.md`, and no `.ai-team/team.md`")]
    #[diagnostic(help("run it in the project of the squad, or name its folder with `--root`"))]
    Nothing {
        /// The root of the project.
        root: String,
    },
    /// A file cannot be read.
    #[error("cannot read {path}")]
    #[diagnostic(help("nothing was exported"))]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: FileError,
    },
    /// A symbolic link, which could lead to any other file of the repository.
    #[error("{path} is a symbolic link")]
    #[diagnostic(help("put the file itself in its place, or delete it; nothing was exported"))]
    Link {
        /// The link.
        path: String,
    },
    /// A file is not text.
    #[error("{path} is not UTF-8")]
    #[diagnostic(help("write it in UTF-8; nothing was exported"))]
    NotUtf8 {
        /// The file.
        path: String,
    },
    /// A file of the casting is not JSON.
    #[error("{path} is not JSON")]
    #[diagnostic(help("correct the JSON; nothing was exported"))]
    NotJson {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A file of the casting would not be the same in a bundle.
    #[error("{path} has {what}")]
    #[diagnostic(help("{help}; nothing was exported"))]
    Lossy {
        /// The file.
        path: String,
        /// What would be lost.
        what: String,
        /// What to do.
        help: &'static str,
    },
}

/// What stays in the project, and can be expected in a bundle. The logs are about the past of the project alone.
const OF_PROJECT: [&str; 3] = ["decisions.md", "skills/", "identity/"];

/// The folders that a squad can be in; the first one that has a `team.md` counts.
pub const FOLDERS: [&str; 2] = [".squad", ".ai-team"];

impl Squad {
    /// Which agents are not exported, and why, in words for people.
    pub fn not_exported(&self) -> Vec<String> {
        let reasons = [
            (&self.without_charter, "without a charter"),
            (&self.second, "beside a folder of the same name in lower case"),
        ];
        let notes = reasons.into_iter().filter(|(names, _)| !names.is_empty()).map(|(names, reason)| {
            let names: Vec<String> = names.iter().map(|name| format!("`{}`", escape(name))).collect();
            format!("warning: not exported: {} {reason}", enumerated(&names))
        });
        notes.collect()
    }

    /// Reads the squad of `project`.
    ///
    /// # Errors
    /// See [`SquadError`].
    pub fn read(project: &Project) -> Result<Self, SquadError> {
        let root = &project.repository.root;
        let nothing = || SquadError::Nothing { root: display_path(root.as_os_str().as_encoded_bytes()) };
        for folder in FOLDERS {
            let files = Files { root, folder: root.join(folder), cap: project.options.max_file_bytes.get() };
            if let Some(team) = files.text(Path::new("team.md"))? {
                return Ok(Squad { folder, ..files.squad(team)? });
            }
        }
        Err(nothing())
    }
}

/// The files of a squad.
struct Files<'a> {
    root: &'a Path,
    folder: PathBuf,
    cap: u64,
}

impl Files<'_> {
    fn squad(&self, team: String) -> Result<Squad, SquadError> {
        let (agents, without_charter) = self.agents()?;
        let mut second: Vec<String> =
            second_folders(agents.iter().map(|agent| agent.name.as_str())).into_iter().map(str::to_owned).collect();
        second.sort();
        let agents = agents.into_iter().filter(|agent| !second.contains(&agent.name)).collect();
        let mut json = Vec::new();
        Ok(Squad {
            team,
            routing: self.text(Path::new("routing.md"))?,
            ceremonies: self.text(Path::new("ceremonies.md"))?,
            registry: self.json("casting/registry.json", &mut json)?,
            history: self.json("casting/history.json", &mut json)?,
            policy: self.json("casting/policy.json", &mut json)?,
            json,
            agents,
            without_charter,
            second,
            of_project: OF_PROJECT
                .into_iter()
                .filter(|name| self.folder.join(name).symlink_metadata().is_ok())
                .collect(),
            folder: "",
        })
    }

    /// The agents, and the names of the folders without a charter.
    fn agents(&self) -> Result<(Vec<Agent>, Vec<String>), SquadError> {
        self.refuse_links(Path::new("agents"))?;
        let folder = self.folder.join("agents");
        let failed = |source: io::Error| SquadError::Read { path: shown(&folder), source: source.into() };
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if is_missing(&error) => return Ok((Vec::new(), Vec::new())),
            Err(error) => return Err(failed(error)),
        };
        let (mut agents, mut without_charter) = (Vec::new(), Vec::new());
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let inner = Path::new("agents").join(entry.file_name());
            if !entry.file_type().map_err(failed)?.is_dir() {
                if entry.path().is_dir() {
                    self.refuse_links(&inner)?;
                }
                continue;
            }
            let Ok(name) = entry.file_name().into_string() else {
                return Err(SquadError::NotUtf8 { path: shown(&self.folder.join(&inner)) });
            };
            let history = self.text(&inner.join("history.md"))?;
            match self.text(&inner.join("charter.md"))? {
                Some(charter) => agents.push(Agent { name, charter, history }),
                None if history.is_some() => without_charter.push(name),
                // Those who left are in a folder of their own.
                None => {}
            }
        }
        agents.sort_by(|a, b| a.name.cmp(&b.name));
        without_charter.sort();
        Ok((agents, without_charter))
    }

    /// The text of the file at `inner`; `None` if there is no such file.
    fn text(&self, inner: &Path) -> Result<Option<String>, SquadError> {
        self.refuse_links(inner)?;
        let path = self.folder.join(inner);
        match read::read_inside(self.root, &path, self.cap) {
            Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| SquadError::NotUtf8 { path: shown(&path) }),
            Err(FileError::Io(error)) if is_missing(&error) => Ok(None),
            Err(source) => Err(SquadError::Read { path: shown(&path), source }),
        }
    }

    /// Sees to it that no link is on the way to `inner`: only what is in the folder of the squad itself travels.
    fn refuse_links(&self, inner: &Path) -> Result<(), SquadError> {
        let mut path = self.folder.clone();
        for part in inner {
            path.push(part);
            if path.is_symlink() {
                return Err(SquadError::Link { path: shown(&path) });
            }
        }
        Ok(())
    }

    /// What the file at `inner` says. Its text is added to `texts`.
    fn json(&self, inner: &'static str, texts: &mut Vec<(&'static str, String)>) -> Result<Option<Value>, SquadError> {
        let Some(whole) = self.text(Path::new(inner))? else { return Ok(None) };
        let text = whole.strip_prefix('\u{feff}').unwrap_or(&whole);
        let failed = |source| SquadError::NotJson { path: shown(&self.folder.join(inner)), source };
        let value = serde_json::from_str(text).map_err(failed)?;
        if let Some(Loss { what, help }) = loss(text) {
            return Err(SquadError::Lossy { path: shown(&self.folder.join(inner)), what: escape(&what), help });
        }
        texts.push((inner, whole));
        Ok(Some(value))
    }
}

/// Whether the reason is that there is no such file: `.squad` can be a file of another program.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn shown(path: &Path) -> String {
    display_path(path.as_os_str().as_encoded_bytes())
}
