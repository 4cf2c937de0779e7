#include "cpu/threads.h"

namespace webnn::cpu {

namespace {

class SingleThread final : public Team {
 public:
  SingleThread() : Team(1) {}

 private:
  void share(std::size_t chunks, Share work, void* context) override {
    for (std::size_t i = 0; i < chunks; ++i) work(context, i, 0);
  }
};

}  // namespace

Team& singleThread() {
  static SingleThread team;
  return team;
}

struct TeamPool::State {
  unsigned threads = 1;
};

TeamPool::TeamPool(unsigned, bool) : state_(std::make_unique<State>()) {}
TeamPool::~TeamPool() = default;
unsigned TeamPool::threads() const { return state_->threads; }

TeamPool::Lease::Lease(TeamPool& pool) : pool_(&pool), team_(&singleThread()) {}
TeamPool::Lease::~Lease() = default;

}  // namespace webnn::cpu
