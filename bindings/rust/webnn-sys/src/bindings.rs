// Printed by scripts/print_rust_sys.py from include/webnn/webnn.h and include/webnn/webnn_operations.h.
use core::ffi::{c_char, c_int, c_void};
use core::ptr::{null, null_mut};

/// The length of a [`WebnnStringView`] whose text is null-terminated.
pub const WEBNN_STRLEN: usize = usize::MAX;
/// The count of an absent list, which differs from an empty list (count 0).
pub const WEBNN_ABSENT: usize = usize::MAX;

pub type WebnnBool = u32;

/// A set of data types: bit i stands for the WebnnOperandDataType with value i.
pub type WebnnDataTypeFlags = u64;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnStringView {
    pub data: *const c_char,
    pub length: usize,
}
impl Default for WebnnStringView {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnStringView { data: null(), length: WEBNN_STRLEN }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnUint32List {
    pub count: usize,
    pub items: *const u32,
}
impl Default for WebnnUint32List {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnUint32List { count: WEBNN_ABSENT, items: null() }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnFloatList {
    pub count: usize,
    pub items: *const f32,
}
impl Default for WebnnFloatList {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnFloatList { count: WEBNN_ABSENT, items: null() }
    }
}

/// Packed elements of a tensor: row-major and little-endian. A byte holds two int4 or uint4 elements, the first in the low
/// nibble.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnConstBytes {
    pub data: *const c_void,
    /// in bytes
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnBytes {
    pub data: *mut c_void,
    pub size: usize,
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnNumberType(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnNumberType {
    /// absent
    pub const Undefined: WebnnNumberType = WebnnNumberType(0);
    pub const Double: WebnnNumberType = WebnnNumberType(1);
    pub const Int64: WebnnNumberType = WebnnNumberType(2);
    pub const Uint64: WebnnNumberType = WebnnNumberType(3);
}

/// The value of a [`WebnnNumber`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union WebnnNumberValue {
    pub float64: f64,
    pub int64: i64,
    pub uint64: u64,
}

/// A number that can represent every value of every data type exactly. <https://www.w3.org/TR/webnn/#api-mlnumber-typedef>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnNumber {
    pub r#type: WebnnNumberType,
    pub value: WebnnNumberValue,
}
impl Default for WebnnNumber {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnNumber { r#type: WebnnNumberType::Undefined, value: WebnnNumberValue { float64: 0.0 } }
    }
}

/// The argument of split(): the `sizes` of the parts or, if `sizes` is absent, the number of equal parts (`count`).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnSplits {
    pub count: u32,
    pub sizes: WebnnUint32List,
}
impl Default for WebnnSplits {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnSplits { count: 0, sizes: WebnnUint32List { count: WEBNN_ABSENT, items: null() } }
    }
}

/// The type of a chained struct. No chained struct is defined yet.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnSType(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnSType {
    pub const Undefined: WebnnSType = WebnnSType(0);
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnChainedStruct {
    pub next: *mut WebnnChainedStruct,
    pub sType: WebnnSType,
}

/// The object behind [`WebnnInstance`].
#[repr(C)]
pub struct WebnnInstanceImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// tracks futures and calls callbacks
pub type WebnnInstance = *mut WebnnInstanceImpl;

/// The object behind [`WebnnContext`].
#[repr(C)]
pub struct WebnnContextImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// a backend on which graphs run, and the tensors in its memory
pub type WebnnContext = *mut WebnnContextImpl;

/// The object behind [`WebnnGraphBuilder`].
#[repr(C)]
pub struct WebnnGraphBuilderImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// builds one graph
pub type WebnnGraphBuilder = *mut WebnnGraphBuilderImpl;

/// The object behind [`WebnnOperand`].
#[repr(C)]
pub struct WebnnOperandImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// a value in a graph that is being built
pub type WebnnOperand = *mut WebnnOperandImpl;

/// The object behind [`WebnnGraph`].
#[repr(C)]
pub struct WebnnGraphImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// an immutable graph, compiled for its context
pub type WebnnGraph = *mut WebnnGraphImpl;

/// The object behind [`WebnnTensor`].
#[repr(C)]
pub struct WebnnTensorImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// a tensor: memory in a context, which graphs read and write
pub type WebnnTensor = *mut WebnnTensorImpl;

/// The object behind [`WebnnError`].
#[repr(C)]
pub struct WebnnErrorImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// a status and a message
pub type WebnnError = *mut WebnnErrorImpl;

/// The object behind [`WebnnCancellation`].
#[repr(C)]
pub struct WebnnCancellationImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// stops calls early
pub type WebnnCancellation = *mut WebnnCancellationImpl;

/// The object behind [`WebnnSession`].
#[repr(C)]
pub struct WebnnSessionImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// a model that runs on inputs of any sizes
pub type WebnnSession = *mut WebnnSessionImpl;

/// The object behind [`WebnnResults`].
#[repr(C)]
pub struct WebnnResultsImpl {
    _private: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// the outputs of one run of a session
pub type WebnnResults = *mut WebnnResultsImpl;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnOperandList {
    pub count: usize,
    pub items: *const WebnnOperand,
}
impl Default for WebnnOperandList {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnOperandList { count: 0, items: null() }
    }
}

