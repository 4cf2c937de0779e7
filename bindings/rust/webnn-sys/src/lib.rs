//! Declarations of the C API of libwebnn, the Web Neural Network API as a native library.
//!
//! The crate `webnn` is the safe interface. This crate has the declarations of `webnn/webnn.h` under the same names. The header
//! documents each function and the ownership of its results. [`Default`] initializes a struct like its `_INIT` macro in C.
//!
//! ```
//! // SAFETY: webnnGetVersion() has no preconditions.
//! let version = unsafe { webnn_sys::webnnGetVersion() };
//! assert_eq!(version, 1_000); // 0.1.0
//! ```
#![no_std]
#![allow(non_snake_case)]

#[allow(clippy::missing_safety_doc, missing_docs)]
#[rustfmt::skip]
mod bindings;
mod handle;

pub use bindings::*;
pub use handle::{Handle, Object};
