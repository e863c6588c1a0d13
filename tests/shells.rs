//! Completions and manual pages, tried by the shells and the formatter that read them. Only bash is
//! always there: the tests of the others are ignored.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{needs_program, squad_lint, stderr, stdout};
use squad_lint::rules;
use tempfile::TempDir;

/// A folder with the completion script for `shell`.
fn script(shell: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let output = squad_lint(folder.path()).args(["completions", shell]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{shell}: {}", stderr(&output));
    std::fs::write(folder.path().join("script"), output.stdout).unwrap();
    folder
}

/// Runs a line in `shell`, without anybody's start-up files.
fn run(folder: &Path, shell: &[&str], line: &str) -> Output {
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).args(["-c", line]).current_dir(folder).env("HOME", folder).env("TERM", "dumb");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{shell:?}: {line}: {}", stderr(&output));
    assert_eq!(stderr(&output), "", "{shell:?}: {line}");
    output
}

/// What is typed, and what must and must not be offered for its last word.
const TYPED: [(&str, &[&str], &str); 8] = [
    ("expl", &["explain"], "check"),
    ("--fail", &["--fail-on"], "--fix"),
    ("--format js", &["json"], "text"),
    ("check --color al", &["always"], "auto"),
    ("convert --min", &["--min-confidence"], "--min-severity"),
    ("explain sem/missing-te", &["sem/missing-terminator"], "sem/missing-field"),
    ("--select sem/missing-", &["sem/missing-field", "sem/missing-terminator"], "sem"),
    ("completions po", &["powershell"], "zsh"),
];

fn assert_offers(shell: &str, complete: impl Fn(&str) -> String) {
    for (typed, wanted, unwanted) in TYPED {
        let offered = complete(typed);
        let words: Vec<&str> = offered.lines().filter_map(|line| line.split('\t').next()).collect();
        for word in wanted {
            assert!(words.contains(word), "{shell}: `squad-lint {typed}`: no `{word}` in {words:?}");
        }
        assert!(!words.contains(&unwanted), "{shell}: `squad-lint {typed}`: `{unwanted}` in {words:?}");
    }
}

