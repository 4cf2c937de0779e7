// Coverage of random graphs: which features they had, and which features of the operation table none had.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_definition.h"

namespace webnn::random {

// Features by kind and name, with the number of graphs that had them:
// pair "conv2d > add.b": the producer of an operand; also "input" and "constant"
// type "add.b float16"
// rank "add.b 3"
// option "conv2d.strides": set to a non-default value
// output "reshape": a result that is an output
// same "add": an operation with the same value twice
// passes "fuseEpilogues + recognise": compiler passes that changed the graph, added by the caller
class Coverage {
 public:
  void add(const GraphDefinition& graph);
  void add(std::string_view kind, const std::string& name, std::uint64_t times = 1) { counts_[std::string(kind)][name] += times; }

  const std::map<std::string, std::map<std::string, std::uint64_t>>& counts() const { return counts_; }

  // Adds possible names of a kind beside the table's.
  void expect(std::string_view kind, std::vector<std::string> names) { expected_[std::string(kind)] = std::move(names); }

  // Returns a kind's names that the table allows but no graph had, without explained ones.
  std::vector<std::string> missing(std::string_view kind) const;
  // Returns their numbers and names as text.
  std::string text() const;

 private:
  std::map<std::string, std::map<std::string, std::uint64_t>> counts_;
  std::map<std::string, std::vector<std::string>> expected_;
};

// All names of a kind that the table allows.
std::vector<std::string> possible(std::string_view kind);

}  // namespace webnn::random
