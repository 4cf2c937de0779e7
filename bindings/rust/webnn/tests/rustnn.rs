//! Tests that calls from rustnn's documentation and examples work with the module `webnn::rustnn`.
#![cfg(feature = "rustnn")]
use std::collections::HashMap;
use std::path::PathBuf;

use webnn::rustnn;
use webnn::rustnn::converters::OnnxConverter;
use webnn::rustnn::graph::Dimension;
use webnn::rustnn::mlcontext::{
    Backend, MLContext, MLContextOptions, MLGraph, MLGraphBuilder, MLNamedOperands, MLNamedTensors, MLOperandDescriptor,
    MLPowerPreference, MLTensorDescriptor,
};
use webnn::rustnn::operator_enums::{MLConv2dFilterOperandLayout, MLInputOperandLayout, MLOperandDataType};
use webnn::rustnn::operator_options::{
    MLConv2dOptions, MLPadOptions, MLPool2dOptions, MLReduceOptions, MLSplitOptions, MLTriangularOptions,
};
use webnn::rustnn::{ContextProperties, ConverterRegistry, GraphConverter, GraphInfo, GraphValidator, load_graph_from_path};

fn context() -> MLContext<'static> {
    MLContext::create(&MLContextOptions::new(MLPowerPreference::Default, false)).unwrap()
}

fn digits() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/digits"))
}

fn run(context: &mut MLContext, graph: &mut MLGraph, input: (&str, Vec<u64>, &[f32]), output: (&str, Vec<u64>)) -> Vec<f32> {
    let descriptor = |shape: &[u64]| MLTensorDescriptor::new(MLOperandDataType::Float32, shape.to_vec());
    let x = context.create_tensor(&descriptor(&input.1).to_writable()).unwrap();
    let y = context.create_tensor(&descriptor(&output.1).to_readable()).unwrap();
    context.write_tensor(&x, input.2).unwrap();
    let (inputs, outputs) = (HashMap::from([(input.0, &x)]), HashMap::from([(output.0, &y)]));
    context.dispatch(graph, &inputs, &outputs).unwrap();
    let mut result = vec![0f32; output.1.iter().product::<u64>() as usize];
    context.read_tensor(&y, &mut result).unwrap();
    result
}

/// y = max(x * 2 - 3, 0), as JSON in rustnn's form. The bytes of 2 and -3 as float32 are base64.
const SMALL_GRAPH: &str = r#"{
  "operands": [
    {"kind": "input", "name": "x", "descriptor": {"data_type": "float32", "shape": [4]}},
    {"kind": "constant", "name": "two", "descriptor": {"data_type": "float32", "shape": []}},
    {"kind": "constant", "descriptor": {"data_type": "float32", "shape": []}},
    {"kind": "intermediate", "descriptor": {"data_type": "float32", "shape": [4]}},
    {"kind": "intermediate", "descriptor": {"data_type": "float32", "shape": [4]}},
    {"kind": "output", "name": "y", "descriptor": {"data_type": "float32", "shape": [4]}}
  ],
  "input_operands": [0],
  "output_operands": [5],
  "operations": [
    {"type": "mul", "input_operands": [0, 1], "output_operand": 3, "attributes": {}},
    {"type": "add", "input_operands": [3, 2], "output_operand": 4, "attributes": {}},
    {"type": "relu", "input_operands": [4], "output_operand": 5, "attributes": {}, "label": "positive"}
  ],
  "constant_operand_ids_to_handles": {"1": {"data": "AAAAQA=="}, "2": {"data": "AABAwA=="}}
}"#;

#[test]
fn the_minimal_program_of_the_readme_runs() -> rustnn::error::Result<()> {
    let mut context = context();
    let mut builder = MLGraphBuilder::new(&mut context)?;
    let descriptor = MLOperandDescriptor::new(MLOperandDataType::Float32, vec![3]);
    let x = builder.input("x", &descriptor)?;
    let half = builder.constant_from_slice(&descriptor, &[0.5f32; 3])?;
    let product = builder.mul(x, half)?;
    let y = builder.abs(product)?;
    let mut outputs = MLNamedOperands::new();
    outputs.insert("y", y);
    let mut graph = builder.build(&outputs)?;

    let tensor = MLTensorDescriptor::new(MLOperandDataType::Float32, vec![3]);
    let x = context.create_tensor(&tensor.to_writable())?;
    let y = context.create_tensor(&tensor.to_readable())?;
    context.write_tensor(&x, &[-4f32, 1., 8.])?;
    let mut inputs = MLNamedTensors::new();
    inputs.insert("x", &x);
    let mut outputs = MLNamedTensors::new();
    outputs.insert("y", &y);
    context.dispatch(&mut graph, &inputs, &outputs)?;
    let mut result = [0f32; 3];
    context.read_tensor(&y, &mut result)?;
    assert_eq!(result, [2., 0.5, 4.]);
    assert_eq!(builder.add(product, half).unwrap_err().name(), "InvalidStateError");
    Ok(())
}

