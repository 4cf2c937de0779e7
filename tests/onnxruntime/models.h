// Makes ONNX models field by field.
#pragma once

#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "backends/onnxruntime/session.h"

namespace webnn::test {

// Field numbers in onnx.proto.
enum : protozero::pbf_tag_type { kModelIrVersion = 1, kModelGraph = 7, kModelOpsets = 8 };

inline void writeValueInfo(protozero::pbf_writer& graph, std::uint32_t tag, const onnxruntime::Binding& value) {
  protozero::pbf_writer info(graph, tag);
  info.add_string(1, value.name);
  protozero::pbf_writer type(info, 2);
  protozero::pbf_writer tensor(type, 1);
  tensor.add_int32(1, static_cast<std::int32_t>(value.type));
  protozero::pbf_writer shape(tensor, 2);
  for (const std::int64_t size : value.dims) protozero::pbf_writer(shape, 1).add_int64(1, size);
}

inline void writeExternal(protozero::pbf_writer& graph, const onnx::ExternalConstant& constant) {
  protozero::pbf_writer tensor(graph, 5);
  tensor.add_packed_int64(1, constant.dims.begin(), constant.dims.end());
  tensor.add_int32(2, static_cast<std::int32_t>(constant.type));
  tensor.add_string(8, constant.name);
  {
    protozero::pbf_writer entry(tensor, 13);
    entry.add_string(1, "location");
    entry.add_string(2, "elsewhere");
  }
  tensor.add_int32(14, 1);
}

// Returns a model with one operator.
inline onnx::ExportedModel modelOf(const std::string& opType, const std::vector<onnxruntime::Binding>& inputs,
                                   const std::vector<onnx::ExternalConstant>& constants, const onnxruntime::Binding& output) {
  onnx::ExportedModel exported;
  exported.external = constants;
  protozero::pbf_writer model(exported.proto);
  model.add_int64(kModelIrVersion, 10);
  {
    protozero::pbf_writer graph(model, kModelGraph);
    {
      protozero::pbf_writer node(graph, 1);
      for (const auto& input : inputs) node.add_string(1, input.name);
      for (const auto& constant : constants) node.add_string(1, constant.name);
      node.add_string(2, output.name);
      node.add_string(4, opType);
    }
    graph.add_string(2, "by hand");
    for (const auto& constant : constants) writeExternal(graph, constant);
    for (const auto& input : inputs) writeValueInfo(graph, 11, input);
    writeValueInfo(graph, 12, output);
  }
  protozero::pbf_writer(model, kModelOpsets).add_int64(2, 21);
  return exported;
}

}  // namespace webnn::test
