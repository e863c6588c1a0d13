//! What the rules of this family share.

use crate::dialects::Syntax;
use crate::formats::json::{literals, unquote};
use crate::rule::Document;
use crate::text::Span;

/// Calls `look` with each text of `document`, and with where a part of it is in the file: all of a file of Markdown or YAML, and each
/// string of one of JSON, as programs read it. What rules look at as at a file of its own is left out.
pub(super) fn texts(document: &Document, mut look: impl FnMut(&str, &dyn Fn(Span) -> Span)) {
    if document.kind().syntax != Syntax::Json {
        return look(document.text(), &|span| span);
    }
    let own = document.embedded_literals();
    for literal in literals(document.text()).filter(|literal| own.binary_search(literal).is_err()) {
        let (text, places) = unquote(literal.of(document.text()), literal.start());
        look(&text, &|span| places.span(span.start(), span.end()));
    }
}