#[test]
fn a_graph_in_json_is_validated_converted_and_run() {
    let graph: GraphInfo = serde_json::from_str(SMALL_GRAPH).unwrap();
    let artifacts = GraphValidator::new(&graph, ContextProperties::default()).validate().unwrap();
    assert_eq!(artifacts.input_names_to_descriptors["x"].shape, [Dimension::Static(4)]);
    assert_eq!(artifacts.output_names_to_descriptors["y"].byte_length(), Some(16));
    assert_eq!(artifacts.operand_to_producing_operation[&5], "relu");
    assert_eq!(artifacts.operand_to_dependent_operations[&3], ["add"]);

    let mut context = context();
    let mut compiled = MLGraphBuilder::new(&mut context).unwrap().build_graph_info(graph.clone()).unwrap();
    let result = run(&mut context, &mut compiled, ("x", vec![4], &[0., 1., 2., 3.]), ("y", vec![4]));
    assert_eq!(result, [0., 0., 1., 3.]);

    // The converted model, and the graph after a round trip through JSON, must compute the same results.
    let model = ConverterRegistry::with_defaults().convert("ONNX", &graph).unwrap();
    assert_eq!((model.format, model.weights_data), ("onnx", None));
    assert_eq!(model.data, OnnxConverter.convert(&graph).unwrap().data);
    let own = webnn::Context::new().unwrap().load_bytes(model.data, webnn::LoadOptions::default()).unwrap();
    let again: GraphInfo = serde_json::from_str(&serde_json::to_string(&graph).unwrap()).unwrap();
    let again = MLGraphBuilder::new(&mut context).unwrap().build_graph_info(again).unwrap();
    for graph in [&own, again.graph()] {
        let mut result = [0f32; 4];
        graph.compute(&[(&[0f32, 1., 2., 3.]).into()], &mut [(&mut result).into()]).unwrap();
        assert_eq!(result, [0., 0., 1., 3.]);
    }
}

#[test]
fn base64_of_each_length_survives() {
    use webnn::rustnn::ConstantData;
    for length in 0..10 {
        let data: Vec<u8> = (0..length).map(|i: u8| i.wrapping_mul(37).wrapping_add(200)).collect();
        let json = serde_json::to_string(&ConstantData { data: data.clone(), label: None }).unwrap();
        assert_eq!(serde_json::from_str::<ConstantData>(&json).unwrap().data, data);
    }
    assert_eq!(serde_json::to_value(ConstantData { data: b"abcd".into(), label: None }).unwrap()["data"], "YWJjZA==");
    for bad in ["A", "AA=A", "A===", "AAA*"] {
        let error = serde_json::from_value::<ConstantData>(serde_json::json!({ "data": bad })).unwrap_err();
        assert!(error.to_string().contains("base64"), "{bad}: {error}");
    }
}

#[test]
fn a_file_is_loaded_validated_and_run() {
    let graph = load_graph_from_path(digits().join("digits.webnn")).unwrap();
    let artifacts = GraphValidator::new(&graph, ContextProperties::default()).validate().unwrap();
    assert_eq!(artifacts.input_names_to_descriptors["image"].static_or_max_shape(), [1, 1, 28, 28]);
    assert_eq!(artifacts.output_names_to_descriptors.keys().collect::<Vec<_>>(), ["probabilities"]);

    let mut reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(digits().join("samples/7.png")).unwrap()))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let picture: Vec<f32> = pixels.iter().map(|&pixel| f32::from(pixel) / 255.0).collect();
    let json = std::fs::read_to_string(digits().join("expected.json")).unwrap();
    let expected: HashMap<String, Vec<f64>> = serde_json::from_str(&json).unwrap();

    let mut context = context();
    let mut compiled = MLGraphBuilder::new(&mut context).unwrap().build_graph_info(graph).unwrap();
    let result = run(&mut context, &mut compiled, ("image", vec![1, 1, 28, 28], &picture), ("probabilities", vec![1, 10]));
    for (actual, expected) in result.iter().zip(&expected["samples/7.png"]) {
        assert!((f64::from(*actual) - expected).abs() < 1e-5, "{result:?}");
    }
}

