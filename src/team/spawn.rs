//! The command that spawns a member. See `docs/formats/learning-teams.md`, "Spawning".

use std::fmt::{self, Write as _};

use crate::formats::reflection;

/// The longest argument that Linux hands to a program, in bytes.
pub const ARGUMENT_MAX: usize = 128 * 1024 - 1;

/// A member that is to be spawned.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is responsible for.
    pub role: &'a str,
    /// The globs of its files.
    pub owns: Vec<&'a str>,
    /// What it may use.
    pub tools: Vec<&'a str>,
    /// The model, after defaults.
    pub model: &'a str,
    /// How claude asks for permissions, after defaults.
    pub permission_mode: &'a str,
    /// The most it may cost, in US dollars, after defaults.
    pub budget: f64,
    /// What its learnings file holds; `None` if there is none.
    pub learnings: Option<&'a str>,
}

/// Why a member cannot be spawned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpawnError {
    /// An argument cannot hold NUL.
    #[error("{part} a NUL byte, which a program argument cannot contain")]
    Nul {
        /// Which value.
        part: Part,
        /// Its byte in that value.
        at: usize,
    },
    /// An argument is longer than systems take.
    #[error("{part} an argument of {len} bytes, more than Linux accepts ({ARGUMENT_MAX})")]
    TooLong {
        /// Which value.
        part: Part,
        /// The length of the argument, in bytes.
        len: usize,
    },
}

/// A value that reaches the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the member has learned.
    Learnings,
    /// A value of the manifest.
    Manifest,
    /// The task.
    Task,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Learnings => "the learnings have",
            Self::Manifest => "the manifest has",
            Self::Task => "the task has",
        })
    }
}

/// What is appended to claude's own system prompt: who the member is, what it has learned, and what it is to return. The
/// learnings are in it byte for byte.
pub fn prompt(member: &Member<'_>) -> String {
    let Member { name, role, owns, .. } = member;
    let mut prompt = format!("# Team Member: {name}\nRole: {role}\nOwns: {}\n\n", owns.join(", "));
    let learnings = member.learnings.unwrap_or("(none yet)\n");
    let end = if learnings.ends_with('\n') || learnings.is_empty() { "" } else { "\n" };
    let _ = write!(prompt, "## Your Accumulated Learnings\n{learnings}{end}\n");
    prompt.push_str(
        "## Reflection Protocol\n\
         After completing your task, return structured JSON matching the reflection schema.\n\
         Include honest self-assessment in the reflection section.\n\
         Suggest learnings that should be persisted for future spawns.\n",
    );
    prompt
}

/// The program and its arguments, those that belong together in one group. Without a task claude reads it from standard input.
///
/// # Errors
/// When a value cannot be an argument.
pub fn arguments(member: &Member<'_>, task: Option<&str>) -> Result<Vec<Vec<String>>, SpawnError> {
    let task = task.filter(|task| !task.trim().is_empty());
    let values = [(Part::Learnings, member.learnings), (Part::Task, task)];
    let manifest = [member.name, member.role, member.model, member.permission_mode];
    let manifest = manifest.into_iter().chain(member.owns.iter().chain(&member.tools).copied());
    let values = manifest.map(|value| (Part::Manifest, Some(value))).chain(values);
    for (part, value) in values {
        if let Some(at) = memchr::memchr(0, value.unwrap_or_default().as_bytes()) {
            return Err(SpawnError::Nul { part, at });
        }
    }
    let option = |name: &str, value: String| vec![name.to_owned(), value];
    let mut groups = vec![vec!["claude".to_owned(), "-p".to_owned()], option("--append-system-prompt", prompt(member))];
    groups.push(option("--model", member.model.to_owned()));
    if !member.tools.is_empty() {
        groups.push(option("--allowedTools", member.tools.join(",")));
    }
    groups.push(option("--permission-mode", member.permission_mode.to_owned()));
    groups.push(option("--max-budget-usd", dollars(member.budget)));
    groups.push(option("--output-format", "json".to_owned()));
    groups.push(option("--json-schema", reflection::schema().to_string()));
    groups.push(vec!["--no-session-persistence".to_owned()]);
    match task {
        // After `--`, a task that looks like an option is not one.
        Some(task) if task.starts_with('-') => groups.push(option("--", task.to_owned())),
        Some(task) => groups.push(vec![task.to_owned()]),
        None => {}
    }
    let last = groups.len() - 1;
    for (number, group) in groups.iter().enumerate() {
        if let Some(len) = group.iter().map(String::len).find(|len| *len > ARGUMENT_MAX) {
            let part = match number {
                1 if member.learnings.is_some_and(|learnings| learnings.len() > len / 2) => Part::Learnings,
                _ if number == last && task.is_some() => Part::Task,
                _ => Part::Manifest,
            };
            return Err(SpawnError::TooLong { part, len });
        }
    }
    Ok(groups)
}

