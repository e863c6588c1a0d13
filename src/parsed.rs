//! One file, read and parsed.

use std::sync::Arc;

use bstr::ByteSlice;

use crate::content::Content;
use crate::document::{Before, Document};
use crate::formats::entries::{self, Entries};
use crate::git::lines;
use crate::git::repository::BlobError;
use crate::layout::role::Role;
use crate::select::input::Input;
use crate::select::read_error::ReadError;
use crate::select::selected::{Earlier, Selected};
use crate::text::{MAX_BYTES, Source};
use crate::touched::{Text, Touched};

/// A file that was read and parsed.
#[derive(Debug)]
pub struct Parsed {
    /// Which it is.
    pub file: Selected,
    /// Its text.
    pub source: Arc<Source>,
    /// Its blocks.
    pub entries: Entries,
    /// What it holds beside them.
    pub content: Content,
    /// What it was before the checked change.
    pub before: Option<Before>,
    /// What the change touched; `None` if all of it counts.
    pub touched: Option<Touched>,
}

impl Parsed {
    /// Reads and parses `file`, which may have `cap` bytes at most.
    ///
    /// # Errors
    /// The file again, and why it was not read.
    pub fn read(input: Input<'_>, file: Selected, cap: u64) -> Result<Self, (Selected, ReadError)> {
        let cap = cap.min(MAX_BYTES);
        let bytes = match input.read_selected(&file, cap) {
            Ok(bytes) => bytes,
            Err(reason) => return Err((file, reason)),
        };
        let mut before = match before(input, &file, cap) {
            Ok(before) => before,
            Err(reason) => return Err((file, reason)),
        };
        let source = Arc::new(Source::new(file.path.clone(), bytes));
        let entries = parse(&source, file.role);
        let content = Content::parse(source.text(), file.role);
        let touched = before.as_mut().and_then(|before| {
            let old = before.source.as_ref().filter(|_| file.earlier != Earlier::Nothing)?;
            let hunks = lines::hunks(old.bytes(), source.bytes());
            let lines: Vec<_> = hunks.iter().map(|(_, now)| now.clone()).collect();
            let (entries_before, content_before) = (parse(old, file.role), Content::parse(old.text(), file.role));
            let old = Text { source: old, entries: &entries_before, content: &content_before };
            let touched = Touched::new(Text { source: &source, entries: &entries, content: &content }, old, &lines);
            before.hunks = Some(hunks);
            Some(touched)
        });
        Ok(Self { file, source, entries, content, before, touched })
    }

    /// As rules see it.
    pub fn document(&self) -> Document<'_> {
        Document {
            source: &self.source,
            entries: &self.entries,
            content: &self.content,
            role: self.file.role,
            root: self.file.root.as_bstr(),
            before: self.before.as_ref(),
        }
    }
}

fn parse(source: &Source, role: Role) -> Entries {
    match role {
        role if role.holds_legacy() => entries::parse(source.text()),
        role if role.holds_entries() => entries::parse(source.text()).without_legacy(),
        role if !role.is_markdown() => Entries::default(),
        // Only the outline matters where no entries can be.
        _ => Entries::outline_of(source.text()),
    }
}

fn before(input: Input<'_>, file: &Selected, cap: u64) -> Result<Option<Before>, ReadError> {
    let path = file.path.as_bstr();
    let read =
        |bytes: Vec<u8>| Before { size: bytes.len() as u64, source: Some(Source::new(path, bytes)), hunks: None };
    let (Earlier::Blob(id), Some(git)) = (file.earlier, &input.repository.git) else {
        return Ok((file.earlier == Earlier::Nothing).then(|| read(Vec::new())));
    };
    match git.blob(id, path, cap) {
        Ok(bytes) => Ok(Some(read(bytes))),
        Err(BlobError::TooBig { size, .. }) => Ok(Some(Before { size, source: None, hunks: None })),
        Err(error) => Err(error.into()),
    }
}
