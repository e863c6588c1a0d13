//! Running sessions of a team: the locks of its agents, how far it is, and what is left of it. See `docs/sessions.md`.

pub mod clean;
pub mod clock;
pub mod folder;
pub mod graph;
pub mod locks;
pub mod read;
pub mod status;
pub mod tasks;

/// As much of `line` as fits so many columns.
fn cut(line: &str, columns: usize) -> String {
    // Signs from here on are about twice as wide as letters.
    let width =
        |c: char| if u32::from(c) >= 0x1100 && c != '…' && !('\u{2500}'..'\u{2580}').contains(&c) { 2 } else { 1 };
    if line.chars().map(width).sum::<usize>() <= columns {
        return line.to_owned();
    }
    let mut used = 0;
    let fits = line.chars().take_while(|c| {
        used += width(*c);
        used < columns
    });
    fits.chain(['…']).collect()
}
