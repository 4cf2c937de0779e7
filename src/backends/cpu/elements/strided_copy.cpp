#include "backends/cpu/elements/strided_copy.h"

#include <algorithm>
#include <cstring>

#include "backends/cpu/elements/copy_block.h"
#include "backends/cpu/simd/transpose.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

// Copies n1 contiguous runs of n0 bytes.
void copyRuns(const std::byte* from, std::byte* to, const CopyPlane& plane) {
  for (std::size_t i = 0; i < plane.n1; ++i) {
    copyBlock(to, from, plane.n0);
    from += plane.from1;
    to += plane.to1;
  }
}

// Copies elements of sizeof(Word) bytes with any strides.
template <typename Word>
void copyElements(const std::byte* from, std::byte* to, const CopyPlane& plane) {
  for (std::size_t i = 0; i < plane.n1; ++i) {
    const std::byte* source = from + static_cast<std::ptrdiff_t>(i) * plane.from1;
    std::byte* target = to + static_cast<std::ptrdiff_t>(i) * plane.to1;
    for (std::size_t j = 0; j < plane.n0; ++j) {
      copyWord<Word>(target, source);
      source += plane.from0;
      target += plane.to0;
    }
  }
}

// Copies like copyElements() to a contiguous target. The source stride of `step` words is a compile-time constant, for
// vectorization.
template <typename Word, std::ptrdiff_t step>
void packElements(const std::byte* from, std::byte* to, const CopyPlane& plane) {
  constexpr std::ptrdiff_t size = sizeof(Word);
  for (std::size_t i = 0; i < plane.n1; ++i) {
    const std::byte* source = from + static_cast<std::ptrdiff_t>(i) * plane.from1;
    std::byte* target = to + static_cast<std::ptrdiff_t>(i) * plane.to1;
    const auto count = static_cast<std::ptrdiff_t>(plane.n0);
    std::ptrdiff_t j = 0;
    for (; j + 8 <= count; j += 8) {
      Word words[8];
      for (std::ptrdiff_t k = 0; k < 8; ++k) std::memcpy(&words[k], source + (j + k) * step * size, sizeof(Word));
      std::memcpy(target + j * size, words, sizeof(words));
    }
    for (; j < count; ++j) copyWord<Word>(target + j * size, source + j * step * size);
  }
}

// Fills each line of the target with one source element (a source stride of 0).
template <typename Word>
void fillElements(const std::byte* from, std::byte* to, const CopyPlane& plane) {
  for (std::size_t i = 0; i < plane.n1; ++i) {
    Word word;
    std::memcpy(&word, from + static_cast<std::ptrdiff_t>(i) * plane.from1, sizeof(Word));
    std::byte* target = to + static_cast<std::ptrdiff_t>(i) * plane.to1;
    constexpr std::size_t kAtOnce = 64 / sizeof(Word);
    Word line[kAtOnce];
    std::fill(line, line + kAtOnce, word);
    std::size_t j = 0;
    for (; j + kAtOnce <= plane.n0; j += kAtOnce) std::memcpy(target + j * sizeof(Word), line, 64);
    if (j < plane.n0) std::memcpy(target + j * sizeof(Word), line, (plane.n0 - j) * sizeof(Word));
  }
}

template <typename Word>
CopyKernel elementKernel(const CopyPlane& plane) {
  constexpr std::ptrdiff_t size = sizeof(Word);
  if (plane.to0 != size) return copyElements<Word>;
  if (plane.from0 == 0) return fillElements<Word>;
  if (plane.from0 == -size) return packElements<Word, -1>;
  if (plane.from0 == 2 * size) return packElements<Word, 2>;
  return copyElements<Word>;
}

