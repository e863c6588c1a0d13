//! Reading a bundle.

use super::problem::shortened;
use super::{Agent, Bundle, File, Format, MOST, Member, Problem, ProblemKind};
use crate::formats::json::{Keep, Node, Places, Value, correction, inexact, said};
use crate::formats::manifest::Text;
use crate::formats::roster::Casting;
use crate::text::{Span, bom_len};

/// The version that both formats have, and every tool reads.
const VERSION: &str = "1.0";

/// The keys of the portable format.
const PORTABLE: [&str; 8] =
    ["squad_format_version", "exported_at", "exported_from", "casting", "agents", "team", "routing", "ceremonies"];

/// The other keys of an export of Squad.
const EXPORT: [&str; 7] = ["version", "squad_version", "team_md", "decisions_md", "decisions", "routing_md", "skills"];

/// Those of the portable format that an export of Squad has, too.
const SHARED: [&str; 5] = ["exported_at", "casting", "agents", "team", "routing"];

/// Whether a field may be missing or `null`.
#[derive(Clone, Copy)]
struct Need {
    may_miss: bool,
    may_be_null: bool,
}

/// It is always there.
const REQUIRED: Need = Need { may_miss: false, may_be_null: false };
/// It is always there, and `null` in a squad that has no such file.
const NULLABLE: Need = Need { may_miss: false, may_be_null: true };
/// It is there if the squad has such a file.
const OPTIONAL: Need = Need { may_miss: true, may_be_null: false };
/// It may be missing or `null`.
const FREE: Need = Need { may_miss: true, may_be_null: true };

/// What a field holds.
#[derive(Clone, Copy)]
enum Want {
    Text,
    Object,
    List,
}

impl Want {
    fn noun(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Object => "an object",
            Self::List => "a list",
        }
    }
}

impl Bundle {
    /// Reads `text`.
    pub fn parse(text: &str) -> Self {
        let mut bundle = Self::default();
        let start = bom_len(text);
        let json = text.get(start..).unwrap_or_default();
        if json.trim().is_empty() {
            let help = "export the squad again";
            bundle.invalid(Span::at(start), "empty file, expected a JSON object".into(), "no JSON", help);
            return bundle;
        }
        let mut keys = Keys { text, problems: Vec::new() };
        match Node::parse_kept(json, &Places::from(start), Part::Root, |object| keys.look(object)) {
            Ok(mut root) => {
                bundle.problems = keys.problems;
                bundle.read(&mut root);
                bundle.find_inexact(text);
            }
            Err(error) => {
                let message = format!("invalid JSON: {}", error.message);
                bundle.invalid(
                    error.span,
                    message,
                    "tools stop here",
                    correction(&error.message).unwrap_or("correct the syntax"),
                );
            }
        }
        bundle.problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
        bundle
    }

    /// Reads `root`. Its texts become those of the bundle, which can have megabytes: none is copied.
    fn read(&mut self, root: &mut Node) {
        if !matches!(root.value, Value::Object(_)) {
            let message = format!("bundle is {}, expected an object", root.noun());
            return self.wrong_type(open(root), message, Want::Object);
        }
        self.read_version(root);
        match self.format {
            Some(Format::Portable) => self.read_portable(root),
            Some(Format::Export) => self.read_export(root),
            None => {}
        }
    }

    /// Tells the format by the version key. `squad_format_version` comes first: other programs have a `version`, too.
    fn read_version(&mut self, root: &Node) {
        let formats = [Format::Portable, Format::Export];
        let found = formats.into_iter().find_map(|format| Some((format, root.get(format.version_key())?)));
        let Some((format, version)) = found else {
            let help = "add `\"squad_format_version\": \"1.0\"`, or export the squad again".to_owned();
            let message = "missing field `squad_format_version`".to_owned();
            return self.problem(ProblemKind::MissingField, open(root), message, "no version", help);
        };
        self.format = Some(format);
        let other = Format::Export.version_key();
        if let Some(second) = root.get(other).filter(|_| format == Format::Portable) {
            self.problem(
                ProblemKind::UnsupportedVersion,
                second.span,
                format!("bundle has two version keys, `{}` and `{other}`", format.version_key()),
                "key of the other format",
                format!(
                    "delete the wrong key: squad-lint goes by `{}`, other tools may go by the other one",
                    format.version_key()
                ),
            );
        }
        let key = format.version_key();
        match version.as_str() {
            Some(VERSION) => {}
            Some(other) => self.problem(
                ProblemKind::UnsupportedVersion,
                version.span,
                format!("`{key}` is `{}`, expected `{VERSION}`", shortened(other)),
                "unknown version",
                "export the squad again with a tool that writes this version".to_owned(),
            ),
            None => {
                let message = format!("`{key}` is {}, expected a string", version.noun());
                self.wrong_type(version.span, message, Want::Text);
            }
        }
    }

