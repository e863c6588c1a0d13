//! From a bundle to a squad, which is written in one step.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use super::load::Loaded;
use super::squad::FOLDERS;
use crate::formats::bundle::{folded, hazard, without_project_context};
use crate::fs::new_folder::{self, Contents};
use crate::report::json_writer;
use crate::terminal::escape;

/// The folder that an import makes.
pub const TARGET: &str = ".squad";

/// The folders of a new squad that have no files yet.
const EMPTY_FOLDERS: [&str; 3] = ["decisions/inbox", "log", "orchestration-log"];

/// What a new project is to say of itself in `team.md`; `roster/imported-placeholder` looks for these words.
const TO_BE_FILLED: &str = "(to be filled on first session)";

/// What an import writes.
#[derive(Debug, Default)]
pub struct Plan {
    /// The bytes of each file, by its path in the folder of the squad, with `/` between the parts.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The agents, in the order of the bundle.
    pub agents: Vec<String>,
    /// What of the bundle is not imported: `decisions.md`, keys that no tool knows.
    pub left_out: Vec<String>,
}

/// Why a bundle is not imported. Nothing was written then.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ImportError {
    /// The project has a squad, or something else of that name.
    #[error("there is a squad already: {folder}")]
    #[diagnostic(help("squads are not merged: to replace it, move the folder away first; nothing was written"))]
    Exists {
        /// The folder that is there.
        folder: &'static str,
    },
    /// A name that does not fit a folder of the squad.
    #[error("`{name}` cannot be a name: it {why}")]
    #[diagnostic(help("nothing was written"))]
    Name {
        /// The name.
        name: String,
        /// Why not.
        why: &'static str,
    },
    /// The files cannot be written.
    #[error("cannot write the squad")]
    #[diagnostic(help("check that you may write in the folder; nothing was imported"))]
    Write(#[from] io::Error),
}

impl Plan {
    /// What the import of `loaded` at the moment `at` writes. `name` is that of the file, for a bundle that names no project.
    ///
    /// # Errors
    /// See [`ImportError`].
    pub fn of(loaded: &Loaded, name: &str, at: &str) -> Result<Self, ImportError> {
        let bundle = &loaded.bundle;
        let mut plan = Self::default();
        plan.add_agents(loaded)?;
        for file in &bundle.files {
            match file.name {
                "team.md" => plan.add("team.md", with_placeholders(&file.text.value, at))?,
                "decisions.md" => plan.left_out.push(file.name.to_owned()),
                other => plan.add(other, file.text.value.clone())?,
            }
        }
        if bundle.file("team.md").is_none() {
            // Early versions of the export of Squad had none, and a squad without it is none.
            let team = plan.roster(loaded);
            plan.add("team.md", with_placeholders(&team, at))?;
        }
        plan.add("decisions.md", "# Team Decisions\n".to_owned())?;
        plan.add_casting(loaded, name, at)?;
        for (number, skill) in bundle.skills.iter().enumerate() {
            let path = format!("skills/{}/SKILL.md", skill_folder(&skill.value, number));
            match plan.files.contains_key(&path) {
                false => plan.add(&path, skill.value.clone())?,
                true => plan.add(&format!("skills/skill-{number}/SKILL.md"), skill.value.clone())?,
            }
        }
        plan.left_out.extend(bundle.others.iter().map(|member| member.key.value.clone()));
        Ok(plan)
    }

    fn add_agents(&mut self, loaded: &Loaded) -> Result<(), ImportError> {
        let mut known = HashSet::new();
        let second = loaded.bundle.second_folders();
        for agent in &loaded.bundle.agents {
            let name = &agent.key.value;
            if second.contains(name.as_str()) {
                self.left_out.push(format!("agents.{name}"));
                continue;
            }
            if let Some(why) = hazard(name) {
                return Err(ImportError::Name { name: escape(name), why });
            }
            if !known.insert(folded(name)) {
                return Err(ImportError::Name { name: escape(name), why: "is that of another agent" });
            }
            for (file, text) in [("charter.md", &agent.charter), ("history.md", &agent.history)] {
                if let Some(text) = text {
                    self.add(&format!("agents/{name}/{file}"), text.value.clone())?;
                }
            }
            self.agents.push(name.clone());
        }
        Ok(())
    }