bool isWord(std::size_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

// Removes dimensions of size 1 and merges neighboring dimensions that a single loop can traverse.
std::vector<CopyDimension> merged(const std::vector<CopyDimension>& dimensions) {
  std::vector<CopyDimension> result;
  for (const CopyDimension& inner : dimensions) {
    if (inner.count == 1) continue;
    const auto count = static_cast<std::ptrdiff_t>(inner.count);
    if (!result.empty() && result.back().from == count * inner.from && result.back().to == count * inner.to) {
      result.back() = {result.back().count * inner.count, inner.from, inner.to};
    } else {
      result.push_back(inner);
    }
  }
  return result;
}

}  // namespace

StridedCopy::StridedCopy(Isa isa, std::size_t elementBytes, std::vector<CopyDimension> dimensions, std::ptrdiff_t fromStart,
                         std::ptrdiff_t toStart)
    : outer_(merged(dimensions)), fromStart_(fromStart), toStart_(toStart) {
  // Elements that are adjacent in both layouts become one larger element.
  std::size_t bytes = elementBytes;
  for (std::size_t i = outer_.size(); i-- > 0;) {
    if (outer_[i].from != static_cast<std::ptrdiff_t>(bytes) || outer_[i].to != static_cast<std::ptrdiff_t>(bytes)) continue;
    bytes *= outer_[i].count;
    outer_.erase(outer_.begin() + static_cast<std::ptrdiff_t>(i));
    i = outer_.size();
  }
  if (isWord(bytes)) {
    chooseElements(isa, bytes);
  } else {
    chooseRuns(bytes);
  }
  units_ = pieces_;
  for (const CopyDimension& dimension : outer_) units_ *= dimension.count;
}

void StridedCopy::chooseRuns(std::size_t bytes) {
  plane_.n0 = bytes;
  plane_.from0 = plane_.to0 = 1;
  if (!outer_.empty()) {
    plane_.n1 = outer_.back().count;
    plane_.from1 = outer_.back().from;
    plane_.to1 = outer_.back().to;
    outer_.pop_back();
  }
  kernel_ = copyRuns;
  description_ = formatText("runs of {} bytes", bytes);
  cutPlane(1);
}

void StridedCopy::chooseElements(Isa isa, std::size_t bytes) {
  if (!chooseTranspose(isa, bytes)) {
    takePlane(bytes);
    switch (bytes) {
      case 1: kernel_ = elementKernel<std::uint8_t>(plane_); break;
      case 2: kernel_ = elementKernel<std::uint16_t>(plane_); break;
      case 4: kernel_ = elementKernel<std::uint32_t>(plane_); break;
      case 8: kernel_ = elementKernel<std::uint64_t>(plane_); break;
      default: kernel_ = elementKernel<Bytes16>(plane_);
    }
    description_ = formatText("elements of {} bytes", bytes);
  }
  cutPlane(bytes);
}

// Chooses the transpose kernel if one dimension is contiguous in the source and another one in the target, elements have at most
// 8 bytes, and the plane of both dimensions has at least 16 elements. Otherwise returns false.
bool StridedCopy::chooseTranspose(Isa isa, std::size_t bytes) {
  if (bytes > 8) return false;
  const auto step = static_cast<std::ptrdiff_t>(bytes);
  const auto inTarget = std::ranges::find_if(outer_, [&](const CopyDimension& d) { return d.to == step && d.from > 0; });
  const auto inSource = std::ranges::find_if(outer_, [&](const CopyDimension& d) { return d.from == step && d.to > 0; });
  if (inTarget == outer_.end() || inSource == outer_.end() || inTarget == inSource) return false;
  if (inTarget->count * inSource->count < 16) return false;
  plane_ = {inSource->count, inTarget->count, inSource->from, inTarget->from, inSource->to, inTarget->to};
  const auto [first, second] = std::minmax(inTarget, inSource);
  outer_.erase(second);
  outer_.erase(first);
  kernel_ = transposeKernel(isa, bytes);
  isTranspose_ = true;
  description_ = formatText("transpose of {} bytes {}x{}", bytes, plane_.n0, plane_.n1);
  return true;
}

