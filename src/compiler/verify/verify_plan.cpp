#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/text.h"
#include "compiler/plan/readings.h"
#include "compiler/verify/verify.h"

namespace webnn::compiler {

namespace {

template <typename... Args>
[[noreturn]] void wrongPlan(fmt::format_string<Args...> format, Args&&... args) {
  fail(ErrorKind::unknownError, format, std::forward<Args>(args)...);
}

using Index = std::uint32_t;

Index indexOf(const Operand& operand) { return operand.record().index; }

// A range of bytes in one base.
struct Range {
  std::uint32_t base = 0;
  std::size_t begin = 0, end = 0;

  bool overlaps(const Range& other) const { return base == other.base && begin < other.end && other.begin < end; }
  bool operator==(const Range&) const = default;
};

// The contents of one base, as pieces of values, keyed by their first byte. `origin` is the first byte of the write that produced
// the piece; a later write may have cut off the beginning.
class Contents {
 public:
  struct Piece {
    std::size_t end = 0, origin = 0;
    Index value = 0;
  };

  void put(std::size_t begin, std::size_t end, Index value) {
    cut(begin);
    cut(end);
    pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
    pieces_[begin] = {end, begin, value};
  }
  // Calls visit(piece) for each piece in the range until visit returns false. At a gap, calls visit(nullptr) and stops.
  bool visit(std::size_t begin, std::size_t end, auto visit) const {
    auto piece = pieces_.upper_bound(begin);
    if (piece == pieces_.begin() || std::prev(piece)->second.end <= begin) return visit(static_cast<const Piece*>(nullptr));
    --piece;
    for (;; ++piece) {
      if (!visit(&piece->second)) return false;
      if (piece->second.end >= end) return true;
      if (std::next(piece) == pieces_.end() || std::next(piece)->first != piece->second.end)
        return visit(static_cast<const Piece*>(nullptr));
    }
  }

 private:
  // Splits the piece that crosses `at`, if any.
  void cut(std::size_t at) {
    auto piece = pieces_.lower_bound(at);
    if (piece == pieces_.begin()) return;
    --piece;
    if (piece->second.end <= at) return;
    pieces_[at] = piece->second;
    piece->second.end = at;
  }

  std::map<std::size_t, Piece> pieces_;
};

// Returns the part of an operand that is the node's result, or nullopt if the node needs a step.
std::optional<Cut> viewOf(const ModuleNode& node) {
  if (const Operand* operand = viewed(node)) return Cut{operand, 0};
  return cutOf(node);
}

// The planned location of each value.
class PlanSlots {
 public:
  PlanSlots(const Module& module, const MemoryPlan& plan) : plan_(plan) {
    checkSizes(module);
    sizes_.push_back(plan.arenaBytes);
    for (const Operand& input : module.inputs) sizes_.push_back(byteLength(input.descriptor()));
    for (const auto& [name, operand] : module.outputs) sizes_.push_back(byteLength(operand.descriptor()));
    for (const Operand* constant : plan.constants) sizes_.push_back(constant->record().bytes.size());
  }

  bool isView(std::size_t node) const { return plan_.isView[node]; }
  std::size_t rowStrideOf(const Operand& operand) const { return plan_.rowStrides[indexOf(operand)]; }
  Slot slotOf(const Operand& operand) const { return plan_.slots[indexOf(operand)]; }
  std::size_t sizeOf(std::size_t base) const { return sizes_[base]; }

  // Returns the bytes of a value whose rows are contiguous. Throws if they exceed the value's base (the arena, an input, an
  // output or a constant).
  Range rangeOf(const Operand& operand) const {
    const Slot slot = slotOf(operand);
    if (slot.base >= sizes_.size()) wrongPlan("has no place for {}.", valueText(operand));
    const std::size_t bytes = byteLength(operand.descriptor()), size = sizes_[slot.base];
    if (bytes > size || slot.offset > size - bytes) {
      wrongPlan("has {} at byte {} of {}, of which there are {}.", valueText(operand), slot.offset, baseText(slot.base), size);
    }
    return {slot.base, slot.offset, slot.offset + bytes};
  }
  std::string baseText(std::uint32_t base) const {
    if (base == 0) return "the arena";
    if (base < plan_.outputBase) return formatText("input {}", base - 1);
    return base < plan_.constantBase ? formatText("output {}", base - plan_.outputBase) : "a constant";
  }

  // Returns whether an operand is at its declared position in the output.
  bool isInPlace(const Reading& reading, const Operand& output) const {
    if (reading.time != ReadTime::part || rowStrideOf(*reading.operand) != reading.rowStride) return false;
    const Slot slot = slotOf(*reading.operand), whole = slotOf(output);
    return slot.base == whole.base && slot.offset == whole.offset + reading.offset;
  }

