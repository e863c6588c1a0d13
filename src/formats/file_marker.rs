//! Lines with which a script marks where one file ends and the next one begins: `--- FILE: keaton-tabs.md ---`.

use super::markdown::lines_with;
use crate::text::Span;

/// How such a line may begin and end.
pub const FORMS: [(&str, &str); 3] = [("--- ", " ---"), ("=== ", " ==="), ("==> ", " <==")];

/// The words before the name of the file.
const WORDS: [&str; 5] = ["file:", "begin file:", "end file:", "source:", "from:"];

/// Whether the trimmed `line` is a marker with the name of a Markdown file.
pub fn is_file_marker(line: &str) -> bool {
    let form = FORMS.iter().find_map(|(start, end)| {
        let inner = line.strip_prefix(start)?;
        let closed = inner.strip_suffix(end);
        Some((closed.unwrap_or(inner).trim(), closed.is_some()))
    });
    let Some((inner, is_closed)) = form else { return false };
    let start = |word: &&&str| inner.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let word = WORDS.iter().find(start).map_or(0, |word| word.len());
    let path = inner.get(word..).unwrap_or_default().trim();
    (is_closed || word > 0) && path.to_ascii_lowercase().ends_with(".md") && !path.contains(char::is_whitespace)
}

/// The first marker in the lines of `span`, outside of code.
pub fn first(text: &str, span: Span) -> Option<usize> {
    let inner = span.of(text);
    let of_form = |(form, _): &(&str, &str)| {
        lines_with(inner, form, |line| is_file_marker(line.of(inner).trim())).first().copied()
    };
    FORMS.iter().filter_map(of_form).map(|line| span.start() + line.start()).min()
}