/// The specification's error kinds. docs/reference/errors.md says when each is returned.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnStatus(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnStatus {
    pub const Success: WebnnStatus = WebnnStatus(0);
    pub const TypeError: WebnnStatus = WebnnStatus(1);
    pub const DataError: WebnnStatus = WebnnStatus(2);
    pub const InvalidStateError: WebnnStatus = WebnnStatus(3);
    pub const NotFoundError: WebnnStatus = WebnnStatus(4);
    pub const NotSupportedError: WebnnStatus = WebnnStatus(5);
    pub const OperationError: WebnnStatus = WebnnStatus(6);
    /// the system failed, usually out of memory
    pub const UnknownError: WebnnStatus = WebnnStatus(7);
    /// a cancellation stopped the call
    pub const AbortError: WebnnStatus = WebnnStatus(8);
    /// the call, or the work that it queued, exceeded its time limit
    pub const TimeoutError: WebnnStatus = WebnnStatus(9);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mloperanddatatype>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnOperandDataType(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnOperandDataType {
    pub const Undefined: WebnnOperandDataType = WebnnOperandDataType(0);
    pub const Float32: WebnnOperandDataType = WebnnOperandDataType(1);
    pub const Float16: WebnnOperandDataType = WebnnOperandDataType(2);
    pub const Int32: WebnnOperandDataType = WebnnOperandDataType(3);
    pub const Uint32: WebnnOperandDataType = WebnnOperandDataType(4);
    pub const Int64: WebnnOperandDataType = WebnnOperandDataType(5);
    pub const Uint64: WebnnOperandDataType = WebnnOperandDataType(6);
    pub const Int8: WebnnOperandDataType = WebnnOperandDataType(7);
    pub const Uint8: WebnnOperandDataType = WebnnOperandDataType(8);
    pub const Int4: WebnnOperandDataType = WebnnOperandDataType(9);
    pub const Uint4: WebnnOperandDataType = WebnnOperandDataType(10);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlinputoperandlayout>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnInputOperandLayout(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnInputOperandLayout {
    pub const Undefined: WebnnInputOperandLayout = WebnnInputOperandLayout(0);
    pub const Nchw: WebnnInputOperandLayout = WebnnInputOperandLayout(1);
    pub const Nhwc: WebnnInputOperandLayout = WebnnInputOperandLayout(2);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlroundingtype>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnRoundingType(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnRoundingType {
    pub const Undefined: WebnnRoundingType = WebnnRoundingType(0);
    pub const Floor: WebnnRoundingType = WebnnRoundingType(1);
    pub const Ceil: WebnnRoundingType = WebnnRoundingType(2);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlconv2dfilteroperandlayout>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnConv2dFilterOperandLayout(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnConv2dFilterOperandLayout {
    pub const Undefined: WebnnConv2dFilterOperandLayout = WebnnConv2dFilterOperandLayout(0);
    pub const Oihw: WebnnConv2dFilterOperandLayout = WebnnConv2dFilterOperandLayout(1);
    pub const Hwio: WebnnConv2dFilterOperandLayout = WebnnConv2dFilterOperandLayout(2);
    pub const Ohwi: WebnnConv2dFilterOperandLayout = WebnnConv2dFilterOperandLayout(3);
    pub const Ihwo: WebnnConv2dFilterOperandLayout = WebnnConv2dFilterOperandLayout(4);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlconvtranspose2dfilteroperandlayout>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnConvTranspose2dFilterOperandLayout(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnConvTranspose2dFilterOperandLayout {
    pub const Undefined: WebnnConvTranspose2dFilterOperandLayout = WebnnConvTranspose2dFilterOperandLayout(0);
    pub const Iohw: WebnnConvTranspose2dFilterOperandLayout = WebnnConvTranspose2dFilterOperandLayout(1);
    pub const Hwoi: WebnnConvTranspose2dFilterOperandLayout = WebnnConvTranspose2dFilterOperandLayout(2);
    pub const Ohwi: WebnnConvTranspose2dFilterOperandLayout = WebnnConvTranspose2dFilterOperandLayout(3);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlrecurrentnetworkdirection>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnRecurrentNetworkDirection(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnRecurrentNetworkDirection {
    pub const Undefined: WebnnRecurrentNetworkDirection = WebnnRecurrentNetworkDirection(0);
    pub const Forward: WebnnRecurrentNetworkDirection = WebnnRecurrentNetworkDirection(1);
    pub const Backward: WebnnRecurrentNetworkDirection = WebnnRecurrentNetworkDirection(2);
    pub const Both: WebnnRecurrentNetworkDirection = WebnnRecurrentNetworkDirection(3);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlgruweightlayout>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnGruWeightLayout(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnGruWeightLayout {
    pub const Undefined: WebnnGruWeightLayout = WebnnGruWeightLayout(0);
    pub const Zrn: WebnnGruWeightLayout = WebnnGruWeightLayout(1);
    pub const Rzn: WebnnGruWeightLayout = WebnnGruWeightLayout(2);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlrecurrentnetworkactivation>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnRecurrentNetworkActivation(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnRecurrentNetworkActivation {
    pub const Undefined: WebnnRecurrentNetworkActivation = WebnnRecurrentNetworkActivation(0);
    pub const Relu: WebnnRecurrentNetworkActivation = WebnnRecurrentNetworkActivation(1);
    pub const Sigmoid: WebnnRecurrentNetworkActivation = WebnnRecurrentNetworkActivation(2);
    pub const Tanh: WebnnRecurrentNetworkActivation = WebnnRecurrentNetworkActivation(3);
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnRecurrentNetworkActivationList {
    pub count: usize,
    pub items: *const WebnnRecurrentNetworkActivation,
}
impl Default for WebnnRecurrentNetworkActivationList {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnRecurrentNetworkActivationList { count: WEBNN_ABSENT, items: null() }
    }
}

/// <https://www.w3.org/TR/webnn/#enumdef-mllstmweightlayout>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnLstmWeightLayout(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnLstmWeightLayout {
    pub const Undefined: WebnnLstmWeightLayout = WebnnLstmWeightLayout(0);
    pub const Iofg: WebnnLstmWeightLayout = WebnnLstmWeightLayout(1);
    pub const Ifgo: WebnnLstmWeightLayout = WebnnLstmWeightLayout(2);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlpaddingmode>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnPaddingMode(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnPaddingMode {
    pub const Undefined: WebnnPaddingMode = WebnnPaddingMode(0);
    pub const Constant: WebnnPaddingMode = WebnnPaddingMode(1);
    pub const Edge: WebnnPaddingMode = WebnnPaddingMode(2);
    pub const Reflection: WebnnPaddingMode = WebnnPaddingMode(3);
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlinterpolationmode>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnInterpolationMode(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnInterpolationMode {
    pub const Undefined: WebnnInterpolationMode = WebnnInterpolationMode(0);
    pub const NearestNeighbor: WebnnInterpolationMode = WebnnInterpolationMode(1);
    pub const Linear: WebnnInterpolationMode = WebnnInterpolationMode(2);
}

/// <https://www.w3.org/TR/webnn/#dictdef-mloperatoroptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnOperatorOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub label: WebnnStringView,
}
impl Default for WebnnOperatorOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnOperatorOptions { nextInChain: null_mut(), label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlargminmaxoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnArgMinMaxOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub keepDimensions: WebnnBool,
    pub outputDataType: WebnnOperandDataType,
    pub label: WebnnStringView,
}
impl Default for WebnnArgMinMaxOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnArgMinMaxOptions { nextInChain: null_mut(), keepDimensions: 0, outputDataType: WebnnOperandDataType::Int32,
            label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlpool2doptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnPool2dOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub windowDimensions: WebnnUint32List,
    pub padding: WebnnUint32List,
    pub strides: WebnnUint32List,
    pub dilations: WebnnUint32List,
    pub layout: WebnnInputOperandLayout,
    pub outputShapeRounding: WebnnRoundingType,
    pub outputSizes: WebnnUint32List,
    pub label: WebnnStringView,
}
impl Default for WebnnPool2dOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnPool2dOptions { nextInChain: null_mut(), windowDimensions: WebnnUint32List { count: WEBNN_ABSENT, items: null() },
            padding: WebnnUint32List { count: WEBNN_ABSENT, items: null() }, strides: WebnnUint32List { count: WEBNN_ABSENT,
            items: null() }, dilations: WebnnUint32List { count: WEBNN_ABSENT, items: null() },
            layout: WebnnInputOperandLayout::Nchw, outputShapeRounding: WebnnRoundingType::Floor,
            outputSizes: WebnnUint32List { count: WEBNN_ABSENT, items: null() }, label: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlbatchnormalizationoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnBatchNormalizationOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub scale: WebnnOperand,
    pub bias: WebnnOperand,
    pub axis: u32,
    pub epsilon: f64,
    pub label: WebnnStringView,
}
impl Default for WebnnBatchNormalizationOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnBatchNormalizationOptions { nextInChain: null_mut(), scale: null_mut(), bias: null_mut(), axis: 1, epsilon: 1e-05,
            label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlclampoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnClampOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub minValue: WebnnNumber,
    pub maxValue: WebnnNumber,
    pub label: WebnnStringView,
}
impl Default for WebnnClampOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnClampOptions { nextInChain: null_mut(), minValue: WebnnNumber { r#type: WebnnNumberType::Undefined,
            value: WebnnNumberValue { float64: 0.0 } }, maxValue: WebnnNumber { r#type: WebnnNumberType::Undefined,
            value: WebnnNumberValue { float64: 0.0 } }, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlconv2doptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnConv2dOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub padding: WebnnUint32List,
    pub strides: WebnnUint32List,
    pub dilations: WebnnUint32List,
    pub groups: u32,
    pub inputLayout: WebnnInputOperandLayout,
    pub filterLayout: WebnnConv2dFilterOperandLayout,
    pub bias: WebnnOperand,
    pub label: WebnnStringView,
}
impl Default for WebnnConv2dOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnConv2dOptions { nextInChain: null_mut(), padding: WebnnUint32List { count: WEBNN_ABSENT, items: null() },
            strides: WebnnUint32List { count: WEBNN_ABSENT, items: null() }, dilations: WebnnUint32List { count: WEBNN_ABSENT,
            items: null() }, groups: 1, inputLayout: WebnnInputOperandLayout::Nchw,
            filterLayout: WebnnConv2dFilterOperandLayout::Oihw, bias: null_mut(), label: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlconvtranspose2doptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnConvTranspose2dOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub padding: WebnnUint32List,
    pub strides: WebnnUint32List,
    pub dilations: WebnnUint32List,
    pub outputPadding: WebnnUint32List,
    pub outputSizes: WebnnUint32List,
    pub groups: u32,
    pub inputLayout: WebnnInputOperandLayout,
    pub filterLayout: WebnnConvTranspose2dFilterOperandLayout,
    pub bias: WebnnOperand,
    pub label: WebnnStringView,
}
impl Default for WebnnConvTranspose2dOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnConvTranspose2dOptions { nextInChain: null_mut(), padding: WebnnUint32List { count: WEBNN_ABSENT, items: null() },
            strides: WebnnUint32List { count: WEBNN_ABSENT, items: null() }, dilations: WebnnUint32List { count: WEBNN_ABSENT,
            items: null() }, outputPadding: WebnnUint32List { count: WEBNN_ABSENT, items: null() },
            outputSizes: WebnnUint32List { count: WEBNN_ABSENT, items: null() }, groups: 1,
            inputLayout: WebnnInputOperandLayout::Nchw, filterLayout: WebnnConvTranspose2dFilterOperandLayout::Iohw,
            bias: null_mut(), label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlcumulativesumoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnCumulativeSumOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub exclusive: WebnnBool,
    pub reversed: WebnnBool,
    pub label: WebnnStringView,
}
impl Default for WebnnCumulativeSumOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnCumulativeSumOptions { nextInChain: null_mut(), exclusive: 0, reversed: 0, label: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mleluoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnEluOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub alpha: f64,
    pub label: WebnnStringView,
}
impl Default for WebnnEluOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnEluOptions { nextInChain: null_mut(), alpha: 1.0, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlgatheroptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnGatherOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub axis: u32,
    pub label: WebnnStringView,
}
impl Default for WebnnGatherOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnGatherOptions { nextInChain: null_mut(), axis: 0, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlgemmoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnGemmOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub c: WebnnOperand,
    pub alpha: f64,
    pub beta: f64,
    pub aTranspose: WebnnBool,
    pub bTranspose: WebnnBool,
    pub label: WebnnStringView,
}
impl Default for WebnnGemmOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnGemmOptions { nextInChain: null_mut(), c: null_mut(), alpha: 1.0, beta: 1.0, aTranspose: 0, bTranspose: 0,
            label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlgruoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnGruOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub bias: WebnnOperand,
    pub recurrentBias: WebnnOperand,
    pub initialHiddenState: WebnnOperand,
    pub resetAfter: WebnnBool,
    pub returnSequence: WebnnBool,
    pub direction: WebnnRecurrentNetworkDirection,
    pub layout: WebnnGruWeightLayout,
    pub activations: WebnnRecurrentNetworkActivationList,
    pub label: WebnnStringView,
}
impl Default for WebnnGruOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnGruOptions { nextInChain: null_mut(), bias: null_mut(), recurrentBias: null_mut(), initialHiddenState: null_mut(),
            resetAfter: 1, returnSequence: 0, direction: WebnnRecurrentNetworkDirection::Forward,
            layout: WebnnGruWeightLayout::Zrn, activations: WebnnRecurrentNetworkActivationList { count: WEBNN_ABSENT,
            items: null() }, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlgrucelloptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnGruCellOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub bias: WebnnOperand,
    pub recurrentBias: WebnnOperand,
    pub resetAfter: WebnnBool,
    pub layout: WebnnGruWeightLayout,
    pub activations: WebnnRecurrentNetworkActivationList,
    pub label: WebnnStringView,
}
impl Default for WebnnGruCellOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnGruCellOptions { nextInChain: null_mut(), bias: null_mut(), recurrentBias: null_mut(), resetAfter: 1,
            layout: WebnnGruWeightLayout::Zrn, activations: WebnnRecurrentNetworkActivationList { count: WEBNN_ABSENT,
            items: null() }, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlhardsigmoidoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnHardSigmoidOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub alpha: f64,
    pub beta: f64,
    pub label: WebnnStringView,
}
impl Default for WebnnHardSigmoidOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnHardSigmoidOptions { nextInChain: null_mut(), alpha: 0.2, beta: 0.5, label: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlinstancenormalizationoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnInstanceNormalizationOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub scale: WebnnOperand,
    pub bias: WebnnOperand,
    pub epsilon: f64,
    pub layout: WebnnInputOperandLayout,
    pub label: WebnnStringView,
}
impl Default for WebnnInstanceNormalizationOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnInstanceNormalizationOptions { nextInChain: null_mut(), scale: null_mut(), bias: null_mut(), epsilon: 1e-05,
            layout: WebnnInputOperandLayout::Nchw, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mllayernormalizationoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnLayerNormalizationOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub scale: WebnnOperand,
    pub bias: WebnnOperand,
    pub axes: WebnnUint32List,
    pub epsilon: f64,
    pub label: WebnnStringView,
}
impl Default for WebnnLayerNormalizationOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnLayerNormalizationOptions { nextInChain: null_mut(), scale: null_mut(), bias: null_mut(),
            axes: WebnnUint32List { count: WEBNN_ABSENT, items: null() }, epsilon: 1e-05, label: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlleakyreluoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnLeakyReluOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub alpha: f64,
    pub label: WebnnStringView,
}
impl Default for WebnnLeakyReluOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnLeakyReluOptions { nextInChain: null_mut(), alpha: 0.01, label: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mllinearoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnLinearOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub alpha: f64,
    pub beta: f64,
    pub label: WebnnStringView,
}
impl Default for WebnnLinearOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnLinearOptions { nextInChain: null_mut(), alpha: 1.0, beta: 0.0, label: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mllstmoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnLstmOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub bias: WebnnOperand,
    pub recurrentBias: WebnnOperand,
    pub peepholeWeight: WebnnOperand,
    pub initialHiddenState: WebnnOperand,
    pub initialCellState: WebnnOperand,
    pub returnSequence: WebnnBool,
    pub direction: WebnnRecurrentNetworkDirection,
    pub layout: WebnnLstmWeightLayout,
    pub activations: WebnnRecurrentNetworkActivationList,
    pub label: WebnnStringView,
}
impl Default for WebnnLstmOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnLstmOptions { nextInChain: null_mut(), bias: null_mut(), recurrentBias: null_mut(), peepholeWeight: null_mut(),
            initialHiddenState: null_mut(), initialCellState: null_mut(), returnSequence: 0,
            direction: WebnnRecurrentNetworkDirection::Forward, layout: WebnnLstmWeightLayout::Iofg,
            activations: WebnnRecurrentNetworkActivationList { count: WEBNN_ABSENT, items: null() },
            label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mllstmcelloptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnLstmCellOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub bias: WebnnOperand,
    pub recurrentBias: WebnnOperand,
    pub peepholeWeight: WebnnOperand,
    pub layout: WebnnLstmWeightLayout,
    pub activations: WebnnRecurrentNetworkActivationList,
    pub label: WebnnStringView,
}
impl Default for WebnnLstmCellOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnLstmCellOptions { nextInChain: null_mut(), bias: null_mut(), recurrentBias: null_mut(), peepholeWeight: null_mut(),
            layout: WebnnLstmWeightLayout::Iofg, activations: WebnnRecurrentNetworkActivationList { count: WEBNN_ABSENT,
            items: null() }, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlpadoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnPadOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub mode: WebnnPaddingMode,
    pub value: WebnnNumber,
    pub label: WebnnStringView,
}
impl Default for WebnnPadOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnPadOptions { nextInChain: null_mut(), mode: WebnnPaddingMode::Constant,
            value: WebnnNumber { r#type: WebnnNumberType::Double, value: WebnnNumberValue { float64: 0.0 } },
            label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlreduceoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnReduceOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub axes: WebnnUint32List,
    pub keepDimensions: WebnnBool,
    pub label: WebnnStringView,
}
impl Default for WebnnReduceOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnReduceOptions { nextInChain: null_mut(), axes: WebnnUint32List { count: WEBNN_ABSENT, items: null() },
            keepDimensions: 0, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlresample2doptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnResample2dOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub mode: WebnnInterpolationMode,
    pub scales: WebnnFloatList,
    pub sizes: WebnnUint32List,
    pub axes: WebnnUint32List,
    pub label: WebnnStringView,
}
impl Default for WebnnResample2dOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnResample2dOptions { nextInChain: null_mut(), mode: WebnnInterpolationMode::NearestNeighbor,
            scales: WebnnFloatList { count: WEBNN_ABSENT, items: null() }, sizes: WebnnUint32List { count: WEBNN_ABSENT,
            items: null() }, axes: WebnnUint32List { count: WEBNN_ABSENT, items: null() }, label: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlreverseoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnReverseOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub axes: WebnnUint32List,
    pub label: WebnnStringView,
}
impl Default for WebnnReverseOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnReverseOptions { nextInChain: null_mut(), axes: WebnnUint32List { count: WEBNN_ABSENT, items: null() },
            label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlscatteroptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnScatterOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub axis: u32,
    pub label: WebnnStringView,
}
impl Default for WebnnScatterOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnScatterOptions { nextInChain: null_mut(), axis: 0, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlsliceoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnSliceOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub strides: WebnnUint32List,
    pub label: WebnnStringView,
}
impl Default for WebnnSliceOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnSliceOptions { nextInChain: null_mut(), strides: WebnnUint32List { count: WEBNN_ABSENT, items: null() },
            label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlsplitoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnSplitOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub axis: u32,
    pub label: WebnnStringView,
}
impl Default for WebnnSplitOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnSplitOptions { nextInChain: null_mut(), axis: 0, label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mltransposeoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnTransposeOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub permutation: WebnnUint32List,
    pub label: WebnnStringView,
}
impl Default for WebnnTransposeOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnTransposeOptions { nextInChain: null_mut(), permutation: WebnnUint32List { count: WEBNN_ABSENT, items: null() },
            label: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mltriangularoptions>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnTriangularOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub upper: WebnnBool,
    pub diagonal: i32,
    pub label: WebnnStringView,
}
impl Default for WebnnTriangularOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnTriangularOptions { nextInChain: null_mut(), upper: 1, diagonal: 0, label: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnCallbackMode(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnCallbackMode {
    /// the same as AllowSpontaneous
    pub const Undefined: WebnnCallbackMode = WebnnCallbackMode(0);
    /// called in webnnInstanceWaitAny
    pub const WaitAnyOnly: WebnnCallbackMode = WebnnCallbackMode(1);
    /// called in webnnInstanceWaitAny or webnnInstanceProcessEvents
    pub const AllowProcessEvents: WebnnCallbackMode = WebnnCallbackMode(2);
    /// called in either of these, or on a thread of the instance as soon as possible
    pub const AllowSpontaneous: WebnnCallbackMode = WebnnCallbackMode(3);
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnFuture {
    /// 0: no future
    pub id: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnFutureWaitInfo {
    pub future: WebnnFuture,
    /// set by webnnInstanceWaitAny: 1 if the callback of `future` has been called
    pub completed: WebnnBool,
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnWaitStatus(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnWaitStatus {
    /// at least one future is completed
    pub const Success: WebnnWaitStatus = WebnnWaitStatus(1);
    pub const TimedOut: WebnnWaitStatus = WebnnWaitStatus(2);
    /// the handle or list is NULL, or a future does not belong to this instance
    pub const Error: WebnnWaitStatus = WebnnWaitStatus(3);
}

pub type WebnnCreateContextCallback = Option<unsafe extern "C" fn(status: WebnnStatus, context: WebnnContext, error: WebnnError,
    userdata1: *mut c_void, userdata2: *mut c_void)>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnCreateContextCallbackInfo {
    pub nextInChain: *mut WebnnChainedStruct,
    pub mode: WebnnCallbackMode,
    pub callback: WebnnCreateContextCallback,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}
impl Default for WebnnCreateContextCallbackInfo {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnCreateContextCallbackInfo { nextInChain: null_mut(), mode: WebnnCallbackMode::Undefined, callback: None,
            userdata1: null_mut(), userdata2: null_mut() }
    }
}

pub type WebnnBuildCallback = Option<unsafe extern "C" fn(status: WebnnStatus, graph: WebnnGraph, error: WebnnError,
    userdata1: *mut c_void, userdata2: *mut c_void)>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnBuildCallbackInfo {
    pub nextInChain: *mut WebnnChainedStruct,
    pub mode: WebnnCallbackMode,
    pub callback: WebnnBuildCallback,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}
impl Default for WebnnBuildCallbackInfo {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnBuildCallbackInfo { nextInChain: null_mut(), mode: WebnnCallbackMode::Undefined, callback: None,
            userdata1: null_mut(), userdata2: null_mut() }
    }
}

pub type WebnnReadTensorCallback = Option<unsafe extern "C" fn(status: WebnnStatus, error: WebnnError, userdata1: *mut c_void,
    userdata2: *mut c_void)>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnReadTensorCallbackInfo {
    pub nextInChain: *mut WebnnChainedStruct,
    pub mode: WebnnCallbackMode,
    pub callback: WebnnReadTensorCallback,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}
impl Default for WebnnReadTensorCallbackInfo {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnReadTensorCallbackInfo { nextInChain: null_mut(), mode: WebnnCallbackMode::Undefined, callback: None,
            userdata1: null_mut(), userdata2: null_mut() }
    }
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnContextLostReason(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnContextLostReason {
    /// the context is lost or was destroyed; the message says why
    pub const Lost: WebnnContextLostReason = WebnnContextLostReason(1);
    /// the last reference was released, and the context was never lost
    pub const Released: WebnnContextLostReason = WebnnContextLostReason(2);
    /// webnnContextLost itself failed
    pub const Failed: WebnnContextLostReason = WebnnContextLostReason(3);
}

pub type WebnnContextLostCallback = Option<unsafe extern "C" fn(reason: WebnnContextLostReason, message: WebnnStringView,
    userdata1: *mut c_void, userdata2: *mut c_void)>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnContextLostCallbackInfo {
    pub nextInChain: *mut WebnnChainedStruct,
    pub mode: WebnnCallbackMode,
    pub callback: WebnnContextLostCallback,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}
impl Default for WebnnContextLostCallbackInfo {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnContextLostCallbackInfo { nextInChain: null_mut(), mode: WebnnCallbackMode::Undefined, callback: None,
            userdata1: null_mut(), userdata2: null_mut() }
    }
}

/// Called for each dispatch or write that fails after it was queued. The mode must not be WaitAnyOnly: there is no future.
pub type WebnnUncapturedErrorCallback = Option<unsafe extern "C" fn(error: WebnnError, userdata1: *mut c_void,
    userdata2: *mut c_void)>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnUncapturedErrorCallbackInfo {
    pub nextInChain: *mut WebnnChainedStruct,
    pub mode: WebnnCallbackMode,
    /// may be NULL
    pub callback: WebnnUncapturedErrorCallback,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}
impl Default for WebnnUncapturedErrorCallbackInfo {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnUncapturedErrorCallbackInfo { nextInChain: null_mut(), mode: WebnnCallbackMode::Undefined, callback: None,
            userdata1: null_mut(), userdata2: null_mut() }
    }
}

/// Called exactly once, on any thread, when the library no longer refers to the bytes. Must not call the library.
pub type WebnnReleaseCallback = Option<unsafe extern "C" fn(data: *const c_void, userdata1: *mut c_void,
    userdata2: *mut c_void)>;

/// Bytes that the library refers to without copying. They must not change until the library calls `release`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnExternalBytes {
    pub nextInChain: *mut WebnnChainedStruct,
    pub data: *const c_void,
    pub size: usize,
    /// not called if the function that receives the bytes fails
    pub release: WebnnReleaseCallback,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}
impl Default for WebnnExternalBytes {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnExternalBytes { nextInChain: null_mut(), data: null(), size: 0, release: None, userdata1: null_mut(),
            userdata2: null_mut() }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnInstanceDescriptor {
    pub nextInChain: *mut WebnnChainedStruct,
}
impl Default for WebnnInstanceDescriptor {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnInstanceDescriptor { nextInChain: null_mut() }
    }
}

/// Limits of a context or a load; webnn/limits.h defines what each counts. Exceeding maxMemory, maxOperations or maxElements
/// fails with an OperationError, exceeding maxTimeNanoseconds with a TimeoutError.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnWorkLimits {
    pub nextInChain: *mut WebnnChainedStruct,
    /// bytes
    pub maxMemory: u64,
    /// per graph
    pub maxOperations: u64,
    /// per graph: the elements of all its operands
    pub maxElements: u64,
    /// elementary steps of constant folding, per graph
    pub maxCompileWork: u64,
    /// per load, build or run; UINT64_MAX: no limit
    pub maxTimeNanoseconds: u64,
}
impl Default for WebnnWorkLimits {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnWorkLimits { nextInChain: null_mut(), maxMemory: (1u64) << 40, maxOperations: (1u64) << 20,
            maxElements: (1u64) << 44, maxCompileWork: (1u64) << 36, maxTimeNanoseconds: u64::MAX }
    }
}

/// The progress of a load or a build: `done` of `total` items. The items are operations that are read (phase "load"), compiler
/// passes ("optimize"), or operations whose weights are packed ("prepare"). Called on the calling thread at the beginning and end
/// of each phase, and between items, at most 50 times per second. Must not call the library.
pub type WebnnProgressCallback = Option<unsafe extern "C" fn(phase: WebnnStringView, done: u64, total: u64,
    userdata: *mut c_void)>;

/// Cancellation, timeout and progress of one call. A call that is stopped early leaves the context and the graph usable.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnCallOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    /// may be NULL
    pub cancellation: WebnnCancellation,
    /// from the call on, including time in the queue; UINT64_MAX: no limit
    pub timeoutNanoseconds: u64,
    /// used by webnnGraphBuilderBuildSyncWithOptions and webnnSessionRun; may be NULL
    pub onProgress: WebnnProgressCallback,
    pub progressUserdata: *mut c_void,
}
impl Default for WebnnCallOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnCallOptions { nextInChain: null_mut(), cancellation: null_mut(), timeoutNanoseconds: u64::MAX, onProgress: None,
            progressUserdata: null_mut() }
    }
}

/// <https://www.w3.org/TR/webnn/#enumdef-mlpowerpreference>
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnPowerPreference(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnPowerPreference {
    /// the same as Default
    pub const Undefined: WebnnPowerPreference = WebnnPowerPreference(0);
    pub const Default: WebnnPowerPreference = WebnnPowerPreference(1);
    pub const HighPerformance: WebnnPowerPreference = WebnnPowerPreference(2);
    pub const LowPower: WebnnPowerPreference = WebnnPowerPreference(3);
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnExecution(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnExecution {
    /// the same as Worker
    pub const Undefined: WebnnExecution = WebnnExecution(0);
    /// on a thread of the context; calls return without waiting
    pub const Worker: WebnnExecution = WebnnExecution(1);
    /// on the calling thread, before the call returns
    pub const CallerThread: WebnnExecution = WebnnExecution(2);
    /// in a separate process: if it crashes, only the context is lost; calls return as with Worker
    pub const Service: WebnnExecution = WebnnExecution(3);
}

/// A setting of a backend: see ContextOptions::backendOptions in webnn/context.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnBackendOption {
    pub nextInChain: *mut WebnnChainedStruct,
    pub name: WebnnStringView,
    pub value: WebnnStringView,
}
impl Default for WebnnBackendOption {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnBackendOption { nextInChain: null_mut(), name: WebnnStringView { data: null(), length: WEBNN_STRLEN },
            value: WebnnStringView { data: null(), length: WEBNN_STRLEN } }
    }
}

/// <https://www.w3.org/TR/webnn/#dictdef-mlcontextoptions>, and options that the specification does not have.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnContextOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub powerPreference: WebnnPowerPreference,
    pub accelerated: WebnnBool,
    /// "cpu", "reference", "onnxruntime", "openvino", "webgpu" or "coreml", without fallback; empty: the best available backend
    pub backend: WebnnStringView,
    pub execution: WebnnExecution,
    /// threads per graph, at most 1024; 0: the backend decides
    pub threads: u32,
    pub backendOptionCount: usize,
    pub backendOptions: *const WebnnBackendOption,
    pub uncapturedErrorCallbackInfo: WebnnUncapturedErrorCallbackInfo,
    /// NULL: the limits of WEBNN_WORK_LIMITS_INIT
    pub limits: *const WebnnWorkLimits,
    /// The process in which graphs run: "private", "unix:PATH", or empty. See ContextOptions::service in webnn/context.h.
    pub service: WebnnStringView,
    /// 32 hexadecimal digits; empty: the environment variable WEBNN_SERVICE_TOKEN, or no token
    pub serviceToken: WebnnStringView,
}
impl Default for WebnnContextOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnContextOptions { nextInChain: null_mut(), powerPreference: WebnnPowerPreference::Undefined, accelerated: 1,
            backend: WebnnStringView { data: null(), length: WEBNN_STRLEN }, execution: WebnnExecution::Undefined, threads: 0,
            backendOptionCount: 0, backendOptions: null(),
            uncapturedErrorCallbackInfo: WebnnUncapturedErrorCallbackInfo { nextInChain: null_mut(),
            mode: WebnnCallbackMode::Undefined, callback: None, userdata1: null_mut(), userdata2: null_mut() }, limits: null(),
            service: WebnnStringView { data: null(), length: WEBNN_STRLEN }, serviceToken: WebnnStringView { data: null(),
            length: WEBNN_STRLEN } }
    }
}

/// The data types and ranks that an operand may have. <https://www.w3.org/TR/webnn/#api-mlcontext-tensorlimits-dictionary>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnTensorLimits {
    pub nextInChain: *mut WebnnChainedStruct,
    pub dataTypes: WebnnDataTypeFlags,
    pub minRank: u32,
    pub maxRank: u32,
}
impl Default for WebnnTensorLimits {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnTensorLimits { nextInChain: null_mut(), dataTypes: 0, minRank: 0, maxRank: 0 }
    }
}

/// <https://www.w3.org/TR/webnn/#api-mlcontext-opsupportlimits-dictionary>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnLimits {
    pub nextInChain: *mut WebnnChainedStruct,
    pub preferredInputLayout: WebnnInputOperandLayout,
    pub maxTensorByteLength: u64,
    pub input: WebnnTensorLimits,
    pub constant: WebnnTensorLimits,
    pub output: WebnnTensorLimits,
}
impl Default for WebnnLimits {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnLimits { nextInChain: null_mut(), preferredInputLayout: WebnnInputOperandLayout::Undefined, maxTensorByteLength: 0,
            input: WebnnTensorLimits { nextInChain: null_mut(), dataTypes: 0, minRank: 0, maxRank: 0 },
            constant: WebnnTensorLimits { nextInChain: null_mut(), dataTypes: 0, minRank: 0, maxRank: 0 },
            output: WebnnTensorLimits { nextInChain: null_mut(), dataTypes: 0, minRank: 0, maxRank: 0 } }
    }
}

/// <https://www.w3.org/TR/webnn/#api-mloperanddescriptor>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnOperandDescriptor {
    pub nextInChain: *mut WebnnChainedStruct,
    /// must be set
    pub dataType: WebnnOperandDataType,
    /// must be set; for a scalar, an empty list
    pub shape: WebnnUint32List,
}
impl Default for WebnnOperandDescriptor {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnOperandDescriptor { nextInChain: null_mut(), dataType: WebnnOperandDataType::Undefined,
            shape: WebnnUint32List { count: WEBNN_ABSENT, items: null() } }
    }
}

/// <https://www.w3.org/TR/webnn/#api-mltensordescriptor>
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnTensorDescriptor {
    pub nextInChain: *mut WebnnChainedStruct,
    /// must be set
    pub dataType: WebnnOperandDataType,
    /// must be set; for a scalar, an empty list
    pub shape: WebnnUint32List,
    pub readable: WebnnBool,
    pub writable: WebnnBool,
}
impl Default for WebnnTensorDescriptor {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnTensorDescriptor { nextInChain: null_mut(), dataType: WebnnOperandDataType::Undefined,
            shape: WebnnUint32List { count: WEBNN_ABSENT, items: null() }, readable: 0, writable: 0 }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnNamedOperand {
    pub nextInChain: *mut WebnnChainedStruct,
    pub name: WebnnStringView,
    pub operand: WebnnOperand,
}
impl Default for WebnnNamedOperand {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnNamedOperand { nextInChain: null_mut(), name: WebnnStringView { data: null(), length: WEBNN_STRLEN },
            operand: null_mut() }
    }
}

/// A dimension of an operand: a number, or an open dimension, whose size is chosen at each run. An extension of the
/// specification.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnDimension {
    pub nextInChain: *mut WebnnChainedStruct,
    /// the size if `text` is empty
    pub size: u32,
    /// the name of an open dimension, or an expression over names such as "past + 1"
    pub text: WebnnStringView,
    /// the smallest size of a named dimension, inclusive; may be 0, as for a cache before its first step
    pub min: u32,
    /// the largest size of a named dimension, inclusive
    pub max: u32,
}
impl Default for WebnnDimension {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnDimension { nextInChain: null_mut(), size: 0, text: WebnnStringView { data: null(), length: WEBNN_STRLEN }, min: 0,
            max: 0x7FFF_FFFF }
    }
}

/// The data type and shape of an input with open dimensions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnOpenDescriptor {
    pub nextInChain: *mut WebnnChainedStruct,
    /// must be set
    pub dataType: WebnnOperandDataType,
    pub dimensionCount: usize,
    pub dimensions: *const WebnnDimension,
}
impl Default for WebnnOpenDescriptor {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnOpenDescriptor { nextInChain: null_mut(), dataType: WebnnOperandDataType::Undefined, dimensionCount: 0,
            dimensions: null() }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnNamedTensor {
    pub nextInChain: *mut WebnnChainedStruct,
    pub name: WebnnStringView,
    pub tensor: WebnnTensor,
}
impl Default for WebnnNamedTensor {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnNamedTensor { nextInChain: null_mut(), name: WebnnStringView { data: null(), length: WEBNN_STRLEN },
            tensor: null_mut() }
    }
}

/// An input or output of a graph. The name is null-terminated.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnNamedDescriptor {
    pub nextInChain: *mut WebnnChainedStruct,
    pub name: WebnnStringView,
    pub descriptor: WebnnOperandDescriptor,
}
impl Default for WebnnNamedDescriptor {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnNamedDescriptor { nextInChain: null_mut(), name: WebnnStringView { data: null(), length: WEBNN_STRLEN },
            descriptor: WebnnOperandDescriptor { nextInChain: null_mut(), dataType: WebnnOperandDataType::Undefined,
            shape: WebnnUint32List { count: WEBNN_ABSENT, items: null() } } }
    }
}

/// The memory that a graph needs in bytes, estimated before compilation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnMemoryEstimate {
    pub nextInChain: *mut WebnnChainedStruct,
    pub inputs: u64,
    pub outputs: u64,
    pub constants: u64,
    /// approximate: copies of constants in the layout of the kernels
    pub packedWeights: u64,
    /// the peak size of the intermediate results if operations run in the graph's order
    pub intermediates: u64,
}
impl Default for WebnnMemoryEstimate {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnMemoryEstimate { nextInChain: null_mut(), inputs: 0, outputs: 0, constants: 0, packedWeights: 0, intermediates: 0 }
    }
}

