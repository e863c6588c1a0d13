//! Where reports go: standard output, and files that are written whole or not at all.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use anstream::adapter::StripBytes;
use bstr::ByteSlice;

use crate::cli::CheckArgs;
use crate::config;
use crate::engine::git_failure::GitFailure;
use crate::errors::{CliError, show_error};
use crate::fs::atomic::{self, WriteError};
use crate::git::index::Index;
use crate::project::Project;
use crate::report::{self, Format, Page, Report};
use crate::rule::Registered;
use crate::rules;
use crate::terminal::{Terminal, display_path};
use crate::text::prose::enumerated;

/// Why reports cannot go where they are to go.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ReportError {
    /// Two of them, or one and another file of the run.
    #[error("{what} and {other} write to the same file: {path}")]
    #[diagnostic(help("name a different file for each"))]
    SameFile {
        /// The option.
        what: String,
        /// The option before it.
        other: String,
        /// The file.
        path: String,
    },
    /// One of them is a file that somebody keeps.
    #[error("cannot write a report to {path}: {why}")]
    #[diagnostic(help("name another file; nothing was written"))]
    Kept {
        /// The file.
        path: String,
        /// What it is.
        why: &'static str,
    },
    /// The value is not the name of a file.
    #[error("{what} cannot be written to {path}")]
    #[diagnostic(help("check the spelling, and where symbolic links in the path lead"))]
    Name {
        /// The option.
        what: String,
        /// As it was given.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// The format lists findings and counts nothing.
    #[error("cannot use `--statistics` with this format")]
    #[diagnostic(help(
        "{} count findings by rule; `--report FORMAT=FILE` also writes other formats",
        with_statistics()
    ))]
    Statistics,
}

/// The formats that count findings by rule.
fn with_statistics() -> String {
    let formats = Format::all().iter().filter(|format| format.spec.has_statistics);
    enumerated(&formats.map(|format| format!("`{}`", format.name)).collect::<Vec<_>>())
}

/// A report that was not written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum NotWritten {
    #[error("the report {path} was not written")]
    #[diagnostic(help("check that you have permission to write in its folder; the other reports are complete"))]
    Write { path: String, source: WriteError },
    #[error("the report {path} was not written: it is one of the files that were checked")]
    #[diagnostic(help("name another file"))]
    Checked { path: String },
}

/// The reports that a run writes.
#[derive(Debug)]
pub struct Reports {
    format: Format,
    /// The file of the main report; `None` for standard output.
    output: Option<PathBuf>,
    others: Vec<(Format, PathBuf)>,
}

impl Reports {
    /// Whether one of them holds what fixes change.
    pub fn show_fixes(&self) -> bool {
        self.format.spec.shows_fixes || self.others.iter().any(|(format, _)| format.spec.shows_fixes)
    }

    /// The reports that `args` ask for, in files other than `config` and `baseline`; nothing is written yet.
    ///
    /// # Errors
    /// See [`ReportError`].
    pub fn plan(args: &CheckArgs, [config, baseline]: [Option<&Path>; 2]) -> Result<Self, ReportError> {
        if args.statistics && !args.format.spec.has_statistics {
            return Err(ReportError::Statistics);
        }
        let output = args.output_file.as_deref().filter(|path| path.as_os_str() != "-");
        let mut taken: Vec<(String, PathBuf)> = Vec::new();
        let mut take = |what: String, path: &Path| {
            let failed = |source| ReportError::Name { what: what.clone(), path: shown(path), source };
            let place = resolve(path).map_err(failed)?;
            if let Some((other, _)) = taken.iter().find(|(_, there)| is_same(there, &place)) {
                return Err(ReportError::SameFile { what, other: other.clone(), path: shown(path) });
            }
            taken.push((what, place.clone()));
            Ok(place)
        };
        for (what, path) in [("the configuration", config), ("the baseline", baseline)] {
            // The reader of a missing file reports it.
            if let Some(path) = path.filter(|path| path.exists()) {
                take(what.to_owned(), path)?;
            }
        }
        let output = output.map(|path| take("`--output`".to_owned(), path)).transpose()?;
        if let Some(path) = stdout_file().filter(|_| output.is_none()) {
            take("standard output".to_owned(), path)?;
        }
        let mut others = Vec::new();
        for (at, report) in args.reports.iter().enumerate() {
            others.push((report.format, take(format!("`--report` number {}", at + 1), &report.path)?));
        }
        Ok(Self { format: args.format, output, others })
    }

