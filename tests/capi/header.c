// Compiles the header alone as C11, and checks that macros for initial values are expressions of their types. header.cpp
// compiles the same text as C++.
#include <webnn/webnn.h>

// Initializes a variable by a macro.
#define USE(Type, INIT)   \
  do {                    \
    Type variable = INIT; \
    (void)variable;       \
  } while (0)

static void useEachMacro(void) {
  USE(WebnnStringView, WEBNN_STRING_VIEW_INIT);
  USE(WebnnUint32List, WEBNN_UINT32_LIST_INIT);
  USE(WebnnFloatList, WEBNN_FLOAT_LIST_INIT);
  USE(WebnnNumber, WEBNN_NUMBER_INIT);
  USE(WebnnSplits, WEBNN_SPLITS_INIT);
  USE(WebnnOperandList, WEBNN_OPERAND_LIST_INIT);
  USE(WebnnCreateContextCallbackInfo, WEBNN_CREATE_CONTEXT_CALLBACK_INFO_INIT);
  USE(WebnnBuildCallbackInfo, WEBNN_BUILD_CALLBACK_INFO_INIT);
  USE(WebnnReadTensorCallbackInfo, WEBNN_READ_TENSOR_CALLBACK_INFO_INIT);
  USE(WebnnContextLostCallbackInfo, WEBNN_CONTEXT_LOST_CALLBACK_INFO_INIT);
  USE(WebnnUncapturedErrorCallbackInfo, WEBNN_UNCAPTURED_ERROR_CALLBACK_INFO_INIT);
  USE(WebnnExternalBytes, WEBNN_EXTERNAL_BYTES_INIT);
  USE(WebnnInstanceDescriptor, WEBNN_INSTANCE_DESCRIPTOR_INIT);
  USE(WebnnWorkLimits, WEBNN_WORK_LIMITS_INIT);
  USE(WebnnCallOptions, WEBNN_CALL_OPTIONS_INIT);
  USE(WebnnBackendOption, WEBNN_BACKEND_OPTION_INIT);
  USE(WebnnContextOptions, WEBNN_CONTEXT_OPTIONS_INIT);
  USE(WebnnTensorLimits, WEBNN_TENSOR_LIMITS_INIT);
  USE(WebnnLimits, WEBNN_LIMITS_INIT);
  USE(WebnnOperandDescriptor, WEBNN_OPERAND_DESCRIPTOR_INIT);
  USE(WebnnTensorDescriptor, WEBNN_TENSOR_DESCRIPTOR_INIT);
  USE(WebnnNamedOperand, WEBNN_NAMED_OPERAND_INIT);
  USE(WebnnDimension, WEBNN_DIMENSION_INIT);
  USE(WebnnOpenDescriptor, WEBNN_OPEN_DESCRIPTOR_INIT);
  USE(WebnnNamedTensor, WEBNN_NAMED_TENSOR_INIT);
  USE(WebnnNamedDescriptor, WEBNN_NAMED_DESCRIPTOR_INIT);
  USE(WebnnMemoryEstimate, WEBNN_MEMORY_ESTIMATE_INIT);
  USE(WebnnNamedDimension, WEBNN_NAMED_DIMENSION_INIT);
  USE(WebnnNamedBytes, WEBNN_NAMED_BYTES_INIT);
  USE(WebnnLoadOptions, WEBNN_LOAD_OPTIONS_INIT);
  USE(WebnnSaveOptions, WEBNN_SAVE_OPTIONS_INIT);
  USE(WebnnSessionOptions, WEBNN_SESSION_OPTIONS_INIT);
  USE(WebnnNamedArray, WEBNN_NAMED_ARRAY_INIT);
  USE(WebnnRecurrentNetworkActivationList, WEBNN_RECURRENT_NETWORK_ACTIVATION_LIST_INIT);
  USE(WebnnOperatorOptions, WEBNN_OPERATOR_OPTIONS_INIT);
  USE(WebnnArgMinMaxOptions, WEBNN_ARG_MIN_MAX_OPTIONS_INIT);
  USE(WebnnPool2dOptions, WEBNN_POOL2D_OPTIONS_INIT);
  USE(WebnnBatchNormalizationOptions, WEBNN_BATCH_NORMALIZATION_OPTIONS_INIT);
  USE(WebnnClampOptions, WEBNN_CLAMP_OPTIONS_INIT);
  USE(WebnnConv2dOptions, WEBNN_CONV2D_OPTIONS_INIT);
  USE(WebnnConvTranspose2dOptions, WEBNN_CONV_TRANSPOSE2D_OPTIONS_INIT);
  USE(WebnnCumulativeSumOptions, WEBNN_CUMULATIVE_SUM_OPTIONS_INIT);
  USE(WebnnEluOptions, WEBNN_ELU_OPTIONS_INIT);
  USE(WebnnGatherOptions, WEBNN_GATHER_OPTIONS_INIT);
  USE(WebnnGemmOptions, WEBNN_GEMM_OPTIONS_INIT);
  USE(WebnnGruOptions, WEBNN_GRU_OPTIONS_INIT);
  USE(WebnnGruCellOptions, WEBNN_GRU_CELL_OPTIONS_INIT);
  USE(WebnnHardSigmoidOptions, WEBNN_HARD_SIGMOID_OPTIONS_INIT);
  USE(WebnnInstanceNormalizationOptions, WEBNN_INSTANCE_NORMALIZATION_OPTIONS_INIT);
  USE(WebnnLayerNormalizationOptions, WEBNN_LAYER_NORMALIZATION_OPTIONS_INIT);
  USE(WebnnLeakyReluOptions, WEBNN_LEAKY_RELU_OPTIONS_INIT);
  USE(WebnnLinearOptions, WEBNN_LINEAR_OPTIONS_INIT);
  USE(WebnnLstmOptions, WEBNN_LSTM_OPTIONS_INIT);
  USE(WebnnLstmCellOptions, WEBNN_LSTM_CELL_OPTIONS_INIT);
  USE(WebnnPadOptions, WEBNN_PAD_OPTIONS_INIT);
  USE(WebnnReduceOptions, WEBNN_REDUCE_OPTIONS_INIT);
  USE(WebnnResample2dOptions, WEBNN_RESAMPLE2D_OPTIONS_INIT);
  USE(WebnnReverseOptions, WEBNN_REVERSE_OPTIONS_INIT);
  USE(WebnnScatterOptions, WEBNN_SCATTER_OPTIONS_INIT);
  USE(WebnnSliceOptions, WEBNN_SLICE_OPTIONS_INIT);
  USE(WebnnSplitOptions, WEBNN_SPLIT_OPTIONS_INIT);
  USE(WebnnTransposeOptions, WEBNN_TRANSPOSE_OPTIONS_INIT);
  USE(WebnnTriangularOptions, WEBNN_TRIANGULAR_OPTIONS_INIT);
}

