// Sizes that are unknown while a graph is built: expressions over named dimensions, such as `batch * 12` or `past + 1`.
//
// Shapes and the sizes among an operation's fields are 32-bit numbers. In a builder with open dimensions, a number with kOpenBit
// is a handle: the builder's tag and the index of an expression in its OpenSizes. No valid dimension has this bit, so fixed
// graphs are not affected. The tag exposes most handles that come from another builder. The validation steps compute with `Size`,
// which is either a number or an expression.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/function_ref.h"
#include "base/text.h"
#include "webnn/open_dimensions.h"
#include "webnn/types.h"

namespace webnn {

inline constexpr std::uint32_t kOpenBit = 0x80000000;

// The web package has no open dimensions, because they would be a tenth of its size.
#ifdef __EMSCRIPTEN__
inline constexpr bool kHasOpenSizes = false;
#else
inline constexpr bool kHasOpenSizes = true;
#endif

// A number, or an expression in the current OpenSizes (see OpenScope).
class Size {
 public:
  // Reads a dimension or a field of an operation: a handle if it has kOpenBit and there is a current OpenSizes, otherwise a
  // number.
  explicit Size(std::uint32_t sizeOrHandle);
  explicit Size(std::int64_t number) : number_(number) {}
  static Size ofHandle(std::uint32_t handle) {
    Size size(std::int64_t{0});
    size.handle_ = handle;
    return size;
  }

  bool isOpen() const { return kHasOpenSizes && handle_ != 0; }
  std::int64_t number() const { return number_; }  // requires !isOpen()
  std::uint32_t handle() const { return handle_; }
  std::string text() const;

  // Sums and products of numbers saturate at the limits of 64 bits. Throws TypeError if the coefficients of an expression exceed
  // 64 bits.
  friend Size operator+(Size a, Size b);
  friend Size operator-(Size a, Size b);
  friend Size operator*(Size a, Size b);

 private:
  std::int64_t number_ = 0;
  std::uint32_t handle_ = 0;
};

// Returns floor(a / divisor), and ceil(a / divisor). The divisor is positive.
Size floorQuotient(Size a, Size divisor);
Size ceilQuotient(Size a, std::int64_t divisor);
// Returns floor(a * scale), saturated at +-(2^63 - 1). The product is exact if the magnitude of a is at most 2^53.
Size scaled(Size a, float scale);
std::int64_t scaledNumber(std::int64_t size, float scale);

// Returns a computed size as a dimension of a shape: the number, or the handle of an open size.
inline std::uint32_t asDimension(Size size) { return size.isOpen() ? size.handle() : static_cast<std::uint32_t>(size.number()); }

// Returns the number of elements of a shape, saturated at 2^63 - 1.
Size productOf(std::span<const std::uint32_t> shape);

// The conditions of the validation steps. For numbers, they return whether the condition holds. For expressions, they return
// false only if they find that the condition contradicts the bounds or the recorded conditions. Otherwise, they return true, and
// OpenSizes records the condition unless it always holds.
bool canEqual(Size a, Size b);
bool canEqual(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);
bool canBeAtMost(Size a, Size b);
bool canDivide(Size divisor, Size dividend);
// Returns the size after broadcasting in both directions; nullopt if the sizes cannot be broadcast. If `keepsBoth`, the result
// names both sizes unless broadcasting them cannot fail, so that evaluate() can check them. The parser sets it for the expression
// `broadcast(a, b)`, because no operation validates the sizes of an expression.
std::optional<Size> broadcastSize(Size a, Size b, bool keepsBoth = false);
bool canBroadcastTo(Size from, Size to);  // only `from` may be expanded

// Converts an expression to another form, such as ONNX operators, part by part. Each method adds one part, whose operands are the
// results of earlier calls, and returns the name of the part.
class SizeSink {
 public:
  virtual ~SizeSink() = default;
  virtual std::string number(std::int64_t value) = 0;
  virtual std::string named(const std::string& name) = 0;
  virtual std::string sum(const std::string& a, const std::string& b) = 0;
  virtual std::string product(const std::string& a, const std::string& b) = 0;
  virtual std::string quotient(const std::string& a, const std::string& b) = 0;  // rounded down
  virtual std::string broadcast(const std::string& a, const std::string& b) = 0;
  virtual std::string scaled(const std::string& a, float scale) = 0;
};

// The named dimensions and expressions of one builder. Not thread safe.
class OpenSizes {
 public:
  // Whether sizes may be 0. True only while appendWithEmpty() validates an operation; all its sizes are then numbers.
  bool allowsZero = false;

