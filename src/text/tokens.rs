//! How many tokens a language model makes of a text, without its tokenizer: an estimate. `docs/memory.md` has its error.
//!
//! It counts where words, numbers, signs and line ends begin. No byte depends on more than the one before it, so the compiler makes
//! vector instructions of it: the memory of a team is long, and each check counts it.

/// The tokens of a text, in hundredths: those of two texts add up where the first one ends a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tokens(u64);

/// What is counted, and what each costs in hundredths of a token. Fitted to the tokenizer o200k over the memory of public teams.
const COSTS: [u64; COUNTS] = [
    // A word: ASCII letters up to a capital after a small letter.
    86,  // A letter.
    3,   // Digits in a row.
    137, // A digit.
    7,   // Line ends in a row.
    87,  // Signs in a row: `**`, `://`.
    94,  // A character beyond ASCII.
    127,
];

const COUNTS: usize = 7;

/// What a byte costs at most, in hundredths of a token: a digit that begins a number.
const MOST_OF_BYTE: u64 = 144;

/// So many bytes are counted at a time: the counts of a chunk are bytes, too.
const CHUNK: usize = 240;

// What a byte is, a bit each.
const LETTER: u8 = 0;
const CAPITAL: u8 = 1;
const DIGIT: u8 = 2;
const LINE_END: u8 = 3;
const SIGN: u8 = 4;
/// The first byte of a character beyond ASCII.
const OTHER: u8 = 5;

/// A longer text, in bytes, is far over every limit: how far is measured by its samples.
const SAMPLED: usize = 256 * 1024;

/// The bytes of a sample, and at how many bytes the next one begins.
const SAMPLE: usize = 4096;
const STEP: usize = 4 * SAMPLE;

impl Tokens {
    /// Those of `text`, all of it.
    pub fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// Those of `text`. In a long one, a quarter of its bytes tells about the rest.
    pub fn about(text: &str) -> Self {
        if text.len() <= SAMPLED {
            return Self::of(text);
        }
        let samples = text.as_bytes().chunks(STEP).map(|part| part.get(..SAMPLE).unwrap_or(part));
        let (tokens, bytes) = samples.fold((Self::default(), 0), |(tokens, bytes), sample| {
            (tokens.and(Self::of_bytes(sample)), bytes + sample.len() as u64)
        });
        let all = u128::from(tokens.0) * text.len() as u128 / u128::from(bytes.max(1));
        Self(u64::try_from(all).unwrap_or(u64::MAX))
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let mut sums = [0_u64; COUNTS];
        // The first one is the last of the chunk before.
        let mut kinds = [0_u8; CHUNK + 1];
        for chunk in bytes.chunks(CHUNK) {
            let [_, now @ ..] = &mut kinds;
            for (kind, byte) in now.iter_mut().zip(chunk) {
                *kind = kind_of(*byte);
            }
            let mut counts = [0_u8; COUNTS];
            for ((before, kind), _) in kinds.iter().zip(kinds.iter().skip(1)).zip(chunk) {
                for (count, is_counted) in counts.iter_mut().zip(counted(*before, *kind)) {
                    *count += is_counted & 1;
                }
            }
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += u64::from(count);
            }
            let last = kinds.get(chunk.len()).copied().unwrap_or_default();
            if let Some(first) = kinds.first_mut() {
                *first = last;
            }
        }
        Self(sums.into_iter().zip(COSTS).map(|(sum, cost)| sum * cost).sum())
    }

    /// Those that a text of so many bytes has at most.
    pub fn at_most(bytes: usize) -> Self {
        Self((bytes as u64).saturating_mul(MOST_OF_BYTE))
    }

    /// So many whole tokens.
    pub fn whole(count: u64) -> Self {
        Self(count.saturating_mul(100))
    }

    /// Whole tokens, rounded up.
    pub fn count(self) -> u64 {
        self.0.div_ceil(100)
    }

    /// Those of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::iter::Sum for Tokens {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::and)
    }
}

