//! Titles in HTML over several lines: they are read as if they were in one.

/// Elements that are titles.
const ELEMENTS: [&str; 12] = ["h1", "h2", "h3", "h4", "h5", "h6", "summary", "strong", "b", "caption", "dt", "legend"];

/// The title that is open.
#[derive(Debug, Default)]
pub(super) struct HtmlTitle {
    /// Its first line, and its text up to here.
    open: Option<(usize, String)>,
}

impl HtmlTitle {
    /// Goes on to the line with that number, which is `text`. Returns the first line and the text of a title of several lines that ends here.
    pub(super) fn read(&mut self, number: usize, text: &str) -> Option<(usize, String)> {
        if text.trim().is_empty() {
            self.open = None;
            return None;
        }
        if let Some((_, title)) = &mut self.open {
            title.push(' ');
            title.push_str(text);
            return if is_open(text, true) { None } else { self.open.take() };
        }
        if text.starts_with('<') && is_open(text, false) {
            self.open = Some((number, text.to_owned()));
        }
        None
    }
}

/// Whether a title is open behind `text`, if one `was_open` before it.
fn is_open(text: &str, was_open: bool) -> bool {
    let mut open = was_open;
    for tag in text.split('<').skip(1) {
        let (name, closes) = tag.strip_prefix('/').map_or((tag, false), |name| (name, true));
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        if name.get(..end).is_some_and(|name| ELEMENTS.iter().any(|known| name.eq_ignore_ascii_case(known))) {
            open = !closes;
        }
    }
    open
}

/// Whether `text` is a tag of an element, and nothing more.
pub(super) fn is_only_tag(text: &str) -> bool {
    let text = text.trim();
    text.len() > 2 && text.starts_with('<') && text.find('>') == Some(text.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_of_several_lines_is_one() {
        let mut title = HtmlTitle::default();
        let lines = ["<h3", "  id=\"a\">Local", "keys</h3>", "<b>a</b>", "<summary>", "", "a </b>"];
        let found: Vec<_> = lines.iter().enumerate().filter_map(|(number, line)| title.read(number, line)).collect();
        assert_eq!(found, [(0, "<h3   id=\"a\">Local keys</h3>".to_owned())]);
    }
}
