use std::path::Path;

use webnn_sys as sys;

use crate::call::{raw_cancellation, raw_progress};
use crate::raw::text;
use crate::{Cancellation, Context, Error, Graph, ProgressFunction, Result, View, WorkLimits, ffi, spans};

/// The format of a graph's file.
///
/// ```
/// let options = webnn::SaveOptions::default().graph(webnn::GraphFormat::Onnx);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GraphFormat {
    /// Chosen by the path's suffix.
    #[default]
    FromSuffix,
    /// `.webnn`
    WebnnText,
    /// webnn-graph-json version 2
    GraphJson,
    /// ONNX
    Onnx,
    /// `.webnnb`
    WebnnBinary,
    /// `.mlpackage`, which can be written but not loaded
    CoreMl,
}

/// The format of a graph's weights. [`GraphFormat::CoreMl`] ignores it: a package contains its weights.
///
/// ```
/// let options = webnn::SaveOptions::default().weights(webnn::WeightsFormat::Inline);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightsFormat {
    /// Inline for [`GraphFormat::WebnnBinary`], else safetensors.
    #[default]
    Default,
    /// `NAME.safetensors`. For ONNX: constants of at least 1024 bytes in `NAME.onnx.data`.
    Safetensors,
    /// `NAME.weights` and `NAME.manifest.json`. For ONNX: like [`WeightsFormat::Safetensors`].
    Manifest,
    /// In the graph itself.
    Inline,
}

/// Options for writing a graph.
///
/// ```
/// let options = webnn::SaveOptions::default().weights(webnn::WeightsFormat::Inline);
/// assert_eq!(options.graph, webnn::GraphFormat::FromSuffix);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SaveOptions {
    /// The format of the graph. Default: chosen by the path's suffix.
    pub graph: GraphFormat,
    /// The format of the weights. Default: inline for [`GraphFormat::WebnnBinary`], else safetensors.
    pub weights: WeightsFormat,
}

impl SaveOptions {
    /// Sets the format of the graph. Default: chosen by the path's suffix.
    #[must_use]
    pub fn graph(mut self, format: GraphFormat) -> Self {
        self.graph = format;
        self
    }

    /// Sets the format of the weights. Default: inline for [`GraphFormat::WebnnBinary`], else safetensors.
    #[must_use]
    pub fn weights(mut self, format: WeightsFormat) -> Self {
        self.weights = format;
        self
    }

    pub(crate) fn raw(self) -> sys::WebnnSaveOptions {
        sys::WebnnSaveOptions {
            graph: sys::WebnnGraphFormat(self.graph as u32),
            weights: sys::WebnnWeightsFormat(self.weights as u32),
            ..Default::default()
        }
    }
}

/// Options for loading a model.
///
/// ```
/// let options = webnn::LoadOptions::default().dimensions(&[("batch", 1)]);
/// ```
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct LoadOptions<'a> {
    /// The path of the weights file. Empty: searched for beside the graph.
    pub weights: &'a str,
    /// The path of the manifest of a `.weights` file. Empty: searched for beside the graph.
    pub manifest: &'a str,
    /// Sizes of open dimensions.
    pub dimensions: &'a [(&'a str, u32)],
    /// Inputs of an ONNX model that are replaced by constants.
    pub values: &'a [(&'a str, View<'a>)],
    /// Whether only the graph and the files that these options name are opened.
    pub named_files_only: bool,
    /// Limits of the load. The context's limits apply as well.
    pub limits: Option<WorkLimits>,
    /// An object that can stop the load.
    pub cancellation: Option<&'a Cancellation>,
    /// A function that is called during the load, see [`ProgressFunction`].
    pub progress: Option<ProgressFunction<'a>>,
}

