//! What the benches share: runs in turn, CPU time, instructions, memory.
#![allow(dead_code, reason = "each bench uses a part of it")]

pub mod monorepo;
pub mod team;

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a run takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// By the clock.
    pub wall: Duration,
    /// On all cores, in user space and in the kernel. Only what other processes took: 0 for what runs in the bench itself.
    pub cpu: Duration,
}

/// Two runs in turn, `rounds` times after one to warm up, each as often the first as the second; the medians of each.
pub fn paired(rounds: usize, mut a: impl FnMut(), mut b: impl FnMut()) -> (Cost, Cost) {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        if round % 2 == 0 {
            first.push(cost(&mut a));
            second.push(cost(&mut b));
        } else {
            second.push(cost(&mut b));
            first.push(cost(&mut a));
        }
    }
    (medians(&first), medians(&second))
}

fn cost(run: &mut impl FnMut()) -> Cost {
    let (cpu, start) = (children().cpu, Instant::now());
    run();
    Cost { wall: start.elapsed(), cpu: children().cpu.saturating_sub(cpu) }
}

fn medians(costs: &[Cost]) -> Cost {
    let median = |of: fn(&Cost) -> Duration| {
        let mut times: Vec<Duration> = costs.iter().skip(1).map(of).collect();
        times.sort();
        times[times.len() / 2]
    };
    Cost { wall: median(|cost| cost.wall), cpu: median(|cost| cost.cpu) }
}

/// What all processes took that the bench has started and that have ended.
struct Children {
    cpu: Duration,
    /// The largest resident set of one of them, in kilobytes.
    peak: i64,
}

#[cfg(unix)]
fn children() -> Children {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the usage of the children");
    let cpu = usage.user_time() + usage.system_time();
    let micros = cpu.tv_sec() * 1_000_000 + cpu.tv_usec();
    Children { cpu: Duration::from_micros(u64::try_from(micros).unwrap_or(0)), peak: usage.max_rss() }
}

#[cfg(not(unix))]
fn children() -> Children {
    Children { cpu: Duration::ZERO, peak: 0 }
}

/// Runs `command`, whose output nobody reads; it may report findings, and must not fail.
pub fn run(command: &mut Command) {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.as_ref().is_ok_and(|status| matches!(status.code(), Some(0 | 1))), "{command:?}: {status:?}");
}

/// Whether there is a program of that name.
pub fn is_here(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// The instructions that `command` takes in user space; `None` where `valgrind` is not here.
pub fn instructions(command: &Command) -> Option<f64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let output = by(valgrind, command).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok())
}

/// The option with which a bench calls itself to run a single command: see [`answer_for_peak`].
const PEAK: &str = "--peak-of";

/// The most memory that `command` holds at a time, in kilobytes. The system keeps one number for all children: so the
/// bench runs itself, and that process has no other child.
pub fn peak(command: &Command) -> Option<f64> {
    let mut bench = Command::new(std::env::current_exe().expect("the bench's own path"));
    bench.arg(PEAK);
    let output = by(bench, command).output().expect("the bench runs");
    String::from_utf8_lossy(&output.stdout).trim().parse().ok().filter(|peak| *peak > 0.0)
}

/// Answers [`peak`], if that is what the bench was called for.
pub fn answer_for_peak() -> bool {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_none_or(|arg| arg != PEAK) {
        return false;
    }
    run(Command::new(args.next().expect("a command")).args(args));
    println!("{}", children().peak);
    true
}

/// `command`, started by `wrapper`.
fn by(mut wrapper: Command, command: &Command) -> Command {
    wrapper.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        wrapper.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapper.env(name, value),
            None => wrapper.env_remove(name),
        };
    }
    wrapper
}

/// An entry of about a kilobyte in the specification's layout.
pub fn sample(at: usize) -> String {
    let stamp =
        format!("2026-02-{:02}T{:02}:{:02}:{:02}-0800", 1 + at / 3600 % 28, at / 60 % 24, at % 60, at / 1440 % 60);
    let mut entry = format!(
        "### {stamp}: decision: Cache the index of module {at}\n\n**type:** decision  \n**timestamp:** {stamp}  \n\
         **author:** Verbal  \n**scope:** team  \n**tags:** cache, index, module-{at}  \n\n\
         **summary:** The index is built once and kept beside the data.\n\n**details:**\n\n"
    );
    for line in 0..8 {
        let _ = writeln!(
            entry,
            "- `part-{line}` reads the index of module {at} before it asks the store for anything else"
        );
    }
    let _ = write!(
        entry,
        "\n```rust\nlet index = store.index({at})?;\n```\n\n**rationale:** Each start read the whole store, which took {at} ms.\n\n\
         **related:**\n- proposal: 024\n- issue: #{at}\n\n---\n\n"
    );
    entry
}
