// Printed by `webnn ops --format=rust` from the operation table.
use std::ptr::null_mut;

use webnn_sys as sys;

use crate::raw;
use crate::{GraphBuilder, Number, Operand, Result, Splits, ffi};

/// The specification's [`MLOperandDataType`](https://www.w3.org/TR/webnn/#enumdef-mloperanddatatype).
///
/// ```
/// use webnn::DataType;
/// assert_eq!(DataType::Float32.name(), "float32");
/// assert_eq!(DataType::from_name("float32"), Some(DataType::Float32));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum DataType {
    /// `float32`
    Float32 = 1,
    /// `float16`
    Float16 = 2,
    /// `int32`
    Int32 = 3,
    /// `uint32`
    Uint32 = 4,
    /// `int64`
    Int64 = 5,
    /// `uint64`
    Uint64 = 6,
    /// `int8`
    Int8 = 7,
    /// `uint8`
    Uint8 = 8,
    /// `int4`
    Int4 = 9,
    /// `uint4`
    Uint4 = 10,
}

impl DataType {
    /// All values, in the specification's order.
    pub const ALL: &'static [DataType] = &[
DataType::Float32, DataType::Float16, DataType::Int32, DataType::Uint32, DataType::Int64, DataType::Uint64, DataType::Int8, DataType::Uint8, DataType::Int4, DataType::Uint4];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            DataType::Float32 => "float32",
            DataType::Float16 => "float16",
            DataType::Int32 => "int32",
            DataType::Uint32 => "uint32",
            DataType::Int64 => "int64",
            DataType::Uint64 => "uint64",
            DataType::Int8 => "int8",
            DataType::Uint8 => "uint8",
            DataType::Int4 => "int4",
            DataType::Uint4 => "uint4",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<DataType> {
        DataType::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnOperandDataType {
        sys::WebnnOperandDataType(self as u32)
    }
}

/// The specification's [`MLInputOperandLayout`](https://www.w3.org/TR/webnn/#enumdef-mlinputoperandlayout).
///
/// ```
/// use webnn::InputOperandLayout;
/// assert_eq!(InputOperandLayout::Nchw.name(), "nchw");
/// assert_eq!(InputOperandLayout::from_name("nchw"), Some(InputOperandLayout::Nchw));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum InputOperandLayout {
    /// `nchw`
    Nchw = 1,
    /// `nhwc`
    Nhwc = 2,
}

impl InputOperandLayout {
    /// All values, in the specification's order.
    pub const ALL: &'static [InputOperandLayout] = &[
InputOperandLayout::Nchw, InputOperandLayout::Nhwc];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            InputOperandLayout::Nchw => "nchw",
            InputOperandLayout::Nhwc => "nhwc",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<InputOperandLayout> {
        InputOperandLayout::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnInputOperandLayout {
        sys::WebnnInputOperandLayout(self as u32)
    }
}

/// The specification's [`MLRoundingType`](https://www.w3.org/TR/webnn/#enumdef-mlroundingtype).
///
/// ```
/// use webnn::RoundingType;
/// assert_eq!(RoundingType::Floor.name(), "floor");
/// assert_eq!(RoundingType::from_name("floor"), Some(RoundingType::Floor));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum RoundingType {
    /// `floor`
    Floor = 1,
    /// `ceil`
    Ceil = 2,
}

impl RoundingType {
    /// All values, in the specification's order.
    pub const ALL: &'static [RoundingType] = &[
RoundingType::Floor, RoundingType::Ceil];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            RoundingType::Floor => "floor",
            RoundingType::Ceil => "ceil",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<RoundingType> {
        RoundingType::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnRoundingType {
        sys::WebnnRoundingType(self as u32)
    }
}

/// The specification's [`MLConv2dFilterOperandLayout`](https://www.w3.org/TR/webnn/#enumdef-mlconv2dfilteroperandlayout).
///
/// ```
/// use webnn::Conv2dFilterOperandLayout;
/// assert_eq!(Conv2dFilterOperandLayout::Oihw.name(), "oihw");
/// assert_eq!(Conv2dFilterOperandLayout::from_name("oihw"), Some(Conv2dFilterOperandLayout::Oihw));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum Conv2dFilterOperandLayout {
    /// `oihw`
    Oihw = 1,
    /// `hwio`
    Hwio = 2,
    /// `ohwi`
    Ohwi = 3,
    /// `ihwo`
    Ihwo = 4,
}

impl Conv2dFilterOperandLayout {
    /// All values, in the specification's order.
    pub const ALL: &'static [Conv2dFilterOperandLayout] = &[
Conv2dFilterOperandLayout::Oihw, Conv2dFilterOperandLayout::Hwio, Conv2dFilterOperandLayout::Ohwi, Conv2dFilterOperandLayout::Ihwo];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            Conv2dFilterOperandLayout::Oihw => "oihw",
            Conv2dFilterOperandLayout::Hwio => "hwio",
            Conv2dFilterOperandLayout::Ohwi => "ohwi",
            Conv2dFilterOperandLayout::Ihwo => "ihwo",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<Conv2dFilterOperandLayout> {
        Conv2dFilterOperandLayout::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnConv2dFilterOperandLayout {
        sys::WebnnConv2dFilterOperandLayout(self as u32)
    }
}

/// The specification's [`MLConvTranspose2dFilterOperandLayout`](https://www.w3.org/TR/webnn/#enumdef-mlconvtranspose2dfilteroperandlayout).
///
/// ```
/// use webnn::ConvTranspose2dFilterOperandLayout;
/// assert_eq!(ConvTranspose2dFilterOperandLayout::Iohw.name(), "iohw");
/// assert_eq!(ConvTranspose2dFilterOperandLayout::from_name("iohw"), Some(ConvTranspose2dFilterOperandLayout::Iohw));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum ConvTranspose2dFilterOperandLayout {
    /// `iohw`
    Iohw = 1,
    /// `hwoi`
    Hwoi = 2,
    /// `ohwi`
    Ohwi = 3,
}

impl ConvTranspose2dFilterOperandLayout {
    /// All values, in the specification's order.
    pub const ALL: &'static [ConvTranspose2dFilterOperandLayout] = &[
ConvTranspose2dFilterOperandLayout::Iohw, ConvTranspose2dFilterOperandLayout::Hwoi, ConvTranspose2dFilterOperandLayout::Ohwi];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            ConvTranspose2dFilterOperandLayout::Iohw => "iohw",
            ConvTranspose2dFilterOperandLayout::Hwoi => "hwoi",
            ConvTranspose2dFilterOperandLayout::Ohwi => "ohwi",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<ConvTranspose2dFilterOperandLayout> {
        ConvTranspose2dFilterOperandLayout::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnConvTranspose2dFilterOperandLayout {
        sys::WebnnConvTranspose2dFilterOperandLayout(self as u32)
    }
}

/// The specification's [`MLRecurrentNetworkDirection`](https://www.w3.org/TR/webnn/#enumdef-mlrecurrentnetworkdirection).
///
/// ```
/// use webnn::RecurrentNetworkDirection;
/// assert_eq!(RecurrentNetworkDirection::Forward.name(), "forward");
/// assert_eq!(RecurrentNetworkDirection::from_name("forward"), Some(RecurrentNetworkDirection::Forward));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum RecurrentNetworkDirection {
    /// `forward`
    Forward = 1,
    /// `backward`
    Backward = 2,
    /// `both`
    Both = 3,
}

impl RecurrentNetworkDirection {
    /// All values, in the specification's order.
    pub const ALL: &'static [RecurrentNetworkDirection] = &[
RecurrentNetworkDirection::Forward, RecurrentNetworkDirection::Backward, RecurrentNetworkDirection::Both];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            RecurrentNetworkDirection::Forward => "forward",
            RecurrentNetworkDirection::Backward => "backward",
            RecurrentNetworkDirection::Both => "both",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<RecurrentNetworkDirection> {
        RecurrentNetworkDirection::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnRecurrentNetworkDirection {
        sys::WebnnRecurrentNetworkDirection(self as u32)
    }
}

/// The specification's [`MLGruWeightLayout`](https://www.w3.org/TR/webnn/#enumdef-mlgruweightlayout).
///
/// ```
/// use webnn::GruWeightLayout;
/// assert_eq!(GruWeightLayout::Zrn.name(), "zrn");
/// assert_eq!(GruWeightLayout::from_name("zrn"), Some(GruWeightLayout::Zrn));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum GruWeightLayout {
    /// `zrn`
    Zrn = 1,
    /// `rzn`
    Rzn = 2,
}

impl GruWeightLayout {
    /// All values, in the specification's order.
    pub const ALL: &'static [GruWeightLayout] = &[
GruWeightLayout::Zrn, GruWeightLayout::Rzn];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            GruWeightLayout::Zrn => "zrn",
            GruWeightLayout::Rzn => "rzn",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<GruWeightLayout> {
        GruWeightLayout::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnGruWeightLayout {
        sys::WebnnGruWeightLayout(self as u32)
    }
}

/// The specification's [`MLRecurrentNetworkActivation`](https://www.w3.org/TR/webnn/#enumdef-mlrecurrentnetworkactivation).
///
/// ```
/// use webnn::RecurrentNetworkActivation;
/// assert_eq!(RecurrentNetworkActivation::Relu.name(), "relu");
/// assert_eq!(RecurrentNetworkActivation::from_name("relu"), Some(RecurrentNetworkActivation::Relu));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum RecurrentNetworkActivation {
    /// `relu`
    Relu = 1,
    /// `sigmoid`
    Sigmoid = 2,
    /// `tanh`
    Tanh = 3,
}

impl RecurrentNetworkActivation {
    /// All values, in the specification's order.
    pub const ALL: &'static [RecurrentNetworkActivation] = &[
RecurrentNetworkActivation::Relu, RecurrentNetworkActivation::Sigmoid, RecurrentNetworkActivation::Tanh];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            RecurrentNetworkActivation::Relu => "relu",
            RecurrentNetworkActivation::Sigmoid => "sigmoid",
            RecurrentNetworkActivation::Tanh => "tanh",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<RecurrentNetworkActivation> {
        RecurrentNetworkActivation::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw_list(values: Option<&[RecurrentNetworkActivation]>) -> sys::WebnnRecurrentNetworkActivationList {
        match values {
            Some(values) => sys::WebnnRecurrentNetworkActivationList { count: values.len(), items: values.as_ptr().cast() },
            None => sys::WebnnRecurrentNetworkActivationList::default(),
        }
    }
}

/// The specification's [`MLLstmWeightLayout`](https://www.w3.org/TR/webnn/#enumdef-mllstmweightlayout).
///
/// ```
/// use webnn::LstmWeightLayout;
/// assert_eq!(LstmWeightLayout::Iofg.name(), "iofg");
/// assert_eq!(LstmWeightLayout::from_name("iofg"), Some(LstmWeightLayout::Iofg));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum LstmWeightLayout {
    /// `iofg`
    Iofg = 1,
    /// `ifgo`
    Ifgo = 2,
}

impl LstmWeightLayout {
    /// All values, in the specification's order.
    pub const ALL: &'static [LstmWeightLayout] = &[
LstmWeightLayout::Iofg, LstmWeightLayout::Ifgo];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            LstmWeightLayout::Iofg => "iofg",
            LstmWeightLayout::Ifgo => "ifgo",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<LstmWeightLayout> {
        LstmWeightLayout::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnLstmWeightLayout {
        sys::WebnnLstmWeightLayout(self as u32)
    }
}

/// The specification's [`MLPaddingMode`](https://www.w3.org/TR/webnn/#enumdef-mlpaddingmode).
///
/// ```
/// use webnn::PaddingMode;
/// assert_eq!(PaddingMode::Constant.name(), "constant");
/// assert_eq!(PaddingMode::from_name("constant"), Some(PaddingMode::Constant));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum PaddingMode {
    /// `constant`
    Constant = 1,
    /// `edge`
    Edge = 2,
    /// `reflection`
    Reflection = 3,
}

impl PaddingMode {
    /// All values, in the specification's order.
    pub const ALL: &'static [PaddingMode] = &[
PaddingMode::Constant, PaddingMode::Edge, PaddingMode::Reflection];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            PaddingMode::Constant => "constant",
            PaddingMode::Edge => "edge",
            PaddingMode::Reflection => "reflection",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<PaddingMode> {
        PaddingMode::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnPaddingMode {
        sys::WebnnPaddingMode(self as u32)
    }
}

/// The specification's [`MLInterpolationMode`](https://www.w3.org/TR/webnn/#enumdef-mlinterpolationmode).
///
/// ```
/// use webnn::InterpolationMode;
/// assert_eq!(InterpolationMode::NearestNeighbor.name(), "nearest-neighbor");
/// assert_eq!(InterpolationMode::from_name("nearest-neighbor"), Some(InterpolationMode::NearestNeighbor));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum InterpolationMode {
    /// `nearest-neighbor`
    NearestNeighbor = 1,
    /// `linear`
    Linear = 2,
}

impl InterpolationMode {
    /// All values, in the specification's order.
    pub const ALL: &'static [InterpolationMode] = &[
InterpolationMode::NearestNeighbor, InterpolationMode::Linear];

    /// Returns the specification's name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            InterpolationMode::NearestNeighbor => "nearest-neighbor",
            InterpolationMode::Linear => "linear",
        }
    }

    /// Returns the value with this name of the specification.
    pub fn from_name(name: &str) -> Option<InterpolationMode> {
        InterpolationMode::ALL.iter().copied().find(|value| value.name() == name)
    }

    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnInterpolationMode {
        sys::WebnnInterpolationMode(self as u32)
    }
}

