//! Charts as SVG that takes its colours from the page around it.

use std::fmt::Write as _;

use super::text::in_number;
use super::{Counts, Growth};
use crate::formats::learnings::Date;
use crate::report::xml::text;

/// The size of a chart, in the units of its view.
const WIDTH: usize = 720;
const HEIGHT: usize = 220;
/// The room for words at the left, and below.
const LEFT: usize = 72;
const BOTTOM: usize = 24;

/// A column for each week, with a part for each type.
pub(super) fn weeks(weeks: &[(Date, Counts)], name: &str) -> String {
    let most = weeks.iter().map(|(_, counts)| counts.total()).max().unwrap_or(0).max(1);
    let (room, height) = (WIDTH - LEFT, HEIGHT - BOTTOM - 8);
    let step = room / weeks.len().max(1);
    let mut svg = open(name);
    axis(&mut svg, &most.to_string());
    for (at, (monday, counts)) in weeks.iter().enumerate() {
        let x = LEFT + at * step;
        let mut top = HEIGHT - BOTTOM;
        for (place, (kind, count)) in counts.named().enumerate().filter(|(_, (_, count))| *count > 0) {
            let tall = (count * height).div_ceil(most).min(top);
            top -= tall;
            let wide = step.saturating_sub(2).max(1);
            let _ = write!(
                svg,
                "<rect class=\"t{place}\" x=\"{x}\" y=\"{top}\" width=\"{wide}\" height=\"{tall}\"><title>{monday}: {count} \
                 {}</title></rect>",
                in_number(kind, count)
            );
        }
    }
    let days: Vec<Date> = weeks.iter().map(|(monday, _)| *monday).collect();
    ends(&mut svg, &days, LEFT + weeks.len() * step);
    close(svg)
}

/// A line for each file.
pub(super) fn growth(files: &[&Growth], name: &str) -> String {
    let points = || files.iter().flat_map(|file| &file.history);
    let most = points().map(|(_, bytes)| *bytes).max().unwrap_or(0).max(1);
    let mut days: Vec<Date> = points().map(|(day, _)| *day).collect();
    days.sort_unstable();
    days.dedup();
    let (room, height) = (WIDTH - LEFT - 8, u64::try_from(HEIGHT - BOTTOM - 8).unwrap_or(0));
    let x = |day: &Date| {
        let place = days.binary_search(day).unwrap_or(0);
        LEFT + (place * room) / days.len().saturating_sub(1).max(1)
    };
    let mut svg = open(name);
    axis(&mut svg, &format!("{} KB", most.div_ceil(1_000)));
    for (number, file) in files.iter().enumerate() {
        let line: Vec<String> = file
            .history
            .iter()
            .map(|(day, bytes)| format!("{},{}", x(day), (HEIGHT - BOTTOM) as u64 - bytes * height / most))
            .collect();
        let _ = write!(
            svg,
            "<polyline class=\"l{}\" points=\"{}\"><title>{}</title></polyline>",
            number % 8,
            line.join(" "),
            text(&file.path.to_string())
        );
    }
    ends(&mut svg, &days, days.last().map_or(LEFT, x));
    close(svg)
}

fn open(name: &str) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">", text(name))
}

fn axis(svg: &mut String, most: &str) {
    let (right, bottom, top) = (WIDTH, HEIGHT - BOTTOM, 8);
    let _ = write!(
        svg,
        "<line x1=\"{LEFT}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{bottom}\"/><line x1=\"{LEFT}\" y1=\"{top}\" x2=\"{right}\" \
         y2=\"{top}\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text x=\"{}\" y=\"{bottom}\" \
         text-anchor=\"end\">0</text>",
        LEFT - 6,
        top + 10,
        text(most),
        LEFT - 6
    );
}

/// The first and the last of `days`, which is at `right`, below the axis.
fn ends(svg: &mut String, days: &[Date], right: usize) {
    let all = [(days.first(), LEFT, "start"), (days.last().filter(|_| days.len() > 1), right, "end")];
    for (day, x, anchor) in all {
        let Some(day) = day else { continue };
        let _ = write!(svg, "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\">{day}</text>", HEIGHT - 4);
    }
}

fn close(mut svg: String) -> String {
    svg.push_str("</svg>\n");
    svg
}