    /// Sees to it that none of them takes the place of a file that somebody keeps: one of git's or of this program's, one that is
    /// in git, or a part of a team's state. A report of an earlier run is none.
    ///
    /// # Errors
    /// See [`ReportError`]; the index may be what cannot be read.
    pub fn spare(&self, project: &Project) -> Result<(), CliError> {
        self.output.iter().chain(self.others.iter().map(|(_, path)| path)).try_for_each(|path| spare(path, project))
    }

    /// Writes them all: one that cannot be written stops no other, and is said. Whether all of them are written.
    ///
    /// # Errors
    /// What standard output says.
    pub fn write(&self, report: Report<'_>, root: &Path, terminal: Terminal, to_stderr: bool) -> io::Result<bool> {
        let full = Report { statistics: false, ..report };
        let others = self.others.iter().map(|(format, path)| (*format, path, full));
        let files = self.output.iter().map(|path| (self.format, path, report)).chain(others);
        let failed: Vec<NotWritten> =
            files.filter_map(|(format, path, report)| to_file(report, format, path, root).err()).collect();
        let printed = match self.output {
            None => print(report, self.format, terminal, to_stderr),
            Some(_) => Ok(()),
        };
        for error in &failed {
            show_error(terminal, error);
        }
        if let Some(elsewhere) = report.unsaid(self.format).filter(|_| printed.is_ok()) {
            terminal.say(&format!("note: checked no files: {elsewhere}"));
        }
        printed.map(|()| failed.is_empty())
    }
}

/// Sees to it that the report at `path`, without links in it, does not take the place of a file that somebody keeps.
///
/// # Errors
/// See [`ReportError`]; the index may be what cannot be read.
pub fn spare(path: &Path, project: &Project) -> Result<(), CliError> {
    let config = project.config.as_ref().and_then(|path| path.canonicalize().ok());
    let why = if atomic::is_stream(path) { None } else { kept(path, project, config.as_deref())? };
    why.map_or(Ok(()), |why| Err(ReportError::Kept { path: shown(path), why }.into()))
}

/// The files that tell git or this program what to do, there or not: a report would be read as such.
const READ_BY_NAME: [&str; 5] = [".gitignore", ".gitattributes", ".gitmodules", ".mailmap", ".npmignore"];

/// What the file at `path` is that no report may replace.
fn kept(path: &Path, project: &Project, config: Option<&Path>) -> Result<Option<&'static str>, CliError> {
    let Project { repository, roots, .. } = project;
    let root = &repository.root;
    let is_named = |name: &OsStr| READ_BY_NAME.iter().any(|known| name.eq_ignore_ascii_case(known));
    if path.file_name().is_some_and(is_named) {
        return Ok(Some("git or npm reads a file of this name"));
    }
    if config.is_some_and(|config| is_same(config, path))
        || config::FILE_NAMES.iter().any(|name| is_same(&root.join(name), path))
    {
        return Ok(Some("it is the configuration"));
    }
    let in_git = repository.git.as_ref().is_some_and(|git| path.starts_with(git.folder()));
    if in_git || path.iter().any(|name| name.eq_ignore_ascii_case(".git")) {
        return Ok(Some("it is in git's own folder"));
    }
    let Some(below) = path.strip_prefix(root).ok().filter(|_| path.exists()) else { return Ok(None) };
    let below = crate::fs::path::to_bytes(below);
    if roots.locate(below.as_bstr()).is_some_and(|found| found.kind.is_some()) {
        return Ok(Some("it is part of the state of a team"));
    }
    let Some(git) = &repository.git else { return Ok(None) };
    let index = Index::of(git).map_err(|error| GitFailure::from(&error))?;
    Ok(index.tracks(below.as_bstr()).then_some("it is in git"))
}

