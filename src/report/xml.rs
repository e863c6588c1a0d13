//! XML in which nothing from a file is more than text.

use std::borrow::Cow;
use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::escape::escape as escape_markup;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::name::QName;

use crate::terminal::{escape, without_log_commands};

/// Where XML is written.
pub type Xml<'a> = Writer<&'a mut dyn Write>;

/// Writes a document whose elements `fill` writes, and a line end.
///
/// # Errors
/// What the writer says.
pub fn document(out: &mut dyn Write, fill: impl FnOnce(&mut Xml<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    fill(&mut xml)?;
    writeln!(xml.get_mut())
}

/// An attribute with a value from anywhere.
pub fn attribute<'a>(name: &'a str, value: &str) -> Attribute<'a> {
    Attribute { key: QName(name), value: Cow::Owned(text(value)) }
}

/// The content of an element, line by line, from anywhere.
pub fn content<'a>(lines: impl IntoIterator<Item = &'a str>) -> BytesText<'static> {
    BytesText::from_escaped(lines.into_iter().map(text).collect::<Vec<_>>().join("\n"))
}

/// One line of XML or HTML without markup, without commands to the log of a build, and without characters that XML 1.0 cannot hold.
pub fn text(text: &str) -> String {
    // What is left of them when control characters are gone.
    let text = escape(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    without_log_commands(&escape_markup(text), "&#91;").into_owned()
}