#[test]
fn bash_completes_commands_options_values_and_rules() {
    let folder = script("bash");
    run(folder.path(), &["bash"], "bash -n script");
    assert_offers("bash", |typed| {
        // What readline does at a tab: the function that `complete` names gets the program, the word and the one before.
        let line = format!(
            "source ./script; COMP_WORDS=(squad-lint {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             named=$(complete -p squad-lint); named=${{named#* -F }}; \
             \"${{named%% *}}\" squad-lint \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        stdout(&run(folder.path(), &["bash", "--norc", "--noprofile"], &line))
    });
}

fn offered_by_fish(folder: &Path, typed: &str) -> String {
    let line = format!("source script; complete --do-complete 'squad-lint {typed}'");
    stdout(&run(folder, &["fish", "--no-config"], &line))
}

#[test]
#[ignore = "needs fish"]
fn fish_completes_commands_options_values_rules_and_paths() {
    needs_program("fish");
    let folder = script("fish");
    run(folder.path(), &["fish", "--no-config"], "fish --no-execute script");
    assert_offers("fish", |typed| offered_by_fish(folder.path(), typed));
    std::fs::write(folder.path().join("other.md"), "").unwrap();
    for (typed, wanted) in [("oth", "other.md"), ("other.md --fail", "--fail-on"), ("other.md oth", "other.md")] {
        let offered = offered_by_fish(folder.path(), typed);
        assert_eq!(offered.split(['\t', '\n']).next(), Some(wanted), "{typed}");
    }
}

/// A zsh on a terminal of its own, as `zsh/zpty` gives one: types each line of the file `typed` behind the name of the program,
/// a tab and the return key, and prints the arguments that the program gets.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -D -u; source ./script; compdef _squad-lint squad-lint; '\
'bindkey "^I" complete-word; squad-lint() { print -r -- "GOT<$*>" }; print REA""DY'
zpty -r shell out '*READY*'
while read -r typed; do
  zpty -w -n shell "squad-lint $typed"$'\t\n'
  zpty -r shell out '*GOT<*>*'
  print -r -- "${${out##*GOT<}%%>*}"
done <typed
zpty -d shell
"#;

#[test]
#[ignore = "needs zsh"]
fn zsh_completes_commands_options_values_rules_and_paths() {
    needs_program("zsh");
    let folder = script("zsh");
    run(folder.path(), &["zsh", "-f"], "zsh -n script");
    let paths = [("oth", "other.md"), ("other.md --fail", "--fail-on"), ("check other.md --form", "--format")];
    // A tab finishes the word where one alone can follow.
    let words = TYPED.iter().filter(|(_, wanted, _)| wanted.len() == 1).map(|&(typed, wanted, _)| (typed, wanted[0]));
    let lines: Vec<_> = words.chain(paths).collect();
    let typed: String = lines.iter().map(|(typed, _)| format!("{typed}\n")).collect();
    std::fs::write(folder.path().join("typed"), typed).unwrap();
    std::fs::write(folder.path().join("other.md"), "").unwrap();
    let printed = stdout(&run(folder.path(), &["zsh", "-f"], ZSH));
    assert_eq!(printed.lines().count(), lines.len(), "{printed}");
    for ((typed, wanted), got) in lines.iter().zip(printed.lines()) {
        assert_eq!(got.split(' ').next_back(), Some(*wanted), "`squad-lint {typed}`: {got}");
    }
}

/// Scripts are mended at places that are known by their text: where a later generator writes another, it is seen here, also
/// without the shell.
#[test]
fn what_the_generator_writes_wrongly_is_mended() {
    for (shell, mended, gone) in [
        ("bash", &["squad__lint)"][..], "squad__subcmd__lint"),
        ("fish", &["2>/dev/null\n    or return 0\n", "if contains -- \"$argv[1]\" check "], "if set -q argv[1]\n"),
        ("zsh", &["|| line[1]=check\n", "'*:paths -- ", "{ _squad-lint_commands; _files }"], "$line[2]"),
    ] {
        let text = std::fs::read_to_string(script(shell).path().join("script")).unwrap();
        for part in mended {
            assert!(text.contains(part), "{shell}: `{part}`");
        }
        assert!(!text.contains(gone), "{shell}: `{gone}`");
    }
}

#[test]
fn each_shell_gets_every_rule() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = std::fs::read_to_string(script(shell).path().join("script")).unwrap();
        assert!(text.contains("squad-lint"), "{shell}");
        // The generator offers no values in these two.
        if ["elvish", "powershell"].contains(&shell) {
            continue;
        }
        for registered in rules::all() {
            assert!(text.contains(registered.rule.name), "{shell}: {}", registered.rule.name);
        }
    }
}

#[test]
fn manual_pages_are_whole() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| {
        let output = squad_lint(folder.path()).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output
    };
    let printed = run(&["man"]).stdout;
    run(&["man", "--dir", "share/man1"]);
    let pages = crate::support::files_below(&folder.path().join("share/man1"));
    assert!(pages.len() >= 7, "{pages:?}");
    assert_eq!(std::fs::read(folder.path().join("share/man1/squad-lint.1")).unwrap(), printed);

    let main = String::from_utf8(printed).unwrap();
    for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "SUBCOMMANDS", "\"EXIT STATUS\"", "ENVIRONMENT", "CONFIGURATION"] {
        assert!(main.contains(&format!(".SH {title}\n")), "{title}");
    }
    // Each is named in the page of the command that it belongs to.
    let stems: Vec<&str> = pages.iter().map(|page| page.file_stem().unwrap().to_str().unwrap()).collect();
    for stem in stems.iter().filter(|stem| **stem != "squad-lint") {
        let holds = |other: &&&str| stem.strip_prefix(**other).is_some_and(|rest| rest.starts_with('-'));
        let parent = stems.iter().filter(holds).max_by_key(|other| other.len()).unwrap();
        let page = std::fs::read_to_string(folder.path().join(format!("share/man1/{parent}.1"))).unwrap();
        assert!(page.contains(&format!("{}(1)", stem.replace('-', "\\-"))), "{stem} is not in the page of {parent}");
    }
}

