//! The catalogue: one family a module, one rule a file.

pub mod guard;
pub mod inbox;
pub mod learnings;
pub mod legacy;
pub mod lint;
pub mod markdown;
pub mod memory;
pub mod reflection;
pub mod security;
pub mod sem;
mod shell;
pub mod team;

use crate::rule::Registered;

/// Every rule, family by family.
pub fn all() -> impl Iterator<Item = &'static Registered> {
    let squads = [sem::RULES, legacy::RULES, markdown::RULES, inbox::RULES, memory::RULES];
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

/// The rule or family that `name` was probably meant to be.
pub fn nearest(name: &str) -> Option<&'static str> {
    // What is compared costs the product of both lengths.
    if name.len() > crate::text::suggest::WORD_MAX {
        return None;
    }
    let name = name.to_lowercase().replace('_', "-");
    let bare = |rule: &'static str| rule.rsplit('/').next().unwrap_or(rule);
    let candidates = all().map(|registered| registered.rule.name).chain(families());
    candidates
        .map(|candidate| {
            let distance = |to: &str| strsim::damerau_levenshtein(&name, to);
            // A rule named without its family is near, too.
            (distance(candidate).min(distance(bare(candidate))), candidate)
        })
        .min()
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .map(|(_, candidate)| candidate)
}
