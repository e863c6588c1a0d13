//! The parts of a charter.

use super::problem::Problem;
use super::section::{FieldName, SectionKind, SectionName};
use crate::text::Span;

/// The only profile that is known.
pub const PROFILE: &str = "squad-charter/v0.1";

/// The parts of a charter, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Charter {
    /// The headings of the first level: one, `# Keaton — Lead`.
    pub titles: Vec<Heading>,
    /// The sections: `## Identity`.
    pub sections: Vec<Section>,
    /// The fields that the profile knows: ``- **ID:** `keaton` ``.
    pub fields: Vec<Field>,
    /// What is wrong, whatever the path of the file.
    pub problems: Vec<Problem>,
}

/// A heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The line, without its line end.
    pub line: Span,
    /// Where the next line starts.
    pub next: usize,
    /// The text of the heading, without the `#`: `Identity`.
    pub name: Span,
}

/// A section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its heading.
    pub heading: Heading,
    /// What the profile knows about it.
    pub kind: SectionKind,
    /// Where the next section starts, or the end of the text.
    pub end: usize,
}

impl Section {
    /// The text below the heading.
    pub fn body(&self) -> Span {
        Span::new(self.heading.next, self.end)
    }
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Which one.
    pub name: FieldName,
    /// From the first `*` of `**Label:**` to its last.
    pub label: Span,
    /// What comes after that, without the blanks around it.
    pub value: Span,
    /// The line, without its line end.
    pub line: Span,
    /// Where the next line starts.
    pub next: usize,
}

impl Charter {
    /// The title.
    pub fn title(&self) -> Option<&Heading> {
        self.titles.first()
    }

    /// The first section of that name, or of an older name for it.
    pub fn section(&self, name: SectionName) -> Option<&Section> {
        self.sections.iter().find(|section| section.kind.name() == Some(name))
    }

    /// The first field of that name.
    pub fn field(&self, name: FieldName) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The ID, without backticks; `None` without the field.
    pub fn id<'t>(&self, text: &'t str) -> Option<&'t str> {
        let value = self.field(FieldName::Id)?.value.of(text);
        let bare = value.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
        Some(bare.unwrap_or(value))
    }
}

/// The two parts of a title `Name — Role`, which an em dash separates; `None` for a title in another form.
pub fn title_parts(title: &str) -> Option<(&str, &str)> {
    split_title(title, &['—'])
}

/// The two parts of a title that one of `dashes` separates, with blanks at both sides.
pub fn split_title<'t>(title: &'t str, dashes: &[char]) -> Option<(&'t str, &'t str)> {
    title.match_indices(dashes).find_map(|(at, dash)| {
        let (name, role) = (title.get(..at)?, title.get(at + dash.len()..)?);
        let separated = name.ends_with(char::is_whitespace) && role.starts_with(char::is_whitespace);
        // Whatever is not blank at both ends of a title is in its parts.
        (separated && at > 0).then(|| (name.trim(), role.trim()))
    })
}

/// The ID that the path of a charter asks for: `keaton` for `.squad/agents/keaton/charter.md`. `None` for a path that says
/// nothing about it.
pub fn id_in_path(path: &[u8]) -> Option<Vec<u8>> {
    let plain: Vec<u8> = path.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect();
    // Two slashes are as good as one, except at the start of a path that is not absolute.
    let is_absolute = plain.first() == Some(&b'/');
    let parts: Vec<&[u8]> = plain.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [b"agents", id, b"charter.md"] if !is_absolute => Some(id.to_vec()),
        [.., b".squad", b"agents", id, b"charter.md"] => Some(id.to_vec()),
        _ => None,
    }
}
