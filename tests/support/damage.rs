//! Files of entries that are broken in many ways at once: the defects of [`super::defects`], several in a file, and changes
//! of single lines as editors, merges and agents make them. No lone carriage returns: they end a line in CommonMark, and not
//! for the reference parser.
#![allow(dead_code, reason = "each test file uses a part of it")]

use super::defects::DEFECTS;
use super::sample::{Rng, Sample};

/// The text of a file of one to five of `samples`, damaged.
pub fn file(rng: &mut Rng, samples: &[Sample]) -> String {
    let mut text = if rng.once_in(3) { String::new() } else { "# Team Decisions\n\n".to_owned() };
    for _ in 0..=rng.below(5) {
        let mut sample = samples[rng.below(samples.len())].clone();
        if rng.once_in(12) {
            sample.details = String::from("Short.");
        }
        text.push_str(&entry(rng, &sample));
    }
    for _ in 0..[0, 0, 1, 2, 4][rng.below(5)] {
        text = line_by_line(rng, &text);
    }
    match rng.below(8) {
        0 | 1 => text = text.replace('\n', "\r\n"),
        // As a merge of files with both kinds of line ends leaves it.
        2 => text = of_lines(&text, |line| if rng.once_in(3) { format!("{line}\r\n") } else { format!("{line}\n") }),
        // What an editor takes away at the ends of lines, or leaves there.
        3 => text = of_lines(&text, |line| format!("{}\n", line.trim_end())),
        4 => text = of_lines(&text, |line| if rng.once_in(5) { format!("{line} \t\n") } else { format!("{line}\n") }),
        _ => {}
    }
    if rng.once_in(10) {
        text = format!("\u{feff}{text}");
    }
    if rng.once_in(10) {
        text.truncate(text.trim_end().len());
    }
    text
}

/// `text` with each of its lines, without its end, as `change` makes it.
fn of_lines(text: &str, change: impl FnMut(&str) -> String) -> String {
    text.split_terminator('\n').map(change).collect()
}

/// An entry with some defects.
pub fn entry(rng: &mut Rng, sample: &Sample) -> String {
    let mut text = sample.print();
    for _ in 0..rng.below(4) {
        if rng.once_in(2) {
            DEFECTS[rng.below(DEFECTS.len())].damage(sample, &mut text);
        } else {
            let (old, new) = HABITS[rng.below(HABITS.len())];
            text = text.replacen(old, new, 1 + rng.below(3));
        }
    }
    if rng.once_in(15) {
        text = text.repeat(2);
    }
    text
}

