//! Tests of reading, validating and writing charters.

use super::canonical::{self, Obstacle};
use super::verdict::{Classification, Verdict};
use super::{Charter, Code, PROFILE, id_in_path, title_parts};

const WHOLE: &str = "# Keaton — Lead\n\n## Identity\n- **ID:** `keaton`\n- **Purpose:** Decides.\n\n## Accountable Responsibilities\n- Scope.\n\n## Non-Responsibilities\n- Tests.\n\n## Collaboration and Review Authority\n- Reviews all.\n\n## Model\n- **Preferred:** auto\n- **Reasoning Effort:** high\n- **Context Tier:** default\n";

/// The codes, each with its first and last character.
fn found(text: &str, path: &str) -> Vec<String> {
    let shown = |problem: &super::Problem| {
        let (start, end) = problem.places(text);
        format!("{} {}:{}-{}:{}", problem.code, start.line, start.column, end.line, end.column)
    };
    Verdict::of(text, path.as_bytes(), Some(PROFILE)).problems.iter().map(shown).collect()
}

fn codes(text: &str) -> Vec<&'static str> {
    Charter::parse(text).problems.iter().map(|problem| problem.code.as_str()).collect()
}

/// The canonical form, in which nothing is left to write.
fn written(text: &str) -> Result<Option<String>, Obstacle> {
    let new = canonical::canonical(text, &Charter::parse(text))?;
    if let Some(new) = &new {
        assert_eq!(canonical::canonical(new, &Charter::parse(new)), Ok(None), "{new}");
    }
    Ok(new)
}

#[test]
fn a_whole_charter_has_no_problem_and_stays_as_it_is() {
    let verdict = Verdict::of(WHOLE, b".squad/agents/keaton/charter.md", Some(PROFILE));
    assert_eq!((verdict.classification(), verdict.problems), (Classification::Canonical, vec![]));
    assert_eq!(written(WHOLE), Ok(None));
    assert_eq!(codes(&format!("\u{feff}{WHOLE}")), [] as [&str; 0]);
    assert_eq!(codes(&WHOLE.replace('\n', "\r\n")), [] as [&str; 0]);
    assert_eq!(codes(&WHOLE.replace('\n', "\r")), [] as [&str; 0]);
}

#[test]
fn every_code_has_its_place() {
    let cases: [(&str, &str, &[&str]); 20] = [
        ("Keaton — Lead", "Keaton - Lead", &["SQC003 1:1-1:15"]),
        ("- **Purpose", "- **ID:** `keaton`\n- **Purpose", &["SQC004 5:3-5:9"]),
        ("`keaton`", "Keaton", &["SQC005 4:3-4:9", "SQC010 4:3-4:9"]),
        ("`keaton`", "``", &["SQC005 4:3-4:9", "SQC010 4:3-4:9"]),
        ("** auto", "**", &["SQC006 17:3-17:16"]),
        ("high", "turbo", &["SQC007 18:3-18:23"]),
        ("default", "huge", &["SQC008 19:3-19:19"]),
        ("** Decides.", "**  ", &["SQC009 5:3-5:14"]),
        ("`keaton`", "verbal", &["SQC010 4:3-4:9"]),
        ("## Model", "## Boundaries\n## Model", &["SQC011 16:1-16:13", "SQC105 16:1-16:13"]),
        ("## Model", "## X-a-b\n## x-A-b\n## Model", &["SQC012 17:1-17:8", "SQC106 17:1-17:8"]),
        ("## Identity", "# Two — Titles\n## Identity", &["SQC015 3:1-3:14"]),
        ("## Identity", "## Who", &["SQC101 1:1-1:1", "SQC102 1:1-1:1", "SQC103 1:1-1:1", "SQC108 3:1-3:6"]),
        ("- **ID:** `keaton`\n", "", &["SQC102 3:1-3:1"]),
        ("- **Purpose:** Decides.\n", "", &["SQC103 3:1-3:1"]),
        ("## Accountable Responsibilities", "## what i own ##", &["SQC104 1:1-1:1", "SQC105 7:1-7:16"]),
        ("## Model", "## X-Acme\n## Model", &["SQC106 16:1-16:9"]),
        ("- **Purpose", "- **Style:** 日本\n- **Purpose", &["SQC107 5:3-5:12"]),
        ("## Model", "## Voice 🚀\n## More\n## Model", &["SQC108 16:1-16:10"]),
        ("## Non-", "## Model\n## Non-", &["SQC108 11:1-11:23", "SQC011 17:1-17:8"]),
    ];
    for (old, new, expected) in cases {
        let text = WHOLE.replacen(old, new, 1);
        assert_eq!(found(&text, ".squad/agents/keaton/charter.md"), expected, "{text}");
    }
    assert_eq!(found(" \r\n\t\n", "agents/x/charter.md"), ["SQC001 1:1-1:1"]);
    assert_eq!(found(&WHOLE.replacen("# Keaton — Lead\n", "", 1), ""), ["SQC002 1:1-1:1"]);
}

