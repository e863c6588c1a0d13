//! The memory of a team as something that is asked: its entries in every format, filters over them, and what they add up to.

pub mod brief;
pub mod glance;
pub mod health;
pub mod list;
pub mod order;
pub mod people;
pub mod query;
pub mod record;
pub mod records;
pub mod section;
pub mod show;
pub mod stats;
