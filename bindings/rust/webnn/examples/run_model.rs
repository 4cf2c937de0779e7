//! A command line tool: prints the inputs and outputs of a model, and runs it on random numbers or zeros.
//!
//! usage: cargo run --example run_model MODEL [--backend NAME] [--random SEED] [--size NAME=SIZE]...
use std::time::Instant;

use webnn::{Context, ContextOptions, Graph, LoadOptions, NamedDescriptor, Result, View, ViewMut};

/// Returns random numbers from 0 to 1 for a float32 input if a seed is given (`state` is not 0), otherwise zeros.
fn input_of(port: &NamedDescriptor, state: &mut u64) -> Vec<u8> {
    if *state == 0 || port.data_type != webnn::DataType::Float32 {
        return vec![0; port.byte_length()];
    }
    let mut next = || {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 40) as f32 / (1u64 << 24) as f32
    };
    (0..port.element_count()).flat_map(|_| next().to_le_bytes()).collect()
}

fn run(graph: &Graph, mut seed: u64) -> Result<()> {
    let inputs: Vec<Vec<u8>> = graph.inputs().iter().map(|port| input_of(port, &mut seed)).collect();
    let mut outputs: Vec<Vec<u8>> = graph.outputs().iter().map(|port| vec![0; port.byte_length()]).collect();
    let views: Vec<View> = inputs.iter().zip(graph.inputs()).map(|(bytes, port)| View::from_bytes(port.data_type, bytes)).collect();
    let places = outputs.iter_mut().zip(graph.outputs()).map(|(bytes, port)| ViewMut::from_bytes(port.data_type, bytes));
    let start = Instant::now();
    graph.compute(&views, &mut places.collect::<Vec<_>>())?;
    println!("ran in {:.3} ms", start.elapsed().as_secs_f64() * 1e3);
    for (port, bytes) in graph.outputs().iter().zip(&outputs) {
        let numbers = bytes.chunks_exact(4).take(8).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        println!("output {}: {} {:?}", port.name, port.data_type.name(), port.shape);
        if port.data_type == webnn::DataType::Float32 {
            println!("  {:?} ...", numbers.collect::<Vec<_>>());
        }
    }
    Ok(())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let (mut model, mut backend, mut seed, mut sizes) = (None, String::new(), 0, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--backend" => backend = value()?,
            "--random" => seed = value()?.parse()?,
            "--size" => {
                sizes.push(value()?.split_once('=').map(|(name, size)| (name.to_owned(), size.parse())).ok_or("NAME=SIZE")?)
            }
            _ => model = Some(argument),
        }
    }
    let model = model.ok_or("usage: run_model MODEL [--backend NAME] [--random SEED] [--size NAME=SIZE]...")?;
    let sizes = sizes
        .iter()
        .map(|(name, size)| Ok((name.as_str(), size.clone()?)))
        .collect::<std::result::Result<Vec<_>, std::num::ParseIntError>>()?;
    let context = Context::with(ContextOptions::default().backend(&backend))?;
    let graph = context.load_with(model, LoadOptions::default().dimensions(&sizes))?;
    for port in graph.inputs() {
        println!("input {}: {} {:?}", port.name, port.data_type.name(), port.shape);
    }
    Ok(run(&graph, seed)?)
}
