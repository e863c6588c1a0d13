//! What a harness is answered, in its own words.

use std::collections::BTreeSet;

use serde::Serialize;

use super::check::{Finding, LONGEST_PATH};
use crate::cli::agents::Harness;
use crate::report::json_writer;
use crate::text::prose::plural;

/// What a harness is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing: there is nothing to say.
    Nothing,
    /// One JSON object on standard output.
    Output(String),
    /// A text on standard error, which the harness passes to the agent.
    Error(String),
}

/// An answer has so many bytes at most: Copilot cuts what is longer.
const MOST_BYTES: usize = 10 * 1024;

/// What the parts of an answer take that are not findings: the first and the last line, and the keys.
const FRAME: usize = 3_000;

#[derive(Serialize)]
struct Context<'a> {
    #[serde(rename = "additionalContext")]
    text: &'a str,
}

#[derive(Serialize)]
struct Specific<T> {
    #[serde(rename = "hookSpecificOutput")]
    output: Named<T>,
}

#[derive(Serialize)]
struct Named<T> {
    #[serde(rename = "hookEventName")]
    event: &'static str,
    #[serde(flatten)]
    rest: T,
}

#[derive(Clone, Copy, Serialize)]
struct Block<'a> {
    decision: &'static str,
    reason: &'a str,
}

/// VS Code reads the decision beside the output of an event or in it, from version to version.
#[derive(Serialize)]
struct Both<'a> {
    #[serde(flatten)]
    block: Block<'a>,
    #[serde(flatten)]
    specific: Specific<Block<'a>>,
}

/// The answer to a write after which `findings` are left.
pub(super) fn to_write(harness: Harness, findings: &[Finding]) -> Answer {
    if findings.is_empty() {
        return Answer::Nothing;
    }
    fitting(MOST_BYTES - FRAME, |budget| {
        let place = |it: &str| format!("in what you have just written. Repair {it} now:");
        let text = text(&place, findings, budget);
        match harness {
            Harness::Claude => Answer::Error(text),
            Harness::Copilot => output(&Context { text: &text }),
            Harness::VsCode => {
                let rest = Context { text: &text };
                output(&Specific { output: Named { event: "PostToolUse", rest } })
            }
        }
    })
}

/// The answer to an agent that is about to stop and leaves `findings` behind.
pub(super) fn to_stop(harness: Harness, is_subagent: bool, findings: &[Finding]) -> Answer {
    let copies = if harness == Harness::VsCode { 2 } else { 1 };
    fitting((MOST_BYTES - FRAME) / copies, |budget| {
        let place = |it: &str| format!("in files that this session wrote. Repair {it} before you stop:");
        let reason = text(&place, findings, budget);
        let block = Block { decision: "block", reason: &reason };
        let event = if is_subagent { "SubagentStop" } else { "Stop" };
        match harness {
            Harness::VsCode => output(&Both { block, specific: Specific { output: Named { event, rest: block } } }),
            Harness::Claude | Harness::Copilot => output(&block),
        }
    })
}

/// The first answer that is short enough, with fewer and fewer bytes for findings: JSON doubles signs of the commands in it.
fn fitting(mut budget: usize, answer: impl Fn(usize) -> Answer) -> Answer {
    loop {
        let answer = answer(budget);
        let len = match &answer {
            Answer::Nothing => 0,
            Answer::Output(text) | Answer::Error(text) => text.len(),
        };
        if len <= MOST_BYTES || budget == 0 {
            return answer;
        }
        budget = budget.saturating_sub(len - MOST_BYTES);
    }
}

fn output(value: &impl Serialize) -> Answer {
    let mut json = Vec::new();
    match json_writer::line(value, &mut json) {
        Ok(()) => Answer::Output(String::from_utf8_lossy(&json).into_owned()),
        // Memory takes all that is written to it.
        Err(_) => Answer::Nothing,
    }
}

/// The findings, the worst first, as many as fit into `budget` bytes of JSON.
fn text(place: &dyn Fn(&str) -> String, findings: &[Finding], budget: usize) -> String {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut lines = String::new();
    let (mut shown, mut len) = (0, 0);
    for finding in &sorted {
        len += json_len(&finding.text);
        if len > budget {
            break;
        }
        lines.push_str(&finding.text);
        shown += 1;
    }
    let place = place(if findings.len() == 1 { "it" } else { "them" });
    let first = format!("squad-lint found {} {place}\n\n", plural(findings.len(), "problem"));
    let mut parts = vec![first, lines];
    let rest = sorted.get(shown..).unwrap_or_default();
    if !rest.is_empty() {
        let commands = commands(rest);
        let how = match commands.as_slice() {
            [] => String::new(),
            [one] => format!("; {one} shows them"),
            more => format!("; {} show them", more.join(" and ")),
        };
        parts.push(format!("\n{} more{how}.\n", rest.len()));
    }
    parts.push(repair(&sorted));
    parts.concat()
}

