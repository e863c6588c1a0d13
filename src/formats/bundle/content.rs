//! What in the texts of a bundle belongs to a project.

use super::heading::{PROJECT_CONTEXT, headings};
use crate::formats::markdown::{self, MarkKind};
use crate::text::Span;

/// The sections `## Project Context` of `text`, each up to the next heading that is as high, or to the end. The heading is the
/// first line.
pub fn project_context(text: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut open = None;
    for heading in headings(text).into_iter().filter(|heading| heading.level <= 2) {
        if let Some(start) = open.take() {
            found.push(Span::new(start, heading.span.start()));
        }
        open = heading.is_called(text, PROJECT_CONTEXT).then_some(heading.span.start());
    }
    found.extend(open.map(|start| Span::new(start, text.len())));
    found
}

/// `text` without the sections `## Project Context`.
pub fn without_project_context(text: &str) -> String {
    let mut rest = String::with_capacity(text.len());
    let mut at = 0;
    for section in project_context(text) {
        rest.push_str(text.get(at..section.start()).unwrap_or_default());
        at = section.end();
    }
    rest.push_str(text.get(at..).unwrap_or_default());
    rest
}

/// A part of a text with its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The line of the heading; empty for the text before the first one.
    pub heading: Span,
    /// All of it, the heading included.
    pub span: Span,
}

/// The parts of `text`, each from a heading of any level to the next one. Together they are the whole text.
pub fn headed(text: &str) -> Vec<Section> {
    let headings = markdown::scan(text).marks.into_iter().filter(|mark| matches!(mark.kind, MarkKind::Heading(_)));
    let mut sections = vec![Section { heading: Span::at(0), span: Span::at(0) }];
    for heading in headings.map(|mark| mark.line) {
        if let Some(last) = sections.last_mut() {
            last.span.end = heading.start;
        }
        sections.push(Section { heading, span: heading });
    }
    if let Some(last) = sections.last_mut() {
        last.span = Span::new(last.span.start(), text.len());
    }
    sections.retain(|section| !section.span.is_empty());
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_on_the_project() {
        let text = "# Team\n\n## Project Context\n\n- a\n\n### More\n\n## Members\n\nx\n\n## project context\nb";
        let found: Vec<_> = project_context(text).iter().map(|span| span.of(text)).collect();
        assert_eq!(found, ["## Project Context\n\n- a\n\n### More\n\n", "## project context\nb"]);
        assert!(project_context("```\n## Project Context\n```\n").is_empty());
        for heading in
            ["## Project Context:", "## **Project  context**", "Project Context\n---", "# 📋 Project Context"]
        {
            let text = format!("# Team\n\n{heading}\n\n- a\n\n## Members\n");
            let found: Vec<_> = project_context(&text).iter().map(|span| span.of(&text).to_owned()).collect();
            assert_eq!(found, [format!("{heading}\n\n- a\n\n")], "{heading}");
        }
    }
}
