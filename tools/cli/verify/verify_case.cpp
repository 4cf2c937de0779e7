#include "cli/verify/verify_case.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/diff/diff_bisect.h"
#include "cli/elements.h"
#include "onnx/program/elements.h"
#include "onnx/program/host_node.h"
#include "onnx/read/import.h"
#include "onnx/read/model.h"
#include "webnn/formats.h"
#include "webnn/session.h"

namespace webnn::cli {

namespace {

namespace fs = std::filesystem;

fs::path folderOf(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

// The model's inputs and outputs in the order of the data sets' files.
struct Interface {
  struct Input {
    std::string name;
    bool isTensor = true;
    std::vector<std::string> dimensions = {};  // indexed by axis: name of the open dimension; "" if the size is fixed
  };
  std::vector<Input> inputs;
  std::vector<std::string> outputs;
  std::vector<RecordedForm> inputForms, outputForms;
  bool isRandom = false;  // the model draws random numbers, so recorded results cannot match
};

bool isRandom(const formats::onnx::Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const formats::onnx::NodeProto& node) {
    const auto isInside = [](const formats::onnx::Attribute& attribute) { return attribute.g && isRandom(*attribute.g); };
    return node.opType.starts_with("Random") || node.opType == "Bernoulli" ||
           (node.opType == "Dropout" && node.inputs.size() > 2) || node.opType == "Multinomial" ||
           std::ranges::any_of(node.attributes, isInside);
  });
}

RecordedForm formOf(const formats::onnx::ValueInfo& value) {
  if (value.kind == formats::onnx::ValueInfo::Kind::optional) return RecordedForm::optional;
  return value.kind == formats::onnx::ValueInfo::Kind::sequence ? RecordedForm::sequence : RecordedForm::tensor;
}

Interface interfaceOf(const ExternalBytes& file) {
  const formats::onnx::Model model = formats::onnx::readModel(file, {});
  std::set<std::string_view> weights;  // old models list initializers as inputs too
  for (const auto& tensor : model.graph.initializers) weights.insert(tensor.name);
  Interface result;
  for (const auto& input : model.graph.inputs) {
    if (weights.contains(input.name)) continue;
    Interface::Input read{std::string(input.name), input.kind == formats::onnx::ValueInfo::Kind::tensor};
    if (input.shape) {
      for (const formats::onnx::Dimension& dimension : *input.shape) {
        const std::string unnamed = formatText("{}.{}", input.name, read.dimensions.size());
        read.dimensions.push_back(dimension.value               ? std::string()
                                  : dimension.parameter.empty() ? unnamed
                                                                : std::string(dimension.parameter));
      }
    }
    result.inputs.push_back(std::move(read));
    result.inputForms.push_back(formOf(input));
  }
  result.isRandom = isRandom(model.graph);
  for (const auto& output : model.graph.outputs) {
    result.outputs.emplace_back(output.name);
    result.outputForms.push_back(formOf(output));
  }
  return result;
}

// Returns the sizes of open dimensions, taken from the recorded inputs.
std::map<std::string, std::uint32_t> dimensionsFrom(const Interface& interface, const std::vector<RecordedTensor>& inputs) {
  std::map<std::string, std::uint32_t> dimensions;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<std::string>& names = interface.inputs[i].dimensions;
    const Shape& shape = inputs[i].descriptor.shape;
    if (names.size() != shape.size()) continue;  // the rank is unknown or wrong; a wrong rank is reported later
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (names[axis].empty()) continue;
      if (shape[axis] == 0)
        fail(ErrorKind::notSupportedError, "a recorded input has no elements, and WebNN has no empty tensors.");
      const auto [known, isNew] = dimensions.emplace(names[axis], shape[axis]);
      if (!isNew && known->second != shape[axis]) {
        fail(ErrorKind::dataError, "the recorded inputs give the dimension {} the sizes {} and {}.", webnn::quoted(names[axis]),
             known->second, shape[axis]);
      }
    }
  }
  return dimensions;
}

class Verification {
 public:
  Verification(Context& context, const ModelTest& test, const VerifyRules& rules)
      : context_(context), test_(test), rules_(rules), file_(mapFile(test.model)), interface_(interfaceOf(file_)) {}