/// What repairs those of `findings` that have a fix: one command, for as many of them as a command has room for.
fn repair(findings: &[&Finding]) -> String {
    let fits = |words: &BTreeSet<&str>, word: &str, most: usize| {
        words.contains(word) || words.iter().map(|one| one.len() + 1).sum::<usize>() + word.len() <= most
    };
    let (mut paths, mut rules) = (BTreeSet::new(), BTreeSet::new());
    let (mut covered, mut others) = (0, 0);
    for finding in findings.iter().filter(|finding| finding.is_fixable) {
        match finding.path.as_deref() {
            Some(path) if fits(&paths, path, 2 * LONGEST_PATH) && fits(&rules, finding.rule, LONGEST_PATH) => {
                paths.insert(path);
                rules.insert(finding.rule);
                covered += 1;
            }
            _ => others += 1,
        }
    }
    let words = |words: BTreeSet<&str>, separator: &str| words.into_iter().collect::<Vec<_>>().join(separator);
    let mut parts = Vec::new();
    let of_them = |count: usize| if findings.len() == 1 { "it".to_owned() } else { format!("{count} of them") };
    if covered > 0 {
        let covered = of_them(covered);
        let files = if paths.len() == 1 { "this file" } else { "these files" };
        parts.push(format!(
            "\n`squad-lint check --fix --select {} {}` repairs {covered}, and the same in older entries of {files}.\n",
            words(rules, ","),
            words(paths, " "),
        ));
    }
    if others > 0 {
        let each = if findings.len() == 1 { "in its FILE" } else { "each in its own FILE" };
        parts.push(format!("\n`squad-lint check --fix FILE` repairs {}, {each}.\n", of_them(others)));
    }
    parts.concat()
}

/// The commands that show all of `findings`, in backquotes; none if there are no short ones.
fn commands(findings: &[&Finding]) -> Vec<String> {
    let is_short = |arguments: &Vec<&str>| arguments.iter().map(|one| one.len() + 1).sum::<usize>() <= LONGEST_PATH;
    // The files if all have a name for a command, else all files of their repositories.
    let paths: Option<Vec<&str>> = findings.iter().map(|finding| finding.path.as_deref()).collect();
    let scopes = || findings.iter().map(|finding| finding.scope.as_deref()).collect::<Option<Vec<_>>>();
    let all = if let Some(paths) = paths.map(distinct).filter(is_short) {
        vec![paths.join(" ")]
    } else {
        let scopes = scopes().map(distinct).filter(is_short).unwrap_or_default();
        scopes.into_iter().map(str::to_owned).collect()
    };
    let command = |arguments: &String| format!("`{}`", format!("squad-lint check --show-all {arguments}").trim_end());
    all.iter().map(command).collect()
}

fn distinct(words: Vec<&str>) -> Vec<&str> {
    words.into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}

