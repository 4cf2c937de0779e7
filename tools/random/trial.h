// Runs a graph on backends in every way that must give equal results: repeatedly, with other buffers, with other numbers of
// threads, and concurrently.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random/agreement.h"
#include "webnn/context.h"

namespace webnn::random {

// Backends under test. They may differ from the reference by rounding; those of one group must be bit-identical.
struct Contender {
  std::string name;  // for messages
  std::size_t group = 0;
  ContextOptions options;
  bool mayRefuse = false;  // graphs that it cannot run
};

// Contexts of contenders.
class Trial {
 public:
  explicit Trial(std::vector<Contender> contenders);

  // Returns the error in their results, or nothing. A backend may refuse to build or run a graph by an Error, unless it must run
  // all graphs.
  std::optional<std::string> run(const Graph& graph, const std::vector<Bytes>& inputs, std::uint64_t seed);
  // Returns whether a backend refused the last run.
  bool wasRefused() const { return wasRefused_; }

 private:
  std::vector<Contender> contenders_;
  std::vector<Context> contexts_;
  bool wasRefused_ = false;
};

}  // namespace webnn::random
