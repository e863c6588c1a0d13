//! What a rule is: a name, a severity, one function, and its own page.

use bstr::BStr;

pub use crate::document::{Before, Document, Ratchet};

use crate::diagnostic::{Applicability, Diagnostic, Finding, RuleId, Scope, Severity};
use crate::facts::Run;
use crate::facts::asked::Asked;
use crate::facts::authors::{self, Author};
use crate::facts::entries::Entries;
use crate::facts::squads::Squad;
use crate::facts::unused;
use crate::formats::sem::Entry;
use crate::options::Options;
use crate::select::read_error::ReadError;
use crate::suppress::{Suppression, Unused};

/// A rule. Its page is the `//!` header of its own file, see [`Registered::page`].
#[derive(Debug)]
pub struct Rule {
    /// `family/rule-name`: the file, the fixture folder, the anchor, the SARIF id.
    pub name: &'static str,
    /// The version that brought it.
    pub since: &'static str,
    /// The severity that its page gives.
    pub severity: Severity,
    /// Whether it runs unless asked not to.
    pub enabled: bool,
    /// The kinds of fixes it offers.
    pub fixes: &'static [Applicability],
    /// Whether its fixes are made only if `--select` names it.
    pub fix_if_named: bool,
    /// Whether it compares entries with those of the whole repository: these are gathered before the rules run.
    pub compares_entries: bool,
    /// Whether it reports a file once, at one of several places: another one can take its turn without a new defect.
    pub once_a_file: bool,
    /// Whether it looks also at files that a change leaves as they are, see [`facts::beside`](crate::facts::beside).
    pub looks_beside: bool,
    /// What it looks at, and its function.
    pub check: Check,
}

impl Rule {
    /// What most rules have in common: `..Rule::NEW` fills it in.
    pub const NEW: Self = Self {
        name: "",
        since: "0.1.0",
        severity: Severity::Warning,
        enabled: true,
        fixes: &[],
        fix_if_named: false,
        compares_entries: false,
        once_a_file: false,
        looks_beside: false,
        check: Check::Document(|_, _| {}),
    };

    /// What its findings know of it.
    pub fn id(&self) -> RuleId {
        let scope = match self.check {
            Check::Entry(_) => Scope::Entry,
            Check::Document(_) => Scope::Document,
            Check::Repository(_) => Scope::Repository,
            Check::Change(_) => Scope::Change,
            Check::Unread(_) => Scope::Unread,
            Check::Suppression(_) => Scope::Suppression,
            Check::Unused(_) => Scope::Unused,
        };
        RuleId { name: self.name, scope }
    }
}

/// What a rule may look at beside its entry: the file, and the run that it is part of.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The file.
    pub document: &'a Document,
    /// The options of the rules.
    pub options: &'a Options,
    run: &'a Run<'a>,
    /// What the rules asked of it.
    asked: &'a Asked,
}

impl<'a> Context<'a> {
    /// The context of `document` in `run`. What rules ask for is noted in `asked`.
    pub fn new(document: &'a Document, run: &'a Run<'a>, asked: &'a Asked) -> Self {
        Self { document, options: run.options, run, asked }
    }

    /// The run, and with it all facts about the repository.
    ///
    /// A rule that does not ask for it depends on the document alone: as long as the document is the same, its findings are
    /// the same, and a [`Session`](crate::engine::session::Session) keeps them. So ask for it as late as possible, and not
    /// where [`Context::squad`] or [`Context::entries`] is enough: the session knows when their answers change.
    pub fn run(&self) -> &'a Run<'a> {
        self.asked.run.set(true);
        self.run
    }

