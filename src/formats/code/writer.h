#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/code/call.h"
#include "formats/code/code.h"
#include "formats/code/identifiers.h"

namespace webnn::formats {

// Base of the program writers. A subclass spells text, numbers and calls in its language.
class CodeWriter {
 public:
  CodeWriter(const GraphDefinition& graph, std::string_view weightsFile);
  CodeWriter(const CodeWriter&) = delete;
  CodeWriter& operator=(const CodeWriter&) = delete;
  virtual ~CodeWriter() = default;

  virtual std::string write() = 0;
  const std::vector<NamedWeights>& weights() const { return weights_; }

 protected:
  virtual std::string text(std::string_view utf8) const = 0;  // a string literal with quotes
  virtual std::string number(const Number& number) const = 0;
  virtual std::string enumerator(const Enumerator& value) const { return text(value.name); }
  virtual std::string sequence(const std::string& items) const { return "[" + items + "]"; }
  virtual std::string list(const ValueList& list) const { return sequence(items(list)); }
  virtual std::string boolean(bool value) const { return value ? "true" : "false"; }
  virtual std::string parts(Parts parts) const { return std::to_string(parts.count); }
  virtual std::string real(float value) const = 0;
  virtual std::string name(const Operand& operand) const { return identifier(operand); }
  // Returns an open size, which `expression` defines, as an argument of a call.
  virtual std::string openSize(const std::string& expression) const { return text(expression); }
  // Returns the open dimension `name`, with its bounds, as an item of an input's shape.
  virtual std::string dimension(const std::string& name, std::uint32_t min, std::uint32_t max) const = 0;

  std::string value(const Value& value) const;
  std::string items(const ValueList& list) const;  // separated by ", "
  std::string element(DataType type, const Number& number) const;
  std::string shape(const Shape& shape) const;
  // Returns the shape of an input, whose sizes may be open.
  std::string inputShape(const Shape& shape) const;
  // Returns a comment line with the program's title, after the comment mark `mark`.
  std::string title(std::string_view mark) const;
  std::string addIdentifier(std::string_view name) { return unique_.add(name, name); }  // an identifier that no operand has
  const std::string& identifier(const Operand& operand) const { return identifiers_[operand.record().index]; }
  Call call(const Node& node) const { return callOf(node.operation, names_); }
  std::string weightsFile() const { return weightsFile_; }
  std::string weightName(const Operand& constant) const { return safetensorsKey(names_[constant.record().index], names_); }
  // Returns the elements of a small constant if they restore its bytes exactly; otherwise nullopt, and the constant is a weight.
  std::optional<std::vector<Number>> elements(const Operand& constant) const;
  bool isWeight(const Operand& constant) const { return isWeight_[constant.record().index]; }

  const GraphDefinition& graph_;
  const bool isOpen_;  // whether the graph has open dimensions; their handles belong to the current OpenSizes

 private:
  void nameOperands();

  Identifiers unique_;
  std::vector<std::string> names_;        // operand names as in graph files, indexed by operand
  std::vector<std::string> identifiers_;  // indexed by operand
  std::vector<bool> isWeight_;            // indexed by operand
  std::vector<NamedWeights> weights_;
  std::string weightsFile_;
};

// Returns a string literal in the quotes `quote`, with a backslash before quotes and backslashes. escape(code point) spells
// control and invisible characters, and those in `alsoEscaped`. Throws TypeError if the text is not UTF-8.
std::string literal(std::string_view text, char quote, const std::function<std::string(std::uint32_t)>& escape,
                    std::string_view alsoEscaped = {});

// Returns the shortest decimal that parses to this finite number, with a point or exponent if `hasPoint`.
std::string decimal(double value, bool hasPoint);
std::string decimal(float value, bool hasPoint);  // the decimal also gives `value` if parsed as double and then rounded

// Joins the items with ", ".
std::string joined(const std::vector<std::string>& items);

}  // namespace webnn::formats
