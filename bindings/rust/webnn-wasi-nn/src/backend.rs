use std::path::{Path, PathBuf};

use wasmtime::format_err;
use wasmtime_wasi_nn::Graph;
use wasmtime_wasi_nn::backend::{BackendError, BackendFromDir, BackendInner};
use wasmtime_wasi_nn::wit::{ExecutionTarget, GraphEncoding};

use crate::Engine;
use crate::errors::logged;
use crate::models::model_files;

/// A backend of `wasmtime-wasi-nn` for one encoding of graphs, see [`Engine::backends`].
pub struct WebnnBackend {
    engine: Engine,
    encoding: GraphEncoding,
}

impl WebnnBackend {
    /// Creates a backend that guests select by `encoding`. The encoding `onnx` accepts only ONNX; others accept every format that
    /// `webnn` reads.
    pub fn new(engine: Engine, encoding: GraphEncoding) -> WebnnBackend {
        WebnnBackend { engine, encoding }
    }

    fn load_builders(&self, builders: &[&[u8]], target: ExecutionTarget) -> Result<Graph, BackendError> {
        let [content] = builders else { return Err(BackendError::InvalidNumberOfBuilders(1, builders.len())) };
        if self.encoding == GraphEncoding::Onnx && starts_like_webnn(content) {
            return Err(format_err!("the content is not ONNX; the encoding autodetect accepts WebNN graphs.").into());
        }
        self.engine.load_bytes(content, target)
    }

    /// Returns the model file in `folder`: `model.*`, or the only model.
    fn file_in(&self, folder: &Path) -> wasmtime::Result<PathBuf> {
        let mut files = model_files(folder)?;
        files.retain(|path| self.encoding != GraphEncoding::Onnx || path.extension().is_some_and(|extension| extension == "onnx"));
        if files.len() > 1 {
            let named: Vec<PathBuf> =
                files.iter().filter(|path| path.file_stem().is_some_and(|stem| stem == "model")).cloned().collect();
            if !named.is_empty() {
                files = named;
            }
        }
        match files.as_slice() {
            [file] => Ok(file.clone()),
            [] => Err(format_err!("{} has no model of the encoding {}.", folder.display(), self.encoding)),
            [first, second, ..] => Err(format_err!(
                "{} has several models of the encoding {}: {} and {}; name one of them model.*.",
                folder.display(),
                self.encoding,
                first.display(),
                second.display()
            )),
        }
    }
}

impl BackendInner for WebnnBackend {
    fn encoding(&self) -> GraphEncoding {
        self.encoding
    }

    fn load(&mut self, builders: &[&[u8]], target: ExecutionTarget) -> Result<Graph, BackendError> {
        logged(self.load_builders(builders, target))
    }

    fn as_dir_loadable(&mut self) -> Option<&mut dyn BackendFromDir> {
        Some(self)
    }
}

impl BackendFromDir for WebnnBackend {
    fn load_from_dir(&mut self, folder: &Path, target: ExecutionTarget) -> Result<Graph, BackendError> {
        self.engine.load_file(self.file_in(folder)?, target)
    }
}

/// Returns whether `content` starts like `.webnn`, `.webnnb` or JSON. No ONNX model starts with these bytes: as tags of
/// protobuf, they have a wrong wire type for their field.
fn starts_like_webnn(content: &[u8]) -> bool {
    matches!(content.first(), Some(b'\t'..=b'\r' | b' ' | b'#' | b'/' | b'W' | b'w' | b'{' | 0xEF))
}
