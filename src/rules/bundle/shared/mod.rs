//! What the rules of this family share.

use crate::diagnostic::Finding;
use crate::formats::bundle::{Bundle, Format, ProblemKind};
use crate::formats::json::unquote;
use crate::formats::manifest::Text;
use crate::rule::{Context, Sink};
use crate::text::Span;

/// Reports what is wrong with the JSON of a bundle in this way.
pub(super) fn report(kind: ProblemKind, context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(bundle) = context.document.body::<Bundle>() else { return };
    for problem in bundle.problems.iter().filter(|problem| problem.kind == kind) {
        let finding = Finding::at(problem.span, &problem.message).label(&problem.label).help(&problem.help);
        sink.report(match problem.related {
            Some((span, label)) => finding.related(span, label),
            None => finding,
        });
    }
}

/// The bundle, if it has the portable format. An export of Squad has what its tool puts in.
pub(super) fn portable<'c>(context: &Context<'c>) -> Option<&'c Bundle> {
    context.document.body::<Bundle>().filter(|bundle| bundle.format == Some(Format::Portable))
}

/// The bytes of the file that represent these `spans` of the text of a JSON string.
pub(super) fn places(context: &Context<'_>, string: &Text, spans: &[Span]) -> Vec<Span> {
    let (_, places) = unquote(string.span.of(context.document.text()), string.span.start());
    spans.iter().map(|span| places.span(span.start(), span.end())).collect()
}
