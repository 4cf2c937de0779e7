//! Tests what a component (WASI preview 2) and a host see: inputs and outputs by name, messages of errors, models in directories.
use std::path::{Path, PathBuf};

use wasmtime_wasi_nn::backend::{BackendError, BackendFromDir, BackendInner, Id, NamedTensor};
use wasmtime_wasi_nn::wit::{ExecutionTarget, GraphEncoding, TensorType};
use wasmtime_wasi_nn::{ExecutionContext, Graph, GraphRegistry, InMemoryRegistry, Tensor};
use webnn_wasi_nn::{Engine, Models, WebnnBackend};

#[path = "support/onnx.rs"]
mod onnx;

use onnx::Size::Fixed;

const TWO: &str = "webnn_graph \"g\" v2 { inputs { a: f32[2]; b: f32[2]; } nodes { z = sub(a, b); y = add(a, b); } \
                   outputs { z; y; } }";

fn backend(encoding: GraphEncoding) -> WebnnBackend {
    WebnnBackend::new(Engine::new().unwrap(), encoding)
}

fn load(text: &str) -> Graph {
    backend(GraphEncoding::Autodetect).load(&[text.as_bytes()], ExecutionTarget::Cpu).unwrap()
}

fn floats(numbers: &[f32]) -> Tensor {
    let data = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    Tensor::new(vec![numbers.len() as u32], TensorType::Fp32, data)
}

fn named(name: &str, tensor: Tensor) -> NamedTensor {
    NamedTensor { name: name.to_owned(), tensor }
}

/// Checks that a call failed, and that the error or one of its causes contains `text`.
fn check_error<T>(result: Result<T, BackendError>, text: &str) {
    let error = result.err().expect("an error");
    let shown = format!("{error}\n{error:?}");
    assert!(shown.contains(text), "{shown}\nlacks {text}");
}

#[test]
fn a_component_computes_by_name() {
    let mut run = load(TWO).init_execution_context().unwrap();
    let (a, b) = (floats(&[5., 7.5]), floats(&[2., 10.]));
    let outputs = run.compute_with_io(vec![named("b", b.clone()), named("a", a.clone())]).unwrap();
    let shown: Vec<_> = outputs.into_iter().map(|output| (output.name, output.tensor)).collect();
    assert_eq!(shown, [("z".to_owned(), floats(&[3., -2.5])), ("y".to_owned(), floats(&[7., 17.5]))]);

    check_error(run.compute_with_io(vec![named("a", a.clone())]).map(|_| ()), "\"b\"");
    let twice = vec![named("a", a.clone()), named("a", a.clone()), named("b", b.clone())];
    check_error(run.compute_with_io(twice), "the input \"a\" is given twice");
    check_error(run.compute_with_io(vec![named("c", a.clone())]), "no input \"c\"; it has [\"a\", \"b\"]");
    run.set_input(Id::Name("a".into()), &a).unwrap();
    run.set_input(Id::Name("b".into()), &b).unwrap();
    run.compute().unwrap();
    assert_eq!(run.get_output(Id::Name("y".into())).unwrap(), floats(&[7., 17.5]));
    check_error(run.get_output(Id::Name("x".into())), "no output \"x\"; it has [\"z\", \"y\"]");
}

#[test]
fn errors_name_the_input_and_what_is_accepted() {
    let mut run = load(TWO).init_execution_context().unwrap();
    let of_type = |tensor_type, size| Tensor::new(vec![2], tensor_type, vec![0; size]);
    let mut set = |tensor: Tensor| run.set_input(Id::Index(1), &tensor);
    check_error(set(of_type(TensorType::Fp64, 16)), "FP64 of the input \"b\"; accepted: FP16, FP32, U8, I32, I64");
    check_error(set(of_type(TensorType::Bf16, 4)), "BF16 of the input \"b\"");
    check_error(set(of_type(TensorType::I64, 16)), "the input \"b\" is int64; the model declares float32");
    check_error(set(of_type(TensorType::Fp32, 7)), "the input \"b\" of float32 [2] has 7 bytes; it needs 8");
    check_error(set(floats(&[1.; 3])), "the input \"b\" has the shape [3]; the model declares [2]");
    check_error(run.set_input(Id::Index(2), &floats(&[1.])), "no input 2; it has 2: [\"a\", \"b\"]");
    check_error(run.get_output(Id::Index(0)), "the output \"z\" has no value before a run succeeds");

    let mut onnx = backend(GraphEncoding::Onnx);
    check_error(onnx.load(&[TWO.as_bytes()], ExecutionTarget::Cpu), "is not ONNX; the encoding autodetect accepts WebNN graphs");
    check_error(onnx.load(&[], ExecutionTarget::Cpu), "expects 1 buffers, passed 0");
    check_error(onnx.load(&[b"\x08"], ExecutionTarget::Cpu), "cannot load the model");
    check_error(onnx.load(&[b"\x08\x08"], ExecutionTarget::Tpu), "no context for the execution target tpu; accepted: cpu");
}

