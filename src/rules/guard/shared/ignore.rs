//! Lines of ignore files.

use bstr::{BStr, ByteSlice};

use super::block::{Block, Place};
use crate::diagnostic::{Edit, Finding, Passage, Step};
use crate::facts::state_roots::{MUTABLE, RUNTIME, StateRoot};
use crate::fs::path::inner_path;
use crate::git::ignore::escaped;
use crate::text::prose::enumerated;
use crate::text::{Source, Span, lines};

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

/// The first and the last line of a block of squad-lint.
const BEGIN: &str = "# squad-lint: runtime files of agents";
const END: &str = "# squad-lint: end";

/// Whether squad-lint can have written `line`: a state root, or what belongs to one machine or one session in it.
fn is_runtime(line: &str) -> bool {
    let path = line.trim_matches('/');
    let mut parts = RUNTIME.iter().chain(&MUTABLE);
    path.starts_with('.') && line.ends_with('/') || parts.any(|part| path.ends_with(part.trim_matches('/')))
}

/// Where lines belong in `text`, an ignore file: at the end of Squad's own list, or of a block of squad-lint. `None` if there is
/// neither, and if a line below it brings something back, which has to be above.
fn list_end(text: &str) -> Option<Place> {
    let (mut own, mut end, mut at, mut in_list) = (Block::default(), None, 0, false);
    for line in text.split_inclusive('\n') {
        let (content, next) = (line.trim(), at + line.len());
        own.read(content, (at, next), (BEGIN, END), is_runtime);
        match content {
            END => end = None,
            _ if content.starts_with(LIST) => in_list = true,
            _ if content.starts_with('!') => (end, in_list) = (None, false),
            "" => in_list = false,
            _ if content.starts_with('#') => in_list &= content.starts_with("# Note: .squad/"),
            _ if in_list => end = Some(next),
            _ => {}
        }
        at = next;
    }
    end.map(|at| Place { at, lost_end: None }).or_else(|| own.place(END))
}

/// The first and the last line of the block with which Squad ignores the state of its branch. It removes the whole block when the
/// team goes back to its work tree, so what is in another list would stay ignored.
pub const STATE: &str = "# Squad: state owned by squad-state branch (two-layer/orphan backend)";
pub const STATE_END: &str = "# /Squad: state owned by squad-state branch";

/// The lines in that block.
const STATE_LINES: [&str; 2] = [".squad/decisions.md", ".squad/agents/*/history.md"];

/// The first line of the block of Squad for the state of its branch; `None` if there is no such block in `text`.
pub fn state_block(text: &str) -> Option<Span> {
    let mut all = lines(text, Span::new(0, text.len())).map(|line| line.trim(text));
    let start = all.find(|line| line.of(text) == STATE)?;
    all.any(|line| line.of(text) == STATE_END).then_some(start)
}

/// Where lines belong in the block of Squad for the state of its branch. `None` if there is none, and if a line below it brings
/// something back.
fn state_end(text: &str) -> Option<Place> {
    let (mut block, mut at) = (Block::default(), 0);
    for line in text.split_inclusive('\n') {
        block.read(line.trim(), (at, at + line.len()), (STATE, STATE_END), |line| STATE_LINES.contains(&line));
        at += line.len();
    }
    // Squad does not find a block without its first line.
    block.place(STATE_END).filter(|_| text.lines().any(|line| line.trim() == STATE))
}

/// The steps that add `lines` to an ignore file: to a list that is there already, or between two comments that mark them. They
/// create the file if there is none.
pub fn blocks(source: &Source, lines: &[String]) -> Vec<Step> {
    let (text, end) = (source.text(), source.line_ending());
    let (state, runtime): (Vec<&str>, Vec<&str>) =
        lines.iter().map(String::as_str).partition(|line| source.path() == ".gitignore" && STATE_LINES.contains(line));
    let mut steps: Vec<Step> = Vec::new();
    let mut tail = String::new();
    let mut insert = |Place { at, lost_end }: Place, lines: &[&str], tail: &mut String| {
        let is_open = text.get(..at).is_some_and(|above| !above.ends_with('\n'));
        let lines: Vec<&str> = lines.iter().copied().chain(lost_end).collect();
        let lines = lines.join(end);
        let added = if is_open { format!("{end}{lines}") } else { format!("{lines}{end}") };
        match at == text.len() {
            true => tail.push_str(&added),
            false => steps.push(Edit::insert(at, added).into()),
        }
    };
    let append = |block: &[&str], tail: &mut String| {
        let (is_empty, is_open) = (text.is_empty() && tail.is_empty(), !format!("{text}{tail}").ends_with('\n'));
        tail.push_str(&end.repeat(if is_empty { 0 } else { 1 + usize::from(is_open) }));
        tail.push_str(&block.join(end));
        tail.push_str(end);
    };
    match list_end(text) {
        _ if runtime.is_empty() => {}
        Some(place) => insert(place, &runtime, &mut tail),
        None => append(&[&[BEGIN], &runtime[..], &[END]].concat(), &mut tail),
    }
    match state_end(text) {
        _ if state.is_empty() => {}
        Some(place) => insert(place, &state, &mut tail),
        None => append(&[&[STATE], &STATE_LINES[..], &[STATE_END]].concat(), &mut tail),
    }
    match source.is_new() {
        _ if tail.is_empty() => {}
        true => steps.push(Step::Create { path: source.path().into(), text: Passage::new(tail, end) }),
        false => steps.push(Edit::insert(text.len(), tail).into()),
    }
    steps
}
