//! Texts and places in them, and what two texts have in common.

pub mod any_case;
pub mod conflict;
pub mod control;
pub mod email;
pub mod escapes;
pub mod hidden;
pub mod mask;
pub mod mojibake;
pub mod prose;
pub mod secret;
pub mod shingles;
pub mod similarity;
pub mod source;
pub mod span;
pub mod suggest;
pub mod tokens;
pub mod words;

pub use prose::enumerated;
pub use source::{ColumnUnit, Gap, MAX_BYTES, Position, Source, bom_len, is_utf16, line_end, line_ending, lines};
pub use span::Span;
