//! The moment that dates are compared with.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::error::{EPOCH, SettingsError};
use crate::formats::timestamp::Timestamp;
use crate::terminal::escape;
use crate::value_source::ValueSource;

/// `--now`, else `SOURCE_DATE_EPOCH` (seconds), else the clock.
///
/// # Errors
/// When what is given is not a timestamp.
pub fn moment(given: Option<&str>) -> Result<(Timestamp, ValueSource), SettingsError> {
    if let Some(text) = given {
        let read = Timestamp::read(text).or_else(|| Timestamp::read(&format!("{text}T00:00:00+0000")));
        let moment = read.ok_or_else(|| SettingsError::Now { text: escape(text) })?;
        return Ok((moment, ValueSource::CommandLine { option: "--now" }));
    }
    if let Some(value) = std::env::var_os(EPOCH) {
        let text = value.to_string_lossy();
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let epoch = text.parse::<i64>().ok().filter(|epoch| is_number && *epoch <= LAST_SECOND);
        let epoch = epoch.ok_or_else(|| SettingsError::Epoch { text: escape(&text) })?;
        return Ok((Timestamp::from_unix(epoch), ValueSource::Environment { variable: EPOCH }));
    }
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    Ok((Timestamp::from_unix(i64::try_from(clock).unwrap_or(i64::MAX)), ValueSource::Default))
}

/// The end of the year 9999, beyond which no timestamp is written.
const LAST_SECOND: i64 = 253_402_300_799;