/// The bytes of `text` in a JSON string.
fn json_len(text: &str) -> usize {
    let mut json = Vec::new();
    json_writer::line(&text, &mut json).map_or(usize::MAX, |()| json.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;

    fn findings(count: usize) -> Vec<Finding> {
        let severity = |at: usize| if at == count - 1 { Severity::Error } else { Severity::Warning };
        let finding = |at: usize| Finding {
            severity: severity(at),
            is_error: at == count - 1,
            rule: "sem/timestamp-format",
            is_fixable: at == 0,
            path: Some("a.md".into()),
            scope: Some(String::new()),
            text: format!("a.md:{at}:1: \"\u{1b}\\\" {}\n", "é".repeat(300)),
        };
        (0..count).map(finding).collect()
    }

    #[test]
    fn an_answer_has_ten_kilobytes_at_most_and_the_worst_comes_first() {
        for harness in [Harness::Claude, Harness::Copilot, Harness::VsCode] {
            for answer in [to_write(harness, &findings(500)), to_stop(harness, false, &findings(500))] {
                let (Answer::Output(text) | Answer::Error(text)) = answer else { panic!("{harness:?}") };
                assert!(text.len() <= MOST_BYTES && text.len() > MOST_BYTES / 2, "{harness:?}: {}", text.len());
                assert!(text.contains("squad-lint found 500 problems") && text.contains("a.md:499:1"), "{text}");
                assert!(text.contains(" more; `squad-lint check --show-all a.md` shows them."), "{text}");
                let fix = "`squad-lint check --fix --select sem/timestamp-format a.md` repairs 1 of them";
                assert!(text.contains(fix), "{text}");
            }
        }
    }

    #[test]
    fn the_rest_is_shown_by_commands_that_show_all_of_it() {
        let finding = |path: Option<&str>, scope: Option<&str>| Finding {
            path: path.map(str::to_owned),
            scope: scope.map(str::to_owned),
            ..findings(1).remove(0)
        };
        let shown = |all: &[Finding]| commands(&all.iter().collect::<Vec<_>>()).join(" ");
        let (a, b) = (finding(Some("a.md"), Some("")), finding(Some("b.md"), Some("")));
        assert_eq!(shown(&[b.clone(), a.clone(), b.clone()]), "`squad-lint check --show-all a.md b.md`");
        // A file whose name fits no command, and names that are too long together.
        assert_eq!(shown(&[a.clone(), finding(None, Some(""))]), "`squad-lint check --show-all`");
        let long = |at: char| finding(Some(&at.to_string().repeat(120)), Some("/w"));
        assert_eq!(shown(&[long('a'), long('b')]), "`squad-lint check --show-all /w`");
        let state = finding(None, Some("--rev squad-state"));
        assert_eq!(shown(std::slice::from_ref(&state)), "`squad-lint check --show-all --rev squad-state`");
        assert_eq!(
            shown(&[a.clone(), state]),
            "`squad-lint check --show-all` `squad-lint check --show-all --rev squad-state`"
        );
        assert_eq!(shown(&[a, finding(None, None)]), "");
    }

    #[test]
    fn the_repair_names_all_files_and_rules_that_it_needs() {
        let finding = |path: Option<&str>, rule| Finding {
            path: path.map(str::to_owned),
            rule,
            is_fixable: true,
            ..findings(1).remove(0)
        };
        let shown = |all: &[Finding]| repair(&all.iter().collect::<Vec<_>>());
        let (a, b) = (finding(Some("a.md"), "sem/b"), finding(Some("b.md"), "sem/a"));
        let command = "`squad-lint check --fix --select sem/a,sem/b a.md b.md`";
        let expected = format!("\n{command} repairs 3 of them, and the same in older entries of these files.\n");
        assert_eq!(shown(&[a.clone(), b.clone(), a, Finding { is_fixable: false, ..b }]), expected);
        // A file whose name fits no command, and names that are too long together.
        let others =
            |count: usize| format!("\n`squad-lint check --fix FILE` repairs {count} of them, each in its own FILE.\n");
        let one = "\n`squad-lint check --fix FILE` repairs it, in its FILE.\n";
        assert_eq!(shown(&[finding(None, "sem/a")]), one);
        let long: Vec<_> = ('a'..='d').map(|at| finding(Some(&at.to_string().repeat(150)), "sem/a")).collect();
        let said = shown(&long);
        assert!(said.contains(" repairs 2 of them, and the same") && said.ends_with(&others(2)), "{said}");
        assert_eq!(shown(&[]), "");
    }

    #[test]
    fn each_harness_is_answered_in_its_own_words() {
        let json = |answer: Answer| -> serde_json::Value {
            let Answer::Output(text) = answer else { panic!("{answer:?}") };
            assert_eq!(text.lines().count(), 1);
            serde_json::from_str(&text).unwrap()
        };
        let found = findings(1);
        assert!(matches!(to_write(Harness::Claude, &found), Answer::Error(_)));
        assert!(json(to_write(Harness::Copilot, &found))["additionalContext"].is_string());
        let answer = json(to_write(Harness::VsCode, &found));
        let specific = &answer["hookSpecificOutput"];
        assert!(specific["hookEventName"] == "PostToolUse" && specific["additionalContext"].is_string());
        for harness in [Harness::Claude, Harness::Copilot, Harness::VsCode] {
            let answer = json(to_stop(harness, false, &found));
            assert!(answer["decision"] == "block" && answer["reason"].is_string(), "{answer}");
        }
        let answer = json(to_stop(Harness::VsCode, true, &found));
        let specific = &answer["hookSpecificOutput"];
        assert!(specific["hookEventName"] == "SubagentStop" && specific["decision"] == "block", "{answer}");
        assert_eq!(to_write(Harness::Claude, &[]), Answer::Nothing);
    }
}
