//! The names that the profile knows: of sections and of their fields.

/// What the profile knows about a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// A section of the profile: `## Identity`.
    Standard(SectionName),
    /// A section of the profile under its older name: `## What I Own`.
    Legacy(SectionName),
    /// A section that an extension brings: `## X-acme-deploy`. From the first of them on, all other text belongs to extensions.
    Extension,
    /// Any other section: `## Voice`.
    Unknown,
}

impl SectionKind {
    /// The kind of a section by its heading.
    pub fn of(heading: &str) -> Self {
        if heading.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("X-")) {
            return Self::Extension;
        }
        let is = |name: &str| heading.eq_ignore_ascii_case(name);
        let standard = SectionName::ALL.into_iter().find(|section| is(section.as_str())).map(Self::Standard);
        let legacy = || SectionName::ALL.into_iter().find(|section| section.legacy().is_some_and(is)).map(Self::Legacy);
        standard.or_else(legacy).unwrap_or(Self::Unknown)
    }

    /// The section of the profile that it is.
    pub fn name(self) -> Option<SectionName> {
        match self {
            Self::Standard(name) | Self::Legacy(name) => Some(name),
            Self::Extension | Self::Unknown => None,
        }
    }
}

/// The sections of the profile, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectionName {
    /// Who the agent is.
    Identity,
    /// What it is responsible for.
    Responsibilities,
    /// What it is not responsible for.
    NonResponsibilities,
    /// Whom it works with, and what it decides about their work.
    Collaboration,
    /// The model that it prefers.
    Model,
}

impl SectionName {
    /// All of them, in the order of the profile.
    pub const ALL: [Self; 5] =
        [Self::Identity, Self::Responsibilities, Self::NonResponsibilities, Self::Collaboration, Self::Model];

    /// The heading.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "Identity",
            Self::Responsibilities => "Accountable Responsibilities",
            Self::NonResponsibilities => "Non-Responsibilities",
            Self::Collaboration => "Collaboration and Review Authority",
            Self::Model => "Model",
        }
    }

    /// The older heading.
    pub fn legacy(self) -> Option<&'static str> {
        match self {
            Self::Responsibilities => Some("What I Own"),
            Self::NonResponsibilities => Some("Boundaries"),
            Self::Collaboration => Some("Collaboration"),
            Self::Identity | Self::Model => None,
        }
    }
}

/// The fields of the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldName {
    /// The name of the agent's folder: `keaton`.
    Id,
    /// What the agent is for, in one line.
    Purpose,
    /// The name that is shown; the title has it now.
    Name,
    /// The role; the title has it now.
    Role,
    /// What it is good at, separated by commas.
    Expertise,
    /// How it works.
    Style,
    /// A model, or `auto`.
    Preferred,
    /// Why that model.
    Rationale,
    /// What to use in its place.
    Fallback,
    /// How long the model thinks: `high`.
    ReasoningEffort,
    /// How much it may read: `long_context`.
    ContextTier,
}

impl FieldName {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Id,
        Self::Purpose,
        Self::Name,
        Self::Role,
        Self::Expertise,
        Self::Style,
        Self::Preferred,
        Self::Rationale,
        Self::Fallback,
        Self::ReasoningEffort,
        Self::ContextTier,
    ];

    /// The field with that label in that section.
    pub fn find(section: SectionName, label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.section() == section && field.as_str().eq_ignore_ascii_case(label))
    }

    /// The label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Id => "ID",
            Self::Purpose => "Purpose",
            Self::Name => "Name",
            Self::Role => "Role",
            Self::Expertise => "Expertise",
            Self::Style => "Style",
            Self::Preferred => "Preferred",
            Self::Rationale => "Rationale",
            Self::Fallback => "Fallback",
            Self::ReasoningEffort => "Reasoning Effort",
            Self::ContextTier => "Context Tier",
        }
    }

    /// The section that it belongs to.
    pub fn section(self) -> SectionName {
        match self {
            Self::Id | Self::Purpose | Self::Name | Self::Role | Self::Expertise | Self::Style => SectionName::Identity,
            Self::Preferred | Self::Rationale | Self::Fallback | Self::ReasoningEffort | Self::ContextTier => {
                SectionName::Model
            }
        }
    }

    /// Whether the profile only reads it, for charters that are older.
    pub fn is_legacy(self) -> bool {
        matches!(self, Self::Name | Self::Role | Self::Expertise | Self::Style | Self::Fallback)
    }

    /// The values that it can have, in any case; `None` where all are fine.
    pub fn options(self) -> Option<&'static [&'static str]> {
        match self {
            Self::ReasoningEffort => Some(&["auto", "low", "medium", "high", "xhigh", "max"]),
            Self::ContextTier => Some(&["auto", "default", "long_context"]),
            _ => None,
        }
    }
}

/// Whether `id` is one: lower-case words of letters and digits, joined by `-`.
pub fn is_id(id: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    id.split('-').all(is_word)
}

/// Whether `heading` is the name of an extension, `X-<namespace>-<name>` in lower case.
pub fn is_extension_name(heading: &str) -> bool {
    heading.strip_prefix("X-").is_some_and(|name| name.contains('-') && is_id(name))
}
