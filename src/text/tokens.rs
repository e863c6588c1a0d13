//! How many tokens a language model makes of a text, without its tokenizer: an estimate. `docs/memory.md` has its error.
//!
//! Each byte costs what it adds to the byte before it. What it adds is looked up: the memory of a team is long, and each check
//! counts it.

/// The tokens of a text, in hundredths: those of two texts add up where the first one ends a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tokens(u64);

/// What parts of a text cost, in hundredths of a token. Fitted to the tokenizer o200k over the memory of public teams.
mod cost {
    /// A word: a run of ASCII letters, with capitals at its start alone.
    pub(super) const WORD: i16 = 99;
    /// Each letter of a word behind the sixth.
    pub(super) const FURTHER_LETTER: i16 = 4;
    /// Each of the first seven letters of a word in capitals, of two at least.
    pub(super) const CAPITAL: i16 = 10;
    /// Up to three digits.
    pub(super) const DIGITS: i16 = 133;
    /// A character beyond ASCII.
    pub(super) const OTHER: i16 = 126;
    /// Line ends in a row.
    pub(super) const LINE_END: i16 = 91;
    /// Blanks in a row, of two at least.
    pub(super) const BLANKS: i16 = 15;
    /// Signs in a row: `**`, `://`.
    pub(super) const SIGNS: i16 = 92;
}

