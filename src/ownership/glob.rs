//! A glob of `owns`, read into the parts of a path.
//!
//! Globs are read as Claude Code reads those of its own rules: they begin at the folder of the team, `*`, `?` and `[…]` stop
//! at `/`, and only `**` as a whole part goes through folders. A name without a wildcard at the end is a file, or a folder
//! with all that is in it.

use super::error::{ALTERNATIVES_MAX, GlobError, LEN_MAX};
use super::pattern::{Pattern, Token};

/// How deep braces may be in braces.
const DEPTH_MAX: usize = 8;

/// One part of a path, as a glob says it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Part {
    /// `**`: any number of folders; at the end, all that lies inside.
    Any,
    /// This name.
    Name(Box<[u8]>),
    /// A name with wildcards.
    Pattern(Pattern),
}

/// One of the globs that braces make, or the only one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Alternative {
    /// Its parts; never two [`Part::Any`] in a row, and at least one.
    pub(super) parts: Vec<Part>,
    /// Whether it ends with a name, which may be that of a folder.
    pub(super) names_folder: bool,
}

/// A glob.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Glob {
    /// `!` before it: what it matches is taken away.
    pub(super) negated: bool,
    /// Sorted, each once.
    pub(super) alternatives: Vec<Alternative>,
}

impl Glob {
    /// Reads `text`.
    pub(super) fn parse(text: &str) -> Result<Self, GlobError> {
        if text.len() > LEN_MAX {
            return Err(GlobError::TooLong);
        }
        let (negated, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        if text.is_empty() {
            return Err(GlobError::Empty);
        }
        if !text.contains(['{', '}']) {
            return Ok(Self { negated, alternatives: vec![alternative(text)?] });
        }
        let mut alternatives = expand(text)?.iter().map(|text| alternative(text)).collect::<Result<Vec<_>, _>>()?;
        alternatives.sort();
        alternatives.dedup();
        Ok(Self { negated, alternatives })
    }
}

/// A piece of a glob, as braces cut it.
enum Piece {
    Text(String),
    Choice(Vec<Vec<Piece>>),
}

/// The globs without braces that `text` means.
fn expand(text: &str) -> Result<Vec<String>, GlobError> {
    product(&pieces(text)?)
}

fn pieces(text: &str) -> Result<Vec<Piece>, GlobError> {
    // The choices that are open: the text before each, and its options so far; the last one grows.
    let mut open: Vec<(Vec<Piece>, Vec<Vec<Piece>>)> = Vec::new();
    let mut current = Vec::new();
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    let flush = |plain: &mut String, current: &mut Vec<Piece>| {
        if !plain.is_empty() {
            current.push(Piece::Text(std::mem::take(plain)));
        }
    };
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                plain.push(c);
                plain.push(chars.next().ok_or(GlobError::Escape)?);
            }
            '[' => {
                plain.push(c);
                // The first `]` is one of the characters.
                plain.extend(chars.next_if(|c| matches!(c, '!' | '^')));
                plain.extend(chars.next_if_eq(&']'));
                loop {
                    let c = chars.next().ok_or(GlobError::Class)?;
                    plain.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            '{' if open.len() == DEPTH_MAX => return Err(GlobError::Alternatives),
            '{' => {
                flush(&mut plain, &mut current);
                open.push((std::mem::take(&mut current), Vec::new()));
            }
            ',' if !open.is_empty() => {
                flush(&mut plain, &mut current);
                if let Some((_, options)) = open.last_mut() {
                    options.push(std::mem::take(&mut current));
                }
            }
            '}' => {
                flush(&mut plain, &mut current);
                let (before, mut options) = open.pop().ok_or(GlobError::Brace)?;
                options.push(std::mem::replace(&mut current, before));
                current.push(Piece::Choice(options));
            }
            c => plain.push(c),
        }
    }
    flush(&mut plain, &mut current);
    if open.is_empty() { Ok(current) } else { Err(GlobError::Brace) }
}

/// All ways through `pieces`.
fn product(pieces: &[Piece]) -> Result<Vec<String>, GlobError> {
    let mut all = vec![String::new()];
    for piece in pieces {
        match piece {
            Piece::Text(text) => all.iter_mut().for_each(|start| start.push_str(text)),
            Piece::Choice(options) => {
                let mut ends = Vec::new();
                for option in options {
                    ends.extend(product(option)?);
                    if ends.len() > ALTERNATIVES_MAX {
                        return Err(GlobError::Alternatives);
                    }
                }
                if all.len() * ends.len() > ALTERNATIVES_MAX {
                    return Err(GlobError::Alternatives);
                }
                let with_ends = |start: &String| ends.iter().map(|end| format!("{start}{end}")).collect::<Vec<_>>();
                all = all.iter().flat_map(with_ends).collect();
            }
        }
    }
    Ok(all)
}

