//! Local text in odd dress: none of it travels with what is portable.

use super::{only_portable, without_local};

/// Each stands below a portable heading, and before other sections. All that has a `vault` is local.
const LOCAL: [&str; 129] = [
    // Code and line breaks.
    "- `(local)` the vault",
    "- `project-specific`: the vault",
    "`Local:` the vault",
    "```\n# local: the vault\n```",
    "~~~ text\nthis project has a vault\n~~~",
    "    (private) the vault",
    "```\nThe following is project-specific:\n```\n\nThe vault",
    "- The vault of this\n  project is shut",
    "The vault is\nnot portable",
    "> The vault of our\n> repo",
    "The vault is project-\nspecific",
    "```\nthe vault of this\nproject\n```",
    // Titles.
    "📋 **Project Context**\n\nThe vault",
    "🗂️ Project Context\n\nThe vault\n\n#### Keys\n\nThe vault",
    "<details>\n<summary>Project Context</summary>\n\nThe vault\n\n</details>",
    "<details>\n<summary>Project Context</summary>\n\n# Keys\n\nThe vault\n\n</details>",
    "<div><h2>Project Context</h2>\n\nThe vault\n\n</div>",
    "<h3>Project</h3><h3>Context</h3>\n\nThe vault",
    "<!-- Project Context -->\n\nThe vault",
    "**Project Context** The vault\n\nThe vault",
    "**Project Context:** Rust\n\n- The vault",
    "**Project**\n**Context**\n\nThe vault",
    "### Project&nbsp;Context\n\nThe vault\n\n#### Keys\n\nThe vault",
    "### Project&#32;C&#111;ntext\n\nThe vault",
    "**Project&emsp;Context**\n\nThe vault",
    "### P r o j e c t (`Project` *Con***text**)\n\nThe vault",
    "### [Project Context](#project-context)\n\nThe vault",
    "| Project Context |\n| --- |\n| The vault |",
    "1. Project Context\n\nThe vault",
    "Project Context\n: The vault",
    "Our Project Context (App)\n\nThe vault",
    // Announcements.
    "This section is local.\n\n#### Keys\n\nThe vault",
    "The following is project-specific.\n\n#### Keys\n\nThe vault\n\n##### More\n\nThe vault",
    "This section is [local].\n\n#### Keys\n\nThe vault",
    "This\nsection is\nlocal.\n\n#### Keys\n\nThe vault",
    "- This section is confidential\n- B\n\n#### Keys\n\nThe vault",
    "Everything below stays local.\n\n- A\n\n#### Keys\n\nThe vault",
    "| This section is local |\n| --- |\n| A |\n\n#### Keys\n\nThe vault",
    "<p>This section is private</p>\n\n#### Keys\n\nThe vault",
    "<!-- this section is local -->\n\n#### Keys\n\nThe vault",
    "> This section is internal.\n\nThe vault",
    // Tables, quotations, lists, footnotes, definitions, elements, front matter.
    "| A | Scope |\n| --- | --- |\n| The vault | local |",
    "| A | (local) |\n| --- | --- |\n| The vault | B |",
    "> > - (local) the vault",
    "- A\n  - B\n    - (private)\n      the vault",
    "- [x] (local) the vault",
    "1) (internal)\n   the vault",
    "[^1]: (local) the vault\n\n    and the vault",
    "The keys (local)\n: the vault\n\n: the vault",
    "<dl><dt>Local</dt><dd>The vault</dd></dl>",
    "<div class=\"local\">\n\nThe vault\n\n</div>",
    "<p data-scope=private>The vault</p>",
    "<details><summary>Internal</summary>The vault</details>",
    "<lo<!-- -->cal> (local) the vault",
    "---\nscope: local\n---\n\nThe vault is (local)",
    "scope: local, the vault",
    "portable: false, the vault",
    "[the vault][local]",
    "![local](vault.png)",
    "<span>lo</span>cal: the vault",
    "~~portable~~ (local) the vault",
    // Signs and letters.
    "„local“: the vault",
    "«Private» — the vault",
    "「local」 the vault",
    "【local】 the vault",
    "〔private〕 the vault",
    "［ｌｏｃａｌ］ the vault",
    "ｌｏｃａｌ： the vault",
    "[lo\u{200b}cal] the vault",
    "[lo\u{ad}c\u{2060}al] the vault",
    "[\u{4cf}\u{43e}\u{441}\u{430}\u{4cf}] the vault",
    "(\u{3f2}onfidential) the vault",
    "[𝐥𝐨𝐜𝐚𝐥] the vault",
    "🄻🄾🄲🄰🄻: the vault",
    "[l\u{301}ocal] the vault",
    "&#91;local&#93; the vault",
    // A doubtful word in a title, whatever else the title says.
    "The vault is local to acme",
    "The following is all local:\n\nThe vault\n\n- The vault",
    "<summary>Local Context</summary>\n\nThe vault",
    "<h3>Local Context</h3>\n\nThe vault\n\n- The vault",
    "<h3 class=\"x\">Setup, local</h3>\n\nThe vault",
    "Local context:\n\nThe vault\n\n- The vault",
    "Local notes:\n- The vault\n\nThe vault",
    "Local notes\n\nThe vault",
    "Our local setup:\n\nThe vault\n\nThe vault",
    "Project notes:\n\n- The vault\n\nThe vault",
    "Not for export:\n\nThe vault\n\n- The vault",
    "Do not export:\n\nThe vault\n\nThe vault",
    "**Please do not share this**\n\nThe vault",
    "Don't publish:\n\nThe vault\n\nThe vault",
    "Internal only:\n\nThe vault\n\nThe vault",
    "🔒 Internal 👇\n\nThe vault\n\nThe vault",
    "[local] start\n\nThe vault\n\n- The vault\n\n[local] end",
    "- [local] start\n- The vault\n- [local] end",
    "[begin local]\n\nThe vault\n\nThe vault\n\n[end local]",
    "[not for export] Keys\n\nThe vault\n\nThe vault",
    "<!-- local: start -->\n\nThe vault\n\n- The vault\n\n<!-- local: end -->",
    "<!-- do not export -->\n\nThe vault\n\nThe vault",
    "#### Local development\n\nThe vault\n\n##### Keys\n\nThe vault",
    "#### 1. Infrastructure (internal)\n\nThe vault",
    "Local infrastructure\n---\n\nThe vault",
    "**Local infrastructure:**\n\nThe vault\n\nThe vault",
    "**Local\nnotes**\n\nThe vault\n\nThe vault",
    "- **Local setup** – the vault\n  - The vault",
    "- Local setup: the vault",
    "- Local notes\n  - The vault",
    "1. Local context\n\nThe vault",
    "> Local context:\n>\n> The vault\n\nThe vault",
    "> #### Internal\n>\n> The vault",
    "| Local infrastructure | Port |\n| --- | --- |\n| The vault | 1 |",
    "Lokaler Kontext:\n\nThe vault\n\nThe vault",
    "#### Projektkontext\n\nThe vault",
    "#### Contexte du projet\n\nThe vault",
    "#### Confidentiel\n\nThe vault",
    "<dl>\n<dt>Local keys</dt>\n<dd>The vault</dd>\n</dl>",
    "<details><summary>🔒 Local infrastructure</summary>\n\n# Keys\n\nThe vault\n\n</details>",
    // What must not leave, and the same in other languages.
    "- Do not publish: the vault\n  - The vault",
    "- Not for export: the vault",
    "- The vault (do not share)",
    "- The vault **do not share**",
    "The vault (never share)",
    "- The vault (remove before export)",
    "- [privé] the vault",
    "- The vault (riservato)",
    "**Notes privées**\n\nThe vault",
    "Configuration locale:\n\n- The vault",
    "#### Caminhos locais\n\n- The vault",
    "#### Propietario\n\nThe vault",
    "- **Project Context:** the vault\n  - The vault",
];

