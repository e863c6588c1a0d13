//! The shapes of keys and tokens, as their services publish them: how they begin, which characters follow, and how many.

use std::ops::RangeInclusive;

use super::letters::{is_edge, letters};
use super::random::{is_example, is_random};
use super::web_token::web_token;

/// The characters after the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    /// Letters and digits.
    Letters,
    /// Capital letters, and digits from 2 to 7.
    Base32,
    /// Digits, and letters up to F.
    Hex,
    /// Letters, digits, `_` and `-`.
    Word,
    /// Those of `Word`, and dots.
    Dotted,
    /// Letters, digits, `+`, `/` and `=`.
    Base64,
    /// Those of `Word`, and slashes.
    Path,
    /// Those of `Base64`, and `%`.
    Percent,
    /// Three words with dots between them.
    WebToken,
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Letters => byte.is_ascii_alphanumeric(),
            Self::Base32 => matches!(byte, b'A'..=b'Z' | b'2'..=b'7'),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted | Self::WebToken => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
            Self::Path => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/'),
            Self::Percent => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'%'),
        }
    }
}

/// What has to be before the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// Anything: no other word has such a beginning.
    Any,
    /// No letter and no digit.
    Edge,
}

/// One shape.
pub struct Shape {
    /// How it begins.
    pub prefix: &'static str,
    name: &'static str,
    before: Before,
    alphabet: Alphabet,
    len: RangeInclusive<usize>,
}

impl Shape {
    /// Where in its beginning the long word begins that each token has: after the last dot or colon.
    #[allow(clippy::indexing_slicing, reason = "a constant cannot use get")]
    pub const fn in_word(&self) -> usize {
        let prefix = self.prefix.as_bytes();
        let mut at = prefix.len();
        while at > 0 && !matches!(prefix[at - 1], b'.' | b':') {
            at -= 1;
        }
        at
    }

    /// The length of its beginning, if `bytes` have it at `at`, also with a backslash before each `_` as Markdown has it.
    pub fn begins(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        if rest.starts_with(self.prefix.as_bytes()) {
            return Some(self.prefix.len());
        }
        let mut len = 0;
        for byte in self.prefix.bytes() {
            if byte == b'_' {
                len += usize::from(rest.get(len) == Some(&b'\\'));
            }
            if rest.get(len) != Some(&byte) {
                return None;
            }
            len += 1;
        }
        Some(len)
    }

    /// Whether its tokens have three parts, so that another token can begin in the first one.
    pub fn is_web_token(&self) -> bool {
        self.alphabet == WebToken
    }

    /// The token of this shape whose beginning is at `start`.
    pub fn token(&self, bytes: &[u8], start: usize) -> Option<Token> {
        let random = start + self.begins(bytes, start)?;
        if self.before == Before::Edge && !is_edge(bytes, start) {
            return None;
        }
        if self.alphabet == WebToken {
            return web_token(bytes, start).1.map(|end| Token { start, random: start, end, name: self.name });
        }
        token(bytes, start, random, self)
    }
}

const fn any(prefix: &'static str, name: &'static str, alphabet: Alphabet, min: usize, max: usize) -> Shape {
    Shape { prefix, name, before: Before::Any, alphabet, len: min..=max }
}

const fn edge(prefix: &'static str, name: &'static str, alphabet: Alphabet, min: usize, max: usize) -> Shape {
    Shape { prefix, name, before: Before::Edge, alphabet, len: min..=max }
}

use Alphabet::{Base32, Base64, Dotted, Hex, Letters, Path, Percent, WebToken, Word};

