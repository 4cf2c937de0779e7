//! The public items of the crate `rustnn`, so that its programs run on libwebnn: replace `use rustnn::` by `use webnn::rustnn::`.
//! `docs/guides/rust.md` in the repository lists the items that have no counterpart.
//!
//! ```
//! use webnn::rustnn::mlcontext::*;
//! use webnn::rustnn::operator_enums::MLOperandDataType;
//! # fn main() -> webnn::rustnn::error::Result<()> {
//! let mut context = MLContext::create(&MLContextOptions::new(MLPowerPreference::Default, false))?;
//! let mut builder = MLGraphBuilder::new(&mut context)?;
//! let descriptor = MLOperandDescriptor::new(MLOperandDataType::Float32, vec![3]);
//! let x = builder.input("x", &descriptor)?;
//! let y = builder.neg(x)?;
//! let mut graph = builder.build(&MLNamedOperands::from([("y", y)]))?;
//!
//! let tensor = MLTensorDescriptor::new(MLOperandDataType::Float32, vec![3]);
//! let (x, y) = (context.create_tensor(&tensor.to_writable())?, context.create_tensor(&tensor.to_readable())?);
//! context.write_tensor(&x, &[1f32, 2., 3.])?;
//! context.dispatch(&mut graph, &MLNamedTensors::from([("x", &x)]), &MLNamedTensors::from([("y", &y)]))?;
//! let mut result = [0f32; 3];
//! context.read_tensor(&y, &mut result)?;
//! assert_eq!(result, [-1., -2., -3.]);
//! # Ok(())
//! # }
//! ```
mod context;
pub mod converters;
pub mod graph;
pub mod mlgraphbuilder;
pub mod operator_options;
mod recorder;
pub mod validator;

pub use converters::{ConvertedGraph, ConverterRegistry, GraphConverter, ONNX_EXTERNAL_WEIGHTS_FILENAME};
pub use error::GraphError;
pub use graph::{ConstantData, DataType, GraphInfo, Operand, OperandDescriptor, OperandKind, Operation, load_graph_from_path};
pub use mlcontext::{MLContext, MLContextOptions, MLPowerPreference};
pub use validator::{ContextProperties, GraphValidator, ValidationArtifacts};

/// Errors: all are [`webnn::Error`](crate::Error).
pub mod error {
    /// The error of all functions of this module.
    ///
    /// ```
    /// assert!(matches!(webnn::rustnn::error::Error::Type("wrong".into()), webnn::Error::Type(_)));
    /// ```
    pub type Error = crate::Error;
    /// The error of functions that take a graph.
    ///
    /// ```
    /// assert_eq!(webnn::rustnn::error::GraphError::Data("wrong".into()).name(), "DataError");
    /// ```
    pub type GraphError = crate::Error;
    /// The error of functions of a builder.
    ///
    /// ```
    /// assert_eq!(webnn::rustnn::error::GraphBuilderError::Type("wrong".into()).message(), "wrong");
    /// ```
    pub type GraphBuilderError = crate::Error;
    /// The result of all functions of this module.
    ///
    /// ```
    /// fn count() -> webnn::rustnn::error::Result<usize> { Ok(3) }
    /// assert_eq!(count(), Ok(3));
    /// ```
    pub type Result<T, E = Error> = std::result::Result<T, E>;
}

/// Contexts, builders, tensors, graphs and their descriptors.
pub mod mlcontext {
    pub use super::context::*;
    pub use super::mlgraphbuilder::MLGraphBuilder;
}

/// Reads graphs from files.
pub mod loader {
    pub use super::graph::load_graph_from_path;
}

/// Enumerations of the specification.
pub mod operator_enums {
    pub use crate::{
        Conv2dFilterOperandLayout as MLConv2dFilterOperandLayout,
        ConvTranspose2dFilterOperandLayout as MLConvTranspose2dFilterOperandLayout, DataType as MLOperandDataType,
        GruWeightLayout as MLGruWeightLayout, InputOperandLayout as MLInputOperandLayout, InterpolationMode as MLInterpolationMode,
        LstmWeightLayout as MLLstmWeightLayout, PaddingMode as MLPaddingMode,
        RecurrentNetworkActivation as MLRecurrentNetworkActivation, RecurrentNetworkDirection as MLRecurrentNetworkDirection,
        RoundingType as MLRoundingType,
    };
}
