// Fuzzes runs of ONNX models with several sizes of their open dimensions: as sessions, and cut into sections.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

#include "base/text.h"
#include "formats/graph_source.h"
#include "import_onnx.h"
#include "onnx/program/program.h"
#include "webnn/session.h"

namespace {

using namespace webnn;
namespace model = formats::onnx;

constexpr std::uint64_t kMostBytes = 1 << 16;  // maximum number of elements of one input
constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20;
constexpr std::size_t kRuns = 5;

LoadOptions limited() {
  LoadOptions options;
  options.limits = {.maxMemory = kMostMemory,
                    .maxOperations = 4096,
                    .maxElements = 1 << 22,
                    .maxCompileWork = 1 << 22,
                    .maxTime = std::chrono::milliseconds(200)};
  return options;
}

// Returns the size of an open dimension in a run. All but the first dimension grow by 1 in each run. In the last run, all
// dimensions are 0 or 1 instead.
std::uint32_t sizeOf(std::size_t dimension, std::size_t run) {
  if (run + 1 == kRuns) return static_cast<std::uint32_t>(dimension % 2);
  return static_cast<std::uint32_t>(1 + dimension % 3 + (dimension == 0 ? 0 : run));
}

// The inputs of one run, in memory of their own.
class Feed {
 public:
  Feed(const Session& session, std::size_t run) {
    std::map<std::string, std::uint32_t> sizes;
    for (const DeclaredInput& input : session.inputs()) {
      Shape shape;
      for (const DeclaredDimension& dimension : input.shape) {
        const std::uint32_t size = sizes.try_emplace(dimension.name, sizeOf(sizes.size(), run)).first->second;
        shape.push_back(dimension.name.empty() ? dimension.size : size);
      }
      const ArrayView view = arrayFor(input, shape, run);
      if (session.takesSequence(input.name) || !view.strings.empty()) isPlain = false;
      if (session.takesSequence(input.name))
        views.emplace(input.name, ArrayView::sequence(std::vector<ArrayView>(run % 3, view)));
      else
        views.emplace(input.name, view);
      shapes[input.name] = std::move(shape);
    }
  }

  std::map<std::string, ArrayView> views;
  std::map<std::string, Shape> shapes;
  bool isPlain = true;  // whether all inputs are tensors of numbers that have the declared sizes

 private:
  ArrayView arrayFor(const DeclaredInput& input, const Shape& shape, std::size_t run) {
    std::uint64_t count = 1;
    for (const std::uint32_t size : shape) count = std::min(kMostBytes, count * std::min<std::uint64_t>(size, kMostBytes));
    if (count == kMostBytes) isPlain = false;
    if (input.elementType == onnx::ElementType::string) {
      std::vector<std::string>& own = strings_.emplace_back(count);
      for (std::size_t i = 0; i < count; ++i) own[i] = std::string(i % 3, static_cast<char>('a' + run));
      return {own, shape};
    }
    const bool isForeign = input.elementType != onnx::ElementType::undefined;
    const std::uint64_t bits =
        isForeign ? onnx::bitsPerElement(input.elementType) : onnx::bitsPerElement(onnx::elementTypeOf(input.dataType));
    std::vector<std::byte>& own = bytes_.emplace_back((count * bits + 7) / 8);
    // Integers from 0 to 3, which are 0 or subnormal if read as floating point.
    const std::size_t step = std::max<std::size_t>(1, bits / 8);
    for (std::size_t i = 0; i < own.size(); i += step)
      own[i] = input.isBoolean ? std::byte(run % 2) : std::byte((i / step + run) % 4);
    if (isForeign) return {input.elementType, shape, own};
    return {OperandDescriptor{input.dataType, shape}, own};
  }

  std::deque<std::vector<std::byte>> bytes_;
  std::deque<std::vector<std::string>> strings_;
};

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

bool isEqual(const model::Value& a, const model::Value& b) {
  if (a.type != b.type || a.dims != b.dims || a.bytes.has_value() != b.bytes.has_value()) return false;
  return !a.bytes || std::ranges::equal(a.bytes->bytes, b.bytes->bytes);
}

// Runs the model as a session, with the sizes of each run. Returns the inputs of the runs.
std::vector<std::unique_ptr<Feed>> runSession(Context& context, const ExternalBytes& file) {
  std::vector<std::unique_ptr<Feed>> feeds;
  SessionOptions options{.load = limited(), .graphs = 2, .seed = 1};
  try {
    const Session session = Session::load(context, file, options);
    for (std::size_t run = 0; run < kRuns; ++run) {
      feeds.push_back(std::make_unique<Feed>(session, run));
      try {
        session.run(feeds.back()->views);
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
  return feeds;
}

model::Value valueOf(const ArrayView& array) {
  model::Value value{{}, {array.descriptor.shape.begin(), array.descriptor.shape.end()}, {}};
  value.bytes = ExternalBytes{array.bytes, nullptr};
  return value;
}

// Runs the sections of the model, and requires that their results equal those of the whole model.
void runSections(Context& context, const ExternalBytes& file, const std::vector<std::unique_ptr<Feed>>& feeds) {
  if (feeds.size() < kRuns || !std::ranges::all_of(feeds, [](const auto& feed) { return feed->isPlain; })) return;
  const LoadOptions load = limited();
  const std::shared_ptr<Budget> budget = formats::loadBudget(context, load);
  const BudgetScope scope(*budget);
  try {
    const model::Model read = model::readModel(file);
    const auto makeBudget = [&](const CallOptions& call) {
      LoadOptions options = load;
      options.call = call;
      return formats::loadBudget(context, options);
    };
    model::Program program(context, read, {.load = load, .graphs = 2, .seed = 1, .makeBudget = makeBudget});
    if (program.cut(feeds[0]->shapes, feeds[1]->shapes, {}, true) == 0) return;
    for (const auto& feed : feeds) {
      std::map<std::string, model::Value> inputs;
      for (const auto& [name, view] : feed->views) inputs[name] = valueOf(view);
      try {
        const std::vector<model::Value> cut = program.run(inputs, {}, {}, true), whole = program.run(inputs, {});
        require(std::ranges::equal(cut, whole, isEqual), "The sections compute other results than the model.");
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Context context = Context::create({.backend = "reference", .execution = Execution::callerThread});
  const ExternalBytes file{std::as_bytes(std::span(data, size)), nullptr};
  if (model::looksLikeModel(file.bytes)) runSections(context, file, runSession(context, file));
  return 0;
}
