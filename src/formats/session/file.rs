//! One file of a session: which kind it is, what is in it, what is wrong with it.

use super::block::{Block, front_matter};
use super::check::check;
use super::detect;
use super::kind::{Kind, Named};
use super::model::{Broadcast, Content, ErrorReport, Lock, Message, Metrics, Plan, Progress, Status};
use super::problem::{Fault, Problem};
use super::read;
use super::reader::Reader;
use crate::formats::yaml::{Node, Value, Yaml, YamlError};
use crate::text::{Span, bom_len, conflict, lines};

/// A file whose name says that it is one of a session.
#[derive(Clone, Debug)]
pub struct SessionFile {
    /// What its name says.
    pub named: Named,
    /// What its content is; `None` for a file of another program, or of a person.
    pub kind: Option<Kind>,
    /// What it says; `None` if it is not YAML, or of another program.
    pub content: Option<Content>,
    /// Its first field; without one, its start.
    pub first: Span,
    /// What is wrong with it by itself, in the order of the text.
    pub problems: Vec<Problem>,
}

impl SessionFile {
    /// Reads `text`, the text of a file whose name says `named`. No text is an error.
    pub fn parse(text: &str, named: Named) -> Self {
        Self::read(text, named, false)
    }

    /// The same for a file `….yaml`, which is never text for people.
    pub fn parse_yaml(text: &str, named: Named) -> Self {
        Self::read(text, named, true)
    }

    fn read(text: &str, named: Named, is_yaml: bool) -> Self {
        let block = block_of(text, named);
        // A block in a text for people may be of any language.
        let is_torn = block.begins(text) && detect::is_torn(block.yaml.of(text));
        let is_yaml = named.is_certain() && (is_yaml || block.is_named || is_torn);
        let masked = block.masked(text);
        let may_be_text = !is_yaml && named != Named::Lock;
        if may_be_text && detect::is_titled_list(&masked) {
            return Self::of_others(named);
        }
        let is_in_prose = may_be_text && block.is_in_prose(text);
        let Yaml { root, error, second } = Yaml::parse(&masked);
        let mut file = Self::of_others(named);
        if let Some(error) = error {
            // No text for people has so many brackets.
            let is_yaml = is_yaml || named.is_certain() && error.is_too_deep();
            file.kind = detect::of_text(block.yaml.of(text), named).or_else(|| file.only_kind().filter(|_| is_yaml));
            let problem = if let Some(conflict) = conflict::all(text.as_bytes()).next() {
                let help = "keep the correct lines of each side, and delete the marker lines";
                let message = "invalid YAML: unresolved merge conflict";
                let problem = Problem::new(Fault::Yaml, conflict.start, message, "begins here", help);
                Problem { related: Some((conflict.end, "ends here")), ..problem }
            } else {
                unreadable(&masked, &error)
            };
            file.problems.extend((file.kind.is_some() || is_yaml).then_some(problem));
            return file;
        }
        if is_in_prose
            && detect::of_text(block.yaml.of(text), named).is_none_or(|kind| !named.allows(kind))
            && !has_fields(root.as_ref())
        {
            return file;
        }
        let Some(root) = file.mapping(root, &masked, is_yaml) else { return file };
        let reader = Reader::new(&root, &masked);
        file.kind = detect::of_tree(&root, &reader, named);
        file.first = reader.pairs(&root).first().map_or(file.first, |(key, _)| key.span);
        let Some(kind) = file.kind else {
            file.no_fields(&root, &reader, is_yaml, is_in_prose);
            return file;
        };
        file.readers_disagree(&root, second, block, text);
        check(&root, kind, &reader, &mut file.problems);
        let content = read::content(&root, kind, &reader);
        if reader.is_exhausted() {
            // What is missing may be there: aliases lead to it too often.
            file.problems.retain(|problem| problem.fault == Fault::Yaml);
            let message = "aliases lead to more values than a file of this size may have";
            let help = "write the values where they are needed";
            let span = Span::at(root.span.start());
            file.problems.push(Problem::new(Fault::Yaml, span, message, "not read", help));
            return file;
        }
        file.content = Some(content);
        file.problems.sort_by_key(|problem| problem.span.start);
        file
    }

    /// A file of another program, or of a person.
    fn of_others(named: Named) -> Self {
        Self { named, kind: None, content: None, first: Span::at(0), problems: Vec::new() }
    }

    /// `root`, the tree of `yaml`, if it has fields. If it has none, and the name alone says what the file is, this is a problem. With
    /// `is_yaml` it is not text for people.
    fn mapping(&mut self, root: Option<Node>, yaml: &str, is_yaml: bool) -> Option<Node> {
        let (start, found) = match root {
            Some(root) if has_fields(Some(&root)) => return Some(root),
            // Text for people can be in a file of any name but that of a lock.
            Some(Node { value: Value::String(_), .. })
                if !is_yaml && self.named != Named::Lock && detect::of_text(yaml, self.named).is_none() =>
            {
                return None;
            }
            Some(root) if root.value != Value::Null && root.pairs().is_none() => {
                (Some(root.span.start()), format!("content is {}", root.kind()))
            }
            // A comment is not a place: what is said about it would be said about another one that is added above it.
            _ => (first_line(yaml), "file has no fields".to_owned()),
        };
        if self.named.is_certain() {
            self.kind = self.only_kind();
            let noun = self.named.noun();
            let (message, label) = (format!("{found}, expected the fields of {noun}"), "no fields");
            let help = match self.named {
                Named::Lock => {
                    "delete the lock if its agent has stopped, or write its fields, such as `locked_by: backend`"
                        .to_owned()
                }
                _ => format!("write the fields of {noun}, or delete the file"),
            };
            let problem = Problem::new(Fault::Missing, Span::at(start.unwrap_or(0)), message, label, help);
            self.problems.push(Problem { is_whole: start.is_none(), ..problem });
        }
        None
    }

