// The operations in the C API: include webnn/webnn.h, which says what all functions have in common.
// Printed by `webnn ops --format=c-header` from the operation table.
// clang-format off
#pragma once

#ifndef WEBNN_EXPORT
#error "include webnn/webnn.h instead"
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- Enumerations. 0 in options means the default. ----

// https://www.w3.org/TR/webnn/#enumdef-mloperanddatatype
typedef enum WebnnOperandDataType {
  WebnnOperandDataType_Undefined = 0,
  WebnnOperandDataType_Float32 = 1,
  WebnnOperandDataType_Float16 = 2,
  WebnnOperandDataType_Int32 = 3,
  WebnnOperandDataType_Uint32 = 4,
  WebnnOperandDataType_Int64 = 5,
  WebnnOperandDataType_Uint64 = 6,
  WebnnOperandDataType_Int8 = 7,
  WebnnOperandDataType_Uint8 = 8,
  WebnnOperandDataType_Int4 = 9,
  WebnnOperandDataType_Uint4 = 10,
  WebnnOperandDataType_Force32 = 0x7FFFFFFF
} WebnnOperandDataType;

// https://www.w3.org/TR/webnn/#enumdef-mlinputoperandlayout
typedef enum WebnnInputOperandLayout {
  WebnnInputOperandLayout_Undefined = 0,
  WebnnInputOperandLayout_Nchw = 1,
  WebnnInputOperandLayout_Nhwc = 2,
  WebnnInputOperandLayout_Force32 = 0x7FFFFFFF
} WebnnInputOperandLayout;

// https://www.w3.org/TR/webnn/#enumdef-mlroundingtype
typedef enum WebnnRoundingType {
  WebnnRoundingType_Undefined = 0,
  WebnnRoundingType_Floor = 1,
  WebnnRoundingType_Ceil = 2,
  WebnnRoundingType_Force32 = 0x7FFFFFFF
} WebnnRoundingType;

// https://www.w3.org/TR/webnn/#enumdef-mlconv2dfilteroperandlayout
typedef enum WebnnConv2dFilterOperandLayout {
  WebnnConv2dFilterOperandLayout_Undefined = 0,
  WebnnConv2dFilterOperandLayout_Oihw = 1,
  WebnnConv2dFilterOperandLayout_Hwio = 2,
  WebnnConv2dFilterOperandLayout_Ohwi = 3,
  WebnnConv2dFilterOperandLayout_Ihwo = 4,
  WebnnConv2dFilterOperandLayout_Force32 = 0x7FFFFFFF
} WebnnConv2dFilterOperandLayout;

// https://www.w3.org/TR/webnn/#enumdef-mlconvtranspose2dfilteroperandlayout
typedef enum WebnnConvTranspose2dFilterOperandLayout {
  WebnnConvTranspose2dFilterOperandLayout_Undefined = 0,
  WebnnConvTranspose2dFilterOperandLayout_Iohw = 1,
  WebnnConvTranspose2dFilterOperandLayout_Hwoi = 2,
  WebnnConvTranspose2dFilterOperandLayout_Ohwi = 3,
  WebnnConvTranspose2dFilterOperandLayout_Force32 = 0x7FFFFFFF
} WebnnConvTranspose2dFilterOperandLayout;

// https://www.w3.org/TR/webnn/#enumdef-mlrecurrentnetworkdirection
typedef enum WebnnRecurrentNetworkDirection {
  WebnnRecurrentNetworkDirection_Undefined = 0,
  WebnnRecurrentNetworkDirection_Forward = 1,
  WebnnRecurrentNetworkDirection_Backward = 2,
  WebnnRecurrentNetworkDirection_Both = 3,
  WebnnRecurrentNetworkDirection_Force32 = 0x7FFFFFFF
} WebnnRecurrentNetworkDirection;

// https://www.w3.org/TR/webnn/#enumdef-mlgruweightlayout
typedef enum WebnnGruWeightLayout {
  WebnnGruWeightLayout_Undefined = 0,
  WebnnGruWeightLayout_Zrn = 1,
  WebnnGruWeightLayout_Rzn = 2,
  WebnnGruWeightLayout_Force32 = 0x7FFFFFFF
} WebnnGruWeightLayout;

// https://www.w3.org/TR/webnn/#enumdef-mlrecurrentnetworkactivation
typedef enum WebnnRecurrentNetworkActivation {
  WebnnRecurrentNetworkActivation_Undefined = 0,
  WebnnRecurrentNetworkActivation_Relu = 1,
  WebnnRecurrentNetworkActivation_Sigmoid = 2,
  WebnnRecurrentNetworkActivation_Tanh = 3,
  WebnnRecurrentNetworkActivation_Force32 = 0x7FFFFFFF
} WebnnRecurrentNetworkActivation;

