#include "ops/sizes/open_sizes.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <tuple>

namespace webnn {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kExact = 0x1p53;  // a double holds every integer up to this magnitude

// A bound beyond kExact may have been rounded. These functions replace it by the nearest bound that is certainly valid: for 2^60,
// upperBound() returns kInfinity and lowerBound() kExact.
double lowerBound(double value) { return value > kExact ? kExact : value < -kExact ? -kInfinity : value; }
double upperBound(double value) { return value < -kExact ? -kExact : value > kExact ? kInfinity : value; }

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// Numbers are at least -kMost, so that -n and n / -1 do not overflow. These functions therefore also report a result below
// -kMost.
bool addOverflows(std::int64_t a, std::int64_t b, std::int64_t* sum) {
  return __builtin_add_overflow(a, b, sum) || *sum < -kMost;
}
bool mulOverflows(std::int64_t a, std::int64_t b, std::int64_t* product) {
  return __builtin_mul_overflow(a, b, product) || *product < -kMost;
}

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!addOverflows(a, b, &sum)) return sum;
  return b > 0 ? kMost : -kMost;
}

std::int64_t saturatingMul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!mulOverflows(a, b, &product)) return product;
  return (a > 0) == (b > 0) ? kMost : -kMost;
}

// Divides and rounds down. The divisor is positive.
std::int64_t floorDivide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

[[noreturn]] void failTooLarge() { fail(ErrorKind::typeError, "a size is an expression with coefficients above 64 bits."); }

void requireShort(std::string_view text) {
  constexpr std::size_t kMostCharacters = 4096;
  if (text.size() > kMostCharacters)
    fail(ErrorKind::notSupportedError, "a size is an expression of more than {} characters.", kMostCharacters);
}

std::int64_t exactAdd(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (addOverflows(a, b, &sum)) failTooLarge();
  return sum;
}

std::int64_t exactMul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (mulOverflows(a, b, &product)) failTooLarge();
  return product;
}

bool isIdentifier(std::string_view name) {
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && isLetter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return isLetter(c) || isDigit(c) || c == '.' || c == ':'; });
}

// Returns a name as the grammar spells it: in single quotes unless it is an identifier and not the name of a function.
std::string spelled(const std::string& name) {
  if (isIdentifier(name) && name != "floor" && name != "ceil" && name != "broadcast" && name != "scaled") return name;
  std::string text = "'";
  for (char c : name) text += c == '\'' ? std::string("''") : std::string(1, c);
  return text + "'";
}

std::optional<std::uint32_t> asDimension(std::optional<std::int64_t> value) {
  if (!value || *value < 0 || *value > static_cast<std::int64_t>(kMaxDimension)) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::string printHandle(std::uint32_t size) {
  const OpenSizes* sizes = OpenScope::current();
  const bool isHandle = sizes && sizes->has(size);
  return isHandle ? sanitized(sizes->text(size)) : std::to_string(size);
}

}  // namespace

constinit thread_local OpenSizes* OpenScope::current_ = nullptr;

OpenScope::OpenScope(OpenSizes& sizes) : previous_(std::exchange(current_, &sizes)) { internal::printSize = printHandle; }
OpenScope::~OpenScope() {
  current_ = previous_;
  if (!previous_) internal::printSize = nullptr;
}

bool isOpen(std::span<const std::uint32_t> shape) {
  return std::ranges::any_of(shape, [](std::uint32_t size) { return isOpen(size); });
}

std::string Size::text() const { return isOpen() ? printHandle(handle_) : std::to_string(number_); }

Size operator+(Size a, Size b) {
  if (!a.isOpen() && !b.isOpen()) return Size(saturatingAdd(a.number(), b.number()));
  return OpenScope::current()->combined(a, b, 1);
}

Size operator-(Size a, Size b) {
  if (!a.isOpen() && !b.isOpen()) return Size(saturatingAdd(a.number(), -b.number()));
  return OpenScope::current()->combined(a, b, -1);
}

Size operator*(Size a, Size b) {
  if (!a.isOpen() && !b.isOpen()) return Size(saturatingMul(a.number(), b.number()));
  OpenSizes& sizes = *OpenScope::current();
  OpenSizes::Expression product;
  for (const auto& [factorsOfA, coefficientOfA] : sizes.expressionOf(a)) {
    for (const auto& [factorsOfB, coefficientOfB] : sizes.expressionOf(b)) {
      OpenSizes::Product factors = factorsOfA;
      factors.insert(factors.end(), factorsOfB.begin(), factorsOfB.end());
      std::ranges::sort(factors);
      std::int64_t& coefficient = product[factors];
      coefficient = exactAdd(coefficient, exactMul(coefficientOfA, coefficientOfB));
    }
  }
  return sizes.sizeOf(std::move(product));
}