  Verdict run() {
    if (test_.dataSets.empty()) failed("there is no data set beside it");
    for (const fs::path& dataSet : test_.dataSets) {
      if (verdict_.outcome == VerifyOutcome::passed) runDataSet(dataSet);
    }
    return verdict_;
  }

 private:
  void failed(std::string message) { verdict_ = {VerifyOutcome::failed, std::move(message), std::move(verdict_.notes)}; }
  void failed(const Error& error) {
    failed(std::string(error.what()));
    if (error.kind() == ErrorKind::notSupportedError) verdict_.outcome = VerifyOutcome::inexpressible;
  }

  void runDataSet(const fs::path& dataSet) {
    const std::string place = dataSet.filename().string() + ": ";
    const std::optional<Graph> graph = loadFor(dataSet);
    if (!graph) return runAsProgram(dataSet);
    const std::vector<RecordedTensor> expected = readRecorded(dataSet, "output");
    if (expected.size() != interface_.outputs.size()) {
      return failed(
          formatText("{}there are {} recorded outputs, but the model has {}", place, expected.size(), interface_.outputs.size()));
    }
    const std::vector<NamedBytes> actual = compute(*graph);
    if (const std::string difference = compareOutputs(actual, expected); !difference.empty()) return failed(place + difference);
    if (!rules_.exports) return;
    std::vector<NamedBytes> again = compute(throughFile(*graph));
    for (std::size_t i = 0; i < again.size(); ++i) again[i].name = actual[i].name;  // the export keeps the order of outputs
    if (const std::string difference = compareOutputs(again, recordedFrom(actual)); !difference.empty()) {
      failed(place + "once exported, " + difference);
    }
  }