/// Reads a glob without braces.
fn alternative(text: &str) -> Result<Alternative, GlobError> {
    if text.contains(['[', '\\']) {
        return with_classes(text);
    }
    let mut parts: Vec<Part> = Vec::with_capacity(8);
    for name in text.split('/') {
        let part = match name {
            "" | "." => continue,
            ".." => return Err(GlobError::Leaves),
            "**" if parts.last() == Some(&Part::Any) => continue,
            "**" => Part::Any,
            name if !name.contains(['*', '?']) => Part::Name(name.as_bytes().into()),
            name => Part::Pattern(Pattern::new(name.chars().map(Token::plain).collect())),
        };
        parts.push(part);
    }
    Ok(finished(parts, text.ends_with('/')))
}

/// Reads a glob with `[…]` or `\` in it.
fn with_classes(text: &str) -> Result<Alternative, GlobError> {
    let mut parts: Vec<Part> = Vec::new();
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    let mut is_folder = false;
    loop {
        let c = chars.next();
        if let Some(c) = c.filter(|c| *c != '/') {
            is_folder = false;
            tokens.push(match c {
                '[' => Token::class(&mut chars)?,
                '\\' => Token::Char(chars.next().ok_or(GlobError::Escape)?),
                c => Token::plain(c),
            });
            continue;
        }
        let part = part(&tokens)?.filter(|part| *part != Part::Any || parts.last() != Some(&Part::Any));
        parts.extend(part);
        tokens.clear();
        if c.is_none() {
            break;
        }
        is_folder = true;
    }
    Ok(finished(parts, is_folder))
}

fn finished(mut parts: Vec<Part>, is_folder: bool) -> Alternative {
    // `/` at the end, or nothing but `.`: the folder.
    if (is_folder || parts.is_empty()) && parts.last() != Some(&Part::Any) {
        parts.push(Part::Any);
    }
    let names_folder = matches!(parts.last(), Some(Part::Name(_)));
    Alternative { parts, names_folder }
}

/// The part that `tokens` are; none for `.` and for the text between two `/`.
fn part(tokens: &[Token]) -> Result<Option<Part>, GlobError> {
    const DOT: Token = Token::Char('.');
    Ok(match tokens {
        [] => None,
        [dot] if *dot == DOT => None,
        [one, two] if *one == DOT && *two == DOT => return Err(GlobError::Leaves),
        [Token::Many, Token::Many] => Some(Part::Any),
        tokens => Some(Pattern::name(tokens).map_or_else(|| Part::Pattern(Pattern::new(tokens.to_vec())), Part::Name)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let glob = match Glob::parse(text) {
            Ok(glob) => glob,
            Err(error) => return error.to_string(),
        };
        let part = |part: &Part| match part {
            Part::Any => "ANY".to_owned(),
            Part::Name(name) => String::from_utf8_lossy(name).into_owned(),
            Part::Pattern(pattern) => format!("{pattern:?}").split_whitespace().next().unwrap_or_default().to_owned(),
        };
        let one = |one: &Alternative| {
            one.parts.iter().map(part).collect::<Vec<_>>().join(" ") + if one.names_folder { " +" } else { "" }
        };
        glob.alternatives.iter().map(one).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn folders_are_what_they_look_like() {
        for (glob, expected) in [
            ("src", "src +"),
            ("src/core", "src core +"),
            ("./src/", "src ANY"),
            ("/src//core/**", "src core ANY"),
            ("**/**/a", "ANY a +"),
            (".", "ANY"),
            ("/", "ANY"),
            ("a/**/", "a ANY"),
            ("a\\*b", "a*b +"),
            ("{src,lib/core}/x", "lib core x + | src x +"),
            ("a{,b{c,d}}", "a + | abc + | abd +"),
            ("a,b", "a,b +"),
        ] {
            assert_eq!(shown(glob), expected, "{glob}");
        }
    }

    #[test]
    fn what_is_no_glob_says_why() {
        let many = "{a,b}".repeat(20);
        let deep = "{".repeat(5000);
        let long = "a/".repeat(5000);
        for (glob, expected) in [
            ("", GlobError::Empty),
            ("!", GlobError::Empty),
            ("../x", GlobError::Leaves),
            ("a/../b", GlobError::Leaves),
            ("a[", GlobError::Class),
            ("a[]", GlobError::Class),
            ("{a[,b]", GlobError::Brace),
            ("[z-a]", GlobError::Range('z', 'a')),
            ("{a", GlobError::Brace),
            ("a}", GlobError::Brace),
            ("a\\", GlobError::Escape),
            (&many, GlobError::Alternatives),
            (&deep, GlobError::TooLong),
            (&deep[..100], GlobError::Alternatives),
            (&long, GlobError::TooLong),
        ] {
            assert_eq!(Glob::parse(glob), Err(expected), "{glob}");
        }
    }
}
