//! Lines of ignore files.

use bstr::{BStr, ByteSlice};

use crate::diagnostic::{Edit, Finding, Passage, Step};
use crate::facts::state_roots::StateRoot;
use crate::fs::path::inner_path;
use crate::git::ignore::escaped;
use crate::text::Source;
use crate::text::prose::enumerated;

/// The line for the top `.gitignore` that ignores `inner` of the root, or the root where `inner` is empty.
pub fn pattern(state: &StateRoot, inner: &str) -> String {
    pattern_in(b"".into(), state.path(inner).as_bstr())
}

/// The line for the `.gitignore` in `folder` that ignores `path`, where a folder ends in `/`.
pub fn pattern_in(folder: &BStr, path: &BStr) -> String {
    let inner = inner_path(path, folder);
    let has_inner_slash = inner.trim_end_with(|c| c == '/').contains(&b'/');
    // A line without an inner `/` matches at every depth: right for a state root at the top, wrong for all else.
    let anchor = if has_inner_slash || folder.is_empty() && inner.starts_with(b".") { "" } else { "/" };
    let line = escaped(inner).replace(ESCAPED_HISTORIES, HISTORIES);
    format!("{anchor}{}", line.as_bstr())
}

/// The histories of all agents, as a pattern and as a path.
pub const HISTORIES: &str = "agents/*/history.md";
const ESCAPED_HISTORIES: &str = "agents/\\*/history.md";

/// `finding` with the help that says to add `lines` to the top `.gitignore`, if there are any.
pub fn helped(finding: Finding, lines: &[String]) -> Finding {
    let shown: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
    match shown.as_slice() {
        [] => finding,
        [line] => finding.help(format!("add {line} to `.gitignore`")),
        lines => finding.help(format!("add {} to `.gitignore`, each on a line of its own", enumerated(lines))),
    }
}

/// The comment with which Squad begins its list of runtime files. The list has no end mark: it goes on to the first other line.
const LIST: &str = "# Squad: ignore runtime state";

/// The last line of a block of ours.
const END: &str = "# squad-lint: end";

/// Where lines belong in `text`, an ignore file: at the end of Squad's own list, or of a block of ours. `None` if there is
/// neither, and if a line below it brings something back, which has to be above.
fn list_end(text: &str) -> Option<usize> {
    let (mut end, mut at, mut in_list) = (None, 0, false);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        match content {
            END => end = Some(at),
            _ if content.starts_with(LIST) => in_list = true,
            _ if content.starts_with('!') => (end, in_list) = (None, false),
            "" => in_list = false,
            _ if content.starts_with('#') => in_list &= content.starts_with("# Note: .squad/"),
            _ if in_list => end = Some(at + line.len()),
            _ => {}
        }
        at += line.len();
    }
    end
}

/// The step that adds `lines` to an ignore file: to a list that is there already, or between two comments that mark them. It
/// creates the file if there is none.
pub fn block(source: &Source, lines: &[String]) -> Step {
    let (text, end) = (source.text(), source.line_ending());
    if let Some(at) = list_end(text) {
        let is_open = text.get(..at).is_some_and(|above| !above.ends_with('\n'));
        let lines = lines.join(end);
        return match is_open {
            true => Edit::insert(at, format!("{end}{lines}")).into(),
            false => Edit::insert(at, format!("{lines}{end}")).into(),
        };
    }
    let gap = if text.is_empty() { "" } else { end };
    let gap = if text.ends_with('\n') { gap.to_owned() } else { gap.repeat(2) };
    let lines = lines.join(end);
    let block = format!("{gap}# squad-lint: runtime files of agents{end}{lines}{end}{END}{end}");
    match source.is_new() {
        true => Step::Create { path: source.path().into(), text: Passage::new(block, end) },
        false => Edit::insert(text.len(), block).into(),
    }
}
