//! The catalogue: one module per family, one file per rule.

pub mod bundle;
pub mod charter;
pub mod gone;
pub mod guard;
pub mod inbox;
pub mod learnings;
pub mod legacy;
pub mod lint;
pub mod markdown;
pub mod memory;
pub mod most;
pub mod reflection;
pub mod roster;
pub mod security;
pub mod sem;
pub mod session;
pub mod shell;
pub mod team;

use crate::rule::Registered;
use crate::text::suggest::{self, Tolerance};

/// Every rule, family by family.
pub fn all() -> impl Iterator<Item = &'static Registered> {
    let squads = [
        sem::RULES,
        legacy::RULES,
        markdown::RULES,
        inbox::RULES,
        memory::RULES,
        roster::RULES,
        charter::RULES,
        bundle::RULES,
        session::RULES,
    ];
    let learning_teams = [team::RULES, learnings::RULES, reflection::RULES];
    let all = [security::RULES, guard::RULES, lint::RULES];
    squads.into_iter().chain(learning_teams).chain(all).flatten()
}

/// The rule of that name.
pub fn find(name: &str) -> Option<&'static Registered> {
    all().find(|registered| registered.rule.name == name)
}

/// The names of the families, in order.
pub fn families() -> Vec<&'static str> {
    let mut families: Vec<_> = all().map(Registered::family).collect();
    families.dedup();
    families
}

/// The rule or family that `name` was probably meant to be, also where it is a rule without its family.
pub fn nearest(name: &str) -> Option<&'static str> {
    let rules = || all().map(|registered| registered.rule.name);
    let bare = |rule: &'static str| rule.rsplit('/').next().unwrap_or(rule);
    let near = |known: Vec<&'static str>| suggest::nearest(name, known, Tolerance::Help);
    near(rules().chain(families()).collect()).or_else(|| {
        let near = near(rules().map(bare).collect())?;
        rules().find(|rule| bare(rule) == near)
    })
}
