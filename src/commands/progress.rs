//! The progress line of a run that lasts: on a terminal only, and gone when the run ends.

use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::engine::Progress;

/// How long a run may last before it shows itself.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line changes.
const TICK: Duration = Duration::from_millis(100);
/// What turns while nothing else changes.
const WHEEL: [char; 4] = ['-', '\\', '|', '/'];

/// Does `work`, showing how far it is on standard error when it lasts longer than half a second: `first` until it is known
/// how many files there are. The line is hidden where standard error is not a terminal, and when `hidden`.
pub fn during<T: Send>(progress: &Progress, first: &str, hidden: bool, work: impl FnOnce() -> T + Send) -> T {
    // A thread costs more than a short run. A dumb terminal can only print.
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if hidden || is_dumb || !std::io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (stop, stopped) = mpsc::channel::<()>();
        scope.spawn(move || {
            if stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                show(progress, first, &stopped);
            }
        });
        let result = work();
        drop(stop);
        result
    })
}

fn show(progress: &Progress, first: &str, stopped: &mpsc::Receiver<()>) {
    let mut widest = 0;
    let mut wheel = WHEEL.iter().cycle();
    while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        let (total, done) = (progress.total.load(Ordering::Relaxed), progress.done.load(Ordering::Relaxed));
        let message = match total {
            0 => first.to_owned(),
            total if done < total => format!("reading {done} of {total} files"),
            total => format!("checking {total} files"),
        };
        let wheel = wheel.next().unwrap_or(&' ');
        print(&format!("\r{wheel} {message:widest$}"));
        widest = widest.max(message.chars().count());
    }
    print(&format!("\r{:widest$}\r", "", widest = widest + 2));
}

/// Prints a part of the line. Blanks clear what was longer: every terminal knows them, while escape sequences first have to
/// be switched on in some.
fn print(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // The line is a courtesy: a run goes on without it.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
