use proptest::prelude::*;

use super::*;
use crate::text::Span;

fn root(text: &str) -> Node {
    let yaml = Yaml::parse(text);
    assert_eq!(yaml.error, None, "{text:?}");
    yaml.root.unwrap_or_else(|| panic!("{text:?} has no document"))
}

/// The spans of all nodes, as text.
fn spans(text: &str) -> Vec<String> {
    root(text).walk().map(|node| node.span.of(text).to_owned()).collect()
}

/// Where and why `text` is not YAML.
fn error(text: &str) -> (usize, String) {
    let yaml = Yaml::parse(text);
    assert_eq!(yaml.root, None, "{text:?}");
    let error = yaml.error.unwrap_or_else(|| panic!("{text:?} is YAML"));
    (error.span.start(), error.message)
}

#[test]
fn spans_are_bytes_and_hold_what_is_written() {
    let text = "\u{feff}a: é # c\r\nlist:\r\n  - x\r\n  - 'y'\r\n\r\n# c\r\nmap: {k: [v, ], }\r\nnone:\r\n";
    let expected = [
        "a: é # c\r\nlist:\r\n  - x\r\n  - 'y'\r\n\r\n# c\r\nmap: {k: [v, ], }\r\nnone",
        "a",
        "é",
        "list",
        "- x\r\n  - 'y'",
        "x",
        "'y'",
        "map",
        "{k: [v, ], }",
        "k",
        "[v, ]",
        "v",
        "none",
        "",
    ];
    assert_eq!(spans(text), expected);
}

#[test]
fn blocks_of_text_end_with_their_text() {
    let text = "a: |\n  one\n  two\n\n\nb: >-\n  three\n";
    assert_eq!(spans(text), ["a: |\n  one\n  two\n\n\nb: >-\n  three", "a", "one\n  two", "b", "three"]);
    let root = root(text);
    let values: Vec<_> = root.pairs().into_iter().flatten().filter_map(|(_, value)| value.as_str()).collect();
    assert_eq!(values, ["one\ntwo\n", "three"]);
}

#[test]
fn keys_that_stand_twice_are_kept_and_found() {
    let text = "a: 1\nb: 2\n'a': 3\n1: x\n0x1: y\n\"1\": z\n? [c]\n: 1\n? [c]\n: 2\n";
    let root = root(text);
    assert_eq!(root.pairs().map(<[_]>::len), Some(8));
    let found: Vec<_> = root.duplicate_keys().into_iter().map(|(a, b)| (a.of(text), b.of(text))).collect();
    assert_eq!(found, [("a", "'a'"), ("1", "0x1")]);
}

#[test]
fn quotes_and_tags_say_that_it_is_text() {
    let root = root("- '5'\n- !!str 5\n- !x yes\n- ! 5\n- !!int '5'\n- !!str\n- ~\n- no\n- true\n");
    let kinds: Vec<_> = root.items().into_iter().flatten().map(Node::kind).collect();
    assert_eq!(kinds, ["text", "text", "text", "text", "a number", "text", "nothing", "text", "a boolean"]);
}

#[test]
fn aliases_stay_what_they_are() {
    let text = "a: &x [1]\nb: *x\nc: &x 2\nd: *x\n";
    let root = root(text);
    let anchors = Anchors::of(&root);
    let ends: Vec<_> = root.pairs().into_iter().flatten().filter_map(|(_, value)| anchors.resolve(value)).collect();
    assert_eq!(ends.iter().map(|node| node.span.of(text)).collect::<Vec<_>>(), ["[1]", "[1]", "2", "2"]);
    assert!(ends.iter().all(|node| anchors.is_aliased(node)));
}

#[test]
fn an_anchor_bomb_is_as_large_as_its_text() {
    let level = |level: usize| format!("a{level}: &a{level} [*a{0}, *a{0}, *a{0}]\n", level - 1);
    let text = format!("a0: &a0 [x, x]\n{}", (1..60).map(level).collect::<String>());
    assert_eq!(root(&text).walk().count(), 1 + 4 + 59 * 5);
}

#[test]
fn nothing_is_no_document() {
    for text in ["", "\n\n", "# only a comment\n", "\u{feff}", "\r\n"] {
        assert_eq!(Yaml::parse(text), Yaml::default(), "{text:?}");
    }
    assert_eq!(root("---\n...\n").value, Value::Null);
    assert_eq!(root("- a\n").items().map(<[_]>::len), Some(1));
}

