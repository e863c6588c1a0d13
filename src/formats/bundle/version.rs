//! Whether a file is a bundle, whatever its name is.

use std::fmt;
use std::io::BufRead;

use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::Format;

/// Whether `file` is a bundle: a JSON object with `squad_format_version`, or with `version` beside `agents` and `casting`, as other
/// programs have a `version`, too. It is read as far as needed, and not kept.
pub fn is_bundle(mut file: impl BufRead) -> bool {
    // JSON begins so, and other large files need not be read.
    let Ok(start) = file.fill_buf() else { return false };
    let start = start.strip_prefix("\u{feff}".as_bytes());
    let bom = start.map_or(0, |_| "\u{feff}".len());
    file.consume(bom);
    let mut reader = serde_json::Deserializer::from_reader(file);
    let mut keys = Keys::default();
    // What comes before an error counts: a bundle with an error is a bundle.
    let _ = reader.deserialize_map(&mut keys);
    keys.tell()
}

/// The keys at the top of an object that tell what it is.
#[derive(Debug, Default)]
struct Keys {
    has_portable_version: bool,
    has_version: bool,
    has_agents: bool,
    has_casting: bool,
}

impl Keys {
    fn tell(&self) -> bool {
        self.has_portable_version || self.has_version && self.has_agents && self.has_casting
    }
}

impl<'de> Visitor<'de> for &mut Keys {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                key if key == Format::Portable.version_key() => self.has_portable_version = true,
                key if key == Format::Export.version_key() => self.has_version = true,
                "agents" => self.has_agents = true,
                "casting" => self.has_casting = true,
                _ => {}
            }
            if self.tell() {
                // The rest is not read.
                return Err(A::Error::custom("known"));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_tell() {
        for (text, expected) in [
            ("{\"squad_format_version\": \"9\"}", true),
            ("\u{feff} {\"a\": {\"b\": [1]}, \"squad_format_version\": 1, ,", true),
            ("{\"version\": \"1.0\", \"agents\": {}, \"casting\": {}}", true),
            ("{\"name\": \"x\", \"version\": \"1.0\"}", false),
            ("{\"a\": {\"squad_format_version\": 1}}", false),
            ("[{\"squad_format_version\": 1}]", false),
            ("# Squad", false),
            ("", false),
        ] {
            assert_eq!(is_bundle(text.as_bytes()), expected, "{text}");
        }
    }
}
