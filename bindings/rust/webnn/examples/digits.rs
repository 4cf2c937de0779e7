//! Recognizes the digits in the pictures of `examples/digits` in the repository.
//!
//! usage: cargo run --example digits [FOLDER]
use std::path::PathBuf;

use webnn::{Context, View, ViewMut};

/// Returns the grey values of a PNG file with 28 x 28 pixels, divided by 255.
fn read_picture(path: &PathBuf) -> Result<Vec<f32>, Box<dyn std::error::Error>> {
    let mut reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path)?)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("the picture is too large")?];
    let info = reader.next_frame(&mut pixels)?;
    if (info.width, info.height, info.color_type) != (28, 28, png::ColorType::Grayscale) {
        return Err(format!("{} is not a grey picture of 28 x 28 pixels", path.display()).into());
    }
    Ok(pixels[..28 * 28].iter().map(|&pixel| f32::from(pixel) / 255.0).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/digits");
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| here.into()));
    let graph = Context::new()?.load(folder.join("digits.webnn"))?;
    for digit in 0..10 {
        let picture = read_picture(&folder.join(format!("samples/{digit}.png")))?;
        let mut probabilities = [0f32; 10];
        graph.compute(&[View::from(&picture)], &mut [ViewMut::from(&mut probabilities)])?;
        let (class, probability) = probabilities.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).ok_or("no class")?;
        println!("samples/{digit}.png: {class} ({:.2} %)", probability * 100.0);
    }
    Ok(())
}
