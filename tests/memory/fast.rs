//! A query that parses only what the bytes of the files may fit answers as one that parses all of them.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use squad_lint::Project;
use squad_lint::engine::Progress;
use squad_lint::engine::session::Session;
use squad_lint::engine::target::Target;
use squad_lint::formats::entries::Wanted;
use squad_lint::formats::sem::{EntryType, Scope};
use squad_lint::formats::timestamp::Timestamp;
use squad_lint::memory::glance::{About, Glance, Person, Readers};
use squad_lint::memory::list::json;
use squad_lint::memory::people::People;
use squad_lint::memory::query::{Author, Query, Reference, State};
use squad_lint::memory::record::Record;
use squad_lint::memory::records::{self, moment_or_day};
use squad_lint::project::{At, Open};
use squad_lint::rule_set::RuleSet;
use squad_lint::text::any_case::AnyCase;

use crate::support::{rounds, write};

/// What is asked for.
#[derive(Clone, Debug, Default)]
struct Asked {
    texts: Vec<String>,
    tags: Vec<String>,
    related: Vec<String>,
    types: Vec<EntryType>,
    after: Option<String>,
    before: Option<String>,
    superseded: bool,
    authors: Vec<String>,
    scopes: Vec<String>,
    recent: Option<i64>,
    reader: Option<String>,
    in_force: bool,
}

