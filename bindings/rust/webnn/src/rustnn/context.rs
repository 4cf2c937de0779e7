//! Contexts, tensors, graphs and their descriptors.
use std::collections::HashMap;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::graph::GraphInfo;
pub use super::operator_enums::MLOperandDataType;
use crate::{AnyTensor, Context, ContextOptions, Error, Graph, PowerPreference, Result};

/// Operands by name.
///
/// ```
/// use webnn::rustnn::mlcontext::{MLNamedOperands, MLOperand};
/// let outputs = MLNamedOperands::from([("y", MLOperand::from(3))]);
/// assert_eq!(outputs["y"].rustnn_index(), 3);
/// ```
pub type MLNamedOperands<'a> = HashMap<&'a str, MLOperand>;
/// Tensors by name.
///
/// ```
/// use webnn::rustnn::mlcontext::*;
/// # fn main() -> webnn::Result<()> {
/// let mut context = MLContext::create(&MLContextOptions::new(MLPowerPreference::Default, false))?;
/// let x = context.create_tensor(&MLTensorDescriptor::new(MLOperandDataType::Float32, vec![2]))?;
/// let mut inputs = MLNamedTensors::new();
/// inputs.insert("x", &x);
/// # Ok(())
/// # }
/// ```
pub type MLNamedTensors<'a> = HashMap<&'a str, &'a MLTensor>;

/// Whether a context prefers speed or low power consumption. <https://www.w3.org/TR/webnn/#enumdef-mlpowerpreference>
///
/// ```
/// use webnn::rustnn::mlcontext::{MLContextOptions, MLPowerPreference};
/// let options = MLContextOptions::new(MLPowerPreference::LowPower, true);
/// assert_eq!(options.power_preference(), MLPowerPreference::LowPower);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MLPowerPreference {
    /// No preference.
    #[default]
    Default,
    /// Prefers speed.
    HighPerformance,
    /// Prefers low power.
    LowPower,
}

/// A backend of rustnn. [`MLContext::create`] fails if libwebnn has no corresponding backend.
///
/// ```
/// use webnn::rustnn::mlcontext::{Backend, MLContext, MLContextOptions, MLPowerPreference};
/// let options = MLContextOptions::new(MLPowerPreference::Default, true).with_rustnn_backend_hint(Backend::Trtx);
/// assert_eq!(MLContext::create(&options).unwrap_err().name(), "NotSupportedError");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The backend `onnxruntime`.
    Onnx,
    /// The backend `coreml`.
    Coreml,
    /// TensorRT-RTX: libwebnn has no such backend.
    Trtx,
    /// LiteRT: libwebnn has no such backend.
    Litert,
    /// CANN: libwebnn has no such backend.
    Cann,
}

/// Options of a context: the device and the backend. <https://www.w3.org/TR/webnn/#dictdef-mlcontextoptions>
///
/// ```
/// use webnn::rustnn::mlcontext::{MLContextOptions, MLPowerPreference};
/// let mut options = MLContextOptions::new(MLPowerPreference::Default, true);
/// options.set_accelerated(false);
/// assert!(!options.accelerated());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MLContextOptions {
    power_preference: MLPowerPreference,
    accelerated: bool,
    backend: Option<Backend>,
}

impl MLContextOptions {
    /// Returns options with these hints.
    pub fn new(power_preference: MLPowerPreference, accelerated: bool) -> Self {
        MLContextOptions { power_preference, accelerated, backend: None }
    }

    /// Returns whether backends should prefer speed or a low power consumption.
    pub fn power_preference(&self) -> MLPowerPreference {
        self.power_preference
    }

    /// Sets whether backends should prefer speed or a low power consumption.
    pub fn set_power_preference(&mut self, power_preference: MLPowerPreference) {
        self.power_preference = power_preference;
    }

    /// Returns whether a GPU or an NPU is wanted.
    pub fn accelerated(&self) -> bool {
        self.accelerated
    }

    /// Sets whether a GPU or an NPU is wanted.
    pub fn set_accelerated(&mut self, accelerated: bool) {
        self.accelerated = accelerated;
    }

