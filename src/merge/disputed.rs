//! The conflicts of a merged text.

use foldhash::HashSet;

use super::tally::{Place, places};
use super::versions::Markers;
use super::words::field;

/// What is in each conflict of a text.
#[derive(Debug, Default)]
pub struct Conflicts<'a> {
    /// The lines of each, but for blank ones and rules.
    lines: Vec<Vec<&'a str>>,
    /// How many lines are in all of them.
    count: usize,
}

impl<'a> Conflicts<'a> {
    pub fn of(text: &'a str, markers: &Markers<'_>) -> Self {
        let (mut out, mut before) = (Self::default(), Place::Outside);
        for (place, line) in places(text, markers) {
            let begins = match place {
                Place::Outside => false,
                Place::Ours => before != Place::Ours,
                Place::Base | Place::Theirs => before == Place::Outside,
            };
            if begins {
                out.lines.push(Vec::new());
            }
            out.count += usize::from(place != Place::Outside);
            if let Some(last) = out.lines.last_mut().filter(|_| place != Place::Outside && says(line)) {
                last.push(line);
            }
            before = place;
        }
        out
    }

    /// Whether they have fewer lines than others, and something of each of those.
    pub fn are_smaller_than(&self, others: &Self) -> bool {
        let own: HashSet<&str> = self.lines.iter().flatten().copied().collect();
        let is_in = |lines: &Vec<&str>| lines.iter().any(|line| field(line).is_none() && own.contains(line));
        self.count < others.count && others.lines.iter().all(is_in)
    }

    /// The lines of all of them.
    pub fn into_lines(self) -> HashSet<&'a str> {
        self.lines.into_iter().flatten().collect()
    }

    /// Whether a line of this text is in one of them.
    pub fn have_part_of(&self, text: &str) -> bool {
        let own: HashSet<&str> = text.lines().map(str::trim_end).filter(|line| says(line)).collect();
        self.lines.iter().flatten().any(|line| own.contains(line))
    }
}

/// Whether a line is neither blank nor a rule.
fn says(line: &str) -> bool {
    !matches!(line.trim(), "" | "---")
}
