#pragma once

#include "formats/code/writer.h"

namespace webnn::formats {

// Writes a Python module that uses the package webnn.
class PythonWriter : public CodeWriter {
 public:
  using CodeWriter::CodeWriter;
  std::string write() override;

 protected:
  std::string text(std::string_view utf8) const override;
  std::string number(const Number& number) const override;
  std::string real(float value) const override;
  std::string dimension(const std::string& name, std::uint32_t min, std::uint32_t max) const override;
  std::string boolean(bool value) const override { return value ? "True" : "False"; }

 private:
  std::string constant(const Operand& constant) const;
  std::string statement(const Node& node) const;
};

}  // namespace webnn::formats
