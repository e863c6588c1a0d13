//! The progress line of a run that lasts: on a terminal only, and gone when the run ends.

use std::io::IsTerminal as _;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::engine::Progress;

/// How long a run may last before it shows itself.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line changes.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`, showing how far it is on standard error when it lasts longer than half a second: `first` until it is known
/// how many files there are. The line is hidden where standard error is not a terminal, and when `hidden`.
pub fn during<T: Send>(progress: &Progress, first: &str, hidden: bool, work: impl FnOnce() -> T + Send) -> T {
    // Nobody waits for a thread where there is nothing to show.
    if hidden || !std::io::stderr().is_terminal() {
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
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
        bar.set_style(style);
    }
    while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        let (total, done) = (progress.total.load(Ordering::Relaxed), progress.done.load(Ordering::Relaxed));
        bar.set_message(match total {
            0 => first.to_owned(),
            total if done < total => format!("reading {done} of {total} files"),
            total => format!("checking {total} files"),
        });
        bar.tick();
    }
    bar.finish_and_clear();
}
