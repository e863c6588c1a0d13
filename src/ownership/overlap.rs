//! Which paths some globs match and others do not, exactly: globs against globs, without a list of files.
//!
//! Each glob is a machine that reads a path character by character, see `search.rs`.

mod names;
mod near;
mod outline;
mod search;

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

pub use self::near::{near, near_between};
pub use self::search::Meeting;
use super::error::GlobError;
use super::glob::{Alternative, Glob, Part};
use super::pattern::Token;

/// What a machine does at one of its places. What it does not name leads nowhere.
#[derive(Clone, Debug)]
enum Move {
    /// A character: on to the next place.
    One(Token),
    /// `*`: any character, and stay; or on to the next place without one.
    Star,
    /// `/`: on to the next place.
    Slash,
    /// `**/`, at the start of a name: on to the next place but one without a character, or a name begins.
    Folders,
    /// In a name that [`Move::Folders`] began: a character, and stay; `/`, and back to it.
    InFolder,
    /// `**` at the end, at the start of a name: a character, and on to the next place.
    Rest,
    /// In a name that [`Move::Rest`] began, which may be the last one; `/`, and back to it.
    InRest,
    /// At the end of a name that may be that of a folder: the end, or `/`, and on to the next place.
    NameEnd,
    /// The end.
    End,
}

/// A glob of paths, such as `src/**`: what it matches can be compared with what others match.
#[derive(Clone, Debug)]
pub struct PathGlob {
    moves: Vec<Move>,
    /// Where each of its alternatives begins.
    starts: Vec<usize>,
    /// What it was made of: the globs that its braces make, or the only one.
    alternatives: Vec<Alternative>,
    negated: bool,
    /// The same with its brackets as characters of names, if it has some and both are meant.
    names: Option<Box<Self>>,
}

/// Globs are equal if they have the same paths, as far as their parts tell.
impl PartialEq for PathGlob {
    fn eq(&self, other: &Self) -> bool {
        self.negated == other.negated && self.alternatives == other.alternatives
    }
}

impl Eq for PathGlob {}

impl Hash for PathGlob {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.alternatives.hash(state);
    }
}

impl PathGlob {
    /// The moves at the end of a name that may be that of a folder.
    const NAME_END: [Move; 3] = [Move::NameEnd, Move::Rest, Move::InRest];

    /// Reads `text`, a glob as under `owns`: `*` stops at `/`, and a name without a wildcard at the end is a file, or a folder
    /// with all that is in it.
    ///
    /// # Errors
    /// See [`GlobError`].
    pub fn parse(text: &str) -> Result<Self, GlobError> {
        Ok(Self::of(Glob::parse(text)?))
    }

    /// Reads `text` like [`Self::parse`], where `[id]` may be a name as well: it matches what the glob matches, and `[id]` itself.
    /// Folders and files are called so where routes are files, as in `app/[id]/page.tsx`.
    ///
    /// # Errors
    /// See [`GlobError`]; a class of characters that is none, as in `[user-id]`, is not an error.
    ///
    /// ```
    /// # use squad_lint::ownership::overlap::PathGlob;
    /// let glob = PathGlob::parse_with_names("app/[id]/**").unwrap();
    /// assert!(glob.matches("app/[id]/page.tsx") && glob.matches("app/i/page.tsx"));
    /// assert!(PathGlob::parse_with_names("app/[user-id]/**").unwrap().matches("app/[user-id]/page.tsx"));
    /// ```
    pub fn parse_with_names(text: &str) -> Result<Self, GlobError> {
        let glob = Glob::parse(text);
        let names = names::with_brackets(text).and_then(|text| Glob::parse(&text).ok());
        match (glob, names) {
            (Ok(glob), None) => Ok(Self::of(glob)),
            (Ok(glob), Some(names)) => {
                let mut alternatives = [glob.alternatives, names.alternatives.clone()].concat();
                alternatives.sort();
                alternatives.dedup();
                let both = Self::of(Glob { negated: glob.negated, alternatives });
                Ok(Self { names: Some(Box::new(Self::of(names))), ..both })
            }
            (Err(GlobError::Range(..)), Some(names)) => Ok(Self::of(names)),
            (Err(error), _) => Err(error),
        }
    }

    fn of(Glob { negated, alternatives }: Glob) -> Self {
        let mut new = Self { moves: Vec::new(), starts: Vec::new(), alternatives: Vec::new(), negated, names: None };
        for alternative in &alternatives {
            new.starts.push(new.moves.len());
            new.add(alternative);
        }
        new.alternatives = alternatives;
        new
    }

