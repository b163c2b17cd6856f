//! Why something ends early.

/// Why a computation ends before it is done.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stopped {
    /// Somebody asked for it.
    #[error("cancelled")]
    Cancelled,
    /// The time is over.
    #[error("timeout")]
    Timeout,
    /// The memory is full.
    #[error("out of memory")]
    Memory,
    /// Something in the program that the computation cannot handle.
    #[error("unsupported: {0}")]
    Unsupported(String),
}