/// The specification's [`MLOperatorOptions`](https://www.w3.org/TR/webnn/#dictdef-mloperatoroptions).
///
/// ```
/// let options = webnn::OperatorOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OperatorOptions<'a> {
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for OperatorOptions<'_> {
    #[inline]
    fn default() -> Self {
        OperatorOptions {
            label: "",
        }
    }
}

impl<'a> OperatorOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnOperatorOptions {
        sys::WebnnOperatorOptions {
            nextInChain: null_mut(),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLArgMinMaxOptions`](https://www.w3.org/TR/webnn/#dictdef-mlargminmaxoptions).
///
/// ```
/// let options = webnn::ArgMinMaxOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ArgMinMaxOptions<'a> {
    /// Whether reduced dimensions remain, with size 1. `keepDimensions` of the specification.
    pub keep_dimensions: bool,
    /// Data type of the output, int32 or int64. `outputDataType` of the specification.
    pub output_data_type: DataType,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for ArgMinMaxOptions<'_> {
    #[inline]
    fn default() -> Self {
        ArgMinMaxOptions {
            keep_dimensions: false,
            output_data_type: DataType::Int32,
            label: "",
        }
    }
}

impl<'a> ArgMinMaxOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Whether reduced dimensions remain, with size 1. Default: `false`.
    #[inline]
    #[must_use]
    pub fn keep_dimensions(mut self, keep_dimensions: bool) -> Self {
        self.keep_dimensions = keep_dimensions;
        self
    }

    /// Data type of the output, int32 or int64. Default: `DataType::Int32`.
    #[inline]
    #[must_use]
    pub fn output_data_type(mut self, output_data_type: DataType) -> Self {
        self.output_data_type = output_data_type;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnArgMinMaxOptions {
        sys::WebnnArgMinMaxOptions {
            nextInChain: null_mut(),
            keepDimensions: u32::from(self.keep_dimensions),
            outputDataType: self.output_data_type.raw(),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLPool2dOptions`](https://www.w3.org/TR/webnn/#dictdef-mlpool2doptions).
///
/// ```
/// let options = webnn::Pool2dOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pool2dOptions<'a> {
    /// Height and width of a window; those of the input by default. `windowDimensions` of the specification.
    pub window_dimensions: Option<&'a [u32]>,
    /// Rows to add above and below the input, columns to add left and right; 0 by default. `padding` of the specification.
    pub padding: Option<&'a [u32]>,
    /// Distances between windows along height and width; 1 by default. `strides` of the specification.
    pub strides: Option<&'a [u32]>,
    /// Distances between the elements of a window along height and width; 1 by default. `dilations` of the specification.
    pub dilations: Option<&'a [u32]>,
    /// Order of the dimensions of input and output. `layout` of the specification.
    pub layout: InputOperandLayout,
    /// Rounding of computed output sizes that are not integers. `outputShapeRounding` of the specification.
    pub output_shape_rounding: RoundingType,
    /// Height and width of the output, instead of a rounding; computed by default. `outputSizes` of the specification.
    pub output_sizes: Option<&'a [u32]>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for Pool2dOptions<'_> {
    #[inline]
    fn default() -> Self {
        Pool2dOptions {
            window_dimensions: None,
            padding: None,
            strides: None,
            dilations: None,
            layout: InputOperandLayout::Nchw,
            output_shape_rounding: RoundingType::Floor,
            output_sizes: None,
            label: "",
        }
    }
}

impl<'a> Pool2dOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Height and width of a window; those of the input by default.
    #[inline]
    #[must_use]
    pub fn window_dimensions(mut self, window_dimensions: &'a [u32]) -> Self {
        self.window_dimensions = Some(window_dimensions);
        self
    }

    /// Rows to add above and below the input, columns to add left and right; 0 by default.
    #[inline]
    #[must_use]
    pub fn padding(mut self, padding: &'a [u32]) -> Self {
        self.padding = Some(padding);
        self
    }

    /// Distances between windows along height and width; 1 by default.
    #[inline]
    #[must_use]
    pub fn strides(mut self, strides: &'a [u32]) -> Self {
        self.strides = Some(strides);
        self
    }

    /// Distances between the elements of a window along height and width; 1 by default.
    #[inline]
    #[must_use]
    pub fn dilations(mut self, dilations: &'a [u32]) -> Self {
        self.dilations = Some(dilations);
        self
    }

    /// Order of the dimensions of input and output. Default: `InputOperandLayout::Nchw`.
    #[inline]
    #[must_use]
    pub fn layout(mut self, layout: InputOperandLayout) -> Self {
        self.layout = layout;
        self
    }

    /// Rounding of computed output sizes that are not integers. Default: `RoundingType::Floor`.
    #[inline]
    #[must_use]
    pub fn output_shape_rounding(mut self, output_shape_rounding: RoundingType) -> Self {
        self.output_shape_rounding = output_shape_rounding;
        self
    }

    /// Height and width of the output, instead of a rounding; computed by default.
    #[inline]
    #[must_use]
    pub fn output_sizes(mut self, output_sizes: &'a [u32]) -> Self {
        self.output_sizes = Some(output_sizes);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnPool2dOptions {
        sys::WebnnPool2dOptions {
            nextInChain: null_mut(),
            windowDimensions: raw::sizes(self.window_dimensions),
            padding: raw::sizes(self.padding),
            strides: raw::sizes(self.strides),
            dilations: raw::sizes(self.dilations),
            layout: self.layout.raw(),
            outputShapeRounding: self.output_shape_rounding.raw(),
            outputSizes: raw::sizes(self.output_sizes),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLBatchNormalizationOptions`](https://www.w3.org/TR/webnn/#dictdef-mlbatchnormalizationoptions).
///
/// ```
/// let options = webnn::BatchNormalizationOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BatchNormalizationOptions<'a> {
    /// Factor for each channel; 1 by default. `scale` of the specification.
    pub scale: Option<Operand<'a>>,
    /// Value to add to each channel after scaling; 0 by default. `bias` of the specification.
    pub bias: Option<Operand<'a>>,
    /// Dimension of the channels. `axis` of the specification.
    pub axis: u32,
    /// Value to add to the variance before taking the square root. `epsilon` of the specification.
    pub epsilon: f64,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for BatchNormalizationOptions<'_> {
    #[inline]
    fn default() -> Self {
        BatchNormalizationOptions {
            scale: None,
            bias: None,
            axis: 1,
            epsilon: 1e-05,
            label: "",
        }
    }
}

impl<'a> BatchNormalizationOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Factor for each channel; 1 by default.
    #[inline]
    #[must_use]
    pub fn scale(mut self, scale: Operand<'a>) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Value to add to each channel after scaling; 0 by default.
    #[inline]
    #[must_use]
    pub fn bias(mut self, bias: Operand<'a>) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Dimension of the channels. Default: `1`.
    #[inline]
    #[must_use]
    pub fn axis(mut self, axis: u32) -> Self {
        self.axis = axis;
        self
    }

    /// Value to add to the variance before taking the square root. Default: `1e-05`.
    #[inline]
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.epsilon = epsilon;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnBatchNormalizationOptions {
        sys::WebnnBatchNormalizationOptions {
            nextInChain: null_mut(),
            scale: raw::operand(self.scale),
            bias: raw::operand(self.bias),
            axis: self.axis,
            epsilon: self.epsilon,
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLClampOptions`](https://www.w3.org/TR/webnn/#dictdef-mlclampoptions).
///
/// ```
/// let options = webnn::ClampOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ClampOptions<'a> {
    /// Lower bound; none by default. `minValue` of the specification.
    pub min_value: Option<Number>,
    /// Upper bound; none by default. `maxValue` of the specification.
    pub max_value: Option<Number>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for ClampOptions<'_> {
    #[inline]
    fn default() -> Self {
        ClampOptions {
            min_value: None,
            max_value: None,
            label: "",
        }
    }
}

impl<'a> ClampOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Lower bound; none by default.
    #[inline]
    #[must_use]
    pub fn min_value(mut self, min_value: impl Into<Number>) -> Self {
        self.min_value = Some(min_value.into());
        self
    }

    /// Upper bound; none by default.
    #[inline]
    #[must_use]
    pub fn max_value(mut self, max_value: impl Into<Number>) -> Self {
        self.max_value = Some(max_value.into());
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnClampOptions {
        sys::WebnnClampOptions {
            nextInChain: null_mut(),
            minValue: raw::number(self.min_value),
            maxValue: raw::number(self.max_value),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLConv2dOptions`](https://www.w3.org/TR/webnn/#dictdef-mlconv2doptions).
///
/// ```
/// let options = webnn::Conv2dOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Conv2dOptions<'a> {
    /// Rows to add above and below the input, columns to add left and right; 0 by default. `padding` of the specification.
    pub padding: Option<&'a [u32]>,
    /// Distances between windows along height and width; 1 by default. `strides` of the specification.
    pub strides: Option<&'a [u32]>,
    /// Distances between the elements of a window along height and width; 1 by default. `dilations` of the specification.
    pub dilations: Option<&'a [u32]>,
    /// Number of groups that the channels are divided into. `groups` of the specification.
    pub groups: u32,
    /// Order of the dimensions of input and output. `inputLayout` of the specification.
    pub input_layout: InputOperandLayout,
    /// Order of the filter's dimensions. `filterLayout` of the specification.
    pub filter_layout: Conv2dFilterOperandLayout,
    /// Value to add to each output channel; 0 by default. `bias` of the specification.
    pub bias: Option<Operand<'a>>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for Conv2dOptions<'_> {
    #[inline]
    fn default() -> Self {
        Conv2dOptions {
            padding: None,
            strides: None,
            dilations: None,
            groups: 1,
            input_layout: InputOperandLayout::Nchw,
            filter_layout: Conv2dFilterOperandLayout::Oihw,
            bias: None,
            label: "",
        }
    }
}

impl<'a> Conv2dOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Rows to add above and below the input, columns to add left and right; 0 by default.
    #[inline]
    #[must_use]
    pub fn padding(mut self, padding: &'a [u32]) -> Self {
        self.padding = Some(padding);
        self
    }

    /// Distances between windows along height and width; 1 by default.
    #[inline]
    #[must_use]
    pub fn strides(mut self, strides: &'a [u32]) -> Self {
        self.strides = Some(strides);
        self
    }

    /// Distances between the elements of a window along height and width; 1 by default.
    #[inline]
    #[must_use]
    pub fn dilations(mut self, dilations: &'a [u32]) -> Self {
        self.dilations = Some(dilations);
        self
    }

    /// Number of groups that the channels are divided into. Default: `1`.
    #[inline]
    #[must_use]
    pub fn groups(mut self, groups: u32) -> Self {
        self.groups = groups;
        self
    }

    /// Order of the dimensions of input and output. Default: `InputOperandLayout::Nchw`.
    #[inline]
    #[must_use]
    pub fn input_layout(mut self, input_layout: InputOperandLayout) -> Self {
        self.input_layout = input_layout;
        self
    }

    /// Order of the filter's dimensions. Default: `Conv2dFilterOperandLayout::Oihw`.
    #[inline]
    #[must_use]
    pub fn filter_layout(mut self, filter_layout: Conv2dFilterOperandLayout) -> Self {
        self.filter_layout = filter_layout;
        self
    }

    /// Value to add to each output channel; 0 by default.
    #[inline]
    #[must_use]
    pub fn bias(mut self, bias: Operand<'a>) -> Self {
        self.bias = Some(bias);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnConv2dOptions {
        sys::WebnnConv2dOptions {
            nextInChain: null_mut(),
            padding: raw::sizes(self.padding),
            strides: raw::sizes(self.strides),
            dilations: raw::sizes(self.dilations),
            groups: self.groups,
            inputLayout: self.input_layout.raw(),
            filterLayout: self.filter_layout.raw(),
            bias: raw::operand(self.bias),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLConvTranspose2dOptions`](https://www.w3.org/TR/webnn/#dictdef-mlconvtranspose2doptions).
///
/// ```
/// let options = webnn::ConvTranspose2dOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ConvTranspose2dOptions<'a> {
    /// Rows to remove at the top and bottom of the output, columns to remove left and right; 0 by default. `padding` of the specification.
    pub padding: Option<&'a [u32]>,
    /// Distances between windows along height and width; 1 by default. `strides` of the specification.
    pub strides: Option<&'a [u32]>,
    /// Distances between the elements of a window along height and width; 1 by default. `dilations` of the specification.
    pub dilations: Option<&'a [u32]>,
    /// Numbers of rows and columns to add at the end of the output; 0 by default. `outputPadding` of the specification.
    pub output_padding: Option<&'a [u32]>,
    /// Height and width of the output, instead of an output padding; computed by default. `outputSizes` of the specification.
    pub output_sizes: Option<&'a [u32]>,
    /// Number of groups that the channels are divided into. `groups` of the specification.
    pub groups: u32,
    /// Order of the dimensions of input and output. `inputLayout` of the specification.
    pub input_layout: InputOperandLayout,
    /// Order of the filter's dimensions. `filterLayout` of the specification.
    pub filter_layout: ConvTranspose2dFilterOperandLayout,
    /// Value to add to each output channel; 0 by default. `bias` of the specification.
    pub bias: Option<Operand<'a>>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for ConvTranspose2dOptions<'_> {
    #[inline]
    fn default() -> Self {
        ConvTranspose2dOptions {
            padding: None,
            strides: None,
            dilations: None,
            output_padding: None,
            output_sizes: None,
            groups: 1,
            input_layout: InputOperandLayout::Nchw,
            filter_layout: ConvTranspose2dFilterOperandLayout::Iohw,
            bias: None,
            label: "",
        }
    }
}

impl<'a> ConvTranspose2dOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Rows to remove at the top and bottom of the output, columns to remove left and right; 0 by default.
    #[inline]
    #[must_use]
    pub fn padding(mut self, padding: &'a [u32]) -> Self {
        self.padding = Some(padding);
        self
    }

    /// Distances between windows along height and width; 1 by default.
    #[inline]
    #[must_use]
    pub fn strides(mut self, strides: &'a [u32]) -> Self {
        self.strides = Some(strides);
        self
    }

    /// Distances between the elements of a window along height and width; 1 by default.
    #[inline]
    #[must_use]
    pub fn dilations(mut self, dilations: &'a [u32]) -> Self {
        self.dilations = Some(dilations);
        self
    }

    /// Numbers of rows and columns to add at the end of the output; 0 by default.
    #[inline]
    #[must_use]
    pub fn output_padding(mut self, output_padding: &'a [u32]) -> Self {
        self.output_padding = Some(output_padding);
        self
    }

    /// Height and width of the output, instead of an output padding; computed by default.
    #[inline]
    #[must_use]
    pub fn output_sizes(mut self, output_sizes: &'a [u32]) -> Self {
        self.output_sizes = Some(output_sizes);
        self
    }

    /// Number of groups that the channels are divided into. Default: `1`.
    #[inline]
    #[must_use]
    pub fn groups(mut self, groups: u32) -> Self {
        self.groups = groups;
        self
    }

    /// Order of the dimensions of input and output. Default: `InputOperandLayout::Nchw`.
    #[inline]
    #[must_use]
    pub fn input_layout(mut self, input_layout: InputOperandLayout) -> Self {
        self.input_layout = input_layout;
        self
    }

    /// Order of the filter's dimensions. Default: `ConvTranspose2dFilterOperandLayout::Iohw`.
    #[inline]
    #[must_use]
    pub fn filter_layout(mut self, filter_layout: ConvTranspose2dFilterOperandLayout) -> Self {
        self.filter_layout = filter_layout;
        self
    }

    /// Value to add to each output channel; 0 by default.
    #[inline]
    #[must_use]
    pub fn bias(mut self, bias: Operand<'a>) -> Self {
        self.bias = Some(bias);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnConvTranspose2dOptions {
        sys::WebnnConvTranspose2dOptions {
            nextInChain: null_mut(),
            padding: raw::sizes(self.padding),
            strides: raw::sizes(self.strides),
            dilations: raw::sizes(self.dilations),
            outputPadding: raw::sizes(self.output_padding),
            outputSizes: raw::sizes(self.output_sizes),
            groups: self.groups,
            inputLayout: self.input_layout.raw(),
            filterLayout: self.filter_layout.raw(),
            bias: raw::operand(self.bias),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLCumulativeSumOptions`](https://www.w3.org/TR/webnn/#dictdef-mlcumulativesumoptions).
///
/// ```
/// let options = webnn::CumulativeSumOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CumulativeSumOptions<'a> {
    /// Whether each sum leaves out the element at its own position. `exclusive` of the specification.
    pub exclusive: bool,
    /// Whether to sum from the end. `reversed` of the specification.
    pub reversed: bool,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for CumulativeSumOptions<'_> {
    #[inline]
    fn default() -> Self {
        CumulativeSumOptions {
            exclusive: false,
            reversed: false,
            label: "",
        }
    }
}

impl<'a> CumulativeSumOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Whether each sum leaves out the element at its own position. Default: `false`.
    #[inline]
    #[must_use]
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.exclusive = exclusive;
        self
    }

    /// Whether to sum from the end. Default: `false`.
    #[inline]
    #[must_use]
    pub fn reversed(mut self, reversed: bool) -> Self {
        self.reversed = reversed;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnCumulativeSumOptions {
        sys::WebnnCumulativeSumOptions {
            nextInChain: null_mut(),
            exclusive: u32::from(self.exclusive),
            reversed: u32::from(self.reversed),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLEluOptions`](https://www.w3.org/TR/webnn/#dictdef-mleluoptions).
///
/// ```
/// let options = webnn::EluOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EluOptions<'a> {
    /// Factor of exp(x) - 1 for negative x. `alpha` of the specification.
    pub alpha: f64,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for EluOptions<'_> {
    #[inline]
    fn default() -> Self {
        EluOptions {
            alpha: 1.0,
            label: "",
        }
    }
}

impl<'a> EluOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Factor of exp(x) - 1 for negative x. Default: `1.0`.
    #[inline]
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnEluOptions {
        sys::WebnnEluOptions {
            nextInChain: null_mut(),
            alpha: self.alpha,
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLGatherOptions`](https://www.w3.org/TR/webnn/#dictdef-mlgatheroptions).
///
/// ```
/// let options = webnn::GatherOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GatherOptions<'a> {
    /// Dimension of input that the indices refer to. `axis` of the specification.
    pub axis: u32,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for GatherOptions<'_> {
    #[inline]
    fn default() -> Self {
        GatherOptions {
            axis: 0,
            label: "",
        }
    }
}

impl<'a> GatherOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Dimension of input that the indices refer to. Default: `0`.
    #[inline]
    #[must_use]
    pub fn axis(mut self, axis: u32) -> Self {
        self.axis = axis;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnGatherOptions {
        sys::WebnnGatherOptions {
            nextInChain: null_mut(),
            axis: self.axis,
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLGemmOptions`](https://www.w3.org/TR/webnn/#dictdef-mlgemmoptions).
///
/// ```
/// let options = webnn::GemmOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GemmOptions<'a> {
    /// Matrix to add, broadcast to the shape of the product; none by default. `c` of the specification.
    pub c: Option<Operand<'a>>,
    /// Factor of the product of a and b. `alpha` of the specification.
    pub alpha: f64,
    /// Factor of c. `beta` of the specification.
    pub beta: f64,
    /// Whether to transpose a first. `aTranspose` of the specification.
    pub a_transpose: bool,
    /// Whether to transpose b first. `bTranspose` of the specification.
    pub b_transpose: bool,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for GemmOptions<'_> {
    #[inline]
    fn default() -> Self {
        GemmOptions {
            c: None,
            alpha: 1.0,
            beta: 1.0,
            a_transpose: false,
            b_transpose: false,
            label: "",
        }
    }
}

impl<'a> GemmOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Matrix to add, broadcast to the shape of the product; none by default.
    #[inline]
    #[must_use]
    pub fn c(mut self, c: Operand<'a>) -> Self {
        self.c = Some(c);
        self
    }

    /// Factor of the product of a and b. Default: `1.0`.
    #[inline]
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// Factor of c. Default: `1.0`.
    #[inline]
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Self {
        self.beta = beta;
        self
    }

    /// Whether to transpose a first. Default: `false`.
    #[inline]
    #[must_use]
    pub fn a_transpose(mut self, a_transpose: bool) -> Self {
        self.a_transpose = a_transpose;
        self
    }

    /// Whether to transpose b first. Default: `false`.
    #[inline]
    #[must_use]
    pub fn b_transpose(mut self, b_transpose: bool) -> Self {
        self.b_transpose = b_transpose;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnGemmOptions {
        sys::WebnnGemmOptions {
            nextInChain: null_mut(),
            c: raw::operand(self.c),
            alpha: self.alpha,
            beta: self.beta,
            aTranspose: u32::from(self.a_transpose),
            bTranspose: u32::from(self.b_transpose),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLGruOptions`](https://www.w3.org/TR/webnn/#dictdef-mlgruoptions).
///
/// ```
/// let options = webnn::GruOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GruOptions<'a> {
    /// Bias of the gates' products with the input; 0 by default. `bias` of the specification.
    pub bias: Option<Operand<'a>>,
    /// Bias of the gates' products with the hidden state; 0 by default. `recurrentBias` of the specification.
    pub recurrent_bias: Option<Operand<'a>>,
    /// Hidden state before the first step; 0 by default. `initialHiddenState` of the specification.
    pub initial_hidden_state: Option<Operand<'a>>,
    /// Whether the reset gate applies after the product with the recurrent weights, not before. `resetAfter` of the specification.
    pub reset_after: bool,
    /// Whether to return the hidden states of all steps too. `returnSequence` of the specification.
    pub return_sequence: bool,
    /// Order in which the time steps are read. `direction` of the specification.
    pub direction: RecurrentNetworkDirection,
    /// Order of the gates in the weights and biases. `layout` of the specification.
    pub layout: GruWeightLayout,
    /// Two activations: one for the update and reset gates, one for the new gate; sigmoid and tanh by default. `activations` of the specification.
    pub activations: Option<&'a [RecurrentNetworkActivation]>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for GruOptions<'_> {
    #[inline]
    fn default() -> Self {
        GruOptions {
            bias: None,
            recurrent_bias: None,
            initial_hidden_state: None,
            reset_after: true,
            return_sequence: false,
            direction: RecurrentNetworkDirection::Forward,
            layout: GruWeightLayout::Zrn,
            activations: None,
            label: "",
        }
    }
}

impl<'a> GruOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Bias of the gates' products with the input; 0 by default.
    #[inline]
    #[must_use]
    pub fn bias(mut self, bias: Operand<'a>) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Bias of the gates' products with the hidden state; 0 by default.
    #[inline]
    #[must_use]
    pub fn recurrent_bias(mut self, recurrent_bias: Operand<'a>) -> Self {
        self.recurrent_bias = Some(recurrent_bias);
        self
    }

    /// Hidden state before the first step; 0 by default.
    #[inline]
    #[must_use]
    pub fn initial_hidden_state(mut self, initial_hidden_state: Operand<'a>) -> Self {
        self.initial_hidden_state = Some(initial_hidden_state);
        self
    }

    /// Whether the reset gate applies after the product with the recurrent weights, not before. Default: `true`.
    #[inline]
    #[must_use]
    pub fn reset_after(mut self, reset_after: bool) -> Self {
        self.reset_after = reset_after;
        self
    }

    /// Whether to return the hidden states of all steps too. Default: `false`.
    #[inline]
    #[must_use]
    pub fn return_sequence(mut self, return_sequence: bool) -> Self {
        self.return_sequence = return_sequence;
        self
    }

    /// Order in which the time steps are read. Default: `RecurrentNetworkDirection::Forward`.
    #[inline]
    #[must_use]
    pub fn direction(mut self, direction: RecurrentNetworkDirection) -> Self {
        self.direction = direction;
        self
    }

    /// Order of the gates in the weights and biases. Default: `GruWeightLayout::Zrn`.
    #[inline]
    #[must_use]
    pub fn layout(mut self, layout: GruWeightLayout) -> Self {
        self.layout = layout;
        self
    }

    /// Two activations: one for the update and reset gates, one for the new gate; sigmoid and tanh by default.
    #[inline]
    #[must_use]
    pub fn activations(mut self, activations: &'a [RecurrentNetworkActivation]) -> Self {
        self.activations = Some(activations);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnGruOptions {
        sys::WebnnGruOptions {
            nextInChain: null_mut(),
            bias: raw::operand(self.bias),
            recurrentBias: raw::operand(self.recurrent_bias),
            initialHiddenState: raw::operand(self.initial_hidden_state),
            resetAfter: u32::from(self.reset_after),
            returnSequence: u32::from(self.return_sequence),
            direction: self.direction.raw(),
            layout: self.layout.raw(),
            activations: RecurrentNetworkActivation::raw_list(self.activations),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLGruCellOptions`](https://www.w3.org/TR/webnn/#dictdef-mlgrucelloptions).
///
/// ```
/// let options = webnn::GruCellOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GruCellOptions<'a> {
    /// Bias of the gates' products with the input; 0 by default. `bias` of the specification.
    pub bias: Option<Operand<'a>>,
    /// Bias of the gates' products with the hidden state; 0 by default. `recurrentBias` of the specification.
    pub recurrent_bias: Option<Operand<'a>>,
    /// Whether the reset gate applies after the product with the recurrent weights, not before. `resetAfter` of the specification.
    pub reset_after: bool,
    /// Order of the gates in the weights and biases. `layout` of the specification.
    pub layout: GruWeightLayout,
    /// Two activations: one for the update and reset gates, one for the new gate; sigmoid and tanh by default. `activations` of the specification.
    pub activations: Option<&'a [RecurrentNetworkActivation]>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for GruCellOptions<'_> {
    #[inline]
    fn default() -> Self {
        GruCellOptions {
            bias: None,
            recurrent_bias: None,
            reset_after: true,
            layout: GruWeightLayout::Zrn,
            activations: None,
            label: "",
        }
    }
}

impl<'a> GruCellOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Bias of the gates' products with the input; 0 by default.
    #[inline]
    #[must_use]
    pub fn bias(mut self, bias: Operand<'a>) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Bias of the gates' products with the hidden state; 0 by default.
    #[inline]
    #[must_use]
    pub fn recurrent_bias(mut self, recurrent_bias: Operand<'a>) -> Self {
        self.recurrent_bias = Some(recurrent_bias);
        self
    }

    /// Whether the reset gate applies after the product with the recurrent weights, not before. Default: `true`.
    #[inline]
    #[must_use]
    pub fn reset_after(mut self, reset_after: bool) -> Self {
        self.reset_after = reset_after;
        self
    }

    /// Order of the gates in the weights and biases. Default: `GruWeightLayout::Zrn`.
    #[inline]
    #[must_use]
    pub fn layout(mut self, layout: GruWeightLayout) -> Self {
        self.layout = layout;
        self
    }

    /// Two activations: one for the update and reset gates, one for the new gate; sigmoid and tanh by default.
    #[inline]
    #[must_use]
    pub fn activations(mut self, activations: &'a [RecurrentNetworkActivation]) -> Self {
        self.activations = Some(activations);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnGruCellOptions {
        sys::WebnnGruCellOptions {
            nextInChain: null_mut(),
            bias: raw::operand(self.bias),
            recurrentBias: raw::operand(self.recurrent_bias),
            resetAfter: u32::from(self.reset_after),
            layout: self.layout.raw(),
            activations: RecurrentNetworkActivation::raw_list(self.activations),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLHardSigmoidOptions`](https://www.w3.org/TR/webnn/#dictdef-mlhardsigmoidoptions).
///
/// ```
/// let options = webnn::HardSigmoidOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HardSigmoidOptions<'a> {
    /// Slope. `alpha` of the specification.
    pub alpha: f64,
    /// Offset. `beta` of the specification.
    pub beta: f64,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for HardSigmoidOptions<'_> {
    #[inline]
    fn default() -> Self {
        HardSigmoidOptions {
            alpha: 0.2,
            beta: 0.5,
            label: "",
        }
    }
}

impl<'a> HardSigmoidOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Slope. Default: `0.2`.
    #[inline]
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// Offset. Default: `0.5`.
    #[inline]
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Self {
        self.beta = beta;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnHardSigmoidOptions {
        sys::WebnnHardSigmoidOptions {
            nextInChain: null_mut(),
            alpha: self.alpha,
            beta: self.beta,
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLInstanceNormalizationOptions`](https://www.w3.org/TR/webnn/#dictdef-mlinstancenormalizationoptions).
///
/// ```
/// let options = webnn::InstanceNormalizationOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct InstanceNormalizationOptions<'a> {
    /// Factor for each channel; 1 by default. `scale` of the specification.
    pub scale: Option<Operand<'a>>,
    /// Value to add to each channel after scaling; 0 by default. `bias` of the specification.
    pub bias: Option<Operand<'a>>,
    /// Value to add to the variance before taking the square root. `epsilon` of the specification.
    pub epsilon: f64,
    /// Order of the dimensions of input and output. `layout` of the specification.
    pub layout: InputOperandLayout,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for InstanceNormalizationOptions<'_> {
    #[inline]
    fn default() -> Self {
        InstanceNormalizationOptions {
            scale: None,
            bias: None,
            epsilon: 1e-05,
            layout: InputOperandLayout::Nchw,
            label: "",
        }
    }
}

impl<'a> InstanceNormalizationOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Factor for each channel; 1 by default.
    #[inline]
    #[must_use]
    pub fn scale(mut self, scale: Operand<'a>) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Value to add to each channel after scaling; 0 by default.
    #[inline]
    #[must_use]
    pub fn bias(mut self, bias: Operand<'a>) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Value to add to the variance before taking the square root. Default: `1e-05`.
    #[inline]
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.epsilon = epsilon;
        self
    }

    /// Order of the dimensions of input and output. Default: `InputOperandLayout::Nchw`.
    #[inline]
    #[must_use]
    pub fn layout(mut self, layout: InputOperandLayout) -> Self {
        self.layout = layout;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnInstanceNormalizationOptions {
        sys::WebnnInstanceNormalizationOptions {
            nextInChain: null_mut(),
            scale: raw::operand(self.scale),
            bias: raw::operand(self.bias),
            epsilon: self.epsilon,
            layout: self.layout.raw(),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLLayerNormalizationOptions`](https://www.w3.org/TR/webnn/#dictdef-mllayernormalizationoptions).
///
/// ```
/// let options = webnn::LayerNormalizationOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LayerNormalizationOptions<'a> {
    /// Factors, one for each position along axes; 1 by default. `scale` of the specification.
    pub scale: Option<Operand<'a>>,
    /// Values to add after scaling, one for each position along axes; 0 by default. `bias` of the specification.
    pub bias: Option<Operand<'a>>,
    /// Dimensions to normalize along; all but the first by default. `axes` of the specification.
    pub axes: Option<&'a [u32]>,
    /// Value to add to the variance before taking the square root. `epsilon` of the specification.
    pub epsilon: f64,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for LayerNormalizationOptions<'_> {
    #[inline]
    fn default() -> Self {
        LayerNormalizationOptions {
            scale: None,
            bias: None,
            axes: None,
            epsilon: 1e-05,
            label: "",
        }
    }
}

impl<'a> LayerNormalizationOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Factors, one for each position along axes; 1 by default.
    #[inline]
    #[must_use]
    pub fn scale(mut self, scale: Operand<'a>) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Values to add after scaling, one for each position along axes; 0 by default.
    #[inline]
    #[must_use]
    pub fn bias(mut self, bias: Operand<'a>) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Dimensions to normalize along; all but the first by default.
    #[inline]
    #[must_use]
    pub fn axes(mut self, axes: &'a [u32]) -> Self {
        self.axes = Some(axes);
        self
    }

    /// Value to add to the variance before taking the square root. Default: `1e-05`.
    #[inline]
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.epsilon = epsilon;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnLayerNormalizationOptions {
        sys::WebnnLayerNormalizationOptions {
            nextInChain: null_mut(),
            scale: raw::operand(self.scale),
            bias: raw::operand(self.bias),
            axes: raw::sizes(self.axes),
            epsilon: self.epsilon,
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLLeakyReluOptions`](https://www.w3.org/TR/webnn/#dictdef-mlleakyreluoptions).
///
/// ```
/// let options = webnn::LeakyReluOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LeakyReluOptions<'a> {
    /// Slope for negative x. `alpha` of the specification.
    pub alpha: f64,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for LeakyReluOptions<'_> {
    #[inline]
    fn default() -> Self {
        LeakyReluOptions {
            alpha: 0.01,
            label: "",
        }
    }
}

impl<'a> LeakyReluOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Slope for negative x. Default: `0.01`.
    #[inline]
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnLeakyReluOptions {
        sys::WebnnLeakyReluOptions {
            nextInChain: null_mut(),
            alpha: self.alpha,
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLLinearOptions`](https://www.w3.org/TR/webnn/#dictdef-mllinearoptions).
///
/// ```
/// let options = webnn::LinearOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LinearOptions<'a> {
    /// Slope. `alpha` of the specification.
    pub alpha: f64,
    /// Offset. `beta` of the specification.
    pub beta: f64,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for LinearOptions<'_> {
    #[inline]
    fn default() -> Self {
        LinearOptions {
            alpha: 1.0,
            beta: 0.0,
            label: "",
        }
    }
}

impl<'a> LinearOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Slope. Default: `1.0`.
    #[inline]
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// Offset. Default: `0.0`.
    #[inline]
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Self {
        self.beta = beta;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnLinearOptions {
        sys::WebnnLinearOptions {
            nextInChain: null_mut(),
            alpha: self.alpha,
            beta: self.beta,
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLLstmOptions`](https://www.w3.org/TR/webnn/#dictdef-mllstmoptions).
///
/// ```
/// let options = webnn::LstmOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LstmOptions<'a> {
    /// Bias of the gates' products with the input; 0 by default. `bias` of the specification.
    pub bias: Option<Operand<'a>>,
    /// Bias of the gates' products with the hidden state; 0 by default. `recurrentBias` of the specification.
    pub recurrent_bias: Option<Operand<'a>>,
    /// Weights of the cell state in the input, output and forget gates; 0 by default. `peepholeWeight` of the specification.
    pub peephole_weight: Option<Operand<'a>>,
    /// Hidden state before the first step; 0 by default. `initialHiddenState` of the specification.
    pub initial_hidden_state: Option<Operand<'a>>,
    /// Cell state before the first step; 0 by default. `initialCellState` of the specification.
    pub initial_cell_state: Option<Operand<'a>>,
    /// Whether to return the hidden states of all steps too. `returnSequence` of the specification.
    pub return_sequence: bool,
    /// Order in which the time steps are read. `direction` of the specification.
    pub direction: RecurrentNetworkDirection,
    /// Order of the gates in the weights and biases. `layout` of the specification.
    pub layout: LstmWeightLayout,
    /// Three activations: one for the input, output and forget gates, one for the cell gate, one for the new cell state; sigmoid, tanh and tanh by default. `activations` of the specification.
    pub activations: Option<&'a [RecurrentNetworkActivation]>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for LstmOptions<'_> {
    #[inline]
    fn default() -> Self {
        LstmOptions {
            bias: None,
            recurrent_bias: None,
            peephole_weight: None,
            initial_hidden_state: None,
            initial_cell_state: None,
            return_sequence: false,
            direction: RecurrentNetworkDirection::Forward,
            layout: LstmWeightLayout::Iofg,
            activations: None,
            label: "",
        }
    }
}

impl<'a> LstmOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Bias of the gates' products with the input; 0 by default.
    #[inline]
    #[must_use]
    pub fn bias(mut self, bias: Operand<'a>) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Bias of the gates' products with the hidden state; 0 by default.
    #[inline]
    #[must_use]
    pub fn recurrent_bias(mut self, recurrent_bias: Operand<'a>) -> Self {
        self.recurrent_bias = Some(recurrent_bias);
        self
    }

    /// Weights of the cell state in the input, output and forget gates; 0 by default.
    #[inline]
    #[must_use]
    pub fn peephole_weight(mut self, peephole_weight: Operand<'a>) -> Self {
        self.peephole_weight = Some(peephole_weight);
        self
    }

    /// Hidden state before the first step; 0 by default.
    #[inline]
    #[must_use]
    pub fn initial_hidden_state(mut self, initial_hidden_state: Operand<'a>) -> Self {
        self.initial_hidden_state = Some(initial_hidden_state);
        self
    }

    /// Cell state before the first step; 0 by default.
    #[inline]
    #[must_use]
    pub fn initial_cell_state(mut self, initial_cell_state: Operand<'a>) -> Self {
        self.initial_cell_state = Some(initial_cell_state);
        self
    }

    /// Whether to return the hidden states of all steps too. Default: `false`.
    #[inline]
    #[must_use]
    pub fn return_sequence(mut self, return_sequence: bool) -> Self {
        self.return_sequence = return_sequence;
        self
    }

    /// Order in which the time steps are read. Default: `RecurrentNetworkDirection::Forward`.
    #[inline]
    #[must_use]
    pub fn direction(mut self, direction: RecurrentNetworkDirection) -> Self {
        self.direction = direction;
        self
    }

    /// Order of the gates in the weights and biases. Default: `LstmWeightLayout::Iofg`.
    #[inline]
    #[must_use]
    pub fn layout(mut self, layout: LstmWeightLayout) -> Self {
        self.layout = layout;
        self
    }

    /// Three activations: one for the input, output and forget gates, one for the cell gate, one for the new cell state; sigmoid, tanh and tanh by default.
    #[inline]
    #[must_use]
    pub fn activations(mut self, activations: &'a [RecurrentNetworkActivation]) -> Self {
        self.activations = Some(activations);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnLstmOptions {
        sys::WebnnLstmOptions {
            nextInChain: null_mut(),
            bias: raw::operand(self.bias),
            recurrentBias: raw::operand(self.recurrent_bias),
            peepholeWeight: raw::operand(self.peephole_weight),
            initialHiddenState: raw::operand(self.initial_hidden_state),
            initialCellState: raw::operand(self.initial_cell_state),
            returnSequence: u32::from(self.return_sequence),
            direction: self.direction.raw(),
            layout: self.layout.raw(),
            activations: RecurrentNetworkActivation::raw_list(self.activations),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLLstmCellOptions`](https://www.w3.org/TR/webnn/#dictdef-mllstmcelloptions).
///
/// ```
/// let options = webnn::LstmCellOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LstmCellOptions<'a> {
    /// Bias of the gates' products with the input; 0 by default. `bias` of the specification.
    pub bias: Option<Operand<'a>>,
    /// Bias of the gates' products with the hidden state; 0 by default. `recurrentBias` of the specification.
    pub recurrent_bias: Option<Operand<'a>>,
    /// Weights of the cell state in the input, output and forget gates; 0 by default. `peepholeWeight` of the specification.
    pub peephole_weight: Option<Operand<'a>>,
    /// Order of the gates in the weights and biases. `layout` of the specification.
    pub layout: LstmWeightLayout,
    /// Three activations: one for the input, output and forget gates, one for the cell gate, one for the new cell state; sigmoid, tanh and tanh by default. `activations` of the specification.
    pub activations: Option<&'a [RecurrentNetworkActivation]>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for LstmCellOptions<'_> {
    #[inline]
    fn default() -> Self {
        LstmCellOptions {
            bias: None,
            recurrent_bias: None,
            peephole_weight: None,
            layout: LstmWeightLayout::Iofg,
            activations: None,
            label: "",
        }
    }
}

impl<'a> LstmCellOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Bias of the gates' products with the input; 0 by default.
    #[inline]
    #[must_use]
    pub fn bias(mut self, bias: Operand<'a>) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Bias of the gates' products with the hidden state; 0 by default.
    #[inline]
    #[must_use]
    pub fn recurrent_bias(mut self, recurrent_bias: Operand<'a>) -> Self {
        self.recurrent_bias = Some(recurrent_bias);
        self
    }

    /// Weights of the cell state in the input, output and forget gates; 0 by default.
    #[inline]
    #[must_use]
    pub fn peephole_weight(mut self, peephole_weight: Operand<'a>) -> Self {
        self.peephole_weight = Some(peephole_weight);
        self
    }

    /// Order of the gates in the weights and biases. Default: `LstmWeightLayout::Iofg`.
    #[inline]
    #[must_use]
    pub fn layout(mut self, layout: LstmWeightLayout) -> Self {
        self.layout = layout;
        self
    }

    /// Three activations: one for the input, output and forget gates, one for the cell gate, one for the new cell state; sigmoid, tanh and tanh by default.
    #[inline]
    #[must_use]
    pub fn activations(mut self, activations: &'a [RecurrentNetworkActivation]) -> Self {
        self.activations = Some(activations);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnLstmCellOptions {
        sys::WebnnLstmCellOptions {
            nextInChain: null_mut(),
            bias: raw::operand(self.bias),
            recurrentBias: raw::operand(self.recurrent_bias),
            peepholeWeight: raw::operand(self.peephole_weight),
            layout: self.layout.raw(),
            activations: RecurrentNetworkActivation::raw_list(self.activations),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLPadOptions`](https://www.w3.org/TR/webnn/#dictdef-mlpadoptions).
///
/// ```
/// let options = webnn::PadOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PadOptions<'a> {
    /// Kind of the added elements: value, copies of the edge or a reflection of the input. `mode` of the specification.
    pub mode: PaddingMode,
    /// Value of the added elements in mode constant. `value` of the specification.
    pub value: Number,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for PadOptions<'_> {
    #[inline]
    fn default() -> Self {
        PadOptions {
            mode: PaddingMode::Constant,
            value: Number::Double(0.0),
            label: "",
        }
    }
}

impl<'a> PadOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Kind of the added elements: value, copies of the edge or a reflection of the input. Default: `PaddingMode::Constant`.
    #[inline]
    #[must_use]
    pub fn mode(mut self, mode: PaddingMode) -> Self {
        self.mode = mode;
        self
    }

    /// Value of the added elements in mode constant. Default: `Number::Double(0.0)`.
    #[inline]
    #[must_use]
    pub fn value(mut self, value: impl Into<Number>) -> Self {
        self.value = value.into();
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnPadOptions {
        sys::WebnnPadOptions {
            nextInChain: null_mut(),
            mode: self.mode.raw(),
            value: self.value.raw(),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLReduceOptions`](https://www.w3.org/TR/webnn/#dictdef-mlreduceoptions).
///
/// ```
/// let options = webnn::ReduceOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReduceOptions<'a> {
    /// Dimensions to reduce; all by default. `axes` of the specification.
    pub axes: Option<&'a [u32]>,
    /// Whether reduced dimensions remain, with size 1. `keepDimensions` of the specification.
    pub keep_dimensions: bool,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for ReduceOptions<'_> {
    #[inline]
    fn default() -> Self {
        ReduceOptions {
            axes: None,
            keep_dimensions: false,
            label: "",
        }
    }
}

impl<'a> ReduceOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Dimensions to reduce; all by default.
    #[inline]
    #[must_use]
    pub fn axes(mut self, axes: &'a [u32]) -> Self {
        self.axes = Some(axes);
        self
    }

    /// Whether reduced dimensions remain, with size 1. Default: `false`.
    #[inline]
    #[must_use]
    pub fn keep_dimensions(mut self, keep_dimensions: bool) -> Self {
        self.keep_dimensions = keep_dimensions;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnReduceOptions {
        sys::WebnnReduceOptions {
            nextInChain: null_mut(),
            axes: raw::sizes(self.axes),
            keepDimensions: u32::from(self.keep_dimensions),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLResample2dOptions`](https://www.w3.org/TR/webnn/#dictdef-mlresample2doptions).
///
/// ```
/// let options = webnn::Resample2dOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Resample2dOptions<'a> {
    /// Kind of interpolation. `mode` of the specification.
    pub mode: InterpolationMode,
    /// Factors for the sizes of the two dimensions; 1 by default. `scales` of the specification.
    pub scales: Option<&'a [f32]>,
    /// Sizes of the two dimensions in the output; computed from scales by default. `sizes` of the specification.
    pub sizes: Option<&'a [u32]>,
    /// The two dimensions to resize; 2 and 3 by default. `axes` of the specification.
    pub axes: Option<&'a [u32]>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for Resample2dOptions<'_> {
    #[inline]
    fn default() -> Self {
        Resample2dOptions {
            mode: InterpolationMode::NearestNeighbor,
            scales: None,
            sizes: None,
            axes: None,
            label: "",
        }
    }
}

impl<'a> Resample2dOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Kind of interpolation. Default: `InterpolationMode::NearestNeighbor`.
    #[inline]
    #[must_use]
    pub fn mode(mut self, mode: InterpolationMode) -> Self {
        self.mode = mode;
        self
    }

    /// Factors for the sizes of the two dimensions; 1 by default.
    #[inline]
    #[must_use]
    pub fn scales(mut self, scales: &'a [f32]) -> Self {
        self.scales = Some(scales);
        self
    }

    /// Sizes of the two dimensions in the output; computed from scales by default.
    #[inline]
    #[must_use]
    pub fn sizes(mut self, sizes: &'a [u32]) -> Self {
        self.sizes = Some(sizes);
        self
    }

    /// The two dimensions to resize; 2 and 3 by default.
    #[inline]
    #[must_use]
    pub fn axes(mut self, axes: &'a [u32]) -> Self {
        self.axes = Some(axes);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnResample2dOptions {
        sys::WebnnResample2dOptions {
            nextInChain: null_mut(),
            mode: self.mode.raw(),
            scales: raw::reals(self.scales),
            sizes: raw::sizes(self.sizes),
            axes: raw::sizes(self.axes),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLReverseOptions`](https://www.w3.org/TR/webnn/#dictdef-mlreverseoptions).
///
/// ```
/// let options = webnn::ReverseOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReverseOptions<'a> {
    /// Dimensions to reverse; all by default. `axes` of the specification.
    pub axes: Option<&'a [u32]>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for ReverseOptions<'_> {
    #[inline]
    fn default() -> Self {
        ReverseOptions {
            axes: None,
            label: "",
        }
    }
}

impl<'a> ReverseOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Dimensions to reverse; all by default.
    #[inline]
    #[must_use]
    pub fn axes(mut self, axes: &'a [u32]) -> Self {
        self.axes = Some(axes);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnReverseOptions {
        sys::WebnnReverseOptions {
            nextInChain: null_mut(),
            axes: raw::sizes(self.axes),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLScatterOptions`](https://www.w3.org/TR/webnn/#dictdef-mlscatteroptions).
///
/// ```
/// let options = webnn::ScatterOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ScatterOptions<'a> {
    /// Dimension of input that the indices refer to. `axis` of the specification.
    pub axis: u32,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for ScatterOptions<'_> {
    #[inline]
    fn default() -> Self {
        ScatterOptions {
            axis: 0,
            label: "",
        }
    }
}

impl<'a> ScatterOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Dimension of input that the indices refer to. Default: `0`.
    #[inline]
    #[must_use]
    pub fn axis(mut self, axis: u32) -> Self {
        self.axis = axis;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnScatterOptions {
        sys::WebnnScatterOptions {
            nextInChain: null_mut(),
            axis: self.axis,
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLSliceOptions`](https://www.w3.org/TR/webnn/#dictdef-mlsliceoptions).
///
/// ```
/// let options = webnn::SliceOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SliceOptions<'a> {
    /// Distance between selected elements in each dimension; 1 by default. `strides` of the specification.
    pub strides: Option<&'a [u32]>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for SliceOptions<'_> {
    #[inline]
    fn default() -> Self {
        SliceOptions {
            strides: None,
            label: "",
        }
    }
}

impl<'a> SliceOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Distance between selected elements in each dimension; 1 by default.
    #[inline]
    #[must_use]
    pub fn strides(mut self, strides: &'a [u32]) -> Self {
        self.strides = Some(strides);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnSliceOptions {
        sys::WebnnSliceOptions {
            nextInChain: null_mut(),
            strides: raw::sizes(self.strides),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLSplitOptions`](https://www.w3.org/TR/webnn/#dictdef-mlsplitoptions).
///
/// ```
/// let options = webnn::SplitOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SplitOptions<'a> {
    /// Dimension to split. `axis` of the specification.
    pub axis: u32,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for SplitOptions<'_> {
    #[inline]
    fn default() -> Self {
        SplitOptions {
            axis: 0,
            label: "",
        }
    }
}

impl<'a> SplitOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Dimension to split. Default: `0`.
    #[inline]
    #[must_use]
    pub fn axis(mut self, axis: u32) -> Self {
        self.axis = axis;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnSplitOptions {
        sys::WebnnSplitOptions {
            nextInChain: null_mut(),
            axis: self.axis,
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLTransposeOptions`](https://www.w3.org/TR/webnn/#dictdef-mltransposeoptions).
///
/// ```
/// let options = webnn::TransposeOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TransposeOptions<'a> {
    /// For each dimension of the output, the dimension of input; reversed order by default. `permutation` of the specification.
    pub permutation: Option<&'a [u32]>,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for TransposeOptions<'_> {
    #[inline]
    fn default() -> Self {
        TransposeOptions {
            permutation: None,
            label: "",
        }
    }
}

impl<'a> TransposeOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// For each dimension of the output, the dimension of input; reversed order by default.
    #[inline]
    #[must_use]
    pub fn permutation(mut self, permutation: &'a [u32]) -> Self {
        self.permutation = Some(permutation);
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnTransposeOptions {
        sys::WebnnTransposeOptions {
            nextInChain: null_mut(),
            permutation: raw::sizes(self.permutation),
            label: raw::text(self.label),
        }
    }
}

/// The specification's [`MLTriangularOptions`](https://www.w3.org/TR/webnn/#dictdef-mltriangularoptions).
///
/// ```
/// let options = webnn::TriangularOptions::default().label("name");
/// assert_eq!(options.label, "name");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TriangularOptions<'a> {
    /// Whether to keep the upper triangle rather than the lower. `upper` of the specification.
    pub upper: bool,
    /// Diagonal that bounds the triangle: 0 is the main diagonal, positive ones are above it. `diagonal` of the specification.
    pub diagonal: i32,
    /// Named in error messages.
    pub label: &'a str,
}

impl Default for TriangularOptions<'_> {
    #[inline]
    fn default() -> Self {
        TriangularOptions {
            upper: true,
            diagonal: 0,
            label: "",
        }
    }
}

impl<'a> TriangularOptions<'a> {
    /// Sets the label, which error messages name.
    #[inline]
    #[must_use]
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Whether to keep the upper triangle rather than the lower. Default: `true`.
    #[inline]
    #[must_use]
    pub fn upper(mut self, upper: bool) -> Self {
        self.upper = upper;
        self
    }

    /// Diagonal that bounds the triangle: 0 is the main diagonal, positive ones are above it. Default: `0`.
    #[inline]
    #[must_use]
    pub fn diagonal(mut self, diagonal: i32) -> Self {
        self.diagonal = diagonal;
        self
    }

    #[inline]
    fn raw(&self) -> sys::WebnnTriangularOptions {
        sys::WebnnTriangularOptions {
            nextInChain: null_mut(),
            upper: u32::from(self.upper),
            diagonal: self.diagonal,
            label: raw::text(self.label),
        }
    }
}

/// The operations. Each has a second form, whose name ends in `_with`, for options and a label.
impl GraphBuilder {
    /// Computes the absolute value. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-abs>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.abs(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn abs(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.abs_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::abs`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.abs_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn abs_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderAbs, self.handle(), input, &options, result))
    }

    /// a + b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-add>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.add(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn add(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.add_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::add`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.add_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn add_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderAdd, self.handle(), a, b, &options, result))
    }

    /// Returns the index of the greatest value along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmax>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.arg_max(
    ///     builder.constant(&[1, 3], &[1.0f32, 3.0, 2.0])?, 1,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Int32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn arg_max(&self, input: Operand<'_>, axis: u32) -> Result<Operand<'_>> {
        self.arg_max_with(input, axis, ArgMinMaxOptions::default())
    }

    /// Works like [`GraphBuilder::arg_max`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.arg_max_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 3.0, 2.0])?, 1,
    ///     ArgMinMaxOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Int32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn arg_max_with(&self, input: Operand<'_>, axis: u32, options: ArgMinMaxOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderArgMax, self.handle(), input, axis, &options, result))
    }

    /// Returns the index of the smallest value along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmin>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.arg_min(
    ///     builder.constant(&[1, 3], &[1.0f32, 3.0, 2.0])?, 1,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Int32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn arg_min(&self, input: Operand<'_>, axis: u32) -> Result<Operand<'_>> {
        self.arg_min_with(input, axis, ArgMinMaxOptions::default())
    }

    /// Works like [`GraphBuilder::arg_min`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.arg_min_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 3.0, 2.0])?, 1,
    ///     ArgMinMaxOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Int32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn arg_min_with(&self, input: Operand<'_>, axis: u32, options: ArgMinMaxOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderArgMin, self.handle(), input, axis, &options, result))
    }

    /// Computes the mean of each window. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-averagepool2d>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.average_pool2d(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn average_pool2d(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.average_pool2d_with(input, Pool2dOptions::default())
    }

    /// Works like [`GraphBuilder::average_pool2d`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.average_pool2d_with(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?,
    ///     Pool2dOptions::default().label("name").window_dimensions(&[3, 3]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2, 4, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn average_pool2d_with(&self, input: Operand<'_>, options: Pool2dOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderAveragePool2d, self.handle(), input, &options, result))
    }

    /// Normalizes each channel with a given mean and variance. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-batchnormalization>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.batch_normalization(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?, builder.constant(&[2], &[0.0f32, 0.5])?, builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2, 6, 6]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn batch_normalization(&self, input: Operand<'_>, mean: Operand<'_>, variance: Operand<'_>) -> Result<Operand<'_>> {
        self.batch_normalization_with(input, mean, variance, BatchNormalizationOptions::default())
    }

    /// Works like [`GraphBuilder::batch_normalization`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.batch_normalization_with(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?, builder.constant(&[2], &[0.0f32, 0.5])?, builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     BatchNormalizationOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2, 6, 6]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn batch_normalization_with(&self, input: Operand<'_>, mean: Operand<'_>, variance: Operand<'_>, options: BatchNormalizationOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call6(sys::webnnGraphBuilderBatchNormalization, self.handle(), input, mean, variance, &options, result))
    }

    /// Converts to another data type. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cast>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.cast(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, DataType::Int32,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Int32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn cast(&self, input: Operand<'_>, data_type: DataType) -> Result<Operand<'_>> {
        self.cast_with(input, data_type, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::cast`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.cast_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, DataType::Int32,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Int32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn cast_with(&self, input: Operand<'_>, data_type: DataType, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderCast, self.handle(), input, data_type.raw(), &options, result))
    }

    /// Rounds up to an integer. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-ceil>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.ceil(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn ceil(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.ceil_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::ceil`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.ceil_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn ceil_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderCeil, self.handle(), input, &options, result))
    }

    /// Limits values to the range from minValue to maxValue. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-clamp>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.clamp(
    ///     builder.constant(&[2], &[-1.0f32, 9.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn clamp(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.clamp_with(input, ClampOptions::default())
    }

    /// Works like [`GraphBuilder::clamp`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.clamp_with(
    ///     builder.constant(&[2], &[-1.0f32, 9.0])?,
    ///     ClampOptions::default().label("name").min_value(0).max_value(6),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn clamp_with(&self, input: Operand<'_>, options: ClampOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderClamp, self.handle(), input, &options, result))
    }

    /// Joins tensors along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-concat>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.concat(
    ///     &[builder.constant(&[1, 2], &[1.0f32, 2.0])?, builder.constant(&[1, 2], &[3.0f32, 4.0])?], 0,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn concat(&self, inputs: &[Operand<'_>], axis: u32) -> Result<Operand<'_>> {
        self.concat_with(inputs, axis, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::concat`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.concat_with(
    ///     &[builder.constant(&[1, 2], &[1.0f32, 2.0])?, builder.constant(&[1, 2], &[3.0f32, 4.0])?], 0,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn concat_with(&self, inputs: &[Operand<'_>], axis: u32, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderConcat, self.handle(), inputs, axis, &options, result))
    }

    /// Computes a 2-D convolution. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-conv2d>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.conv2d(
    ///     builder.input("x", DataType::Float32, &[1, 3, 8, 8])?, builder.constant(&[4, 3, 3, 3], &[1f32; 108])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn conv2d(&self, input: Operand<'_>, filter: Operand<'_>) -> Result<Operand<'_>> {
        self.conv2d_with(input, filter, Conv2dOptions::default())
    }

    /// Works like [`GraphBuilder::conv2d`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.conv2d_with(
    ///     builder.input("x", DataType::Float32, &[1, 3, 8, 8])?, builder.constant(&[4, 3, 3, 3], &[1f32; 108])?,
    ///     Conv2dOptions::default().label("name").padding(&[1, 1, 1, 1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 4, 8, 8]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn conv2d_with(&self, input: Operand<'_>, filter: Operand<'_>, options: Conv2dOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderConv2d, self.handle(), input, filter, &options, result))
    }

    /// Computes a 2-D transposed convolution. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-convtranspose2d>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.conv_transpose2d(
    ///     builder.input("x", DataType::Float32, &[1, 3, 4, 4])?, builder.constant(&[3, 2, 2, 2], &[1f32; 24])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn conv_transpose2d(&self, input: Operand<'_>, filter: Operand<'_>) -> Result<Operand<'_>> {
        self.conv_transpose2d_with(input, filter, ConvTranspose2dOptions::default())
    }

    /// Works like [`GraphBuilder::conv_transpose2d`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.conv_transpose2d_with(
    ///     builder.input("x", DataType::Float32, &[1, 3, 4, 4])?, builder.constant(&[3, 2, 2, 2], &[1f32; 24])?,
    ///     ConvTranspose2dOptions::default().label("name").strides(&[2, 2]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2, 8, 8]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn conv_transpose2d_with(&self, input: Operand<'_>, filter: Operand<'_>, options: ConvTranspose2dOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderConvTranspose2d, self.handle(), input, filter, &options, result))
    }

    /// Computes cos(x), x in radians. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cos>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.cos(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn cos(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.cos_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::cos`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.cos_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn cos_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderCos, self.handle(), input, &options, result))
    }

    /// Computes the running sum along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cumulativesum>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.cumulative_sum(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?, 1,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn cumulative_sum(&self, input: Operand<'_>, axis: u32) -> Result<Operand<'_>> {
        self.cumulative_sum_with(input, axis, CumulativeSumOptions::default())
    }

    /// Works like [`GraphBuilder::cumulative_sum`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.cumulative_sum_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?, 1,
    ///     CumulativeSumOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn cumulative_sum_with(&self, input: Operand<'_>, axis: u32, options: CumulativeSumOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderCumulativeSum, self.handle(), input, axis, &options, result))
    }

    /// `(input - zeroPoint) * scale`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-dequantizelinear>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.dequantize_linear(
    ///     builder.input("x", DataType::Uint8, &[2, 3])?, builder.constant(&[1, 1], &[0.5f32])?, builder.constant(&[1, 1], &[128u8])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn dequantize_linear(&self, input: Operand<'_>, scale: Operand<'_>, zero_point: Operand<'_>) -> Result<Operand<'_>> {
        self.dequantize_linear_with(input, scale, zero_point, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::dequantize_linear`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.dequantize_linear_with(
    ///     builder.input("x", DataType::Uint8, &[2, 3])?, builder.constant(&[1, 1], &[0.5f32])?, builder.constant(&[1, 1], &[128u8])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn dequantize_linear_with(&self, input: Operand<'_>, scale: Operand<'_>, zero_point: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call6(sys::webnnGraphBuilderDequantizeLinear, self.handle(), input, scale, zero_point, &options, result))
    }

    /// a / b; integers truncate toward zero. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-div>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.div(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn div(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.div_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::div`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.div_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn div_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderDiv, self.handle(), a, b, &options, result))
    }

    /// `max(0, x) + alpha * (exp(min(0, x)) - 1)`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-elu>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.elu(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn elu(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.elu_with(input, EluOptions::default())
    }

    /// Works like [`GraphBuilder::elu`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.elu_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     EluOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn elu_with(&self, input: Operand<'_>, options: EluOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderElu, self.handle(), input, &options, result))
    }

    /// 1 where a = b, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-equal>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.equal(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn equal(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.equal_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::equal`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.equal_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn equal_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderEqual, self.handle(), a, b, &options, result))
    }

    /// Computes the error function. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-erf>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.erf(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn erf(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.erf_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::erf`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.erf_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn erf_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderErf, self.handle(), input, &options, result))
    }

    /// Computes e to the power of x. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-exp>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.exp(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn exp(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.exp_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::exp`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.exp_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn exp_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderExp, self.handle(), input, &options, result))
    }

    /// Broadcasts to a shape. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-expand>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.expand(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, &[3, 2],
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [3, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn expand(&self, input: Operand<'_>, new_shape: &[u32]) -> Result<Operand<'_>> {
        self.expand_with(input, new_shape, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::expand`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.expand_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, &[3, 2],
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [3, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn expand_with(&self, input: Operand<'_>, new_shape: &[u32], options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderExpand, self.handle(), input, new_shape, &options, result))
    }

    /// Rounds down to an integer. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-floor>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.floor(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn floor(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.floor_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::floor`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.floor_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn floor_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderFloor, self.handle(), input, &options, result))
    }

    /// Selects slices along an axis by their indices. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gather>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gather(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[3], &[1i32, 0, 1])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gather(&self, input: Operand<'_>, indices: Operand<'_>) -> Result<Operand<'_>> {
        self.gather_with(input, indices, GatherOptions::default())
    }

    /// Works like [`GraphBuilder::gather`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gather_with(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[3], &[1i32, 0, 1])?,
    ///     GatherOptions::default().label("name").axis(1),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gather_with(&self, input: Operand<'_>, indices: Operand<'_>, options: GatherOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderGather, self.handle(), input, indices, &options, result))
    }

    /// Selects one element along an axis for each index. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gatherelements>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gather_elements(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[1, 2], &[0i32, 1])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gather_elements(&self, input: Operand<'_>, indices: Operand<'_>) -> Result<Operand<'_>> {
        self.gather_elements_with(input, indices, GatherOptions::default())
    }

    /// Works like [`GraphBuilder::gather_elements`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gather_elements_with(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[1, 2], &[0i32, 1])?,
    ///     GatherOptions::default().label("name").axis(0),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gather_elements_with(&self, input: Operand<'_>, indices: Operand<'_>, options: GatherOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderGatherElements, self.handle(), input, indices, &options, result))
    }

    /// Selects the slices at the given coordinates. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gathernd>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gather_nd(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[2, 2], &[0i32, 1, 1, 1])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gather_nd(&self, input: Operand<'_>, indices: Operand<'_>) -> Result<Operand<'_>> {
        self.gather_nd_with(input, indices, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::gather_nd`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gather_nd_with(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[2, 2], &[0i32, 1, 1, 1])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gather_nd_with(&self, input: Operand<'_>, indices: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderGatherND, self.handle(), input, indices, &options, result))
    }

    /// `0.5 * x * (1 + erf(x / sqrt(2)))`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gelu>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gelu(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gelu(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.gelu_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::gelu`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gelu_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gelu_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderGelu, self.handle(), input, &options, result))
    }

    /// `alpha * a * b + beta * c`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gemm>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gemm(
    ///     builder.input("a", DataType::Float32, &[2, 3])?, builder.input("b", DataType::Float32, &[3, 4])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gemm(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.gemm_with(a, b, GemmOptions::default())
    }

    /// Works like [`GraphBuilder::gemm`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gemm_with(
    ///     builder.input("a", DataType::Float32, &[2, 3])?, builder.input("b", DataType::Float32, &[3, 4])?,
    ///     GemmOptions::default().label("name").c(builder.constant(&[], &[1f32])?).alpha(0.5),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gemm_with(&self, a: Operand<'_>, b: Operand<'_>, options: GemmOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderGemm, self.handle(), a, b, &options, result))
    }

    /// `1 where a > b, else 0`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greater>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.greater(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn greater(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.greater_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::greater`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.greater_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn greater_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderGreater, self.handle(), a, b, &options, result))
    }

    /// `1 where a >= b, else 0`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greaterorequal>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.greater_or_equal(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn greater_or_equal(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.greater_or_equal_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::greater_or_equal`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.greater_or_equal_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn greater_or_equal_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderGreaterOrEqual, self.handle(), a, b, &options, result))
    }

    /// Runs a gated recurrent unit over a sequence. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gru>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let results = builder.gru(
    ///     builder.input("x", DataType::Float32, &[2, 1, 3])?, builder.constant(&[1, 12, 3], &[1f32; 36])?, builder.constant(&[1, 12, 4], &[1f32; 48])?, 2, 4,
    /// )?;
    /// assert_eq!(results[0].data_type(), DataType::Float32);
    /// assert_eq!(results[0].shape(), [1, 1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gru(&self, input: Operand<'_>, weight: Operand<'_>, recurrent_weight: Operand<'_>, steps: u32, hidden_size: u32) -> Result<Vec<Operand<'_>>> {
        self.gru_with(input, weight, recurrent_weight, steps, hidden_size, GruOptions::default())
    }

    /// Works like [`GraphBuilder::gru`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let results = builder.gru_with(
    ///     builder.input("x", DataType::Float32, &[2, 1, 3])?, builder.constant(&[1, 12, 3], &[1f32; 36])?, builder.constant(&[1, 12, 4], &[1f32; 48])?, 2, 4,
    ///     GruOptions::default().label("name"),
    /// )?;
    /// assert_eq!(results[0].data_type(), DataType::Float32);
    /// assert_eq!(results[0].shape(), [1, 1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gru_with(&self, input: Operand<'_>, weight: Operand<'_>, recurrent_weight: Operand<'_>, steps: u32, hidden_size: u32, options: GruOptions<'_>) -> Result<Vec<Operand<'_>>> {
        let options = options.raw();
        self.append_list(|result| ffi::call8(sys::webnnGraphBuilderGru, self.handle(), input, weight, recurrent_weight, steps, hidden_size, &options, result))
    }

    /// Runs one step of a gated recurrent unit. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-grucell>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gru_cell(
    ///     builder.input("x", DataType::Float32, &[1, 3])?, builder.constant(&[12, 3], &[1f32; 36])?, builder.constant(&[12, 4], &[1f32; 48])?, builder.input("h", DataType::Float32, &[1, 4])?, 4,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gru_cell(&self, input: Operand<'_>, weight: Operand<'_>, recurrent_weight: Operand<'_>, hidden_state: Operand<'_>, hidden_size: u32) -> Result<Operand<'_>> {
        self.gru_cell_with(input, weight, recurrent_weight, hidden_state, hidden_size, GruCellOptions::default())
    }

    /// Works like [`GraphBuilder::gru_cell`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.gru_cell_with(
    ///     builder.input("x", DataType::Float32, &[1, 3])?, builder.constant(&[12, 3], &[1f32; 36])?, builder.constant(&[12, 4], &[1f32; 48])?, builder.input("h", DataType::Float32, &[1, 4])?, 4,
    ///     GruCellOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn gru_cell_with(&self, input: Operand<'_>, weight: Operand<'_>, recurrent_weight: Operand<'_>, hidden_state: Operand<'_>, hidden_size: u32, options: GruCellOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call8(sys::webnnGraphBuilderGruCell, self.handle(), input, weight, recurrent_weight, hidden_state, hidden_size, &options, result))
    }

    /// `max(0, min(1, alpha * x + beta))`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardsigmoid>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.hard_sigmoid(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn hard_sigmoid(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.hard_sigmoid_with(input, HardSigmoidOptions::default())
    }

    /// Works like [`GraphBuilder::hard_sigmoid`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.hard_sigmoid_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     HardSigmoidOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn hard_sigmoid_with(&self, input: Operand<'_>, options: HardSigmoidOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderHardSigmoid, self.handle(), input, &options, result))
    }

    /// `x * max(0, min(6, x + 3)) / 6`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardswish>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.hard_swish(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn hard_swish(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.hard_swish_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::hard_swish`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.hard_swish_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn hard_swish_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderHardSwish, self.handle(), input, &options, result))
    }

    /// Returns the input unchanged. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-identity>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.identity(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn identity(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.identity_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::identity`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.identity_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn identity_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderIdentity, self.handle(), input, &options, result))
    }

    /// Normalizes each channel of each image. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-instancenormalization>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.instance_normalization(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2, 6, 6]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn instance_normalization(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.instance_normalization_with(input, InstanceNormalizationOptions::default())
    }

    /// Works like [`GraphBuilder::instance_normalization`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.instance_normalization_with(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?,
    ///     InstanceNormalizationOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2, 6, 6]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn instance_normalization_with(&self, input: Operand<'_>, options: InstanceNormalizationOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderInstanceNormalization, self.handle(), input, &options, result))
    }

    /// 1 where a is infinite, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isinfinite>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.is_infinite(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn is_infinite(&self, a: Operand<'_>) -> Result<Operand<'_>> {
        self.is_infinite_with(a, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::is_infinite`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.is_infinite_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn is_infinite_with(&self, a: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderIsInfinite, self.handle(), a, &options, result))
    }

    /// 1 where a is NaN, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isnan>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.is_nan(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn is_nan(&self, a: Operand<'_>) -> Result<Operand<'_>> {
        self.is_nan_with(a, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::is_nan`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.is_nan_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn is_nan_with(&self, a: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderIsNaN, self.handle(), a, &options, result))
    }

    /// Computes the L2 norm of each window. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-l2pool2d>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.l2_pool2d(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn l2_pool2d(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.l2_pool2d_with(input, Pool2dOptions::default())
    }

    /// Works like [`GraphBuilder::l2_pool2d`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.l2_pool2d_with(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?,
    ///     Pool2dOptions::default().label("name").window_dimensions(&[2, 2]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2, 5, 5]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn l2_pool2d_with(&self, input: Operand<'_>, options: Pool2dOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderL2Pool2d, self.handle(), input, &options, result))
    }

    /// Normalizes along axes to mean 0 and variance 1, then applies scale and bias. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-layernormalization>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.layer_normalization(
    ///     builder.input("x", DataType::Float32, &[2, 3])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn layer_normalization(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.layer_normalization_with(input, LayerNormalizationOptions::default())
    }

    /// Works like [`GraphBuilder::layer_normalization`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.layer_normalization_with(
    ///     builder.input("x", DataType::Float32, &[2, 3])?,
    ///     LayerNormalizationOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn layer_normalization_with(&self, input: Operand<'_>, options: LayerNormalizationOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderLayerNormalization, self.handle(), input, &options, result))
    }

    /// `max(0, x) + alpha * min(0, x)`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-leakyrelu>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.leaky_relu(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn leaky_relu(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.leaky_relu_with(input, LeakyReluOptions::default())
    }

    /// Works like [`GraphBuilder::leaky_relu`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.leaky_relu_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     LeakyReluOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn leaky_relu_with(&self, input: Operand<'_>, options: LeakyReluOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderLeakyRelu, self.handle(), input, &options, result))
    }

    /// `1 where a < b, else 0`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesser>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.lesser(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn lesser(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.lesser_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::lesser`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.lesser_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn lesser_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderLesser, self.handle(), a, b, &options, result))
    }

    /// `1 where a <= b, else 0`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesserorequal>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.lesser_or_equal(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn lesser_or_equal(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.lesser_or_equal_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::lesser_or_equal`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.lesser_or_equal_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn lesser_or_equal_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderLesserOrEqual, self.handle(), a, b, &options, result))
    }

    /// `alpha * x + beta`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-linear>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.linear(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn linear(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.linear_with(input, LinearOptions::default())
    }

    /// Works like [`GraphBuilder::linear`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.linear_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     LinearOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn linear_with(&self, input: Operand<'_>, options: LinearOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderLinear, self.handle(), input, &options, result))
    }

    /// Computes the natural logarithm. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-log>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.log(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn log(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.log_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::log`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.log_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn log_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderLog, self.handle(), input, &options, result))
    }

    /// 1 where neither a nor b is 0, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicaland>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.logical_and(
    ///     builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1u8, 1])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn logical_and(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.logical_and_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::logical_and`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.logical_and_with(
    ///     builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1u8, 1])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn logical_and_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderLogicalAnd, self.handle(), a, b, &options, result))
    }

    /// 1 where a is 0, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalnot>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.logical_not(
    ///     builder.constant(&[2], &[1u8, 0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn logical_not(&self, a: Operand<'_>) -> Result<Operand<'_>> {
        self.logical_not_with(a, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::logical_not`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.logical_not_with(
    ///     builder.constant(&[2], &[1u8, 0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn logical_not_with(&self, a: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderLogicalNot, self.handle(), a, &options, result))
    }

    /// 1 where a or b is not 0, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalor>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.logical_or(
    ///     builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1u8, 1])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn logical_or(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.logical_or_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::logical_or`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.logical_or_with(
    ///     builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1u8, 1])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn logical_or_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderLogicalOr, self.handle(), a, b, &options, result))
    }

    /// 1 where exactly one of a and b is not 0, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalxor>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.logical_xor(
    ///     builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1u8, 1])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn logical_xor(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.logical_xor_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::logical_xor`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.logical_xor_with(
    ///     builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1u8, 1])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn logical_xor_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderLogicalXor, self.handle(), a, b, &options, result))
    }

    /// Runs a long short-term memory over a sequence. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstm>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let results = builder.lstm(
    ///     builder.input("x", DataType::Float32, &[2, 1, 3])?, builder.constant(&[1, 16, 3], &[1f32; 48])?, builder.constant(&[1, 16, 4], &[1f32; 64])?, 2, 4,
    /// )?;
    /// assert_eq!(results[0].data_type(), DataType::Float32);
    /// assert_eq!(results[0].shape(), [1, 1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn lstm(&self, input: Operand<'_>, weight: Operand<'_>, recurrent_weight: Operand<'_>, steps: u32, hidden_size: u32) -> Result<Vec<Operand<'_>>> {
        self.lstm_with(input, weight, recurrent_weight, steps, hidden_size, LstmOptions::default())
    }

    /// Works like [`GraphBuilder::lstm`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let results = builder.lstm_with(
    ///     builder.input("x", DataType::Float32, &[2, 1, 3])?, builder.constant(&[1, 16, 3], &[1f32; 48])?, builder.constant(&[1, 16, 4], &[1f32; 64])?, 2, 4,
    ///     LstmOptions::default().label("name"),
    /// )?;
    /// assert_eq!(results[0].data_type(), DataType::Float32);
    /// assert_eq!(results[0].shape(), [1, 1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn lstm_with(&self, input: Operand<'_>, weight: Operand<'_>, recurrent_weight: Operand<'_>, steps: u32, hidden_size: u32, options: LstmOptions<'_>) -> Result<Vec<Operand<'_>>> {
        let options = options.raw();
        self.append_list(|result| ffi::call8(sys::webnnGraphBuilderLstm, self.handle(), input, weight, recurrent_weight, steps, hidden_size, &options, result))
    }

    /// Runs one step of a long short-term memory. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstmcell>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let results = builder.lstm_cell(
    ///     builder.input("x", DataType::Float32, &[1, 3])?, builder.constant(&[16, 3], &[1f32; 48])?, builder.constant(&[16, 4], &[1f32; 64])?, builder.input("h", DataType::Float32, &[1, 4])?, builder.input("c", DataType::Float32, &[1, 4])?, 4,
    /// )?;
    /// assert_eq!(results[0].data_type(), DataType::Float32);
    /// assert_eq!(results[0].shape(), [1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn lstm_cell(&self, input: Operand<'_>, weight: Operand<'_>, recurrent_weight: Operand<'_>, hidden_state: Operand<'_>, cell_state: Operand<'_>, hidden_size: u32) -> Result<Vec<Operand<'_>>> {
        self.lstm_cell_with(input, weight, recurrent_weight, hidden_state, cell_state, hidden_size, LstmCellOptions::default())
    }

    /// Works like [`GraphBuilder::lstm_cell`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let results = builder.lstm_cell_with(
    ///     builder.input("x", DataType::Float32, &[1, 3])?, builder.constant(&[16, 3], &[1f32; 48])?, builder.constant(&[16, 4], &[1f32; 64])?, builder.input("h", DataType::Float32, &[1, 4])?, builder.input("c", DataType::Float32, &[1, 4])?, 4,
    ///     LstmCellOptions::default().label("name"),
    /// )?;
    /// assert_eq!(results[0].data_type(), DataType::Float32);
    /// assert_eq!(results[0].shape(), [1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn lstm_cell_with(&self, input: Operand<'_>, weight: Operand<'_>, recurrent_weight: Operand<'_>, hidden_state: Operand<'_>, cell_state: Operand<'_>, hidden_size: u32, options: LstmCellOptions<'_>) -> Result<Vec<Operand<'_>>> {
        let options = options.raw();
        self.append_list(|result| ffi::call9(sys::webnnGraphBuilderLstmCell, self.handle(), input, weight, recurrent_weight, hidden_state, cell_state, hidden_size, &options, result))
    }

    /// Multiplies matrices; leading dimensions are broadcast. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-matmul>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.matmul(
    ///     builder.input("a", DataType::Float32, &[5, 2, 3])?, builder.input("b", DataType::Float32, &[3, 4])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [5, 2, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn matmul(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.matmul_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::matmul`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.matmul_with(
    ///     builder.input("a", DataType::Float32, &[5, 2, 3])?, builder.input("b", DataType::Float32, &[3, 4])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [5, 2, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn matmul_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderMatmul, self.handle(), a, b, &options, result))
    }

    /// Computes the greater of a and b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-max>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.max(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn max(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.max_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::max`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.max_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn max_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderMax, self.handle(), a, b, &options, result))
    }

    /// Computes the greatest value of each window. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-maxpool2d>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.max_pool2d(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn max_pool2d(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.max_pool2d_with(input, Pool2dOptions::default())
    }

    /// Works like [`GraphBuilder::max_pool2d`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.max_pool2d_with(
    ///     builder.input("x", DataType::Float32, &[1, 2, 6, 6])?,
    ///     Pool2dOptions::default().label("name").window_dimensions(&[2, 2]).strides(&[2, 2]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2, 3, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn max_pool2d_with(&self, input: Operand<'_>, options: Pool2dOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderMaxPool2d, self.handle(), input, &options, result))
    }

    /// Computes the smaller of a and b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-min>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.min(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn min(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.min_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::min`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.min_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn min_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderMin, self.handle(), a, b, &options, result))
    }

    /// `a * b`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-mul>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.mul(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn mul(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.mul_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::mul`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.mul_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn mul_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderMul, self.handle(), a, b, &options, result))
    }

    /// -x. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-neg>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.neg(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn neg(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.neg_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::neg`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.neg_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn neg_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderNeg, self.handle(), input, &options, result))
    }

    /// 1 where a and b differ, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-notequal>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.not_equal(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn not_equal(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.not_equal_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::not_equal`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.not_equal_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn not_equal_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderNotEqual, self.handle(), a, b, &options, result))
    }

    /// Adds elements before and after each dimension. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pad>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.pad(
    ///     builder.constant(&[1, 2], &[1.0f32, 2.0])?, &[0, 1], &[0, 1],
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn pad(&self, input: Operand<'_>, beginning_padding: &[u32], ending_padding: &[u32]) -> Result<Operand<'_>> {
        self.pad_with(input, beginning_padding, ending_padding, PadOptions::default())
    }

    /// Works like [`GraphBuilder::pad`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.pad_with(
    ///     builder.constant(&[1, 2], &[1.0f32, 2.0])?, &[0, 1], &[0, 1],
    ///     PadOptions::default().label("name").mode(PaddingMode::Edge),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn pad_with(&self, input: Operand<'_>, beginning_padding: &[u32], ending_padding: &[u32], options: PadOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call6(sys::webnnGraphBuilderPad, self.handle(), input, beginning_padding, ending_padding, &options, result))
    }

    /// a to the power of b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pow>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.pow(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn pow(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.pow_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::pow`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.pow_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn pow_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderPow, self.handle(), a, b, &options, result))
    }

    /// `max(0, x) + slope * min(0, x)`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-prelu>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.prelu(
    ///     builder.constant(&[2], &[-1.0f32, 2.0])?, builder.constant(&[], &[0.25f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn prelu(&self, input: Operand<'_>, slope: Operand<'_>) -> Result<Operand<'_>> {
        self.prelu_with(input, slope, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::prelu`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.prelu_with(
    ///     builder.constant(&[2], &[-1.0f32, 2.0])?, builder.constant(&[], &[0.25f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn prelu_with(&self, input: Operand<'_>, slope: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderPrelu, self.handle(), input, slope, &options, result))
    }

    /// roundEven(input / scale) + zeroPoint, clamped to the range of the type. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-quantizelinear>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.quantize_linear(
    ///     builder.input("x", DataType::Float32, &[2, 3])?, builder.constant(&[1, 1], &[0.5f32])?, builder.constant(&[1, 1], &[128u8])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn quantize_linear(&self, input: Operand<'_>, scale: Operand<'_>, zero_point: Operand<'_>) -> Result<Operand<'_>> {
        self.quantize_linear_with(input, scale, zero_point, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::quantize_linear`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.quantize_linear_with(
    ///     builder.input("x", DataType::Float32, &[2, 3])?, builder.constant(&[1, 1], &[0.5f32])?, builder.constant(&[1, 1], &[128u8])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Uint8);
    /// assert_eq!(result.shape(), [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn quantize_linear_with(&self, input: Operand<'_>, scale: Operand<'_>, zero_point: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call6(sys::webnnGraphBuilderQuantizeLinear, self.handle(), input, scale, zero_point, &options, result))
    }

    /// 1 / x. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reciprocal>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reciprocal(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reciprocal(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reciprocal_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::reciprocal`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reciprocal_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reciprocal_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReciprocal, self.handle(), input, &options, result))
    }

    /// Sums the absolute values along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel1>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_l1(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_l1(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_l1_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_l1`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_l1_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_l1_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceL1, self.handle(), input, &options, result))
    }

    /// Computes the square root of the sum of squares along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel2>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_l2(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_l2(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_l2_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_l2`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_l2_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_l2_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceL2, self.handle(), input, &options, result))
    }

    /// Computes the logarithm of the sum along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsum>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_log_sum(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_log_sum(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_log_sum_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_log_sum`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_log_sum_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_log_sum_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceLogSum, self.handle(), input, &options, result))
    }

    /// Computes the logarithm of the sum of exponentials along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsumexp>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_log_sum_exp(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_log_sum_exp(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_log_sum_exp_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_log_sum_exp`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_log_sum_exp_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_log_sum_exp_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceLogSumExp, self.handle(), input, &options, result))
    }

    /// Computes the greatest value along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemax>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_max(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_max(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_max_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_max`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_max_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_max_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceMax, self.handle(), input, &options, result))
    }

    /// Computes the mean along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemean>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_mean(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_mean(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_mean_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_mean`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_mean_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_mean_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceMean, self.handle(), input, &options, result))
    }

    /// Computes the smallest value along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemin>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_min(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_min(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_min_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_min`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_min_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_min_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceMin, self.handle(), input, &options, result))
    }

    /// Computes the product of all elements along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reduceproduct>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_product(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_product(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_product_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_product`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_product_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_product_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceProduct, self.handle(), input, &options, result))
    }

    /// Sums the elements along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesum>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_sum(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_sum(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_sum_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_sum`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_sum_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_sum_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceSum, self.handle(), input, &options, result))
    }

    /// Sums the squares along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesumsquare>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_sum_square(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_sum_square(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reduce_sum_square_with(input, ReduceOptions::default())
    }

    /// Works like [`GraphBuilder::reduce_sum_square`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reduce_sum_square_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReduceOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reduce_sum_square_with(&self, input: Operand<'_>, options: ReduceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReduceSumSquare, self.handle(), input, &options, result))
    }

    /// max(0, x). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-relu>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.relu(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn relu(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.relu_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::relu`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.relu_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn relu_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderRelu, self.handle(), input, &options, result))
    }

    /// Resizes two dimensions by interpolation. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-resample2d>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.resample2d(
    ///     builder.input("x", DataType::Float32, &[1, 2, 3, 4])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn resample2d(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.resample2d_with(input, Resample2dOptions::default())
    }

    /// Works like [`GraphBuilder::resample2d`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.resample2d_with(
    ///     builder.input("x", DataType::Float32, &[1, 2, 3, 4])?,
    ///     Resample2dOptions::default().label("name").scales(&[2.0, 2.0]).mode(InterpolationMode::Linear),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 2, 6, 8]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn resample2d_with(&self, input: Operand<'_>, options: Resample2dOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderResample2d, self.handle(), input, &options, result))
    }

    /// Changes the shape; the elements keep their order. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reshape>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reshape(
    ///     builder.constant(&[4], &[1.0f32, 2.0, 3.0, 4.0])?, &[2, 2],
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reshape(&self, input: Operand<'_>, new_shape: &[u32]) -> Result<Operand<'_>> {
        self.reshape_with(input, new_shape, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::reshape`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reshape_with(
    ///     builder.constant(&[4], &[1.0f32, 2.0, 3.0, 4.0])?, &[2, 2],
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reshape_with(&self, input: Operand<'_>, new_shape: &[u32], options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderReshape, self.handle(), input, new_shape, &options, result))
    }

    /// Reverses the order along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reverse>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reverse(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reverse(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.reverse_with(input, ReverseOptions::default())
    }

    /// Works like [`GraphBuilder::reverse`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.reverse_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?,
    ///     ReverseOptions::default().label("name").axes(&[1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn reverse_with(&self, input: Operand<'_>, options: ReverseOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderReverse, self.handle(), input, &options, result))
    }

    /// Rounds to the nearest integer, halves to even. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-roundeven>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.round_even(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn round_even(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.round_even_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::round_even`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.round_even_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn round_even_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderRoundEven, self.handle(), input, &options, result))
    }

    /// Replaces one element along an axis for each index. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatterelements>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.scatter_elements(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[1, 2], &[0i32, 1])?, builder.constant(&[1, 2], &[9.0f32, 8.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn scatter_elements(&self, input: Operand<'_>, indices: Operand<'_>, updates: Operand<'_>) -> Result<Operand<'_>> {
        self.scatter_elements_with(input, indices, updates, ScatterOptions::default())
    }

    /// Works like [`GraphBuilder::scatter_elements`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.scatter_elements_with(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[1, 2], &[0i32, 1])?, builder.constant(&[1, 2], &[9.0f32, 8.0])?,
    ///     ScatterOptions::default().label("name").axis(0),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn scatter_elements_with(&self, input: Operand<'_>, indices: Operand<'_>, updates: Operand<'_>, options: ScatterOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call6(sys::webnnGraphBuilderScatterElements, self.handle(), input, indices, updates, &options, result))
    }

    /// Replaces the slices at the given coordinates. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatternd>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.scatter_nd(
    ///     builder.constant(&[3], &[1.0f32, 2.0, 3.0])?, builder.constant(&[2, 1], &[2i32, 0])?, builder.constant(&[2], &[9.0f32, 8.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn scatter_nd(&self, input: Operand<'_>, indices: Operand<'_>, updates: Operand<'_>) -> Result<Operand<'_>> {
        self.scatter_nd_with(input, indices, updates, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::scatter_nd`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.scatter_nd_with(
    ///     builder.constant(&[3], &[1.0f32, 2.0, 3.0])?, builder.constant(&[2, 1], &[2i32, 0])?, builder.constant(&[2], &[9.0f32, 8.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn scatter_nd_with(&self, input: Operand<'_>, indices: Operand<'_>, updates: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call6(sys::webnnGraphBuilderScatterND, self.handle(), input, indices, updates, &options, result))
    }

    /// 1 / (1 + exp(-x)). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sigmoid>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sigmoid(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sigmoid(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.sigmoid_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::sigmoid`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sigmoid_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sigmoid_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderSigmoid, self.handle(), input, &options, result))
    }

    /// -1, 0 or 1 if x is negative, zero or positive. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sign>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sign(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sign(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.sign_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::sign`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sign_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sign_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderSign, self.handle(), input, &options, result))
    }

    /// Computes sin(x), x in radians. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sin>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sin(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sin(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.sin_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::sin`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sin_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sin_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderSin, self.handle(), input, &options, result))
    }

    /// Extracts a window, optionally with strides. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-slice>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.slice(
    ///     builder.constant(&[4], &[1.0f32, 2.0, 3.0, 4.0])?, &[1], &[2],
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn slice(&self, input: Operand<'_>, starts: &[u32], sizes: &[u32]) -> Result<Operand<'_>> {
        self.slice_with(input, starts, sizes, SliceOptions::default())
    }

    /// Works like [`GraphBuilder::slice`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.slice_with(
    ///     builder.constant(&[4], &[1.0f32, 2.0, 3.0, 4.0])?, &[1], &[2],
    ///     SliceOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn slice_with(&self, input: Operand<'_>, starts: &[u32], sizes: &[u32], options: SliceOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call6(sys::webnnGraphBuilderSlice, self.handle(), input, starts, sizes, &options, result))
    }

    /// exp(x) / sum(exp(x)) along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softmax>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.softmax(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?, 1,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn softmax(&self, input: Operand<'_>, axis: u32) -> Result<Operand<'_>> {
        self.softmax_with(input, axis, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::softmax`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.softmax_with(
    ///     builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?, 1,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [1, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn softmax_with(&self, input: Operand<'_>, axis: u32, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderSoftmax, self.handle(), input, axis, &options, result))
    }

    /// log(1 + exp(x)). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softplus>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.softplus(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn softplus(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.softplus_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::softplus`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.softplus_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn softplus_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderSoftplus, self.handle(), input, &options, result))
    }

    /// `x / (1 + |x|)`. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softsign>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.softsign(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn softsign(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.softsign_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::softsign`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.softsign_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn softsign_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderSoftsign, self.handle(), input, &options, result))
    }

    /// Splits a tensor into parts along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-split>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let results = builder.split(
    ///     builder.constant(&[4], &[1.0f32, 2.0, 3.0, 4.0])?, &[1, 3],
    /// )?;
    /// assert_eq!(results[0].data_type(), DataType::Float32);
    /// assert_eq!(results[0].shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn split<'s>(&self, input: Operand<'_>, splits: impl Into<Splits<'s>>) -> Result<Vec<Operand<'_>>> {
        self.split_with(input, splits, SplitOptions::default())
    }

    /// Works like [`GraphBuilder::split`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let results = builder.split_with(
    ///     builder.constant(&[4], &[1.0f32, 2.0, 3.0, 4.0])?, &[1, 3],
    ///     SplitOptions::default().label("name"),
    /// )?;
    /// assert_eq!(results[0].data_type(), DataType::Float32);
    /// assert_eq!(results[0].shape(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn split_with<'s>(&self, input: Operand<'_>, splits: impl Into<Splits<'s>>, options: SplitOptions<'_>) -> Result<Vec<Operand<'_>>> {
        let options = options.raw();
        self.append_list(|result| ffi::call5(sys::webnnGraphBuilderSplit, self.handle(), input, splits.into().raw(), &options, result))
    }

    /// Computes the square root. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sqrt>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sqrt(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sqrt(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.sqrt_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::sqrt`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sqrt_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sqrt_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderSqrt, self.handle(), input, &options, result))
    }

    /// a - b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sub>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sub(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sub(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Operand<'_>> {
        self.sub_with(a, b, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::sub`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.sub_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn sub_with(&self, a: Operand<'_>, b: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderSub, self.handle(), a, b, &options, result))
    }

    /// Computes tan(x), x in radians. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tan>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.tan(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn tan(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.tan_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::tan`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.tan_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn tan_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderTan, self.handle(), input, &options, result))
    }

    /// Computes the hyperbolic tangent. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tanh>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.tanh(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn tanh(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.tanh_with(input, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::tanh`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.tanh_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn tanh_with(&self, input: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderTanh, self.handle(), input, &options, result))
    }

    /// Repeats the tensor along each dimension. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tile>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.tile(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, &[3],
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [6]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn tile(&self, input: Operand<'_>, repetitions: &[u32]) -> Result<Operand<'_>> {
        self.tile_with(input, repetitions, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::tile`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.tile_with(
    ///     builder.constant(&[2], &[1.0f32, 2.0])?, &[3],
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [6]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn tile_with(&self, input: Operand<'_>, repetitions: &[u32], options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call5(sys::webnnGraphBuilderTile, self.handle(), input, repetitions, &options, result))
    }

    /// Reorders the dimensions. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-transpose>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.transpose(
    ///     builder.input("x", DataType::Float32, &[2, 3, 4])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn transpose(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.transpose_with(input, TransposeOptions::default())
    }

    /// Works like [`GraphBuilder::transpose`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.transpose_with(
    ///     builder.input("x", DataType::Float32, &[2, 3, 4])?,
    ///     TransposeOptions::default().label("name").permutation(&[0, 2, 1]),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 4, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn transpose_with(&self, input: Operand<'_>, options: TransposeOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderTranspose, self.handle(), input, &options, result))
    }

    /// Keeps the upper or lower triangle of each matrix. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-triangular>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.triangular(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn triangular(&self, input: Operand<'_>) -> Result<Operand<'_>> {
        self.triangular_with(input, TriangularOptions::default())
    }

    /// Works like [`GraphBuilder::triangular`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.triangular_with(
    ///     builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?,
    ///     TriangularOptions::default().label("name").upper(false),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn triangular_with(&self, input: Operand<'_>, options: TriangularOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call4(sys::webnnGraphBuilderTriangular, self.handle(), input, &options, result))
    }

    /// trueValue where condition is not 0, else falseValue. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-where>
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.where_(
    ///     builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[0.0f32])?,
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn where_(&self, condition: Operand<'_>, true_value: Operand<'_>, false_value: Operand<'_>) -> Result<Operand<'_>> {
        self.where_with(condition, true_value, false_value, OperatorOptions::default())
    }

    /// Works like [`GraphBuilder::where_`], with options.
    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
    /// let result = builder.where_with(
    ///     builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[0.0f32])?,
    ///     OperatorOptions::default().label("name"),
    /// )?;
    /// assert_eq!(result.data_type(), DataType::Float32);
    /// assert_eq!(result.shape(), [2]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn where_with(&self, condition: Operand<'_>, true_value: Operand<'_>, false_value: Operand<'_>, options: OperatorOptions<'_>) -> Result<Operand<'_>> {
        let options = options.raw();
        self.append(|result| ffi::call6(sys::webnnGraphBuilderWhere, self.handle(), condition, true_value, false_value, &options, result))
    }
}
