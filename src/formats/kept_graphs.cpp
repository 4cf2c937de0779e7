#include "formats/kept_graphs.h"

#include <algorithm>

#include "context/graph_state.h"

namespace webnn::formats {

std::optional<FixedGraph> KeptGraphs::find(const Dimensions& dimensions) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, dimensions, &Kept::dimensions);
  if (found == kept_.end()) return std::nullopt;
  kept_.splice(kept_.begin(), kept_, found);
  return found->graph;
}

std::optional<FixedGraph> KeptGraphs::findAlive(const Dimensions& dimensions) {
  if (std::optional<FixedGraph> graph = find(dimensions)) return graph;
  const std::lock_guard lock(mutex_);
  std::shared_ptr<GraphState> state = lastState_.lock();
  if (!state || !state->executable() || last_.dimensions != dimensions) return std::nullopt;
  FixedGraph graph = last_.graph;
  graph.graph = Graph(std::move(state));
  return graph;
}

FixedGraph KeptGraphs::add(const Dimensions& dimensions, FixedGraph graph, std::size_t most) {
  std::list<Kept> dropped;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  if (const auto found = std::ranges::find(kept_, dimensions, &Kept::dimensions); found != kept_.end()) return found->graph;
  if (most > 0) kept_.push_front({dimensions, graph});
  while (kept_.size() > most) dropped.splice(dropped.begin(), kept_, std::prev(kept_.end()));
  last_ = {dimensions, graph};
  last_.graph.graph = {};
  lastState_ = graph.graph.state();
  return graph;
}

bool KeptGraphs::dropAll() {
  std::list<Kept> dropped;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  dropped.swap(kept_);
  return !dropped.empty();
}

}  // namespace webnn::formats