#[test]
fn scalars_have_one_element() {
    let text = "webnn_graph \"g\" v2 { inputs { x: f32[]; } nodes { y = neg(x); } outputs { y; } }";
    let mut run = load(text).init_execution_context().unwrap();
    run.set_input(Id::Index(0), &floats(&[3.])).unwrap();
    run.compute().unwrap();
    assert_eq!(run.get_output(Id::Index(0)).unwrap(), floats(&[-3.]));
}

#[test]
fn types_without_counterpart_are_refused() {
    let text = "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = cast(x, to=\"uint32\"); } outputs { y; } }";
    let mut run = load(text).init_execution_context().unwrap();
    run.set_input(Id::Index(0), &floats(&[3., 4.])).unwrap();
    run.compute().unwrap();
    check_error(run.get_output(Id::Index(0)), "uint32 of the output \"y\"; WASI-NN has no such type");
    let double = onnx::binary("Sub", onnx::DOUBLE, &[Fixed(2)]);
    check_error(backend(GraphEncoding::Onnx).load(&[&double], ExecutionTarget::Cpu), "the input \"a\" is of double");
}

#[test]
fn graphs_and_their_runs_work_on_several_threads() {
    let graph = load(TWO);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let mut run: ExecutionContext = graph.init_execution_context().unwrap();
            scope.spawn(move || {
                for step in 0..50 {
                    let number = (thread * 100 + step) as f32;
                    run.set_input(Id::Index(0), &floats(&[number, 1.])).unwrap();
                    run.set_input(Id::Index(1), &floats(&[1., number])).unwrap();
                    run.compute().unwrap();
                    assert_eq!(run.get_output(Id::Index(0)).unwrap(), floats(&[number - 1., 1. - number]));
                }
            });
        }
    });
}

/// A directory for one test, which is removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("webnn-wasi-nn-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), content).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn open(folder: &Path) -> wasmtime::Result<Models> {
    Models::open(&Engine::new().unwrap(), folder, ExecutionTarget::Cpu)
}

#[test]
fn a_directory_is_a_registry() {
    let folder = Folder::new("registry");
    folder.write("first.webnn", TWO);
    folder.write("second.onnx", onnx::binary("Sub", onnx::FLOAT, &[Fixed(2)]));
    folder.write("notes.txt", "no model");
    let models = open(&folder.0).unwrap();
    assert_eq!(models.names(), ["first", "second"]);
    assert!(models.get("notes").is_none() && models.get("first.webnn").is_none());
    folder.write("first.onnx", onnx::binary("Sub", onnx::FLOAT, &[Fixed(2)]));
    let error = open(&folder.0).err().unwrap();
    assert!(error.to_string().contains("two models with the name \"first\""), "{error:?}");
    folder.write("first.onnx", "broken");
    let error = format!("{:?}", open(&folder.0).err().unwrap());
    assert!(error.contains("first.onnx"), "{error}");
    let error = format!("{:?}", open(&folder.0.join("absent")).err().unwrap());
    assert!(error.contains("absent"), "{error}");
}

#[test]
fn wasmtimes_registry_loads_directories() {
    let folder = Folder::new("preload");
    let mut registry = InMemoryRegistry::new();
    let mut load = |encoding| {
        let mut backend = backend(encoding);
        let loadable: &mut dyn BackendFromDir = backend.as_dir_loadable().unwrap();
        registry.load(loadable, &folder.0).map_err(|error| format!("{:?}", error.downcast_ref::<BackendError>().unwrap()))
    };
    assert!(load(GraphEncoding::Autodetect).unwrap_err().contains("no model of the encoding autodetect"));
    folder.write("net.webnn", TWO);
    load(GraphEncoding::Autodetect).unwrap();
    assert!(load(GraphEncoding::Onnx).unwrap_err().contains("no model of the encoding onnx"));
    folder.write("model.onnx", onnx::binary("Sub", onnx::FLOAT, &[Fixed(2)]));
    load(GraphEncoding::Autodetect).unwrap();
    folder.write("other.onnx", onnx::binary("Sub", onnx::FLOAT, &[Fixed(2)]));
    load(GraphEncoding::Onnx).unwrap();
    std::fs::remove_file(folder.0.join("model.onnx")).unwrap();
    assert!(load(GraphEncoding::Autodetect).unwrap_err().contains("net.webnn and"));
    let name = folder.0.file_name().unwrap().to_str().unwrap();
    assert!(registry.get(name).is_some());
}
