// Reads an exported model field by field, with the field numbers of onnx.proto. Shares no code with the writer.
#pragma once

#include <cstdint>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

namespace webnn::test {

struct ExportedNode {
  std::string opType, name;
  std::vector<std::string> inputs, outputs;
  std::map<std::string, std::string> attributes;  // values as text: 2, [1, 2], reflect, [Relu, Tanh]
};

struct ExportedTensor {
  std::string name, raw;
  std::int64_t type = 0;
  std::vector<std::int64_t> dims;
  std::int64_t location = 0;                   // 1: the tensor is outside the model
  std::map<std::string, std::string> entries;  // the entries of external_data
};

struct ExportedValue {
  std::string name;
  std::int64_t type = 0;
  std::vector<std::int64_t> dims;
};

struct Exported {
  std::int64_t irVersion = 0, operatorSet = 0;
  std::string producer, graphName;
  std::vector<ExportedNode> nodes;
  std::vector<ExportedTensor> initializers;
  std::vector<ExportedValue> inputs, outputs, values;

  std::vector<std::string> opTypes() const {
    std::vector<std::string> types;
    for (const ExportedNode& node : nodes) types.push_back(node.opType);
    return types;
  }
};

namespace internal {

using Reader = protozero::pbf_reader;

// Returns the name and the value of an attribute with integers or texts. Other attributes have the value "".
inline std::pair<std::string, std::string> readAttribute(Reader reader) {
  std::string name, single, items;
  while (reader.next()) {
    switch (reader.tag()) {
      case 1: name = reader.get_string(); break;
      case 3: single = std::to_string(reader.get_int64()); break;
      case 4: single = reader.get_string(); break;
      case 8: items += (items.empty() ? "" : ", ") + std::to_string(reader.get_int64()); break;
      case 9: items += (items.empty() ? "" : ", ") + reader.get_string(); break;
      default: reader.skip();
    }
  }
  return {name, items.empty() ? single : "[" + items + "]"};
}

inline ExportedNode readNode(Reader reader) {
  ExportedNode node;
  while (reader.next()) {
    switch (reader.tag()) {
      case 1: node.inputs.push_back(reader.get_string()); break;
      case 2: node.outputs.push_back(reader.get_string()); break;
      case 3: node.name = reader.get_string(); break;
      case 4: node.opType = reader.get_string(); break;
      case 5: node.attributes.insert(readAttribute(reader.get_message())); break;
      default: reader.skip();
    }
  }
  return node;
}

inline ExportedTensor readTensor(Reader reader) {
  ExportedTensor tensor;
  while (reader.next()) {
    switch (reader.tag()) {
      case 1: tensor.dims.push_back(reader.get_int64()); break;
      case 2: tensor.type = reader.get_int32(); break;
      case 8: tensor.name = reader.get_string(); break;
      case 9: tensor.raw = reader.get_bytes(); break;
      case 13: {
        Reader entry = reader.get_message();
        std::string key, value;
        while (entry.next()) {
          std::string& text = entry.tag() == 1 ? key : value;
          text = entry.get_string();
        }
        tensor.entries[key] = value;
        break;
      }
      case 14: tensor.location = reader.get_int32(); break;
      default: reader.skip();
    }
  }
  return tensor;
}

inline ExportedValue readValue(Reader reader) {
  ExportedValue value;
  while (reader.next()) {
    if (reader.tag() == 1) {
      value.name = reader.get_string();
      continue;
    }
    Reader type = reader.get_message();
    if (!type.next(1)) continue;
    Reader tensor = type.get_message();
    while (tensor.next()) {
      if (tensor.tag() == 1) {
        value.type = tensor.get_int32();
        continue;
      }
      Reader shape = tensor.get_message();
      while (shape.next(1)) {
        Reader dimension = shape.get_message();
        while (dimension.next(1)) value.dims.push_back(dimension.get_int64());
      }
    }
  }
  return value;
}

inline void readGraph(Reader reader, Exported& model) {
  while (reader.next()) {
    switch (reader.tag()) {
      case 1: model.nodes.push_back(readNode(reader.get_message())); break;
      case 2: model.graphName = reader.get_string(); break;
      case 5: model.initializers.push_back(readTensor(reader.get_message())); break;
      case 11: model.inputs.push_back(readValue(reader.get_message())); break;
      case 12: model.outputs.push_back(readValue(reader.get_message())); break;
      case 13: model.values.push_back(readValue(reader.get_message())); break;
      default: reader.skip();
    }
  }
}

}  // namespace internal

inline Exported readExported(const std::string& proto) {
  Exported model;
  internal::Reader reader(proto);
  while (reader.next()) {
    switch (reader.tag()) {
      case 1: model.irVersion = reader.get_int64(); break;
      case 2: model.producer = reader.get_string(); break;
      case 7: internal::readGraph(reader.get_message(), model); break;
      case 8: {
        internal::Reader operatorSet = reader.get_message();
        while (operatorSet.next()) {
          if (operatorSet.tag() == 2)
            model.operatorSet = operatorSet.get_int64();
          else
            operatorSet.skip();
        }
        break;
      }
      default: reader.skip();
    }
  }
  return model;
}

}  // namespace webnn::test
