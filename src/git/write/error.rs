//! Why the index is as it was.

/// Why the index is as it was.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// Another program writes it, or died while it did.
    #[error("cannot lock the index: another git process may be running in this repository")]
    Locked(#[source] gix::Error),
    /// It cannot be read, or is damaged.
    #[error("cannot read the index")]
    Read(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It holds folders in the place of files.
    #[error("the index is sparse: it lists folders instead of the files in them")]
    Sparse,
    /// It is that of `git commit PATH`, which goes away after the commit.
    #[error("`git commit PATH` commits from a temporary index: the next commit would undo the change")]
    Partial,
    /// It is of a kind that only git writes, and git cannot do it.
    #[error("only git can write this index, which {0}, and `git` failed")]
    Git(&'static str, #[source] std::io::Error),
    /// It cannot be written.
    #[error("cannot write the index")]
    Write(#[source] Box<dyn std::error::Error + Send + Sync>),
}
