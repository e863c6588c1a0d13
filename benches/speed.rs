//! Speed as ratios, each pair measured in turn in one run: `cargo bench`.
//!
//! - parsing and all rules of a 10 MB `decisions.md` against pulldown-cmark's parser on the same bytes, on one core;
//! - the same in instructions per byte, where `valgrind` is installed;
//! - the whole command in a repository with 50 state files and 1,000 others against `rg --files --hidden`, where `rg` is;
//! - the whole command against `agnix`, in CPU time, in the repository that `SQUAD_LINT_BENCH_REPOSITORY` names.
//!
//! `SQUAD_LINT_BENCH_FILE` names another file for the first two.

#![allow(clippy::cast_precision_loss, reason = "ratios for people")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use squad_lint::engine::{self, RuleSet};
use squad_lint::facts::Facts;
use squad_lint::formats::entries;
use squad_lint::formats::timestamp::Timestamp;
use squad_lint::options::Options;
use squad_lint::rule::Document;
use squad_lint::rules;
use squad_lint::select::Role;
use squad_lint::text::Source;

const ROUNDS: usize = 15;

fn main() {
    let bytes = input();
    let args: Vec<String> = std::env::args().collect();
    if let Some(repeat) = args.iter().position(|arg| arg == "--repeat").and_then(|at| args.get(at + 1)) {
        let source = source(&bytes);
        for _ in 0..repeat.parse().unwrap_or(1) {
            black_box(check(&source));
        }
        return;
    }
    parser(&bytes);
    instructions(&bytes);
    whole_command();
    agnix();
}

/// The file as text: both parsers begin there.
fn source(bytes: &[u8]) -> Source {
    Source::new(".squad/decisions.md", bytes.to_vec())
}

/// What the program does with one file: blocks, facts, rules. The number of findings.
fn check(source: &Source) -> usize {
    let parsed = entries::parse(source.text());
    let documents = [Document { source, entries: &parsed, role: Role::Decisions, root: ".squad".into(), before: None }];
    let facts = Facts::new(&documents, &[]);
    let on = rules::all().map(|registered| registered.rule).filter(|rule| rule.enabled);
    let rules = RuleSet::new(on.map(|rule| (rule, rule.severity)));
    engine::check(&documents[0], &facts, &rules, &Options::at(Timestamp::from_unix(1_795_000_000))).len()
}

fn parser(bytes: &[u8]) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    let source = source(bytes);
    let (ours, theirs) = paired(
        || {
            pool.install(|| black_box(check(&source)));
        },
        || {
            black_box(pulldown_cmark::Parser::new(source.text()).count());
        },
    );
    let rate = |time: Duration| bytes.len() as f64 / 1e6 / time.as_secs_f64();
    println!("parse and rules, {:.1} MB, one core", bytes.len() as f64 / 1e6);
    println!("  squad-lint       {:7.0} MB/s", rate(ours));
    println!("  pulldown-cmark   {:7.0} MB/s", rate(theirs));
    println!("  throughput       {:7.2} x", theirs.as_secs_f64() / ours.as_secs_f64());
}

/// Two runs in turn; the median time of each.
fn paired(mut a: impl FnMut(), mut b: impl FnMut()) -> (Duration, Duration) {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for _ in 0..=ROUNDS {
        let start = Instant::now();
        a();
        first.push(start.elapsed());
        let start = Instant::now();
        b();
        second.push(start.elapsed());
    }
    (median(&mut first), median(&mut second))
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn instructions(bytes: &[u8]) {
    let program = std::env::current_exe().expect("the bench's own path");
    let count = |repeat: &str| -> Option<f64> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(&program)
            .args(["--repeat", repeat])
            .env("RAYON_NUM_THREADS", "1")
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok())
    };
    match (count("1"), count("2")) {
        (Some(once), Some(twice)) => {
            println!("instructions\n  per input byte   {:7.2}", (twice - once) / bytes.len() as f64);
        }
        _ => println!("instructions: valgrind is not here"),
    }
}

fn whole_command() {
    if Command::new("rg").arg("--version").stdout(Stdio::null()).status().is_err() {
        return println!("whole command: rg is not here");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |path: String, content: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    };
    for at in 0..1000 {
        write(format!("src/{}/{}/f{at}.rs", at % 10, at % 7), "fn main() {}\n");
    }
    for at in 0..50 {
        write(format!(".squad/decisions/inbox/{at}.md"), &sample(at));
    }
    write(".gitignore".into(), ".squad/\n");
    run(Command::new("git").args(["init", "-q"]), folder.path());
    run(Command::new("git").args(["add", "-A"]), folder.path());
    let (ours, theirs) = paired(
        || run(Command::new(env!("CARGO_BIN_EXE_squad-lint")).arg("--exit-zero"), folder.path()),
        || run(Command::new("sh").args(["-c", "rg --files --hidden | wc -l"]), folder.path()),
    );
    println!("whole command, 50 state files and 1,000 others");
    println!("  squad-lint       {:7.2} ms", ours.as_secs_f64() * 1e3);
    println!("  rg --files       {:7.2} ms", theirs.as_secs_f64() * 1e3);
    println!("  time             {:7.2} x", ours.as_secs_f64() / theirs.as_secs_f64());
}

fn agnix() {
    let Some(repository) = std::env::var_os("SQUAD_LINT_BENCH_REPOSITORY") else {
        return println!("agnix: SQUAD_LINT_BENCH_REPOSITORY is not set");
    };
    if Command::new("agnix").arg("--version").stdout(Stdio::null()).status().is_err() {
        return println!("agnix is not here");
    }
    let cpu = |command: &mut dyn FnMut()| {
        let before = children_cpu();
        (0..ROUNDS).for_each(|_| command());
        (children_cpu() - before) / ROUNDS as f64
    };
    let folder = Path::new(&repository);
    let ours = cpu(&mut || run(Command::new(env!("CARGO_BIN_EXE_squad-lint")).arg("--exit-zero"), folder));
    let theirs = cpu(&mut || run(Command::new("agnix").arg("."), folder));
    println!("whole command, {}", folder.display());
    println!("  squad-lint       {:7.1} ms of CPU", ours * 1e3);
    println!("  agnix            {:7.1} ms of CPU", theirs * 1e3);
    println!("  CPU              {:7.2} x", ours / theirs);
}

/// Seconds of CPU time of all children that have ended (Linux: `/proc/self/stat`, in hundredths).
fn children_cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(13) + ticks(14)) / 100.0
}

fn run(command: &mut Command, folder: &Path) {
    let status = command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok(), "{command:?}");
}

fn input() -> Vec<u8> {
    match std::env::var_os("SQUAD_LINT_BENCH_FILE") {
        Some(path) => std::fs::read(path).expect("SQUAD_LINT_BENCH_FILE can be read"),
        None => (0..10_000).map(sample).collect::<String>().into_bytes(),
    }
}

/// An entry of about a kilobyte in the specification's layout.
fn sample(at: usize) -> String {
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
