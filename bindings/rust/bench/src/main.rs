//! Compares the times of calls of the crate webnn with those of the C++ API: alternating loops, and the least time of each.
//!
//! usage: [WEBNN_BENCH_ONLY=TEXT] webnn-bench [MODEL]. TEXT is a part of the names of the calls to measure.
use std::ffi::{CString, c_char, c_void};
use std::time::Instant;

use webnn::*;

unsafe extern "C" {
    fn cpp_model(path: *const c_char) -> *mut c_void;
    fn cpp_add(model: *mut c_void, count: u64) -> u64;
    fn cpp_conv2d(model: *mut c_void, count: u64) -> u64;
    fn cpp_create_tensor(model: *mut c_void, count: u64) -> u64;
    fn cpp_write(model: *mut c_void, count: u64) -> u64;
    fn cpp_read(model: *mut c_void, count: u64) -> u64;
    fn cpp_compute(model: *mut c_void, count: u64) -> u64;
    fn cpp_dispatch(model: *mut c_void, count: u64) -> u64;
    fn cpp_dispatch_and_read(model: *mut c_void, count: u64) -> u64;
    fn cpp_build(model: *mut c_void, count: u64) -> u64;
}

struct Model {
    context: Context,
    graph: Graph,
    inputs: Vec<(String, AnyTensor)>,
    outputs: Vec<(String, AnyTensor)>,
    input_bytes: Vec<Vec<u8>>,
    output_bytes: Vec<Vec<u8>>,
}

fn model(path: &str) -> Result<Model> {
    let context = Context::with(ContextOptions::default().backend("cpu").threads(1))?;
    let graph = if path.is_empty() {
        let builder = GraphBuilder::new(&context)?;
        builder.build(&[("y", builder.relu(builder.input("x", DataType::Float32, &[4])?)?)])?
    } else {
        context.load(path)?
    };
    let tensors = |ports: &[NamedDescriptor], readable| {
        let tensor = |port: &NamedDescriptor| {
            let tensor = context.create_any_tensor(port.data_type, &port.shape, readable, !readable)?;
            Ok((port.name.clone(), tensor))
        };
        ports.iter().map(tensor).collect::<Result<Vec<_>>>()
    };
    let (inputs, outputs) = (tensors(graph.inputs(), false)?, tensors(graph.outputs(), true)?);
    let bytes = |ports: &[NamedDescriptor]| ports.iter().map(|port| vec![0; port.byte_length()]).collect();
    let (input_bytes, output_bytes) = (bytes(graph.inputs()), bytes(graph.outputs()));
    Ok(Model { context, graph, inputs, outputs, input_bytes, output_bytes })
}

fn named(tensors: &[(String, AnyTensor)]) -> Vec<(&str, &AnyTensor)> {
    tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect()
}

fn time_of(run: impl FnOnce() -> Result<()>) -> u64 {
    let start = Instant::now();
    run().expect("the call succeeds");
    start.elapsed().as_nanos() as u64
}

fn add(model: &mut Model, count: u64) -> u64 {
    let builder = GraphBuilder::new(&model.context).expect("a builder");
    let x = builder.input("x", DataType::Float32, &[4]).expect("an input");
    time_of(|| (0..count).try_for_each(|_| builder.add(x, x).map(drop)))
}

fn conv2d(model: &mut Model, count: u64) -> u64 {
    let builder = GraphBuilder::new(&model.context).expect("a builder");
    let x = builder.input("x", DataType::Float32, &[1, 3, 8, 8]).expect("an input");
    let w = builder.input("w", DataType::Float32, &[2, 3, 3, 3]).expect("an input");
    let options = || Conv2dOptions::default().label("stem").padding(&[1, 1, 1, 1]).strides(&[2, 2]);
    time_of(|| (0..count).try_for_each(|_| builder.conv2d_with(x, w, options()).map(drop)))
}

fn create_tensor(model: &mut Model, count: u64) -> u64 {
    time_of(|| (0..count).try_for_each(|_| model.context.create_tensor::<f32>(&[4]).map(drop)))
}

fn write(model: &mut Model, count: u64) -> u64 {
    time_of(|| (0..count).try_for_each(|_| model.context.write_bytes(&model.inputs[0].1, &model.input_bytes[0])))
}

fn read(model: &mut Model, count: u64) -> u64 {
    let Model { context, outputs, output_bytes, .. } = model;
    time_of(|| (0..count).try_for_each(|_| context.read_bytes_into(&outputs[0].1, &mut output_bytes[0])))
}

