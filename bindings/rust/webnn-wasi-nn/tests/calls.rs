//! Tests WASI-NN's functions from inside a WebAssembly program: results, and error codes instead of traps.
use wasmtime_wasi_nn::Registry;
use wasmtime_wasi_nn::wit::ExecutionTarget;
use wasmtime_wasi_nn::witx::WasiNnCtx;
use webnn::{Context, ContextOptions, WorkLimits};
use webnn_wasi_nn::{Engine, Models};

#[path = "support/onnx.rs"]
mod onnx;
#[path = "support/mod.rs"]
mod support;

use onnx::Size::{Fixed, Open};
use support::*;

const CPU: i32 = 0;
const GPU: i32 = 1;
const TPU: i32 = 2;

/// A graph that subtracts `b` from `a`.
const SUB: &str = "webnn_graph \"g\" v2 { inputs { a: f32[2]; b: f32[2]; } nodes { z = sub(a, b); } outputs { z; } }";

fn guest_of(engine: &Engine) -> Guest {
    let mut models = Models::new();
    models.add("text", engine.load_bytes(SUB.as_bytes(), ExecutionTarget::Cpu).unwrap());
    models.add("model", engine.load_bytes(&onnx_sub(), ExecutionTarget::Cpu).unwrap());
    Guest::new(WasiNnCtx::new(engine.backends(), Registry::from(models)))
}

fn guest() -> Guest {
    guest_of(&Engine::new().unwrap())
}

