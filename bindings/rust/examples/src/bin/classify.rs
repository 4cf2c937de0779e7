//! Prints the five most likely classes of a picture (PNG or JPEG).
//!
//! usage: cargo run --release -p webnn-examples --bin classify -- MODEL PICTURE [LABELS]
use std::path::Path;

use webnn::{CallOptions, Context};
use webnn_examples::Classifier;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (model, picture, labels) = match &arguments[..] {
        [model, picture] => (model, picture, None),
        [model, picture, labels] => (model, picture, Some(Path::new(labels))),
        _ => return Err("usage: classify MODEL PICTURE [LABELS]".into()),
    };
    let classifier = Classifier::load(&Context::new()?, Path::new(model), labels)?;
    let file = std::fs::read(picture).map_err(|error| format!("{picture}: {error}"))?;
    let input = classifier.read_picture(&file).map_err(|error| format!("{picture}: {error}"))?;
    for found in classifier.classify(classifier.shape(), &input, CallOptions::default())? {
        println!("{:6.2} %  {}", found.probability * 100.0, found.label.unwrap_or_else(|| format!("class {}", found.class)));
    }
    Ok(())
}