typedef struct WebnnRecurrentNetworkActivationList {
  size_t count;
  const WebnnRecurrentNetworkActivation* items;
} WebnnRecurrentNetworkActivationList;
#define WEBNN_RECURRENT_NETWORK_ACTIVATION_LIST_INIT WEBNN_MAKE(WebnnRecurrentNetworkActivationList, {WEBNN_ABSENT, NULL})

// https://www.w3.org/TR/webnn/#enumdef-mllstmweightlayout
typedef enum WebnnLstmWeightLayout {
  WebnnLstmWeightLayout_Undefined = 0,
  WebnnLstmWeightLayout_Iofg = 1,
  WebnnLstmWeightLayout_Ifgo = 2,
  WebnnLstmWeightLayout_Force32 = 0x7FFFFFFF
} WebnnLstmWeightLayout;

// https://www.w3.org/TR/webnn/#enumdef-mlpaddingmode
typedef enum WebnnPaddingMode {
  WebnnPaddingMode_Undefined = 0,
  WebnnPaddingMode_Constant = 1,
  WebnnPaddingMode_Edge = 2,
  WebnnPaddingMode_Reflection = 3,
  WebnnPaddingMode_Force32 = 0x7FFFFFFF
} WebnnPaddingMode;

// https://www.w3.org/TR/webnn/#enumdef-mlinterpolationmode
typedef enum WebnnInterpolationMode {
  WebnnInterpolationMode_Undefined = 0,
  WebnnInterpolationMode_NearestNeighbor = 1,
  WebnnInterpolationMode_Linear = 2,
  WebnnInterpolationMode_Force32 = 0x7FFFFFFF
} WebnnInterpolationMode;

// ---- Options ----

