#include "backends/webgpu/shaders/shader.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "backends/webgpu/shaders/library.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

// Returns how many elements a 32-bit word has; 0 if an element takes two words.
std::uint32_t elementsPerWord(DataType type) { return static_cast<std::uint32_t>(32 / bitsPerElement(type)); }

std::uint32_t countOf(const Operand& operand) { return static_cast<std::uint32_t>(elementCount(operand.descriptor())); }

bool isSigned(DataType type) {
  return type == DataType::int8 || type == DataType::int4 || type == DataType::int32 || type == DataType::int64;
}

// Returns an expression that converts a raw element to a lane. `raw` is a u32, or a vec2<u32> for 64-bit types; elements of less
// than 32 bits are in its lowest bits, with zeros above.
std::string decoded(DataType type, Lane lane, const std::string& raw) {
  if (lane == Lane::bits) return raw;
  const std::size_t bits = bitsPerElement(type);
  if (type == DataType::float32) return "bitcast<f32>(" + raw + ")";
  if (type == DataType::float16) return "fromHalf(" + raw + ")";
  std::string value;
  if (bits == 64) {
    value = (type == DataType::int64 ? "nearestInt(" : "nearestUint(") + raw + ")";
  } else if (isSigned(type)) {
    value = bits == 32 ? "bitcast<i32>(" + raw + ")" : formatText("(bitcast<i32>({} << {}u) >> {}u)", raw, 32 - bits, 32 - bits);
  } else {
    value = raw;
  }
  const bool isI32 = isSigned(type);
  if (lane == Lane::f32) return "f32(" + value + ")";
  if (lane == Lane::i32 && !isI32) return "i32(" + value + ")";
  if (lane == Lane::u32 && isI32) return "u32(" + value + ")";
  return value;
}

// Returns an expression for the raw element, the inverse of decoded().
std::string encoded(DataType type, Lane lane, const std::string& value) {
  if (lane == Lane::bits) return value;
  if (type == DataType::float32) return "bitcast<u32>(" + value + ")";
  if (type == DataType::float16) return "toHalf(" + value + ")";
  const std::size_t bits = bitsPerElement(type);
  std::string word = value;
  if (lane == Lane::f32) word = isSigned(type) ? "bitcast<u32>(i32(" + value + "))" : "u32(" + value + ")";
  if (lane == Lane::i32) word = "bitcast<u32>(" + value + ")";
  if (bits == 32) return word;
  if (bits == 64) {
    return type == DataType::int64 ? "extended(" + word + ")" : "vec2<u32>(" + word + ", 0u)";
  }
  return formatText("({} & {}u)", word, (1U << bits) - 1);
}

void useConversion(Shader& shader, DataType type, Lane lane, bool isRead) {
  if (lane == Lane::bits) return;
  if (type == DataType::float16) shader.use(isRead ? "fromHalf" : "toHalf");
  if (type == DataType::int64) shader.use(isRead ? "nearestInt" : "extended");
  if (type == DataType::uint64 && isRead) shader.use("nearestUint");
}

// Adjacent dimensions that are merged into one, because one stride steps through all of them.
struct Run {
  std::uint32_t size;
  std::int64_t stride;
};
std::vector<Run> runsOf(std::span<const std::uint32_t> shape, const Strides& strides) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    if (!runs.empty() && runs.back().stride == strides[i] * shape[i]) {
      runs.back() = {runs.back().size * shape[i], strides[i]};
    } else {
      runs.push_back({shape[i], strides[i]});
    }
  }
  return runs;
}

// Inserts into `fn main` a statement that sets `unknownZero` to the workgroup's third index. This index is always 0, which
// compilers cannot know.
std::string withUnknownZero(std::string_view main) {
  constexpr std::string_view kPlace = "@builtin(workgroup_id) ";
  std::string text(main);
  const std::size_t begin = text.find(kPlace) + kPlace.size();
  const std::string name = text.substr(begin, text.find(':', begin) - begin);
  text.insert(text.find('{', begin) + 1, formatText("\n  unknownZero = {}.z;", name));
  return text;
}

