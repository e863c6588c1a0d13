use proptest::prelude::*;

use super::*;

/// Letters that follow each other in no alphabet.
const RANDOM: &str = "R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoNqXvMrYbPjSwCzFhUl0dAe";
/// Digits and letters up to F.
const HEX: &str = "f3a9c07b1e8d42650f9a7c3e1d5b8042a6e90c4f7d2b83159ae6c0d47f1b2835";

/// Tokens of the shapes that services publish, made up and put together here: no scanner of a repository is to find one.
fn tokens() -> Vec<(String, &'static str)> {
    let part = |len: usize| RANDOM.repeat(4)[..len].to_owned();
    let upper = "Q3ZK7WPX5MTD2VHB";
    vec![
        (format!("gh{}_{}", "p", part(36)), "GitHub token"),
        (format!("gh{}_{}", "s", part(36)), "GitHub token"),
        (format!("github_{}_{}", "pat", part(82)), "GitHub token"),
        (format!("AK{}{upper}", "IA"), "AWS access key"),
        (format!("AI{}{}", "za", part(35)), "Google API key"),
        (format!("GOC{}-{}", "SPX", part(28)), "Google client secret"),
        (format!("ya{}.{}", "29", part(100)), "Google token"),
        (format!("np{}_{}", "m", part(36)), "npm token"),
        (format!("xo{}-271828182845-3141592653589-{}", "xb", part(24)), "Slack token"),
        (format!("xa{}-1-A{upper}-271828182845-{HEX}", "pp"), "Slack token"),
        (format!("xo{}-271828182845-3141592653589-{HEX}", "xc"), "Slack token"),
        (format!("hooks.slack.com/ser{}/T0{}/B0{}/{}", "vices", &upper[..9], &upper[7..], part(24)), "Slack webhook"),
        (format!("sk_{}_{}", "live", part(24)), "Stripe key"),
        (format!("wh{}_{}", "sec", part(32)), "Stripe webhook secret"),
        (format!("sk-{}-api03-{}-{}AA", "ant", part(60), part(30)), "Anthropic key"),
        (format!("sk-{}-{}T3Blbk{}{}", "proj", part(60), "FJ", part(40)), "OpenAI key"),
        (format!("sk-{}T3Blbk{}{}", part(20), "FJ", part(20)), "OpenAI key"),
        (format!("h{}_{}", "f", part(34)), "Hugging Face token"),
        (format!("gl{}-{}", "pat", part(20)), "GitLab token"),
        (format!("gl{}-{}.01.{}", "pat", part(27), "1x7k2m9qz"), "GitLab token"),
        (format!("gl{}-{}", "dt", part(20)), "GitLab token"),
        (format!("S{}.{}.{}", "G", part(22), part(43)), "SendGrid key"),
        (format!("py{}-AgEIcHlwaS5vcmc{}", "pi", part(150)), "PyPI token"),
        (format!("dckr_{}_{}", "pat", part(27)), "Docker token"),
        (format!("da{}{}", "pi", &HEX[..32]), "Databricks token"),
        (format!("do{}_v1_{HEX}", "p"), "DigitalOcean token"),
        (format!("sh{}_{}", "pat", &HEX[..32]), "Shopify token"),
        (format!("271828182:A{}{}", "A", part(33)), "Telegram token"),
        (format!("S{}{}", "K", &HEX[..32]), "Twilio key"),
        (format!("eyJhbGciOiJIUzI1NiJ9.ey{}.{}", "JzdWIiOiI3MSJ9", part(43)), "JSON web token"),
    ]
}

fn found(text: &str) -> Vec<(&str, &'static str)> {
    find(text.as_bytes()).iter().map(|secret| (secret.span.of(text), secret.name)).collect()
}

#[test]
fn tokens_of_known_shape() {
    for (token, name) in tokens() {
        for (before, after) in [
            ("", ""),
            ("- Token: `", "`."),
            ("https://", "@example.com/x"),
            ("\"a\\n", "\""),
            ("KEY=", "\n"),
            ("_", "_ or"),
            ("**", "**"),
            ("| ", "|"),
            ("(", ")"),
            ("?token%3D", "&a=1"),
            ("x-", " old"),
        ] {
            let text = format!("{before}{token}{after}");
            assert_eq!(found(&text), [(token.as_str(), name)], "{text}");
        }
        let escaped = token.replace('_', "\\_");
        let text = format!("use {escaped} here");
        assert_eq!(found(&text), [(escaped.as_str(), name)], "{text}");
    }
}

