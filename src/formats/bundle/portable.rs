//! What of a text travels: by its sections and tags (`docs/formats/portable-squads.md`, "Histories"). What stays is marked more widely
//! than what travels: in doubt, a line stays.

use super::classified::may_be_classified;
use super::cut::{Cut, Part, Reason};
use super::heading::{is_project_context, may_be_project_context, may_be_specific};
use super::line::{Line, Marks, Place};
use super::marks::lines;
use super::orders::may_say_order;
use super::tag::Reach;
use super::words::may_say_local;
use crate::text::Span;

/// `history` without what is marked as local. The rest keeps its bytes.
pub fn without_local(history: &str) -> Cut {
    not_local(history, Marks::All)
}

/// `text` without the sections `## Project Context`.
pub fn without_project_context(text: &str) -> Cut {
    not_local(text, Marks::ProjectContext)
}

/// Whether something in `text` can be marked as local. Most texts need not be looked through line by line.
fn may_be_local(text: &str, marks: Marks) -> bool {
    may_be_project_context(text)
        || marks != Marks::ProjectContext
            && (may_say_local(text) || may_be_specific(text) || may_say_order(text) || may_be_classified(text))
}

fn not_local(text: &str, marks: Marks) -> Cut {
    if !may_be_local(text, marks) {
        return Cut { text: text.to_owned(), stays: Vec::new() };
    }
    Cut::settled(text, |text| {
        let reason = |line: &Line| (line.reach == Some(Reach::Local)).then_some(Reason::Local);
        lines(text, marks).iter().map(|line| (line.span.len(), reason(line))).collect()
    })
}

/// What of `history` is marked as portable, under its headings; empty if nothing is.
pub fn only_portable(history: &str) -> Cut {
    Cut::settled(history, portable)
}

fn portable(history: &str) -> Vec<Part> {
    let (lines, marked) = (lines(history, Marks::Strict), lines(history, Marks::All));
    let mut parts: Vec<Part> = Vec::with_capacity(lines.len());
    // The heading above what is kept is kept: those up to this level are above it.
    let (mut above, mut is_last) = (0, true);
    // The number of the blank lines behind, and whether those before the text below stay.
    let mut blank = 0;
    for (number, line) in lines.iter().enumerate().rev() {
        if line.span.of(history).trim().is_empty() {
            parts.push((line.span.len(), None));
            blank += 1;
            continue;
        }
        let is_local = marked.get(number).is_some_and(|line| line.reach == Some(Reach::Local));
        let reason = match (line.reach, line.level) {
            _ if is_local => Some(Reason::Local),
            (Some(Reach::Local), _) => Some(Reason::Doubt),
            (Some(Reach::Portable), level) => {
                above = if level > 0 { level } else { u8::MAX };
                None
            }
            (None, level) if level > 0 && level < above => {
                above = level;
                None
            }
            (None, _) if line.is_in_doubt => Some(Reason::Doubt),
            (None, _) => Some(Reason::Unmarked),
        };
        // A blank line parts what is kept; behind what stays, and at the end of what is kept, it stays.
        let behind = parts.len() - blank;
        let next = behind.checked_sub(1).and_then(|next| parts.get(next)).and_then(|(_, reason)| *reason);
        let of_blank = reason.or(if is_last { next } else { None });
        for (_, reason) in parts.iter_mut().skip(behind) {
            *reason = of_blank;
        }
        is_last &= reason.is_some();
        blank = 0;
        parts.push((line.span.len(), reason));
    }
    // Those at the start stay with what is behind them.
    let behind = parts.len() - blank;
    let next = behind.checked_sub(1).and_then(|next| parts.get(next)).and_then(|(_, reason)| *reason);
    for (_, reason) in parts.iter_mut().skip(behind) {
        *reason = next;
    }
    parts.reverse();
    parts
}

/// The parts of `history` that are marked as local: of each the line with the mark, and all of it. An example in a code block is none.
pub(super) fn local(history: &str) -> Vec<(Span, Span)> {
    parts(history, Marks::All)
}

