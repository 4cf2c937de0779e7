// Shared by the program writers of all languages.
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

// A language's spelling of text and numbers.
class CodeWriter {
 public:
  CodeWriter(const GraphDefinition& graph, std::string_view weightsFile);
  CodeWriter(const CodeWriter&) = delete;
  CodeWriter& operator=(const CodeWriter&) = delete;
  virtual ~CodeWriter() = default;

  virtual std::string write() = 0;
  const std::vector<NamedWeights>& weights() const { return weights_; }

 protected:
  virtual std::string text(std::string_view utf8) const = 0;  // a string literal
  virtual std::string number(const Number& number) const = 0;
  virtual std::string enumerator(const Enumerator& value) const { return text(value.name); }
  virtual std::string list(const ValueList& list) const { return "[" + items(list) + "]"; }
  virtual std::string boolean(bool value) const { return value ? "true" : "false"; }
  virtual std::string parts(Parts parts) const { return std::to_string(parts.count); }
  virtual std::string real(float value) const = 0;
  virtual std::string name(const Operand& operand) const { return identifier(operand); }

  std::string value(const Value& value) const;
  std::string items(const ValueList& list) const;  // with ", " between them
  std::string element(DataType type, const Number& number) const;
  std::string shape(const Shape& shape) const;
  // Returns the comment with the program's title.
  std::string title(std::string_view mark) const;
  std::string addIdentifier(std::string_view name) { return unique_.add(name, name); }  // one that no operand has
  const std::string& identifier(const Operand& operand) const { return identifiers_[operand.record().index]; }
  Call call(const Node& node) const { return callOf(node.operation, names_); }
  std::string weightsFile() const { return weightsFile_; }
  std::string weightName(const Operand& constant) const { return safetensorsKey(names_[constant.record().index], names_); }
  // The elements of a constant that is small enough for the text, if they are its bytes again; all others are weights.
  std::optional<std::vector<Number>> elements(const Operand& constant) const;
  bool isWeight(const Operand& constant) const { return isWeight_[constant.record().index]; }

  const GraphDefinition& graph_;

 private:
  void nameOperands();

  Identifiers unique_;
  std::vector<std::string> names_;        // by the operand's index, as files have them
  std::vector<std::string> identifiers_;  // by the operand's index
  std::vector<bool> isWeight_;            // by the operand's index
  std::vector<NamedWeights> weights_;
  std::string weightsFile_;
};

// Returns a string literal in the quotes `quote`. escape(code point) escapes at least the quote, the backslash and invisible
// characters. Throws TypeError if the text is not UTF-8.
std::string literal(std::string_view text, char quote, const std::function<std::string(std::uint32_t)>& escape,
                    std::string_view alsoEscaped = {});

// Returns the shortest decimal that parses to this finite number, with a point or exponent if `hasPoint`.
std::string decimal(double value, bool hasPoint);
std::string decimal(float value, bool hasPoint);  // also parsed as double and then rounded

// The items with ", " between them.
std::string joined(const std::vector<std::string>& items);

}  // namespace webnn::formats
