//! The files by which a running squad works together, in `.squad/sessions/<session>/`. See `docs/formats/sessions.md`.

use bstr::{BStr, ByteSlice};

use super::{Body, Dialect, FileKind, StatePath, Syntax};
use crate::formats::session::{Named, SessionFile};

/// The dialect. Its files lie in the state roots of [`super::squad`].
pub static DIALECT: Dialect = Dialect { kind_in_root, ..Dialect::NEW };

/// Where the sessions of a folder are: the first one that exists.
pub const SESSIONS: [&str; 2] = [".squad/sessions", ".ai-team/sessions"];

/// How a session is as a whole: `session-status.md`.
pub static STATUS: FileKind = FileKind {
    name: "session-status",
    syntax: Syntax::Yaml,
    parse: |text| Box::new(SessionFile::parse(text, Named::Status)),
};

/// The task of an agent: `role-plan-backend-task_001.md`.
pub static PLAN: FileKind =
    FileKind { name: "role-plan", syntax: Syntax::Yaml, parse: |text| Box::new(SessionFile::parse(text, Named::Plan)) };

/// How far a task is, or a message to another agent: `role-comm-backend-task_001.md`.
pub static COMM: FileKind =
    FileKind { name: "role-comm", syntax: Syntax::Yaml, parse: |text| Box::new(SessionFile::parse(text, Named::Comm)) };

/// [`STATUS`] in a file `….yaml`.
static STATUS_YAML: FileKind = FileKind {
    name: "session-status",
    syntax: Syntax::Yaml,
    parse: |text| Box::new(SessionFile::parse_yaml(text, Named::Status)),
};

/// [`PLAN`] in a file `….yaml`.
static PLAN_YAML: FileKind = FileKind {
    name: "role-plan",
    syntax: Syntax::Yaml,
    parse: |text| Box::new(SessionFile::parse_yaml(text, Named::Plan)),
};

/// [`COMM`] in a file `….yaml`.
static COMM_YAML: FileKind = FileKind {
    name: "role-comm",
    syntax: Syntax::Yaml,
    parse: |text| Box::new(SessionFile::parse_yaml(text, Named::Comm)),
};

/// What the supervisor told everyone: `broadcast-phase-change.md`.
pub static BROADCAST: FileKind = FileKind {
    name: "broadcast",
    syntax: Syntax::Yaml,
    parse: |text| Box::new(SessionFile::parse(text, Named::Broadcast)),
};

/// What went wrong: `error-backend-1705315080.md`.
pub static ERROR: FileKind = FileKind {
    name: "session-error",
    syntax: Syntax::Yaml,
    parse: |text| Box::new(SessionFile::parse(text, Named::Error)),
};

/// What was counted: `metrics-sess_1705312800_a1b2.md`.
pub static METRICS: FileKind = FileKind {
    name: "session-metrics",
    syntax: Syntax::Yaml,
    parse: |text| Box::new(SessionFile::parse(text, Named::Metrics)),
};

/// Who may write a file: `locks/App.tsx-frontend-1705315020.lock`.
pub static LOCK: FileKind =
    FileKind { name: "lock", syntax: Syntax::Yaml, parse: |text| Box::new(SessionFile::parse(text, Named::Lock)) };

/// A file where the folder of the locks should be: `locks`.
pub static NO_LOCKS: FileKind = FileKind { name: "locks", syntax: Syntax::Yaml, parse: |_| Box::new(NoLocks) };

/// What is in such a file says nothing.
#[derive(Debug)]
pub struct NoLocks;

impl Body for NoLocks {}

/// Such a file is one part: its fields are compared with each other.
impl Body for SessionFile {}

/// Whether `kind` is one of this dialect.
pub fn is_kind(kind: &FileKind) -> bool {
    [&BROADCAST, &ERROR, &METRICS, &LOCK, &COMM, &COMM_YAML].contains(&kind) || is_status(kind) || is_plan(kind)
}

