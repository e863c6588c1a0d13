//! Which files of the squad the texts of a bundle are from, so that a finding in the bundle names the file and the line to repair.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use bstr::ByteSlice;

use super::load::Loaded;
use crate::diagnostic::{Diagnostic, Note, NoteKind};
use crate::formats::json::{Places, literals, said, unquote};
use crate::outcome::Outcome;
use crate::text::{Source, Span};

/// What to do about a name that is not safe.
const RENAME: &str = "rename it, also in `team.md` and in the registry";

/// The files of a squad that are in a bundle, by their paths in the folder of the squad.
#[derive(Debug, Default)]
pub struct Origins {
    /// The folder of the squad, relative to the root.
    pub folder: &'static str,
    pub(super) files: BTreeMap<String, Origin>,
}

/// A file that is in a bundle, or a part of it.
#[derive(Debug)]
pub(super) struct Origin {
    /// Its text.
    pub(super) text: String,
    /// Where each line of what travels begins there, and in the file; nothing for JSON, which is written anew.
    pub(super) lines: Vec<(usize, usize)>,
}

impl Origin {
    /// All of `text` travels.
    pub(super) fn whole(text: &str) -> Self {
        Self { text: text.to_owned(), lines: vec![(0, 0)] }
    }

    /// What `text`, which is JSON, says travels.
    pub(super) fn json(text: &str) -> Self {
        Self { text: text.to_owned(), lines: Vec::new() }
    }

    /// The strings of the JSON by what they say; of those that say the same, the first one.
    fn strings(&self) -> HashMap<Cow<'_, str>, Span> {
        let mut strings = HashMap::new();
        for literal in literals(&self.text) {
            strings.entry(said(literal.of(&self.text))).or_insert(literal);
        }
        strings
    }

    fn place(&self, span: Span) -> Span {
        let of = |at: usize| {
            let line = self.lines.partition_point(|(inner, _)| *inner <= at).checked_sub(1);
            line.and_then(|line| self.lines.get(line)).map_or(at, |(inner, outer)| outer + (at - inner))
        };
        let start = of(span.start());
        // The end of a line is not the start of the next one, which can be far away.
        let end = if span.is_empty() { start } else { of(span.end() - 1) + 1 };
        Span::new(start, end.min(self.text.len()))
    }
}

/// A text of the bundle.
struct Part {
    /// Its JSON, with quotes.
    span: Span,
    /// The path of its file in the folder of the squad.
    path: String,
    /// Where its bytes are, as far as it is a text that has lines of its own.
    places: Option<Places>,
}

impl Origins {
    /// `outcome` of a check of the bundle `loaded`, with the files of the squad instead of it. There are no repairs: those are for the bundle.
    pub fn name(&self, outcome: Outcome, loaded: &Loaded) -> Outcome {
        if outcome.diagnostics.is_empty() {
            return outcome;
        }
        let parts = parts(loaded);
        let text = loaded.source.text();
        let strings: Vec<Span> = literals(text).collect();
        let (mut known, mut used) = (BTreeMap::new(), BTreeSet::new());
        let mut place = |span: Span| {
            let at = parts.partition_point(|part| part.span.start() <= span.start()).checked_sub(1);
            let part = at.and_then(|at| parts.get(at)).filter(|part| part.span.contains(span));
            let Some(part) = part else { return (self.folder.to_owned(), None) };
            let path = format!("{}/{}", self.folder, part.path);
            let string = || {
                let at = strings.partition_point(|string| string.start() <= span.start()).checked_sub(1)?;
                strings.get(at).copied().filter(|string| string.contains(span))
            };
            let origin = self.files.get(&part.path);
            let span = match &part.places {
                Some(places) => origin.map(|origin| origin.place(places.inner(span))),
                None => origin.zip(string()).and_then(|(origin, string)| {
                    let known = known.entry(part.path.as_str()).or_insert_with(|| origin.strings());
                    known.get(said(string.of(text)).as_ref()).copied()
                }),
            };
            if span.is_some() {
                used.insert(part.path.as_str());
            }
            (path, span)
        };
        let mut named = |found: Diagnostic| {
            let (path, span) = found.span.map_or_else(|| (self.folder.to_owned(), None), &mut place);
            let notes = match found.rule.name {
                // What else it says is about a bundle that someone else has made.
                "bundle/unsafe-name" => vec![Note { kind: NoteKind::Help, text: RENAME.to_owned() }],
                _ => found.notes,
            };
            let related = found.related.into_iter().filter_map(|mut related| {
                let (path, span) = place(related.span);
                (related.path, related.span) = (Some(path.into()), span?);
                Some(related)
            });
            // Rules count in what they look at, which is all of the bundle.
            let message = found.message.replace("more in this file)", "more in the bundle)");
            Diagnostic { path: path.into(), span, related: related.collect(), message, notes, fix: None, ..found }
        };
        let mut diagnostics: Vec<Diagnostic> = outcome.diagnostics.into_iter().map(&mut named).collect();
        diagnostics.sort_by(|one, other| (&one.path, one.span).cmp(&(&other.path, other.span)));
        let sources = used.into_iter().filter_map(|path| {
            let text = self.files.get(path)?.text.clone();
            Some(Arc::new(Source::new(format!("{}/{path}", self.folder), text.into_bytes())))
        });
        let mut sources: Vec<Arc<Source>> = sources.collect();
        sources.sort_by(|one, other| one.path().as_bytes().cmp(other.path().as_bytes()));
        Outcome { diagnostics, sources, ..outcome }
    }
}

/// The parts of the bundle `loaded`, in its order.
fn parts(loaded: &Loaded) -> Vec<Part> {
    let bundle = &loaded.bundle;
    let text = |span: Span, path: String| {
        let (_, places) = unquote(span.of(loaded.source.text()), span.start());
        Part { span, path, places: Some(places) }
    };
    let mut parts: Vec<Part> = Vec::new();
    for agent in &bundle.agents {
        let name = &agent.key.value;
        parts.push(Part { span: agent.key.span, path: format!("agents/{name}"), places: None });
        let files = [("charter.md", &agent.charter), ("history.md", &agent.history)];
        let files = files.into_iter().filter_map(|(file, string)| Some((file, string.as_ref()?)));
        parts.extend(files.map(|(file, string)| text(string.span, format!("agents/{name}/{file}"))));
    }
    parts.extend(bundle.files.iter().map(|file| text(file.text.span, file.name.to_owned())));
    let casting = bundle.casting.iter();
    parts.extend(casting.map(|member| Part {
        span: member.value,
        path: format!("casting/{}.json", member.key.value),
        places: None,
    }));
    parts.sort_by_key(|part| part.span.start());
    parts
}