    /// Requests a backend. Without this hint, libwebnn's best backend is used: usually its own CPU engine.
    #[must_use]
    pub fn with_rustnn_backend_hint(mut self, backend: Backend) -> Self {
        self.backend = Some(backend);
        self
    }
}

/// The data type and shape of an operand. <https://www.w3.org/TR/webnn/#dictdef-mloperanddescriptor>
///
/// ```
/// use webnn::rustnn::mlcontext::{MLOperandDataType, MLOperandDescriptor};
/// let mut descriptor = MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2]);
/// descriptor.set_shape(vec![2, 3]);
/// assert_eq!(descriptor.shape(), [2, 3]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MLOperandDescriptor {
    data_type: MLOperandDataType,
    shape: Vec<u64>,
}

impl Default for MLOperandDescriptor {
    fn default() -> Self {
        Self::new(MLOperandDataType::Float32, Vec::new())
    }
}

impl MLOperandDescriptor {
    /// Returns the descriptor of an operand with this data type and shape.
    pub fn new(data_type: MLOperandDataType, shape: Vec<u64>) -> Self {
        MLOperandDescriptor { data_type, shape }
    }

    /// Returns the data type of the elements.
    pub fn data_type(&self) -> MLOperandDataType {
        self.data_type
    }

    /// Sets the data type of the elements.
    pub fn set_data_type(&mut self, data_type: MLOperandDataType) {
        self.data_type = data_type;
    }

    /// Returns the size of each dimension.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Sets the size of each dimension.
    pub fn set_shape(&mut self, shape: Vec<u64>) {
        self.shape = shape;
    }

    pub(super) fn sizes(&self) -> Result<Vec<u32>> {
        let size = |&size: &u64| {
            u32::try_from(size).map_err(|_| Error::Type(format!("the shape {:?} has a dimension over 2^32 - 1.", self.shape)))
        };
        self.shape.iter().map(size).collect()
    }
}

/// A descriptor of a tensor. Dereferences to its [`MLOperandDescriptor`].
/// <https://www.w3.org/TR/webnn/#dictdef-mltensordescriptor>
///
/// ```
/// use webnn::rustnn::mlcontext::{MLOperandDataType, MLTensorDescriptor};
/// let descriptor = MLTensorDescriptor::new(MLOperandDataType::Float32, vec![2]).to_readable();
/// assert!(descriptor.readable() && !descriptor.writable());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MLTensorDescriptor {
    operand: MLOperandDescriptor,
    readable: bool,
    writable: bool,
}

impl MLTensorDescriptor {
    /// Returns a descriptor of a tensor that is neither readable nor writable.
    pub fn new(data_type: MLOperandDataType, shape: Vec<u64>) -> Self {
        Self::from_operand_descriptor(&MLOperandDescriptor::new(data_type, shape))
    }

    /// Returns a descriptor of a tensor that is neither readable nor writable.
    pub fn from_operand_descriptor(descriptor: &MLOperandDescriptor) -> Self {
        MLTensorDescriptor { operand: descriptor.clone(), ..Default::default() }
    }

    /// Returns a copy for a tensor that can be read.
    #[must_use]
    pub fn to_readable(&self) -> Self {
        MLTensorDescriptor { readable: true, ..self.clone() }
    }

    /// Returns a copy for a tensor that can be written.
    #[must_use]
    pub fn to_writable(&self) -> Self {
        MLTensorDescriptor { writable: true, ..self.clone() }
    }

    /// Returns whether [`MLContext::read_tensor`] will accept the tensor.
    pub fn readable(&self) -> bool {
        self.readable
    }

    /// Sets whether [`MLContext::read_tensor`] will accept the tensor.
    pub fn set_readable(&mut self, readable: bool) {
        self.readable = readable;
    }

    /// Returns whether [`MLContext::write_tensor`] will accept the tensor.
    pub fn writable(&self) -> bool {
        self.writable
    }

    /// Sets whether [`MLContext::write_tensor`] will accept the tensor.
    pub fn set_writable(&mut self, writable: bool) {
        self.writable = writable;
    }

    /// Returns the tensor's data type and shape.
    pub fn operand_descriptor(&self) -> &MLOperandDescriptor {
        &self.operand
    }

