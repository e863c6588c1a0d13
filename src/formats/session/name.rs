//! The parts of file names against the content: `role-plan-[agent]-[task-id].md`.
//!
//! Names are compared without case, and each run of other characters than letters and digits is one `-`: file systems and
//! scripts change these.

use bstr::{BStr, ByteSlice};

use super::field::Agent;
use super::model::{Content, Lock};
use crate::text::Span;

/// A part of the content that the name of the file does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where the content says it.
    pub span: Span,
    /// What it is, such as `agent`.
    pub what: &'static str,
    /// The part, as the content has it.
    pub value: String,
    /// The part, as the name has it, if that is certain.
    pub found: Option<String>,
    /// A name that agrees with the content, without extension; the parts that can be anything are `…`.
    pub expected: String,
}

/// The first part of `content` that the name of its file, `name`, does not have.
pub fn mismatch(content: &Content, name: &BStr) -> Option<Mismatch> {
    let stem = normal(&stem(name));
    match content {
        Content::Plan(plan) => {
            let (agent, task) = (plan.agent.as_ref()?, plan.task_id.as_ref());
            of_task("role-plan", &stem, (agent.span, &agent.value), task.map(|task| (task.span, task.value.as_str())))
        }
        Content::Progress(progress) => {
            let (agent, task) = (progress.agent.as_ref()?, progress.task_id.as_ref());
            of_task("role-comm", &stem, (agent.span, &agent.value), task.map(|task| (task.span, task.value.as_str())))
        }
        Content::Message(message) => {
            let (from, to) = (message.from.as_ref()?, message.to.as_ref()?);
            let expected = || format!("role-comm-{}-to-{}-…", from.value, to.value);
            let Some(rest) = after_agent(after(&stem, "role-comm")?, &from.value) else {
                return Some(Mismatch::new(from.span, "sender", &from.value.to_string(), expected()));
            };
            // Behind the number of an instance, too.
            let is_to =
                rest.iter().any(|rest| after(rest, "to").and_then(|rest| after_agent(rest, &to.value)).is_some());
            (!is_to).then(|| Mismatch::new(to.span, "recipient", &to.value.to_string(), expected()))
        }
        Content::Error(error) => {
            let agent = error.agent.as_ref()?;
            let is_in = after(&stem, "error").is_none_or(|rest| after_agent(rest, &agent.value).is_some());
            (!is_in).then(|| {
                Mismatch::new(agent.span, "agent", &agent.value.to_string(), format!("error-{}-…", agent.value))
            })
        }
        Content::Lock(lock) => of_lock(lock, &stem),
        Content::Status(_) | Content::Broadcast(_) | Content::Metrics(_) => None,
    }
}

/// Whether the plan with the file name `name` may be that of the task `id`.
pub fn may_be_plan_of(name: &BStr, id: &str) -> bool {
    let (stem, id) = (normal(&stem(name)), normal(id));
    let id = id.strip_prefix("task-").unwrap_or(&id);
    let rest = stem.strip_suffix(id).filter(|_| !id.is_empty());
    rest.is_some_and(|rest| rest.ends_with('-'))
}

/// Whether the name of a metrics file, `name`, has the ID of the session, `id`.
pub fn has_session(name: &BStr, id: &str) -> bool {
    after(&normal(&stem(name)), "metrics").is_none_or(|rest| rest == normal(id))
}

impl Mismatch {
    fn new(span: Span, what: &'static str, value: &str, expected: String) -> Self {
        Self { span, what, value: value.to_owned(), found: None, expected }
    }
}

