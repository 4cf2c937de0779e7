//! Models and pictures that the tests make.
use std::path::PathBuf;

use image::{ImageFormat, Rgb, RgbImage};

/// A directory for one test, which is removed at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("webnn-examples-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A model with the classes red, green and blue: its scores are the means of the three channels.
pub const COLOURS: &str = "webnn_graph \"colours\" v2 { inputs { image: f32[1, 3, 4, 4]; } \
                           nodes { scores = reduceMean(image, axes=[2, 3]); } outputs { scores; } }";

/// Encodes a picture of 16 x 8 pixels: its middle has the colour `middle`. Two columns at each side are white; the model does not
/// see them.
pub fn picture(middle: [u8; 3], format: ImageFormat) -> Vec<u8> {
    let picture = RgbImage::from_fn(16, 8, |x, _| Rgb(if (2..14).contains(&x) { middle } else { [255; 3] }));
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// Computes the probabilities of the classes for a picture of one colour, in double precision.
pub fn expected(colour: [u8; 3]) -> [f64; 3] {
    let (means, deviations) = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]);
    let powers: [f64; 3] =
        std::array::from_fn(|channel| ((f64::from(colour[channel]) / 255.0 - means[channel]) / deviations[channel]).exp());
    powers.map(|power| power / powers.iter().sum::<f64>())
}