  // Returns the handle of a named dimension, which is made if it does not exist. Throws TypeError for an empty name, invalid
  // bounds, and bounds that exclude all sizes that earlier declarations and conditions allow; NotSupportedError above 512 names.
  std::uint32_t dimension(const std::string& name, std::uint32_t min = 0, std::uint32_t max = kMaxDimension);
  // Returns the handle or number of a declared dimension. Throws TypeError for 0, for a number above 2^31 - 1 and for bounds of
  // an expression.
  std::uint32_t declare(const Dimension& dimension);
  // Returns the handle or number of an expression. Throws TypeError, which gives the position, if the text is not an expression.
  // Grammar: sums, differences and products of numbers, names, `floor(a / b)`, `ceil(a / b)`, `broadcast(a, b)`, `scaled(a, 1.5)`
  // and parentheses. A name that is not an identifier must be in single quotes.
  std::uint32_t parse(std::string_view text);
  // Returns whether `text` is an expression that uses only names in `names`, none of which equals `text`.
  static bool isExpression(const std::string& text, const std::set<std::string>& names);
  // Returns the value of the expression `text`; nullopt if `text` is not an expression, if a name has no size, or if the value is
  // not a valid size.
  static std::optional<std::uint32_t> valueOf(std::string_view text, const std::map<std::string, std::uint32_t>& sizes);

  // Returns whether a number is a handle of this builder.
  bool has(std::uint32_t handle) const {
    return (handle & ~kIndexMask) == (kOpenBit | tag_) && (handle & kIndexMask) < expressions_.size();
  }
  std::string text(std::uint32_t handle) const;
  // Returns the name if the expression is one named dimension, else nullopt.
  std::optional<std::string> nameOf(std::uint32_t handle) const;
  // Returns the text that stands for a size in declarations and in maps of sizes: keyOfName() of a named dimension, else the
  // expression's text.
  std::string key(std::uint32_t handle) const;
  // Returns the name, in single quotes if it is not an identifier but could be read as an expression, such as 'n + 1'.
  static std::string keyOfName(const std::string& name);
  // Returns a lower and an upper bound of a size, from the declared bounds of its names. Both are between 0 and 2^31 - 1.
  std::pair<std::uint32_t, std::uint32_t> range(std::uint32_t handle) const;

  // Returns the names in the expression of a handle; none for a number.
  std::set<std::string> names(std::uint32_t handle) const;

  struct Named {
    std::string name;
    std::uint32_t min = 0, max = 0;  // declared bounds
    // least, most: the bounds, narrowed by recorded conditions. sameAs: the index of a named dimension that must have the same
    // size, or the dimension's own index.
    std::uint32_t least = 0, most = 0;
    std::size_t sameAs = 0;
  };
  // Returns the named dimensions in the order of their declarations.
  std::vector<Named> named() const;

  // Returns the value of a handle for the sizes of all named dimensions; nullopt if it is not between 0 and 2^31 - 1, or not
  // defined. A number that is not a handle is returned as it is.
  std::optional<std::uint32_t> evaluate(std::uint32_t handle, std::span<const std::int64_t> sizes) const;
  // Returns whether the recorded conditions hold for the sizes of all named dimensions.
  bool allowsSizes(std::span<const std::int64_t> sizes) const;
  // Builds the expression of a handle. Returns the name of its result.
  std::string build(std::uint32_t handle, SizeSink& sink) const { return build(at(handle), sink); }
  // Calls solveOne(handle) for each expression with exactly one name of unknown size (-1 in `sizes`). solveOne returns the index
  // of the named dimension that it has solved, or nullopt. Each solved dimension may make further expressions solvable.
  void forEachSolvable(std::span<const std::uint32_t> handles, std::span<const std::int64_t> sizes,
                       FunctionRef<std::optional<std::size_t>(std::uint32_t handle)> solveOne) const;
  // Computes the size of the only unknown named dimension (-1 in `sizes`) of an expression from the expression's `value`, and
  // stores the size in `sizes`. Returns the dimension's index; nullopt if not exactly one is unknown, if the expression is not
  // linear in it, or if no size gives this value.
  std::optional<std::size_t> solve(std::uint32_t handle, std::int64_t value, std::vector<std::int64_t>& sizes) const;

  // The conditions and ranges that are restored when an operation fails.
  struct Checkpoint {
    struct Range {
      std::uint32_t min = 0, max = 0, declaredMin = 0, declaredMax = 0, alias = 0;
    };
    std::vector<Range> named;
    std::size_t conditions = 0;
  };
  Checkpoint checkpoint() const;
  void restore(const Checkpoint& checkpoint);

 private:
  static constexpr std::uint32_t kIndexMask = 0xFFFFFF;

  friend class Size;
  friend class SizeParser;
  friend Size operator+(Size a, Size b);
  friend Size operator-(Size a, Size b);
  friend Size operator*(Size a, Size b);
  friend Size floorQuotient(Size a, Size divisor);
  friend Size scaled(Size a, float scale);
  friend bool canEqual(Size a, Size b);
  friend bool canBeAtMost(Size a, Size b);
  friend bool canDivide(Size divisor, Size dividend);
  friend std::optional<Size> broadcastSize(Size a, Size b, bool keepsBoth);
  friend bool canBroadcastTo(Size from, Size to);

