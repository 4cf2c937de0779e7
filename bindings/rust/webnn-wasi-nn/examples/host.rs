//! Runs a WebAssembly program (WASI preview 1) that uses WASI-NN. MODELS is a directory whose models the program loads by name.
//! FOLDER is the only directory that the program can read: its current directory.
//!
//! usage: cargo run --example host MODELS FOLDER PROGRAM.wasm [ARGUMENT...]
//!
//! `RUST_LOG=webnn_wasi_nn=debug,wasmtime_wasi_nn=debug` shows the causes of errors, of which the program gets only the code.
use std::time::Duration;

use wasmtime::{Engine, Linker, Module, Store};
use wasmtime_wasi::p1::{self, WasiP1Ctx};
use wasmtime_wasi::{FsPerms, I32Exit, WasiCtxBuilder};
use wasmtime_wasi_nn::Registry;
use wasmtime_wasi_nn::wit::ExecutionTarget;
use wasmtime_wasi_nn::witx::{self, WasiNnCtx};
use webnn::{Context, ContextOptions, WorkLimits};
use webnn_wasi_nn::Models;

struct State {
    wasi: WasiP1Ctx,
    nn: WasiNnCtx,
}

fn run(models: &str, folder: &str, program: &str, arguments: &[String]) -> wasmtime::Result<()> {
    let limits = WorkLimits { max_memory: 1 << 30, max_time: Some(Duration::from_secs(60)), ..WorkLimits::default() };
    let nn = webnn_wasi_nn::Engine::with(Context::with(ContextOptions::default().backend("cpu").limits(limits))?);
    let registry = Registry::from(Models::open(&nn, models, ExecutionTarget::Cpu)?);
    let wasi = WasiCtxBuilder::new()
        .inherit_stdout()
        .inherit_stderr()
        .arg(program)
        .args(arguments)
        .preopened_dir(folder, ".", FsPerms::ReadOnly)?
        .build_p1();

    let engine = Engine::default();
    let mut linker: Linker<State> = Linker::new(&engine);
    p1::add_to_linker_sync(&mut linker, |state| &mut state.wasi)?;
    witx::add_to_linker(&mut linker, |state| &mut state.nn)?;
    let mut store = Store::new(&engine, State { wasi, nn: WasiNnCtx::new(nn.backends(), registry) });
    let instance = linker.instantiate(&mut store, &Module::from_file(&engine, program)?)?;
    instance.get_typed_func::<(), ()>(&mut store, "_start")?.call(&mut store, ())
}

fn main() -> wasmtime::Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [models, folder, program, rest @ ..] = &arguments[..] else {
        wasmtime::bail!("usage: host MODELS FOLDER PROGRAM.wasm [ARGUMENT...]");
    };
    let result = run(models, folder, program, rest);
    if let Err(error) = &result
        && let Some(exit) = error.downcast_ref::<I32Exit>()
    {
        std::process::exit(exit.0);
    }
    result
}
