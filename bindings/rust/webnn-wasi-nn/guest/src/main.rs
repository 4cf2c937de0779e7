//! Recognizes digits in pictures of 28 x 28 pixels with WASI-NN, and prints each picture's class and the ten probabilities. MODEL is
//! a name in the host's registry, or a file that ends in `.onnx` or `.webnnb`.
//!
//! usage: guest MODEL PICTURE...
use std::error::Error;

use wasi_nn::{ExecutionTarget, Graph, GraphBuilder, GraphEncoding, TensorType};

fn load(model: &str) -> Result<Graph, wasi_nn::Error> {
    if model.ends_with(".onnx") {
        return GraphBuilder::new(GraphEncoding::Onnx, ExecutionTarget::CPU).build_from_files([model]);
    }
    let builder = GraphBuilder::new(GraphEncoding::Autodetec, ExecutionTarget::CPU);
    if model.ends_with(".webnnb") { builder.build_from_files([model]) } else { builder.build_from_cache(model) }
}

/// Returns the grey values of a PNG file with 28 x 28 pixels, divided by 255.
fn read_picture(path: &str) -> Result<Vec<f32>, Box<dyn Error>> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(std::fs::read(path)?)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("the picture is too large")?];
    let info = reader.next_frame(&mut pixels)?;
    if (info.width, info.height, info.color_type) != (28, 28, png::ColorType::Grayscale) {
        return Err(format!("{path} is not a grey picture of 28 x 28 pixels").into());
    }
    Ok(pixels[..28 * 28].iter().map(|&pixel| f32::from(pixel) / 255.0).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().ok_or("usage: guest MODEL PICTURE...")?;
    let graph = load(&model).map_err(|error| format!("{model}: {error}"))?;
    let mut run = graph.init_execution_context()?;
    for path in arguments {
        run.set_input(0, TensorType::F32, &[1, 1, 28, 28], read_picture(&path)?)?;
        run.compute()?;
        let mut probabilities = [0f32; 10];
        run.get_output(0, &mut probabilities)?;
        let best = (0..10).max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b])).unwrap_or(0);
        println!("{path}: {best} {probabilities:?}");
    }
    Ok(())
}
