//! Charters in the canonical form of their profile.

use std::sync::Arc;

use super::{Changed, Row};
use crate::convert::Confidence;
use crate::document::Document;
use crate::formats::charter::canonical::{Obstacle, canonical};
use crate::formats::charter::{Charter, PROFILE};

/// Why a charter stays as it is that is not text.
const NOT_UTF8: &str = "the charter is not UTF-8";

/// What becomes of the charters among `documents`: of all of them if the team follows the profile, else of those that are named on
/// the command line. One that has its canonical form already is left out; how many do is the other value.
pub fn convert(documents: &[Arc<Document>], has_profile: bool) -> (Vec<Changed>, usize) {
    let is_wanted = |document: &&Arc<Document>| document.file.checked && (has_profile || document.file.named);
    let charters =
        documents.iter().filter(is_wanted).filter_map(|document| Some((document, document.body::<Charter>()?)));
    let all: Vec<Option<Changed>> = charters.map(|(document, charter)| changed(document, charter)).collect();
    let canonical = all.iter().filter(|changed| changed.is_none()).count();
    (all.into_iter().flatten().collect(), canonical)
}

fn changed(document: &Document, charter: &Charter) -> Option<Changed> {
    let text = document.text();
    let (new, obstacle) = match canonical(text, charter) {
        Ok(new) => (Some(new?), NOT_UTF8),
        Err(obstacle) => (None, Obstacle::as_str(obstacle)),
    };
    let new = new.filter(|_| document.source.invalid().is_empty());
    let title = |text: &str, charter: &Charter| charter.title().map(|title| title.line.of(text).to_owned());
    let header = new.as_ref().map(|new| title(new, &Charter::parse(new)).unwrap_or_default());
    let reason = match &new {
        Some(_) => format!("canonical form of `{PROFILE}`"),
        None => obstacle.to_owned(),
    };
    let row = Row {
        path: document.path().to_owned(),
        noun: "Charter",
        line: charter.problems.first().map_or(1, |problem| problem.line),
        heading: title(text, charter).unwrap_or_default(),
        confidence: if new.is_some() { Confidence::High } else { Confidence::Low },
        reasons: vec![reason],
        obstacle,
        header,
        failure: None,
    };
    let old = document.source.bytes().to_vec();
    Some(Changed {
        path: document.path().to_owned(),
        old,
        new: new.map(String::into_bytes),
        rows: vec![row],
        merges_by_union: false,
    })
}
