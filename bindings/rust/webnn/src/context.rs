use std::future::Future;
use std::pin::Pin;
use std::ptr::without_provenance_mut;
use std::sync::{Arc, OnceLock};
use std::task::{Context as TaskContext, Poll};

use webnn_sys as sys;
use webnn_sys::Handle;

use crate::future::{LostFuture, ReadFuture};
use crate::raw::{text, with_list};
use crate::report::{ErrorFunction, ErrorReport};
use crate::slot::Slot;
use crate::{AnyTensor, CallOptions, DataType, Element, Error, Graph, InputOperandLayout, Result, Tensor, WorkLimits, ffi, spans};

/// Whether a context prefers speed or low power consumption. <https://www.w3.org/TR/webnn/#enumdef-mlpowerpreference>
///
/// ```
/// let options = webnn::ContextOptions::default().power_preference(webnn::PowerPreference::LowPower);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PowerPreference {
    /// The backend decides.
    #[default]
    Default,
    /// Prefers speed over power consumption.
    HighPerformance,
    /// Prefers low power consumption over speed.
    LowPower,
}

/// Where the work of a context runs.
///
/// ```
/// # fn main() -> webnn::Result<()> {
/// use webnn::{Context, ContextOptions, Execution};
/// let context = Context::with(ContextOptions::default().execution(Execution::CallerThread))?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Execution {
    /// On a thread of the context. Asynchronous calls return without waiting for earlier work.
    #[default]
    Worker,
    /// On the calling thread, before the call returns.
    CallerThread,
    /// In a separate process; if the process crashes, only the context is lost.
    Service,
}

/// Options of a context: the device, the backend, and where work runs.
///
/// ```
/// # fn main() -> webnn::Result<()> {
/// use webnn::{Context, ContextOptions};
/// let context = Context::with(ContextOptions::default().backend("reference"))?;
/// assert_eq!(context.backend(), "reference");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct ContextOptions<'a> {
    /// Whether backends should prefer speed or a low power consumption.
    pub power_preference: PowerPreference,
    /// Prefer a GPU or an NPU, if there is one. Default: true.
    pub accelerated: bool,
    /// "cpu", "reference", "onnxruntime", "openvino", "webgpu" or "coreml", without fallback. Empty: the best available backend.
    pub backend: &'a str,
    /// Where work runs.
    pub execution: Execution,
    /// Threads per graph, at most 1024. 0: the backend decides.
    pub threads: u32,
    /// Settings of the backend: names and values.
    pub backend_options: &'a [(&'a str, &'a str)],
    /// Limits of memory, work and time. The limit of memory applies to the whole context, the others to each load, build or run.
    pub limits: WorkLimits,
    /// The process in which graphs run: "private" (a process for this context) or "unix:PATH" (a running service). Empty: depends
    /// on `execution` and the environment variable `WEBNN_SERVICE`.
    pub service: &'a str,
    /// The token of the service: 32 hexadecimal digits. Empty: the environment variable `WEBNN_SERVICE_TOKEN`, or no token.
    pub service_token: &'a str,
    on_error: Option<ErrorFunction>,
}

impl Default for ContextOptions<'_> {
    fn default() -> Self {
        ContextOptions {
            power_preference: PowerPreference::Default,
            accelerated: true,
            backend: "",
            execution: Execution::Worker,
            threads: 0,
            backend_options: &[],
            limits: WorkLimits::default(),
            service: "",
            service_token: "",
            on_error: None,
        }
    }
}