// https://www.w3.org/TR/webnn/#dictdef-mloperatoroptions
typedef struct WebnnOperatorOptions {
  WebnnChainedStruct* nextInChain;
  WebnnStringView label;
} WebnnOperatorOptions;
#define WEBNN_OPERATOR_OPTIONS_INIT \
  WEBNN_MAKE(WebnnOperatorOptions, {NULL, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlargminmaxoptions
typedef struct WebnnArgMinMaxOptions {
  WebnnChainedStruct* nextInChain;
  WebnnBool keepDimensions;
  WebnnOperandDataType outputDataType;
  WebnnStringView label;
} WebnnArgMinMaxOptions;
#define WEBNN_ARG_MIN_MAX_OPTIONS_INIT \
  WEBNN_MAKE(WebnnArgMinMaxOptions, {NULL, 0, WebnnOperandDataType_Int32, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlpool2doptions
typedef struct WebnnPool2dOptions {
  WebnnChainedStruct* nextInChain;
  WebnnUint32List windowDimensions;
  WebnnUint32List padding;
  WebnnUint32List strides;
  WebnnUint32List dilations;
  WebnnInputOperandLayout layout;
  WebnnRoundingType outputShapeRounding;
  WebnnUint32List outputSizes;
  WebnnStringView label;
} WebnnPool2dOptions;
#define WEBNN_POOL2D_OPTIONS_INIT \
  WEBNN_MAKE(WebnnPool2dOptions, {NULL, WEBNN_UINT32_LIST_INIT, WEBNN_UINT32_LIST_INIT, WEBNN_UINT32_LIST_INIT, \
    WEBNN_UINT32_LIST_INIT, WebnnInputOperandLayout_Nchw, WebnnRoundingType_Floor, WEBNN_UINT32_LIST_INIT, \
    WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlbatchnormalizationoptions
typedef struct WebnnBatchNormalizationOptions {
  WebnnChainedStruct* nextInChain;
  WebnnOperand scale;
  WebnnOperand bias;
  uint32_t axis;
  double epsilon;
  WebnnStringView label;
} WebnnBatchNormalizationOptions;
#define WEBNN_BATCH_NORMALIZATION_OPTIONS_INIT \
  WEBNN_MAKE(WebnnBatchNormalizationOptions, {NULL, NULL, NULL, 1, 1e-05, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlclampoptions
typedef struct WebnnClampOptions {
  WebnnChainedStruct* nextInChain;
  WebnnNumber minValue;
  WebnnNumber maxValue;
  WebnnStringView label;
} WebnnClampOptions;
#define WEBNN_CLAMP_OPTIONS_INIT \
  WEBNN_MAKE(WebnnClampOptions, {NULL, WEBNN_NUMBER_INIT, WEBNN_NUMBER_INIT, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlconv2doptions
typedef struct WebnnConv2dOptions {
  WebnnChainedStruct* nextInChain;
  WebnnUint32List padding;
  WebnnUint32List strides;
  WebnnUint32List dilations;
  uint32_t groups;
  WebnnInputOperandLayout inputLayout;
  WebnnConv2dFilterOperandLayout filterLayout;
  WebnnOperand bias;
  WebnnStringView label;
} WebnnConv2dOptions;
#define WEBNN_CONV2D_OPTIONS_INIT \
  WEBNN_MAKE(WebnnConv2dOptions, {NULL, WEBNN_UINT32_LIST_INIT, WEBNN_UINT32_LIST_INIT, WEBNN_UINT32_LIST_INIT, 1, \
    WebnnInputOperandLayout_Nchw, WebnnConv2dFilterOperandLayout_Oihw, NULL, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlconvtranspose2doptions
typedef struct WebnnConvTranspose2dOptions {
  WebnnChainedStruct* nextInChain;
  WebnnUint32List padding;
  WebnnUint32List strides;
  WebnnUint32List dilations;
  WebnnUint32List outputPadding;
  WebnnUint32List outputSizes;
  uint32_t groups;
  WebnnInputOperandLayout inputLayout;
  WebnnConvTranspose2dFilterOperandLayout filterLayout;
  WebnnOperand bias;
  WebnnStringView label;
} WebnnConvTranspose2dOptions;
#define WEBNN_CONV_TRANSPOSE2D_OPTIONS_INIT \
  WEBNN_MAKE(WebnnConvTranspose2dOptions, {NULL, WEBNN_UINT32_LIST_INIT, WEBNN_UINT32_LIST_INIT, WEBNN_UINT32_LIST_INIT, \
    WEBNN_UINT32_LIST_INIT, WEBNN_UINT32_LIST_INIT, 1, WebnnInputOperandLayout_Nchw, WebnnConvTranspose2dFilterOperandLayout_Iohw, \
    NULL, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlcumulativesumoptions
typedef struct WebnnCumulativeSumOptions {
  WebnnChainedStruct* nextInChain;
  WebnnBool exclusive;
  WebnnBool reversed;
  WebnnStringView label;
} WebnnCumulativeSumOptions;
#define WEBNN_CUMULATIVE_SUM_OPTIONS_INIT \
  WEBNN_MAKE(WebnnCumulativeSumOptions, {NULL, 0, 0, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mleluoptions
typedef struct WebnnEluOptions {
  WebnnChainedStruct* nextInChain;
  double alpha;
  WebnnStringView label;
} WebnnEluOptions;
#define WEBNN_ELU_OPTIONS_INIT \
  WEBNN_MAKE(WebnnEluOptions, {NULL, 1.0, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlgatheroptions
typedef struct WebnnGatherOptions {
  WebnnChainedStruct* nextInChain;
  uint32_t axis;
  WebnnStringView label;
} WebnnGatherOptions;
#define WEBNN_GATHER_OPTIONS_INIT \
  WEBNN_MAKE(WebnnGatherOptions, {NULL, 0, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlgemmoptions
typedef struct WebnnGemmOptions {
  WebnnChainedStruct* nextInChain;
  WebnnOperand c;
  double alpha;
  double beta;
  WebnnBool aTranspose;
  WebnnBool bTranspose;
  WebnnStringView label;
} WebnnGemmOptions;
#define WEBNN_GEMM_OPTIONS_INIT \
  WEBNN_MAKE(WebnnGemmOptions, {NULL, NULL, 1.0, 1.0, 0, 0, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlgruoptions
typedef struct WebnnGruOptions {
  WebnnChainedStruct* nextInChain;
  WebnnOperand bias;
  WebnnOperand recurrentBias;
  WebnnOperand initialHiddenState;
  WebnnBool resetAfter;
  WebnnBool returnSequence;
  WebnnRecurrentNetworkDirection direction;
  WebnnGruWeightLayout layout;
  WebnnRecurrentNetworkActivationList activations;
  WebnnStringView label;
} WebnnGruOptions;
#define WEBNN_GRU_OPTIONS_INIT \
  WEBNN_MAKE(WebnnGruOptions, {NULL, NULL, NULL, NULL, 1, 0, WebnnRecurrentNetworkDirection_Forward, WebnnGruWeightLayout_Zrn, \
    WEBNN_RECURRENT_NETWORK_ACTIVATION_LIST_INIT, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlgrucelloptions
typedef struct WebnnGruCellOptions {
  WebnnChainedStruct* nextInChain;
  WebnnOperand bias;
  WebnnOperand recurrentBias;
  WebnnBool resetAfter;
  WebnnGruWeightLayout layout;
  WebnnRecurrentNetworkActivationList activations;
  WebnnStringView label;
} WebnnGruCellOptions;
#define WEBNN_GRU_CELL_OPTIONS_INIT \
  WEBNN_MAKE(WebnnGruCellOptions, {NULL, NULL, NULL, 1, WebnnGruWeightLayout_Zrn, WEBNN_RECURRENT_NETWORK_ACTIVATION_LIST_INIT, \
    WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlhardsigmoidoptions
typedef struct WebnnHardSigmoidOptions {
  WebnnChainedStruct* nextInChain;
  double alpha;
  double beta;
  WebnnStringView label;
} WebnnHardSigmoidOptions;
#define WEBNN_HARD_SIGMOID_OPTIONS_INIT \
  WEBNN_MAKE(WebnnHardSigmoidOptions, {NULL, 0.2, 0.5, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlinstancenormalizationoptions
typedef struct WebnnInstanceNormalizationOptions {
  WebnnChainedStruct* nextInChain;
  WebnnOperand scale;
  WebnnOperand bias;
  double epsilon;
  WebnnInputOperandLayout layout;
  WebnnStringView label;
} WebnnInstanceNormalizationOptions;
#define WEBNN_INSTANCE_NORMALIZATION_OPTIONS_INIT \
  WEBNN_MAKE(WebnnInstanceNormalizationOptions, {NULL, NULL, NULL, 1e-05, WebnnInputOperandLayout_Nchw, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mllayernormalizationoptions
typedef struct WebnnLayerNormalizationOptions {
  WebnnChainedStruct* nextInChain;
  WebnnOperand scale;
  WebnnOperand bias;
  WebnnUint32List axes;
  double epsilon;
  WebnnStringView label;
} WebnnLayerNormalizationOptions;
#define WEBNN_LAYER_NORMALIZATION_OPTIONS_INIT \
  WEBNN_MAKE(WebnnLayerNormalizationOptions, {NULL, NULL, NULL, WEBNN_UINT32_LIST_INIT, 1e-05, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlleakyreluoptions
typedef struct WebnnLeakyReluOptions {
  WebnnChainedStruct* nextInChain;
  double alpha;
  WebnnStringView label;
} WebnnLeakyReluOptions;
#define WEBNN_LEAKY_RELU_OPTIONS_INIT \
  WEBNN_MAKE(WebnnLeakyReluOptions, {NULL, 0.01, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mllinearoptions
typedef struct WebnnLinearOptions {
  WebnnChainedStruct* nextInChain;
  double alpha;
  double beta;
  WebnnStringView label;
} WebnnLinearOptions;
#define WEBNN_LINEAR_OPTIONS_INIT \
  WEBNN_MAKE(WebnnLinearOptions, {NULL, 1.0, 0.0, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mllstmoptions
typedef struct WebnnLstmOptions {
  WebnnChainedStruct* nextInChain;
  WebnnOperand bias;
  WebnnOperand recurrentBias;
  WebnnOperand peepholeWeight;
  WebnnOperand initialHiddenState;
  WebnnOperand initialCellState;
  WebnnBool returnSequence;
  WebnnRecurrentNetworkDirection direction;
  WebnnLstmWeightLayout layout;
  WebnnRecurrentNetworkActivationList activations;
  WebnnStringView label;
} WebnnLstmOptions;
#define WEBNN_LSTM_OPTIONS_INIT \
  WEBNN_MAKE(WebnnLstmOptions, {NULL, NULL, NULL, NULL, NULL, NULL, 0, WebnnRecurrentNetworkDirection_Forward, \
    WebnnLstmWeightLayout_Iofg, WEBNN_RECURRENT_NETWORK_ACTIVATION_LIST_INIT, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mllstmcelloptions
typedef struct WebnnLstmCellOptions {
  WebnnChainedStruct* nextInChain;
  WebnnOperand bias;
  WebnnOperand recurrentBias;
  WebnnOperand peepholeWeight;
  WebnnLstmWeightLayout layout;
  WebnnRecurrentNetworkActivationList activations;
  WebnnStringView label;
} WebnnLstmCellOptions;
#define WEBNN_LSTM_CELL_OPTIONS_INIT \
  WEBNN_MAKE(WebnnLstmCellOptions, {NULL, NULL, NULL, NULL, WebnnLstmWeightLayout_Iofg, \
    WEBNN_RECURRENT_NETWORK_ACTIVATION_LIST_INIT, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlpadoptions
typedef struct WebnnPadOptions {
  WebnnChainedStruct* nextInChain;
  WebnnPaddingMode mode;
  WebnnNumber value;
  WebnnStringView label;
} WebnnPadOptions;
#define WEBNN_PAD_OPTIONS_INIT \
  WEBNN_MAKE(WebnnPadOptions, {NULL, WebnnPaddingMode_Constant, {WebnnNumberType_Double, {0.0}}, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlreduceoptions
typedef struct WebnnReduceOptions {
  WebnnChainedStruct* nextInChain;
  WebnnUint32List axes;
  WebnnBool keepDimensions;
  WebnnStringView label;
} WebnnReduceOptions;
#define WEBNN_REDUCE_OPTIONS_INIT \
  WEBNN_MAKE(WebnnReduceOptions, {NULL, WEBNN_UINT32_LIST_INIT, 0, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlresample2doptions
typedef struct WebnnResample2dOptions {
  WebnnChainedStruct* nextInChain;
  WebnnInterpolationMode mode;
  WebnnFloatList scales;
  WebnnUint32List sizes;
  WebnnUint32List axes;
  WebnnStringView label;
} WebnnResample2dOptions;
#define WEBNN_RESAMPLE2D_OPTIONS_INIT \
  WEBNN_MAKE(WebnnResample2dOptions, {NULL, WebnnInterpolationMode_NearestNeighbor, WEBNN_FLOAT_LIST_INIT, WEBNN_UINT32_LIST_INIT, \
    WEBNN_UINT32_LIST_INIT, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlreverseoptions
typedef struct WebnnReverseOptions {
  WebnnChainedStruct* nextInChain;
  WebnnUint32List axes;
  WebnnStringView label;
} WebnnReverseOptions;
#define WEBNN_REVERSE_OPTIONS_INIT \
  WEBNN_MAKE(WebnnReverseOptions, {NULL, WEBNN_UINT32_LIST_INIT, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlscatteroptions
typedef struct WebnnScatterOptions {
  WebnnChainedStruct* nextInChain;
  uint32_t axis;
  WebnnStringView label;
} WebnnScatterOptions;
#define WEBNN_SCATTER_OPTIONS_INIT \
  WEBNN_MAKE(WebnnScatterOptions, {NULL, 0, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlsliceoptions
typedef struct WebnnSliceOptions {
  WebnnChainedStruct* nextInChain;
  WebnnUint32List strides;
  WebnnStringView label;
} WebnnSliceOptions;
#define WEBNN_SLICE_OPTIONS_INIT \
  WEBNN_MAKE(WebnnSliceOptions, {NULL, WEBNN_UINT32_LIST_INIT, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlsplitoptions
typedef struct WebnnSplitOptions {
  WebnnChainedStruct* nextInChain;
  uint32_t axis;
  WebnnStringView label;
} WebnnSplitOptions;
#define WEBNN_SPLIT_OPTIONS_INIT \
  WEBNN_MAKE(WebnnSplitOptions, {NULL, 0, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mltransposeoptions
typedef struct WebnnTransposeOptions {
  WebnnChainedStruct* nextInChain;
  WebnnUint32List permutation;
  WebnnStringView label;
} WebnnTransposeOptions;
#define WEBNN_TRANSPOSE_OPTIONS_INIT \
  WEBNN_MAKE(WebnnTransposeOptions, {NULL, WEBNN_UINT32_LIST_INIT, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mltriangularoptions
typedef struct WebnnTriangularOptions {
  WebnnChainedStruct* nextInChain;
  WebnnBool upper;
  int32_t diagonal;
  WebnnStringView label;
} WebnnTriangularOptions;
#define WEBNN_TRIANGULAR_OPTIONS_INIT \
  WEBNN_MAKE(WebnnTriangularOptions, {NULL, 1, 0, WEBNN_STRING_VIEW_INIT})

// ---- Operations ----

// Computes the absolute value. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-abs
WEBNN_EXPORT WebnnStatus webnnGraphBuilderAbs(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// a + b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-add
WEBNN_EXPORT WebnnStatus webnnGraphBuilderAdd(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Returns the index of the greatest value along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmax
WEBNN_EXPORT WebnnStatus webnnGraphBuilderArgMax(WebnnGraphBuilder builder, WebnnOperand input, uint32_t axis,
    const WebnnArgMinMaxOptions* options, WebnnOperand* result, WebnnError* error);
// Returns the index of the smallest value along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmin
WEBNN_EXPORT WebnnStatus webnnGraphBuilderArgMin(WebnnGraphBuilder builder, WebnnOperand input, uint32_t axis,
    const WebnnArgMinMaxOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the mean of each window. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-averagepool2d
WEBNN_EXPORT WebnnStatus webnnGraphBuilderAveragePool2d(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnPool2dOptions* options, WebnnOperand* result, WebnnError* error);
// Normalizes each channel with a given mean and variance. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-batchnormalization
WEBNN_EXPORT WebnnStatus webnnGraphBuilderBatchNormalization(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand mean,
    WebnnOperand variance, const WebnnBatchNormalizationOptions* options, WebnnOperand* result, WebnnError* error);
// Converts to another data type. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cast
WEBNN_EXPORT WebnnStatus webnnGraphBuilderCast(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperandDataType dataType,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Rounds up to an integer. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-ceil
WEBNN_EXPORT WebnnStatus webnnGraphBuilderCeil(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Limits values to the range from minValue to maxValue. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-clamp
WEBNN_EXPORT WebnnStatus webnnGraphBuilderClamp(WebnnGraphBuilder builder, WebnnOperand input, const WebnnClampOptions* options,
    WebnnOperand* result, WebnnError* error);
// Joins tensors along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-concat
WEBNN_EXPORT WebnnStatus webnnGraphBuilderConcat(WebnnGraphBuilder builder, WebnnOperandList inputs, uint32_t axis,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Computes a 2-D convolution. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-conv2d
WEBNN_EXPORT WebnnStatus webnnGraphBuilderConv2d(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand filter,
    const WebnnConv2dOptions* options, WebnnOperand* result, WebnnError* error);
// Computes a 2-D transposed convolution. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-convtranspose2d
WEBNN_EXPORT WebnnStatus webnnGraphBuilderConvTranspose2d(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand filter,
    const WebnnConvTranspose2dOptions* options, WebnnOperand* result, WebnnError* error);
// Computes cos(x), x in radians. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cos
WEBNN_EXPORT WebnnStatus webnnGraphBuilderCos(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Computes the running sum along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cumulativesum
WEBNN_EXPORT WebnnStatus webnnGraphBuilderCumulativeSum(WebnnGraphBuilder builder, WebnnOperand input, uint32_t axis,
    const WebnnCumulativeSumOptions* options, WebnnOperand* result, WebnnError* error);
// (input - zeroPoint) * scale. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-dequantizelinear
WEBNN_EXPORT WebnnStatus webnnGraphBuilderDequantizeLinear(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand scale,
    WebnnOperand zeroPoint, const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// a / b; integers truncate toward zero. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-div
WEBNN_EXPORT WebnnStatus webnnGraphBuilderDiv(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// max(0, x) + alpha * (exp(min(0, x)) - 1). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-elu
WEBNN_EXPORT WebnnStatus webnnGraphBuilderElu(WebnnGraphBuilder builder, WebnnOperand input, const WebnnEluOptions* options,
    WebnnOperand* result, WebnnError* error);
// 1 where a = b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-equal
WEBNN_EXPORT WebnnStatus webnnGraphBuilderEqual(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the error function. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-erf
WEBNN_EXPORT WebnnStatus webnnGraphBuilderErf(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Computes e to the power of x. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-exp
WEBNN_EXPORT WebnnStatus webnnGraphBuilderExp(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Broadcasts to a shape. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-expand
WEBNN_EXPORT WebnnStatus webnnGraphBuilderExpand(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List newShape,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Rounds down to an integer. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-floor
WEBNN_EXPORT WebnnStatus webnnGraphBuilderFloor(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Selects slices along an axis by their indices. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gather
WEBNN_EXPORT WebnnStatus webnnGraphBuilderGather(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices,
    const WebnnGatherOptions* options, WebnnOperand* result, WebnnError* error);
// Selects one element along an axis for each index. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gatherelements
WEBNN_EXPORT WebnnStatus webnnGraphBuilderGatherElements(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices,
    const WebnnGatherOptions* options, WebnnOperand* result, WebnnError* error);
// Selects the slices at the given coordinates. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gathernd
WEBNN_EXPORT WebnnStatus webnnGraphBuilderGatherND(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// 0.5 * x * (1 + erf(x / sqrt(2))). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gelu
WEBNN_EXPORT WebnnStatus webnnGraphBuilderGelu(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// alpha * a * b + beta * c. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gemm
WEBNN_EXPORT WebnnStatus webnnGraphBuilderGemm(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnGemmOptions* options, WebnnOperand* result, WebnnError* error);
// 1 where a > b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greater
WEBNN_EXPORT WebnnStatus webnnGraphBuilderGreater(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// 1 where a >= b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greaterorequal
WEBNN_EXPORT WebnnStatus webnnGraphBuilderGreaterOrEqual(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Runs a gated recurrent unit over a sequence. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gru
WEBNN_EXPORT WebnnStatus webnnGraphBuilderGru(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand weight,
    WebnnOperand recurrentWeight, uint32_t steps, uint32_t hiddenSize, const WebnnGruOptions* options, WebnnOperandList* results,
    WebnnError* error);
// Runs one step of a gated recurrent unit. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-grucell
WEBNN_EXPORT WebnnStatus webnnGraphBuilderGruCell(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand weight,
    WebnnOperand recurrentWeight, WebnnOperand hiddenState, uint32_t hiddenSize, const WebnnGruCellOptions* options,
    WebnnOperand* result, WebnnError* error);
// max(0, min(1, alpha * x + beta)). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardsigmoid
WEBNN_EXPORT WebnnStatus webnnGraphBuilderHardSigmoid(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnHardSigmoidOptions* options, WebnnOperand* result, WebnnError* error);
// x * max(0, min(6, x + 3)) / 6. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardswish
WEBNN_EXPORT WebnnStatus webnnGraphBuilderHardSwish(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Returns the input unchanged. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-identity
WEBNN_EXPORT WebnnStatus webnnGraphBuilderIdentity(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Normalizes each channel of each image. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-instancenormalization
WEBNN_EXPORT WebnnStatus webnnGraphBuilderInstanceNormalization(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnInstanceNormalizationOptions* options, WebnnOperand* result, WebnnError* error);
// 1 where a is infinite, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isinfinite
WEBNN_EXPORT WebnnStatus webnnGraphBuilderIsInfinite(WebnnGraphBuilder builder, WebnnOperand a,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// 1 where a is NaN, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isnan
WEBNN_EXPORT WebnnStatus webnnGraphBuilderIsNaN(WebnnGraphBuilder builder, WebnnOperand a, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Computes the L2 norm of each window. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-l2pool2d
WEBNN_EXPORT WebnnStatus webnnGraphBuilderL2Pool2d(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnPool2dOptions* options, WebnnOperand* result, WebnnError* error);
// Normalizes along axes to mean 0 and variance 1, then applies scale and bias. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-layernormalization
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLayerNormalization(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnLayerNormalizationOptions* options, WebnnOperand* result, WebnnError* error);
// max(0, x) + alpha * min(0, x). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-leakyrelu
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLeakyRelu(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnLeakyReluOptions* options, WebnnOperand* result, WebnnError* error);
// 1 where a < b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesser
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLesser(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// 1 where a <= b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesserorequal
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLesserOrEqual(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// alpha * x + beta. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-linear
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLinear(WebnnGraphBuilder builder, WebnnOperand input, const WebnnLinearOptions* options,
    WebnnOperand* result, WebnnError* error);
// Computes the natural logarithm. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-log
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLog(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// 1 where neither a nor b is 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicaland
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLogicalAnd(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// 1 where a is 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalnot
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLogicalNot(WebnnGraphBuilder builder, WebnnOperand a,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// 1 where a or b is not 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalor
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLogicalOr(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// 1 where exactly one of a and b is not 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalxor
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLogicalXor(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Runs a long short-term memory over a sequence. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstm
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLstm(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand weight,
    WebnnOperand recurrentWeight, uint32_t steps, uint32_t hiddenSize, const WebnnLstmOptions* options, WebnnOperandList* results,
    WebnnError* error);
// Runs one step of a long short-term memory. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstmcell
WEBNN_EXPORT WebnnStatus webnnGraphBuilderLstmCell(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand weight,
    WebnnOperand recurrentWeight, WebnnOperand hiddenState, WebnnOperand cellState, uint32_t hiddenSize,
    const WebnnLstmCellOptions* options, WebnnOperandList* results, WebnnError* error);
// Multiplies matrices; leading dimensions are broadcast. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-matmul
WEBNN_EXPORT WebnnStatus webnnGraphBuilderMatmul(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the greater of a and b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-max
WEBNN_EXPORT WebnnStatus webnnGraphBuilderMax(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the greatest value of each window. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-maxpool2d
WEBNN_EXPORT WebnnStatus webnnGraphBuilderMaxPool2d(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnPool2dOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the smaller of a and b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-min
WEBNN_EXPORT WebnnStatus webnnGraphBuilderMin(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// a * b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-mul
WEBNN_EXPORT WebnnStatus webnnGraphBuilderMul(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// -x. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-neg
WEBNN_EXPORT WebnnStatus webnnGraphBuilderNeg(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// 1 where a and b differ, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-notequal
WEBNN_EXPORT WebnnStatus webnnGraphBuilderNotEqual(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Adds elements before and after each dimension. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pad
WEBNN_EXPORT WebnnStatus webnnGraphBuilderPad(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List beginningPadding,
    WebnnUint32List endingPadding, const WebnnPadOptions* options, WebnnOperand* result, WebnnError* error);
// a to the power of b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pow
WEBNN_EXPORT WebnnStatus webnnGraphBuilderPow(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// max(0, x) + slope * min(0, x). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-prelu
WEBNN_EXPORT WebnnStatus webnnGraphBuilderPrelu(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand slope,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// roundEven(input / scale) + zeroPoint, clamped to the range of the type. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-quantizelinear
WEBNN_EXPORT WebnnStatus webnnGraphBuilderQuantizeLinear(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand scale,
    WebnnOperand zeroPoint, const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// 1 / x. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reciprocal
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReciprocal(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Sums the absolute values along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel1
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceL1(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the square root of the sum of squares along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel2
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceL2(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the logarithm of the sum along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsum
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceLogSum(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the logarithm of the sum of exponentials along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsumexp
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceLogSumExp(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the greatest value along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemax
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceMax(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the mean along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemean
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceMean(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the smallest value along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemin
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceMin(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// Computes the product of all elements along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reduceproduct
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceProduct(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// Sums the elements along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesum
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceSum(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// Sums the squares along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesumsquare
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReduceSumSquare(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReduceOptions* options, WebnnOperand* result, WebnnError* error);
// max(0, x). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-relu
WEBNN_EXPORT WebnnStatus webnnGraphBuilderRelu(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Resizes two dimensions by interpolation. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-resample2d
WEBNN_EXPORT WebnnStatus webnnGraphBuilderResample2d(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnResample2dOptions* options, WebnnOperand* result, WebnnError* error);
// Changes the shape; the elements keep their order. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reshape
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReshape(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List newShape,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Reverses the order along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reverse
WEBNN_EXPORT WebnnStatus webnnGraphBuilderReverse(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnReverseOptions* options, WebnnOperand* result, WebnnError* error);
// Rounds to the nearest integer, halves to even. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-roundeven
WEBNN_EXPORT WebnnStatus webnnGraphBuilderRoundEven(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Replaces one element along an axis for each index. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatterelements
WEBNN_EXPORT WebnnStatus webnnGraphBuilderScatterElements(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices,
    WebnnOperand updates, const WebnnScatterOptions* options, WebnnOperand* result, WebnnError* error);
// Replaces the slices at the given coordinates. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatternd
WEBNN_EXPORT WebnnStatus webnnGraphBuilderScatterND(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices,
    WebnnOperand updates, const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// 1 / (1 + exp(-x)). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sigmoid
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSigmoid(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// -1, 0 or 1 if x is negative, zero or positive. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sign
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSign(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Computes sin(x), x in radians. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sin
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSin(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Extracts a window, optionally with strides. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-slice
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSlice(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List starts,
    WebnnUint32List sizes, const WebnnSliceOptions* options, WebnnOperand* result, WebnnError* error);
// exp(x) / sum(exp(x)) along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softmax
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSoftmax(WebnnGraphBuilder builder, WebnnOperand input, uint32_t axis,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// log(1 + exp(x)). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softplus
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSoftplus(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// x / (1 + |x|). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softsign
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSoftsign(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Splits a tensor into parts along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-split
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSplit(WebnnGraphBuilder builder, WebnnOperand input, WebnnSplits splits,
    const WebnnSplitOptions* options, WebnnOperandList* results, WebnnError* error);
// Computes the square root. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sqrt
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSqrt(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// a - b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sub
WEBNN_EXPORT WebnnStatus webnnGraphBuilderSub(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Computes tan(x), x in radians. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tan
WEBNN_EXPORT WebnnStatus webnnGraphBuilderTan(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Computes the hyperbolic tangent. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tanh
WEBNN_EXPORT WebnnStatus webnnGraphBuilderTanh(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error);
// Repeats the tensor along each dimension. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tile
WEBNN_EXPORT WebnnStatus webnnGraphBuilderTile(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List repetitions,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);
// Reorders the dimensions. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-transpose
WEBNN_EXPORT WebnnStatus webnnGraphBuilderTranspose(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnTransposeOptions* options, WebnnOperand* result, WebnnError* error);
// Keeps the upper or lower triangle of each matrix. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-triangular
WEBNN_EXPORT WebnnStatus webnnGraphBuilderTriangular(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnTriangularOptions* options, WebnnOperand* result, WebnnError* error);
// trueValue where condition is not 0, else falseValue. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-where
WEBNN_EXPORT WebnnStatus webnnGraphBuilderWhere(WebnnGraphBuilder builder, WebnnOperand condition, WebnnOperand trueValue,
    WebnnOperand falseValue, const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error);

#ifdef __cplusplus
}
#endif
