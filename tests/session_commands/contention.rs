//! Many processes at once want to lock the same files. Each file has a counter, which its holder reads, adds one to and writes: two
//! holders at once would lose an addition.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{SESSION, session};
use crate::support::sample::Rng;
use crate::support::{rounds, squad_lint};

/// The files that all want.
const FILES: [&str; 4] = ["src/a.rs", "src/b.rs", "c", "d/e/f.md"];

/// What happened.
#[derive(Default)]
struct Seen {
    held: [AtomicBool; FILES.len()],
    additions: [AtomicUsize; FILES.len()],
    killed: AtomicUsize,
    /// Processes that died as holders.
    died_holding: AtomicUsize,
}

fn command(root: &Path, verb: &str, file: &str, agent: &str, more: &[&str]) -> Command {
    let mut command = squad_lint(root);
    command.args(["session", verb, file, "--agent", agent]).args(more).stdout(Stdio::null());
    command
}

/// Starts all of `commands` at once; their exit codes.
fn race(commands: Vec<Command>) -> Vec<i32> {
    let children: Vec<Child> = commands.into_iter().map(|mut command| command.spawn().unwrap()).collect();
    children.into_iter().map(|mut child| child.wait().unwrap().code().unwrap()).collect()
}

#[test]
fn of_many_who_find_a_lock_expired_or_no_lock_one_gets_it() {
    let folder = session();
    let root = folder.path();
    let locks = root.join(SESSION).join("locks");
    let (mut renewed, rounds) = (0, rounds(200));
    for round in 0..rounds {
        let file = format!("src/{round}.rs");
        let (has_lock, renews) = (round % 2 == 0, round % 4 == 0);
        if has_lock {
            fs::create_dir_all(&locks).unwrap();
            let expired =
                "locked_at: 2024-01-15T10:00:00Z\nexpires_at: 2024-01-15T10:02:00Z\ntask_id: t\noperation: modify\n";
            fs::write(locks.join(format!("{round}.rs-old-1.lock")), format!("file: {file}\nlocked_by: old\n{expired}"))
                .unwrap();
        }
        let mut commands: Vec<Command> =
            (1..=5).map(|number| command(root, "lock", &file, &format!("new[{number}]"), &[])).collect();
        if renews {
            // Its holder comes back at the same moment.
            commands.insert(round % 3, command(root, "renew", &file, "old", &[]));
        }
        let codes = race(commands);
        let (won, lost) =
            (codes.iter().filter(|code| **code == 0).count(), codes.iter().filter(|code| **code == 1).count());
        assert_eq!((won, lost), (1, codes.len() - 1), "{file}: {codes:?}");
        renewed += usize::from(renews && codes[round % 3] == 0);
        let left = fs::read_dir(&locks)
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with(&format!("{round}.rs-")));
        assert_eq!(left.count(), 1, "{file}");
    }
    eprintln!("{rounds} rounds; the old holder came first in {renewed} of {}", rounds.div_ceil(4));
}

/// Runs `command`, and kills it after some time below `longest`. Whether it had ended well before.
fn kill(mut command: Command, longest: u64, rng: &mut Rng) -> bool {
    let mut child = command.spawn().unwrap();
    thread::sleep(Duration::from_micros(rng.below(usize::try_from(longest).unwrap()) as u64));
    let _ = child.kill();
    child.wait().unwrap().success()
}

