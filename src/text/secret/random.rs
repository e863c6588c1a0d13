//! Whether a word was chosen at random, or says something to people.

/// Whether `body` can have been chosen at random: its characters differ as much as such ones do, and it is not made of words.
pub fn is_random(body: &str) -> bool {
    // Of 16 characters chosen from 32, all but one in a million have 3 bits each.
    entropy(body) >= 3.0 && !is_words(body)
}

/// The bits of each character of `text`.
pub fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 128];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let len = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let parts = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / len);
    parts.map(|part| -part * part.log2()).sum()
}

/// Whether `text` is made of words, as in `admin-panel-of-the-shop-2026` or `AdminPanel`: much of it is in runs of small letters, and
/// few digits are beside letters.
fn is_words(text: &str) -> bool {
    let (mut in_words, mut all, mut mixed, mut camel, mut run) = (0, 0, 0, 0, 0);
    let mut last = b'-';
    for byte in text.bytes().chain([b'-']) {
        let is_beside = last.is_ascii_alphanumeric() && byte.is_ascii_alphanumeric();
        mixed += usize::from(is_beside && last.is_ascii_digit() != byte.is_ascii_digit());
        camel += usize::from(last.is_ascii_lowercase() && byte.is_ascii_uppercase());
        all += usize::from(byte.is_ascii_alphanumeric());
        if byte.is_ascii_lowercase() {
            run += 1;
        } else {
            in_words += if run >= LETTERS { run } else { 0 };
            run = 0;
        }
        last = byte;
    }
    // Of random letters and digits a tenth is in such runs, and every second character differs in kind from the one before.
    mixed * 12 <= all && camel * 5 <= all && in_words * 5 >= all * 2
}

/// A run of so many small letters is a word.
const LETTERS: usize = 4;

/// Whether people write `token` to show what one looks like.
pub fn is_example(token: &str) -> bool {
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
    longest >= 6
        || WORDS.iter().any(|word| lower.contains(word))
        || PUBLISHED.iter().any(|published| token.contains(published))
}

/// Parts of keys that the documentation of Stripe and Google has on their pages, of the emulator of Azure, and of the tokens of
/// jwt.io and Supabase: `John Doe`, `supabase-demo`.
const PUBLISHED: [&str; 7] = [
    "4eC39HqLyjWDarjtT1zdp7dc",
    "BQokikJOvBiI2HlWgH4olfQ2",
    "tR3PYbcVNZZ796tH88S4VQ2u",
    "SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "Eby8vdM02xNOcqFlq",
    "xMjM0NTY3ODkw",
    "zdXBhYmFzZS1kZW1v",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_not_random() {
        for words in [
            "panel-settings-page-of-the-admin-2026",
            "naming-convention-of-tokens",
            "is_the_prefix_of_the_fine_grained_tokens_that_github_creates_now",
            "TransformersTokenizersDatasets",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert!(!is_random(words), "{words}");
        }
        for random in ["Q3ZK7WPX5MTD2VHB", "k2v9x0qz7m1hw4tb8r5j", "aBqZxRtYwKpLmNsDfGhJ", "f3a9c07b1e8d42650f9a"] {
            assert!(is_random(random), "{random}");
        }
    }
}
