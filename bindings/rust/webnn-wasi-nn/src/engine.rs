use std::path::Path;

use wasmtime_wasi_nn::backend::{BackendError, BackendGraph};
use wasmtime_wasi_nn::wit::{ExecutionTarget, GraphEncoding};
use wasmtime_wasi_nn::{Backend, Graph};
use webnn::{Context, ContextOptions, LoadOptions, Session, SessionOptions};

use crate::WebnnBackend;
use crate::errors::failed;
use crate::execution::Model;

/// The contexts on which the models of guests run, one for each execution target. Clones share the contexts.
///
/// ```
/// use webnn_wasi_nn::{Engine, Models};
/// use wasmtime_wasi_nn::{Registry, witx::WasiNnCtx};
///
/// # fn main() -> webnn::Result<()> {
/// let engine = Engine::new()?;
/// let state = WasiNnCtx::new(engine.backends(), Registry::from(Models::new()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Engine {
    cpu: Context,
    gpu: Option<Context>,
    tpu: Option<Context>,
}

impl Engine {
    /// Creates an engine for the target `cpu` that runs models on the CPU with the default limits.
    pub fn new() -> webnn::Result<Engine> {
        Ok(Engine::with(Context::with(ContextOptions::default().backend("cpu"))?))
    }

    /// Creates an engine whose target `cpu` is `context`. The limit of memory of this context applies to all guests together, its
    /// limit of time to each load and run.
    ///
    /// ```
    /// use std::time::Duration;
    /// use webnn::{Context, ContextOptions, WorkLimits};
    ///
    /// # fn main() -> webnn::Result<()> {
    /// let limits = WorkLimits { max_memory: 1 << 30, max_time: Some(Duration::from_secs(10)), ..WorkLimits::default() };
    /// let options = ContextOptions::default().backend("cpu").threads(1).limits(limits);
    /// let engine = webnn_wasi_nn::Engine::with(Context::with(options)?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn with(context: Context) -> Engine {
        Engine { cpu: context, gpu: None, tpu: None }
    }

    /// Sets the context of an execution target. Targets without a context are refused.
    ///
    /// ```
    /// use wasmtime_wasi_nn::wit::ExecutionTarget;
    /// use webnn::{Context, ContextOptions};
    ///
    /// # fn main() -> webnn::Result<()> {
    /// let mut engine = webnn_wasi_nn::Engine::new()?;
    /// if let Ok(gpu) = Context::with(ContextOptions::default().backend("webgpu")) {
    ///     engine = engine.target(ExecutionTarget::Gpu, gpu);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn target(mut self, target: ExecutionTarget, context: Context) -> Engine {
        match target {
            ExecutionTarget::Cpu => self.cpu = context,
            ExecutionTarget::Gpu => self.gpu = Some(context),
            ExecutionTarget::Tpu => self.tpu = Some(context),
        }
        self
    }

    /// Returns the backends for the encodings `onnx` and `autodetect`, which a `WasiNnCtx` takes.
    pub fn backends(&self) -> Vec<Backend> {
        let encodings = [GraphEncoding::Onnx, GraphEncoding::Autodetect];
        encodings.map(|encoding| WebnnBackend::new(self.clone(), encoding).into()).into()
    }

    /// Loads a model file of any format that `webnn` reads.
    pub fn load_file(&self, path: impl AsRef<Path>, target: ExecutionTarget) -> Result<Graph, BackendError> {
        let path = path.as_ref();
        let session = self.context(target)?.load_session(path, SessionOptions::default());
        graph_of(session.map_err(|error| failed(error, &format!("cannot load {}", path.display())))?)
    }

    /// Loads the content of a model file. Its weights must be inline: because the content may come from a guest, no other file is
    /// opened.
    pub fn load_bytes(&self, content: &[u8], target: ExecutionTarget) -> Result<Graph, BackendError> {
        let options = SessionOptions::default().load(LoadOptions::default().named_files_only(true));
        let session = self.context(target)?.load_session_bytes(content.to_vec(), options);
        graph_of(session.map_err(|error| failed(error, "cannot load the model"))?)
    }

    fn context(&self, target: ExecutionTarget) -> Result<&Context, BackendError> {
        let (name, context) = match target {
            ExecutionTarget::Cpu => ("cpu", Some(&self.cpu)),
            ExecutionTarget::Gpu => ("gpu", self.gpu.as_ref()),
            ExecutionTarget::Tpu => ("tpu", self.tpu.as_ref()),
        };
        let accepted = [Some("cpu"), self.gpu.as_ref().map(|_| "gpu"), self.tpu.as_ref().map(|_| "tpu")];
        let accepted: Vec<&str> = accepted.into_iter().flatten().collect();
        context.ok_or_else(|| {
            wasmtime::format_err!("this host has no context for the execution target {name}; accepted: {}.", accepted.join(", "))
                .into()
        })
    }
}

fn graph_of(session: Session) -> Result<Graph, BackendError> {
    let model = Model::new(session).map_err(|error| failed(error, "cannot read the model's inputs and outputs"))?;
    let graph: Box<dyn BackendGraph> = Box::new(model);
    Ok(graph.into())
}
