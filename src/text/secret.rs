//! Keys and tokens of services, by the shapes that these publish. What is only an example is none.

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::packed::Searcher;

use super::Span;

/// A key or token in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its bytes, which no report shows.
    pub span: Span,
    /// What it is called: `GitHub token`.
    pub name: &'static str,
}

/// Parts of the beginnings of tokens that are rare in other texts. All are found in one pass.
const SIGNS: [&str; 19] = [
    "hp_", "ho_", "hu_", "hs_", "hr_", "b_p", "pm_", "sk_", "rk_", "KIA", "SIA", "Iza", "eyJ", "xox", "sk-", "E KEY",
    "ey=", "hf_", "lpat-",
];

static SEARCHER: LazyLock<Option<Searcher>> = LazyLock::new(|| Searcher::new(SIGNS));

/// The secrets in `text`, in order.
pub fn find(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut passed = 0;
    let mut look = |at: usize| {
        if at < passed {
            return;
        }
        let secret = at_sign(text, at);
        passed = secret.map_or_else(|| word_around(text, at).end(), |secret| secret.span.end());
        found.extend(secret);
    };
    if let Some(searcher) = &*SEARCHER {
        searcher.find_iter(text).for_each(|sign| look(sign.start()));
    } else {
        // A machine without the instructions that the search is made of.
        let places = SIGNS.iter().flat_map(|sign| memchr::memmem::find_iter(text.as_bytes(), sign));
        let mut places: Vec<usize> = places.collect();
        places.sort_unstable();
        places.into_iter().for_each(&mut look);
    }
    found
}

/// `text` with an asterisk in place of each byte of a secret.
pub fn masked(text: &str) -> Cow<'_, str> {
    // Most texts that are printed are sentences.
    let is_long = |word: &str| word.len() >= SHORTEST;
    if text.len() < SHORTEST || !text.split([' ', '\n']).any(is_long) {
        return Cow::Borrowed(text);
    }
    let found = find(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for Secret { span, .. } in found {
        masked.push_str(text.get(at..span.start()).unwrap_or_default());
        masked.extend(std::iter::repeat_n('*', span.len()));
        at = span.end();
    }
    masked.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(masked)
}

/// The secrets in `text` of which letters are written as escapes of JSON, such as `\u0067`.
pub fn in_escapes(text: &str) -> Vec<Span> {
    let (mut plain, mut places) = (Vec::with_capacity(text.len()), Vec::with_capacity(text.len() + 1));
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        let digits = text.get(at..at + 6).and_then(|escape| escape.strip_prefix("\\u00"));
        let letter = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(u8::is_ascii);
        places.push(at);
        plain.push(letter.unwrap_or(byte));
        at += if letter.is_some() { 6 } else { 1 };
    }
    places.push(text.len());
    let place = |at: usize| places.get(at).copied().unwrap_or(text.len());
    let found = String::from_utf8(plain).map(|plain| find(&plain)).unwrap_or_default();
    found.iter().map(|secret| Span::new(place(secret.span.start()), place(secret.span.end()))).collect()
}

/// No secret is shorter, in bytes.
const SHORTEST: usize = 20;

/// The secret of which the sign at `at` is a part.
fn at_sign(text: &str, at: usize) -> Option<Secret> {
    let rest = text.get(at..)?;
    if rest.starts_with("E KEY") {
        return private_key(text, at);
    }
    if rest.starts_with("ey=") {
        return azure_key(text, at + "ey=".len());
    }
    let word = word_around(text, at);
    if word.len() < SHORTEST {
        // The parts of a JSON web token are joined with dots, and its first one can be short.
        return None;
    }
    let token = word.of(text);
    if token.starts_with("eyJ") {
        return web_token(text, word);
    }
    let name = name(token).filter(|_| !is_example(token))?;
    Some(Secret { span: word, name })
}

