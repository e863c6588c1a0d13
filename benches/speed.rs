//! Speed as ratios, each pair measured in turn in one run: `cargo bench`.
//!
//! - parsing and all rules of a 10 MB `decisions.md` against pulldown-cmark's parser on the same bytes, on one core;
//! - the same in instructions per byte, where `valgrind` is installed, and those of the whole command over 4 MB;
//! - a second check of a session, after one of 10,000 files changed, in instructions of its first check;
//! - the whole command in a repository with 50 state files and 1,000 others against `rg --files --hidden`, where `rg` is;
//! - `memory --text` over 10,000 entries against `rg`, in CPU time, for a word of no, of few and of all entries;
//! - the whole command against `agnix`, in CPU time, in the repository that `SQUAD_LINT_BENCH_REPOSITORY` names.
//!
//! `SQUAD_LINT_BENCH_FILE` names another file for the first two.

#![allow(clippy::cast_precision_loss, reason = "ratios for people")]

#[path = "../tests/support/no_files.rs"]
mod no_files;
mod support;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use no_files::no_files;
use squad_lint::dialects::squad;
use squad_lint::engine::session::Session;
use squad_lint::engine::target::Target;
use squad_lint::engine::{self, Progress, RuleSet};
use squad_lint::facts::Run;
use squad_lint::formats::timestamp::Timestamp;
use squad_lint::options::Options;
use squad_lint::project::{At, Open, Project};
use squad_lint::rule::Document;
use squad_lint::rules;
use squad_lint::select::input::Overlay;
use squad_lint::select::selected::Selected;
use squad_lint::text::Source;
use support::{is_here, paired, run, sample};

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
    if let [_, option, folder, checks] = args.as_slice()
        && option == "--session"
    {
        return session(Path::new(folder), checks.parse().unwrap_or(1));
    }
    parser(&bytes);
    instructions(&bytes);
    whole_file(&bytes);
    again();
    whole_command();
    memory();
    agnix();
}

/// The file as text: both parsers begin there.
fn source(bytes: &[u8]) -> Arc<Source> {
    Arc::new(Source::new(".squad/decisions.md", bytes.to_vec()))
}

/// What the program does with one file: blocks, facts, rules. The number of findings.
fn check(source: &Arc<Source>) -> usize {
    let file = Selected::on_disk(source.path().to_owned(), ".squad".into(), &squad::DECISIONS, true, false);
    let documents = [Arc::new(Document::parse(file, source.clone()))];
    let on = rules::all().map(|registered| registered.rule).filter(|rule| rule.enabled);
    let rules = RuleSet::new(on.map(|rule| (rule, rule.severity)));
    let options = Options::at(Timestamp::from_unix(1_795_000_000));
    engine::check(&documents[0], &Run::new(no_files(), &documents, &options, []), &rules).len()
}

fn parser(bytes: &[u8]) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    let source = source(bytes);
    let (ours, theirs) = paired(
        ROUNDS,
        || {
            pool.install(|| black_box(check(&source)));
        },
        || {
            black_box(pulldown_cmark::Parser::new(source.text()).count());
        },
    );
    let (ours, theirs) = (ours.wall, theirs.wall);
    let rate = |time: Duration| bytes.len() as f64 / 1e6 / time.as_secs_f64();
    println!("parse and rules, {:.1} MB, one core", bytes.len() as f64 / 1e6);
    println!("  squad-lint       {:7.0} MB/s", rate(ours));
    println!("  pulldown-cmark   {:7.0} MB/s", rate(theirs));
    println!("  throughput       {:7.2} x", theirs.as_secs_f64() / ours.as_secs_f64());
}

fn instructions(bytes: &[u8]) {
    let program = std::env::current_exe().expect("the bench's own path");
    let count = |repeat: &str| {
        let mut command = Command::new(&program);
        command.args(["--repeat", repeat]).env("RAYON_NUM_THREADS", "1");
        support::instructions(&command)
    };
    match (count("1"), count("2")) {
        (Some(once), Some(twice)) => {
            println!("instructions\n  per input byte   {:7.2}", (twice - once) / bytes.len() as f64);
        }
        _ => println!("instructions: valgrind is not here"),
    }
}

/// What a session does in a repository of 10,000 state files when one of them changed, against its first check.
fn again() {
    const FILES: usize = 10_000;
    let folder = tempfile::tempdir().expect("a temporary folder");
    for at in 0..FILES {
        let path = folder.path().join(format!(".squad/agents/a{at}/history.md"));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(path, {
            // The author is a member of the team: the search for a similar name would cost more than all else.
            let entries = [sample(2 * at), sample(2 * at + 1)].concat().replace("Verbal", &format!("a{at}"));
            format!("# History\n\n## Learnings\n\n{entries}")
        })
        .expect("the file is written");
    }
    // A file that has just changed is read again.
    std::thread::sleep(Duration::from_secs(3));
    let program = std::env::current_exe().expect("the bench's own path");
    let count = |checks: &str| {
        let mut command = Command::new(&program);
        command.arg("--session").arg(folder.path()).arg(checks).env("RAYON_NUM_THREADS", "1");
        support::instructions(&command)
    };
    match (count("0"), count("1"), count("2")) {
        (Some(none), Some(once), Some(twice)) => {
            let (first, second) = (once - none, twice - once);
            println!("a session over {FILES} state files, one of which changes");
            println!("  instructions     {:7.2} % of the first check (at most 5)", 100.0 * second / first);
        }
        _ => println!("a session: valgrind is not here"),
    }
}

