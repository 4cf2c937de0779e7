// Compiles the header alone as C11, and checks that macros for initial values are expressions of their types. header.cpp
// compiles the same text as C++.
#include <webnn/webnn.h>

int usesTheHeader(void);
int usesTheHeader(void) {
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
         lstm.activations.count == WEBNN_ABSENT && load.dimensionCount == 0 && limits.input.maxRank == 0 &&
         session.graphs == 4 && array.bytes.size == 0 && sizeof(WebnnStatus) == 4 && sizeof(WebnnOperandDataType) == 4 && sizeof(WebnnCallbackMode) == 4;
}