Size floorQuotient(Size a, Size divisor) {
  if (!a.isOpen() && !divisor.isOpen()) return Size(floorDivide(a.number(), divisor.number()));
  OpenSizes& sizes = *OpenScope::current();
  OpenSizes::Expression dividend = sizes.expressionOf(a);
  const OpenSizes::Expression by = sizes.expressionOf(divisor);
  if (!divisor.isOpen()) {
    // Terms that are multiples of the divisor need no rounding. For example, floor((4 * n + 3) / 2) = 2 * n + floor(3 / 2).
    OpenSizes::Expression whole;
    for (auto& [factors, coefficient] : dividend) {
      const std::int64_t quotient = floorDivide(coefficient, divisor.number());
      if (coefficient % divisor.number() != 0 && !factors.empty()) continue;
      if (quotient != 0) whole[factors] = quotient;
      coefficient -= quotient * divisor.number();
    }
    std::erase_if(dividend, [](const auto& term) { return term.second == 0; });
    const bool isRest = std::ranges::any_of(dividend, [](const auto& term) { return !term.first.empty(); });
    if (!isRest) return sizes.sizeOf(std::move(whole));  // only a constant less than the divisor remains: its quotient is 0
    std::string text = formatText("floor({} / {})", sizes.factorText(dividend), divisor.number());
    const std::uint32_t atom =
        sizes.atom({.kind = OpenSizes::AtomKind::quotient, .text = std::move(text), .a = std::move(dividend), .b = by});
    whole[{atom}] = exactAdd(whole[{atom}], 1);
    return sizes.sizeOf(std::move(whole));
  }
  if (dividend == by) return Size(std::int64_t{1});
  std::string text = formatText("floor({} / {})", sizes.factorText(dividend), sizes.factorText(by, true));
  const std::uint32_t atom =
      sizes.atom({.kind = OpenSizes::AtomKind::quotient, .text = std::move(text), .a = std::move(dividend), .b = by});
  return sizes.sizeOf({{{atom}, 1}});
}

Size productOf(std::span<const std::uint32_t> shape) {
  Size product(std::int64_t{1});
  for (const std::uint32_t size : shape) product = product * Size(size);
  return product;
}

Size ceilQuotient(Size a, std::int64_t divisor) { return floorQuotient(a + Size(divisor - 1), Size(divisor)); }

std::int64_t scaledNumber(std::int64_t size, float scale) {
  const double factor = static_cast<double>(size);
  double floored = std::floor(factor * scale);
  if (std::fma(factor, scale, -floored) < 0) floored -= 1;  // the rounded product is an integer above the exact product
  if (std::fabs(floored) >= 0x1p63) return floored > 0 ? kMost : -kMost;
  return static_cast<std::int64_t>(floored);
}

Size scaled(Size a, float scale) {
  if (!a.isOpen()) return Size(scaledNumber(a.number(), scale));
  if (scale == std::floor(scale) && scale < 0x1p31f) return a * Size(static_cast<std::int64_t>(scale));
  OpenSizes& sizes = *OpenScope::current();
  std::string text = formatText("scaled({}, {})", sizes.text(a.handle()), scale);
  const std::uint32_t atom = sizes.atom(
      {.kind = OpenSizes::AtomKind::scaled, .text = std::move(text), .a = sizes.expressionOf(a), .b = {}, .scale = scale});
  return sizes.sizeOf({{{atom}, 1}});
}

// The comparisons of the validation steps. Each records a condition if an open size decides its result.

bool canEqual(Size a, Size b) {
  if (!a.isOpen() && !b.isOpen()) return a.number() == b.number();
  OpenSizes& sizes = *OpenScope::current();
  const auto left = sizes.resolved(sizes.expressionOf(a)), right = sizes.resolved(sizes.expressionOf(b));
  OpenSizes::Expression difference = left;
  for (const auto& [factors, coefficient] : right) difference[factors] = exactAdd(difference[factors], -coefficient);
  std::erase_if(difference, [](const auto& term) { return term.second == 0; });
  if (difference.empty()) return true;
  const auto [low, high] = sizes.intervalOf(difference);
  if (low > 0 || high < 0) return false;
  return sizes.narrowByEquality(difference) && sizes.keep(OpenSizes::ConditionKind::equal, left, right);
}

bool canEqual(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && !canEqual(Size(a[i]), Size(b[i]))) return false;
  }
  return true;
}