/// What people and agents write instead, and what editors make of it.
const HABITS: &[(&str, &str)] = &[
    ("  \n", "\n"),
    ("**type:**", "**Type:**"),
    ("**timestamp:**", "- **timestamp**:"),
    ("**summary:**", "**Summary:**"),
    ("**details:**", "  **details:**"),
    ("**details:**\n\n", "**details:**\n"),
    ("**details:**\n\n", "**details:** "),
    ("**rationale:** ", "**Rationale:**"),
    ("**related:**", "**Related**:"),
    ("**author:**", "**By:**"),
    ("**author:**", "*author:*"),
    ("**type:** decision", "**type:** Decision"),
    ("**type:** memory  \n", ""),
    ("**timestamp:** ", "**at:** "),
    (": decision: ", ": Decision: "),
    (": note: ", ": NOTE: "),
    (": memory: ", ": Memory: "),
    ("-0800", "-08:00"),
    ("-0800", " -0800"),
    ("T", " "),
    ("\n---\n", "\n"),
    ("\n\n---\n", "\n---\n"),
    ("---\n", "***\n"),
    ("---\n", "----\n"),
    ("memory, format", "memory,format , memory"),
    ("memory, format", ",memory,"),
    ("memory, format", ","),
    ("**scope:** team", "**scope:** Team"),
    ("**scope:** team", "**scope:** agent: Keaton"),
    ("- proposal: 024", "* Proposal: 024"),
    ("- proposal: 024", "proposal: 024"),
    ("**related:**\n- proposal: 024", "**related:** proposal: 024"),
    ("- issue: #18", "- **issue:** #18\n- decision: 2026-02-10T09:15:00Z"),
    ("- issue: #18", "- issue: #18, pr: #42"),
    ("**scope:** team  \n", "**scope:** team  \n**scope:** team  \n"),
    ("**scope:** team  \n", "**scope:** team  \n**scope:** project  \n**scope:** team  \n"),
    ("**author:**", "**Author:** somebody else  \n**author:**"),
    ("**author:**", "**contributors:** a, b  \n**author:**"),
    ("### ", "## "),
    ("\n\n**type:**", "\n**type:**"),
    ("\n\n**type:**", "\n\nA word before the fields.\n\n**type:**"),
    ("\n\n**type:**", "\n\n**auther:** x  \n**type:**"),
    ("**author:**", "**athor:**"),
    ("**scope:**", "**scop:**"),
    ("**tags:**", "**tag:**"),
    ("**summary:**", "**sumary:**"),
    ("**timestamp:**", "**timestap:**"),
    ("**type:**", "**tpye:**"),
    ("**details:**", "**detail:**"),
    (": decision: ", ": descision: "),
    (": decision: ", ": dicision: "),
    ("**type:** decision", "**type:** decison"),
    ("**type:** note", "**type:** notes"),
    ("**type:** ", "**type:** `"),
    ("**summary:** ", "**summary:**\u{a0}"),
    ("**summary:** ", "**summary:**\n"),
    ("**author:** ", "**author:** \u{200b}"),
    (":** ", ":**"),
    (":** ", ":**   "),
    ("**", "__"),
    ("  \n**", " <br>\n**"),
    ("  \n**", "\\\n**"),
    ("  \n**", "\n\n**"),
    ("  \n**", "\n> **"),
    ("\n**", "\n  - **"),
    ("-0800", "-0700"),
    ("-0800", "-8:00"),
    ("-0800", ""),
    ("-0800", "Z"),
    ("-0800", ".123-0800"),
    ("### ", "###  "),
    ("### ", "###"),
    ("### ", "# "),
    ("### ", "#### "),
    ("\n---\n", "\n\n\n---\n\n\n"),
    ("\n---\n", "\n---\n---\n"),
    ("\n---\n", "\n- - -\n"),
    ("\n---\n", "\n --- \n"),
    ("**details:**\n\n", "**details:**\n\n### A heading\n\n"),
    ("**details:**\n\n", "**details:**\n\n```\n**author:** nobody\n---\n```\n\n"),
    ("**details:**\n\n", "**details:**\n\n---\n\n"),
    ("**rationale:** ", "**rationale:**\n\n- **Type:** a list\n- **Author:** in it\n\n"),
];

/// One line changed, lost, doubled or moved.
fn line_by_line(rng: &mut Rng, text: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if lines.len() < 3 {
        return text.to_owned();
    }
    // The lines that are not blank are more worth it.
    let at = (0..5).map(|_| rng.below(lines.len())).find(|&at| !lines[at].trim().is_empty()).unwrap_or(0);
    let line = lines[at].clone();
    match rng.below(12) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, line),
        2 => {
            let to = rng.below(lines.len());
            lines.swap(at, to);
        }
        3 => lines[at] = format!("{}{line}", rng.pick(&[" ", "    ", "\t", "- ", "> ", "> - ", "1. ", "* "])),
        4 => lines[at] = String::from(line.trim_end_matches(['\n', ' '])),
        5 => lines[at] = format!("{}\n", line.trim()),
        6 => lines.insert(
            at,
            format!("{}\n", rng.pick(&["---", "```", "~~~", "***", "<!--", "-->", "", "<<<<<<< ours", "==="])),
        ),
        7 => {
            let chars: Vec<char> = line.chars().collect();
            let cut = rng.below(chars.len());
            lines[at] = chars.iter().enumerate().filter(|(index, _)| *index != cut).map(|(_, c)| c).collect();
        }
        8 => {
            let mut chars: Vec<char> = line.chars().collect();
            chars.insert(
                rng.below(chars.len()),
                rng.pick(&["*", ":", " ", "#", "-", "\t", "\u{feff}", "é"]).chars().next().unwrap(),
            );
            lines[at] = chars.into_iter().collect();
        }
        9 => {
            let from = rng.below(lines.len());
            let to = (from + 1 + rng.below(6)).min(lines.len());
            lines.drain(from..to);
        }
        10 => {
            let from = rng.below(lines.len());
            let part: Vec<String> = lines[from..(from + 1 + rng.below(12)).min(lines.len())].to_vec();
            lines.splice(at..at, part);
        }
        _ => lines[at] = if rng.once_in(2) { line.to_lowercase() } else { line.to_uppercase() },
    }
    lines.concat()
}