/// The letters, digits, `_` and `-` around `at`. The letter of an escape such as `\n` before them is none of them.
fn word_around(text: &str, at: usize) -> Span {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let (before, after) = text.as_bytes().split_at_checked(at).unwrap_or_default();
    let mut start = at - before.iter().rev().take_while(|byte| is_part(byte)).count();
    let end = at + after.iter().take_while(|byte| is_part(byte)).count();
    let escape = before.get(start.saturating_sub(1)..(start + 1).min(at)).unwrap_or_default();
    if matches!(escape, [b'\\', b'n' | b't' | b'r']) {
        start += 1;
    }
    Span::new(start, end)
}

/// What a token is; `None` for a word of another shape.
fn name(token: &str) -> Option<&'static str> {
    let body = |prefix: &str, is: fn(u8) -> bool, len: std::ops::RangeInclusive<usize>| {
        let body = token.strip_prefix(prefix).filter(|body| len.contains(&body.len()) && body.bytes().all(is));
        body.is_some_and(is_random)
    };
    let any = |prefixes: &[&str], is: fn(u8) -> bool, len: std::ops::RangeInclusive<usize>| {
        prefixes.iter().any(|prefix| body(prefix, is, len.clone()))
    };
    let letters: fn(u8) -> bool = |byte| byte.is_ascii_alphanumeric();
    let upper: fn(u8) -> bool = |byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7');
    let all: fn(u8) -> bool = |_| true;
    match () {
        () if any(&["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], letters, 36..=251) => Some("GitHub token"),
        () if any(&["github_pat_"], all, 60..=251) => Some("GitHub token"),
        () if any(&["AKIA", "ASIA"], upper, 16..=16) => Some("AWS access key"),
        () if any(&["AIza"], all, 35..=35) => Some("Google API key"),
        () if any(&["npm_"], letters, 36..=36) => Some("npm token"),
        () if any(&["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxo-"], all, 30..=300) => {
            Some("Slack token")
        }
        () if any(&["sk_live_", "rk_live_", "sk_test_", "rk_test_"], letters, 20..=251) => Some("Stripe key"),
        () if any(&["sk-ant-"], all, 60..=251) => Some("Anthropic key"),
        () if any(&["sk-proj-", "sk-svcacct-", "sk-admin-"], all, 40..=251) => Some("OpenAI key"),
        () if any(&["sk-or-v1-"], letters, 64..=64) => Some("OpenRouter key"),
        () if any(&["sk-"], letters, 32..=64) => Some("OpenAI key"),
        () if any(&["hf_"], letters, 34..=40) => Some("Hugging Face token"),
        () if any(&["gsk_"], letters, 52..=52) => Some("Groq key"),
        () if any(&["glpat-"], all, 20..=60) => Some("GitLab token"),
        () => None,
    }
}

/// The token of three parts whose first one is `header`.
fn web_token(text: &str, header: Span) -> Option<Secret> {
    let part = |before: Span| {
        let rest = text.get(before.end()..)?.strip_prefix('.')?;
        let len = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
        Some(Span::new(before.end() + 1, before.end() + 1 + len))
    };
    let payload = part(header)?;
    let signature = part(payload)?;
    let is_real = payload.of(text).starts_with("eyJ") && signature.len() >= SHORTEST && is_random(signature.of(text));
    // The examples of jwt.io and of Supabase are about these.
    let is_example = ["xMjM0NTY3ODkw", "zdXBhYmFzZS1kZW1v"].iter().any(|name| payload.of(text).contains(name));
    let span = Span::new(header.start(), signature.end());
    (is_real && !is_example && !self::is_example(signature.of(text))).then_some(Secret { span, name: "JSON web token" })
}

/// The private key whose `-----BEGIN … PRIVATE KEY-----` has its `E KEY` at `at`. The name alone is no key.
fn private_key(text: &str, at: usize) -> Option<Secret> {
    let head = text.get(..at)?.strip_suffix("PRIVAT")?;
    let kind = head.trim_end_matches(|c: char| c.is_ascii_uppercase() || c == ' ');
    let start = kind
        .strip_suffix("-----")
        .filter(|_| head.get(kind.len()..).is_some_and(|kind| kind.starts_with("BEGIN")))?
        .len();
    let rest = text.get(at + "E KEY".len()..)?;
    let body = rest.strip_prefix(" BLOCK").unwrap_or(rest).strip_prefix("-----")?;
    // The name alone, in a sentence or a list.
    if !body.starts_with(['\n', '\r', '\\']) {
        return None;
    }
    let body_start = text.len() - body.len();
    let mut end = body_start;
    let (mut letters, mut fields) = (String::new(), 0);
    // Also where the key is quoted in code, with `\n` for the ends of its lines.
    for line in body.split(['\n', '\r', '\\']) {
        let line_start = end;
        end = line_start + line.len() + 1;
        let line = line.trim_matches([' ', '\t', '"', '>', '+']);
        let line = line
            .strip_prefix(['n', 'r'])
            .filter(|_| text.as_bytes().get(line_start.wrapping_sub(1)) == Some(&b'\\'))
            .unwrap_or(line);
        // Lines before the key itself: `Proc-Type: 4,ENCRYPTED`.
        let is_field = letters.is_empty() && fields < MOST_FIELDS && line.contains(':');
        fields += usize::from(is_field);
        if !is_field && !line.bytes().all(is_base64) || letters.len() > LONGEST_KEY {
            break;
        }
        if !is_field {
            letters.push_str(line);
        }
    }
    let is_key = letters.len() >= 64 && letters.bytes().all(is_base64) && is_random(&letters);
    // In thousands of letters, each short word is somewhere.
    let is_key = is_key && !letters.get(..64).is_some_and(is_example);
    is_key.then_some(Secret { span: Span::new(start, end.min(text.len())), name: "private key" })
}

/// So many lines can be before the letters of a private key.
const MOST_FIELDS: usize = 8;

/// So many letters of a private key are read.
const LONGEST_KEY: usize = 20_000;

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The key that begins at `at`, after `AccountKey=` or `SharedAccessKey=` of a connection string.
fn azure_key(text: &str, at: usize) -> Option<Secret> {
    let before = text.get(..at)?;
    let is_named = ["AccountKey=", "SharedAccessKey="].iter().any(|name| before.ends_with(name));
    let key = text.get(at..)?;
    let key = key.get(..key.bytes().take_while(|byte| is_base64(*byte)).count())?;
    // The one of the emulator is the same everywhere.
    let is_real =
        matches!(key.len(), 44 | 88) && key.ends_with('=') && is_random(key) && !key.starts_with("Eby8vdM02xNOcqFlq");
    (is_named && is_real && !is_example(key))
        .then_some(Secret { span: Span::new(at, at + key.len()), name: "Azure key" })
}

/// Whether `body` can have been chosen at random: its characters differ as much as such ones do.
fn is_random(body: &str) -> bool {
    let mut counts = [0_u32; 128];
    for byte in body.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let len = f64::from(u32::try_from(body.len()).unwrap_or(u32::MAX));
    let entropy: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / len)
        .map(|part| -part * part.log2())
        .sum();
    // Of 16 characters chosen from 32, all but one in a million have 3 bits each.
    entropy >= 3.0
}

