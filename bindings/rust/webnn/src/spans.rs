//! Spans of the crate `tracing`, with the target `webnn`. Without the feature `tracing`, these functions do nothing.

macro_rules! spans {
    ($($(#[$doc:meta])* $level:ident $name:ident($($field:ident: $type:ty),*);)*) => {$(
        $(#[$doc])*
        #[cfg(feature = "tracing")]
        #[inline]
        pub(crate) fn $name($($field: $type),*) -> impl Sized {
            tracing::span!(target: "webnn", tracing::Level::$level, stringify!($name), $($field),*).entered()
        }

        $(#[$doc])*
        #[cfg(not(feature = "tracing"))]
        #[inline]
        pub(crate) fn $name($(_: $type),*) -> impl Sized {}
    )*};
}

spans! {
    /// The compilation of a graph.
    INFO build(outputs: usize);
    /// The reading and compilation of a file.
    INFO load();
    /// A run on the calling thread.
    DEBUG compute(inputs: usize, outputs: usize);
    /// The queueing of a run.
    DEBUG dispatch(inputs: usize, outputs: usize);
    /// A run of a session.
    DEBUG run(inputs: usize);
}
