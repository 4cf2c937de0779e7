use std::path::Path;

use webnn_sys as sys;
use webnn_sys::Handle;

use crate::error::quoted;
use crate::files::path_text;
use crate::raw::{sizes, text};
use crate::{Array, CallOptions, Context, DataType, Element, Error, LoadOptions, Result, SaveOptions, ffi, spans};

/// Options of a session.
///
/// ```
/// let options = webnn::SessionOptions::default().graphs(8).seed(1);
/// assert_eq!(options.seed, Some(1));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct SessionOptions<'a> {
    /// How the model is loaded. Its dimensions may fix open dimensions; each run's inputs determine the others.
    pub load: LoadOptions<'a>,
    /// Maximum number of cached graphs. Each is compiled for one set of input sizes.
    pub graphs: usize,
    /// The seed of operators that generate random numbers. Without it, each session has a different seed.
    pub seed: Option<u64>,
}

impl Default for SessionOptions<'_> {
    fn default() -> Self {
        let defaults = sys::WebnnSessionOptions::default();
        SessionOptions { load: LoadOptions::default(), graphs: defaults.graphs, seed: None }
    }
}

impl<'a> SessionOptions<'a> {
    /// Sets how the model is loaded.
    #[must_use]
    pub fn load(mut self, load: LoadOptions<'a>) -> Self {
        self.load = load;
        self
    }

    /// Sets the maximum number of cached graphs.
    #[must_use]
    pub fn graphs(mut self, graphs: usize) -> Self {
        self.graphs = graphs;
        self
    }

    /// Sets the seed of operators that generate random numbers.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Passes the C API's form of these options to `call`.
    pub(crate) fn with_raw<R>(&self, call: impl FnOnce(&sys::WebnnSessionOptions) -> R) -> R {
        self.load.with_raw(|load| {
            call(&sys::WebnnSessionOptions {
                load,
                graphs: self.graphs,
                hasSeed: u32::from(self.seed.is_some()),
                seed: self.seed.unwrap_or(0),
                ..Default::default()
            })
        })
    }
}

/// A model that is loaded once and runs on inputs of any sizes. It also runs ONNX models that a single graph cannot represent.
/// Clones are handles of the same session.
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let builder = GraphBuilder::new(&Context::new()?)?;
/// let x = builder.open_input("x", DataType::Float32, &["n".into()])?;
/// let session = builder.build_session(&[("y", builder.neg(x)?)], SessionOptions::default())?;
/// assert_eq!(session.inputs()?[0].0, "x");
/// for n in [1, 3] {
///     let results = session.run(&[("x", Array::new(&[n], &vec![2f32; n as usize]))])?;
///     assert_eq!(results.find("y")?.to_vec::<f32>()?, vec![-2.; n as usize]);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Session(Handle<sys::WebnnSessionImpl>);

/// The declaration of an input or output: its name, its data type if the model declares one, and its shape if the model declares
/// one. The size of an open dimension is 0.
type Declaration = (String, Option<DataType>, Option<Vec<u32>>);

impl Session {
    pub(crate) fn made(create: impl FnOnce(&mut sys::WebnnSession) -> Result<()>) -> Result<Session> {
        ffi::made(create).map(Session)
    }

    fn declaration(&self, index: usize, output: bool) -> Result<Declaration> {
        let mut port = sys::WebnnNamedDescriptor::default();
        let function = if output { sys::webnnSessionGetOutput } else { sys::webnnSessionGetInput };
        ffi::call3(function, &self.0, index, &mut port)?;
        let shape = port.descriptor.shape;
        let shape = (shape.count != sys::WEBNN_ABSENT).then(|| ffi::list(shape.items, shape.count));
        Ok((ffi::text(port.name), DataType::of(port.descriptor.dataType), shape))
    }

    /// Returns the inputs of the model: name, data type and shape, if the model declares them. The size of an open dimension is 0.
    pub fn inputs(&self) -> Result<Vec<Declaration>> {
        (0..ffi::get(sys::webnnSessionGetInputCount, &self.0)).map(|index| self.declaration(index, false)).collect()
    }

    /// Returns the outputs of the model, like [`Session::inputs`].
    pub fn outputs(&self) -> Result<Vec<Declaration>> {
        (0..ffi::get(sys::webnnSessionGetOutputCount, &self.0)).map(|index| self.declaration(index, true)).collect()
    }