impl Tokens {
    /// Those of `text`.
    pub fn of(text: &str) -> Self {
        let (mut last, mut sum) = (Last::START, 0_u64);
        for byte in text.bytes() {
            let class = CLASSES.get(usize::from(byte)).copied().unwrap_or(NONE);
            let step = STEPS.get(place(last, class)).copied().unwrap_or(STAY);
            last = step.last;
            // A word that begins with capitals gives back what they cost once a small letter follows.
            sum = sum.wrapping_add_signed(i64::from(step.cost));
        }
        Self(sum)
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

/// What the bytes before end with.
#[derive(Clone, Copy)]
struct Last(u8);

impl Last {
    const START: Self = Self(0);
    const LINE_END: Self = Self(1);
    const BLANK: Self = Self(2);
    const BLANKS: Self = Self(3);
    const SIGNS: Self = Self(4);
    /// A group of one digit; those of two and three follow.
    const DIGIT: u8 = 5;
    /// A word of one letter, which is small; those of up to seven letters and more follow.
    const SMALL: u8 = 8;
    /// A word of one capital; those of up to seven capitals and more follow.
    const CAPITAL: u8 = 15;
    /// Numbers are less than this, a power of two.
    const COUNT: usize = 32;
}

/// So many letters of a word are counted.
const LETTERS: u8 = 7;

// What a byte is.
const SMALL: u8 = 0;
const CAPITAL: u8 = 1;
const DIGIT: u8 = 2;
const LINE_FEED: u8 = 3;
const CARRIAGE_RETURN: u8 = 4;
const BLANK: u8 = 5;
const SIGN: u8 = 6;
/// The first byte of a character beyond ASCII.
const OTHER: u8 = 7;
/// A control character, or a further byte of a character.
const NONE: u8 = 8;
/// There are fewer kinds than this, a power of two.
const KINDS: usize = 16;

/// What each byte is.
const CLASSES: [u8; 256] = {
    let mut classes = [NONE; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => SMALL,
            b'A'..=b'Z' => CAPITAL,
            b'0'..=b'9' => DIGIT,
            b'\n' => LINE_FEED,
            b'\r' => CARRIAGE_RETURN,
            b' ' | b'\t' => BLANK,
            b'!'..=b'~' => SIGN,
            0xc0.. => OTHER,
            _ => NONE,
        };
        byte += 1;
    }
    classes
};

/// What a byte changes.
#[derive(Clone, Copy)]
struct Step {
    last: Last,
    cost: i16,
}

const STAY: Step = Step { last: Last::START, cost: 0 };

/// What each kind of byte changes, by what was before it.
const STEPS: [Step; Last::COUNT * KINDS] = {
    let mut steps = [STAY; Last::COUNT * KINDS];
    let mut last = 0;
    while last < Last::COUNT as u8 {
        let mut kind = 0;
        while kind < KINDS as u8 {
            steps[place(Last(last), kind)] = step(last, kind);
            kind += 1;
        }
        last += 1;
    }
    steps
};

/// Where the step is: the masks show that it is in the table.
const fn place(Last(last): Last, kind: u8) -> usize {
    (last as usize % Last::COUNT) * KINDS + kind as usize % KINDS
}

/// What a byte of this kind changes behind `last`.
const fn step(last: u8, kind: u8) -> Step {
    let small = if last >= Last::SMALL && last < Last::CAPITAL { last - Last::SMALL + 1 } else { 0 };
    let capitals = if last >= Last::CAPITAL && last < Last::CAPITAL + LETTERS { last - Last::CAPITAL + 1 } else { 0 };
    let digits = if last >= Last::DIGIT && last < Last::SMALL { last - Last::DIGIT + 1 } else { 0 };
    let further = if small + capitals >= 6 { cost::FURTHER_LETTER } else { 0 };
    let next = if small + capitals < LETTERS { small + capitals } else { LETTERS - 1 };
    let (last, cost) = match (kind, last) {
        (SMALL, _) if small > 0 || capitals == 1 => (Last(Last::SMALL + next), further),
        (SMALL, _) if capitals > 0 => (Last(Last::SMALL + next), further - cost::CAPITAL * capitals as i16),
        (SMALL, _) => (Last(Last::SMALL), cost::WORD),
        (CAPITAL, _) if capitals == 1 => (Last(Last::CAPITAL + next), 2 * cost::CAPITAL),
        (CAPITAL, _) if capitals == LETTERS => (Last(Last::CAPITAL + next), further),
        (CAPITAL, _) if capitals > 0 => (Last(Last::CAPITAL + next), further + cost::CAPITAL),
        (CAPITAL, _) => (Last(Last::CAPITAL), cost::WORD),
        (DIGIT, _) if digits > 0 && digits < 3 => (Last(Last::DIGIT + digits), 0),
        (DIGIT, _) => (Last(Last::DIGIT), cost::DIGITS),
        (LINE_FEED | CARRIAGE_RETURN, 1) => (Last::LINE_END, 0),
        (LINE_FEED, _) => (Last::LINE_END, cost::LINE_END),
        (BLANK, 2) => (Last::BLANKS, cost::BLANKS),
        (BLANK, 3) => (Last::BLANKS, 0),
        (BLANK, _) => (Last::BLANK, 0),
        (SIGN, 4) => (Last::SIGNS, 0),
        (SIGN, _) => (Last::SIGNS, cost::SIGNS),
        (OTHER, _) => (Last::START, cost::OTHER),
        _ => (Last::START, 0),
    };
    Step { last, cost }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let parts = regex::Regex::new(r"[A-Z]*[a-z]+|[A-Z]+|[0-9]{1,3}|\n[\n\r]*|[ \t]+|[!-/:-@\[-`{-~]+|[^\x00-\x7f]")
            .unwrap();
        let cost = |part: &str| {
            let (count, first) = (i64::try_from(part.len()).unwrap(), part.as_bytes()[0]);
            let capitals = if part.bytes().all(|byte| byte.is_ascii_uppercase()) { count.min(7) } else { 0 };
            match first {
                b'a'..=b'z' | b'A'..=b'Z' => {
                    let capitals = if capitals > 1 { capitals * i64::from(cost::CAPITAL) } else { 0 };
                    i64::from(cost::WORD) + i64::from(cost::FURTHER_LETTER) * (count - 6).max(0) + capitals
                }
                b'0'..=b'9' => i64::from(cost::DIGITS),
                b'\n' => i64::from(cost::LINE_END),
                b' ' | b'\t' => {
                    if count > 1 {
                        i64::from(cost::BLANKS)
                    } else {
                        0
                    }
                }
                0x80.. => i64::from(cost::OTHER),
                _ => i64::from(cost::SIGNS),
            }
        };
        parts.find_iter(text).map(|part| cost(part.as_str())).sum::<i64>().unsigned_abs()
    }

    proptest::proptest! {
        #[test]
        fn the_table_counts_as_the_parts_do(text in "([A-Z]{0,9}[a-z]{0,9}[0-9]{0,5}[ \t]{0,3}[\n\r]{0,3}[!-/{]{0,3}[é日\u{1}]{0,2}){0,6}") {
            proptest::prop_assert_eq!(Tokens::of(&text), Tokens(slowly(&text)));
        }
    }

    #[test]
    fn lines_add_up() {
        let text = "# Title\n\nFirst line, é and 日本.\n- item 12345\n";
        let lines: Tokens = text.split_inclusive("\n\n").map(Tokens::of).sum();
        assert_eq!(lines, Tokens::of(text));
    }
}
