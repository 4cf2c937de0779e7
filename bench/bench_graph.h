// Benchmarks of graphs. Each family of operations has a function that registers its benchmarks; main() calls all of them.
#pragma once

#include <functional>
#include <string>

#include "webnn/graph_builder.h"

namespace webnn::bench {

// Makes the operands of a graph to be measured.
class Maker {
 public:
  explicit Maker(Context& context) : builder(context) {}

  GraphBuilder builder;

  // Returns an input with a new unique name.
  Operand input(Shape shape, DataType type = DataType::float32);
  // Returns a constant with random elements: floats in [0, 1), integers from 0 to 7.
  Operand weights(Shape shape, DataType type = DataType::float32);

 private:
  int count_ = 0;
};

// Registers a benchmark of the graph whose output is make()'s result, for each number of threads in WEBNN_BENCH_THREADS
// (default "1,2"), on the backend WEBNN_BENCH_BACKEND (default "cpu"). Reports GFLOP/s if flopOf() can count the operations.
// Otherwise it reports the GB/s of inputs, constants and outputs, each counted once; pass readsConstants = false if the graph
// reads only some rows of its constants.
void add(const std::string& name, std::function<Operand(Maker&)> make, bool readsConstants = true);

// Returns the shape as text, for instance "128x768".
std::string text(const Shape& shape);

void addActivation();
void addConv();
void addElementwiseBinary();
void addElementwiseUnary();
void addGatherScatter();
void addMatmul();
void addNormalization();
void addPool();
void addQuantize();
void addRecurrent();
void addReduce();
void addResample();
void addShape();

}  // namespace webnn::bench
