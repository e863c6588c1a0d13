//! One pure parser per format. A parser takes text and gives spans into it; it knows no file system, no git, no rule.

pub mod entries;
pub mod label;
pub mod legacy;
pub mod markdown;
pub mod npm;
pub mod package;
pub mod roster;
pub mod sem;
pub mod timestamp;
