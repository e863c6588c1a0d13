//! Placeholders that a writer left in place of a value: `{CURRENT_DATETIME}`, `2026-02-[current]`, `$(date +%F)`.

/// What a placeholder in place of a date is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A slot of a template that names a moment: `{timestamp}`, `<date>`, `[current date]`.
    Slot,
    /// What nothing but a program replaces: `{CURRENT_DATETIME}`, `$(date +%F)`.
    Unexpanded,
    /// A day without its month or its number: `2026-02-XX`, `2026-02-[current]`.
    Day,
}

/// Whether such a placeholder can follow the colon, the marks and the blanks at the start of `text`.
pub fn may_follow(text: &[u8]) -> bool {
    let first = text.iter().find(|byte| !matches!(byte, b'*' | b':' | b' ' | b'`'));
    first.is_some_and(|byte| matches!(byte, b'$' | b'{' | b'<' | b'[' | b'2'))
}

/// Whether a section with this heading shows how an entry is written: what is in it are slots.
pub fn shows_form(heading: &str) -> bool {
    let title = heading.to_ascii_lowercase();
    title.contains('{') && !title.contains("{current")
        || ["template", "format", "example", "sample", "how to"].iter().any(|word| title.contains(word))
}

/// How long a slot may be, in bytes.
const MAX_SLOT: usize = 40;

/// The placeholder in place of a date at the start of `text`: its kind and its length in bytes.
pub fn in_place_of_date(text: &str) -> Option<(Kind, usize)> {
    match *text.as_bytes() {
        [b'$', b'(', ..] => command(text).map(|len| (Kind::Unexpanded, len)),
        [b'{' | b'<' | b'[', ..] => slot(text),
        [b'2', b'0', tens, ones, b'-', ..] if tens.is_ascii_digit() && ones.is_ascii_digit() => {
            let rest = text.get(5..)?;
            let len = match rest.as_bytes() {
                [b'0', b'1'..=b'9', b'-', ..] | [b'1', b'0'..=b'2', b'-', ..] => 3 + unknown(rest.get(3..)?)?,
                _ => {
                    let month = unknown(rest)?;
                    let day = rest.get(month..).and_then(|rest| rest.strip_prefix('-')).and_then(unknown);
                    month + day.map_or(0, |day| day + 1)
                }
            };
            Some((Kind::Day, 5 + len))
        }
        _ => None,
    }
}

/// `$(date …)`, `$(Get-Date …)`
fn command(text: &str) -> Option<usize> {
    let inner = text.get(2..text.find(')')?)?;
    let word = inner.split(' ').next()?;
    (word == "date" || word.eq_ignore_ascii_case("get-date")).then_some(inner.len() + 3)
}

/// `{timestamp}`, `{{date}}`, `<date>`, `[current date]`; no link.
fn slot(text: &str) -> Option<(Kind, usize)> {
    let close = match text.chars().next()? {
        '{' => '}',
        '<' => '>',
        _ => ']',
    };
    let end = text.bytes().take(MAX_SLOT).position(|byte| char::from(byte) == close)?;
    let inner = text.get(1..end)?;
    let inner = inner.strip_prefix('{').unwrap_or(inner);
    let rest = text.get(end + 1..)?;
    let len = end + 1 + usize::from(rest.starts_with(close) && close == '}');
    if rest.starts_with('(')
        || inner.starts_with(' ')
        || !inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-:/.".contains(&byte))
    {
        return None;
    }
    let is_moment = |word: &str| {
        const MOMENTS: [&str; 8] = ["date", "time", "datetime", "timestamp", "today", "now", "yyyy", "yyyymmdd"];
        MOMENTS.iter().any(|moment| word.eq_ignore_ascii_case(moment))
    };
    let kind = if inner.starts_with("CURRENT_") { Kind::Unexpanded } else { Kind::Slot };
    inner.split(|c: char| !c.is_ascii_alphanumeric()).any(is_moment).then_some((kind, len))
}

/// What is in place of the two digits of a month or a day: `XX`, `??`, `[current]`, `{day}`.
fn unknown(text: &str) -> Option<usize> {
    match *text.as_bytes() {
        [b'X', b'X', ..] | [b'x', b'x', ..] | [b'?', b'?', ..] => {
            let ends = !text.get(2..)?.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '?');
            ends.then_some(2)
        }
        [open @ (b'[' | b'{' | b'<'), ..] => {
            let close = if open == b'<' { b'>' } else { open + 2 };
            let end = text.bytes().take(MAX_SLOT).position(|byte| byte == close)?;
            let is_word = text.get(1..end)?.bytes().all(|byte| byte.is_ascii_alphabetic() || b" _-".contains(&byte));
            (is_word && end > 1).then_some(end + 1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_dates() {
        for (text, kind, placeholder) in [
            ("{CURRENT_DATETIME}: x", Kind::Unexpanded, "{CURRENT_DATETIME}"),
            ("$(date +%Y-%m-%d) x", Kind::Unexpanded, "$(date +%Y-%m-%d)"),
            ("$(Get-Date -Format 'yyyy-MM-dd')", Kind::Unexpanded, "$(Get-Date -Format 'yyyy-MM-dd')"),
            ("{timestamp}", Kind::Slot, "{timestamp}"),
            ("{{date}} x", Kind::Slot, "{{date}}"),
            ("[current date]: x", Kind::Slot, "[current date]"),
            ("<YYYY-MM-DD>", Kind::Slot, "<YYYY-MM-DD>"),
            ("2026-03-XX: x", Kind::Day, "2026-03-XX"),
            ("2026-03-[Current]: x", Kind::Day, "2026-03-[Current]"),
            ("2026-03-{day} x", Kind::Day, "2026-03-{day}"),
            ("2026-XX-XX", Kind::Day, "2026-XX-XX"),
        ] {
            let found = in_place_of_date(text);
            assert_eq!(found.map(|(kind, len)| (kind, &text[..len])), Some((kind, placeholder)), "{text}");
        }
        for text in [
            "",
            "$(git log)",
            "$(dateline)",
            "{date",
            "{id}",
            "{timeline}",
            "{ date: string }",
            "[date](x.md)",
            "2026-03-12",
            "2026-03",
            "2026-03-XXL",
            "2026-MM-DD",
            "2026-13-XX",
            "é",
            "{é}",
            "20é",
        ] {
            assert_eq!(in_place_of_date(text), None, "{text}");
        }
    }
}
