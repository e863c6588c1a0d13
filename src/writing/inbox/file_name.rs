//! What the name of a file of the inbox says of its entries: `2026-02-14-ripley-use-postgres.md`. In a ledger nothing else would.

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use crate::convert::{Confidence, EntryFile, Reason, Subject, kind, when, who};
use crate::dialects::squad;
use crate::facts::squads;
use crate::formats::legacy;
use crate::formats::markdown::{self, MarkKind};
use crate::formats::roster::{Team, author_names, same};
use crate::formats::sem::EntryType;

/// The names of a team.
#[derive(Debug, Default)]
pub(super) struct Names {
    agents: BTreeSet<String>,
    humans: BTreeSet<String>,
    /// Those of `team.md`, as they are there.
    spelled: Vec<String>,
}

impl Names {
    pub(super) fn of(members: &squads::Squad, team: &Team) -> Self {
        let spelled = team.rows.iter().map(|row| &row.name.value).chain(&team.humans);
        Self {
            agents: members.agents.iter().map(str::to_owned).collect(),
            humans: members.humans.iter().map(str::to_owned).collect(),
            spelled: spelled.map(|name| name.trim_matches('@').to_owned()).collect(),
        }
    }

    /// Whether nothing says who is on the team.
    pub(super) fn has_no_members(&self) -> bool {
        self.agents.is_empty() && self.humans.is_empty()
    }

    fn spelled<'n>(&'n self, name: &'n str) -> &'n str {
        self.spelled.iter().find(|known| same(known, name)).map_or(name, String::as_str)
    }
}

/// The section of an entry in its file.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    /// Its date, where the entry itself has none.
    pub(super) date: Option<String>,
    /// The place of its title among the parts of the file.
    pub(super) title: Option<usize>,
}

/// A file of the inbox.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileName<'a> {
    /// Its path inside the state root.
    pub(super) inner: &'a BStr,
    pub(super) team: &'a Names,
    /// Whether it is only asked whose the entry is: of several texts, the day and the type may be those of any.
    pub(super) is_author_only: bool,
}

