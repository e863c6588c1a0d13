//! # security/secret
//!
//! ## What it flags
//!
//! A key or token in the form that its service gives it. Known are those of GitHub, GitLab, npm, `PyPI`, `RubyGems`, Docker, AWS, Azure,
//! Google, `DigitalOcean`, Databricks, Vault, Slack, Discord, Telegram, Twilio, `SendGrid`, Stripe, Shopify, Atlassian, Linear, Notion,
//! Figma, Grafana, `OpenAI`, Anthropic, `OpenRouter`, Groq, xAI, Perplexity and Hugging Face, private keys, and JSON web tokens. Examples
//! are ignored, such as `ghp_xxxx`, a key with `EXAMPLE` in it, the example keys in the documentation of Stripe and AWS, and names in
//! plain words, such as `sk-admin-panel-settings-page`.
//!
//! Letters that are written as escapes of JSON or after a backslash are read. Those written as HTML entities, such as `&#103;`, and a
//! secret that is encoded as a whole, such as one in base64, are not found.
//!
//! No output shows the secret: asterisks are in its place, also in the findings of other rules, in diffs, and in what other subcommands
//! print of the file. A diff with asterisks says so, and cannot be applied; `--fix` changes the file itself.
//!
//! ## Why it matters
//!
//! Whoever can read the repository can use the secret, and agents send their memory to the service that runs the model. A
//! history in git keeps it, also after the line is deleted.
//!
//! ## Example
//!
//! ```markdown
//! - Deploys: `curl -H "Authorization: Bearer ghp_…"`, with all 40 characters of the token
//! ```
//!
//! ## How to fix
//!
//! Revoke the secret where it was made, and make a new one. Keep that in a secret store or a variable, and write down the
//! name of the variable alone.
//!
//! ## Source
//!
//! GitHub, "Supported secret scanning patterns":
//! <https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns>

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Check, Context, Rule, Sink};
use crate::text::secret::Secret;

/// The rule.
pub static RULE: Rule =
    Rule { name: "security/secret", severity: Severity::Error, check: Check::Document(check), ..Rule::NEW };

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    // What rules look at as at a file of its own is left out, such as a history in a bundle.
    let found = context.document.source.secrets();
    let own = if found.is_empty() { Vec::new() } else { context.document.embedded_literals() };
    for Secret { span, name, .. } in found {
        if own.iter().any(|literal| literal.contains(*span)) {
            continue;
        }
        sink.report(
            Finding::at(*span, format!("file contains {} {name}", article(name)))
                .label("masked in this output")
                .help("revoke it, and keep its replacement outside of the repository"),
        );
    }
}

/// `a` or `an`, as it is spoken: an npm token.
fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'I', 'O', 'U', 'n']) { "an" } else { "a" }
}
