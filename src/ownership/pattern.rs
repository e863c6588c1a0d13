//! A name with wildcards.

use std::iter::Peekable;
use std::str::Chars;

use bstr::ByteSlice;

use super::error::GlobError;

/// The parts of a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Token {
    /// This character.
    Char(char),
    /// `?`: one character.
    One,
    /// `*`: any number of them.
    Many,
    /// `[…]`: one of these, or one that is not.
    Class {
        /// `[!…]`.
        negated: bool,
        /// From, to.
        ranges: Vec<(char, char)>,
    },
}

/// A name with at least one wildcard.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pattern {
    tokens: Vec<Token>,
    /// The text before the first wildcard and after the last.
    start: Box<[u8]>,
    end: Box<[u8]>,
    /// Whether all between the two is one `*`.
    simple: bool,
}

impl Token {
    /// What a character means outside of a class.
    pub(super) fn plain(c: char) -> Self {
        match c {
            '*' => Self::Many,
            '?' => Self::One,
            c => Self::Char(c),
        }
    }

    /// The class that follows a `[`, up to its `]`.
    pub(super) fn class(chars: &mut Peekable<Chars<'_>>) -> Result<Self, GlobError> {
        let negated = chars.next_if(|c| matches!(c, '!' | '^')).is_some();
        let mut ranges: Vec<(char, char)> = Vec::new();
        loop {
            let from = chars.next().ok_or(GlobError::Class)?;
            if from == ']' && !ranges.is_empty() {
                return Ok(Self::Class { negated, ranges });
            }
            let mut ahead = chars.clone();
            let to = match (ahead.next(), ahead.next()) {
                (Some('-'), Some(to)) if to != ']' => {
                    *chars = ahead;
                    to
                }
                _ => from,
            };
            if from > to {
                return Err(GlobError::Range(from, to));
            }
            ranges.push((from, to));
        }
    }

    /// Whether `c` is one of its characters; `None` is a byte that is not UTF-8.
    pub(super) fn matches(&self, c: Option<char>) -> bool {
        match self {
            Self::Char(own) => c == Some(*own),
            Self::One | Self::Many => true,
            Self::Class { negated, ranges } => {
                c.is_some_and(|c| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c))) != *negated
            }
        }
    }

    /// Whether all that `inner`, a single character, can be, this can be.
    fn covers(&self, inner: &Self) -> bool {
        match (self, inner) {
            (_, Self::Many) => false,
            (_, Self::Char(c)) => self.matches(Some(*c)),
            (outer, inner) => *outer == Self::One || outer == inner,
        }
    }
}

impl Pattern {
    pub(super) fn new(mut tokens: Vec<Token>) -> Self {
        tokens.dedup_by(|a, b| *a == Token::Many && *b == Token::Many);
        let text = |tokens: &[Token]| Self::name(tokens).unwrap_or_default();
        let is_char = |token: &Token| matches!(token, Token::Char(_));
        let start = tokens.iter().take_while(|token| is_char(token)).count();
        let end = tokens.iter().rev().take_while(|token| is_char(token)).count();
        let simple = start + end + 1 == tokens.len() && tokens.get(start) == Some(&Token::Many);
        let end_at = tokens.len() - end;
        let (start, end) =
            (text(tokens.get(..start).unwrap_or_default()), text(tokens.get(end_at..).unwrap_or_default()));
        Self { tokens, start, end, simple }
    }

    /// The name that `tokens` are, if there is no wildcard among them.
    pub(super) fn name(tokens: &[Token]) -> Option<Box<[u8]>> {
        let chars = tokens.iter().map(|token| if let Token::Char(c) = token { Some(*c) } else { None });
        chars.collect::<Option<String>>().map(|name| name.into_bytes().into())
    }

    /// Its parts; never two [`Token::Many`] in a row.
    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The text before the first wildcard.
    pub(super) fn start(&self) -> &[u8] {
        &self.start
    }

    /// The text after the last wildcard.
    pub(super) fn end(&self) -> &[u8] {
        &self.end
    }

    /// What follows the last dot, where that is the same in all names that it matches.
    pub(super) fn extension(&self) -> Option<&[u8]> {
        extension(&self.end)
    }

    /// Whether it matches `name`.
    pub(super) fn matches(&self, name: &[u8]) -> bool {
        if name.len() < self.start.len() + self.end.len()
            || !name.starts_with(&self.start)
            || !name.ends_with(&self.end)
        {
            return false;
        }
        self.simple || self.matches_tokens(name)
    }

    /// With one place to come back to: the last `*`, which then takes one character more.
    fn matches_tokens(&self, name: &[u8]) -> bool {
        let (mut at, mut token_at) = (0, 0);
        let mut star = None;
        while let Some(rest) = name.get(at..).filter(|rest| !rest.is_empty()) {
            let (c, len) = bstr::decode_utf8(rest);
            match self.tokens.get(token_at) {
                Some(Token::Many) => {
                    star = Some((token_at + 1, at));
                    token_at += 1;
                }
                Some(token) if token.matches(c) => {
                    at += len;
                    token_at += 1;
                }
                _ => {
                    let Some((after, from)) = star else { return false };
                    let (_, len) = bstr::decode_utf8(name.get(from..).unwrap_or_default());
                    (at, token_at) = (from + len, after);
                    star = Some((after, at));
                }
            }
        }
        self.tokens.get(token_at..).is_some_and(|rest| rest.iter().all(|token| *token == Token::Many))
    }

    /// Whether it matches every name that `inner` matches, as far as the two texts show.
    pub(super) fn covers(&self, inner: &Self) -> bool {
        // Which tokens of `inner` may be the next when the tokens before this one have taken those before.
        let mut open = vec![false; inner.tokens.len() + 1];
        if let Some(first) = open.first_mut() {
            *first = true;
        }
        for outer in &self.tokens {
            let mut next = vec![false; open.len()];
            let mut reached = false;
            for (at, is_open) in open.iter().enumerate() {
                if *outer == Token::Many {
                    reached |= is_open;
                    if let Some(slot) = next.get_mut(at) {
                        *slot = reached;
                    }
                } else if *is_open
                    && inner.tokens.get(at).is_some_and(|inner| outer.covers(inner))
                    && let Some(slot) = next.get_mut(at + 1)
                {
                    *slot = true;
                }
            }
            open = next;
        }
        open.last().copied().unwrap_or_default()
    }
}

/// What follows the last dot of `name`.
pub(super) fn extension(name: &[u8]) -> Option<&[u8]> {
    name.get(name.rfind_byte(b'.')? + 1..)
}