#[rustfmt::skip]
pub static SHAPES: [Shape; 77] = [
    any("ghp_", "GitHub token", Letters, 36, 251),
    any("gho_", "GitHub token", Letters, 36, 251),
    any("ghu_", "GitHub token", Letters, 36, 251),
    any("ghs_", "GitHub token", Letters, 36, 251),
    any("ghr_", "GitHub token", Letters, 36, 251),
    any("github_pat_", "GitHub token", Word, 60, 251),
    any("AKIA", "AWS access key", Base32, 16, 16),
    any("ASIA", "AWS access key", Base32, 16, 16),
    any("AIza", "Google API key", Word, 35, 35),
    any("GOCSPX-", "Google client secret", Word, 28, 28),
    edge("ya29.", "Google token", Word, 30, 2048),
    any("npm_", "npm token", Letters, 36, 36),
    any("xoxb-", "Slack token", Word, 30, 300),
    any("xoxp-", "Slack token", Word, 30, 300),
    any("xoxa-", "Slack token", Word, 30, 300),
    any("xoxr-", "Slack token", Word, 30, 300),
    any("xoxs-", "Slack token", Word, 30, 300),
    any("xoxe-", "Slack token", Word, 30, 300),
    any("xoxo-", "Slack token", Word, 30, 300),
    any("xoxc-", "Slack token", Word, 30, 300),
    any("xoxd-", "Slack token", Percent, 30, 500),
    any("xapp-", "Slack token", Word, 40, 300),
    any("hooks.slack.com/services/", "Slack webhook", Path, 38, 60),
    any("hooks.slack.com/workflows/", "Slack webhook", Path, 38, 80),
    any("discord.com/api/webhooks/", "Discord webhook", Path, 80, 120),
    any("sk_live_", "Stripe key", Letters, 20, 251),
    any("rk_live_", "Stripe key", Letters, 20, 251),
    any("sk_test_", "Stripe key", Letters, 20, 251),
    any("rk_test_", "Stripe key", Letters, 20, 251),
    any("whsec_", "Stripe webhook secret", Base64, 32, 64),
    edge("sk-ant-", "Anthropic key", Word, 60, 251),
    edge("sk-proj-", "OpenAI key", Word, 40, 251),
    edge("sk-svcacct-", "OpenAI key", Word, 40, 251),
    edge("sk-admin-", "OpenAI key", Word, 40, 251),
    edge("sk-or-v1-", "OpenRouter key", Letters, 64, 64),
    edge("sk-", "OpenAI key", Letters, 32, 64),
    edge("gsk_", "Groq key", Letters, 52, 52),
    edge("xai-", "xAI key", Letters, 80, 80),
    edge("pplx-", "Perplexity key", Letters, 48, 64),
    edge("hf_", "Hugging Face token", Letters, 34, 40),
    any("glpat-", "GitLab token", Dotted, 20, 100),
    any("glptt-", "GitLab token", Dotted, 20, 100),
    any("gldt-", "GitLab token", Dotted, 20, 100),
    any("glrt-", "GitLab token", Dotted, 20, 100),
    any("glrtr-", "GitLab token", Dotted, 20, 100),
    any("glcbt-", "GitLab token", Dotted, 20, 100),
    any("glft-", "GitLab token", Dotted, 20, 100),
    any("glimt-", "GitLab token", Dotted, 20, 100),
    any("glagent-", "GitLab token", Dotted, 20, 100),
    any("gloas-", "GitLab token", Dotted, 20, 100),
    any("glsoat-", "GitLab token", Dotted, 20, 100),
    any("glffct-", "GitLab token", Dotted, 20, 100),
    edge("SG.", "SendGrid key", Dotted, 66, 66),
    any("pypi-AgE", "PyPI token", Word, 50, 2048),
    any("dckr_pat_", "Docker token", Word, 27, 40),
    any("dckr_oat_", "Docker token", Word, 27, 40),
    edge("dapi", "Databricks token", Hex, 32, 32),
    any("dop_v1_", "DigitalOcean token", Hex, 64, 64),
    any("doo_v1_", "DigitalOcean token", Hex, 64, 64),
    any("dor_v1_", "DigitalOcean token", Hex, 64, 64),
    any("shpat_", "Shopify token", Hex, 32, 32),
    any("shpca_", "Shopify token", Hex, 32, 32),
    any("shppa_", "Shopify token", Hex, 32, 32),
    any("shpss_", "Shopify secret", Hex, 32, 32),
    any("lin_api_", "Linear key", Letters, 40, 40),
    edge("hvs.", "Vault token", Word, 80, 250),
    any("glsa_", "Grafana token", Word, 41, 41),
    any("rubygems_", "RubyGems key", Hex, 48, 48),
    any("figd_", "Figma token", Word, 38, 50),
    edge("ntn_", "Notion token", Letters, 43, 50),
    any("ATATT3", "Atlassian token", Word, 150, 250),
    edge("SK", "Twilio key", Hex, 32, 32),
    any("AccountKey=", "Azure key", Base64, 44, 88),
    any("SharedAccessKey=", "Azure key", Base64, 44, 88),
    edge("sig=", "Azure signature", Percent, 43, 70),
    any(":AA", "Telegram token", Word, 33, 33),
    edge("eyJ", "JSON web token", WebToken, 20, 8_000),
];

/// A token in a text.
pub struct Token {
    /// Its first byte.
    pub start: usize,
    /// Where the part begins that was chosen at random.
    pub random: usize,
    /// One past its last byte.
    pub end: usize,
    /// What it is called.
    pub name: &'static str,
}

/// The token of that shape whose beginning is from `start` to `random`.
fn token(bytes: &[u8], start: usize, random: usize, shape: &Shape) -> Option<Token> {
    let Shape { name, alphabet, ref len, prefix, .. } = *shape;
    let (mut body, mut ends) = letters(bytes, random, |byte| alphabet.has(byte), *len.end() + 1);
    let is_part = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    if body.len() > *len.end() {
        if is_part(body.bytes().last()) {
            return None;
        }
        body.pop();
        ends.pop();
    }
    // What Markdown or a sentence has after it.
    let inner = body.trim_end_matches(['_', '-', '.', '/']).len();
    let trimmed = body.get(..inner.max(*len.start()).min(body.len()))?;
    let end = ends.get(trimmed.len().checked_sub(1)?).copied()?;
    let body = trimmed;
    if !len.contains(&body.len()) || is_part(bytes.get(end).copied()) && alphabet == Hex {
        return None;
    }
    let mut start = start;
    let fits = match prefix {
        "AKIA" | "ASIA" => {
            let before = start.checked_sub(1).and_then(|before| bytes.get(before));
            let is_edge = is_edge(bytes, start) || before.is_some_and(u8::is_ascii_lowercase);
            is_edge && !is_part(bytes.get(end).copied())
        }
        "SG." => body.split('.').map(str::len).eq([22, 43]),
        _ if alphabet == Dotted => body.split('.').next().is_some_and(|first| first.len() >= *len.start()),
        "SK" => body.bytes().all(|byte| !byte.is_ascii_uppercase()),
        "AccountKey=" | "SharedAccessKey=" => matches!(body.len(), 44 | 88) && body.ends_with('='),
        // Only in an address with the other parts of a shared access signature.
        "sig=" => {
            let near = bytes.get(start.saturating_sub(400)..(end + 400).min(bytes.len())).unwrap_or_default();
            memchr::memmem::find(near, b"sv=").is_some()
        }
        ":AA" => {
            let digits = bytes.get(..start)?.iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count();
            start -= digits;
            (8..=10).contains(&digits)
        }
        _ => true,
    };
    // Words in capital letters are not long enough to tell them from keys.
    let is_real = match alphabet {
        Base32 => super::random::entropy(body) >= 3.0,
        _ => is_random(body),
    };
    (fits && is_real && !is_example(body)).then_some(Token { start, random, end, name })
}