/// The size of an open dimension of a model.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnNamedDimension {
    pub nextInChain: *mut WebnnChainedStruct,
    pub name: WebnnStringView,
    pub size: u32,
}
impl Default for WebnnNamedDimension {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnNamedDimension { nextInChain: null_mut(), name: WebnnStringView { data: null(), length: WEBNN_STRLEN }, size: 0 }
    }
}

/// An input of an ONNX model that is replaced by a constant.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnNamedBytes {
    pub nextInChain: *mut WebnnChainedStruct,
    pub name: WebnnStringView,
    /// copied
    pub bytes: WebnnConstBytes,
}
impl Default for WebnnNamedBytes {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnNamedBytes { nextInChain: null_mut(), name: WebnnStringView { data: null(), length: WEBNN_STRLEN },
            bytes: WebnnConstBytes { data: null(), size: 0 } }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnLoadOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    /// the path of the weights file; empty: searched for beside the graph
    pub weights: WebnnStringView,
    /// the path of the manifest of a .weights file; empty: searched for beside the graph
    pub manifest: WebnnStringView,
    /// sizes of open dimensions: all of them for webnnContextLoad*(), any of them for a session
    pub dimensionCount: usize,
    pub dimensions: *const WebnnNamedDimension,
    pub valueCount: usize,
    pub values: *const WebnnNamedBytes,
    /// open only the graph and the files that these options name
    pub namedFilesOnly: WebnnBool,
    /// NULL: the context's limits; otherwise the stricter of both values applies
    pub limits: *const WebnnWorkLimits,
    /// may be NULL
    pub cancellation: WebnnCancellation,
    /// may be NULL
    pub onProgress: WebnnProgressCallback,
    pub progressUserdata: *mut c_void,
}
impl Default for WebnnLoadOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnLoadOptions { nextInChain: null_mut(), weights: WebnnStringView { data: null(), length: WEBNN_STRLEN },
            manifest: WebnnStringView { data: null(), length: WEBNN_STRLEN }, dimensionCount: 0, dimensions: null(),
            valueCount: 0, values: null(), namedFilesOnly: 0, limits: null(), cancellation: null_mut(), onProgress: None,
            progressUserdata: null_mut() }
    }
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnGraphFormat(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnGraphFormat {
    /// chosen by the path's suffix; fails with TypeError if the suffix is unknown
    pub const Undefined: WebnnGraphFormat = WebnnGraphFormat(0);
    /// .webnn
    pub const WebnnText: WebnnGraphFormat = WebnnGraphFormat(1);
    /// webnn-graph-json version 2
    pub const GraphJson: WebnnGraphFormat = WebnnGraphFormat(2);
    pub const Onnx: WebnnGraphFormat = WebnnGraphFormat(3);
    /// .webnnb
    pub const WebnnBinary: WebnnGraphFormat = WebnnGraphFormat(4);
    /// .mlpackage, which can be written but not loaded
    pub const CoreMl: WebnnGraphFormat = WebnnGraphFormat(5);
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebnnWeightsFormat(pub u32);
#[allow(non_upper_case_globals)]
impl WebnnWeightsFormat {
    /// Inline for WebnnBinary, else Safetensors. CoreMl ignores it: a package has its weights.
    pub const Undefined: WebnnWeightsFormat = WebnnWeightsFormat(0);
    /// NAME.safetensors; for Onnx, constants of at least 1024 bytes in NAME.onnx.data
    pub const Safetensors: WebnnWeightsFormat = WebnnWeightsFormat(1);
    /// NAME.weights and NAME.manifest.json; for Onnx, like Safetensors
    pub const Manifest: WebnnWeightsFormat = WebnnWeightsFormat(2);
    /// in the graph itself
    pub const Inline: WebnnWeightsFormat = WebnnWeightsFormat(3);
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnSaveOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    pub graph: WebnnGraphFormat,
    pub weights: WebnnWeightsFormat,
}
impl Default for WebnnSaveOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnSaveOptions { nextInChain: null_mut(), graph: WebnnGraphFormat::Undefined, weights: WebnnWeightsFormat::Undefined }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnSessionOptions {
    pub nextInChain: *mut WebnnChainedStruct,
    /// NULL: all defaults. May fix open dimensions; each run's inputs determine the others
    pub load: *const WebnnLoadOptions,
    /// maximum number of cached graphs for different sizes; the least recently used is evicted
    pub graphs: usize,
    pub hasSeed: WebnnBool,
    /// for operators that generate random numbers; without hasSeed, each session has a different seed
    pub seed: u64,
}
impl Default for WebnnSessionOptions {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnSessionOptions { nextInChain: null_mut(), load: null(), graphs: 4, hasSeed: 0, seed: 0 }
    }
}

/// Packed elements with their name, type and shape. Dimensions may be 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WebnnNamedArray {
    pub nextInChain: *mut WebnnChainedStruct,
    pub name: WebnnStringView,
    pub descriptor: WebnnOperandDescriptor,
    pub bytes: WebnnConstBytes,
}
impl Default for WebnnNamedArray {
    #[inline]
    #[allow(unused_parens)]
    fn default() -> Self {
        WebnnNamedArray { nextInChain: null_mut(), name: WebnnStringView { data: null(), length: WEBNN_STRLEN },
            descriptor: WebnnOperandDescriptor { nextInChain: null_mut(), dataType: WebnnOperandDataType::Undefined,
            shape: WebnnUint32List { count: WEBNN_ABSENT, items: null() } }, bytes: WebnnConstBytes { data: null(), size: 0 } }
    }
}

