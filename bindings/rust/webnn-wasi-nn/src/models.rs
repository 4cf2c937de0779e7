use std::collections::HashMap;
use std::path::{Path, PathBuf};

use wasmtime::error::Context as _;
use wasmtime_wasi_nn::wit::ExecutionTarget;
use wasmtime_wasi_nn::{Graph, GraphRegistry};

use crate::Engine;
use crate::errors::for_host;

/// The graphs that guests load by name.
///
/// ```
/// use wasmtime_wasi_nn::GraphRegistry;
/// use wasmtime_wasi_nn::wit::ExecutionTarget;
/// use webnn_wasi_nn::{Engine, Models};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/digits");
/// let engine = Engine::new()?;
/// let models = Models::open(&engine, folder, ExecutionTarget::Cpu)?; // with the file digits.webnn
/// assert!(models.get("digits").is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Models(HashMap<String, Graph>);

impl Models {
    /// Creates a registry without graphs.
    pub fn new() -> Models {
        Models::default()
    }

    /// Loads all models in `folder`. A graph's name is that of its file without the extension `.onnx`, `.webnn` or `.webnnb`.
    /// Fails if a model is invalid, or if the names of two files differ only in the extension.
    pub fn open(engine: &Engine, folder: impl AsRef<Path>, target: ExecutionTarget) -> wasmtime::Result<Models> {
        let (folder, mut models) = (folder.as_ref(), Models::new());
        for path in model_files(folder)? {
            let name = path.file_stem().and_then(|name| name.to_str());
            let name = name.with_context(|| format!("the name of {} is not UTF-8", path.display()))?.to_owned();
            if models.0.contains_key(&name) {
                wasmtime::bail!("{} has two models with the name {name:?}.", folder.display());
            }
            models.add(name, engine.load_file(&path, target).map_err(for_host)?);
        }
        Ok(models)
    }

    /// Adds a graph, and returns the graph that had this name before.
    pub fn add(&mut self, name: impl Into<String>, graph: Graph) -> Option<Graph> {
        self.0.insert(name.into(), graph)
    }

    /// Returns the names of all graphs, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.0.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}

impl GraphRegistry for Models {
    fn get(&self, name: &str) -> Option<&Graph> {
        self.0.get(name)
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Graph> {
        self.0.get_mut(name)
    }
}

/// Returns the model files in `folder`, sorted. Without JSON files, which may be anything: a host adds graphs in JSON one by one.
pub(crate) fn model_files(folder: &Path) -> wasmtime::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read the directory {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read the directory {}", folder.display()))?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("onnx" | "webnn" | "webnnb")) && path.is_file() {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}
