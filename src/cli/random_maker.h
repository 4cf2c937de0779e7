// What random graphs are made with: a pool of values, and random sizes, choices and operands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "webnn/graph_builder.h"

namespace webnn::cli {

class RandomMaker {
 public:
  RandomMaker(Context& context, std::uint64_t seed) : builder(context), random_(seed) {}

  GraphBuilder builder;

  // Random numbers, the same on every machine.
  std::uint64_t bits() { return random_(); }
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }
  bool oneIn(std::uint32_t n) { return below(n) == 0; }
  double real(double low, double high) { return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53; }
  template <typename T>
  T pick(std::initializer_list<T> items) {
    return *(items.begin() + below(static_cast<std::uint32_t>(items.size())));
  }
  // Mostly small and odd, sometimes 1, seldom above what fits a vector register.
  std::uint32_t size() { return oneIn(5) ? 1 : oneIn(6) ? between(14, 40) : between(2, 9); }
  Shape shape(std::size_t rank, std::size_t mostElements = 4096);
  std::vector<std::uint32_t> permutation(std::size_t rank);

  DataType floatType() { return oneIn(4) ? DataType::float16 : DataType::float32; }

  // A new input or constant: floats within [low, high], integers too.
  Operand fresh(DataType type, Shape shape, double low = -2, double high = 2);
  // The same of given values.
  Operand constant(DataType type, Shape shape, const std::vector<Number>& values);

  // A value of the pool, or a new one, of one of the types and a rank in the range. Exact ones only if `exact` is set.
  Operand any(std::initializer_list<DataType> types, std::size_t lowRank = 0, std::size_t highRank = 8);
  Operand realOperand(std::size_t lowRank = 0, std::size_t highRank = 8);
  // An operand that broadcasts with `shape` to `shape`.
  Operand broadcastable(DataType type, const Shape& shape, double low = -2, double high = 2);

  // Adds results to the pool.
  void add(const Operand& result, bool isExact) { pool.push_back({result, isExact, 0}); }

  struct Value {
    Operand operand;
    bool isExact = false;
    int uses = 0;
  };
  std::vector<Value> pool;
  bool exact = false;    // what any() returns must be exact
  bool allExact = true;  // everything that any() returned since this was set was exact
  std::vector<std::vector<std::byte>> inputs;

 private:
  std::vector<std::byte> randomBytes(const OperandDescriptor& descriptor, double low, double high);
  std::mt19937_64 random_;
};

// One kind of random operation.
struct RandomOperation {
  const char* name;
  bool jumps = false;  // takes exact operands only
  bool rounds = true;  // its float results are not exact
  void (*make)(RandomMaker& maker, std::vector<Operand>& results);
};

// By part of the operation table; each in a file of its own.
std::vector<RandomOperation> randomElementwise();
std::vector<RandomOperation> randomMoves();
std::vector<RandomOperation> randomProducts();
std::vector<RandomOperation> randomReductions();

}  // namespace webnn::cli
