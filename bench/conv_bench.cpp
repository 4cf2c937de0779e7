#include "bench_graph.h"

namespace webnn::bench {

namespace {

// A convolution of an image [1, input, size, size] with a square filter, followed by bias and relu, as in common networks.
struct Conv {
  const char* network;
  std::uint32_t kernel, stride, input, output, size, groups = 1;
};

constexpr Conv kConvolutions[] = {
    {"resnet50", 7, 2, 3, 64, 224},
    {"resnet50", 3, 1, 64, 64, 56},
    {"resnet50", 1, 1, 256, 64, 56},
    {"resnet50", 3, 1, 256, 256, 14},
    {"resnet50", 3, 1, 512, 512, 7},
    {"resnet50", 1, 1, 512, 2048, 7},
    {"mobilenet", 3, 2, 3, 32, 224},
    {"mobilenet", 1, 1, 16, 96, 112},
    {"mobilenet", 1, 1, 320, 1280, 7},
    {"unet", 3, 1, 16, 16, 256},
    {"unet", 1, 1, 16, 2, 256},
    {"depthwise", 3, 2, 96, 96, 112, 96},
    {"depthwise", 3, 1, 144, 144, 56, 144},
    {"depthwise", 3, 1, 384, 384, 14, 384},
    {"depthwise", 5, 1, 120, 120, 28, 120},
};

Operand convolution(Maker& m, const Conv& conv) {
  const std::uint32_t pad = conv.kernel / 2;
  Conv2dOptions options;
  options.padding = {pad, pad, pad, pad};
  options.strides = {conv.stride, conv.stride};
  options.groups = conv.groups;
  options.bias = m.weights({conv.output});
  const Operand filter = m.weights({conv.output, conv.input / conv.groups, conv.kernel, conv.kernel});
  return m.builder.relu(m.builder.conv2d(m.input({1, conv.input, conv.size, conv.size}), filter, options));
}

std::string nameOf(const Conv& conv) {
  const auto n = [](std::uint32_t value) { return std::to_string(value); };
  return "conv2d/" + std::string(conv.network) + "/" + n(conv.kernel) + "x" + n(conv.kernel) + "s" + n(conv.stride) + "/" +
         n(conv.input) + "to" + n(conv.output) + "@" + n(conv.size);
}

}  // namespace

void addConv() {
  for (const Conv& conv : kConvolutions) add(nameOf(conv), [conv](Maker& m) { return convolution(m, conv); });
  add("convTranspose2d/2x2s2/64to32@64", [](Maker& m) {
    ConvTranspose2dOptions options;
    options.strides = {2, 2};
    return m.builder.convTranspose2d(m.input({1, 64, 64, 64}), m.weights({64, 32, 2, 2}), options);
  });
}

}  // namespace webnn::bench
