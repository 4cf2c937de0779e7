#include "onnx/read/index_bounds.h"

#include <unordered_map>

#include "base/one_of.h"
#include "context/graph_state.h"
#include "graph/graph_definition.h"

namespace webnn::formats::onnx {

namespace {

bool isIndex(DataType type) { return type == DataType::int32 || type == DataType::int64; }

class Finder {
 public:
  explicit Finder(const GraphDefinition& graph) {
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
      if (isIndex(graph.inputs[i].dataType())) origins_[graph.inputs[i].record().index] = {i, true};
    }
    for (const Node& node : graph.nodes) {
      std::visit([&](const auto& operation) { add(operation, node.outputs); }, node.operation);
    }
  }
  std::vector<IndexBounds> bounds;

 private:
  // The input whose elements an operand has.
  struct Origin {
    std::size_t input = 0;
    bool keepsShape = false;
  };

  void add(const auto& operation, const std::vector<Operand>& outputs) {
    using Op = std::remove_cvref_t<decltype(operation)>;
    if constexpr (OneOf<Op, ops::Gather, ops::GatherElements, ops::ScatterElements>) {
      bound(operation.indices, {operation.input.shape()[operation.options.axis]});
    } else if constexpr (OneOf<Op, ops::GatherND, ops::ScatterND>) {
      boundCoordinates(operation.indices, operation.input.shape());
    } else if constexpr (OneOf<Op, ops::Cast>) {
      if (isIndex(operation.dataType)) follow(operation.input, outputs[0], true);
    } else if constexpr (OneOf<Op, ops::Reshape, ops::Transpose, ops::Expand>) {
      follow(operation.input, outputs[0], false);
    }
  }
  void follow(const Operand& from, const Operand& to, bool keepsShape) {
    const auto origin = origins_.find(from.record().index);
    if (origin != origins_.end()) origins_[to.record().index] = {origin->second.input, origin->second.keepsShape && keepsShape};
  }
  void bound(const Operand& indices, Shape sizes) {
    const auto origin = origins_.find(indices.record().index);
    if (origin == origins_.end()) return;
    if (sizes.size() > 1 && !origin->second.keepsShape) return;  // the place of a coordinate is not known
    bounds.push_back({origin->second.input, std::move(sizes)});
  }
  void boundCoordinates(const Operand& indices, const Shape& shape) {
    const std::size_t count = indices.shape().back();
    bound(indices, {shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(count)});
  }

  std::unordered_map<std::uint32_t, Origin> origins_;  // keyed by operand index
};

}  // namespace

webnn::Graph withIndexBounds(webnn::Graph graph) {
  graph.state()->indexBounds = Finder(*graph.state()->definition).bounds;
  return graph;
}

}  // namespace webnn::formats::onnx
