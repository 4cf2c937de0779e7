use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use webnn_sys as sys;
use webnn_sys::Handle;

use crate::future::BuildFuture;
use crate::raw::{sizes, text};
use crate::{
    AnyTensor, CallOptions, Cancellation, Context, DataType, Element, Graph, Number, Result, Session, SessionOptions, ffi, spans,
};

/// A value in a graph that is being built. It borrows its builder, and can be copied.
///
/// ```compile_fail
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let builder = GraphBuilder::new(&Context::new()?)?;
/// let x = builder.input("x", DataType::Float32, &[2])?;
/// drop(builder); // error: `builder` is borrowed by `x`
/// println!("{:?}", x.shape());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Operand<'b> {
    pointer: ffi::OperandPointer,
    builder: PhantomData<&'b GraphBuilder>,
}

impl<'b> Operand<'b> {
    /// Returns the operand of `builder` with this pointer.
    #[cfg(feature = "rustnn")]
    pub(crate) fn borrowed(pointer: ffi::OperandPointer, _builder: &'b GraphBuilder) -> Operand<'b> {
        Operand { pointer, builder: PhantomData }
    }

    /// Returns the pointer, which the builder keeps valid.
    #[cfg(feature = "rustnn")]
    pub(crate) fn owned(self) -> ffi::OperandPointer {
        self.pointer
    }
}

impl Operand<'_> {
    #[inline]
    pub(crate) fn pointer(self) -> sys::WebnnOperand {
        self.pointer.0
    }

    fn descriptor(self) -> sys::WebnnOperandDescriptor {
        let mut descriptor = sys::WebnnOperandDescriptor::default();
        let done = ffi::call2(sys::webnnOperandGetDescriptor, self, &mut descriptor);
        debug_assert!(done.is_ok());
        descriptor
    }

    /// Returns the data type of the elements.
    pub fn data_type(self) -> DataType {
        DataType::of(self.descriptor().dataType).unwrap_or(DataType::Float32)
    }

    /// Returns the shape. A number of at least 2^31 stands for an open dimension; arguments with sizes accept it.
    pub fn shape(self) -> Vec<u32> {
        let shape = self.descriptor().shape;
        ffi::list(shape.items, shape.count)
    }

    /// Returns the name or expression of a dimension if it is open.
    pub fn open_dimension(self, index: usize) -> Result<Option<String>> {
        let mut dimension = sys::WebnnDimension::default();
        ffi::call3(sys::webnnOperandGetDimension, self, index, &mut dimension)?;
        Ok(Some(ffi::text(dimension.text)).filter(|text| !text.is_empty()))
    }
}

impl std::fmt::Debug for Operand<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Operand({} {:?})", self.data_type().name(), self.shape())
    }
}

/// A dimension of an input: a size, or the name of an open dimension, whose size is chosen at each run.
///
/// ```
/// use webnn::Dimension;
/// assert_eq!(Dimension::from(3), Dimension::Size(3));
/// assert_eq!(Dimension::from("batch"), Dimension::Open { text: "batch", min: 0, max: i32::MAX as u32 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension<'a> {
    /// A fixed size.
    Size(u32),
    /// An open dimension.
    Open {
        /// The dimension's name, or an expression over names such as "past + 1".
        text: &'a str,
        /// The smallest size of the dimension, if `text` is a name.
        min: u32,
        /// The largest size of the dimension, if `text` is a name.
        max: u32,
    },
}

impl From<u32> for Dimension<'_> {
    fn from(size: u32) -> Self {
        Dimension::Size(size)
    }
}
impl<'a> From<&'a str> for Dimension<'a> {
    fn from(text: &'a str) -> Self {
        let any = sys::WebnnDimension::default();
        Dimension::Open { text, min: any.min, max: any.max }
    }
}