    fn read_portable(&mut self, root: &mut Node) {
        self.exported_at = self.text(root, "", "exported_at", REQUIRED);
        self.exported_from = members(root).find(|member| member.key.value == "exported_from");
        if let Some(from) = self.field(root, "", "exported_from", REQUIRED, Want::Object) {
            self.project = self.text(from, "exported_from.", "project", REQUIRED);
            self.text(from, "exported_from.", "owner", REQUIRED);
        }
        if let Some(casting) = self.field(root, "", "casting", REQUIRED, Want::Object) {
            self.field(casting, "casting.", "registry", REQUIRED, Want::Object);
            self.field(casting, "casting.", "history", NULLABLE, Want::Object);
            self.field(casting, "casting.", "policy", NULLABLE, Want::Object);
            self.read_casting(casting);
        }
        self.read_agents(root, REQUIRED, FREE);
        for (key, name, need) in
            [("team", "team.md", REQUIRED), ("routing", "routing.md", NULLABLE), ("ceremonies", "ceremonies.md", FREE)]
        {
            let text = self.text(root, "", key, need);
            self.files.extend(text.map(|text| File { name, text }));
        }
        self.others = members(root).filter(|member| !PORTABLE.contains(&member.key.value.as_str())).collect();
    }

    fn read_export(&mut self, root: &mut Node) {
        self.exported_at = self.text(root, "", "exported_at", OPTIONAL);
        self.text(root, "", "squad_version", OPTIONAL);
        if let Some(casting) = self.field(root, "", "casting", REQUIRED, Want::Object) {
            self.read_casting(casting);
        }
        self.read_agents(root, OPTIONAL, OPTIONAL);
        // Later versions of the tool write the first key, and the second one for earlier versions.
        for (keys, name) in [
            (["team_md", "team"].as_slice(), "team.md"),
            (["decisions_md", "decisions"].as_slice(), "decisions.md"),
            (["routing_md", "routing"].as_slice(), "routing.md"),
        ] {
            let mut texts = Vec::new();
            for key in keys {
                texts.extend(self.text(root, "", key, OPTIONAL).map(|text| (*key, text)));
            }
            let mut texts = texts.into_iter();
            let Some((_, text)) = texts.next() else { continue };
            if let Some((key, other)) = texts.next() {
                match other.value == text.value {
                    true => self.copies.push(other.span),
                    // Programs read the first one.
                    false => self.others.extend(members(root).find(|member| member.key.value == key)),
                }
            }
            self.files.push(File { name, text });
        }
        if let Some(skills) = self.field(root, "", "skills", REQUIRED, Want::List) {
            for (number, skill) in skills.items().iter().enumerate() {
                if let Some(text) = skill.as_str() {
                    self.skills.push(Text { span: skill.span, value: text.to_owned() });
                } else {
                    let message = format!("`skills[{number}]` is {}, expected a string", skill.noun());
                    self.wrong_type(skill.span, message, Want::Text);
                }
            }
        }
        let is_known = |key: &str| EXPORT.contains(&key) || SHARED.contains(&key);
        self.others.extend(members(root).filter(|member| !is_known(&member.key.value)));
    }

    fn read_casting(&mut self, casting: &Node) {
        self.casting = members(casting).collect();
        self.registry = casting.get("registry").map(Casting::in_bundle);
    }

    /// Reports the numbers in `casting` that would not be the same in the files of a squad.
    fn find_inexact(&mut self, text: &str) {
        let members: Vec<(String, Span)> =
            self.casting.iter().map(|member| (shortened(&member.key.value), member.value)).collect();
        for (key, value) in members {
            for number in inexact(value.of(text)).take(MOST) {
                let span = Span::new(value.start() + number.start(), value.start() + number.end());
                let message = format!("number `{}` in `casting.{key}` is not kept", shortened(span.of(text)));
                let help = "write it as a string, or with fewer digits".to_owned();
                self.problem(ProblemKind::WrongType, span, message, "programs read another number", help);
            }
        }
    }

