//! Which files a plan lets its agent change, exactly: globs against globs.

use std::collections::BTreeMap;

use super::field::Field;
use super::model::{Boundary, Plan};
use crate::ownership::overlap::{Meeting, PathGlob, near_between};

/// An allowed glob and a forbidden one of the same plan that match the same path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The place among the allowed globs.
    pub allowed: usize,
    /// The place among the forbidden globs.
    pub forbidden: usize,
    /// A path that both match.
    pub path: String,
    /// Whether the forbidden glob matches all that the allowed one does, so that nothing of it is left.
    pub nothing_left: bool,
}

/// What was found, and whether all was examined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared<T> {
    /// What was found.
    pub found: Vec<T>,
    /// The first forbidden glob, or the first plan, that was not compared with all others, since this takes too long.
    pub incomplete: Option<usize>,
}

/// How much is done to compare the globs of one plan, in states of the search. A pair that people write takes some hundred.
const WORK_OF_PLAN: usize = 500_000;

/// How many pairs of globs are examined.
pub(super) const PAIRS_MAX: usize = 50_000_000;

/// Why a boundary or a path is not one of files in the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// It begins at the root of the file system: `/etc/hosts`, `C:\temp`.
    Absolute,
    /// It begins in the folder of a user: `~/.ssh`.
    Home,
    /// A part is `..`.
    Parent,
}

impl Escape {
    /// How `path` leads out of the repository; `None` if it does not.
    pub fn of(path: &str) -> Option<Self> {
        let path = path.strip_prefix('!').unwrap_or(path);
        let is_drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        if path.starts_with(['/', '\\']) || is_drive {
            return Some(Self::Absolute);
        }
        if path.starts_with('~') && matches!(path.as_bytes().get(1), None | Some(b'/' | b'\\')) {
            return Some(Self::Home);
        }
        path.split(['/', '\\']).any(|part| part == "..").then_some(Self::Parent)
    }

    /// How it leads out, as part of a message.
    pub fn message(self) -> &'static str {
        match self {
            Self::Absolute => "is an absolute path",
            Self::Home => "is in a home folder",
            Self::Parent => "contains `..`",
        }
    }
}

/// The globs of `boundaries` that can be read and say what is matched.
pub(super) fn positive(boundaries: &[Boundary]) -> impl Iterator<Item = (usize, &PathGlob)> {
    let globs = boundaries.iter().enumerate();
    globs.filter_map(|(at, boundary)| Some((at, boundary.paths.as_ref().filter(|paths| !paths.is_negated())?)))
}

impl Plan {
    /// Whether every allowed glob can be read: what cannot may allow any path.
    pub fn has_clear_boundary(&self) -> bool {
        !self.allowed.is_empty() && self.allowed.iter().all(|boundary| boundary.paths.is_some())
    }

    /// Whether the agent may change the file at `path`: it is allowed, and not forbidden.
    pub fn permits(&self, path: &str) -> bool {
        positive(&self.allowed).any(|(_, glob)| glob.matches(path)) && !self.forbids(path)
    }

    /// Whether the agent may write the output at `path`: this file, or one in this folder, unless its name is that of a file. With
    /// `is_folder`, it is a folder.
    pub fn permits_output(&self, path: &str, is_folder: bool) -> bool {
        let is_file = !is_folder && path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        let inside = || {
            let folder = PathGlob::parse(&format!("{}/", literal(path))).ok()?;
            let except: Vec<&PathGlob> = self.excluded().collect();
            let mut left = WORK_OF_PLAN;
            let never = |glob: &PathGlob| folder.common_path(glob, &except, &mut left) == Meeting::Never;
            Some(!positive(&self.allowed).map(|(_, glob)| glob).all(never))
        };
        self.permits(path) || !is_file && inside() == Some(true)
    }

    /// Whether a forbidden glob matches the file at `path`.
    pub fn forbids(&self, path: &str) -> bool {
        self.excluded().any(|glob| glob.matches(path))
    }

    /// The forbidden globs, and the allowed ones with a `!`, which take back.
    pub(super) fn excluded(&self) -> impl Iterator<Item = &PathGlob> {
        let taken_back =
            self.allowed.iter().filter_map(|boundary| boundary.paths.as_ref()).filter(|glob| glob.is_negated());
        positive(&self.forbidden).map(|(_, glob)| glob).chain(taken_back)
    }

