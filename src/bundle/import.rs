//! From a bundle to a squad, which is written in one step.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::Path;

use memchr::memmem;
use serde::Serialize;
use serde_json::json;

use super::load::Loaded;
use super::squad::FOLDERS;
use crate::formats::bundle::{Scribes, folded, hazard, project_context, shortened};
use crate::formats::json::Raw;
use crate::formats::manifest::Text;
use crate::fs::new_folder::{self, Contents};
use crate::report::json_writer;
use crate::terminal::{display_path, escape};

/// The folder that an import makes.
pub const TARGET: &str = ".squad";

/// The folders of a new squad that have no files yet.
const EMPTY_FOLDERS: [&str; 3] = ["decisions/inbox", "log", "orchestration-log"];

/// How texts begin the paths of files in the folder that squads had before.
const OLD: &[u8] = b".ai-team/";

/// What a new project is to say about itself in `team.md`; `roster/imported-placeholder` looks for these words.
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
    /// The skills that are named otherwise than they say, each as `skills[1] to skills/skill-1/SKILL.md`.
    pub renamed: Vec<String>,
    /// What is not from the bundle, though it could be, in words for people.
    pub made_up: Vec<String>,
    /// The number of skills.
    pub skills: usize,
}

/// Why a bundle is not imported. Nothing was written then.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ImportError {
    /// The project has a squad, or something else of that name.
    #[error("there is a squad already: {place}")]
    #[diagnostic(help("squads are not merged: to replace it, move the folder away first; nothing was written"))]
    Exists {
        /// The folder that is there, as seen from the current one.
        place: String,
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
            plan.made_up
                .push("the bundle has no text of `team.md`: the new one lists the agents without their roles".into());
            plan.add("team.md", with_placeholders(&team, at))?;
        }
        plan.add("decisions.md", "# Team Decisions\n".to_owned())?;
        plan.add_casting(loaded, name, at)?;
        for (number, SkillFile { path, text, is_renamed }) in (0..).zip(skill_files(&bundle.skills)) {
            if is_renamed {
                plan.renamed.push(format!("skills[{number}] to {path}"));
            }
            plan.add(&path, text.to_owned())?;
            plan.skills += 1;
        }
        plan.left_out.extend(bundle.others.iter().map(|member| member.key.value.clone()));
        Ok(plan)
    }

    /// The texts that name the folder that squads had before.
    pub fn of_old_folder(&self) -> Vec<String> {
        let is_text = |path: &str| path.rsplit('.').next() == Some("md");
        let names = self.files.iter().filter(|(path, bytes)| is_text(path) && memmem::find(bytes, OLD).is_some());
        names.map(|(path, _)| path.clone()).collect()
    }

    fn add_agents(&mut self, loaded: &Loaded) -> Result<(), ImportError> {
        let mut known = HashSet::new();
        let second = loaded.bundle.second_folders();
        let scribes = Scribes::of(loaded.bundle.file("team.md").map_or("", |team| team.value.as_str()));
        for agent in &loaded.bundle.agents {
            let name = &agent.key.value;
            let others = agent.others.iter().map(|(key, _)| format!("agents.{name}.{}", loaded.said(*key)));
            self.left_out.extend(others);
            if agent.is_empty() {
                self.left_out.push(format!("agents.{name}"));
                continue;
            }
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
            // The sessions of another project: an export has no such history, either.
            let charter = agent.charter.as_ref().map_or("", |charter| charter.value.as_str());
            let is_of_scribe = agent.history.is_some() && scribes.has(name, charter);
            if is_of_scribe {
                self.left_out.push(format!("the history of {name}"));
            }
            for (file, text) in [("charter.md", &agent.charter), ("history.md", &agent.history)] {
                if let Some(text) = text.as_ref().filter(|_| !is_of_scribe || file == "charter.md") {
                    self.add(&format!("agents/{name}/{file}"), text.value.clone())?;
                }
            }
            self.agents.push(name.clone());
        }
        Ok(())
    }

    fn add_casting(&mut self, loaded: &Loaded, name: &str, at: &str) -> Result<(), ImportError> {
        let bundle = &loaded.bundle;
        let project = bundle.project.as_ref().map_or(name, |project| project.value.as_str());
        let exported_at = bundle.exported_at.as_ref().map(|text| text.value.as_str());
        let imported = json!({ "project": project, "exported_at": exported_at, "imported_at": at }).to_string();
        let registry = loaded.casting("registry").unwrap_or(Raw("{\"agents\": {}}"));
        match registry.members() {
            Some(members) => {
                if bundle.project.is_none() {
                    let name = escape(&shortened(name));
                    self.made_up.push(format!(
                        "the bundle names no project: `imported_from` has the name of the file, `{name}`"
                    ));
                }
                let mut members: BTreeMap<Cow<'_, str>, Raw<'_>> = members.into_iter().collect();
                members.insert("imported_from".into(), Raw(&imported));
                self.add_json("casting/registry.json", &members)?;
            }
            None => self.add_json("casting/registry.json", &registry)?,
        }
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

    fn add_json(&mut self, path: &str, value: &impl Serialize) -> Result<(), ImportError> {
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
        let entries = loaded.bundle.registry.iter().flat_map(|registry| &registry.agents);
        let names: HashMap<&str, &str> = entries
            .filter_map(|entry| Some((entry.key.as_ref()?.value.as_str(), entry.name.as_ref()?.value.as_str())))
            .collect();
        for agent in &self.agents {
            let name =
                names.get(agent.as_str()).copied().filter(|name| !name.contains(['|', '\n', '\r'])).unwrap_or(agent);
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
        Some(folder) => Err(ImportError::Exists { place: place(root, folder) }),
        None => Ok(()),
    }
}

/// The path of `folder` in `root`, as seen from the current folder.
pub fn place(root: &Path, folder: &str) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok();
    let below = here.as_deref().and_then(|here| here.strip_prefix(root).ok());
    match below {
        Some(below) => "../".repeat(below.components().count()) + folder,
        None => display_path(root.join(folder).as_os_str().as_encoded_bytes()),
    }
}

