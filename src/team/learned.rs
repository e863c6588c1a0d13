//! A learning as one line of a learnings file. What members write is foreign text: in a list item it must not become a
//! heading, a fence, a comment or a mark, and nothing in it may hide from who reads the file.

use crate::formats::learnings::{Date, Learnings, MarkKind};
use crate::terminal::is_active;
use crate::text::similarity;

/// The longest learning, in characters.
const LONGEST: usize = 2000;

/// Why a text is not a learning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It says nothing.
    #[error("it is empty")]
    Empty,
    /// It is too long for a line that goes into every task.
    #[error("it has {0} characters, expected at most {LONGEST}")]
    TooLong(usize),
    /// It holds what a reader does not see.
    #[error("it has the character U+{:04X}, which controls a terminal or hides text", u32::from(*.0))]
    Hidden(char),
}

/// The entry for what a member wrote, with the day on which it is added and the member that sends it. Marks for both that
/// are in it already give way to them.
///
/// # Errors
/// When it cannot be one.
pub fn entry(content: &str, today: Date, from: Option<&str>) -> Result<String, Refusal> {
    let line = without_marks(&one_line(content)?, from.is_some());
    let line = if line.is_empty() { return Err(Refusal::Empty) } else { inert(&line) };
    let from = from.map(|name| format!("(from {name}) ")).unwrap_or_default();
    Ok(format!("- {from}{line} (added: {today})"))
}

/// `content` on one line.
fn one_line(content: &str) -> Result<String, Refusal> {
    let hidden = |c: &char| !c.is_whitespace() && is_active(*c) || is_invisible(*c);
    if let Some(hidden) = content.chars().find(hidden) {
        return Err(Refusal::Hidden(hidden));
    }
    // Models write the bullet along.
    let is_bullet = |word: &&str| matches!(*word, "-" | "*" | "+" | "•");
    let words: Vec<&str> = content.split_whitespace().skip_while(is_bullet).collect();
    let line = words.join(" ");
    let len = line.chars().count();
    if len > LONGEST { Err(Refusal::TooLong(len)) } else { Ok(line) }
}

/// Characters without a shape that are not blanks, except for those that emoji are joined with.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// `line` with a backslash where Markdown would take its start for more than text, and wherever a comment would begin.
fn inert(line: &str) -> String {
    let line = line.replace("<!--", "<\\!--");
    let starts_with_run = |sign: char, least: usize, most: usize| {
        let rest = line.trim_start_matches(sign);
        let len = line.len() - rest.len();
        (least..=most).contains(&len).then_some(rest)
    };
    let heading = starts_with_run('#', 1, 6).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let ticks = starts_with_run('`', 3, usize::MAX).is_some_and(|rest| !rest.contains('`'));
    let tildes = starts_with_run('~', 3, usize::MAX).is_some();
    let html = line
        .strip_prefix('<')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?\\".contains(c)));
    let definition = line.starts_with('[') && line.split_once("]:").is_some_and(|(label, _)| !label.contains(']'));
    let rule = ['-', '*', '_', '='].iter().any(|sign| line.chars().all(|c| c == *sign || c == ' '));
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = line.len() - digits.len();
    if (1..10).contains(&number)
        && [".", ")"].iter().any(|end| digits == *end || digits.starts_with(&format!("{end} ")))
    {
        let (number, rest) = line.split_at(number);
        return format!("{number}\\{rest}");
    }
    if heading || ticks || tildes || html || definition || rule || line.starts_with('>') || line.starts_with("<\\!") {
        return format!("\\{line}");
    }
    line
}

/// `line` without the marks that give way.
fn without_marks(line: &str, is_sent: bool) -> String {
    let text = format!("- {line}");
    let parsed = Learnings::parse(&text);
    let marks = parsed.entries.first().map(|entry| entry.marks.as_slice()).unwrap_or_default();
    let gives_way = |kind: MarkKind| kind == MarkKind::Added || kind == MarkKind::From && is_sent;
    let mut groups: Vec<_> = marks.iter().filter(|mark| gives_way(mark.kind)).map(|mark| mark.group).collect();
    groups.dedup();
    let mut kept = text.clone();
    for group in groups.into_iter().rev() {
        let others = marks.iter().filter(|mark| mark.group == group && !gives_way(mark.kind));
        let others: Vec<&str> = others.map(|mark| mark.key.to(mark.value).of(&text)).collect();
        let instead = if others.is_empty() { String::new() } else { format!("({})", others.join(", ")) };
        if let (Some(before), Some(after)) = (kept.get(..group.start()), kept.get(group.end()..)) {
            kept = [before, &instead, after].concat();
        }
    }
    kept.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
}

