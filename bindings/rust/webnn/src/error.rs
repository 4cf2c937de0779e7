use std::fmt;

use webnn_sys as sys;

/// The result of a function of this crate.
///
/// ```
/// fn backend() -> webnn::Result<String> {
///     Ok(webnn::Context::new()?.backend())
/// }
/// assert!(backend().is_ok());
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the kinds that the specification names. Its message names the operation, its label, the argument and the values.
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let builder = GraphBuilder::new(&Context::new()?)?;
/// let x = builder.input("x", DataType::Float32, &[2, 3])?;
/// let error = builder.reshape(x, &[5]).unwrap_err();
/// assert!(matches!(error, Error::Type(_)));
/// assert_eq!(error.name(), "TypeError");
/// assert!(error.message().starts_with("reshape"), "{error}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An argument is invalid.
    Type(String),
    /// The content of a file or buffer is invalid.
    Data(String),
    /// The object is destroyed, lost or already used.
    InvalidState(String),
    /// A name or file does not exist.
    NotFound(String),
    /// The backend, device or format does not support the request.
    NotSupported(String),
    /// The operation failed, or exceeds a limit.
    Operation(String),
    /// The system failed, usually because it is out of memory.
    Unknown(String),
    /// A cancellation stopped the call.
    Abort(String),
    /// The call, or the work that it queued, exceeded its time limit.
    Timeout(String),
}

impl Error {
    pub(crate) fn from_status(status: sys::WebnnStatus, message: String) -> Error {
        match status {
            sys::WebnnStatus::TypeError => Error::Type(message),
            sys::WebnnStatus::DataError => Error::Data(message),
            sys::WebnnStatus::InvalidStateError => Error::InvalidState(message),
            sys::WebnnStatus::NotFoundError => Error::NotFound(message),
            sys::WebnnStatus::NotSupportedError => Error::NotSupported(message),
            sys::WebnnStatus::OperationError => Error::Operation(message),
            sys::WebnnStatus::AbortError => Error::Abort(message),
            sys::WebnnStatus::TimeoutError => Error::Timeout(message),
            _ => Error::Unknown(message),
        }
    }

    /// Returns the specification's name of the kind, such as "TypeError".
    pub fn name(&self) -> &'static str {
        match self {
            Error::Type(_) => "TypeError",
            Error::Data(_) => "DataError",
            Error::InvalidState(_) => "InvalidStateError",
            Error::NotFound(_) => "NotFoundError",
            Error::NotSupported(_) => "NotSupportedError",
            Error::Operation(_) => "OperationError",
            Error::Unknown(_) => "UnknownError",
            Error::Abort(_) => "AbortError",
            Error::Timeout(_) => "TimeoutError",
        }
    }

    /// Returns the message: a sentence with the operation, its label, the argument and the offending values.
    pub fn message(&self) -> &str {
        match self {
            Error::Type(message)
            | Error::Data(message)
            | Error::InvalidState(message)
            | Error::NotFound(message)
            | Error::NotSupported(message)
            | Error::Operation(message)
            | Error::Unknown(message)
            | Error::Abort(message)
            | Error::Timeout(message) => message,
        }
    }
}

/// Returns `text` in quotation marks, as the library shows names in messages: control and invisible characters are escaped, and
/// "..." replaces the rest after 200 bytes. Names come from untrusted files.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown = String::from("\"");
    for character in text.chars() {
        if shown.len() > 201 {
            shown += "...";
            break;
        }
        match character as u32 {
            0..0x20
            | 0x7F..0xA0
            | 0x61C
            | 0x200B..=0x200F
            | 0x2028..=0x202E
            | 0x2060..=0x206F
            | 0xFEFF
            | 0xFFF9..=0xFFFB
            | 0xE0000..0xE1000 => shown += &format!("\\u{{{:04X}}}", character as u32),
            _ => shown.push(character),
        }
    }
    shown.push('"');
    shown
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.name(), self.message())
    }
}

impl std::error::Error for Error {}
