use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::Error;

pub(crate) type ErrorFunction = Arc<dyn Fn(Error) + Send + Sync>;

/// The number under which a context's error function is registered until the last handle of the context is dropped. Callbacks
/// hold this number instead of a pointer, because the library may call them later.
pub(crate) struct ErrorReport(usize);

fn error_functions() -> MutexGuard<'static, (usize, HashMap<usize, ErrorFunction>)> {
    static FUNCTIONS: OnceLock<Mutex<(usize, HashMap<usize, ErrorFunction>)>> = OnceLock::new();
    FUNCTIONS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

impl ErrorReport {
    pub(crate) fn number(&self) -> usize {
        self.0
    }

    pub(crate) fn new(function: &ErrorFunction) -> ErrorReport {
        let mut functions = error_functions();
        functions.0 += 1;
        let number = functions.0;
        functions.1.insert(number, function.clone());
        ErrorReport(number)
    }
}

impl Drop for ErrorReport {
    fn drop(&mut self) {
        let removed = error_functions().1.remove(&self.0);
        drop(removed); // after releasing the lock, because dropping the function may run any code
    }
}

/// Passes `error` to the error function with this number, if it still exists.
pub(crate) fn report(number: usize, error: Error) {
    let function = error_functions().1.get(&number).cloned();
    if let Some(function) = function {
        function(error);
    }
}
