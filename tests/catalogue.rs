//! The catalogue holds together: names, files, pages, fixtures, caps.

use std::collections::BTreeSet;
use std::fs;

use crate::support::{files_below, project};
use squad_lint::rules;

#[test]
fn a_rule_has_one_name_everywhere() {
    let mut names = BTreeSet::new();
    for registered in rules::all() {
        let name = registered.rule.name;
        assert!(names.insert(name), "{name} is registered twice");
        assert_eq!(name, format!("{}/{}", registered.family(), registered.module.replace('_', "-")));
        assert!(registered.page().starts_with(&format!("# {name}\n")), "{name}: its page begins with another title");
        assert!(!names.contains(registered.family()), "{name}: a rule with the name of a family");
    }
    let sources = files_below(&project().join("src/rules"));
    let modules = sources.iter().filter(|path| path.components().count() == 2 && !path.ends_with("mod.rs"));
    let files: BTreeSet<_> =
        modules.map(|path| path.with_extension("").to_str().unwrap().replace('\\', "/").replace('_', "-")).collect();
    let names: BTreeSet<_> = names.into_iter().map(String::from).collect();
    assert_eq!(files, names, "files under src/rules and registered rules differ");
}

#[test]
fn a_page_says_everything() {
    const SECTIONS: [&str; 5] = ["What it flags", "Why it matters", "Example", "How to fix", "Source"];
    for registered in rules::all() {
        let name = registered.rule.name;
        let page = without_code(&registered.page());
        let sections: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(sections, SECTIONS, "{name}");
        for section in page.split("\n## ").skip(1) {
            let (title, body) = section.split_once('\n').unwrap();
            assert!(body.trim().len() > 10, "{name}: nothing under {title}");
        }
        // Sources are documents that a reader can open.
        for word in ["Seed", "seed 0", "Upstream", "DESIGN", "RULES.md"] {
            assert!(!page.contains(word), "{name}: its page says `{word}`");
        }
        let headline = registered.headline();
        assert!((10..160).contains(&headline.chars().count()), "{name}: headline of {} characters", headline.len());
    }
}

/// `page` without the headings in its examples.
fn without_code(page: &str) -> String {
    let mut in_code = false;
    let lines = page.lines().map(|line| {
        in_code ^= line.starts_with("```");
        if in_code { line.trim_start_matches('#') } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_rule_has_a_case_that_fires_and_one_that_stays_silent() {
    let mut wrong = Vec::new();
    for registered in rules::all() {
        let name = registered.rule.name;
        let folder = project().join("tests/rules").join(name);
        let cases: Vec<String> = fs::read_dir(&folder)
            .map(|cases| cases.map(|case| case.unwrap().path().join("expected.txt")).collect::<Vec<_>>())
            .unwrap_or_default()
            .iter()
            .map(|path| fs::read_to_string(path).unwrap_or_default())
            .collect();
        let fires = |expected: &String| expected.contains(&format!("[{name}]"));
        if !cases.iter().any(fires) || cases.iter().all(fires) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "without a case that fires or one that stays silent: {wrong:?}");
}

#[test]
fn a_fixture_belongs_to_a_rule() {
    for path in files_below(&project().join("tests/rules")) {
        let parts: Vec<_> = path.iter().map(|part| part.to_str().unwrap()).collect();
        let name = parts.iter().take(2).copied().collect::<Vec<_>>().join("/");
        assert!(rules::find(&name).is_some(), "{} belongs to no rule", path.display());
    }
}

#[test]
fn files_keep_their_caps() {
    for path in files_below(&project().join("src")) {
        let is_rule = path.starts_with("rules") && path.components().count() > 2;
        let cap = if is_rule { 150 } else { 500 };
        let lines = fs::read_to_string(project().join("src").join(&path)).unwrap().lines().count();
        assert!(lines <= cap, "src/{}: {lines} lines, at most {cap}", path.display());
    }
}

#[test]
fn commands_are_thin() {
    for path in files_below(&project().join("src/commands")) {
        let source = fs::read_to_string(project().join("src/commands").join(&path)).unwrap();
        let product = source.split("#[cfg(test)]").next().unwrap_or_default();
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let lines = product.lines().filter(is_code).count();
        assert!(lines <= 100, "src/commands/{}: {lines} lines of code, at most 100", path.display());
    }
}

/// In a clone of this repository alone, the tests with `real` in their names are left out.
#[test]
fn what_needs_files_from_elsewhere_has_real_in_its_name() {
    const NEEDS: [&str; 3] = ["SQUAD_LINT_CORPUS", "SQUAD_LINT_HISTORY", "SQUAD_LINT_CHARTER_CASES"];
    let tests = project().join("tests");
    for path in files_below(&tests).iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        let text = fs::read_to_string(tests.join(path)).unwrap();
        for part in text.split("#[ignore = \"needs ").skip(1) {
            let (needs, rest) = part.split_once("\"]").unwrap();
            let name = rest.split("fn ").nth(1).and_then(|name| name.split('(').next()).unwrap_or_default();
            let is_left_out = name.contains("real") || path.ends_with("oracle.rs");
            assert!(is_left_out || !NEEDS.iter().any(|one| needs.contains(one)), "{}: {name}", path.display());
        }
    }
}
