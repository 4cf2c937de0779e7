#include "backends/cpu/ops/attention.h"

#include <algorithm>
#include <array>

#include "backends/cpu/gemm/gemm.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/attention.h"
#include "backends/cpu/simd/gemm/matmul.h"
#include "base/text.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

// The strides of a tensor [batch, heads, rows, columns] in elements. Broadcast dimensions have stride 0.
struct View {
  std::array<std::size_t, 4> sizes{1, 1, 1, 1}, strides{};

  const float* at(const float* data, std::size_t batch, std::size_t head) const {
    return data + batch * strides[0] + head * strides[1];
  }
};

std::vector<std::size_t> stridesOf(const std::array<std::size_t, 4>& sizes) {
  return {sizes[1] * sizes[2] * sizes[3], sizes[2] * sizes[3], sizes[3], 1};
}

// Makes a view of a transposed tensor: dimension j of the view is dimension permutation[j] of `shape`, padded with leading 1s.
View viewOf(const Shape& shape, const std::vector<std::uint32_t>& permutation) {
  std::array<std::size_t, 4> stored{1, 1, 1, 1};
  std::ranges::copy(shape, stored.end() - static_cast<std::ptrdiff_t>(shape.size()));
  const std::vector<std::size_t> strides = stridesOf(stored);
  View view;
  for (std::size_t j = 0; j < 4; ++j) {
    const std::size_t from = permutation.empty() ? j : permutation[j];
    view.sizes[j] = stored[from];
    view.strides[j] = stored[from] == 1 ? 0 : strides[from];
  }
  return view;
}

// Makes a view of the result [batch, heads, rows, columns]. Dimension j of the output is dimension permutation[j] of the result.
View outputView(const std::array<std::size_t, 4>& sizes, const std::vector<std::uint32_t>& permutation) {
  std::array<std::size_t, 4> stored = sizes;
  if (!permutation.empty()) {
    for (std::size_t j = 0; j < 4; ++j) stored[j] = sizes[permutation[j]];
  }
  const std::vector<std::size_t> strides = stridesOf(stored);
  View view{sizes, {}};
  for (std::size_t j = 0; j < 4; ++j) view.strides[permutation.empty() ? j : permutation[j]] = strides[j];
  return view;
}

struct AttentionSizes {
  std::size_t batches, heads, rows, columns, depth, width;
  std::size_t blockRows, blocks;  // blockRows: queries per block, whose scores stay in cache; blocks: number of blocks
};

constexpr std::size_t kFewRows = 4;        // for kFewRows queries or fewer, packing keys and values costs too much
constexpr std::size_t kMostTogether = 32;  // maximum number of queries that are processed together

// Returns how many query heads with the same keys and values are processed together, so that the keys and values are read from
// memory only once. Leaves enough work for all threads. Results do not depend on this number.
std::size_t headsTogether(const AttentionSizes& sizes, std::size_t repeats, std::size_t threads) {
  constexpr std::size_t kScores = 1 << 18;  // maximum number of floats for a worker's scores
  for (std::size_t heads = repeats; heads > 1; --heads) {
    const std::size_t units = sizes.batches * sizes.heads / heads, queries = heads * sizes.rows;
    if (repeats % heads != 0 || queries > kMostTogether || queries * sizes.columns > kScores) continue;
    if (threads == 1 || units >= 4 * threads || (units > threads && units % threads == 0)) return heads;
  }
  return 1;
}

// Queries, whose elements need not be contiguous. gather() copies non-contiguous queries for the GEMM.
struct Queries {
  const float* data;
  std::size_t rowStride, stride;

  static void gather(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                     std::size_t ld) {
    const auto& self = *static_cast<const Queries*>(context);
    for (std::size_t i = 0; i < rows; ++i) {
      const float* from = self.data + (row + i) * self.rowStride + k * self.stride;
      for (std::size_t j = 0; j < count; ++j) to[i * ld + j] = loadUnaligned<float>(from + j * self.stride);
    }
  }
};

// Computes one row of scores, including the factor `before`, in double.
void exactScores(const Queries& q, const float* k, const View& keys, float before, float* scores) {
  const std::size_t columns = keys.sizes[2], depth = keys.sizes[3];
  RunWatch watch;
  for (std::size_t j = 0; j < columns && !watch.isOver(depth); ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < depth; ++i) {
      sum += double{loadUnaligned<float>(q.data + i * q.stride)} *
             double{loadUnaligned<float>(k + j * keys.strides[2] + i * keys.strides[3])};
    }
    scores[j] = static_cast<float>(double{before} * sum);
  }
}

// The exponentials of the scores. gather() multiplies them by the softmax factor of their row while the GEMM copies them.
struct Weights {
  const AttentionKernels& kernels;
  const float* scores;
  std::size_t rowStride;
  const float* factors;

