// Verifies that an ONNX model computes its recorded outputs.
#pragma once

#include <string>
#include <vector>

#include "cli/verify/verify_data.h"
#include "webnn/context.h"

namespace webnn::cli {

// Tolerance for floats: |actual - expected| <= max(atol, r) + rtol * |expected|, with r the rounding error of the largest
// expected element. NaN equals NaN. Integers, booleans, types and shapes must be equal.
struct VerifyRules {
  double rtol = 1e-3, atol = 1e-7;  // the tolerance of ONNX's own tests
  double halfRtol = 1e-2;           // rtol for float16
  bool exports = false;             // whether to test the graph also after export to ONNX and import
};

enum class VerifyOutcome {
  passed,
  inexpressible,  // WebNN cannot express the model
  failed,
};

struct Verdict {
  VerifyOutcome outcome = VerifyOutcome::passed;
  std::string message;             // reason if not passed
  std::vector<std::string> notes;  // changes that were necessary to run the model
};

// Loads the model for each data set, because the data set's shapes give the open dimensions their sizes. Runs the model and
// compares the outputs.
Verdict verifyModel(Context& context, const ModelTest& test, const VerifyRules& rules);

// Returns the first difference, such as "[3] is 1, expected 2"; empty if there is none.
std::string differenceOf(const RecordedTensor& actual, const RecordedTensor& expected, const VerifyRules& rules);

}  // namespace webnn::cli
