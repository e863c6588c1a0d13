//! What a plain scalar means, by the core schema of YAML 1.2.2 (§10.3.2).

use super::Value;

/// What `text`, written without quotes, means.
pub(super) fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Value::Float(f64::NAN),
        _ => {}
    }
    number(text).unwrap_or_else(|| Value::String(text.to_owned()))
}

fn number(text: &str) -> Option<Value> {
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Some(Value::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    if !is_decimal(unsigned) {
        return None;
    }
    // What is whole and too large for 64 bits is a number all the same.
    text.parse().map(Value::Int).or_else(|_| text.parse().map(Value::Float)).ok()
}

/// `[0-9]+`, or digits with a dot, an exponent or both.
fn is_decimal(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.is_none_or(|text| {
        let text = text.strip_prefix(['+', '-']).unwrap_or(text);
        !text.is_empty() && digits(text)
    });
    digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty()) && exponent
}

fn radix(digits: &str, radix: u32) -> Option<Value> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    Some(i64::from_str_radix(digits, radix).map_or(Value::Float(f64::INFINITY), Value::Int))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_schema_decides() {
        let text = |text: &str| Value::String(text.to_owned());
        for word in [
            "no",
            "yes",
            "on",
            "off",
            "nULL",
            "1_000",
            "0b1",
            "1:30",
            "0x",
            "0o8",
            ".",
            "+",
            "-",
            "1e",
            "2026-02-13",
            "-0x1",
            "e3",
            "1.2.3",
            "tRue",
            ".inF",
        ] {
            assert_eq!(plain(word), text(word));
        }
        assert_eq!((plain(""), plain("~"), plain("NULL")), (Value::Null, Value::Null, Value::Null));
        assert_eq!((plain("True"), plain("FALSE")), (Value::Bool(true), Value::Bool(false)));
        assert_eq!((plain("+12"), plain("-0"), plain("0o17")), (Value::Int(12), Value::Int(0), Value::Int(15)));
        assert_eq!((plain("0xfF"), plain("007")), (Value::Int(255), Value::Int(7)));
        assert_eq!(
            (plain("0.50"), plain("-.5"), plain("1.")),
            (Value::Float(0.5), Value::Float(-0.5), Value::Float(1.0))
        );
        assert_eq!((plain("1e3"), plain("+1.5E-1")), (Value::Float(1e3), Value::Float(0.15)));
        assert_eq!(plain("-.INF"), Value::Float(f64::NEG_INFINITY));
        assert_eq!(plain("9223372036854775808"), Value::Float(9_223_372_036_854_775_808.0));
        assert!(matches!(plain(".nan"), Value::Float(number) if number.is_nan()));
    }
}
