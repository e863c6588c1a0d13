//! What a brief is made for.

use super::about::About;
use crate::formats::timestamp::Timestamp;
use crate::memory::people::Agent;

/// What a brief is made for.
#[derive(Debug)]
pub struct Wish<'a> {
    /// Who reads it.
    pub agent: &'a Agent<'a>,
    /// The most tokens that it may have.
    pub budget: u64,
    /// The files at hand.
    pub about: &'a [About],
    /// The moment that dates are compared with.
    pub now: Timestamp,
}
