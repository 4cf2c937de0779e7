// relu(x * w) with the functions that Firefox calls in its bridge to rustnn.
#include <rustnn_bridge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Prints the message and exits if a call failed.
static void check(RustnnStatus status) {
  if (status == RustnnStatus_Success) return;
  fprintf(stderr, "%s\n", rustnn_last_error_message());
  exit(1);
}

// x and y have the shape [1, 2]; w is [[1, -2], [3, -4]], in base64.
static const char* const kGraph =
    "{\"operands\": ["
    "  {\"kind\": \"input\", \"name\": \"x\", \"descriptor\": {\"data_type\": \"float32\", \"shape\": [1, 2]}},"
    "  {\"kind\": \"constant\", \"descriptor\": {\"data_type\": \"float32\", \"shape\": [2, 2]}},"
    "  {\"kind\": \"output\", \"descriptor\": {\"data_type\": \"float32\", \"shape\": [1, 2]}},"
    "  {\"kind\": \"output\", \"name\": \"y\", \"descriptor\": {\"data_type\": \"float32\", \"shape\": [1, 2]}}],"
    " \"input_operands\": [0], \"output_operands\": [3],"
    " \"operations\": ["
    "  {\"type\": \"matmul\", \"input_operands\": [0, 1], \"output_operand\": 2},"
    "  {\"type\": \"relu\", \"input_operands\": [2], \"output_operand\": 3}],"
    " \"constant_operand_ids_to_handles\": {\"1\": {\"data\": \"AACAPwAAAMAAAEBAAACAwA==\"}}}";

int main(void) {
  RustnnContext* context = NULL;
  RustnnGraph* graph = NULL;
  RustnnTensor* x = NULL;
  RustnnTensor* y = NULL;
  const uint64_t shape[] = {1, 2};
  const float values[] = {10, 1};
  float results[2] = {0, 0};

  check(rustnn_context_create(NULL, &context));
  check(rustnn_graph_build(context, kGraph, strlen(kGraph), &graph));
  check(rustnn_tensor_create(context, RustnnDataType_Float32, shape, 2, false, true, &x));
  check(rustnn_tensor_create(context, RustnnDataType_Float32, shape, 2, true, false, &y));
  check(rustnn_tensor_write(context, x, values, sizeof(values)));
  const RustnnNamedTensor inputs[] = {{"x", x}};
  const RustnnNamedTensor outputs[] = {{"y", y}};
  check(rustnn_graph_compute(context, graph, inputs, 1, outputs, 1));
  check(rustnn_tensor_read(context, y, results, sizeof(results)));
  printf("%g %g\n", results[0], results[1]);

  rustnn_tensor_destroy(y);
  rustnn_tensor_destroy(x);
  rustnn_graph_destroy(graph);
  rustnn_context_destroy(context);
  return 0;
}
