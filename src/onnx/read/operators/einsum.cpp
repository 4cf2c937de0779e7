// Imports Einsum. Multiplies two terms at a time, by matrix products.
#include <algorithm>
#include <map>
#include <string>

#include "onnx/read/node_context.h"
#include "onnx/read/operators/matmul.h"
#include "onnx/read/operators/window.h"

namespace webnn::formats::onnx {

namespace {

// Identifies a dimension: its letter, or 256 plus its position in the ellipsis, counted from the last.
using Label = int;
using Labels = std::vector<Label>;

constexpr Label kEllipsis = 256;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool has(const Labels& labels, Label label) { return std::ranges::find(labels, label) != labels.end(); }

// Parses a term's labels. Its ellipsis stands for `ellipsisRank` dimensions.
Labels parseTerm(std::string_view text, std::size_t ellipsisRank) {
  Labels labels;
  bool seen = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "..." && !seen) {
      for (std::size_t d = ellipsisRank; d-- > 0;) labels.push_back(kEllipsis + static_cast<Label>(d));
      seen = true;
      i += 2;
    } else if (isLetter(text[i])) {
      labels.push_back(static_cast<unsigned char>(text[i]));
    } else {
      fail(ErrorKind::dataError, "the term {} of the equation is neither letters nor one ellipsis.", webnn::quoted(text));
    }
  }
  return labels;
}

// A factor of the equation; labels[d] is the label of dimension d.
struct EinsumTerm {
  Operand operand;
  Labels labels;
};

struct Equation {
  std::vector<EinsumTerm> terms;
  Labels output;
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(separator)) != std::string_view::npos; text.remove_prefix(end + 1)) {
    parts.push_back(text.substr(0, end));
  }
  parts.push_back(text);
  return parts;
}

// Returns the result's labels if the equation has none: the ellipsis, then in sorted order the letters that occur once.
Labels implicitOutput(const std::vector<EinsumTerm>& terms) {
  std::map<Label, int> counts;
  for (const EinsumTerm& term : terms) {
    for (Label label : term.labels) ++counts[label];
  }
  Labels output;
  for (auto at = counts.rbegin(); at != counts.rend(); ++at) {
    if (at->first >= kEllipsis) output.push_back(at->first);
  }
  for (const auto& [label, count] : counts) {
    if (label < kEllipsis && count == 1) output.push_back(label);
  }
  return output;
}

Equation parse(NodeContext& node) {
  std::string text(node.text("equation", ""));
  std::erase(text, ' ');
  const std::size_t arrow = text.find("->");
  const std::vector<std::string_view> parts = split(std::string_view(text).substr(0, arrow), ',');
  if (parts.size() != node.inputCount()) {
    fail(ErrorKind::dataError, "the equation has {} terms, and there are {} inputs.", parts.size(), node.inputCount());
  }
  Equation equation;
  std::size_t ellipsisRank = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Operand operand = node.operand(i);
    const bool hasEllipsis = parts[i].find("...") != std::string_view::npos;
    const std::size_t letters = parts[i].size() - (hasEllipsis ? 3 : 0), rank = operand.rank();
    if (hasEllipsis ? rank < letters : rank != letters) {
      fail(ErrorKind::dataError, "the term {} of the equation does not fit an input of rank {}.", webnn::quoted(parts[i]), rank);
    }
    equation.terms.push_back({operand, parseTerm(parts[i], rank - letters)});
    if (hasEllipsis) ellipsisRank = std::max(ellipsisRank, rank - letters);
  }
  equation.output = arrow == std::string::npos ? implicitOutput(equation.terms)
                                               : parseTerm(std::string_view(text).substr(arrow + 2), ellipsisRank);
  return equation;
}

// Replaces two dimensions by their diagonal, which becomes the last dimension. The diagonal is every (size + 1)-th element if
// both dimensions are flattened into one.
void takeDiagonal(NodeContext& node, EinsumTerm& term, std::size_t first, std::size_t second) {
  const Shape shape = term.operand.shape();
  const std::uint32_t size = shape[first];
  if (shape[second] != size) {
    fail(ErrorKind::dataError, "dimensions of one letter have the sizes {} and {}.", size, shape[second]);
  }
  std::vector<std::uint32_t> permutation;
  Shape flat, strides;
  Labels labels;
  for (std::uint32_t i = 0; i < shape.size(); ++i) {
    if (i == first || i == second) continue;
    permutation.push_back(i);
    flat.push_back(shape[i]);
    strides.push_back(1);
    labels.push_back(term.labels[i]);
  }
  permutation.push_back(static_cast<std::uint32_t>(first));
  permutation.push_back(static_cast<std::uint32_t>(second));
  labels.push_back(term.labels[first]);
  flat.push_back(size * size);  // no overflow: at most the operand's element count
  strides.push_back(size + 1);
  const Operand flattened = node.reshape(node.transpose(term.operand, permutation), flat);
  term.operand = node.builder.slice(flattened, Shape(flat.size()), flat, {.strides = strides, .label = {}});
  term.labels = labels;
}

void takeDiagonals(NodeContext& node, EinsumTerm& term) {
  for (std::size_t first = 0; first < term.labels.size(); ++first) {
    for (std::size_t second = first + 1; second < term.labels.size(); ++second) {
      if (term.labels[first] != term.labels[second]) continue;
      takeDiagonal(node, term, first, second);
      return takeDiagonals(node, term);  // repeat with one dimension less
    }
  }
}