  // An atom is a named dimension or a function such as floor(a / b). A product is a sorted list of atoms (indices in atoms_). An
  // expression is a sum: the non-zero coefficient of each product. 2 * n + 1 is {[n]: 2, []: 1}; the empty product is the
  // constant.
  using Product = std::vector<std::uint32_t>;
  using Expression = std::map<Product, std::int64_t>;
  enum class AtomKind { named, quotient, broadcast, scaled };
  struct Atom {
    AtomKind kind{};
    std::string text;
    std::string name{};              // the name of a named dimension
    std::uint32_t min = 0, max = 0;  // for a named dimension, its declared bounds, narrowed by its conditions
    std::uint32_t declaredMin = 0, declaredMax = 0;
    std::uint32_t alias = 0;  // for a named dimension, another named dimension that must have the same size, or itself
    std::size_t place = 0;    // for a named dimension, its index in named_
    Expression a{}, b{};      // the operands of a quotient, broadcast or scaled atom
    float scale = 0;
  };
  struct Interval {
    double low = 0, high = 0;  // inclusive; each is an integer of at most 2^53 in magnitude, or infinite
  };
  enum class ConditionKind { equal, atMost, divides, broadcasts, expands };
  struct Condition {
    ConditionKind kind{};
    Expression a, b;
    std::string key;
    std::optional<std::uint32_t> onlyName;  // the named dimension in `a` and `b`, if there is exactly one
  };

  const Expression& at(std::uint32_t handle) const { return expressions_[handle & kIndexMask]; }
  Expression expressionOf(Size size) const;
  Size sizeOf(Expression expression);
  std::uint32_t atom(Atom atom);
  Size combined(Size a, Size b, std::int64_t factorOfB);
  std::string textOf(const Expression& expression) const;
  std::string textOf(const Product& product) const;
  // Returns the text of a dividend or divisor, in parentheses if it is a sum.
  std::string factorText(const Expression& expression, bool isDivisor = false) const;
  Expression resolved(const Expression& expression) const;
  enum class Bounds { declared, narrowed };
  Interval intervalOf(const Expression& expression, Bounds bounds = Bounds::narrowed) const;
  Interval intervalOf(const Atom& atom, Bounds bounds) const;
  std::optional<std::int64_t> value(const Expression& expression, std::span<const std::int64_t> sizes) const;
  std::optional<std::int64_t> value(const Atom& atom, std::span<const std::int64_t> sizes) const;
  std::string build(const Expression& expression, SizeSink& sink) const;
  std::string build(const Atom& atom, SizeSink& sink) const;
  void addNames(const Expression& expression, std::set<std::uint32_t>& names) const;
  bool holds(const Condition& condition, std::span<const std::int64_t> sizes) const;
  // Records a condition. Returns false if it has one named dimension and is found to exclude all remaining sizes.
  bool keep(ConditionKind kind, const Expression& a, const Expression& b);
  bool narrow(std::uint32_t named, std::int64_t min, std::int64_t max);
  bool narrowByEquality(const Expression& difference);
  static std::uint32_t nextTag();

  const std::uint32_t tag_ = nextTag();  // the bits between kOpenBit and the index
  std::vector<Atom> atoms_;
  std::vector<std::uint32_t> named_;  // the atoms of named dimensions
  std::map<std::string, std::uint32_t, std::less<>> atomsByText_;
  std::vector<Expression> expressions_;  // indexed by handle & kIndexMask
  std::map<std::string, std::uint32_t, std::less<>> expressionsByText_;
  std::vector<Condition> conditions_;
  std::set<std::string> conditionKeys_;
};

// Makes an OpenSizes current in this thread: sizes in shapes may be its handles, which messages print as expressions.
class OpenScope {
 public:
  explicit OpenScope(OpenSizes& sizes);
  ~OpenScope();
  OpenScope(const OpenScope&) = delete;
  OpenScope& operator=(const OpenScope&) = delete;

  static OpenSizes* current() {
    if constexpr (kHasOpenSizes) return current_;
    return nullptr;
  }

 private:
  static thread_local constinit OpenSizes* current_;
  OpenSizes* previous_;
};

inline Size::Size(std::uint32_t sizeOrHandle) {
  if ((sizeOrHandle & kOpenBit) != 0 && OpenScope::current())
    handle_ = sizeOrHandle;
  else
    number_ = sizeOrHandle;
}

// Returns whether a size has kOpenBit and there is a current OpenSizes. OpenSizes::has() also checks the builder's tag.
inline bool isOpen(std::uint32_t size) { return (size & kOpenBit) != 0 && OpenScope::current() != nullptr; }
bool isOpen(std::span<const std::uint32_t> shape);

}  // namespace webnn
