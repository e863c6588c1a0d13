//! Keys and tokens of services, by the shapes that these publish. What is only an example is none.
//!
//! All that is printed goes through [`crate::text::mask`], which finds secrets here.

mod beginnings;
mod letters;
mod private_key;
mod random;
mod shape;
mod web_token;
mod words;

use std::ops::Range;

use super::span::Span;

/// A key or token in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its bytes, which no report shows.
    pub span: Span,
    /// The part of them that was chosen at random: the beginning of a token is public.
    pub random: Span,
    /// What it is called: `GitHub token`.
    pub name: &'static str,
}

impl Secret {
    fn new(start: usize, random: usize, end: usize, name: &'static str) -> Self {
        Self { span: Span::new(start, end), random: Span::new(random, end), name }
    }
}

/// The secrets in `text`, in order, none inside another one.
pub fn find(text: &[u8]) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut tokens = Vec::new();
    let mut passed = 0;
    for word in words::long(text) {
        beginnings::tokens(text, word.clone(), &mut tokens);
        keys_without_beginning(text, word, &mut passed, &mut found);
    }
    found.extend(
        tokens.into_iter().map(|shape::Token { start, random, end, name }| Secret::new(start, random, end, name)),
    );
    put_in_order(&mut found);
    found
}

/// Sorts `found`. Of two that overlap, the second one begins where the first one ends, and one inside another one goes away.
pub fn put_in_order(found: &mut Vec<Secret>) {
    if found.len() > 1 {
        found.sort_by_key(|secret| (secret.span.start, std::cmp::Reverse(secret.span.end)));
        let mut passed = 0;
        found.retain_mut(|secret| {
            let Span { start, end } = secret.span;
            if end <= passed {
                return false;
            }
            secret.span.start = start.max(passed);
            secret.random.start = secret.random.start.max(secret.span.start);
            passed = end;
            true
        });
    }
}

/// Adds the secrets in `word` that no list of beginnings has: the lines of a private key, secret keys of AWS. What is before `passed`
/// belongs to a private key.
fn keys_without_beginning(text: &[u8], word: Range<usize>, passed: &mut usize, found: &mut Vec<Secret>) {
    let mut at = word.start.max(*passed);
    while let Some(line) = text.get(at..word.end).and_then(<[u8]>::first_chunk::<{ private_key::SHORTEST_LINE }>) {
        // Behind a byte that is in no line, so many are needed again.
        if let Some(other) = line.iter().rposition(|byte| !is_base64(*byte)) {
            at += other + 1;
            continue;
        }
        let more = text.get(at + line.len()..word.end).unwrap_or_default();
        let len = line.len() + more.iter().take_while(|byte| is_base64(**byte)).count();
        // The letter of the escape that ends the line before.
        let escape = usize::from(at > 0 && line.starts_with(b"n") && text.get(at - 1) == Some(&b'\\'));
        if let Some((start, end)) = private_key::around(text, at + escape, *passed) {
            found.push(Secret::new(start, start, end, "private key"));
            *passed = end;
            at = end;
            continue;
        }
        if len == AWS_SECRET && is_aws_secret(text, at) {
            found.push(Secret::new(at, at, at + len, "AWS secret key"));
        }
        at += len + 1;
    }
}

/// Whether `byte` is in words of base64, before the `=` at their ends.
fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// The length of a secret key of AWS.
const AWS_SECRET: usize = 40;

/// So many bytes before such a key is its name.
const NEAR: usize = 80;

/// Whether the word of [`AWS_SECRET`] letters at `at` is a secret key of AWS: the name before it says so.
fn is_aws_secret(text: &[u8], at: usize) -> bool {
    let word = text.get(at..at + AWS_SECRET).and_then(|word| std::str::from_utf8(word).ok()).unwrap_or_default();
    let has = |is: fn(&u8) -> bool| word.as_bytes().iter().any(is);
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
    if !is_mixed || random::entropy(word) < 4.0 || !random::is_random(word) || random::is_example(word) {
        return false;
    }
    let before = text.get(at.saturating_sub(NEAR)..at).unwrap_or_default().to_ascii_lowercase();
    let has = |name: &[u8]| memchr::memmem::find(&before, name).is_some();
    has(b"secret") && (has(b"aws") || has(b"access") || has(b"amazon"))
}

/// The secrets in `text` that have letters as escapes of JSON, such as `\u0067` or `\/`: where each is, and the part
/// of it that was chosen at random without escapes.
pub fn find_in_escapes(text: &[u8]) -> Vec<(Secret, Vec<u8>)> {
    let mut found = Vec::new();
    let mut passed = 0;
    for at in memchr::memchr_iter(b'\\', text) {
        if at < passed || unescaped(text.get(at..).unwrap_or_default()).is_none() {
            continue;
        }
        let Range { start, end } = words::around(text, at);
        let run = text.get(start..end).unwrap_or_default();
        find_in_escaped_run(run, start, &mut found);
        passed = end;
    }
    found
}

/// Adds the secrets in `run`, which begins at `start`.
fn find_in_escaped_run(run: &[u8], start: usize, found: &mut Vec<(Secret, Vec<u8>)>) {
    let (mut plain, mut places) = (Vec::with_capacity(run.len()), Vec::with_capacity(run.len() + 1));
    let mut at = 0;
    while let Some(byte) = run.get(at) {
        let (letter, len) = unescaped(run.get(at..).unwrap_or_default()).unwrap_or((*byte, 1));
        plain.push(letter);
        places.push(start + at);
        at += len;
    }
    places.push(start + at);
    let place = |at: usize| places.get(at).copied().unwrap_or(start);
    for Secret { span, random, name } in find(&plain) {
        let letters = plain.get(random.start()..random.end()).unwrap_or_default().to_vec();
        found.push((Secret::new(place(span.start()), place(random.start()), place(span.end()), name), letters));
    }
}

/// The letter that `text` begins with an escape of, and the length of that.
fn unescaped(text: &[u8]) -> Option<(u8, usize)> {
    if text.starts_with(b"\\/") {
        return Some((b'/', 2));
    }
    let digits = text.get(..6)?.strip_prefix(b"\\u00").and_then(|digits| std::str::from_utf8(digits).ok())?;
    let letter = u8::from_str_radix(digits, 16).ok()?;
    letter.is_ascii_graphic().then_some((letter, 6))
}

#[cfg(test)]
mod tests;
