use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context as TaskContext, Poll, Waker};

use crate::{Error, Result};

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
    pub(crate) fn abandon(&self) {
        let waker = match &mut *self.lock() {
            State::Pending(waker) => waker.take(),
            _ => None,
        };
        drop(waker); // after releasing the lock, because dropping a waker may run any code
    }

    pub(crate) fn poll(&self, task: &TaskContext<'_>) -> Poll<Result<T>> {
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