  // Runs the model as several graphs if no single graph can hold it.
  void runAsProgram(const fs::path& dataSet) {
    const bool isReadable = inputs_.size() == interface_.inputs.size();
    if (verdict_.outcome != VerifyOutcome::inexpressible || !isReadable) return;
    if (interface_.isRandom)
      return failed(Error(ErrorKind::notSupportedError, "its recorded results are another generator's random numbers."));
    std::map<std::string, ArrayView> inputs;
    for (std::size_t i = 0; i < inputs_.size(); ++i) inputs.emplace(interface_.inputs[i].name, inputs_[i]);
    std::map<std::string, Array> outputs;
    std::vector<RecordedTensor> expected;
    try {
      outputs = Session::load(context_, test_.model).run(inputs);
      expected = readRecorded(dataSet, "output", interface_.outputForms);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::notSupportedError) return;
      return failed(error);
    }
    verdict_ = {VerifyOutcome::passed, {}, {"runs as several graphs"}};
    if (const std::string difference = compareOutputs(outputs, expected); !difference.empty())
      failed(dataSet.filename().string() + ": " + difference);
  }

  // Loads the graph for a data set. Inputs become constants if shapes depend on their values. If the graph cannot be loaded, sets
  // the verdict and returns nullopt.
  std::optional<Graph> loadFor(const fs::path& dataSet) {
    inputs_.clear();
    std::optional<Error> unreadable;  // kept, because loading the model may give a better reason
    try {
      inputs_ = readRecorded(dataSet, "input", interface_.inputForms);
      for (const Interface::Input& input : interface_.inputs) {
        if (!input.isTensor)
          fail(ErrorKind::notSupportedError, "input {} is no tensor, and WebNN has tensors only.", webnn::quoted(input.name));
      }
    } catch (const Error& error) {
      unreadable = error;
    }
    if (!unreadable && inputs_.size() != interface_.inputs.size()) {
      failed(formatText("there are {} recorded inputs, but the model has {}", inputs_.size(), interface_.inputs.size()));
      return std::nullopt;
    }
    try {
      LoadOptions options;
      options.dimensions = dimensionsFrom(interface_, inputs_);
      Graph graph = loadFixing(options);
      if (!unreadable) return graph;
      failed(*unreadable);
    } catch (const Error& error) {
      failed(unreadable && error.kind() != ErrorKind::notSupportedError ? *unreadable : error);
    }
    return std::nullopt;
  }

  Graph loadFixing(LoadOptions& options) {
    while (true) {
      try {
        return formats::onnx::importModel(context_, file_, folderOf(test_.model), options);
      } catch (const formats::onnx::ValuesNeeded& needed) {
        if (!fix(needed.inputs(), options)) throw;
      }
    }
  }

  // Adds the named inputs' values to the load options. Returns whether any was new.
  bool fix(const std::vector<std::string>& names, LoadOptions& options) {
    bool changed = false;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const std::string& name = interface_.inputs[i].name;
      if (std::ranges::find(names, name) == names.end()) continue;
      if (!options.values.emplace(name, inputs_[i].bytes).second) continue;
      verdict_.notes.push_back(formatText("the value of input {} is fixed, as shapes depend on it", webnn::quoted(name)));
      changed = true;
    }
    return changed;
  }

  std::vector<NamedBytes> compute(const Graph& graph) {
    std::vector<NamedBytes> inputs;
    for (const auto& [name, descriptor] : graph.inputs()) {
      const auto found = std::ranges::find(interface_.inputs, name, &Interface::Input::name);
      if (found == interface_.inputs.end())
        fail(ErrorKind::dataError, "the graph has an input {} that the model has not.", webnn::quoted(name));
      const RecordedTensor& recorded = inputs_[static_cast<std::size_t>(found - interface_.inputs.begin())];
      if (recorded.descriptor != descriptor || recorded.elementType != webnn::onnx::ElementType::undefined) {
        fail(ErrorKind::dataError, "input {} is recorded as {}, but is {}.", webnn::quoted(name), toString(recorded.descriptor),
             toString(descriptor));
      }
      inputs.push_back({name, descriptor, recorded.bytes});
    }
    return runOnce(context_, graph, inputs);
  }

  std::string compareOutputs(const std::vector<NamedBytes>& actual, const std::vector<RecordedTensor>& expected) const {
    std::map<std::string, Array> arrays;
    for (const NamedBytes& output : actual) arrays[output.name] = {output.descriptor, output.bytes};
    return compareOutputs(arrays, expected);
  }

  std::string compareOutputs(const std::map<std::string, Array>& actual, const std::vector<RecordedTensor>& expected) const {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto found = actual.find(interface_.outputs[i]);
      if (found == actual.end()) return formatText("output {} is missing", webnn::quoted(interface_.outputs[i]));
      const std::string difference = differenceOf(found->second, expected[i], rules_);
      if (!difference.empty()) return formatText("output {}{}", webnn::quoted(interface_.outputs[i]), difference);
    }
    return {};
  }

  // Returns the outputs as recorded tensors, in the order of the model's outputs.
  std::vector<RecordedTensor> recordedFrom(const std::vector<NamedBytes>& actual) const {
    std::vector<RecordedTensor> recorded;
    for (const std::string& name : interface_.outputs) {
      const auto found = std::ranges::find(actual, name, &NamedBytes::name);
      recorded.push_back({found->descriptor, found->bytes});
    }
    return recorded;
  }

  // Writes the graph as an ONNX file and loads the file.
  Graph throughFile(const Graph& graph) {
    std::error_code error;
    const fs::path folder = makeTemporaryFolder("webnn-verify-", error);
    if (error) fail(ErrorKind::operationError, "no temporary folder can be made.");
    struct Remove {
      fs::path folder;
      ~Remove() {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
      }
    } const remove{folder};
    const fs::path model = remove.folder / "model.onnx";
    save(graph, model, {.graph = GraphFormat::onnx});
    return formats::onnx::importModel(context_, mapFile(model, FileAccess::read), remove.folder, {});
  }

  Context& context_;
  const ModelTest& test_;
  const VerifyRules& rules_;
  ExternalBytes file_;
  Interface interface_;
  std::vector<RecordedTensor> inputs_;
  Verdict verdict_;
};

// Returns the number of elements, which may be 0.
std::size_t countOf(const RecordedTensor& tensor) { return tensor.bytes.empty() ? 0 : elementCount(tensor.descriptor); }

