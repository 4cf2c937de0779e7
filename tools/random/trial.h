// Runs a graph on backends in ways that must give equal results: repeatedly, with other buffers, with other numbers of threads
// and, for one seed in eight, concurrently.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random/agreement.h"
#include "webnn/context.h"

namespace webnn::random {

// A backend to test. Results may differ from the reference by rounding. Contenders of the same group must agree bit by bit.
struct Contender {
  std::string name;  // name in messages
  std::size_t group = 0;
  ContextOptions options;
  bool mayRefuse = false;  // the backend may refuse graphs that it cannot run
};

class Trial {
 public:
  explicit Trial(std::vector<Contender> contenders);

  // Returns the error in the contenders' results, or nullopt. Only with mayRefuse may a backend refuse to build or run a graph.
  std::optional<std::string> run(const Graph& graph, const std::vector<Bytes>& inputs, std::uint64_t seed);
  // Returns whether a backend refused the graph in the last run.
  bool wasRefused() const { return wasRefused_; }

 private:
  std::vector<Contender> contenders_;
  std::vector<Context> contexts_;
  bool wasRefused_ = false;
};

}  // namespace webnn::random