/// Builds one graph. It has a method for each operation of the specification, and a second one, whose name ends in `_with`, that
/// takes options.
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let context = Context::new()?;
/// let builder = GraphBuilder::new(&context)?;
/// let x = builder.input("x", DataType::Float32, &[1, 2])?;
/// let w = builder.constant(&[2, 3], &[1f32, -2., 3., -4., 5., -6.])?;
/// let y = builder.relu_with(builder.matmul(x, w)?, OperatorOptions::default().label("hidden"))?;
/// let graph = builder.build(&[("y", y)])?;
/// let mut result = [0f32; 3];
/// graph.compute(&[(&[1f32, 1.]).into()], &mut [(&mut result).into()])?;
/// assert_eq!(result, [0., 3., 0.]);
/// # Ok(())
/// # }
/// ```
pub struct GraphBuilder {
    handle: Handle<sys::WebnnGraphBuilderImpl>,
    /// A reference for each operand.
    operands: Mutex<Vec<Handle<sys::WebnnOperandImpl>>>,
}

impl GraphBuilder {
    /// Creates a builder. Fails with [`Error::InvalidState`](crate::Error::InvalidState) if the context is lost.
    pub fn new(context: &Context) -> Result<GraphBuilder> {
        let handle = ffi::made(|builder| ffi::call2(sys::webnnContextCreateGraphBuilder, context.handle(), builder))?;
        Ok(GraphBuilder { handle, operands: Mutex::default() })
    }

    #[inline]
    pub(crate) fn handle(&self) -> &Handle<sys::WebnnGraphBuilderImpl> {
        &self.handle
    }

