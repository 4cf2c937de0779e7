//! Graphs as lists of operands and operations, and files of graphs.
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use crate::DataType;
use crate::{Context, ContextOptions, Error, Graph, GraphFormat, LoadOptions, NamedDescriptor, Result, SaveOptions, WeightsFormat};

/// A dimension with a size that each run may choose.
///
/// ```
/// use webnn::rustnn::graph::{Dimension, DynamicDimension, get_static_or_max_size};
/// let batch = DynamicDimension { name: "batch".into(), max_size: 8 };
/// assert_eq!(get_static_or_max_size(&Dimension::Dynamic(batch)), 8);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DynamicDimension {
    /// The name. Dimensions with the same name have the same size.
    pub name: String,
    /// The largest size that a run may choose.
    pub max_size: u32,
}

/// A dimension of an operand.
///
/// ```
/// use webnn::rustnn::graph::Dimension;
/// assert_eq!(serde_json::to_string(&Dimension::Static(3)).unwrap(), "3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Dimension {
    /// A fixed size.
    Static(u32),
    /// A named dimension. Graphs with such dimensions cannot be compiled by this module; use [`Session`](crate::Session).
    Dynamic(DynamicDimension),
}

/// Returns the sizes as dimensions.
///
/// ```
/// use webnn::rustnn::graph::{Dimension, to_dimension_vector};
/// assert_eq!(to_dimension_vector(&[2, 3]), [Dimension::Static(2), Dimension::Static(3)]);
/// ```
pub fn to_dimension_vector(shape: &[u32]) -> Vec<Dimension> {
    shape.iter().copied().map(Dimension::Static).collect()
}

/// Returns the size of a fixed dimension, or the largest size of a dynamic one.
///
/// ```
/// use webnn::rustnn::graph::{Dimension, get_static_or_max_size};
/// assert_eq!(get_static_or_max_size(&Dimension::Static(3)), 3);
/// ```
pub fn get_static_or_max_size(dimension: &Dimension) -> u32 {
    match dimension {
        Dimension::Static(size) => *size,
        Dimension::Dynamic(dimension) => dimension.max_size,
    }
}

/// The data type and shape of an operand.
///
/// ```
/// let json = r#"{"data_type": "int4", "shape": [3, 3]}"#;
/// let descriptor: webnn::rustnn::OperandDescriptor = serde_json::from_str(json).unwrap();
/// assert_eq!((descriptor.element_count(), descriptor.byte_length()), (Some(9), Some(5)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OperandDescriptor {
    /// The data type of the elements.
    pub data_type: DataType,
    /// The dimensions, outermost first; empty for a scalar.
    #[serde(default)]
    pub shape: Vec<Dimension>,
    /// A transposition that was not applied yet. Must be empty.
    #[serde(default)]
    pub pending_permutation: Vec<u32>,
}

impl OperandDescriptor {
    fn of(port: &NamedDescriptor) -> Self {
        OperandDescriptor { data_type: port.data_type, shape: to_dimension_vector(&port.shape), pending_permutation: Vec::new() }
    }

    /// Returns the sizes, with the largest size of each dynamic dimension.
    pub fn static_or_max_shape(&self) -> Vec<u32> {
        self.shape.iter().map(get_static_or_max_size).collect()
    }

    /// Returns the number of elements, or nothing if it exceeds the range of `usize`.
    pub fn element_count(&self) -> Option<usize> {
        self.shape.iter().try_fold(1usize, |count, dimension| count.checked_mul(get_static_or_max_size(dimension) as usize))
    }

    /// Returns the size of the packed elements in bytes, or nothing if it exceeds the range of `usize`. Two elements of 4 bits
    /// share a byte, unlike in rustnn.
    pub fn byte_length(&self) -> Option<usize> {
        self.element_count()?.checked_mul(self.data_type.bits()).map(|bits| bits.div_ceil(8))
    }
}

/// The role of an operand.
///
/// ```
/// use webnn::rustnn::OperandKind;
/// assert_eq!(serde_json::to_string(&OperandKind::Constant).unwrap(), "\"constant\"");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperandKind {
    /// An input of the graph.
    Input,
    /// A constant.
    Constant,
    /// The result of an operation, and an output of the graph.
    Output,
    /// The result of an operation, not an output of the graph.
    Intermediate,
}

