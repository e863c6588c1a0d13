//! The shapes of keys and tokens, as their services publish them: how they begin, which characters follow, and how many.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::random::{is_example, is_random};

/// The characters behind the beginning.
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
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Letters => byte.is_ascii_alphanumeric(),
            Self::Base32 => matches!(byte, b'A'..=b'Z' | b'2'..=b'7'),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
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
struct Shape {
    prefix: &'static str,
    name: &'static str,
    before: Before,
    alphabet: Alphabet,
    len: RangeInclusive<usize>,
}

const fn any(prefix: &'static str, name: &'static str, alphabet: Alphabet, min: usize, max: usize) -> Shape {
    Shape { prefix, name, before: Before::Any, alphabet, len: min..=max }
}

const fn edge(prefix: &'static str, name: &'static str, alphabet: Alphabet, min: usize, max: usize) -> Shape {
    Shape { prefix, name, before: Before::Edge, alphabet, len: min..=max }
}

use Alphabet::{Base32, Base64, Dotted, Hex, Letters, Path, Percent, Word};

#[rustfmt::skip]
static SHAPES: [Shape; 76] = [
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
];

/// Finds all beginnings in one pass, also those with a backslash before each `_`, as Markdown has it.
static BEGINNINGS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let plain = SHAPES.iter().map(|shape| shape.prefix.to_owned());
    let escaped = SHAPES.iter().map(|shape| shape.prefix.replace('_', "\\_"));
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::DFA))
        .prefilter(false)
        .build(plain.chain(escaped))
        .ok()
});

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

/// The tokens in the run of `bytes` from `start` to `end`.
pub fn tokens(bytes: &[u8], start: usize, end: usize, found: &mut Vec<Token>) {
    let (Some(beginnings), Some(run)) = (&*BEGINNINGS, bytes.get(start..end)) else { return };
    let mut passed = 0;
    for beginning in beginnings.find_iter(run) {
        if beginning.start() < passed {
            continue;
        }
        let Some(shape) = SHAPES.get(beginning.pattern().as_usize() % SHAPES.len()) else { continue };
        if let Some(token) = token(bytes, start + beginning.start(), start + beginning.end(), shape) {
            passed = token.end - start;
            found.push(token);
        }
    }
}

/// The token of that shape whose beginning is from `start` to `random`.
fn token(bytes: &[u8], start: usize, random: usize, shape: &Shape) -> Option<Token> {
    let Shape { name, before, alphabet, ref len, prefix } = *shape;
    if before == Before::Edge && !is_edge(bytes, start) {
        return None;
    }
    let (mut body, mut ends) = letters(bytes, random, |byte| alphabet.has(byte), *len.end() + 1);
    let is_part = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    if body.len() > *len.end() {
        if is_part(body.bytes().last()) {
            return None;
        }
        body.pop();
        ends.pop();
    }
    // What Markdown or a sentence has behind it.
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
        "SG." => body.as_bytes().get(22) == Some(&b'.'),
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

/// The characters from `at` on as long as they are letters by `is`, at most `most` of them, and where each ends. A backslash before
/// one of them is skipped, and so are characters that take no room.
pub fn letters(bytes: &[u8], at: usize, is: impl Fn(u8) -> bool, most: usize) -> (String, Vec<usize>) {
    let (mut text, mut ends) = (String::new(), Vec::new());
    let mut at = at;
    while text.len() < most {
        let rest = bytes.get(at..).unwrap_or_default();
        let skipped = match rest {
            [b'\\', b'_' | b'-' | b'/' | b'.' | b'+' | b'=', ..] => 1,
            _ => no_width(rest),
        };
        let Some(letter) = rest.get(skipped).filter(|byte| is(**byte)) else { break };
        at += skipped + 1;
        text.push(char::from(*letter));
        ends.push(at);
    }
    (text, ends)
}

/// The bytes of the character without width that `bytes` begin with.
pub fn no_width(bytes: &[u8]) -> usize {
    match bytes {
        [0xe2, 0x80, 0x8b..=0x8f, ..] | [0xe2, 0x81, 0xa0, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        [0xc2, 0xad, ..] => 2,
        _ => 0,
    }
}

/// Whether no letter and no digit is before `at`. The letter of an escape such as `\n` is none.
pub fn is_edge(bytes: &[u8], at: usize) -> bool {
    match bytes.get(..at).unwrap_or_default() {
        [.., b'\\', b'n' | b't' | b'r'] => true,
        // The digits of `%3D` or `\u003d`.
        [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        [.., b'\\', b'u', b'0', b'0', _, _] => true,
        [.., last] => !last.is_ascii_alphanumeric(),
        [] => true,
    }
}