macro_rules! setters {
    ($($(#[$comment:meta])* $field:ident: $type:ty;)*) => {$(
        $(#[$comment])*
        #[must_use]
        pub fn $field(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    )*};
}

impl<'a> ContextOptions<'a> {
    setters! {
        /// Sets whether backends should prefer speed or a low power consumption.
        power_preference: PowerPreference;
        /// Sets whether a GPU or an NPU is preferred.
        accelerated: bool;
        /// Sets the backend by name, such as "cpu". Empty: the best available backend.
        backend: &'a str;
        /// Sets where work is executed: on a thread of the context, on the calling thread, or in a separate process.
        execution: Execution;
        /// Sets the number of threads per graph, at most 1024. 0: the backend decides.
        threads: u32;
        /// Sets names and values of the backend's settings.
        backend_options: &'a [(&'a str, &'a str)];
        /// Sets the limits of memory, work and time.
        limits: WorkLimits;
        /// Sets the process in which graphs run: "private" (a process for this context) or "unix:PATH" (a running service).
        service: &'a str;
        /// Sets the token that identifies the client to the service: 32 hexadecimal digits.
        service_token: &'a str;
    }

    /// Sets a function that is called for each dispatch or write that fails after it was queued.
    #[must_use]
    pub fn on_error(mut self, function: impl Fn(Error) + Send + Sync + 'static) -> Self {
        self.on_error = Some(Arc::new(function));
        self
    }

    /// Passes the C API's form of these options to `call`.
    fn with_raw<R>(&self, report: Option<&ErrorReport>, call: impl FnOnce(&sys::WebnnContextOptions) -> R) -> R {
        let limits = self.limits.raw();
        let settings: Vec<_> = self
            .backend_options
            .iter()
            .map(|(name, value)| sys::WebnnBackendOption { name: text(name), value: text(value), ..Default::default() })
            .collect();
        let mut options = sys::WebnnContextOptions {
            powerPreference: sys::WebnnPowerPreference(self.power_preference as u32 + 1),
            accelerated: u32::from(self.accelerated),
            backend: text(self.backend),
            execution: sys::WebnnExecution(self.execution as u32 + 1),
            threads: self.threads,
            backendOptionCount: settings.len(),
            backendOptions: settings.as_ptr(),
            limits: &limits,
            service: text(self.service),
            serviceToken: text(self.service_token),
            ..Default::default()
        };
        if let Some(report) = report {
            options.uncapturedErrorCallbackInfo.callback = Some(ffi::uncaptured);
            options.uncapturedErrorCallbackInfo.userdata1 = without_provenance_mut(report.number());
        }
        call(&options)
    }
}

/// The data types and ranks that an operand may have.
///
/// ```
/// # fn main() -> webnn::Result<()> {
/// use webnn::{Context, DataType};
/// let limits = Context::new()?.operand_limits("conv2d", "filter")?;
/// assert_eq!((limits.min_rank, limits.max_rank), (4, 4));
/// assert!(limits.data_types.contains(&DataType::Float32));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct TensorLimits {
    /// The allowed data types.
    pub data_types: Vec<DataType>,
    /// The smallest rank.
    pub min_rank: u32,
    /// The largest rank.
    pub max_rank: u32,
}

impl TensorLimits {
    fn of(raw: &sys::WebnnTensorLimits) -> TensorLimits {
        let allowed = |value: &&DataType| raw.dataTypes >> (**value as u32) & 1 == 1;
        TensorLimits {
            data_types: DataType::ALL.iter().filter(allowed).copied().collect(),
            min_rank: raw.minRank,
            max_rank: raw.maxRank,
        }
    }
}

/// The limits of a context. <https://www.w3.org/TR/webnn/#api-mlcontext-opsupportlimits-dictionary>
///
/// ```
/// # fn main() -> webnn::Result<()> {
/// assert_eq!(webnn::Context::new()?.limits()?.input.max_rank, 8);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct Limits {
    /// The layout of images that needs no conversion.
    pub preferred_input_layout: InputOperandLayout,
    /// The largest size of a tensor in bytes.
    pub max_tensor_byte_length: u64,
    /// The data types and ranks that graph inputs may have.
    pub input: TensorLimits,
    /// The data types and ranks that constants may have.
    pub constant: TensorLimits,
    /// The data types and ranks that graph outputs may have.
    pub output: TensorLimits,
}

/// A backend on which graphs run, and the tensors in its memory. Clones are handles of the same context.
///
/// Queued work runs in order. Dropping the last handle of a context waits for this work.
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let context = Context::new()?;
/// let builder = GraphBuilder::new(&context)?;
/// let x = builder.input("x", DataType::Float32, &[3])?;
/// let graph = builder.build(&[("y", builder.relu(x)?)])?;
/// let x = context.create_tensor_with(&[3], &[-1f32, 0., 2.])?;
/// let y = context.create_tensor::<f32>(&[3])?;
/// context.dispatch(&graph, &[("x", &x)], &[("y", &y)])?;
/// assert_eq!(context.read(&y)?, [0., 0., 2.]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Context {
    handle: Handle<sys::WebnnContextImpl>,
    _report: Option<Arc<ErrorReport>>,
}

/// Creates a context, see [`Context::create_async`].
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
/// let future: ContextFuture = Context::create_async(ContextOptions::default().backend("cpu"))?;
/// assert_eq!(block_on(future)?.backend(), "cpu");
/// # Ok(())
/// # }
/// ```
#[must_use = "futures do nothing unless polled or awaited"]
pub struct ContextFuture {
    slot: Arc<Slot<Handle<sys::WebnnContextImpl>>>,
    report: Option<Arc<ErrorReport>>,
}

impl Future for ContextFuture {
    type Output = Result<Context>;
    fn poll(mut self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        this.slot.poll(task).map_ok(|handle| Context::of(handle, this.report.take()))
    }
}

