#pragma once

#include "formats/code/writer.h"

namespace webnn::formats {

// Writes a JavaScript module for browsers and Node.js that builds the graph with the API of https://www.w3.org/TR/webnn/, except
// for open dimensions, which only the package for Node.js has.
class JavaScriptWriter : public CodeWriter {
 public:
  using CodeWriter::CodeWriter;
  std::string write() override;

 protected:
  std::string text(std::string_view utf8) const override;
  std::string number(const Number& number) const override;
  std::string real(float value) const override;
  std::string dimension(const std::string& name, std::uint32_t min, std::uint32_t max) const override;

 private:
  std::string constant(const Operand& constant) const;
  std::string statement(const Node& node) const;
};

}  // namespace webnn::formats