    /// The team of the state root that the document lies in; `None` if the root has neither agents nor a `team.md`.
    pub fn squad(&self) -> Option<&'a Squad> {
        self.asked.squad.set(true);
        self.run.squads().at(self.document.root())
    }

    /// Whether the author of an entry in the document is on that team; `None` if the team has no agents.
    pub fn author(&self, author: &str) -> Option<Author> {
        self.asked.squad.set(true);
        authors::at(self.run, self.document.root(), author)
    }

    /// Whether no agents use the state root of the document, see [`unused::is_unused`].
    pub fn is_unused(&self) -> bool {
        let root = self.document.root();
        // Of others only an old root can be: rules on them, and on the texts in a bundle, do not depend on the repository for this.
        unused::is_example(self.run, root) || root.ends_with(b".ai-team") && unused::is_left_over(self.run(), root)
    }

    /// All SEM entries of the repository.
    pub fn entries(&self) -> Entries<'a> {
        Entries::new(self.run, self.asked)
    }
}

/// What a rule needs; the engine gives no more.
#[derive(Debug)]
pub enum Check {
    /// One SEM entry.
    Entry(fn(Entry<'_>, &Context<'_>, &mut Sink<'_>)),
    /// One file.
    Document(fn(&Context<'_>, &mut Sink<'_>)),
    /// The repository as a whole, once per run; each finding names its own file.
    Repository(fn(&Run<'_>, &mut Sink<'_>)),
    /// What a change does, once per run that looks at one; each finding names its own file, and counts wherever it is.
    Change(fn(&Run<'_>, &mut Sink<'_>)),
    /// A file that was not read.
    Unread(fn(&ReadError, &mut Sink<'_>)),
    /// A comment that suppresses findings, in its text.
    Suppression(fn(&str, &Suppression, &mut Sink<'_>)),
    /// A comment that suppresses findings, with names that suppressed none.
    Unused(fn(Unused<'_>, &mut Sink<'_>)),
}

/// A rule with the text it is written in.
#[derive(Clone, Copy, Debug)]
pub struct Registered {
    /// The rule.
    pub rule: &'static Rule,
    /// The name of its module.
    pub module: &'static str,
    /// The source of its module, whose `//!` lines are its page.
    pub source: &'static str,
}

impl Registered {
    /// The page in Markdown: the leading `//!` lines of the rule's file.
    pub fn page(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        let mut page = String::new();
        for line in lines {
            page.push_str(line.strip_prefix(' ').unwrap_or(line));
            page.push('\n');
        }
        page
    }

    /// The first sentence under `What it flags`: what the table of rules shows.
    pub fn headline(&self) -> String {
        let page = self.page();
        let section = page.split("## What it flags").nth(1).unwrap_or_default();
        let paragraph = section.trim_start().split("\n\n").next().unwrap_or_default().replace('\n', " ");
        match paragraph.split_once(". ") {
            Some((first, _)) => first.to_owned(),
            None => paragraph.trim_end_matches(['.', ':']).to_owned(),
        }
    }

    /// The part of the name before `/`.
    pub fn family(&self) -> &'static str {
        self.rule.id().family()
    }
}

/// Where a rule puts its findings.
#[derive(Debug)]
pub struct Sink<'a> {
    rule: &'static Rule,
    severity: Severity,
    path: &'a BStr,
    out: &'a mut Vec<Diagnostic>,
}

impl<'a> Sink<'a> {
    /// A sink for what `rule` finds in the file at `path` where the finding names no other, reported with `severity`.
    pub fn new(rule: &'static Rule, severity: Severity, path: &'a BStr, out: &'a mut Vec<Diagnostic>) -> Self {
        Self { rule, severity, path, out }
    }

    /// Reports `finding`.
    pub fn report(&mut self, finding: Finding) {
        self.out.push(finding.without_secrets().into_diagnostic(self.rule.id(), self.severity, self.path));
    }
}

/// Declares the rules of a family, one module each, and registers them in the order given.
#[macro_export]
macro_rules! family {
    ($($module:ident)*) => {
        $(pub mod $module;)*

        /// The rules of this family.
        pub const RULES: &[$crate::rule::Registered] = &[
            $($crate::rule::Registered {
                rule: &$module::RULE,
                module: stringify!($module),
                source: include_str!(concat!(stringify!($module), ".rs")),
            },)*
        ];
    };
}
