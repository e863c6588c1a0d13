//! `team` as its users meet it, with the real program on real folders.
//!
//! - `team/prune.rs`: learnings come under their cap, and nothing is lost.
//! - `team/reflect.rs`: what a member returned goes where it belongs.
//! - `team/show.rs`: what a member is spawned with, and who says so.
//! - `team/transfer.rs`: members come and leave, and their learnings stay.
//! - `team/spawn.rs`: the command that spawns a member, run by real shells.
//! - `team/owners.rs`: who owns which file, in real repositories.

mod prune;
mod reflect;
mod show;
#[cfg(unix)]
mod spawn;

mod owners;
mod transfer;

use std::path::Path;
use std::process::Output;

use crate::support::squad_lint;

/// A team of two.
const TEAM: &str = "\
team: shop
description: \"A shop\"

defaults:
  budget: 0.75

members:
  - name: backend
    role: \"Server logic, it's theirs\"
    model: opus
    tools: [Read, Edit, \"Bash(git:*)\"]
    owns: [\"server/**\", \"*.sql\"]

  - name: frontend
    role: \"What people see\"
    tools: [Read]
    owns: [\"web/**\"]
";

fn team(folder: &Path, args: &[&str]) -> Output {
    squad_lint(folder).arg("team").args(args).output().unwrap()
}
