// Writes compute shaders in WGSL (https://www.w3.org/TR/WGSL/). All kernels declare their tensors with this class, which hides
// how elements are stored: buffers hold 32-bit words; a word has one 32-bit element, two float16, four 8-bit or eight 4-bit
// elements; 64-bit elements take two words. Kernels see float32 (f32), int32 (i32) or uint32 (u32) values, or untyped bits.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/element_program.h"
#include "webnn/operand.h"

namespace webnn::webgpu {

// The WGSL type in which a kernel sees the elements of a tensor.
enum class Lane : std::uint8_t {
  f32,   // for float32, float16, and integers of 8 or 4 bits, which are converted
  i32,   // for int32, int8, uint8, int4, uint4 and int64; int64 values are clamped to int32
  u32,   // for uint32, uint8, uint4 and uint64; uint64 values are clamped to uint32
  bits,  // for every type, without conversion: u32, or vec2<u32> for 64-bit types
};

// Returns the 32-bit lane for values of a type: f32 for floats, i32 for signed and u32 for unsigned integers. Arithmetic on
// 64-bit integers uses arithmeticLane() instead.
Lane laneOf(DataType type);
// Returns the WGSL type of an element: "f32", "i32", "u32" or "vec2<u32>".
std::string_view wgslType(Lane lane, DataType type);
// Returns the value, which may be infinite or NaN, as a WGSL expression. Uses the helper `fromBits`.
std::string literal(float value);

// The strides of a tensor in elements, one for each dimension. Negative and zero strides are allowed.
using Strides = std::vector<std::int64_t>;
Strides stridesOf(std::span<const std::uint32_t> shape);
// Returns the strides with which a tensor of shape `from` is read if it is broadcast to the shape `to`.
Strides broadcastStrides(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to);

// Divides `groups` workgroups over two dimensions of a grid, each of at most `most`. The grid may have more than `groups`
// workgroups. The index of workgroup (x, y) is y * grid[0] + x.
std::array<std::uint32_t, 3> gridOf(std::uint64_t groups, std::uint32_t most);

// One step of a graph on the device: a shader, its buffers, and the size of its grid.
struct Dispatch {
  std::string wgsl;
  std::vector<Operand> reads, writes;  // operands in the order of their bindings
  std::array<std::uint32_t, 3> workgroups{1, 1, 1};
  std::uint64_t work = 0;  // the approximate number of operations, by which long runs are divided into submissions
  std::string kernel;      // name of the kernel in profiles: "tiles of 64x64x16"
  // Whether the shader reads the index of its first workgroup from a uniform buffer, the last binding. The grid can then be
  // dispatched in parts.
  bool isDivisible = false;
};

// The maximum work of a dispatch. Larger dispatches are divided, so that runs can be cancelled and no command takes longer than a
// driver allows.
inline constexpr std::uint64_t kMostWork = std::uint64_t{1} << 31;

struct GridPart {
  std::array<std::uint32_t, 3> first, workgroups;
  std::uint64_t work;
};
// Divides the grid of a divisible dispatch into parts of about kMostWork at most, or of one workgroup; a grid with extreme work
// has larger parts, so that there are not too many. Other dispatches have one part.
std::vector<GridPart> partsOf(const Dispatch& dispatch);

class Shader {
 public:
  // A tensor that the shader reads.
  class Input {
   public:
    // Returns an expression for the element with the linear index `index`, which is a WGSL expression of type u32.
    std::string at(std::string_view index) const { return function_ + "(" + std::string(index) + ")"; }

   private:
    friend class Shader;
    std::string function_;
  };
  // A tensor of 32-bit or 64-bit elements, or the words of a tensor (writeWords()), which the shader writes one by one in any
  // order.
  class Output {
   public:
    // Returns a statement that stores `value`.
    std::string set(std::string_view index, std::string_view value) const {
      return function_ + "(" + std::string(index) + ", " + std::string(value) + ");";
    }

   private:
    friend class Shader;
    std::string function_;
  };

  // The number of invocations of a workgroup in elements().
  static constexpr std::uint32_t kElementsSize = 128;

  // Declares that the shader reads an operand. A shader may read an operand several times, also in different lanes.
  Input read(const Operand& operand, Lane lane);
  // Declares that the shader writes an operand whose elements have 32 or 64 bits.
  Output write(const Operand& operand, Lane lane);
  // Declares that the shader writes the 32-bit words of an operand, which hold several elements each.
  Output writeWords(const Operand& operand);

  // Declares that the shader changes the elements of a uint32 operand by atomic operations. Returns the name of the array.
  std::string writeAtomics(const Operand& operand);

  // Adds declarations at module scope: functions, workgroup variables.
  void declare(std::string_view wgsl) { declarations_ += wgsl; }
  // Adds a function of the shader library (library.h), such as "gelu", and the functions that it needs. Does nothing for
  // unknown names.
  void use(std::string_view function);
  // Returns a name that no other declaration of the shader has: "place3".
  std::string uniqueName(std::string_view prefix) { return std::string(prefix) + std::to_string(unique_++); }

  // Returns an expression for start + dot(coordinates, strides), in elements. The coordinates are the position in `shape` that
  // has the linear index `index`.
  std::string offset(std::span<const std::uint32_t> shape, const Strides& strides, std::string_view index,
                     std::int64_t start = 0);
  // Returns an expression for value * factor. Shader compilers replace 0 * x by 0, although it may be NaN.
  std::string scaled(const std::string& value, float factor) {
    if (factor != 0) return value + " * " + literal(factor);
    use("zeroTimes");
    return "zeroTimes(" + value + ")";
  }
  // Declares an element program as a function of f32 values. Returns its name.
  std::string program(const compiler::ElementProgram& program);

  // Completes a shader whose function `fn element(i: u32) -> T` has `body`. It computes each element of `output` independently.
  // `work` is the approximate number of operations for each element.
  Dispatch elements(const Operand& output, Lane lane, std::string_view body, std::uint64_t work = 1,
                    std::uint32_t maxWorkgroups = 65535);
  // Completes a shader whose function `fn element(i: u32, thread: u32) -> T` has `body`. All `size` invocations of a workgroup
  // call it with the same `i`, so that it may have barriers; the result of thread 0 counts. Variables in workgroup memory may
  // still be read by other threads when the function is called again, so begin it with workgroupBarrier().
  Dispatch groups(const Operand& output, Lane lane, std::uint32_t size, std::string_view body, std::uint64_t work = 1,
                  std::uint32_t maxWorkgroups = 65535);
  // Completes a shader with the whole text of `fn main`, including its attributes. Its only parameters are
  // "@builtin(workgroup_id) NAME: vec3<u32>" and "@builtin(local_invocation_index) NAME: u32".
  Dispatch whole(std::string_view main, std::array<std::uint32_t, 3> workgroups, std::uint64_t work);

 private:
  std::size_t binding(const Operand& operand);
  std::string storeWord(const Operand& output, Lane lane, std::string_view call);

  std::vector<Operand> reads_, writes_;
  std::set<std::size_t> atomic_;  // indices in writes_
  std::string declarations_;
  std::set<std::string, std::less<>> used_;      // functions of the library
  std::set<std::string, std::less<>> declared_;  // functions that load elements
  std::vector<std::string> maps_;                // the bodies of the functions that offset() has declared
  std::size_t unique_ = 0;
};

}  // namespace webnn::webgpu
