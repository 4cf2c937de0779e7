#include "backends/cpu/runtime/threads.h"

#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "backends/cpu/runtime/float_mode.h"
#include "backends/cpu/runtime/processors.h"
#include "backends/cpu/runtime/sleeping_workers.h"
#include "base/fork.h"

namespace webnn::cpu {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// Time for which a waiting thread spins before it yields its processor.
constexpr microseconds kSpin{100};
// Time for which an idle worker stays awake: kStay while a run holds the team, kLinger otherwise.
constexpr microseconds kStay{2000}, kLinger{20};
// If the caller waits longer than kStall in a parallel region, the system has probably descheduled another member. The caller
// then works alone in the next kAlone regions, because waiting for a busy processor again and again would be slower.
constexpr microseconds kStall{1000};
constexpr unsigned kAlone = 16;
// Number of pause instructions between two clock reads, about one microsecond.
constexpr unsigned kRelaxes = 16;

// A spin-wait that pauses at first and yields the processor after kSpin.
class Waiting {
 public:
  void pass() {
    relax();
    if (++relaxed_ % kRelaxes != 0) return;
    if (!isLong_) {
      const Clock::time_point now = Clock::now();
      if (relaxed_ == kRelaxes) since_ = now;
      isLong_ = now - since_ > kSpin;
    }
    if (isLong_) std::this_thread::yield();
  }
  bool isStall() const { return isLong_ && Clock::now() - since_ > kStall; }

 private:
  unsigned relaxed_ = 0;
  bool isLong_ = false;
  Clock::time_point since_;
};

}  // namespace

void TeamMember::waitForOthers() {
  Waiting waiting;
  while (meeting_->arrived.load(std::memory_order_acquire) < round_) waiting.pass();
  if (waiting.isStall()) stalled_ = true;
}

// The chunks of a job that one thread claims first; the others claim what is left. One word holds the range's end and its next
// chunk. A thread claims a chunk by adding one. If the claimed chunk is below the end, the thread may read the job's function,
// because the caller waits for that chunk before it ends the job. A worker that is late may thus get no chunk, or a chunk of the
// next job; both are correct.
class ChunkRange {
 public:
  void publish(std::uint64_t next, std::uint64_t end) { ticket_.store(end << 32 | next, std::memory_order_release); }
  bool hasChunk() const { return hasChunk(ticket_.load(std::memory_order_relaxed)); }
  std::optional<std::uint32_t> claim() {
    if (!hasChunk()) return std::nullopt;
    const std::uint64_t claimed = ticket_.fetch_add(1, std::memory_order_acquire);
    return hasChunk(claimed) ? std::optional(nextOf(claimed)) : std::nullopt;
  }
  // Claims all remaining chunks and returns their number. The caller must hold a chunk of the job.
  std::uint32_t claimRest() {
    std::uint64_t ticket = ticket_.load(std::memory_order_relaxed);
    while (hasChunk(ticket)) {
      const std::uint64_t end = endOf(ticket);
      if (ticket_.compare_exchange_weak(ticket, end << 32 | end, std::memory_order_relaxed))
        return endOf(ticket) - nextOf(ticket);
    }
    return 0;
  }
  // Ends the range. Returns the number of the next chunk, which exceeds the end if threads came too late.
  std::uint32_t close() { return nextOf(ticket_.exchange(0, std::memory_order_acq_rel)); }

 private:
  static constexpr std::uint32_t endOf(std::uint64_t ticket) { return static_cast<std::uint32_t>(ticket >> 32); }
  static constexpr std::uint32_t nextOf(std::uint64_t ticket) { return static_cast<std::uint32_t>(ticket); }
  static constexpr bool hasChunk(std::uint64_t ticket) { return nextOf(ticket) < endOf(ticket); }

  std::atomic<std::uint64_t> ticket_{0};
};

// The worker threads, and the job that they share with the caller. Each thread has its own range of the chunks. Equal ranges of
// successive jobs mostly read and write the same rows, which thus stay in the cache of one processor.
class TeamWorkers final : public Team {
 public:
  TeamWorkers(unsigned threads, bool pin) : Team(threads), pin_(pin), ranges_(threads), sleeping_(threads) {}
  ~TeamWorkers() override {
    if (!process_.isHere()) {  // in a forked child, the threads do not exist, so their handles are leaked
      static_cast<void>(threads_.release());
      return;
    }
    stopping_.store(true);
    wake();
    for (std::thread& thread : *threads_) thread.join();
  }

