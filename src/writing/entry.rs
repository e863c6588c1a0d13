//! The text of a new entry.

use std::fmt::Write as _;

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

/// The text would not be read as the one entry that it is: it has a line `---`, a heading of an entry or an open code fence, or a name
/// has more than one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misread;

impl NewEntry {
    /// The entry as text, with `\n` at the ends of its lines.
    ///
    /// # Errors
    /// [`Misread`] if readers would take it for another one.
    pub fn text(&self) -> Result<String, Misread> {
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
        if self.is_read_from(&text) { Ok(text) } else { Err(Misread) }
    }

    /// Whether a reader finds this entry in `text`, and nothing else.
    fn is_read_from(&self, text: &str) -> bool {
        let parsed = entries::parse(text);
        let mut blocks = parsed.blocks();
        let (Some(Block::Sem(spans)), None) = (blocks.next(), blocks.next()) else { return false };
        let Some(entry) = parsed.sem(text).next() else { return false };
        matches!(spans.end, End::Rule(_))
            && spans.span == Span::new(0, text.len())
            && entry.header().defect.is_none()
            && entry.timestamp() == Some(self.at)
            && entry.entry_type() == Some(self.kind)
            && entry.author() == Some(self.author.as_str())
            && entry.header().summary.of(text) == self.summary
            && entry.value(FieldName::Scope).map(str::trim) == self.scope.as_deref()
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
            assert_eq!(entry(details).text(), Err(Misread), "{details}");
        }
        assert_eq!(NewEntry { author: "a\n**type:** note".into(), ..entry("") }.text(), Err(Misread));
    }
}
