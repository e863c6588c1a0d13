//! What is printed, without secrets: asterisks are in their place.
//!
//! A message can have a part of a secret alone: a value is cut where it is long, a name is split at a slash, a diff shows three lines of
//! a private key. So each text that is read is [learnt](learn), and a part of a secret that was learnt is masked as the whole.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

use foldhash::fast::FixedState;

use super::secret::{self, Secret};

/// A part of so many bytes is masked.
const PART: usize = 8;

/// A part differs in so many of its bytes at least: a row of dashes is in many texts.
const DIFFERENT: usize = 4;

/// A word of a private key is so long at least: those of its name are not secret.
const KEY_WORD: usize = 16;

/// So many parts are kept. Beyond that, whole secrets alone are masked.
const MOST: usize = 1 << 20;

/// The parts of all secrets that were read. What one floor reads another one prints, and none of them can forget to hand them on.
static KNOWN: RwLock<Option<HashSet<u64, FixedState>>> = RwLock::new(None);

/// Whether there are any: in most runs there are none.
static HAS_KNOWN: AtomicBool = AtomicBool::new(false);

/// Finds the secrets in `text`, a file as it is stored, and masks them and their parts in all that is printed from now on.
pub fn learn(text: &[u8]) -> Vec<Secret> {
    let mut found = secret::find(text);
    for Secret { random, name, .. } in &found {
        let shortest = if *name == "private key" { KEY_WORD } else { PART };
        let letters = text.get(random.start()..random.end()).unwrap_or_default();
        remember(letters, shortest);
        if shortest == PART && letters.contains(&b'\\') {
            let letters: Vec<u8> = letters.iter().copied().filter(|byte| *byte != b'\\').collect();
            remember(&letters, shortest);
        }
    }
    for (secret, letters) in secret::find_in_escapes(text) {
        remember(&letters, KEY_WORD);
        found.push(secret);
    }
    secret::put_in_order(&mut found);
    found
}

fn remember(letters: &[u8], shortest: usize) {
    // A thread that panicked has left the set whole.
    let mut known = KNOWN.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    let known = known.get_or_insert_default();
    for word in letters.split(|byte| !is_part(*byte)).filter(|word| word.len() >= shortest) {
        for part in parts(word).filter(|part| is_varied(**part)) {
            if known.len() < MOST {
                known.insert(folded(*part));
            }
        }
    }
    HAS_KNOWN.store(!known.is_empty(), Ordering::Release);
}

/// Each [`PART`] bytes of `text` that follow each other.
fn parts(text: &[u8]) -> impl Iterator<Item = &[u8; PART]> {
    text.windows(PART).filter_map(<[u8]>::first_chunk)
}

/// `part` as one number, the same for small and capital letters: names of folders are made of names in small letters.
fn folded(part: [u8; PART]) -> u64 {
    u64::from_le_bytes(part) | (u64::MAX / 255 * 0x20)
}

fn is_varied(part: [u8; PART]) -> bool {
    let is_first = |(at, byte): (usize, &u8)| part.iter().position(|other| other == byte) == Some(at);
    part.iter().enumerate().filter(|one| is_first(*one)).count() >= DIFFERENT
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
}

/// `text` with an asterisk in place of each byte of a secret. Line ends stay.
pub fn masked(text: &str) -> Cow<'_, str> {
    match masked_bytes(text.as_bytes()) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// `text` with an asterisk in place of each byte of a secret. Line ends stay.
pub fn masked_bytes(text: &[u8]) -> Cow<'_, [u8]> {
    let (plain, escaped, known) = (secret::find(text), secret::find_in_escapes(text), known(text));
    let mut masked = Cow::Borrowed(text);
    // Nearly no text has one.
    if plain.is_empty() && escaped.is_empty() && known.is_empty() {
        return masked;
    }
    let spans = plain.into_iter().chain(escaped.into_iter().map(|(secret, _)| secret)).map(|secret| secret.span);
    for byte in spans.flat_map(|span| span.start()..span.end()).chain(known) {
        if let Some(byte) = masked.to_mut().get_mut(byte)
            && !matches!(*byte, b'\n' | b'\r')
        {
            *byte = b'*';
        }
    }
    masked
}

/// The bytes of `text` that are parts of secrets that were learnt.
fn known(text: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    if !HAS_KNOWN.load(Ordering::Acquire) {
        return found;
    }
    let known = KNOWN.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some(known) = &*known else { return found };
    let mut passed = 0;
    for (at, part) in parts(text).enumerate() {
        if known.contains(&folded(*part)) {
            found.extend(passed.max(at)..at + PART);
            passed = at + PART;
        }
    }
    found
}

/// Writes all that it is given without secrets. What has no line end yet waits for it, as a secret can come in two parts.
#[derive(Debug)]
pub struct Masked<W: Write> {
    inner: W,
    line: Vec<u8>,
}

impl<W: Write> Masked<W> {
    /// Writes to `inner`.
    pub fn new(inner: W) -> Self {
        Self { inner, line: Vec::new() }
    }
}

impl<W: Write> Write for Masked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(end) = memchr::memrchr(b'\n', bytes) else {
            self.line.extend_from_slice(bytes);
            return Ok(bytes.len());
        };
        let (lines, rest) = bytes.split_at_checked(end + 1).unwrap_or((bytes, &[]));
        let mut line = std::mem::take(&mut self.line);
        self.line.extend_from_slice(rest);
        if line.is_empty() {
            self.inner.write_all(&masked_bytes(lines))?;
        } else {
            line.extend_from_slice(lines);
            self.inner.write_all(&masked_bytes(&line))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.inner.write_all(&masked_bytes(&line))?;
        self.inner.flush()
    }
}

impl<W: Write> Drop for Masked<W> {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            // Whoever wants to know of an error flushes before.
            let _ = self.flush();
        }
    }
}
