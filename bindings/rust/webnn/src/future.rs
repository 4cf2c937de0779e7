use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as TaskContext, Poll, Waker};

use webnn_sys as sys;
use webnn_sys::Handle;

use crate::context::{Context, ErrorReport, Loss};
use crate::{Cancellation, Element, Error, Graph, Result};

enum State<T> {
    Pending(Option<Waker>),
    Done(Result<T>),
    Taken,
}

/// The memory in which a callback of the library stores its result.
pub(crate) struct Slot<T>(Mutex<State<T>>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Slot(Mutex::new(State::Pending(None)))
    }
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn complete(&self, value: Result<T>) {
        let before = std::mem::replace(&mut *self.lock(), State::Done(value));
        if let State::Pending(Some(waker)) = before {
            waker.wake();
        }
    }

    /// Drops the waker of a future that is no longer awaited.
    fn abandon(&self) {
        let waker = match &mut *self.lock() {
            State::Pending(waker) => waker.take(),
            _ => None,
        };
        drop(waker); // after releasing the lock, because dropping a waker may run any code
    }

    fn poll(&self, task: &TaskContext<'_>) -> Poll<Result<T>> {
        let mut state = self.lock();
        if let State::Pending(waker) = &mut *state {
            match waker {
                Some(waker) => waker.clone_from(task.waker()),
                None => *waker = Some(task.waker().clone()),
            }
            return Poll::Pending;
        }
        match std::mem::replace(&mut *state, State::Taken) {
            State::Done(value) => Poll::Ready(value),
            _ => Poll::Ready(Err(Error::InvalidState("the future was polled after it had completed".into()))),
        }
    }
}

/// Creates a context, see [`Context::create_async`].
#[must_use = "futures do nothing unless polled or awaited"]
pub struct ContextFuture {
    pub(crate) slot: Arc<Slot<Handle<sys::WebnnContextImpl>>>,
    pub(crate) report: Option<Arc<ErrorReport>>,
}

impl Future for ContextFuture {
    type Output = Result<Context>;
    fn poll(mut self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        this.slot.poll(task).map_ok(|handle| Context::of(handle, this.report.take()))
    }
}

/// Builds a graph, see [`GraphBuilder::build_async`](crate::GraphBuilder::build_async). Dropping it stops the build.
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

/// Reads a tensor, see [`Context::read_async`]. It may be dropped at any time.
#[must_use = "futures do nothing unless polled or awaited"]
pub struct ReadFuture<T: Element>(pub(crate) Arc<Slot<Vec<T>>>);

impl<T: Element> Future for ReadFuture<T> {
    type Output = Result<Vec<T>>;
    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Self::Output> {
        self.0.poll(task)
    }
}

/// Waits for the loss of a context, see [`Context::lost`].
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