/// Whether `kind` is that of a session status.
pub fn is_status(kind: &FileKind) -> bool {
    [&STATUS, &STATUS_YAML].contains(&kind)
}

/// Whether `kind` is that of a plan.
pub fn is_plan(kind: &FileKind) -> bool {
    [&PLAN, &PLAN_YAML].contains(&kind)
}

/// The path of the folder of its session, and the path in it, of the file at `path` in a repository or a state root. `None` for
/// a file that lies in no session.
pub fn split(path: &BStr) -> Option<(&BStr, &BStr)> {
    let start = match path.strip_prefix(b"sessions/") {
        Some(_) => 0,
        None => path.rfind("/sessions/")? + 1,
    };
    let name = start + b"sessions/".len();
    let end = name + path.get(name..)?.find_byte(b'/').filter(|len| *len > 0)?;
    Some((path.get(..end)?.as_bstr(), path.get(end + 1..)?.as_bstr()))
}

fn kind_in_root(path: StatePath<'_>) -> Option<&'static FileKind> {
    let (_, inner) = path.inner.strip_prefix(b"sessions/")?.split_once_str("/").filter(|(name, _)| !name.is_empty())?;
    if inner == b"locks" {
        return Some(&NO_LOCKS);
    }
    let is_yaml = Named::is_yaml(inner);
    Some(match Named::of(inner)? {
        Named::Status if is_yaml => &STATUS_YAML,
        Named::Plan if is_yaml => &PLAN_YAML,
        Named::Comm if is_yaml => &COMM_YAML,
        Named::Status => &STATUS,
        Named::Plan => &PLAN,
        Named::Comm => &COMM,
        Named::Broadcast => &BROADCAST,
        Named::Error => &ERROR,
        Named::Metrics => &METRICS,
        Named::Lock => &LOCK,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_kind() {
        for (inner, expected) in [
            ("sessions/2024-01-15/session-status.md", Some(&STATUS)),
            ("sessions/a/role-plan-backend-task_1.md", Some(&PLAN)),
            ("sessions/a/role-comm-backend-task_1.yaml", Some(&COMM_YAML)),
            ("sessions/a/role-plan-backend-task_1.YML", Some(&PLAN_YAML)),
            ("sessions/a/session-status.yml", Some(&STATUS_YAML)),
            ("sessions/a/role-comm-backend-to-qa-1.md", Some(&COMM)),
            ("sessions/a/broadcast-phase-change.md", Some(&BROADCAST)),
            ("sessions/a/error-backend-1.md", Some(&ERROR)),
            ("sessions/a/metrics-s.md", Some(&METRICS)),
            ("sessions/a/locks/x-backend-1.lock", Some(&LOCK)),
            ("sessions/a/locks/x/y.lock", None),
            ("sessions/a/locks", Some(&NO_LOCKS)),
            ("sessions/locks", None),
            ("sessions/a/artifacts/session-status.md", None),
            ("sessions/session-status.md", None),
            ("sessions//session-status.md", None),
            ("sessions/2026-03-01T20-12-48Z_fdc8d707.json", None),
            ("archives/a/session-status.md", None),
            ("session-status.md", None),
            ("docs/sessions/a/session-status.md", None),
        ] {
            let path = StatePath { root: ".squad".into(), inner: inner.into() };
            assert_eq!(kind_in_root(path), expected, "{inner}");
        }
    }

    #[test]
    fn a_path_has_a_session() {
        for (path, expected) in [
            (".squad/sessions/a/locks/x.lock", Some((".squad/sessions/a", "locks/x.lock"))),
            ("sessions/a/b.md", Some(("sessions/a", "b.md"))),
            ("x/.ai-team/sessions/a/b.md", Some(("x/.ai-team/sessions/a", "b.md"))),
            ("sessions/a", None),
            (".squad/sessions//b.md", None),
            (".squad/a.md", None),
        ] {
            assert_eq!(split(path.into()), expected.map(|(folder, inner)| (folder.into(), inner.into())), "{path}");
        }
    }
}
