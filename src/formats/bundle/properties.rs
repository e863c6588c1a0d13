//! Whatever a history looks like: each line that leaves is in a set that is found in a simpler way, without knowledge of blocks, and in
//! one that is found by what Markdown shows.

use proptest::prelude::*;

use super::shown::Shown;
use super::{only_portable, project_context, without_local, without_project_context};

/// What lines of a history look like; `@` becomes the number of the line.
const LINES: [&str; 98] = [
    "## Portable Context",
    "## Learnings @",
    "### More @",
    "## A @ [portable]",
    "### B @ [portable]",
    "## C @ [local]",
    "## Project Context",
    "### Project Context",
    "## Project Context (App @)",
    "# Project Context",
    "> ## Project Context",
    "# comment @",
    "- [portable] @",
    "- @",
    "- [local] @",
    "  - [portable] @",
    "  - @",
    "    - @",
    "1. [portable] @",
    "2. @",
    "-   [portable] @",
    "> - [portable] @",
    "> @",
    ">",
    ">   @",
    "@",
    "text @ [local]",
    "keys @ [local]:",
    "  @",
    "   @",
    "    @",
    "\t@",
    "",
    "",
    "",
    "",
    "```",
    "```",
    "  ```",
    "```sh",
    "~~~",
    "    ```",
    "<!--",
    "-->",
    "<!-- @ -->",
    "<details>",
    "| @ | a |",
    "| @ | [local] |",
    "---",
    "===",
    "**Project Context**",
    "Project",
    "Context",
    "@ [local] title",
    "# @ [local]",
    "**@** [local]",
    "## @ `[portable]`",
    "## @ <!-- [portable] -->",
    "- `[portable]` @",
    "- `` @",
    "- @ `a",
    "  b` [portable] @",
    "- <!-- [portable] --> @",
    "- [portable](#@)",
    "- ![portable] @",
    "[portable] @",
    "    - [portable] @",
    "    [local] @",
    "    [portable] @",
    "\t- [local] @",
    "\t- @",
    "\t  @",
    "  \t@",
    "-\t[portable] @",
    "-\t[local] @",
    ">\t@",
    ">\t- [local] @",
    "> - [local] @",
    "> - @",
    ">> @",
    "> > - [local] @",
    "  > @",
    "  > [local] @",
    "- > [local] @",
    "- > @",
    "3. [local] @",
    "10. [portable] @",
    "[local]",
    "- [local]",
    "> [local]",
    "**[local]**",
    "<!-- [local] -->",
    "The following is local @:",
    "</details>",
    "<summary>@ [local]</summary>",
    "<div>@",
    "</div>",
    "<p>@ [local]</p>",
];

fn histories() -> impl Strategy<Value = String> {
    prop::collection::vec(0..LINES.len(), 0..24).prop_map(|picks| {
        let lines = picks.into_iter().enumerate();
        lines.map(|(number, pick)| LINES[pick].replace('@', &format!("n{number}")) + "\n").collect()
    })
}

/// The level of what looks like a heading, wherever it is; `# …` is one in the first columns alone, as it can be a comment.
fn level(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches([' ', '\t', '>', '-']);
    let level = rest.len() - rest.trim_start_matches('#').len();
    (level > 0).then_some(level)
}

fn is_portable_heading(line: &str) -> bool {
    line.starts_with('#') && (line.contains("[portable]") || line.contains("Portable Context"))
}

/// The column at which the text of a portable item begins.
fn item(line: &str) -> Option<usize> {
    let at = line.find("[portable]").filter(|_| !line.contains('#'))?;
    Some(if line.starts_with("-   ") { 4 } else { at })
}

/// Whether the line is blank, or continues with an item whose text begins at `column`.
fn is_in(line: &str, column: usize, is_quoted: bool) -> bool {
    let line = line.replace('\t', "    ");
    let (sign, inner) = match line.strip_prefix('>') {
        Some(inner) if is_quoted => (1, inner.to_owned()),
        _ => (0, line.clone()),
    };
    let blanks = inner.len() - inner.trim_start_matches(' ').len();
    inner.trim().is_empty() || (!is_quoted || sign == 1) && sign + blanks >= column
}

