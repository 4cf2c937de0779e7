#include "backends/cpu/ops/normalization/normalization_groups.h"

#include <algorithm>

namespace webnn::cpu {

std::vector<NormalizationGroups::Block> NormalizationGroups::blocksOf(const Shape& shape,
                                                                      const std::vector<std::uint32_t>& axes) {
  std::vector<Block> blocks;  // collected from the last dimension to the first, reversed at the end
  std::size_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    const bool isReduced = std::ranges::find(axes, i) != axes.end();
    if (!blocks.empty() && blocks.back().isReduced == isReduced) {
      blocks.back().size *= shape[i];
    } else {
      blocks.push_back({shape[i], stride, isReduced});
    }
    stride *= shape[i];
  }
  std::ranges::reverse(blocks);
  return blocks;
}

NormalizationGroups::NormalizationGroups(const Shape& shape, const std::vector<std::uint32_t>& axes) {
  std::vector<Block> blocks = blocksOf(shape, axes);
  const bool isColumns = blocks.empty() || !blocks.back().isReduced;
  take(std::move(blocks), isColumns);
}

NormalizationGroups::NormalizationGroups(const Shape& shape, const std::vector<std::uint32_t>& axes, bool isColumns) {
  take(blocksOf(shape, axes), isColumns);
}

NormalizationGroups NormalizationGroups::asRows(const Shape& shape, const std::vector<std::uint32_t>& axes) {
  return {shape, axes, false};
}
NormalizationGroups NormalizationGroups::asColumns(const Shape& shape, const std::vector<std::uint32_t>& axes) {
  return {shape, axes, true};
}

void NormalizationGroups::take(std::vector<Block> blocks, bool isColumns) {
  if (isColumns) {
    columns = 1;
    if (!blocks.empty() && !blocks.back().isReduced) {
      columns = blocks.back().size;
      blocks.pop_back();
    }
  }
  if (!blocks.empty() && blocks.back().isReduced) {
    runLength = blocks.back().size;
    runStride = blocks.back().stride;
    blocks.pop_back();
  }
  members = {0};
  for (const Block& block : blocks) {
    if (!block.isReduced) {
      outer_.push_back(block);
      continue;
    }
    std::vector<std::size_t> longer;
    longer.reserve(members.size() * block.size);
    for (const std::size_t offset : members) {
      for (std::size_t i = 0; i < block.size; ++i) longer.push_back(offset + i * block.stride);
    }
    members = std::move(longer);
  }
}

std::size_t NormalizationGroups::outerCount() const {
  std::size_t count = 1;
  for (const Block& block : outer_) count *= block.size;
  return count;
}

std::size_t NormalizationGroups::outerOffset(std::size_t i) const {
  std::size_t offset = 0;
  for (std::size_t b = outer_.size(); b-- > 0;) {
    offset += i % outer_[b].size * outer_[b].stride;
    i /= outer_[b].size;
  }
  return offset;
}

std::vector<std::uint32_t> memberOrder(const Shape& shape, const std::vector<std::uint32_t>& axes) {
  std::vector<std::uint32_t> sorted = axes;
  std::ranges::sort(sorted);
  if (sorted == axes) return {};
  std::vector<std::uint32_t> order{0};
  for (const std::uint32_t axis : sorted) {
    std::uint32_t stride = 1;  // distance along `axis` between a group's members in row-major order of `axes`
    for (auto after = std::ranges::find(axes, axis) + 1; after != axes.end(); ++after) stride *= shape[*after];
    std::vector<std::uint32_t> longer;
    longer.reserve(order.size() * shape[axis]);
    for (const std::uint32_t place : order) {
      for (std::uint32_t i = 0; i < shape[axis]; ++i) longer.push_back(place + i * stride);
    }
    order = std::move(longer);
  }
  return order;
}

}  // namespace webnn::cpu
