//! State that git would add, and what would keep it out.

use bstr::{BStr, BString, ByteSlice};

use crate::diagnostic::{Applicability, Finding};
use crate::facts::Run;
use crate::facts::state_roots::StateRoot;
use crate::git::ignore::Decision;
use crate::options::Policy;
use crate::rules::guard::shared::{ignore, severity};
use crate::rules::guard::{first, line};
use crate::text::prose::enumerated;

/// The ignore file at the top of the repository.
pub const TOP: &str = ".gitignore";

/// What is not ignored, under a policy that is not about the whole root.
pub fn noun(state: &StateRoot) -> &'static str {
    match state.policy {
        Policy::StateBranch => "files that belong on the state branch",
        _ => "runtime files",
    }
}

/// A root that is not ignored, and the file whose lines would ignore it.
pub struct Open {
    /// The finding, without its fix.
    pub finding: Finding,
    file: BString,
    /// What the fix adds.
    pub lines: Vec<String>,
    /// How safe that is.
    pub applicability: Applicability,
}

impl Open {
    /// That of the paths `open` of the root, each with the line that decides about it.
    pub fn new(run: &Run<'_>, state: &StateRoot, open: &[(BString, Option<Decision>)]) -> Self {
        let brought_back = open.iter().find_map(|(_, decision)| decision.as_ref().filter(|found| found.shared));
        let is_whole = state.policy == Policy::NeverTracked;
        // A line in a folder beats those above it, but not for a root that is ignored from above.
        let beats = |file: &BStr| !is_whole || !file.starts_with_str(state.path("").as_bytes());
        let file = brought_back.map(|decision| decision.file.as_bstr()).filter(|file| beats(file));
        let file = file.unwrap_or(TOP.into());
        let folder = file.rsplitn_str(2, "/").nth(1).unwrap_or_default().as_bstr();
        let ignored: Vec<BString> = match is_whole {
            true => vec![state.path("")],
            false => open.iter().map(|(path, _)| path.clone()).collect(),
        };
        let lines: Vec<String> = ignored.iter().map(|path| ignore::pattern_in(folder, path.as_bstr())).collect();
        let paths: Vec<&BStr> = open.iter().map(|(path, _)| path.as_bstr()).collect();
        let message = match is_whole {
            true => format!("`{}/` is not ignored: `git add .` would add {}", state.root, first(&paths)),
            false => format!("{} are not ignored: {}", noun(state), first(&paths)),
        };
        let finding = match brought_back.filter(|decision| decision.file == file) {
            Some(decision) => {
                Finding::at(line(&run.read_or_new(file), decision), message).label("this line includes it again")
            }
            None => Finding::whole_file(message),
        };
        let shown: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
        let end = if brought_back.is_some() { "the end of " } else { "" };
        let applicability = if state.has_tracked_of_policy() { Applicability::Unsafe } else { Applicability::Safe };
        let finding = finding
            .in_file(file)
            .at_most(severity(state, &paths))
            .help(format!("add {} to {end}`{file}`", enumerated(&shown)));
        Self { finding, file: file.into(), lines, applicability }
    }

    /// The file, and how safe it is to add the lines to it.
    pub fn place(&self) -> (BString, Applicability) {
        (self.file.clone(), self.applicability)
    }
}