#[test]
fn words_that_are_glued_to_a_token() {
    let token = format!("gh{}_{}", "p", &RANDOM[..36]);
    let key = format!("AK{}Q3ZK7WPX5MTD2VHB", "IA");
    for text in [format!("{token}-old"), format!("x-access-{token}_a"), format!("\u{4ee4}{token}\u{662f}")] {
        assert_eq!(find(text.as_bytes()).len(), 1, "{text}");
    }
    for text in [format!("-p{key}"), format!("Key{key}-old"), format!("_{key}_prod")] {
        assert_eq!(found(&text), [(key.as_str(), "AWS access key")], "{text}");
    }
}

#[test]
fn keys_with_a_name() {
    let secret = "R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoN/";
    for text in [
        format!("aws_secret_access_key = {secret}"),
        format!("| Secret Access Key | `{secret}` |"),
        format!("\"SecretAccessKey\": \"{secret}\""),
    ] {
        assert_eq!(found(&text), [(secret, "AWS secret key")], "{text}");
    }
    let azure = "R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoNqXvMrYbPjSwCzFhUl0dAeR7kQ2mZx9LpV4tBn8WcJ3sHyaa==";
    let text = format!("DefaultEndpointsProtocol=https;Account{}={azure};EndpointSuffix=x", "Key");
    assert_eq!(find(text.as_bytes())[0].name, "Azure key");
    let text = format!("https://q.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig={}%3D", &azure[..43]);
    assert_eq!(find(text.as_bytes())[0].name, "Azure signature");
    assert_eq!(found(&format!("the sha is {secret}")), []);
}

#[test]
fn private_keys_in_any_dress() {
    let lines: Vec<String> = (0..6).map(|at| RANDOM.repeat(3)[at * 7..at * 7 + 64].to_owned()).collect();
    let all = [lines.as_slice(), &[RANDOM[..20].to_owned()]].concat();
    let dashes = "-----";
    let key = |between: &str| {
        let body = all.join(between);
        format!(
            "{dashes}BEGIN RSA PRIVATE {}{dashes}{between}{body}{between}{dashes}END RSA PRIVATE KEY{dashes}",
            "KEY"
        )
    };
    for between in [
        "\n",
        "\r\n",
        " ",
        "\\n",
        "\\\\n",
        "\n- ",
        "\n# ",
        "\n// ",
        "\n> ",
        "|\n|",
        "<br>",
        "\n\n",
        "\\n\"\n  \"",
        "\n    ",
        "\n-",
    ] {
        let text = format!("a\n{}\nb", key(between));
        let found = found(&text);
        assert_eq!(found.len(), 1, "{text}");
        let (key, name) = found[0];
        assert_eq!(name, "private key");
        assert!(key.starts_with(dashes) && key.ends_with("PRIVATE KEY"), "{key}");
    }
    let without_end = key("\n").replace("-----END RSA PRIVATE KEY-----", "and so on");
    let found = found(&without_end);
    assert!(found[0].0.ends_with(&RANDOM[..20]), "{found:?}");
    for text in [
        "the name `-----BEGIN PRIVATE KEY-----` alone".to_owned(),
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE...\n-----END RSA PRIVATE KEY-----".to_owned(),
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----", lines.join("\n")),
        format!("-----END PRIVATE KEY-----\n{}", lines.join("\n")),
    ] {
        assert_eq!(self::found(&text), [], "{text}");
    }
}

