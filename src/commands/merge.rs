//! `merge BASE OURS THEIRS PATH`: git's merge driver for memory files. The result goes to `OURS`.

mod by_git;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use bstr::ByteSlice;

use super::{CliError, Exit};
use crate::cli::MergeArgs;
use crate::dialects::manifest::DEFAULT_MANIFESTS;
use crate::dialects::{FileKind, default_roots};
use crate::fs::read::{FileError, read};
use crate::layout::roots::Roots;
use crate::merge::{Markers, Merged, Style, Versions, merge};

use crate::terminal::{Terminal, display_path};
use crate::text::MAX_BYTES;

/// Why nothing was merged.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotMerged {
    #[error("cannot read {path}")]
    Unread { path: String, source: FileError },
    #[error("cannot write {path}")]
    Unwritten { path: String, source: io::Error },
    #[error("{path} is a link")]
    #[diagnostic(help("git itself merges links"))]
    Link { path: String },
}

/// Merges, and exits with 1 if there are conflicts. After an error our version is as it was.
pub fn run(args: &MergeArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let shown = |path: &Path| display_path(path.as_os_str().as_encoded_bytes());
    let text = |path: &Path| read(path, MAX_BYTES).map_err(|source| NotMerged::Unread { path: shown(path), source });
    if args.ours.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(NotMerged::Link { path: shown(&args.ours) }.into());
    }
    let (base, ours, theirs) = (text(&args.base)?, text(&args.ours)?, text(&args.theirs)?);
    let versions = Versions { base: base.as_slice(), ours: ours.as_slice(), theirs: theirs.as_slice() };
    let size = usize::from(args.marker_size);
    let markers = Markers {
        size,
        style: Style::named(&args.conflict_style),
        base: name(&args.base_name, "base"),
        ours: name(&args.ours_name, "ours"),
        theirs: name(&args.theirs_name, "theirs"),
    };
    let Merged { mut bytes, mut conflicts, by_lines } = merge(versions, kind_of(&args.path), &markers);
    if let Some(by_lines) = by_lines {
        let files = Versions { base: &*args.base, ours: &*args.ours, theirs: &*args.theirs };
        if let Some(of_git) = by_git::merge_file(&files, &markers) {
            (bytes, conflicts) = of_git;
        }
        let path = shown(&args.path);
        let _ = writeln!(terminal.stderr(), "{path}: merged by lines: {}", by_lines.reason());
    }
    if bytes != ours {
        // A temporary file of git's, which git removes.
        fs::write(&args.ours, bytes).map_err(|source| NotMerged::Unwritten { path: shown(&args.ours), source })?;
    }
    Ok(if conflicts == 0 { Exit::Clean } else { Exit::Findings })
}

/// The name of a version. A git from before 2.44 does not know `%S`, `%X` and `%Y`, and passes them on as they are.
fn name<'a>(given: &'a str, usual: &'a str) -> &'a str {
    if matches!(given, "%S" | "%X" | "%Y") { usual } else { given }
}

/// The kind of the file at a path in the repository.
fn kind_of(path: &Path) -> Option<&'static FileKind> {
    let path = path.as_os_str().as_encoded_bytes().as_bstr();
    let roots = Roots::new(default_roots().map(|root| root.glob));
    roots.and_then(|roots| roots.with_manifests(DEFAULT_MANIFESTS)).ok()?.locate_named(path).kind
}
