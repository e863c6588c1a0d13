//! The skills of a team that are not in its state root.

use std::sync::Arc;

use bstr::{BString, ByteSlice};

use super::{Run, squads, state_roots};
use crate::dialects::squad;
use crate::fs::path::{is_in, to_bytes};
use crate::select::input::Mode;
use crate::text::Source;

/// Where other programs look for skills, beside the state root.
const FOLDERS: [&str; 2] = [".copilot/skills", ".github/skills"];

/// Each `SKILL.md` in the folders beside the state roots with a team, in the order of their paths. None after a change, which
/// names the files that it is about.
pub fn beside_squads(run: &Run<'_>) -> Vec<Arc<Source>> {
    let Mode::WorkTree = run.input.mode else { return Vec::new() };
    let teams = run.input.selection.files.iter().filter(|file| file.kind == &squad::TEAM);
    let mut folders: Vec<BString> = Vec::new();
    for root in teams.map(|file| file.root.as_bstr()) {
        if root.is_empty() || squads::is_left_over(run, root) || state_roots::is_example(run, root) {
            continue;
        }
        let parent = root.rfind_byte(b'/').map_or(&b""[..], |slash| root.get(..=slash).unwrap_or_default());
        folders.extend(FOLDERS.iter().map(|folder| BString::from([parent, folder.as_bytes()].concat())));
    }
    folders.sort();
    folders.dedup();
    let mut paths: Vec<BString> = folders.iter().flat_map(|folder| skills_in(run, folder)).collect();
    paths.sort();
    paths.iter().filter_map(|path| run.read(path.as_bstr())).collect()
}

/// The paths of the skills in `folder` that the run covers.
fn skills_in(run: &Run<'_>, folder: &BString) -> Vec<BString> {
    let Ok(path) = folder.to_path() else { return Vec::new() };
    // A folder that is not there has no skills.
    let listed = std::fs::read_dir(run.input.repository.root.join(path)).into_iter().flatten().flatten();
    let files = listed.map(|skill| to_bytes(&path.join(skill.file_name()).join("SKILL.md")));
    let is_asked = |path: &BString| {
        let folders = &run.input.selection.folders;
        folders.iter().any(|folder| is_in(path.as_bstr(), folder.as_bstr()))
    };
    files.filter(|path| is_asked(path) && !run.input.excludes.matches(path.as_bstr())).collect()
}
