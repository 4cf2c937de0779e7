#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/transpose.cpp"
#include "backends/cpu/simd/transpose.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/simd/select.h"

#ifndef WEBNN_UNROLL
#if defined(__clang__)
#define WEBNN_UNROLL _Pragma("unroll")
#else
#define WEBNN_UNROLL _Pragma("GCC unroll 16")
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most 256 bits. If rows are a power of two apart, tiles of 512 bits need more lines of the L1 cache than a set
// holds. Tiles of 512 bits are slower with other distances, too.
template <typename T>
using Tag = hn::CappedTag<T, 32 / sizeof(T)>;

// A matrix with contiguous rows in the source and contiguous columns in the target.
struct Matrix {
  const std::byte* from;
  std::byte* to;
  std::ptrdiff_t fromRow, toColumn;  // bytes
  std::size_t rows, columns;

  template <typename T>
  const T* source(std::size_t row, std::size_t column) const {
    return reinterpret_cast<const T*>(from + static_cast<std::ptrdiff_t>(row) * fromRow + column * sizeof(T));
  }
  template <typename T>
  T* target(std::size_t row, std::size_t column) const {
    return reinterpret_cast<T*>(to + static_cast<std::ptrdiff_t>(column) * toColumn + row * sizeof(T));
  }
};

// Loads the first 16 bytes of rows that are `step` bytes apart, one row to each 128-bit block.
template <class D>
HWY_INLINE hn::Vec<D> loadBlocks(D d, const std::byte* from, std::ptrdiff_t step) {
  using T = hn::TFromD<D>;
  if constexpr (hn::MaxLanes(D()) * sizeof(T) == 16) {
    return hn::LoadU(d, reinterpret_cast<const T*>(from));
  } else {
    const hn::Half<D> half;
    constexpr std::ptrdiff_t kBlocks = hn::MaxLanes(hn::Half<D>()) * sizeof(T) / 16;
    return hn::Combine(d, loadBlocks(half, from + kBlocks * step, step), loadBlocks(half, from, step));
  }
}

// Transposes one tile, which has as many rows as vectors have lanes, and as many columns as 16 bytes hold elements.
template <class D>
HWY_INLINE void transposeTile(D d, const Matrix& m, std::size_t row, std::size_t column) {
  using T = hn::TFromD<D>;
  constexpr std::size_t n = 16 / sizeof(T);
  hn::Vec<D> v[n], w[n];
  const std::byte* from = reinterpret_cast<const std::byte*>(m.source<T>(row, column));
  WEBNN_UNROLL
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = loadBlocks(d, from + static_cast<std::ptrdiff_t>(i) * m.fromRow, static_cast<std::ptrdiff_t>(n) * m.fromRow);
  }
  // Within each 128-bit block, moves the element of vector i and lane j to vector j and lane i. Each round of this perfect
  // shuffle moves the top bit of the vector's index into the lane's, and the top bit of the lane's index into the vector's.
  WEBNN_UNROLL
  for (std::size_t round = 1; round < n; round *= 2) {
    WEBNN_UNROLL
    for (std::size_t i = 0; i < n / 2; ++i) {
      w[2 * i] = hn::InterleaveLower(d, v[i], v[i + n / 2]);
      w[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + n / 2]);
    }
    WEBNN_UNROLL
    for (std::size_t i = 0; i < n; ++i) v[i] = w[i];
  }
  WEBNN_UNROLL
  for (std::size_t i = 0; i < n; ++i) hn::StoreU(v[i], d, m.target<T>(row, column + i));
}

template <typename T>
HWY_INLINE void transposePlainly(const Matrix& m, std::size_t rowBegin, std::size_t columnBegin) {
  for (std::size_t column = columnBegin; column < m.columns; ++column) {
    for (std::size_t row = rowBegin; row < m.rows; ++row) {
      hwy::CopyBytes<sizeof(T)>(m.source<T>(row, column), m.target<T>(row, column));
    }
  }
}

