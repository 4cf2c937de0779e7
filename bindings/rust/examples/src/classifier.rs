use std::fmt;
use std::io::Cursor;
use std::path::Path;

use image::imageops::FilterType;
use image::{DynamicImage, ImageReader, Limits};
use webnn::{Array, CallOptions, Context, DataType, Session, SessionOptions};

/// A class and its probability.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Class {
    pub class: usize,
    pub label: Option<String>,
    pub probability: f32,
}

/// The reason for which something could not be classified.
#[derive(Debug)]
pub enum Failure {
    /// The input is invalid.
    Input(String),
    /// The model failed, or its run was cancelled.
    Model(webnn::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(message) => formatter.write_str(message),
            Failure::Model(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for Failure {}

impl From<webnn::Error> for Failure {
    fn from(error: webnn::Error) -> Failure {
        Failure::Model(error)
    }
}

fn invalid(message: impl Into<String>) -> Failure {
    Failure::Input(message.into())
}

/// A model that takes one picture of a fixed size, `[1, channels, height, width]`, and computes a number for each class.
pub struct Classifier {
    session: Session,
    input: String,
    shape: Vec<u32>,
    labels: Vec<String>,
}

/// The mean and the standard deviation of ImageNet's pictures, by which the inputs of networks for colour pictures are normalized.
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
const DEVIATION: [f32; 3] = [0.229, 0.224, 0.225];

/// The largest width or height of a picture, in pixels.
const MAX_SIDE: u32 = 10_000;

impl Classifier {
    /// Loads a model, and the names of its classes: one in each line of the file `labels`.
    pub fn load(context: &Context, model: &Path, labels: Option<&Path>) -> Result<Classifier, Failure> {
        let session = context.load_session(model, SessionOptions::default())?;
        let labels = match labels {
            Some(path) => std::fs::read_to_string(path).map_err(|error| invalid(format!("{}: {error}", path.display())))?,
            None => String::new(),
        };
        let inputs = session.inputs()?;
        let wanted = "one float32 input [1, channels, height, width], with 1 or 3 channels";
        let [(input, Some(DataType::Float32), Some(shape))] = &inputs[..] else {
            return Err(invalid(format!("the model takes {inputs:?}; needed is {wanted}.")));
        };
        if !matches!(shape[..], [1, 1 | 3, height, width] if height > 0 && width > 0) {
            return Err(invalid(format!("the input {input:?} of the model has the shape {shape:?}; needed is {wanted}.")));
        }
        let (input, shape) = (input.clone(), shape.clone());
        Ok(Classifier { session, input, shape, labels: labels.lines().map(str::to_owned).collect() })
    }

    /// Returns the shape of the input.
    pub fn shape(&self) -> &[u32] {
        &self.shape
    }

    /// Decodes a PNG or JPEG, and returns its middle part as the model's input: colours are normalized as for ImageNet, grey
    /// values are divided by 255.
    pub fn read_picture(&self, file: &[u8]) -> Result<Vec<f32>, Failure> {
        let unreadable = |error: &dyn fmt::Display| invalid(format!("the picture cannot be read as PNG or JPEG: {error}"));
        let mut reader = ImageReader::new(Cursor::new(file)).with_guessed_format().map_err(|error| unreadable(&error))?;
        let mut limits = Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE), Some(MAX_SIDE));
        reader.limits(limits);
        let picture = reader.decode().map_err(|error| unreadable(&error))?;
        let picture = picture.resize_to_fill(self.shape[3], self.shape[2], FilterType::Triangle);
        Ok(if self.shape[1] == 1 { grey(&picture) } else { colours(&picture) })
    }

    /// Returns the five most likely classes for an input of this shape.
    pub fn classify(&self, shape: &[u32], input: &[f32], options: CallOptions<'_>) -> Result<Vec<Class>, Failure> {
        let results = self.session.run_with(&[(self.input.as_str(), Array::new(shape, input))], options)?;
        let output = results.get(0)?;
        let probabilities = probabilities(output.elements::<f32>()?);
        let mut order: Vec<usize> = (0..probabilities.len()).collect();
        order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
        let class = |&class: &usize| Class { class, label: self.labels.get(class).cloned(), probability: probabilities[class] };
        Ok(order.iter().take(5).map(class).collect())
    }
}

fn grey(picture: &DynamicImage) -> Vec<f32> {
    picture.to_luma8().iter().map(|&value| f32::from(value) / 255.0).collect()
}

/// Returns all red values, then all green values, then all blue values.
fn colours(picture: &DynamicImage) -> Vec<f32> {
    let picture = picture.to_rgb8();
    let channel = |channel: usize| {
        picture.pixels().map(move |pixel| (f32::from(pixel.0[channel]) / 255.0 - MEAN[channel]) / DEVIATION[channel])
    };
    (0..3).flat_map(channel).collect()
}

/// Returns `scores` if they are probabilities, otherwise their softmax.
fn probabilities(scores: &[f32]) -> Vec<f32> {
    let sum: f32 = scores.iter().sum();
    if scores.iter().all(|&score| score >= 0.0) && (sum - 1.0).abs() < 1e-3 {
        return scores.to_vec();
    }
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}
