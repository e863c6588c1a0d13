use proptest::prelude::*;

use super::*;

const SHOAL: &str = "\
team: moth
description: \"Hosted: complete\"

defaults:
  model: sonnet
  budget: 1

members:
  - name: implementer
    role: 'Tools'
    tools: [Read, \"Bash(git:*)\"]
    owns:
      - \"src/**\"
  - name: \"infra\"
    budget: 2.50
    permission-mode: plan
";

fn values(texts: Option<&Vec<Text>>) -> Vec<&str> {
    texts.into_iter().flatten().map(|text| text.value.as_str()).collect()
}

#[test]
fn a_manifest_is_read_with_its_places() {
    let manifest = Manifest::parse(SHOAL);
    let of = |text: &Option<Text>| text.as_ref().map(|text| (text.value.clone(), text.span.of(SHOAL).to_owned()));
    assert_eq!(of(&manifest.team), Some(("moth".into(), "moth".into())));
    assert_eq!(of(&manifest.description), Some(("Hosted: complete".into(), "\"Hosted: complete\"".into())));
    assert_eq!(manifest.names().collect::<Vec<_>>(), ["implementer", "infra"]);
    let [first, second] = manifest.members.as_slice() else { panic!("{manifest:?}") };
    assert_eq!(values(first.tools.as_ref()), ["Read", "Bash(git:*)"]);
    assert_eq!((values(first.owns.as_ref()), &second.owns), (vec!["src/**"], &None));
    assert!(first.span.of(SHOAL).starts_with("name: implementer") && first.span.of(SHOAL).ends_with("\"src/**\""));
    assert_eq!(second.name.as_ref().map(|name| name.inner(SHOAL).of(SHOAL)), Some("infra"));
    assert_eq!(manifest.member("infra"), Some(second));
    assert_eq!(manifest.member("nobody"), None);
}

#[test]
fn a_member_comes_before_the_defaults_and_these_before_the_protocol() {
    use crate::value_source::ValueSource::{Default, Member, Team};
    let manifest = Manifest::parse(SHOAL);
    let of = |name: &str| {
        let effective = manifest.effective(manifest.member(name).expect("a member"));
        let Effective { model, budget, permission_mode } = effective;
        let texts = (model.value, model.origin, permission_mode.value, permission_mode.origin);
        (texts, (budget.value.to_string(), budget.origin), budget.span.map(|span| span.of(SHOAL)))
    };
    let budget = |value: &str, origin| (value.to_owned(), origin);
    assert_eq!(of("implementer"), (("sonnet", Team, "dontAsk", Default), budget("1", Team), Some("1")));
    assert_eq!(of("infra"), (("sonnet", Team, "plan", Member), budget("2.5", Member), Some("2.50")));
    let bare = Manifest::parse("members: [{name: a}]");
    let effective = bare.effective(&bare.members[0]);
    assert_eq!((effective.model.value, effective.budget.value, effective.budget.span), ("sonnet", 0.5, None));
}

#[test]
fn what_has_another_shape_is_passed_over() {
    let manifest = Manifest::parse(
        "team: [a]\ndefaults: x\nmembers:\n  - just text\n  - {name: 5, tools: Read, owns: [1, a], budget: much}\n  - {name: b}\n",
    );
    assert_eq!((manifest.team, manifest.defaults, manifest.members.len()), (None, Settings::default(), 2));
    let member = &manifest.members[0];
    assert_eq!((&member.name, &member.tools, member.settings.budget), (&None, &None, None));
    assert_eq!(values(member.owns.as_ref()), ["a"]);
    for text in ["", "- a\n", "members: {a: b}\n", "members: [", "just text\n"] {
        assert!(Manifest::parse(text).members.is_empty(), "{text:?}");
    }
}

#[test]
fn aliases_and_merge_keys_are_followed() {
    let text = "\
x: &common {tools: [Read], model: opus, owns: &all ['**']}
defaults: &d {model: haiku}
members:
  - &one {<<: *common, name: one, model: haiku}
  - {name: two, tools: [*t, Edit], owns: *all, <<: [*d, *common]}
  - *one
"
    .replace("[Read]", "[&t Read]");
    let manifest = Manifest::parse(&text);
    let model = |member: &Member| member.settings.model.clone().map(|model| model.value);
    let [one, two, again] = manifest.members.as_slice() else { panic!("{manifest:?}") };
    assert_eq!((values(one.tools.as_ref()), model(one)), (vec!["Read"], Some("haiku".into())));
    assert_eq!((values(two.tools.as_ref()), model(two)), (vec!["Read", "Edit"], Some("haiku".into())));
    assert_eq!((values(two.owns.as_ref()), one), (vec!["**"], again));
}

#[test]
fn the_last_of_two_equal_keys_counts() {
    let manifest = Manifest::parse("team: a\nteam: b\nmembers: [{name: x, name: y}]\n");
    assert_eq!(manifest.team.map(|team| team.value), Some("b".into()));
    assert_eq!(manifest.members[0].name.as_ref().map(|name| name.value.as_str()), Some("y"));
}

#[test]
fn files_of_other_tools_are_left_alone() {
    for text in [
        "repos: [a/b]\ndefaults: {window: weekly}\n",
        "name: hub\ndescription: x\nmembers:\n  - {id: a, name: A, role: B, expertise: [c]}\nworkflows: {}\n",
        "team: {name: x}\nmembers:\n  - {name: a, role: b, task: c, model: d, color: blue}\nproject: {}\n",
    ] {
        let manifest = Manifest::parse(text);
        assert!(manifest.is_foreign && manifest.members.is_empty() && manifest.mappings().is_empty(), "{text}");
    }
    for text in [
        "",
        "- a\n",
        "team: x\nwhatever: y\n",
        "teams: x\nmembers: [{name: a, owns: []}]\n",
        "description: x\nmembers: [{name: a}]\n",
        "defaults: {model: x}\nroster: []\n",
    ] {
        assert!(!Manifest::parse(text).is_foreign, "{text}");
    }
}

#[test]
fn bombs_stay_small() {
    let members = |item: &str| format!("members:\n{}", item.repeat(20_000));
    let tools: String = (0..20_000).map(|tool| format!("t{tool}, ")).collect();
    let wide = format!("a: &a {{name: x, tools: [{tools}]}}\n{}", members("  - *a\n"));
    let long = format!("a: &a {}\n{}", "x".repeat(100_000), members("  - {name: *a, role: *a}\n"));
    let merged = format!("a: &a {{{tools}}}\n{}", members("  - {<<: *a}\n"));
    for text in [wide, long, merged] {
        let manifest = Manifest::parse(&text);
        assert_eq!(manifest.error, None);
        let texts = manifest.members.iter().flat_map(|m| m.tools.iter().flatten().chain(&m.name).chain(&m.role));
        assert!(texts.map(|text| text.value.len()).sum::<usize>() <= 2 * text.len() + MAX_BORROWED);
        assert!(manifest.mappings().iter().map(|mapping| mapping.pairs.len()).sum::<usize>() < 300_000);
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in prop_oneof![
        any::<String>(),
        prop::collection::vec(prop::sample::select(vec![
            "team: ", "members:", "\n", "  - name: ", "    tools: ", "[", "]", "a", ", ", "&x ", "*x", "<<: ", "{", "}", "    owns:\n", "defaults: ",
            "      - ", "'", "5", "budget: ", "model: ", "é",
        ]), 0..40).prop_map(|pieces| pieces.concat()),
    ]) {
        let manifest = Manifest::parse(&text);
        let texts = manifest.members.iter().flat_map(|m| m.owns.iter().flatten().chain(m.tools.iter().flatten()).chain(&m.name));
        for found in texts {
            prop_assert!(text.get(found.span.start()..found.span.end()).is_some());
            prop_assert!(found.span.contains(found.inner(&text)));
        }
        prop_assert!(!manifest.is_foreign || manifest.members.is_empty());
        prop_assert_eq!(manifest.mappings().iter().filter(|mapping| mapping.scope == Scope::Member).count(), manifest.members.len());
    }
}