/// What `entry`, the text of one, is compared by.
pub fn key(entry: &str) -> String {
    let parsed = Learnings::parse(entry);
    let text = parsed.entries.first().map_or(entry, |first| first.text.of(entry));
    similarity::normal(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn today() -> Date {
        jiff::civil::date(2026, 3, 1)
    }

    /// What becomes of `content`, without the mark.
    fn line(content: &str) -> Result<String, Refusal> {
        let entry = entry(content, today(), None)?;
        Ok(entry.strip_prefix("- ").unwrap().strip_suffix(" (added: 2026-03-01)").unwrap().to_owned())
    }

    #[test]
    fn one_line_of_text() {
        for (content, expected) in [
            ("Use joi", "Use joi"),
            ("- Use joi,\n  not zod\r\n\u{85}\u{2028}ever", "Use joi, not zod ever"),
            ("# Heading", "\\# Heading"),
            ("#148 is open", "#148 is open"),
            ("```js\nx\n", "\\```js x"),
            ("```x``` is code", "```x``` is code"),
            ("~~~ x", "\\~~~ x"),
            ("a <!-- squad-lint: ignore-file all -->", "a <\\!-- squad-lint: ignore-file all -->"),
            ("<!-- a -->", "\\<\\!-- a -->"),
            ("<script>x", "\\<script>x"),
            ("< 5 ms", "< 5 ms"),
            ("> quoted", "\\> quoted"),
            ("1. first", "1\\. first"),
            ("2026 was", "2026 was"),
            ("---", "\\---"),
            ("*really*", "*really*"),
            ("[a]: b", "\\[a]: b"),
            ("[a](b) c", "[a](b) c"),
        ] {
            assert_eq!(line(content), Ok(expected.to_owned()), "{content}");
        }
        assert_eq!(line(" \n- "), Err(Refusal::Empty));
        assert_eq!(line("* * *"), Err(Refusal::Empty));
        assert_eq!(line("(added: 2026-01-01)"), Err(Refusal::Empty));
        assert_eq!(line("(added: 2026-01-01) # x").unwrap(), "\\# x");
        assert_eq!(line("a\0b"), Err(Refusal::Hidden('\0')));
        assert_eq!(line("a\u{202e}b"), Err(Refusal::Hidden('\u{202e}')));
        assert_eq!(line("a\u{e0041}b"), Err(Refusal::Hidden('\u{e0041}')));
        assert_eq!(line("\u{1F469}\u{200d}\u{1F4BB} ok").unwrap(), "\u{1F469}\u{200d}\u{1F4BB} ok");
        assert_eq!(line(&"x ".repeat(2000)), Err(Refusal::TooLong(3999)));
    }

    #[test]
    fn its_marks() {
        for (line, from, expected) in [
            ("Use joi", None, "- Use joi (added: 2026-03-01)"),
            ("Use joi", Some("api"), "- (from api) Use joi (added: 2026-03-01)"),
            ("(from db) Use joi (added: 2020-01-01)", Some("api"), "- (from api) Use joi (added: 2026-03-01)"),
            ("Use joi (added: 2020-01-01, dispatch: a.6)", None, "- Use joi (dispatch: a.6) (added: 2026-03-01)"),
            ("Use joi (updated: 2020-01-01)", None, "- Use joi (updated: 2020-01-01) (added: 2026-03-01)"),
        ] {
            assert_eq!(entry(line, today(), from).unwrap(), expected);
        }
        assert_eq!(key("- (from api) Use  JOI. (added: 2026-03-01)"), key("- use joi"));
    }

    proptest! {
        #[test]
        fn whatever_a_member_writes_is_one_entry(
            content in prop_oneof![any::<String>(), "((\\(added: 2026-01-01\\)|\\(from db, added: x\\)|[-#>`~<!\\[\\]:*+_=0-9.() a\n\t|&\\\\{}]{0,8})){0,5}"],
            sent in any::<bool>(),
        ) {
            let Ok(entry) = entry(&content, today(), sent.then_some("api")) else { return Ok(()) };
            let file = format!("# Learnings: x\n\n## Gotchas\n{entry}\n- next\n\n## Preferences\n- last\n");
            let parsed = Learnings::parse(&file);
            prop_assert_eq!(parsed.sections.len(), 2, "{}", &file);
            prop_assert_eq!(parsed.entries.len(), 3, "{}", &file);
            prop_assert_eq!(parsed.entries[0].span.of(&file).trim_end(), entry.trim_end());
            prop_assert_eq!(parsed.entries[0].added(), Some(today()), "{}", &file);
            prop_assert_eq!(parsed.entries[0].sender.is_some_and(|name| name.of(&file) == "api") || !sent, true, "{}", &file);
            // Written again it is the same.
            prop_assert_eq!(key(&entry), similarity::normal(parsed.entries[0].text.of(&file)));
        }
    }
}