fn to_file(report: Report<'_>, format: Format, path: &Path, root: &Path) -> Result<(), NotWritten> {
    let below = path.strip_prefix(root).map(crate::fs::path::to_bytes);
    if below.is_ok_and(|below| report.outcome.source(&below).is_some_and(|source| !source.is_new())) {
        return Err(NotWritten::Checked { path: shown(path) });
    }
    // A file is not a terminal, whatever `--color` says about standard output.
    let report = Report { colors: false, ..report };
    let render = |out: &mut dyn Write| match format.spec.has_colors {
        true => report::write(report, format, &mut Plain { out, strip: StripBytes::new() }),
        false => report::write(report, format, out),
    };
    atomic::overwrite(path, render).map_err(|source| NotWritten::Write { path: shown(path), source })
}

/// Takes escape sequences out of what is written.
struct Plain<'a> {
    out: &'a mut dyn Write,
    strip: StripBytes,
}

impl Write for Plain<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.strip.strip_next(bytes).try_for_each(|text| self.out.write_all(text))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Prints the report; a reader that went away has seen what it wanted.
fn print(report: Report<'_>, format: Format, terminal: Terminal, to_stderr: bool) -> io::Result<()> {
    // Only the text for people has colours, which may not be wanted.
    let report = Report { colors: format.spec.has_colors && terminal.has_colors(to_stderr), ..report };
    let out: Box<dyn Write> = match (report.colors, to_stderr) {
        (true, true) => Box::new(terminal.stderr()),
        (true, false) => Box::new(terminal.stdout()),
        (false, true) => Box::new(io::stderr()),
        (false, false) => Box::new(io::stdout().lock()),
    };
    let mut out = BufWriter::new(out);
    let written = report::write(report, format, &mut out).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // What is left in the buffer must not be tried again.
            let _ = out.into_parts();
            Ok(())
        }
        other => other,
    }
}

/// The file that `path` leads to, also where it is not there yet.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let full = std::path::absolute(path)?;
    if atomic::is_stream(&full) {
        return Ok(full);
    }
    match full.canonicalize() {
        Ok(path) => return Ok(path),
        // A link that leads nowhere.
        Err(error) if full.symlink_metadata().is_ok() => return Err(error),
        Err(_) => {}
    }
    // The folders that are there, and the names that will be.
    let mut missing: Vec<OsString> = Vec::new();
    let mut there = full.components();
    loop {
        let folder = there.as_path();
        if let Ok(mut place) = folder.canonicalize() {
            for name in missing.iter().rev() {
                match name.to_str() {
                    Some("..") => drop(place.pop()),
                    _ => place.push(name),
                }
            }
            return Ok(place);
        }
        match there.next_back() {
            Some(Component::Normal(name)) => missing.push(name.to_owned()),
            Some(Component::ParentDir) => missing.push(OsString::from("..")),
            Some(_) => {}
            None => return Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// Standard output by a name, where it leads to a file or to another program.
fn stdout_file() -> Option<&'static Path> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let path = Path::new("/dev/stdout");
        let kind = path.metadata().ok()?.file_type();
        (kind.is_file() || kind.is_fifo()).then_some(path)
    }
    #[cfg(not(unix))]
    None
}

/// Whether two places are one file.
fn is_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (a.metadata(), b.metadata()) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    // Names that differ in case may be one file there.
    let folds = cfg!(any(windows, target_os = "macos"));
    a == b || folds && a.to_string_lossy().to_lowercase() == b.to_string_lossy().to_lowercase()
}

fn shown(path: &Path) -> String {
    display_path(path.as_os_str().as_encoded_bytes())
}

/// What reports say about the rule of that name.
pub fn page(name: &str) -> Option<Page> {
    let registered = rules::find(name)?;
    Some(Page {
        headline: registered.headline(),
        text: registered.page(),
        url: url(registered),
        severity: registered.rule.severity,
        enabled: registered.rule.enabled,
    })
}

/// Where the documentation of the rule's module is, which is its page.
fn url(registered: &Registered) -> String {
    let (version, family, module) = (env!("CARGO_PKG_VERSION"), registered.family(), registered.module);
    format!("https://docs.rs/squad-lint/{version}/squad_lint/rules/{family}/{module}/")
}
