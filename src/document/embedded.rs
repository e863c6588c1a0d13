//! The files in a file: rules look at a history in a bundle as they look at `history.md`, and their findings are at the bytes
//! of the bundle.

use std::sync::Arc;

use bstr::{BString, ByteSlice};

use super::Document;
use super::outer::Outer;
use crate::diagnostic::{Diagnostic, Edit, Fix, Step};
use crate::formats::json::{Places, unquote};
use crate::select::selected::Selected;
use crate::suppress::{self, Suppression};
use crate::text::{Source, Span};

/// A file in another one, and where its bytes are.
#[derive(Debug)]
pub struct Inner {
    /// The file. Its state root is the path of the outer file, so that it belongs to no team of the repository.
    pub document: Document,
    literal: Span,
    places: Arc<Places>,
}

impl Document {
    /// The files in it.
    pub fn inner(&self) -> impl Iterator<Item = Inner> {
        self.body.embedded().into_iter().map(|embedded| {
            let literal = embedded.literal;
            let (text, places) = unquote(literal.of(self.text()), literal.start());
            let path: BString = [self.path().as_bytes(), b"/", embedded.path.as_bytes()].concat().into();
            let root = self.path().into();
            let file = Selected { path: path.clone(), root, kind: embedded.kind, named: false, ..self.file.clone() };
            let mut document = Self::parse(file, Arc::new(Source::new(path, text.into_bytes())));
            let places = Arc::new(places);
            document.outer = Some(Outer { source: self.source.clone(), places: places.clone() });
            Inner { document, literal, places }
        })
    }

    /// The strings that are files in it, or copies of them, in order.
    pub fn embedded_literals(&self) -> Vec<Span> {
        let mut literals: Vec<Span> = self.body.embedded().into_iter().map(|embedded| embedded.literal).collect();
        literals.extend(self.body.copies());
        literals.sort();
        literals
    }

    /// The comments in the files in it that suppress findings, at the bytes of this one.
    pub(super) fn inner_suppressions(&self) -> Vec<Suppression> {
        if !self.text().contains("squad-lint") {
            return Vec::new();
        }
        let with_comments = self.inner().filter(|inner| inner.document.text().contains("squad-lint"));
        let mut found: Vec<Suppression> = with_comments.flat_map(|inner| inner.suppressions()).collect();
        found.sort_by_key(|suppression| suppression.comment.start);
        found
    }
}

impl Inner {
    /// The bytes of the outer file that represent `span` of the inner one.
    pub fn place(&self, span: Span) -> Span {
        self.places.span(span.start(), span.end())
    }

    /// `found` at the bytes of `outer`; `None` for a finding about yet another file.
    pub fn moved(&self, mut found: Diagnostic, outer: &Document) -> Option<Diagnostic> {
        if found.path != self.document.path() {
            return None;
        }
        outer.path().clone_into(&mut found.path);
        found.span = Some(found.span.map_or(self.quote(), |span| self.place(span)));
        for related in &mut found.related {
            let is_here = related.path.as_ref().is_none_or(|path| path == self.document.path());
            if is_here {
                related.path = None;
                related.span = self.place(related.span);
            }
        }
        // Git knows the outer file alone.
        let (inner, outer) = (self.document.path().to_str_lossy(), outer.path().to_str_lossy());
        for note in &mut found.notes {
            note.text = note.text.replace(&*inner, &outer);
        }
        found.fix = found.fix.and_then(|fix| self.moved_fix(fix));
        Some(found)
    }

    /// The first quote of the string, for a finding about the whole file.
    fn quote(&self) -> Span {
        Span::new(self.literal.start(), self.literal.start() + 1)
    }

    /// `fix` as a fix of the outer file; `None` if it does more than edits.
    fn moved_fix(&self, fix: Fix) -> Option<Fix> {
        let moved = |step: Step| match step {
            Step::Edit(edit) => Some(Step::Edit(Edit::replace(self.place(edit.span), escaped(&edit.content)?))),
            Step::Append { .. } | Step::Create { .. } | Step::Untrack(_) => None,
        };
        let steps = fix.steps.into_iter().map(moved).collect::<Option<Vec<_>>>()?;
        Some(Fix { applicability: fix.applicability, steps })
    }

    fn suppressions(&self) -> Vec<Suppression> {
        let text = self.document.text();
        let mut found = suppress::in_markdown(text, &self.document.entries);
        for one in &mut found {
            // One for a whole file applies to the inner file alone.
            one.target = if one.whole_file { self.literal } else { self.place(one.target) };
            one.whole_file = false;
            for span in one.names.iter_mut().chain([&mut one.comment, &mut one.line, &mut one.reason]) {
                *span = self.place(*span);
            }
            if let Some(problem) = &mut one.problem {
                problem.span = self.place(problem.span);
            }
        }
        found
    }
}

/// `text` as it is written in a JSON string.
fn escaped(text: &str) -> Option<String> {
    let quoted = serde_json::to_string(text).ok()?;
    Some(quoted.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}