// Inserts into `fn main` an addition of `firstGroup` to the workgroup's index.
std::string withFirstGroup(std::string_view main) {
  constexpr std::string_view kPlace = "@builtin(workgroup_id) ";
  std::string text(main);
  const std::size_t begin = text.find(kPlace) + kPlace.size();
  const std::string name = text.substr(begin, text.find(':', begin) - begin);
  text.insert(begin + name.size(), "InPart");
  text.insert(text.find('{', begin) + 1, formatText("\n  let {0} = {0}InPart + firstGroup.xyz;", name));
  return text;
}

// Halves the longest dimension of a part until each part has at most `most` work or one workgroup.
void divide(const GridPart& part, std::uint64_t most, std::vector<GridPart>& to) {
  const auto longest = std::ranges::max_element(part.workgroups);
  if (part.work <= most || *longest == 1) {
    to.push_back(part);
    return;
  }
  const auto d = static_cast<std::size_t>(longest - part.workgroups.begin());
  const std::uint32_t half = part.workgroups[d] / 2, rest = part.workgroups[d] - half;
  const std::uint64_t workOfHalf = part.work / part.workgroups[d] * half;
  GridPart first{part.first, part.workgroups, workOfHalf}, second{part.first, part.workgroups, part.work - workOfHalf};
  first.workgroups[d] = half;
  second.workgroups[d] = rest;
  second.first[d] += half;
  divide(first, most, to);
  divide(second, most, to);
}

}  // namespace

std::vector<GridPart> partsOf(const Dispatch& dispatch) {
  const GridPart whole{{}, dispatch.workgroups, dispatch.work};
  if (!dispatch.isDivisible) return {whole};
  constexpr std::uint64_t kMostParts = 1 << 14;  // each part takes 256 bytes on the device
  std::vector<GridPart> parts;
  divide(whole, std::max(kMostWork, whole.work / kMostParts), parts);
  return parts;
}

Lane laneOf(DataType type) {
  if (isFloat(type)) return Lane::f32;
  return isSigned(type) ? Lane::i32 : Lane::u32;
}

std::string_view wgslType(Lane lane, DataType type) {
  switch (lane) {
    case Lane::f32: return "f32";
    case Lane::i32: return "i32";
    case Lane::u32: return "u32";
    case Lane::bits: return bitsPerElement(type) == 64 ? "vec2<u32>" : "u32";
  }
  return "u32";
}

std::string literal(float value) {
  if (!std::isfinite(value) || (value == 0 && std::signbit(value)))
    return formatText("fromBits({}u)", std::bit_cast<std::uint32_t>(value));
  if (value == 0) return "0.0f";
  return formatText("{}f", value);
}

std::array<std::uint32_t, 3> gridOf(std::uint64_t groups, std::uint32_t most) {
  if (groups <= most) return {static_cast<std::uint32_t>(groups), 1, 1};
  const std::uint64_t rows = divideUp(groups, std::uint64_t{most});
  return {static_cast<std::uint32_t>(divideUp(groups, rows)), static_cast<std::uint32_t>(rows), 1};
}

Strides stridesOf(std::span<const std::uint32_t> shape) {
  Strides strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

Strides broadcastStrides(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to) {
  const Strides own = stridesOf(from);
  Strides strides(to.size(), 0);
  const std::size_t missing = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i) strides[missing + i] = from[i] == 1 ? 0 : own[i];
  return strides;
}

std::size_t Shader::binding(const Operand& operand) {
  const auto found = std::ranges::find(reads_, operand);
  if (found != reads_.end()) return static_cast<std::size_t>(found - reads_.begin());
  reads_.push_back(operand);
  return reads_.size() - 1;
}

void Shader::use(std::string_view function) {
  if (used_.contains(function)) return;
  const LibraryFunction* found = libraryFunction(function);
  if (!found) return;
  used_.emplace(function);
  for (std::string_view needs = found->needs; !needs.empty();) {
    const std::size_t end = std::min(needs.find(' '), needs.size());
    use(needs.substr(0, end));
    needs.remove_prefix(std::min(end + 1, needs.size()));
  }
  declarations_ += found->wgsl;
}

