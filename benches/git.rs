//! The program against `git` in repositories of 10 to 100,000 files: `cargo bench --bench git`.
//!
//! Each pair runs in turn, and the medians are compared; beside each ratio stands the largest that is accepted. The
//! instructions are those in user space, counted by `valgrind` where that is installed: they vary little from run to run.

#![allow(clippy::cast_precision_loss, reason = "ratios for people")]

mod support;

use std::process::Command;

use support::monorepo::{CHANGED, Monorepo, alone};
use support::{answer_for_peak, instructions, paired, peak, run, sample};

/// What our run may take, as a multiple of what git takes.
#[derive(Clone, Copy, Default)]
struct Bars {
    instructions: Option<f64>,
    cpu: Option<f64>,
    wall: Option<f64>,
    memory: Option<f64>,
}

const STAGED: Bars = Bars { instructions: Some(0.8), cpu: Some(1.0), wall: Some(1.1), memory: Some(1.0) };

fn main() {
    if answer_for_peak() {
        return;
    }
    println!("a repository of 100,000 files is being made");
    let large = Monorepo::new(100_000);
    large.add_ignored();
    large.stage(1);
    let staged = ["diff", "--cached", "--name-only"];
    compare("1 of 100,000 files is staged", &large, (&["--staged"], &staged), 40, STAGED);
    let bars = Bars { cpu: Some(0.5), ..Bars::default() };
    compare("all of 100,000 files", &large, (&[], &["status", "--porcelain"]), 10, bars);
    let of_large = growth(&large);
    large.stage(100);
    compare("100 of 100,000 files are staged", &large, (&["--staged"], &staged), 40, STAGED);
    large.reset();
    let range = (&["--from", "HEAD~1"][..], &["diff", "--name-only", "HEAD~1", "HEAD"][..]);
    let bars = Bars { instructions: Some(1.0), cpu: Some(1.2), wall: Some(1.3), memory: None };
    compare(&format!("{CHANGED} of 100,000 files differ between two commits"), &large, range, 40, bars);
    drop(large);

    let small = Monorepo::new(10);
    small.stage(1);
    let bars = Bars { instructions: Some(3.0), ..Bars::default() };
    compare("1 of 10 files is staged", &small, (&["--staged"], &staged), 100, bars);

    revision();

    let mut points: Vec<Growth> = [1_000, 10_000]
        .map(|count| {
            let repository = Monorepo::new(count);
            repository.stage(1);
            growth(&repository)
        })
        .into();
    points.push(of_large);
    print_growth(&points);
}

/// So many files are on a state branch.
const FILES: usize = 1_000;

/// The check of a branch that holds the state of a team at its top, against git, which lists its files once and prints each of them.
fn revision() {
    let logs = |files: &[String]| {
        let log = |at: usize| format!("{}/2026-02-10-{at}-a{}.md", ["log", "orchestration-log"][at % 2], at % 12);
        (files.len()..FILES).map(log).collect::<Vec<_>>()
    };
    let histories = |count: usize| (0..count).map(|at| format!("agents/a{at}/history.md"));
    let inbox = (0..100).map(|at| format!("decisions/inbox/a{}-{at}.md", at % 12));
    let mut files: Vec<String> =
        histories(12).chain(inbox).chain(["team.md".to_owned(), "decisions.md".to_owned()]).collect();
    files.extend(logs(&files));
    revision_of("12 agents with logs", files, |path, at| state(path, at, 12));
    let charters = (0..480).map(|at| format!("agents/a{at}/charter.md"));
    let mut files: Vec<String> =
        histories(480).chain(charters).chain(["team.md".to_owned(), "decisions.md".to_owned()]).collect();
    files.extend(logs(&files));
    revision_of("480 agents with charters", files, |path, at| state(path, at, 480));
}

/// The text of the file at `path`, the one at the place `at`, of a team of so many `agents`.
fn state(path: &str, at: usize, agents: usize) -> String {
    let entries_from = |first: usize, count: usize| {
        (first..first + count).map(|entry| sample(entry) + &prose(entry, 60)).collect::<String>()
    };
    let entries = |count: usize| entries_from(100 * at, count);
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["team.md"] => {
            let rows = (0..agents).map(|at| format!("| a{at} | Dev | `.squad/agents/a{at}/charter.md` | Active |\n"));
            let head = "# Team\n\n## Members\n\n| Name | Role | Charter | Status |\n|---|---|---|---|\n";
            std::iter::once(head.to_owned()).chain(rows).collect()
        }
        // Three weeks after what is in the inbox: all of that is looked for in the other files.
        ["decisions.md"] => format!("# Decisions\n\n{}", entries_from(75_600, 20)),
        ["agents", agent, "charter.md"] => format!(
            "# {agent} — Dev\n\n## Identity\n\n- **ID:** `{agent}`\n- **Purpose:** Writes the code of part {at}.\n\n\
             ## Accountable Responsibilities\n\n{}\n## Non-Responsibilities\n\n- the work of others\n\n\
             ## Collaboration and Review Authority\n\n- asks the lead before a release\n",
            "- reads the index, writes a test for it and reports the rest\n".repeat(10)
        ),
        ["agents", ..] => format!("# History\n\n## Learnings\n\n{}", entries(240 / agents.min(120))),
        ["decisions", ..] => entries(1),
        _ => format!("# Session {at}\n\n{}", prose(1_000_000 + at, 700)),
    }
}

