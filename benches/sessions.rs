//! A session of 5,000 files: `cargo bench --bench sessions`.
//!
//! The whole command, on one core, against granit-parser, which reads the same YAML and does nothing with it, in the same run. The bench
//! runs itself for the parser, so that both are processes that open the same files. Beside each ratio is the largest that is accepted.

#![allow(clippy::cast_precision_loss, reason = "ratios for people")]

mod support;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use granit_parser::Parser;
use support::monorepo::alone;
use support::{Cost, instructions, paired, run};

/// Each task has a plan, a progress update, a message and a lock.
const TASKS: usize = 1_250;
/// The CPU time of the whole command, as a multiple of that of the parser.
const CPU_AT_MOST: f64 = 5.0;
/// No plan is overdue and no lock has expired.
const NOW: &str = "2026-03-01T00:00:00+0000";
const SESSION: &str = ".squad/sessions/2026-02-28T22-00-00Z";

/// The option with which the bench calls itself to parse the files of a session.
const PARSE: &str = "--parse";

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, option, folder] = args.as_slice()
        && option == PARSE
    {
        return parse(Path::new(folder));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let session = folder.path().join(SESSION);
    write(&session);
    let mut ours = alone(env!("CARGO_BIN_EXE_squad-lint"), folder.path());
    ours.args(["--exit-zero", "--now", NOW]).env("RAYON_NUM_THREADS", "1");
    let mut theirs = Command::new(std::env::current_exe().expect("the bench's own path"));
    theirs.arg(PARSE).arg(&session);
    println!(
        "a session of {} files\n{:24}{:>10}{:>10}{:>9}{:>9}",
        4 * TASKS + 1,
        "",
        "ours",
        "parser",
        "ratio",
        "at most"
    );
    let row = |what: &str, ours: f64, theirs: f64, bar: &str| {
        println!("  {what:22}{ours:10.1}{theirs:10.1}{:9.2}{bar}", ours / theirs);
    };
    let bar = format!("{CPU_AT_MOST:9.2}");
    if let Some((ours, theirs)) = instructions(&ours).zip(instructions(&theirs)) {
        row("instructions, millions", ours / 1e6, theirs / 1e6, &bar);
    }
    let (ours, theirs) = paired(10, || run(&mut ours), || run(&mut theirs));
    let ms = |cost: &Cost| cost.cpu.as_secs_f64() * 1e3;
    row("CPU, ms", ms(&ours), ms(&theirs), &bar);
    row("wall, ms", ours.wall.as_secs_f64() * 1e3, theirs.wall.as_secs_f64() * 1e3, "");
}

/// Reads the YAML of all files below `folder`.
fn parse(folder: &Path) {
    for folder in [folder.to_path_buf(), folder.join("locks")] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_file() {
                let text = std::fs::read_to_string(path).expect("text");
                for event in Parser::new_from_str(&text) {
                    black_box(event.expect("YAML"));
                }
            }
        }
    }
}

/// Writes a session in which all is well.
fn write(session: &Path) {
    std::fs::create_dir_all(session.join("locks")).expect("a folder");
    let file = |name: String, text: &str| std::fs::write(session.join(name), text).expect("a file");
    let mut status = format!(
        "session_id: sess_1772316000_a1b2\nstarted_at: 2026-02-28T22:00:00Z\nstatus: active\nphase: implementation\n\
         tasks_total: {TASKS}\ntasks_completed: 0\nvalidation_gates:\n  requirements: passed\n  implementation: in_progress\nagents_active:\n"
    );
    for at in 0..TASKS {
        let (agent, other) = (format!("agent-{at}"), format!("agent-{}", (at + 1) % TASKS));
        let _ = writeln!(status, "  - {agent}");
        let requires = if at % 3 == 0 { String::new() } else { format!("    - task_{}\n", at - 1) };
        let blocks = if at % 3 == 2 || at + 1 == TASKS { String::new() } else { format!("    - task_{}\n", at + 1) };
        file(
            format!("role-plan-{agent}-task_{at}.md"),
            &format!(
                "# Task Assignment\nmeta:\n  task_id: task_{at}\n  agent: {agent}\n  created_at: 2026-02-28T23:30:00Z\n  priority: high\n  \
                 timeout: 36000  # seconds\n\ndependencies:\n  requires:\n{requires}  blocks:\n{blocks}\ninstruction: |\n  Create the part {at} \
                 with the following requirements:\n  - Support keyboard navigation (arrow keys, enter, escape)\n  - Filter options as user \
                 types\n  - Show loading state during async data fetch\n\nboundaries:\n  allowed:\n    - src/part{at}/**\n    - \
                 src/styles/part{at}.css\n    - docs/part{at}.md\n  forbidden:\n    - backend/**\n    - \"**/*.sql\"\n    - .env\n\noutputs:\n  \
                 component: src/part{at}/index.tsx\n  documentation: docs/part{at}.md\n\nsuccess_criteria:\n  - Component renders without \
                 errors\n  - Tests achieve 80% coverage\n"
            ),
        );
        file(
            format!("role-comm-{agent}-task_{at}.md"),
            &format!(
                "# Progress Update\nmeta:\n  task_id: task_{at}\n  agent: {agent}\n  updated_at: 2026-02-28T23:55:00Z\n\nstatus: \
                 in_progress\nprogress_percentage: 75\n\ncurrent_action: |\n  Implementing keyboard navigation handlers\n\ncompleted_steps:\n  - \
                 Created component structure\n  - Added TypeScript interfaces\n\nartifacts_created:\n  - path: src/part{at}/index.tsx\n    lines: \
                 186\n    status: draft\n\nvalidation_results:\n  typescript:\n    status: passing\n    errors: 0\n\ntime_spent: 180\ntokens_used: \
                 4500\n"
            ),
        );
        file(
            format!("role-comm-{agent}-to-{other}-{at}.md"),
            &format!(
                "# Inter-Agent Message\nmeta:\n  message_id: msg_{at}\n  from_agent: {agent}\n  to_agent: {other}\n  created_at: \
                 2026-02-28T23:56:00Z\n  priority: high\n\ntype: question\nsubject: API contract clarification needed\n\nmessage: |\n  The search \
                 endpoint has a parameter 'limit' but no 'offset'.\n\ncontext:\n  task_id: task_{at}\n\nresponse_needed: true\nresponse_by: \
                 2026-03-01T00:05:00Z\n"
            ),
        );
        file(
            format!("locks/index.tsx-{agent}-{at}.lock"),
            &format!(
                "file: src/part{at}/index.tsx\nlocked_by: {agent}\nlocked_at: 2026-02-28T23:59:00Z\nexpires_at: \
                 2026-03-01T00:01:00Z\ntask_id: task_{at}\noperation: modify\n"
            ),
        );
    }
    file("session-status.md".to_owned(), &status);
}
