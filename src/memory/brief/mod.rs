//! The memory that one agent needs most, in so many tokens.
//!
//! Every entry that the agent should read gets points (`points`). The entries are taken in the order of their points, directives
//! first, in up to half of the room: whole, or as an excerpt, or on one line, whichever still fits (`form`). A fifth of the room is for
//! lines alone, and another one for those of directives. The same files and the same moment give the same brief.

mod about;
mod form;
mod points;
pub mod report;
mod said;
mod same_day;
mod settled;
mod wish;

pub use self::about::{About, Naming};
pub use self::form::Form;
pub use self::points::{Reason, Scored};
pub use self::wish::Wish;

use self::form::Forms;
use self::points::Scale;
use self::said::Said;
use self::same_day::Growth;
use super::record::Record;
use crate::text::prose::plural;
use crate::text::tokens::Tokens;

/// A brief.
#[derive(Debug)]
pub struct Brief<'r, 'd> {
    /// What was taken, in the order of the text.
    pub taken: Vec<Taken<'r, 'd>>,
    /// What was left out, and why, in the order of the entries.
    pub left_out: Vec<LeftOut<'r, 'd>>,
    /// The text, as Markdown.
    pub text: String,
    /// The tokens that the text is estimated to have.
    pub tokens: u64,
}

/// An entry that was taken.
#[derive(Debug)]
pub struct Taken<'r, 'd> {
    /// The entry, and why it matters.
    pub scored: Scored<'r, 'd>,
    /// How much of it was taken.
    pub form: Form,
    /// The tokens that its part of the text has.
    pub tokens: u64,
    text: String,
}

/// An entry that was left out.
#[derive(Debug)]
pub struct LeftOut<'r, 'd> {
    /// The entry.
    pub record: &'r Record<'d>,
    /// Why.
    pub why: Why,
    /// The entry that says the same.
    pub repeats: Option<&'r Record<'d>>,
}

impl<'r, 'd> LeftOut<'r, 'd> {
    fn new(record: &'r Record<'d>, why: Why) -> Self {
        Self { record, why, repeats: None }
    }
}

/// Why an entry was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Another entry replaces it.
    Superseded(i64),
    /// It should have been reviewed.
    Expired,
    /// It is in an archive.
    Archived,
    /// It is in another file that agents do not load.
    NotLoaded,
    /// It says what another entry says: one of the inbox, after it was merged.
    Repeated,
    /// It is for other agents, or meant to become a skill.
    ForOthers,
    /// It did not fit any more.
    NoRoom,
}

/// So much of the budget stays free: a twentieth. In the briefs of real teams, tokenizers count that much more than the estimate.
const RESERVE: u64 = 20;

/// A fifth of the budget stays free for the entries that have no room but for one line: who reads their titles knows what to look up.
const LINES: u64 = 5;

/// The budget is too small for any brief.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum BudgetError {
    /// No tokens at all.
    #[error("a budget of 0 tokens leaves no room for a brief")]
    #[diagnostic(help("pass a larger budget, such as `--budget 4000`"))]
    Zero,
    /// Fewer than the first lines have.
    #[error("a budget of {} is too small: the first lines of a brief need {needed}", plural(usize::try_from(*budget).unwrap_or(usize::MAX), "token"))]
    #[diagnostic(help("pass a larger budget, such as `--budget 4000`"))]
    TooSmall {
        /// The budget.
        budget: u64,
        /// The tokens of the first lines.
        needed: u64,
    },
}

/// The parts of a brief, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Part {
    Directives,
    Files,
    Own,
    Team,
    Rejected,
}

impl Part {
    fn of(scored: &Scored<'_, '_>) -> Self {
        match scored {
            _ if scored.is_rejected() => Self::Rejected,
            _ if scored.is_directive() => Self::Directives,
            _ if scored.is_about() => Self::Files,
            _ if scored.is_own() => Self::Own,
            _ => Self::Team,
        }
    }

    fn heading(self, agent: &str) -> String {
        match self {
            Self::Directives => "## Directives\n".to_owned(),
            Self::Files => "## About the files at hand\n".to_owned(),
            Self::Own => format!("## For {agent}\n"),
            Self::Team => "## For the team\n".to_owned(),
            Self::Rejected => "## Rejected, and not in force\n".to_owned(),
        }
    }

    /// What comes before entries on one line, which would continue with the list that the entry before them ends with.
    fn more(self, agent: &str) -> String {
        let what = match self {
            Self::Directives => "directives".to_owned(),
            Self::Files => "about the files at hand".to_owned(),
            Self::Own => format!("for {agent}"),
            Self::Team => "for the team".to_owned(),
            Self::Rejected => "that was rejected".to_owned(),
        };
        format!("\n### More {what}, on one line each\n")
    }
}

