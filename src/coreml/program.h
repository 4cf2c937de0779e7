// An ML Program of Core ML in memory: the types, values and operations of MIL (Model Intermediate Language).
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

// The data types of MIL, with their numbers in MIL.proto.
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

// A value of the program: a result of an operation, a constant or an input.
struct MilValue {
  std::size_t id = 0;
  MilType type{};
  Shape shape;
  bool isConstant = false;  // a stored constant, or decompressed from stored constants
  bool isStored = false;    // the result of a "const" operation
};

// The elements of a constant. They are stored in the model itself (as `text`, or as `bytes` of the type) or in the weights file.
struct MilConstant {
  MilType type{};
  Shape shape;
  std::string text;
  std::span<const std::byte> bytes;
  std::shared_ptr<const std::vector<std::byte>> owner;  // owns the bytes if they do not belong to the graph
  bool isWeight = false;
  std::uint64_t offset = 0;  // byte offset in the weights file
};

struct MilArgument {
  std::string_view name;
  std::vector<MilValue> values;
};

// An argument of a constexpr operation (an operation that decompresses constants when the model is loaded).
struct MilConstantArgument {
  std::string_view name;
  std::size_t constant = 0;  // index in Program::constants
};

struct MilOperation {
  std::string_view type;
  std::vector<MilArgument> arguments;
  std::vector<MilConstantArgument> constants;  // for a "const" operation: its value
  std::vector<MilValue> results;
};

struct MilPort {
  std::string graphName;
  MilValue value;
};

struct Program {
  std::vector<MilOperation> operations;
  std::vector<MilConstant> constants;
  std::vector<std::string> names;  // indexed by the id of the value
  std::vector<MilPort> inputs, outputs;
  int specificationVersion = 7;
  // The sizes of the named dimensions in default shapes, in the order of OpenSizes::named().
  std::vector<std::int64_t> defaultSizes;
};

}  // namespace webnn::coreml
