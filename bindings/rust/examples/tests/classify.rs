//! Runs the program `classify` on pictures that the test draws, on the example network for digits, and on SqueezeNet.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use image::ImageFormat;

mod support;
use support::{COLOURS, Folder, expected, picture};

fn run(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_classify")).args(arguments).output().unwrap()
}

/// Returns the labels and percentages that the program printed.
fn classes(output: &Output) -> Vec<(String, f64)> {
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
    let class = |line: &str| {
        let (percentage, label) = line.split_once(" %  ").unwrap();
        (label.to_owned(), percentage.trim().parse().unwrap())
    };
    text.lines().map(class).collect()
}

fn check_error(arguments: &[&Path], texts: &[&str]) {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    for text in texts {
        assert!(errors.contains(text), "{errors}\nlacks {text}");
    }
}

#[test]
fn the_middle_of_a_picture_is_classified() {
    let folder = Folder::new("classify");
    let (model, labels) = (folder.write("colours.webnn", COLOURS), folder.write("labels.txt", "red\ngreen\nblue\n"));
    for (colour, best, format, tolerance) in [
        ([200, 30, 90], "red", ImageFormat::Png, 0.01),
        ([120, 140, 100], "green", ImageFormat::Png, 0.01),
        ([10, 20, 250], "blue", ImageFormat::Jpeg, 1.0), // JPEG loses precision
    ] {
        let file = folder.write("picture", picture(colour, format));
        let found = classes(&run(&[&model, &file, &labels]));
        assert_eq!((found.len(), found[0].0.as_str()), (3, best));
        for (name, probability) in ["red", "green", "blue"].iter().zip(expected(colour)) {
            let (_, percentage) = found.iter().find(|(label, _)| label == name).unwrap();
            assert!((percentage - probability * 100.0).abs() < tolerance, "{name}: {percentage} {probability}");
        }
        let unnamed = classes(&run(&[&model, &file]));
        assert_eq!(unnamed[0].1, found[0].1);
        assert!(unnamed[0].0.starts_with("class "));
    }
}

#[test]
fn wrong_files_are_named() {
    let folder = Folder::new("wrong");
    let model = folder.write("colours.webnn", COLOURS);
    let flat = folder.write("flat.webnn", "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = neg(x); } outputs { y; } }");
    let good = picture([1, 2, 3], ImageFormat::Png);
    let (file, cut) = (folder.write("good.png", &good), folder.write("cut.png", &good[..good.len() / 2]));
    let text = folder.write("text.png", "no picture");
    check_error(&[&model, &cut], &["cut.png", "cannot be read as PNG or JPEG"]);
    check_error(&[&model, &text], &["text.png", "cannot be read as PNG or JPEG"]);
    check_error(&[&model, &folder.0.join("absent.png")], &["absent.png"]);
    check_error(&[&folder.0.join("absent.onnx"), &file], &["absent.onnx"]);
    check_error(&[&flat, &file], &["[2]", "one float32 input [1, channels, height, width]"]);
    check_error(&[&model, &file, &folder.0.join("absent.txt")], &["absent.txt"]);
    check_error(&[&model], &["usage: classify MODEL PICTURE [LABELS]"]);
}

#[test]
fn digits_are_recognized() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/digits");
    let expected: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
    for (name, probabilities) in expected.as_object().unwrap() {
        let found = classes(&run(&[&folder.join("digits.webnn"), &folder.join(name), &folder.join("labels.txt")]));
        assert_eq!(format!("samples/{}.png", found[0].0), *name);
        for (label, percentage) in found {
            let probability = probabilities[label.parse::<usize>().unwrap()].as_f64().unwrap();
            assert!((percentage - probability * 100.0).abs() < 0.006, "{name}, {label}: {percentage} {probability}");
        }
    }
}

#[test]
fn squeezenet_sees_a_panda() {
    let models: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/models/squeezenet1.1");
    if !models.is_dir() {
        println!("skipped: {} is not there", models.display());
        return;
    }
    let files = ["squeezenet1.1.onnx", "photo.jpg", "imagenet_classes.txt"].map(|name| models.join(name));
    let found = classes(&run(&[&files[0], &files[1], &files[2]]));
    assert_eq!(found.len(), 5);
    assert!(found[0].0.contains("lesser panda") && found[0].1 > 90.0, "{found:?}");
}