  static void gather(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                     std::size_t ld) {
    const auto& self = *static_cast<const Weights*>(context);
    for (std::size_t i = 0; i < rows; ++i) {
      self.kernels.scaleRow(self.scores + (row + i) * self.rowStride + k, self.factors[row + i], count, to + i * ld);
    }
  }
};

// Calls work(begin, count) for parts of the keys or values (`columns` rows of `size` floats). A part fits in the second-level
// cache, so that all queries that share it read it from there. Returns false once the run's budget is exceeded.
bool inParts(std::size_t columns, std::size_t size, auto work) {
  constexpr std::size_t kNumbers = 1 << 15, kFew = 64;  // kNumbers: floats per part; kFew: rows that kernels accumulate at a time
  const std::size_t most = std::max(kNumbers / std::max<std::size_t>(size, 1) / kFew * kFew, kFew);
  for (std::size_t begin = 0; begin < columns; begin += most) {
    if (isRunOver()) return false;
    work(begin, std::min(most, columns - begin));
  }
  return true;
}

struct Run {
  const float *q, *k, *v, *mask;
  float* output;
  std::byte* scratch;
};

class AttentionStep {
 public:
  AttentionStep(const Attention& op, Planner& planner)
      : isa_(withoutTiles(planner.isa())),
        kernels_(&attentionKernels(isa_)),
        matmulKernels_(&matmulKernels(isa_)),
        before_(op.before),
        scale_(op.scale),
        repeats_(op.repeats) {
    q_ = viewOf(op.q.shape(), op.qPermutation);
    k_ = viewOf(op.k.shape(), op.kPermutation);
    v_ = viewOf(op.v.shape(), op.vPermutation);
    const auto largest = [&](std::size_t i, std::size_t repeats) {
      return std::max({q_.sizes[i], k_.sizes[i] * repeats, v_.sizes[i] * repeats});
    };
    sizes_ = {largest(0, 1), largest(1, repeats_), q_.sizes[2], k_.sizes[2], q_.sizes[3], v_.sizes[3], 0, 0};
    output_ = outputView({sizes_.batches, sizes_.heads, sizes_.rows, sizes_.width}, op.outputPermutation);
    if (op.mask) mask_ = viewOf(op.mask->shape(), {});
    hasMask_ = op.mask.has_value();
    qSlot_ = planner.slot(op.q);
    kSlot_ = planner.slot(op.k);
    vSlot_ = planner.slot(op.v);
    if (op.mask) maskSlot_ = planner.slot(*op.mask);
    outputSlot_ = planner.output();
    chooseBlocks();
    layOutScratch(planner);
  }

  std::string describe() const {
    return formatText("attention {} {}x{} heads {}x{}x{} {}", isDirect_ ? "direct" : "blocked", sizes_.batches, sizes_.heads,
                      sizes_.rows, sizes_.columns, sizes_.depth, cpu::name(isa_));
  }

  void operator()(const Frame& frame) const {
    const std::size_t groups = sizes_.batches * sizes_.heads;
    const Run run{frame.in<float>(qSlot_),       frame.in<float>(kSlot_),
                  frame.in<float>(vSlot_),       hasMask_ ? frame.in<float>(maskSlot_) : nullptr,
                  frame.out<float>(outputSlot_), frame.out<std::byte>(scratch_)};
    if (isDirect_) {
      return frame.team.forEach(groups / together_, [&](std::size_t i, unsigned worker) { direct(run, i * together_, worker); });
    }
    if (!sharesPanels_) {
      return frame.team.forEach(groups, [&](std::size_t group, unsigned worker) {
        std::byte* panels = workerScratch(run, worker) + panelsOffset_;
        pack(run, group, panels);
        for (std::size_t block = 0; block < sizes_.blocks && !isRunOver(); ++block) blocked(run, group, block, panels, worker);
      });
    }
    std::byte* shared = run.scratch + sharedOffset_;
    frame.team.forEach(groups, [&](std::size_t group, unsigned) { pack(run, group, shared + group * panelBytes_); });
    frame.team.forEach(groups * sizes_.blocks, [&](std::size_t i, unsigned worker) {
      const std::size_t group = i / sizes_.blocks;
      blocked(run, group, i % sizes_.blocks, shared + group * panelBytes_, worker);
    });
  }

 private:
  // Chooses block sizes. They must not depend on threads or caches: a GEMM may round differently for another number of rows.
  void chooseBlocks() {
    constexpr std::size_t kScores = 32768;  // floats per block of scores: an eighth of a 1 MiB L2 cache
    const bool isReadable = (k_.strides[3] <= 1 || k_.strides[2] <= 1) && v_.strides[3] <= 1 && q_.strides[3] <= 1;
    isDirect_ = sizes_.rows <= kFewRows && isReadable && output_.strides[3] == 1;
    const std::size_t most = std::max<std::size_t>(16, kScores / sizes_.columns);
    sizes_.blocks = divideUp(sizes_.rows, most);
    sizes_.blockRows = divideUp(sizes_.rows, sizes_.blocks);
    sizes_.blocks = divideUp(sizes_.rows, sizes_.blockRows);
  }

