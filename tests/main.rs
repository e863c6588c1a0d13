//! All integration tests in one program: it links once, and its tests share one pool of threads.
//! `cargo test fix::` runs those of one file.

mod action;
mod bad_input;
mod catalogue;
mod change;
mod charter;
mod circles;
mod cli;
mod config;
mod convert;
mod docs;
mod fix;
mod git;
mod guard;
mod hooks;
mod install;
mod labelled;
mod links;
mod npm;
mod oracle;
mod packages;
mod progress;
mod properties;
mod report;
mod rules;
mod session;
mod shells;
mod state_branch;
mod stdin;
mod support;
mod suppressions;
mod team;
mod untrack;
mod words;
mod yaml;
