// relu(x * w) with the C API.
#include <stdio.h>
#include <stdlib.h>
#include <webnn/webnn.h>

static WebnnError error = NULL;  // set by the last call that failed

// Prints the error's message and exits if a call failed.
static void check(WebnnStatus status) {
  if (status == WebnnStatus_Success) return;
  fprintf(stderr, "%s\n", webnnErrorGetMessage(error).data);
  exit(1);
}

static WebnnOperandDescriptor matrix(const uint32_t shape[2]) {
  WebnnOperandDescriptor descriptor = WEBNN_OPERAND_DESCRIPTOR_INIT;
  descriptor.dataType = WebnnOperandDataType_Float32;
  descriptor.shape.count = 2;
  descriptor.shape.items = shape;
  return descriptor;
}

int main(void) {
  WebnnInstance instance = NULL;
  WebnnContext context = NULL;
  WebnnGraphBuilder builder = NULL;
  check(webnnCreateInstance(NULL, &instance, &error));
  check(webnnInstanceCreateContextSync(instance, NULL, &context, &error));
  check(webnnContextCreateGraphBuilder(context, &builder, &error));

  const uint32_t xShape[] = {1, 2}, wShape[] = {2, 3};
  const float weights[] = {1, -2, 3, -4, 5, -6};
  const WebnnOperandDescriptor xType = matrix(xShape), wType = matrix(wShape);
  const WebnnConstBytes weightBytes = {weights, sizeof weights};
  WebnnOperand x = NULL, w = NULL, product = NULL, y = NULL;
  check(webnnGraphBuilderInput(builder, WEBNN_TEXT("x"), &xType, &x, &error));
  check(webnnGraphBuilderConstant(builder, &wType, weightBytes, &w, &error));
  check(webnnGraphBuilderMatmul(builder, x, w, NULL, &product, &error));
  WebnnOperatorOptions options = WEBNN_OPERATOR_OPTIONS_INIT;
  options.label = WEBNN_TEXT("hidden");
  check(webnnGraphBuilderRelu(builder, product, &options, &y, &error));

  WebnnGraph graph = NULL;
  const WebnnNamedOperand output = {NULL, WEBNN_TEXT("y"), y};
  check(webnnGraphBuilderBuildSync(builder, 1, &output, &graph, &error));

  const float input[] = {1, 1};
  float result[3];
  const WebnnConstBytes inputBytes = {input, sizeof input};
  const WebnnBytes resultBytes = {result, sizeof result};
  check(webnnGraphCompute(graph, 1, &inputBytes, 1, &resultBytes, &error));
  printf("%g %g %g\n", result[0], result[1], result[2]);

  webnnGraphRelease(graph);
  webnnOperandRelease(y);
  webnnOperandRelease(product);
  webnnOperandRelease(w);
  webnnOperandRelease(x);
  webnnGraphBuilderRelease(builder);
  webnnContextRelease(context);
  webnnInstanceRelease(instance);
  return 0;
}