Shader::Input Shader::read(const Operand& operand, Lane lane) {
  const DataType type = operand.dataType();
  const std::string tensor = formatText("x{}", binding(operand));
  Input input;
  input.function_ = tensor + "_" + (lane == Lane::bits ? "bits" : std::string(wgslType(lane, type)));
  if (!declared_.insert(input.function_).second) return input;
  useConversion(*this, type, lane, true);
  std::string raw = tensor + "[i]";
  if (const std::uint32_t perWord = elementsPerWord(type); perWord > 1) {
    const std::size_t bits = bitsPerElement(type);
    raw = formatText("({}[i / {}u] >> ({}u * (i % {}u)) & {}u)", tensor, perWord, bits, perWord, (1U << bits) - 1);
  }
  declare(formatText("fn {}(i: u32) -> {} {{ return {}; }}\n", input.function_, wgslType(lane, type), decoded(type, lane, raw)));
  return input;
}

Shader::Output Shader::write(const Operand& operand, Lane lane) {
  const DataType type = operand.dataType();
  assert(bitsPerElement(type) >= 32);
  writes_.push_back(operand);
  const std::string tensor = formatText("y{}", writes_.size() - 1);
  useConversion(*this, type, lane, false);
  Output output;
  output.function_ = "set_" + tensor;
  declare(formatText("fn {}(i: u32, v: {}) {{ {}[i] = {}; }}\n", output.function_, wgslType(lane, type), tensor,
                     encoded(type, lane, "v")));
  return output;
}

Shader::Output Shader::writeWords(const Operand& operand) {
  writes_.push_back(operand);
  const std::string tensor = formatText("y{}", writes_.size() - 1);
  Output output;
  output.function_ = "set_" + tensor;
  declare(formatText("fn {0}(i: u32, v: u32) {{ {1}[i] = v; }}\n", output.function_, tensor));
  return output;
}

std::string Shader::writeAtomics(const Operand& operand) {
  assert(operand.dataType() == DataType::uint32);
  atomic_.insert(writes_.size());
  writes_.push_back(operand);
  return formatText("y{}", writes_.size() - 1);
}

std::string Shader::offset(std::span<const std::uint32_t> shape, const Strides& strides, std::string_view index,
                           std::int64_t start) {
  const std::vector<Run> runs = runsOf(shape, strides);
  const auto wrapped = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };  // u32 arithmetic wraps
  const bool isConstant = std::ranges::all_of(runs, [](const Run& run) { return run.stride == 0; });
  if (isConstant) return formatText("{}u", wrapped(start));
  if (runs.size() == 1 && runs[0].stride == 1 && start == 0) return std::string(index);
  std::string body = "  var rest = i;\n";
  std::string sum = formatText("{}u", wrapped(start));
  for (std::size_t k = runs.size(); k-- > 0;) {
    const Run& run = runs[k];
    const std::string at = k == 0 ? "rest" : formatText("(rest % {}u)", run.size);
    if (run.stride != 0) body += formatText("  let c{} = {} * {}u;\n", k, at, wrapped(run.stride));
    if (run.stride != 0) sum += formatText(" + c{}", k);
    if (k > 0) body += formatText("  rest = rest / {}u;\n", run.size);
  }
  body += "  return " + sum + ";\n";
  // If the shader already has a function with this text, uses it.
  std::size_t number = 0;
  for (const std::string& known : maps_) {
    if (known == body) return formatText("map{}({})", number, index);
    ++number;
  }
  maps_.push_back(body);
  declare(formatText("fn map{}(i: u32) -> u32 {{\n{}}}\n", number, body));
  return formatText("map{}({})", number, index);
}

// Returns the statements that compute and store the word with the index `word`. `call` calls fn element for element i.
std::string Shader::storeWord(const Operand& output, Lane lane, std::string_view call) {
  const DataType type = output.dataType();
  useConversion(*this, type, lane, false);
  writes_.push_back(output);
  const std::uint32_t perWord = elementsPerWord(type);
  if (perWord <= 1) return formatText("  let i = word;\n  y0[word] = {};\n", encoded(type, lane, std::string(call)));
  return formatText(
      "  var packed = 0u;\n"
      "  for (var k = 0u; k < {0}u; k++) {{\n"
      "    let i = word * {0}u + k;\n"
      "    if (i < {1}u) {{\n"
      "      let value = {2};\n"
      "      packed |= {3} << ({4}u * k);\n"
      "    }}\n"
      "  }}\n"
      "  y0[word] = packed;\n",
      perWord, countOf(output), call, encoded(type, lane, "value"), bitsPerElement(type));
}