/// Returns the instance that all contexts share. Its thread completes the futures and calls the functions for errors.
fn instance() -> Result<&'static Handle<sys::WebnnInstanceImpl>> {
    static INSTANCE: OnceLock<Handle<sys::WebnnInstanceImpl>> = OnceLock::new();
    if let Some(instance) = INSTANCE.get() {
        return Ok(instance);
    }
    let made = ffi::made(|instance| ffi::call2(sys::webnnCreateInstance, &sys::WebnnInstanceDescriptor::default(), instance))?;
    Ok(INSTANCE.get_or_init(|| made))
}

impl Context {
    /// Creates a context with the default options.
    pub fn new() -> Result<Context> {
        Context::with(ContextOptions::default())
    }

    /// Creates a context. Fails with [`Error::NotSupported`], which names the missing option or device, if the options cannot be
    /// met.
    pub fn with(options: ContextOptions<'_>) -> Result<Context> {
        let report = options.on_error.as_ref().map(|function| Arc::new(ErrorReport::new(function)));
        let instance = instance()?;
        let handle = options.with_raw(report.as_deref(), |raw| {
            ffi::made(|context| ffi::call3(sys::webnnInstanceCreateContextSync, instance, raw, context))
        })?;
        Ok(Context::of(handle, report))
    }

    /// Creates a context without waiting.
    pub fn create_async(options: ContextOptions<'_>) -> Result<ContextFuture> {
        let report = options.on_error.as_ref().map(|function| Arc::new(ErrorReport::new(function)));
        let instance = instance()?;
        let slot = options.with_raw(report.as_deref(), |raw| ffi::create_context(instance, raw));
        Ok(ContextFuture { slot, report })
    }

    fn of(handle: Handle<sys::WebnnContextImpl>, report: Option<Arc<ErrorReport>>) -> Context {
        Context { handle, _report: report }
    }

    #[inline]
    pub(crate) fn handle(&self) -> &Handle<sys::WebnnContextImpl> {
        &self.handle
    }

    /// Returns the name of the backend: "cpu", "reference", ...
    pub fn backend(&self) -> String {
        ffi::text(ffi::get(sys::webnnContextGetBackend, &self.handle))
    }

    /// Returns whether graphs run on a GPU or an NPU.
    pub fn is_accelerated(&self) -> bool {
        ffi::get(sys::webnnContextIsAccelerated, &self.handle) != 0
    }

    /// Returns where graphs run: "private" or "unix:PATH", or empty for this process.
    pub fn service(&self) -> String {
        ffi::text(ffi::get(sys::webnnContextGetService, &self.handle))
    }

    /// Returns the number of bytes that are currently charged to [`WorkLimits::max_memory`].
    pub fn memory_in_use(&self) -> u64 {
        ffi::get(sys::webnnContextGetMemoryInUse, &self.handle)
    }

    /// Loses the context: destroys its graphs and tensors, and fails pending reads.
    pub fn destroy(&self) {
        ffi::get(sys::webnnContextDestroy, &self.handle);
    }

    /// Returns whether the context is lost: destroyed, or ended with its service or device.
    pub fn is_lost(&self) -> bool {
        ffi::get(sys::webnnContextIsLost, &self.handle) != 0
    }

    /// Waits for the loss of the context, or for its last handle to be dropped.
    pub fn lost(&self) -> LostFuture {
        LostFuture(ffi::lost(&self.handle))
    }

    /// Returns the limits of inputs, constants and outputs.
    pub fn limits(&self) -> Result<Limits> {
        let mut limits = sys::WebnnLimits::default();
        ffi::call2(sys::webnnContextGetLimits, &self.handle, &mut limits)?;
        Ok(Limits {
            preferred_input_layout: if limits.preferredInputLayout == sys::WebnnInputOperandLayout::Nhwc {
                InputOperandLayout::Nhwc
            } else {
                InputOperandLayout::Nchw
            },
            max_tensor_byte_length: limits.maxTensorByteLength,
            input: TensorLimits::of(&limits.input),
            constant: TensorLimits::of(&limits.constant),
            output: TensorLimits::of(&limits.output),
        })
    }

    /// Returns the limits of an operand or output of an operation. Both names are spelled as in the specification.
    pub fn operand_limits(&self, operation: &str, operand: &str) -> Result<TensorLimits> {
        let mut limits = sys::WebnnTensorLimits::default();
        ffi::call4(sys::webnnContextGetOperandLimits, &self.handle, operation, operand, &mut limits)?;
        Ok(TensorLimits::of(&limits))
    }

    /// Creates a readable and writable tensor of zeros.
    pub fn create_tensor<T: Element>(&self, shape: &[u32]) -> Result<Tensor<T>> {
        AnyTensor::create(self, T::DATA_TYPE, shape, true, true).and_then(AnyTensor::typed)
    }

