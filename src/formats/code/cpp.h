#pragma once

#include "formats/code/writer.h"

namespace webnn::formats {

// Writes C++ for this library's public API: the function build() in the namespace `space`. Large graphs are split into several
// functions, because compilers take more than linear time per function.
class CppWriter : public CodeWriter {
 public:
  CppWriter(const GraphDefinition& graph, std::string_view weightsFile, std::string_view space);
  std::string write() override;

 protected:
  std::string text(std::string_view utf8) const override;
  std::string number(const Number& number) const override;
  std::string real(float value) const override;
  std::string enumerator(const Enumerator& value) const override;
  std::string sequence(const std::string& items) const override { return "{" + items + "}"; }
  std::string list(const ValueList& list) const override;
  std::string openSize(const std::string& expression) const override;
  std::string dimension(const std::string& name, std::uint32_t min, std::uint32_t max) const override;
  std::string parts(Parts parts) const override { return formatCount(parts.count); }
  std::string name(const Operand& operand) const override;

 private:
  static std::string formatCount(std::uint32_t count);
  std::string descriptor(const OperandDescriptor& descriptor) const;
  std::string constant(const Operand& constant) const;
  std::string define(const Operand& operand, const std::string& value) const;
  std::string statement(const Node& node) const;
  std::vector<std::string> statements() const;
  bool hasLists() const;
  std::string helpers();
  std::string operandList() const;
  std::string functions();

  std::string space_, count_;
  bool isLarge_;
  std::string body_;                    // the statements of build()
  std::vector<std::uint64_t> offsets_;  // offsets of constants in the weights file, indexed by operand
  std::uint64_t fileSize_ = 0;
};

}  // namespace webnn::formats