    /// Runs the model on the calling thread. `inputs` has an array for each input that an output depends on.
    pub fn run(&self, inputs: &[(&str, Array<'_>)]) -> Result<Results> {
        self.run_with(inputs, CallOptions::default())
    }

    /// Works like [`Session::run`], with a cancellation, a timeout or a progress function.
    pub fn run_with(&self, inputs: &[(&str, Array<'_>)], options: CallOptions<'_>) -> Result<Results> {
        let _span = spans::run(inputs.len());
        let array = |(name, array): &(&str, Array<'_>)| sys::WebnnNamedArray {
            nextInChain: std::ptr::null_mut(),
            name: text(name),
            descriptor: sys::WebnnOperandDescriptor {
                nextInChain: std::ptr::null_mut(),
                dataType: array.elements.data_type().raw(),
                shape: sizes(Some(array.shape)),
            },
            bytes: array.elements.raw(),
        };
        let inputs: Vec<_> = inputs.iter().map(array).collect();
        let options = options.raw();
        ffi::made(|results| ffi::call5(sys::webnnSessionRun, &self.0, inputs.len(), &inputs[..], &options, results)).map(Results)
    }

    /// Writes the graph like [`Graph::save`](crate::Graph::save). Open dimensions keep their names. Fails with
    /// [`Error::NotSupported`](crate::Error::NotSupported) if ONNX or Core ML cannot compute the sizes. Fails with
    /// [`Error::Type`](crate::Error::Type) for a loaded ONNX model with open dimensions.
    pub fn save(&self, path: impl AsRef<Path>, options: SaveOptions) -> Result<()> {
        ffi::call3(sys::webnnSessionSave, &self.0, path_text(path.as_ref())?, &options.raw())
    }
}

impl Context {
    /// Opens a model of any format that [`Context::load`] reads.
    pub fn load_session(&self, path: impl AsRef<Path>, options: SessionOptions<'_>) -> Result<Session> {
        let path = path_text(path.as_ref())?;
        options.with_raw(|options| {
            Session::made(|session| ffi::call4(sys::webnnContextLoadSession, self.handle(), path, options, session))
        })
    }

    /// Opens a model from the content of its file. The session may keep `content` instead of copying it.
    ///
    /// ```
    /// use webnn::*;
    /// # fn main() -> Result<()> {
    /// let text = "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = neg(x); } outputs { y; } }";
    /// let session = Context::new()?.load_session_bytes(text, SessionOptions::default())?;
    /// assert_eq!(session.outputs()?[0].0, "y");
    /// # Ok(())
    /// # }
    /// ```
    pub fn load_session_bytes(
        &self,
        content: impl AsRef<[u8]> + Send + Sync + 'static,
        options: SessionOptions<'_>,
    ) -> Result<Session> {
        options.with_raw(|options| {
            ffi::with_external(content, |content| {
                Session::made(|session| ffi::call4(sys::webnnContextLoadSessionBytes, self.handle(), content, options, session))
            })
        })
    }
}

/// The outputs of one run of a session, see [`Session::run`].
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let text = "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = neg(x); } outputs { y; } }";
/// let session = Context::new()?.load_session_bytes(text, SessionOptions::default())?;
/// let results: Results = session.run(&[("x", Array::new(&[2], &[1f32, 2.]))])?;
/// assert_eq!(results.len(), 1);
/// assert_eq!(results.find("y")?.to_vec::<f32>()?, [-1., -2.]);
/// assert!(matches!(results.find("z"), Err(Error::NotFound(_))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Results(Handle<sys::WebnnResultsImpl>);

/// An output of a run.
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let text = "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = neg(x); } outputs { y; } }";
/// let session = Context::new()?.load_session_bytes(text, SessionOptions::default())?;
/// let results = session.run(&[("x", Array::new(&[2], &[1f32, 2.]))])?;
/// let output: Output = results.get(0)?;
/// assert_eq!((output.name.as_str(), output.data_type), ("y", DataType::Float32));
/// assert_eq!(output.to_vec::<f32>()?, [-1., -2.]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Output<'r> {
    /// The name of the output.
    pub name: String,
    /// The data type of the elements.
    pub data_type: DataType,
    /// The size of each dimension.
    pub shape: Vec<u32>,
    /// The elements: packed, little-endian.
    pub bytes: &'r [u8],
}

impl<'r> Output<'r> {
    /// Returns the elements without copying them. Fails with [`Error::Type`] if they have another data type.
    pub fn elements<T: Element>(&self) -> Result<&'r [T]> {
        if T::DATA_TYPE != self.data_type {
            let (own, other) = (self.data_type.name(), T::DATA_TYPE.name());
            return Err(Error::Type(format!("the data type of output {} is {own}, not {other}.", quoted(&self.name))));
        }
        ffi::elements(self.bytes)
            .ok_or_else(|| Error::Unknown(format!("the elements of output {} are not aligned.", quoted(&self.name))))
    }

    /// Copies the elements.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.elements().map(<[T]>::to_vec)
    }
}

impl Results {
    /// Returns the number of outputs.
    #[allow(clippy::len_without_is_empty)] // no model is without outputs
    pub fn len(&self) -> usize {
        ffi::get(sys::webnnResultsGetCount, &self.0)
    }

    /// Returns an output by its index in the model's order.
    pub fn get(&self, index: usize) -> Result<Output<'_>> {
        let mut output = sys::WebnnNamedArray::default();
        ffi::call3(sys::webnnResultsGet, &self.0, index, &mut output)?;
        self.output(&output)
    }

    /// Returns the output `name`. Fails with [`Error::NotFound`] if there is none.
    pub fn find(&self, name: &str) -> Result<Output<'_>> {
        let mut output = sys::WebnnNamedArray::default();
        ffi::call3(sys::webnnResultsFind, &self.0, name, &mut output)?;
        self.output(&output)
    }

    fn output(&self, output: &sys::WebnnNamedArray) -> Result<Output<'_>> {
        let shape = output.descriptor.shape;
        Ok(Output {
            name: ffi::text(output.name),
            data_type: DataType::of(output.descriptor.dataType)
                .ok_or_else(|| Error::Unknown("the output has a data type that this version does not know".into()))?,
            shape: ffi::list(shape.items, shape.count),
            bytes: ffi::lent(&self.0, output.bytes.data.cast(), output.bytes.size),
        })
    }
}