#[test]
fn options_have_their_effect() {
    let mut context = context();
    let mut builder = MLGraphBuilder::new(&mut context).unwrap();
    let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![1, 3, 3, 1])).unwrap();
    let filter = MLOperandDescriptor::new(MLOperandDataType::Float32, vec![1, 1, 1, 2]);
    let filter = builder.constant_from_slice(&filter, &[1f32, -1.]).unwrap();
    let bias = builder.constant_from_slice(&MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2]), &[10f32, 20.]).unwrap();
    let conv = MLConv2dOptions {
        label: "stem".into(),
        strides: vec![2, 2],
        input_layout: MLInputOperandLayout::Nhwc,
        filter_layout: MLConv2dFilterOperandLayout::Hwio,
        bias: Some(bias.rustnn_index()),
        ..Default::default()
    };
    // For each element x in rows 0 and 2 and columns 0 and 2, y has the channels 10 + x and 20 - x.
    let y = builder.conv2d_with_options(x, filter, conv).unwrap();
    assert_eq!(builder.rustnn_operand_shape(y).unwrap(), [1, 2, 2, 2]);
    let padding = vec![0, 0, 1, 0];
    let pad = MLPadOptions { value: Some(5.into()), ..Default::default() };
    let y = builder.pad_with_options(y, padding.clone(), padding, pad).unwrap();
    assert_eq!(builder.rustnn_operand_shape(y).unwrap(), [1, 2, 4, 2]);
    let reduce = MLReduceOptions { axes: Some(vec![1, 3]), keep_dimensions: true, ..Default::default() };
    let y = builder.reduce_sum_with_options(y, reduce).unwrap();
    let y = builder.reshape(y, vec![4]).unwrap();
    let mut graph = builder.build(&HashMap::from([("y", y)])).unwrap();
    let x: Vec<f32> = (0u8..9).map(f32::from).collect();
    // Each pixel contributes (10 + x) + (20 - x) = 30, so each column has 2 * 30, and each padded column has 4 * 5.
    let result = run(&mut context, &mut graph, ("x", vec![1, 3, 3, 1], &x), ("y", vec![4]));
    assert_eq!(result, [20., 60., 60., 20.]);
}

#[test]
fn several_results_and_many_outputs() {
    let mut context = context();
    let mut builder = MLGraphBuilder::new(&mut context).unwrap();
    let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![4])).unwrap();
    let parts = builder.split(x, [1, 3]).unwrap();
    let joined = builder.concat(&[parts[1], parts[0]], 0).unwrap();
    let graph = builder.build(&HashMap::from([("z", joined), ("a", parts[0])])).unwrap();
    assert_eq!(graph.graph().outputs().iter().map(|port| port.name.as_str()).collect::<Vec<_>>(), ["a", "z"]);
    let (mut a, mut z) = ([0f32; 1], [0f32; 4]);
    graph.graph().compute(&[(&[1f32, 2., 3., 4.]).into()], &mut [(&mut a).into(), (&mut z).into()]).unwrap();
    assert_eq!((a, z), ([1.], [2., 3., 4., 1.]));
}

