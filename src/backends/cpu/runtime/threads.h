// The thread pool that shares the work of a run.
//
// Rule for all kernels: how work is split into chunks never changes the results. No two chunks write the same element, and the
// number of threads never changes how a sum is split, so results are bitwise equal.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "backends/cpu/runtime/run_watch.h"
#include "base/budget.h"
#include "base/divide_up.h"

namespace webnn::cpu {

class Team;

// The barrier of Team::parallelRegion.
struct Meeting {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::atomic<std::uint32_t> members{0};         // 0: still unknown
  std::atomic<std::uint64_t> lastRound{kNever};  // the round after which all members leave; member 0 sets it before it arrives
  alignas(64) std::atomic<std::uint64_t> arrived{0};
};

// One of the threads that run a Team::parallelRegion concurrently.
class TeamMember {
 public:
  unsigned index = 0, members = 1;  // 0 <= index < members

  // A barrier: returns once every member has called it as often as this one. Writes before it are visible to all members after
  // it. Returns false, on every member, if the run is over: then the work should end.
  [[nodiscard]] bool wait();

 private:
  friend class Team;
  friend class TeamWorkers;
  void waitForOthers();
  Meeting* meeting_ = nullptr;  // only used with more than one member
  const Team* team_ = nullptr;
  std::uint64_t round_ = 0;
  bool stalled_ = false;  // another member had lost its processor
};

// The caller and its helpers. One run at a time holds a team; see TeamPool.
//
// Once the run's budget is over, chunks that have not begun are skipped, in this job and in all that follow, and
// TeamMember::wait() returns false. Steps need not check for it themselves, except in chunks that may take longer than about 10
// milliseconds: those poll isRunOver(). The results of such a run are discarded.
class Team {
 public:
  virtual ~Team() = default;
  // The number of threads, at least 1. Workers are numbered from 0; the caller is worker 0.
  unsigned size() const { return size_; }
  const Budget& budget() const { return budget_ ? *budget_ : Budget::none(); }
  // Whether the run should end. Never changes back.
  bool isOver() const { return budget_ && budget_->isOver(); }

  // Calls work(chunk, worker) for each chunk of [0, chunks), in any order, on any worker, and returns when all are done.
  // Chunks are claimed one by one. `work` is called concurrently; it must not throw and must not call forEach. Allocates
  // nothing.
  template <typename Work>
  void forEach(std::size_t chunks, const Work& work) {
    if (chunks <= 1 || size_ == 1) {
      for (std::size_t i = 0; i < chunks && !isOver(); ++i) work(i, 0U);
      return;
    }
    share(
        chunks,
        [](const void* context, std::size_t chunk, unsigned worker) { (*static_cast<const Work*>(context))(chunk, worker); },
        &work);
  }

  // The same for [0, count) in ranges [begin, end) of about `grain` items: work(begin, end, worker). `grain` should be some
  // 5 to 20 microseconds of work; a count of at most one grain runs on the caller.
  void forRanges(std::size_t count, std::size_t grain, const auto& work) {
    if (grain == 0) grain = 1;
    const std::size_t chunks = divideUp(count, grain);
    forEach(chunks, [&](std::size_t chunk, unsigned worker) {
      const std::size_t begin = chunk * grain;
      work(begin, begin + grain < count ? begin + grain : count, worker);
    });
  }

  // For work whose threads wait for each other: calls work(member) on several concurrent threads, the caller being member 0, and
  // returns when all have returned. At most `most` threads take part, and of the workers only those that join within
  // `spinTimeout`, so the caller may be alone. After a worker has lost its processor to another process and the others had to
  // wait for it, the caller works alone for a while. `work` must not throw, and must compute the same for any number of members.
  // Allocates nothing.
  template <typename Work>
  void parallelRegion(unsigned most, std::chrono::microseconds spinTimeout, const Work& work) {
    if (most <= 1 || size_ == 1) {
      TeamMember alone = member();
      return work(alone);
    }
    gather(
        std::min(most, size_), spinTimeout,
        [](const void* context, TeamMember& member) { (*static_cast<const Work*>(context))(member); }, &work);
  }

 protected:
  explicit Team(unsigned size, const Budget* budget = nullptr) : size_(size), budget_(budget) {}
  using Share = void (*)(const void* context, std::size_t chunk, unsigned worker);
  using Join = void (*)(const void* context, TeamMember& member);
  virtual void share(std::size_t chunks, Share work, const void* context) = 0;
  virtual void gather(unsigned most, std::chrono::microseconds spinTimeout, Join work, const void* context) = 0;
  TeamMember member() const {
    TeamMember alone;
    alone.team_ = this;
    return alone;
  }

  unsigned size_;
  const Budget* budget_;  // of the run that holds the team; null if it is unlimited
};

inline bool TeamMember::wait() {
  if (members == 1) return !team_ || !team_->isOver();
  round_ += members;
  if (index == 0 && team_->isOver()) meeting_->lastRound.store(round_, std::memory_order_relaxed);
  if (meeting_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 < round_) waitForOthers();
  // lastRound may already name a later round; then this one still counts.
  return meeting_->lastRound.load(std::memory_order_relaxed) > round_;
}

class TeamWorkers;

// A team of the caller alone.
class SingleThread final : public Team {
 public:
  explicit SingleThread(const Budget* budget = nullptr) : Team(1, budget) {}

 private:
  void share(std::size_t chunks, Share work, const void* context) override;
  void gather(unsigned most, std::chrono::microseconds spinTimeout, Join work, const void* context) override;
};
// A team that is never over.
Team& singleThread();

// A context's thread pool. Its threads start at the first parallel job, sleep between runs and spin within one.
class TeamPool {
 public:
  // 0: as many as this process may run at once. `pin` binds each worker i > 0 to the i-th processor of this process.
  explicit TeamPool(unsigned threads, bool pin = false);
  ~TeamPool();
  TeamPool(const TeamPool&) = delete;
  TeamPool& operator=(const TeamPool&) = delete;

  unsigned threads() const;

  // Holds the team for a run. If another run holds it, this one gets a team of the caller alone instead of waiting.
  class Lease {
   public:
    explicit Lease(TeamPool& pool, const Budget& budget = Budget::none());
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Team& team() const;

   private:
    TeamWorkers* workers_;  // null where another run holds them
    mutable SingleThread alone_;
  };

 private:
  std::unique_ptr<TeamWorkers> workers_;
};

}  // namespace webnn::cpu
