//! Classification of pictures, for the programs `classify` and `serve`.
mod classifier;
mod server;

pub use classifier::{Class, Classifier, Failure};
pub use server::{Event, ServerOptions, router};
