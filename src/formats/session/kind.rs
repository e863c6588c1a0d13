//! The eight kinds of files, and what the name of a file says about its kind.

/// What a file of a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// How the session is as a whole: `session-status.md`.
    Status,
    /// The task of an agent: `role-plan-backend-task_001.md`.
    Plan,
    /// How far a task is: `role-comm-backend-task_001.md`.
    Progress,
    /// What one agent wrote to another: `role-comm-backend-to-frontend-001.md`.
    Message,
    /// What the supervisor told everyone: `broadcast-phase-change.md`.
    Broadcast,
    /// What went wrong: `error-backend-1705315080.md`.
    Error,
    /// What was counted: `metrics-sess_1705312800_a1b2.md`.
    Metrics,
    /// Who may write a file: `locks/App.tsx-frontend-1705315020.lock`.
    Lock,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Status,
        Self::Plan,
        Self::Progress,
        Self::Message,
        Self::Broadcast,
        Self::Error,
        Self::Metrics,
        Self::Lock,
    ];

    /// What it is called in messages, such as `a plan`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Status => "a session status",
            Self::Plan => "a plan",
            Self::Progress => "a progress update",
            Self::Message => "a message",
            Self::Broadcast => "a broadcast",
            Self::Error => "an error report",
            Self::Metrics => "metrics",
            Self::Lock => "a lock",
        }
    }
}

/// What the name of a file says about its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    /// `session-status.md`
    Status,
    /// `role-plan-….md`
    Plan,
    /// `role-comm-….md`: a progress update or a message. Agents may have `-to-` in their names, so the content decides.
    Comm,
    /// `broadcast-….md`
    Broadcast,
    /// `error-….md`
    Error,
    /// `metrics-….md`
    Metrics,
    /// `locks/….lock`
    Lock,
}

/// The extensions of all files but locks.
const EXTENSIONS: [&[u8]; 3] = [b".md", b".yaml", b".yml"];

impl Named {
    /// What the path of a file, relative to the folder of its session, says. `None` for a file that is none of the eight kinds,
    /// such as `artifacts/report.md`.
    pub fn of(path: &[u8]) -> Option<Self> {
        if let Some(name) = path.strip_prefix(b"locks/") {
            let stem = without(name, b".lock").filter(|stem| !stem.is_empty());
            return stem.filter(|stem| !stem.contains(&b'/')).map(|_| Self::Lock);
        }
        let stem = EXTENSIONS.iter().find_map(|extension| without(path, extension))?;
        if stem.contains(&b'/') {
            return None;
        }
        let starts = [
            (b"role-plan-".as_slice(), Self::Plan),
            (b"role-comm-", Self::Comm),
            (b"broadcast-", Self::Broadcast),
            (b"error-", Self::Error),
            (b"metrics-", Self::Metrics),
        ];
        let start = starts.iter().find(|(start, _)| stem.len() > start.len() && stem.starts_with(start));
        start.map(|(_, named)| *named).or_else(|| (stem == b"session-status").then_some(Self::Status))
    }

    /// Whether `path`, that of such a file, says that all of it is YAML.
    pub fn is_yaml(path: &[u8]) -> bool {
        [b".yaml".as_slice(), b".yml"].iter().any(|extension| without(path, extension).is_some())
    }

    /// Whether a file of this name can be of `kind`.
    pub fn allows(self, kind: Kind) -> bool {
        self.kinds().contains(&kind)
    }

    /// The kinds that a file of this name can be of.
    pub fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Status => &[Kind::Status],
            Self::Plan => &[Kind::Plan],
            Self::Comm => &[Kind::Progress, Kind::Message],
            Self::Broadcast => &[Kind::Broadcast],
            Self::Error => &[Kind::Error],
            Self::Metrics => &[Kind::Metrics],
            Self::Lock => &[Kind::Lock],
        }
    }

    /// Whether nothing but the protocol has files of this name. Other programs write `error-….md` and `metrics-….yaml`, too.
    pub fn is_certain(self) -> bool {
        matches!(self, Self::Status | Self::Plan | Self::Comm | Self::Lock)
    }

    /// What it is called in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Comm => "a progress update or a message",
            Self::Status => Kind::Status.noun(),
            Self::Plan => Kind::Plan.noun(),
            Self::Broadcast => Kind::Broadcast.noun(),
            Self::Error => Kind::Error.noun(),
            Self::Metrics => Kind::Metrics.noun(),
            Self::Lock => Kind::Lock.noun(),
        }
    }
}

/// `name` without `extension` in upper or lower case.
fn without<'a>(name: &'a [u8], extension: &[u8]) -> Option<&'a [u8]> {
    let (stem, end) = name.split_at_checked(name.len().checked_sub(extension.len())?)?;
    end.eq_ignore_ascii_case(extension).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_kind() {
        for (path, expected) in [
            ("session-status.md", Some(Named::Status)),
            ("session-status.yaml", Some(Named::Status)),
            ("session-status-old.md", None),
            ("role-plan-backend-task_1.md", Some(Named::Plan)),
            ("role-plan-.md", None),
            ("role-comm-a-to-b-1.MD", Some(Named::Comm)),
            ("broadcast-phase-change.md", Some(Named::Broadcast)),
            ("error-a-1.yml", Some(Named::Error)),
            ("metrics-s.md", Some(Named::Metrics)),
            ("metrics-s.json", None),
            ("locks/a-b-1.lock", Some(Named::Lock)),
            ("locks/a/b.lock", None),
            ("locks/.lock", None),
            ("locks/role-plan-a.md", None),
            ("artifacts/role-plan-a.md", None),
            ("a.lock", None),
            ("notes.md", None),
            ("", None),
        ] {
            assert_eq!(Named::of(path.as_bytes()), expected, "{path}");
        }
    }
}
