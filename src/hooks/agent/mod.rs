//! `hook`: answers an event of a harness. An agent wrote state: here is what is wrong with it. An agent stops: here is what it
//! left behind.

pub mod answer;
mod arguments;
mod check;
mod event;
mod halves;
mod places;
mod record;
pub mod run;
mod shorten;
mod written;
