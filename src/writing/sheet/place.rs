//! Where in a file an entry goes.

use super::{Cell, PartKind, Sheet, Spot, is_for_entries};
use crate::writing::under::Under;

impl<'a> Sheet<'a> {
    /// Where an entry of this moment goes: never between a text and what continues from it.
    pub(super) fn place(&mut self, moment: Option<i64>) -> usize {
        let place = match &self.under {
            Under::Anything => self.place_at_spot(moment),
            Under::None => self.place_outside(moment),
            Under::Title(title) => {
                let title = title.clone();
                self.place_below(&title, moment)
            }
        };
        place + self.from(place).take_while(|(_, cell)| cell.goes_on()).count()
    }

    fn place_at_spot(&self, moment: Option<i64>) -> usize {
        match self.spot {
            Spot::InTime => self.place_in_time(moment),
            Spot::Last | Spot::End => self.order.len(),
            Spot::First => {
                let mut first = self.from(0).filter(|(_, cell)| cell.is_dated() && !cell.is_new());
                first.next().map_or(self.end_of_section(), |(first, _)| first)
            }
        }
    }

    /// Where an entry goes that is below no title that says something: of such sections, before the first one, and before those that have no
    /// entries.
    fn place_outside(&self, moment: Option<i64>) -> usize {
        let place = match (self.spot, self.outside, self.section_end) {
            (Spot::InTime, None, Some(end)) => return end,
            _ => self.place_at_spot(moment),
        };
        let headings = self.cells_before(place).filter(|(_, cell)| cell.title().is_some());
        // The first heading of a file is its title.
        let has_entries = |cell: &Cell<'_>| {
            cell.holds_entries || is_for_entries(cell) || self.outside.is_none() && self.dated.is_none()
        };
        let saying = headings.take_while(|(at, cell)| *at > 0 && (cell.says_more() || !has_entries(cell)));
        let Some((end, _)) = saying.last() else { return place };
        match self.spot {
            Spot::InTime if !self.newest_first => self.before_later(end, moment),
            _ => end,
        }
    }

    /// Where an entry goes in the section with this title, which comes after all entries if the file has it elsewhere or not at all.
    fn place_below(&mut self, title: &str, moment: Option<i64>) -> usize {
        let is_it = |(_, cell): &(usize, &Cell<'_>)| cell.title() == Some(title);
        if !self.from(0).any(|cell| is_it(&cell)) {
            self.put_title(&format!("## {title}"));
        }
        let Some((start, _)) = self.from(0).rev().find(is_it) else { return self.order.len() };
        let (first, mut end) = (start + 1, start + 1);
        let level = self.from(start).next().and_then(|(_, cell)| cell.level());
        // `## 2026-02-14: Tabs` is beside `## Notes`, not below it.
        let is_beside = |cell: &Cell<'_>| cell.is_entry() && cell.level().is_some_and(|own| Some(own) <= level);
        for (at, cell) in self.from(first) {
            let is_text = cell.kind == PartKind::Line && !cell.is_new();
            if cell.title().is_some() || is_beside(cell) || is_text && end > first {
                break;
            }
            end = if is_text { end } else { at + 1 };
        }
        if !self.newest_first {
            return self.before_later(end, moment).max(first);
        }
        let inside = self.from(first).take(end - first);
        let newer = inside.take_while(|(_, cell)| !cell.is_dated() || moment.is_none_or(|own| cell.moment > Some(own)));
        newer.last().map_or(first, |(last, _)| last + 1)
    }

    /// The cells before a place in the order of the file, from the last one on.
    fn cells_before(&self, place: usize) -> impl Iterator<Item = (usize, &Cell<'a>)> {
        self.from(0).rev().skip(self.order.len().saturating_sub(place))
    }

    /// The place before those entries right above `end` that are later.
    fn before_later(&self, end: usize, moment: Option<i64>) -> usize {
        let Some(moment) = moment else { return end };
        let is_later = |cell: &Cell<'_>| cell.is_dated() && cell.moment.is_some_and(|other| other > moment);
        let later = self.cells_before(end).take_while(|(_, cell)| is_later(cell));
        later.last().map_or(end, |(first, _)| first)
    }

    fn place_in_time(&self, moment: Option<i64>) -> usize {
        let of_all = self.outside.filter(|_| self.under == Under::None).or(self.dated);
        let Some((first, last)) = of_all else { return self.end_of_section() };
        let moment = moment.unwrap_or(if self.newest_first { i64::MIN } else { i64::MAX });
        let mut place = if self.newest_first { first } else { last };
        if self.newest_first {
            for (at, cell) in self.from(first) {
                match (cell.kind, cell.moment) {
                    (PartKind::Line, _) if !cell.is_new() => break,
                    _ if !cell.is_dated() => place = at + 1,
                    (_, Some(other)) if other > moment => place = at + 1,
                    _ => break,
                }
            }
            return place;
        }
        for (at, cell) in self.from(0).rev().skip(self.order.len() - last) {
            match (cell.kind, cell.moment) {
                (PartKind::Line, _) if !cell.is_new() => break,
                _ if !cell.is_dated() => {}
                (_, Some(other)) if other > moment => place = at,
                _ => break,
            }
        }
        place
    }
}
