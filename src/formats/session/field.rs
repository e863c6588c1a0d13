//! A value of a file, and where it is.

use std::fmt;

use crate::formats::timestamp::Timestamp;
use crate::text::Span;

/// A value and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<T> {
    /// Its bytes, with quotes. Of an alias: where the anchor's value is.
    pub span: Span,
    /// What it says.
    pub value: T,
}

impl<T> Field<T> {
    /// `value` at `span`.
    pub fn new(span: Span, value: T) -> Self {
        Self { span, value }
    }
}

/// The names that mean all agents of a session.
pub const EVERYONE: [&str; 4] = ["all", "broadcast", "everyone", "team"];

/// An agent, or one of its instances: `frontend-ui-developer[1]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Agent {
    /// The name without the instance.
    pub name: String,
    /// The number of the instance; `None` for an agent with one.
    pub instance: Option<u64>,
}

impl Agent {
    /// Reads `name` or `name[1]`.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let parts = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
        match parts.and_then(|(name, number)| Some((name.trim_end(), number.trim().parse().ok()?))) {
            Some((name, instance)) if !name.is_empty() => Self { name: name.to_owned(), instance: Some(instance) },
            _ => Self { name: text.to_owned(), instance: None },
        }
    }

    /// Whether it means all agents, so that each of them is asked.
    pub fn is_everyone(&self) -> bool {
        EVERYONE.iter().any(|name| self.instance.is_none() && self.name.eq_ignore_ascii_case(name))
    }

    /// Whether both can be the same one: an agent without a number can be any instance of its name.
    pub fn may_be(&self, other: &Self) -> bool {
        let instances = self.instance.zip(other.instance);
        self.name.eq_ignore_ascii_case(&other.name) && instances.is_none_or(|(own, other)| own == other)
    }
}

/// `name` or `name[1]`.
impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.instance {
            Some(instance) => write!(f, "{}[{instance}]", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Declares a choice of words.
macro_rules! words {
    ($($(#[$of_type:meta])* $type:ident { $($(#[$of_word:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$of_type])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type {
            $($(#[$of_word])* $variant,)*
        }

        impl $type {
            /// Every word, in the order of the protocol.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// What `word` means.
            pub fn parse(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The word in a file.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }
    )*};
}

words! {
    /// How a session is.
    SessionState {
        /// Its agents work: `active`.
        Active = "active",
        /// It reached its end: `completed`.
        Completed = "completed",
        /// It was given up: `failed`.
        Failed = "failed",
    }

    /// A phase of a session.
    Phase {
        /// `requirements`
        Requirements = "requirements",
        /// `design`
        Design = "design",
        /// `implementation`
        Implementation = "implementation",
        /// `quality`
        Quality = "quality",
    }

    /// What became of the gate at the end of a phase.
    GateState {
        /// The phase has not begun: `pending`.
        Pending = "pending",
        /// The phase runs: `in_progress`.
        InProgress = "in_progress",
        /// The phase is complete: `passed`.
        Passed = "passed",
        /// The phase must be repeated: `failed`.
        Failed = "failed",
    }

    /// How a task is.
    TaskState {
        /// Its agent has not begun: `pending`.
        Pending = "pending",
        /// Its agent works on it: `in_progress`.
        InProgress = "in_progress",
        /// It is done: `completed`.
        Completed = "completed",
        /// Its agent waits for another one: `blocked`.
        Blocked = "blocked",
    }

    /// How urgent something is.
    Priority {
        /// At once: `critical`.
        Critical = "critical",
        /// Within a minute: `high`.
        High = "high",
        /// Within five minutes: `medium`.
        Medium = "medium",
        /// At some time: `low`.
        Low = "low",
    }

    /// What a message wants.
    MessageType {
        /// An answer: `question`.
        Question = "question",
        /// An action: `request`.
        Request = "request",
        /// Nothing: `notification`.
        Notification = "notification",
    }

    /// How bad an error is.
    ErrorSeverity {
        /// The session cannot go on: `critical`.
        Critical = "critical",
        /// The task cannot go on: `error`.
        Error = "error",
        /// The task goes on: `warning`.
        Warning = "warning",
    }

    /// What the holder of a lock does to the file.
    Operation {
        /// `modify`
        Modify = "modify",
        /// `delete`
        Delete = "delete",
        /// `create`
        Create = "create",
    }
}

/// Text of a field.
pub type TextField = Option<Field<String>>;

/// A moment of a field.
pub type TimeField = Option<Field<Timestamp>>;

/// A whole number of a field.
pub type CountField = Option<Field<u64>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_numbers_in_brackets() {
        for (text, name, instance) in [
            ("frontend", "frontend", None),
            ("frontend[1]", "frontend", Some(1)),
            (" frontend [ 12 ] ", "frontend", Some(12)),
            ("frontend[]", "frontend[]", None),
            ("frontend[x]", "frontend[x]", None),
            ("[1]", "[1]", None),
            ("a[1][2]", "a[1]", Some(2)),
            ("a[99999999999999999999]", "a[99999999999999999999]", None),
            ("", "", None),
        ] {
            assert_eq!(Agent::parse(text), Agent { name: name.to_owned(), instance }, "{text}");
        }
    }

    #[test]
    fn an_agent_without_a_number_may_be_each_of_its_instances() {
        let may = |one: &str, other: &str| Agent::parse(one).may_be(&Agent::parse(other));
        assert!(may("a", "a[1]") && may("A[1]", "a[1]") && may("a", "a"));
        assert!(!may("a[1]", "a[2]") && !may("a", "b"));
    }

    #[test]
    fn some_names_stand_for_all_agents() {
        let is_everyone = |name: &str| Agent::parse(name).is_everyone();
        assert!(is_everyone("all") && is_everyone("Team"));
        assert!(!is_everyone("team[1]") && !is_everyone("supervisor") && !is_everyone("allan"));
    }
}
