//! What rules say of a file that a change takes away.

use crate::diagnostic::Finding;
use crate::facts::gone::Gone;
use crate::rules::shell::word;

/// The finding about the file, which is `what` to people; `rest` follows it.
pub fn finding(gone: &Gone<'_>, what: &str, rest: &str) -> Finding {
    let path = gone.change.old_path();
    let message = match gone.change.after {
        Some(_) => format!("this change renames {what} `{path}`{rest}"),
        None => format!("this change deletes {what}{rest}"),
    };
    let object = word([gone.changes.base.as_bytes(), b":", path].concat().as_slice().into());
    let help = format!("restore it from the output of `git show {object}`");
    Finding::whole_file(message).in_file(gone.change.path.clone()).help(help)
}