    /// Sets the tensor's data type and shape.
    pub fn set_operand_descriptor(&mut self, descriptor: MLOperandDescriptor) {
        self.operand = descriptor;
    }
}

impl Deref for MLTensorDescriptor {
    type Target = MLOperandDescriptor;

    fn deref(&self) -> &MLOperandDescriptor {
        &self.operand
    }
}

impl DerefMut for MLTensorDescriptor {
    fn deref_mut(&mut self) -> &mut MLOperandDescriptor {
        &mut self.operand
    }
}

/// An operand of a builder, represented by its index.
///
/// ```
/// let operand = webnn::rustnn::mlcontext::MLOperand::from(3);
/// assert_eq!(operand.rustnn_index(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MLOperand {
    pub(super) id: u32,
}

impl MLOperand {
    /// Returns the index of the operand, for fields of options.
    pub fn rustnn_index(self) -> u32 {
        self.id
    }
}

impl From<u32> for MLOperand {
    fn from(id: u32) -> Self {
        MLOperand { id }
    }
}

impl From<MLOperand> for u32 {
    fn from(operand: MLOperand) -> u32 {
        operand.id
    }
}

/// A tensor: memory in a context. Clones are handles of the same tensor. <https://www.w3.org/TR/webnn/#api-mltensor>
///
/// ```
/// use webnn::rustnn::mlcontext::*;
/// # fn main() -> webnn::Result<()> {
/// let mut context = MLContext::create(&MLContextOptions::new(MLPowerPreference::Default, false))?;
/// let descriptor = MLTensorDescriptor::new(MLOperandDataType::Int32, vec![2]);
/// let tensor: MLTensor = context.create_tensor(&descriptor.to_readable().to_writable())?;
/// context.write_tensor(&tensor, &[1, 2])?;
/// let mut data = [0i32; 2];
/// context.read_tensor(&tensor, &mut data)?;
/// assert_eq!(data, [1, 2]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct MLTensor {
    tensor: AnyTensor,
    descriptor: MLTensorDescriptor,
}

impl MLTensor {
    /// Returns the data type of the elements.
    pub fn data_type(&self) -> MLOperandDataType {
        self.descriptor.data_type()
    }

    /// Returns the size of each dimension.
    pub fn shape(&self) -> &[u64] {
        self.descriptor.shape()
    }

    /// Returns whether [`MLContext::read_tensor`] accepts the tensor.
    pub fn readable(&self) -> bool {
        self.descriptor.readable
    }

    /// Returns whether [`MLContext::write_tensor`] accepts the tensor.
    pub fn writable(&self) -> bool {
        self.descriptor.writable
    }

    /// Returns whether the tensor is a constant.
    pub fn constant(&self) -> bool {
        self.tensor.is_constant()
    }

    /// Returns the size in bytes.
    pub fn rustnn_required_bytes(&self) -> usize {
        self.tensor.byte_length()
    }
}

impl std::fmt::Debug for MLTensor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MLTensor").field("descriptor", &self.descriptor).finish_non_exhaustive()
    }
}

/// A compiled graph.
///
/// ```
/// use webnn::rustnn::mlcontext::*;
/// # fn main() -> webnn::Result<()> {
/// let mut context = MLContext::create(&MLContextOptions::new(MLPowerPreference::Default, false))?;
/// let mut builder = MLGraphBuilder::new(&mut context)?;
/// let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2]))?;
/// let y = builder.neg(x)?;
/// let graph: MLGraph = builder.build(&MLNamedOperands::from([("y", y)]))?;
/// assert_eq!(graph.graph().outputs()[0].name, "y");
/// # Ok(())
/// # }
/// ```
pub struct MLGraph<'context> {
    graph: Graph,
    context: PhantomData<&'context ()>,
}

impl MLGraph<'_> {
    pub(super) fn of(graph: Graph) -> Self {
        MLGraph { graph, context: PhantomData }
    }

    /// Returns libwebnn's handle of the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

impl std::fmt::Debug for MLGraph<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MLGraph").field("inputs", &self.graph.inputs()).field("outputs", &self.graph.outputs()).finish()
    }
}