fn of_task(start: &str, stem: &str, agent: (Span, &Agent), task: Option<(Span, &str)>) -> Option<Mismatch> {
    let (span, agent) = agent;
    let rest = after(stem, start)?;
    let expected = || format!("{start}-{agent}-{}", task.map_or("…", |(_, task)| task));
    let Some(rest) = after_agent(rest, agent) else {
        return Some(Mismatch::new(span, "agent", &agent.to_string(), expected()));
    };
    let (task_span, task) = task?;
    let normal = normal(task);
    let short = normal.strip_prefix("task-").unwrap_or(&normal);
    let is_task = |rest: &str| rest == normal || rest.strip_prefix("task-").unwrap_or(rest) == short;
    if rest.iter().any(|rest| is_task(rest)) {
        return None;
    }
    // `web-3-task_001` of `web[2]`
    let number = rest.first().and_then(|rest| rest.split_once('-')).filter(|(_, rest)| is_task(rest));
    let other = number.and_then(|(number, _)| Some(Agent { instance: Some(number.parse().ok()?), ..agent.clone() }));
    Some(match other {
        Some(other) => {
            let mismatch = Mismatch::new(span, "agent", &agent.to_string(), expected());
            Mismatch { found: Some(other.to_string()), ..mismatch }
        }
        None => Mismatch::new(task_span, "task", task, expected()),
    })
}

fn of_lock(lock: &Lock, stem: &str) -> Option<Mismatch> {
    let (file, agent) = (lock.file.as_ref()?, lock.locked_by.as_ref()?);
    let path = lock.path()?;
    let name = path.rsplit('/').next().unwrap_or(&path);
    let expected = || format!("{name}-{}-…", agent.value);
    // Programs cut names that are too long for a file system, after so many bytes or more.
    let cut = |text: &str| {
        let end = (0..=80).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        if text.len() > end { text.get(..end).unwrap_or(text).to_owned() } else { text.to_owned() }
    };
    // A backslash can be a part of a name.
    let own = file.value.rsplit('/').next().unwrap_or_default();
    let start = [name, &path, own].iter().map(|name| cut(&normal(name))).find(|start| stem.starts_with(start.as_str()));
    let Some(start) = start else {
        return Some(Mismatch::new(file.span, "file", name, expected()));
    };
    let rest = stem.get(start.len()..).unwrap_or_default();
    let is_agent = rest.contains(&cut(&normal(&agent.value.name)));
    (!is_agent).then(|| Mismatch::new(agent.span, "agent", &agent.value.to_string(), expected()))
}

/// What follows the word `start` and its `-`.
fn after<'s>(stem: &'s str, start: &str) -> Option<&'s str> {
    stem.strip_prefix(start)?.strip_prefix('-')
}

/// What follows `agent` in `stem`: all of it, and what is left behind the number of an instance.
fn after_agent<'s>(stem: &'s str, agent: &Agent) -> Option<Vec<&'s str>> {
    let rest = stem.strip_prefix(normal(&agent.name).as_str())?;
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix('-')? };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, behind) = rest.split_at_checked(digits)?;
    let is_own = agent.instance.is_none_or(|instance| number == instance.to_string());
    let number = Some(behind).filter(|_| !number.is_empty() && is_own);
    let number = number.and_then(|rest| if rest.is_empty() { Some(rest) } else { rest.strip_prefix('-') });
    Some([Some(rest), number].into_iter().flatten().collect())
}

/// The name of a file without its folders and its extension; `%3A` is `:`, as programs write what file systems lack.
fn stem(name: &BStr) -> String {
    let name = name.rsplit_str("/").next().unwrap_or_default();
    let name = name.get(..name.rfind_byte(b'.').unwrap_or(name.len())).unwrap_or_default().to_str_lossy();
    let mut parts = name.split('%');
    let mut stem = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(code) = part.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()).filter(u8::is_ascii) {
            stem.push(char::from(code));
            stem.push_str(part.get(2..).unwrap_or_default());
        } else {
            stem.push('%');
            stem.push_str(part);
        }
    }
    stem
}

/// `text` in lower case, with one `-` for each run of other characters than letters and digits, and none at the ends.
fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            normal.extend(c.to_lowercase());
        } else if !normal.is_empty() && !normal.ends_with('-') {
            normal.push('-');
        }
    }
    normal.truncate(normal.trim_end_matches('-').len());
    normal
}

