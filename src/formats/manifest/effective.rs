//! What a member is spawned with, and who says so.

use super::{Manifest, Member, Settings};
use crate::text::Span;
use crate::value_source::ValueSource;

/// The model if none is set.
pub const DEFAULT_MODEL: &str = "sonnet";

/// The budget in US dollars if none is set.
pub const DEFAULT_BUDGET: f64 = 0.5;

/// The permission mode if none is set.
pub const DEFAULT_PERMISSION_MODE: &str = "dontAsk";

/// The options of a member after all defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effective<'a> {
    /// `model`.
    pub model: Setting<&'a str>,
    /// `budget`, in US dollars.
    pub budget: Setting<f64>,
    /// `permission-mode`.
    pub permission_mode: Setting<&'a str>,
}

/// A value and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: ValueSource,
    /// Where in the manifest.
    pub span: Option<Span>,
}

impl Manifest {
    /// What `member` is spawned with, after the manifest's defaults and those of the protocol.
    pub fn effective<'a>(&'a self, member: &'a Member) -> Effective<'a> {
        Effective::of(&member.settings, &self.defaults)
    }
}

impl<'a> Effective<'a> {
    /// What `own` says, else `defaults`, else the protocol.
    fn of(own: &'a Settings, defaults: &'a Settings) -> Self {
        let text = |pick: fn(&Settings) -> Option<&super::Text>, built_in| {
            let value = |text: &'a super::Text| (text.value.as_str(), text.span);
            first(pick(own).map(value), pick(defaults).map(value), built_in)
        };
        let budget = |settings: &Settings| settings.budget.map(|number| (number.value, number.span));
        Self {
            model: text(|settings| settings.model.as_ref(), DEFAULT_MODEL),
            budget: first(budget(own), budget(defaults), DEFAULT_BUDGET),
            permission_mode: text(|settings| settings.permission_mode.as_ref(), DEFAULT_PERMISSION_MODE),
        }
    }
}

fn first<T>(own: Option<(T, Span)>, defaults: Option<(T, Span)>, built_in: T) -> Setting<T> {
    let said = |origin| move |(value, span)| Setting { value, origin, span: Some(span) };
    own.map(said(ValueSource::Member)).or_else(|| defaults.map(said(ValueSource::Team))).unwrap_or(Setting {
        value: built_in,
        origin: ValueSource::Default,
        span: None,
    })
}
