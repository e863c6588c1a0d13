//! A text without what stays, and the lines that stay, each with its reason.

use crate::text::line_end;

/// What is left of a text, and what is not. Together they are all of its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// What is left; empty if only blank lines are.
    pub text: String,
    /// The lines that are not, in order.
    pub stays: Vec<Stay>,
}

/// Lines that stay for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// The number of the first one, from 1 on.
    pub first: usize,
    /// The number of the last one.
    pub last: usize,
    /// Why they stay.
    pub reason: Reason,
}

/// Why a line stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is marked as local.
    Local,
    /// It says, or what it belongs to says, that it may be about one project.
    Doubt,
    /// It is not marked as portable.
    Unmarked,
    /// It is in the history of Scribe.
    Scribe,
    /// Nothing is left but blank lines.
    Blank,
}

impl Reason {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Local => "marked as local",
            Self::Doubt => "perhaps about this project",
            Self::Unmarked => "not marked as portable",
            Self::Scribe => "it is about the sessions of this project",
            Self::Blank => "blank",
        }
    }
}

/// A number of bytes, and why they stay; `None` for what is left.
pub(super) type Part = (usize, Option<Reason>);

impl Cut {
    /// What is left of `text` if nothing is.
    pub fn nothing(text: &str, reason: Reason) -> Self {
        let last = line_lengths(text).count();
        let stays = if last == 0 { Vec::new() } else { vec![Stay { first: 1, last, reason }] };
        Self { text: String::new(), stays }
    }

    /// Where each line begins that is left of `text`: in what is left, and in `text`.
    pub fn lines(&self, text: &str) -> Vec<(usize, usize)> {
        let (mut inner, mut outer) = (0, 0);
        let mut stays = self.stays.iter().peekable();
        let mut lines = Vec::new();
        for (number, length) in (1..).zip(line_lengths(text)) {
            while stays.next_if(|stay| stay.last < number).is_some() {}
            if stays.peek().is_none_or(|stay| number < stay.first) {
                lines.push((inner, outer));
                inner += length;
            }
            outer += length;
        }
        lines
    }

    /// What `cut` leaves of `text` at last: where lines are gone, those around them can mean something else. What goes on and on in that
    /// way is certainly nothing: all of it stays. `cut` gives the parts of a text in order, each of whole lines.
    pub(super) fn settled(text: &str, cut: impl Fn(&str) -> Vec<Part>) -> Self {
        const MOST: usize = 16;
        let mut reasons: Vec<Option<Reason>> = vec![None; line_lengths(text).count()];
        let mut left = text.to_owned();
        for round in 0.. {
            let parts = if round < MOST { cut(&left) } else { vec![(left.len(), Some(Reason::Doubt))] };
            let mut open = reasons.iter_mut().filter(|reason| reason.is_none());
            let (mut next, mut at, mut lines) = (String::with_capacity(left.len()), 0, line_lengths(&left));
            for (length, reason) in parts {
                let end = at + length;
                let part = left.get(at..end).unwrap_or_default();
                if reason.is_none() {
                    next.push_str(part);
                }
                while at < end
                    && let Some(length) = lines.next()
                {
                    at += length;
                    if let Some(line) = open.next() {
                        *line = reason;
                    }
                }
            }
            drop(lines);
            let is_settled = next.len() == left.len();
            left = next;
            if is_settled || left.is_empty() {
                break;
            }
        }
        if left.trim().is_empty() {
            left.clear();
            for reason in reasons.iter_mut().filter(|reason| reason.is_none()) {
                *reason = Some(Reason::Blank);
            }
        }
        Self { text: left, stays: stays(&reasons) }
    }
}

/// The lengths of the lines of `text`, with their ends.
fn line_lengths(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (_, next) = (at < text.len()).then(|| line_end(text.as_bytes(), at))?;
        let length = next - at;
        at = next;
        Some(length)
    })
}

/// The lines that stay by their numbers.
fn stays(reasons: &[Option<Reason>]) -> Vec<Stay> {
    let mut stays: Vec<Stay> = Vec::new();
    for (number, reason) in (1..).zip(reasons) {
        let Some(reason) = *reason else { continue };
        match stays.last_mut() {
            Some(last) if last.last + 1 == number && last.reason == reason => last.last = number,
            _ => stays.push(Stay { first: number, last: number, reason }),
        }
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_left_or_stays() {
        // The first line at a time stays, as long as there are two.
        let first = |text: &str| -> Vec<Part> {
            let mut lines = line_lengths(text);
            let (one, rest) = (lines.next().unwrap_or_default(), lines.next().is_some());
            vec![(one, rest.then_some(Reason::Local)), (text.len() - one, None)]
        };
        let cut = Cut::settled("a\nb\r\nc\rd", first);
        assert_eq!(cut, Cut { text: "d".into(), stays: vec![Stay { first: 1, last: 3, reason: Reason::Local }] });
        // What has no end is nothing.
        let cut = Cut::settled(&"a\n".repeat(100), first);
        let stays = [(1, 16, Reason::Local), (17, 100, Reason::Doubt)];
        assert_eq!(cut.stays, stays.map(|(first, last, reason)| Stay { first, last, reason }));
        let stays = [(1, 1), (3, 3)].map(|(first, last)| Stay { first, last, reason: Reason::Local }).to_vec();
        assert_eq!(Cut { text: String::new(), stays }.lines("a\nbb\nc\nd\n"), [(0, 2), (3, 7)]);
        let blank = Cut::settled("\n \n", |text| vec![(text.len(), None)]);
        assert_eq!(blank, Cut::nothing("\n \n", Reason::Blank));
        assert_eq!(Cut::settled("", |_| Vec::new()), Cut::default());
    }
}
