//! Why a conversion is what it is, in words for people and logs.

use std::fmt;

use crate::formats::sem::EntryType;
use crate::terminal::escape;
use crate::text::prose::plural;

/// One reason for a conversion, or against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The date is in the heading.
    DateInHeading(String),
    /// The date is in a field of this name.
    DateInField(String, String),
    /// The date is in the file's name.
    DateInFileName(String),
    /// The commit of this short id added the heading, on this day.
    DateFromCommit(String, String),
    /// The date is that of the section.
    DateOfSection(String),
    /// The date is after the name in the last line.
    DateInSignature(String),
    /// The time is after the author's name.
    TimeOfAuthor(String),
    /// The date is before the repository's first commit, which was on this day.
    BeforeFirstCommit(String),
    /// The date is before the day on which files of the team say that they were created.
    BeforeTeam(String),
    /// The date is after the repository's last commit, which was on this day.
    AfterLastCommit(String),
    /// The entries before and after it are of about this day.
    OtherTime(String),
    /// Nearly all entries of the team are from the one day to the other.
    FarFromTeam(String, String),
    /// The date is after that of the archive, which is of this day.
    AfterArchive(String),
    /// The date is after the commit of this short id, which added the heading on this day.
    AfterItsCommit(String, String),
    /// The commit of this short id added the heading, on this day: the date in the text is not taken.
    CommitInstead(String, String),
    /// The commit of this short id added the heading, on this day: of the date in the text only the year is not taken.
    YearInstead(String, String),
    /// There is no time of day.
    Midnight,
    /// There is a time of day without an offset.
    NoOffset,
    /// There is a time of day without an offset, which is later than the commit of this short id, unless it is of that commit's zone.
    OffsetOfCommit(String, String),
    /// A field has another day than the heading.
    OtherDay(String, String),
    /// The author is in a field of this name.
    AuthorInField(String, String),
    /// A field of this name says who did the work.
    AuthorActed(String, String),
    /// The author is in the heading.
    AuthorInHeading(String),
    /// The author in the title of the entry's section.
    AuthorOfSection(String),
    /// The file is in the folder of this agent.
    AuthorOfFolder(String),
    /// The inbox file's name starts with this author.
    AuthorInFileName(String),
    /// An inbox file of the history, which the entry came from, starts with this author.
    AuthorOfInbox(String, String),
    /// The name is a word that names of files have, such as `api`.
    NameIsWord(String),
    /// The file's name has another member right behind it.
    OtherInFileName(String),
    /// The commit of this short id, by this author, added the heading.
    AuthorFromCommit(String, String),
    /// The author is in the last line.
    AuthorInSignature(String),
    /// The commit of this short id, by someone who is not on the team, added the heading.
    CommitterUnknown(String, String),
    /// The commit and its author, who collected many entries.
    CommitOfMany(String, String),
    /// The first of several authors; the others are contributors.
    SeveralAuthors,
    /// The one who asked for it.
    AuthorAsked(String),
    /// The author perhaps only recorded it.
    OnlyRecorded,
    /// Nothing says that the author is on the team.
    UnknownMember,
    /// One more field for the author names someone else.
    OtherField,
    /// The author perhaps only did the work.
    OnlyDid,
    /// The date is where few entries have theirs.
    UnusualPlace,
    /// Words of the title give the type.
    TypeInTitle(EntryType),
    /// A field of this name gives the type.
    TypeInField(EntryType, String),
    /// Words of the text give the type.
    TypeInText(EntryType, &'static str),
    /// These words speak for the type, and outweigh those against it.
    TypeByWords(EntryType, Vec<String>, Vec<String>),
    /// Its state says that it is only proposed: a note.
    OnlyProposed(String),
    /// These words may say that it is only proposed.
    PerhapsOpen(String),
    /// These words speak against the type.
    Against(EntryType, Vec<String>),
    /// The title of a note calls it a decision.
    CalledDecision,
    /// No label of the entry names the type.
    NoLabel,
    /// It says what to explore: no rule so far.
    ToExplore,
    /// It is a user's answer about one thing.
    AnswersOnce,
    /// The heading of the section gives the type.
    TypeOfSection(EntryType),
    /// The file's part in the team's memory gives the type.
    TypeOfFile(EntryType, &'static str),
    /// The file's name gives the type.
    TypeInFileName(EntryType),
    /// Another entry of this type has that second.
    SecondsCounted(i64),
    /// The title is too long for a header.
    TitleShortened,
    /// The heading has more than one day.
    TitleWithoutRange,
    /// The title names the type or the date alone; the header has the first sentence.
    TitleFromText,
    /// Bare `---` lines in the body became `***`.
    RulesReplaced(usize),
    /// Headings in the body were lowered below the header's level.
    HeadingsLowered(usize),
    /// Lines of the body that would be fields were indented by one blank.
    LabelsIndented(usize),
    /// No date that can be trusted.
    NoDate,
    /// The date is more than one day, or damaged.
    UnclearDate(String),
    /// No author.
    NoAuthor,
    /// The value of the author is not a name.
    UnclearAuthor(String),
    /// Nothing says which type it is.
    NoType,
    /// These words speak for a decision, those for a note, and neither outweigh the others.
    AmbiguousType(Vec<String>, Vec<String>),
    /// An entry beside it has the same shape and this type, by its heading.
    TwinDiffers(EntryType, String),
    /// This title, its own or that of its section, says what is recommended.
    Recommended(String),
    /// The history of an agent also tells of others.
    ToldByOthers,
    /// This heading in it looks like the title of something else.
    SomethingElse(String),
    /// This line, right below a rule, perhaps continues with another entry.
    OfAnother(String),
    /// This line was under that heading of another entry before, by the history.
    WasOf(String, String),
    /// This field in the midst of it has another day.
    OfOtherDay(String),
    /// A heading without a text of its own: often the title of what follows.
    NoText,
    /// No title and no sentence that could be one.
    NoTitle,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The name of the file is a hash of its bytes.
    NamedByHash,
    /// A fence or a comment in the body is never closed.
    OpenBlock,
    /// The file would read differently afterwards.
    WouldMisread,
}

impl Reason {
    /// An obstacle in a few words; `None` for a reason that supports a conversion.
    pub fn obstacle(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoDate => "no date",
            Self::UnclearDate(_) => "unclear date",
            Self::NoAuthor | Self::CommitterUnknown(..) | Self::CommitOfMany(..) => "no author",
            Self::UnclearAuthor(_) => "unclear author",
            Self::NoType | Self::AmbiguousType(..) | Self::Recommended(_) | Self::TwinDiffers(..) => "ambiguous type",
            Self::SomethingElse(_) | Self::OfAnother(_) | Self::OfOtherDay(_) | Self::WasOf(..) => {
                "perhaps more than one entry"
            }
            Self::NoText => "no text",
            Self::NoTitle => "no title",
            Self::NotUtf8 => "not UTF-8",
            Self::NamedByHash => "a file named by its hash",
            Self::OpenBlock => "an open fence or comment",
            Self::WouldMisread => "would be misread",
            _ => return None,
        })
    }
}

