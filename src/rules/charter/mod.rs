//! Charters, `agents/*/charter.md`, compared with the profile `squad-charter/v0.1`. One validator finds all problems; each rule
//! reports some of its codes.

use crate::diagnostic::{Applicability, Edit, Finding, Severity};
use crate::formats::charter::canonical::canonical;
use crate::formats::charter::validate::mismatch;
use crate::formats::charter::{Charter, Code, Problem};
use crate::rule::{Context, Sink};
use crate::text::Span;

crate::family! {
    empty
    missing_title
    title_form
    second_title
    duplicate_field
    duplicate_section
    duplicate_extension
    invalid_id
    id_mismatch
    empty_field
    invalid_option
    missing_section
    missing_purpose
    legacy_heading
    legacy_field
    extension_name
    section_order
}

/// Reports the problems of a charter under `codes`: its warnings only if the configuration names the profile.
fn report(codes: &[Code], context: &Context<'_>, sink: &mut Sink<'_>) {
    let document = context.document;
    let Some(charter) = document.body::<Charter>() else { return };
    let has_profile = context.options.charter.profile.is_some();
    let is_wanted = |problem: &&Problem| {
        codes.contains(&problem.code) && (has_profile || problem.code.severity() == Severity::Error)
    };
    // An ID in the wrong form is one defect, whatever the folder is called.
    let is_id = !charter.problems.iter().any(|problem| problem.code == Code::InvalidId);
    let of_path =
        (is_id && codes.contains(&Code::IdMismatch)).then(|| mismatch(document.text(), charter, document.path()));
    let of_path = of_path.flatten();
    let mut problems = charter.problems.iter().chain(&of_path).filter(is_wanted).peekable();
    if problems.peek().is_none() {
        return;
    }
    let repair = codes.iter().any(|code| is_repaired(*code)).then(|| Repair::of(document.text(), charter)).flatten();
    for problem in problems {
        sink.report(finding(problem, repair.as_ref()));
    }
}

fn finding(problem: &Problem, repair: Option<&Repair>) -> Finding {
    let message = problem.message.as_str();
    let finding = problem.span.map_or_else(|| Finding::whole_file(message), |span| Finding::at(span, message));
    let mut finding =
        finding.standard(problem.code.as_str()).at_most(problem.code.severity()).help(problem.help.as_str());
    if let Some(first) = problem.first {
        finding = finding.related(first, "first one");
    }
    match repair.filter(|repair| repair.solves(problem)) {
        Some(repair) => finding.fix(Applicability::Unsafe, [Edit::replace(repair.span, repair.text.as_str())]),
        None => finding,
    }
}

/// Whether the canonical form of a charter can do without such a problem.
fn is_repaired(code: Code) -> bool {
    matches!(
        code,
        Code::TitleForm | Code::MissingSection | Code::LegacyHeading | Code::LegacyField | Code::SectionOrder
    )
}

/// The canonical form of a charter.
struct Repair {
    /// All of its text.
    span: Span,
    /// The new text.
    text: String,
    /// The problems that are left.
    left: Vec<Problem>,
}

impl Repair {
    /// That of `charter`, which was read from `text`; `None` if it stays as it is.
    fn of(text: &str, charter: &Charter) -> Option<Self> {
        let new = canonical(text, charter).ok().flatten()?;
        let left = Charter::parse(&new).problems;
        Some(Self { span: Span::new(0, text.len()), text: new, left })
    }

    /// Whether `problem` is not among those that are left.
    fn solves(&self, problem: &Problem) -> bool {
        !self.left.iter().any(|left| left.code == problem.code && left.message == problem.message)
    }
}