    /// Adds that `root` has other fields than those of the protocol, if the name alone says what the file is. Keys that are words for
    /// people, as in `Note: all went well`, are text, and so is an example with other keys that `is_in_prose`.
    fn no_fields(&mut self, root: &Node, reader: &Reader<'_>, is_yaml: bool, is_in_prose: bool) {
        let keys = || reader.pairs(root).iter().map(|(key, _)| key.as_str().unwrap_or_default());
        let is_key = |key: &str| {
            key.starts_with(|c: char| c.is_ascii_lowercase())
                && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        };
        let is_meant = is_yaml || !is_in_prose && keys().all(is_key) || keys().any(detect::is_like_known);
        if !self.named.is_certain() || !is_meant {
            return;
        }
        self.kind = self.only_kind();
        let noun = self.named.noun();
        let message = format!("file has none of the fields of {noun}");
        let help = format!("write the fields of {noun} at the top level of the YAML, or rename the file");
        self.problems.push(Problem::new(Fault::Missing, self.first, message, "unknown field", help));
    }

    /// The kind that its name says, if this is only one.
    fn only_kind(&self) -> Option<Kind> {
        if let [kind] = self.named.kinds() { Some(*kind) } else { None }
    }

    /// Adds what YAML readers disagree about.
    fn readers_disagree(&mut self, root: &Node, second: Option<Span>, block: Block, text: &str) {
        if let Some(span) = second {
            let help = "remove this document, or give it a file of its own";
            let message = "second YAML document, expected one";
            self.problems.push(Problem::new(Fault::Yaml, span, message, "the rest of the file is ignored", help));
        }
        if let Some(span) = block.second {
            let help = "remove this block, or give it a file of its own";
            let message = "second block of YAML, expected one";
            self.problems.push(Problem::new(Fault::Yaml, span, message, "this block is ignored", help));
        }
        if let Some(span) = block.unclosed {
            let help = "close it with a line of the same characters after the YAML";
            let message = "code fence is never closed";
            self.problems.push(Problem::new(Fault::Yaml, span, message, "begins here", help));
        }
        for (first, again) in root.walk().flat_map(Node::duplicate_keys) {
            let message = format!("duplicate key `{}`", again.of(text));
            let help = "keep one of the two";
            let problem = Problem::new(Fault::Yaml, again, message, "some parsers use this value, others fail", help);
            self.problems.push(Problem { related: Some((first, "first here")), ..problem });
        }
    }
}

/// Whether the tree `root` is a mapping, and not an empty one.
fn has_fields(root: Option<&Node>) -> bool {
    root.and_then(Node::pairs).is_some_and(|pairs| !pairs.is_empty())
}

/// The problem that the parser stopped with `error` in `yaml`.
fn unreadable(yaml: &str, error: &YamlError) -> Problem {
    // The parser stops at the next line that has less indentation.
    if error.message.contains("<document start>")
        && let Some(start) = first_line(yaml)
        && let Some(rest) = yaml.get(start..).filter(|rest| rest.starts_with([' ', '\t']))
    {
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let is_tab = rest.get(..blanks).is_some_and(|blanks| blanks.contains('\t'));
        let found = if is_tab { "a tab" } else { "indentation" };
        let message = format!("invalid YAML: {found} before the first key, expected the key at the start of its line");
        let help = "remove the indentation, or add the parent key above, such as `meta:`";
        return Problem::new(Fault::Yaml, Span::new(start, start + blanks), message, found, help);
    }
    let message = format!("invalid YAML: {}", error.message);
    Problem::new(Fault::Yaml, error.span, message, "the parser stopped here", error.help)
}

/// Where the YAML of `text` is: in the front matter, if this has what the name says and no block of YAML has it.
fn block_of(text: &str, named: Named) -> Block {
    let block = Block::of(text);
    let is_meant = |yaml: Span| detect::of_text(yaml.of(text), named).is_some_and(|kind| named.allows(kind));
    match front_matter(text).filter(|front| is_meant(*front)) {
        Some(front) if block.yaml.len() == text.len() || !is_meant(block.yaml) => Block::only(front),
        // Both say what the file says.
        Some(front) => Block { second: block.second.or_else(|| first_said(text, front)), ..block },
        None => block,
    }
}

/// The first line of `yaml` in `text` that is not empty.
fn first_said(text: &str, yaml: Span) -> Option<Span> {
    lines(text, yaml).map(|line| line.trim(text)).find(|line| !line.of(text).is_empty())
}

/// Where the first line of `yaml` begins that is neither empty nor a comment.
fn first_line(yaml: &str) -> Option<usize> {
    let mut lines = lines(yaml, Span::new(bom_len(yaml), yaml.len()));
    let line = lines.find(|line| !matches!(line.of(yaml).trim_start().bytes().next(), None | Some(b'#')))?;
    Some(line.start())
}

/// Declares a method for each kind: the content, if it is of that kind.
macro_rules! contents {
    ($($method:ident: $variant:ident($type:ty),)*) => {
        impl SessionFile {
            $(
                #[doc = concat!("The content, if it is `Content::", stringify!($variant), "`.")]
                pub fn $method(&self) -> Option<&$type> {
                    if let Some(Content::$variant(content)) = &self.content { Some(content) } else { None }
                }
            )*
        }
    };
}

contents! {
    status: Status(Status),
    plan: Plan(Plan),
    progress: Progress(Progress),
    message: Message(Message),
    broadcast: Broadcast(Broadcast),
    error: Error(ErrorReport),
    metrics: Metrics(Metrics),
    lock: Lock(Lock),
}