  bool lease(const Budget& budget) {
    if (leased_.exchange(true, std::memory_order_acquire)) return false;
    budget_ = &budget;
    return true;
  }
  void endLease() { leased_.store(false, std::memory_order_release); }
  bool isAwake() const override { return isStarted_ && !isAnyAsleep_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kMostChunks = std::size_t{1} << 30;
  void share(std::size_t chunks, Share work, const void* context) override {
    if (chunks > kMostChunks) {
      for (std::size_t i = 0; i < chunks && !isOver(); ++i) work(context, i, 0);
      return;
    }
    if (isOver()) return;
    publish(static_cast<std::uint32_t>(chunks), size(), work, context);
    work(context, 0, 0);
    awaitChunks(static_cast<std::uint32_t>(chunks) - 1 - runChunks(0));
  }

  void gather(unsigned most, microseconds spinTimeout, Join work, const void* context) override {
    if (alone_ > 0) {
      --alone_;
      TeamMember alone = member();
      return work(context, alone);
    }
    Meeting meeting;
    const struct Job {
      TeamWorkers& workers;
      Join work;
      const void* context;
      Meeting& meeting;
    } job{*this, work, context, meeting};
    publish(
        most, 1,
        [](const void* of, std::size_t chunk, unsigned worker) {
          const auto& [workers, join, argument, meetingOfAll] = *static_cast<const Job*>(of);
          workers.join(meetingOfAll, static_cast<unsigned>(chunk), worker, join, argument);
        },
        &job, false);

    const Clock::time_point last = Clock::now() + spinTimeout;
    while (ranges_[0].hasChunk() && Clock::now() < last) relax();
    const unsigned came = std::min(ranges_[0].close(), most);
    meeting.members.store(came, std::memory_order_release);
    join(meeting, 0, 0, work, context);
    awaitChunks(came - 1);
  }

  void join(Meeting& meeting, unsigned place, unsigned worker, Join work, const void* context) {
    TeamMember member = this->member();
    Waiting waiting;
    while ((member.members = meeting.members.load(std::memory_order_acquire)) == 0) waiting.pass();
    // If all threads take part, each worker always has the same index, so that its data stay in its processor's caches.
    member.index = member.members == size() ? worker : place;
    member.meeting_ = &meeting;
    work(context, member);
    if (worker == 0 && member.stalled_) alone_ = kAlone;
  }

  // Publishes a job in `ranges` ranges. The caller has already claimed its first chunk. If `mayEndEarly` is set, chunks are
  // skipped once the run is cancelled or out of time.
  void publish(std::uint64_t chunks, std::size_t ranges, Share work, const void* context, bool mayEndEarly = true) {
    if (!isStarted_) start();
    work_ = work;
    context_ = context;
    mayEndEarly_ = mayEndEarly;
    done_.store(0, std::memory_order_relaxed);
    if (chunks < ranges) ranges = 1;
    for (std::size_t i = 0; i < ranges; ++i) ranges_[i].publish(i == 0 ? 1 : chunks * i / ranges, chunks * (i + 1) / ranges);
    jobs_.fetch_add(1);
    if (!isAnyAsleep_.load()) return;
    if (!pin_ && process_.isHere()) sleeping_.spread(*threads_, mayFollow_);
    wake();
  }

  void awaitChunks(std::uint32_t chunks) {
    Waiting waiting;
    while (done_.load(std::memory_order_acquire) != chunks) waiting.pass();
  }

  // Claims chunks until none is left, and runs them, or skips them if the run is over (see publish()). Returns the number of
  // claimed chunks.
  std::uint32_t runChunks(unsigned worker) {
    std::uint32_t ran = 0;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      ChunkRange& range = ranges_[(worker + i) % ranges_.size()];
      while (const std::optional<std::uint32_t> chunk = range.claim()) {
        ++ran;
        if (mayEndEarly_ && isOver()) {
          ran += range.claimRest();
        } else {
          const BudgetScope scope(budget());
          work_(context_, *chunk, worker);
        }
      }
    }
    return ran;
  }

  void start() {
    isStarted_ = true;
    try {
      threads_->reserve(size() - 1);
      for (unsigned worker = 1; worker < size(); ++worker) {
        threads_->emplace_back([this, worker] { serve(worker); });
        if (pin_) bindToProcessor(threads_->back(), worker);
      }
    } catch (const std::system_error&) {
      // The system cannot start more threads. The threads started so far do the work.
    } catch (const std::bad_alloc&) {
    }
  }

