//! The time of a command that waits.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::formats::timestamp::Timestamp;
use crate::project::globs::SettingsError;
use crate::project::now;
use crate::text::prose::plural;

/// The clock of the machine, or the moment that `--now` says.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    given: Option<Timestamp>,
}

impl Clock {
    /// The clock of the machine, or the moment `given`.
    ///
    /// # Errors
    /// When `given` is not a timestamp.
    pub fn new(given: Option<&str>) -> Result<Self, SettingsError> {
        let moment = given.map(|text| now::moment(Some(text))).transpose()?;
        Ok(Self { given: moment.map(|(moment, _)| moment) })
    }

    /// The moment that it is, in UTC, without its fraction of a second.
    pub fn now(self) -> Timestamp {
        self.moment(Duration::ZERO).now
    }

    /// The first second that is not over: as much is left of a lock, at least.
    pub fn next(self) -> Timestamp {
        self.moment(Duration::ZERO).next
    }

    /// The moment that it is, after this command has waited for so long.
    pub(super) fn moment(self, waited: Duration) -> Moment {
        let elapsed = match self.given {
            Some(given) => Duration::from_secs(u64::try_from(given.unix()).unwrap_or(0)) + waited,
            None => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO),
        };
        let next = elapsed.as_secs() + u64::from(elapsed.subsec_nanos() > 0);
        let [now, next] =
            [elapsed.as_secs(), next].map(|seconds| Timestamp::from_unix(i64::try_from(seconds).unwrap_or(i64::MAX)));
        Moment { now, next }
    }
}

/// A moment between two seconds, or at one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// The second that has begun.
    pub(super) now: Timestamp,
    /// The first second that is not over.
    next: Timestamp,
}

impl Moment {
    /// The second before which at least `ttl` seconds pass.
    pub(super) fn after(self, ttl: u32) -> Timestamp {
        self.next.plus_seconds(ttl.into())
    }
}

/// The time from one moment to another, in the largest unit that fits twice: `90 seconds`, `12 minutes`.
pub fn lasted(from: Timestamp, to: Timestamp) -> String {
    let seconds = to.unix().saturating_sub(from.unix()).max(0);
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute")];
    let unit = units.into_iter().find(|(length, _)| seconds >= 2 * length);
    let (length, name) = unit.unwrap_or((1, "second"));
    plural(usize::try_from(seconds / length).unwrap_or(0), name)
}