    /// The globs without braces that it is made of.
    pub fn each(&self) -> impl Iterator<Item = Cow<'_, Self>> {
        let is_one = self.alternatives.len() == 1;
        let one = is_one.then_some(Cow::Borrowed(self)).into_iter();
        let split = self.alternatives.iter().filter(move |_| !is_one);
        one.chain(
            split.map(|own| Cow::Owned(Self::of(Glob { negated: self.negated, alternatives: vec![own.clone()] }))),
        )
    }

    /// Whether `[id]` in it may be a name as well, see [`Self::parse_with_names`].
    pub fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// Whether it begins with `!`: what it matches is taken back.
    pub fn is_negated(&self) -> bool {
        self.negated
    }

    fn add(&mut self, alternative: &Alternative) {
        let last = alternative.parts.len().saturating_sub(1);
        for (at, part) in alternative.parts.iter().enumerate() {
            match part {
                Part::Any if at == last => self.moves.extend([Move::Rest, Move::InRest]),
                Part::Any => self.moves.extend([Move::Folders, Move::InFolder]),
                Part::Name(name) => {
                    let name = String::from_utf8_lossy(name);
                    self.moves.extend(name.chars().map(|c| Move::One(Token::Char(c))));
                }
                Part::Pattern(pattern) => self.moves.extend(pattern.tokens().iter().map(|token| match token {
                    Token::Many => Move::Star,
                    token => Move::One(token.clone()),
                })),
            }
            match part {
                Part::Any => {}
                _ if at < last => self.moves.push(Move::Slash),
                _ if alternative.names_folder => self.moves.extend(Self::NAME_END),
                _ => self.moves.push(Move::End),
            }
        }
    }

    /// The place `at`, and those that are reached from it without a character.
    fn enter(&self, at: usize, places: &mut Vec<u32>) {
        let mut next = Some(at);
        while let Some(at) = next {
            let Ok(place) = u32::try_from(at) else { return };
            if places.contains(&place) {
                return;
            }
            places.push(place);
            next = match self.moves.get(at) {
                Some(Move::Star) => Some(at + 1),
                Some(Move::Folders) => Some(at + 2),
                _ => None,
            };
        }
    }

    /// All places at the start of a path.
    fn first(&self) -> Vec<u32> {
        let mut places = Vec::new();
        self.starts.iter().for_each(|start| self.enter(*start, &mut places));
        places
    }

    /// The places that `c` leads to from `place`.
    fn step(&self, place: u32, c: char, places: &mut Vec<u32>) {
        let at = place as usize;
        let next = match self.moves.get(at) {
            Some(Move::Slash | Move::NameEnd) if c == '/' => at + 1,
            Some(Move::InFolder | Move::InRest) if c == '/' => at - 1,
            _ if c == '/' => return,
            Some(Move::One(token)) if token.matches(Some(c)) => at + 1,
            Some(Move::Star | Move::InFolder | Move::InRest) => at,
            Some(Move::Folders | Move::Rest) => at + 1,
            _ => return,
        };
        self.enter(next, places);
    }

    fn is_end(&self, place: u32) -> bool {
        matches!(self.moves.get(place as usize), Some(Move::End | Move::NameEnd | Move::InRest))
    }

    /// Whether it matches every path that goes on from `place`.
    fn is_rest(&self, place: u32) -> bool {
        matches!(self.moves.get(place as usize), Some(Move::Rest | Move::InRest))
    }

    /// Whether it matches `path`, which has `/` between its names. Whether it is negated does not count.
    pub fn matches(&self, path: &str) -> bool {
        let mut places = self.first();
        for c in path.chars() {
            let mut next = Vec::new();
            for place in &places {
                self.step(*place, c, &mut next);
            }
            places = next;
        }
        places.iter().any(|place| self.is_end(*place))
    }

    /// The only character that leads on from `place`, if there is only one.
    fn only(&self, place: u32) -> Option<char> {
        match self.moves.get(place as usize) {
            Some(Move::One(Token::Char(c))) => Some(*c),
            Some(Move::Slash) => Some('/'),
            _ => None,
        }
    }

    /// The names that it has as those of folders: a glob `conf.d/*.conf` says that `conf.d` is none of a file.
    fn folders(&self) -> impl Iterator<Item = &[u8]> {
        let above = self.alternatives.iter().filter_map(|own| own.parts.split_last()).flat_map(|(_, above)| above);
        above.filter_map(|part| if let Part::Name(name) = part { Some(name.as_ref()) } else { None })
    }

    /// The places at the ends of names that look like those of files, such as `App.tsx`, and that `other` has not as those of
    /// folders.
    fn files_beside(&self, other: &Self) -> Vec<u32> {
        let ends = self.starts.iter().skip(1).copied().chain([self.moves.len()]);
        let is_file =
            |own: &Alternative| names::file_name(own).is_some_and(|name| !other.folders().any(|folder| folder == name));
        let files = self.alternatives.iter().zip(ends).filter(|(own, _)| is_file(own));
        files.filter_map(|(_, end)| u32::try_from(end.checked_sub(Self::NAME_END.len())?).ok()).collect()
    }
}