bool canBeAtMost(Size a, Size b) {
  if (!a.isOpen() && !b.isOpen()) return a.number() <= b.number();
  OpenSizes& sizes = *OpenScope::current();
  const auto left = sizes.resolved(sizes.expressionOf(a)), right = sizes.resolved(sizes.expressionOf(b));
  const auto [low, high] = sizes.intervalOf(sizes.resolved(sizes.expressionOf(a - b)));
  if (high <= 0) return true;
  return low <= 0 && sizes.keep(OpenSizes::ConditionKind::atMost, left, right);
}

bool canDivide(Size divisor, Size dividend) {
  if (!divisor.isOpen() && !dividend.isOpen()) {
    if (divisor.number() == 0) return dividend.number() == 0 && OpenScope::current() && OpenScope::current()->allowsZero;
    return dividend.number() % divisor.number() == 0;
  }
  OpenSizes& sizes = *OpenScope::current();
  const auto of = sizes.resolved(sizes.expressionOf(dividend)), by = sizes.resolved(sizes.expressionOf(divisor));
  if (of == by) return true;
  if (!divisor.isOpen() &&
      std::ranges::all_of(of, [&](const auto& term) { return divisor.number() != 0 && term.second % divisor.number() == 0; })) {
    return true;
  }
  return sizes.keep(OpenSizes::ConditionKind::divides, of, by);
}

std::optional<Size> broadcastSize(Size a, Size b, bool keepsBoth) {
  if (!a.isOpen() && !b.isOpen()) {
    if (a.number() != b.number() && a.number() != 1 && b.number() != 1) return std::nullopt;
    return a.number() == 1 ? b : a;  // not the larger size: 0 broadcast with 1 is 0
  }
  OpenSizes& sizes = *OpenScope::current();
  const auto left = sizes.resolved(sizes.expressionOf(a)), right = sizes.resolved(sizes.expressionOf(b));
  const auto isOne = [](Size size) { return !size.isOpen() && size.number() == 1; };
  if (left == right || isOne(b)) return a;
  if (isOne(a)) return b;
  const auto lowA = sizes.intervalOf(left), lowB = sizes.intervalOf(right);
  if (!keepsBoth && lowA.low > 1 && lowB.low > 1) return canEqual(a, b) ? std::optional(a) : std::nullopt;
  if (!sizes.keep(OpenSizes::ConditionKind::broadcasts, left, right)) return std::nullopt;
  // If a size is never 1, it is the result, because the other size is 1 or equal.
  if (!keepsBoth && (lowA.low > 1 || lowA.high < 1)) return a;
  if (!keepsBoth && (lowB.low > 1 || lowB.high < 1)) return b;
  // If one size is already a broadcast of the other size with a third size, it is the result.
  const auto contains = [&](const auto& whole, const auto& part) {
    if (whole.size() != 1 || whole.begin()->second != 1 || whole.begin()->first.size() != 1) return false;
    const OpenSizes::Atom& atom = sizes.atoms_[whole.begin()->first[0]];
    return atom.kind == OpenSizes::AtomKind::broadcast && (atom.a == part || atom.b == part);
  };
  if (contains(left, right)) return a;
  if (contains(right, left)) return b;
  const auto text = [&](const auto& x, const auto& y) {
    return formatText("broadcast({}, {})", sizes.textOf(x), sizes.textOf(y));
  };
  const bool swap = sizes.textOf(right) < sizes.textOf(left);  // both orders of the operands get the same spelling
  const auto &first = swap ? right : left, &second = swap ? left : right;
  const std::uint32_t atom =
      sizes.atom({.kind = OpenSizes::AtomKind::broadcast, .text = text(first, second), .a = first, .b = second});
  return sizes.sizeOf({{{atom}, 1}});
}

bool canBroadcastTo(Size from, Size to) {
  if (!from.isOpen() && !to.isOpen()) return from.number() == to.number() || from.number() == 1;
  OpenSizes& sizes = *OpenScope::current();
  const auto left = sizes.resolved(sizes.expressionOf(from)), right = sizes.resolved(sizes.expressionOf(to));
  if (left == right || (!from.isOpen() && from.number() == 1)) return true;
  const auto [low, high] = sizes.intervalOf(left);
  if (low > 1) return canEqual(from, to);
  return sizes.keep(OpenSizes::ConditionKind::expands, left, right);
}

