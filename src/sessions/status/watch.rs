//! How sessions are, again and again while their agents work.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::thread;
use std::time::{Duration, Instant};

use super::{Status, Watched, json, text};
use crate::sessions::clock::Clock;
use crate::sessions::cut;
use crate::sessions::folder::has_ended;
use crate::terminal::Terminal;
use crate::text::mask::masked;

/// How long to wait before the files are examined again.
const PAUSE: Duration = Duration::from_millis(500);

/// The height of a terminal that does not say how high it is.
const HEIGHT: usize = 24;

/// Writes how `sessions` are whenever that changes, until all have ended, and then why it stops: on a terminal in place of what it wrote before, elsewhere
/// after it; JSON on one line each.
///
/// # Errors
/// When a folder cannot be read, or standard output cannot be written to.
pub fn run(mut sessions: Vec<Watched>, is_json: bool, clock: Clock, terminal: Terminal) -> io::Result<()> {
    let is_drawn = !is_json && io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    let start = Instant::now();
    let mut last: Option<Vec<Status>> = None;
    let mut ends: Vec<String> = Vec::new();
    loop {
        let now = clock.moment(start.elapsed()).now;
        let mut has_changed = false;
        let mut gone = Vec::new();
        for (at, session) in sessions.iter_mut().enumerate() {
            match session.refresh() {
                Ok(changed) => has_changed |= changed,
                // Archived.
                Err(error) if error.kind() == io::ErrorKind::NotFound => gone.push(at),
                Err(error) => return Err(error),
            }
        }
        for at in gone.into_iter().rev() {
            has_changed = true;
            ends.push(format!("session {} was moved or removed", sessions.remove(at).folder.name()));
        }
        let all = sessions.iter().map(|session| session.status(now)).collect::<Vec<_>>();
        has_changed |= last.as_ref().is_none_or(|last| is_other(last, &all));
        if is_drawn {
            draw(&all, last.is_none())?;
        } else if has_changed {
            let mut out = BufWriter::new(terminal.stdout());
            if is_json {
                json::write(&all, true, &mut out)?;
            } else {
                write_all(&all, last.is_some(), &mut out)?;
            }
            out.flush()?;
        }
        let is_open = |status: &Status| !status.state.is_some_and(has_ended);
        if !all.iter().any(is_open) {
            let ended = all.iter().filter_map(|status| Some((&status.name, status.state?.as_str())));
            ends.extend(ended.map(|(name, state)| format!("session {name} is {state}")));
            terminal.note(&format!("stopped watching: {}", ends.join(", ")));
            return Ok(());
        }
        last = Some(all);
        thread::sleep(PAUSE);
    }
}

/// Whether locks, those who wait for them, or what cannot be read are other ones; all else is in files that were read again.
fn is_other(last: &[Status], now: &[Status]) -> bool {
    let pairs = || last.iter().zip(now);
    last.len() != now.len()
        || pairs()
            .any(|(last, now)| last.locks != now.locks || last.waits != now.waits || last.unreadable != now.unreadable)
}

/// Writes all of them, with an empty line between two.
///
/// # Errors
/// What the writer says.
pub fn write_all(all: &[Status], mut has_before: bool, out: &mut dyn Write) -> io::Result<()> {
    for status in all {
        if has_before {
            writeln!(out)?;
        }
        text::write(status, out)?;
        has_before = true;
    }
    Ok(())
}

/// Writes as much as fits over what is on the screen.
fn draw(all: &[Status], is_first: bool) -> io::Result<()> {
    let mut frame = Vec::new();
    write_all(all, false, &mut frame)?;
    let frame = String::from_utf8_lossy(&frame);
    let frame = masked(&frame);
    let size = terminal_size::terminal_size();
    let width = size.map_or(crate::terminal::DEFAULT_WIDTH, |(width, _)| usize::from(width.0));
    let height = size.map_or(HEIGHT, |(_, height)| usize::from(height.0)).max(3);
    let count = frame.lines().count();
    // The last line stays free: a line end there would move all of them.
    let room = height - 1;
    let shown = if count > room { room - 1 } else { count };
    let mut out = BufWriter::new(io::stdout().lock());
    // The whole screen once, then from its corner, line by line, so that nothing flickers.
    out.write_all(if is_first { b"\x1b[2J\x1b[H" } else { b"\x1b[H" })?;
    for line in frame.lines().take(shown) {
        writeln!(out, "{}\x1b[K", cut(line, width))?;
    }
    if count > shown {
        writeln!(out, "… {} more lines\x1b[K", count - shown)?;
    }
    out.write_all(b"\x1b[J")?;
    out.flush()
}