 private:
  void checkSizes(const Module& module) const {
    const std::size_t bases = 1 + module.inputs.size() + module.outputs.size();
    const bool isRight = plan_.slots.size() == module.indexLimit() && plan_.rowStrides.size() == module.indexLimit() &&
                         plan_.isView.size() == module.nodes.size() && plan_.outputBase == 1 + module.inputs.size() &&
                         plan_.constantBase == bases;
    if (!isRight) wrongPlan("it belongs to another module.");
  }

  const MemoryPlan& plan_;
  std::vector<std::size_t> sizes_;  // indexed by base
};

// Records which values share bytes: views with their sources, and concatenations and pads with their parts.
class Values {
 public:
  // A part whose rows have gaps between them: the concatenation that contains it, and its declared position there.
  struct Part {
    const Operand* whole = nullptr;
    Reading reading;
  };

  Values(const Module& module, const PlanSlots& slots)
      : count_(module.indexLimit()), operands_(count_, nullptr), same_(count_), offsets_(count_) {
    for (Index i = 0; i < count_; ++i) same_[i] = i;
    for (std::size_t i = 0; i < module.nodes.size(); ++i) note(module.nodes[i], slots, slots.isView(i));
  }

  // Returns the source of the operand if it is a view, else the operand itself.
  Index of(const Operand& operand) const { return same_[indexOf(operand)]; }
  // Returns the offset of the operand in its source, in bytes.
  std::size_t offsetOf(const Operand& operand) const { return offsets_[indexOf(operand)]; }
  // Returns a pseudo-value that stands for a concatenation while its parts are being written.
  Index makingOf(const Operand& whole) const { return static_cast<Index>(count_ + indexOf(whole)); }
  bool isInTheMaking(Index value) const { return value >= count_; }
  std::string textOf(Index value) const {
    const std::size_t index = value < count_ ? value : value - count_;  // a partially written concatenation
    return operands_[index] ? valueText(*operands_[index]) : formatText("%{}", index);
  }

  // Returns the parts of a concatenation or pad, or null for other values.
  const std::vector<Reading>* partsOf(const Operand& operand) const {
    const auto found = concats_.find(indexOf(operand));
    return found == concats_.end() ? nullptr : &found->second;
  }
  // Returns the part that the operand is; null unless the operand is a part whose rows have gaps between them.
  const Part* partOf(const Operand& operand) const {
    const auto found = parts_.find(indexOf(operand));
    return found == parts_.end() ? nullptr : &found->second;
  }
  // Returns whether the bytes of `value` from `offset` on are at offset `at` of `piece`. `piece` may be the value itself or a
  // concatenation or pad that contains it.
  bool holds(Index piece, std::size_t at, Index value, std::size_t offset) const {
    while (piece != value || at != offset) {
      const auto found = concats_.find(piece);
      if (found == concats_.end() || found->second[0].time != ReadTime::part || found->second[0].rowStride != 0) return false;
      auto part = std::ranges::upper_bound(found->second, at, {}, &Reading::offset);
      if (part == found->second.begin()) return false;  // padding before the part
      --part;
      piece = same_[indexOf(*part->operand)];
      at += offsets_[indexOf(*part->operand)] - part->offset;
    }
    return true;
  }

 private:
  void note(const ModuleNode& node, const PlanSlots& slots, bool isView) {
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) { operands_[indexOf(operand)] = &operand; });
    for (const Operand& output : node.outputs) operands_[indexOf(output)] = &output;
    if (const std::optional<Cut> cut = isView ? viewOf(node) : std::nullopt) {
      same_[indexOf(node.outputs[0])] = same_[indexOf(*cut->operand)];
      offsets_[indexOf(node.outputs[0])] = offsets_[indexOf(*cut->operand)] + cut->offset;
    }
    if (!as<ops::Concat>(node.operation) && !as<ops::Pad>(node.operation)) return;
    std::vector<Reading>& readings = concats_[indexOf(node.outputs[0])] = readingsOf(node);
    for (const Reading& reading : readings) {
      if (slots.rowStrideOf(*reading.operand) == 0) continue;
      Part& part = parts_[indexOf(*reading.operand)];
      if (part.whole) wrongPlan("{} has gaps between its rows, but is a part more than once.", valueText(*reading.operand));
      part = {&node.outputs[0], reading};
    }
  }

