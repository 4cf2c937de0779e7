//! Tests that the example network computes the probabilities that its training program computed in double precision.
use std::path::Path;

use webnn::*;

fn read_picture(path: &Path) -> Vec<f32> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels.iter().map(|&pixel| f32::from(pixel) / 255.0).collect()
}

#[test]
fn digits_are_recognized() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/digits");
    if !folder.is_dir() {
        println!("skipped: the crate is not in its repository");
        return;
    }
    let expected: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
    let context = Context::new().unwrap();
    let graph = context.load(folder.join("digits.webnn")).unwrap();
    let session = context.load_session(folder.join("digits.webnn"), SessionOptions::default()).unwrap();
    for (name, probabilities) in expected.as_object().unwrap() {
        let picture = read_picture(&folder.join(name));
        let mut computed = [0f32; 10];
        graph.compute(&[View::from(&picture)], &mut [ViewMut::from(&mut computed)]).unwrap();
        let results = session.run(&[("image", Array::new(&[1, 1, 28, 28], &picture))]).unwrap();
        let of_session = results.find("probabilities").unwrap().to_vec::<f32>().unwrap();
        for (index, expected) in probabilities.as_array().unwrap().iter().enumerate() {
            let expected = expected.as_f64().unwrap();
            assert!((f64::from(computed[index]) - expected).abs() < 1e-5, "{name}[{index}]: {} {expected}", computed[index]);
            assert!((f64::from(of_session[index]) - expected).abs() < 1e-5, "{name}[{index}]: {} {expected}", of_session[index]);
        }
    }
}
