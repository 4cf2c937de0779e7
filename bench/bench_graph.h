// Benchmarks of graphs. Each family adds its own; main() calls them all.
#pragma once

#include <functional>
#include <string>

#include "webnn/graph_builder.h"

namespace webnn::bench {

// Makes operands for a graph that is measured.
class Maker {
 public:
  explicit Maker(Context& context) : builder(context) {}

  GraphBuilder builder;

  // An input of a fresh name.
  Operand input(Shape shape, DataType type = DataType::float32);
  // A constant of random elements: floats in [0, 1), integers from 0 to 7.
  Operand weights(Shape shape, DataType type = DataType::float32);

 private:
  int count_ = 0;
};

// A benchmark of the graph of `make`'s result, for each number of threads of WEBNN_BENCH_THREADS ("1,2" if not set), on the
// backend WEBNN_BENCH_BACKEND ("cpu" if not set). Counts GFLOP/s where flopOf() knows any, else the GB/s of inputs, constants
// (unless only some of their rows are read) and outputs, each read or written once.
void add(const std::string& name, std::function<Operand(Maker&)> make, bool readsConstants = true);

// "128x768"
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
