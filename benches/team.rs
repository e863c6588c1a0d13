//! A learning team of 500 in a repository of 100,000 files: `cargo bench --bench team`.
//!
//! - the index of ownership, 5,000 globs over 100,000 paths, against a `GlobSet` of the same globs;
//! - the whole command, on one core, against `rg --files | wc -l` in the same run, where `rg` is; beside each ratio stands
//!   the largest that is accepted.

#![allow(clippy::cast_precision_loss, reason = "ratios for people")]

mod support;

use std::hint::black_box;
use std::process::Command;

use bstr::BStr;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use squad_lint::ownership::Ownership;
use support::monorepo::{alone, source_path};
use support::team::{GLOBS, MEMBERS, globs, repository};
use support::{Cost, instructions, is_here, paired, run};

const FILES: usize = 100_000;
/// The CPU time of the whole command, as a multiple of that of `rg --files`.
const CPU_AT_MOST: f64 = 3.0;

/// When all that is there is fresh.
const NOW: &str = "2026-02-28T12:00:00+0000";

fn main() {
    index();
    whole_command();
}

fn index() {
    let globs: Vec<(usize, String)> =
        (0..MEMBERS).flat_map(|member| globs(member).into_iter().map(move |glob| (member, glob))).collect();
    let mut paths: Vec<String> = (0..FILES).map(source_path).collect();
    paths.sort();
    let ours = || {
        let ownership = Ownership::new(globs.iter().map(|(member, glob)| (*member, glob.as_str())));
        black_box(ownership.survey(paths.iter().map(|path| BStr::new(path.as_str())), |_| true).unowned);
    };
    let theirs = || {
        let mut set = GlobSetBuilder::new();
        for (_, glob) in &globs {
            set.add(GlobBuilder::new(glob).literal_separator(true).build().expect("a glob"));
        }
        let (set, mut matching): (GlobSet, _) = (set.build().expect("a set"), Vec::new());
        for path in &paths {
            set.matches_into(path, &mut matching);
            black_box(matching.len());
        }
    };
    let (ours, theirs) = paired(3, ours, theirs);
    println!("{} globs over {FILES} paths, read and matched, ms by the clock", MEMBERS * GLOBS);
    println!("  ownership        {:9.1}", ours.wall.as_secs_f64() * 1e3);
    println!("  globset          {:9.1}", theirs.wall.as_secs_f64() * 1e3);
}

fn whole_command() {
    println!("a repository of {FILES} files with a team of {MEMBERS} is being made");
    let repository = repository(FILES);
    let mut ours = alone(env!("CARGO_BIN_EXE_squad-lint"), repository.path());
    ours.args(["--exit-zero", "--now", NOW]).env("RAYON_NUM_THREADS", "1");
    if let Some(count) = instructions(&ours) {
        println!("  instructions, millions {:9.1}", count / 1e6);
    }
    if !is_here("rg") {
        return println!("rg is not here");
    }
    let mut theirs = Command::new("sh");
    theirs.args(["-c", "rg -j1 --files | wc -l"]).current_dir(repository.path());
    let (ours, theirs) = paired(10, || run(&mut ours), || run(&mut theirs));
    let row = |what: &str, of: fn(&Cost) -> f64, bar: &str| {
        println!("  {what:22}{:10.1}{:10.1}{:9.2}{bar}", of(&ours), of(&theirs), of(&ours) / of(&theirs));
    };
    println!("whole command\n{:24}{:>10}{:>10}{:>9}{:>9}", "", "ours", "rg", "ratio", "at most");
    row("CPU, ms", |cost| cost.cpu.as_secs_f64() * 1e3, &format!("{CPU_AT_MOST:9.2}"));
    row("wall, ms", |cost| cost.wall.as_secs_f64() * 1e3, "");
}
