//! Field labels: `**author:** Verbal`, and the near misses that people and agents write.

use crate::text::Span;

/// The longest label, in bytes; more is emphasis in prose.
const MAX_NAME: usize = 48;

/// A bold label at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// From the first `*` to the colon and asterisks that end it.
    pub span: Span,
    /// The name between the asterisks, without the colon.
    pub name: Span,
    /// How it differs from the specification's `**name:**` at the start of the line.
    pub form: Form,
}

/// How a label is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Spaces before it.
    pub indented: bool,
    /// A list marker before it.
    pub bulleted: bool,
    /// The colon outside the asterisks: `**name**: `.
    pub colon_outside: bool,
}

impl Form {
    /// Exactly as the specification has it.
    pub fn is_exact(self) -> bool {
        self == Self::default()
    }
}

/// The label that `line` starts with.
pub fn parse(text: &str, line: Span) -> Option<Label> {
    let bytes = text.as_bytes().get(line.start()..line.end())?;
    if let Some(label) = exact(bytes, line) {
        return Some(label);
    }
    let indent = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let mut at = indent;
    while bytes.get(at) != Some(&b'*') || bytes.get(at + 1) != Some(&b'*') {
        at += list_marker(bytes.get(at..)?)?;
    }
    let start = at + 2;
    let inner = bytes.get(start..)?;
    let star = memchr::memchr(b'*', inner.get(..MAX_NAME + 3).unwrap_or(inner))?;
    if inner.get(star + 1) != Some(&b'*') {
        return None;
    }
    let name = inner.get(..star)?;
    let (name_len, end, colon_outside) = match name {
        [name @ .., b':'] => (name.len(), star + 2, false),
        name => {
            let gap = inner.get(star + 2..)?.iter().take_while(|&&byte| byte == b' ').count();
            (inner.get(star + 2 + gap) == Some(&b':') && gap <= 1).then_some((name.len(), star + 3 + gap, true))?
        }
    };
    if name_len == 0 || name.first() == Some(&b' ') {
        return None;
    }
    let origin = line.start();
    let name = Span::new(origin + start, origin + start + name_len);
    let name = if inner.get(name_len.saturating_sub(1)) == Some(&b' ') { name.trim(text) } else { name };
    let span = Span::new(origin + at, origin + start + end);
    Some(Label { span, name, form: Form { indented: indent > 0, bulleted: at > indent, colon_outside } })
}

/// The specification's own form, `**name:**` with a name of lower-case letters: nearly every label is one.
fn exact(bytes: &[u8], line: Span) -> Option<Label> {
    let [b'*', b'*', rest @ ..] = bytes else { return None };
    let mut behind = rest;
    while let [b'a'..=b'z', next @ ..] = behind {
        behind = next;
    }
    let ([b':', b'*', b'*', ..], len @ 1..=MAX_NAME) = (behind, rest.len() - behind.len()) else { return None };
    let start = line.start();
    Some(Label {
        span: Span::new(start, start + len + 5),
        name: Span::new(start + 2, start + 2 + len),
        form: Form::default(),
    })
}

/// The length of a list marker and the blanks after it.
fn list_marker(rest: &[u8]) -> Option<usize> {
    let marker = match rest.first()? {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            matches!(rest.get(digits), Some(b'.' | b')')).then_some(digits + 1)?
        }
        _ => return None,
    };
    let blanks = rest.get(marker..)?.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (blanks > 0).then_some(marker + blanks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(&str, &str, Form)> {
        let label = parse(line, Span::new(0, line.len()))?;
        Some((label.span.of(line), label.name.of(line), label.form))
    }

    #[test]
    fn labels_in_all_their_forms() {
        let form = |indented, bulleted, colon_outside| Form { indented, bulleted, colon_outside };
        assert_eq!(read("**author:** Verbal"), Some(("**author:**", "author", Form::default())));
        assert_eq!(read("**details:**"), Some(("**details:**", "details", Form::default())));
        assert_eq!(read("**author:**Verbal"), Some(("**author:**", "author", Form::default())));
        assert_eq!(read("  **Author:** x"), Some(("**Author:**", "Author", form(true, false, false))));
        assert_eq!(read("- **By**: x"), Some(("**By**:", "By", form(false, true, true))));
        assert_eq!(read("12. **By:** x"), Some(("**By:**", "By", form(false, true, false))));
        assert_eq!(read("**Requested by:** x"), Some(("**Requested by:**", "Requested by", Form::default())));
        for line in ["**bold** text", "**", "***", "**a*b:**", "** x:**", "text **a:**", "****", "**:**", "*a:*"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