/// A context. <https://www.w3.org/TR/webnn/#api-mlcontext>
///
/// ```
/// use webnn::rustnn::mlcontext::*;
/// # fn main() -> webnn::Result<()> {
/// let mut context = MLContext::create(&MLContextOptions::new(MLPowerPreference::Default, false))?;
/// let descriptor = MLTensorDescriptor::new(MLOperandDataType::Int32, vec![2]);
/// let tensor: MLTensor = context.create_tensor(&descriptor.to_readable().to_writable())?;
/// context.write_tensor(&tensor, &[1, 2])?;
/// let mut data = [0i32; 2];
/// context.read_tensor(&tensor, &mut data)?;
/// assert_eq!(data, [1, 2]);
/// # Ok(())
/// # }
/// ```
pub struct MLContext<'context> {
    pub(super) context: Context,
    borrowed: PhantomData<&'context ()>,
}

impl std::fmt::Debug for MLContext<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "MLContext({})", self.context.backend())
    }
}

impl<'context> MLContext<'context> {
    /// Creates a context. Fails with [`Error::NotSupported`] if libwebnn has no backend for the hint, or cannot meet the options.
    pub fn create(options: &MLContextOptions) -> Result<Self> {
        let preference = match options.power_preference {
            MLPowerPreference::Default => PowerPreference::Default,
            MLPowerPreference::HighPerformance => PowerPreference::HighPerformance,
            MLPowerPreference::LowPower => PowerPreference::LowPower,
        };
        let mut own = ContextOptions::default().power_preference(preference).accelerated(options.accelerated);
        match options.backend {
            None => {}
            Some(Backend::Onnx) => own = own.backend("onnxruntime"),
            Some(Backend::Coreml) => own = own.backend("coreml"),
            Some(backend) => {
                let message = format!("libwebnn has no backend {backend:?}; accepted are Onnx and Coreml.");
                return Err(Error::NotSupported(message));
            }
        }
        Ok(MLContext { context: Context::with(own)?, borrowed: PhantomData })
    }

    /// Returns whether graphs run on a GPU or an NPU.
    pub fn accelerated(&self) -> bool {
        self.context.is_accelerated()
    }

    /// Compiles a graph that was read from a file or finished by a builder.
    pub fn rustnn_build_graph(&mut self, graph: GraphInfo) -> Result<MLGraph<'context>> {
        graph.compile(&self.context).map(MLGraph::of)
    }

    /// Creates a tensor of zeros.
    pub fn create_tensor(&mut self, descriptor: &MLTensorDescriptor) -> Result<MLTensor> {
        let shape = descriptor.sizes()?;
        let tensor = self.context.create_any_tensor(descriptor.data_type(), &shape, descriptor.readable, descriptor.writable)?;
        Ok(MLTensor { tensor, descriptor: descriptor.clone() })
    }

    /// Queues a write of the bytes of `data`, which must have the tensor's size in bytes. The type `T` is not checked.
    pub fn write_tensor<T: bytemuck::NoUninit>(&mut self, tensor: &MLTensor, data: &[T]) -> Result<()> {
        self.context.write_bytes(&tensor.tensor, bytemuck::cast_slice(data))
    }

    /// Reads a tensor after all work that was queued earlier.
    pub fn read_tensor<T: bytemuck::Pod>(&mut self, tensor: &MLTensor, data: &mut [T]) -> Result<()> {
        self.context.read_bytes_into(&tensor.tensor, bytemuck::cast_slice_mut(data))
    }

    /// Queues a run of the graph.
    pub fn dispatch(
        &mut self,
        graph: &mut MLGraph<'_>,
        inputs: &HashMap<&str, &MLTensor>,
        outputs: &HashMap<&str, &MLTensor>,
    ) -> Result<()> {
        fn own<'a>(tensors: &HashMap<&'a str, &'a MLTensor>) -> Vec<(&'a str, &'a AnyTensor)> {
            tensors.iter().map(|(&name, &tensor)| (name, &tensor.tensor)).collect()
        }
        self.context.dispatch(&graph.graph, &own(inputs), &own(outputs))
    }

    /// Destroys the context with its graphs and tensors.
    pub fn destroy(self) {
        self.context.destroy();
    }
}