/// One turn of an agent: whether it had the file.
fn turn(root: &Path, agent: &str, rng: &mut Rng, seen: &Seen) -> bool {
    let at = rng.below(FILES.len());
    let file = FILES[at];
    if rng.once_in(8) {
        // Killed while it waits, or as the holder. It does not touch the counter, and lets go of the file after a second.
        let ended = kill(command(root, "lock", file, agent, &["--ttl", "1", "--wait", "60"]), 150_000, rng);
        seen.killed.fetch_add(usize::from(!ended), Ordering::SeqCst);
        seen.died_holding.fetch_add(usize::from(ended), Ordering::SeqCst);
        return false;
    }
    if rng.once_in(64) {
        // The holder dies after it was told that it is.
        let args = ["--ttl", "1", "--wait", "500"];
        assert!(command(root, "lock", file, agent, &args).status().unwrap().success(), "{agent} {file}");
        seen.died_holding.fetch_add(1, Ordering::SeqCst);
        return false;
    }
    // Nobody takes a lock that lasts longer than the test: who loses one has found a fault.
    let code = command(root, "lock", file, agent, &["--ttl", "600", "--wait", "500"]).status().unwrap().code();
    match code {
        Some(0) => {}
        // A holder that died had the name of this one.
        Some(1) => return false,
        code => panic!("{agent} {file}: {code:?}"),
    }
    assert!(!seen.held[at].swap(true, Ordering::SeqCst), "{agent}: somebody else holds {file}");
    let counter = root.join(format!("counter-{at}"));
    let count: usize = fs::read_to_string(&counter).unwrap().parse().unwrap();
    thread::sleep(Duration::from_millis(rng.below(3) as u64));
    if rng.once_in(4) {
        assert!(command(root, "renew", file, agent, &["--ttl", "600"]).status().unwrap().success(), "{agent} {file}");
    }
    fs::write(&counter, (count + 1).to_string()).unwrap();
    seen.additions[at].fetch_add(1, Ordering::SeqCst);
    assert!(seen.held[at].swap(false, Ordering::SeqCst), "{agent}: somebody else let go of {file}");
    if rng.once_in(8) {
        // Killed while it lets go: the lock is there or not, and nothing else.
        let ended = kill(command(root, "unlock", file, agent, &[]), 30_000, rng);
        seen.killed.fetch_add(usize::from(!ended), Ordering::SeqCst);
        let code = command(root, "unlock", file, agent, &[]).status().unwrap().code();
        assert!(matches!(code, Some(0 | 1)), "{agent} {file}: {code:?}");
    } else {
        assert!(command(root, "unlock", file, agent, &[]).status().unwrap().success(), "{agent} {file}");
    }
    true
}

#[test]
fn a_lock_has_one_holder_whoever_is_killed_and_each_gets_its_turn() {
    let is_slow = rounds(200) == 200;
    let (agents, seconds) = if is_slow { (200, 60) } else { (24, 3) };
    let folder = session();
    let root = folder.path();
    for at in 0..FILES.len() {
        fs::write(root.join(format!("counter-{at}")), "0").unwrap();
    }
    let (seen, start) = (Seen::default(), Instant::now());
    let turns: Vec<usize> = thread::scope(|scope| {
        let run = |number: usize| {
            let (mut rng, mut turns, seen) = (Rng(number as u64), 0, &seen);
            let agent = format!("agent[{}]", number + 1);
            // Each goes on until it had its turn.
            while start.elapsed() < Duration::from_secs(seconds) || turns == 0 {
                turns += usize::from(turn(root, &agent, &mut rng, seen));
                assert!(start.elapsed() < Duration::from_secs(10 * seconds + 60), "{agent} never had its turn");
            }
            turns
        };
        let threads: Vec<_> = (0..agents).map(|number| scope.spawn(move || run(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (at, file) in FILES.iter().enumerate() {
        let count: usize = fs::read_to_string(root.join(format!("counter-{at}"))).unwrap().parse().unwrap();
        assert_eq!(count, seen.additions[at].load(Ordering::SeqCst), "{file} lost an addition");
    }
    let total: usize = turns.iter().sum();
    let (least, most) = (turns.iter().min().unwrap(), turns.iter().max().unwrap());
    let (killed, died) = (seen.killed.into_inner(), seen.died_holding.into_inner());
    let took = start.elapsed().as_secs();
    eprintln!(
        "{agents} agents, {total} turns in {took} s, each {least} to {most}; {killed} processes killed, {died} left a lock"
    );
    assert!(killed > 0 && *least > 0);
}