/// An input, a constant, or a result of an operation.
///
/// ```
/// let json = r#"{"kind": "input", "name": "x", "descriptor": {"data_type": "float32", "shape": [2]}}"#;
/// let operand: webnn::rustnn::Operand = serde_json::from_str(json).unwrap();
/// assert_eq!(operand.name.as_deref(), Some("x"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operand {
    /// Whether the operand is an input, a constant, an output or an intermediate result.
    pub kind: OperandKind,
    /// The data type and shape.
    pub descriptor: OperandDescriptor,
    /// The name of an input or output, or the name that the file gives to another operand.
    #[serde(default)]
    pub name: Option<String>,
}

/// An operation, which refers to operands by their index in [`GraphInfo::operands`].
///
/// ```
/// let json = r#"{"type": "relu", "input_operands": [0], "output_operand": 1, "attributes": {}}"#;
/// let operation: webnn::rustnn::Operation = serde_json::from_str(json).unwrap();
/// assert_eq!(operation.input_operands, [0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// The specification's name.
    #[serde(rename = "type")]
    pub op_type: String,
    /// The indices of the operands that the operation reads.
    pub input_operands: Vec<u32>,
    /// The result of an operation with one result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_operand: Option<u32>,
    /// The results of an operation with several results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_operands: Vec<u32>,
    /// The other arguments and the options, by the specification's names.
    #[serde(default)]
    pub attributes: serde_json::Map<String, serde_json::Value>,
    /// The label, which error messages name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// The elements of a constant, encoded as base64 in JSON.
///
/// ```
/// use webnn::rustnn::ConstantData;
/// let constant: ConstantData = serde_json::from_str(r#"{"data": "AQID"}"#).unwrap();
/// assert_eq!(constant.data, [1, 2, 3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConstantData {
    /// The packed elements.
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    pub data: Vec<u8>,
    /// The label of the constant in the file, if it has one.
    #[serde(default)]
    pub label: Option<String>,
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn to_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { digit.into() } else { '=' });
        }
    }
    serializer.serialize_str(&text)
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let digits = text.trim_end_matches('=');
    if text.len() % 4 != 0 || text.len() - digits.len() > 2 {
        return Err(serde::de::Error::custom("the data is no base64: its length is not a multiple of 4"));
    }
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(text.len() / 4 * 3), 0u32, 0);
    for digit in digits.bytes() {
        let value = DIGITS.iter().position(|&other| other == digit);
        let value = value.ok_or_else(|| serde::de::Error::custom(format!("the data is no base64: it has the byte {digit}")))?;
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Ok(bytes)
}

/// The place of a graph's operations, if [`GraphInfo::operations`] does not list them.
#[doc(hidden)]
#[derive(Clone)]
pub enum Source {
    /// In the file at this path.
    File(PathBuf),
    /// In a graph of libwebnn.
    Graph(Graph),
}

impl std::fmt::Debug for Source {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::File(path) => write!(formatter, "File({path:?})"),
            Source::Graph(_) => formatter.write_str("Graph"),
        }
    }
}

/// A graph that is not compiled for a context.
///
/// If it was read from `.webnn`, `.webnnb`, ONNX or webnn-graph-json, or comes from a builder, its lists contain only the inputs
/// and outputs; libwebnn keeps the operations.
///
/// ```
/// use webnn::rustnn::mlcontext::*;
/// use webnn::rustnn::{GraphInfo, graph::Dimension};
/// # fn main() -> webnn::Result<()> {
/// let mut builder = MLGraphBuilder::new_uncompiled();
/// let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2]))?;
/// let y = builder.neg(x)?;
/// let graph: GraphInfo = builder.finish_graph_info(&MLNamedOperands::from([("y", y)]))?;
/// assert!(!graph.has_dynamic_dimensions());
/// assert_eq!(graph.operand(0).unwrap().descriptor.shape, [Dimension::Static(2)]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GraphInfo {
    /// The inputs, constants, intermediate results and outputs.
    pub operands: Vec<Operand>,
    /// The indices of the inputs in `operands`.
    #[serde(default)]
    pub input_operands: Vec<u32>,
    /// The indices of the outputs in `operands`.
    #[serde(default)]
    pub output_operands: Vec<u32>,
    /// The operations, in an order in which they can be computed.
    #[serde(default)]
    pub operations: Vec<Operation>,
    /// The elements of the constants.
    #[serde(default)]
    pub constant_operand_ids_to_handles: HashMap<u32, ConstantData>,
    /// The names of constant tensors. Must be empty.
    #[serde(default)]
    pub id_to_constant_tensor_operand_map: HashMap<u32, String>,
    /// The mark `@quantized` of a `.webnn` file, or `"quantized"` in JSON. It has no effect on results.
    #[serde(default)]
    pub quantized: bool,
    #[doc(hidden)]
    #[serde(skip)]
    pub rustnn_source: Option<Source>,
}