impl FileName<'_> {
    /// What it says of one of several texts, or of the only one.
    pub(super) fn of_one(self, is_one_of_several: bool) -> Self {
        Self { is_author_only: is_one_of_several, ..self }
    }

    /// `text`, an older entry or a text that becomes one, with fields for what readers know of it from the file's name alone, and for the
    /// date of its section. Below the title of a section it gets its date as a field if it has no other one: a title right behind another
    /// entry is known by that.
    pub(super) fn completed(&self, text: &str, around: &Around) -> String {
        let place = EntryFile {
            file_kind: &squad::INBOX,
            inner: self.inner,
            agents: &self.team.agents,
            humans: &self.team.humans,
            lifetime: None,
            usual: None,
            created: None,
        };
        let entries = squad::INBOX.entries(text);
        if let Some(subject) = Subject::all(text, &entries, place).first() {
            return with_fields(text, &self.fields(*subject, around), first_field(text, subject.fields()));
        }
        if entries.sem(text).next().is_some() || !is_one(text) {
            return text.to_owned();
        }
        // A field makes the text an entry; this one is about none of what is asked.
        let entry = with_fields(text, &[("Reviewer", "somebody".to_owned())], None);
        let entries = squad::INBOX.entries(&entry);
        match Subject::all(&entry, &entries, place).first() {
            Some(subject) => with_fields(text, &self.fields(*subject, around), None),
            None => text.to_owned(),
        }
    }

    /// What readers know of an entry from the name or the section alone, and show.
    fn fields(&self, subject: Subject<'_>, around: &Around) -> Vec<(&'static str, String)> {
        let (when, kind) = (when::infer(subject, None), kind::infer(subject));
        let who = who::infer(subject, kind.value, None);
        let is_named = who.reasons.iter().any(|reason| matches!(reason, Reason::AuthorInFileName(_)));
        let by = who::stated(&who, &subject.place).filter(|_| is_named);
        let by = by.map(|authors| self.team.spelled(&authors.name).to_owned());
        // `Auditor: Keaton (Lead)` says it as well, and more.
        let in_ledger = subject.in_file(EntryFile { file_kind: &squad::DECISIONS, ..subject.place });
        let said = who::infer(in_ledger, kind.value, None).value;
        let is_said = |name: &String| {
            said.as_ref().is_some_and(|said| author_names(&said.name).iter().any(|one| same(one, name)))
        };
        let by = by.filter(|name| !is_said(name));
        // The section is nearer to it than the name of the file.
        let of_section = around.date.clone().filter(|_| when::infer(in_ledger, None).reasons == [Reason::NoDate]);
        let is_dated = when.reasons.iter().any(|reason| matches!(reason, Reason::DateInFileName(_)));
        let is_day = when.reasons.contains(&Reason::Midnight);
        let signs = legacy::signs(subject.text, subject.entry.heading, subject.body());
        let is_unknown = !(signs.dated || signs.field_date || signs.author || by.is_some());
        let is_wanted = is_dated || around.title.is_some() && is_unknown;
        let at = when.value.filter(|_| is_wanted).map(|at| if is_day { at.day().to_string() } else { at.to_string() });
        let at = of_section.or(at);
        let is_typed = kind.reasons.iter().any(|reason| matches!(reason, Reason::TypeInFileName(_)));
        let kind = kind.value.filter(|_| is_typed && kind.strength == Confidence::High);
        // Coordinators name so what a person asked for, whatever its words say.
        let is_directive = self.inner.rsplit_str("/").next().is_some_and(|name| name.starts_with(b"copilot-directive"));
        let is_said = || kind::infer(in_ledger).value == Some(EntryType::Directive);
        let kind = kind.or_else(|| (is_directive && !is_said()).then_some(EntryType::Directive));
        let (at, kind) = if self.is_author_only { (None, None) } else { (at, kind) };
        let fields = [
            by.map(|name| ("By", name)),
            at.map(|at| ("Date", at)),
            kind.map(|kind| ("Type", kind.as_str().to_owned())),
        ];
        fields.into_iter().flatten().collect()
    }
}

/// Where the line of the first field of an entry begins; `None` if it has none, or they are in a table.
pub(super) fn first_field(text: &str, fields: &[legacy::Field]) -> Option<usize> {
    let name = fields.iter().map(|field| field.name.start()).min()?;
    let start = text.get(..name)?.rfind('\n')? + 1;
    let line = text.get(start..)?;
    (!line.trim_start().starts_with('|')).then_some(start)
}

/// The text of an entry with these fields: before its first field, or else below its heading.
pub(super) fn with_fields(text: &str, fields: &[(&str, String)], first: Option<usize>) -> String {
    let lines: String = fields.iter().map(|(name, value)| format!("**{name}:** {value}\n")).collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    if let Some((before, behind)) = first.and_then(|first| text.split_at_checked(first)) {
        return format!("{before}{lines}{behind}");
    }
    let (heading, rest) = text.split_once('\n').unwrap_or((text, ""));
    match rest.starts_with('\n') || rest.is_empty() {
        true => format!("{heading}\n\n{lines}{rest}"),
        false => format!("{heading}\n{lines}\n{rest}"),
    }
}

/// Whether a text has one heading of the highest level, at its start: of several, the name may mean any.
pub(super) fn is_one(text: &str) -> bool {
    let outline = markdown::scan(text);
    let headings = outline.marks.iter().filter_map(|mark| match mark.kind {
        MarkKind::Heading(level) => Some((mark.line.start(), level)),
        _ => None,
    });
    let mut levels = headings.clone().map(|(_, level)| level);
    let starts = headings.clone().next().is_some_and(|(start, _)| start == 0);
    let first = levels.next();
    starts && levels.all(|level| Some(level) > first)
}
