//! What is wrong with a charter.

use foldhash::{HashMap, HashMapExt};

use super::model::{Charter, Field, Heading, Section, id_in_path, title_parts};
use super::problem::{Code, LineNumbers, Problem};
use super::section::{FieldName, SectionKind, SectionName, is_extension_name, is_id};
use crate::text::suggest::{Tolerance, nearest};
use crate::text::{Span, bom_len};

/// What is wrong, whatever the path of the file: by position, then by code.
pub fn problems(text: &str, charter: &Charter) -> Vec<Problem> {
    let mut validator = Validator { text, charter, found: Vec::new() };
    if text.trim_matches(is_blank).is_empty() {
        validator.report(Code::Empty, None, "empty charter", "write the charter, or delete the file");
        return validator.finish();
    }
    validator.title();
    validator.sections();
    validator.extensions();
    validator.fields();
    validator.identity();
    validator.model();
    validator.finish()
}

/// The difference between the ID and the folder of the file at `path`, if there is one.
pub fn mismatch(text: &str, charter: &Charter, path: &[u8]) -> Option<Problem> {
    let folder = id_in_path(path)?;
    let (field, id) = (charter.field(FieldName::Id)?, charter.id(text)?);
    if id.as_bytes() == folder {
        return None;
    }
    let folder = shortened(&String::from_utf8_lossy(&folder));
    let mut validator = Validator { text, charter, found: Vec::new() };
    let message = format!("ID is {}, but folder is `{}`", quoted(id), folder);
    validator.report(
        Code::IdMismatch,
        field.label,
        message,
        format!("change the ID to `{folder}`, or rename the folder"),
    );
    validator.finish().pop()
}

/// White space, and the byte order mark.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

struct Validator<'a> {
    text: &'a str,
    charter: &'a Charter,
    found: Vec<Problem>,
}

/// Puts `problems` of `text` in their order: by place, then by code. One without a place is at the first character.
pub(super) fn sort(problems: &mut [Problem], text: &str) {
    let first = bom_len(text);
    problems.sort_by_key(|problem| (problem.span.map_or(first, Span::start), problem.code));
}

