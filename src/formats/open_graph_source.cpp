#include "formats/open_graph_source.h"

namespace webnn::formats {

namespace {

class OpenGraphSource final : public GraphSource {
 public:
  explicit OpenGraphSource(std::shared_ptr<const OpenGraph> graph) : graph_(std::move(graph)) {}

  FileDescription declarations() const override {
    FileDescription description;
    for (const Operand& input : graph_->definition->inputs)
      description.inputs.push_back({input.record().name, input.dataType(), declared(input)});
    for (const auto& [name, operand] : graph_->definition->outputs)
      description.outputs.push_back({name, operand.dataType(), declared(operand)});
    return description;
  }

  Graph build(Context& context, const LoadOptions& options, std::shared_ptr<Budget> budget) const override {
    return buildFixed(context, options, std::move(budget)).whole();
  }

  FixedGraph buildFixed(Context& context, const LoadOptions& options, std::shared_ptr<Budget> budget) const override {
    return fixGraph(context, *graph_, options.dimensions, std::move(budget));
  }

  std::shared_ptr<const OpenGraph> openGraph(const Context&, std::shared_ptr<Budget>) const override { return graph_; }

 private:
  std::vector<DeclaredDimension> declared(const Operand& operand) const {
    std::vector<DeclaredDimension> result;
    for (std::uint32_t size : operand.shape()) {
      if ((size & kOpenBit) == 0) {
        result.push_back({size, {}});
        continue;
      }
      const auto [min, max] = graph_->sizes->range(size);
      result.push_back({max, graph_->sizes->key(size), min});
    }
    return result;
  }

  const std::shared_ptr<const OpenGraph> graph_;
};

}  // namespace

std::unique_ptr<GraphSource> sourceOf(std::shared_ptr<const OpenGraph> graph) {
  return std::make_unique<OpenGraphSource>(std::move(graph));
}

}  // namespace webnn::formats
