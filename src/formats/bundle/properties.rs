//! Whatever a history looks like: each line that leaves is in a set that is found in a simpler way, without knowledge of blocks, and in
//! one that is found by what Markdown shows.

use proptest::prelude::*;

use super::cut::Cut;
use super::shown::Shown;
use super::{project_context, without_project_context};

fn without_local(history: &str) -> String {
    super::without_local(history).text
}

fn only_portable(history: &str) -> String {
    super::only_portable(history).text
}

/// What lines of a history look like; `@` becomes the number of the line.
const LINES: [&str; 149] = [
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
    "The following is local, @:",
    "</details>",
    "<summary>@ [local]</summary>",
    "<div>@",
    "</div>",
    "<p>@ [local]</p>",
    "📋 **Project Context**",
    "<summary>Project Context</summary>",
    "<div><h2>Project Context</h2>",
    "<!-- Project Context -->",
    "**Project Context** @",
    "Project&nbsp;Context",
    "#### Project&nbsp;Context",
    "This section is local.",
    "This section is [local]. @",
    "The following is project-specific. @",
    "#### low @",
    "##### lower @",
    "@ `not portable`",
    "- @ (private)",
    "@ of this",
    "project @",
    "- @ of this",
    "  repo: @",
    "> @ is not",
    "> portable @",
    "`Local`: @",
    "class=local @",
    "<p class=\"local\">@",
    "[^1]: @ (local)",
    ": @ (local)",
    "[@]: a",
    "ｌｏｃａｌ： @",
    "**Local setup @**",
    "Internal only, @:",
    "[local] start @",
    "## Private @",
    "### Local development @",
    "<!-- not for export: @ -->",
    "- **Project Context:** @",
    "  - **Project Context** @",
    "[/local]",
    "<!-- /local -->",
    "[/portable]",
    "<!-- end portable -->",
    "- no longer [portable] @",
    "[local] start",
    "- @ (company-internal)",
    "- [portable] @, do not share this",
    "Keep private: @",
    "@. Do not export.",
    "| @ | internal only |",
    "@ [wip/local]",
    "  - @. Internal.",
    "- @ [/portable] @",
    "<h3>",
    "</h3>",
];

/// Lines that are doubtful whatever is around them.
const DOUBTFUL: [&str; 15] = [
    "(company-internal)",
    "do not share this",
    "Keep private:",
    "Do not export.",
    "internal only |",
    "[wip/local]",
    ". Internal.",
    "not portable`",
    "(private)",
    "project-specific",
    "`Local`:",
    "class=\"local\"",
    "(local)",
    "ｌｏｃａｌ：",
    "&nbsp;Context",
];

/// What announces that its section is local.
const ANNOUNCING: [&str; 3] = ["This section is local", "This section is [local]", "The following is project-specific"];

/// Titles that are no headings with a doubtful word.
const TITLES: [&str; 3] = ["**Local setup ", "Internal only, ", "[local] start "];

/// The numbers of the lines that a doubt keeps: those that have it, those that have it with the line before, and all below an announcement,
/// a title or a heading with it up to a heading of the same or a higher level than the one above it.
fn doubtful(lines: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    // No line of this is in a block, and each heading is shown: else it is not known what a heading is.
    let is_plain =
        !lines.iter().any(|line| line.contains(['`', '~', '<', '-', '=', '>', '\t']) || line.starts_with(' '));
    for (number, line) in lines.iter().enumerate() {
        if DOUBTFUL.iter().any(|doubt| line.contains(doubt)) {
            found.push(number);
        }
        let before = number.checked_sub(1).map(|before| lines[before]).unwrap_or_default();
        let pairs = [("of this", "project n"), ("of this", "  repo: "), ("is not", "> portable ")];
        if pairs.iter().any(|(first, second)| before.ends_with(first) && line.starts_with(second)) {
            found.extend([number - 1, number]);
        }
        let own = match level(line) {
            own @ Some(_) if ["Private", "Local development"].iter().any(|words| line.contains(words)) => own,
            None if TITLES.iter().any(|title| line.starts_with(title)) => {
                Some(lines[..number].iter().rev().find_map(|line| level(line)).unwrap_or(0).max(2))
            }
            _ => None,
        };
        if let Some(own) = own.filter(|_| is_plain) {
            let below = (number + 1..).zip(&lines[number + 1..]);
            let ends = |line: &&str| level(line).is_some_and(|level| level <= own);
            found.extend(below.take_while(|(_, line)| !ends(line)).map(|(number, _)| number));
            found.push(number);
        }
        if is_plain && ANNOUNCING.iter().any(|words| line.contains(words)) {
            let own = lines[..number].iter().rev().find_map(|line| level(line)).unwrap_or(0);
            let ends = |line: &&str| level(line).is_some_and(|level| level <= own);
            found
                .extend((number..).zip(&lines[number..]).take_while(|(_, line)| !ends(line)).map(|(number, _)| number));
        }
    }
    found
}

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
        let travelling = left(&history, &portable);
        for number in doubtful(&lines) {
            prop_assert!(!travelling.contains(&number), "{} in\n{}\nof\n{}", lines[number], portable, history);
        }
        let rest = without_local(&history);
        for number in left(&history, &rest).into_iter().chain(left(&history, &portable)) {
            let stays = must_stay(&lines, number) || shown.local.contains(&number);
            prop_assert!(!stays, "{} in\n{}\nof\n{}", lines[number], rest, history);
        }
        for text in [&portable, &rest, &without_project_context(&history).text] {
            prop_assert!(!text.contains("Project Context"), "{} of\n{}", text, history);
            prop_assert!(project_context(text).is_empty());
        }
        for text in [&portable, &rest] {
            prop_assert!(!text.contains("[local]"), "{} of\n{}", text, history);
        }
        // What a rule reports is a part of what stays.
        for span in project_context(&history) {
            // `Project [local] Context` is such a title, too.
            let shown = span.of(&history).replace("&nbsp;", " ");
            let words: Vec<_> = shown.split(|c: char| !c.is_alphanumeric()).filter(|word| !matches!(*word, "" | "local")).collect();
            prop_assert!(words.join(" ").contains("Project Context"));
        }
        // What was left out once is not missed: a second time leaves the same.
        prop_assert_eq!(only_portable(&portable), portable);
        prop_assert_eq!(without_local(&rest), rest);
    }

    #[test]
    fn what_has_no_mark_keeps_its_bytes(history in histories()) {
        // Over two lines, `Project` and `Local` would say so, too.
        let plain = history.replace("[local]", "locally").replace("is local", "is here").replace("Local`", "Here`");
        let plain = plain.replace("Local ", "Our ").replace("/local", "/here").replace("Context", "");
        let plain = plain.replace("for export", "for ever").replace("not export", "not run").replace("share this", "see this");
        let plain = plain.replace("company-internal", "in short");
        prop_assert_eq!(&without_local(&plain), &plain);
        prop_assert_eq!(without_project_context(&plain).text, plain);
    }

    #[test]
    fn what_stays_is_said_once(history in histories()) {
        for Cut { text, stays } in [super::without_local(&history), super::only_portable(&history)] {
            let mut lines: Vec<Option<&str>> = history.split_inclusive('\n').map(Some).collect();
            let mut last = 0;
            for stay in &stays {
                prop_assert!(last < stay.first && stay.first <= stay.last && stay.last <= lines.len(), "{:?}", stays);
                last = stay.last;
                lines[stay.first - 1..stay.last].fill(None);
            }
            let left: String = lines.into_iter().flatten().collect();
            prop_assert_eq!(&left, &text, "{:?} of\n{}", stays, history);
        }
    }
}
