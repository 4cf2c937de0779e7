use std::error::Error;

use wasmtime_wasi_nn::backend::BackendError;

/// Returns an error of a backend that begins with `what`. Hosts can downcast its source to [`webnn::Error`].
pub(crate) fn failed(error: webnn::Error, what: &str) -> BackendError {
    wasmtime::Error::from(error).context(what.to_owned()).into()
}

/// Returns the error for a host. A conversion by `?` would hide the message, because wasmtime prints no sources of such an error.
pub(crate) fn for_host(error: BackendError) -> wasmtime::Error {
    match error {
        BackendError::BackendAccess(error) => error,
        other => other.into(),
    }
}

/// Logs an error with its causes, because wasmtime passes only a code to the guest.
pub(crate) fn logged<T>(result: Result<T, BackendError>) -> Result<T, BackendError> {
    if let Err(error) = &result {
        let (mut text, mut cause) = (error.to_string(), error.source());
        while let Some(error) = cause {
            text += &format!(": {error}");
            cause = error.source();
        }
        tracing::debug!("{text}");
    }
    result
}
