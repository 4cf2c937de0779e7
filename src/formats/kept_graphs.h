// The compiled graphs that a session keeps, one for each set of sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "builder/open_graph.h"

namespace webnn::formats {

// Thread safe.
class KeptGraphs {
 public:
  using Dimensions = std::map<std::string, std::uint32_t>;

  std::optional<FixedGraph> find(const Dimensions& dimensions);
  // Returns a kept graph, or the last graph that was added if a caller still has it.
  std::optional<FixedGraph> findAlive(const Dimensions& dimensions);
  // Keeps the graph, and at most `most` graphs. Returns the graph; if two threads compiled it, the first one is kept and
  // returned.
  FixedGraph add(const Dimensions& dimensions, FixedGraph graph, std::size_t most);
  bool dropAll();  // returns whether any graph was kept

 private:
  struct Kept {
    Dimensions dimensions;
    FixedGraph graph;
  };
  std::mutex mutex_;
  std::list<Kept> kept_;  // most recently used first
  Kept last_;             // the last graph that was added, without its state
  std::weak_ptr<GraphState> lastState_;
};

}  // namespace webnn::formats
