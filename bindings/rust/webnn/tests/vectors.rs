//! Runs the conformance vectors of web-platform-tests through the crate. The vectors are in the directory `WEBNN_VECTORS`, or in
//! `shared/wpt` beside the repository; without them, the test passes and says so.
mod support;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::arguments::Arguments;
use support::operation_calls::call;
use support::values::{Tolerance, element, number_of, pack};
use webnn::*;

struct Tensors {
    data_type: DataType,
    shape: Vec<u32>,
    values: Vec<Number>,
}

impl Tensors {
    fn of(json: &Value) -> Tensors {
        let values = match &json["data"] {
            Value::Array(values) => values.iter().map(number_of).collect(),
            value => vec![number_of(value)],
        };
        Tensors {
            data_type: DataType::from_name(json["dataType"].as_str().unwrap()).unwrap(),
            shape: json["shape"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap() as u32).collect(),
            values,
        }
    }

    fn count(&self) -> usize {
        self.shape.iter().map(|&size| size as usize).product()
    }

    fn bytes(&self) -> Vec<u8> {
        if self.values.len() == 1 && self.count() > 1 {
            return pack(self.data_type, &vec![self.values[0]; self.count()]);
        }
        pack(self.data_type, &self.values)
    }
}

fn build(context: &Context, graph: &Value, expected: &[(&str, Tensors)]) -> Result<Graph> {
    let builder = GraphBuilder::new(context)?;
    let mut operands = HashMap::new();
    for (name, input) in graph["inputs"].as_object().unwrap() {
        let tensor = Tensors::of(input);
        let operand = if input["constant"].as_bool() == Some(true) {
            builder.constant_bytes(tensor.data_type, &tensor.shape, &tensor.bytes())?
        } else {
            builder.input(name, tensor.data_type, &tensor.shape)?
        };
        operands.insert(name.clone(), operand);
    }
    for operator in graph["operators"].as_array().unwrap() {
        let results = call(&builder, operator["name"].as_str().unwrap(), &Arguments::of(operator, &operands))?;
        let names: Vec<&Value> = match &operator["outputs"] {
            Value::Array(names) => names.iter().collect(),
            name => vec![name],
        };
        assert_eq!(names.len(), results.len());
        for (name, result) in names.into_iter().zip(results) {
            operands.insert(name.as_str().unwrap().to_owned(), result);
        }
    }
    let outputs: Vec<_> = expected.iter().map(|(name, _)| (*name, operands[*name])).collect();
    builder.build(&outputs)
}

/// Runs a case. Returns a description of the first wrong output, or None if all outputs are as expected.
fn run(context: &Context, case: &Value) -> Result<Option<String>> {
    let graph = &case["graph"];
    let expected = graph["expectedOutputs"].as_object().unwrap().iter();
    let expected: Vec<(&str, Tensors)> = expected.map(|(name, output)| (name.as_str(), Tensors::of(output))).collect();
    let built = build(context, graph, &expected)?;
    let mut inputs = Vec::new();
    for port in built.inputs() {
        let tensor = context.create_any_tensor(port.data_type, &port.shape, false, true)?;
        context.write_bytes(&tensor, &Tensors::of(&graph["inputs"][&port.name]).bytes())?;
        inputs.push((port.name.as_str(), tensor));
    }
    let mut outputs = Vec::new();
    for port in built.outputs() {
        outputs.push((port.name.as_str(), context.create_any_tensor(port.data_type, &port.shape, true, false)?));
    }
    let given: Vec<_> = inputs.iter().map(|(name, tensor)| (*name, tensor)).collect();
    let taken: Vec<_> = outputs.iter().map(|(name, tensor)| (*name, tensor)).collect();
    context.dispatch(&built, &given, &taken)?;
    let tolerance = Tolerance::of(&case["tolerance"]);
    for ((name, tensor), (_, expected)) in outputs.iter().zip(&expected) {
        if (tensor.data_type(), tensor.shape()) != (expected.data_type, &expected.shape[..]) {
            return Ok(Some(format!("{name} is {} {:?}", tensor.data_type().name(), tensor.shape())));
        }
        let mut bytes = vec![0; tensor.byte_length()];
        context.read_bytes_into(tensor, &mut bytes)?;
        let scalar = expected.values.len() == 1;
        for index in 0..if scalar { expected.count().min(1000) } else { expected.count() } {
            let actual = element(expected.data_type, &bytes, index);
            let wanted = expected.values[if scalar { 0 } else { index }];
            if !tolerance.allows(expected.data_type, actual, wanted) {
                return Ok(Some(format!("{name}[{index}] is {actual:?}, expected {wanted:?} ({tolerance:?})")));
            }
        }
    }
    Ok(None)
}

fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/wpt");
    std::env::var_os("WEBNN_VECTORS").map(PathBuf::from).or_else(|| beside.is_dir().then_some(beside))
}

fn run_all(backend: &str) {
    let Some(folder) = folder() else {
        println!("skipped: there are no vectors");
        return;
    };
    let context = Context::with(ContextOptions::default().backend(backend)).unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let (mut passed, mut failures) = (0, Vec::new());
    for path in files {
        let json: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for case in json["cases"].as_array().unwrap() {
            match run(&context, case) {
                Ok(None) => passed += 1,
                Ok(Some(wrong)) => failures.push(format!("{}: {wrong}", case["name"])),
                Err(error) => failures.push(format!("{}: {error}", case["name"])),
            }
        }
    }
    println!("{backend}: {passed} vectors passed, {} failed", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(passed > 0);
}

#[test]
fn all_vectors_pass_on_the_cpu_engine() {
    run_all("cpu");
}
