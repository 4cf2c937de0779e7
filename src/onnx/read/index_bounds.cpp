#include "onnx/read/index_bounds.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/one_of.h"
#include "base/text.h"
#include "base/unaligned.h"
#include "context/graph_state.h"
#include "graph/graph_definition.h"

namespace webnn::formats::onnx {

namespace {

bool isIndex(DataType type) { return type == DataType::int32 || type == DataType::int64; }

// Finds the input that gives the elements of an operand.
class Origins {
 public:
  explicit Origins(const GraphDefinition& graph) {
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
      if (isIndex(graph.inputs[i].dataType())) origins_[indexOf(graph.inputs[i])] = {.input = i};
    }
    for (const Node& node : graph.nodes) {
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) { read_.insert(indexOf(operand)); });
      std::visit([&](const auto& operation) { follow(operation, node.outputs); }, node.operation);
    }
  }

  void add(const IndexRead& read, std::vector<IndexBounds>& all) const {
    const auto found = origins_.find(indexOf(read.indices));
    if (found == origins_.end() || !read_.contains(indexOf(read.indices))) return;
    const Origin& origin = found->second;
    if (read.sizes.size() > 1 && !origin.keepsRows) return;  // the rows of coordinates are not rows of the input
    const std::string reader = formatText("node {} ({})", webnn::quoted(read.node->name), sanitized(read.node->opType));
    for (IndexBounds& other : all) {
      if (other.input != origin.input || other.isNarrowed != origin.isNarrowed || other.sizes.size() != read.sizes.size())
        continue;
      for (std::size_t i = 0; i < read.sizes.size(); ++i) {
        if (read.sizes[i] >= other.sizes[i]) continue;
        other.sizes[i] = read.sizes[i];
        other.readers[i] = reader;
      }
      return;
    }
    all.push_back({origin.input, read.sizes, origin.isNarrowed, std::vector(read.sizes.size(), reader)});
  }

 private:
  struct Origin {
    std::size_t input = 0;
    bool keepsRows = true;  // whether the last dimension is that of the input
    bool isNarrowed = false;
  };

  static std::uint32_t indexOf(const Operand& operand) { return operand.record().index; }

  void follow(const auto& operation, const std::vector<Operand>& outputs) {
    using Op = std::remove_cvref_t<decltype(operation)>;
    if constexpr (OneOf<Op, ops::Cast, ops::Reshape, ops::Transpose, ops::Expand>) {
      const Operand &from = operation.input, &to = outputs[0];
      const auto found = origins_.find(indexOf(from));
      if (found == origins_.end() || !isIndex(to.dataType())) return;
      Origin origin = found->second;
      if constexpr (OneOf<Op, ops::Cast>) {
        origin.isNarrowed = origin.isNarrowed || (from.dataType() == DataType::int64 && to.dataType() == DataType::int32);
      } else {
        const bool hasRows = !from.shape().empty() && !to.shape().empty() && from.shape().back() == to.shape().back();
        origin.keepsRows = origin.keepsRows && hasRows && OneOf<Op, ops::Reshape>;
      }
      origins_[indexOf(to)] = origin;
    }
  }

  std::unordered_map<std::uint32_t, Origin> origins_;  // keyed by operand index
  std::unordered_set<std::uint32_t> read_;             // operands that the nodes of the graph read
};

template <typename T>
void requireInRange(std::span<const std::byte> bytes, const Shape& sizes) {
  for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    const std::int64_t index = loadUnaligned<T>(bytes.data() + i * sizeof(T)), size = sizes[i % sizes.size()];
    if (index < -size || index >= size) fail(ErrorKind::dataError, "the index {} is not in a dimension of {}.", index, size);
  }
}

}  // namespace

void requireConstantInRange(const IndexRead& read) {
  const OperandRecord& record = read.indices.record();
  if (record.kind != OperandKind::constant || read.sizes.empty()) return;
  if (read.indices.dataType() == DataType::int32) requireInRange<std::int32_t>(record.bytes, read.sizes);
  if (read.indices.dataType() == DataType::int64) requireInRange<std::int64_t>(record.bytes, read.sizes);
}

webnn::Graph withIndexBounds(webnn::Graph graph, std::span<const IndexRead> reads,
                             const std::function<bool(std::string_view)>& isComputed) {
  if (reads.empty()) return graph;
  const GraphDefinition& definition = *graph.state()->definition;
  const Origins origins(definition);
  std::vector<IndexBounds>& all = graph.state()->indexBounds;
  for (const IndexRead& read : reads) origins.add(read, all);
  for (IndexBounds& bounds : all) bounds.isComputed = isComputed(definition.inputs[bounds.input].record().name);
  return graph;
}

}  // namespace webnn::formats::onnx
