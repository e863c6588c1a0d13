//! The progress line, seen on a real terminal: shown while a run lasts, on a terminal alone, and gone at the end.
//!
//! A run lasts as long as it waits for its standard input, so nothing here depends on how fast the machine is.

#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::support::terminal::{read_until, terminal};
use crate::support::{NOW, squad_lint, stderr};
use tempfile::TempDir;

/// A run that waits for standard input.
fn waiting(folder: &Path, args: &[&str]) -> Command {
    let mut command = squad_lint(folder);
    command.args(["--stdin-filename", ".squad/decisions.md", "--now", NOW]).args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    // The line needs a terminal that can do more than print.
    command.env("TERM", "xterm").env_remove("CI").env_remove("NO_COLOR");
    command
}

/// A program that waits, and the way to let it go on. It goes on by itself when nobody does, so that no failure hangs.
struct Waiting {
    child: Child,
    go_on: mpsc::Sender<()>,
}

impl Waiting {
    fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let (go_on, told) = mpsc::channel::<()>();
        thread::spawn(move || {
            let _ = told.recv_timeout(Duration::from_secs(60));
            let _ = stdin.write_all(b"# Team Decisions\n");
        });
        Self { child, go_on }
    }

    fn finish(self) -> Output {
        drop(self.go_on);
        self.child.wait_with_output().unwrap()
    }
}

/// What a line shows after all that was printed: a carriage return goes to its start, `ESC [ 2 K` clears it.
fn left_over(printed: &str) -> String {
    let (mut line, mut column): (Vec<char>, usize) = (Vec::new(), 0);
    let mut rest = printed.chars();
    while let Some(char) = rest.next() {
        if char == '\r' {
            column = 0;
        } else if char == '\u{1b}' {
            let mut sequence = String::new();
            while !sequence.ends_with(|c: char| c.is_ascii_alphabetic()) {
                sequence.push(rest.next().expect("a whole sequence"));
            }
            match sequence.as_str() {
                "[2K" => line.clear(),
                "[K" | "[0K" => line.truncate(column),
                _ => {}
            }
        } else {
            line.resize(line.len().max(column + 1), ' ');
            line[column] = char;
            column += 1;
        }
    }
    line.into_iter().collect::<String>().trim().to_owned()
}

#[test]
fn a_run_that_lasts_shows_itself_on_a_terminal_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let (inner, mut outer) = terminal();
    let mut command = waiting(folder.path(), &[]);
    command.stderr(Stdio::from(inner));
    let run = Waiting::start(command);
    let shown = read_until(&mut outer, |text| text.contains("reading standard input"));
    assert!(left_over(&shown).ends_with("reading standard input"), "{shown:?}");
    assert_eq!(run.finish().status.code(), Some(0));
    let all = shown + &read_until(&mut outer, |_| false);
    assert_eq!(left_over(&all), "", "{all:?}");
    assert!(!all.contains('\n'), "{all:?}");
}

#[test]
fn without_a_terminal_or_when_quiet_nothing_is_shown() {
    let folder = TempDir::new().unwrap();
    let mut command = waiting(folder.path(), &[]);
    command.stderr(Stdio::piped());
    let piped = Waiting::start(command);
    let (inner, mut outer) = terminal();
    let mut command = waiting(folder.path(), &["--quiet"]);
    command.stderr(Stdio::from(inner));
    let quiet = Waiting::start(command);
    // A later run shows its line: these two would have shown theirs.
    let (inner, mut other) = terminal();
    let mut command = waiting(folder.path(), &[]);
    command.stderr(Stdio::from(inner));
    let shown = Waiting::start(command);
    assert!(read_until(&mut other, |text| text.contains("reading standard input")).contains("reading"));
    assert_eq!(shown.finish().status.code(), Some(0));
    assert_eq!(quiet.finish().status.code(), Some(0));
    assert_eq!(read_until(&mut outer, |_| false), "");
    let output = piped.finish();
    assert_eq!((stderr(&output), output.status.code()), (String::new(), Some(0)));
}