fn session(folder: &Path, checks: usize) {
    let project = Project::open_with(&Open { at: At::Root(folder), ..Open::default() }).expect("the project opens");
    let (rules, progress) = (project.rules(&[], &[]).expect("the rules are known"), Progress::default());
    let target = Target::Paths(Vec::new());
    let mut session = Session::new(&project, target, rules, &progress).expect("the files are found");
    let none = Overlay::new();
    for check in 0..checks {
        let bytes = sample(check).into_bytes();
        let overlay = Overlay::from([(".squad/agents/a5/history.md".into(), bytes)]);
        black_box(session.check(if check == 0 { &none } else { &overlay }));
    }
}

/// The instructions per byte that the whole command takes for one file, as it is and with about 900 findings more, and the most
/// that are accepted.
fn whole_file(bytes: &[u8]) {
    const REFERENCE: &str = "- proposal: 024";
    let text = String::from_utf8_lossy(bytes.get(..4_000_000).unwrap_or(bytes));
    let parts = text.split(REFERENCE).enumerate().map(|(at, part)| match at {
        0 => part.to_owned(),
        // No entry is that old.
        at if at % 4 == 0 => format!("- decision: 2025-01-01T00:00:00+0000{part}"),
        _ => format!("{REFERENCE}{part}"),
    });
    let dangling: String = parts.collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join(".squad")).expect("a folder");
    println!("whole command, {:.1} MB", text.len() as f64 / 1e6);
    for (name, text) in [("", text.as_ref()), (", findings", dangling.as_str())] {
        std::fs::write(folder.path().join(".squad/decisions.md"), text).expect("a file");
        for (format, bar) in [("compact", 30.0), ("json", 40.0)] {
            let mut command = ours_in(folder.path());
            command.args(["--exit-zero", "--format", format]);
            let name = format!("{format}{name}");
            match support::instructions(&command) {
                Some(count) => println!("  {name:17}{:7.2} a byte, at most {bar}", count / text.len() as f64),
                None => println!("  valgrind is not here"),
            }
        }
    }
}

fn whole_command() {
    if !is_here("rg") {
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
    run(Command::new("git").args(["init", "-q"]).current_dir(folder.path()));
    run(Command::new("git").args(["add", "-A"]).current_dir(folder.path()));
    let (ours, theirs) = paired(
        ROUNDS,
        || run(ours_in(folder.path()).arg("--exit-zero")),
        || run(Command::new("sh").args(["-c", "rg --files --hidden | wc -l"]).current_dir(folder.path())),
    );
    let (ours, theirs) = (ours.wall, theirs.wall);
    println!("whole command, 50 state files and 1,000 others");
    println!("  squad-lint       {:7.2} ms", ours.as_secs_f64() * 1e3);
    println!("  rg --files       {:7.2} ms", theirs.as_secs_f64() * 1e3);
    println!("  time             {:7.2} x", ours.as_secs_f64() / theirs.as_secs_f64());
}

/// A question for a word against `rg` for the same word in the same file.
fn memory() {
    if !is_here("rg") {
        return println!("memory: rg is not here");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join(".squad")).expect("a folder");
    let text: String = (0..10_000).map(sample).collect();
    std::fs::write(folder.path().join(".squad/decisions.md"), format!("# Decisions\n\n{text}")).expect("a file");
    println!("memory --text, 10,000 entries");
    for (name, word, bar) in
        [("no entry", "zeppelin", 1.5), ("11 entries", "module 777", 1.5), ("all entries", "whole", 2.0)]
    {
        let (ours, theirs) = paired(
            ROUNDS,
            || run(ours_in(folder.path()).args(["memory", "--text", word])),
            || run(Command::new("rg").args(["--hidden", "--ignore-case", word, ".squad"]).current_dir(folder.path())),
        );
        let (ours, theirs) = (ours.cpu.as_secs_f64(), theirs.cpu.as_secs_f64());
        println!("  {name:17}{:7.2} x the CPU of rg, at most {bar}", ours / theirs);
    }
}

fn agnix() {
    let Some(repository) = std::env::var_os("SQUAD_LINT_BENCH_REPOSITORY") else {
        return println!("agnix: SQUAD_LINT_BENCH_REPOSITORY is not set");
    };
    if !is_here("agnix") {
        return println!("agnix is not here");
    }
    let folder = Path::new(&repository);
    let (ours, theirs) = paired(
        ROUNDS,
        || run(ours_in(folder).arg("--exit-zero")),
        || run(Command::new("agnix").arg(".").current_dir(folder)),
    );
    let (ours, theirs) = (ours.cpu.as_secs_f64(), theirs.cpu.as_secs_f64());
    println!("whole command, {}", folder.display());
    println!("  squad-lint       {:7.1} ms of CPU", ours * 1e3);
    println!("  agnix            {:7.1} ms of CPU", theirs * 1e3);
    println!("  CPU              {:7.2} x, at most 0.2", ours / theirs);
}

/// The program in `folder`.
fn ours_in(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_squad-lint"));
    command.current_dir(folder);
    command
}

fn input() -> Vec<u8> {
    match std::env::var_os("SQUAD_LINT_BENCH_FILE") {
        Some(path) => std::fs::read(path).expect("SQUAD_LINT_BENCH_FILE can be read"),
        None => (0..10_000).map(sample).collect::<String>().into_bytes(),
    }
}
