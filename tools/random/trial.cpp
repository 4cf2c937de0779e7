#include "random/trial.h"

#include <algorithm>
#include <exception>
#include <map>
#include <thread>

#include "base/text.h"
#include "context/graph_state.h"

namespace webnn::random {

namespace {

constexpr std::byte kPoison{0xAB};  // the pattern that fills outputs before a run, and the memory around tensors
constexpr std::size_t kZone = 256;

// A tensor at any offset, with poisoned memory on both sides to detect writes out of bounds.
class Buffer {
 public:
  Buffer(std::size_t size, std::size_t offset)
      : offset_(kZone + offset), size_(size), storage_(size + 2 * kZone + offset, kPoison) {}
  Buffer(const Bytes& bytes, std::size_t offset) : Buffer(bytes.size(), offset) { std::ranges::copy(bytes, span().begin()); }

  std::span<std::byte> span() { return std::span(storage_).subspan(offset_, size_); }
  Bytes bytes() { return {span().begin(), span().end()}; }
  bool isIntact() const {
    const auto isPoison = [](std::byte one) { return one == kPoison; };
    return std::all_of(storage_.begin(), storage_.begin() + static_cast<std::ptrdiff_t>(offset_), isPoison) &&
           std::all_of(storage_.begin() + static_cast<std::ptrdiff_t>(offset_ + size_), storage_.end(), isPoison);
  }

 private:
  std::size_t offset_, size_;
  Bytes storage_;
};

// Runs once and returns the results. Throws DataError if memory outside the outputs was written.
std::vector<Bytes> runOnce(const Executable& executable, const GraphDefinition& graph, const std::vector<Bytes>& inputs,
                           std::size_t offset) {
  std::vector<Buffer> in, out;
  for (const Bytes& bytes : inputs) in.emplace_back(bytes, offset);
  for (const auto& [name, operand] : graph.outputs) out.emplace_back(byteLength(operand.descriptor()), offset);
  std::vector<std::span<const std::byte>> inSpans;
  std::vector<std::span<std::byte>> outSpans;
  for (Buffer& buffer : in) inSpans.emplace_back(buffer.span());
  for (Buffer& buffer : out) outSpans.emplace_back(buffer.span());
  executable.run(inSpans, outSpans);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!in[i].isIntact() || in[i].bytes() != inputs[i]) throw Error(ErrorKind::dataError, "it wrote into an input");
  }
  std::vector<Bytes> results;
  for (Buffer& buffer : out) {
    if (!buffer.isIntact()) throw Error(ErrorKind::dataError, "it wrote beside an output");
    results.push_back(buffer.bytes());
  }
  return results;
}

// Returns whether the backend refuses a graph or its inputs, rather than fails.
bool isRefusal(const Error& error) {
  return error.kind() == ErrorKind::notSupportedError || error.kind() == ErrorKind::operationError;
}

// Returns the inputs, each rotated by one element. Inputs of 4-bit types stay the same.
std::vector<Bytes> turned(const GraphDefinition& graph, std::vector<Bytes> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t bits = bitsPerElement(graph.inputs[i].dataType());
    if (bits >= 8) std::rotate(inputs[i].begin(), inputs[i].begin() + static_cast<std::ptrdiff_t>(bits / 8), inputs[i].end());
  }
  return inputs;
}

std::optional<std::string> runAtOnce(const Executable& executable, const GraphDefinition& graph, const std::vector<Bytes>& inputs,
                                     const std::vector<Bytes>& results) {
  std::string wrong[2];
  const auto work = [&](std::string& text) {
    try {
      for (int i = 0; i < 3; ++i) {
        if (runOnce(executable, graph, inputs, 0) != results) text = "results of runs at once differ from those of one";
      }
    } catch (const std::exception& error) {
      text = error.what();
    }
  };
  std::thread other([&] { work(wrong[0]); });
  work(wrong[1]);
  other.join();
  for (const std::string& text : wrong) {
    if (!text.empty()) return text;
  }
  return std::nullopt;
}

}  // namespace

Trial::Trial(std::vector<Contender> contenders) : contenders_(std::move(contenders)) {
  for (const Contender& contender : contenders_) contexts_.push_back(Context::create(contender.options));
}

std::optional<std::string> Trial::run(const Graph& graph, const std::vector<Bytes>& inputs, std::uint64_t seed) {
  const GraphDefinition& definition = definitionOf(graph);
  Expected expected = expectRounded(definition, inputs);
  std::map<std::size_t, std::vector<Bytes>> ofGroup;
  wasRefused_ = false;
  for (std::size_t i = 0; i < contenders_.size(); ++i) {
    const std::string where = contenders_[i].name + ": ";
    try {
      const Graph compiled = contexts_[i].compile(graph);
      const Executable& executable = *compiled.state()->executable();
      const std::vector<Bytes> results = runOnce(executable, definition, inputs, 0);
      if (const auto text = disagreement(definition, inputs, seed, results, expected)) return where + *text;
      runOnce(executable, definition, turned(definition, inputs), 0);
      if (runOnce(executable, definition, inputs, 1 + seed % 3) != results) return where + "results of the next run differ";
      if (seed % 8 == 0) {
        if (const auto text = runAtOnce(executable, definition, inputs, results)) return where + *text;
      }
      const auto [first, isFirst] = ofGroup.emplace(contenders_[i].group, results);
      if (!isFirst && first->second != results) return where + "results of other numbers of threads differ";
    } catch (const Error& error) {
      if (!contenders_[i].mayRefuse || !isRefusal(error)) return where + error.what();
      wasRefused_ = true;
    } catch (const std::exception& error) {
      return where + error.what();
    }
  }
  return std::nullopt;
}

}  // namespace webnn::random
