// The threads that share the work of a run.
//
// Rule for all kernels: how work is cut into chunks never changes what is computed. A chunk writes elements that no other
// chunk writes, and no sum is split differently for another number of threads, so results are equal bit by bit.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace webnn::cpu {

// The caller and its helpers. One run at a time holds a team; see TeamPool.
class Team {
 public:
  virtual ~Team() = default;
  // How many threads take part: at least 1. Workers are numbered from 0, the caller being 0.
  unsigned size() const { return size_; }

  // Calls work(chunk, worker) for each chunk of [0, chunks), in any order, on any worker, and returns when all are done.
  // Chunks are claimed one by one. `work` must not throw and must not call forEach. Allocates nothing.
  template <typename Work>
  void forEach(std::size_t chunks, Work&& work) {
    if (chunks <= 1 || size_ == 1) {
      for (std::size_t i = 0; i < chunks; ++i) work(i, 0U);
      return;
    }
    using Plain = std::remove_reference_t<Work>;
    share(
        chunks, [](void* context, std::size_t chunk, unsigned worker) { (*static_cast<Plain*>(context))(chunk, worker); },
        const_cast<std::remove_const_t<Plain>*>(&work));
  }

  // The same for [0, count) in ranges [begin, end) of about `grain` items: work(begin, end, worker). `grain` should be some
  // 5 to 20 microseconds of work; a count of at most one grain runs on the caller.
  template <typename Work>
  void forRanges(std::size_t count, std::size_t grain, Work&& work) {
    if (grain == 0) grain = 1;
    const std::size_t chunks = (count + grain - 1) / grain;
    forEach(chunks, [&](std::size_t chunk, unsigned worker) {
      const std::size_t begin = chunk * grain;
      work(begin, begin + grain < count ? begin + grain : count, worker);
    });
  }

 protected:
  explicit Team(unsigned size) : size_(size) {}
  using Share = void (*)(void* context, std::size_t chunk, unsigned worker);
  virtual void share(std::size_t chunks, Share work, void* context) = 0;

 private:
  unsigned size_;
};

// A team of the caller alone.
Team& singleThread();

// The threads of a context: made at the first use of more than one, asleep between runs, spinning within one.
class TeamPool {
 public:
  // 0: as many as this process may run on at once. `pin` binds worker i to the i-th of those processors.
  explicit TeamPool(unsigned threads, bool pin = false);
  ~TeamPool();
  TeamPool(const TeamPool&) = delete;
  TeamPool& operator=(const TeamPool&) = delete;

  unsigned threads() const;

  // Holds the team for a run. If another run holds it, this one gets singleThread() instead of waiting.
  class Lease {
   public:
    explicit Lease(TeamPool& pool);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Team& team() const { return *team_; }

   private:
    TeamPool* pool_;
    Team* team_;
  };

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webnn::cpu
