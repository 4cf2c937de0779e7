// Samples constants for the page of `webnn view`.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cli/elements.h"
#include "cli/view/view.h"

namespace webnn::cli {

namespace {

using formats::Json;

constexpr std::size_t kFew = 64;  // a constant that has at most this many elements is shown completely

std::string base64(std::span<const unsigned char> bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (j < count ? bytes[i + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

struct Sample {
  std::vector<double> values;  // only finite values
  std::size_t taken = 0;
  double least = std::numeric_limits<double>::infinity(), greatest = -least, mean = 0, deviation = 0;
};

// Returns the index of the first element of part `i` if `count` elements are divided into `parts` equal parts.
std::size_t startOf(std::size_t i, std::size_t parts, std::size_t count) {
  return static_cast<std::size_t>(std::uint64_t{i} * count / parts);
}

// Samples `count` elements at equal distances, at most kHistogramElements.
Sample sampleOf(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, std::size_t count) {
  Sample sample{.values = {}, .taken = std::min(count, kHistogramElements)};
  for (std::size_t i = 0; i < sample.taken; ++i) {
    const double value = elementAt(descriptor.dataType, bytes, startOf(i, sample.taken, count)).toDouble();
    if (std::isfinite(value)) sample.values.push_back(value);
  }
  const auto size = static_cast<double>(sample.values.size());
  for (const double value : sample.values) {
    sample.least = std::min(sample.least, value);
    sample.greatest = std::max(sample.greatest, value);
    sample.mean += value;
  }
  sample.mean /= size;
  for (const double value : sample.values) sample.deviation += (value - sample.mean) * (value - sample.mean) / size;
  sample.deviation = std::sqrt(sample.deviation);
  return sample;
}

// Returns the bin of a value, from 0 to `parts` - 1. Values outside the range go to the first or last bin.
std::size_t placeOf(double value, const Sample& sample, std::size_t parts) {
  const double half = sample.greatest / 2 - sample.least / 2;  // halved, because the whole range may overflow double
  if (!(half > 0)) return parts / 2;
  const double share = std::clamp((value / 2 - sample.least / 2) / half, 0.0, 1.0);
  return std::min(static_cast<std::size_t>(share * static_cast<double>(parts)), parts - 1);
}

Json histogramOf(const Sample& sample) {
  std::array<std::uint64_t, kHistogramBins> counts{};
  for (const double value : sample.values) ++counts[placeOf(value, sample, kHistogramBins)];
  Json json = Json::array();
  for (const std::uint64_t count : counts) json.push(count);
  return json;
}

// Samples the tensor as a matrix at equal distances. Rows are the first dimension, columns all others; a vector is one row.
// Non-finite values become 0.
Json pictureOf(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, const Sample& sample, std::size_t count) {
  const std::size_t rows = descriptor.shape.size() > 1 ? descriptor.shape[0] : 1, columns = count / rows;
  const std::size_t height = std::min(rows, kPictureSide), width = std::min(columns, kPictureSide);
  std::vector<unsigned char> pixels;
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t index = startOf(y, height, rows) * columns + startOf(x, width, columns);
      const double value = elementAt(descriptor.dataType, bytes, index).toDouble();
      pixels.push_back(std::isfinite(value) ? static_cast<unsigned char>(1 + placeOf(value, sample, 255)) : 0);
    }
  }
  return {{"rows", rows}, {"columns", columns}, {"height", height}, {"width", width}, {"pixels", base64(pixels)}};
}

}  // namespace

Json weightsJson(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, bool hasPicture) {
  const std::size_t count = elementCount(descriptor);
  Json json = Json::object();
  if (count <= kFew) {
    json["values"] = Json::array();
    for (std::size_t i = 0; i < count; ++i)
      json["values"].push(elementText(descriptor.dataType, elementAt(descriptor.dataType, bytes, i)));
  }
  const Sample sample = sampleOf(descriptor, bytes, count);
  json["sampled"] = sample.taken;
  json["notFinite"] = sample.taken - sample.values.size();
  if (sample.values.empty()) return json;
  json["min"] = sample.least;
  json["max"] = sample.greatest;
  json["mean"] = sample.mean;
  json["deviation"] = sample.deviation;
  if (!hasPicture || count <= 1) return json;
  json["histogram"] = histogramOf(sample);
  json["picture"] = pictureOf(descriptor, bytes, sample, count);
  return json;
}

}  // namespace webnn::cli