fn compute(model: &mut Model, count: u64) -> u64 {
    let Model { graph, input_bytes, output_bytes, .. } = model;
    let views = input_bytes.iter().zip(graph.inputs()).map(|(bytes, port)| View::from_bytes(port.data_type, bytes));
    let views: Vec<_> = views.collect();
    let places = output_bytes.iter_mut().zip(graph.outputs()).map(|(bytes, port)| ViewMut::from_bytes(port.data_type, bytes));
    let mut places: Vec<_> = places.collect();
    time_of(|| (0..count).try_for_each(|_| graph.compute(&views, &mut places)))
}

fn dispatch(model: &mut Model, count: u64) -> u64 {
    let (inputs, outputs) = (named(&model.inputs), named(&model.outputs));
    let time = time_of(|| (0..count).try_for_each(|_| model.context.dispatch(&model.graph, &inputs, &outputs)));
    model.context.read_bytes_into(&model.outputs[0].1, &mut model.output_bytes[0]).expect("the runs succeed");
    time
}

fn dispatch_and_read(model: &mut Model, count: u64) -> u64 {
    let Model { context, graph, inputs, outputs, output_bytes, .. } = model;
    let (given, taken) = (named(inputs), named(outputs));
    time_of(|| {
        (0..count).try_for_each(|_| {
            context.dispatch(graph, &given, &taken)?;
            context.read_bytes_into(taken[0].1, &mut output_bytes[0])
        })
    })
}

fn build(model: &mut Model, count: u64) -> u64 {
    time_of(|| {
        let builder = GraphBuilder::new(&model.context)?;
        let x = builder.input("x", DataType::Float32, &[4])?;
        let mut y = x;
        for _ in 0..count / 2 {
            y = builder.tanh(builder.add(y, x)?)?;
        }
        builder.build(&[("y", y)]).map(drop)
    })
}

type Cpp = unsafe extern "C" fn(*mut c_void, u64) -> u64;
type Rust = fn(&mut Model, u64) -> u64;

/// Prints the least times of one call, or of one item, in `rounds` alternating loops of `count` calls.
fn compare(name: &str, cpp: (Cpp, *mut c_void), rust: (Rust, &mut Model), count: u64, rounds: u64) {
    let (mut least_cpp, mut least_rust) = (u64::MAX, u64::MAX);
    for _ in 0..rounds {
        // SAFETY: the pointer comes from cpp_model(), and the model lives until the end of the process.
        least_cpp = least_cpp.min(unsafe { cpp.0(cpp.1, count) });
        least_rust = least_rust.min(rust.0(rust.1, count));
    }
    let (cpp, rust) = (least_cpp as f64 / count as f64, least_rust as f64 / count as f64);
    println!("{name:34} {cpp:12.1} {rust:12.1} {:+10.1} {:8.3}", rust - cpp, rust / cpp);
}

fn main() -> Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let cpp_of = |path: &str| {
        let path = CString::new(path).expect("a path without zeros");
        // SAFETY: the text ends with a zero.
        unsafe { cpp_model(path.as_ptr()) }
    };
    let (small, mut own) = (cpp_of(""), model("")?);
    println!("{:34} {:>12} {:>12} {:>10} {:>8}", "ns per call", "C++", "Rust", "Rust - C++", "ratio");
    let calls: [(&str, Cpp, Rust, u64); 8] = [
        ("builder.add", cpp_add, add, 1000),
        ("builder.conv2d with 3 options", cpp_conv2d, conv2d, 1000),
        ("context.createTensor of 16 bytes", cpp_create_tensor, create_tensor, 1000),
        ("context.write of 16 bytes", cpp_write, write, 1000),
        ("context.read of 16 bytes", cpp_read, read, 300),
        ("graph.compute of relu", cpp_compute, compute, 1000),
        ("context.dispatch of relu", cpp_dispatch, dispatch, 1000),
        ("dispatch and read of relu", cpp_dispatch_and_read, dispatch_and_read, 300),
    ];
    let only = std::env::var("WEBNN_BENCH_ONLY").unwrap_or_default();
    for (name, cpp, rust, count) in calls.into_iter().filter(|call| call.0.contains(&only)) {
        compare(name, (cpp, small), (rust, &mut own), count, 400);
    }
    compare("build of 64,000 operations", (cpp_build, small), (build, &mut own), 64_000, 15);
    if !path.is_empty() {
        let (large, mut own) = (cpp_of(&path), model(&path)?);
        compare("dispatch and read of the model", (cpp_dispatch_and_read, large), (dispatch_and_read, &mut own), 1, 100);
        compare("compute of the model", (cpp_compute, large), (compute, &mut own), 1, 100);
    }
    Ok(())
}
