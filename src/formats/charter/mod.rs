//! A charter, which says who one agent is and what it does: the profile `squad-charter/v0.1`. See `docs/formats/charters.md`.
//!
//! The profile reads lines, not a tree of Markdown. [`Charter::parse`] finds titles, sections and fields, [`validate`] what is
//! wrong with them, [`verdict`] what the profile says about the file, and [`canonical`] writes it in the form of the profile.

pub mod canonical;
mod model;
pub mod problem;
mod scan;
pub mod section;
#[cfg(test)]
mod tests;
pub mod validate;
pub mod verdict;

pub use model::{Charter, Field, Heading, PROFILE, Section, id_in_path, title_parts};
pub use problem::{Code, Problem};

impl Charter {
    /// Reads `text`. No text is an error: what is wrong is in [`Charter::problems`].
    pub fn parse(text: &str) -> Self {
        let mut charter = scan::scan(text);
        charter.problems = validate::problems(text, &charter);
        charter
    }
}
