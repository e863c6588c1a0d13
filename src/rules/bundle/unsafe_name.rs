//! # bundle/unsafe-name
//!
//! ## What it flags
//!
//! The key of an agent, or a key of `casting`, that cannot safely be the name of a file or folder:
//!
//! - it leads elsewhere: `..`, a name with `/` or `\`, a drive such as `C:`;
//! - it is empty, or longer than 200 bytes;
//! - it has a control character, a character that Windows forbids, or one that some systems ignore or rewrite;
//! - Windows changes it or treats it as a device: `con`, `nul.md`, a name that ends with a dot or a space;
//! - shells and programs read it as something else: it begins with a dot, a hyphen, a tilde or a space, or has a
//!   character such as `$` or `;`;
//! - another key differs from it only in case. Squad itself creates both `Rai` and `rai`, which is ignored.
//!
//! The rule also reports the key `__proto__` anywhere in a bundle. It warns about a key in an export of Squad that the
//! import of Squad does not accept, such as `mary ann`: the import stops there, and leaves an incomplete squad. It says nothing of
//! `_alumni`, which Squad itself exports.
//!
//! ## Why it matters
//!
//! On import the key becomes the name of a folder, or of a file in `casting/`. With a key such as `../../.git/hooks/x`,
//! an import writes outside of the squad, and not all importers check it.
//!
//! ## Example
//!
//! ```json
//! "agents": { "../../src": { "charter": "# Not an agent" } }
//! ```
//!
//! ## How to fix
//!
//! Do not import such a bundle from someone else. In your own bundle, rename the agent and export the squad again.
//!
//! ## Source
//!
//! Portable squads, "Names":
//! <https://github.com/squad-lint/squad-lint/blob/main/docs/formats/portable-squads.md#names>

use std::collections::HashMap;

use super::shared;
use crate::diagnostic::{Finding, Severity};
use crate::formats::bundle::{Bundle, Format, ProblemKind, folded, hazard, is_name_for_squad, shortened};
use crate::formats::manifest::Text;
use crate::rule::{Check, Context, Rule, Sink};

/// The rule.
pub static RULE: Rule =
    Rule { name: "bundle/unsafe-name", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(bundle) = context.document.body::<Bundle>() else { return };
    shared::report(ProblemKind::ReservedKey, context, sink);
    let second = bundle.second_folders();
    let keys = bundle.agents.iter().map(|agent| &agent.key);
    report("agents", keys.clone().filter(|key| !second.contains(key.value.as_str())), sink);
    report("casting", bundle.casting.iter().map(|member| &member.key), sink);
    if bundle.format == Some(Format::Export) {
        // Squad exports the folder of those who left as it is.
        let is_rejected = |key: &&Text| key.value != "_alumni" && !is_name_for_squad(&key.value);
        for key in keys.filter(|key| hazard(&key.value).is_none()).filter(is_rejected) {
            let message = format!("Squad's own import rejects the key `{}` in `agents`", shortened(&key.value));
            sink.report(
                Finding::at(key.span, message)
                    .at_most(Severity::Warning)
                    .label("expected ASCII letters, digits, `.`, `_` and `-`")
                    .note("`squad-lint bundle import` accepts it")
                    .help("to import it with Squad, rename the folder of the agent, then export the squad again"),
            );
        }
    }
}

/// Reports those of `keys` that cannot be names.
fn report<'k>(object: &str, keys: impl Iterator<Item = &'k Text>, sink: &mut Sink<'_>) {
    let mut known: HashMap<String, &Text> = HashMap::new();
    // What is reserved is reported wherever it is.
    for key in keys.filter(|key| key.value != "__proto__") {
        let name = shortened(&key.value);
        if let Some(hazard) = hazard(&key.value) {
            sink.report(
                Finding::at(key.span, format!("key `{name}` in `{object}` {hazard}"))
                    .label("not a safe file name")
                    .help("do not import a bundle from an unknown source")
                    .help("if the bundle is yours, rename the key, then export the squad again"),
            );
            continue;
        }
        match known.insert(folded(&key.value), key) {
            // The same key again is reported as such.
            Some(earlier) if earlier.value != key.value => sink.report(
                Finding::at(
                    key.span,
                    format!("key `{name}` in `{object}` differs from `{}` in case only", shortened(&earlier.value)),
                )
                .label("the same file on some systems")
                .related(earlier.span, "earlier one here")
                .help("rename one of the two"),
            ),
            _ => {}
        }
    }
}