    /// The allowed globs that forbidden ones contradict: for each forbidden one the first that it leaves nothing of,
    /// else the first.
    pub fn conflicts(&self) -> Compared<Conflict> {
        let allowed = positive(&self.allowed).map(|(at, glob)| (true, at, glob));
        let globs: Vec<(bool, usize, &PathGlob)> =
            allowed.chain(positive(&self.forbidden).map(|(at, glob)| (false, at, glob))).collect();
        let paths: Vec<&PathGlob> = globs.iter().map(|(.., glob)| *glob).collect();
        let mut found: BTreeMap<usize, Conflict> = BTreeMap::new();
        let (mut left, mut pairs, mut incomplete): (usize, usize, Option<usize>) = (WORK_OF_PLAN, PAIRS_MAX, None);
        let second = globs.iter().filter(|(is_allowed, ..)| *is_allowed).count();
        near_between(&paths, second, |later, earlier| {
            // The allowed ones come first.
            let (Some(&(false, forbidden, no)), Some(&(true, allowed, yes))) = (globs.get(later), globs.get(earlier))
            else {
                return true;
            };
            let known = found.get(&forbidden);
            if known.is_some_and(|known| known.nothing_left && known.allowed < allowed) {
                return true;
            }
            pairs = pairs.saturating_sub(1);
            match yes.common_path(no, &[], &mut left) {
                Meeting::At(path) => {
                    let nothing_left = yes.common_path(yes, &[no], &mut left) == Meeting::Never;
                    let is_worse = |known: &Conflict| (nothing_left, known.allowed) > (known.nothing_left, allowed);
                    if known.is_none_or(is_worse) {
                        found.insert(forbidden, Conflict { allowed, forbidden, path, nothing_left });
                    }
                }
                Meeting::Never => {}
                Meeting::Unknown => incomplete = Some(incomplete.map_or(forbidden, |known| known.min(forbidden))),
            }
            pairs > 0 && left > 0
        });
        Compared {
            found: found.into_values().collect(),
            incomplete: incomplete.or((left == 0 || pairs == 0).then_some(0)),
        }
    }
}

/// `path` as a glob that matches nothing else.
fn literal(path: &str) -> String {
    let escaped = path.chars().map(|c| if "*?[]{}!,\\".contains(c) { format!("\\{c}") } else { c.to_string() });
    escaped.collect()
}

/// What people write where there is no path.
const NO_PATHS: [&str; 4] = ["n/a", "e.g", "i.e", "and/or"];

/// The folders at the root of file systems: `/tmp/x` is a path, and `/api/x` is the route of a service.
const AT_ROOT: [&str; 19] = [
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "bin",
    "dev",
    "etc",
    "home",
    "lib",
    "mnt",
    "opt",
    "proc",
    "root",
    "srv",
    "sys",
    "tmp",
    "usr",
    "var",
];

/// The first part of the type of a medium, such as `image/png`.
const MEDIA: [&str; 8] = ["application", "audio", "font", "image", "message", "multipart", "text", "video"];

/// How the addresses of most people end, where no file does.
const DOMAINS: [&str; 27] = [
    "ai", "at", "au", "be", "biz", "br", "ca", "ch", "co", "com", "de", "dev", "edu", "es", "eu", "example", "fr",
    "gov", "info", "invalid", "io", "jp", "net", "nl", "org", "se", "uk",
];

/// Whether people mean `text` as something else than a path: a version or a number (`v1.2.0`, `^1.2.x`, `0.95`), an abbreviation
/// (`e.g.`), a route (`/api/search`), a repository (`git@host:a/b.git`), a package (`@org/name`), the type of a medium
/// (`text/html`), an address (`ann@example.com`), a fraction (`3/4`) or a day (`2026/03/01`).
pub fn is_no_path(text: &str) -> bool {
    let (folder, name) = text.rsplit_once(['/', '\\']).map_or((None, text), |(folder, name)| (Some(folder), name));
    let has_extension =
        name.rsplit_once('.').is_some_and(|(_, extension)| extension.starts_with(|c: char| c.is_alphabetic()));
    if folder.is_none() {
        let number = text.trim_start_matches(['^', '~', '<', '>', '=', 'v', 'V']);
        let is_version = number.split('.').all(|part| {
            matches!(part, "x" | "X" | "*") || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
        });
        let is_number =
            (!has_extension || is_version) && number.contains('.') && number.starts_with(|c: char| c.is_ascii_digit());
        let is_word = text.ends_with('.') && text.contains(char::is_alphabetic);
        return is_number || is_word || is_address(text);
    }
    let first = text.strip_prefix('/').map(|path| path.split('/').next().unwrap_or_default());
    let is_route = !has_extension && first.is_some_and(|first| !AT_ROOT.contains(&first));
    let host = text.split_once('@').filter(|(user, _)| !user.contains('/')).map(|(_, host)| host);
    let is_remote = host.is_some_and(|host| host.split_once(':').is_some_and(|(host, _)| !host.contains('/')));
    let package = text.strip_prefix('@');
    let is_package = package.is_some_and(|package| !has_extension || package.contains('@'));
    let is_medium = text.split_once('/').is_some_and(|(first, subtype)| {
        // Such as `vnd.api+json`, which ends as no file does.
        let is_tree = subtype.rsplit('.').next().is_some_and(|end| end.contains('+'))
            || subtype.starts_with("vnd.")
            || subtype.starts_with("prs.");
        let is_media = MEDIA.contains(&first) || first == "model" && is_tree;
        is_media && (!has_extension || is_tree) && !subtype.is_empty() && !subtype.contains('/')
    });
    is_route || is_remote || is_package || is_medium || is_day_or_fraction(text)
}