/// Whether people write `token` to show what one looks like.
fn is_example(token: &str) -> bool {
    const WORDS: [&str; 14] = [
        "example",
        "placeholder",
        "your",
        "xxxx",
        "redacted",
        "dummy",
        "fake",
        "sample",
        "changeme",
        "secret",
        "insert",
        "replace",
        "notreal",
        "testtest",
    ];
    let lower = token.to_ascii_lowercase();
    // `abcdef`, `012345`: each character follows the one before it in the alphabet.
    let (mut run, mut longest, mut last) = (1, 1, 0_u8);
    for byte in lower.bytes() {
        run = if byte == last.wrapping_add(1) { run + 1 } else { 1 };
        longest = longest.max(run);
        last = byte;
    }
    longest >= 6 || WORDS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens of the shapes that services publish, made up and put together here: no scanner of a repository is to find one.
    pub(crate) fn tokens() -> Vec<(String, &'static str)> {
        let random = "R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoNqXvMrYbPjSwCzFhUl0dAe";
        let part = |len: usize| random.repeat(4)[..len].to_owned();
        let upper = "Q3ZK7WPX5MTD2VHB";
        vec![
            (format!("gh{}_{}", "p", part(36)), "GitHub token"),
            (format!("gh{}_{}", "s", part(36)), "GitHub token"),
            (format!("github_{}_{}", "pat", part(82)), "GitHub token"),
            (format!("AK{}{upper}", "IA"), "AWS access key"),
            (format!("AI{}{}", "za", part(35)), "Google API key"),
            (format!("np{}_{}", "m", part(36)), "npm token"),
            (format!("xo{}-271828182845-3141592653589-{}", "xb", part(24)), "Slack token"),
            (format!("sk_{}_{}", "live", part(24)), "Stripe key"),
            (format!("sk-{}-api03-{}-{}AA", "ant", part(60), part(30)), "Anthropic key"),
            (format!("sk-{}-{}T3Blbk{}{}", "proj", part(60), "FJ", part(40)), "OpenAI key"),
            (format!("sk-{}T3Blbk{}{}", part(20), "FJ", part(20)), "OpenAI key"),
            (format!("h{}_{}", "f", part(34)), "Hugging Face token"),
            (format!("gl{}-{}", "pat", part(20)), "GitLab token"),
            (format!("eyJhbGciOiJIUzI1NiJ9.ey{}.{}", "JzdWIiOiI3MSJ9", part(43)), "JSON web token"),
            (format!("-----BEGIN RSA PRIVATE {}-----\n{}\n{}\n-----END", "KEY", part(64), part(40)), "private key"),
            (format!("-----BEGIN PRIVATE {}-----\\n{}\\n{}\\n-----END", "KEY", part(64), part(40)), "private key"),
        ]
    }

    #[test]
    fn tokens_of_known_shape() {
        for (token, name) in tokens() {
            for (before, after) in
                [("", ""), ("- Token: `", "`."), ("https://", "@github.com/x"), ("\"a\\n", "\""), ("KEY=", "\n")]
            {
                let text = format!("{before}{token}{after}");
                let found: Vec<_> =
                    find(&text).iter().map(|secret| (secret.span.of(&text).to_owned(), secret.name)).collect();
                assert_eq!(found.len(), 1, "{text}");
                assert_eq!(found[0].1, name, "{text}");
                assert!(name == "private key" || found[0].0 == token, "{text}: {found:?}");
            }
        }
        let random = "R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoNqXvMrYbPjSwCzFhUl0dAeR7kQ2mZx9LpV4tBn8WcJ3sHyaa";
        let text = format!("DefaultEndpointsProtocol=https;Account{}={random}==;EndpointSuffix=x", "Key");
        assert_eq!(find(&text)[0].name, "Azure key");
    }

    #[test]
    fn words_that_are_no_secrets() {
        for text in [
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx and ghp_… and ghp_YOUR_TOKEN",
            "AKIAIOSFODNN7EXAMPLE, AKIAXXXXXXXXXXXXXXXX, AKIA1234567890",
            "sk-1234567890abcdef1234567890abcdef1234567890abcdef",
            "task-and-risk-and-disk-assessment-of-the-whole-team-2026",
            "sk-ant-api03-your-key-goes-here-and-not-into-the-repository-of-the-team-please",
            "npm_config_registry_is_a_variable_of_the_environment",
            "the name `-----BEGIN PRIVATE KEY-----` alone",
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE...\n-----END RSA PRIVATE KEY-----",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
            "sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
            "gho_and_ghu_ are prefixes, and xoxb-… is one of Slack",
        ] {
            assert_eq!(find(text), [], "{text}");
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn a_mask_is_as_long_as_the_secret() {
        let (token, _) = tokens().remove(0);
        assert_eq!(masked(&format!("é {token} é")), format!("é {} é", "*".repeat(token.len())));
    }
}
