//! Where tokens can begin in a word: three bytes are compared with the beginnings of all shapes in one step.

use std::ops::Range;

use super::letters::is_edge;
use super::shape::{SHAPES, Shape, Token};
use super::web_token::web_token;
use super::words;

/// The beginnings are in so many groups, by their first byte: three depths of them fit into a number.
const GROUPS: u32 = 21;

/// So many bytes are compared.
const DEPTHS: usize = 3;

/// The first depth of all groups.
const FIRST: u64 = (1 << GROUPS) - 1;

const fn group(byte: u8) -> u32 {
    byte as u32 % GROUPS
}

/// For each byte the groups, at each depth, with a beginning that has it there.
#[allow(clippy::indexing_slicing, reason = "the compiler makes it")]
static BYTES: [u64; 256] = {
    let mut bytes = [0; 256];
    let mut shape = 0;
    while shape < SHAPES.len() {
        let (prefix, at) = (SHAPES[shape].prefix.as_bytes(), SHAPES[shape].in_word());
        if at == 0 {
            let first = 1_u64 << group(prefix[0]);
            bytes[prefix[0] as usize] |= first;
            bytes[prefix[1] as usize] |= first << GROUPS;
            let mut third = 0;
            while third < bytes.len() {
                // Any byte is after a beginning of two.
                let is_it = prefix.len() == 2 || prefix[2] as usize == third;
                // Markdown has a backslash before each `_`.
                let is_escaped = prefix.len() > 2 && prefix[2] == b'_' && third == b'\\' as usize;
                if is_it || is_escaped {
                    bytes[third] |= first << (2 * GROUPS);
                }
                third += 1;
            }
        }
        shape += 1;
    }
    bytes
};

/// No group has more shapes.
const MOST: usize = 24;

/// The shapes of each group.
#[allow(clippy::indexing_slicing, reason = "the compiler makes it")]
static SHAPES_OF: [[Option<&Shape>; MOST]; GROUPS as usize] = {
    let mut groups = [[None; MOST]; GROUPS as usize];
    let mut shape = 0;
    while shape < SHAPES.len() {
        if SHAPES[shape].in_word() == 0 {
            let group = &mut groups[group(SHAPES[shape].prefix.as_bytes()[0]) as usize];
            let mut last = 0;
            while group[last].is_some() {
                last += 1;
            }
            group[last] = Some(&SHAPES[shape]);
        }
        shape += 1;
    }
    groups
};

/// The shapes with a dot or a colon in their beginnings, and where the long word begins in each.
#[allow(clippy::indexing_slicing, reason = "the compiler makes it")]
static BEFORE_WORDS: [Option<(&Shape, usize)>; 8] = {
    let mut shapes = [None; 8];
    let (mut shape, mut last) = (0, 0);
    while shape < SHAPES.len() {
        let at = SHAPES[shape].in_word();
        if at > 0 {
            shapes[last] = Some((&SHAPES[shape], at));
            last += 1;
        }
        shape += 1;
    }
    shapes
};

/// Adds the tokens of `bytes` whose long word, one of [`super::words::long`], is `word`.
pub fn tokens(bytes: &[u8], word: Range<usize>, found: &mut Vec<Token>) {
    // What begins in the first part of a web token has the same other parts.
    let mut passed = 0;
    let mut look = |shape: &Shape, start: usize| {
        if !shape.is_web_token() {
            found.extend(shape.token(bytes, start));
        } else if start >= passed && is_edge(bytes, start) {
            found.extend(shape.token(bytes, start));
            passed = web_token(bytes, start).0;
        }
    };
    find_before(bytes, word.start, &mut look);
    find(bytes.get(word.clone()).unwrap_or_default(), |shape, at| look(shape, word.start + at));
}

/// Calls `look` with each shape that can begin before the long word at `start`, and with where it can.
fn find_before(text: &[u8], start: usize, mut look: impl FnMut(&'static Shape, usize)) {
    let [.., last, b'.' | b':'] = text.get(..start).unwrap_or_default() else { return };
    for (shape, at) in BEFORE_WORDS.iter().flatten() {
        // Of `:AA`, only the colon is before the word.
        let expected = at.checked_sub(2).and_then(|at| shape.prefix.as_bytes().get(at));
        if expected.is_none_or(|expected| expected == last) {
            start.checked_sub(*at).into_iter().for_each(|start| look(shape, start));
        }
    }
}

/// Calls `look` with each shape that can begin in `word`, one of [`words::long`], and with where it can.
fn find(word: &[u8], mut look: impl FnMut(&'static Shape, usize)) {
    // What begins later is too short.
    let last = (word.len() + DEPTHS).saturating_sub(words::SHORTEST).min(word.len());
    let word = word.get(..last).unwrap_or_default();
    let mut state = 0;
    for (at, byte) in word.iter().enumerate() {
        state = ((state << GROUPS) | FIRST) & BYTES.get(usize::from(*byte)).copied().unwrap_or_default();
        if state >> (2 * GROUPS) != 0 {
            hit(state >> (2 * GROUPS), word.get(at + 1 - DEPTHS..).unwrap_or_default(), |shape| {
                look(shape, at + 1 - DEPTHS);
            });
        }
    }
}

/// Calls `look` with each shape of `groups` that `rest` can begin with.
#[cold]
fn hit(mut groups: u64, rest: &[u8], mut look: impl FnMut(&'static Shape)) {
    while groups != 0 {
        let shapes = SHAPES_OF.get(groups.trailing_zeros() as usize).into_iter().flatten().flatten();
        shapes.filter(|shape| shape.prefix.as_bytes().get(1) == rest.get(1)).for_each(|shape| look(shape));
        groups &= groups - 1;
    }
}