fn onnx_sub() -> Vec<u8> {
    onnx::binary("Sub", onnx::FLOAT, &[Fixed(2)])
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Runs a graph that subtracts, and checks its difference.
fn check_difference(guest: &mut Guest, graph: i32) {
    let run = guest.init(graph).unwrap();
    guest.set_input(run, 0, &[2], F32, &bytes(&[5., 7.5])).unwrap();
    guest.set_input(run, 1, &[2], F32, &bytes(&[2., 10.])).unwrap();
    guest.compute(run).unwrap();
    assert_eq!(guest.output(run, 0, 8).unwrap(), bytes(&[3., -2.5]));
    // The first input stays set. The buffer may be larger than the output.
    guest.set_input(run, 1, &[2], F32, &bytes(&[1., 1.])).unwrap();
    guest.compute(run).unwrap();
    assert_eq!(guest.output(run, 0, 100).unwrap(), bytes(&[4., 6.5]));
}

#[test]
fn models_run_by_bytes_and_by_name() {
    let mut guest = guest();
    let model = onnx_sub();
    for (content, encoding) in [(&model[..], ONNX), (&model[..], AUTODETECT), (SUB.as_bytes(), AUTODETECT)] {
        let graph = guest.load(&[content], encoding, CPU).unwrap();
        check_difference(&mut guest, graph);
    }
    for name in ["text", "model"] {
        let graph = guest.load_by_name(name).unwrap();
        check_difference(&mut guest, graph);
    }
}

#[test]
fn every_tensor_type_of_webnn_runs() {
    let mut guest = guest();
    let half = |numbers: &[u16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let long = |numbers: &[i64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let int = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let cases = [
        ("f16", F16, half(&[0x3E00, 0xC000]), half(&[0x4200, 0xC400])), // 1.5 and -2 become 3 and -4
        ("f32", F32, bytes(&[1.5, -2.]), bytes(&[3., -4.])),
        ("u8", U8, vec![3, 100], vec![6, 200]),
        ("i32", I32, int(&[-3, 1 << 20]), int(&[-6, 1 << 21])),
        ("i64", I64, long(&[-3, 1 << 40]), long(&[-6, 1 << 41])),
    ];
    for (name, tensor_type, input, doubled) in cases {
        let text = format!("webnn_graph \"g\" v2 {{ inputs {{ x: {name}[2]; }} nodes {{ y = add(x, x); }} outputs {{ y; }} }}");
        let graph = guest.load(&[text.as_bytes()], AUTODETECT, CPU).unwrap();
        let run = guest.init(graph).unwrap();
        guest.set_input(run, 0, &[2], tensor_type, &input).unwrap();
        guest.compute(run).unwrap();
        assert_eq!(guest.output(run, 0, 64).unwrap(), doubled, "{name}");
        // Double precision has the size of i64, but is none of WebNN's types.
        assert_eq!(guest.set_input(run, 0, &[2], F64, &long(&[0, 0])), Err(RUNTIME_ERROR), "{name}");
        let other = if tensor_type == I32 { F32 } else { I32 };
        assert_eq!(guest.set_input(run, 0, &[2], other, &int(&[1, 2])), Err(RUNTIME_ERROR), "{name}");
    }
}

#[test]
fn open_dimensions_take_any_size() {
    let mut guest = guest();
    let model = onnx::binary("Sub", onnx::FLOAT, &[Open("n"), Fixed(2)]);
    let graph = guest.load(&[&model], ONNX, CPU).unwrap();
    let run = guest.init(graph).unwrap();
    for rows in [1, 3] {
        let count = 2 * rows as usize;
        guest.set_input(run, 0, &[rows, 2], F32, &bytes(&vec![5.; count])).unwrap();
        guest.set_input(run, 1, &[rows, 2], F32, &bytes(&vec![7.; count])).unwrap();
        guest.compute(run).unwrap();
        assert_eq!(guest.output(run, 0, 64).unwrap(), bytes(&vec![-2.; count]));
    }
    assert_eq!(guest.set_input(run, 0, &[1, 3], F32, &bytes(&[1.; 3])), Err(RUNTIME_ERROR));
}

#[test]
fn wrong_loads_are_errors() {
    let mut guest = guest();
    let model = onnx_sub();
    for name in ["", "other", "../text", "te\u{e9}xt"] {
        assert_eq!(guest.load_by_name(name), Err(UNSUPPORTED_OPERATION), "{name}"); // wasmtime's code for unknown names
    }
    for encoding in [0, 2, 3, 4] {
        assert_eq!(guest.load(&[&model], encoding, CPU), Err(UNSUPPORTED_OPERATION), "{encoding}");
    }
    for target in [GPU, TPU] {
        assert_eq!(guest.load(&[&model], ONNX, target), Err(RUNTIME_ERROR), "{target}");
    }
    assert_eq!(guest.load(&[], ONNX, CPU), Err(RUNTIME_ERROR));
    assert_eq!(guest.load(&[&model, &model], AUTODETECT, CPU), Err(RUNTIME_ERROR));
    assert_eq!(guest.load(&[SUB.as_bytes()], ONNX, CPU), Err(RUNTIME_ERROR));
    for content in [&b""[..], b"\0\0", b"webnn_graph", b"{}", &model[..model.len() - 1], &model[1..]] {
        for encoding in [ONNX, AUTODETECT] {
            assert_eq!(guest.load(&[content], encoding, CPU), Err(RUNTIME_ERROR), "{content:?}");
        }
    }
    let graph = guest.load(&[&model], ONNX, CPU).unwrap();
    check_difference(&mut guest, graph);
}

#[test]
fn models_of_guests_open_no_files() {
    let mut guest = guest();
    let (here, all) = (env!("CARGO_MANIFEST_DIR"), std::fs::read_to_string("Cargo.toml").unwrap());
    assert!(all.len() > 8, "the file that the model names has enough bytes");
    for location in ["Cargo.toml".to_owned(), format!("{here}/Cargo.toml")] {
        let model = onnx::with_external_data(&location);
        for encoding in [ONNX, AUTODETECT] {
            assert_eq!(guest.load(&[&model], encoding, CPU), Err(RUNTIME_ERROR), "{location}");
        }
    }
    let digits = std::fs::read(format!("{here}/../../../examples/digits/digits.webnn")).unwrap(); // its weights are in another file
    assert_eq!(guest.load(&[&digits], AUTODETECT, CPU), Err(RUNTIME_ERROR));
}

#[test]
fn wrong_runs_are_errors() {
    let mut guest = guest();
    let graph = guest.load_by_name("model").unwrap();
    assert_eq!(guest.init(graph + 100), Err(UNSUPPORTED_OPERATION));
    let run = guest.init(graph).unwrap();
    let pair = bytes(&[1., 2.]);
    assert_eq!(guest.set_input(run + 1, 0, &[2], F32, &pair), Err(UNSUPPORTED_OPERATION));
    assert_eq!(guest.compute(run + 1), Err(UNSUPPORTED_OPERATION));
    assert_eq!(guest.output(run + 1, 0, 8), Err(UNSUPPORTED_OPERATION));

    assert_eq!(guest.compute(run), Err(RUNTIME_ERROR), "no input is set");
    assert_eq!(guest.output(run, 0, 8), Err(RUNTIME_ERROR), "nothing was computed");
    assert_eq!(guest.set_input(run, 2, &[2], F32, &pair), Err(RUNTIME_ERROR), "the model has two inputs");
    assert_eq!(guest.set_input(run, -1, &[2], F32, &pair), Err(RUNTIME_ERROR));
    assert_eq!(guest.set_input(run, 0, &[2], F32, &pair[..7]), Err(RUNTIME_ERROR), "a byte is missing");
    assert_eq!(guest.set_input(run, 0, &[2], F32, &bytes(&[1., 2., 3.])), Err(RUNTIME_ERROR));
    assert_eq!(guest.set_input(run, 0, &[3], F32, &bytes(&[1., 2., 3.])), Err(RUNTIME_ERROR));
    assert_eq!(guest.set_input(run, 0, &[1, 2], F32, &pair), Err(RUNTIME_ERROR));
    assert_eq!(guest.set_input(run, 0, &[], F32, &pair[..4]), Err(RUNTIME_ERROR));
    assert_eq!(guest.set_input(run, 0, &[-1, -1, -1], F32, &pair), Err(RUNTIME_ERROR), "the size overflows");
    assert_eq!(guest.set_input(run, 0, &[2], I32, &pair), Err(RUNTIME_ERROR));

    guest.set_input(run, 0, &[2], F32, &pair).unwrap();
    assert_eq!(guest.compute(run), Err(RUNTIME_ERROR), "the second input is not set");
    guest.set_input(run, 1, &[2], F32, &pair).unwrap();
    guest.compute(run).unwrap();
    assert_eq!(guest.output(run, 1, 8), Err(RUNTIME_ERROR), "the model has one output");
    assert_eq!(guest.output(run, 0, 7), Err(TOO_LARGE));
    assert_eq!(guest.output(run, 0, 0), Err(TOO_LARGE));
    assert_eq!(guest.output(run, 0, 8).unwrap(), bytes(&[0., 0.]));
    check_difference(&mut guest, graph);
}

#[test]
fn a_host_chooses_the_context_of_each_target() {
    let reference = Context::with(ContextOptions::default().backend("reference")).unwrap();
    let mut guest = guest_of(&Engine::new().unwrap().target(ExecutionTarget::Gpu, reference));
    let graph = guest.load(&[SUB.as_bytes()], AUTODETECT, GPU).unwrap();
    check_difference(&mut guest, graph);
    assert_eq!(guest.load(&[SUB.as_bytes()], AUTODETECT, TPU), Err(RUNTIME_ERROR));
}

#[test]
fn limits_of_the_context_apply_to_guests() {
    let limits = WorkLimits { max_operations: 1, ..WorkLimits::default() };
    let mut guest = guest_of(&Engine::with(Context::with(ContextOptions::default().backend("cpu").limits(limits)).unwrap()));
    let two = "webnn_graph \"g\" v2 { inputs { a: f32[2]; } nodes { b = neg(a); c = exp(b); } outputs { c; } }";
    assert_eq!(guest.load(&[two.as_bytes()], AUTODETECT, CPU), Err(RUNTIME_ERROR));
    let graph = guest.load(&[SUB.as_bytes()], AUTODETECT, CPU).unwrap();
    check_difference(&mut guest, graph);
}