  void serve(unsigned worker) {
    const DefaultFloatMode floats;          // a new thread has the mode of the thread that started it
    Clock::time_point last = Clock::now();  // when the worker last had work
    std::uint32_t seen = 0;                 // jobs_ before the worker last looked for chunks
    for (unsigned idle = 0; !stopping_.load(std::memory_order_relaxed);) {
      if (const std::uint32_t jobs = jobs_.load(std::memory_order_acquire); jobs != seen) {
        seen = jobs;
        if (const std::uint32_t ran = runChunks(worker); ran != 0) {
          done_.fetch_add(ran, std::memory_order_release);
          idle = 0;
          continue;
        }
      }
      relax();
      if (++idle % kRelaxes != 0) continue;
      const Clock::time_point now = Clock::now();
      if (idle == kRelaxes) last = now;
      const bool isLeased = leased_.load(std::memory_order_relaxed);
      if (now - last < (isLeased ? kSpin : kLinger)) continue;
      if (isLeased && now - last < kStay) {
        std::this_thread::yield();
      } else {
        sleepUnlessAfter(seen, worker);
        idle = 0;
      }
    }
  }

  // Sleeps until the next job, unless there is one after `seen`. The worker sets isAnyAsleep_ and then reads jobs_; the caller
  // writes jobs_ and then reads isAnyAsleep_. All these accesses are sequentially consistent, so that at least one thread sees
  // the other's write.
  void sleepUnlessAfter(std::uint32_t seen, unsigned worker) {
    const std::uint32_t before = wakes_.load();
    sleeping_.fallAsleep(worker - 1);
    isAnyAsleep_.store(true);
    if (jobs_.load() == seen && !stopping_.load()) waitWhile(wakes_, before);
    sleeping_.wakeUp(worker - 1);
  }
  void wake() {
    isAnyAsleep_.store(false);
    wakes_.fetch_add(1);
    wakeAll(wakes_);
  }

  alignas(64) std::atomic<std::uint32_t> jobs_{0};  // the number of published jobs, modulo 2^32
  Share work_ = nullptr;
  const void* context_ = nullptr;
  bool mayEndEarly_ = true;
  alignas(64) std::atomic<std::uint32_t> done_{0};
  alignas(64) std::atomic<bool> leased_{false};
  std::atomic<bool> isAnyAsleep_{false}, stopping_{false};
  std::atomic<std::uint32_t> wakes_{0};
  // mayFollow_: see SleepingWorkers. Larger teams lose less by a late worker than by system calls for all workers.
  const bool pin_, mayFollow_ = isVirtualMachine() && size() <= 8;
  std::vector<ChunkRange> ranges_;  // one for each thread
  SleepingWorkers sleeping_;
  // These members are accessed only by the thread that holds the lease, and by the destructor.
  bool isStarted_ = false;
  unsigned alone_ = 0;  // number of gather() calls that the caller will still run alone
  const ProcessOfOrigin process_;
  std::unique_ptr<std::vector<std::thread>> threads_ = std::make_unique<std::vector<std::thread>>();
};

bool isRunOver() { return BudgetScope::current().isOver(); }

void SingleThread::share(std::size_t chunks, Share work, const void* context) {
  for (std::size_t i = 0; i < chunks && !isOver(); ++i) work(context, i, 0);
}
void SingleThread::gather(unsigned, microseconds, Join work, const void* context) {
  TeamMember alone = member();
  work(context, alone);
}

Team& singleThread() {
  static SingleThread team;
  return team;
}

TeamPool::TeamPool(unsigned threads, bool pin)
    : workers_(std::make_unique<TeamWorkers>(threads == 0 ? usableProcessors() : threads, pin)) {}
TeamPool::~TeamPool() = default;
unsigned TeamPool::threads() const { return workers_->size(); }

TeamPool::Lease::Lease(TeamPool& pool, const Budget& budget)
    : workers_(pool.workers_->lease(budget) ? pool.workers_.get() : nullptr), alone_(&budget) {}
TeamPool::Lease::~Lease() {
  if (workers_) workers_->endLease();
}
Team& TeamPool::Lease::team() const {
  if (workers_) return *workers_;
  return alone_;
}

}  // namespace webnn::cpu
