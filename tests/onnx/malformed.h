// Models with inconsistent nodes.
#pragma once

#include "onnx/imported.h"

namespace webnn::test::onnx {

// A model, and texts that its error must contain.
struct MalformedCase {
  Runnable runnable;
  std::vector<std::string> parts;
};

inline void expectMalformed(const std::vector<MalformedCase>& cases) {
  for (const MalformedCase& one : cases) {
    SCOPED_TRACE(one.parts[0]);
    Context context = makeContext();
    expectError(ErrorKind::dataError, one.parts, [&] { import(context, one.runnable.model); });
  }
}

}  // namespace webnn::test::onnx
