//! Runs the guest, compiled to WebAssembly, with the example host. `WEBNN_WASI_GUEST` is its file (see
//! scripts/tests/test_rust_wasi_nn.sh).
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use webnn::{Context, SaveOptions, WeightsFormat};

fn digits() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/digits")
}

/// Runs the guest with `arguments`. cargo builds the example beside the tests.
fn run_guest(guest: &str, folder: &Path, arguments: &[String]) -> Output {
    let host = std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().join("examples/host");
    let mut command = Command::new(&host);
    command.arg(digits()).arg(folder).arg(guest).args(arguments).env("RUST_LOG", "webnn_wasi_nn=debug,wasmtime_wasi_nn=debug");
    command.output().unwrap_or_else(|error| panic!("{}: {error}", host.display()))
}

/// Checks the ten probabilities in each line of `output` against those that the training program computed in double precision.
fn check_probabilities(output: &Output, pictures: &[String]) {
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
    let expected: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(digits().join("expected.json")).unwrap()).unwrap();
    assert_eq!(text.lines().count(), pictures.len(), "{text}");
    for (line, picture) in text.lines().zip(pictures) {
        let rest = line.strip_prefix(picture.as_str()).unwrap_or_else(|| panic!("{line}"));
        let (class, numbers) = rest.strip_prefix(": ").and_then(|rest| rest.split_once(' ')).unwrap();
        assert_eq!(format!("samples/{class}.png"), *picture);
        let numbers: Vec<f64> = serde_json::from_str(numbers).unwrap();
        let wanted: Vec<f64> = serde_json::from_value(expected[picture].clone()).unwrap();
        assert_eq!(numbers.len(), 10);
        for (number, wanted) in numbers.iter().zip(&wanted) {
            assert!((number - wanted).abs() < 1e-5, "{line}: {wanted:?} expected");
        }
    }
}

#[test]
fn a_program_recognizes_digits_by_name_and_by_bytes() {
    let Ok(guest) = std::env::var("WEBNN_WASI_GUEST") else {
        println!("skipped: WEBNN_WASI_GUEST is not set");
        return;
    };
    let folder = std::env::temp_dir().join(format!("webnn-wasi-nn-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("samples")).unwrap();
    let pictures: Vec<String> = (0..10).map(|digit| format!("samples/{digit}.png")).collect();
    for picture in &pictures {
        std::fs::copy(digits().join(picture), folder.join(picture)).unwrap();
    }
    let graph = Context::new().unwrap().load(digits().join("digits.webnn")).unwrap();
    for file in ["inline.onnx", "inline.webnnb"] {
        graph.save_with(folder.join(file), SaveOptions::default().weights(WeightsFormat::Inline)).unwrap();
    }
    for model in ["digits", "inline.onnx", "inline.webnnb"] {
        let arguments: Vec<String> = std::iter::once(model.to_owned()).chain(pictures.clone()).collect();
        check_probabilities(&run_guest(&guest, &folder, &arguments), &pictures);
    }
    // The program gets an error for an unknown name, and the host's log names it.
    let output = run_guest(&guest, &folder, &["letters".to_owned()]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("No graph found with name: letters") || errors.contains("NotFound(\"letters\")"), "{errors}");
    std::fs::remove_dir_all(folder).unwrap();
}