Dispatch Shader::elements(const Operand& output, Lane lane, std::string_view body, std::uint64_t work,
                          std::uint32_t maxWorkgroups) {
  const std::uint32_t count = countOf(output), words = divideUp(count, std::max(1U, elementsPerWord(output.dataType())));
  const auto grid = gridOf(divideUp(words, kElementsSize), maxWorkgroups);
  const std::string store = storeWord(output, lane, "element(i)");
  declare(formatText("fn element(i: u32) -> {} {{\n{}\n}}\n", wgslType(lane, output.dataType()), body));
  return whole(formatText("@compute @workgroup_size({})\n"
                          "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{\n"
                          "  let word = (group.y * {}u + group.x) * {}u + thread;\n"
                          "  if (word >= {}u) {{ return; }}\n"
                          "{}}}\n",
                          kElementsSize, grid[0], kElementsSize, words, store),
               grid, work * count);
}

Dispatch Shader::groups(const Operand& output, Lane lane, std::uint32_t size, std::string_view body, std::uint64_t work,
                        std::uint32_t maxWorkgroups) {
  const DataType type = output.dataType();
  const std::uint32_t count = countOf(output), perWord = std::max(1U, elementsPerWord(type)), words = divideUp(count, perWord);
  const auto grid = gridOf(words, maxWorkgroups);
  useConversion(*this, type, lane, false);
  writes_.push_back(output);
  declare(formatText("fn element(i: u32, thread: u32) -> {} {{\n{}\n}}\n", wgslType(lane, type), body));
  // Indices depend on the workgroup only, so that control flow is uniform as barriers require.
  std::string store;
  if (perWord == 1) {
    store = formatText("  let value = element(word, thread);\n  if (thread == 0u) {{ y0[word] = {}; }}\n",
                       encoded(type, lane, "value"));
  } else {
    store = formatText(
        "  var packed = 0u;\n"
        "  for (var k = 0u; k < min({0}u, {1}u - word * {0}u); k++) {{\n"
        "    let value = element(word * {0}u + k, thread);\n"
        "    packed |= {2} << ({3}u * k);\n"
        "  }}\n"
        "  if (thread == 0u) {{ y0[word] = packed; }}\n",
        perWord, count, encoded(type, lane, "value"), bitsPerElement(type));
  }
  return whole(formatText("@compute @workgroup_size({})\n"
                          "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{\n"
                          "  let word = group.y * {}u + group.x;\n"
                          "  if (word >= {}u) {{ return; }}\n"
                          "{}}}\n",
                          size, grid[0], words, store),
               grid, work * count);
}

Dispatch Shader::whole(std::string_view main, std::array<std::uint32_t, 3> workgroups, std::uint64_t work) {
  Dispatch dispatch{.reads = reads_, .writes = writes_, .workgroups = workgroups, .work = work};
  const auto bind = [&](const Operand& operand, std::size_t index, char letter, std::size_t number, std::string_view access) {
    const bool isAtomic = letter == 'y' && atomic_.contains(number);
    dispatch.wgsl += formatText("@group(0) @binding({}) var<storage, {}> {}{}: array<{}>;\n", index, access, letter, number,
                                isAtomic ? "atomic<u32>" : wgslType(Lane::bits, operand.dataType()));
  };
  for (std::size_t i = 0; i < reads_.size(); ++i) bind(reads_[i], i, 'x', i, "read");
  for (std::size_t i = 0; i < writes_.size(); ++i) bind(writes_[i], reads_.size() + i, 'y', i, "read_write");
  dispatch.wgsl += "fn fromBits(bits: u32) -> f32 { return bitcast<f32>(bits); }\n";
  dispatch.wgsl += declarations_;
  const std::string text = used_.contains("settled") ? withUnknownZero(main) : std::string(main);
  dispatch.isDivisible = work > kMostWork;
  if (dispatch.isDivisible) {
    dispatch.wgsl += formatText("@group(0) @binding({}) var<uniform> firstGroup: vec4<u32>;\n", reads_.size() + writes_.size());
    dispatch.wgsl += withFirstGroup(text);
  } else {
    dispatch.wgsl += text;
  }
  return dispatch;
}

}  // namespace webnn::webgpu