/// The brief that `wish` asks for, from `all` entries.
///
/// # Errors
/// See [`BudgetError`].
pub fn make<'r, 'd>(all: &'r [Record<'d>], wish: &Wish<'_>) -> Result<Brief<'r, 'd>, BudgetError> {
    let name = crate::terminal::escape(wish.agent.name);
    let first = format!(
        "# Memory of the team, for {name}\n\nWhat applies on {}. If entries disagree, follow the newest one.\n",
        wish.now.day()
    );
    let needed = Tokens::of(&first);
    let budget = Tokens::whole(wish.budget);
    match wish.budget {
        0 => return Err(BudgetError::Zero),
        budget if needed.count() > budget => return Err(BudgetError::TooSmall { budget, needed: needed.count() }),
        _ => {}
    }
    let mut left_out = Vec::new();
    let mut scored = Vec::new();
    let scale = Scale::new(wish);
    for record in all {
        match why_not(record, wish) {
            Some(why) => left_out.push(LeftOut::new(record, why)),
            None => scored.push(scale.score(record)),
        }
    }
    // Of those of one day and rank, the newer one.
    let growth = Growth::of(all);
    scored.sort_by(|one, other| growth.order(one.record, other.record));
    let mut candidates: Vec<(Scored<'r, 'd>, Forms)> =
        scored.into_iter().map(|scored| with_forms(scored, budget)).collect();
    leave_out_copies(&mut candidates, &mut left_out);
    candidates.sort_by_key(|(scored, _)| std::cmp::Reverse(scored.rank()));
    // What the estimate may be wrong by stays free.
    let room = Tokens::whole(wish.budget - wish.budget / RESERVE);
    let mut packing = Packing {
        budget: room,
        used: needed,
        kept_free: Tokens::default(),
        headed: Vec::new(),
        taken: Vec::new(),
        name: &name,
    };
    // Directives first, in half of the room, then everything as it matters.
    let half = Tokens::whole(wish.budget / 2);
    let (directives, others): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|(scored, _)| scored.is_directive());
    let (settled, mut others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(scored, _)| scored.is_settled() && !scored.is_about());
    let mut more = Vec::new();
    for (scored, forms) in directives {
        match packing.used.and(forms.cost()) <= half {
            true => left_out.extend(packing.take(scored, &forms)),
            false if scored.is_about() => others.push((scored, forms)),
            false => more.push((scored, forms)),
        }
    }
    more.extend(settled);
    others.sort_by_key(|(scored, _)| std::cmp::Reverse(scored.rank()));
    let fifth = Tokens::whole(wish.budget / LINES);
    // An agent should know of each directive before it reads what is done.
    let of_more =
        more.iter().fold(Tokens::of(&Part::Directives.more(&name)), |sum, (_, forms)| sum.and(forms.cost_of_line()));
    let kept = if more.is_empty() { Tokens::default() } else { of_more.min(fifth) };
    packing.budget = Tokens::whole(room.count().saturating_sub(kept.count()));
    left_out.extend(packing.take_all(others, fifth));
    packing.budget = room;
    left_out.extend(packing.take_all(more, fifth));
    let mut taken = packing.taken;
    taken.sort_by_key(|taken| (Part::of(&taken.scored), is_line(&taken.text)));
    let mut text = written(first, &taken, &name);
    let nothing = format!("{text}\nNo entry in force is for {name}.\n");
    if left_out.iter().all(|left| left.why != Why::NoRoom) && taken.is_empty() && Tokens::of(&nothing) <= budget {
        text = nothing;
    }
    left_out.sort_by_cached_key(|left| super::order::newest_first(left.record));
    let tokens = Tokens::of(&text).count();
    Ok(Brief { taken, left_out, text, tokens })
}

/// The entries taken so far, and the room that they need.
struct Packing<'b, 'r, 'd> {
    budget: Tokens,
    used: Tokens,
    /// What an entry of more than one line leaves for those behind it.
    kept_free: Tokens,
    headed: Vec<Part>,
    taken: Vec<Taken<'r, 'd>>,
    name: &'b str,
}

