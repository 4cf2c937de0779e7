// Helpers for the tests of the C API.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "webnn/types.h"
#include "webnn/webnn.h"

namespace webnn::test {

inline WebnnStringView viewOf(std::string_view text) { return {text.data(), text.size()}; }
inline std::string textOf(WebnnStringView text) { return {text.data, text.length}; }
inline std::string messageOf(WebnnError error) { return textOf(webnnErrorGetMessage(error)); }

class CContext {
 public:
  explicit CContext(const char* backend = "reference",
                    WebnnUncapturedErrorCallbackInfo onError = WEBNN_UNCAPTURED_ERROR_CALLBACK_INFO_INIT) {
    EXPECT_EQ(webnnCreateInstance(nullptr, &instance, nullptr), WebnnStatus_Success);
    WebnnContextOptions options = WEBNN_CONTEXT_OPTIONS_INIT;
    options.backend = WEBNN_TEXT(backend);
    options.uncapturedErrorCallbackInfo = onError;
    WebnnError error = nullptr;
    EXPECT_EQ(webnnInstanceCreateContextSync(instance, &options, &context, &error), WebnnStatus_Success) << messageOf(error);
  }
  ~CContext() {
    webnnContextRelease(context);
    webnnInstanceRelease(instance);
  }
  CContext(const CContext&) = delete;

  WebnnGraphBuilder builder() const {
    WebnnGraphBuilder made = nullptr;
    EXPECT_EQ(webnnContextCreateGraphBuilder(context, &made, nullptr), WebnnStatus_Success);
    return made;
  }

  WebnnInstance instance = nullptr;
  WebnnContext context = nullptr;
};

inline WebnnOperandDescriptor cDescriptor(const OperandDescriptor& descriptor) {
  WebnnOperandDescriptor made = WEBNN_OPERAND_DESCRIPTOR_INIT;
  made.dataType = static_cast<WebnnOperandDataType>(static_cast<int>(descriptor.dataType) + 1);
  made.shape = {descriptor.shape.size(), descriptor.shape.data()};
  return made;
}

inline OperandDescriptor descriptorOf(WebnnOperand operand) {
  WebnnOperandDescriptor known = WEBNN_OPERAND_DESCRIPTOR_INIT;
  EXPECT_EQ(webnnOperandGetDescriptor(operand, &known, nullptr), WebnnStatus_Success);
  return {static_cast<DataType>(static_cast<int>(known.dataType) - 1),
          {known.shape.items, known.shape.items + known.shape.count}};
}

}  // namespace webnn::test
