// Tests that any sequence of builder calls either throws a webnn::Error and changes nothing, or makes a graph that runs.
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "ops/operand_record.h"
#include "ops/operation.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

constexpr std::size_t kMaxElements = 4096;  // larger results are validated, but not used as operands and not computed

template <typename T>
T pick(const std::vector<T>& items) {
  return items[*rc::gen::inRange<std::size_t>(0, items.size())];
}
bool oneIn(int n) { return *rc::gen::inRange(0, n) == 0; }

// Returns a size that is usually at most 4, and sometimes very large.
std::uint32_t size() {
  return oneIn(12) ? pick<std::uint32_t>({0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 65536}) : *rc::gen::inRange<std::uint32_t>(0, 5);
}
double real() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return pick<double>({0, -0.0, 1, -1, 0.5, 2.5, -3.25, 1e-5, 1e30, 1e300, infinity, -infinity, std::nan("")});
}

// Fills the fields of an operation. Operands come from a pool and usually satisfy the row's rules; other fields are random.
struct RandomFields {
  const std::vector<Operand>& pool;
  const ops::OperationRow& row;
  std::size_t rank = 2;  // the rank of the first operand, which is usually also the length of sequences

  bool allowed(std::string_view name, const Operand& operand) const {
    const ops::OperandRule& rule = *row.find(name);
    const ops::RankRange ranks = row.ranksOf(rule);
    return row.typesOf(rule).contains(operand.dataType()) && operand.rank() >= ranks.min && operand.rank() <= ranks.max;
  }
  void fill(std::string_view name, Operand& operand) {
    std::vector<Operand> candidates;
    for (const Operand& candidate : pool) {
      if (allowed(name, candidate)) candidates.push_back(candidate);
    }
    operand = candidates.empty() || oneIn(20) ? pick(pool) : pick(candidates);
    if (name == row.rules()[0].name) rank = operand.rank();
  }
  void fill(std::string_view name, std::vector<Operand>& operands) {
    operands.resize(*rc::gen::inRange<std::size_t>(0, 4));
    for (Operand& operand : operands) fill(name, operand);
  }
  void fill(std::string_view, DataType& type) { type = static_cast<DataType>(*rc::gen::inRange<std::size_t>(0, kDataTypeCount)); }
  void fill(std::string_view, std::uint32_t& value) { value = size(); }
  void fill(std::string_view, std::int32_t& value) {
    value = oneIn(10) ? pick<std::int32_t>({std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()})
                      : *rc::gen::inRange(-4, 5);
  }
  void fill(std::string_view, bool& value) { value = oneIn(2); }
  void fill(std::string_view, double& value) { value = real(); }
  void fill(std::string_view, float& value) { value = pick<float>({0.5f, 1, 2, 1.7f, 0, -1, 1e30f, std::nanf("")}); }
  void fill(std::string_view, Number& value) {
    value = oneIn(2) ? Number(real()) : Number(pick<std::int64_t>({-3, 0, 7, INT64_MIN, INT64_MAX}));
  }
  void fill(std::string_view name, std::vector<std::uint32_t>& values) {
    values.resize(oneIn(3) ? *rc::gen::inRange<std::size_t>(0, 6) : rank);
    for (std::uint32_t& value : values) fill(name, value);
  }
  void fill(std::string_view name, Splits& splits) {
    if (oneIn(2)) return void(splits = size());
    std::vector<std::uint32_t> sizes;
    fill(name, sizes);
    splits = std::move(sizes);
  }
  template <typename T>
  void fill(std::string_view name, OptionalSequence<T>& values) {
    values.reset();
    if (oneIn(2)) return;
    values.emplace(pick<std::size_t>({0, 1, 2, 2, 2, 4, 4, rank}));
    for (T& value : *values) fill(name, value);
  }
  template <typename T>
  void fill(std::string_view name, std::optional<T>& value) {
    value.reset();
    if (oneIn(2)) fill(name, value.emplace());
  }
  template <typename E>
  requires std::is_enum_v<E>
  void fill(std::string_view, E& value) {
    value = static_cast<E>(*rc::gen::inRange(0, 2));  // every enumeration has at least two values
  }

  template <typename T>
  void argument(std::string_view name, T& field) {
    fill(name, field);
  }
  template <typename T>
  void option(std::string_view name, T& field) {
    if (!oneIn(3)) fill(name, field);
  }
};

// Returns small constants of random types, some with difficult values.
std::vector<Operand> seeds(test::Fixture& f) {
  std::vector<Operand> pool;
  for (int i = 0; i < 6; ++i) {
    Shape shape(*rc::gen::inRange<std::size_t>(0, 5));
    for (std::uint32_t& dimension : shape) dimension = *rc::gen::inRange<std::uint32_t>(1, 5);
    const auto type = oneIn(2) ? DataType::float32 : static_cast<DataType>(*rc::gen::inRange<std::size_t>(0, kDataTypeCount));
    std::vector<Number> values(elementCount({type, shape}));
    for (Number& value : values) value = oneIn(8) ? real() : static_cast<double>(*rc::gen::inRange(-4, 5));
    pool.push_back(f.constant(type, shape, values));
  }
  return pool;
}

// Appends a random operation and adds its small results to the pool. Returns false if the operation was rejected.
bool appendRandom(test::Fixture& f, std::vector<Operand>& pool) {
  Operation operation = pick(allOperations());
  visitFields(operation, RandomFields{pool, rowOf(operation)});
  try {
    for (const Operand& result : f.builder.append(operation)) {
      if (elementCount(result.descriptor()) <= kMaxElements) pool.push_back(result);
    }
    return true;
  } catch (const Error& error) {
    RC_ASSERT(std::string_view(error.what()).starts_with(name(operation)));
    return false;
  }
}

TEST(RandomGraphs, ThrowAnErrorOrRun) {
  std::size_t accepted = 0;
  const bool held = rc::check([&] {
    test::Fixture f;
    std::vector<Operand> pool = seeds(f);
    for (int i = 0; i < 60; ++i) accepted += appendRandom(f, pool);
    std::vector<Operand> outputs;
    for (const Operand& operand : pool) {
      if (operand.record().kind == OperandKind::intermediate) outputs.push_back(operand);
    }
    if (outputs.empty()) return;
    const auto values = test::evaluate(f, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) RC_ASSERT(values[i].size() == elementCount(outputs[i].descriptor()));
  });
  EXPECT_TRUE(held);
  EXPECT_GT(accepted, 1000u);  // otherwise the test would be meaningless
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