impl<'r, 'd> Packing<'_, 'r, 'd> {
    /// Takes entries in their order, in which up to `lines` stay free for those behind; returns those without room.
    fn take_all(&mut self, all: Vec<(Scored<'r, 'd>, Forms)>, lines: Tokens) -> Vec<LeftOut<'r, 'd>> {
        let behind = lines_behind(&all, lines);
        let take = |((scored, forms), behind): ((Scored<'r, 'd>, Forms), Tokens)| {
            self.kept_free = behind;
            self.take(scored, &forms)
        };
        all.into_iter().zip(behind).filter_map(take).collect()
    }

    /// Takes an entry in the longest form that fits; returns it if none does.
    fn take(&mut self, scored: Scored<'r, 'd>, forms: &Forms) -> Option<LeftOut<'r, 'd>> {
        let part = Part::of(&scored);
        let heading = match self.headed.contains(&part) {
            true => Tokens::default(),
            false => Tokens::of(&part.heading(self.name)),
        };
        let has = |is_one: bool| {
            let mut own = self.taken.iter().filter(|taken| Part::of(&taken.scored) == part);
            own.any(|taken| is_line(&taken.text) == is_one)
        };
        let (has_text, has_line) = (has(false), has(true));
        let room = |text: &str| {
            // With both, a heading divides them.
            let is_first_of_both = if is_line(text) { has_text && !has_line } else { has_line && !has_text };
            let more = if is_first_of_both { Tokens::of(&part.more(self.name)) } else { Tokens::default() };
            self.used.and(heading).and(more).and(Tokens::of(text))
        };
        let free = |text: &str| if is_line(text) { Tokens::default() } else { self.kept_free };
        let Some((form, text)) = forms.iter().find(|(_, text)| room(text).and(free(text)) <= self.budget) else {
            return Some(LeftOut::new(scored.record, Why::NoRoom));
        };
        let (form, text) = (*form, text.clone());
        self.used = room(&text);
        if !self.headed.contains(&part) {
            self.headed.push(part);
        }
        self.taken.push(Taken { scored, form, tokens: Tokens::of(&text).count(), text });
        None
    }
}

/// What the entries behind each one need, one line each, but at most so much.
fn lines_behind(candidates: &[(Scored<'_, '_>, Forms)], most: Tokens) -> Vec<Tokens> {
    let mut behind = Tokens::default();
    let mut out: Vec<Tokens> = Vec::with_capacity(candidates.len());
    for (_, forms) in candidates.iter().rev() {
        out.push(behind.min(most));
        behind = behind.and(forms.cost_of_line());
    }
    out.reverse();
    out
}

/// An entry with the texts that it can have.
fn with_forms<'r, 'd>(scored: Scored<'r, 'd>, budget: Tokens) -> (Scored<'r, 'd>, Forms) {
    let forms = Forms::of(scored.record, budget);
    (scored, forms)
}

/// Moves the entries that say what another one says to those that are left out.
fn leave_out_copies<'r, 'd>(candidates: &mut Vec<(Scored<'r, 'd>, Forms)>, left_out: &mut Vec<LeftOut<'r, 'd>>) {
    // Of equals the longer one: it can say all of the other.
    candidates.sort_by_key(|(scored, forms)| std::cmp::Reverse((scored.rank_of_copies(), forms.said.len())));
    let mut said = Said::default();
    // A brief takes no side: what is on one side of a conflict repeats nothing, and nothing repeats it.
    let mut repeated = Vec::with_capacity(candidates.len());
    for (scored, forms) in candidates.iter() {
        repeated.push(if scored.record.is_in_conflict { None } else { said.said_by(scored, forms) });
    }
    let (copies, others) =
        std::mem::take(candidates).into_iter().zip(repeated).partition::<Vec<_>, _>(|(_, repeats)| repeats.is_some());
    candidates.extend(others.into_iter().map(|(candidate, _)| candidate));
    left_out.extend(copies.into_iter().map(|((scored, _), repeats)| LeftOut {
        record: scored.record,
        why: Why::Repeated,
        repeats,
    }));
}

/// Whether the text of an entry is one line.
fn is_line(text: &str) -> bool {
    text.starts_with("- ")
}

/// The text of a brief, with a blank line before each heading: line ends in a row are one token.
fn written(first: String, taken: &[Taken<'_, '_>], name: &str) -> String {
    let (mut text, mut part, mut is_behind_text) = (first, None, false);
    for one in taken {
        let own = Part::of(&one.scored);
        let is_first = part != Some(own);
        if is_first {
            text.push('\n');
            text.push_str(&own.heading(name));
        } else if is_behind_text && is_line(&one.text) {
            text.push_str(&own.more(name));
        }
        if is_first || is_behind_text || !is_line(&one.text) {
            text.push('\n');
        }
        text.push_str(&one.text);
        (part, is_behind_text) = (Some(own), !is_line(&one.text));
    }
    format!("{}\n", text.trim_end())
}

fn why_not(record: &Record<'_>, wish: &Wish<'_>) -> Option<Why> {
    match record.superseded_by {
        _ if !wish.agent.reads(record) => Some(Why::ForOthers),
        Some(by) => Some(Why::Superseded(by.unix())),
        None if record.is_expired(wish.now) => Some(Why::Expired),
        None if record.is_archived() => Some(Why::Archived),
        None => (!record.is_loaded).then_some(Why::NotLoaded),
    }
}