    /// Creates a readable and writable tensor, and queues a write of `data`.
    pub fn create_tensor_with<T: Element>(&self, shape: &[u32], data: &[T]) -> Result<Tensor<T>> {
        let tensor = self.create_tensor(shape)?;
        self.write(&tensor, data)?;
        Ok(tensor)
    }

    /// Creates a tensor of zeros whose type is known at run time only.
    pub fn create_any_tensor(&self, data_type: DataType, shape: &[u32], readable: bool, writable: bool) -> Result<AnyTensor> {
        AnyTensor::create(self, data_type, shape, readable, writable)
    }

    /// Creates a tensor with a copy of `data`, for
    /// [`GraphBuilder::constant_tensor`](crate::GraphBuilder::constant_tensor). It is neither readable nor writable.
    pub fn create_constant_tensor<T: Element>(&self, shape: &[u32], data: &[T]) -> Result<Tensor<T>> {
        AnyTensor::create_constant(self, T::DATA_TYPE, shape, ffi::bytes(data)).and_then(AnyTensor::typed)
    }

    /// Queues a write. `data` may be reused when the function returns.
    pub fn write<T: Element>(&self, tensor: &Tensor<T>, data: &[T]) -> Result<()> {
        self.write_bytes(tensor, ffi::bytes(data))
    }

    /// Queues a write of packed little-endian elements.
    pub fn write_bytes(&self, tensor: &AnyTensor, bytes: &[u8]) -> Result<()> {
        let bytes = sys::WebnnConstBytes { data: bytes.as_ptr().cast(), size: bytes.len() };
        ffi::call3(sys::webnnContextWriteTensor, &self.handle, tensor.handle(), bytes)
    }

    /// Reads a tensor after all work that was queued earlier. If the dispatch that should have written the tensor failed, the read
    /// fails with its error.
    pub fn read<T: Element>(&self, tensor: &Tensor<T>) -> Result<Vec<T>> {
        ffi::filled(tensor.len(), |bytes| ffi::call3(sys::webnnContextReadTensorSync, &self.handle, tensor.handle(), bytes))
    }

    /// Reads a tensor into `data`, whose length must be the tensor's.
    pub fn read_into<T: Element>(&self, tensor: &Tensor<T>, data: &mut [T]) -> Result<()> {
        self.read_bytes_into(tensor, ffi::bytes_mut(data))
    }

    /// Reads packed little-endian elements into `bytes`.
    pub fn read_bytes_into(&self, tensor: &AnyTensor, bytes: &mut [u8]) -> Result<()> {
        let bytes = sys::WebnnBytes { data: bytes.as_mut_ptr().cast(), size: bytes.len() };
        ffi::call3(sys::webnnContextReadTensorSync, &self.handle, tensor.handle(), bytes)
    }

    /// Reads a tensor without blocking. The read is queued at once, before the future is polled.
    pub fn read_async<T: Element>(&self, tensor: &Tensor<T>) -> ReadFuture<T> {
        ReadFuture(ffi::read(&self.handle, tensor.handle(), tensor.len()))
    }

    /// Queues a run and returns without waiting for it. `inputs` and `outputs` bind every input and output by name to a tensor with
    /// the same descriptor. A failure of the run is reported to readers of the outputs and to the function of
    /// [`ContextOptions::on_error`].
    pub fn dispatch(&self, graph: &Graph, inputs: &[(&str, &AnyTensor)], outputs: &[(&str, &AnyTensor)]) -> Result<()> {
        self.queue(graph, inputs, outputs, None)
    }

    /// Works like [`Context::dispatch`], with a cancellation or a timeout.
    pub fn dispatch_with(
        &self,
        graph: &Graph,
        inputs: &[(&str, &AnyTensor)],
        outputs: &[(&str, &AnyTensor)],
        options: CallOptions<'_>,
    ) -> Result<()> {
        self.queue(graph, inputs, outputs, Some(&options.raw()))
    }

    fn queue(
        &self,
        graph: &Graph,
        inputs: &[(&str, &AnyTensor)],
        outputs: &[(&str, &AnyTensor)],
        options: Option<&sys::WebnnCallOptions>,
    ) -> Result<()> {
        let _span = spans::dispatch(inputs.len(), outputs.len());
        with_list(inputs.iter().map(binding), |inputs| {
            with_list(outputs.iter().map(binding), |outputs| {
                let function = sys::webnnContextDispatchWithOptions;
                ffi::call7(function, &self.handle, graph.handle(), inputs.len(), inputs, outputs.len(), outputs, options)
            })
        })
    }
}

fn binding((name, tensor): &(&str, &AnyTensor)) -> sys::WebnnNamedTensor {
    sys::WebnnNamedTensor { nextInChain: std::ptr::null_mut(), name: text(name), tensor: tensor.handle().pointer() }
}
