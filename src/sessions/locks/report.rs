//! The report about a lock: lines for people, or JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::{Blocked, Lock, Lost};
use crate::formats::session::field::Agent;
use crate::formats::timestamp::Timestamp;
use crate::report::json_writer;
use crate::sessions::clock::{Clock, lasted};
use crate::terminal::{display_path, escape};
use crate::text::prose::plural;

/// The version of the JSON format.
const VERSION: u32 = 1;

/// What became of a lock.
#[derive(Debug)]
pub enum Answer<'a> {
    /// It is the agent's now.
    Locked(&'a Lock),
    /// Another agent holds it; these agents wait for it.
    Blocked(&'a Blocked, &'a [String]),
    /// It is free now. Its time may have been over.
    Unlocked(&'a Lock),
    /// It lasts longer now.
    Renewed(&'a Lock),
    /// It was not the agent's any more.
    Lost(&'a Lost),
}

/// A lock, as it is printed.
#[derive(Serialize)]
pub struct ShownLock<'a> {
    file: &'a str,
    locked_by: String,
    locked_at: Option<String>,
    expires_at: String,
    task_id: Option<&'a str>,
    operation: Option<&'static str>,
}

impl<'a> ShownLock<'a> {
    /// `lock`, for JSON.
    pub fn new(lock: &'a Lock) -> Self {
        Self {
            file: &lock.file,
            locked_by: lock.locked_by.to_string(),
            locked_at: lock.locked_at.map(Timestamp::in_utc),
            expires_at: lock.expires_at.in_utc(),
            task_id: lock.task_id.as_deref(),
            operation: lock.operation.map(crate::formats::session::field::Operation::as_str),
        }
    }
}

#[derive(Serialize)]
struct Shown<'a> {
    version: u32,
    /// Whether it was done.
    done: bool,
    file: &'a str,
    /// The lock of the agent, or the one that is in the way.
    lock: Option<ShownLock<'a>>,
    /// The name of the lock that cannot be read.
    unreadable: Option<String>,
    /// The agents that wait for the file, the next one first.
    waiting: &'a [String],
}

/// Writes one JSON object.
///
/// # Errors
/// Errors of the writer.
pub fn json(file: &str, answer: &Answer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut shown = Shown { version: VERSION, done: true, file, lock: None, unreadable: None, waiting: &[] };
    match answer {
        Answer::Locked(lock) | Answer::Unlocked(lock) | Answer::Renewed(lock) => {
            shown.lock = Some(ShownLock::new(lock));
        }
        Answer::Blocked(blocked, waiting) => {
            (shown.done, shown.waiting) = (false, waiting);
            match blocked {
                Blocked::Held(lock) => shown.lock = Some(ShownLock::new(lock)),
                Blocked::Unreadable(unreadable) => shown.unreadable = Some(unreadable.shown()),
                Blocked::Queue => {}
            }
        }
        Answer::Lost(lost) => {
            shown.done = false;
            match lost {
                Lost::Taken(lock) => shown.lock = Some(ShownLock::new(lock)),
                Lost::Unreadable(unreadable) => shown.unreadable = Some(unreadable.shown()),
                Lost::Free => {}
            }
        }
    }
    json_writer::write(&shown, out)
}

/// Writes a line, and what to do below it. The agent is `agent`.
///
/// # Errors
/// Errors of the writer.
pub fn text(file: &str, agent: &str, answer: &Answer<'_>, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let (file, agent) = (display_path(file.as_bytes()), escape(agent));
    let (now, next) = (clock.now(), clock.next());
    let left = |lock: &Lock| lock.expires_at.unix().saturating_sub(next.unix());
    let seconds = |count: i64| plural(usize::try_from(count).unwrap_or(0), "second");
    // `--ttl` counts seconds, and so does what is left of a short one.
    let time = |count: i64| match count {
        ..=120 => seconds(count),
        count => lasted(now, now.plus_seconds(count)),
    };
    let until = |lock: &Lock| format!("until {} ({})", lock.expires_at.in_utc(), time(left(lock)));
    match answer {
        Answer::Locked(lock) => writeln!(out, "{file} is locked by {agent} {}", until(lock)),
        Answer::Renewed(lock) => writeln!(out, "{file} stays locked by {agent} {}", until(lock)),
        Answer::Unlocked(lock) if lock.is_expired(now) => {
            writeln!(out, "{file} is free")?;
            let ago = lasted(lock.expires_at, now);
            writeln!(out, "  note: the lock expired {ago} ago; no other agent took the file")
        }
        Answer::Unlocked(_) => writeln!(out, "{file} is free"),
        Answer::Blocked(Blocked::Held(lock), waiting) => {
            let holder = escape(&lock.locked_by.to_string());
            let task = lock.task_id.as_ref().map(|task| format!(" for {}", escape(task))).unwrap_or_default();
            writeln!(out, "{file} is held by {holder}{task} {}", until(lock))?;
            if holder == agent {
                writeln!(
                    out,
                    "  help: that is this agent; `session renew` keeps the lock, `session unlock` releases it"
                )?;
            } else {
                let seconds = left(lock).max(0) + 1;
                writeln!(out, "  help: work on another file, or wait in line with `--wait {seconds}`")?;
            }
            write_waiting(waiting, out)
        }
        Answer::Blocked(Blocked::Unreadable(unreadable), _) | Answer::Lost(Lost::Unreadable(unreadable)) => {
            let (name, reason) = (unreadable.shown(), escape(&unreadable.reason));
            writeln!(out, "{file} may be held: cannot read the lock {name}: {reason}")?;
            writeln!(out, "  help: remove {name} if no agent holds the file")
        }
        Answer::Blocked(Blocked::Queue, waiting) => {
            writeln!(out, "{file} is free, but others wait in line for it")?;
            writeln!(out, "  help: wait in line with `--wait SECONDS`")?;
            write_waiting(waiting, out)
        }
        Answer::Lost(Lost::Taken(lock)) => {
            let holder = escape(&lock.locked_by.to_string());
            writeln!(out, "{file} is not held by {agent}: {holder} holds it {}", until(lock))?;
            if lock.locked_by.may_be(&Agent::parse(&agent)) {
                return writeln!(out, "  help: if that is the same agent, use `--agent '{holder}'`");
            }
            writeln!(
                out,
                "  help: if {agent} had locked it, that lock has expired; look at the file before you change it again"
            )
        }
        Answer::Lost(Lost::Free) => {
            writeln!(out, "{file} is not held by {agent}: no agent holds it")?;
            writeln!(
                out,
                "  help: if {agent} had locked it, others may have changed it since; look at the file, and lock it again"
            )
        }
    }
}

fn write_waiting(waiting: &[String], out: &mut dyn Write) -> io::Result<()> {
    if waiting.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = waiting.iter().map(|agent| escape(agent)).collect();
    writeln!(out, "  waiting: {}", names.join(", "))
}