impl Validator<'_> {
    fn report(
        &mut self,
        code: Code,
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let (span, message, help) = (span.into(), message.into(), help.into());
        self.found.push(Problem { code, span, line: 0, message, help, first: None });
    }

    /// Reports something that repeats `first`.
    fn repeated(&mut self, code: Code, (span, first): (Span, Span), message: impl Into<String>, help: &str) {
        self.report(code, span, message, help);
        if let Some(last) = self.found.last_mut() {
            last.first = Some(first);
        }
    }

    /// The problems in their order, with their lines.
    fn finish(mut self) -> Vec<Problem> {
        sort(&mut self.found, self.text);
        if !self.found.is_empty() {
            let lines = LineNumbers::new(self.text);
            for problem in &mut self.found {
                problem.line = lines.line(problem.span.map_or(0, Span::start));
            }
        }
        self.found
    }

    /// The first character of a heading.
    fn start(heading: &Heading) -> Span {
        Span::new(heading.line.start(), heading.line.start() + 1)
    }

    /// Where something is reported that the title should lead to.
    fn at_title(&self) -> Option<Span> {
        self.charter.title().map(Self::start)
    }

    /// Where a field of `Identity` is reported that is missing.
    fn at_identity(&self) -> Option<Span> {
        let identity = self.charter.section(SectionName::Identity);
        identity.map(|section| Self::start(&section.heading)).or_else(|| self.at_title())
    }

    fn title(&mut self) {
        let Some((title, others)) = self.charter.titles.split_first() else {
            return self.report(Code::MissingTitle, None, "missing title", "add `# Name — Role` as the first line");
        };
        let name = title.name.of(self.text);
        if title_parts(name).is_none() {
            let message = format!("title is {}, expected `Name — Role`", quoted(name));
            self.report(
                Code::TitleForm,
                title.line,
                message,
                "separate the name and the role with ` — `: an em dash with a space on each side",
            );
        }
        for other in others {
            let help = "remove it, or make it a `###` heading inside a section";
            self.repeated(Code::SecondTitle, (other.line, title.line), "charter has a second title", help);
        }
    }

    fn sections(&mut self) {
        let charter = self.charter;
        if charter.section(SectionName::Identity).is_none() {
            let at = self.at_title();
            self.report(
                Code::MissingIdentity,
                at,
                "missing section `Identity`",
                "add `## Identity` with `ID` and `Purpose`",
            );
        }
        for name in [SectionName::Responsibilities, SectionName::NonResponsibilities, SectionName::Collaboration] {
            if charter.sections.iter().any(|section| section.kind == SectionKind::Standard(name)) {
                continue;
            }
            let help = match charter.section(name) {
                Some(legacy) => format!("rename `{}` to `{}`", legacy.heading.name.of(self.text), name.as_str()),
                None => format!("add `## {}`", name.as_str()),
            };
            self.report(Code::MissingSection, self.at_title(), format!("missing section `{}`", name.as_str()), help);
        }
        let mut first: HashMap<SectionName, &Section> = HashMap::new();
        for section in &charter.sections {
            let Some(name) = section.kind.name() else { continue };
            let line = section.heading.line;
            let first = *first.entry(name).or_insert(section);
            if first != section {
                let (own, other) = (section.heading.name.of(self.text), first.heading.name.of(self.text));
                let message = match own.eq_ignore_ascii_case(other) {
                    true => format!("section `{own}` appears twice"),
                    false => format!("`{own}` and `{other}` name the same section"),
                };
                let help = format!("merge the two under `## {}`", name.as_str());
                self.repeated(Code::DuplicateSection, (line, first.heading.line), message, &help);
            }
            if matches!(section.kind, SectionKind::Legacy(_)) {
                let message =
                    format!("legacy heading `{}`, expected `{}`", section.heading.name.of(self.text), name.as_str());
                self.report(Code::LegacyHeading, line, message, format!("rename it to `{}`", name.as_str()));
            }
        }
        self.order();
    }

    fn order(&mut self) {
        let sections = &self.charter.sections;
        if let Some(unknown) = sections.iter().find(|section| section.kind == SectionKind::Unknown) {
            let heading = unknown.heading.name.of(self.text);
            let known = SectionName::ALL.map(SectionName::as_str);
            let help = match nearest(heading, known, Tolerance::Help) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "make it a `###` heading inside a known section such as `Responsibilities`, or rename it as an \
                         extension: `## X-<namespace>-<name>`"
                        .to_owned()
                }
            };
            self.report(Code::SectionOrder, unknown.heading.line, format!("unknown section {}", quoted(heading)), help);
        }
        let standard = sections.iter().filter_map(|section| match section.kind {
            SectionKind::Standard(name) => Some((name, section.heading.line)),
            _ => None,
        });
        let standard: Vec<_> = standard.collect();
        let misplaced = standard.windows(2).find_map(|pair| match pair {
            [(before, _), (name, line)] if name < before => Some((*name, *line, *before)),
            _ => None,
        });
        if let Some((name, line, before)) = misplaced {
            let message = format!("section `{}` comes after `{}`", name.as_str(), before.as_str());
            self.report(Code::SectionOrder, line, message, format!("move it before `{}`", before.as_str()));
        }
    }

    fn extensions(&mut self) {
        let mut first: HashMap<String, (Span, &str)> = HashMap::new();
        let charter = self.charter;
        for section in charter.sections.iter().filter(|section| section.kind == SectionKind::Extension) {
            let (line, name) = (section.heading.line, section.heading.name.of(self.text));
            if let Some((first, own)) = first.get(&name.to_ascii_lowercase()) {
                let ignoring = if *own == name { "" } else { ", ignoring case" };
                let message = format!("extension {} appears twice{ignoring}", quoted(name));
                self.repeated(Code::DuplicateExtension, (line, *first), message, "merge the two, or rename one");
            } else {
                first.insert(name.to_ascii_lowercase(), (line, name));
            }
            if !is_extension_name(name) {
                let message = format!("invalid extension name {}, expected `X-<namespace>-<name>`", quoted(name));
                self.report(
                    Code::ExtensionName,
                    line,
                    message,
                    "rename it, for example to `X-acme-deploy`: a capital `X`, the rest in lower case",
                );
            }
        }
    }

    fn fields(&mut self) {
        let charter = self.charter;
        let mut first: HashMap<FieldName, &Field> = HashMap::new();
        for field in &charter.fields {
            let name = field.name.as_str();
            let first = *first.entry(field.name).or_insert(field);
            if first != field {
                let message = format!("field `{name}` appears twice");
                self.repeated(Code::DuplicateField, (field.label, first.label), message, "keep one of the two");
            }
            if field.name.is_legacy() {
                let help = match field.name {
                    FieldName::Name => "remove it: the name is in the title",
                    FieldName::Role => "remove it: the role is in the title",
                    FieldName::Fallback => "remove it: the coordinator chooses what to fall back to",
                    _ => "move it into `Purpose`, or into a section",
                };
                self.report(Code::LegacyField, field.label, format!("legacy field `{name}`"), help);
            }
        }
    }

    fn identity(&mut self) {
        match (self.charter.field(FieldName::Id), self.charter.id(self.text)) {
            (Some(field), Some(id)) if !is_id(id) => {
                let message = match id {
                    "" => "empty field `ID`".to_owned(),
                    id => format!("ID {} is not in kebab case", quoted(id)),
                };
                let help = "write the agent's folder name: words of lower-case letters and digits, joined by `-`";
                self.report(Code::InvalidId, field.label, message, help);
            }
            (Some(_), _) => {}
            (None, _) => {
                let help = "add a line `- **ID:** NAME`, where NAME is the name of the agent's folder, in backticks";
                self.report(Code::MissingId, self.at_identity(), "missing field `ID`", help);
            }
        }
        match self.charter.field(FieldName::Purpose) {
            Some(field) if field.value.is_empty() => self.empty(Code::EmptyPurpose, field),
            Some(_) => {}
            None => {
                let help = "add `- **Purpose:** …`, one line on what the agent is for";
                self.report(Code::MissingPurpose, self.at_identity(), "missing field `Purpose`", help);
            }
        }
    }

    fn model(&mut self) {
        let charter = self.charter;
        if let Some(field) = charter.field(FieldName::Preferred).filter(|field| field.value.is_empty()) {
            self.empty(Code::EmptyPreferred, field);
        }
        for (name, code) in
            [(FieldName::ReasoningEffort, Code::InvalidEffort), (FieldName::ContextTier, Code::InvalidTier)]
        {
            let (Some(field), Some(options)) = (charter.field(name), name.options()) else { continue };
            let value = field.value.of(self.text);
            if options.iter().any(|option| option.eq_ignore_ascii_case(value)) {
                continue;
            }
            let found = match value {
                "" => format!("empty field `{}`", name.as_str()),
                value => format!("unknown {} {}", name.as_str().to_lowercase(), quoted(value)),
            };
            let listed: Vec<String> = options.iter().map(|option| format!("`{option}`")).collect();
            let help = match nearest(value, options.iter().copied(), Tolerance::Help) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "use one of these, or remove the field".to_owned(),
            };
            self.report(code, field.label, format!("{found}, expected one of {}", listed.join(", ")), help);
        }
    }

    fn empty(&mut self, code: Code, field: &Field) {
        let name = field.name.as_str();
        let help = format!(
            "write a value after `**{name}:**`{}",
            if code == Code::EmptyPreferred { ", such as `auto`" } else { "" }
        );
        self.report(code, field.label, format!("empty field `{name}`"), help);
    }
}

/// A text of the file in backticks, not too long for a message.
fn quoted(text: &str) -> String {
    format!("`{}`", shortened(text))
}

/// The most characters of the file that a message repeats.
const SHOWN: usize = 60;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
