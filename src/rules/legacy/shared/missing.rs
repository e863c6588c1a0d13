//! What entries without a day lack.

/// What an entry lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A date.
    Date,
    /// A day: a field has `2026-02`.
    Day,
    /// A date that is known later: a field has `Today`.
    Calendar,
}

impl Missing {
    /// What `count` entries lack.
    pub fn message(self, count: usize) -> String {
        match (self, count) {
            (Self::Date, 1) => "legacy entry has no date in its heading or in a field".to_owned(),
            (Self::Date, _) => format!("{count} legacy entries have no date in the heading or in a field"),
            (Self::Day, 1) => "date of a legacy entry has no day, expected `YYYY-MM-DD`".to_owned(),
            (Self::Day, _) => format!("dates of {count} legacy entries have no day, expected `YYYY-MM-DD`"),
            (Self::Calendar, 1) => "date of a legacy entry is not a calendar date, expected `YYYY-MM-DD`".to_owned(),
            (Self::Calendar, _) => {
                format!("dates of {count} legacy entries are not calendar dates, expected `YYYY-MM-DD`")
            }
        }
    }

    /// The label of each further entry.
    pub fn label(self) -> &'static str {
        match self {
            Self::Date => "no date",
            Self::Day => "no day",
            Self::Calendar => "no calendar date",
        }
    }
}
