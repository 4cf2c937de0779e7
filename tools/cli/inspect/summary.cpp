#include "cli/inspect/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.h"
#include "cli/command.h"
#include "cli/elements.h"
#include "cli/terminal.h"
#include "formats/document/json_fields.h"

namespace webnn::cli {

namespace {

constexpr std::size_t kFirstValues = 8;
constexpr std::size_t kFewValues = 16;  // JSON lists all elements of a tensor that has at most this many

struct Statistics {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double mean = 0;
  std::size_t nans = 0;
};

// Ignores NaN elements, except to count them.
Statistics statisticsOf(const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  Statistics statistics;
  const std::size_t count = elementCount(descriptor);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = elementAt(descriptor.dataType, bytes, i).toDouble();
    if (std::isnan(value)) {
      ++statistics.nans;
      continue;
    }
    statistics.min = std::min(statistics.min, value);
    statistics.max = std::max(statistics.max, value);
    sum += value;
  }
  if (statistics.nans == count) return {NAN, NAN, NAN, count};
  statistics.mean = sum / static_cast<double>(count - statistics.nans);
  return statistics;
}

// Returns the first values that fit a line, at most kFirstValues.
std::string firstValues(const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  const std::size_t count = elementCount(descriptor), most = terminalColumns() - std::string_view("  , ...").size();
  std::string text;
  std::size_t shown = 0;
  for (; shown < std::min(count, kFirstValues); ++shown) {
    const std::string value =
        (shown == 0 ? "" : ", ") + elementText(descriptor.dataType, elementAt(descriptor.dataType, bytes, shown));
    if (text.size() + value.size() > most) break;
    text += value;
  }
  return count > shown ? text + ", ..." : text;
}

std::size_t classesOf(const OperandDescriptor& descriptor) { return descriptor.shape.empty() ? 1 : descriptor.shape.back(); }

std::vector<std::string> labelsOf(const OperandDescriptor& descriptor, const SummaryOptions& options) {
  return options.labels ? parseLabels(*options.labels, classesOf(descriptor)) : std::vector<std::string>();
}

std::string topText(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, const SummaryOptions& options) {
  const std::vector<std::string> labels = labelsOf(descriptor, options);
  const auto rows = best(descriptor, bytes, options.top, options.softmax);
  std::string text;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows.size() > 1) text += formatText("  row {}\n", row);
    for (std::size_t i = 0; i < rows[row].size(); ++i) {
      const auto [index, value] = rows[row][i];
      text += formatText("  {:>2}. {:<10} {}\n", i + 1,
                         options.softmax ? formatText("{:.2f}%", 100 * value) : formatText("{:.6g}", value),
                         labels.empty() ? formatText("class {}", index) : sanitized(labels[index]));
    }
  }
  return text;
}

Json topJson(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, const SummaryOptions& options) {
  const std::vector<std::string> labels = labelsOf(descriptor, options);
  Json rows = Json::array();
  for (const auto& row : best(descriptor, bytes, options.top, options.softmax)) {
    Json items = Json::array();
    for (const auto& [index, value] : row) {
      Json item{{"index", index}, {"value", formats::toJson(value)}};
      if (!labels.empty()) item["label"] = labels[index];
      items.push(std::move(item));
    }
    rows.push(std::move(items));
  }
  return rows;
}

struct Grey {
  std::size_t width = 0, height = 0;
  std::vector<double> values;
};

Grey greyOf(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, bool channelsLast) {
  const Shape& shape = descriptor.shape;
  const std::size_t channels = channelsLast ? shape[3] : shape[1], height = channelsLast ? shape[1] : shape[2],
                    width = channelsLast ? shape[2] : shape[3];
  Grey grey{width, height, std::vector<double>(width * height)};
  for (std::size_t pixel = 0; pixel < width * height; ++pixel) {
    for (std::size_t c = 0; c < channels; ++c) {
      const std::size_t index = channelsLast ? pixel * channels + c : c * width * height + pixel;
      grey.values[pixel] += elementAt(descriptor.dataType, bytes, index).toDouble();
    }
  }
  const auto [low, high] = std::ranges::minmax(grey.values);
  for (double& value : grey.values) value = high > low ? (value - low) / (high - low) : 0;
  return grey;
}

// Returns the mean of the pixels in [x0, x1) x [y0, y1); an empty range is widened to one pixel.
double meanOf(const Grey& grey, std::size_t x0, std::size_t x1, std::size_t y0, std::size_t y1) {
  x1 = std::max(x1, x0 + 1);
  y1 = std::max(y1, y0 + 1);
  double sum = 0;
  for (std::size_t y = y0; y < y1; ++y)
    sum = std::accumulate(&grey.values[y * grey.width + x0], &grey.values[y * grey.width] + x1, sum);
  return sum / static_cast<double>((x1 - x0) * (y1 - y0));
}