impl Reason {
    /// Whether it says why a type that was found is not certain.
    pub(super) fn is_doubt(&self) -> bool {
        matches!(
            self,
            Self::OnlyProposed(_)
                | Self::PerhapsOpen(_)
                | Self::Against(..)
                | Self::CalledDecision
                | Self::NoLabel
                | Self::ToExplore
                | Self::AnswersOnce
        )
    }
}

/// Words in backticks, or that there are none.
fn quoted(words: &[String]) -> String {
    match words {
        [] => "nothing".to_owned(),
        words => words.iter().map(|word| format!("`{}`", escape(word))).collect::<Vec<_>>().join(", "),
    }
}

impl fmt::Display for Reason {
    #[allow(clippy::too_many_lines, reason = "a table")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let q = |text: &str| format!("`{}`", escape(text));
        match self {
            Self::DateInHeading(date) => write!(f, "date {} in the heading", q(date)),
            Self::DateInField(name, date) => write!(f, "date {} in the field {}", q(date), q(name)),
            Self::DateInFileName(date) => write!(f, "date {} in the file's name", q(date)),
            Self::DateFromCommit(id, date) => write!(f, "date {date} of commit {id}, which added the heading"),
            Self::DateOfSection(date) => write!(f, "date {} of the section", q(date)),
            Self::DateInSignature(date) => write!(f, "date {} in the last line", q(date)),
            Self::TimeOfAuthor(time) => write!(f, "time {} behind the author's name", q(time)),
            Self::BeforeFirstCommit(day) => write!(f, "doubtful date: the first commit is of {day}"),
            Self::BeforeTeam(day) => write!(f, "doubtful date: the team's files say `Created: {day}`"),
            Self::AfterLastCommit(day) => write!(f, "doubtful date: the last commit is of {day}"),
            Self::OtherTime(day) => write!(f, "doubtful date: the entries beside it are of about {day}"),
            Self::FarFromTeam(first, last) => {
                write!(f, "doubtful date: nearly all entries of the team are from {first} to {last}")
            }
            Self::AfterArchive(day) => write!(f, "doubtful date: the archive is of {day}"),
            Self::AfterItsCommit(id, day) => {
                write!(f, "doubtful date: commit {id}, which added the heading, is of {day}")
            }
            Self::CommitInstead(id, date) => {
                write!(f, "date {date} of commit {id}, which added the heading, instead")
            }
            Self::YearInstead(id, day) => {
                write!(f, "year of commit {id}, which added the heading on {day}, instead")
            }
            Self::Midnight => f.write_str("no time of day: midnight UTC"),
            Self::NoOffset => f.write_str("no offset from UTC: taken as UTC"),
            Self::OffsetOfCommit(commit, offset) => {
                write!(
                    f,
                    "no offset from UTC: taken as `{offset}`, the offset of commit {commit}: in UTC it would be later than that commit"
                )
            }
            Self::OtherDay(name, date) => write!(f, "the field {} says {}", q(name), q(date)),
            Self::AuthorInField(name, author) => write!(f, "author {} in the field {}", q(author), q(name)),
            Self::AuthorActed(name, author) => {
                write!(f, "author {}: the field {} says who did the work", q(author), q(name))
            }
            Self::AuthorInHeading(author) => write!(f, "author {} in the heading", q(author)),
            Self::AuthorOfSection(author) => write!(f, "author {} in the title of the section", q(author)),
            Self::AuthorOfFolder(author) => write!(f, "author {}: the file is in that agent's folder", q(author)),
            Self::AuthorInFileName(author) => write!(f, "author {} in the inbox file's name", q(author)),
            Self::NameIsWord(name) => write!(f, "{} may be what the file is about", q(name)),
            Self::OtherInFileName(name) => write!(f, "the file's name has {}, too", q(name)),
            Self::AuthorOfInbox(author, path) => {
                write!(f, "author {} in the name of the inbox file {} that it came from", q(author), q(path))
            }
            Self::AuthorFromCommit(id, author) => {
                write!(f, "author {} of commit {id}, which added the heading", q(author))
            }
            Self::AuthorInSignature(author) => write!(f, "author {} at the end of the entry", q(author)),
            Self::CommitterUnknown(id, author) => {
                write!(f, "no author: {}, who made commit {id}, is not on the team", q(author))
            }
            Self::CommitOfMany(id, author) => {
                write!(f, "no author: {} made commit {id}, which collects many entries", q(author))
            }
            Self::SeveralAuthors => f.write_str("several authors: the first one, the others as contributors"),
            Self::AuthorAsked(author) => write!(f, "author {}, who asked for it", q(author)),
            Self::OnlyRecorded => f.write_str("who perhaps only recorded it"),
            Self::UnknownMember => f.write_str("who is perhaps not on the team"),
            Self::OtherField => f.write_str("another field for the author names someone else"),
            Self::OnlyDid => f.write_str("who perhaps only did the work"),
            Self::UnusualPlace => f.write_str("few entries have their date there"),
            Self::TypeInTitle(kind) => write!(f, "type `{}`, from the words of its title", kind.as_str()),
            Self::TypeInField(kind, name) => write!(f, "type `{}`, from its field {}", kind.as_str(), q(name)),
            Self::TypeInText(kind, what) => write!(f, "type `{}`: {what}", kind.as_str()),
            Self::TypeByWords(kind, words, others) => {
                let word = if words.len() == 1 { "the word" } else { "the words" };
                write!(f, "type `{}`, from {word} {}", kind.as_str(), quoted(words))?;
                if others.is_empty() { Ok(()) } else { write!(f, ", against {}", quoted(others)) }
            }
            Self::OnlyProposed(status) => {
                write!(f, "type `note`, from its status {}; it may have been decided since", q(status))
            }
            Self::PerhapsOpen(words) => write!(f, "{}: perhaps it is not decided", q(words)),
            Self::Against(kind, words) => {
                let other = if *kind == EntryType::Note { EntryType::Decision } else { EntryType::Note };
                write!(f, "perhaps a {}: it has {}", other.as_str(), quoted(words))
            }
            Self::CalledDecision => f.write_str("its title calls it a decision"),
            Self::NoLabel => f.write_str("no label in it names its type"),
            Self::ToExplore => f.write_str("it asks to explore something, so it may not be a rule"),
            Self::AnswersOnce => f.write_str("it answers one question, so it may not be a rule"),
            Self::TypeOfSection(kind) => write!(f, "type `{}`, from its section", kind.as_str()),
            Self::TypeOfFile(kind, what) => write!(f, "type `{}`, because it is in {what}", kind.as_str()),
            Self::TypeInFileName(kind) => write!(f, "type `{}`, from the file's name", kind.as_str()),
            Self::SecondsCounted(by) => {
                write!(
                    f,
                    "{} later: another entry has that time",
                    plural(usize::try_from(*by).unwrap_or(usize::MAX), "second")
                )
            }
            Self::TitleShortened => {
                f.write_str("title of more than 120 characters: shortened, with the whole title under `details`")
            }
            Self::TitleWithoutRange => {
                f.write_str("more than one day in the title: shortened, with the whole title under `details`")
            }
            Self::TitleFromText => f.write_str("title names no subject: the first sentence instead"),
            Self::RulesReplaced(count) => {
                write!(f, "{count} `---` in the text written as `***`: it would end the entry")
            }
            Self::HeadingsLowered(count) => {
                write!(f, "{} in the text lowered: the header has level 3", plural(*count, "heading"))
            }
            Self::LabelsIndented(count) => match count {
                1 => f.write_str("1 label in the text indented: it would be a field"),
                _ => write!(f, "{count} labels in the text indented: they would be fields"),
            },
            Self::NoDate => f.write_str("no date"),
            Self::UnclearDate(date) => write!(f, "date {} is perhaps not its day", q(date)),
            Self::NoAuthor => f.write_str("no author"),
            Self::UnclearAuthor(value) => write!(f, "author {} is not a name", q(value)),
            Self::NoType => f.write_str("no evidence for decision, memory, note or directive"),
            Self::AmbiguousType(decision, note) if decision.is_empty() && note.is_empty() => {
                f.write_str("decision or note: the text has no evidence for either")
            }
            Self::AmbiguousType(decision, note) => {
                write!(f, "decision or note: {} against {}", quoted(decision), quoted(note))
            }
            Self::TwinDiffers(kind, heading) => {
                write!(f, "the similar entry {} next to it would become a {}", q(heading), kind.as_str())
            }
            Self::Recommended(title) => write!(f, "{}: perhaps it is only recommended", q(title)),
            Self::ToldByOthers => f.write_str("it describes the work of others"),
            Self::SomethingElse(heading) => write!(f, "{} in it looks like the title of another entry", q(heading)),
            Self::OfAnother(line) => write!(f, "{} right below `---` perhaps continues another entry", q(line)),
            Self::OfOtherDay(line) => write!(f, "{} in it is perhaps of another entry", q(line)),
            Self::WasOf(line, heading) if heading.is_empty() => write!(f, "{} is older than its heading", q(line)),
            Self::WasOf(line, heading) => write!(f, "{} was under {} before", q(line), q(heading)),
            Self::NoText => f.write_str("no text of its own: perhaps a heading for the entries below"),
            Self::NoTitle => f.write_str("no title, and no sentence that could be one"),
            Self::NotUtf8 => f.write_str("it has bytes that are not UTF-8"),
            Self::NamedByHash => f.write_str("the file is named by the hash of its bytes, which would change"),
            Self::OpenBlock => f.write_str("a code fence or a comment in it is never closed"),
            Self::WouldMisread => f.write_str("the converted file would be read differently"),
        }
    }
}