    fn read_agents(&mut self, root: &mut Node, charter: Need, history: Need) {
        let Some(agents) = self.field(root, "", "agents", REQUIRED, Want::Object) else { return };
        let place = open(agents);
        let Value::Object(entries) = &mut agents.value else { return };
        self.has_agents = true;
        let is_folder = |value: &Node| matches!(&value.value, Value::Object(texts) if texts.is_empty());
        let are_folders = entries.iter().all(|(.., value)| is_folder(value));
        // Who imports it wants a team: an empty squad would be in the way of the right one.
        if entries.is_empty() || self.format == Some(Format::Export) && are_folders {
            let help = "export the squad again, with its agents".to_owned();
            self.problem(ProblemKind::MissingField, place, "bundle has no agents".into(), "no agent", help);
        }
        for (span, key, value) in entries {
            let path = format!("agents.{}", shortened(key));
            if !matches!(value.value, Value::Object(_)) {
                let message = format!("`{path}` is {}, expected an object", value.noun());
                self.wrong_type(value.span, message, Want::Object);
                continue;
            }
            let path = format!("{path}.");
            let charter = self.text(value, &path, "charter", charter);
            let history = self.text(value, &path, "history", history);
            let history_member = members(value).find(|member| member.key.value == "history" && history.is_some());
            let is_other = |member: &Member| !matches!(member.key.value.as_str(), "charter" | "history");
            let others = members(value).filter(is_other).map(|member| (member.key.span, member.value)).collect();
            let key = Text { span: *span, value: std::mem::take(key) };
            self.agents.push(Agent { key, charter, history, history_member, others });
        }
    }

    /// The text of the field `key` of `object`, which is at `path`.
    fn text(&mut self, object: &mut Node, path: &str, key: &str, need: Need) -> Option<Text> {
        let value = self.field(object, path, key, need, Want::Text)?;
        let Value::String(text) = &mut value.value else { return None };
        Some(Text { span: value.span, value: std::mem::take(text) })
    }

    /// The field `key` of `object`, which is at `path`, if it is what it must be.
    fn field<'n>(
        &mut self,
        object: &'n mut Node,
        path: &str,
        key: &str,
        need: Need,
        want: Want,
    ) -> Option<&'n mut Node> {
        let start = open(object);
        let Some(value) = object.get_mut(key) else {
            if !need.may_miss {
                let message = format!("missing field `{path}{key}`");
                let label = format!("no `{key}`");
                let value = if need.may_be_null { "its value, or `null`" } else { want.noun() };
                let help = format!("add `{key}` with {value}");
                self.problem(ProblemKind::MissingField, start, message, label, help);
            }
            return None;
        };
        match (want, &value.value) {
            (Want::Text, Value::String(_)) | (Want::Object, Value::Object(_)) | (Want::List, Value::List(_)) => {
                Some(value)
            }
            (_, Value::Null) if need.may_be_null => None,
            _ => {
                let message = format!("`{path}{key}` is {}, expected {}", value.noun(), want.noun());
                let place =
                    if matches!(value.value, Value::Object(_) | Value::List(_)) { open(value) } else { value.span };
                self.wrong_type(place, message, want);
                None
            }
        }
    }

    fn invalid(&mut self, span: Span, message: String, label: &str, help: &str) {
        self.problem(ProblemKind::InvalidJson, span, message, label, help.to_owned());
    }

    fn wrong_type(&mut self, span: Span, message: String, want: Want) {
        let noun = want.noun();
        self.problem(ProblemKind::WrongType, span, message, format!("expected {noun}"), format!("make it {noun}"));
    }

    fn problem(&mut self, kind: ProblemKind, span: Span, message: String, label: impl Into<String>, help: String) {
        self.problems.push(Problem { kind, span, message, label: label.into(), help, related: None });
    }
}

/// The values of a bundle in which others are read. All others can be as large as they like: nothing of them is kept.
#[derive(Clone, Copy)]
enum Part {
    Root,
    ExportedFrom,
    Casting,
    Registry,
    Agents,
    Agent,
    Skills,
    /// Anything in a registry.
    Entry,
}

