//! Generates tokens with a decoder in ONNX that has the inputs and outputs of optimum's exports. The cache of keys and values
//! grows by one entry for each token.
//!
//! usage: cargo run --example generate -- MODEL TOKEN...
use webnn::{Array, Context, Results, SessionOptions, View};

type Error = Box<dyn std::error::Error>;

const STEPS: usize = 8;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().ok_or("usage: generate MODEL TOKEN...")?;
    let mut tokens: Vec<i64> = arguments.map(|token| token.parse()).collect::<Result<_, _>>()?;
    if tokens.is_empty() {
        tokens = vec![1, 2, 3];
    }
    let session = Context::new()?.load_session(model, SessionOptions::default())?;
    let (inputs, first) = (session.inputs()?, tokens.len());
    let mut before: Option<Results> = None;
    while tokens.len() < first + STEPS {
        // The first step reads the whole prompt; later steps read only the newest token.
        let read = if before.is_some() { tokens.len() - 1 } else { 0 };
        let positions: Vec<i64> = (read as i64..tokens.len() as i64).collect();
        let mask = vec![1i64; tokens.len()];
        let new = [1, positions.len() as u32];
        let total = [1, mask.len() as u32];
        let mut arrays = Vec::new();
        let mut empty_shapes = Vec::new();
        for (name, _, shape) in &inputs {
            if name.starts_with("past_key_values.") {
                // The sizes of open dimensions are 0, which is the size of the empty cache; the batch is 1.
                let mut shape = shape.clone().ok_or("the model declares no shape of its cache")?;
                shape[0] = 1;
                empty_shapes.push(shape);
            }
        }
        let mut empty = empty_shapes.iter();
        let outputs: Vec<_> = match &before {
            Some(results) => (0..results.len()).map(|index| results.get(index)).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        for (name, data_type, _) in &inputs {
            let array = match name.as_str() {
                "input_ids" => Array::new(&new, &tokens[read..]),
                "position_ids" => Array::new(&new, &positions),
                "attention_mask" => Array::new(&total, &mask),
                cache => {
                    let shape = empty.next().ok_or_else(|| format!("the model has an unknown input {cache}"))?;
                    let present = cache.replace("past_key_values.", "present.");
                    match outputs.iter().find(|output| output.name == present) {
                        Some(output) => Array::new(&output.shape, View::from_bytes(output.data_type, output.bytes)),
                        None => Array::new(shape, View::from_bytes(data_type.ok_or("an input has no type")?, &[])),
                    }
                }
            };
            arrays.push((name.as_str(), array));
        }
        let results = session.run(&arrays)?;
        let logits = results.find("logits")?;
        let scores = logits.elements::<f32>()?;
        let last = &scores[scores.len() - logits.shape[2] as usize..];
        let token = (0..last.len()).max_by(|&a, &b| last[a].total_cmp(&last[b])).ok_or("the model has no tokens")?;
        print!("{token} ");
        tokens.push(token as i64);
        drop(outputs);
        before = Some(results);
    }
    println!();
    Ok(())
}