#[test]
#[ignore = "needs groff"]
fn manual_pages_are_without_warnings() {
    let folder = TempDir::new().unwrap();
    let output = squad_lint(folder.path()).args(["man", "--dir", "."]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let pages = crate::support::files_below(folder.path());
    assert!(pages.len() >= 7, "{pages:?}");
    for page in &pages {
        let path = folder.path().join(page);
        let output = needs_program("groff").args(["-man", "-Tutf8", "-ww", "-P-cbou"]).arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", page.display());
        assert_eq!(stderr(&output), "", "{}", page.display());
        assert!(stdout(&output).contains(concat!("squad-lint ", env!("CARGO_PKG_VERSION"))), "{}", page.display());
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let output = squad_lint(folder.path()).args(["man", "--dir", "file"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
    assert!(stderr(&output).contains("name a folder"), "{}", stderr(&output));
}

/// Lines of learnings that come near to the end of the heredoc in which an agent is given them.
const NEAR_THE_END: [&str; 22] = [
    "PROMPT",
    "PROMPT)",
    "PROMPT engineering (of a kind) helps",
    "PROMPTS) are many",
    "PROMPT\0",
    "PRO\0MPT",
    "\0PROMPT",
    "\0PROMPT x)",
    "PROMPT ",
    " PROMPT",
    "\tPROMPT",
    "- PROMPT)",
    "PROMPTS are many",
    "prompt",
    "PROM\\",
    "PT",
    "'PROMPT'",
    "\"PROMPT\"",
    "PROMPT\\",
    "PROMP T)",
    "it's ( unbalanced \" `",
    "\u{feff}PROMPT",
];

/// Whether bash reads a file with that line as the whole text of the heredoc in the spawn command.
fn is_whole_for_bash(folder: &Path, content: &str) -> bool {
    let heredoc = format!("# Team Member: db\n{content}\n## Reflection Protocol");
    let script = format!("true \"$(cat <<'PROMPT'\n{heredoc}\nPROMPT\n)\"\nprintf '%s' \"$_\"\n");
    std::fs::write(folder.join("spawn"), script).unwrap();
    let output = Command::new("bash").arg("spawn").current_dir(folder).env("HOME", folder).output().unwrap();
    // Bash knows no NUL bytes.
    output.status.success() && stdout(&output) == heredoc.replace('\0', "")
}

#[test]
fn what_ends_the_heredoc_for_bash_is_found() {
    let folder = TempDir::new().unwrap();
    let mut broken = 0;
    for line in NEAR_THE_END {
        let content = format!("# Learnings: db\n- x (added: 2026-02-20)\n{line}\nnot-a-command\n");
        crate::support::write(folder.path(), "memory/agents/db/learnings.md", &content);
        let args = ["--select", "security/heredoc-breakout", "--no-config"];
        let found = squad_lint(folder.path()).args(args).output().unwrap().status.code() == Some(1);
        let is_whole = is_whole_for_bash(folder.path(), &content);
        assert!(found || is_whole, "bash ends the heredoc at {line:?}");
        let indented = content.replace(&format!("\n{line}"), &format!("\n  {line}"));
        assert!(is_whole_for_bash(folder.path(), &indented), "indented, {line:?} ends the heredoc");
        broken += usize::from(!is_whole);
    }
    assert!(broken >= 2, "bash takes {broken} lines for the end");
}