  // Divides the scratch memory. A worker has scores and, unless isDirect_, softmax factors, results that cannot be written in
  // place, GEMM memory and panels. If several threads share a head, the panels of all heads follow the workers' memory instead.
  void layOutScratch(Planner& planner) {
    if (isDirect_) {
      together_ = headsTogether(sizes_, repeats_, planner.threads());
      workerBytes_ = workerStride(together_ * sizes_.rows * sizes_.columns * sizeof(float));
      scratch_ = planner.scratch(planner.threads() * workerBytes_);
      return;
    }
    const std::size_t m = sizes_.blockRows;
    scoresPlan_ = GemmPlan({isa_, sizes_.depth, sizes_.columns}, m, 1, planner.caches());
    valuesPlan_ = GemmPlan({isa_, sizes_.columns, sizes_.width}, m, 1, planner.caches());
    factorsOffset_ = aligned(m * sizes_.columns * sizeof(float));
    resultOffset_ = factorsOffset_ + aligned(m * sizeof(float));
    gemmOffset_ = resultOffset_ + (output_.strides[3] == 1 ? 0 : aligned(m * sizes_.width * sizeof(float)));
    panelsOffset_ = gemmOffset_ + aligned(std::max(scoresPlan_.scratchBytes(), valuesPlan_.scratchBytes()));
    valuesOffset_ = aligned(scoresPlan_.b().bytes());
    panelBytes_ = valuesOffset_ + aligned(valuesPlan_.b().bytes());
    const std::size_t groups = sizes_.batches * sizes_.heads;
    sharesPanels_ = sizes_.blocks > 1 && groups < 4 * std::size_t{planner.threads()} && planner.threads() > 1;
    workerBytes_ = workerStride(panelsOffset_ + (sharesPanels_ ? 0 : panelBytes_));
    sharedOffset_ = planner.threads() * workerBytes_;
    scratch_ = planner.scratch(sharedOffset_ + (sharesPanels_ ? groups * panelBytes_ : 0));
  }

  std::byte* workerScratch(const Run& run, unsigned worker) const { return run.scratch + worker * workerBytes_; }

  void pack(const Run& run, std::size_t group, std::byte* panels) const {
    const std::size_t batch = group / sizes_.heads, head = group % sizes_.heads;
    scoresPlan_.b().pack(k_.at(run.k, batch, head / repeats_), k_.strides[3], k_.strides[2], panels);
    valuesPlan_.b().pack(v_.at(run.v, batch, head / repeats_), v_.strides[2], v_.strides[3], panels + valuesOffset_);
  }

  // Replaces a row of scores by exponentials and returns their softmax factor. The scores lack the factor `before_`; if they
  // overflow for that reason, recomputes them exactly. Without a mask, a score of -inf need not be recomputed: its weight is 0
  // in any case.
  float exponentials(const Run& run, std::size_t batch, std::size_t head, std::size_t row, float* scores) const {
    const float* mask = hasMask_ ? mask_.at(run.mask, batch, head) + row * mask_.strides[2] : nullptr;
    if (before_ == 1 || !mask || matmulKernels_->areBetween(scores, 0, sizes_.columns)) {
      const float factor = kernels_->exponentials(scores, sizes_.columns, before_ * scale_, mask, mask_.strides[3]);
      if (before_ == 1 || factor == factor) return factor;
    }
    const float *q = q_.at(run.q, batch, head) + row * q_.strides[2], *k = k_.at(run.k, batch, head / repeats_);
    exactScores({q, 0, q_.strides[3]}, k, k_, before_, scores);
    return kernels_->exponentials(scores, sizes_.columns, scale_, mask, mask_.strides[3]);
  }

