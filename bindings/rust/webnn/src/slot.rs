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
        let waker = task.waker().clone();
        let mut state = self.lock();
        if let State::Pending(before) = &mut *state {
            let before = before.replace(waker);
            drop(state);
            drop(before); // after releasing the lock, because dropping a waker may run any code
            return Poll::Pending;
        }
        match std::mem::replace(&mut *state, State::Taken) {
            State::Done(value) => Poll::Ready(value),
            _ => Poll::Ready(Err(Error::InvalidState("the future was polled after it had completed".into()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use super::*;

    #[derive(Default)]
    struct Task(AtomicUsize);

    impl Wake for Task {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn poll<T>(slot: &Slot<T>, task: &Arc<Task>) -> Poll<Result<T>> {
        slot.poll(&TaskContext::from_waker(&Waker::from(task.clone())))
    }

    #[test]
    fn the_task_that_polled_last_is_woken_once() {
        let (slot, first, second) = (Slot::default(), Arc::new(Task::default()), Arc::new(Task::default()));
        assert!(poll(&slot, &first).is_pending());
        assert!(poll(&slot, &second).is_pending());
        slot.complete(Ok(Box::new(5)));
        assert_eq!((first.0.load(Ordering::SeqCst), second.0.load(Ordering::SeqCst)), (0, 1));
        assert_eq!(poll(&slot, &second), Poll::Ready(Ok(Box::new(5))));
        assert!(matches!(poll(&slot, &second), Poll::Ready(Err(Error::InvalidState(_)))));
        assert_eq!(Arc::strong_count(&first), 1);
    }

    #[test]
    fn an_abandoned_slot_wakes_no_task_and_drops_its_value() {
        let (slot, task, value) = (Slot::default(), Arc::new(Task::default()), Arc::new(()));
        assert!(poll(&slot, &task).is_pending());
        slot.abandon();
        assert_eq!(Arc::strong_count(&task), 1);
        slot.complete(Ok(value.clone()));
        drop(slot);
        assert_eq!((task.0.load(Ordering::SeqCst), Arc::strong_count(&value)), (0, 1));
    }

    #[test]
    fn a_slot_completes_in_another_thread() {
        let (slot, task) = (Arc::new(Slot::default()), Arc::new(Task::default()));
        let other = std::thread::spawn({
            let slot = slot.clone();
            move || slot.complete(Ok(vec![1, 2, 3]))
        });
        let value = loop {
            if let Poll::Ready(value) = poll(&slot, &task) {
                break value;
            }
            std::thread::yield_now();
        };
        other.join().unwrap();
        assert_eq!(value, Ok(vec![1, 2, 3]));
    }

    /// A task that uses its slot when it is dropped.
    struct Reentrant(Arc<Slot<u32>>);

    impl Wake for Reentrant {
        fn wake(self: Arc<Self>) {}
    }

    impl Drop for Reentrant {
        fn drop(&mut self) {
            self.0.abandon();
        }
    }

    #[test]
    fn a_task_may_use_its_slot_when_another_task_replaces_it() {
        let slot = Arc::new(Slot::default());
        let waker = Waker::from(Arc::new(Reentrant(slot.clone())));
        assert!(slot.poll(&TaskContext::from_waker(&waker)).is_pending());
        drop(waker);
        assert!(poll(&slot, &Arc::new(Task::default())).is_pending());
    }
}