/// Whether `text` is a day, such as `2026/3/1`, or a fraction, such as `3/4`.
fn is_day_or_fraction(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    let is_short = |part: &str| matches!(part.len(), 1 | 2);
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/')
        && match parts.as_slice() {
            [one, two] => is_short(one) && is_short(two),
            [year, month, day] | [day, month, year] if year.len() == 4 => is_short(month) && is_short(day),
            parts => parts.len() == 3 && parts.iter().all(|part| part.len() == 2),
        }
}

/// Whether `text` is the address of a person, such as `ann@example.com`, and not a file such as `icon@2x.png`.
fn is_address(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else { return false };
    let is_domain = host.rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && DOMAINS.contains(&end));
    !user.is_empty() && !host.contains('@') && is_domain
}

/// `path` as globs have it; `None` if it is not a path of a file in the repository, as in `a report in the chat`.
pub fn inner_path(path: &Field<String>) -> Option<String> {
    let text = path.value.as_str();
    let is_path =
        !text.contains("://") && !text.contains(['\n', '*', '<', '>', '|', '"']) && text.contains(['/', '\\', '.']);
    let is_none = NO_PATHS.iter().any(|none| text.eq_ignore_ascii_case(none));
    if !is_path || is_none || is_no_path(text) || text.contains(char::is_whitespace) || Escape::of(text).is_some() {
        return None;
    }
    let path = text.replace('\\', "/");
    let names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    (!names.is_empty()).then(|| names.join("/"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::text::Span;

    /// A plan with these boundaries.
    pub(in super::super) fn plan(allowed: &[&str], forbidden: &[&str]) -> Plan {
        let globs = |globs: &[&str]| {
            let glob = |glob: &&str| Boundary {
                glob: Field::new(Span::at(0), (*glob).to_owned()),
                paths: PathGlob::parse_with_names(glob).ok(),
            };
            globs.iter().map(glob).collect()
        };
        Plan { allowed: globs(allowed), forbidden: globs(forbidden), ..Plan::default() }
    }

    #[test]
    fn a_plan_permits_what_it_allows_and_does_not_forbid() {
        let plan = plan(&["src/**", "docs", "!src/gen/**"], &["src/db/**", "**/*.sql"]);
        for (path, expected) in [
            ("src/a.rs", true),
            ("docs/a/b.md", true),
            ("src/db/a.rs", false),
            ("docs/a.sql", false),
            ("src/gen/a.rs", false),
            ("README.md", false),
        ] {
            assert_eq!(plan.permits(path), expected, "{path}");
        }
    }

    #[test]
    fn an_output_may_be_a_folder() {
        let own = plan(&["designs/**", "docs/*.md"], &["designs/old/**"]);
        for (path, expected) in [
            ("designs", true),
            ("designs/a.md", true),
            ("designs/new", true),
            ("designs/old", true),
            ("designs/old/x", false),
            ("docs", true),
            ("docs/sub", false),
            ("src", false),
            ("src/a.md", false),
        ] {
            assert_eq!(own.permits_output(path, false), expected, "{path}");
        }
        assert!(own.permits_output("designs/v1.2", true) && !own.permits_output("src/v1.2", true));
    }

    #[test]
    fn what_people_do_not_mean_as_a_path() {
        for text in [
            "v1.2.0",
            "^1.2.3",
            "~1.2",
            ">=2.0.0",
            "1.x",
            "text/html",
            "application/json",
            "2026/03/01",
            "01/03/2026",
            "application/vnd.api+json",
            "application/vnd.ms-excel",
            "message/rfc822",
            "model/gltf+json",
            "2026/3/1",
            "1/3/2026",
            "24/7",
            "user@example.com",
            "first.last+tag@mail.example.co.uk",
        ] {
            assert!(is_no_path(text), "{text}");
        }
        for text in [
            "a.x",
            "x.x",
            "text/a.html",
            "image/png/a",
            "text/",
            "2026/03/01/a",
            "src/2026",
            "2026/03",
            "~/x",
            "icon@2x.png",
            "app@1.2.0.tgz",
            "@example.com",
            "model/user",
            "text/+page.svelte",
            "application/x.tsx",
            "1/2/3",
            "26/3/1/a",
            "user@example.com/a.md",
        ] {
            assert!(!is_no_path(text), "{text}");
        }
    }

    #[test]
    fn conflicts_say_what_is_left() {
        let conflicts = |allowed: &[&str], forbidden: &[&str]| -> Vec<(usize, usize, bool)> {
            let found = plan(allowed, forbidden).conflicts();
            assert_eq!(found.incomplete, None);
            let found = found.found.into_iter();
            found.map(|conflict| (conflict.allowed, conflict.forbidden, conflict.nothing_left)).collect()
        };
        assert_eq!(conflicts(&["src/**"], &["src/db/**", "lib/**"]), [(0, 0, false)]);
        assert_eq!(conflicts(&["a", "src/db/x.rs"], &["src/db/**"]), [(1, 0, true)]);
        assert_eq!(conflicts(&["src/*.ts"], &["**/*.rs"]), []);
        // A name with a dot is a file.
        assert_eq!(conflicts(&["src/App.tsx", ".env"], &["**/*.test.ts"]), []);
        assert_eq!(conflicts(&["server/a.sql"], &["**/*.sql"]), [(0, 0, true)]);
        // The worst one counts.
        assert_eq!(conflicts(&["server/**", "server/App.tsx", "server/a.sql"], &["**/*.sql", "x"]), [(2, 0, true)]);
    }

    #[test]
    fn paths_that_leave_the_repository() {
        for (path, expected) in [
            ("/etc", Some(Escape::Absolute)),
            ("C:\\x", Some(Escape::Absolute)),
            ("c:x", Some(Escape::Absolute)),
            ("\\\\host\\x", Some(Escape::Absolute)),
            ("~/x", Some(Escape::Home)),
            ("~", Some(Escape::Home)),
            ("!../x", Some(Escape::Parent)),
            ("a\\..\\b", Some(Escape::Parent)),
            ("~x/a", None),
            ("a..b/c", None),
            ("**", None),
            ("", None),
        ] {
            assert_eq!(Escape::of(path), expected, "{path}");
        }
        let inner = |path: &str| inner_path(&Field::new(Span::at(0), path.to_owned()));
        assert_eq!(inner("./a//b.rs").as_deref(), Some("a/b.rs"));
        assert_eq!(inner("a\\b").as_deref(), Some("a/b"));
        for path in ["n/a", "N/A", "n.a.", "a report", "report", "https://a/b", "src/*.rs", "../a", ".", ""] {
            assert_eq!(inner(path), None, "{path}");
        }
    }

    #[test]
    fn what_is_no_path() {
        for text in [
            "v1.2.0",
            "1.4.0",
            "1.4.0-rc.1",
            "0.95",
            "99.9%",
            "1.5s",
            "e.g.",
            "TBD.",
            "/api/search",
            "/api/v1.0/users",
            "/users/{id}",
            "git@host:a/b.git",
            "git@github.com:org/x",
            "@org/pkg",
            "@org/pkg@1.2.0",
        ] {
            assert!(is_no_path(text), "{text}");
        }
        for path in [
            "src/x.ts",
            "x.ts",
            ".env",
            "2026-03-01.md",
            "1.2.0-notes.md",
            "docs/v1.2.0",
            "server/db/001.ts",
            "archive.7z",
            "/tmp/x",
            "/Users/ann/x",
            "/var/log/x.log",
            "/openapi.json",
            "@types/x.d.ts",
            "web/@org/pkg",
            "a@b/c:d",
            "..",
            "../x",
            "~/x",
            "C:\\temp",
        ] {
            assert!(!is_no_path(path), "{path}");
        }
    }
}