/// The bits of a byte.
fn kind_of(byte: u8) -> u8 {
    let is = |first: u8, count: u8| u8::from(byte.wrapping_sub(first) < count);
    let letter = u8::from((byte | 0x20).wrapping_sub(b'a') < 26);
    let digit = is(b'0', 10);
    // What is left of the visible characters.
    let sign = is(b'!', 94) & (letter ^ 1) & (digit ^ 1);
    let line_end = u8::from(byte == b'\n') | u8::from(byte == b'\r');
    let other = u8::from(byte >= 0xc0);
    letter << LETTER | is(b'A', 26) << CAPITAL | digit << DIGIT | line_end << LINE_END | sign << SIGN | other << OTHER
}

/// Which of the costs a byte has after another one, each in the lowest bit.
fn counted(before: u8, kind: u8) -> [u8; COUNTS] {
    let begins = kind & !before;
    let is_second_word = kind >> CAPITAL & before >> LETTER & !(before >> CAPITAL);
    [
        begins >> LETTER | is_second_word,
        kind >> LETTER,
        begins >> DIGIT,
        kind >> DIGIT,
        begins >> LINE_END,
        begins >> SIGN,
        kind >> OTHER,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn no_text_has_more_than_its_bytes_say(text in "[a1A!é\n \u{4e2d}]{0,40}|.{0,40}") {
            proptest::prop_assert!(Tokens::of(&text) <= Tokens::at_most(text.len()), "{:?}", text);
        }
    }

    #[test]
    fn an_estimate_is_near_to_what_tokenizers_say() {
        // What o200k makes of them.
        for (text, real) in [
            ("Use Postgres for the ledger, not Redis.\n", 10),
            ("### 2026-02-15T14:32:15-0800: decision: Per-agent model selection\n", 25),
            ("**author:** Keaton\n\nWe measured `cargo test --locked` on CI: 41 s before, 29 s after.\n", 27),
        ] {
            let estimate = Tokens::of(text).count();
            assert!(estimate.abs_diff(real) * 4 <= real, "{text}: {estimate}, really {real}");
        }
        assert_eq!(Tokens::of("").count(), 0);
    }

    /// The same, part by part.
    fn slowly(text: &str) -> u64 {
        let pattern = "[A-Z]*[a-z]+|[A-Z]+|[0-9]+|[\r\n]+|[!-/:-@\\[-`{-~]+|[^\\x00-\\x7f]";
        let parts = regex::Regex::new(pattern).unwrap();
        let [word, letter, number, digit, line_end, signs, other] = COSTS;
        let cost = |part: &str| match (part.as_bytes()[0], part.len() as u64) {
            (b'a'..=b'z' | b'A'..=b'Z', count) => word + count * letter,
            (b'0'..=b'9', count) => number + count * digit,
            (b'\n' | b'\r', _) => line_end,
            (0x80.., _) => other,
            _ => signs,
        };
        parts.find_iter(text).map(|part| cost(part.as_str())).sum()
    }

    proptest::proptest! {
        #[test]
        fn what_begins_is_counted_as_the_parts_are(
            text in "([A-Z]{0,9}[a-z]{0,9}[0-9]{0,5}[ \t]{0,3}[\n\r]{0,3}[!-/{]{0,3}[é日\u{1}]{0,2}){0,40}"
        ) {
            proptest::prop_assert_eq!(Tokens::of(&text), Tokens(slowly(&text)));
        }
    }

    #[test]
    fn samples_tell_about_a_long_text() {
        let line =
            |at: usize| format!("- {} the index of module {at}, `part-{at}`: see #{at}\n", "reads ".repeat(at % 7));
        let text: String = (0..20_000).map(line).collect();
        assert!(text.len() > SAMPLED);
        let (exact, about) = (Tokens::of(&text).count(), Tokens::about(&text).count());
        assert!(exact != about && exact.abs_diff(about) * 100 < exact, "{exact}, {about}");
        let short = text.get(..SAMPLED).unwrap();
        assert_eq!(Tokens::about(short), Tokens::of(short));
    }

    #[test]
    fn lines_add_up() {
        let text = "# Title\n\nFirst line, é and 日本.\n- item 12345\n";
        let lines: Tokens = text.split_inclusive("\n\n").map(Tokens::of).sum();
        assert_eq!(lines, Tokens::of(text));
    }
}