void applySoftmax(std::vector<Ranked>& row) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const Ranked& item : row) most = std::max(most, item.value);
  for (Ranked& item : row) sum += item.value = std::exp(item.value - most);
  for (Ranked& item : row) item.value /= sum;
}

}  // namespace

std::vector<std::vector<Ranked>> best(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, std::size_t count,
                                      bool softmax) {
  const std::size_t classes = classesOf(descriptor), rows = elementCount(descriptor) / classes;
  std::vector<std::vector<Ranked>> result(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Ranked> all(classes);
    for (std::size_t i = 0; i < classes; ++i) all[i] = {i, elementAt(descriptor.dataType, bytes, row * classes + i).toDouble()};
    if (softmax) applySoftmax(all);
    std::ranges::stable_sort(
        all, [](double a, double b) { return a > b || (std::isnan(b) && !std::isnan(a)); }, &Ranked::value);
    all.resize(std::min(count, classes));
    result[row] = std::move(all);
  }
  return result;
}

std::vector<std::string> parseLabels(std::string_view text, std::size_t classes) {
  std::vector<std::string> labels;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    labels.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (labels.size() != classes) fail(ErrorKind::typeError, "there are {} labels for {} classes.", labels.size(), classes);
  return labels;
}

std::size_t nanCount(const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  return isFloat(descriptor.dataType) && !bytes.empty() ? statisticsOf(descriptor, bytes).nans : 0;
}

std::string summaryText(const NamedDescriptor& output, std::span<const std::byte> bytes, const SummaryOptions& options) {
  const auto& [name, descriptor] = output;
  std::string text = formatText("{}: {}\n", emphasized(Emphasis::strong, sanitized(name)), toString(descriptor));
  if (bytes.empty()) return text + "  no elements\n";
  if (options.top > 0) return text + topText(descriptor, bytes, options);
  const Statistics statistics = statisticsOf(descriptor, bytes);
  text += formatText("  min {:.6g}  max {:.6g}  mean {:.6g}", statistics.min, statistics.max, statistics.mean);
  if (statistics.nans > 0) text += formatText("  NaN {}", statistics.nans);
  return text + "\n  " + firstValues(descriptor, bytes) + "\n";
}

Json summaryJson(const NamedDescriptor& output, std::span<const std::byte> bytes, const SummaryOptions& options) {
  const OperandDescriptor& descriptor = output.second;
  if (bytes.empty()) {
    Json json = descriptorJson(descriptor);
    json["values"] = Json::array();
    return json;
  }
  const Statistics statistics = statisticsOf(descriptor, bytes);
  Json json = descriptorJson(descriptor);
  json["min"] = formats::toJson(statistics.min);
  json["max"] = formats::toJson(statistics.max);
  json["mean"] = formats::toJson(statistics.mean);
  if (statistics.nans > 0) json["nans"] = statistics.nans;
  const std::size_t count = elementCount(descriptor);
  const bool isWhole = options.full || count <= kFewValues;
  Json values = Json::array();
  for (std::size_t i = 0; i < (isWhole ? count : kFirstValues); ++i)
    values.push(formats::toJson(elementAt(descriptor.dataType, bytes, i)));
  json[isWhole ? "values" : "firstValues"] = std::move(values);
  if (options.top > 0) json["top"] = topJson(descriptor, bytes, options);
  return json;
}

std::string drawPicture(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, bool channelsLast, bool ascii) {
  static constexpr std::size_t kColumns = 80;
  static constexpr std::array<std::string_view, 5> kBlocks{" ", "\u2591", "\u2592", "\u2593", "\u2588"};
  static constexpr std::string_view kRamp = " .:-=+*#%@";
  const Grey grey = greyOf(descriptor, bytes, channelsLast);
  // A character is about twice as high as wide, so there are half as many lines.
  const std::size_t columns = std::min(kColumns, 2 * grey.width);
  const std::size_t lines = std::max<std::size_t>(1, grey.height * columns / grey.width / 2);
  std::string text;
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double value = meanOf(grey, column * grey.width / columns, (column + 1) * grey.width / columns,
                                  line * grey.height / lines, (line + 1) * grey.height / lines);
      const std::size_t levels = ascii ? kRamp.size() : kBlocks.size();
      const std::size_t level = std::min(levels - 1, static_cast<std::size_t>(value * static_cast<double>(levels)));
      text += ascii ? kRamp.substr(level, 1) : kBlocks[level];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace webnn::cli