std::uint32_t OpenSizes::dimension(const std::string& name, std::uint32_t min, std::uint32_t max) {
  if (name.empty()) fail(ErrorKind::typeError, "the name of an open dimension is empty.");
  if (min > max || max > kMaxDimension) {
    fail(ErrorKind::typeError, "the dimension {}: its bounds ({} and {}) are not in order, or above {}.", webnn::quoted(name),
         min, max, kMaxDimension);
  }
  const auto found =
      std::ranges::find(named_, name, [&](std::uint32_t index) -> const std::string& { return atoms_[index].name; });
  if (found == named_.end()) {
    // Each checkpoint() copies the ranges of all names, so that a graph of n names and operations takes time in proportion to
    // n^2.
    constexpr std::size_t kMostNames = 512;
    if (named_.size() >= kMostNames)
      fail(ErrorKind::notSupportedError, "the graph has more than {} open dimensions.", kMostNames);
    const std::uint32_t index = atom({.kind = AtomKind::named, .text = spelled(name), .name = name});
    Atom& named = atoms_[index];
    named.min = named.declaredMin = min;
    named.max = named.declaredMax = max;
    named.alias = index;
    named.place = named_.size();
    named_.push_back(index);
    return sizeOf({{{named_.back()}, 1}}).handle();
  }
  const Atom before = atoms_[*found];
  if (!narrow(*found, min, max)) {
    fail(ErrorKind::typeError, "the dimension {} is between {} and {}; it cannot be between {} and {}.", webnn::quoted(name),
         before.min, before.max, min, max);
  }
  Atom& declared = atoms_[*found];
  declared.declaredMin = std::max(declared.declaredMin, min);
  declared.declaredMax = std::min(declared.declaredMax, max);
  return sizeOf({{{*found}, 1}}).handle();
}

std::uint32_t OpenSizes::nextTag() {
  static std::atomic<std::uint32_t> count = 0;
  return (count++ << 24) & ~kOpenBit & ~kIndexMask;
}

std::uint32_t OpenSizes::declare(const Dimension& dimension) {
  if (dimension.text.empty()) {
    if (dimension.size < 1 || dimension.size > kMaxDimension)
      fail(ErrorKind::typeError, "the dimension {} is neither a name nor between 1 and {}.", dimension.size, kMaxDimension);
    return dimension.size;
  }
  const std::uint32_t size = parse(dimension.text);
  const std::optional<std::string> name = (size & kOpenBit) != 0 ? nameOf(size) : std::nullopt;
  if (name) return this->dimension(*name, dimension.min, dimension.max);
  if (dimension.min != 0 || dimension.max != kMaxDimension)
    fail(ErrorKind::typeError, "the dimension {} is an expression; only names have bounds.", webnn::quoted(dimension.text));
  return size;
}

std::string OpenSizes::text(std::uint32_t handle) const { return textOf(at(handle)); }

std::optional<std::string> OpenSizes::nameOf(std::uint32_t handle) const {
  const Expression& expression = at(handle);
  if (expression.size() != 1 || expression.begin()->second != 1 || expression.begin()->first.size() != 1) return std::nullopt;
  const Atom& atom = atoms_[expression.begin()->first[0]];
  return atom.kind == AtomKind::named ? std::optional(atom.name) : std::nullopt;
}

std::string OpenSizes::key(std::uint32_t handle) const {
  const std::optional<std::string> name = nameOf(handle);
  return name ? keyOfName(*name) : text(handle);
}

std::string OpenSizes::keyOfName(const std::string& name) try {
  if (isIdentifier(name)) return name;
  (void)OpenSizes().parse(name);
  return spelled(name);
} catch (const Error&) {  // the name cannot be read as an expression
  return name;
}

std::pair<std::uint32_t, std::uint32_t> OpenSizes::range(std::uint32_t handle) const {
  const auto [low, high] = intervalOf(at(handle), Bounds::declared);
  const auto clamped = [](double value) {
    return static_cast<std::uint32_t>(std::clamp(value, 0.0, static_cast<double>(kMaxDimension)));
  };
  return {clamped(low), clamped(high)};
}

std::set<std::string> OpenSizes::names(std::uint32_t handle) const {
  std::set<std::string> result;
  if (!has(handle)) return result;
  std::set<std::uint32_t> atoms;
  addNames(at(handle), atoms);
  for (std::uint32_t atom : atoms) result.insert(atoms_[atom].name);
  return result;
}

std::vector<OpenSizes::Named> OpenSizes::named() const {
  std::vector<Named> result;
  for (const std::uint32_t index : named_) {
    std::uint32_t same = index;
    while (atoms_[same].alias != same) same = atoms_[same].alias;
    const Atom &own = atoms_[index], &other = atoms_[same];
    result.push_back({own.name, own.declaredMin, own.declaredMax, other.min, other.max, other.place});
  }
  return result;
}