/// So many words in sentences, others for each `seed`, of a few thousand different ones.
fn prose(seed: usize, words: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "par", "ser", "tin", "vol", "wex", "yon"];
    let mut state = seed as u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = String::new();
    for word in 1..=words {
        (0..=next(3)).for_each(|_| text.push_str(SYLLABLES[next(SYLLABLES.len())]));
        text.push_str(match word % 14 {
            0 => ".\n",
            7 => ", ",
            _ => " ",
        });
    }
    text + "\n"
}

fn revision_of(title: &str, files: Vec<String>, text: fn(&str, usize) -> String) {
    let repository = Monorepo::of(files, text);
    run(Command::new("git").args(["branch", "squad-state"]).current_dir(repository.path()));
    // As in a repository that lives, and not as it was imported.
    run(Command::new("git").args(["repack", "-adq"]).current_dir(repository.path()));
    let git = "git ls-tree -r --object-only squad-state | git cat-file --batch";
    let mut ours = alone(env!("CARGO_BIN_EXE_squad-lint"), repository.path());
    ours.args(["--rev", "squad-state", "--exit-zero"]);
    let mut theirs = alone("sh", repository.path());
    theirs.args(["-c", git]);
    let (our_cost, their_cost) = paired(40, || run(&mut ours), || run(&mut theirs));
    println!(
        "\n{FILES} state files on a branch, {title}\n{:26}{:>12}{:>12}{:>9}{:>10}",
        "", "squad-lint", "git", "ratio", "at most"
    );
    let ms = |time: std::time::Duration| Some(time.as_secs_f64() * 1e3);
    row("CPU, ms", (ms(our_cost.cpu), ms(their_cost.cpu)), Some(1.5));
    row("wall, ms", (ms(our_cost.wall), ms(their_cost.wall)), None);
}

/// Our run with the first arguments against git's with the second.
fn compare(title: &str, repository: &Monorepo, (ours, theirs): (&[&str], &[&str]), rounds: usize, bars: Bars) {
    let command = |program: &str, args: &[&str]| {
        let mut command = alone(program, repository.path());
        command.args(args);
        command
    };
    let (mut ours, mut theirs) = (command(env!("CARGO_BIN_EXE_squad-lint"), ours), command("git", theirs));
    let (our_cost, their_cost) = paired(rounds, || run(&mut ours), || run(&mut theirs));
    println!("\n{title}\n{:26}{:>12}{:>12}{:>9}{:>10}", "", "squad-lint", "git", "ratio", "at most");
    let millions = |command: &Command| instructions(command).map(|count| count / 1e6);
    let megabytes = |command: &Command| peak(command).map(|kilobytes| kilobytes / 1e3);
    row("instructions, millions", (millions(&ours), millions(&theirs)), bars.instructions);
    let ms = |time: std::time::Duration| Some(time.as_secs_f64() * 1e3);
    row("CPU, ms", (ms(our_cost.cpu), ms(their_cost.cpu)), bars.cpu);
    row("wall, ms", (ms(our_cost.wall), ms(their_cost.wall)), bars.wall);
    row("peak memory, MB", (megabytes(&ours), megabytes(&theirs)), bars.memory);
}

fn row(what: &str, pair: (Option<f64>, Option<f64>), bar: Option<f64>) {
    let (Some(ours), Some(theirs)) = pair else { return println!("  {what:24}  cannot be measured here") };
    let bar = bar.map_or(String::new(), |bar| format!("{bar:10.2}"));
    println!("  {what:24}{ours:12.2}{theirs:12.2}{:9.2}{bar}", ours / theirs);
}

/// What a run for one staged file takes in a repository of some size.
struct Growth {
    index_len: f64,
    instructions: Option<f64>,
    cpu: f64,
}

fn growth(repository: &Monorepo) -> Growth {
    let ours = || {
        let mut command = alone(env!("CARGO_BIN_EXE_squad-lint"), repository.path());
        command.arg("--staged");
        command
    };
    let (cost, _) = paired(40, || run(&mut ours()), || {});
    Growth {
        index_len: repository.index_len() as f64,
        instructions: instructions(&ours()),
        cpu: cost.cpu.as_secs_f64() * 1e3,
    }
}

/// What each further byte of the index costs: the same everywhere if the run grows with it alone.
fn print_growth(points: &[Growth]) {
    println!(
        "\n1 file is staged, and the index grows\n{:>14}{:>18}{:>12}",
        "index, bytes", "instructions, M", "CPU, ms"
    );
    for point in points {
        let millions = point.instructions.map_or(f64::NAN, |count| count / 1e6);
        println!("{:14}{millions:18.2}{:12.2}", point.index_len, point.cpu);
    }
    for pair in points.windows(2) {
        let [small, large] = pair else { continue };
        let bytes = large.index_len - small.index_len;
        let count = large.instructions.zip(small.instructions).map_or(f64::NAN, |(large, small)| large - small);
        let nanoseconds = (large.cpu - small.cpu) * 1e6;
        println!("  for each further byte {:.2} instructions, {:.3} ns", count / bytes, nanoseconds / bytes);
    }
}