    /// Keeps the reference that `create` stores, and returns the operand.
    #[inline]
    pub(crate) fn append(&self, create: impl FnOnce(&mut sys::WebnnOperand) -> Result<()>) -> Result<Operand<'_>> {
        let handle = ffi::made(create)?;
        let operand = Operand { pointer: ffi::OperandPointer(handle.pointer()), builder: PhantomData };
        self.operands.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
        Ok(operand)
    }

    /// Keeps the references of the list that `create` stores, and returns the operands.
    pub(crate) fn append_list(&self, create: impl FnOnce(&mut sys::WebnnOperandList) -> Result<()>) -> Result<Vec<Operand<'_>>> {
        let mut list = sys::WebnnOperandList::default();
        create(&mut list)?;
        ffi::take_operands(list)
            .into_iter()
            .map(|handle| {
                self.append(|operand| {
                    *operand = handle.pointer();
                    std::mem::forget(handle); // append() takes the reference
                    Ok(())
                })
            })
            .collect()
    }

    /// Adds a named input of the graph.
    pub fn input(&self, name: &str, data_type: DataType, shape: &[u32]) -> Result<Operand<'_>> {
        let descriptor = descriptor(data_type, shape);
        self.append(|operand| ffi::call4(sys::webnnGraphBuilderInput, &self.handle, name, &descriptor, operand))
    }

    /// Adds an input with open dimensions. [`GraphBuilder::build_session`] makes a session of the graph.
    ///
    /// ```
    /// use webnn::*;
    /// # fn main() -> Result<()> {
    /// let builder = GraphBuilder::new(&Context::new()?)?;
    /// let x = builder.open_input("x", DataType::Float32, &["batch".into(), 2.into()])?;
    /// assert_eq!(x.open_dimension(0)?.as_deref(), Some("batch"));
    /// let session = builder.build_session(&[("y", builder.neg(x)?)], SessionOptions::default())?;
    /// let results = session.run(&[("x", Array::new(&[3, 2], &[1f32; 6]))])?;
    /// assert_eq!(results.find("y")?.shape, [3, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn open_input(&self, name: &str, data_type: DataType, dimensions: &[Dimension<'_>]) -> Result<Operand<'_>> {
        let dimensions: Vec<_> = dimensions
            .iter()
            .map(|dimension| match *dimension {
                Dimension::Size(size) => sys::WebnnDimension { size, ..Default::default() },
                Dimension::Open { text: name, min, max } => {
                    sys::WebnnDimension { text: text(name), min, max, ..Default::default() }
                }
            })
            .collect();
        let descriptor = sys::WebnnOpenDescriptor {
            dataType: data_type.raw(),
            dimensionCount: dimensions.len(),
            dimensions: dimensions.as_ptr(),
            ..Default::default()
        };
        self.append(|operand| ffi::call4(sys::webnnGraphBuilderOpenInput, &self.handle, name, &descriptor, operand))
    }

    /// Returns a number that stands for the value of `expression` over open dimensions, for arguments with sizes.
    pub fn open_size(&self, expression: &str) -> Result<u32> {
        let mut size = 0u32;
        ffi::call3(sys::webnnGraphBuilderOpenSize, &self.handle, expression, &mut size)?;
        Ok(size)
    }

    /// Adds a constant with a copy of `data`.
    pub fn constant<T: Element>(&self, shape: &[u32], data: &[T]) -> Result<Operand<'_>> {
        self.constant_bytes(T::DATA_TYPE, shape, ffi::bytes(data))
    }

    /// Adds a constant with a copy of packed little-endian elements.
    pub fn constant_bytes(&self, data_type: DataType, shape: &[u32], bytes: &[u8]) -> Result<Operand<'_>> {
        let descriptor = descriptor(data_type, shape);
        let bytes = sys::WebnnConstBytes { data: bytes.as_ptr().cast(), size: bytes.len() };
        self.append(|operand| ffi::call4(sys::webnnGraphBuilderConstant, &self.handle, &descriptor, bytes, operand))
    }

    /// Adds a constant that refers to the elements of `owner` without copying them. `owner` is dropped when neither the builder nor
    /// a graph needs them.
    ///
    /// ```
    /// use webnn::*;
    /// # fn main() -> Result<()> {
    /// let builder = GraphBuilder::new(&Context::new()?)?;
    /// let weights: Vec<f32> = vec![1.; 6];
    /// let w = builder.constant_shared(&[2, 3], weights)?;
    /// assert_eq!(w.shape(), [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn constant_shared<T, O>(&self, shape: &[u32], owner: O) -> Result<Operand<'_>>
    where
        T: Element,
        O: AsRef<[T]> + Send + Sync + 'static,
    {
        let descriptor = descriptor(T::DATA_TYPE, shape);
        ffi::with_external(Elements(owner, PhantomData), |bytes| {
            self.append(|operand| ffi::call4(sys::webnnGraphBuilderConstantExternal, &self.handle, &descriptor, bytes, operand))
        })
    }

    /// Adds a scalar constant: `value` cast to `data_type`.
    pub fn constant_scalar(&self, data_type: DataType, value: impl Into<Number>) -> Result<Operand<'_>> {
        let value = value.into().raw();
        self.append(|operand| ffi::call4(sys::webnnGraphBuilderConstantScalar, &self.handle, data_type.raw(), value, operand))
    }

    /// Adds a constant with the value of a tensor that [`Context::create_constant_tensor`] has made in the same context.
    pub fn constant_tensor(&self, tensor: &AnyTensor) -> Result<Operand<'_>> {
        self.append(|operand| ffi::call3(sys::webnnGraphBuilderConstantTensor, &self.handle, tensor.handle(), operand))
    }

    /// Compiles the graph. A builder can build only once; calls that fail their checks do not count.
    pub fn build(&self, outputs: &[(&str, Operand<'_>)]) -> Result<Graph> {
        let _span = spans::build(outputs.len());
        let outputs = named(outputs);
        let graph = |graph: &mut _| ffi::call4(sys::webnnGraphBuilderBuildSync, &self.handle, outputs.len(), &outputs[..], graph);
        ffi::made(graph).and_then(Graph::of)
    }

    /// Works like [`GraphBuilder::build`], with a cancellation, a timeout or a progress function.
    pub fn build_with(&self, outputs: &[(&str, Operand<'_>)], options: CallOptions<'_>) -> Result<Graph> {
        let _span = spans::build(outputs.len());
        let (outputs, options) = (named(outputs), options.raw());
        let graph = |graph: &mut _| {
            let function = sys::webnnGraphBuilderBuildSyncWithOptions;
            ffi::call5(function, &self.handle, outputs.len(), &outputs[..], &options, graph)
        };
        ffi::made(graph).and_then(Graph::of)
    }

    /// Compiles the graph on the context's timeline. Dropping the future stops the build.
    ///
    /// ```
    /// use webnn::*;
    /// # fn block_on<F: Future>(future: F) -> F::Output {
    /// #     struct Unpark(std::thread::Thread);
    /// #     impl std::task::Wake for Unpark {
    /// #         fn wake(self: std::sync::Arc<Self>) { self.0.unpark() }
    /// #     }
    /// #     let waker = std::task::Waker::from(std::sync::Arc::new(Unpark(std::thread::current())));
    /// #     let mut task = std::task::Context::from_waker(&waker);
    /// #     let mut future = std::pin::pin!(future);
    /// #     loop {
    /// #         if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut task) { return value; }
    /// #         std::thread::park();
    /// #     }
    /// # }
    /// async fn run(context: &Context) -> Result<Vec<f32>> {
    ///     let building = {
    ///         let builder = GraphBuilder::new(context)?;
    ///         let x = builder.input("x", DataType::Float32, &[2])?;
    ///         builder.build_async(&[("y", builder.neg(x)?)])?
    ///     };
    ///     let graph = building.await?;
    ///     let x = context.create_tensor_with(&[2], &[1f32, 2.])?;
    ///     let y = context.create_tensor::<f32>(&[2])?;
    ///     context.dispatch(&graph, &[("x", &x)], &[("y", &y)])?;
    ///     context.read_async(&y).await
    /// }
    /// # fn main() -> Result<()> {
    /// let context = Context::new()?;
    /// assert_eq!(block_on(run(&context))?, [-1., -2.]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn build_async(&self, outputs: &[(&str, Operand<'_>)]) -> Result<BuildFuture> {
        let cancellation = Cancellation::new()?;
        let options = CallOptions::default().cancellation(&cancellation).raw();
        let slot = ffi::build(&self.handle, &named(outputs), &options);
        Ok(BuildFuture { slot, cancellation })
    }

    /// Makes a session of a graph with open dimensions. Fails like [`GraphBuilder::build`], and with
    /// [`Error::Type`](crate::Error::Type) if no input determines a dimension. Uses only the graph count of `options`, and the
    /// dimensions and limits of its load options.
    pub fn build_session(&self, outputs: &[(&str, Operand<'_>)], options: SessionOptions<'_>) -> Result<Session> {
        let _span = spans::build(outputs.len());
        let outputs = named(outputs);
        options.with_raw(|options| {
            Session::made(|session| {
                let function = sys::webnnGraphBuilderBuildSession;
                ffi::call5(function, &self.handle, outputs.len(), &outputs[..], options, session)
            })
        })
    }
}

/// Gives access to the bytes of an owner's elements.
struct Elements<T, O>(O, PhantomData<fn() -> T>);

impl<T: Element, O: AsRef<[T]>> AsRef<[u8]> for Elements<T, O> {
    fn as_ref(&self) -> &[u8] {
        ffi::bytes(self.0.as_ref())
    }
}

fn descriptor(data_type: DataType, shape: &[u32]) -> sys::WebnnOperandDescriptor {
    sys::WebnnOperandDescriptor { dataType: data_type.raw(), shape: sizes(Some(shape)), ..Default::default() }
}

fn named(outputs: &[(&str, Operand<'_>)]) -> Vec<sys::WebnnNamedOperand> {
    outputs
        .iter()
        .map(|(name, operand)| sys::WebnnNamedOperand { name: text(name), operand: operand.pointer(), ..Default::default() })
        .collect()
}

impl DataType {
    pub(crate) fn of(raw: sys::WebnnOperandDataType) -> Option<DataType> {
        DataType::ALL.iter().copied().find(|value| value.raw() == raw)
    }
}
