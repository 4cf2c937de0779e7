#include "bench_graph.h"

namespace webnn::bench {

void addRecurrent() {
  constexpr std::uint32_t kSteps = 64, kSize = 256;
  add("lstm/64x256", [](Maker& m) {
    LstmOptions options;
    options.bias = m.weights({1, 4 * kSize});
    options.recurrentBias = m.weights({1, 4 * kSize});
    options.returnSequence = true;
    return m.builder.lstm(m.input({kSteps, 1, kSize}), m.weights({1, 4 * kSize, kSize}), m.weights({1, 4 * kSize, kSize}), kSteps,
                          kSize, options)[2];
  });
  add("gru/64x256", [](Maker& m) {
    GruOptions options;
    options.bias = m.weights({1, 3 * kSize});
    options.recurrentBias = m.weights({1, 3 * kSize});
    options.resetAfter = true;
    options.returnSequence = true;
    return m.builder.gru(m.input({kSteps, 1, kSize}), m.weights({1, 3 * kSize, kSize}), m.weights({1, 3 * kSize, kSize}), kSteps,
                         kSize, options)[1];
  });
}

}  // namespace webnn::bench
