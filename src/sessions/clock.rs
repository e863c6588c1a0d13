//! The time of a command that waits.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::formats::timestamp::Timestamp;
use crate::project::globs::SettingsError;
use crate::project::now;

/// The clock of the machine, or one that began at the moment that `--now` says.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// The moment that was given, and when that was.
    given: Option<(Timestamp, Instant)>,
}

impl Clock {
    /// The clock of the machine, or one that begins at `given`.
    ///
    /// # Errors
    /// When `given` is not a timestamp.
    pub fn new(given: Option<&str>) -> Result<Self, SettingsError> {
        let moment = given.map(|text| now::moment(Some(text))).transpose()?;
        Ok(Self { given: moment.map(|(moment, _)| (moment, Instant::now())) })
    }

    /// The moment that it is, in UTC, without its fraction of a second.
    pub fn now(self) -> Timestamp {
        Timestamp::from_unix(seconds(self.elapsed().as_secs()))
    }

    /// The moment at which at least `ttl` seconds will have passed.
    pub fn after(self, ttl: u32) -> Timestamp {
        let now = self.elapsed();
        let whole = now.as_secs() + u64::from(now.subsec_nanos() > 0);
        Timestamp::from_unix(seconds(whole.saturating_add(ttl.into())))
    }

    /// The time since 1970 began.
    pub(super) fn elapsed(self) -> Duration {
        match self.given {
            Some((moment, then)) => Duration::from_secs(u64::try_from(moment.unix()).unwrap_or(0)) + then.elapsed(),
            None => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO),
        }
    }
}

fn seconds(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// `moment` as session files have it: `2024-01-15T10:37:00Z`.
pub fn written(moment: Timestamp) -> String {
    let text = Timestamp::from_unix(moment.unix()).to_string();
    text.strip_suffix("+0000").map_or(text.clone(), |text| format!("{text}Z"))
}
