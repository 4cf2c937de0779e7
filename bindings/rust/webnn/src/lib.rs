#![doc = include_str!("../README.md")]
#![warn(rustdoc::all)]
#![allow(rustdoc::missing_crate_level_docs)]

mod array;
mod builder;
mod call;
mod context;
mod element;
mod error;
mod ffi;
mod files;
mod future;
mod graph;
mod number;
#[rustfmt::skip]
#[allow(clippy::all)]
mod operations;
#[cfg(test)]
mod pure_tests;
mod raw;
mod report;
#[cfg(feature = "rustnn")]
pub mod rustnn;
#[cfg(feature = "serde")]
mod serialize;
mod session;
mod slot;
mod spans;
mod tensor;

pub use array::{Array, View, ViewMut};
pub use builder::{Dimension, GraphBuilder, Operand};
pub use call::{CallOptions, Cancellation, ProgressFunction, WorkLimits};
pub use context::{Context, ContextFuture, ContextOptions, Execution, Limits, PowerPreference, TensorLimits};
pub use element::{Element, Int4x2, Uint4x2};
pub use error::{Error, Result};
pub use files::{GraphFormat, LoadOptions, SaveOptions, WeightsFormat};
pub use future::{BuildFuture, Loss, LostFuture, ReadFuture};
pub use graph::{Graph, MemoryEstimate, NamedDescriptor};
pub use half::f16;
pub use number::{Number, Splits};
pub use operations::*;
pub use session::{Output, Results, Session, SessionOptions};
pub use tensor::{AnyTensor, Tensor};

/// Returns the version of the library as `major * 1_000_000 + minor * 1_000 + patch`.
///
/// ```
/// assert_eq!(webnn::version(), 1_000); // 0.1.0
/// ```
pub fn version() -> u32 {
    ffi::version()
}

// Checks at compile time that these types are thread safe, as the C API promises.
const _: () = {
    const fn thread_safe<T: Send + Sync>() {}
    thread_safe::<Context>();
    thread_safe::<ContextOptions<'static>>();
    thread_safe::<GraphBuilder>();
    thread_safe::<Operand<'static>>();
    thread_safe::<Conv2dOptions<'static>>();
    thread_safe::<Graph>();
    thread_safe::<Tensor<f32>>();
    thread_safe::<AnyTensor>();
    thread_safe::<Session>();
    thread_safe::<Results>();
    thread_safe::<Cancellation>();
    thread_safe::<Error>();
    const fn sendable<T: Send>() {}
    sendable::<BuildFuture>();
    sendable::<ContextFuture>();
    sendable::<ReadFuture<f32>>();
    sendable::<LostFuture>();
};
