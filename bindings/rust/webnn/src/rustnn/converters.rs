//! Conversion of graphs to other formats.
use std::collections::BTreeMap;

use super::graph::{Folder, GraphInfo, read};
use crate::{Error, Result};

/// The name of the file that holds the large constants (1024 bytes or more) of a converted model, beside the model's file.
/// [`ConvertedGraph::weights_data`] has the content of this file.
///
/// ```
/// use webnn::rustnn::{ConvertedGraph, ONNX_EXTERNAL_WEIGHTS_FILENAME};
/// fn save(model: &ConvertedGraph, folder: &std::path::Path) -> std::io::Result<()> {
///     std::fs::write(folder.join("model.onnx"), &model.data)?;
///     model.weights_data.as_ref().map_or(Ok(()), |data| std::fs::write(folder.join(ONNX_EXTERNAL_WEIGHTS_FILENAME), data))
/// }
/// ```
pub const ONNX_EXTERNAL_WEIGHTS_FILENAME: &str = "model.onnx.data";

/// A converted graph.
///
/// ```
/// use webnn::rustnn::mlcontext::*;
/// use webnn::rustnn::*;
/// # fn main() -> webnn::Result<()> {
/// # let mut builder = MLGraphBuilder::new_uncompiled();
/// # let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2]))?;
/// # let y = builder.neg(x)?;
/// # let graph = builder.finish_graph_info(&MLNamedOperands::from([("y", y)]))?;
/// let model: ConvertedGraph = ConverterRegistry::with_defaults().convert("onnx", &graph)?;
/// assert_eq!((model.format, model.weights_data.is_none()), ("onnx", true));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ConvertedGraph {
    /// The name of the format.
    pub format: &'static str,
    /// The media type of the data.
    pub content_type: &'static str,
    /// The content of the file.
    pub data: Vec<u8>,
    /// The content of the file [`ONNX_EXTERNAL_WEIGHTS_FILENAME`]; `None` if the model has no large constants.
    pub weights_data: Option<Vec<u8>>,
}

/// Converts graphs to one format.
///
/// ```
/// use webnn::rustnn::converters::{GraphConverter, OnnxConverter};
/// assert_eq!(OnnxConverter.format(), "onnx");
/// ```
pub trait GraphConverter {
    /// Returns the name of the format.
    fn format(&self) -> &'static str;
    /// Returns the content of the graph's file, and that of its file of weights if there is one.
    fn convert(&self, graph: &GraphInfo) -> Result<ConvertedGraph>;
}

/// Converts graphs to ONNX.
///
/// ```
/// use webnn::rustnn::mlcontext::*;
/// use webnn::rustnn::converters::{GraphConverter, OnnxConverter};
/// # fn main() -> webnn::Result<()> {
/// # let mut builder = MLGraphBuilder::new_uncompiled();
/// # let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2]))?;
/// # let y = builder.neg(x)?;
/// # let graph = builder.finish_graph_info(&MLNamedOperands::from([("y", y)]))?;
/// assert!(!OnnxConverter.convert(&graph)?.data.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OnnxConverter;

impl GraphConverter for OnnxConverter {
    fn format(&self) -> &'static str {
        "onnx"
    }

    fn convert(&self, graph: &GraphInfo) -> Result<ConvertedGraph> {
        let folder = Folder::new()?;
        let path = folder.0.join("model.onnx");
        graph.save(&path)?;
        let weights = folder.0.join(ONNX_EXTERNAL_WEIGHTS_FILENAME);
        let weights_data = weights.exists().then(|| read(&weights)).transpose()?;
        Ok(ConvertedGraph { format: "onnx", content_type: "application/onnx", data: read(&path)?, weights_data })
    }
}

/// Converters by format.
///
/// ```
/// use webnn::rustnn::ConverterRegistry;
/// assert_eq!(ConverterRegistry::with_defaults().available_formats(), ["onnx"]);
/// ```
#[derive(Default)]
pub struct ConverterRegistry {
    converters: BTreeMap<&'static str, Box<dyn GraphConverter + Send + Sync>>,
}

impl ConverterRegistry {
    /// Returns a registry with the converter to ONNX.
    pub fn with_defaults() -> Self {
        let mut registry = Self::default();
        registry.register(Box::new(OnnxConverter));
        registry
    }

    /// Adds a converter, or replaces the converter of the same format.
    pub fn register(&mut self, converter: Box<dyn GraphConverter + Send + Sync>) {
        self.converters.insert(converter.format(), converter);
    }

    /// Returns the formats in alphabetical order.
    pub fn available_formats(&self) -> Vec<&'static str> {
        self.converters.keys().copied().collect()
    }

    /// Converts a graph to `format`, which is case-insensitive.
    pub fn convert(&self, format: &str, graph: &GraphInfo) -> Result<ConvertedGraph> {
        let converter = self.converters.get(format.to_ascii_lowercase().as_str()).ok_or_else(|| {
            let accepted = self.available_formats().join(", ");
            Error::NotFound(format!("there is no converter to \"{format}\"; accepted are {accepted}."))
        })?;
        converter.convert(graph)
    }
}
