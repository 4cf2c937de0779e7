//! Checks a `GraphInfo` by the rules of the specification and a context's limits.
use std::collections::{HashMap, HashSet};

use super::graph::{DataType, GraphInfo, Operand, OperandDescriptor};
use crate::{Error, Result};

/// Limits that a graph must respect.
///
/// ```
/// use webnn::rustnn::*;
/// let properties = ContextProperties::default();
/// assert!(GraphValidator::new(&GraphInfo::default(), properties).validate().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct ContextProperties {
    /// The largest size of an operand in bytes.
    pub tensor_byte_length_limit: usize,
    /// The data types that inputs and outputs may have.
    pub allowed_io_data_types: HashSet<DataType>,
}

impl Default for ContextProperties {
    fn default() -> Self {
        let allowed_io_data_types = DataType::ALL.iter().copied().collect();
        ContextProperties { tensor_byte_length_limit: 256 << 20, allowed_io_data_types }
    }
}

/// Properties of a valid graph, which validation has found.
///
/// ```
/// use webnn::rustnn::mlcontext::*;
/// use webnn::rustnn::*;
/// # fn main() -> webnn::Result<()> {
/// # let mut builder = MLGraphBuilder::new_uncompiled();
/// # let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2]))?;
/// # let y = builder.neg(x)?;
/// # let graph = builder.finish_graph_info(&MLNamedOperands::from([("y", y)]))?;
/// let artifacts: ValidationArtifacts = GraphValidator::new(&graph, ContextProperties::default()).validate()?;
/// assert_eq!(artifacts.output_names_to_descriptors["y"].byte_length(), Some(8));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct ValidationArtifacts {
    /// The descriptor of each input, by name.
    pub input_names_to_descriptors: HashMap<String, OperandDescriptor>,
    /// The descriptor of each output, by name.
    pub output_names_to_descriptors: HashMap<String, OperandDescriptor>,
    /// The operations that read each operand, if [`GraphInfo::operations`] lists them.
    pub operand_to_dependent_operations: HashMap<u32, Vec<String>>,
    /// The operation that computes each operand, if [`GraphInfo::operations`] lists them.
    pub operand_to_producing_operation: HashMap<u32, String>,
}

/// Checks a graph by the rules of the specification.
///
/// ```
/// use webnn::rustnn::{ContextProperties, GraphInfo, GraphValidator};
/// let error = GraphValidator::new(&GraphInfo::default(), ContextProperties::default()).validate().unwrap_err();
/// assert_eq!(error.name(), "TypeError");
/// ```
pub struct GraphValidator<'a> {
    graph: &'a GraphInfo,
    properties: ContextProperties,
}

impl<'a> GraphValidator<'a> {
    /// Returns a validator of `graph`.
    pub fn new(graph: &'a GraphInfo, properties: ContextProperties) -> Self {
        GraphValidator { graph, properties }
    }

    /// Checks the graph: first the limits of the properties, then all rules of the specification.
    pub fn validate(self) -> Result<ValidationArtifacts> {
        let mut artifacts = ValidationArtifacts::default();
        for operand in &self.graph.operands {
            self.check_size(operand)?;
        }
        for (ids, ports) in [
            (&self.graph.input_operands, &mut artifacts.input_names_to_descriptors),
            (&self.graph.output_operands, &mut artifacts.output_names_to_descriptors),
        ] {
            for &id in ids {
                let (name, descriptor) = self.port(id)?;
                if ports.insert(name.clone(), descriptor).is_some() {
                    return Err(Error::Type(format!("two inputs or outputs have the name \"{name}\".")));
                }
            }
        }
        self.graph.check()?;
        for operation in &self.graph.operations {
            for &id in &operation.input_operands {
                artifacts.operand_to_dependent_operations.entry(id).or_default().push(operation.op_type.clone());
            }
            for &id in operation.output_operand.iter().chain(&operation.output_operands) {
                artifacts.operand_to_producing_operation.insert(id, operation.op_type.clone());
            }
        }
        Ok(artifacts)
    }

    fn check_size(&self, operand: &Operand) -> Result<()> {
        let limit = self.properties.tensor_byte_length_limit;
        match operand.descriptor.byte_length() {
            Some(size) if size <= limit => Ok(()),
            size => {
                let (name, size) = (operand.name.as_deref().unwrap_or("without a name"), size.unwrap_or(usize::MAX));
                Err(Error::Type(format!("the operand {name} has {size} bytes; the limit is {limit}.")))
            }
        }
    }

    fn port(&self, id: u32) -> Result<(String, OperandDescriptor)> {
        let operand = self.graph.operand(id).ok_or_else(|| Error::Type(format!("there is no operand {id}.")))?;
        let name = operand.name.clone().filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| Error::Type(format!("the input or output {id} has no name.")))?;
        let data_type = operand.descriptor.data_type;
        if !self.properties.allowed_io_data_types.contains(&data_type) {
            return Err(Error::Type(format!(
                "\"{name}\" has the data type {}, which inputs and outputs must not have.",
                data_type.name()
            )));
        }
        Ok((name, operand.descriptor.clone()))
    }
}
