// relu(x * w) with the C++ API: the example of the README.
#include <iostream>
#include <webnn/webnn.hpp>

int main() {
  webnn::Context context = webnn::Context::create();
  webnn::GraphBuilder builder(context);
  webnn::Operand x = builder.input("x", {webnn::DataType::float32, {1, 2}});
  webnn::Operand w = builder.constant<float>({webnn::DataType::float32, {2, 3}}, {1, -2, 3, -4, 5, -6});
  webnn::Operand y = builder.relu(builder.matmul(x, w), {.label = "hidden"});
  webnn::Graph graph = builder.build({{"y", y}});

  webnn::Tensor input = context.createTensor({.shape = {1, 2}, .writable = true});
  webnn::Tensor output = context.createTensor({.shape = {1, 3}, .readable = true});
  context.write<float>(input, {1, 1});
  context.dispatch(graph, {{"x", input}}, {{"y", output}});  // returns at once
  for (float value : context.read<float>(output)) std::cout << value << ' ';
  std::cout << '\n';
}
