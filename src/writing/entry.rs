//! The text of a new entry.

use std::fmt::Write as _;

use super::open_block::OpenBlock;
use crate::formats::entries::{self, Block};
use crate::formats::sem::{End, EntryType, FieldName};
use crate::formats::timestamp::Timestamp;
use crate::text::Span;

/// A new entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// Its type.
    pub kind: EntryType,
    /// Its timestamp.
    pub at: Timestamp,
    /// Who made it.
    pub author: String,
    /// What it says, in a sentence.
    pub summary: String,
    /// Who should read it; by default what the type says.
    pub scope: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The entry that it replaces.
    pub supersedes: Option<Timestamp>,
    /// When it stops to apply.
    pub expires: Option<Timestamp>,
    /// The full text, as Markdown.
    pub details: String,
    /// Why, as Markdown.
    pub rationale: Option<String>,
    /// What it refers to, such as `issue: #18`.
    pub related: Vec<String>,
}

/// Why what is given would not be read as the one entry that it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum Misread {
    /// A value contains a line break or another control character.
    #[error("`{option}` contains {what}")]
    #[diagnostic(help("write it on one line, without control characters"))]
    Control {
        /// The option.
        option: &'static str,
        /// `a line break` or `a control character`.
        what: &'static str,
    },
    /// A value says nothing.
    #[error("`{option}` is empty")]
    Empty {
        /// The option.
        option: &'static str,
    },
    /// A value would be read as another one.
    #[error("`{option}` would be read as `{read}`")]
    #[diagnostic(help("write it without characters that have a meaning in an entry"))]
    Other {
        /// The option.
        option: &'static str,
        /// What readers would find.
        read: String,
    },
    /// The text never closes something.
    #[error("{text}: {open}")]
    #[diagnostic(help("close it: otherwise everything after the entry becomes part of the entry"))]
    Open {
        /// `the text of the entry` or `--rationale`.
        text: &'static str,
        /// What it does not close.
        open: OpenBlock,
    },
    /// The text has something that ends the entry, or begins another one.
    #[error("the text would not be read as one entry")]
    #[diagnostic(help("remove `---` lines and entry headings"))]
    Text,
}