unsafe extern "C" {
    /// Returns the specification's name of a status, for instance "InvalidStateError". The text is never freed.
    pub fn webnnStatusGetName(status: WebnnStatus) -> WebnnStringView;
    /// Returns the kind of an error. Success for NULL.
    pub fn webnnErrorGetStatus(error: WebnnError) -> WebnnStatus;
    /// Returns one sentence that names the function or operation, its label, the argument and the values. Null-terminated.
    pub fn webnnErrorGetMessage(error: WebnnError) -> WebnnStringView;
    pub fn webnnErrorAddRef(error: WebnnError);
    pub fn webnnErrorRelease(error: WebnnError);
    /// Computes the absolute value. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-abs>
    pub fn webnnGraphBuilderAbs(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// a + b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-add>
    pub fn webnnGraphBuilderAdd(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Returns the index of the greatest value along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmax>
    pub fn webnnGraphBuilderArgMax(builder: WebnnGraphBuilder, input: WebnnOperand, axis: u32,
        options: *const WebnnArgMinMaxOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Returns the index of the smallest value along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmin>
    pub fn webnnGraphBuilderArgMin(builder: WebnnGraphBuilder, input: WebnnOperand, axis: u32,
        options: *const WebnnArgMinMaxOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the mean of each window. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-averagepool2d>
    pub fn webnnGraphBuilderAveragePool2d(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnPool2dOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Normalizes each channel with a given mean and variance.
    /// <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-batchnormalization>
    pub fn webnnGraphBuilderBatchNormalization(builder: WebnnGraphBuilder, input: WebnnOperand, mean: WebnnOperand,
        variance: WebnnOperand, options: *const WebnnBatchNormalizationOptions, result: *mut WebnnOperand,
        error: *mut WebnnError) -> WebnnStatus;
    /// Converts to another data type. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cast>
    pub fn webnnGraphBuilderCast(builder: WebnnGraphBuilder, input: WebnnOperand, dataType: WebnnOperandDataType,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Rounds up to an integer. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-ceil>
    pub fn webnnGraphBuilderCeil(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Limits values to the range from minValue to maxValue. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-clamp>
    pub fn webnnGraphBuilderClamp(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnClampOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Joins tensors along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-concat>
    pub fn webnnGraphBuilderConcat(builder: WebnnGraphBuilder, inputs: WebnnOperandList, axis: u32,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes a 2-D convolution. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-conv2d>
    pub fn webnnGraphBuilderConv2d(builder: WebnnGraphBuilder, input: WebnnOperand, filter: WebnnOperand,
        options: *const WebnnConv2dOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes a 2-D transposed convolution. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-convtranspose2d>
    pub fn webnnGraphBuilderConvTranspose2d(builder: WebnnGraphBuilder, input: WebnnOperand, filter: WebnnOperand,
        options: *const WebnnConvTranspose2dOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes cos(x), x in radians. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cos>
    pub fn webnnGraphBuilderCos(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the running sum along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cumulativesum>
    pub fn webnnGraphBuilderCumulativeSum(builder: WebnnGraphBuilder, input: WebnnOperand, axis: u32,
        options: *const WebnnCumulativeSumOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// (input - zeroPoint) * scale. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-dequantizelinear>
    pub fn webnnGraphBuilderDequantizeLinear(builder: WebnnGraphBuilder, input: WebnnOperand, scale: WebnnOperand,
        zeroPoint: WebnnOperand, options: *const WebnnOperatorOptions, result: *mut WebnnOperand,
        error: *mut WebnnError) -> WebnnStatus;
    /// a / b; integers truncate toward zero. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-div>
    pub fn webnnGraphBuilderDiv(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// max(0, x) + alpha * (exp(min(0, x)) - 1). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-elu>
    pub fn webnnGraphBuilderElu(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnEluOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a = b, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-equal>
    pub fn webnnGraphBuilderEqual(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the error function. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-erf>
    pub fn webnnGraphBuilderErf(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes e to the power of x. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-exp>
    pub fn webnnGraphBuilderExp(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Broadcasts to a shape. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-expand>
    pub fn webnnGraphBuilderExpand(builder: WebnnGraphBuilder, input: WebnnOperand, newShape: WebnnUint32List,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Rounds down to an integer. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-floor>
    pub fn webnnGraphBuilderFloor(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Selects slices along an axis by their indices. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gather>
    pub fn webnnGraphBuilderGather(builder: WebnnGraphBuilder, input: WebnnOperand, indices: WebnnOperand,
        options: *const WebnnGatherOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Selects one element along an axis for each index. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gatherelements>
    pub fn webnnGraphBuilderGatherElements(builder: WebnnGraphBuilder, input: WebnnOperand, indices: WebnnOperand,
        options: *const WebnnGatherOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Selects the slices at the given coordinates. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gathernd>
    pub fn webnnGraphBuilderGatherND(builder: WebnnGraphBuilder, input: WebnnOperand, indices: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 0.5 * x * (1 + erf(x / sqrt(2))). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gelu>
    pub fn webnnGraphBuilderGelu(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// alpha * a * b + beta * c. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gemm>
    pub fn webnnGraphBuilderGemm(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand, options: *const WebnnGemmOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a > b, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greater>
    pub fn webnnGraphBuilderGreater(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a >= b, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greaterorequal>
    pub fn webnnGraphBuilderGreaterOrEqual(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Runs a gated recurrent unit over a sequence. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gru>
    pub fn webnnGraphBuilderGru(builder: WebnnGraphBuilder, input: WebnnOperand, weight: WebnnOperand,
        recurrentWeight: WebnnOperand, steps: u32, hiddenSize: u32, options: *const WebnnGruOptions,
        results: *mut WebnnOperandList, error: *mut WebnnError) -> WebnnStatus;
    /// Runs one step of a gated recurrent unit. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-grucell>
    pub fn webnnGraphBuilderGruCell(builder: WebnnGraphBuilder, input: WebnnOperand, weight: WebnnOperand,
        recurrentWeight: WebnnOperand, hiddenState: WebnnOperand, hiddenSize: u32, options: *const WebnnGruCellOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// max(0, min(1, alpha * x + beta)). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardsigmoid>
    pub fn webnnGraphBuilderHardSigmoid(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnHardSigmoidOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// x * max(0, min(6, x + 3)) / 6. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardswish>
    pub fn webnnGraphBuilderHardSwish(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Returns the input unchanged. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-identity>
    pub fn webnnGraphBuilderIdentity(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Normalizes each channel of each image. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-instancenormalization>
    pub fn webnnGraphBuilderInstanceNormalization(builder: WebnnGraphBuilder, input: WebnnOperand,
        options: *const WebnnInstanceNormalizationOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a is infinite, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isinfinite>
    pub fn webnnGraphBuilderIsInfinite(builder: WebnnGraphBuilder, a: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a is NaN, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isnan>
    pub fn webnnGraphBuilderIsNaN(builder: WebnnGraphBuilder, a: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the L2 norm of each window. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-l2pool2d>
    pub fn webnnGraphBuilderL2Pool2d(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnPool2dOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Normalizes along axes to mean 0 and variance 1, then applies scale and bias.
    /// <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-layernormalization>
    pub fn webnnGraphBuilderLayerNormalization(builder: WebnnGraphBuilder, input: WebnnOperand,
        options: *const WebnnLayerNormalizationOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// max(0, x) + alpha * min(0, x). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-leakyrelu>
    pub fn webnnGraphBuilderLeakyRelu(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnLeakyReluOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a < b, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesser>
    pub fn webnnGraphBuilderLesser(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a <= b, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesserorequal>
    pub fn webnnGraphBuilderLesserOrEqual(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// alpha * x + beta. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-linear>
    pub fn webnnGraphBuilderLinear(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnLinearOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the natural logarithm. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-log>
    pub fn webnnGraphBuilderLog(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where neither a nor b is 0, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicaland>
    pub fn webnnGraphBuilderLogicalAnd(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a is 0, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalnot>
    pub fn webnnGraphBuilderLogicalNot(builder: WebnnGraphBuilder, a: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a or b is not 0, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalor>
    pub fn webnnGraphBuilderLogicalOr(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where exactly one of a and b is not 0, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalxor>
    pub fn webnnGraphBuilderLogicalXor(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Runs a long short-term memory over a sequence. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstm>
    pub fn webnnGraphBuilderLstm(builder: WebnnGraphBuilder, input: WebnnOperand, weight: WebnnOperand,
        recurrentWeight: WebnnOperand, steps: u32, hiddenSize: u32, options: *const WebnnLstmOptions,
        results: *mut WebnnOperandList, error: *mut WebnnError) -> WebnnStatus;
    /// Runs one step of a long short-term memory. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstmcell>
    pub fn webnnGraphBuilderLstmCell(builder: WebnnGraphBuilder, input: WebnnOperand, weight: WebnnOperand,
        recurrentWeight: WebnnOperand, hiddenState: WebnnOperand, cellState: WebnnOperand, hiddenSize: u32,
        options: *const WebnnLstmCellOptions, results: *mut WebnnOperandList, error: *mut WebnnError) -> WebnnStatus;
    /// Multiplies matrices; leading dimensions are broadcast. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-matmul>
    pub fn webnnGraphBuilderMatmul(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the greater of a and b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-max>
    pub fn webnnGraphBuilderMax(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the greatest value of each window. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-maxpool2d>
    pub fn webnnGraphBuilderMaxPool2d(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnPool2dOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the smaller of a and b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-min>
    pub fn webnnGraphBuilderMin(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// a * b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-mul>
    pub fn webnnGraphBuilderMul(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// -x. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-neg>
    pub fn webnnGraphBuilderNeg(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// 1 where a and b differ, else 0. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-notequal>
    pub fn webnnGraphBuilderNotEqual(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Adds elements before and after each dimension. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pad>
    pub fn webnnGraphBuilderPad(builder: WebnnGraphBuilder, input: WebnnOperand, beginningPadding: WebnnUint32List,
        endingPadding: WebnnUint32List, options: *const WebnnPadOptions, result: *mut WebnnOperand,
        error: *mut WebnnError) -> WebnnStatus;
    /// a to the power of b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pow>
    pub fn webnnGraphBuilderPow(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// max(0, x) + slope * min(0, x). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-prelu>
    pub fn webnnGraphBuilderPrelu(builder: WebnnGraphBuilder, input: WebnnOperand, slope: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// roundEven(input / scale) + zeroPoint, clamped to the range of the type.
    /// <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-quantizelinear>
    pub fn webnnGraphBuilderQuantizeLinear(builder: WebnnGraphBuilder, input: WebnnOperand, scale: WebnnOperand,
        zeroPoint: WebnnOperand, options: *const WebnnOperatorOptions, result: *mut WebnnOperand,
        error: *mut WebnnError) -> WebnnStatus;
    /// 1 / x. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reciprocal>
    pub fn webnnGraphBuilderReciprocal(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Sums the absolute values along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel1>
    pub fn webnnGraphBuilderReduceL1(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the square root of the sum of squares along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel2>
    pub fn webnnGraphBuilderReduceL2(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the logarithm of the sum along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsum>
    pub fn webnnGraphBuilderReduceLogSum(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the logarithm of the sum of exponentials along axes.
    /// <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsumexp>
    pub fn webnnGraphBuilderReduceLogSumExp(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the greatest value along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemax>
    pub fn webnnGraphBuilderReduceMax(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the mean along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemean>
    pub fn webnnGraphBuilderReduceMean(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the smallest value along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemin>
    pub fn webnnGraphBuilderReduceMin(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the product of all elements along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reduceproduct>
    pub fn webnnGraphBuilderReduceProduct(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Sums the elements along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesum>
    pub fn webnnGraphBuilderReduceSum(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Sums the squares along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesumsquare>
    pub fn webnnGraphBuilderReduceSumSquare(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReduceOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// max(0, x). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-relu>
    pub fn webnnGraphBuilderRelu(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Resizes two dimensions by interpolation. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-resample2d>
    pub fn webnnGraphBuilderResample2d(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnResample2dOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Changes the shape; the elements keep their order. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reshape>
    pub fn webnnGraphBuilderReshape(builder: WebnnGraphBuilder, input: WebnnOperand, newShape: WebnnUint32List,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Reverses the order along axes. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reverse>
    pub fn webnnGraphBuilderReverse(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnReverseOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Rounds to the nearest integer, halves to even. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-roundeven>
    pub fn webnnGraphBuilderRoundEven(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Replaces one element along an axis for each index. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatterelements>
    pub fn webnnGraphBuilderScatterElements(builder: WebnnGraphBuilder, input: WebnnOperand, indices: WebnnOperand,
        updates: WebnnOperand, options: *const WebnnScatterOptions, result: *mut WebnnOperand,
        error: *mut WebnnError) -> WebnnStatus;
    /// Replaces the slices at the given coordinates. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatternd>
    pub fn webnnGraphBuilderScatterND(builder: WebnnGraphBuilder, input: WebnnOperand, indices: WebnnOperand,
        updates: WebnnOperand, options: *const WebnnOperatorOptions, result: *mut WebnnOperand,
        error: *mut WebnnError) -> WebnnStatus;
    /// 1 / (1 + exp(-x)). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sigmoid>
    pub fn webnnGraphBuilderSigmoid(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// -1, 0 or 1 if x is negative, zero or positive. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sign>
    pub fn webnnGraphBuilderSign(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes sin(x), x in radians. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sin>
    pub fn webnnGraphBuilderSin(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Extracts a window, optionally with strides. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-slice>
    pub fn webnnGraphBuilderSlice(builder: WebnnGraphBuilder, input: WebnnOperand, starts: WebnnUint32List,
        sizes: WebnnUint32List, options: *const WebnnSliceOptions, result: *mut WebnnOperand,
        error: *mut WebnnError) -> WebnnStatus;
    /// exp(x) / sum(exp(x)) along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softmax>
    pub fn webnnGraphBuilderSoftmax(builder: WebnnGraphBuilder, input: WebnnOperand, axis: u32,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// log(1 + exp(x)). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softplus>
    pub fn webnnGraphBuilderSoftplus(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// x / (1 + |x|). <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softsign>
    pub fn webnnGraphBuilderSoftsign(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Splits a tensor into parts along an axis. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-split>
    pub fn webnnGraphBuilderSplit(builder: WebnnGraphBuilder, input: WebnnOperand, splits: WebnnSplits,
        options: *const WebnnSplitOptions, results: *mut WebnnOperandList, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the square root. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sqrt>
    pub fn webnnGraphBuilderSqrt(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// a - b. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sub>
    pub fn webnnGraphBuilderSub(builder: WebnnGraphBuilder, a: WebnnOperand, b: WebnnOperand,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes tan(x), x in radians. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tan>
    pub fn webnnGraphBuilderTan(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Computes the hyperbolic tangent. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tanh>
    pub fn webnnGraphBuilderTanh(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnOperatorOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Repeats the tensor along each dimension. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tile>
    pub fn webnnGraphBuilderTile(builder: WebnnGraphBuilder, input: WebnnOperand, repetitions: WebnnUint32List,
        options: *const WebnnOperatorOptions, result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Reorders the dimensions. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-transpose>
    pub fn webnnGraphBuilderTranspose(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnTransposeOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Keeps the upper or lower triangle of each matrix. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-triangular>
    pub fn webnnGraphBuilderTriangular(builder: WebnnGraphBuilder, input: WebnnOperand, options: *const WebnnTriangularOptions,
        result: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// trueValue where condition is not 0, else falseValue. <https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-where>
    pub fn webnnGraphBuilderWhere(builder: WebnnGraphBuilder, condition: WebnnOperand, trueValue: WebnnOperand,
        falseValue: WebnnOperand, options: *const WebnnOperatorOptions, result: *mut WebnnOperand,
        error: *mut WebnnError) -> WebnnStatus;
    /// Returns major * 1000000 + minor * 1000 + patch.
    pub fn webnnGetVersion() -> u32;
    /// Creates an instance. A NULL descriptor means all defaults.
    pub fn webnnCreateInstance(descriptor: *const WebnnInstanceDescriptor, instance: *mut WebnnInstance,
        error: *mut WebnnError) -> WebnnStatus;
    /// Calls the callbacks of finished operations on this thread, except callbacks with mode WaitAnyOnly.
    pub fn webnnInstanceProcessEvents(instance: WebnnInstance);
    /// Waits until at least one of `futures` is completed, and calls the callbacks of the completed futures on this thread. A
    /// timeout of 0 only polls; UINT64_MAX waits without a limit.
    pub fn webnnInstanceWaitAny(instance: WebnnInstance, futureCount: usize, futures: *mut WebnnFutureWaitInfo,
        timeoutNanoseconds: u64) -> WebnnWaitStatus;
    pub fn webnnInstanceAddRef(instance: WebnnInstance);
    /// The last release calls the callbacks of all finished operations. Later callbacks are called on a thread of the instance.
    pub fn webnnInstanceRelease(instance: WebnnInstance);
    /// Creates an object that can stop calls early. After webnnCancellationRequest, all current and later calls that received
    /// this cancellation fail with an AbortError, usually within 50 milliseconds; docs/reference/limits.md lists the exceptions.
    pub fn webnnCreateCancellation(cancellation: *mut WebnnCancellation, error: *mut WebnnError) -> WebnnStatus;
    /// Stops the calls that received this cancellation. May be called on any thread at any time. Idempotent.
    pub fn webnnCancellationRequest(cancellation: WebnnCancellation);
    /// Returns whether webnnCancellationRequest has been called. 0 for NULL.
    pub fn webnnCancellationIsRequested(cancellation: WebnnCancellation) -> WebnnBool;
    pub fn webnnCancellationAddRef(cancellation: WebnnCancellation);
    pub fn webnnCancellationRelease(cancellation: WebnnCancellation);
    /// Creates a context. Fails with NotSupportedError, which names the missing option or device, if the options cannot be met.
    pub fn webnnInstanceCreateContext(instance: WebnnInstance, options: *const WebnnContextOptions,
        callbackInfo: WebnnCreateContextCallbackInfo) -> WebnnFuture;
    pub fn webnnInstanceCreateContextSync(instance: WebnnInstance, options: *const WebnnContextOptions,
        context: *mut WebnnContext, error: *mut WebnnError) -> WebnnStatus;
    /// Returns whether graphs of this context run on a GPU or an NPU. 0 for NULL.
    pub fn webnnContextIsAccelerated(context: WebnnContext) -> WebnnBool;
    /// Returns the name of the backend: "cpu", "reference", ... Empty for NULL.
    pub fn webnnContextGetBackend(context: WebnnContext) -> WebnnStringView;
    /// Returns where graphs run: "private" or "unix:PATH", or empty for this process. Empty for NULL.
    pub fn webnnContextGetService(context: WebnnContext) -> WebnnStringView;
    /// Calls the callback when the context is lost or no longer referenced. <https://www.w3.org/TR/webnn/#dom-mlcontext-lost>
    pub fn webnnContextLost(context: WebnnContext, callbackInfo: WebnnContextLostCallbackInfo) -> WebnnFuture;
    /// Returns whether the context is lost. 0 for NULL.
    pub fn webnnContextIsLost(context: WebnnContext) -> WebnnBool;
    /// Loses the context: destroys its graphs and tensors, and fails pending reads with InvalidStateError. Idempotent.
    pub fn webnnContextDestroy(context: WebnnContext);
    /// Returns the number of bytes that are currently charged to maxMemory. 0 for NULL.
    pub fn webnnContextGetMemoryInUse(context: WebnnContext) -> u64;
    pub fn webnnContextAddRef(context: WebnnContext);
    pub fn webnnContextRelease(context: WebnnContext);
    /// Gets the limits that apply to every input, constant and output of a graph.
    pub fn webnnContextGetLimits(context: WebnnContext, limits: *mut WebnnLimits, error: *mut WebnnError) -> WebnnStatus;
    /// Gets the limits of an operand or output of an operation. Both names are spelled as in the specification: `operation`
    /// "conv2d", `operand` "filter". Fails with NotFoundError if the operation or operand does not exist.
    pub fn webnnContextGetOperandLimits(context: WebnnContext, operation: WebnnStringView, operand: WebnnStringView,
        limits: *mut WebnnTensorLimits, error: *mut WebnnError) -> WebnnStatus;
    /// Creates a tensor of zeros.
    pub fn webnnContextCreateTensor(context: WebnnContext, descriptor: *const WebnnTensorDescriptor, tensor: *mut WebnnTensor,
        error: *mut WebnnError) -> WebnnStatus;
    /// Creates a tensor with a copy of `bytes`, for webnnGraphBuilderConstantTensor. The tensor is neither readable nor writable.
    pub fn webnnContextCreateConstantTensor(context: WebnnContext, descriptor: *const WebnnOperandDescriptor,
        bytes: WebnnConstBytes, tensor: *mut WebnnTensor, error: *mut WebnnError) -> WebnnStatus;
    /// Queues a write of `bytes` to a writable tensor. `bytes` may be reused when the function returns.
    pub fn webnnContextWriteTensor(context: WebnnContext, tensor: WebnnTensor, bytes: WebnnConstBytes,
        error: *mut WebnnError) -> WebnnStatus;
    /// Copies a readable tensor to `bytes` after all work that was queued earlier. `bytes` must stay valid until the callback is
    /// called. If the dispatch that should have written the tensor failed, the read fails with the error of that dispatch. If the
    /// tensor is destroyed before the copy, the read fails with InvalidStateError; if before this call, with TypeError.
    pub fn webnnContextReadTensor(context: WebnnContext, tensor: WebnnTensor, bytes: WebnnBytes,
        callbackInfo: WebnnReadTensorCallbackInfo) -> WebnnFuture;
    pub fn webnnContextReadTensorSync(context: WebnnContext, tensor: WebnnTensor, bytes: WebnnBytes,
        error: *mut WebnnError) -> WebnnStatus;
    /// Fills in `descriptor`. Its shape is borrowed from the tensor.
    pub fn webnnTensorGetDescriptor(tensor: WebnnTensor, descriptor: *mut WebnnTensorDescriptor,
        error: *mut WebnnError) -> WebnnStatus;
    /// Returns whether webnnContextCreateConstantTensor() made the tensor. 0 for NULL.
    pub fn webnnTensorIsConstant(tensor: WebnnTensor) -> WebnnBool;
    /// Returns the size in bytes. 0 for NULL.
    pub fn webnnTensorGetByteLength(tensor: WebnnTensor) -> usize;
    /// Destroys the tensor. Pending reads fail; the memory is freed after all work that was queued earlier. Idempotent.
    pub fn webnnTensorDestroy(tensor: WebnnTensor);
    pub fn webnnTensorAddRef(tensor: WebnnTensor);
    pub fn webnnTensorRelease(tensor: WebnnTensor);
    /// Creates a builder. Fails with InvalidStateError if the context is lost.
    pub fn webnnContextCreateGraphBuilder(context: WebnnContext, builder: *mut WebnnGraphBuilder,
        error: *mut WebnnError) -> WebnnStatus;
    /// Adds a named input of the graph. Fails with TypeError if the name is empty or already used.
    pub fn webnnGraphBuilderInput(builder: WebnnGraphBuilder, name: WebnnStringView, descriptor: *const WebnnOperandDescriptor,
        operand: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Adds an input with open dimensions. webnnGraphBuilderBuildSession() makes a session of the graph; the other build
    /// functions fail with a TypeError. In descriptors, an open dimension is a handle: a number of at least 2^31, which is
    /// accepted as a size. Fails with TypeError for an empty or used name, text that is not an expression, and bounds that
    /// contradict earlier bounds.
    pub fn webnnGraphBuilderOpenInput(builder: WebnnGraphBuilder, name: WebnnStringView, descriptor: *const WebnnOpenDescriptor,
        operand: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Stores the handle of an expression over open dimensions in `size`, for fields that hold sizes of shapes, such as newShape.
    /// GraphBuilder::openSize() in webnn/graph_builder.h lists the fields and the grammar.
    pub fn webnnGraphBuilderOpenSize(builder: WebnnGraphBuilder, expression: WebnnStringView, size: *mut u32,
        error: *mut WebnnError) -> WebnnStatus;
    /// Adds a constant with a copy of `bytes`.
    pub fn webnnGraphBuilderConstant(builder: WebnnGraphBuilder, descriptor: *const WebnnOperandDescriptor,
        bytes: WebnnConstBytes, operand: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Adds a constant that refers to the bytes without copying them.
    pub fn webnnGraphBuilderConstantExternal(builder: WebnnGraphBuilder, descriptor: *const WebnnOperandDescriptor,
        bytes: *const WebnnExternalBytes, operand: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Adds a scalar constant: `value` cast to `dataType`.
    pub fn webnnGraphBuilderConstantScalar(builder: WebnnGraphBuilder, dataType: WebnnOperandDataType, value: WebnnNumber,
        operand: *mut WebnnOperand, error: *mut WebnnError) -> WebnnStatus;
    /// Adds a constant with the value of `tensor`, which webnnContextCreateConstantTensor must have made in the same context.
    pub fn webnnGraphBuilderConstantTensor(builder: WebnnGraphBuilder, tensor: WebnnTensor, operand: *mut WebnnOperand,
        error: *mut WebnnError) -> WebnnStatus;
    /// Compiles the graph after the context's queued work. A builder builds once; calls that fail their checks do not count.
    pub fn webnnGraphBuilderBuild(builder: WebnnGraphBuilder, outputCount: usize, outputs: *const WebnnNamedOperand,
        callbackInfo: WebnnBuildCallbackInfo) -> WebnnFuture;
    pub fn webnnGraphBuilderBuildSync(builder: WebnnGraphBuilder, outputCount: usize, outputs: *const WebnnNamedOperand,
        graph: *mut WebnnGraph, error: *mut WebnnError) -> WebnnStatus;
    /// Builds like webnnGraphBuilderBuild(), with options for cancellation and timeout.
    pub fn webnnGraphBuilderBuildWithOptions(builder: WebnnGraphBuilder, outputCount: usize, outputs: *const WebnnNamedOperand,
        options: *const WebnnCallOptions, callbackInfo: WebnnBuildCallbackInfo) -> WebnnFuture;
    pub fn webnnGraphBuilderBuildSyncWithOptions(builder: WebnnGraphBuilder, outputCount: usize,
        outputs: *const WebnnNamedOperand, options: *const WebnnCallOptions, graph: *mut WebnnGraph,
        error: *mut WebnnError) -> WebnnStatus;
    pub fn webnnGraphBuilderAddRef(builder: WebnnGraphBuilder);
    pub fn webnnGraphBuilderRelease(builder: WebnnGraphBuilder);
    /// Fills in `descriptor`. Its shape is borrowed from the operand.
    pub fn webnnOperandGetDescriptor(operand: WebnnOperand, descriptor: *mut WebnnOperandDescriptor,
        error: *mut WebnnError) -> WebnnStatus;
    /// Fills in a dimension of the operand's shape, with the name or expression of an open one. The text is borrowed from the
    /// operand.
    pub fn webnnOperandGetDimension(operand: WebnnOperand, index: usize, dimension: *mut WebnnDimension,
        error: *mut WebnnError) -> WebnnStatus;
    pub fn webnnOperandAddRef(operand: WebnnOperand);
    pub fn webnnOperandRelease(operand: WebnnOperand);
    /// Releases the operands of a list that a function returned, and the memory of the list.
    pub fn webnnOperandListFreeMembers(list: WebnnOperandList);
    /// Return the number of inputs and of outputs. Inputs that no output depends on are left out; the others keep their order.
    pub fn webnnGraphGetInputCount(graph: WebnnGraph) -> usize;
    pub fn webnnGraphGetOutputCount(graph: WebnnGraph) -> usize;
    /// Get the name and descriptor of the input or output with this index, borrowed from the graph.
    pub fn webnnGraphGetInput(graph: WebnnGraph, index: usize, input: *mut WebnnNamedDescriptor,
        error: *mut WebnnError) -> WebnnStatus;
    pub fn webnnGraphGetOutput(graph: WebnnGraph, index: usize, output: *mut WebnnNamedDescriptor,
        error: *mut WebnnError) -> WebnnStatus;
    /// Queues a run and returns. `inputs` and `outputs` bind every input and output by name to a tensor with the same descriptor,
    /// and no tensor twice. Readers of the outputs and the uncaptured-error callback receive the error of a run that fails.
    pub fn webnnContextDispatch(context: WebnnContext, graph: WebnnGraph, inputCount: usize, inputs: *const WebnnNamedTensor,
        outputCount: usize, outputs: *const WebnnNamedTensor, error: *mut WebnnError) -> WebnnStatus;
    /// Queues a run like webnnContextDispatch(), with options to stop it: at once if it has begun, otherwise when its turn comes.
    pub fn webnnContextDispatchWithOptions(context: WebnnContext, graph: WebnnGraph, inputCount: usize,
        inputs: *const WebnnNamedTensor, outputCount: usize, outputs: *const WebnnNamedTensor, options: *const WebnnCallOptions,
        error: *mut WebnnError) -> WebnnStatus;
    /// Runs the graph on this thread and returns when the run is done; does not wait for queued work. `inputs` and `outputs` are
    /// in the order of the graph's inputs and outputs. Several threads may run the same graph concurrently.
    pub fn webnnGraphCompute(graph: WebnnGraph, inputCount: usize, inputs: *const WebnnConstBytes, outputCount: usize,
        outputs: *const WebnnBytes, error: *mut WebnnError) -> WebnnStatus;
    /// Runs the graph as webnnGraphCompute() does, with options to stop the run early.
    pub fn webnnGraphComputeWithOptions(graph: WebnnGraph, inputCount: usize, inputs: *const WebnnConstBytes, outputCount: usize,
        outputs: *const WebnnBytes, options: *const WebnnCallOptions, error: *mut WebnnError) -> WebnnStatus;
    /// Gets the estimate that was made before the graph was compiled.
    pub fn webnnGraphGetMemoryEstimate(graph: WebnnGraph, estimate: *mut WebnnMemoryEstimate,
        error: *mut WebnnError) -> WebnnStatus;
    /// Destroys the graph: it cannot be run any more. Queued runs are still executed. Idempotent.
    pub fn webnnGraphDestroy(graph: WebnnGraph);
    pub fn webnnGraphAddRef(graph: WebnnGraph);
    pub fn webnnGraphRelease(graph: WebnnGraph);
    /// Reads a graph of any format that webnn/formats.h lists (.webnn, .webnnb, JSON, ONNX), and compiles it.
    pub fn webnnContextLoad(context: WebnnContext, path: WebnnStringView, options: *const WebnnLoadOptions,
        graph: *mut WebnnGraph, error: *mut WebnnError) -> WebnnStatus;
    /// Loads the content of a graph file. The graph may keep references into `content`. Opens only files that `options` names.
    pub fn webnnContextLoadBytes(context: WebnnContext, content: *const WebnnExternalBytes, options: *const WebnnLoadOptions,
        graph: *mut WebnnGraph, error: *mut WebnnError) -> WebnnStatus;
    /// Loads an open file from its beginning, or the remaining data of a pipe. The caller closes the descriptor.
    pub fn webnnContextLoadDescriptor(context: WebnnContext, descriptor: c_int, options: *const WebnnLoadOptions,
        graph: *mut WebnnGraph, error: *mut WebnnError) -> WebnnStatus;
    /// Writes a graph to `path`, and its weights into the same file or beside it. A call that fails leaves no partial file.
    pub fn webnnGraphSave(graph: WebnnGraph, path: WebnnStringView, options: *const WebnnSaveOptions,
        error: *mut WebnnError) -> WebnnStatus;
    /// Opens a model of any format that webnnContextLoad() reads. An ONNX model that one graph cannot express runs as several.
    pub fn webnnContextLoadSession(context: WebnnContext, path: WebnnStringView, options: *const WebnnSessionOptions,
        session: *mut WebnnSession, error: *mut WebnnError) -> WebnnStatus;
    /// Opens the content of a model file. The session may keep references into `content`.
    pub fn webnnContextLoadSessionBytes(context: WebnnContext, content: *const WebnnExternalBytes,
        options: *const WebnnSessionOptions, session: *mut WebnnSession, error: *mut WebnnError) -> WebnnStatus;
    /// Makes a session of a graph with open dimensions, whose sizes may be 0. Fails like webnnGraphBuilderBuildSync(), and with
    /// TypeError if no input determines a dimension. Uses only options->graphs, and the dimensions and limits of options->load.
    pub fn webnnGraphBuilderBuildSession(builder: WebnnGraphBuilder, outputCount: usize, outputs: *const WebnnNamedOperand,
        options: *const WebnnSessionOptions, session: *mut WebnnSession, error: *mut WebnnError) -> WebnnStatus;
    /// Writes the graph of a session like webnnGraphSave(). Open dimensions keep their names. Fails with NotSupportedError if
    /// ONNX or Core ML cannot compute the sizes. Fails with TypeError for a loaded ONNX model with open dimensions.
    pub fn webnnSessionSave(session: WebnnSession, path: WebnnStringView, options: *const WebnnSaveOptions,
        error: *mut WebnnError) -> WebnnStatus;
    /// Return the number of inputs and of outputs that the model declares.
    pub fn webnnSessionGetInputCount(session: WebnnSession) -> usize;
    pub fn webnnSessionGetOutputCount(session: WebnnSession) -> usize;
    /// Get an input or output as the model declares it, borrowed from the session. Open dimensions are 0, undeclared types
    /// Undefined.
    pub fn webnnSessionGetInput(session: WebnnSession, index: usize, input: *mut WebnnNamedDescriptor,
        error: *mut WebnnError) -> WebnnStatus;
    pub fn webnnSessionGetOutput(session: WebnnSession, index: usize, output: *mut WebnnNamedDescriptor,
        error: *mut WebnnError) -> WebnnStatus;
    /// Runs the model on this thread and returns when the run is done. `inputs` has an array for each input that outputs depend
    /// on.
    pub fn webnnSessionRun(session: WebnnSession, inputCount: usize, inputs: *const WebnnNamedArray,
        options: *const WebnnCallOptions, results: *mut WebnnResults, error: *mut WebnnError) -> WebnnStatus;
    pub fn webnnSessionAddRef(session: WebnnSession);
    pub fn webnnSessionRelease(session: WebnnSession);
    /// Returns the number of outputs.
    pub fn webnnResultsGetCount(results: WebnnResults) -> usize;
    /// Fills in the output with this index in the model's order, borrowed from the results.
    pub fn webnnResultsGet(results: WebnnResults, index: usize, output: *mut WebnnNamedArray,
        error: *mut WebnnError) -> WebnnStatus;
    /// Fills in the output with this name, borrowed from the results. Fails with NotFoundError if there is no such output.
    pub fn webnnResultsFind(results: WebnnResults, name: WebnnStringView, output: *mut WebnnNamedArray,
        error: *mut WebnnError) -> WebnnStatus;
    pub fn webnnResultsAddRef(results: WebnnResults);
    pub fn webnnResultsRelease(results: WebnnResults);
}

/// The layouts that a C compiler gives the structs.
#[cfg(target_pointer_width = "64")]
const _: () = {
    use core::mem::{align_of, offset_of, size_of};
    assert!(size_of::<WebnnStringView>() == 16 && align_of::<WebnnStringView>() == 8);
    assert!(offset_of!(WebnnStringView, data) == 0);
    assert!(offset_of!(WebnnStringView, length) == 8);
    assert!(size_of::<WebnnUint32List>() == 16 && align_of::<WebnnUint32List>() == 8);
    assert!(offset_of!(WebnnUint32List, count) == 0);
    assert!(offset_of!(WebnnUint32List, items) == 8);
    assert!(size_of::<WebnnFloatList>() == 16 && align_of::<WebnnFloatList>() == 8);
    assert!(offset_of!(WebnnFloatList, count) == 0);
    assert!(offset_of!(WebnnFloatList, items) == 8);
    assert!(size_of::<WebnnConstBytes>() == 16 && align_of::<WebnnConstBytes>() == 8);
    assert!(offset_of!(WebnnConstBytes, data) == 0);
    assert!(offset_of!(WebnnConstBytes, size) == 8);
    assert!(size_of::<WebnnBytes>() == 16 && align_of::<WebnnBytes>() == 8);
    assert!(offset_of!(WebnnBytes, data) == 0);
    assert!(offset_of!(WebnnBytes, size) == 8);
    assert!(size_of::<WebnnNumber>() == 16 && align_of::<WebnnNumber>() == 8);
    assert!(offset_of!(WebnnNumber, r#type) == 0);
    assert!(offset_of!(WebnnNumber, value) == 8);
    assert!(size_of::<WebnnSplits>() == 24 && align_of::<WebnnSplits>() == 8);
    assert!(offset_of!(WebnnSplits, count) == 0);
    assert!(offset_of!(WebnnSplits, sizes) == 8);
    assert!(size_of::<WebnnChainedStruct>() == 16 && align_of::<WebnnChainedStruct>() == 8);
    assert!(offset_of!(WebnnChainedStruct, next) == 0);
    assert!(offset_of!(WebnnChainedStruct, sType) == 8);
    assert!(size_of::<WebnnOperandList>() == 16 && align_of::<WebnnOperandList>() == 8);
    assert!(offset_of!(WebnnOperandList, count) == 0);
    assert!(offset_of!(WebnnOperandList, items) == 8);
    assert!(size_of::<WebnnRecurrentNetworkActivationList>() == 16 && align_of::<WebnnRecurrentNetworkActivationList>() == 8);
    assert!(offset_of!(WebnnRecurrentNetworkActivationList, count) == 0);
    assert!(offset_of!(WebnnRecurrentNetworkActivationList, items) == 8);
    assert!(size_of::<WebnnOperatorOptions>() == 24 && align_of::<WebnnOperatorOptions>() == 8);
    assert!(offset_of!(WebnnOperatorOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnOperatorOptions, label) == 8);
    assert!(size_of::<WebnnArgMinMaxOptions>() == 32 && align_of::<WebnnArgMinMaxOptions>() == 8);
    assert!(offset_of!(WebnnArgMinMaxOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnArgMinMaxOptions, keepDimensions) == 8);
    assert!(offset_of!(WebnnArgMinMaxOptions, outputDataType) == 12);
    assert!(offset_of!(WebnnArgMinMaxOptions, label) == 16);
    assert!(size_of::<WebnnPool2dOptions>() == 112 && align_of::<WebnnPool2dOptions>() == 8);
    assert!(offset_of!(WebnnPool2dOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnPool2dOptions, windowDimensions) == 8);
    assert!(offset_of!(WebnnPool2dOptions, padding) == 24);
    assert!(offset_of!(WebnnPool2dOptions, strides) == 40);
    assert!(offset_of!(WebnnPool2dOptions, dilations) == 56);
    assert!(offset_of!(WebnnPool2dOptions, layout) == 72);
    assert!(offset_of!(WebnnPool2dOptions, outputShapeRounding) == 76);
    assert!(offset_of!(WebnnPool2dOptions, outputSizes) == 80);
    assert!(offset_of!(WebnnPool2dOptions, label) == 96);
    assert!(size_of::<WebnnBatchNormalizationOptions>() == 56 && align_of::<WebnnBatchNormalizationOptions>() == 8);
    assert!(offset_of!(WebnnBatchNormalizationOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnBatchNormalizationOptions, scale) == 8);
    assert!(offset_of!(WebnnBatchNormalizationOptions, bias) == 16);
    assert!(offset_of!(WebnnBatchNormalizationOptions, axis) == 24);
    assert!(offset_of!(WebnnBatchNormalizationOptions, epsilon) == 32);
    assert!(offset_of!(WebnnBatchNormalizationOptions, label) == 40);
    assert!(size_of::<WebnnClampOptions>() == 56 && align_of::<WebnnClampOptions>() == 8);
    assert!(offset_of!(WebnnClampOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnClampOptions, minValue) == 8);
    assert!(offset_of!(WebnnClampOptions, maxValue) == 24);
    assert!(offset_of!(WebnnClampOptions, label) == 40);
    assert!(size_of::<WebnnConv2dOptions>() == 96 && align_of::<WebnnConv2dOptions>() == 8);
    assert!(offset_of!(WebnnConv2dOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnConv2dOptions, padding) == 8);
    assert!(offset_of!(WebnnConv2dOptions, strides) == 24);
    assert!(offset_of!(WebnnConv2dOptions, dilations) == 40);
    assert!(offset_of!(WebnnConv2dOptions, groups) == 56);
    assert!(offset_of!(WebnnConv2dOptions, inputLayout) == 60);
    assert!(offset_of!(WebnnConv2dOptions, filterLayout) == 64);
    assert!(offset_of!(WebnnConv2dOptions, bias) == 72);
    assert!(offset_of!(WebnnConv2dOptions, label) == 80);
    assert!(size_of::<WebnnConvTranspose2dOptions>() == 128 && align_of::<WebnnConvTranspose2dOptions>() == 8);
    assert!(offset_of!(WebnnConvTranspose2dOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnConvTranspose2dOptions, padding) == 8);
    assert!(offset_of!(WebnnConvTranspose2dOptions, strides) == 24);
    assert!(offset_of!(WebnnConvTranspose2dOptions, dilations) == 40);
    assert!(offset_of!(WebnnConvTranspose2dOptions, outputPadding) == 56);
    assert!(offset_of!(WebnnConvTranspose2dOptions, outputSizes) == 72);
    assert!(offset_of!(WebnnConvTranspose2dOptions, groups) == 88);
    assert!(offset_of!(WebnnConvTranspose2dOptions, inputLayout) == 92);
    assert!(offset_of!(WebnnConvTranspose2dOptions, filterLayout) == 96);
    assert!(offset_of!(WebnnConvTranspose2dOptions, bias) == 104);
    assert!(offset_of!(WebnnConvTranspose2dOptions, label) == 112);
    assert!(size_of::<WebnnCumulativeSumOptions>() == 32 && align_of::<WebnnCumulativeSumOptions>() == 8);
    assert!(offset_of!(WebnnCumulativeSumOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnCumulativeSumOptions, exclusive) == 8);
    assert!(offset_of!(WebnnCumulativeSumOptions, reversed) == 12);
    assert!(offset_of!(WebnnCumulativeSumOptions, label) == 16);
    assert!(size_of::<WebnnEluOptions>() == 32 && align_of::<WebnnEluOptions>() == 8);
    assert!(offset_of!(WebnnEluOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnEluOptions, alpha) == 8);
    assert!(offset_of!(WebnnEluOptions, label) == 16);
    assert!(size_of::<WebnnGatherOptions>() == 32 && align_of::<WebnnGatherOptions>() == 8);
    assert!(offset_of!(WebnnGatherOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnGatherOptions, axis) == 8);
    assert!(offset_of!(WebnnGatherOptions, label) == 16);
    assert!(size_of::<WebnnGemmOptions>() == 56 && align_of::<WebnnGemmOptions>() == 8);
    assert!(offset_of!(WebnnGemmOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnGemmOptions, c) == 8);
    assert!(offset_of!(WebnnGemmOptions, alpha) == 16);
    assert!(offset_of!(WebnnGemmOptions, beta) == 24);
    assert!(offset_of!(WebnnGemmOptions, aTranspose) == 32);
    assert!(offset_of!(WebnnGemmOptions, bTranspose) == 36);
    assert!(offset_of!(WebnnGemmOptions, label) == 40);
    assert!(size_of::<WebnnGruOptions>() == 80 && align_of::<WebnnGruOptions>() == 8);
    assert!(offset_of!(WebnnGruOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnGruOptions, bias) == 8);
    assert!(offset_of!(WebnnGruOptions, recurrentBias) == 16);
    assert!(offset_of!(WebnnGruOptions, initialHiddenState) == 24);
    assert!(offset_of!(WebnnGruOptions, resetAfter) == 32);
    assert!(offset_of!(WebnnGruOptions, returnSequence) == 36);
    assert!(offset_of!(WebnnGruOptions, direction) == 40);
    assert!(offset_of!(WebnnGruOptions, layout) == 44);
    assert!(offset_of!(WebnnGruOptions, activations) == 48);
    assert!(offset_of!(WebnnGruOptions, label) == 64);
    assert!(size_of::<WebnnGruCellOptions>() == 64 && align_of::<WebnnGruCellOptions>() == 8);
    assert!(offset_of!(WebnnGruCellOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnGruCellOptions, bias) == 8);
    assert!(offset_of!(WebnnGruCellOptions, recurrentBias) == 16);
    assert!(offset_of!(WebnnGruCellOptions, resetAfter) == 24);
    assert!(offset_of!(WebnnGruCellOptions, layout) == 28);
    assert!(offset_of!(WebnnGruCellOptions, activations) == 32);
    assert!(offset_of!(WebnnGruCellOptions, label) == 48);
    assert!(size_of::<WebnnHardSigmoidOptions>() == 40 && align_of::<WebnnHardSigmoidOptions>() == 8);
    assert!(offset_of!(WebnnHardSigmoidOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnHardSigmoidOptions, alpha) == 8);
    assert!(offset_of!(WebnnHardSigmoidOptions, beta) == 16);
    assert!(offset_of!(WebnnHardSigmoidOptions, label) == 24);
    assert!(size_of::<WebnnInstanceNormalizationOptions>() == 56 && align_of::<WebnnInstanceNormalizationOptions>() == 8);
    assert!(offset_of!(WebnnInstanceNormalizationOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnInstanceNormalizationOptions, scale) == 8);
    assert!(offset_of!(WebnnInstanceNormalizationOptions, bias) == 16);
    assert!(offset_of!(WebnnInstanceNormalizationOptions, epsilon) == 24);
    assert!(offset_of!(WebnnInstanceNormalizationOptions, layout) == 32);
    assert!(offset_of!(WebnnInstanceNormalizationOptions, label) == 40);
    assert!(size_of::<WebnnLayerNormalizationOptions>() == 64 && align_of::<WebnnLayerNormalizationOptions>() == 8);
    assert!(offset_of!(WebnnLayerNormalizationOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnLayerNormalizationOptions, scale) == 8);
    assert!(offset_of!(WebnnLayerNormalizationOptions, bias) == 16);
    assert!(offset_of!(WebnnLayerNormalizationOptions, axes) == 24);
    assert!(offset_of!(WebnnLayerNormalizationOptions, epsilon) == 40);
    assert!(offset_of!(WebnnLayerNormalizationOptions, label) == 48);
    assert!(size_of::<WebnnLeakyReluOptions>() == 32 && align_of::<WebnnLeakyReluOptions>() == 8);
    assert!(offset_of!(WebnnLeakyReluOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnLeakyReluOptions, alpha) == 8);
    assert!(offset_of!(WebnnLeakyReluOptions, label) == 16);
    assert!(size_of::<WebnnLinearOptions>() == 40 && align_of::<WebnnLinearOptions>() == 8);
    assert!(offset_of!(WebnnLinearOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnLinearOptions, alpha) == 8);
    assert!(offset_of!(WebnnLinearOptions, beta) == 16);
    assert!(offset_of!(WebnnLinearOptions, label) == 24);
    assert!(size_of::<WebnnLstmOptions>() == 96 && align_of::<WebnnLstmOptions>() == 8);
    assert!(offset_of!(WebnnLstmOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnLstmOptions, bias) == 8);
    assert!(offset_of!(WebnnLstmOptions, recurrentBias) == 16);
    assert!(offset_of!(WebnnLstmOptions, peepholeWeight) == 24);
    assert!(offset_of!(WebnnLstmOptions, initialHiddenState) == 32);
    assert!(offset_of!(WebnnLstmOptions, initialCellState) == 40);
    assert!(offset_of!(WebnnLstmOptions, returnSequence) == 48);
    assert!(offset_of!(WebnnLstmOptions, direction) == 52);
    assert!(offset_of!(WebnnLstmOptions, layout) == 56);
    assert!(offset_of!(WebnnLstmOptions, activations) == 64);
    assert!(offset_of!(WebnnLstmOptions, label) == 80);
    assert!(size_of::<WebnnLstmCellOptions>() == 72 && align_of::<WebnnLstmCellOptions>() == 8);
    assert!(offset_of!(WebnnLstmCellOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnLstmCellOptions, bias) == 8);
    assert!(offset_of!(WebnnLstmCellOptions, recurrentBias) == 16);
    assert!(offset_of!(WebnnLstmCellOptions, peepholeWeight) == 24);
    assert!(offset_of!(WebnnLstmCellOptions, layout) == 32);
    assert!(offset_of!(WebnnLstmCellOptions, activations) == 40);
    assert!(offset_of!(WebnnLstmCellOptions, label) == 56);
    assert!(size_of::<WebnnPadOptions>() == 48 && align_of::<WebnnPadOptions>() == 8);
    assert!(offset_of!(WebnnPadOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnPadOptions, mode) == 8);
    assert!(offset_of!(WebnnPadOptions, value) == 16);
    assert!(offset_of!(WebnnPadOptions, label) == 32);
    assert!(size_of::<WebnnReduceOptions>() == 48 && align_of::<WebnnReduceOptions>() == 8);
    assert!(offset_of!(WebnnReduceOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnReduceOptions, axes) == 8);
    assert!(offset_of!(WebnnReduceOptions, keepDimensions) == 24);
    assert!(offset_of!(WebnnReduceOptions, label) == 32);
    assert!(size_of::<WebnnResample2dOptions>() == 80 && align_of::<WebnnResample2dOptions>() == 8);
    assert!(offset_of!(WebnnResample2dOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnResample2dOptions, mode) == 8);
    assert!(offset_of!(WebnnResample2dOptions, scales) == 16);
    assert!(offset_of!(WebnnResample2dOptions, sizes) == 32);
    assert!(offset_of!(WebnnResample2dOptions, axes) == 48);
    assert!(offset_of!(WebnnResample2dOptions, label) == 64);
    assert!(size_of::<WebnnReverseOptions>() == 40 && align_of::<WebnnReverseOptions>() == 8);
    assert!(offset_of!(WebnnReverseOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnReverseOptions, axes) == 8);
    assert!(offset_of!(WebnnReverseOptions, label) == 24);
    assert!(size_of::<WebnnScatterOptions>() == 32 && align_of::<WebnnScatterOptions>() == 8);
    assert!(offset_of!(WebnnScatterOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnScatterOptions, axis) == 8);
    assert!(offset_of!(WebnnScatterOptions, label) == 16);
    assert!(size_of::<WebnnSliceOptions>() == 40 && align_of::<WebnnSliceOptions>() == 8);
    assert!(offset_of!(WebnnSliceOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnSliceOptions, strides) == 8);
    assert!(offset_of!(WebnnSliceOptions, label) == 24);
    assert!(size_of::<WebnnSplitOptions>() == 32 && align_of::<WebnnSplitOptions>() == 8);
    assert!(offset_of!(WebnnSplitOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnSplitOptions, axis) == 8);
    assert!(offset_of!(WebnnSplitOptions, label) == 16);
    assert!(size_of::<WebnnTransposeOptions>() == 40 && align_of::<WebnnTransposeOptions>() == 8);
    assert!(offset_of!(WebnnTransposeOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnTransposeOptions, permutation) == 8);
    assert!(offset_of!(WebnnTransposeOptions, label) == 24);
    assert!(size_of::<WebnnTriangularOptions>() == 32 && align_of::<WebnnTriangularOptions>() == 8);
    assert!(offset_of!(WebnnTriangularOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnTriangularOptions, upper) == 8);
    assert!(offset_of!(WebnnTriangularOptions, diagonal) == 12);
    assert!(offset_of!(WebnnTriangularOptions, label) == 16);
    assert!(size_of::<WebnnFuture>() == 8 && align_of::<WebnnFuture>() == 8);
    assert!(offset_of!(WebnnFuture, id) == 0);
    assert!(size_of::<WebnnFutureWaitInfo>() == 16 && align_of::<WebnnFutureWaitInfo>() == 8);
    assert!(offset_of!(WebnnFutureWaitInfo, future) == 0);
    assert!(offset_of!(WebnnFutureWaitInfo, completed) == 8);
    assert!(size_of::<WebnnCreateContextCallbackInfo>() == 40 && align_of::<WebnnCreateContextCallbackInfo>() == 8);
    assert!(offset_of!(WebnnCreateContextCallbackInfo, nextInChain) == 0);
    assert!(offset_of!(WebnnCreateContextCallbackInfo, mode) == 8);
    assert!(offset_of!(WebnnCreateContextCallbackInfo, callback) == 16);
    assert!(offset_of!(WebnnCreateContextCallbackInfo, userdata1) == 24);
    assert!(offset_of!(WebnnCreateContextCallbackInfo, userdata2) == 32);
    assert!(size_of::<WebnnBuildCallbackInfo>() == 40 && align_of::<WebnnBuildCallbackInfo>() == 8);
    assert!(offset_of!(WebnnBuildCallbackInfo, nextInChain) == 0);
    assert!(offset_of!(WebnnBuildCallbackInfo, mode) == 8);
    assert!(offset_of!(WebnnBuildCallbackInfo, callback) == 16);
    assert!(offset_of!(WebnnBuildCallbackInfo, userdata1) == 24);
    assert!(offset_of!(WebnnBuildCallbackInfo, userdata2) == 32);
    assert!(size_of::<WebnnReadTensorCallbackInfo>() == 40 && align_of::<WebnnReadTensorCallbackInfo>() == 8);
    assert!(offset_of!(WebnnReadTensorCallbackInfo, nextInChain) == 0);
    assert!(offset_of!(WebnnReadTensorCallbackInfo, mode) == 8);
    assert!(offset_of!(WebnnReadTensorCallbackInfo, callback) == 16);
    assert!(offset_of!(WebnnReadTensorCallbackInfo, userdata1) == 24);
    assert!(offset_of!(WebnnReadTensorCallbackInfo, userdata2) == 32);
    assert!(size_of::<WebnnContextLostCallbackInfo>() == 40 && align_of::<WebnnContextLostCallbackInfo>() == 8);
    assert!(offset_of!(WebnnContextLostCallbackInfo, nextInChain) == 0);
    assert!(offset_of!(WebnnContextLostCallbackInfo, mode) == 8);
    assert!(offset_of!(WebnnContextLostCallbackInfo, callback) == 16);
    assert!(offset_of!(WebnnContextLostCallbackInfo, userdata1) == 24);
    assert!(offset_of!(WebnnContextLostCallbackInfo, userdata2) == 32);
    assert!(size_of::<WebnnUncapturedErrorCallbackInfo>() == 40 && align_of::<WebnnUncapturedErrorCallbackInfo>() == 8);
    assert!(offset_of!(WebnnUncapturedErrorCallbackInfo, nextInChain) == 0);
    assert!(offset_of!(WebnnUncapturedErrorCallbackInfo, mode) == 8);
    assert!(offset_of!(WebnnUncapturedErrorCallbackInfo, callback) == 16);
    assert!(offset_of!(WebnnUncapturedErrorCallbackInfo, userdata1) == 24);
    assert!(offset_of!(WebnnUncapturedErrorCallbackInfo, userdata2) == 32);
    assert!(size_of::<WebnnExternalBytes>() == 48 && align_of::<WebnnExternalBytes>() == 8);
    assert!(offset_of!(WebnnExternalBytes, nextInChain) == 0);
    assert!(offset_of!(WebnnExternalBytes, data) == 8);
    assert!(offset_of!(WebnnExternalBytes, size) == 16);
    assert!(offset_of!(WebnnExternalBytes, release) == 24);
    assert!(offset_of!(WebnnExternalBytes, userdata1) == 32);
    assert!(offset_of!(WebnnExternalBytes, userdata2) == 40);
    assert!(size_of::<WebnnInstanceDescriptor>() == 8 && align_of::<WebnnInstanceDescriptor>() == 8);
    assert!(offset_of!(WebnnInstanceDescriptor, nextInChain) == 0);
    assert!(size_of::<WebnnWorkLimits>() == 48 && align_of::<WebnnWorkLimits>() == 8);
    assert!(offset_of!(WebnnWorkLimits, nextInChain) == 0);
    assert!(offset_of!(WebnnWorkLimits, maxMemory) == 8);
    assert!(offset_of!(WebnnWorkLimits, maxOperations) == 16);
    assert!(offset_of!(WebnnWorkLimits, maxElements) == 24);
    assert!(offset_of!(WebnnWorkLimits, maxCompileWork) == 32);
    assert!(offset_of!(WebnnWorkLimits, maxTimeNanoseconds) == 40);
    assert!(size_of::<WebnnCallOptions>() == 40 && align_of::<WebnnCallOptions>() == 8);
    assert!(offset_of!(WebnnCallOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnCallOptions, cancellation) == 8);
    assert!(offset_of!(WebnnCallOptions, timeoutNanoseconds) == 16);
    assert!(offset_of!(WebnnCallOptions, onProgress) == 24);
    assert!(offset_of!(WebnnCallOptions, progressUserdata) == 32);
    assert!(size_of::<WebnnBackendOption>() == 40 && align_of::<WebnnBackendOption>() == 8);
    assert!(offset_of!(WebnnBackendOption, nextInChain) == 0);
    assert!(offset_of!(WebnnBackendOption, name) == 8);
    assert!(offset_of!(WebnnBackendOption, value) == 24);
    assert!(size_of::<WebnnContextOptions>() == 136 && align_of::<WebnnContextOptions>() == 8);
    assert!(offset_of!(WebnnContextOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnContextOptions, powerPreference) == 8);
    assert!(offset_of!(WebnnContextOptions, accelerated) == 12);
    assert!(offset_of!(WebnnContextOptions, backend) == 16);
    assert!(offset_of!(WebnnContextOptions, execution) == 32);
    assert!(offset_of!(WebnnContextOptions, threads) == 36);
    assert!(offset_of!(WebnnContextOptions, backendOptionCount) == 40);
    assert!(offset_of!(WebnnContextOptions, backendOptions) == 48);
    assert!(offset_of!(WebnnContextOptions, uncapturedErrorCallbackInfo) == 56);
    assert!(offset_of!(WebnnContextOptions, limits) == 96);
    assert!(offset_of!(WebnnContextOptions, service) == 104);
    assert!(offset_of!(WebnnContextOptions, serviceToken) == 120);
    assert!(size_of::<WebnnTensorLimits>() == 24 && align_of::<WebnnTensorLimits>() == 8);
    assert!(offset_of!(WebnnTensorLimits, nextInChain) == 0);
    assert!(offset_of!(WebnnTensorLimits, dataTypes) == 8);
    assert!(offset_of!(WebnnTensorLimits, minRank) == 16);
    assert!(offset_of!(WebnnTensorLimits, maxRank) == 20);
    assert!(size_of::<WebnnLimits>() == 96 && align_of::<WebnnLimits>() == 8);
    assert!(offset_of!(WebnnLimits, nextInChain) == 0);
    assert!(offset_of!(WebnnLimits, preferredInputLayout) == 8);
    assert!(offset_of!(WebnnLimits, maxTensorByteLength) == 16);
    assert!(offset_of!(WebnnLimits, input) == 24);
    assert!(offset_of!(WebnnLimits, constant) == 48);
    assert!(offset_of!(WebnnLimits, output) == 72);
    assert!(size_of::<WebnnOperandDescriptor>() == 32 && align_of::<WebnnOperandDescriptor>() == 8);
    assert!(offset_of!(WebnnOperandDescriptor, nextInChain) == 0);
    assert!(offset_of!(WebnnOperandDescriptor, dataType) == 8);
    assert!(offset_of!(WebnnOperandDescriptor, shape) == 16);
    assert!(size_of::<WebnnTensorDescriptor>() == 40 && align_of::<WebnnTensorDescriptor>() == 8);
    assert!(offset_of!(WebnnTensorDescriptor, nextInChain) == 0);
    assert!(offset_of!(WebnnTensorDescriptor, dataType) == 8);
    assert!(offset_of!(WebnnTensorDescriptor, shape) == 16);
    assert!(offset_of!(WebnnTensorDescriptor, readable) == 32);
    assert!(offset_of!(WebnnTensorDescriptor, writable) == 36);
    assert!(size_of::<WebnnNamedOperand>() == 32 && align_of::<WebnnNamedOperand>() == 8);
    assert!(offset_of!(WebnnNamedOperand, nextInChain) == 0);
    assert!(offset_of!(WebnnNamedOperand, name) == 8);
    assert!(offset_of!(WebnnNamedOperand, operand) == 24);
    assert!(size_of::<WebnnDimension>() == 40 && align_of::<WebnnDimension>() == 8);
    assert!(offset_of!(WebnnDimension, nextInChain) == 0);
    assert!(offset_of!(WebnnDimension, size) == 8);
    assert!(offset_of!(WebnnDimension, text) == 16);
    assert!(offset_of!(WebnnDimension, min) == 32);
    assert!(offset_of!(WebnnDimension, max) == 36);
    assert!(size_of::<WebnnOpenDescriptor>() == 32 && align_of::<WebnnOpenDescriptor>() == 8);
    assert!(offset_of!(WebnnOpenDescriptor, nextInChain) == 0);
    assert!(offset_of!(WebnnOpenDescriptor, dataType) == 8);
    assert!(offset_of!(WebnnOpenDescriptor, dimensionCount) == 16);
    assert!(offset_of!(WebnnOpenDescriptor, dimensions) == 24);
    assert!(size_of::<WebnnNamedTensor>() == 32 && align_of::<WebnnNamedTensor>() == 8);
    assert!(offset_of!(WebnnNamedTensor, nextInChain) == 0);
    assert!(offset_of!(WebnnNamedTensor, name) == 8);
    assert!(offset_of!(WebnnNamedTensor, tensor) == 24);
    assert!(size_of::<WebnnNamedDescriptor>() == 56 && align_of::<WebnnNamedDescriptor>() == 8);
    assert!(offset_of!(WebnnNamedDescriptor, nextInChain) == 0);
    assert!(offset_of!(WebnnNamedDescriptor, name) == 8);
    assert!(offset_of!(WebnnNamedDescriptor, descriptor) == 24);
    assert!(size_of::<WebnnMemoryEstimate>() == 48 && align_of::<WebnnMemoryEstimate>() == 8);
    assert!(offset_of!(WebnnMemoryEstimate, nextInChain) == 0);
    assert!(offset_of!(WebnnMemoryEstimate, inputs) == 8);
    assert!(offset_of!(WebnnMemoryEstimate, outputs) == 16);
    assert!(offset_of!(WebnnMemoryEstimate, constants) == 24);
    assert!(offset_of!(WebnnMemoryEstimate, packedWeights) == 32);
    assert!(offset_of!(WebnnMemoryEstimate, intermediates) == 40);
    assert!(size_of::<WebnnNamedDimension>() == 32 && align_of::<WebnnNamedDimension>() == 8);
    assert!(offset_of!(WebnnNamedDimension, nextInChain) == 0);
    assert!(offset_of!(WebnnNamedDimension, name) == 8);
    assert!(offset_of!(WebnnNamedDimension, size) == 24);
    assert!(size_of::<WebnnNamedBytes>() == 40 && align_of::<WebnnNamedBytes>() == 8);
    assert!(offset_of!(WebnnNamedBytes, nextInChain) == 0);
    assert!(offset_of!(WebnnNamedBytes, name) == 8);
    assert!(offset_of!(WebnnNamedBytes, bytes) == 24);
    assert!(size_of::<WebnnLoadOptions>() == 112 && align_of::<WebnnLoadOptions>() == 8);
    assert!(offset_of!(WebnnLoadOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnLoadOptions, weights) == 8);
    assert!(offset_of!(WebnnLoadOptions, manifest) == 24);
    assert!(offset_of!(WebnnLoadOptions, dimensionCount) == 40);
    assert!(offset_of!(WebnnLoadOptions, dimensions) == 48);
    assert!(offset_of!(WebnnLoadOptions, valueCount) == 56);
    assert!(offset_of!(WebnnLoadOptions, values) == 64);
    assert!(offset_of!(WebnnLoadOptions, namedFilesOnly) == 72);
    assert!(offset_of!(WebnnLoadOptions, limits) == 80);
    assert!(offset_of!(WebnnLoadOptions, cancellation) == 88);
    assert!(offset_of!(WebnnLoadOptions, onProgress) == 96);
    assert!(offset_of!(WebnnLoadOptions, progressUserdata) == 104);
    assert!(size_of::<WebnnSaveOptions>() == 16 && align_of::<WebnnSaveOptions>() == 8);
    assert!(offset_of!(WebnnSaveOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnSaveOptions, graph) == 8);
    assert!(offset_of!(WebnnSaveOptions, weights) == 12);
    assert!(size_of::<WebnnSessionOptions>() == 40 && align_of::<WebnnSessionOptions>() == 8);
    assert!(offset_of!(WebnnSessionOptions, nextInChain) == 0);
    assert!(offset_of!(WebnnSessionOptions, load) == 8);
    assert!(offset_of!(WebnnSessionOptions, graphs) == 16);
    assert!(offset_of!(WebnnSessionOptions, hasSeed) == 24);
    assert!(offset_of!(WebnnSessionOptions, seed) == 32);
    assert!(size_of::<WebnnNamedArray>() == 72 && align_of::<WebnnNamedArray>() == 8);
    assert!(offset_of!(WebnnNamedArray, nextInChain) == 0);
    assert!(offset_of!(WebnnNamedArray, name) == 8);
    assert!(offset_of!(WebnnNamedArray, descriptor) == 24);
    assert!(offset_of!(WebnnNamedArray, bytes) == 56);
};