// Transposes a matrix of at least one tile, tile by tile; the last tiles may overlap others.
template <class D>
HWY_INLINE void transposeTiles(D d, const Matrix& m) {
  using T = hn::TFromD<D>;
  constexpr std::size_t n = 16 / sizeof(T), kLine = 64 / sizeof(T);
  const std::size_t rowsAtOnce = hn::Lanes(d);
  for (std::size_t line = 0; line < m.columns; line += kLine) {
    const std::size_t lineEnd = HWY_MIN(line + kLine, m.columns);
    for (std::size_t r = 0; r < m.rows; r += rowsAtOnce) {
      const std::size_t row = HWY_MIN(r, m.rows - rowsAtOnce);
      for (std::size_t c = line; c < lineEnd; c += n) transposeTile(d, m, row, HWY_MIN(c, m.columns - n));
    }
  }
}

// Transposes two to four rows to contiguous columns: planes of an image to its pixels. Returns the number of finished columns.
template <typename T>
HWY_INLINE std::size_t interleave(const Matrix& m) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  if (m.toColumn != static_cast<std::ptrdiff_t>(m.rows * sizeof(T))) return 0;
  std::size_t c = 0;
  for (; c + lanes <= m.columns; c += lanes) {
    const auto v0 = hn::LoadU(d, m.source<T>(0, c)), v1 = hn::LoadU(d, m.source<T>(1, c));
    T* to = m.target<T>(0, c);
    if (m.rows == 2) {
      hn::StoreInterleaved2(v0, v1, d, to);
    } else if (m.rows == 3) {
      hn::StoreInterleaved3(v0, v1, hn::LoadU(d, m.source<T>(2, c)), d, to);
    } else {
      hn::StoreInterleaved4(v0, v1, hn::LoadU(d, m.source<T>(2, c)), hn::LoadU(d, m.source<T>(3, c)), d, to);
    }
  }
  return c;
}

// Transposes rows of two to four contiguous columns: pixels of an image to its planes. Returns the number of finished rows.
template <typename T>
HWY_INLINE std::size_t separate(const Matrix& m) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  if (m.fromRow != static_cast<std::ptrdiff_t>(m.columns * sizeof(T))) return 0;
  std::size_t r = 0;
  for (; r + lanes <= m.rows; r += lanes) {
    const T* from = m.source<T>(r, 0);
    hn::Vec<decltype(d)> v0, v1, v2, v3;
    if (m.columns == 2) {
      hn::LoadInterleaved2(d, from, v0, v1);
    } else if (m.columns == 3) {
      hn::LoadInterleaved3(d, from, v0, v1, v2);
      hn::StoreU(v2, d, m.target<T>(r, 2));
    } else {
      hn::LoadInterleaved4(d, from, v0, v1, v2, v3);
      hn::StoreU(v2, d, m.target<T>(r, 2));
      hn::StoreU(v3, d, m.target<T>(r, 3));
    }
    hn::StoreU(v0, d, m.target<T>(r, 0));
    hn::StoreU(v1, d, m.target<T>(r, 1));
  }
  return r;
}

template <typename T>
void transpose(const std::byte* from, std::byte* to, const CopyPlane& plane) {
  constexpr std::size_t n = 16 / sizeof(T);
  const Tag<T> d;
  const Matrix m{from, to, plane.from0, plane.to1, plane.n0, plane.n1};
  if (m.rows >= 2 && m.rows <= 4) {
    if (const std::size_t done = interleave<T>(m)) return transposePlainly<T>(m, 0, done);
  }
  if (m.columns >= 2 && m.columns <= 4) {
    if (const std::size_t done = separate<T>(m)) return transposePlainly<T>(m, done, 0);
  }
  if (m.columns < n || m.rows < n) {
    transposePlainly<T>(m, 0, 0);
  } else if (m.rows >= hn::Lanes(d)) {
    transposeTiles(d, m);
  } else {
    transposeTiles(hn::FixedTag<T, n>(), m);
  }
}

CopyKernel kernel(std::size_t elementBytes) {
  switch (elementBytes) {
    case 1: return transpose<std::uint8_t>;
    case 2: return transpose<std::uint16_t>;
    case 4: return transpose<std::uint32_t>;
    default: return transpose<std::uint64_t>;
  }
}

using Choose = CopyKernel (*)(std::size_t);
Choose kernels() { return kernel; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
namespace {
CopyKernel (*select(Isa isa))(std::size_t) { WEBNN_SELECT(isa, kernels); }
}  // namespace
CopyKernel transposeKernel(Isa isa, std::size_t elementBytes) { return select(isa)(elementBytes); }
}  // namespace webnn::cpu
#endif
