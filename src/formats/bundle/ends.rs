//! Marks that end what others began: `[/local]`, `[/portable]`, `<!-- end portable -->`.

use super::claim::label;
use super::tag::Reach;
use super::words::{is, may_say_local, may_say_portable, set_off, words, words_at};

/// A mark that ends what another one began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) reach: Reach,
    /// Whether it is alone in its line.
    pub(super) is_alone: bool,
    /// Whether some text is behind it.
    pub(super) has_behind: bool,
}

/// What `text`, a line without the marker of its item, ends: a mark alone on the line, as its label, or in brackets anywhere.
pub(super) fn ends(text: &str) -> Option<End> {
    if !may_say_portable(text) && !may_say_local(text) {
        return None;
    }
    let elements = text.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(element, _)| element);
    let mut parts = std::iter::once(text).chain(label(text)).chain(set_off(text)).chain(elements);
    parts.find_map(|part| {
        let reach = ended(part)?;
        let has_behind = text.rsplit_once(part).is_some_and(|(_, behind)| behind.contains(char::is_alphanumeric));
        Some(End { reach, is_alone: part == text, has_behind })
    })
}

/// What `part` ends, if it says nothing more.
fn ended(part: &str) -> Option<Reach> {
    const ENDS: [&str; 11] =
        ["end", "ends", "ended", "stop", "stops", "close", "closes", "closed", "finish", "fin", "ende"];
    const FILLERS: [&str; 9] = ["of", "the", "section", "block", "part", "context", "only", "here", "text"];
    const JOINED: [(&str, Reach); 2] = [("endportable", Reach::Portable), ("endlocal", Reach::Local)];
    let named = |word: &str| match () {
        () if is(word, "portable") => Some(Reach::Portable),
        () if is(word, "local") => Some(Reach::Local),
        () => None,
    };
    let is_end = |word: &str| ENDS.iter().any(|known| is(word, known));
    let mut all = words(part).filter(|word| !FILLERS.iter().any(|known| is(word, known)));
    match [all.next(), all.next(), all.next()] {
        [Some(one), None, _] => {
            let joined = JOINED.into_iter().find_map(|(word, reach)| is(one, word).then_some(reach));
            let (at, _) = words_at(part).find(|(_, word)| *word == one)?;
            joined.or_else(|| named(one).filter(|_| part.get(..at).is_some_and(|before| before.ends_with('/'))))
        }
        [Some(one), Some(other), None] if is_end(one) => named(other),
        [Some(one), Some(other), None] if is_end(other) => named(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends() {
        for (text, reach) in [
            ("[/portable]", Reach::Portable),
            ("<!-- end portable -->", Reach::Portable),
            ("<!-- /portable -->", Reach::Portable),
            ("</portable>", Reach::Portable),
            ("<!-- portable: end -->", Reach::Portable),
            ("[end of the portable section]", Reach::Portable),
            ("Small changes [/portable]", Reach::Portable),
            ("Small changes <!-- end portable -->", Reach::Portable),
            ("### End of Portable Context", Reach::Portable),
            ("[/local]", Reach::Local),
            ("[Local] end", Reach::Local),
            ("<!-- endlocal -->", Reach::Local),
        ] {
            assert_eq!(ends(text).map(|end| end.reach), Some(reach), "{text}");
        }
        for (text, is_alone, has_behind) in [
            ("[/local]", true, false),
            ("Small changes [/portable].", false, false),
            ("[/portable] Large ones", false, true),
            ("A <!-- end portable --> b", false, true),
            ("### End of Portable Context: b", false, true),
        ] {
            let end = ends(text).map(|end| (end.is_alone, end.has_behind));
            assert_eq!(end, Some((is_alone, has_behind)), "{text}");
        }
        for text in ["[portable]", "Portable Context", "local", "in /usr/local", "", "The end of local tests"] {
            assert_eq!(ends(text), None, "{text}");
        }
    }
}