    fn add_casting(&mut self, loaded: &Loaded, name: &str, at: &str) -> Result<(), ImportError> {
        let mut registry = loaded.casting("registry").unwrap_or_else(|| json!({ "agents": {} }));
        if let Value::Object(registry) = &mut registry {
            let value = |text: Option<&str>| text.map_or(Value::Null, Value::from);
            let bundle = &loaded.bundle;
            let project = bundle.project.as_ref().map_or(name, |project| project.value.as_str());
            let exported_at = value(bundle.exported_at.as_ref().map(|text| text.value.as_str()));
            let imported = json!({ "project": project, "exported_at": exported_at, "imported_at": at });
            registry.insert("imported_from".to_owned(), imported);
        }
        self.add_json("casting/registry.json", &registry)?;
        for member in &loaded.bundle.casting {
            match member.key.value.as_str() {
                "registry" => {}
                key @ ("history" | "policy") => {
                    if let Some(value) = loaded.casting(key) {
                        self.add_json(&format!("casting/{key}.json"), &value)?;
                    }
                }
                other => self.left_out.push(format!("casting.{other}")),
            }
        }
        Ok(())
    }

    fn add_json(&mut self, path: &str, value: &Value) -> Result<(), ImportError> {
        let mut bytes = Vec::new();
        json_writer::write(value, &mut bytes)?;
        self.insert(path, bytes)
    }

    fn add(&mut self, path: &str, text: String) -> Result<(), ImportError> {
        self.insert(path, text.into_bytes())
    }

    /// Adds a file. Each part of its path is a name that is safe on all systems, and no file has the path of another one.
    fn insert(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), ImportError> {
        let name = || escape(path);
        if let Some(why) = path.split('/').find_map(hazard) {
            return Err(ImportError::Name { name: name(), why });
        }
        match self.files.insert(path.to_owned(), bytes) {
            None => Ok(()),
            Some(_) => Err(ImportError::Name { name: name(), why: "is that of another file" }),
        }
    }

    /// A `team.md` with the agents.
    fn roster(&self, loaded: &Loaded) -> String {
        let mut team =
            "# Team\n\n## Members\n\n| Name | Role | Charter | Status |\n| --- | --- | --- | --- |\n".to_owned();
        let registry = loaded.casting("registry").unwrap_or_default();
        for agent in &self.agents {
            let name = registry.pointer(&format!("/agents/{}/persistent_name", agent.replace('~', "~0")));
            let name = name.and_then(Value::as_str).filter(|name| !name.contains(['|', '\n', '\r'])).unwrap_or(agent);
            team.extend(["| ", name, " | | agents/", agent.as_str(), "/charter.md | Active |\n"]);
        }
        team
    }

    /// Writes the squad into the folder `root`, which is canonical and has none. All of it is there in one step, or nothing.
    ///
    /// # Errors
    /// See [`ImportError`].
    pub fn write(&self, root: &Path) -> Result<(), ImportError> {
        new_folder::create(root, TARGET, Contents { files: &self.files, empty: &EMPTY_FOLDERS })
            // Another import can have been faster.
            .map_err(|error| refuse_existing(root).err().unwrap_or_else(|| error.into()))
    }
}

/// Sees to it that no squad is in `root`, nor a link or a file of that name.
///
/// # Errors
/// [`ImportError::Exists`].
pub fn refuse_existing(root: &Path) -> Result<(), ImportError> {
    match FOLDERS.into_iter().find(|folder| root.join(folder).symlink_metadata().is_ok()) {
        Some(folder) => Err(ImportError::Exists { folder }),
        None => Ok(()),
    }
}

/// `team` with a project context that is to be filled in.
fn with_placeholders(team: &str, at: &str) -> String {
    let team = without_project_context(team);
    let day = at.get(..10).unwrap_or(at);
    format!(
        "{}\n\n## Project Context\n\n- **Owner:** {TO_BE_FILLED}\n- **Stack:** {TO_BE_FILLED}\n\
         - **Description:** {TO_BE_FILLED}\n- **Created:** {day}\n",
        team.trim_end()
    )
}

/// The folder of a skill: by the `name` in its front matter, else by its number.
fn skill_folder(text: &str, number: usize) -> String {
    let name = text.lines().find_map(|line| line.strip_prefix("name:")).unwrap_or_default();
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.trim().trim_matches(['"', '\'']).chars().map(letter).take(60).collect();
    match name.trim_matches('-') {
        name if hazard(name).is_none() => name.to_owned(),
        _ => format!("skill-{number}"),
    }
}
