//! Portable squads, wherever they lie: `*.squad` and `squad-export*.json`. See `docs/formats/portable-squads.md`.

use bstr::BStr;

use super::{Body, Dialect, Embedded, FileKind, Syntax, has_extension, squad};
use crate::formats::bundle::Bundle;
use crate::text::Span;

/// The dialect.
pub static DIALECT: Dialect = Dialect { kind_anywhere: Some(kind_anywhere), ..Dialect::NEW };

/// A portable squad: `team.squad`. Files of that name in other languages are none.
pub static SQUAD: FileKind =
    FileKind { name: "bundle", syntax: Syntax::Json, parse: |text| Box::new(Bundle::squad(text)) };

/// What the tool of Squad exports: `squad-export.json`.
pub static EXPORT: FileKind =
    FileKind { name: "export", syntax: Syntax::Json, parse: |text| Box::new(Bundle::parse(text)) };

impl Body for Bundle {
    fn part_starts(&self) -> Vec<u32> {
        let agents = self.agents.iter().map(|agent| agent.key.span.start);
        let texts = self.files.iter().map(|file| file.text.span.start);
        let casting = self.casting.iter().map(|member| member.key.span.start);
        let others = self.others.iter().map(|member| member.key.span.start);
        let skills = self.skills.iter().map(|skill| skill.span.start);
        let mut starts: Vec<u32> = agents.chain(texts).chain(casting).chain(others).chain(skills).collect();
        starts.sort_unstable();
        starts
    }

    fn copies(&self) -> &[Span] {
        &self.copies
    }

    fn embedded(&self) -> Vec<Embedded> {
        let mut embedded = Vec::new();
        for agent in &self.agents {
            let name = &agent.key.value;
            for (kind, file, text) in
                [(&squad::CHARTER, "charter.md", &agent.charter), (&squad::HISTORY, "history.md", &agent.history)]
            {
                let path = format!("agents/{name}/{file}");
                embedded.extend(text.as_ref().map(|text| Embedded { kind, path, literal: text.span }));
            }
        }
        for file in &self.files {
            let kind = match file.name {
                "team.md" => &squad::TEAM,
                "decisions.md" => &squad::DECISIONS,
                _ => &squad::PROSE,
            };
            embedded.push(Embedded { kind, path: file.name.to_owned(), literal: file.text.span });
        }
        for (number, skill) in self.skills.iter().enumerate() {
            let path = format!("skills/{number}/SKILL.md");
            embedded.push(Embedded { kind: &squad::SKILL, path, literal: skill.span });
        }
        embedded
    }
}

#[inline]
fn kind_anywhere(path: &BStr) -> Option<&'static FileKind> {
    // Nearly all files end in other letters.
    match path.last() {
        Some(b'd' | b'D') if has_extension(path, ".squad") => (!path.ends_with(b"/.squad")).then_some(&SQUAD),
        Some(b'n' | b'N') if has_extension(path, ".json") => {
            let start = memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1);
            path.get(start..)?.starts_with(b"squad-export").then_some(&EXPORT)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_kind() {
        for (path, expected) in [
            ("team.squad", Some(&SQUAD)),
            ("a/b/squad-export-1707400000.squad", Some(&SQUAD)),
            ("squad-export.json", Some(&EXPORT)),
            ("a/squad-export-2.json", Some(&EXPORT)),
            (".squad", None),
            ("a/.squad", None),
            ("squad.json", None),
            ("a/old-squad-export.json", None),
            ("squad-export/a.json", None),
        ] {
            assert_eq!(kind_anywhere(path.into()), expected, "{path}");
        }
    }
}