impl GraphInfo {
    pub(super) fn with_source(inputs: &[NamedDescriptor], outputs: &[NamedDescriptor], source: Source) -> Self {
        let operand = |kind| {
            move |port: &NamedDescriptor| Operand { kind, descriptor: OperandDescriptor::of(port), name: Some(port.name.clone()) }
        };
        let operands = inputs.iter().map(operand(OperandKind::Input)).chain(outputs.iter().map(operand(OperandKind::Output)));
        let (first, end) = (inputs.len() as u32, (inputs.len() + outputs.len()) as u32);
        GraphInfo {
            operands: operands.collect(),
            input_operands: (0..first).collect(),
            output_operands: (first..end).collect(),
            rustnn_source: Some(source),
            ..Default::default()
        }
    }

    /// Returns the operand at index `id` of `operands`, or nothing if there is none.
    pub fn operand(&self, id: u32) -> Option<&Operand> {
        self.operands.get(id as usize)
    }

    /// Returns whether a dimension of an operand is dynamic.
    pub fn has_dynamic_dimensions(&self) -> bool {
        let is_dynamic = |dimension: &Dimension| matches!(dimension, Dimension::Dynamic(_));
        self.operands.iter().any(|operand| operand.descriptor.shape.iter().any(is_dynamic))
    }

    pub(super) fn compile(&self, context: &Context) -> Result<Graph> {
        match &self.rustnn_source {
            Some(Source::File(path)) => context.load(path),
            Some(Source::Graph(graph)) => {
                let folder = Folder::new()?;
                let path = folder.0.join("graph.json");
                graph.save_with(&path, SaveOptions::default().graph(GraphFormat::GraphJson).weights(WeightsFormat::Inline))?;
                context.load_bytes(read(&path)?, LoadOptions::default())
            }
            None => {
                let json = serde_json::to_vec(self).map_err(|error| Error::Data(format!("the graph has no JSON: {error}")))?;
                context.load_bytes(json, LoadOptions::default())
            }
        }
    }

    /// Checks the graph by compiling it for the reference backend, which packs no weights. Does not check a graph
    /// that libwebnn has built.
    pub(super) fn check(&self) -> Result<Graph> {
        match &self.rustnn_source {
            Some(Source::Graph(graph)) => Ok(graph.clone()),
            _ => self.compile(&reference()?),
        }
    }

    pub(super) fn save(&self, path: &Path) -> Result<()> {
        self.check()?.save(path)
    }
}

fn reference() -> Result<Context> {
    Context::with(ContextOptions::default().backend("reference"))
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::NotFound(format!("{} cannot be read: {error}", path.display())))
}

/// A new temporary directory, which is deleted when this value is dropped.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new() -> Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("webnn-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).map_err(|error| Error::Unknown(format!("{} cannot be created: {error}", path.display())))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Reads a graph of any format that [`Context::load`] reads, or a JSON file of a serialized [`GraphInfo`]. Weights are searched
/// for beside the graph.
///
/// ```
/// use webnn::rustnn::load_graph_from_path;
/// # let text = "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = neg(x); } outputs { y; } }";
/// # let path = std::env::temp_dir().join(format!("webnn-doc-{}-load.webnn", std::process::id()));
/// # std::fs::write(&path, text).unwrap();
/// let graph = load_graph_from_path(&path)?;
/// assert_eq!(graph.input_operands.len(), 1);
/// # std::fs::remove_file(path).unwrap();
/// # Ok::<(), webnn::Error>(())
/// ```
pub fn load_graph_from_path(path: impl AsRef<Path>) -> Result<GraphInfo> {
    let path = path.as_ref();
    if path.extension().is_some_and(|extension| extension == "json") {
        let content = read(path)?;
        if let Ok(graph) = serde_json::from_slice(&content) {
            return Ok(graph);
        }
    }
    let graph = reference()?.load(path)?;
    Ok(GraphInfo::with_source(graph.inputs(), graph.outputs(), Source::File(path.into())))
}
