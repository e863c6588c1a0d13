//! Where a comment goes that silences a finding.

use super::has_hash_comments;
use crate::formats::markdown;
use crate::text::{Source, Span, bom_len, line_end};

/// Where a comment goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a line above the finding.
    Above,
    /// The same in front matter, where it is a comment of YAML.
    InFrontMatter,
    /// At the top of the file.
    Top,
    /// Below the front matter that the file begins with: above it, the front matter would be text.
    BelowFrontMatter,
}

/// Where a comment goes that silences a finding at `span` of `source`; `None` if the file has no comments.
pub fn place_of(source: &Source, span: Option<Span>) -> Option<Place> {
    let (path, text) = (source.path(), source.text());
    if has_hash_comments(path) {
        return Some(if span.is_some() { Place::Above } else { Place::Top });
    }
    if !path.to_ascii_lowercase().ends_with(b".md") {
        return None;
    }
    let (first, _) = line_end(text.as_bytes(), 0);
    let is_opening = |span: Span| span.start() <= first && Span::new(bom_len(text), first).of(text).trim_end() == "---";
    Some(match (span, markdown::front_matter(text)) {
        (Some(span), Some(yaml)) if span.start() >= yaml.end() => Place::Above,
        (Some(span), Some(_)) if span.start() > first => Place::InFrontMatter,
        (_, Some(_)) => Place::BelowFrontMatter,
        (Some(span), None) if !is_opening(span) => Place::Above,
        _ => Place::Top,
    })
}