std::optional<std::uint32_t> OpenSizes::evaluate(std::uint32_t handle, std::span<const std::int64_t> sizes) const {
  if ((handle & kOpenBit) == 0) return handle;
  if (!has(handle)) return std::nullopt;
  return asDimension(value(at(handle), sizes));
}

std::optional<std::size_t> OpenSizes::solve(std::uint32_t handle, std::int64_t wanted, std::vector<std::int64_t>& sizes) const {
  const Expression& expression = at(handle);
  std::set<std::uint32_t> names;
  addNames(expression, names);
  std::optional<std::size_t> unknown;
  for (std::uint32_t name : names) {
    const std::size_t place = atoms_[name].place;
    if (sizes[place] >= 0) continue;
    if (unknown) return std::nullopt;
    unknown = place;
  }
  if (!unknown) return std::nullopt;
  // Requires that the expression is linear in the unknown dimension, tested at the sizes 1, 2 and 3. The slope gives the size.
  const auto at = [&](std::int64_t size) {
    sizes[*unknown] = size;
    return value(expression, sizes);
  };
  const auto first = at(1), second = at(2), third = at(3);
  sizes[*unknown] = -1;
  std::int64_t slope = 0, next = 0, rest = 0, size = 0;
  if (!first || !second || !third || addOverflows(*second, -*first, &slope) || addOverflows(*third, -*second, &next) ||
      addOverflows(wanted, -*first, &rest))
    return std::nullopt;
  if (slope == 0 || next != slope || rest % slope != 0 || addOverflows(1, rest / slope, &size)) return std::nullopt;
  if (size < 0 || at(size) != wanted) {
    sizes[*unknown] = -1;
    return std::nullopt;
  }
  return unknown;
}

void OpenSizes::forEachSolvable(std::span<const std::uint32_t> handles, std::span<const std::int64_t> sizes,
                                FunctionRef<std::optional<std::size_t>(std::uint32_t)> solveOne) const {
  std::map<std::uint32_t, std::vector<std::size_t>> users;  // for each unknown name, the expressions that have it
  std::vector<std::size_t> unknown(handles.size()), ready;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    std::set<std::uint32_t> names;
    if (has(handles[i])) addNames(at(handles[i]), names);
    for (std::uint32_t name : names) {
      if (sizes[atoms_[name].place] >= 0) continue;
      ++unknown[i];
      users[name].push_back(i);
    }
    if (unknown[i] == 1) ready.push_back(i);
  }
  while (!ready.empty()) {
    const std::size_t next = ready.back();
    ready.pop_back();
    if (unknown[next] != 1) continue;
    const std::optional<std::size_t> solved = solveOne(handles[next]);
    if (!solved) continue;
    for (std::size_t user : users[named_[*solved]]) {
      if (--unknown[user] == 1) ready.push_back(user);
    }
  }
}

OpenSizes::Checkpoint OpenSizes::checkpoint() const {
  Checkpoint result{{}, conditions_.size()};
  for (std::uint32_t index : named_) {
    const Atom& atom = atoms_[index];
    result.named.push_back({atom.min, atom.max, atom.declaredMin, atom.declaredMax, atom.alias});
  }
  return result;
}

void OpenSizes::restore(const Checkpoint& checkpoint) {
  named_.resize(checkpoint.named.size());  // dimension() will declare again names that were new since the checkpoint
  for (std::size_t i = 0; i < named_.size(); ++i) {
    Atom& atom = atoms_[named_[i]];
    const Checkpoint::Range& before = checkpoint.named[i];
    atom.min = before.min;
    atom.max = before.max;
    atom.declaredMin = before.declaredMin;
    atom.declaredMax = before.declaredMax;
    atom.alias = before.alias;
  }
  while (conditions_.size() > checkpoint.conditions) {
    conditionKeys_.erase(conditions_.back().key);
    conditions_.pop_back();
  }
}

OpenSizes::Expression OpenSizes::expressionOf(Size size) const {
  if (size.isOpen()) {
    if (!has(size.handle()))
      fail(ErrorKind::typeError, "the size {} is neither valid nor an open dimension of this builder.", size.handle());
    return at(size.handle());
  }
  if (size.number() == 0) return {};
  return {{{}, size.number()}};
}