  // Computes attention for one block of a head's queries with packed keys and values.
  void blocked(const Run& run, std::size_t group, std::size_t block, const std::byte* panels, unsigned worker) const {
    const std::size_t batch = group / sizes_.heads, head = group % sizes_.heads;
    const std::size_t first = block * sizes_.blockRows, rows = std::min(sizes_.blockRows, sizes_.rows - first);
    std::byte* memory = workerScratch(run, worker);
    auto* scores = reinterpret_cast<float*>(memory);
    const Queries queries{q_.at(run.q, batch, head) + first * q_.strides[2], q_.strides[2], q_.strides[3]};
    GemmCall gemm{.b = panels, .c = scores, .ldc = sizes_.columns, .scratch = memory + gemmOffset_};
    if (q_.strides[3] <= 1) {
      gemm.a = {.data = queries.data, .lda = queries.rowStride};
    } else {
      gemm.a = {.gather = Queries::gather, .context = &queries};
    }
    scoresPlan_.withRows(rows).run(singleThread(), gemm);
    auto* factors = reinterpret_cast<float*>(memory + factorsOffset_);
    RunWatch watch;
    for (std::size_t i = 0; i < rows && !watch.isOver(sizes_.columns); ++i) {
      factors[i] = exponentials(run, batch, head, first + i, scores + i * sizes_.columns);
    }

    float* to = run.output + batch * output_.strides[0] + head * output_.strides[1] + first * output_.strides[2];
    const bool isInPlace = output_.strides[3] == 1;
    GemmCall weighed{.b = panels + valuesOffset_};
    const Weights weights{*kernels_, scores, sizes_.columns, factors};
    weighed.a = {.gather = Weights::gather, .context = &weights};
    weighed.c = isInPlace ? to : reinterpret_cast<float*>(memory + resultOffset_);
    weighed.ldc = isInPlace ? output_.strides[2] : sizes_.width;
    weighed.scratch = memory + gemmOffset_;
    valuesPlan_.withRows(rows).run(singleThread(), weighed);
    if (isInPlace) return;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < sizes_.width; ++j) {
        storeUnaligned(to + i * output_.strides[2] + j * output_.strides[3], weighed.c[i * sizes_.width + j]);
      }
    }
  }

  // Computes attention of few queries (isDirect_) for heads that share keys and values. Reads keys and values in place.
  void direct(const Run& run, std::size_t group, unsigned worker) const {
    const std::size_t batch = group / sizes_.heads, head = group % sizes_.heads, columns = sizes_.columns;
    const float *k = k_.at(run.k, batch, head / repeats_), *v = v_.at(run.v, batch, head / repeats_);
    auto* scores = reinterpret_cast<float*>(workerScratch(run, worker));
    const std::size_t count = together_ * sizes_.rows;
    std::array<const float*, kMostTogether> q{}, weights{};
    std::array<float*, kMostTogether> to{}, rows{};
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t of = head + i / sizes_.rows, row = i % sizes_.rows;
      q[i] = q_.at(run.q, batch, of) + row * q_.strides[2];
      to[i] = run.output + batch * output_.strides[0] + of * output_.strides[1] + row * output_.strides[2];
    }
    const bool isWhole = inParts(columns, sizes_.depth, [&](std::size_t begin, std::size_t some) {
      for (std::size_t i = 0; i < count; ++i) rows[i] = scores + i * columns + begin;
      if (k_.strides[3] <= 1) {
        kernels_->dotRows(q.data(), count, sizes_.depth, k + begin * k_.strides[2], k_.strides[2], some, rows.data());
      } else {
        kernels_->weighRows(q.data(), count, sizes_.depth, k + begin, k_.strides[3], some, false, rows.data());
      }
    });
    if (!isWhole) return;
    for (std::size_t i = 0; i < count && !isRunOver(); ++i) {
      float* row = scores + i * columns;
      const float factor = exponentials(run, batch, head + i / sizes_.rows, i % sizes_.rows, row);
      inParts(columns, 1,
              [&](std::size_t begin, std::size_t some) { kernels_->scaleRow(row + begin, factor, some, row + begin); });
    }
    inParts(columns, sizes_.width, [&](std::size_t begin, std::size_t some) {
      for (std::size_t i = 0; i < count; ++i) weights[i] = scores + i * columns + begin;
      const float* values = v + begin * v_.strides[2];
      kernels_->weighRows(weights.data(), count, some, values, v_.strides[2], sizes_.width, begin > 0, to.data());
    });
  }

  Isa isa_;
  const AttentionKernels* kernels_;
  const MatmulKernels* matmulKernels_;
  float before_, scale_;
  std::size_t repeats_, together_ = 1;  // repeats_: query heads per key head; together_: query heads processed together
  View q_, k_, v_, mask_, output_;
  AttentionSizes sizes_{};
  GemmPlan scoresPlan_, valuesPlan_;
  bool hasMask_ = false, isDirect_ = false, sharesPanels_ = false;
  Slot qSlot_, kSlot_, vSlot_, maskSlot_, outputSlot_, scratch_;
  std::size_t workerBytes_ = 0, factorsOffset_ = 0, resultOffset_ = 0, gemmOffset_ = 0, panelsOffset_ = 0, valuesOffset_ = 0,
              panelBytes_ = 0, sharedOffset_ = 0;
};

}  // namespace

StepPtr plan(const Attention& op, Planner& planner) {
  AttentionStep step(op, planner);
  std::string description = step.describe();
  return makeStep(std::move(description), std::move(step));
}

}  // namespace webnn::cpu