#[test]
fn a_builder_without_a_context_saves_and_converts() {
    let mut builder = MLGraphBuilder::new_uncompiled();
    let descriptor = MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2]);
    let x = builder.input("x", &descriptor).unwrap();
    let w = builder.constant_from_slice(&descriptor, &[3f32, -3.]).unwrap();
    let y = builder.mul(x, w).unwrap();
    let folder = std::env::temp_dir().join(format!("webnn-rustnn-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("model.webnn");
    let info = builder.rustnn_save_webnn(&HashMap::from([("y", y)]), &path).unwrap();
    assert!(!ConverterRegistry::with_defaults().convert("onnx", &info).unwrap().data.is_empty());
    let mut context = context();
    for graph in [info, load_graph_from_path(&path).unwrap()] {
        let mut compiled = MLGraphBuilder::new(&mut context).unwrap().build_graph_info(graph).unwrap();
        assert_eq!(run(&mut context, &mut compiled, ("x", vec![2], &[1., 2.]), ("y", vec![2])), [3., -6.]);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn errors_name_the_invalid_argument() {
    let mut context = context();
    let mut builder = MLGraphBuilder::new(&mut context).unwrap();
    let error = builder.relu(3.into()).unwrap_err();
    assert!(error.message().contains("operand 3") && error.message().contains("0 operands"), "{error}");
    let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![1, 1, 2, 2])).unwrap();
    let options = MLPool2dOptions { layout: "nwhc".into(), ..Default::default() };
    let error = builder.max_pool2d_with_options(x, options).unwrap_err();
    assert!(error.message().contains("\"nwhc\"") && error.message().contains("nchw, nhwc"), "{error}");
    let error = MLContext::create(&MLContextOptions::new(MLPowerPreference::Default, true).with_rustnn_backend_hint(Backend::Trtx));
    assert_eq!(error.unwrap_err().name(), "NotSupportedError");

    let graph: GraphInfo = serde_json::from_str(SMALL_GRAPH).unwrap();
    let small = ContextProperties { tensor_byte_length_limit: 15, ..Default::default() };
    let error = GraphValidator::new(&graph, small).validate().unwrap_err();
    assert!(error.message().contains("16 bytes") && error.message().contains("15"), "{error}");
    let mut wrong = graph.clone();
    wrong.operations[0].op_type = "multiply".into();
    let error = GraphValidator::new(&wrong, ContextProperties::default()).validate().unwrap_err();
    assert!(error.message().contains("multiply"), "{error}");
    let error = ConverterRegistry::with_defaults().convert("tflite", &graph).unwrap_err();
    assert!(error.message().contains("tflite") && error.message().contains("onnx"), "{error}");

    let tensor = context.create_tensor(&MLTensorDescriptor::new(MLOperandDataType::Float32, vec![4]).to_writable()).unwrap();
    assert!(context.write_tensor(&tensor, &[1f64, 2., 3., 4.]).is_err());
    assert!(context.read_tensor(&tensor, &mut [0f32; 4]).is_err());
}

#[test]
fn constants_of_all_kinds_and_equal_parts_are_built_from_a_file() -> rustnn::error::Result<()> {
    let mut builder = MLGraphBuilder::new_uncompiled();
    let row = MLOperandDescriptor::new(MLOperandDataType::Float32, vec![4]);
    let x = builder.input("x", &row)?;
    let bytes = builder.constant_from_bytes(&row, [1f32, 2., 3., 4.].iter().flat_map(|value| value.to_le_bytes()).collect())?;
    let values = builder.constant_from_vec(&row, vec![10f32; 4])?;
    let half = builder.constant_from_value(MLOperandDataType::Float32, 0.5f32)?;
    let short = builder.constant_from_bytes(&row, vec![0; 12]).unwrap_err();
    assert!(short.message().contains("12"), "{short}");
    let (sum, scaled) = (builder.add(x, bytes)?, builder.mul(values, half)?);
    let total = builder.add(sum, scaled)?;
    let parts = builder.split_equal_with_options(total, 2, MLSplitOptions::default())?;
    let y = builder.add(parts[0], parts[1])?;
    let graph = builder.finish_graph_info(&MLNamedOperands::from([("y", y)]))?;
    let mut context = context();
    let mut built = context.rustnn_build_graph(graph)?;
    assert_eq!(run(&mut context, &mut built, ("x", vec![4], &[0.; 4]), ("y", vec![2])), [14., 16.]);
    Ok(())
}

#[test]
fn an_absent_option_upper_keeps_the_upper_triangle() -> rustnn::error::Result<()> {
    for (upper, expected) in [(None, [1., 2., 0., 4.]), (Some(true), [1., 2., 0., 4.]), (Some(false), [1., 0., 3., 4.])] {
        let mut context = context();
        let mut builder = MLGraphBuilder::new(&mut context)?;
        let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2, 2]))?;
        let y = builder.triangular_with_options(x, MLTriangularOptions { upper, ..Default::default() })?;
        let mut graph = builder.build(&MLNamedOperands::from([("y", y)]))?;
        assert_eq!(run(&mut context, &mut graph, ("x", vec![2, 2], &[1., 2., 3., 4.]), ("y", vec![2, 2])), expected);
    }
    Ok(())
}