/// The sections `## Project Context` of `text`, each with its heading as the first line. An example in a code block is none.
pub fn project_context(text: &str) -> Vec<Span> {
    // Of the text around a mark, only what has the words counts.
    let whole = parts(text, Marks::ProjectContext).into_iter().map(|(_, whole)| whole);
    whole.filter(|whole| is_project_context(whole.of(text))).collect()
}

/// Whether something in `text` is marked as local.
pub fn has_local(text: &str) -> bool {
    may_be_local(text, Marks::All) && lines(text, Marks::All).iter().any(|line| line.reach == Some(Reach::Local))
}

fn parts(text: &str, marks: Marks) -> Vec<(Span, Span)> {
    let mut found: Vec<(Span, Span)> = Vec::new();
    if !may_be_local(text, marks) {
        return found;
    }
    // Whether the part that is open counts; `None` if none is.
    let mut open = None;
    for line in lines(text, marks) {
        open = match open {
            _ if line.reach != Some(Reach::Local) => None,
            Some(counts) if !line.has_mark => Some(counts),
            _ => Some(line.place != Place::Block),
        };
        match found.last_mut().filter(|_| !line.has_mark) {
            _ if open != Some(true) => {}
            Some((_, whole)) if whole.end == line.span.start => *whole = Span::new(whole.start(), line.span.end()),
            _ => {
                let first = line.span.of(text).lines().next().unwrap_or_default();
                let mark = Span::new(line.span.start(), line.span.start() + first.len());
                found.push((mark.trim(text), line.span));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::cut::Reason;
    use super::super::work::steps;
    use super::{local, project_context};

    fn without_local(history: &str) -> String {
        super::without_local(history).text
    }

    fn only_portable(history: &str) -> String {
        super::only_portable(history).text
    }

    const HISTORY: &str = "# History of Keaton\n\nText.\n\n## Portable Context\n\n- Small changes\n- [local] Port 3000\n  and 3001\n\n\
                           ## Project Context\n\n- Rust\n\n### More\n\nText.\n\n## Learnings\n\n- [portable] Tests first\n  always\n- Other\n";

    #[test]
    fn what_is_local_stays() {
        assert_eq!(
            without_local(HISTORY),
            "# History of Keaton\n\nText.\n\n## Portable Context\n\n- Small changes\n## Learnings\n\n- [portable] Tests first\n  always\n- Other\n"
        );
        let plain = "# History\r\n\r\n- One\r\n```\n[local\n# Project\n```\n- Two [portable]";
        assert_eq!(without_local(plain), plain);
    }

    #[test]
    fn a_title_ends_at_the_next_heading() {
        let history = "# Project Context\n\n- **Owner:** Brady\n\n## Learnings\n\n- One\n\n## Updates\n\nText.\n";
        assert_eq!(without_local(history), "## Learnings\n\n- One\n\n## Updates\n\nText.\n");
        let tagged = "# Verbal [local]\n\n## Learnings\n\n- One\n";
        assert_eq!(without_local(tagged), "");
        // Behind the title, a section of its level has those below it.
        let section =
            "# History\n\n# Project Context\n\n## Stack\n\n- Rust\n\n### Deep\n\nText.\n\n# Learnings\n\n- One\n";
        assert_eq!(without_local(section), "# History\n\n# Learnings\n\n- One\n");
        assert_eq!(super::without_project_context(section).text, "# History\n\n# Learnings\n\n- One\n");
    }

    #[test]
    fn a_title_over_a_line_is_a_heading() {
        let history =
            "# A\n\nProject Context:\n----------------\n\n- Rust\n\nLearnings\n---------\n\n- [portable] One\n- Two\n";
        assert_eq!(without_local(history), "# A\n\nLearnings\n---------\n\n- [portable] One\n- Two\n");
        assert_eq!(only_portable(history), "# A\n\nLearnings\n---------\n\n- [portable] One\n");
    }

    #[test]
    fn parts_that_are_local() {
        let found: Vec<_> =
            local(HISTORY).iter().map(|(mark, whole)| (mark.of(HISTORY), whole.of(HISTORY).len())).collect();
        assert_eq!(found, [("- [local] Port 3000", 32), ("## Project Context", 45)]);
        let text = "- [local] A\n- B\n- [local] C\n  c\n";
        let found: Vec<_> = local(text).iter().map(|(_, whole)| whole.of(text)).collect();
        assert_eq!(found, ["- [local] A\n", "- [local] C\n  c\n"]);
    }

    #[test]
    fn an_item_in_another_one_can_be_local() {
        for history in [
            "- Deploys\n  - [local] In the vault\n    and more\n  - Daily\n- Tests\n",
            "1. Deploys\n   1. [local] In the vault\n\n      and more\n   2. Daily\n2. Tests\n",
            "- Deploys\n\t- [local] In the vault\n\t- Daily\n- Tests\n",
        ] {
            let left = without_local(history);
            assert!(!left.contains("vault") && !left.contains("more"), "{left}");
            assert!(left.contains("Deploys") && left.contains("Daily") && left.contains("Tests"), "{left}");
        }
        assert_eq!(without_local("- [local] A\n  - B [portable]\n- C\n"), "- C\n");
        assert_eq!(only_portable("## [portable]\n\n- A\n  - [local] B\n"), "## [portable]\n\n- A\n");
    }

    #[test]
    fn a_mark_in_a_quotation_a_table_or_a_paragraph_counts() {
        for (history, left) in [
            ("> - The vault [local]\n>   and more\n> - Daily\n", "> - Daily\n"),
            ("> Daily\n\n> The vault\n> and more [local]\n\nTests\n", "> Daily\n\nTests\n"),
            ("| a | b |\n| --- | --- |\n| vault | [local] |\n| c | d |\n", "| a | b |\n| --- | --- |\n| c | d |\n"),
            ("The vault [local]\nand more\n\nTests\n", "Tests\n"),
            ("- The vault [local]\nand more\n- Daily\n", "- Daily\n"),
            ("- The vault\n  and more [local]\n\n  and more\n- Daily\n", "- Daily\n"),
            ("- Deploys\n  - The vault\n    and more [local]\n  - Daily\n", "- Deploys\n  - Daily\n"),
            ("- [local] A\n  > and more\n- Daily\n", "- Daily\n"),
        ] {
            assert_eq!(without_local(history), left, "{history:?}");
            let parts: Vec<_> = local(history).iter().map(|(_, whole)| whole.of(history).len()).collect();
            assert_eq!(parts.iter().sum::<usize>(), history.len() - left.len(), "{history:?}: {parts:?}");
        }
    }

    #[test]
    fn a_mark_in_a_block_holds_for_the_block() {
        for (history, left) in [
            ("- A\n```\n[local]\n```\nB\n", "- A\nB\n"),
            ("- A\n  ```\n  [local]\n- B\n", "- B\n"),
            ("- A\n  - B\n    ```\n    [local]\n    ```\n  - C\n", "- A\n  - C\n"),
            ("- A\n\n  | a | b |\n  | --- | --- |\n  | [local] | c |\n- B\n", "- B\n"),
            ("<!--\n[local]\n\n# A\n-->\nB\n\n## C\n", "## C\n"),
            ("A\n\n```\n## Project Context\n```\n\n- B\n\n## C\n", "A\n\n## C\n"),
        ] {
            assert_eq!(without_local(history), left, "{history:?}");
        }
        // For a rule, it is an example.
        assert_eq!(local("- A\n```\n[local]\n```\nB\n"), []);
        assert_eq!(project_context("A\n\n```\n## Project Context\n```\n\n- B\n\n## C\n"), []);
    }

    #[test]
    fn a_local_paragraph_reaches_what_is_right_behind_it() {
        for (history, left) in [
            ("The keys [local]\n\n- A\n\n- B\n\nText\n", "Text\n"),
            ("The keys: [local] here\n\n```\nA\n```\n\nText\n", "Text\n"),
            ("The keys [local]\n```\nA\n```\n\nText\n", "Text\n"),
            ("The keys [local]\n\nText\n\n- A\n", "Text\n\n- A\n"),
            ("The keys [local]\n\n    A\n\n    B\n\nText\n", "Text\n"),
            ("    A\n\n    [local] B\n\n    C\n\nText\n", "Text\n"),
            ("The keys [local]\n\na | b\n--- | ---\nA | b\n\nText\n", "Text\n"),
            ("| key [local] | a |\n| --- | --- |\n| A | b |\n\nText\n", "Text\n"),
            ("a | b\n--- | ---\nA | [local]\nc | d\n", "a | b\n--- | ---\nc | d\n"),
            ("Text\n| A | [local] |\n", ""),
        ] {
            assert_eq!(without_local(history), left, "{history:?}");
        }
    }

    #[test]
    fn what_is_called_local_goes_on_to_the_next_heading() {
        for announcement in [
            "[local]",
            "**[local]**",
            "> [local]",
            "<!-- [local] -->",
            "<!-- local -->",
            "<!--\n[local]\n-->",
            "Local:",
            "**Local only**",
            "The keys [local]:",
            "The keys: **[local]**",
            "The following is local:",
            "What follows\nis [local].",
            "All below is\nlocal to this project.",
            "**Keys** [local]",
            "[local] **Keys:**",
            "<h3>Keys [local]</h3>",
            "<p>Keys [local]</p>",
            "Our\nkeys [local]\n===",
            "Our\nProject\nContext\n---",
            "- [local]",
            "- The following is local:",
            "## Local",
            "## Local Context",
            "# Keys `[local]`",
            "### The keys are local",
            "- Keys [local]\n  ---",
        ] {
            for behind in ["- A\n\nText\n\n- B\n", "Text\n\n```\nA\n```\n", "\n> A\n\nText\n"] {
                let history = format!("# Keaton\n\n- One\n\n{announcement}\n\n{behind}\n# B\n\nText\n");
                assert_eq!(without_local(&history), "# Keaton\n\n- One\n\n# B\n\nText\n", "{history}");
            }
        }
        for text in ["For local tests:", "Local development:", "- The build is local\n- B", "The tests are local."] {
            let history = format!("{text}\n\n- A\n\nText\n");
            assert_eq!(without_local(&history), history);
        }
        // An item that something is below reaches no further.
        for item in ["- [local]\n  - A\n", "- The following is [local]:\n\n  A\n", "- Keys [local]:\n  A\n"] {
            assert_eq!(without_local(&format!("{item}- B\n")), "- B\n", "{item}");
        }
        assert_eq!(without_local("---\ntags: [local]\n---\n\n# A\n\nText\n"), "");
    }

    #[test]
    fn a_tag_in_html_holds_for_all_that_the_element_encloses() {
        for (history, left) in [
            ("<details>\n<summary>Keys [local]</summary>\n\n# A\n\n- A\n\n</details>\n\n# B\n", "\n# B\n"),
            ("<div>\n\n# A\n\n<p>[local]</p>\n\n# A\n\n</div>\n\n# B\n", "\n# B\n"),
            ("<div>\n- A\n- [local] B\n</div>\n\n# B\n", "# B\n"),
            ("<div>\n\n- A [local]\n\n</div>\nB\n", "<div>\n\n</div>\nB\n"),
        ] {
            assert_eq!(without_local(history), left, "{history:?}");
        }
    }

    #[test]
    fn columns_count_and_not_bytes() {
        for (history, left) in [
            ("- A\n    - B\n\t- [local] C\n\n\t  D\n", "- A\n    - B\n"),
            ("- A\n    - [local] B\n\n\t  C\n- D\n", "- A\n- D\n"),
            ("  - [local] A\n\n\tB\n", ""),
            (">  - [local] A\n>\n>\tB\n> - C\n", "> - C\n"),
            ("> - [local] A\n>\n>\tB\n> - C\n", "> - C\n"),
            ("  > - [local] A\n  >\n>   B\n", ""),
            ("- [local] A\n\n  > B\n  >\n  > C\n- D\n", "- D\n"),
            ("- > [local] A\n  > B\n\n  C\n- D\n", "- D\n"),
        ] {
            assert_eq!(without_local(history), left, "{history:?}");
        }
        assert_eq!(only_portable("-\t[portable] A\n\n\tB\n   C\n"), "-\t[portable] A\n\n\tB\n");
        assert_eq!(only_portable(" > - [portable] A\n >   B\n >  C\n"), " > - [portable] A\n >   B\n");
    }

    #[test]
    fn a_tag_that_is_shown_as_something_else_marks_nothing_as_portable() {
        for history in [
            "- `[portable]` is a tag\n",
            "- <!-- [portable] --> A\n",
            "- `A\n  [portable] B`\n",
            "- [portable](https://a.b)\n",
            "## A `[portable]`\n\n- A\n",
            "    - [portable] A\n",
            "Text\n    - [portable] A\n",
            "- A\n\n      - [portable] A\n",
            "<div>\n- [portable] A\n</div>\n",
            "[portable]\n\n- A\n",
        ] {
            assert_eq!(only_portable(history), "", "{history:?}");
        }
    }

    #[test]
    fn the_cost_is_that_of_the_length() {
        let texts: [fn(usize) -> String; 9] = [
            |count| format!("- {}", "[".repeat(count * 8)),
            |count| "[local".repeat(count),
            |count| "- [local] A\n".repeat(count),
            |count| "[local] A\n".repeat(count),
            |count| format!("- A\n{}", "  [local] A\n".repeat(count)),
            |count| format!("- {}", "` ``[portable]".repeat(count)),
            |count| format!("- {}", "<a [portable]".repeat(count)),
            |count| "A [local]\n---\n".repeat(count),
            |count| format!("{}\n{}", "- ".repeat(count), "local\n".repeat(count)),
        ];
        for (number, text) in texts.into_iter().enumerate() {
            let steps = |count| {
                let text = text(count);
                steps(|| drop((without_local(&text), only_portable(&text), local(&text))))
            };
            let (one, two) = (steps(2000), steps(4000));
            assert!(one > 0 && two <= 2 * one + 1000, "{number}: {one} steps, and {two} for twice the length");
        }
    }

    #[test]
    fn what_is_not_certainly_portable_stays() {
        for (history, left) in [
            ("- [portable] A\n  a\n\n```\nb\n```\n", "- [portable] A\n  a\n"),
            ("- [portable] A\n\n> b\n", "- [portable] A\n"),
            ("- [portable] A\nb\n", "- [portable] A\n"),
            ("- [portable] A\n\n <!-- b -->\n| b |\n", "- [portable] A\n"),
            ("1. [portable] A\n   a\n  b\n", "1. [portable] A\n   a\n"),
            ("> - [portable] A\n>   a\n> b\n", "> - [portable] A\n>   a\n"),
            ("```\n- [portable] A\n```\n", ""),
            ("## Portable Context\n\n- A\n\n```\nb\n\n## C\n\nc\n", "## Portable Context\n\n- A\n"),
            ("## Portable Context\n\n- A\n\n```\nb\n## C\nc\n```\nd\n", "## Portable Context\n\n- A\n"),
            ("## Portable Context\n\n- A\n\n<!--\n## B\n-->\n\nb\n", "## Portable Context\n\n- A\n"),
            ("## Portable Context\n\n- A\n\n<!--\n# B\n-->\n", "## Portable Context\n\n- A\n"),
            ("# Project Context\n\na\n\n## B\n\n- [portable] A\n", "## B\n\n- [portable] A\n"),
        ] {
            assert_eq!(only_portable(history), left, "{history:?}");
        }
    }

    #[test]
    fn what_raises_a_doubt_is_not_portable() {
        for (history, left) in [
            ("- [portable] A, in this project\n  B\n- [portable] C\n", "- [portable] C\n"),
            ("## A [portable]\n\n- B\n\n**Local notes**\n\nC\n", "## A [portable]\n\n- B\n"),
            ("## Portable Context\n\n- A (local)\n- B\n- Not portable: C\n", "## Portable Context\n\n- B\n"),
            ("## Portable Context\n\n### A (local)\n\n- B\n\n### C\n\n- D\n", "## Portable Context\n\n### C\n\n- D\n"),
            ("## Portable Context\n\nB\n\n### [private] A\n\nC\n", "## Portable Context\n\nB\n"),
            ("## Portable Context\n\nB\n\n**A (local)**\n\nC\n", "## Portable Context\n\nB\n"),
            ("# A of this project\n\n## Portable Context\n\nB\n", "## Portable Context\n\nB\n"),
        ] {
            assert_eq!(only_portable(history), left, "{history:?}");
            // A doubt is not a mark.
            assert!(without_local(history).contains('A'), "{history:?}");
        }
    }

    #[test]
    fn what_ends_a_list_is_below_its_announcement() {
        // A line without the indentation of its item may be meant as a title of what follows.
        for text in ["Internal only:\n", "Internal only:\n   A\n", "Internal only:\n\n   A\n\n"] {
            let history = format!("1. [portable] A\n{text}### B [portable]\n\nC\n\n## D [portable]\n");
            assert_eq!(only_portable(&history), "## D [portable]\n", "{history:?}");
        }
        for item in ["- [local]\n", "- The following is local:\n\n", "- A\n  - [local] start\n"] {
            let history = format!("# A\n\n{item}### B\n\nC\n\nD\n---\n");
            assert!(!without_local(&history).contains('C'), "{history:?}");
        }
        let underlined = "# A\n\n- The following is local:\n\nB\n---\n\nC\n\n# D\n";
        assert_eq!(without_local(underlined), "# A\n\n# D\n");
        // Something is below it.
        assert_eq!(without_local("- The following is local:\n  - B\n\n### C\n"), "### C\n");
    }

    #[test]
    fn the_reason_is_that_of_the_line() {
        let reasons = |history: &str| -> Vec<_> {
            let stays = super::only_portable(history).stays;
            stays.into_iter().map(|stay| (stay.first, stay.last, stay.reason)).collect()
        };
        // A comment in code is no heading.
        let code = "## Portable Context\n\n- A\n\n```sh\n# b\nb\n```\n\n- C\n";
        assert_eq!((only_portable(code).as_str(), reasons(code)), (code, Vec::new()));
        for (block, closing, last) in [
            ("```\n## B\nb\n```\nb\n", "", 9),
            ("```\n# B\nb\n\n- b\n", "```\n", 9),
            ("<!--\n# B\n-->\n", "", 7),
            ("<!--\n# B\n\n- b\n", "-->\n", 8),
        ] {
            let history = format!("## Portable Context\n\n- A\n\n{block}");
            assert_eq!(reasons(&history), [(4, last, Reason::Doubt)], "{history:?}");
            let other = format!("{history}{closing}\n## D\n\nd\n");
            assert_eq!(reasons(&other).last().map(|last| last.2), Some(Reason::Unmarked), "{other:?}");
        }
    }

    #[test]
    fn a_title_that_hides_its_words_is_found_without_others() {
        for title in [
            "## \u{1f4cb} Project C\u{43e}ntext",
            "## Project Con\u{200b}text",
            "## Project Con<b>te</b>\u{445}t",
            "<summary>Project &#67;onte&#120;t</summary>",
            "**Project Conte\u{ff58}t** Rust",
        ] {
            let text = format!("# A\n\n- One\n\n{title}\n\n- Two\n");
            assert!(!super::super::words::may_say_context(&text));
            assert_eq!(without_local(&text), "# A\n\n- One\n\n", "{title}");
            assert_eq!(super::without_project_context(&text).text, "# A\n\n- One\n\n", "{title}");
        }
    }

    #[test]
    fn only_what_is_portable_travels() {
        assert_eq!(
            only_portable(HISTORY),
            "# History of Keaton\n\n## Portable Context\n\n- Small changes\n## Learnings\n\n- [portable] Tests first\n  always\n"
        );
        assert_eq!(only_portable("# History\n\n- One\n\n## Two\n\nText.\n"), "");
        assert_eq!(only_portable("# A\n\n## B [portable]\n\nx\n\n## C\n\ny\n"), "# A\n\n## B [portable]\n\nx\n");
        for title in ["### Portable Context", "## 1. Portable Context", "###### Portable Context"] {
            let history = format!("# A\n\n{title}\n\nx\n");
            assert_eq!(only_portable(&history), history);
        }
        let inner = "# A\n\n## Project Context\n\n### Portable Context\n\nx\n";
        assert_eq!(only_portable(inner), "");
    }
}
