// Verifies that an ONNX model computes its recorded outputs.
#pragma once

#include <string>
#include <vector>

#include "cli/verify/verify_data.h"
#include "webnn/context.h"

namespace webnn::cli {

// The tolerance: |actual - expected| <= atol + rtol * |expected| for floats, with NaN equal to NaN; integers and booleans are
// exact. Types and shapes must be equal.
struct VerifyRules {
  double rtol = 1e-3, atol = 1e-7;  // as ONNX's own tests
  double halfRtol = 1e-2;           // of float16
  bool exports = false;             // also through an ONNX file of our own
};

enum class VerifyOutcome {
  passed,
  inexpressible,  // WebNN cannot express the model
  failed,
};

struct Verdict {
  VerifyOutcome outcome = VerifyOutcome::passed;
  std::string message;             // why not
  std::vector<std::string> notes;  // changes that were necessary to run it
};

// Loads the model for each data set, whose shapes fix its dynamic dimensions, runs it and compares.
Verdict verifyModel(Context& context, const ModelTest& test, const VerifyRules& rules);

// Why an output differs, for instance "[3] is 1, expected 2"; empty if it does not.
std::string differenceOf(const RecordedTensor& actual, const RecordedTensor& expected, const VerifyRules& rules);

}  // namespace webnn::cli