int usesTheHeader(void);
int usesTheHeader(void) {
  useEachMacro();
  WebnnContextOptions context = WEBNN_CONTEXT_OPTIONS_INIT;
  WebnnConv2dOptions conv2d = WEBNN_CONV2D_OPTIONS_INIT;
  WebnnClampOptions clamp = WEBNN_CLAMP_OPTIONS_INIT;
  WebnnLstmOptions lstm = WEBNN_LSTM_OPTIONS_INIT;
  WebnnLoadOptions load = WEBNN_LOAD_OPTIONS_INIT;
  WebnnLimits limits = WEBNN_LIMITS_INIT;
  WebnnSessionOptions session = WEBNN_SESSION_OPTIONS_INIT;
  WebnnNamedArray array = WEBNN_NAMED_ARRAY_INIT;
  conv2d = WEBNN_CONV2D_OPTIONS_INIT;
  clamp.minValue = webnnNumberOfInt64(-1);
  context.backend = WEBNN_TEXT("cpu");
  return context.nextInChain == NULL && conv2d.groups == 1 && clamp.maxValue.type == WebnnNumberType_Undefined &&
         lstm.activations.count == WEBNN_ABSENT && load.dimensionCount == 0 && limits.input.maxRank == 0 && session.graphs == 4 &&
         array.bytes.size == 0 && sizeof(WebnnStatus) == 4 && sizeof(WebnnOperandDataType) == 4 && sizeof(WebnnCallbackMode) == 4;
}
