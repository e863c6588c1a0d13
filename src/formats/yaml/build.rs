//! The tree, from the parser's events.

use std::borrow::Cow;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle, Tag, options};

use super::{Anchor, MAX_DEPTH, MAX_NODES, Node, Value, Yaml, YamlError, error, scalar};
use crate::text::Span;

/// Reads `text`.
pub(super) fn parse(text: &str) -> Yaml {
    let mut builder = Builder { text, open: Vec::new(), root: None, nodes: 0 };
    match error::unprintable(text).map_or_else(|| builder.read(), Err) {
        Ok(second) => Yaml { root: builder.root, error: None, second },
        Err(error) => Yaml { root: None, error: Some(error), second: None },
    }
}

/// A list or mapping that is not at its end.
struct Open {
    start: usize,
    style: StructureStyle,
    anchor: Option<Anchor>,
    inner: Inner,
}

enum Inner {
    Sequence(Vec<Node>),
    /// The pairs, and the key whose value is still to come.
    Mapping(Vec<(Node, Node)>, Option<Node>),
}

struct Builder<'a> {
    text: &'a str,
    open: Vec<Open>,
    root: Option<Node>,
    nodes: usize,
}

impl Builder<'_> {
    /// All events; where a second document begins.
    fn read(&mut self) -> Result<Option<Span>, YamlError> {
        let options = options! {
            emit_unresolved_aliases: true,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        let mut documents = 0;
        let mut second = None;
        for event in Parser::new_from_str_with_options(self.text, options) {
            let (event, place) = event.map_err(|error| error::described(self.text, &error))?;
            let place = place.byte_range().unwrap_or_default();
            let place = Span::new(place.start, place.end);
            match event {
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents == 2 {
                        second = Some(place);
                    }
                }
                // Of later documents only the syntax counts.
                Event::UnresolvedAlias(name) => {
                    let message = format!("unknown anchor `{name}`");
                    return Err(YamlError { span: place, message, help: error::QUOTE_STAR });
                }
                _ if documents > 1 => {}
                event => self.take(event, place)?,
            }
        }
        Ok(second)
    }

    fn take(&mut self, event: Event<'_>, place: Span) -> Result<(), YamlError> {
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                let span = match style {
                    ScalarStyle::Literal | ScalarStyle::Folded => place.trim(self.text),
                    _ => place,
                };
                let value = resolve(value, style, span.is_empty(), tag.as_deref());
                self.put(Node { span, value, anchor: named(anchor) })
            }
            Event::Alias(anchor) => self.put(Node { span: place, value: Value::Alias(Anchor(anchor)), anchor: None }),
            Event::SequenceStart(style, anchor, _) => {
                let inner = Inner::Sequence(Vec::new());
                self.open.push(Open { start: place.start(), style, anchor: named(anchor), inner });
                Ok(())
            }
            Event::MappingStart(style, anchor, _) => {
                let inner = Inner::Mapping(Vec::new(), None);
                self.open.push(Open { start: place.start(), style, anchor: named(anchor), inner });
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(place),
            _ => Ok(()),
        }
    }

    fn close(&mut self, end: Span) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let (value, last) = match open.inner {
            Inner::Sequence(items) => {
                let last = items.last().map(|item| item.span);
                (Value::Sequence(items), last)
            }
            Inner::Mapping(pairs, _) => {
                let last = pairs.last().map(|(key, value)| key.span.to(value.span));
                (Value::Mapping(pairs), last)
            }
        };
        // What has no bracket ends with its last item; the parser's end is where the next thing begins.
        let (start, end) = match (open.style, last) {
            (StructureStyle::Block, Some(last)) => (open.start.min(last.start()), last.end()),
            _ => (open.start, end.end()),
        };
        self.put(Node { span: Span::new(start, end), value, anchor: open.anchor })
    }

    /// `node` into what is open.
    fn put(&mut self, node: Node) -> Result<(), YamlError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("file has more than {MAX_NODES} values");
            return Err(YamlError { span: node.span, message, help: "split the file" });
        }
        match self.open.last_mut().map(|open| &mut open.inner) {
            None => self.root = Some(node),
            Some(Inner::Sequence(items)) => items.push(node),
            Some(Inner::Mapping(pairs, key)) => match key.take() {
                None => *key = Some(node),
                Some(key) => pairs.push((key, node)),
            },
        }
        Ok(())
    }
}

fn named(anchor: usize) -> Option<Anchor> {
    (anchor != 0).then_some(Anchor(anchor))
}

/// What a scalar is: its style decides, unless a tag does.
fn resolve(value: Cow<'_, str>, style: ScalarStyle, nothing: bool, tag: Option<&Tag>) -> Value {
    match tag {
        Some(tag) if matches!(tag.core_suffix(), Some("null" | "bool" | "int" | "float")) => scalar::plain(&value),
        Some(_) if nothing => Value::String(String::new()),
        None if style == ScalarStyle::Plain => scalar::plain(&value),
        _ => Value::String(value.into_owned()),
    }
}