/// An amount with cents, and with more digits where it has them.
fn dollars(amount: f64) -> String {
    let cents = format!("{amount:.2}");
    if cents.parse() == Ok(amount) { cents } else { amount.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member() -> Member<'static> {
        Member {
            name: "backend",
            role: "Server logic",
            owns: vec!["src/**", "tests/**"],
            tools: vec!["Read", "Bash(git:*)"],
            model: "sonnet",
            permission_mode: "dontAsk",
            budget: 0.5,
            learnings: Some("# Learnings: backend\n\n## Gotchas\n- a\n"),
        }
    }

    #[test]
    fn the_order_of_the_specification() {
        assert_eq!(
            prompt(&member()),
            "# Team Member: backend\nRole: Server logic\nOwns: src/**, tests/**\n\n\
             ## Your Accumulated Learnings\n# Learnings: backend\n\n## Gotchas\n- a\n\n\
             ## Reflection Protocol\n\
             After completing your task, return structured JSON matching the reflection schema.\n\
             Include honest self-assessment in the reflection section.\n\
             Suggest learnings that should be persisted for future spawns.\n"
        );
        let arguments = arguments(&member(), Some("fix it")).unwrap().concat();
        let schema = reflection::schema().to_string();
        let expected = [
            "claude",
            "-p",
            "--append-system-prompt",
            &prompt(&member()),
            "--model",
            "sonnet",
            "--allowedTools",
            "Read,Bash(git:*)",
            "--permission-mode",
            "dontAsk",
            "--max-budget-usd",
            "0.50",
            "--output-format",
            "json",
            "--json-schema",
            &schema,
            "--no-session-persistence",
            "fix it",
        ];
        assert_eq!(arguments, expected);
    }

    #[test]
    fn what_stands_at_the_edges() {
        let last = |task| arguments(&member(), task).unwrap().concat().split_off(17);
        assert_eq!(last(None), [""; 0]);
        assert_eq!(last(Some(" ")), [""; 0]);
        assert_eq!(last(Some("--help")), ["--", "--help"]);
        let none = Member { learnings: None, tools: Vec::new(), ..member() };
        assert!(prompt(&none).contains("## Your Accumulated Learnings\n(none yet)\n\n## Reflection"));
        assert!(!arguments(&none, None).unwrap().concat().contains(&"--allowedTools".to_owned()));
        let open = Member { learnings: Some("a\r\n\n\nb"), ..member() };
        assert!(prompt(&open).contains("Learnings\na\r\n\n\nb\n\n## Reflection"));
        assert_eq!(["0.50", "2.00", "0.125"].map(|amount| dollars(amount.parse().unwrap())), ["0.50", "2.00", "0.125"]);
    }

    #[test]
    fn what_no_argument_can_be() {
        let nul = Member { learnings: Some("a\n\0b"), ..member() };
        assert_eq!(arguments(&nul, None), Err(SpawnError::Nul { part: Part::Learnings, at: 2 }));
        let nul = Member { owns: vec!["a\0"], ..member() };
        assert_eq!(arguments(&nul, None), Err(SpawnError::Nul { part: Part::Manifest, at: 1 }));
        let long = "x".repeat(ARGUMENT_MAX + 1);
        let part = |member: &Member<'_>, task| match arguments(member, task) {
            Err(SpawnError::TooLong { part, .. }) => Some(part),
            other => panic!("{other:?}"),
        };
        assert_eq!(part(&Member { learnings: Some(&long), ..member() }, None), Some(Part::Learnings));
        assert_eq!(part(&Member { role: &long, ..member() }, None), Some(Part::Manifest));
        assert_eq!(part(&Member { tools: vec![&long], ..member() }, None), Some(Part::Manifest));
        assert_eq!(part(&member(), Some(&long)), Some(Part::Task));
        let dashes = "-".repeat(ARGUMENT_MAX + 1);
        assert_eq!(part(&Member { tools: Vec::new(), ..member() }, Some(&dashes)), Some(Part::Task));
        assert!(arguments(&member(), Some(&long[1..])).is_ok());
    }
}
