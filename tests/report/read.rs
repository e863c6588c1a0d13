//! The reports of one run, read as their readers do.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use squad_lint::report::Format;

use crate::support::{NOW, squad_lint, stderr};

/// Every format but the main one, which is JSON.
fn others() -> impl Iterator<Item = &'static str> {
    Format::all().iter().map(|format| format.name).filter(|name| *name != "json")
}

/// What one run in `folder` writes, by format.
pub fn reports(folder: &Path, args: &[&str]) -> BTreeMap<&'static str, String> {
    let out = tempfile::tempdir().unwrap();
    let mut program = squad_lint(folder);
    for format in others() {
        let mut value = std::ffi::OsString::from(format!("{format}="));
        value.push(out.path().join(format));
        program.arg("--report").arg(value);
    }
    let output = program.args(["--format", "json", "--now", NOW]).args(args).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2) || !output.stdout.is_empty(), "{}", stderr(&output));
    let written = others().map(|format| (format, fs::read(out.path().join(format)).unwrap()));
    let all = written.chain([("json", output.stdout)]);
    all.map(|(format, bytes)| (format, String::from_utf8(bytes).unwrap())).collect()
}

/// The findings of the JSON output.
pub fn diagnostics(reports: &BTreeMap<&str, String>) -> Vec<Value> {
    json(&reports["json"])["diagnostics"].as_array().unwrap().clone()
}

/// The value of a JSON text.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// An element of an XML document.
#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    /// Itself and everything in it.
    pub fn all(&self) -> Vec<&Element> {
        std::iter::once(self).chain(self.children.iter().flat_map(Element::all)).collect()
    }
}

/// The document's element.
pub fn xml(text: &str) -> Element {
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), "{text}");
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(allowed), "a character that XML 1.0 cannot hold: {text:?}");
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        let event = reader.read_event().unwrap_or_else(|error| panic!("{error}: {text}"));
        match event {
            Event::Start(start) => open.push(element(&start)),
            Event::Empty(start) => open.last_mut().unwrap().children.push(element(&start)),
            Event::End(_) => {
                let done = open.pop().unwrap();
                open.last_mut().unwrap().children.push(done);
            }
            Event::Text(text) => open.last_mut().unwrap().text.push_str(&text.xml10_content()),
            Event::GeneralRef(name) => {
                let name = name.xml10_content();
                let c = name.strip_prefix('#').map(|number| char::from_u32(number.parse().unwrap()).unwrap());
                let c =
                    c.map_or_else(|| quick_xml::escape::resolve_xml_entity(&name).unwrap().to_owned(), String::from);
                open.last_mut().unwrap().text.push_str(&c);
            }
            Event::Decl(_) => {}
            Event::Eof => break,
            other => panic!("{other:?} in {text}"),
        }
    }
    assert_eq!(open.len(), 1, "{text}");
    open.pop().unwrap().children.pop().unwrap()
}

fn element(start: &quick_xml::events::BytesStart<'_>) -> Element {
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.unwrap();
        let value = quick_xml::escape::unescape(&attribute.value).unwrap().into_owned();
        (attribute.key.as_ref().to_owned(), value)
    });
    Element { attributes: attributes.collect(), name: start.name().as_ref().to_owned(), ..Element::default() }
}

/// A workflow command as the runner reads it.
#[derive(Debug)]
pub struct Command {
    pub name: String,
    pub properties: BTreeMap<String, String>,
    pub data: String,
}

/// What the runner makes of a line, from its source: `None` where it is just a line.
pub fn command(line: &str) -> Option<Command> {
    let unescape = |text: &str, more: &[(&str, &str)]| {
        let escapes = [("%0D", "\r"), ("%0A", "\n")];
        let mut text = text.to_owned();
        for (from, to) in escapes.iter().chain(more).chain(&[("%25", "%")]) {
            text = text.replace(from, to);
        }
        text
    };
    if let Some(rest) = line.trim_start().strip_prefix("::")
        && let Some((info, data)) = rest.split_once("::")
    {
        let (name, list) = info.split_once(' ').unwrap_or((info, ""));
        let pairs = list.trim().split(',').filter_map(|pair| pair.split_once('='));
        let pairs = pairs.map(|(key, value)| (key.to_owned(), unescape(value, &[("%3A", ":"), ("%2C", ",")])));
        return Some(Command { name: name.to_owned(), properties: pairs.collect(), data: unescape(data, &[]) });
    }
    let (_, rest) = line.split_once("##[")?;
    let (info, data) = rest.split_once(']')?;
    let name = info.split(' ').next()?;
    Some(Command { name: name.to_owned(), properties: BTreeMap::new(), data: data.to_owned() })
}