#[cfg(test)]
mod tests {
    use super::super::{Named, SessionFile};
    use super::*;

    /// Compares what is wrong with each name of a file with the content `text` with what is expected.
    fn expect(named: Named, text: &str, names: &[(&str, Option<&str>)]) {
        let content = SessionFile::parse(text, named).content.unwrap();
        for (name, expected) in names {
            assert_eq!(mismatch(&content, (*name).into()).map(|mismatch| mismatch.what), *expected, "{name}");
        }
    }

    #[test]
    fn the_name_of_a_task_has_agent_and_task() {
        let plan = "meta: {task_id: task_001, agent: web-dev, instance: 2}\ninstruction: x\n";
        expect(
            Named::Plan,
            plan,
            &[
                ("role-plan-web-dev-task_001.md", None),
                ("role-plan-Web_Dev-2-001.md", None),
                ("role-plan-web-dev[2]-task-001.yaml", None),
                ("role-plan-web-dev-3-task_001.md", Some("agent")),
                ("role-plan-web-dev-3-task_002.md", Some("task")),
                ("role-plan-web-task_001.md", Some("agent")),
                ("role-plan-web-developer-task_001.md", Some("agent")),
                ("role-plan-web-dev-task_002.md", Some("task")),
                ("role-plan-web-dev.md", Some("task")),
            ],
        );
    }

    #[test]
    fn the_name_of_a_message_has_both_agents() {
        let message = "meta: {message_id: m, from_agent: 'a[1]', to_agent: b-to-c}\ntype: question\n";
        expect(
            Named::Comm,
            message,
            &[
                ("role-comm-a-to-b-to-c-1.md", None),
                ("role-comm-a-1-to-b-to-c-1.md", None),
                ("role-comm-a-to-b-to-c.md", None),
                ("role-comm-b-to-c-1.md", Some("sender")),
                ("role-comm-a-to-b-1.md", Some("recipient")),
                ("role-comm-a-b-to-c-1.md", Some("recipient")),
            ],
        );
    }

    #[test]
    fn the_name_of_a_lock_has_file_and_agent() {
        let lock = "file: src/App:x.tsx\nlocked_by: web[1]\n";
        expect(
            Named::Lock,
            lock,
            &[
                ("locks/App:x.tsx-web-1705315020.lock", None),
                ("locks/App%3Ax.tsx-web[1]-1705315020.1.lock", None),
                ("locks/src_App_x.tsx-web-1.lock", None),
                ("locks/Other.tsx-web-1.lock", Some("file")),
                ("locks/App-x.tsx-db-1.lock", Some("agent")),
            ],
        );
        let long = format!("file: '{}'\nlocked_by: web\n", "x".repeat(500));
        expect(Named::Lock, &long, &[(&format!("locks/{}-web-1.lock", "x".repeat(120)), None)]);
    }

    #[test]
    fn a_name_tells_the_task_of_a_plan_that_cannot_be_read() {
        for (name, id, expected) in [
            ("role-plan-web-task_001.md", "task_001", true),
            ("role-plan-web-001.md", "task_001", true),
            ("role-plan-web-task-001.yaml", "TASK_001", true),
            ("role-plan-web-task_0010.md", "task_001", false),
            ("role-plan-web-task_2001.md", "task_001", false),
            ("role-plan-web.md", "", false),
        ] {
            assert_eq!(may_be_plan_of(name.into(), id), expected, "{name}");
        }
    }

    #[test]
    fn errors_and_metrics() {
        expect(Named::Error, "error_id: x\nagent: web\n", &[("error-web-1.md", None)]);
        expect(Named::Error, "error_id: x\nagent: web\n", &[("error-db-1.md", Some("agent"))]);
        assert!(
            has_session("metrics-sess_1.md".into(), "sess-1") && !has_session("metrics-sess_2.md".into(), "sess_1")
        );
    }
}
