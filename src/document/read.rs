//! Reading a file, and what the change that is checked touched in it.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use bstr::ByteSlice;
use gix::ObjectId;

use super::compare::touched;
use super::touched::Touched;
use super::{Before, Document};
use crate::dialects::governed::AUDIT;
use crate::formats::audit::{Audit, Lines};
use crate::formats::entries::{Entries, Excerpt, Excerpts, Wanted};
use crate::git::lines;
use crate::git::repository::{BlobError, Git};
use crate::select::input::{Input, Mode};
use crate::select::read_error::ReadError;
use crate::select::selected::{Earlier, Selected};
use crate::text::{Gap, MAX_BYTES, Source, Span};

impl Document {
    /// Reads `file`, which may have `cap` bytes at most, as it is now. Its secrets are not known yet.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn source(input: Input<'_>, file: &Selected, cap: u64) -> Result<Arc<Source>, ReadError> {
        let bytes = input.read_selected(file, cap.min(MAX_BYTES))?;
        Ok(Arc::new(Source::unshown(file.path.clone(), bytes)))
    }

    /// Reads those parts of `file`, which may have `cap` bytes at most, that are `wanted`: of a short one, and of one whose parts cannot
    /// be told, all. Its secrets are not known yet.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn source_of(
        input: Input<'_>,
        file: &Selected,
        cap: u64,
        wanted: &dyn Wanted,
    ) -> Result<Arc<Source>, ReadError> {
        let excerpt = match file.kind.holds_entries() {
            true => input.look(file, LONG, cap.min(MAX_BYTES), |file| excerpt(file, wanted))?,
            false => None,
        };
        match excerpt {
            Some(Excerpt { text, gaps }) => Ok(Arc::new(Source::excerpt(file.path.clone(), text, gaps))),
            None => Self::source(input, file, cap),
        }
    }

    /// The same as [`Document::read`], for a document that is not fixed: of a long audit that is checked as it is, it has those lines
    /// that findings point to, and of one to which a change only adds lines, those of them.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read_once(input: Input<'_>, file: &Selected, cap: u64) -> Result<Self, ReadError> {
        if let (true, Earlier::Blob(id)) = (file.kind == &AUDIT, file.earlier)
            && let Some(document) = added(input, file, cap.min(MAX_BYTES), id)?
        {
            return Ok(document);
        }
        if file.kind == &AUDIT && file.earlier == Earlier::Unknown {
            let read = input.look(file, LONG, cap.min(MAX_BYTES), |file| Audit::read(file))?;
            if let Some(Lines { text, gaps, audit }) = read {
                let source = Source::excerpt(file.path.clone(), text, gaps);
                // What is printed is masked by them.
                source.secrets();
                return Ok(Self::of(file.clone(), Arc::new(source), Entries::default(), Box::new(audit)));
            }
        }
        Self::read(input, file, cap)
    }

    /// Reads and parses `file`, which may have `cap` bytes at most.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read(input: Input<'_>, file: &Selected, cap: u64) -> Result<Self, ReadError> {
        let cap = cap.min(MAX_BYTES);
        let bytes = input.read_selected(file, cap)?;
        let mut before = before(input, file, cap)?;
        let mut document = Self::parse(file.clone(), Arc::new(Source::new(file.path.clone(), bytes)));
        let compared = before.as_mut().filter(|_| file.earlier != Earlier::Nothing);
        document.touched = compared.and_then(|before| {
            let old = Self::parse(file.clone(), before.source.clone()?);
            let hunks = lines::hunks(old.source.bytes(), document.source.bytes());
            let lines: Vec<_> = hunks.iter().map(|(_, now)| now.clone()).collect();
            before.hunks = Some(hunks);
            Some(touched(&document, &old, &lines, matches!(input.mode, Mode::WorkTree)))
        });
        document.before = before;
        Ok(document)
    }
}

/// The lines that a change adds at the end of a long audit, whose `file` was the blob `before`. `None` if it does something else.
fn added(input: Input<'_>, file: &Selected, cap: u64, before: ObjectId) -> Result<Option<Document>, ReadError> {
    let long = |git: &&Git| git.blob_len(before).is_some_and(|len| len >= LONG);
    let Some(git) = input.repository.git.as_ref().filter(long) else { return Ok(None) };
    let bytes = input.read_selected(file, cap)?;
    let Some((old, added)) = git.added_to(before, &bytes) else { return Ok(None) };
    let Some(Lines { text, mut gaps, audit }) = Audit::read(added)? else { return Ok(None) };
    let left_out = memchr::memchr_iter(b'\n', old).count();
    for gap in &mut gaps {
        gap.lines += left_out;
    }
    if gaps.first().is_none_or(|gap| gap.at > 0) {
        gaps.insert(0, Gap { at: 0, lines: left_out });
    }
    let all = Span::new(0, text.len());
    let source = Source::excerpt(file.path.clone(), text, gaps);
    source.secrets();
    let mut document = Document::of(file.clone(), Arc::new(source), Entries::default(), Box::new(audit));
    document.before = Some(Before { size: old.len() as u64, source: None, hunks: None });
    document.touched = Some(Touched::of(vec![all]));
    Ok(Some(document))
}

/// A file of so many bytes is not kept whole.
const LONG: u64 = 4 * BLOCK as u64;

/// So many bytes of it are, and what they have of a part that goes on.
const BLOCK: usize = 64 << 10;

/// The parts of `file` that are `wanted`; `None` if only the whole text tells what is in it.
fn excerpt(mut file: &File, wanted: &dyn Wanted) -> io::Result<Option<Excerpt>> {
    let mut excerpts = Excerpts::new(wanted);
    let (mut block, mut len) = (vec![0; BLOCK], 0);
    loop {
        let rest = block.get_mut(len..).unwrap_or_default();
        let count = match file.read(rest) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count?,
        };
        len += count;
        let (is_last, is_full) = (count == 0, len == block.len());
        if !is_last && !is_full {
            continue;
        }
        let bytes = block.get(..len).unwrap_or_default();
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            // The last character goes on.
            Err(error) if error.error_len().is_none() && !is_last => {
                bytes.get(..error.valid_up_to()).and_then(|valid| std::str::from_utf8(valid).ok()).unwrap_or_default()
            }
            Err(_) => return Ok(None),
        };
        let Some(taken) = excerpts.take(text, is_last) else { return Ok(None) };
        if is_last {
            return Ok(Some(excerpts.finish()));
        }
        block.copy_within(taken..len, 0);
        len -= taken;
        if taken == 0 {
            if block.len() >= 16 * BLOCK {
                return Ok(None);
            }
            block.resize(2 * block.len(), 0);
        }
    }
}

fn before(input: Input<'_>, file: &Selected, cap: u64) -> Result<Option<Before>, ReadError> {
    let path = file.path.as_bstr();
    let read = |bytes: Vec<u8>| Before {
        size: bytes.len() as u64,
        source: Some(Arc::new(Source::new(path, bytes))),
        hunks: None,
    };
    let (Earlier::Blob(id), Some(git)) = (file.earlier, &input.repository.git) else {
        return Ok((file.earlier == Earlier::Nothing).then(|| read(Vec::new())));
    };
    match git.blob(id, path, cap) {
        Ok(bytes) => Ok(Some(read(bytes))),
        Err(BlobError::TooBig { size, .. }) => Ok(Some(Before { size, source: None, hunks: None })),
        Err(error) => Err(error.into()),
    }
}
