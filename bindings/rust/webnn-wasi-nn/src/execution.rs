use std::sync::Arc;

use wasmtime::format_err;
use wasmtime_wasi_nn::backend::{BackendError, BackendExecutionContext, BackendGraph, Id, NamedTensor};
use wasmtime_wasi_nn::{ExecutionContext, Tensor};
use webnn::{Array, DataType, Output, Results, Session, View};

use crate::errors::{failed, logged};
use crate::tensor::{data_type_of, shape_for, tensor_of};

struct Input {
    name: String,
    data_type: Option<DataType>,
    /// The sizes, if the model declares them; 0 is an open dimension.
    shape: Option<Vec<u32>>,
}

/// A loaded model, which all execution contexts of a graph share.
struct Parts {
    session: Session,
    inputs: Vec<Input>,
    outputs: Vec<String>,
}

pub(crate) struct Model(Arc<Parts>);

impl Model {
    pub(crate) fn new(session: Session) -> webnn::Result<Model> {
        let inputs = session.inputs()?.into_iter().map(|(name, data_type, shape)| Input { name, data_type, shape }).collect();
        let outputs = session.outputs()?.into_iter().map(|(name, _, _)| name).collect();
        Ok(Model(Arc::new(Parts { session, inputs, outputs })))
    }
}

impl BackendGraph for Model {
    fn init_execution_context(&self) -> Result<ExecutionContext, BackendError> {
        let values = self.0.inputs.iter().map(|_| None).collect();
        let execution: Box<dyn BackendExecutionContext> = Box::new(Execution { parts: self.0.clone(), values, results: None });
        Ok(execution.into())
    }
}

/// An input's elements, checked against the model's declaration.
struct Value {
    data_type: DataType,
    shape: Vec<u32>,
    data: Vec<u8>,
}

/// The inputs that a guest has set, and the results of its last run.
struct Execution {
    parts: Arc<Parts>,
    values: Vec<Option<Value>>,
    results: Option<Results>,
}

impl Execution {
    fn run(&self, values: &[Option<Value>]) -> Result<Results, BackendError> {
        let mut arrays = Vec::new();
        for (input, value) in self.parts.inputs.iter().zip(values) {
            if let Some(Value { data_type, shape, data }) = value {
                arrays.push((input.name.as_str(), Array { shape, elements: View::from_bytes(*data_type, data) }));
            }
        }
        self.parts.session.run(&arrays).map_err(|error| failed(error, "cannot run the model"))
    }

    fn value_of(&self, index: usize, tensor: &Tensor) -> Result<Value, BackendError> {
        let input = &self.parts.inputs[index];
        let data_type = data_type_of(tensor.ty, &input.name)?;
        if let Some(declared) = input.data_type
            && declared != data_type
        {
            let (own, declared) = (data_type.name(), declared.name());
            return Err(format_err!("the input {:?} is {own}; the model declares {declared}.", input.name).into());
        }
        let shape = shape_for(tensor, data_type, input.shape.as_deref(), &input.name)?;
        Ok(Value { data_type, shape, data: tensor.data.clone() })
    }
}

impl Execution {
    fn set(&mut self, id: Id, tensor: &Tensor) -> Result<(), BackendError> {
        let index = find("input", &id, self.parts.inputs.iter().map(|input| input.name.as_str()))?;
        self.values[index] = Some(self.value_of(index, tensor)?);
        Ok(())
    }

    fn compute_with(&mut self, inputs: Option<Vec<NamedTensor>>) -> Result<Option<Vec<NamedTensor>>, BackendError> {
        let Some(inputs) = inputs else {
            self.results = None; // a failed run leaves no results of an earlier run
            self.results = Some(self.run(&self.values)?);
            return Ok(None);
        };
        let mut values: Vec<Option<Value>> = self.parts.inputs.iter().map(|_| None).collect();
        for NamedTensor { name, tensor } in inputs {
            let index = find("input", &Id::Name(name), self.parts.inputs.iter().map(|input| input.name.as_str()))?;
            if values[index].is_some() {
                return Err(format_err!("the input {:?} is given twice.", self.parts.inputs[index].name).into());
            }
            values[index] = Some(self.value_of(index, &tensor)?);
        }
        let results = self.run(&values)?;
        let outputs = (0..results.len()).map(|index| {
            let output = results.get(index).map_err(|error| failed(error, "cannot read an output"))?;
            Ok(NamedTensor { tensor: tensor_of(&output)?, name: output.name })
        });
        outputs.collect::<Result<_, BackendError>>().map(Some)
    }

    fn get(&self, id: Id) -> Result<Tensor, BackendError> {
        let index = find("output", &id, self.parts.outputs.iter().map(String::as_str))?;
        let name = &self.parts.outputs[index];
        let results =
            self.results.as_ref().ok_or_else(|| format_err!("the output {name:?} has no value before a run succeeds."))?;
        let output: Output<'_> = results.find(name).map_err(|error| failed(error, "cannot read an output"))?;
        tensor_of(&output)
    }
}

impl BackendExecutionContext for Execution {
    fn set_input(&mut self, id: Id, tensor: &Tensor) -> Result<(), BackendError> {
        logged(self.set(id, tensor))
    }

    fn compute(&mut self, inputs: Option<Vec<NamedTensor>>) -> Result<Option<Vec<NamedTensor>>, BackendError> {
        logged(self.compute_with(inputs))
    }

    fn get_output(&mut self, id: Id) -> Result<Tensor, BackendError> {
        logged(self.get(id))
    }
}

/// Returns the index of the input or output `id`.
fn find<'a>(what: &str, id: &Id, mut names: impl ExactSizeIterator<Item = &'a str> + Clone) -> Result<usize, BackendError> {
    let (count, all) = (names.len(), names.clone());
    let found = match id {
        Id::Index(index) => usize::try_from(*index).ok().filter(|index| *index < count),
        Id::Name(name) => names.position(|own| own == name),
    };
    found.ok_or_else(|| {
        let listed: Vec<&str> = all.collect();
        match id {
            Id::Index(index) => format_err!("the model has no {what} {index}; it has {count}: {listed:?}.").into(),
            Id::Name(name) => format_err!("the model has no {what} {name:?}; it has {listed:?}.").into(),
        }
    })
}