void StridedCopy::takePlane(std::size_t bytes) {
  plane_.from0 = plane_.to0 = static_cast<std::ptrdiff_t>(bytes);
  if (!outer_.empty()) {
    plane_.n0 = outer_.back().count;
    plane_.from0 = outer_.back().from;
    plane_.to0 = outer_.back().to;
    outer_.pop_back();
  }
  if (!outer_.empty()) {
    plane_.n1 = outer_.back().count;
    plane_.from1 = outer_.back().from;
    plane_.to1 = outer_.back().to;
    outer_.pop_back();
  }
}

// Cuts a large plane into pieces for threads, along one of its two loops. A piece size above 64 steps of the loop is rounded up
// to a multiple of 64. A transpose is cut along the longer loop: pieces narrower than a cache line would read or write each line
// several times.
void StridedCopy::cutPlane(std::size_t bytes) {
  const std::size_t planeBytes = plane_.n0 * plane_.n1 * bytes;
  const std::size_t wanted = divideUp(planeBytes, kBytesPerChunk);
  cutsInner_ = isTranspose_ ? plane_.n1 < plane_.n0 : plane_.n1 < wanted || plane_.n1 == 1;
  const std::size_t length = cutsInner_ ? plane_.n0 : plane_.n1;
  pieceSize_ = divideUp(length, wanted);
  if (pieceSize_ > 64) pieceSize_ = (pieceSize_ + 63) / 64 * 64;
  pieces_ = divideUp(length, pieceSize_);
  grain_ = std::max<std::size_t>(1, kBytesPerChunk * pieces_ / std::max<std::size_t>(planeBytes, 1));
}

void StridedCopy::run(const std::byte* from, std::byte* to, Team& team) const {
  from += fromStart_;
  to += toStart_;
  if (units_ == 1) return kernel_(from, to, plane_);
  team.forRanges(units_, grain_, [&](std::size_t begin, std::size_t end, unsigned) { runUnits(from, to, begin, end); });
}

void StridedCopy::runUnits(const std::byte* from, std::byte* to, std::size_t begin, std::size_t end) const {
  std::array<std::size_t, 2 * kMaxRank> at{};
  std::size_t piece = begin % pieces_;
  std::size_t rest = begin / pieces_;
  for (std::size_t d = outer_.size(); d-- > 0;) {
    at[d] = rest % outer_[d].count;
    rest /= outer_[d].count;
    from += static_cast<std::ptrdiff_t>(at[d]) * outer_[d].from;
    to += static_cast<std::ptrdiff_t>(at[d]) * outer_[d].to;
  }
  CopyPlane part = plane_;
  for (std::size_t unit = begin; unit < end; ++unit) {
    const std::size_t first = piece * pieceSize_;
    std::size_t& length = cutsInner_ ? part.n0 : part.n1;
    length = std::min(pieceSize_, (cutsInner_ ? plane_.n0 : plane_.n1) - first);
    const auto offset = static_cast<std::ptrdiff_t>(first);
    kernel_(from + offset * (cutsInner_ ? plane_.from0 : plane_.from1), to + offset * (cutsInner_ ? plane_.to0 : plane_.to1),
            part);
    if (++piece < pieces_) continue;
    piece = 0;
    for (std::size_t d = outer_.size(); d-- > 0;) {
      from += outer_[d].from;
      to += outer_[d].to;
      if (++at[d] < outer_[d].count) break;
      from -= static_cast<std::ptrdiff_t>(outer_[d].count) * outer_[d].from;
      to -= static_cast<std::ptrdiff_t>(outer_[d].count) * outer_[d].to;
      at[d] = 0;
    }
  }
}

std::vector<std::ptrdiff_t> byteStrides(const Shape& shape, std::size_t elementBytes) {
  std::vector<std::ptrdiff_t> strides(shape.size());
  auto step = static_cast<std::ptrdiff_t>(elementBytes);
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = step;
    step *= static_cast<std::ptrdiff_t>(shape[d]);
  }
  return strides;
}

}  // namespace webnn::cpu
