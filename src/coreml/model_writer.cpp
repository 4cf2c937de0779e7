#include "coreml/model_writer.h"

#include <algorithm>
#include <cstring>
#include <protozero/pbf_writer.hpp>
#include <span>
#include <utility>

#include "base/divide_up.h"
#include "ops/sizes/open_sizes.h"

namespace webnn::coreml {

namespace {

using Writer = protozero::pbf_writer;

// Field numbers in Model.proto, FeatureTypes.proto and MIL.proto.
namespace field {
namespace model {
constexpr int specificationVersion = 1, description = 2, mlProgram = 502;
}
namespace description {
constexpr int input = 1, output = 10, metadata = 100;
}
namespace metadata {
constexpr int userDefined = 100;
}
namespace feature {
constexpr int name = 1, type = 3;
}
namespace featureType {
constexpr int multiArray = 5;
}
namespace array {
constexpr int shape = 1, dataType = 2, shapeRange = 31;
}
namespace shapeRange {
constexpr int sizeRanges = 1;
}
namespace sizeRange {
constexpr int lowerBound = 1, upperBound = 2;
}
namespace entry {  // for an entry of any map
constexpr int key = 1, value = 2;
}
namespace program {
constexpr int version = 1, functions = 2;
}
namespace function {
constexpr int inputs = 1, opset = 2, blocks = 3;
}
namespace block {
constexpr int outputs = 2, operations = 3;
}
namespace operation {
constexpr int type = 1, inputs = 2, outputs = 3, attributes = 5;
}
namespace argument {
constexpr int arguments = 1;
}
namespace binding {
constexpr int name = 1, value = 2;
}
namespace named {
constexpr int name = 1, type = 2;
}
namespace valueType {
constexpr int tensor = 1;
}
namespace tensorType {
constexpr int dataType = 1, rank = 2, dimensions = 3;
}
namespace dimension {
constexpr int constant = 1, unknown = 2, size = 1, variadic = 1;
}
namespace value {
constexpr int type = 2, immediate = 3, blobFile = 5;
}
namespace blobFile {
constexpr int fileName = 1, offset = 2;
}
namespace immediate {
constexpr int tensor = 1;
}
namespace tensor {
constexpr int floats = 1, ints = 2, bools = 3, strings = 4, bytes = 7, values = 1;
}
}  // namespace field

constexpr std::uint64_t kRecordSize = 64;

// Returns the ArrayFeatureType.ArrayDataType of a type.
std::int32_t arrayType(MilType type) {
  constexpr std::int32_t kFloat = 0x10000, kInteger = 0x20000;
  if (type == MilType::int32) return kInteger | 32;
  return kFloat | (type == MilType::float16 ? 16 : 32);
}

// Returns the number of a type in the weights file.
std::uint32_t weightType(MilType type) {
  switch (type) {
    case MilType::float16: return 1;
    case MilType::float32: return 2;
    case MilType::uint8: return 3;
    case MilType::int8: return 4;
    case MilType::int4: return 8;
    case MilType::uint4: return 11;
    default: return 14;  // int32
  }
}

void message(Writer& parent, int number, auto write) {
  Writer child(parent, static_cast<protozero::pbf_tag_type>(number));
  write(child);
}

template <typename T>
std::vector<T> elementsOf(std::span<const std::byte> bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

void writeTensorType(Writer& writer, MilType type, const Shape& shape) {
  message(writer, field::valueType::tensor, [&](Writer& tensor) {
    tensor.add_enum(field::tensorType::dataType, static_cast<std::int32_t>(type));
    if (!shape.empty()) tensor.add_int64(field::tensorType::rank, static_cast<std::int64_t>(shape.size()));
    for (const std::uint32_t size : shape) {
      message(tensor, field::tensorType::dimensions, [&](Writer& dimension) {
        if (isOpen(size)) {
          return message(dimension, field::dimension::unknown,
                         [](Writer& unknown) { unknown.add_bool(field::dimension::variadic, false); });
        }
        message(dimension, field::dimension::constant,
                [&](Writer& constant) { constant.add_uint64(field::dimension::size, size); });
      });
    }
  });
}

// Returns the smallest and the largest size of a dimension; -1 means that there is no largest size.
std::pair<std::uint64_t, std::int64_t> rangeOf(std::uint32_t size) {
  if (!isOpen(size)) return {size, size};
  const auto [least, most] = OpenScope::current()->range(size);
  return {std::max<std::uint64_t>(least, 1), most == kMaxDimension ? -1 : std::int64_t{most}};
}

void writeShapeRange(Writer& array, const Shape& shape) {
  message(array, field::array::shapeRange, [&](Writer& range) {
    for (const std::uint32_t size : shape) {
      message(range, field::shapeRange::sizeRanges, [&](Writer& sizeRange) {
        const auto [least, most] = rangeOf(size);
        sizeRange.add_uint64(field::sizeRange::lowerBound, least);
        sizeRange.add_int64(field::sizeRange::upperBound, most);
      });
    }
  });
}

// Returns the sizes of a shape if the named dimensions have the sizes `named`. Open sizes are at least 1.
std::vector<std::int64_t> sizesOf(const Shape& shape, std::span<const std::int64_t> named) {
  std::vector<std::int64_t> result;
  for (const std::uint32_t size : shape) {
    std::int64_t value = size;
    if (isOpen(size)) value = std::max<std::int64_t>(OpenScope::current()->evaluate(size, named).value_or(0), 1);
    result.push_back(value);
  }
  return result;
}

void writeElements(Writer& tensor, const MilConstant& constant) {
  const auto bytes = constant.bytes;
  switch (constant.type) {
    case MilType::text:
      return message(tensor, field::tensor::strings,
                     [&](Writer& strings) { strings.add_string(field::tensor::values, constant.text); });
    case MilType::boolean:
      return message(tensor, field::tensor::bools, [&](Writer& bools) {
        const auto values = elementsOf<std::uint8_t>(bytes);
        bools.add_packed_bool(field::tensor::values, values.begin(), values.end());
      });
    case MilType::float32:
      return message(tensor, field::tensor::floats, [&](Writer& floats) {
        const auto values = elementsOf<float>(bytes);
        floats.add_packed_float(field::tensor::values, values.begin(), values.end());
      });
    case MilType::int32:
      return message(tensor, field::tensor::ints, [&](Writer& ints) {
        const auto values = elementsOf<std::int32_t>(bytes);
        ints.add_packed_int32(field::tensor::values, values.begin(), values.end());
      });
    default:
      return message(tensor, field::tensor::bytes, [&](Writer& raw) {
        raw.add_bytes(field::tensor::values, reinterpret_cast<const char*>(bytes.data()), bytes.size());
      });
  }
}

void writeConstant(Writer& value, const MilConstant& constant) {
  message(value, field::value::type, [&](Writer& type) { writeTensorType(type, constant.type, constant.shape); });
  if (constant.isWeight) {
    return message(value, field::value::blobFile, [&](Writer& file) {
      file.add_string(field::blobFile::fileName, "@model_path/weights/weight.bin");
      file.add_uint64(field::blobFile::offset, constant.offset);
    });
  }
  message(value, field::value::immediate, [&](Writer& immediate) {
    message(immediate, field::immediate::tensor, [&](Writer& tensor) { writeElements(tensor, constant); });
  });
}

class ModelWriter {
 public:
  explicit ModelWriter(const Program& program) : program_(program) {}

  std::string write() {
    std::string proto;
    Writer writer(proto);
    writer.add_int32(field::model::specificationVersion, program_.specificationVersion);
    message(writer, field::model::description, [&](Writer& description) { writeDescription(description); });
    message(writer, field::model::mlProgram, [&](Writer& program) {
      program.add_int64(field::program::version, 1);
      message(program, field::program::functions, [&](Writer& entry) {
        entry.add_string(field::entry::key, "main");
        message(entry, field::entry::value, [&](Writer& function) { writeFunction(function); });
      });
    });
    return proto;
  }

 private:
  const std::string& nameOf(const MilValue& value) const { return program_.names[value.id]; }

  // An input with open dimensions has ranges of sizes, and a default shape within them; an output with open dimensions has no
  // shape.
  void writePort(Writer& feature, const MilPort& port, bool isInput) {
    feature.add_string(field::feature::name, nameOf(port.value));
    message(feature, field::feature::type, [&](Writer& type) {
      message(type, field::featureType::multiArray, [&](Writer& array) {
        const Shape& shape = port.value.shape;
        if (isInput || !isOpen(shape)) {
          const std::vector<std::int64_t> sizes = sizesOf(shape, program_.defaultSizes);
          array.add_packed_int64(field::array::shape, sizes.begin(), sizes.end());
        }
        array.add_enum(field::array::dataType, arrayType(port.value.type));
        if (isInput && isOpen(shape)) writeShapeRange(array, shape);
      });
    });
  }

  void writeDescription(Writer& description) {
    for (const MilPort& input : program_.inputs) {
      message(description, field::description::input, [&](Writer& feature) { writePort(feature, input, true); });
    }
    for (const MilPort& output : program_.outputs) {
      message(description, field::description::output, [&](Writer& feature) { writePort(feature, output, false); });
    }
    message(description, field::description::metadata, [&](Writer& metadata) {
      writeMetadata(metadata, "libwebnn.version", WEBNN_VERSION);
      for (const std::vector<MilPort>* ports : {&program_.inputs, &program_.outputs}) {
        for (const MilPort& port : *ports) {
          const Shape& shape = port.value.shape;
          if (isOpen(shape)) writeMetadata(metadata, "libwebnn.shape." + nameOf(port.value), toString(shape));
        }
      }
    });
  }

  static void writeMetadata(Writer& metadata, const std::string& key, const std::string& value) {
    message(metadata, field::metadata::userDefined, [&](Writer& entry) {
      entry.add_string(field::entry::key, key);
      entry.add_string(field::entry::value, value);
    });
  }

  void writeNamed(Writer& named, const MilValue& value) {
    named.add_string(field::named::name, nameOf(value));
    message(named, field::named::type, [&](Writer& type) { writeTensorType(type, value.type, value.shape); });
  }

  void writeFunction(Writer& function) {
    const std::string opset = "CoreML" + std::to_string(program_.specificationVersion - 1);  // CoreML6 is iOS 16
    for (const MilPort& input : program_.inputs) {
      message(function, field::function::inputs, [&](Writer& named) { writeNamed(named, input.value); });
    }
    function.add_string(field::function::opset, opset);
    message(function, field::function::blocks, [&](Writer& entry) {
      entry.add_string(field::entry::key, opset);
      message(entry, field::entry::value, [&](Writer& block) {
        for (const MilPort& output : program_.outputs) block.add_string(field::block::outputs, nameOf(output.value));
        for (const MilOperation& operation : program_.operations) {
          message(block, field::block::operations, [&](Writer& writer) { writeOperation(writer, operation); });
        }
      });
    });
  }

  void writeEntry(Writer& operation, int number, std::string_view key, auto write) {
    message(operation, number, [&](Writer& entry) {
      entry.add_string(field::entry::key, key.data(), key.size());
      message(entry, field::entry::value, write);
    });
  }

  void writeOperation(Writer& writer, const MilOperation& operation) {
    writer.add_string(field::operation::type, operation.type.data(), operation.type.size());
    for (const MilArgument& argument : operation.arguments) {
      writeEntry(writer, field::operation::inputs, argument.name, [&](Writer& values) {
        for (const MilValue& value : argument.values) {
          message(values, field::argument::arguments,
                  [&](Writer& binding) { binding.add_string(field::binding::name, nameOf(value)); });
        }
      });
    }
    const bool isConst = operation.type == "const";
    for (const MilConstantArgument& argument : operation.constants) {
      if (isConst) continue;
      writeEntry(writer, field::operation::inputs, argument.name, [&](Writer& values) {
        message(values, field::argument::arguments, [&](Writer& binding) {
          message(binding, field::binding::value,
                  [&](Writer& value) { writeConstant(value, program_.constants[argument.constant]); });
        });
      });
    }
    for (const MilValue& result : operation.results) {
      message(writer, field::operation::outputs, [&](Writer& named) { writeNamed(named, result); });
    }
    writeEntry(writer, field::operation::attributes, "name", [&](Writer& value) {
      writeConstant(
          value, {.type = MilType::text, .shape = {}, .text = nameOf(operation.results.front()), .bytes = {}, .owner = nullptr});
    });
    if (isConst) {
      writeEntry(writer, field::operation::attributes, "val",
                 [&](Writer& value) { writeConstant(value, program_.constants[operation.constants.front().constant]); });
    }
  }

  const Program& program_;
};

}  // namespace

std::vector<WeightPart> placeWeights(Program& program) {
  std::vector<WeightPart> parts;
  std::uint64_t end = kRecordSize;  // the first part begins after the file's header
  for (MilConstant& constant : program.constants) {
    if (!constant.isWeight) continue;
    constant.offset = end;
    const bool isHalfBytes = constant.type == MilType::int4 || constant.type == MilType::uint4;
    std::uint64_t count = 1;
    for (const std::uint32_t size : constant.shape) count *= size;
    parts.push_back(
        {constant.offset, weightType(constant.type), isHalfBytes && count % 2 != 0 ? 4u : 0u, constant.bytes, constant.owner});
    end = roundUp(end + kRecordSize + constant.bytes.size(), kRecordSize);
  }
  return parts;
}

std::string writeModel(const Program& program) { return ModelWriter(program).write(); }

}  // namespace webnn::coreml
