use super::*;

/// A message, filled in.
const MESSAGE: &str = "meta:\n  message_id: msg_1_a\n  from_agent: frontend\n  to_agent: backend[2]\n  created_at: 2024-01-15T10:36:00Z\n  priority: high\n\ntype: question\nsubject: Limit\nmessage: |\n  How?\nresponse_needed: true\nresponse_by: 2024-01-15T10:45:00Z\n";

fn problems(text: &str, named: Named) -> Vec<(Fault, String, String)> {
    let file = SessionFile::parse(text, named);
    file.problems
        .iter()
        .map(|problem| (problem.fault, problem.span.of(text).to_owned(), problem.message.clone()))
        .collect()
}

#[test]
fn a_file_is_read_raw_and_fenced() {
    let fenced = format!("# Message\n\n```yaml\n{MESSAGE}```\n\nText.\n");
    for text in [MESSAGE, fenced.as_str()] {
        let file = SessionFile::parse(text, Named::Comm);
        assert_eq!((file.kind, &file.problems), (Some(Kind::Message), &Vec::new()));
        let message = file.message().unwrap();
        let to = message.to.as_ref().unwrap();
        assert_eq!((to.value.to_string().as_str(), to.span.of(text)), ("backend[2]", "backend[2]"));
        assert!(message.needs_response() && message.response_by.is_some());
    }
}

