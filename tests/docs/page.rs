//! The pages, their fenced blocks and headings, and the words of the commands in them.

use std::fs;
use std::ops::Range;

use crate::support::{files_below, project};

/// A page of documentation.
pub struct Page {
    /// Its path in the project.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its fenced blocks.
    pub blocks: Vec<Block>,
    /// What links to its headings have behind `#`.
    pub anchors: Vec<String>,
}

/// A fenced block.
pub struct Block {
    /// What stands in the comment on the line above the fence.
    pub marker: Option<String>,
    /// The word behind the fence.
    pub language: String,
    /// What is inside.
    pub text: String,
    /// Where that is, in bytes of the page.
    pub place: Range<usize>,
}

impl Block {
    /// The rest of the marker, where it begins so.
    pub fn marker(&self, start: &str) -> Option<&str> {
        self.marker.as_deref()?.strip_prefix(start)
    }
}

/// The README and all pages under `docs/`.
pub fn pages() -> Vec<Page> {
    let docs = files_below(&project().join("docs"));
    let docs = docs.iter().filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let names = docs.map(|path| format!("docs/{}", path.display()));
    std::iter::once("README.md".to_owned()).chain(names).map(|name| Page::read(&name)).collect()
}

impl Page {
    /// The text without what the program prints in it: its lines stay, empty.
    pub fn without_outputs(&self) -> String {
        let mut text = self.text.clone();
        for block in self.blocks.iter().rev().filter(|block| block.marker("output of: ").is_some()) {
            text.replace_range(block.place.clone(), &"\n".repeat(block.text.lines().count()));
        }
        text
    }

    /// The page of that path.
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(project().join(name)).unwrap();
        let mut blocks = Vec::new();
        let mut anchors = Vec::new();
        let mut marker = None;
        let mut open: Option<(&str, Block)> = None;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let content = line.trim_end();
            let ticks = &content[..content.len() - content.trim_start_matches('`').len()];
            match open.take() {
                Some((fence, mut block)) if content == fence => {
                    block.place.end = at;
                    text[block.place.clone()].clone_into(&mut block.text);
                    blocks.push(block);
                }
                Some(inside) => open = Some(inside),
                None if ticks.len() >= 3 => {
                    let start = at + line.len();
                    let language = content.trim_start_matches('`').to_owned();
                    let block = Block { marker: marker.take(), language, text: String::new(), place: start..start };
                    open = Some((ticks, block));
                }
                None => {
                    anchors.extend(content.starts_with('#').then(|| anchor(content)));
                    let comment = content.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
                    marker = comment.map(str::to_owned);
                }
            }
            at += line.len();
        }
        assert!(open.is_none(), "{name}: a fence is never closed");
        Self { name: name.to_owned(), text, blocks, anchors }
    }
}

/// The anchor that GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().chars();
    let kept = letters.filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The words of a plain command, as a shell reads them: quotes, and a comment at the end. What only a shell can do is
/// refused.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        if let Some(open) = quote {
            match c {
                c if c == open => quote = None,
                '$' | '`' | '\\' if open == '"' => return Err(format!("`{c}` needs a shell")),
                c => word.get_or_insert_default().push(c),
            }
            continue;
        }
        match c {
            '\'' | '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            '#' if word.is_none() => break,
            c if c.is_whitespace() => words.extend(word.take()),
            // Within a word, as in `HEAD~1`, it stands for itself.
            '~' if word.is_none() => return Err("`~` needs a shell".to_owned()),
            '|' | '&' | ';' | '<' | '>' | '$' | '`' | '\\' | '*' | '?' | '(' | ')' => {
                return Err(format!("`{c}` needs a shell"));
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("a quote is never closed".to_owned()) } else { Ok(words) }
}
