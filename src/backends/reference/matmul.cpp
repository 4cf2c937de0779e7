#include "backends/reference/matmul.h"

namespace webnn::reference {

namespace {

// A view of a matrix inside a tensor. Strides are in elements.
struct Matrix {
  const double* values;
  std::size_t rows, columns, rowStride, columnStride;
};

Matrix matrixOf(const double* values, std::size_t rows, std::size_t columns, bool transpose = false) {
  if (transpose) return {values, columns, rows, 1, columns};
  return {values, rows, columns, columns, 1};
}

// Adds the product of `a` and `b` to the row-major matrix `sums`. Does not skip zero factors, because 0 * NaN is NaN.
void addProduct(const Matrix& a, const Matrix& b, double* sums, Progress& progress) {
  for (std::size_t i = 0; i < a.rows; ++i) {
    double* const row = sums + i * b.columns;
    for (std::size_t k = 0; k < a.columns; ++k) {
      const double factor = a.values[i * a.rowStride + k * a.columnStride];
      const double* const other = b.values + k * b.rowStride;
      for (std::size_t j = 0; j < b.columns; ++j) row[j] += factor * other[j * b.columnStride];
      progress.count(b.columns);
    }
  }
}

// Returns the strides of operand `from` for the leading (batch) dimensions of output `to`; 0 for broadcast dimensions.
std::vector<std::size_t> batchStrides(const Shape& from, const Shape& to) {
  std::vector<std::size_t> strides = broadcastStrides(from, to);
  strides.resize(to.size() - 2);
  return strides;
}

}  // namespace

void run(const ops::Matmul& op, Environment& frame) {
  const NdArray &a = frame[op.a], &b = frame[op.b];
  NdArray& output = frame.output();
  const std::vector<double> valuesA = a.toDoubles(), valuesB = b.toDoubles();
  std::vector<double> sums(output.size());
  const Shape& shape = output.shape();
  const std::size_t rows = shape[shape.size() - 2], columns = shape.back(), depth = a.shape().back();
  const std::vector<std::size_t> stridesA = batchStrides(a.shape(), shape), stridesB = batchStrides(b.shape(), shape);
  double* to = sums.data();
  Progress progress;
  for (Coordinates at(Shape(shape.begin(), shape.end() - 2)); !at.done(); at.next()) {
    addProduct(matrixOf(valuesA.data() + at.offset(stridesA), rows, depth),
               matrixOf(valuesB.data() + at.offset(stridesB), depth, columns), to, progress);
    to += rows * columns;
  }
  output.setDoubles(sums);
}

void run(const ops::Gemm& op, Environment& frame) {
  const NdArray &a = frame[op.a], &b = frame[op.b];
  NdArray& output = frame.output();
  const auto& options = op.options;
  const std::vector<double> valuesA = a.toDoubles(), valuesB = b.toDoubles();
  std::vector<double> results(output.size());
  Progress progress;
  addProduct(matrixOf(valuesA.data(), a.shape()[0], a.shape()[1], options.aTranspose),
             matrixOf(valuesB.data(), b.shape()[0], b.shape()[1], options.bTranspose), results.data(), progress);
  for (double& result : results) result *= options.alpha;
  if (options.c) {
    const NdArray& c = frame[*options.c];
    const std::vector<double> valuesC = c.toDoubles();
    const std::vector<std::size_t> strides = broadcastStrides(c.shape(), output.shape());
    double* result = results.data();
    for (Coordinates at(output.shape()); !at.done(); at.next()) *result++ += options.beta * valuesC[at.offset(strides)];
  }
  output.setDoubles(results);
}

}  // namespace webnn::reference
