use std::path::Path;
use std::sync::Arc;

use webnn_sys as sys;
use webnn_sys::Handle;

use crate::array::require_type;
use crate::files::path_text;
use crate::raw::with_list;
use crate::{CallOptions, DataType, Error, Result, SaveOptions, View, ViewMut, ffi, spans};

/// An input or output of a graph.
///
/// ```
/// use webnn::{DataType, NamedDescriptor};
/// let input = NamedDescriptor { name: "x".into(), data_type: DataType::Float32, shape: vec![2, 3] };
/// assert_eq!((input.element_count(), input.byte_length()), (6, 24));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct NamedDescriptor {
    /// The name of the input or output.
    pub name: String,
    /// The data type of the elements.
    pub data_type: DataType,
    /// The size of each dimension.
    pub shape: Vec<u32>,
}

impl NamedDescriptor {
    /// Returns the number of elements, at most `usize::MAX`.
    pub fn element_count(&self) -> usize {
        if self.shape.contains(&0) {
            return 0;
        }
        self.shape.iter().fold(1, |count: usize, &size| count.saturating_mul(size as usize))
    }

    /// Returns the size of the packed elements in bytes, at most `usize::MAX`.
    pub fn byte_length(&self) -> usize {
        let bits = self.element_count() as u128 * self.data_type.bits() as u128;
        usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX)
    }
}

/// The memory that a graph needs in bytes, estimated before compilation, see [`Graph::memory_estimate`].
///
/// ```
/// assert_eq!(webnn::MemoryEstimate::default().inputs, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct MemoryEstimate {
    /// Bytes of all inputs.
    pub inputs: u64,
    /// Bytes of all outputs.
    pub outputs: u64,
    /// Bytes of all constants, as given or stored in the file.
    pub constants: u64,
    /// Approximate bytes of the kernels' packed copies of constants.
    pub packed_weights: u64,
    /// Peak bytes of intermediate results.
    pub intermediates: u64,
}

/// An immutable graph, compiled for its context. Clones are handles of the same graph.
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let builder = GraphBuilder::new(&Context::new()?)?;
/// let x = builder.input("x", DataType::Float32, &[2, 2])?;
/// let graph = builder.build(&[("y", builder.transpose(x)?)])?;
/// assert_eq!(graph.inputs()[0].name, "x");
/// let mut y = [0f32; 4];
/// graph.compute(&[View::from(&[1f32, 2., 3., 4.])], &mut [ViewMut::from(&mut y)])?;
/// assert_eq!(y, [1., 3., 2., 4.]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Graph {
    handle: Handle<sys::WebnnGraphImpl>,
    ports: Arc<(Vec<NamedDescriptor>, Vec<NamedDescriptor>)>,
}

impl Graph {
    pub(crate) fn of(handle: Handle<sys::WebnnGraphImpl>) -> Result<Graph> {
        let port = |index, output| {
            let mut port = sys::WebnnNamedDescriptor::default();
            let function = if output { sys::webnnGraphGetOutput } else { sys::webnnGraphGetInput };
            ffi::call3(function, &handle, index, &mut port)?;
            let shape = port.descriptor.shape;
            Ok(NamedDescriptor {
                name: ffi::text(port.name),
                data_type: DataType::of(port.descriptor.dataType)
                    .ok_or_else(|| Error::Unknown("the graph has a data type that this version does not know".into()))?,
                shape: ffi::list(shape.items, shape.count),
            })
        };
        let inputs = (0..ffi::get(sys::webnnGraphGetInputCount, &handle)).map(|index| port(index, false)).collect::<Result<_>>()?;
        let outputs =
            (0..ffi::get(sys::webnnGraphGetOutputCount, &handle)).map(|index| port(index, true)).collect::<Result<_>>()?;
        Ok(Graph { handle, ports: Arc::new((inputs, outputs)) })
    }

    #[inline]
    pub(crate) fn handle(&self) -> &Handle<sys::WebnnGraphImpl> {
        &self.handle
    }

    /// Returns the inputs in the order in which they were added, without inputs that no output depends on.
    pub fn inputs(&self) -> &[NamedDescriptor] {
        &self.ports.0
    }

    /// Returns the outputs in the order of the build.
    pub fn outputs(&self) -> &[NamedDescriptor] {
        &self.ports.1
    }

    /// Runs the graph on the calling thread with the caller's buffers, without waiting for queued work. The views have the order
    /// of [`Graph::inputs`] and [`Graph::outputs`]. Several threads may run the same graph concurrently.
    pub fn compute(&self, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>]) -> Result<()> {
        self.run(inputs, outputs, None)
    }

    /// Works like [`Graph::compute`], with a cancellation or a timeout.
    pub fn compute_with(&self, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>], options: CallOptions<'_>) -> Result<()> {
        self.run(inputs, outputs, Some(&options.raw()))
    }

    fn run(&self, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>], options: Option<&sys::WebnnCallOptions>) -> Result<()> {
        let _span = spans::compute(inputs.len(), outputs.len());
        for (view, port) in inputs.iter().zip(self.inputs()) {
            require_type("input", &port.name, view.data_type(), port.data_type)?;
        }
        for (view, port) in outputs.iter().zip(self.outputs()) {
            require_type("output", &port.name, view.data_type(), port.data_type)?;
        }
        with_list(inputs.iter().map(View::raw), |inputs| {
            with_list(outputs.iter_mut().map(ViewMut::raw), |outputs| {
                let function = sys::webnnGraphComputeWithOptions;
                ffi::call6(function, &self.handle, inputs.len(), inputs, outputs.len(), outputs, options)
            })
        })
    }

    /// Estimates the memory from the graph's definition, as before compilation. The compiled graph may need less or more.
    pub fn memory_estimate(&self) -> Result<MemoryEstimate> {
        let mut estimate = sys::WebnnMemoryEstimate::default();
        ffi::call2(sys::webnnGraphGetMemoryEstimate, &self.handle, &mut estimate)?;
        Ok(MemoryEstimate {
            inputs: estimate.inputs,
            outputs: estimate.outputs,
            constants: estimate.constants,
            packed_weights: estimate.packedWeights,
            intermediates: estimate.intermediates,
        })
    }

    /// Writes the graph to `path`, and its weights into the same file or beside it. The format follows from the suffix.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.save_with(path, SaveOptions::default())
    }

    /// Works like [`Graph::save`], with the formats of `options`.
    pub fn save_with(&self, path: impl AsRef<Path>, options: SaveOptions) -> Result<()> {
        ffi::call3(sys::webnnGraphSave, &self.handle, path_text(path.as_ref())?, &options.raw())
    }

    /// Destroys the graph: it cannot be run any more. Queued runs are still executed.
    pub fn destroy(&self) {
        ffi::get(sys::webnnGraphDestroy, &self.handle);
    }
}