/// `team` with a project context that is to be filled in.
fn with_placeholders(team: &str, at: &str) -> String {
    let mut rest = String::with_capacity(team.len());
    let mut end = 0;
    for section in project_context(team) {
        rest.push_str(team.get(end..section.start()).unwrap_or_default());
        end = section.end();
    }
    rest.push_str(team.get(end..).unwrap_or_default());
    let day = at.get(..10).unwrap_or(at);
    format!(
        "{}\n\n## Project Context\n\n- **Owner:** {TO_BE_FILLED}\n- **Stack:** {TO_BE_FILLED}\n\
         - **Description:** {TO_BE_FILLED}\n- **Created:** {day}\n",
        rest.trim_end()
    )
}

/// The file of a skill in a squad.
pub(super) struct SkillFile<'t> {
    pub(super) path: String,
    pub(super) text: &'t str,
    /// Whether its folder has another name than the skill says.
    is_renamed: bool,
}

/// The file of each of `skills` in a squad: by the `name` in its front matter, and by its number if another one has that name, or if it
/// has none.
pub(super) fn skill_files(skills: &[Text]) -> Vec<SkillFile<'_>> {
    let mut taken = HashSet::new();
    let files = skills.iter().enumerate().map(|(number, skill)| {
        let said = skill_name(&skill.value);
        let numbers = (number..).map(|number| format!("skill-{number}"));
        let mut names = said.and_then(folder_name).into_iter().chain(numbers);
        let name = names.find(|name| taken.insert(name.clone())).unwrap_or_default();
        let is_renamed = said != Some(name.as_str());
        SkillFile { path: format!("skills/{name}/SKILL.md"), text: &skill.value, is_renamed }
    });
    files.collect()
}

/// The `name` in the front matter of a skill.
fn skill_name(text: &str) -> Option<&str> {
    let name = text.lines().find_map(|line| line.strip_prefix("name:"))?;
    Some(name.trim().trim_matches(['"', '\'']))
}

/// `name` as that of a folder.
fn folder_name(name: &str) -> Option<String> {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.chars().map(letter).take(60).collect();
    Some(name.trim_matches('-').to_owned()).filter(|name| hazard(name).is_none())
}
