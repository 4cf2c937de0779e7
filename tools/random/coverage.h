// Coverage of random graphs: counts features of the operation table that occurred, and lists features that did not occur.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_definition.h"

namespace webnn::random {

// Counts features by kind and name: how many graphs had each feature.
// pair "conv2d > add.b": producer and user of an operand; the producer may be "input" or "constant"
// type "add.b float16": type of an operand
// rank "add.b 3": rank of an operand
// option "conv2d.strides": an option with a non-default value
// output "reshape": a result that is an output of the graph
// same "add": an operation that uses a value twice
// passes "fuseEpilogues + recognise": a compiler pass, or two of them, that changed the graph; added by the caller
class Coverage {
 public:
  void add(const GraphDefinition& graph);
  void add(std::string_view kind, const std::string& name, std::uint64_t times = 1) { counts_[std::string(kind)][name] += times; }

  const std::map<std::string, std::map<std::string, std::uint64_t>>& counts() const { return counts_; }

  // Sets the possible names of a kind that the operation table does not determine.
  void expect(std::string_view kind, std::vector<std::string> names) { expected_[std::string(kind)] = std::move(names); }

  // Returns the names of a kind that are possible (see possible() and expect()) but occurred in no graph.
  std::vector<std::string> missing(std::string_view kind) const;
  // Returns the numbers and the missing names of all kinds as text.
  std::string text() const;

 private:
  std::map<std::string, std::map<std::string, std::uint64_t>> counts_;
  std::map<std::string, std::vector<std::string>> expected_;
};

// Returns all names of a kind that the operation table allows.
std::vector<std::string> possible(std::string_view kind);

}  // namespace webnn::random
