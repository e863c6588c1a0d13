//! The dates of the entries around an entry, in the order of their file.

use crate::text::Span;

/// The dates around an entry.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    /// Those of the last entries of two other days before it, the nearest first.
    pub(super) before: [Option<Span>; 2],
    /// Those of the next entries of two other days, the nearest first.
    pub(super) after: [Option<Span>; 2],
    /// Whether the dated entry right before or after it is of its day.
    pub(super) shares_its_day: bool,
}

impl Beside {
    /// For each of the entries of `text` that have these dates.
    pub(super) fn all(text: &str, dates: &[Option<Span>]) -> Vec<Self> {
        let day = |date: &Option<Span>| date.map(|date| (date, date.of(text).get(..10)));
        let mut all = vec![Self::default(); dates.len()];
        let mut days = OtherDays::default();
        for (beside, date) in all.iter_mut().zip(dates) {
            (beside.before, beside.shares_its_day) = days.of(day(date));
        }
        let mut days = OtherDays::default();
        for (beside, date) in all.iter_mut().zip(dates).rev() {
            let (after, is_shared) = days.of(day(date));
            beside.after = after;
            beside.shares_its_day |= is_shared;
        }
        all
    }
}

/// The last three days of the entries so far, the last one first.
#[derive(Default)]
struct OtherDays<'a>([Option<(Span, Option<&'a str>)>; 3]);

impl<'a> OtherDays<'a> {
    /// The dates of the last entries of two other days than that of this entry, which is the next, and whether the last one is of its
    /// day.
    fn of(&mut self, date: Option<(Span, Option<&'a str>)>) -> ([Option<Span>; 2], bool) {
        let [last, before, earlier] = self.0;
        let dates = |days: [Option<(Span, Option<&str>)>; 2]| days.map(|day| Some(day?.0));
        let Some((date, day)) = date else { return (dates([last, before]), false) };
        if last.is_some_and(|(_, last)| last == day) {
            return (dates([before, earlier]), true);
        }
        self.0 = [Some((date, day)), last, before];
        (dates([last, before]), false)
    }
}