/// Looks for what is asked among `all`: the answer as lines of JSON.
fn told(asked: &Asked, now: Timestamp, all: &[Record<'_>], people: &People, authors: Vec<Author<'_>>) -> String {
    let when = |text: &Option<String>| text.as_deref().map(|text| moment_or_day(text).unwrap());
    let query = Query {
        types: &asked.types,
        tags: &asked.tags,
        authors,
        scopes: asked.scopes.iter().map(|text| Scope::parse(text).unwrap()).collect(),
        after: when(&asked.after),
        before: when(&asked.before),
        since: asked.recent.map(|seconds| now.unix() - seconds),
        related: asked.related.iter().map(|text| Reference::parse(text)).collect(),
        texts: asked.texts.iter().map(|text| AnyCase::new([text.as_str()]).unwrap()).collect(),
        state: asked.superseded.then_some(State::Superseded).or(asked.in_force.then_some(State::InForce)),
        reader: asked.reader.as_deref().map(|name| people.agent(name).unwrap()),
        now: Some(now),
    };
    let found: Vec<Record<'_>> = all.iter().filter(|record| query.fits(record, people)).cloned().collect();
    let mut out = Vec::new();
    json::lines(&found, now, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn session<'a>(project: &'a Project, progress: &'a Progress) -> Session<'a> {
    Session::new(project, Target::Paths(Vec::new()), RuleSet::default(), progress).unwrap()
}

/// The answers of one that parses all files, which it does once for all questions.
fn slow_answers(project: &Project, questions: &[Asked]) -> Vec<String> {
    let progress = Progress::default();
    let (answers, _) = session(project, &progress).look(
        |file| records::are_in(file.kind),
        None,
        |run| {
            let people = People::of(run);
            let all = records::with(run, |_| true);
            let answer = |asked: &Asked| {
                let authors = asked.authors.iter().map(|name| Author::of(name, &all, &people)).collect();
                told(asked, project.options.now, &all, &people, authors)
            };
            questions.iter().map(answer).collect()
        },
    );
    answers
}

/// The answer of one that parses only what may fit; `None` where it has to parse all files, as the authors of all entries tell whose
/// name it is.
fn fast_answer(project: &Project, asked: &Asked) -> Option<String> {
    let now = project.options.now;
    let when = |text: &Option<String>| text.as_deref().map(|text| moment_or_day(text).unwrap());
    let progress = Progress::default();
    let session = session(project, &progress);
    let roots = || session.roots_of(|file| records::are_in(file.kind));
    let person = |name: &str| {
        let names = session.look_around(|run| People::names_of(run, roots(), name));
        Person::of(names.iter().map(String::as_str))
    };
    let readers = |text: &String| match Scope::parse(text).unwrap() {
        Scope::Team => Readers::Team,
        Scope::Project => Readers::Named("project".to_owned()),
        Scope::Skill(name) => Readers::Named(name.to_lowercase()),
        Scope::Agent(name) => Readers::Agent(person(name).unwrap()),
    };
    let about = About {
        texts: &asked.texts,
        tags: &asked.tags,
        related: &asked.related,
        types: &asked.types,
        after: when(&asked.after),
        before: when(&asked.before),
        since: asked.recent.map(|seconds| now.unix() - seconds),
        is_superseded: asked.superseded,
        people: asked.authors.iter().map(|name| person(name).unwrap()).collect(),
        scopes: asked.scopes.iter().map(readers).collect(),
    };
    // Nothing that bytes tell: it parses all.
    let glance = Glance::of(about).unwrap()?;
    let (text, _) = session.look(
        |file| records::are_in(file.kind),
        Some(&glance),
        |run| {
            let people = People::of(run);
            let all = records::with(run, |text| glance.has(text));
            let authors: Vec<Author<'_>> = asked.authors.iter().map(|name| Author::of(name, &all, &people)).collect();
            let is_guessed = authors.iter().any(|author| author.is_guessed(&all, &people));
            (!is_guessed).then(|| told(asked, now, &all, &people, authors))
        },
    );
    text
}

/// Questions with these words, tags and references.
fn questions(words: &[String], tags: &[String], related: &[String]) -> Vec<Asked> {
    let mut all = Vec::new();
    for word in words {
        let text = Asked { texts: vec![word.clone()], ..Asked::default() };
        all.push(Asked { types: vec![EntryType::Decision], ..text.clone() });
        all.push(Asked { superseded: true, ..text.clone() });
        all.push(Asked {
            after: Some("2026-02-10T10:30:00Z".into()),
            before: Some("2026-03-20".into()),
            ..text.clone()
        });
        all.push(text);
    }
    all.extend(tags.iter().map(|tag| Asked { tags: vec![tag.clone()], ..Asked::default() }));
    all.extend(related.iter().map(|one| Asked { related: vec![one.clone()], ..Asked::default() }));
    for kind in EntryType::ALL {
        all.push(Asked { types: vec![kind], ..Asked::default() });
        all.push(Asked { types: vec![kind], superseded: true, ..Asked::default() });
        all.push(Asked { types: vec![kind], in_force: true, ..Asked::default() });
    }
    for day in [20, 100, 113] {
        all.push(Asked { recent: Some(day * 24 * 60 * 60), ..Asked::default() });
    }
    for scope in ["team", "project", "skill:jest"] {
        all.push(Asked { scopes: vec![scope.to_owned()], ..Asked::default() });
    }
    all.push(Asked { after: Some("2026-03-01".into()), ..Asked::default() });
    all.push(Asked { before: Some("2026-02-10T10:30:00Z".into()), ..Asked::default() });
    all
}

/// Questions about these people.
fn about_people(names: &[String]) -> Vec<Asked> {
    let by = |name: &String| Asked { authors: vec![name.clone()], ..Asked::default() };
    let for_one = |name: &String| Asked { scopes: vec![format!("agent:{name}")], ..Asked::default() };
    let is_name = |name: &&String| Scope::parse(&format!("agent:{name}")).is_some();
    let read_by =
        |name: &String| Asked { reader: Some(name.clone()), types: vec![EntryType::Note], ..Asked::default() };
    let is_agent = |name: &&String| name.as_str() == "keaton";
    let all = names.iter().map(by).chain(names.iter().filter(is_name).map(for_one));
    all.chain(names.iter().filter(is_agent).map(read_by)).collect()
}

fn open(folder: &Path) -> Project {
    Project::open_with(&Open { at: At::Root(folder), now: Some("2026-06-01"), ..Open::default() }).unwrap()
}

fn compare(folder: &Path, questions: &[Asked]) -> usize {
    let (project, mut compared) = (open(folder), 0);
    for (asked, slow) in questions.iter().zip(slow_answers(&project, questions)) {
        let Some(fast) = fast_answer(&project, asked) else { continue };
        compared += 1;
        let differs = || fast.lines().zip(slow.lines()).find(|(one, other)| one != other);
        let counts = (fast.lines().count(), slow.lines().count());
        assert!(fast == slow, "{}: {asked:?}: {counts:?} {:?}", folder.display(), differs());
    }
    compared
}

/// An entry of some format, or a text between entries.
fn block() -> impl Strategy<Value = String> {
    let sem = (0u32..60, 0usize..4, "(word|Word|other|ſword)", prop::option::of(0u32..60), ("(keaton|Keaton|K[.]|Kea-ton, fenster|verbal)", "(|[*]{2}scope:[*]{2} (team|project|agent:keaton|skill:jest|agent:verbal)  \n|[*]{2}contributors[*]{2}: keaton  \n)"), "(|[*]{2}Scope creep[*]{2} is a risk.\n|[*]{2}Scoped[*]{2} to it.\n|[|] [*]{2}Scope[*]{2} [|] all [|]\n|- [*]{2}Scope:[*]{2} agent:zed\n|`{3}\n[*]{2}scope:[*]{2} project\n`{3}\n|`{3}\n### 2026-02-10: a\n`{3}\n|<!--\n# x\n-->\n)", any::<bool>())
        .prop_map(|(minute, kind, word, old, (author, more), held, is_ended)| {
            let (at, kind) = (format!("2026-02-10T10:{minute:02}:00+0000"), EntryType::ALL[kind].as_str());
            let old = old.map(|old| format!("**supersedes:** 2026-02-10T10:{old:02}:00+0000  \n")).unwrap_or_default();
            let end = if is_ended { "---\n\n" } else { "" };
            format!("### {at}: {kind}: The {word}\n\n**type:** {kind}  \n**timestamp:** {at}  \n**author:** {author}  \n{more}**tags:** {word}, b  \n{old}\n**summary:** A {word}.\n\n**related:**\n- issue: #{minute}\n\n{held}\n{end}")
        });
    let older = (10u32..29, "(word|other)").prop_map(|(day, word)| {
        format!("### 2026-02-{day}: The {word}\n**By:** Keaton\n**What:** Keep the {word}.\n**Why:** Because.\n\n")
    });
    prop_oneof![4 => sem, 2 => older, 1 => "(## 2026-02-2[0-9]\n\n|## Rejected ideas\n\n|# Skipped \\(not to build\\)\n\nWhy.\n\n|  ## Gotchas\n|## Part\n\nA word.\n\n|### No date\n\nA word\n\n|`{3}\nopen\n\n|- a\n  # b\n\n)"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(rounds(24)).unwrap()))]
    #[test]
    fn generated_memories(
        ledger in prop::collection::vec(block(), 0..8),
        archive in prop::collection::vec(block(), 0..5),
        history in prop::collection::vec(block(), 0..5),
        learnings in prop::collection::vec("- (A word|Another) \\(added: 2026-02-1[0-9]\\)\n", 0..3),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        write(at, ".squad/decisions.md", "# Decisions\n\n".to_owned() + &ledger.concat());
        write(at, ".squad/decisions-archive.md", archive.concat().replace('\n', "\r\n"));
        write(at, ".squad/agents/keaton/history.md", history.concat());
        write(at, ".squad/agents/keaton/charter.md", "# Keaton\n");
        let team = "# Team\n\n## Members\n\n| Name | Role | Charter |\n|---|---|---|\n| K. | Lead | agents/keaton/charter.md |\n";
        write(at, ".squad/team.md", team);
        write(at, ".squad/skills/words/SKILL.md", "# Words\n**By:** Keaton\n\nA word.\n\n".to_owned() + &history.concat());
        write(at, "memory/agents/keaton/learnings.md", "## Core\n\n".to_owned() + &learnings.concat());
        compare(at, &about_people(&["keaton", "K", "verbal"].map(str::to_owned)));
        let texts = ["word", "nothing", "OTHER", "\n"].map(str::to_owned);
        compare(at, &questions(&texts, &["Word".into(), "b".into()], &["issue:18".into(), "2026-02-10T10:18:00Z".into()]));
    }
}

#[test]
#[ignore = "needs SQUAD_LINT_CORPUS"]
fn real_memories() {
    use rayon::prelude::*;
    let compared: usize = super::corpus::repositories()
        .into_par_iter()
        .map(|folder| {
            let all = slow_answers(&open(&folder), &[Asked::default()]).concat();
            let values: Vec<serde_json::Value> = all.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            // A word of each of some entries.
            let words: BTreeSet<String> = values
                .iter()
                .step_by(values.len() / 3 + 1)
                .filter_map(|entry| {
                    entry["summary"].as_str()?.split(' ').max_by_key(|word| word.len()).map(str::to_owned)
                })
                .filter(|word| !word.is_empty())
                .collect();
            let authors = values.iter().filter_map(|entry| entry["author"].as_str()).map(str::to_owned);
            let authors: BTreeSet<String> = authors.filter(|name| Person::of([name.as_str()]).is_some()).collect();
            let authors: Vec<String> = authors.iter().step_by(authors.len() / 3 + 1).cloned().collect();
            let words: Vec<String> = words.into_iter().chain(["zzz".to_owned(), "the".to_owned()]).collect();
            compare(&folder, &about_people(&authors))
                + compare(&folder, &questions(&words, &["testing".into()], &["issue:1".into()]))
        })
        .sum();
    assert!(compared > 200, "{compared} questions");
}