#[test]
fn what_is_no_structure() {
    let lines = [
        "```\n## Model\n```\n",
        "  ~~~~ md\n## Model\n~~~\n# Title\n~~~~  \n",
        "<!--\n## Model\n# Title\n-->\n",
        "   <!-- ## Model -->\n",
        "```\n<!-- code can show the start of a comment\n```\n",
        "> ## Model\n",
        "    ## Model\n",
        "\t# Title\n",
        " ## Model\n",
        "##Model\n",
        "### Model\n",
        "Title\n=====\n",
        "**Other:** x\n**ID:**\u{a0}is known in `Identity` alone\n",
    ];
    for text in lines {
        let whole = WHOLE.replacen("## Model", &format!("{text}## Model"), 1);
        assert_eq!(codes(&whole), [] as [&str; 0], "{whole}");
    }
    let tail = format!("{WHOLE}## X-acme-deploy\n# Title\n## Identity\n- **ID:** other\n## X-acme-more\n");
    assert_eq!(codes(&tail), [] as [&str; 0]);
    // A comment and a fence that nothing closes hide all the rest.
    for open in ["<!--\n", "```\n"] {
        let whole = WHOLE.replacen("## Collaboration", &format!("{open}## Collaboration"), 1);
        assert_eq!(codes(&whole), ["SQC104"]);
    }
}

#[test]
fn fields_in_other_shapes() {
    for (id, is_read) in [
        ("**ID:** `keaton`", true),
        ("   - **id:**keaton", true),
        ("-**Id:** keaton  ", true),
        ("* **ID:**\tkeaton", true),
        ("1. **ID:** keaton", true),
        ("    **ID:** keaton", false),
        ("*ID:* keaton", false),
        ("**ID**: keaton", false),
        ("Text **ID:** keaton", false),
    ] {
        let text = WHOLE.replacen("- **ID:** `keaton`", id, 1);
        let charter = Charter::parse(&text);
        assert_eq!(charter.id(&text), is_read.then_some("keaton"), "{id}");
    }
}

#[test]
fn a_path_names_the_agent() {
    for (path, id) in [
        ("agents/keaton/charter.md", Some("keaton")),
        (".squad/agents/keaton/charter.md", Some("keaton")),
        ("C:\\repo\\.squad\\agents\\keaton\\charter.md", Some("keaton")),
        ("/repo/.squad//agents/keaton/charter.md", Some("keaton")),
        ("/agents/keaton/charter.md", None),
        ("repo/agents/keaton/charter.md", None),
        (".ai-team/agents/keaton/charter.md", None),
        (".squad/agents/_alumni/keaton/charter.md", None),
        ("docs/charter.md", None),
        ("", None),
    ] {
        assert_eq!(id_in_path(path.as_bytes()), id.map(|id| id.as_bytes().to_vec()), "{path}");
    }
}

#[test]
fn titles_have_two_parts() {
    assert_eq!(title_parts("Keaton — Lead — Architect"), Some(("Keaton", "Lead — Architect")));
    for title in ["Keaton", "Keaton—Lead", "— Lead", "Keaton —", "Keaton - Lead"] {
        assert_eq!(title_parts(title), None, "{title}");
    }
}

#[test]
fn an_older_charter_gets_names_order_and_form() {
    let old = "# Keaton - Lead\n> Decides.\n## identity\n* **ID:** keaton\n\n- **Purpose:** Scope.  \nProse.\n\n## What I Own\n- Scope.\n## How I Work\n\nSlowly.\n\n\n## Model\n- **Preferred:** auto\n- other\n\n## Collaboration\n\n## Boundaries\nNo tests.\n\n<!-- squad-lint: ignore sem -->\n## X-a-b\n kept \n\n\n";
    let new = "# Keaton — Lead\n\n> Decides.\n\n## Identity\n\n- **ID:** `keaton`\n\n- **Purpose:** Scope.\nProse.\n\n## Accountable Responsibilities\n\n- Scope.\n\n## How I Work\n\nSlowly.\n\n## Non-Responsibilities\n\nNo tests.\n\n## Collaboration and Review Authority\n\n## Model\n\n**Preferred:** auto\n- other\n\n<!-- squad-lint: ignore sem -->\n## X-a-b\n kept \n\n\n";
    assert_eq!(written(old).unwrap().as_deref(), Some(new));
    let crlf = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(written(&crlf(old)).unwrap(), Some(crlf(new)));
}

#[test]
fn fields_of_older_charters_stay_unless_the_title_has_them() {
    let fields = "- **Name:** Keaton\n- **Role:** Lead\n- **Style:** Direct\n";
    let text = WHOLE.replacen("- **ID:**", &format!("{fields}- **ID:**"), 1);
    let new = written(&text).unwrap().unwrap();
    assert!(!new.contains("Name:") && !new.contains("Role:") && new.contains("- **Style:** Direct\n"));
    let text = text.replacen("- **ID:** `keaton`\n", "", 1);
    assert!(written(&text).unwrap().unwrap().contains(fields));
    let text = WHOLE.replacen("- **ID:**", "- **Role:** Architect\n- **ID:**", 1);
    assert!(written(&text).unwrap().unwrap().contains("- **Role:** Architect\n"));
}

#[test]
fn some_charters_stay_as_they_are() {
    let old = WHOLE.replacen("## Accountable Responsibilities", "## What I Own", 1);
    for (text, obstacle) in [
        (String::new(), Obstacle::Invalid),
        (format!("{old}## Model\n"), Obstacle::Invalid),
        (format!("## Voice\n{old}"), Obstacle::LateTitle),
        ("# Keaton — Lead\n## Model\n## Identity\n```\n".to_owned(), Obstacle::Misread),
    ] {
        assert_eq!(written(&text), Err(obstacle), "{text}");
    }
}

#[test]
fn severities_are_those_of_the_codes() {
    assert!(Code::TitleForm.severity() < Code::Empty.severity());
    assert!(Code::SecondTitle.severity() > Code::MissingIdentity.severity());
}
