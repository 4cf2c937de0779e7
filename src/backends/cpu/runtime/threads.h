// The thread pool on which runs execute.
// Invariant for all kernels: results are bit-identical for any number of threads. No two chunks write the same element, and the
// number of threads never decides how a sum is split.
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

// The state of the barrier in Team::parallelRegion.
struct Meeting {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::atomic<std::uint32_t> members{0};         // 0 until the members are known
  std::atomic<std::uint64_t> lastRound{kNever};  // from this round on, wait() returns false; set by member 0
  alignas(64) std::atomic<std::uint64_t> arrived{0};
};

// One of the threads that run the work of Team::parallelRegion concurrently.
class TeamMember {
 public:
  unsigned index = 0, members = 1;  // index is in [0, members)

  // A barrier: waits until every member has called wait() equally often. Writes before the call are visible to all members after
  // it.
  // Returns false, for all members, if the run is cancelled or out of time: the work should then return.
  [[nodiscard]] bool wait();

 private:
  friend class Team;
  friend class TeamWorkers;
  void waitForOthers();
  Meeting* meeting_ = nullptr;  // unused if there is only one member
  const Team* team_ = nullptr;
  std::uint64_t round_ = 0;
  bool stalled_ = false;  // this member waited for long, probably for a descheduled member
};

// The caller and its worker threads. One run at a time holds a team; see TeamPool.
// Once the run is cancelled or out of time, all chunks that have not begun are skipped, also in later jobs, and
// TeamMember::wait() returns false. The results of such a run are discarded. Steps need not check this, except in chunks longer
// than about 10 milliseconds, which must poll isRunOver().
class Team {
 public:
  virtual ~Team() = default;
  // Returns the number of threads, at least 1. Worker 0 is the caller.
  unsigned size() const { return size_; }
  const Budget& budget() const { return budget_ ? *budget_ : Budget::none(); }
  // Returns whether the run should end (see isRunOver). Once true, the result stays true.
  bool isOver() const { return budget_ && budget_->isOver(); }
  // Returns whether the workers wait for work without sleeping. A worker that sleeps needs tens of microseconds to join a job.
  virtual bool isAwake() const { return true; }

  // Calls work(chunk, worker) for each chunk in [0, chunks) in any order and returns after the last. `work` runs concurrently on
  // several threads. It must not throw or call forEach. Allocates nothing, except that the first job of several chunks starts the
  // threads.
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

  // Calls work(begin, end, worker) for ranges of `grain` items of [0, count), like forEach; the last range may be shorter.
  // `grain` items should take about 5 to 20 microseconds. If there is only one range, the caller runs it.
  void forRanges(std::size_t count, std::size_t grain, const auto& work) {
    if (grain == 0) grain = 1;
    const std::size_t chunks = divideUp(count, grain);
    forEach(chunks, [&](std::size_t chunk, unsigned worker) {
      const std::size_t begin = chunk * grain;
      work(begin, begin + grain < count ? begin + grain : count, worker);
    });
  }

  // Calls work(member) concurrently on several threads, which may wait for each other; the caller is member 0. Returns after all
  // have returned. At most `most` threads take part. Workers that do not join within `spinTimeout` are left out, so the caller
  // may be alone. If the caller waits long for a worker, probably because the system descheduled it, the caller works alone in
  // the next calls. `work` must not throw, and its results must not depend on the number of members. Allocates nothing, except
  // that the first job starts the threads.
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
  const Budget* budget_;  // budget of the run that holds the team; null: unlimited
};

inline bool TeamMember::wait() {
  if (members == 1) return !team_ || !team_->isOver();
  round_ += members;
  if (index == 0 && team_->isOver()) meeting_->lastRound.store(round_, std::memory_order_relaxed);
  if (meeting_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 < round_) waitForOthers();
  // If lastRound is already the round of a later wait(), this call still returns true.
  return meeting_->lastRound.load(std::memory_order_relaxed) > round_;
}

class TeamWorkers;

class SingleThread final : public Team {
 public:
  explicit SingleThread(const Budget* budget = nullptr) : Team(1, budget) {}

 private:
  void share(std::size_t chunks, Share work, const void* context) override;
  void gather(unsigned most, std::chrono::microseconds spinTimeout, Join work, const void* context) override;
};
// Returns a team of the calling thread without a budget.
Team& singleThread();

// The thread pool of a context. Threads start with the first parallel job, sleep between runs, and stay awake within runs
// unless they are idle for long.
class TeamPool {
 public:
  // 0 threads: as many as this process can run concurrently. `pin` binds worker i > 0 to the i-th fastest usable processor.
  explicit TeamPool(unsigned threads, bool pin = false);
  ~TeamPool();
  TeamPool(const TeamPool&) = delete;
  TeamPool& operator=(const TeamPool&) = delete;

  unsigned threads() const;

  // Holds the team for one run. If another run holds it, team() is the calling thread only, so runs never wait for each other.
  class Lease {
   public:
    explicit Lease(TeamPool& pool, const Budget& budget = Budget::none());
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Team& team() const;

   private:
    TeamWorkers* workers_;  // null if another run holds the team
    mutable SingleThread alone_;
  };

 private:
  std::unique_ptr<TeamWorkers> workers_;
};

}  // namespace webnn::cpu