#[test]
fn only_the_first_document_counts() {
    let text = "a: 1\n---\nb: &x 2\n---\nc: 3\n";
    let yaml = Yaml::parse(text);
    assert_eq!((yaml.second, yaml.error), (Some(Span::new(5, 8)), None));
    assert_eq!(yaml.root.map(|root| root.walk().count()), Some(3));
    assert_eq!(Yaml::parse("---\na: 1\n...\n").second, None);
    assert_eq!(error("a: &x 1\n---\nb: *x\n").0, 15);
}

#[test]
fn errors_stand_where_they_are_noticed() {
    let starts = [
        ("a:\n\t- b\n", 3, "found a tab, expected spaces"),
        ("a: b\n\tc: d\n", 5, "found a tab, expected spaces"),
        ("a: \0b\n", 3, "found the character U+0000, which YAML does not allow"),
        ("a: \u{7f}\n", 3, "found the character U+007F, which YAML does not allow"),
        ("é: \u{80}\n", 4, "found the character U+0080, which YAML does not allow"),
        ("a: b: c\n", 4, "found `:` where no key is allowed (text that contains `: ` needs quotes)"),
        ("a: @b\n", 3, "`@` cannot begin a value without quotes"),
        ("a: `b`\n", 3, "``` cannot begin a value without quotes"),
        ("a: [x]]\n", 6, "closing bracket matches no opening bracket"),
        ("a: 'it's'\n", 7, "found text after the closing quote"),
        ("b: *x\n", 3, "unknown anchor `x`"),
        ("a: [b\n", 3, "`[` is never closed"),
    ];
    for (text, at, message) in starts {
        assert_eq!(error(text), (at, message.to_owned()), "{text:?}");
    }
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |open: &str, depth: usize| open.repeat(depth);
    for open in ["[", "{a: ", "- ", "? "] {
        let text = nested(open, 100_000);
        assert!(error(&text).1.contains("more than 64"), "{open:?}: {:?}", error(&text));
    }
    let long = "- x\n".repeat(MAX_NODES + 1);
    assert_eq!(error(&long).1, "file has more than 1000000 values");
}

/// Pieces that make YAML, or nearly.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b: ",
        "key:\n",
        "  ",
        "\n",
        "\r\n",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "'",
        "\"",
        "|\n",
        ">-\n",
        "# c\n",
        "&x ",
        "*x",
        "!t ",
        "!!str ",
        "<<: ",
        "? ",
        ": ",
        "---\n",
        "...\n",
        "\t",
        "\u{feff}",
        "é",
        "\u{1f600}",
        "~",
        "5",
        "0.5",
        "\\n",
        "%YAML 1.2\n",
        "@",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Whether `span` is in `text` and between characters.
fn fits(span: Span, text: &str) -> bool {
    text.get(span.start()..span.end()).is_some()
}

proptest! {
    #[test]
    fn any_text_has_a_tree_or_an_error(text in prop_oneof![pieces(), any::<String>()]) {
        let yaml = Yaml::parse(&text);
        prop_assert!(yaml.error.is_none() || yaml.root.is_none());
        prop_assert!(yaml.error.iter().all(|error| fits(error.span, &text) && !error.message.is_empty()));
        prop_assert!(yaml.second.iter().all(|span| fits(*span, &text)));
        for node in yaml.root.iter().flat_map(Node::walk) {
            prop_assert!(fits(node.span, &text), "{node:?} of {text:?}");
            let inner: Vec<_> = match &node.value {
                Value::Sequence(items) => items.iter().collect(),
                Value::Mapping(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
                _ => Vec::new(),
            };
            for child in inner {
                prop_assert!(node.span.contains(child.span), "{child:?} not in {node:?} of {text:?}");
            }
        }
    }

    #[test]
    fn what_is_written_in_quotes_reads_as_it_was(values in prop::collection::vec("[ -~é€\u{1f600}]{0,20}", 1..8)) {
        let quoted: Vec<_> = values.iter().map(|value| format!("'{}'", value.replace('\'', "''"))).collect();
        let block: String = quoted.iter().map(|value| format!("- {value}\n")).collect();
        for text in [block, format!("[{}]", quoted.join(", "))] {
            let root = root(&text);
            let items = root.items().unwrap_or_default();
            prop_assert_eq!(items.iter().filter_map(Node::as_str).collect::<Vec<_>>(), values.iter().map(String::as_str).collect::<Vec<_>>());
            // The text between the spans is what no node holds: putting both back together gives the file.
            prop_assert_eq!(items.iter().map(|item| item.span.of(&text).to_owned()).collect::<Vec<_>>(), quoted.clone());
        }
    }
}
