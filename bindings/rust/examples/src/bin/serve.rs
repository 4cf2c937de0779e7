//! Classifies pictures over HTTP. A client that disconnects stops its run.
//!
//! usage: cargo run --release -p webnn-examples --bin serve -- MODEL ADDRESS [LABELS]
//!        curl --data-binary @photo.jpg -H 'content-type: image/jpeg' http://127.0.0.1:8080/classify
use std::path::Path;
use std::time::Duration;

use webnn::{Context, ContextOptions, WorkLimits};
use webnn_examples::{Classifier, ServerOptions, router};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (model, address, labels) = match &arguments[..] {
        [model, address] => (model, address, None),
        [model, address, labels] => (model, address, Some(Path::new(labels))),
        _ => return Err("usage: serve MODEL ADDRESS [LABELS], such as serve squeezenet1.1.onnx 127.0.0.1:8080".into()),
    };
    let limits = WorkLimits { max_time: Some(Duration::from_secs(30)), ..WorkLimits::default() };
    let classifier = Classifier::load(&Context::with(ContextOptions::default().limits(limits))?, Path::new(model), labels)?;
    let max_runs = std::thread::available_parallelism()?.get();
    let options = ServerOptions { max_body: 16 << 20, max_runs, on_event: Box::new(|event| eprintln!("{event:?}")) };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let listener = runtime.block_on(tokio::net::TcpListener::bind(address))?;
    eprintln!("listening on http://{}/classify", listener.local_addr()?);
    runtime.block_on(async { axum::serve(listener, router(classifier, options)).await })?;
    Ok(())
}