#[test]
fn problems_stand_where_they_are() {
    let text = MESSAGE
        .replace("high", "high|medium|low")
        .replace("question", "questoin")
        .replace("msg_1_a", "msg_[timestamp]");
    let found = problems(&text, Named::Comm);
    let found: Vec<_> = found.iter().map(|(fault, span, _)| (*fault, span.as_str())).collect();
    let expected =
        [(Fault::Placeholder, "msg_[timestamp]"), (Fault::Placeholder, "high|medium|low"), (Fault::Value, "questoin")];
    assert_eq!(found, expected);
    let text = MESSAGE.replace("2024-01-15T10:36:00Z", "20240115").replace("  to_agent: backend[2]\n", "");
    let text = text.replace("response_by: 2024-01-15T10:45:00Z\n", "");
    let messages: Vec<_> = problems(&text, Named::Comm).into_iter().map(|(_, _, message)| message).collect();
    let expected = [
        "missing field `to_agent` in `meta`",
        "`created_at` is a number, expected a timestamp such as `2024-01-15T10:30:00Z`",
        "missing field `response_by`, expected a timestamp because `response_needed` is true",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn files_of_others_are_left_alone() {
    for (named, text) in [
        (Named::Status, "# Session\n\nAll went well.\n\n- one: two\n"),
        (Named::Status, "Note: all went well\n"),
        (Named::Error, "title: done\n"),
        (Named::Error, "The build failed: see the log.\n\n```\nerror: x\n```\n"),
        (Named::Metrics, "{\"cpu\": 3}"),
        (Named::Error, ""),
        (Named::Error, "- one\n- two\n"),
        (Named::Plan, "# Plan\n\n1. `a: b`\n\tTab.\n"),
        (Named::Comm, "a: *unknown\n"),
        (Named::Comm, "# Retro\n\n- went well\n- more tests\n"),
        (Named::Plan, "# Notes\n\n- task_id: see below\n- status: fine\n"),
        (Named::Status, "# Notes\n\n- status: fine: so far\n\n## Next\n\n- none\n"),
        (Named::Comm, "# T\n\nHere:\n\n```json\n{\"a\": 1}\n```\n"),
        (Named::Comm, "# T\n\n```\na: 1\n```\n\nThis was the output.\n"),
        (Named::Plan, "Here:\n\n```json\n[1, 2]\n```\n"),
        (Named::Plan, "Here:\n\n```\n```\n"),
    ] {
        let file = SessionFile::parse(text, named);
        assert!(file.kind.is_none() && file.problems.is_empty() && file.content.is_none(), "{text:?}: {file:?}");
    }
}

#[test]
fn files_without_fields_are_found_where_the_name_is_certain() {
    for (named, text, expected) in [
        (Named::Status, "", "file has no fields, expected the fields of a session status"),
        (Named::Plan, "# Task\n", "file has no fields, expected the fields of a plan"),
        (Named::Comm, "- a\n", "content is a list, expected the fields of a progress update or a message"),
        (Named::Lock, "...\n", "file has no fields, expected the fields of a lock"),
        (Named::Lock, "hello\n", "content is text, expected the fields of a lock"),
        (Named::Lock, "12345\n", "content is a number, expected the fields of a lock"),
        (Named::Lock, "{}", "file has no fields, expected the fields of a lock"),
        (Named::Status, "title: done\n", "file has none of the fields of a session status"),
        (Named::Plan, "plan:\n  meta:\n    task_id: a\n", "file has none of the fields of a plan"),
        (Named::Plan, "# Task\n\n```\ntitle: a\n```\n", "file has none of the fields of a plan"),
        (Named::Plan, "Here:\n```\nTask ID: a\n```\n", "file has none of the fields of a plan"),
        (Named::Plan, "Here:\n```json\n[{\"task_id\": 1}]\n```\n", "content is a list, expected the fields of a plan"),
        (Named::Plan, "Meta:\n  Task ID: a\n", "file has none of the fields of a plan"),
        (Named::Plan, "task_id:a\nagent:b\ninstruction:c\n", "content is text, expected the fields of a plan"),
        (
            Named::Lock,
            "file: a\nlocked_by: b\nlocked_at: 2024-01-15T10:36:00Z\nexpires_at:\n",
            "empty field `expires_at` in a lock",
        ),
    ] {
        let found: Vec<_> = problems(text, named).into_iter().map(|(fault, _, message)| (fault, message)).collect();
        assert_eq!(found, [(Fault::Missing, expected.to_owned())], "{text:?}");
    }
}

#[test]
fn an_empty_field_is_where_its_key_is() {
    for (text, expected) in [
        (
            MESSAGE.replace("subject: Limit", "subject:"),
            ("subject", "empty field `subject` in a message", "write a value for `subject`"),
        ),
        (
            MESSAGE.replace("subject: Limit", "subject: ' '"),
            ("subject", "empty field `subject` in a message", "write a value for `subject`"),
        ),
        (
            MESSAGE.replace("from_agent: frontend", "from_agent:"),
            ("from_agent", "empty field `from_agent` in `meta`", "write a value for `from_agent`"),
        ),
        (
            MESSAGE.replace("response_by: 2024-01-15T10:45:00Z", "response_by:"),
            (
                "response_by",
                "empty field `response_by`, expected a timestamp because `response_needed` is true",
                "set `response_by` to the time when you need the answer, such as `2024-01-15T10:30:00Z`",
            ),
        ),
    ] {
        let file = SessionFile::parse(&text, Named::Comm);
        let found = file
            .problems
            .iter()
            .map(|problem| (problem.span.of(&text), problem.message.as_str(), problem.help.as_str()));
        assert_eq!(found.collect::<Vec<_>>(), [expected], "{text}");
    }
    // What is missing beside it is another problem.
    let found = problems("meta:\n", Named::Plan);
    let found: Vec<_> = found.iter().map(|(_, span, message)| (span.as_str(), message.as_str())).collect();
    let missing = "missing fields `instruction`, `boundaries` and `success_criteria` in a plan";
    assert_eq!(found, [("meta", "empty field `meta` in a plan"), ("meta", missing)]);
}

#[test]
fn help_is_what_to_write() {
    let help = |text: &str, named: Named| {
        let file = SessionFile::parse(text, named);
        let [problem] = file.problems.as_slice() else { panic!("{text}: {:?}", file.problems) };
        (problem.message.clone(), problem.help.clone())
    };
    let plan = "meta: {task_id: a, agent: web, created_at: 2024-01-15T10:36:00Z, priority: low}\ninstruction: x\nboundaries: {allowed: [src/**]}\nsuccess_criteria: [done]\n";
    for (value, expected) in [
        ("none", "write `[]`"),
        ("N/A", "write `[]`"),
        ("task_001", "write `[task_001]`"),
        ("7", "write `[7]`"),
        ("'task_001, task_002'", "write a list"),
        ("'*'", "write a list"),
        ("{a: 1}", "write a list"),
    ] {
        let text = format!("{plan}dependencies: {{requires: {value}}}\n");
        assert_eq!(help(&text, Named::Plan).1, expected, "{value}");
    }
    let progress =
        "meta: {task_id: a, agent: web, updated_at: 2024-01-15T10:36:00Z}\nstatus: in_progress\nprogress_percentage: ";
    for (value, expected) in [("'75'", "write `75` without quotes"), ("most", "write a whole number from 0 to 100")] {
        assert_eq!(help(&format!("{progress}{value}\n"), Named::Comm).1, expected, "{value}");
    }
    let message = MESSAGE.replace("response_needed: true", "response_needed: 'true'");
    assert_eq!(help(&message, Named::Comm).1, "write `true` without quotes");
    let month = MESSAGE.replace("2024-01-15T10:36:00Z", "2024-13-15T10:36:00Z");
    assert!(help(&month, Named::Comm).0.starts_with("`created_at` has a month that does not exist"));
    let status = "session_id: s\nstarted_at: 2024-01-15T10:00:00Z\nstatus: active\nphase: design\nagents_active: [Web]\ntasks_total: 2\ntasks_completed: 1\nvalidation_gates: {requirements: done}\n";
    let (text, _) = help(status, Named::Status);
    assert!(text.starts_with("unknown state `done` of the gate `requirements`, expected one of `pending`"), "{text}");
}

#[test]
fn broken_files_are_no_text_for_people() {
    let deep = format!("a: {}", "[".repeat(100));
    for text in ["{{{", "hello world\n", "meta\n  task_id: task_001\n", &deep, "m", "Note: all went well\n"] {
        for named in [Named::Status, Named::Plan, Named::Comm] {
            let file = SessionFile::parse_yaml(text, named);
            assert!(file.content.is_none() && file.problems.len() == 1, "{text:?}: {file:?}");
        }
    }
    for text in
        ["{{{", "meta\n  task_id: task_001\n", &deep, "m", "met", "# Progress\n\n```yaml\nme", "```yaml\n- a\n```\n"]
    {
        for named in [Named::Plan, Named::Comm] {
            let file = SessionFile::parse(text, named);
            assert!(file.content.is_none() && file.problems.len() == 1, "{text:?}: {file:?}");
        }
    }
    // Other programs have these.
    assert!(SessionFile::parse_yaml("hello world\n", Named::Metrics).problems.is_empty());
}

#[test]
fn front_matter_is_read() {
    let plan = "meta:\n  task_id: a\n  agent: web\n  created_at: 2024-01-15T10:36:00Z\n  priority: low\ninstruction: x\nboundaries:\n  allowed: [src/**]\nsuccess_criteria: [done]\n";
    for text in [
        format!("---\n{plan}---\n\n# Task\n\nDo it: now. `x: {{y`\n"),
        format!("---\n{plan}---\n"),
        format!("---\n{plan}---\n# Task\n\n```yaml\nname: example\n```\n"),
        format!("---\ntitle: T\n---\n# Task\n\n```yaml\n{plan}```\n"),
        format!(
            "# Task\n```json\n{}\n```\n",
            r#"{"meta": {"task_id": "a", "agent": "web", "created_at": "2024-01-15T10:36:00Z", "priority": "low"}, "instruction": "x", "boundaries": {"allowed": ["src/**"]}, "success_criteria": ["done"]}"#
        ),
    ] {
        let file = SessionFile::parse(&text, Named::Plan);
        let plan = file.plan().unwrap_or_else(|| panic!("{text}: {:?}", file.problems));
        assert_eq!((plan.task_id.as_ref().map(|id| id.value.as_str()), file.problems.len()), (Some("a"), 0), "{text}");
    }
    let found = problems(&format!("---\n{plan}---\n{plan}"), Named::Plan);
    assert_eq!(
        found.iter().map(|(_, _, message)| message.as_str()).collect::<Vec<_>>(),
        ["second YAML document, expected one"]
    );
}

#[test]
fn front_matter_and_a_block_that_say_the_same_are_one_too_many() {
    let status = |state: &str| format!("session_id: s\nstatus: {state}\nagents_active: [web]\n");
    let text = format!("---\n{}---\n# Status\n\n```yaml\n{}```\n", status("active"), status("completed"));
    let found = problems(&text, Named::Status);
    assert!(found.iter().any(|(_, _, message)| message == "second block of YAML, expected one"), "{found:?}");
}

#[test]
fn what_a_user_chooses_is_no_template() {
    let lock = "file: 'app/[id]/page.tsx'\nlocked_by: web\nlocked_at: 2024-01-15T10:36:00Z\nexpires_at: 2024-01-15T10:39:00Z\n";
    for path in ["app/[id]/page.tsx", "src/{name}/x.ts", "routes/<id>.ts", "[id]", " a ", "[timestamp]_[hash].md"] {
        let text = lock.replace("app/[id]/page.tsx", path);
        let file = SessionFile::parse(&text, Named::Lock);
        assert_eq!(
            file.lock().and_then(|lock| lock.file.as_ref()).map(|file| file.value.as_str()),
            Some(path),
            "{path}"
        );
        assert_eq!(file.problems, [], "{path}");
    }
    for (value, expected) in [
        ("'[filename]'", "`file` still has `[filename]` from the template, expected a value"),
        ("[filename]", "`file` still has `[filename]` from the template, expected a value"),
        ("<path to file>", "`file` still has `<path to file>` from the template, expected a value"),
        ("[id]", "`file` is a list, expected a path"),
        ("1.10", "`file` is a number, expected a path"),
    ] {
        let found = problems(&lock.replace("'app/[id]/page.tsx'", value), Named::Lock);
        assert_eq!(found.iter().map(|(_, _, message)| message.as_str()).collect::<Vec<_>>(), [expected], "{value}");
    }
}

#[test]
fn what_readers_disagree_about_is_found() {
    for (text, expected) in [
        (format!("{MESSAGE}---\na: 1\n"), "second YAML document, expected one"),
        (format!("```yaml\n{MESSAGE}"), "code fence is never closed"),
        (format!("```yaml\n{MESSAGE}```\n```yml\na: 1\n```\n"), "second block of YAML, expected one"),
        (format!("{MESSAGE}subject: again\n"), "duplicate key `subject`"),
        (MESSAGE.replace("  to_agent", "\tto_agent"), "invalid YAML: found a tab, expected spaces"),
        (
            format!("<<<<<<< ours\n{MESSAGE}=======\n{MESSAGE}>>>>>>> theirs\n"),
            "invalid YAML: unresolved merge conflict",
        ),
    ] {
        let found = problems(&text, Named::Comm);
        assert_eq!(found.iter().map(|(_, _, message)| message.as_str()).collect::<Vec<_>>(), [expected], "{text}");
    }
}

#[test]
fn aliases_are_followed_and_bounded() {
    let lock = "a: &at 2024-01-15T10:37:00Z\nbase: &base {locked_by: backend}\n<<: *base\nfile: src/a\nlocked_at: *at\nexpires_at: *at\n";
    let file = SessionFile::parse(lock, Named::Lock);
    assert!(file.problems.is_empty() && file.lock().unwrap().expires_at.is_some(), "{file:?}");
    let keys: String = (0..5000).map(|at| format!("k{at}: 1, ")).collect();
    let bomb = format!(
        "big: &big {{{keys}}}\nper_agent_metrics:\n  x: 1\nsession_metrics:\nblockers: [{}]\nprogress_percentage: 1\ncurrent_action: x\nstatus: blocked\n",
        "*big, ".repeat(5000)
    );
    let found = problems(&bomb, Named::Comm);
    assert!(found.iter().any(|(_, _, message)| message.starts_with("aliases lead to more")), "{found:?}");
}

#[test]
fn a_help_names_no_value_that_is_refused() {
    let plan = "meta:\n  task_id: t\n  agent: a\n  created_at: 2024-01-15T10:30:00Z\n  priority: low\n  timeout: 5\ninstruction: x\nboundaries: {allowed: [a]}\nsuccess_criteria: [x]\n";
    let progress = "meta: {task_id: t, agent: a, updated_at: 2024-01-15T10:30:00Z}\nstatus: pending\nprogress_percentage: 5\ntime_spent: 5\n";
    let (mut named, mut unnamed) = (0, 0);
    for (of, text, field, values) in [
        (
            Named::Comm,
            progress,
            "progress_percentage: 5",
            ["150%", "40%", "'150'", "'40'", "'4.5'", "-3", "1e1"].as_slice(),
        ),
        (Named::Comm, progress, "time_spent: 5", &["0s", "5m", "'-1'", "'1.5'", "-1s"]),
        (Named::Plan, plan, "timeout: 5", &["0s", "5m", "'0'", "'7'", "0", "2h"]),
        (
            Named::Plan,
            plan,
            "boundaries: {allowed: [a]}",
            &["none", "n/a", "7", "{allowed: 7}", "{allowed: src}", "{allowed: none}", "{allowed: 'true'}"],
        ),
        (Named::Plan, plan, "success_criteria: [x]", &["none", "7", "works"]),
    ] {
        let name = field.split_once(':').unwrap().0;
        for value in values {
            let bad = text.replace(field, &format!("{name}: {value}"));
            let problems = SessionFile::parse(&bad, of).problems;
            let [problem] = problems.as_slice() else { panic!("{name}: {value}: {problems:?}") };
            match problem
                .help
                .strip_prefix("write `")
                .and_then(|help| help.strip_suffix('`').or(help.split_once('`').map(|help| help.0)))
            {
                Some(meant) => {
                    let mut good = bad.clone();
                    good.replace_range(problem.span.start()..problem.span.end(), meant);
                    assert_eq!(SessionFile::parse(&good, of).problems, [], "{name}: {value}: {}", problem.help);
                    named += 1;
                }
                None => unnamed += 1,
            }
        }
    }
    assert_eq!((named, unnamed), (15, 13));
}

#[test]
fn a_field_that_names_itself_is_left_of_the_template() {
    for blank in ["[instruction]", "<instruction>", "{instruction}"] {
        for text in [blank.to_owned(), format!("'{blank}'"), format!("|\n  {blank}")] {
            let found = problems(&format!("instruction: {text}\n"), Named::Plan);
            let expected = format!("`instruction` still has `{blank}` from the template, expected a value");
            assert!(
                found.iter().any(|(fault, _, message)| (*fault, message) == (Fault::Placeholder, &expected)),
                "{found:?}"
            );
        }
    }
    let found = problems("instruction: [one, two]\n", Named::Plan);
    assert!(found.iter().any(|(fault, ..)| *fault == Fault::Value), "{found:?}");
}