#[test]
fn words_that_are_no_secrets() {
    for text in [
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx and ghp_… and ghp_YOUR_TOKEN",
        "AKIAIOSFODNN7EXAMPLE, AKIAXXXXXXXXXXXXXXXX, AKIA1234567890",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "sk-1234567890abcdef1234567890abcdef1234567890abcdef",
        "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
        "task-and-risk-and-disk-assessment-of-the-whole-team-2026",
        "sk-admin-panel-settings-page-of-the-shop-and-of-its-customers-2026",
        "sk-proj-design-system-migration-for-the-web-team-2026",
        "sk-ant-colony-optimisation-of-the-routes-in-the-warehouse-of-the-north",
        "glpat-naming-convention-of-tokens and glpat-XXXXXXXXXXXXXXXXXXXX",
        "github_pat_is_the_prefix_of_the_fine_grained_tokens_that_github_creates_now",
        "sk-ant-api03-your-key-goes-here-and-not-into-the-repository-of-the-team-please",
        "xoxb-and-xoxp-are-the-prefixes-of-slack-tokens",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "npm_config_registry_is_a_variable_of_the_environment",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
        "gho_and_ghu_ are prefixes, and xoxb-… is one of Slack",
        "ghp_${TOKEN} sk-<token> AccountKey=<your-account-key-goes-here-and-nowhere-else>",
        "commit f3a9c07b1e8d42650f9a7c3e1d5b8042a6e90c4f of the secret access branch",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn letters_as_escapes_of_json() {
    let token = format!("gh{}_{}", "p", &RANDOM[..36]);
    let text = format!("{{\"a\": \"\\u0067{}\\u{:04x}\"}}", &token[1..39], u32::from(token.as_bytes()[39]));
    let found = find_in_escapes(text.as_bytes());
    assert_eq!(found[0].0.span.of(&text), &text[7..text.len() - 2]);
    assert_eq!(found[0].1, &token.as_bytes()[4..]);
    assert_eq!(find_in_escapes(b"\\u00e9 \\u0020 \\n"), []);
}

/// All secrets of `text`: each shape is tried at each byte.
fn one_by_one(text: &[u8]) -> Vec<Secret> {
    let mut found = Vec::new();
    for at in 0..text.len() {
        let tokens = shape::SHAPES.iter().filter_map(|shape| shape.token(text, at));
        found.extend(tokens.map(|token| Secret::new(token.start, token.random, token.end, token.name)));
    }
    keys_without_beginning(text, 0..text.len(), &mut 0, &mut found);
    put_in_order(&mut found);
    found
}

/// What is planted: tokens, their beginnings and ends, keys without a beginning, and what is between them.
fn pieces() -> Vec<String> {
    let known = tokens();
    let lines = RANDOM.repeat(6);
    let key = format!("-----BEGIN {}PRIVATE KEY-----\n{}\n{}\n", "EC ", &lines[..64], &lines[64..100]);
    let aws = "aws_secret_access_key: R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoN/";
    let mut pieces: Vec<String> = known.iter().map(|(token, _)| token.clone()).collect();
    pieces.extend(known.iter().map(|(token, _)| token.replace('_', "\\_")));
    pieces.extend(known.iter().map(|(token, _)| token[..token.len() / 2].to_owned()));
    pieces.extend(known.iter().map(|(token, _)| token[token.len() / 3..].to_owned()));
    pieces.extend(shape::SHAPES.iter().map(|shape| shape.prefix.to_owned()));
    pieces.extend([key.clone(), key.replace('\n', "\\n"), aws.to_owned(), HEX.to_owned(), lines[..120].to_owned()]);
    let between = [
        "",
        "",
        "",
        " ",
        "\n",
        "\"",
        "'",
        "`",
        "\\n",
        "\\",
        "_",
        "-",
        ".",
        ":",
        "/",
        "=",
        "%3D",
        "%",
        "\u{200b}",
        "\u{e9}",
        "\u{4ee4}",
        "\u{1f680}",
        "a",
        "Z",
        "7",
        "word",
        "**",
        "|",
        "(",
        ")",
        "@",
        "https://",
        "src/text/secret/tests.rs ",
    ];
    pieces.extend(between.map(str::to_owned));
    pieces
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn the_same_as_each_shape_at_each_byte(
        parts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let pieces = pieces();
        let between = &pieces[pieces.len() - 33..];
        let text: String = parts.iter().flat_map(|(piece, sign)| [sign.get(between), piece.get(&pieces)]).map(String::as_str).collect();
        let bytes = text.as_bytes();
        prop_assert_eq!(find(bytes), one_by_one(bytes), "{}", text);
        // A text can end anywhere, also within a character.
        let cut = cut.index(bytes.len() + 1);
        prop_assert_eq!(find(&bytes[cut..]), one_by_one(&bytes[cut..]), "{} from {}", text, cut);
        prop_assert_eq!(find(&bytes[..cut]), one_by_one(&bytes[..cut]), "{} up to {}", text, cut);
    }

    #[test]
    fn what_is_found_is_in_order_and_in_the_text(parts in prop::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let pieces = pieces();
        let text: String = parts.iter().map(|at| at.get(&pieces).as_str()).collect();
        let found = find(text.as_bytes());
        prop_assert!(found.is_sorted_by(|a, b| a.span.end <= b.span.start));
        prop_assert!(found.iter().all(|secret| secret.span.contains(secret.random) && secret.span.end() <= text.len()));
    }
}

#[test]
fn of_two_that_overlap_both_are_masked() {
    let (one, other) = (format!("gh{}_{}", "p", &RANDOM[..36]), format!("np{}_{}", "m", &RANDOM[..36]));
    // The letters of the first one go on up to the `_` of the second one.
    let text = format!("{one}{other}");
    assert_eq!(found(&text), [(&text[..43], "GitHub token"), (&text[43..], "npm token")]);
}

#[test]
fn a_token_with_other_signs_in_it_is_found() {
    let dotted = format!("gl{}-{}.01.{}", "pat", &RANDOM[..27], "1x7k2m9qz");
    for token in [dotted.replace('.', ".\u{200b}"), format!("gh{}_{}\u{200b}{}", "p", &RANDOM[..16], &RANDOM[16..36])] {
        assert_eq!(found(&token).len(), 1, "{token}");
    }
}
