//! # security/secret
//!
//! ## What it flags
//!
//! A key or token in the format of a known service. The rule knows the formats of GitHub, GitLab, npm, `PyPI`,
//! `RubyGems`, Docker, AWS, Azure, Google, `DigitalOcean`, Databricks, Vault, Slack, Discord, Telegram, Twilio,
//! `SendGrid`, Stripe, Shopify, Atlassian, Linear, Notion, Figma, Grafana, `OpenAI`, Anthropic, `OpenRouter`, Groq,
//! xAI, Perplexity and Hugging Face, private keys, and JSON web tokens. It ignores examples, such as `ghp_xxxx`, keys
//! that contain `EXAMPLE`, the example keys in the documentation of Stripe and AWS, and names in plain words, such as
//! `sk-admin-panel-settings-page`.
//!
//! The rule decodes JSON escapes and letters after a backslash. It does not find letters written as HTML entities, such
//! as `&#103;`, or a secret that is encoded as a whole, such as one in base64.
//!
//! squad-lint never prints the secret: it prints asterisks instead, also in the findings of other rules, in diffs, and
//! in the output of other subcommands. A diff with asterisks says so, and git cannot apply it; `--fix` changes the file
//! itself.
//!
//! ## Why it matters
//!
//! Everyone who can read the repository can use the secret, and agents send their memory to the service that runs the
//! model. The history in git keeps it, even after someone deletes the line.
//!
//! ## Example
//!
//! ```markdown
//! - Deploys: `curl -H "Authorization: Bearer ghp_…"`, with all 40 characters of the token
//! ```
//!
//! ## How to fix
//!
//! Revoke the secret at the service that issued it, and create a new one. Keep the new one in a secret store or an
//! environment variable, and write only the name of the variable.
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
