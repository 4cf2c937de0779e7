#![doc = include_str!("../README.md")]
#![warn(rustdoc::all)]
#![allow(rustdoc::missing_crate_level_docs)]

mod backend;
mod engine;
mod errors;
mod execution;
mod models;
mod tensor;

pub use backend::WebnnBackend;
pub use engine::Engine;
pub use models::Models;