  std::size_t count_;
  std::vector<const Operand*> operands_;  // indexed by operand, like the following vectors
  std::vector<Index> same_;
  std::vector<std::size_t> offsets_;  // in bytes, from the beginning of the value in same_
  std::unordered_map<Index, Part> parts_;
  std::unordered_map<Index, std::vector<Reading>> concats_;
};

// Executes the steps symbolically and tracks the contents of each base.
class PlanVerifier {
 public:
  PlanVerifier(const Module& module, const MemoryPlan& plan)
      : module_(module), plan_(plan), slots_(module, plan), values_(module, slots_), contents_(plan.constantBase) {}

  void run() {
    for (std::size_t i = 0; i < module_.inputs.size(); ++i) {
      contents_[1 + i].put(0, slots_.sizeOf(1 + i), indexOf(module_.inputs[i]));
    }
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
      try {
        plan_.isView[i] ? checkView(module_.nodes[i]) : runStep(module_.nodes[i]);
      } catch (const Error& error) {
        wrongPlan("step {} ({}) {}", i, nodeText(module_.nodes[i]), error.what());
      }
    }
    checkOutputs();
  }

 private:
  void read(const Operand& operand, const Range& range) const {
    const Index value = values_.of(operand);
    const std::size_t offset = values_.offsetOf(operand);
    if (range.base >= plan_.constantBase) {  // constants are never written
      const Operand& constant = *plan_.constants[range.base - plan_.constantBase];
      if (indexOf(constant) != value || range.begin != offset)
        wrongPlan("reads {} from {}.", valueText(operand), valueText(constant));
      return;
    }
    contents_[range.base].visit(range.begin, range.end, [&](const Contents::Piece* piece) {
      if (!piece) wrongPlan("reads {}, which nothing wrote in {}.", valueText(operand), slots_.baseText(range.base));
      if (piece->origin <= range.begin && !values_.isInTheMaking(piece->value) &&
          values_.holds(piece->value, range.begin - piece->origin, value, offset))
        return true;
      wrongPlan("reads {}, over which {} was written.", valueText(operand), values_.textOf(piece->value));
    });
  }

  // Returns the region of an operand with gaps between its rows. The operand must be a part of a concatenation, computed in
  // place; its region is the region of the whole concatenation.
  Range regionOf(const Operand& operand) const {
    const Values::Part* part = values_.partOf(operand);
    if (!part) wrongPlan("has gaps between the rows of {}, which is no part of a concatenation.", valueText(operand));
    if (!slots_.isInPlace(part->reading, *part->whole))
      wrongPlan("has {} where it is no part of {}.", valueText(operand), valueText(*part->whole));
    return slots_.rangeOf(*part->whole);
  }
  bool isInTheMaking(const Operand& whole, const Range& range) const {
    return range.base < contents_.size() &&
           contents_[range.base].visit(range.begin, range.end, [&](const Contents::Piece* piece) {
             return piece && piece->value == values_.makingOf(whole) && piece->origin == range.begin && piece->end == range.end;
           });
  }
  void writePart(const Operand& operand, const Range& region) {
    const Operand& whole = *values_.partOf(operand)->whole;
    if (!isInTheMaking(whole, region)) {
      contents_[region.base].put(region.begin, region.end, values_.makingOf(whole));
      ++written_[values_.makingOf(whole)];
    }
    written_[indexOf(operand)] = written_[values_.makingOf(whole)];
  }
  void readPart(const Operand& operand) const {
    const Range region = regionOf(operand);
    const Operand& whole = *values_.partOf(operand)->whole;
    const auto written = written_.find(indexOf(operand)), making = written_.find(values_.makingOf(whole));
    const bool isWritten = written != written_.end() && making != written_.end() && written->second == making->second;
    if (!isWritten || !isInTheMaking(whole, region)) {
      wrongPlan("reads {}, whose memory another value has taken.", valueText(operand));
    }
  }

  void checkView(const ModuleNode& node) {
    const Operand& output = node.outputs[0];
    if (slots_.rowStrideOf(output) != 0) wrongPlan("is a view with gaps between its rows.");
    if (const std::optional<Cut> cut = viewOf(node)) {
      const Range source = slots_.rangeOf(*cut->operand), range = slots_.rangeOf(output);
      if (slots_.rowStrideOf(*cut->operand) != 0 || range.base != source.base || range.begin != source.begin + cut->offset)
        wrongPlan("does not lie in the memory of {}, although it is a view of it.", valueText(*cut->operand));
      return read(output, range);
    }
    const std::vector<Reading>* parts = values_.partsOf(output);
    if (!parts || !as<ops::Concat>(node.operation)) wrongPlan("has no step, but is neither a view nor a concatenation in place.");
    for (const Reading& reading : *parts) {
      if (!slots_.isInPlace(reading, output))
        wrongPlan("has no step, but {} is not computed in its memory.", valueText(*reading.operand));
      readOperand(reading);
    }
    put(output, slots_.rangeOf(output));
  }

  void readOperand(const Reading& reading) const {
    const Operand& operand = *reading.operand;
    slots_.rowStrideOf(operand) == 0 ? read(operand, slots_.rangeOf(operand)) : readPart(operand);
  }
  void put(const Operand& output, const Range& range) { contents_[range.base].put(range.begin, range.end, values_.of(output)); }

  void runStep(const ModuleNode& node) {
    const std::vector<Reading> readings = readingsOf(node);
    reads_.clear();
    for (const Reading& reading : readings) {
      const Operand& operand = *reading.operand;
      const bool isStrided = slots_.rowStrideOf(operand) != 0;
      if (isStrided && !slots_.isInPlace(reading, node.outputs[0]))
        wrongPlan("reads {}, whose rows have gaps between them.", valueText(operand));
      reads_.push_back(isStrided ? regionOf(operand) : slots_.rangeOf(operand));
      isStrided ? readPart(operand) : read(operand, reads_.back());
    }
    writes_.clear();
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      writes_.push_back(writeRange(node, i));
      for (std::size_t k = 0; k < readings.size(); ++k) {
        if (reads_[k].overlaps(writes_[i])) checkOverlap(readings[k], reads_[k], node.outputs[i], writes_[i], i == 0);
      }
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      slots_.rowStrideOf(node.outputs[i]) == 0 ? put(node.outputs[i], writes_[i]) : writePart(node.outputs[i], writes_[i]);
    }
    checkApart();
  }

  Range writeRange(const ModuleNode& node, std::size_t i) const {
    const Operand& output = node.outputs[i];
    const bool isStrided = slots_.rowStrideOf(output) != 0;
    if (isStrided && (i != 0 || !writesStrided(node))) wrongPlan("leaves no gaps between the rows of {}.", valueText(output));
    const Range range = isStrided ? regionOf(output) : slots_.rangeOf(output);
    const bool isWritable = range.base == 0 || (range.base >= plan_.outputBase && range.base < plan_.constantBase);
    if (!isWritable) wrongPlan("writes {} to {}.", valueText(output), slots_.baseText(range.base));
    return range;
  }

  // Checks an output that overlaps an operand. Only the first output may: it may have exactly the bytes of an operand that is
  // read element by element (ReadTime::element), or contain a part that is already at its position (ReadTime::part).
  void checkOverlap(const Reading& reading, const Range& range, const Operand& output, const Range& write, bool isFirst) const {
    const Operand& operand = *reading.operand;
    const bool isOver = reading.time == ReadTime::element && range == write && slots_.rowStrideOf(operand) == 0 &&
                        slots_.rowStrideOf(output) == 0;
    if (!isFirst || !(isOver || slots_.isInPlace(reading, output))) {
      wrongPlan("writes {} over {}, which it still reads.", valueText(output), valueText(operand));
    }
  }

  void checkApart() {
    std::ranges::sort(writes_, {}, [](const Range& range) { return std::pair(range.base, range.begin); });
    for (std::size_t i = 1; i < writes_.size(); ++i) {
      if (writes_[i].overlaps(writes_[i - 1])) wrongPlan("writes two outputs to one place.");
    }
  }

  void checkOutputs() const {
    for (std::size_t i = 0; i < module_.outputs.size(); ++i) {
      const auto& [name, operand] = module_.outputs[i];
      try {
        const Slot slot = slots_.slotOf(operand);
        if (slot.base != plan_.outputBase + i || slot.offset != 0 || slots_.rowStrideOf(operand) != 0)
          wrongPlan("is not in its buffer.");
        read(operand, slots_.rangeOf(operand));
      } catch (const Error& error) {
        wrongPlan("output {} {}", webnn::quoted(name), error.what());
      }
    }
  }

  const Module& module_;
  const MemoryPlan& plan_;
  PlanSlots slots_;
  Values values_;
  // For a concatenation: how often its construction has begun. For a part with gaps: the concatenation's count at the part's last
  // write.
  std::unordered_map<Index, std::size_t> written_;
  std::vector<Contents> contents_;
  std::vector<Range> reads_, writes_;  // reads and writes of the current step
};

}  // namespace

void verifyPlan(const Module& module, const MemoryPlan& plan) {
  try {
    PlanVerifier(module, plan).run();
  } catch (const Error& error) {
    wrongPlan("the CPU engine's memory plan is wrong: {}", error.what());
  }
}

}  // namespace webnn::compiler
