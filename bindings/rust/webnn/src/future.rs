use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use webnn_sys as sys;
use webnn_sys::Handle;

use crate::slot::Slot;
use crate::{Cancellation, Element, Error, Graph, Result};

/// Builds a graph, see [`GraphBuilder::build_async`](crate::GraphBuilder::build_async). Dropping it stops the build.
///
/// ```
/// use webnn::*;
/// # fn block_on<F: Future>(future: F) -> F::Output {
/// #     let mut task = std::task::Context::from_waker(std::task::Waker::noop());
/// #     let mut future = std::pin::pin!(future);
/// #     loop {
/// #         if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut task) { return value; }
/// #         std::thread::yield_now();
/// #     }
/// # }
/// # fn main() -> Result<()> {
/// let builder = GraphBuilder::new(&Context::new()?)?;
/// let y = builder.neg(builder.input("x", DataType::Float32, &[2])?)?;
/// let future: BuildFuture = builder.build_async(&[("y", y)])?;
/// assert_eq!(block_on(future)?.inputs()[0].name, "x");
/// # Ok(())
/// # }
/// ```
#[must_use = "dropping the future stops the build"]
pub struct BuildFuture {
    pub(crate) slot: Arc<Slot<Handle<sys::WebnnGraphImpl>>>,
    pub(crate) cancellation: Cancellation,
}

impl Future for BuildFuture {
    type Output = Result<Graph>;
    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Self::Output> {
        self.slot.poll(task).map(|result| result.and_then(Graph::of))
    }
}

impl Drop for BuildFuture {
    fn drop(&mut self) {
        self.cancellation.request();
    }
}

/// Reads a tensor, see [`Context::read_async`](crate::Context::read_async). It may be dropped at any time.
///
/// ```
/// use webnn::*;
/// # fn block_on<F: Future>(future: F) -> F::Output {
/// #     let mut task = std::task::Context::from_waker(std::task::Waker::noop());
/// #     let mut future = std::pin::pin!(future);
/// #     loop {
/// #         if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut task) { return value; }
/// #         std::thread::yield_now();
/// #     }
/// # }
/// # fn main() -> Result<()> {
/// let context = Context::new()?;
/// let tensor = context.create_tensor_with(&[2], &[1i32, 2])?;
/// let future: ReadFuture<i32> = context.read_async(&tensor);
/// assert_eq!(block_on(future)?, [1, 2]);
/// # Ok(())
/// # }
/// ```
#[must_use = "futures do nothing unless polled or awaited"]
pub struct ReadFuture<T: Element>(pub(crate) Arc<Slot<Vec<T>>>);

impl<T: Element> Future for ReadFuture<T> {
    type Output = Result<Vec<T>>;
    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Self::Output> {
        self.0.poll(task)
    }
}

/// The reason why a context can no longer be used.
///
/// ```
/// assert_ne!(webnn::Loss::Released, webnn::Loss::Lost("the worker has ended".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// The context is lost or was destroyed; the message says why.
    Lost(String),
    /// The last handle was dropped, and the context was never lost.
    Released,
}

/// Waits for the loss of a context, see [`Context::lost`](crate::Context::lost).
///
/// ```
/// use webnn::*;
/// # fn block_on<F: Future>(future: F) -> F::Output {
/// #     let mut task = std::task::Context::from_waker(std::task::Waker::noop());
/// #     let mut future = std::pin::pin!(future);
/// #     loop {
/// #         if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut task) { return value; }
/// #         std::thread::yield_now();
/// #     }
/// # }
/// # fn main() -> Result<()> {
/// let context = Context::new()?;
/// let future: LostFuture = context.lost();
/// context.destroy();
/// assert!(matches!(block_on(future)?, Loss::Lost(_)));
/// # Ok(())
/// # }
/// ```
#[must_use = "futures do nothing unless polled or awaited"]
pub struct LostFuture(pub(crate) Arc<Slot<(sys::WebnnContextLostReason, String)>>);

impl Future for LostFuture {
    type Output = Result<Loss>;
    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Self::Output> {
        self.0.poll(task).map(|result| {
            let (reason, message) = result?;
            match reason {
                sys::WebnnContextLostReason::Lost => Ok(Loss::Lost(message)),
                sys::WebnnContextLostReason::Released => Ok(Loss::Released),
                _ => Err(Error::Unknown(message)),
            }
        })
    }
}

impl Drop for LostFuture {
    fn drop(&mut self) {
        self.0.abandon(); // the library keeps the slot until the context is released, which a kept waker could prevent
    }
}