macro_rules! setters {
    ($($(#[$comment:meta])* $field:ident: $type:ty = $value:expr;)*) => {$(
        $(#[$comment])*
        #[must_use]
        pub fn $field(mut self, $field: $type) -> Self {
            self.$field = $value;
            self
        }
    )*};
}

impl<'a> LoadOptions<'a> {
    setters! {
        /// Sets the path of the weights file.
        weights: &'a str = weights;
        /// Sets the path of the manifest.
        manifest: &'a str = manifest;
        /// Sets sizes of open dimensions.
        dimensions: &'a [(&'a str, u32)] = dimensions;
        /// Sets inputs of an ONNX model that are replaced by constants.
        values: &'a [(&'a str, View<'a>)] = values;
        /// Sets whether only the graph and the files that these options name are opened.
        named_files_only: bool = named_files_only;
        /// Sets limits of memory, work and time for the load.
        limits: WorkLimits = Some(limits);
        /// Sets an object that can cancel the load.
        cancellation: &'a Cancellation = Some(cancellation);
        /// Sets a function that is called during the load, see [`ProgressFunction`].
        progress: ProgressFunction<'a> = Some(progress);
    }

    /// Passes the C API's form of these options to `call`.
    pub(crate) fn with_raw<R>(&self, call: impl FnOnce(&sys::WebnnLoadOptions) -> R) -> R {
        let dimension = |&(name, size): &(&str, u32)| sys::WebnnNamedDimension { name: text(name), size, ..Default::default() };
        let dimensions: Vec<_> = self.dimensions.iter().map(dimension).collect();
        let value = |(name, view): &(&str, View<'_>)| sys::WebnnNamedBytes {
            nextInChain: std::ptr::null_mut(),
            name: text(name),
            bytes: view.raw(),
        };
        let values: Vec<_> = self.values.iter().map(value).collect();
        let limits = self.limits.map(|limits| limits.raw());
        let (on_progress, progress_userdata) = raw_progress(&self.progress);
        call(&sys::WebnnLoadOptions {
            weights: text(self.weights),
            manifest: text(self.manifest),
            dimensionCount: dimensions.len(),
            dimensions: dimensions.as_ptr(),
            valueCount: values.len(),
            values: values.as_ptr(),
            namedFilesOnly: u32::from(self.named_files_only),
            limits: limits.as_ref().map_or(std::ptr::null(), std::ptr::from_ref),
            cancellation: raw_cancellation(self.cancellation),
            onProgress: on_progress,
            progressUserdata: progress_userdata,
            ..Default::default()
        })
    }
}

impl Context {
    /// Reads a graph of any format (`.webnn`, `.webnnb`, JSON, ONNX) and compiles it.
    ///
    /// ```
    /// use webnn::*;
    /// # fn main() -> Result<()> {
    /// let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let x = builder.input("x", DataType::Float32, &[2])?;
    /// let path = std::env::temp_dir().join(format!("webnn-{}.webnn", std::process::id()));
    /// builder.build(&[("y", builder.neg(x)?)])?.save(&path)?;
    /// let graph = context.load(&path)?;
    /// assert_eq!(graph.outputs()[0].name, "y");
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Graph> {
        self.load_with(path, LoadOptions::default())
    }

    /// Works like [`Context::load`], with options.
    pub fn load_with(&self, path: impl AsRef<Path>, options: LoadOptions<'_>) -> Result<Graph> {
        let _span = spans::load();
        let path = path_text(path.as_ref())?;
        options
            .with_raw(|options| ffi::made(|graph| ffi::call4(sys::webnnContextLoad, self.handle(), path, options, graph)))
            .and_then(Graph::of)
    }

    /// Loads the content of a graph file without copying it. `content` is dropped when no graph refers to it.
    ///
    /// ```
    /// use webnn::*;
    /// # fn main() -> Result<()> {
    /// let text = "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = neg(x); } outputs { y; } }";
    /// let graph = Context::new()?.load_bytes(text, LoadOptions::default())?;
    /// assert_eq!(graph.inputs()[0].shape, [2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn load_bytes(&self, content: impl AsRef<[u8]> + Send + Sync + 'static, options: LoadOptions<'_>) -> Result<Graph> {
        let _span = spans::load();
        options
            .with_raw(|options| {
                ffi::with_external(content, |content| {
                    ffi::made(|graph| ffi::call4(sys::webnnContextLoadBytes, self.handle(), content, options, graph))
                })
            })
            .and_then(Graph::of)
    }
}

pub(crate) fn path_text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| Error::Type(format!("the path {} is not UTF-8.", path.display())))
}
