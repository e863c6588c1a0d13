//! `{a,b}` and `{1..3}` in a pattern: what they mean.

/// A pattern with more braces than this stays as it is.
const MAX_BRACES: usize = 64;
/// A pattern that means more than this many is cut off there.
const MAX_EXPANSIONS: usize = 1000;
/// And where they would be longer than this together, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// All that `glob` means; itself where it has no braces that mean something.
pub fn expand(glob: &str) -> Vec<String> {
    // Nested braces cost one level of the stack each.
    if glob.matches('{').count() > MAX_BRACES {
        return vec![glob.to_owned()];
    }
    let most = MAX_EXPANSIONS.min(MAX_BYTES / glob.len().max(1)).max(1);
    let mut done = vec![String::new()];
    let mut rest = glob;
    while let Some(group) = first_group(rest) {
        let values: Vec<String> = match group.values {
            Values::Sequence(values) => values,
            Values::Parts(parts) => parts.into_iter().flat_map(expand).collect(),
        };
        let both =
            done.iter().flat_map(|start| values.iter().map(move |value| format!("{start}{}{value}", group.before)));
        done = both.take(most).collect();
        rest = group.after;
    }
    done.iter().map(|start| format!("{start}{rest}")).collect()
}

struct Group<'a> {
    before: &'a str,
    values: Values<'a>,
    after: &'a str,
}

enum Values<'a> {
    Sequence(Vec<String>),
    Parts(Vec<&'a str>),
}

/// The first `{…}` that has a `,` or `..` of its own.
fn first_group(glob: &str) -> Option<Group<'_>> {
    let mut open = None;
    let mut escaped = false;
    let mut dollar = false;
    for (at, c) in glob.char_indices() {
        if c == '{' && !escaped && !dollar {
            open = group_at(glob, at);
            if open.is_some() {
                break;
            }
        }
        dollar = c == '$';
        escaped = c == '\\' && !escaped;
    }
    open
}

/// The group that opens at `open`.
fn group_at(glob: &str, open: usize) -> Option<Group<'_>> {
    let body = glob.get(open + 1..)?;
    let mut depth = 0_usize;
    let mut escaped = false;
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => {}
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                parts.push(body.get(start..at)?);
                start = at + 1;
            }
            '}' => {
                parts.push(body.get(start..at)?);
                let values = match parts.as_slice() {
                    [only] => Values::Sequence(sequence(only)?),
                    _ => Values::Parts(parts),
                };
                return Some(Group { before: glob.get(..open)?, values, after: body.get(at + 1..)? });
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// `1..3`, `a..c`, with a step after a further `..`.
fn sequence(body: &str) -> Option<Vec<String>> {
    let mut parts = body.split("..");
    let (first, last) = (parts.next()?, parts.next()?);
    let step: i64 = parts.next().map_or(Some(1), |step| step.parse().ok())?;
    if parts.next().is_some() {
        return None;
    }
    let letter = |part: &str| match part.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(i64::from(*letter)),
        _ => None,
    };
    let (from, to, letters) = match (letter(first), letter(last)) {
        (Some(from), Some(to)) => (from, to, true),
        _ => (first.parse::<i64>().ok()?, last.parse::<i64>().ok()?, false),
    };
    let padded = |part: &str| part.trim_start_matches('-').len() > 1 && part.trim_start_matches('-').starts_with('0');
    let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
    let step = step.unsigned_abs().max(1);
    let count = from.abs_diff(to) / step + 1;
    let values = (0..count).take(MAX_EXPANSIONS).map(|index| {
        let offset = i64::try_from(index.saturating_mul(step)).unwrap_or(i64::MAX);
        let value = if from <= to { from.saturating_add(offset) } else { from.saturating_sub(offset) };
        let letter = u8::try_from(value).ok().filter(|_| letters).map(char::from);
        letter.map_or_else(|| format!("{value:0width$}"), String::from)
    });
    Some(values.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_sequences() {
        for (glob, expected) in [
            ("a", "a"),
            ("a{b,c}d", "abd acd"),
            ("a{b,}c", "abc ac"),
            ("{a,b}{c,d}", "ac ad bc bd"),
            ("a{b,c{d,e}f}g", "abg acdfg acefg"),
            ("a{b}c", "a{b}c"),
            ("a{b{c,d}}", "a{bc} a{bd}"),
            ("a{b,c", "a{b,c"),
            (r"a\{b,c}", r"a\{b,c}"),
            ("${a,b}", "${a,b}"),
            ("{1..3}", "1 2 3"),
            ("{c..a..2}", "c a"),
            ("{08..10}", "08 09 10"),
            ("{2..}", "{2..}"),
        ] {
            assert_eq!(expand(glob).join(" "), expected, "{glob}");
        }
    }

    #[test]
    fn what_would_explode_is_cut_off() {
        assert_eq!(expand(&"{a,b}".repeat(60)).len(), MAX_EXPANSIONS);
        assert_eq!(expand(&"{a,".repeat(100_000)).len(), 1);
        assert_eq!(expand(&format!("{{1..999}}{}", "a".repeat(1 << 17))).len(), 7);
        assert_eq!(expand("{1..99999999999}").len(), MAX_EXPANSIONS);
    }
}
