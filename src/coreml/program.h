// An ML Program in memory: MIL's types, values and operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "webnn/types.h"

namespace webnn::coreml {

// The values of MIL.proto.
enum class MilType : std::int32_t {
  boolean = 1,
  text = 2,
  float16 = 10,
  float32 = 11,
  int8 = 21,
  int32 = 23,
  int4 = 25,
  uint8 = 31,
  uint32 = 33,
  uint4 = 35,
};

// A value of the program: the result of an operation, a constant or an input.
struct MilValue {
  std::size_t id = 0;
  MilType type{};
  Shape shape;
  bool isConstant = false;  // stored, or decompressed from a stored value
  bool isStored = false;    // the result of a "const"
};

// The elements of a constant: in the model itself (`text`, or `bytes` of the type), or in the file of weights.
struct MilConstant {
  MilType type{};
  Shape shape;
  std::string text;
  std::span<const std::byte> bytes;
  std::shared_ptr<const std::vector<std::byte>> owner;  // of bytes that are not the graph's
  bool isWeight = false;
  std::uint64_t offset = 0;  // in the file of weights
};

struct MilArgument {
  std::string_view name;
  std::vector<MilValue> values;
};

// An argument of a constexpr operation, which takes only constants.
struct MilConstantArgument {
  std::string_view name;
  std::size_t constant = 0;  // its number in the program
};

struct MilOperation {
  std::string_view type;
  std::vector<MilArgument> arguments;
  std::vector<MilConstantArgument> constants;  // of "const": the value
  std::vector<MilValue> results;
};

struct MilPort {
  std::string graphName;  // of the input or output of the graph
  MilValue value;
};

struct Program {
  std::vector<MilOperation> operations;
  std::vector<MilConstant> constants;
  std::vector<std::string> names;  // of values, by id
  std::vector<MilPort> inputs, outputs;
  int specificationVersion = 7;
};

}  // namespace webnn::coreml