#[test]
fn none_of_it_travels() {
    let mut wrong = Vec::new();
    for local in LOCAL {
        for title in ["## Portable Context", "## A [portable]"] {
            let history =
                format!("# Keaton\n\n{title}\n\n- One\n\n### Two\n\n{local}\n\n## Last\n\n- [portable] Three\n");
            let left = only_portable(&history).text;
            if left.to_lowercase().contains("vault") || !left.contains("- One\n") || !left.contains("Three") {
                wrong.push((history, left));
            }
        }
        let history = format!("- [portable] One\n\n  {}\n- [portable] Two\n", local.replace('\n', "\n  "));
        let left = only_portable(&history).text;
        if left.to_lowercase().contains("vault") {
            wrong.push((history, left));
        }
    }
    assert!(wrong.is_empty(), "{} of them: {wrong:#?}", wrong.len());
}

/// Marks in words, wherever they are: in each kind of block, they are read in the same way.
#[test]
fn a_mark_in_words_counts_in_each_block() {
    let mut wrong = Vec::new();
    for mark in [
        "The vault (company-internal)",
        "The vault (Acme-internal)",
        "The vault (keep private)",
        "The vault, do not share this",
        "The vault. Do not export.",
        "The vault. Keep this local.",
        "The vault. Internal: see there",
        "The vault — confidential",
        "The vault. **Private** to us",
        "The vault [wip/local]",
        "The vault [local, wip]",
        "Keep private: the vault",
        "Keep this internal; the vault",
        "Internal： the vault",
        "Company-internal: the vault",
        "**Internal** the vault",
        "*Confidential* the vault",
        "INTERNAL the vault",
        "Internal notes — the vault",
    ] {
        for block in [
            "- @",
            "- [portable] @",
            "- [x] [portable] @",
            "1. [portable] A\n   1. @",
            "- [portable] A\n  @",
            "- [portable] A\n\n  > @",
            "@",
            "> @",
            "| a | b | c |\n| --- | --- | --- |\n| a | @ | b |",
            "| a | b |\n| --- | --- |\n| a | @ |",
            "- A\n\n  | a | b |\n  | --- | --- |\n  | a | @ |",
            "```\n# @\n```",
            "<p>@</p>",
            "<!-- @ -->",
            "#### @",
            "#### @ [portable]",
            "@\n---",
        ] {
            let text = block.replace('@', mark);
            let history =
                format!("# Keaton\n\n## Portable Context\n\nOne\n\n### Two\n\n{text}\n\n## Last [portable]\n");
            let left = only_portable(&history).text;
            if left.contains("vault") || !left.contains("One\n") || !left.contains("Last") {
                wrong.push((history, left));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them: {wrong:#?}", wrong.len());
}

/// A sentence with such a word that is about other things leaves.
#[test]
fn a_word_in_a_sentence_is_no_mark() {
    for text in [
        "Use the local cache before the network",
        "Internal links resolve relative to the root",
        "Private methods are tested through the public API",
        "Keep component state local until two components need it",
        "Keep helpers private by not exporting them",
        "Generated code is internal: never edit it",
        "Timeouts (internal and external) are explicit",
        "Design for offline: local writes first, sync later",
        "Do not share database connections between threads",
        "Do not publish packages on Fridays",
        "Types not shared between files stay in their file",
        "Public, internal and private packages have changelogs",
        "The best tests run on every local machine",
        "Use the **local** cache",
        "Threat model: internal networks are hostile",
        "Prefixes: tickets begin with ACME-",
        "Keep all the state\n  local. Tests like that",
        "Prefer to keep all the state\n  local.",
    ] {
        for block in ["- [portable] @", "- [portable] A\n  - @", "## A [portable]\n\n@", "## Portable Context\n\n> @"] {
            let history = block.replace('@', text) + "\n";
            assert_eq!(only_portable(&history).text, history);
            assert_eq!(without_local(&history).text, history);
        }
    }
    for title in ["## Local testing [portable]", "## Private methods [portable]", "## Internal APIs [portable]"] {
        let history = format!("{title}\n\n- A\n");
        assert_eq!(only_portable(&history).text, history);
    }
}

/// A sentence with the tag is about its paragraph, and what follows it travels.
#[test]
fn a_tagged_sentence_is_no_title() {
    for local in [
        "The vault is in Frankfurt, behind a host. [local]",
        "[local] The vault is in Frankfurt, behind a host.",
        "The vault is in Frankfurt [local], behind a host!\nAnd the vault has keys.",
        "> The vault is in Frankfurt, behind a host. [private]",
    ] {
        let [begin, end] = ["## Portable Context\n\nOne is first.\n\n", "Two is next.\n\n- Three\n"];
        let left = only_portable(&format!("{begin}{local}\n\n{end}")).text;
        assert_eq!(left, format!("{begin}{end}"), "{local}");
    }
    // What is directly below it belongs to it, and an announcement goes on.
    for local in [
        "The keys are in the following vaults. [local]\n\n- Vault\n\nVault",
        "[local] What is below is in the vault.\n\nVault",
        "[local] start\n\nVault",
        "The keys [local]\n\nVault",
    ] {
        let left = only_portable(&format!("## Portable Context\n\nOne\n\n{local}\n")).text;
        assert!(left.contains("One") && !left.to_lowercase().contains("vault"), "{local}: {left}");
    }
}

/// Titles in HTML over several lines, and a tag in a block of an item.
#[test]
fn a_mark_over_lines_holds_what_it_is_about() {
    for local in [
        "<h3>\nInternal\n</h3>\n\nThe vault",
        "<h3>\n  Local setup of\n  our things\n</h3>\n\nThe vault\n\n- The vault",
        "<details>\n<summary>\nKeys\n(internal)\n</summary>\n\nThe vault\n\n</details>",
        "<div>\n  Internal only\n</div>\n\nThe vault",
        "<!--\ndo not export\n-->\n\nThe vault",
        "- The vault\n\n  ```\n  [local]\n  ```",
        "- The vault\n  ```\n  # [local]\n  ```",
        "- The vault\n\n  | a | b |\n  | --- | --- |\n  | [local] | c |",
        "- One [/portable] the vault",
        "### End of Portable Context: the vault",
        "One <!-- end portable --> the vault",
    ] {
        let history = format!("## Portable Context\n\nOne\n\n{local}\n\n## Last [portable]\n");
        let left = only_portable(&history).text;
        assert!(!left.contains("vault") && left.contains("One") && left.contains("Last"), "{history}: {left}");
    }
    let history = "# A\n\n<h2>\nProject\nContext\n</h2>\n\nVault\n\n## B\n";
    assert_eq!(without_local(history).text, "# A\n\n## B\n");
}

/// What is about other things than the place or the owner of the text.
#[test]
fn other_uses_of_the_words_hold_nothing_back() {
    for text in [
        "All local tools are listed below:\n\n- A",
        "The state is local to the component",
        "Use a local variable, and keep local helpers short",
        "Call http://localhost:3000 in the examples",
        "Local development comes first:\n\n- A",
        "Private methods come last, and internal details are hidden",
        "Never commit a secret to the file",
        "Read `local.yml` and `.env.local`",
        "Prefer local-first software",
        "The project has a context",
        "Run all local tests before a review:\n\n- A",
        "For any project:\n\n- A",
        "When the project has a linter, run it first:\n\n- A",
        "Keep secrets out of logs:\n\n- A",
        "Do not share mutable state:\n\n- A",
        "Never export default components:\n\n- A",
        "#### In every project\n\n- A",
        "#### International texts and locales\n\n- A",
        "#### Secrets and how to scan for them\n\n- A",
        "#### Repository pattern\n\n- A",
        "#### Tests of a web project\n\n- A",
        "**Themes in localStorage**\n\n- A",
        "- Packages have no `private: true` flag",
        "- **Builds run locally** before CI",
        "**Tests first**\n\n- A",
        "<!-- Each entry below is something lasting about the project. -->\n\n- A",
        "- **Naming:** as in the rest of the file\n- [x] Small changes",
        "```sh\n# run local tests first\ncargo test\n```",
        "The build runs on the\nlocal machine",
        "```html\n<h1>Hello</h1>\n<h2>World</h2>\n```",
        "Write `<h2>` and no bold text",
        "- Named exports (not `export *`)\n- Helpers (not exported)",
    ] {
        let history = format!("# Keaton\n\n## Portable Context\n\n{text}\n\n### More\n\n- Two\n");
        assert_eq!(only_portable(&history).text, history);
        assert_eq!(without_local(&history).text, history);
    }
}

/// An announcement reaches over lower headings, and no further than its section.
#[test]
fn an_announcement_holds_for_its_section() {
    for announcement in
        ["This section is local.", "The following is local:", "This section is [local].", "All below stays local."]
    {
        for (before, behind) in [
            ("## A\n\n", "### B\n\nVault\n\n#### C\n\nVault\n\n"),
            ("### A\n\n", "#### B\n\nVault\n\n###### C\n\nVault\n\n"),
            ("# A\n\n### A\n\n", "#### B\n\nVault\n\n"),
            ("## A\n\n### B\n\n## C\n\n", "### D\n\nVault\n\n"),
        ] {
            let history = format!("{before}{announcement}\n\nVault\n\n{behind}## Next\n\nText\n");
            assert_eq!(without_local(&history).text, format!("{before}## Next\n\nText\n"), "{history}");
        }
        // Before the first heading, it is about all.
        let history = format!("- One\n\n{announcement}\n\n# A\n\nVault\n\n# B\n\nVault\n");
        assert_eq!(without_local(&history).text, "- One\n\n", "{history}");
    }
    // The lines of a text whose title is not a heading.
    let history = "# Keaton\n\n**Project Context**\n\nVault\n\n### A\n\nVault\n\n## B\n\nText\n";
    assert_eq!(without_local(history).text, "# Keaton\n\n## B\n\nText\n");
    // A definition of a link is not a title, whatever is below it.
    let history = "## Project Context\n\n[a]: b\n===\n\nVault\n";
    assert_eq!(without_local(history).text, "");
}

/// `Project Context` as the label of an item, in a history and in a `team.md`.
#[test]
fn an_item_about_the_project_stays_with_all_below_it() {
    for item in [
        "- **Project Context:** vault",
        "1. **Project Context** vault",
        "* **Project Context** — vault",
        "- [x] __Project Context__: vault",
        "> - **Project Context**: vault",
        "- Project Context: vault",
    ] {
        let quote = if item.starts_with('>') { "> " } else { "" };
        let history = format!("# Keaton\n\n## Learnings\n\n{item}\n{quote}    - Vault\n\nText\n\n### More\n\n- Two\n");
        let left = "# Keaton\n\n## Learnings\n\nText\n\n### More\n\n- Two\n";
        assert_eq!(without_local(&history).text, left, "{item}");
        assert_eq!(super::without_project_context(&history).text, left, "{item}");
    }
    // Of a table, only the row.
    let table = "| a | b |\n| --- | --- |\n| **Project Context** | vault |\n| c | d |\n";
    let left = "| a | b |\n| --- | --- |\n| c | d |\n";
    assert_eq!((without_local(table).text, super::without_project_context(table).text), (left.into(), left.into()));
    for text in ["- Project Context matters\n", "- Read the **Project Context** first\n"] {
        assert_eq!(without_local(text).text, text);
    }
}

/// Words with which a line says of itself that it is local.
#[test]
fn a_line_that_calls_itself_local_stays() {
    for line in [
        "- DB vault (local only)",
        "- DB vault is local to this project",
        "- **Local only:** vault",
        "- Local: vault\n  - Vault",
        "**Local:** vault",
        "The vault is project-local.",
        "The vault is local to\nthis project.",
        "> - **Project-local:** vault",
        "- Local：vault",
        "- The vault [wip/local]",
        "- The vault (do not share)",
        "- Not for export: vault",
        "The vault. Do not export this.",
    ] {
        let history = format!("# Keaton\n\n- One\n\n{line}\n\n### More\n\n- Two\n");
        assert_eq!(without_local(&history).text, "# Keaton\n\n- One\n\n### More\n\n- Two\n", "{line}");
    }
    // Of a table, only the row; in code, the words are about other things.
    let table = "| a | b |\n| --- | --- |\n| vault | x (local only) |\n| c | d |\n";
    assert_eq!(without_local(table).text, "| a | b |\n| --- | --- |\n| c | d |\n");
    for text in ["```\nrun (local only)\nLocal: a\n```\n", "The cache is local to the worker\n", "Run it (local)\n"] {
        assert_eq!(without_local(text).text, text);
    }
}

/// A heading in HTML ends what is portable as any other.
#[test]
fn a_heading_in_html_ends_a_portable_section() {
    for heading in
        ["<h2>Learnings</h2>", "<div><h1 id=\"a\">Learnings</h1>", "<H2\n>Learnings</H2>", "> <h2>Learnings</h2>"]
    {
        let history = format!("## Portable Context\n\n- One\n\n<h3>Two</h3>\n\n{heading}\n\nThe vault\n");
        assert_eq!(only_portable(&history).text, "## Portable Context\n\n- One\n\n<h3>Two</h3>\n", "{heading}");
    }
}

/// In front matter, the words are about all of a history, and of a `team.md` about themselves.
#[test]
fn front_matter_about_the_project() {
    let text = "---\nproject_context: vault\n---\n\n# Team\n\n- One\n";
    assert_eq!(without_local(text).text, "");
    assert_eq!(super::without_project_context(text).text, "# Team\n\n- One\n");
    assert_eq!(without_local("\u{feff}---\nx: [local]\n---\n\n# Keaton\n\nThe vault\n").text, "");
}

/// A mark that ends what another one began. Without that, `[/local]` is a tag as any other.
#[test]
fn a_mark_ends_what_another_one_began() {
    for end in
        ["[/portable]", "<!-- end portable -->", "### End of Portable Context", "- [/portable]", "[end portable]"]
    {
        for title in ["## Portable Context", "## A [portable]"] {
            let history = format!("{title}\n\n- One\n\n{end}\n\nVault\n\n- Vault\n\n### Vault\n\nVault\n");
            let left = only_portable(&history).text;
            assert!(left.contains("One") && !left.contains("Vault"), "{end}: {left}");
        }
    }
    let item = "- [portable] One [/portable]\n  vault\n- [portable] Two\n  [/portable]\n\n  vault\n";
    assert_eq!(only_portable(item).text, "- [portable] One [/portable]\n- [portable] Two\n  [/portable]\n");
    for (begin, end) in [
        ("[local]", "[/local]"),
        ("[local] start", "[local] end"),
        ("<!-- local -->", "<!-- /local -->"),
        ("<!-- begin local section -->", "<!-- end local section -->"),
        ("- [local]", "- [/local]"),
        ("[project-local]", "[end local]"),
        ("[local]", "- Vault\n[/local]"),
        ("[local]\n\n[local]\n\nVault\n\n[/local]", "[/local]"),
    ] {
        let history = format!("# A\n\n- One\n\n{begin}\n\nVault\n\n- Vault\n\nVault\n\n{end}\n\n- Two\n\nThree\n");
        assert_eq!(without_local(&history).text, "# A\n\n- One\n\n\n- Two\n\nThree\n", "{begin}");
    }
    for text in [
        "## A [local]\n\n[/local]\n\nVault\n",
        "## Project Context\n\n[local]\n\n[/local]\n\nVault\n",
        "[local]\n\n### Project Context\n\nVault\n\n[/local]\n\nVault\n",
        "[/local]\n\nVault\n",
    ] {
        assert_eq!(without_local(text).text, "", "{text}");
    }
}