// Sums over the dimensions for which `keeps(label)` is false.
void sumOthers(NodeContext& node, EinsumTerm& term, auto keeps) {
  std::vector<std::uint32_t> axes;
  Labels kept;
  for (std::uint32_t i = 0; i < term.labels.size(); ++i) {
    keeps(term.labels[i]) ? kept.push_back(term.labels[i]) : axes.push_back(i);
  }
  if (axes.empty()) return;
  const DataType type = term.operand.dataType();
  const bool isNarrow = type == DataType::int8 || type == DataType::uint8;  // reduceSum takes no 8-bit integers
  const Operand wide = node.cast(term.operand, isNarrow ? DataType::int32 : type);
  term.operand = node.cast(node.builder.reduceSum(wide, {.axes = axes, .label = {}}), type);
  term.labels = kept;
}

// Transposes the operand to the order of `groups` and reshapes each group of labels to one dimension.
Operand grouped(NodeContext& node, const EinsumTerm& term, std::initializer_list<const Labels*> groups) {
  std::vector<std::uint32_t> permutation;
  Shape shape;
  for (const Labels* group : groups) {
    std::uint32_t size = 1;
    for (Label label : *group) {
      permutation.push_back(static_cast<std::uint32_t>(std::ranges::find(term.labels, label) - term.labels.begin()));
      size *= term.operand.shape()[permutation.back()];
    }
    shape.push_back(size);
  }
  return node.reshape(node.transpose(term.operand, permutation), shape);
}

// If `label` has size 1 in one term only, expands that dimension to the size in the other term.
void broadcastLabel(NodeContext& node, EinsumTerm& a, EinsumTerm& b, Label label) {
  const auto axisA = std::ranges::find(a.labels, label) - a.labels.begin(),
             axisB = std::ranges::find(b.labels, label) - b.labels.begin();
  const std::uint32_t sizeA = a.operand.shape()[axisA], sizeB = b.operand.shape()[axisB];
  if (sizeA == sizeB) return;
  if (sizeA != 1 && sizeB != 1) fail(ErrorKind::dataError, "dimensions of one letter have the sizes {} and {}.", sizeA, sizeB);
  EinsumTerm& smaller = sizeA == 1 ? a : b;
  Shape shape = smaller.operand.shape();
  shape[sizeA == 1 ? axisA : axisB] = std::max(sizeA, sizeB);
  smaller.operand = node.expand(smaller.operand, shape);
}

// Multiplies two terms and sums over shared labels for which `keeps(label)` is false.
EinsumTerm contract(NodeContext& node, EinsumTerm a, EinsumTerm b, auto keeps) {
  Labels batch, depth, rows, columns;
  for (Label label : a.labels) {
    if (!has(b.labels, label)) {
      rows.push_back(label);
      continue;
    }
    (keeps(label) ? batch : depth).push_back(label);
    broadcastLabel(node, a, b, label);
  }
  for (Label label : b.labels) {
    if (!has(a.labels, label)) columns.push_back(label);
  }
  Shape shape;
  Labels labels;
  const auto append = [&](const EinsumTerm& term, const Labels& group) {
    for (Label label : group) {
      labels.push_back(label);
      shape.push_back(term.operand.shape()[std::ranges::find(term.labels, label) - term.labels.begin()]);
    }
  };
  append(a, batch);
  append(a, rows);
  append(b, columns);
  const Operand product =
      multiplyMatrices(node, grouped(node, a, {&batch, &rows, &depth}), grouped(node, b, {&batch, &depth, &columns}));
  return {node.reshape(product, shape), labels};
}

void importEinsum(NodeContext& node) {
  Equation equation = parse(node);
  const Labels& output = equation.output;
  std::vector<EinsumTerm>& terms = equation.terms;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const bool isKnown = std::ranges::any_of(terms, [&](const EinsumTerm& term) { return has(term.labels, output[i]); });
    if (!isKnown || std::ranges::count(output, output[i]) > 1) {
      fail(ErrorKind::dataError, "the equation's result has a letter twice, or one that no term has.");
    }
  }
  for (EinsumTerm& term : terms) takeDiagonals(node, term);
  EinsumTerm result = terms[0];
  for (std::size_t i = 0; i < terms.size(); ++i) {
    // A label is needed after this product if the result or a later term has it.
    const auto keepsAfter = [&](std::size_t next) {
      return [&, next](Label label) {
        return has(output, label) || std::any_of(terms.begin() + static_cast<std::ptrdiff_t>(next), terms.end(),
                                                 [&](const EinsumTerm& term) { return has(term.labels, label); });
      };
    };
    if (i == 0) {
      sumOthers(node, result, keepsAfter(1));
      continue;
    }
    EinsumTerm next = terms[i];
    const auto keeps = keepsAfter(i + 1);
    sumOthers(node, next, [&](Label label) { return has(result.labels, label) || keeps(label); });
    result = contract(node, std::move(result), std::move(next), keeps);
    sumOthers(node, result, keeps);
  }
  std::vector<std::uint32_t> permutation;
  for (Label label : output) {
    permutation.push_back(static_cast<std::uint32_t>(std::ranges::find(result.labels, label) - result.labels.begin()));
  }
  node.set(0, node.transpose(result.operand, permutation));
}

}  // namespace

std::span<const OperatorImport> einsumOperators() {
  static constexpr OperatorImport kOperators[]{{"", "Einsum", importEinsum}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
