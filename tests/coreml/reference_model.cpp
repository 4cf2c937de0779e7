#include "coreml/reference_model.h"

#include <cstring>
#include <stdexcept>

#include "backends/reference/reference_backend.h"
#include "coreml/export.h"
#include "support/support.h"

namespace webnn::test {

namespace {

// Requires that an array has the form that docs/guides/coreml.md specifies for the tensor.
void require(const coreml::Array& array, const OperandDescriptor& descriptor) {
  const bool isHalf = descriptor.dataType == DataType::float16, isSingle = descriptor.dataType == DataType::float32;
  if (array.type != (isHalf ? coreml::ArrayType::float16 : isSingle ? coreml::ArrayType::float32 : coreml::ArrayType::int32))
    throw std::runtime_error(array.name + " has a wrong type");
  std::int64_t count = 1;
  for (const std::uint32_t size : descriptor.shape) count *= size;
  const bool isKept = !descriptor.shape.empty() && descriptor.shape.size() <= 5;
  const std::vector<std::int64_t> shape =
      isKept ? std::vector<std::int64_t>(descriptor.shape.begin(), descriptor.shape.end()) : std::vector<std::int64_t>{count};
  if (array.shape != shape || array.strides.size() != shape.size()) throw std::runtime_error(array.name + " has a wrong shape");
}

// Calls visit(bytes of an element) for each element in order.
template <typename Visit>
void forEachElement(const coreml::Array& array, Visit visit) {
  const std::size_t size = array.type == coreml::ArrayType::float16 ? 2 : 4;
  std::vector<std::int64_t> at(array.shape.size());
  for (std::int64_t left = static_cast<std::int64_t>(array.count()); left > 0; --left) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * array.strides[i];
    visit(std::span(array.data + offset * static_cast<std::int64_t>(size), size));
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] < array.shape[i]) break;
      at[i] = 0;
    }
  }
}

const coreml::Array& named(std::span<const coreml::Array> arrays, const std::string& name) {
  for (const coreml::Array& array : arrays) {
    if (array.name == name) return array;
  }
  throw std::runtime_error("there is no array " + name);
}

}  // namespace

ReferenceModel::ReferenceModel(std::shared_ptr<const GraphDefinition> graph)
    : graph_(std::move(graph)), reference_(reference::ReferenceBackend().compile(graph_)) {
  const coreml::ExportedModel model = coreml::exportModel(*graph_);
  inputs_ = model.inputs;
  outputs_ = model.outputs;
}

void ReferenceModel::predict(std::span<const coreml::Array> inputs, std::span<const coreml::Array> outputs) const {
  std::vector<std::vector<std::byte>> in, out;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const OperandDescriptor& descriptor = graph_->inputs[i].descriptor();
    const coreml::Array& array = named(inputs, inputs_[i].second);
    require(array, descriptor);
    std::vector<std::byte> packed(array.count() * (array.type == coreml::ArrayType::float16 ? 2 : 4));
    std::size_t next = 0;
    forEachElement(array, [&](std::span<std::byte> bytes) {
      std::memcpy(packed.data() + next, bytes.data(), bytes.size());
      next += bytes.size();
    });
    in.push_back(isFloat(descriptor.dataType) ? packed : pack(descriptor, unpack({DataType::int32, descriptor.shape}, packed)));
  }
  for (const auto& [name, operand] : graph_->outputs) {
    std::vector<Number> zeros(1, 0);
    out.push_back(pack(operand.descriptor(), zeros));
  }
  reference_->run(std::vector<std::span<const std::byte>>(in.begin(), in.end()),
                  std::vector<std::span<std::byte>>(out.begin(), out.end()));
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const OperandDescriptor& descriptor = graph_->outputs[i].second.descriptor();
    const coreml::Array& array = named(outputs, outputs_[i].second);
    require(array, descriptor);
    const std::vector<std::byte> packed =
        isFloat(descriptor.dataType) ? out[i] : pack({DataType::int32, descriptor.shape}, unpack(descriptor, out[i]));
    std::size_t next = 0;
    forEachElement(array, [&](std::span<std::byte> bytes) {
      std::memcpy(bytes.data(), packed.data() + next, bytes.size());
      next += bytes.size();
    });
  }
}

}  // namespace webnn::test
