#include "backends/cpu/elements/row_step.h"

#include <algorithm>

#include "backends/cpu/elements/broadcast.h"
#include "base/divide_up.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kPiece = 8192;  // maximum number of elements per kernel call

class RowStep final : public Step {
 public:
  RowStep(std::string description, RowKernel kernel, const std::vector<Operand>& inputs, Planner& planner,
          std::array<std::uint64_t, 2> immediates)
      : broadcast_([&] {
          std::vector<Shape> shapes;
          for (const Operand& input : inputs) shapes.push_back(input.shape());
          return Broadcast(planner.outputOperand().shape(), shapes);
        }()),
        kernel_(kernel),
        output_(planner.output()),
        outputSize_(sizeOf(planner.outputOperand())),
        immediates_(immediates),
        isa_(planner.isa()),
        description_(std::move(description)) {
    for (const Operand& input : inputs) inputs_.push_back({planner.slot(input), sizeOf(input)});
    pieces_ = divideUp(broadcast_.inner, kPiece);
    grain_ = std::max<std::size_t>(1, kPiece / broadcast_.inner);
  }

  void run(const Frame& frame) const override {
    frame.team.forRanges(broadcast_.rows * pieces_, grain_,
                         [&](std::size_t begin, std::size_t end, unsigned) { runUnits(frame, begin, end); });
  }
  std::string describe() const override { return description_; }

 private:
  struct Input {
    Slot slot;
    std::size_t size;
  };
  static std::size_t sizeOf(const Operand& operand) { return bitsPerElement(operand.dataType()) / 8; }

  void runUnits(const Frame& frame, std::size_t begin, std::size_t end) const {
    RowPart part{.immediates = immediates_, .isa = isa_};
    std::array<std::size_t, 3> offsets{};
    std::size_t row = begin / pieces_, piece = begin % pieces_;
    RowCursor cursor;
    cursor.seek(broadcast_, row);
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      part.repeats[k] = broadcast_.operands[k].repeats;
      offsets[k] = cursor.offset(broadcast_, broadcast_.operands[k]);
    }
    for (std::size_t unit = begin; unit < end; ++unit) {
      const std::size_t column = piece * kPiece;
      part.n = std::min(kPiece, broadcast_.inner - column);
      part.out = frame.out<std::byte>(output_) + (row * broadcast_.inner + column) * outputSize_;
      for (std::size_t k = 0; k < inputs_.size(); ++k) {
        part.in[k] = frame.in<std::byte>(inputs_[k].slot) + (offsets[k] + (part.repeats[k] ? 0 : column)) * inputs_[k].size;
      }
      kernel_(part);
      if (++piece < pieces_) continue;
      piece = 0;
      ++row;
      const std::size_t d = cursor.next(broadcast_);
      for (std::size_t k = 0; k < inputs_.size(); ++k) offsets[k] += broadcast_.operands[k].steps[d];
    }
  }

  Broadcast broadcast_;
  RowKernel kernel_;
  std::vector<Input> inputs_;
  Slot output_;
  std::size_t outputSize_, pieces_ = 1, grain_ = 1;
  std::array<std::uint64_t, 2> immediates_;
  Isa isa_;
  std::string description_;
};

}  // namespace

StepPtr makeRowStep(std::string description, RowKernel kernel, const std::vector<Operand>& inputs, Planner& planner,
                    std::array<std::uint64_t, 2> immediates) {
  const auto isSmall = [](const Operand& operand) { return bitsPerElement(operand.dataType()) < 8; };
  if (!kernel || std::ranges::any_of(inputs, isSmall) || isSmall(planner.outputOperand())) return nullptr;
  return std::make_unique<const RowStep>(std::move(description), kernel, inputs, planner, immediates);
}

}  // namespace webnn::cpu
