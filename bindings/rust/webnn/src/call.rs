use std::time::Duration;

use webnn_sys as sys;
use webnn_sys::Handle;

use crate::Result;
use crate::ffi;

/// A function that receives the phase of a call ("load", "optimize" or "prepare"), the number of finished items of the phase, and
/// the total number of its items. It runs on the calling thread, and must not use this crate. Its panics are caught.
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let builder = GraphBuilder::new(&Context::new()?)?;
/// let y = builder.neg(builder.input("x", DataType::Float32, &[2])?)?;
/// let report = |phase: &str, done: u64, total: u64| println!("{phase}: {done} of {total}");
/// builder.build_with(&[("y", y)], CallOptions::default().progress(&report))?;
/// # Ok(())
/// # }
/// ```
pub type ProgressFunction<'a> = &'a (dyn Fn(&str, u64, u64) + Sync);

/// Stops calls early: all current and later calls that received it fail with [`Error::Abort`](crate::Error::Abort).
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let cancellation = Cancellation::new()?;
/// let builder = GraphBuilder::new(&Context::new()?)?;
/// let y = builder.relu(builder.input("x", DataType::Float32, &[2])?)?;
/// cancellation.request();
/// assert!(cancellation.is_requested());
/// let options = CallOptions::default().cancellation(&cancellation);
/// assert!(matches!(builder.build_with(&[("y", y)], options), Err(Error::Abort(_))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Cancellation(pub(crate) Handle<sys::WebnnCancellationImpl>);

impl Cancellation {
    /// Creates a cancellation that is not requested.
    pub fn new() -> Result<Cancellation> {
        ffi::made(|cancellation| ffi::call1(sys::webnnCreateCancellation, cancellation)).map(Cancellation)
    }

    /// Stops the calls that received this cancellation. May be called on any thread at any time.
    pub fn request(&self) {
        ffi::get(sys::webnnCancellationRequest, &self.0);
    }

    /// Returns whether [`Cancellation::request`] was called.
    pub fn is_requested(&self) -> bool {
        ffi::get(sys::webnnCancellationIsRequested, &self.0) != 0
    }
}

/// Cancellation, timeout and progress of one call.
///
/// ```
/// use std::time::Duration;
/// let options = webnn::CallOptions::default().timeout(Duration::from_secs(5));
/// assert_eq!(options.timeout, Some(Duration::from_secs(5)));
/// ```
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct CallOptions<'a> {
    /// An object that can stop the call.
    pub cancellation: Option<&'a Cancellation>,
    /// The maximum time from the call on, including time in the queue.
    pub timeout: Option<Duration>,
    /// A function that [`GraphBuilder::build_with`](crate::GraphBuilder::build_with) and
    /// [`Session::run_with`](crate::Session::run_with) call with their progress.
    pub progress: Option<ProgressFunction<'a>>,
}

impl<'a> CallOptions<'a> {
    /// Sets the object that can stop the call.
    #[must_use]
    pub fn cancellation(mut self, cancellation: &'a Cancellation) -> Self {
        self.cancellation = Some(cancellation);
        self
    }

    /// Sets the maximum time from the call on, including time in the queue.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets the function that [`GraphBuilder::build_with`](crate::GraphBuilder::build_with) and
    /// [`Session::run_with`](crate::Session::run_with) call with their progress.
    #[must_use]
    pub fn progress(mut self, progress: ProgressFunction<'a>) -> Self {
        self.progress = Some(progress);
        self
    }

    pub(crate) fn raw(&self) -> sys::WebnnCallOptions {
        let (on_progress, progress_userdata) = raw_progress(&self.progress);
        sys::WebnnCallOptions {
            cancellation: raw_cancellation(self.cancellation),
            timeoutNanoseconds: self.timeout.map_or(u64::MAX, nanoseconds),
            onProgress: on_progress,
            progressUserdata: progress_userdata,
            ..Default::default()
        }
    }
}

pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

pub(crate) fn raw_cancellation(cancellation: Option<&Cancellation>) -> sys::WebnnCancellation {
    cancellation.map_or(std::ptr::null_mut(), |cancellation| cancellation.0.pointer())
}

/// Returns a callback and its userdata, which points to the reference in `progress`.
pub(crate) fn raw_progress(progress: &Option<ProgressFunction<'_>>) -> (sys::WebnnProgressCallback, *mut std::ffi::c_void) {
    match progress {
        Some(function) => (Some(ffi::progress), std::ptr::from_ref(function).cast_mut().cast()),
        None => (None, std::ptr::null_mut()),
    }
}

/// Limits of a context or a load. Exceeding the limit of memory, operations or elements fails with
/// [`Error::Operation`](crate::Error::Operation); exceeding the time with [`Error::Timeout`](crate::Error::Timeout).
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let limits = WorkLimits { max_operations: 1, ..Default::default() };
/// let context = Context::with(ContextOptions::default().limits(limits))?;
/// let builder = GraphBuilder::new(&context)?;
/// let x = builder.input("x", DataType::Float32, &[2])?;
/// let result = builder.relu(x).and_then(|y| builder.tanh(y)).and_then(|y| builder.build(&[("y", y)]));
/// assert!(matches!(result, Err(Error::Operation(_))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkLimits {
    /// The maximum number of bytes that the context or the load holds at a time.
    pub max_memory: u64,
    /// The maximum number of operations of a graph.
    pub max_operations: u64,
    /// The maximum total number of elements in a graph's operands.
    pub max_elements: u64,
    /// The maximum number of elementary steps of constant folding in a load or build. Operations beyond it are not folded, but run
    /// with the graph.
    pub max_compile_work: u64,
    /// The maximum time of a load, build or run.
    pub max_time: Option<Duration>,
}

impl Default for WorkLimits {
    fn default() -> Self {
        let limits = sys::WebnnWorkLimits::default();
        WorkLimits {
            max_memory: limits.maxMemory,
            max_operations: limits.maxOperations,
            max_elements: limits.maxElements,
            max_compile_work: limits.maxCompileWork,
            max_time: None,
        }
    }
}

impl WorkLimits {
    pub(crate) fn raw(&self) -> sys::WebnnWorkLimits {
        sys::WebnnWorkLimits {
            maxMemory: self.max_memory,
            maxOperations: self.max_operations,
            maxElements: self.max_elements,
            maxCompileWork: self.max_compile_work,
            maxTimeNanoseconds: self.max_time.map_or(u64::MAX, nanoseconds),
            ..Default::default()
        }
    }
}