impl NewEntry {
    /// The entry as text, with `\n` at the ends of its lines.
    ///
    /// # Errors
    /// [`Misread`] if readers would take it for another one.
    pub fn text(&self) -> Result<String, Misread> {
        self.check()?;
        let Self { kind, at, author, summary, .. } = self;
        let kind_word = kind.as_str();
        let mut text = format!("### {at}: {kind_word}: {summary}\n\n");
        let mut field = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "**{name}:** {value}  ");
        };
        field("type", kind_word);
        field("timestamp", &at.to_string());
        field("author", author);
        if let Some(scope) = &self.scope {
            field("scope", scope);
        }
        if !self.tags.is_empty() {
            field("tags", &self.tags.join(", "));
        }
        if let Some(at) = self.supersedes {
            field("supersedes", &at.to_string());
        }
        if let Some(at) = self.expires {
            field("expires", &at.to_string());
        }
        let _ = writeln!(text, "\n**summary:** {summary}\n");
        let details = self.details.replace("\r\n", "\n");
        let details = details.trim();
        if details.starts_with("**details:**") || details.starts_with("**rationale:**") {
            let _ = writeln!(text, "{details}\n");
        } else if !details.is_empty() {
            let _ = writeln!(text, "**details:**\n\n{details}\n");
        }
        if let Some(rationale) = &self.rationale {
            let _ = writeln!(text, "**rationale:** {}\n", rationale.trim());
        }
        if !self.related.is_empty() {
            let items: String = self.related.iter().map(|item| format!("- {item}\n")).collect();
            let _ = writeln!(text, "**related:**\n{items}");
        }
        text.push_str("---\n");
        self.read_back(&text)?;
        Ok(text)
    }

    /// What is wrong with a value by itself.
    fn check(&self) -> Result<(), Misread> {
        let one = |option, value: &'_ String| (option, value.clone());
        let names = [one("--author", &self.author), one("--summary", &self.summary)];
        let names = names.into_iter().chain(self.scope.iter().map(|scope| one("--scope", scope)));
        let names = names.chain(self.tags.iter().map(|tag| one("--tag", tag)));
        for (option, value) in names.chain(self.related.iter().map(|item| one("--related", item))) {
            let is_line_end = |c: char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
            if value.contains(is_line_end) {
                return Err(Misread::Control { option, what: "a line break" });
            }
            if value.contains(char::is_control) {
                return Err(Misread::Control { option, what: "a control character" });
            }
            if value.trim().is_empty() {
                return Err(Misread::Empty { option });
            }
        }
        let rationale = self.rationale.as_deref().unwrap_or_default();
        for (text, value) in [("the text of the entry", &*self.details), ("--rationale", rationale)] {
            if let Some(open) = OpenBlock::find(value) {
                return Err(Misread::Open { text, open });
            }
        }
        Ok(())
    }

    /// Whether a reader finds this entry in `text`, and nothing else.
    fn read_back(&self, text: &str) -> Result<(), Misread> {
        let parsed = entries::parse(text);
        let mut blocks = parsed.blocks();
        let (Some(Block::Sem(spans)), None) = (blocks.next(), blocks.next()) else { return Err(Misread::Text) };
        let entry = parsed.sem(text).next().ok_or(Misread::Text)?;
        let same = |option, read: &str, value: &str| {
            if read == value { Ok(()) } else { Err(Misread::Other { option, read: read.to_owned() }) }
        };
        same("--summary", entry.header().summary.of(text), &self.summary)?;
        same("--author", entry.author().unwrap_or_default(), &self.author)?;
        let scope = entry.value(FieldName::Scope).map(str::trim).unwrap_or_default();
        same("--scope", scope, self.scope.as_deref().unwrap_or_default())?;
        let is_whole = matches!(spans.end, End::Rule(_))
            && spans.span == Span::new(0, text.len())
            && entry.header().defect.is_none()
            && entry.timestamp() == Some(self.at)
            && entry.entry_type() == Some(self.kind);
        if is_whole { Ok(()) } else { Err(Misread::Text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(details: &str) -> NewEntry {
        NewEntry {
            kind: EntryType::Decision,
            at: Timestamp::read("2026-02-15T14:32:15-0800").unwrap(),
            author: "Verbal".into(),
            summary: "Agents choose their models".into(),
            scope: Some("team".into()),
            tags: vec!["model".into(), "cost".into()],
            supersedes: Timestamp::read("2026-02-14T14:32:15-0800"),
            expires: None,
            details: details.into(),
            rationale: Some("It costs less.".into()),
            related: vec!["issue: #18".into()],
        }
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let expected = "### 2026-02-15T14:32:15-0800: decision: Agents choose their models\n\n**type:** decision  \n\
            **timestamp:** 2026-02-15T14:32:15-0800  \n**author:** Verbal  \n**scope:** team  \n**tags:** model, cost  \n\
            **supersedes:** 2026-02-14T14:32:15-0800  \n\n**summary:** Agents choose their models\n\n**details:**\n\n- A small one \
            merges.\n\n**rationale:** It costs less.\n\n**related:**\n- issue: #18\n\n---\n";
        assert_eq!(entry("- A small one merges.\n").text().unwrap(), expected);
        for details in ["a\n\n---\n\nb", "```\nopen", "### 2026-02-15T14:32:15-0800: decision: Two"] {
            assert!(entry(details).text().is_err(), "{details}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |entry: NewEntry| entry.text().unwrap_err().to_string();
        let with = || entry("");
        assert_eq!(said(NewEntry { author: "a\n**type:** note".into(), ..with() }), "`--author` contains a line break");
        assert_eq!(said(NewEntry { tags: vec!["a".into(), "b\r".into()], ..with() }), "`--tag` contains a line break");
        assert_eq!(
            said(NewEntry { related: vec!["issue: \u{1b}[1m".into()], ..with() }),
            "`--related` contains a control character"
        );
        assert_eq!(said(NewEntry { scope: Some("team\u{2028}".into()), ..with() }), "`--scope` contains a line break");
        assert_eq!(said(NewEntry { summary: " ".into(), ..with() }), "`--summary` is empty");
        let open = "the text of the entry: the code fence that begins on line 3 is never closed";
        assert_eq!(said(entry("a\n\n```\nb\n")), open);
        assert_eq!(said(entry("a\n\n---\n\nb\n")), "the text would not be read as one entry");
    }
}
