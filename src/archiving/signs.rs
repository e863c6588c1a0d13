//! Parts of the phrases by which a text stays, found without a look at each byte: if the fourth byte from here is in none of them
//! so far in, the next one begins behind it.

use std::ops::Range;

/// What a part of each phrase looks like by which a text stays: few texts have any. Where several begin, the first one counts.
pub const SIGNS: [&str; 95] = [
    "irective",
    "IRECTIVE",
    " directed ",
    "o new ",
    "aiting",
    "AITING",
    "ait for ",
    "uestion",
    "lease confirm",
    "need",
    "Need",
    "evisit ",
    "DO NOT ",
    "MUST NOT ",
    "must NOT ",
    "NEVER ",
    "ction item",
    "ction Item",
    "ction required",
    "ction Required",
    "CTION REQUIRED",
    "ction needed",
    "ction Needed",
    "CTION NEEDED",
    "ecision required",
    "ecision Required",
    "ECISION REQUIRED",
    "eferred",
    "uture phases",
    "uture Phases",
    "[ ] ",
    // Of orders to all.
    "orbidden",
    "anding rule",
    "anding obligation",
    // Of orders to all, and of the word of the user.
    "must ",
    "User ",
    "Owner ",
    "he user ",
    "he owner ",
    "roduct owner ",
    "till open",
    "TILL OPEN",
    " OPEN (",
    "pen issues",
    "pen Issues",
    "pen Blockers",
    "ech debt",
    "ech Debt",
    "cal debt",
    "cal Debt",
    "nown issues",
    "nown Issues",
    // Of tasks and orders in the history of an agent.
    "ext action",
    "ext Action",
    "ext steps",
    "ext Steps",
    "ecommendations",
    "ECOMMENDATIONS",
    "ey concerns",
    "angerous to change",
    "angerous to Change",
    "always ",
    "Always",
    "Never",
    "Do not",
    "Do NOT",
    "Don't",
    "Avoid",
    "MUST ",
    "Rule:",
    "ard constraint",
    "ard requirement",
    "ard constitutional",
    "oing forward",
    "ithdrawn",
    "xclusive claim",
    "urable team convention",
    "uardrail",
    "overnance ",
    "esson:",
    "atterns to ",
    "ules to ",
    "attern to ",
    "ule to remember",
    "ard rule",
    "only ever ",
    "onvention",
    "aintenance",
    // Of states and labels of what is open.
    "tatus:",
    "ending:",
    "ollow-up",
    "ollow-Up",
    "PEN:",
    "ecision needed",
    "ecision Needed",
];

/// No sign is shorter, in bytes.
const SHORTEST: usize = 4;

/// Two bytes are looked up by these bits of each.
const BITS: u32 = 6;

const fn pair(first: u8, second: u8) -> usize {
    let bits = (1 << BITS) - 1;
    (first as usize & bits) << BITS | second as usize & bits
}

/// In this bit, whether a sign begins with two bytes.
const BEGINS: u8 = 0x80;

/// How many bytes behind the one looked at the next sign can begin, by the two bytes that end the first [`SHORTEST`] from there: 0
/// where they can be those of a sign that begins here.
#[allow(clippy::indexing_slicing, reason = "the compiler makes it")]
#[allow(clippy::cast_possible_truncation, reason = "no step is longer than a sign")]
static STEPS: [u8; 1 << (2 * BITS)] = {
    let mut steps = [SHORTEST as u8 - 1; 1 << (2 * BITS)];
    let mut sign = 0;
    while sign < SIGNS.len() {
        let bytes = SIGNS[sign].as_bytes();
        let mut at = 0;
        while at + 2 <= SHORTEST {
            let (place, step) = (pair(bytes[at], bytes[at + 1]), (SHORTEST - 2 - at) as u8);
            if step < steps[place] {
                steps[place] = step;
            }
            at += 1;
        }
        sign += 1;
    }
    sign = 0;
    while sign < SIGNS.len() {
        steps[pair(SIGNS[sign].as_bytes()[0], SIGNS[sign].as_bytes()[1])] |= BEGINS;
        sign += 1;
    }
    steps
};

/// The signs that have a byte at a place, a bit for each sign.
#[allow(clippy::indexing_slicing, reason = "the compiler makes it")]
const fn with_byte_at(place: usize) -> [u128; 256] {
    let (mut with, mut sign) = ([0; 256], 0);
    while sign < SIGNS.len() {
        with[SIGNS[sign].as_bytes()[place] as usize] |= 1 << sign;
        sign += 1;
    }
    with
}

/// The signs by their first bytes, and by their second ones: nearly all signs begin otherwise, and to compare all of them takes longer.
static BY_FIRST: [u128; 256] = with_byte_at(0);
static BY_SECOND: [u128; 256] = with_byte_at(1);

/// The first sign that `rest` begins with. `first` and `second` are its first bytes.
fn sign_at(rest: &[u8], first: u8, second: u8) -> Option<&'static str> {
    let with = |by: &[u128; 256], byte: u8| by.get(usize::from(byte)).copied().unwrap_or_default();
    let mut left = with(&BY_FIRST, first) & with(&BY_SECOND, second);
    while left != 0 {
        let sign = SIGNS.get(usize::try_from(left.trailing_zeros()).unwrap_or_default())?;
        if rest.starts_with(sign.as_bytes()) {
            return Some(sign);
        }
        left &= left - 1;
    }
    None
}

/// The signs in `text`, in order, none inside another one.
pub fn find_iter(text: &str) -> impl Iterator<Item = (Range<usize>, &'static str)> + use<'_> {
    let bytes = text.as_bytes();
    let steps = |first, second| STEPS.get(pair(first, second)).copied().unwrap_or_default();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = bytes.get(at..)?;
            let &[first, second, third, last] = rest.first_chunk::<SHORTEST>()?;
            let step = steps(third, last) & !BEGINS;
            if step == 0
                && steps(first, second) & BEGINS != 0
                && let Some(sign) = sign_at(rest, first, second)
            {
                let start = at;
                at += sign.len();
                return Some((start..at, sign));
            }
            at += usize::from(step.max(1));
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    proptest! {
        #[test]
        fn a_pattern_finds_the_same(
            words in prop::collection::vec(prop_oneof![prop::sample::select(&SIGNS[..]), Just("MUST NO"), Just("é "), Just("n")], 0..9),
            cut in 0..9_usize,
        ) {
            let pattern = Regex::new(&SIGNS.map(regex::escape).join("|")).unwrap();
            let text: String = words.concat().chars().skip(cut).collect();
            let expected: Vec<_> = pattern.find_iter(&text).map(|found| found.range()).collect();
            prop_assert_eq!(find_iter(&text).map(|(range, _)| range).collect::<Vec<_>>(), expected, "{}", text);
        }
    }
}
