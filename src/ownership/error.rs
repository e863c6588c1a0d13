//! Why something is not a glob.

/// The longest glob that is read, in bytes; paths are not longer on any system that git runs on.
pub(super) const LEN_MAX: usize = 4096;

/// How many alternatives the braces of one glob may make.
pub(super) const ALTERNATIVES_MAX: usize = 256;

/// Why a glob is invalid: the end of a sentence that begins with the glob.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// The empty string.
    #[error("is empty")]
    Empty,
    /// A part is `..`.
    #[error("contains `..`, which leads out of the team's folder")]
    Leaves,
    /// `[` without `]`.
    #[error("has an unclosed `[`")]
    Class,
    /// A range that ends before it begins.
    #[error("has an empty range from `{0}` to `{1}`")]
    Range(char, char),
    /// `{` without `}`, or the other way round.
    #[error("has an unmatched brace")]
    Brace,
    /// `\` at the end.
    #[error("ends with a lone `\\`")]
    Escape,
    /// Braces with too many alternatives.
    #[error("has braces that expand to more than {ALTERNATIVES_MAX} globs")]
    Alternatives,
    /// Too many bytes.
    #[error("is longer than {LEN_MAX} bytes")]
    TooLong,
}
