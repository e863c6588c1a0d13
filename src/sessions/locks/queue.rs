//! The processes that wait for a file, first come, first served.
//!
//! Who waits has a file, its ticket, which the operating system keeps locked for it. So a ticket that is not locked belongs to a
//! process that died, and the next one removes it. Tickets are drawn under the guard, one later than the other: no process gets ahead of
//! a ticket, and a ticket that is the first stays the first.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::fs::guard::{Guard, OWN};
use crate::fs::lock;

/// The end of a ticket's name.
const END: &str = ".wait";

/// A place in the waiting line. Dropped, it is free.
#[derive(Debug)]
pub(super) struct Ticket {
    path: PathBuf,
    /// Locked. Closed after the file is removed.
    file: File,
    line: Line,
    number: u64,
}

/// The waiting line for one file.
#[derive(Clone, Debug)]
pub(super) struct Line {
    folder: PathBuf,
    /// How the tickets' names begin.
    prefix: String,
}

impl Line {
    /// The waiting line beside the locks in `locks` for the file with this `identity`.
    pub(super) fn of(locks: &Path, identity: &[u8]) -> Self {
        Self { folder: locks.join(OWN), prefix: format!("{:016x}-", hash(identity)) }
    }

    /// Draws a ticket for `agent`, which comes after all others.
    pub(super) fn draw(&self, agent: &str, _guard: &Guard) -> io::Result<Ticket> {
        let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let last = self.numbers()?.last().copied();
        let number = u64::try_from(clock).unwrap_or(0).max(last.map_or(0, |last| last.saturating_add(1)));
        let path = self.path(number);
        let mut file = File::options().read(true).write(true).create_new(true).open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let ticket = Ticket { path, line: self.clone(), number, file: file.try_clone()? };
        file.write_all(agent.as_bytes())?;
        Ok(ticket)
    }

    /// How many processes may be before `number`: none, if it is the turn of that one.
    fn before(&self, number: u64) -> io::Result<usize> {
        let numbers = self.numbers()?;
        let before = numbers.iter().take_while(|other| **other < number);
        let dead = before.clone().take_while(|other| self.is_left(**other)).count();
        Ok(before.count().saturating_sub(dead))
    }

    /// Whether a process waits.
    pub(super) fn is_empty(&self, _guard: &Guard) -> io::Result<bool> {
        Ok(self.before(u64::MAX)? == 0)
    }

    /// The agents that wait, in order; also some that died a moment ago.
    pub(super) fn agents(&self) -> Vec<String> {
        let numbers = self.numbers().unwrap_or_default();
        let agents = numbers.iter().filter_map(|number| fs::read_to_string(self.path(*number)).ok());
        agents.filter(|agent| !agent.is_empty()).collect()
    }

    /// The numbers of the tickets, in order.
    fn numbers(&self) -> io::Result<Vec<u64>> {
        let mut numbers = Vec::new();
        let entries = match fs::read_dir(&self.folder) {
            // Another program removed it; who has the guard makes it again.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(numbers),
            entries => entries?,
        };
        for entry in entries {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(&self.prefix)?.strip_suffix(END));
            numbers.extend(number.and_then(|number| number.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{}{number:020}{END}", self.prefix))
    }

    /// Whether the process of this ticket has gone; if so, the ticket goes, too.
    fn is_left(&self, number: u64) -> bool {
        let path = self.path(number);
        match File::options().read(true).write(true).open(&path) {
            // A number is never drawn twice, so this is still the ticket that was examined.
            Ok(file) => file.try_lock().is_ok() && fs::remove_file(&path).is_ok(),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }
}

impl Ticket {
    /// How many processes may be before this one: none, if it is its turn.
    pub(super) fn before(&self) -> io::Result<usize> {
        self.line.before(self.number)
    }

    /// Whether other processes see it.
    pub(super) fn is_there(&self) -> bool {
        lock::is_at(&self.file, &self.path)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // One that stays is unlocked now, and the next process removes it.
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes the tickets of processes that died.
pub(super) fn sweep(locks: &Path, _guard: &Guard) {
    for entry in fs::read_dir(locks.join(OWN)).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_ticket = path.to_str().is_some_and(|path| path.ends_with(END));
        if is_ticket && File::options().write(true).open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// FNV-1a: the same number in every version of this program. Two files with one number share a line, which is only slower.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
