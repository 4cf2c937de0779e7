// Removes batch normalizations with constant statistics, which compute (x - mean) * factor + shift, with a mean, a factor and a
// shift for each channel. Two passes do this: foldNormalizations puts factors and shifts into the weights of the preceding
// convolution, and lowerNormalizations replaces the other normalizations by element programs, which later fuse with the
// operations around them.
#include <cmath>

#include "base/progress.h"
#include "base/unaligned.h"
#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"
#include "ops/conv.h"

namespace webnn::compiler {

namespace {

struct ChannelForm {
  std::vector<double> mean, factor, shift;
};

bool isFloatConstant(const std::optional<Operand>& operand) { return !operand || (isConstant(*operand) && isFloat32(*operand)); }

// Returns the mean, factor and shift of each channel of a batch normalization; nullopt if the input is not float32, if a
// parameter is not a constant, or if the magnitude of a number is not safe for float32 arithmetic (1e30 or more, or for a factor
// other than 0, less than 1e-30).
std::optional<ChannelForm> formOf(const ops::BatchNormalization& op) {
  constexpr double kLargest = 1e30;
  const auto& options = op.options;
  if (!isFloat32(op.input) || !isFloatConstant(op.mean) || !isFloatConstant(op.variance) || !isFloatConstant(options.scale) ||
      !isFloatConstant(options.bias))
    return std::nullopt;
  ChannelForm form{constantNumbers(op.mean), constantNumbers(op.variance), {}};
  const std::size_t channels = form.mean.size();
  form.shift = options.bias ? constantNumbers(*options.bias) : std::vector<double>(channels);
  const std::vector<double> scale = options.scale ? constantNumbers(*options.scale) : std::vector<double>(channels, 1);
  for (std::size_t i = 0; i < channels; ++i) {
    form.factor[i] = scale[i] / std::sqrt(form.factor[i] + options.epsilon);
    const double size = std::fabs(form.factor[i]);
    if (!(std::fabs(form.mean[i]) < kLargest && std::fabs(form.shift[i]) < kLargest && size < kLargest) ||
        (size < 1 / kLargest && size != 0))
      return std::nullopt;
  }
  return form;
}

Operand constantOf(Module& module, Shape shape, const std::vector<double>& values) {
  const std::vector<float> floats(values.begin(), values.end());
  const std::span<const std::byte> bytes = std::as_bytes(std::span(floats));
  return module.constant({DataType::float32, std::move(shape)}, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

class Folder {
 public:
  Folder(Module& module, const PassOptions& options) : module_(module), patterns_(module), options_(options) {}

  void run() {
    bool isChanged = false;
    for (ModuleNode& node : module_.nodes) {
      const auto* norm = as<ops::BatchNormalization>(node.operation);
      const ModuleNode* made = norm && patterns_.isUsedOnce(norm->input) ? patterns_.producerOf(norm->input) : nullptr;
      if (!made) continue;
      std::optional<EngineOperation> folded;
      if (const auto* conv = as<ops::Conv2d>(made->operation)) folded = foldedInto(*conv, *norm);
      if (const auto* conv = as<ops::ConvTranspose2d>(made->operation)) folded = foldedInto(*conv, *norm);
      if (!folded) continue;
      addOrigins(node.origins, made->origins);
      node.operation = *std::move(folded);
      isChanged = true;
    }
    if (isChanged) eliminateDeadCode(module_, options_);
  }

 private:
  template <typename Conv>
  std::optional<EngineOperation> foldedInto(const Conv& conv, const ops::BatchNormalization& norm) {
    const bool isTransposed = std::is_same_v<Conv, ops::ConvTranspose2d>;
    if (norm.options.axis != ops::axesOf(conv.options.inputLayout).channel || (isTransposed && conv.options.groups > 1) ||
        !isFloatConstant(conv.filter) || !isFloatConstant(conv.options.bias))
      return std::nullopt;
    const std::optional<ChannelForm> form = formOf(norm);
    if (!form || !mayScale(conv.filter, form->factor)) return std::nullopt;
    const std::size_t channels = form->factor.size();
    const std::vector<double> before = conv.options.bias ? constantNumbers(*conv.options.bias) : std::vector<double>(channels);
    std::vector<double> bias(channels);
    for (std::size_t i = 0; i < channels; ++i) bias[i] = (before[i] - form->mean[i]) * form->factor[i] + form->shift[i];
    if (!std::ranges::all_of(bias, [](double value) { return std::fabs(value) < 0x1p96; })) return std::nullopt;
    Shape shape(4, 1);
    shape[ops::axesOf(conv.options.filterLayout).output] = static_cast<std::uint32_t>(channels);
    const Operand factor = constantOf(module_, std::move(shape), form->factor);
    const std::optional<Operand> filter =
        foldOperation(module_, ops::Binary{.kind = ops::BinaryKind::mul, .a = conv.filter, .b = factor}, options_);
    if (!filter) return std::nullopt;
    Conv changed = conv;
    changed.filter = *filter;
    changed.options.bias = constantOf(module_, {static_cast<std::uint32_t>(channels)}, bias);
    return EngineOperation(Operation(std::move(changed)));
  }

  // Returns whether products of the weights with the factors stay far from the ends of float32, so that the folded convolution
  // overflows only if the graph's operations do.
  static bool mayScale(const Operand& filter, const std::vector<double>& factors) {
    constexpr double kMost = 0x1p32;
    for (const double factor : factors) {
      const double size = std::fabs(factor);
      if (size > kMost || (size < 1 / kMost && size != 0)) return false;
    }
    const std::span<const std::byte> bytes = filter.record().bytes;
    if (!BudgetScope::current().spendCompileWork(bytes.size())) return false;
    Progress progress;
    bool areSmall = true;
    for (std::size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
      progress.count();
      areSmall &= std::fabs(loadUnaligned<float>(bytes.data() + i)) < 0x1p64F;  // false for NaN
    }
    return areSmall;
  }

  Module& module_;
  Patterns patterns_;
  const PassOptions& options_;
};

}  // namespace

void foldNormalizations(Module& module, const PassOptions& options) { Folder(module, options).run(); }

void lowerNormalizations(Module& module, const PassOptions&) {
  for (ModuleNode& node : module.nodes) {
    const auto* norm = as<ops::BatchNormalization>(node.operation);
    const std::optional<ChannelForm> form = norm ? formOf(*norm) : std::nullopt;
    if (!form) continue;
    Shape shape(norm->input.rank() - norm->options.axis, 1);
    shape[0] = norm->input.shape()[norm->options.axis];
    FusedElementwise program{.inputs = {norm->input}, .program = {}, .options = {.label = label(node.operation)}};
    for (const auto& row : {form->mean, form->factor, form->shift}) program.inputs.push_back(constantOf(module, shape, row));
    program.program = {.inputs = 4,
                       .instructions = {{.code = ElementCode::sub, .a = 0, .b = 1},
                                        {.code = ElementCode::mul, .a = 4, .b = 2},
                                        {.code = ElementCode::add, .a = 5, .b = 3}}};
    node.operation = EngineOperation(std::move(program));
  }
}

}  // namespace webnn::compiler