Size OpenSizes::sizeOf(Expression expression) {
  std::erase_if(expression, [](const auto& term) { return term.second == 0; });
  if (expression.empty()) return Size(std::int64_t{0});
  if (expression.size() == 1 && expression.begin()->first.empty()) return Size(expression.begin()->second);
  // Without these bounds, a graph of n operations could make an expression of 2^n parts.
  constexpr std::size_t kMostFactors = 256, kMostExpressions = kIndexMask;
  std::size_t factors = 0;
  for (const auto& [product, coefficient] : expression) factors += 1 + product.size();
  if (factors > kMostFactors || expressions_.size() >= kMostExpressions)
    fail(ErrorKind::notSupportedError, "a size is an expression with more than {} terms and factors.", kMostFactors);
  std::string text = textOf(expression);
  requireShort(text);
  if (const auto found = expressionsByText_.find(text); found != expressionsByText_.end())
    return Size::ofHandle(kOpenBit | tag_ | found->second);
  const auto index = static_cast<std::uint32_t>(expressions_.size());
  expressions_.push_back(std::move(expression));
  expressionsByText_.emplace(std::move(text), index);
  return Size::ofHandle(kOpenBit | tag_ | index);
}

std::uint32_t OpenSizes::atom(Atom atom) {
  if (const auto found = atomsByText_.find(atom.text); found != atomsByText_.end()) return found->second;
  requireShort(atom.text);
  const auto index = static_cast<std::uint32_t>(atoms_.size());
  atom.alias = index;
  atomsByText_.emplace(atom.text, index);
  atoms_.push_back(std::move(atom));
  return index;
}

Size OpenSizes::combined(Size a, Size b, std::int64_t factorOfB) {
  Expression sum = expressionOf(a);
  for (const auto& [factors, coefficient] : expressionOf(b)) {
    std::int64_t& term = sum[factors];
    term = exactAdd(term, exactMul(coefficient, factorOfB));
  }
  return sizeOf(std::move(sum));
}

// Sorts the factors by text, so that the result does not depend on the order of the declarations.
std::string OpenSizes::textOf(const Product& product) const {
  std::vector<std::string_view> factors;
  for (std::uint32_t factor : product) factors.push_back(atoms_[factor].text);
  std::ranges::sort(factors);
  std::string text;
  for (std::string_view factor : factors) text.append(text.empty() ? "" : " * ").append(factor);
  return text;
}

std::string OpenSizes::factorText(const Expression& expression, bool isDivisor) const {
  const bool isOneTerm =
      expression.size() == 1 && (!isDivisor || (expression.begin()->second == 1 && expression.begin()->first.size() == 1));
  return isOneTerm ? textOf(expression) : "(" + textOf(expression) + ")";
}

std::string OpenSizes::textOf(const Expression& expression) const {
  struct Term {
    bool isConstant = false, isNegative = false;
    std::string text;
  };
  std::vector<Term> terms;
  for (const auto& [product, coefficient] : expression) {
    const bool isNegative = coefficient < 0;
    const auto unsignedValue = static_cast<std::uint64_t>(coefficient);
    const std::uint64_t magnitude = isNegative ? 0 - unsignedValue : unsignedValue;
    std::string text = textOf(product);
    if (product.empty())
      text = std::to_string(magnitude);
    else if (magnitude != 1)
      text += " * " + std::to_string(magnitude);
    terms.push_back({product.empty(), isNegative, std::move(text)});
  }
  std::ranges::sort(terms, [](const Term& a, const Term& b) {
    return std::tie(a.isConstant, a.isNegative, a.text) < std::tie(b.isConstant, b.isNegative, b.text);
  });
  std::string text;
  for (const Term& term : terms) {
    if (text.empty())
      text = (term.isNegative ? "-" : "") + term.text;
    else
      text += (term.isNegative ? " - " : " + ") + term.text;
  }
  return text.empty() ? "0" : text;
}

OpenSizes::Expression OpenSizes::resolved(const Expression& expression) const {
  Expression result;
  for (const auto& [factors, coefficient] : expression) {
    Product product = factors;
    for (std::uint32_t& factor : product) {
      while (atoms_[factor].alias != factor) factor = atoms_[factor].alias;
    }
    std::ranges::sort(product);
    result[product] = exactAdd(result[product], coefficient);
  }
  std::erase_if(result, [](const auto& term) { return term.second == 0; });
  return result;
}

bool OpenSizes::allowsSizes(std::span<const std::int64_t> sizes) const {
  return std::ranges::all_of(conditions_, [&](const Condition& condition) { return holds(condition, sizes); });
}