/// Whether the line `number` may travel with `--portable-only`.
fn may_travel(lines: &[&str], number: usize) -> bool {
    let line = lines[number];
    let is_underline = |line: &str| matches!(line, "---" | "===");
    let is_title = |number: usize| lines.get(number + 1).is_some_and(|next| is_underline(next));
    if line.contains("[local]") || line.contains("Project Context") {
        return false;
    }
    let is_heading = line.starts_with('#') || is_underline(line) || is_title(number);
    let is_of_item = (0..=number).any(|start| {
        let is_quoted = lines[start].starts_with('>');
        item(lines[start]).is_some_and(|column| {
            lines[start + 1..=number.max(start)].iter().all(|line| is_in(line, column, is_quoted))
        })
    });
    let is_of_section = (0..number).any(|start| {
        let own = level(lines[start]).filter(|_| is_portable_heading(lines[start]));
        let ends = |line: &&str, own: usize| level(line).is_some_and(|level| level > 1 && level <= own);
        own.is_some_and(|own| !lines[start + 1..=number].iter().any(|line| ends(line, own)))
    });
    line.trim().is_empty() || is_heading || is_of_item || is_of_section
}

/// Whether the line `number` must stay, whatever the options are.
fn must_stay(lines: &[&str], number: usize) -> bool {
    let is_of_project = (0..=number).any(|start| {
        let own = level(lines[start]).filter(|_| lines[start].contains("Project Context"));
        let ends = |line: &&str, own: usize| {
            line.starts_with('#') && level(line).is_some_and(|level| level <= own.max(2)) || *line == "==="
        };
        own.is_some_and(|own| !lines[start + 1..lines.len().min(number + 2)].iter().any(|line| ends(line, own)))
    });
    lines[number].contains("[local]") || lines[number] == "**Project Context**" || is_of_project
}

/// The numbers of the lines of `history` that are in `left`: each has a number of its own, but for some that all look the same.
fn left(history: &str, left: &str) -> Vec<usize> {
    let left: Vec<&str> = left.lines().collect();
    let lines = history.lines().enumerate();
    lines
        .filter(|(_, line)| line.contains('n') && line.contains(|c: char| c.is_ascii_digit()) && left.contains(line))
        .map(|(number, _)| number)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_leaves_may_leave(history in histories()) {
        let lines: Vec<&str> = history.lines().collect();
        let portable = only_portable(&history);
        let shown = Shown::of(&history);
        for number in left(&history, &portable) {
            prop_assert!(shown.portable.contains(&number), "{} in\n{}\nof\n{}", lines[number], portable, history);
            prop_assert!(may_travel(&lines, number), "{} in\n{}\nof\n{}", lines[number], portable, history);
        }
        let rest = without_local(&history);
        for number in left(&history, &rest).into_iter().chain(left(&history, &portable)) {
            let stays = must_stay(&lines, number) || shown.local.contains(&number);
            prop_assert!(!stays, "{} in\n{}\nof\n{}", lines[number], rest, history);
        }
        for text in [&portable, &rest, &without_project_context(&history)] {
            prop_assert!(!text.contains("Project Context"), "{} of\n{}", text, history);
            prop_assert!(project_context(text).is_empty());
        }
        for text in [&portable, &rest] {
            prop_assert!(!text.contains("[local]"), "{} of\n{}", text, history);
        }
        // What a rule reports is a part of what stays.
        for span in project_context(&history) {
            prop_assert!(span.of(&history).replace('\n', " ").contains("Project Context"));
        }
        // What was left out once is not missed: a second time leaves the same.
        prop_assert_eq!(only_portable(&portable), portable);
        prop_assert_eq!(without_local(&rest), rest);
    }

    #[test]
    fn what_has_no_mark_keeps_its_bytes(history in histories()) {
        let plain = history.replace("[local]", "locally").replace("is local", "is here").replace("Context", "");
        prop_assert_eq!(&without_local(&plain), &plain);
        prop_assert_eq!(without_project_context(&plain), plain);
    }
}