// Returns an upper bound of the error that rounding adds to a sum as large as the largest element: half the distance to the next
// float.
double roundingOf(const RecordedTensor& expected) {
  double largest = 0;
  const DataType type = expected.descriptor.dataType;
  if (!isFloat(type)) return 0;
  for (std::size_t i = 0; i < countOf(expected); ++i) {
    const double value = std::fabs(elementAt(type, expected.bytes, i).toDouble());
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return std::ldexp(largest, type == DataType::float16 ? -11 : -24);
}

bool isClose(DataType type, const Number& actual, const Number& expected, double rounding, const VerifyRules& rules) {
  if (!isFloat(type)) return actual == expected;
  const double a = actual.toDouble(), b = expected.toDouble();
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return std::fabs(a - b) <=
         std::max(rules.atol, rounding) + (type == DataType::float16 ? rules.halfRtol : rules.rtol) * std::fabs(b);
}

using webnn::onnx::ElementType;

std::string typeText(const RecordedTensor& tensor) {
  if (tensor.elementType == ElementType::undefined) return toString(tensor.descriptor);
  return formatText("{} {}", webnn::onnx::name(tensor.elementType), toString(tensor.descriptor.shape));
}

// Returns the relative tolerance of a type that WebNN lacks; 0 for integers, and for floats of 8 and fewer bits, which must be
// exact. bfloat16 has 3 bits of precision less than float16; 0.02 is 2.6 to 5.1 of its units in the last place.
double toleranceOf(ElementType type, const VerifyRules& rules) {
  return type == ElementType::float64 ? rules.rtol : type == ElementType::bfloat16 ? std::max(rules.halfRtol, 0.02) : 0;
}

std::string foreignDifference(const RecordedTensor& actual, const RecordedTensor& expected, const VerifyRules& rules) {
  for (std::size_t i = 0; i < expected.strings.size(); ++i) {
    if (actual.strings[i] == expected.strings[i]) continue;
    return formatText("[{}] is {}, expected {}", i, webnn::quoted(actual.strings[i]), webnn::quoted(expected.strings[i]));
  }
  const ElementType type = expected.elementType;
  if (type == ElementType::string) return {};
  const std::size_t count = formats::onnx::elementCount({expected.descriptor.shape.begin(), expected.descriptor.shape.end()});
  const std::vector<double> a = formats::onnx::toNumbers(type, actual.bytes, count),
                            b = formats::onnx::toNumbers(type, expected.bytes, count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool isSame = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    const double tolerance = toleranceOf(type, rules);
    if (!isSame && !(std::fabs(a[i] - b[i]) <= tolerance * std::fabs(b[i]) + (tolerance == 0 ? 0 : rules.atol)))
      return formatText("[{}] is {}, expected {}", i, a[i], b[i]);
  }
  return {};
}

}  // namespace

std::string differenceOf(const RecordedTensor& actual, const RecordedTensor& expected, const VerifyRules& rules) {
  if (expected.isNone != actual.isNone) return actual.isNone ? " has no value, expected one" : " has a value, expected none";
  if (expected.isNone) return {};
  if (expected.isSequence || actual.isSequence) {
    if (actual.isSequence != expected.isSequence || actual.elements.size() != expected.elements.size())
      return formatText(" is {} of {} tensors, expected {}", actual.isSequence ? "a sequence" : "no sequence",
                        actual.elements.size(), expected.elements.size());
    for (std::size_t i = 0; i < expected.elements.size(); ++i) {
      const std::string difference = differenceOf(actual.elements[i], expected.elements[i], rules);
      if (!difference.empty()) return formatText("[{}]{}", i, difference);
    }
    return {};
  }
  const OperandDescriptor& descriptor = expected.descriptor;
  if (actual.descriptor != descriptor || actual.elementType != expected.elementType)
    return formatText(" is {}, expected {}", typeText(actual), typeText(expected));
  if (expected.elementType != ElementType::undefined) return foreignDifference(actual, expected, rules);
  const std::size_t count = countOf(expected);
  const double rounding = roundingOf(expected);
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t i = 0; i < count; ++i) {
    const Number a = elementAt(descriptor.dataType, actual.bytes, i), b = elementAt(descriptor.dataType, expected.bytes, i);
    if (isClose(descriptor.dataType, a, b, rounding, rules)) continue;
    if (wrong++ == 0) {
      first = formatText("[{}] is {}, expected {}", i, elementText(descriptor.dataType, a), elementText(descriptor.dataType, b));
    }
  }
  if (wrong <= 1) return first;
  return formatText("{} ({} of {} elements differ)", first, wrong, count);
}

Verdict verifyModel(Context& context, const ModelTest& test, const VerifyRules& rules) {
  try {
    return Verification(context, test, rules).run();
  } catch (const std::bad_alloc&) {
    return {VerifyOutcome::failed, "there is not enough memory", {}};
  } catch (const std::exception& error) {
    return {VerifyOutcome::failed, error.what(), {}};
  }
}

}  // namespace webnn::cli