OpenSizes::Interval OpenSizes::intervalOf(const Atom& atom, Bounds bounds) const {
  const auto in = [&](const Expression& part) { return bounds == Bounds::narrowed ? resolved(part) : part; };
  switch (atom.kind) {
    case AtomKind::named:
      if (bounds == Bounds::declared) return {static_cast<double>(atom.declaredMin), static_cast<double>(atom.declaredMax)};
      return {static_cast<double>(atom.min), static_cast<double>(atom.max)};
    case AtomKind::broadcast: {
      const Interval a = intervalOf(in(atom.a), bounds), b = intervalOf(in(atom.b), bounds);
      return {std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    case AtomKind::scaled: {
      const Interval a = intervalOf(in(atom.a), bounds);
      const auto of = [&](double value) {
        return static_cast<double>(scaledNumber(static_cast<std::int64_t>(value), atom.scale));
      };
      return {a.low > 0 ? lowerBound(of(a.low)) : 0, a.high < 0x1p53 ? upperBound(of(std::max(a.high, 0.0))) : kInfinity};
    }
    case AtomKind::quotient: break;
  }
  const Interval a = intervalOf(in(atom.a), bounds), b = intervalOf(in(atom.b), bounds);
  if (b.low < 1) return {-kInfinity, kInfinity};
  const auto divided = [&](double value, double by) { return std::floor(value / by); };
  return {lowerBound(a.low < 0            ? divided(a.low, b.low)
                     : std::isinf(b.high) ? 0
                                          : divided(a.low, b.high)),
          upperBound(a.high < 0 ? -1 : divided(a.high, b.low))};
}

OpenSizes::Interval OpenSizes::intervalOf(const Expression& expression, Bounds bounds) const {
  Interval sum;
  for (const auto& [factors, coefficient] : expression) {
    Interval product{1, 1};
    for (std::uint32_t factor : factors) {
      const Interval next = intervalOf(atoms_[factor], bounds);
      if (product.low < 0 || next.low < 0) {
        product = {-kInfinity, kInfinity};
      } else {
        product = {lowerBound(product.low * next.low),
                   next.high == 0 || product.high == 0 ? 0 : upperBound(product.high * next.high)};
      }
    }
    const auto c = static_cast<double>(coefficient);
    const double first = product.low == 0 ? 0 : product.low * c, second = product.high == 0 ? 0 : product.high * c;
    sum.low = lowerBound(sum.low + lowerBound(std::min(first, second)));
    sum.high = upperBound(sum.high + upperBound(std::max(first, second)));
  }
  return sum;
}

std::optional<std::int64_t> OpenSizes::value(const Atom& atom, std::span<const std::int64_t> sizes) const {
  if (atom.kind == AtomKind::named) {
    const std::int64_t size = sizes[atom.place];
    return size < 0 ? std::nullopt : std::optional(size);
  }
  const auto a = value(atom.a, sizes);
  if (!a) return std::nullopt;
  if (atom.kind == AtomKind::scaled) return scaledNumber(*a, atom.scale);
  const auto b = value(atom.b, sizes);
  if (!b) return std::nullopt;
  if (atom.kind == AtomKind::broadcast) return *a == 1 ? b : *b == 1 || *a == *b ? a : std::nullopt;
  if (*b <= 0) return std::nullopt;
  return floorDivide(*a, *b);
}

std::optional<std::int64_t> OpenSizes::value(const Expression& expression, std::span<const std::int64_t> sizes) const {
  std::int64_t sum = 0;
  for (const auto& [factors, coefficient] : expression) {
    std::int64_t product = coefficient;
    for (std::uint32_t factor : factors) {
      const auto next = value(atoms_[factor], sizes);
      if (!next || mulOverflows(product, *next, &product)) return std::nullopt;
    }
    if (addOverflows(sum, product, &sum)) return std::nullopt;
  }
  return sum;
}

std::string OpenSizes::build(const Atom& atom, SizeSink& sink) const {
  if (atom.kind == AtomKind::named) return sink.named(atom.name);
  const std::string a = build(atom.a, sink);
  if (atom.kind == AtomKind::scaled) return sink.scaled(a, atom.scale);
  const std::string b = build(atom.b, sink);
  return atom.kind == AtomKind::broadcast ? sink.broadcast(a, b) : sink.quotient(a, b);
}

std::string OpenSizes::build(const Expression& expression, SizeSink& sink) const {
  std::string sum;
  for (const auto& [factors, coefficient] : expression) {
    std::string product = factors.empty() || coefficient != 1 ? sink.number(coefficient) : "";
    for (const std::uint32_t factor : factors) {
      std::string next = build(atoms_[factor], sink);
      product = product.empty() ? std::move(next) : sink.product(product, next);
    }
    sum = sum.empty() ? std::move(product) : sink.sum(sum, product);
  }
  return sum.empty() ? sink.number(0) : sum;
}

void OpenSizes::addNames(const Expression& expression, std::set<std::uint32_t>& names) const {
  for (const auto& [factors, coefficient] : expression) {
    for (std::uint32_t factor : factors) {
      const Atom& atom = atoms_[factor];
      if (atom.kind == AtomKind::named) {
        names.insert(factor);
      } else {
        addNames(atom.a, names);
        addNames(atom.b, names);
      }
    }
  }
}

bool OpenSizes::holds(const Condition& condition, std::span<const std::int64_t> sizes) const {
  const auto left = value(condition.a, sizes), right = value(condition.b, sizes);
  if (!left || !right) return false;
  switch (condition.kind) {
    case ConditionKind::equal: return *left == *right;
    case ConditionKind::atMost: return *left <= *right;
    case ConditionKind::divides: return *right != 0 && *left % *right == 0;
    case ConditionKind::broadcasts: return *left == *right || *left == 1 || *right == 1;
    case ConditionKind::expands: return *left == *right || *left == 1;
  }
  return true;
}

bool OpenSizes::keep(ConditionKind kind, const Expression& a, const Expression& b) {
  std::string key = formatText("{} {} : {}", static_cast<int>(kind), textOf(a), textOf(b));
  if (!conditionKeys_.insert(key).second) return true;
  std::set<std::uint32_t> names;
  addNames(a, names);
  addNames(b, names);
  const bool hasOneName = names.size() == 1;
  conditions_.push_back({kind, a, b, std::move(key), hasOneName ? std::optional(*names.begin()) : std::nullopt});
  if (!hasOneName) return true;
  const std::uint32_t index = *names.begin();
  const Atom& only = atoms_[index];
  // A size that is broadcast with a number n can only be 1 or n.
  if (kind == ConditionKind::broadcasts || kind == ConditionKind::expands) {
    const bool isLeft = a.size() == 1 && a.contains({index}) && a.begin()->second == 1;
    const Expression& other = isLeft ? b : a;
    const bool isNumber = other.empty() || (other.size() == 1 && other.contains({}));
    const std::int64_t number = other.empty() ? 0 : other.begin()->second;
    if (isNumber && (isLeft || kind == ConditionKind::broadcasts) &&
        (isLeft || (b.size() == 1 && b.contains({index}) && b.begin()->second == 1)) &&
        !narrow(index, std::min<std::int64_t>(number, 1), std::max<std::int64_t>(number, 1))) {
      return false;
    }
  }
  // If the range is small, tries each size: one must satisfy all conditions that only depend on this dimension.
  constexpr std::uint64_t kMostTrials = 1 << 16;
  const std::uint64_t range = std::uint64_t{only.max} - only.min + 1;
  if (range > kMostTrials) return true;
  std::vector<const Condition*> conditions;
  for (const Condition& condition : conditions_) {
    if (condition.onlyName == index) conditions.push_back(&condition);
  }
  if (range * conditions.size() > kMostTrials) return true;
  std::vector<std::int64_t> sizes(named_.size(), -1);
  for (std::uint32_t size = only.min; size <= only.max; ++size) {
    sizes[only.place] = size;
    if (std::ranges::all_of(conditions, [&](const Condition* condition) { return holds(*condition, sizes); })) return true;
  }
  return false;
}

bool OpenSizes::narrow(std::uint32_t named, std::int64_t min, std::int64_t max) {
  Atom& atom = atoms_[named];
  const std::int64_t low = std::max<std::int64_t>(atom.min, min), high = std::min<std::int64_t>(atom.max, max);
  if (low > high) return false;
  atom.min = static_cast<std::uint32_t>(low);
  atom.max = static_cast<std::uint32_t>(high);
  return true;
}

// `c * n + d = 0` fixes n to -d / c. `n - m = 0` makes both names mean one size from now on. Returns false if no size fits.
bool OpenSizes::narrowByEquality(const Expression& difference) {
  std::vector<std::pair<Product, std::int64_t>> terms;
  std::int64_t constant = 0;
  for (const auto& [factors, coefficient] : difference) {
    if (factors.empty())
      constant = coefficient;
    else
      terms.emplace_back(factors, coefficient);
  }
  const auto isNamed = [&](const Product& product) { return product.size() == 1 && atoms_[product[0]].kind == AtomKind::named; };
  if (terms.size() == 1) {
    if (constant % terms[0].second != 0) return false;
    const std::int64_t root = -(constant / terms[0].second);
    return !isNamed(terms[0].first) || narrow(terms[0].first[0], root, root);
  }
  if (terms.size() == 2 && constant == 0 && isNamed(terms[0].first) && isNamed(terms[1].first) &&
      terms[0].second == -terms[1].second) {
    const std::uint32_t first = terms[0].first[0], second = terms[1].first[0];
    if (!narrow(first, atoms_[second].min, atoms_[second].max)) return false;
    atoms_[second].alias = first;
  }
  return true;
}

}  // namespace webnn