impl Keep for Part {
    fn child(self, key: Option<&str>) -> Option<Self> {
        match (self, key) {
            (Self::Root, Some("agents")) => Some(Self::Agents),
            (Self::Root, Some("skills")) => Some(Self::Skills),
            (Self::Root, Some("casting")) => Some(Self::Casting),
            (Self::Root, Some("exported_from")) => Some(Self::ExportedFrom),
            (Self::Agents, _) => Some(Self::Agent),
            (Self::Casting, Some("registry")) => Some(Self::Registry),
            (Self::Registry | Self::Entry, _) => Some(Self::Entry),
            _ => None,
        }
    }

    fn most(self, key: Option<&str>) -> usize {
        // One more shows that there are too many.
        let is_read =
            matches!(self, Self::Root) && key.is_some_and(|key| PORTABLE.contains(&key) || EXPORT.contains(&key));
        if is_read { usize::MAX } else { MOST + 1 }
    }
}

/// Looks for keys that an object has twice, at any depth, as readers keep the last value and lose the others, and for reserved keys.
struct Keys<'t> {
    text: &'t str,
    problems: Vec<Problem>,
}

impl Keys<'_> {
    fn look(&mut self, keys: &mut [Span]) {
        let name = |key: &Span| said(key.of(self.text));
        // So many problems are enough to refuse it.
        if self.problems.len() > MOST {
            return;
        }
        for key in keys.iter().filter(|key| name(key) == "__proto__").take(MOST) {
            self.problems.push(Problem {
                kind: ProblemKind::ReservedKey,
                span: *key,
                message: "key `__proto__` changes the object itself when JavaScript reads it".into(),
                label: "reserved".into(),
                help: "do not import a bundle from an unknown source".into(),
                related: None,
            });
        }
        keys.sort_unstable_by(|a, b| name(a).cmp(&name(b)).then(a.start.cmp(&b.start)));
        let pairs = keys.windows(2).filter_map(|pair| pair.split_first_chunk::<2>());
        let twins = pairs.map(|(pair, _)| pair).filter(|[earlier, key]| name(earlier) == name(key)).take(MOST);
        self.problems.extend(twins.map(|[earlier, key]| Problem {
            kind: ProblemKind::DuplicateKey,
            span: *key,
            message: format!("duplicate key `{}`", shortened(&name(key))),
            label: "the last one counts".into(),
            help: "delete one of the two".into(),
            related: Some((*earlier, "earlier one here")),
        }));
    }
}

/// What programs would lose of `text`, a JSON file, in words: ``the key `x` twice``; `None` for nothing, or for what is no JSON.
pub fn loss(text: &str) -> Option<Loss> {
    let mut keys = Keys { text, problems: Vec::new() };
    Node::parse_kept(text, &Places::from(0), Part::ExportedFrom, |object| keys.look(object)).ok()?;
    let twice = keys.problems.iter().find(|problem| problem.kind == ProblemKind::DuplicateKey);
    if let Some(twice) = twice {
        return Some(Loss {
            what: format!("the key `{}` twice", shortened(&said(twice.span.of(text)))),
            help: "delete one of the two: programs keep the last",
        });
    }
    let number = inexact(text).next()?;
    Some(Loss {
        what: format!("the number `{}`, which programs do not keep", shortened(number.of(text))),
        help: "write it in quotes, or with fewer digits",
    })
}

/// What of a JSON text programs do not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// In words: ``the key `a` twice``.
    pub what: String,
    /// What to do.
    pub help: &'static str,
}

/// The first byte of `node`.
fn open(node: &Node) -> Span {
    Span::new(node.span.start(), node.span.start() + 1)
}

/// The members of the object `node`. One goes away with the comma before it, the first one with the comma after it.
fn members(node: &Node) -> impl Iterator<Item = Member> {
    let entries = match &node.value {
        Value::Object(entries) => entries.as_slice(),
        _ => &[],
    };
    entries.iter().enumerate().map(|(at, (key, name, value))| {
        let before = at.checked_sub(1).and_then(|before| entries.get(before)).map(|(_, _, value)| value.span.end());
        let after = entries.get(at + 1).map(|(key, ..)| key.start());
        let whole = match (before, after) {
            (Some(before), _) => Span::new(before, value.span.end()),
            (None, Some(after)) => Span::new(key.start(), after),
            (None, None) => Span::new(key.start(), value.span.end()),
        };
        Member { key: Text { span: *key, value: name.clone() }, value: value.span, whole }
    })
}
