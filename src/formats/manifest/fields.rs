//! The fields that the protocol knows, and those that readers of manifests know beside it.

use super::Scope;
use crate::text::suggest::{Tolerance, nearest};

/// What can be in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Text.
    Text,
    /// A number.
    Number,
    /// A list of texts.
    Texts,
    /// The list of members.
    Members,
    /// A mapping.
    Mapping,
    /// Whatever its reader makes of it.
    Anything,
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// What can be in it.
    pub takes: Takes,
    /// Whether it is required.
    pub required: bool,
}

const fn required(name: &'static str, takes: Takes) -> Field {
    Field { name, takes, required: true }
}

const fn optional(name: &'static str, takes: Takes) -> Field {
    Field { name, takes, required: false }
}

/// See `docs/formats/learning-teams.md`, "Required fields" and "Optional fields". `practices` occurs in the manifests of the
/// protocol's authors.
const TOP: &[Field] = &[
    required("team", Takes::Text),
    required("description", Takes::Text),
    required("members", Takes::Members),
    optional("defaults", Takes::Mapping),
    optional("practices", Takes::Anything),
];

/// `isolation` came with later versions of the protocol.
const DEFAULTS: &[Field] = &[
    optional("model", Takes::Text),
    optional("budget", Takes::Number),
    optional("permission-mode", Takes::Text),
    optional("isolation", Takes::Text),
];

/// `mcp` is in manifests of the protocol's own authors.
const MEMBER: &[Field] = &[
    required("name", Takes::Text),
    required("role", Takes::Text),
    required("tools", Takes::Texts),
    required("owns", Takes::Texts),
    optional("model", Takes::Text),
    optional("budget", Takes::Number),
    optional("permission-mode", Takes::Text),
    optional("isolation", Takes::Text),
    optional("mcp", Takes::Anything),
];

/// What Claude Code takes for an agent beyond that. A member is spawned as one, so these mean something.
const AGENT: &[&str] = &[
    "background",
    "color",
    "disallowedTools",
    "effort",
    "hooks",
    "initialPrompt",
    "maxTurns",
    "mcpServers",
    "memory",
    "skills",
];

impl Scope {
    /// The fields that the protocol knows here.
    pub fn fields(self) -> &'static [Field] {
        match self {
            Self::Top => TOP,
            Self::Defaults => DEFAULTS,
            Self::Member => MEMBER,
        }
    }

    /// The field of that name.
    pub fn field(self, name: &str) -> Option<&'static Field> {
        self.fields().iter().find(|field| field.name == name)
    }

    /// Whether a reader of manifests knows `key` here, or someone says that it is their own (`x-…`).
    pub fn knows(self, key: &str) -> bool {
        self.field(key).is_some() || self != Self::Top && AGENT.contains(&key) || key.starts_with("x-")
    }

    /// The field that `key`, which is none, was probably meant to be.
    pub fn meant(self, key: &str) -> Option<&'static str> {
        nearest(key, self.fields().iter().map(|field| field.name), Tolerance::Help)
    }

    /// What it is, in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Top => "the manifest",
            Self::Defaults => "`defaults`",
            Self::Member => "a member",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood() {
        let meant = |key| Scope::Member.meant(key);
        for (key, name) in [
            ("Name", "name"),
            ("tool", "tools"),
            ("owner", "owns"),
            ("own", "owns"),
            ("rol", "role"),
            ("modle", "model"),
            ("permission_mode", "permission-mode"),
            ("permissionMode", "permission-mode"),
            ("budgets", "budget"),
        ] {
            let expected = (key != "owner").then_some(name);
            assert_eq!(meant(key), expected, "{key}");
        }
        for key in ["color", "id", "task", "mode", "areas", "rules", "title", "games", ""] {
            assert!(meant(key).is_none_or(|name| key == "mode" && name == "model"), "{key}: {:?}", meant(key));
        }
        assert_eq!((Scope::Top.meant("teams"), Scope::Top.meant("member")), (Some("team"), Some("members")));
    }

    #[test]
    fn own_keys_of_others_are_known() {
        assert!(Scope::Member.knows("maxTurns") && Scope::Member.knows("x-pager") && Scope::Defaults.knows("effort"));
        assert!(!Scope::Top.knows("maxTurns") && !Scope::Member.knows("permissionMode") && !Scope::Top.knows("model"));
    }
}
