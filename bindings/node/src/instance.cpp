#include "instance.h"

#include <future>
#include <utility>

#include "base/as_errors.h"
#include "base/text.h"
#include "context/context_state.h"

namespace webnn::node {

namespace {

void waitUntilIdle(const Context& context) {
  std::promise<void> idle;
  std::future<void> isIdle = idle.get_future();
  context.state()->whenIdle([&idle] { idle.set_value(); });
  isIdle.wait();
}

using Holder = std::shared_ptr<Instance>;

}  // namespace

void ExternalMemory::set(std::size_t bytes) {
  if (bytes == bytes_) return;
  Napi::MemoryManagement::AdjustExternalMemory(env_, static_cast<std::int64_t>(bytes) - static_cast<std::int64_t>(bytes_));
  bytes_ = bytes;
}

NodeContext::NodeContext(Napi::Env env, std::shared_ptr<Instance> owner, Context created)
    : instance(std::move(owner)), context(std::move(created)), memory(env) {
  constexpr std::size_t kProcesses = 8 << 20;
  if (!context.service().empty()) memory.set(kProcesses);
  instance->contexts_.insert(this);
}

NodeContext::~NodeContext() {
  instance->contexts_.erase(this);
  instance->retire(std::move(context));
}

Instance& Instance::of(Napi::Env env) { return **env.GetInstanceData<Holder>(); }

void Instance::attach(Napi::Env env) {
  auto* const holder = new Holder(std::make_shared<Instance>(env));
  env.SetInstanceData(holder);
  // Hooks run in the reverse order of their registration. The completion queue is older and therefore still exists in this hook.
  napi_add_env_cleanup_hook(
      env,
      [](void* data) {
        auto* const instance = static_cast<Instance*>(data);
        instance->close();
        instance->makeError.Reset();
        instance->settle.Reset();
        instance->report.Reset();
      },
      holder->get());
}

Instance::Instance(Napi::Env env) : completions(std::make_shared<CompletionQueue>(env)), env_(env) {}

Instance::~Instance() { close(); }

void Instance::begin(std::uint32_t id, std::shared_ptr<NodeContext> context) {
  begun_.emplace(id, std::move(context));
  completions->expect(true);
}

void Instance::end(const std::shared_ptr<CompletionQueue>& completions, Instance* instance, std::uint32_t id,
                   std::optional<Error> error, Value value) {
  completions->post(
      [instance, id, error = std::move(error), value = std::move(value)] { instance->settleNow(id, error, value); });
}

void Instance::settleNow(std::uint32_t id, const std::optional<Error>& error, const Value& value) {
  const auto context = begun_.extract(id);  // keeps the context alive until JavaScript has the value
  if (begun_.empty()) completions->expect(false);
  constexpr std::size_t kMostIdle = 4;
  if (auto aside = asides_.extract(id); aside && idle_.size() < kMostIdle) idle_.push_back(std::move(aside.mapped()));
  runJavaScript([&] {
    const Napi::Value problem = error ? errorOf(env_, *error) : env_.Undefined();
    settle.Call({Napi::Number::New(env_, id), problem, value && !error ? value(env_) : env_.Undefined()});
  });
}

void Instance::progress(const std::shared_ptr<CompletionQueue>& completions, Instance* instance, std::uint32_t id,
                        const CallProgress& progress) {
  completions->post([instance, id, phase = std::string(progress.phase), done = progress.done, total = progress.total] {
    instance->runJavaScript([&, env = instance->env_] {
      instance->report.Call({Napi::Number::New(env, id), Napi::String::New(env, phase),
                             Napi::Number::New(env, static_cast<double>(done)),
                             Napi::Number::New(env, static_cast<double>(total))});
    });
  });
}

void Instance::runJavaScript(const auto& call) {
  const Napi::HandleScope scope(env_);
  try {
    call();
  } catch (const Napi::Error&) {  // JavaScript no longer runs in a terminated worker
  }
}

void Instance::runAside(std::uint32_t id, std::shared_ptr<NodeContext> context, std::function<Value()> work) {
  if (isClosed_) fail(ErrorKind::invalidStateError, "the process is about to end.");
  WorkThread::Work aside = [id, box = completions, this, work = std::move(work)] {
    std::optional<Error> error;
    Value value;
    try {
      value = work();
    } catch (...) {
      error = errorOf(std::current_exception());
    }
    end(box, this, id, std::move(error), std::move(value));
  };
  if (idle_.empty()) {
    asides_.emplace(id, std::make_unique<WorkThread>(std::move(aside)));
  } else {
    idle_.back()->give(std::move(aside));
    asides_.emplace(id, std::move(idle_.back()));
    idle_.pop_back();
  }
  begin(id, std::move(context));
}

void Instance::retire(Context context) {
  context.destroy();  // cancels queued work, whose results nobody can read any more
  if (isClosed_) return;
  const std::uint32_t id = ++lastRetired_;
  context.state()->whenIdle([box = completions, this, id] { box->post([this, id] { retired_.erase(id); }); });
  retired_.emplace(id, std::move(context));
}

void Instance::close() {
  if (std::exchange(isClosed_, true)) return;
  ending_.request_stop();
  completions->close();
  for (NodeContext* const context : contexts_) context->context.destroy();
  for (NodeContext* const context : contexts_) waitUntilIdle(context->context);
  retired_.clear();
  asides_.clear();
  idle_.clear();
  begun_.clear();
}

std::optional<Error> errorOf(const std::exception_ptr& problem) {
  try {
    if (problem) std::rethrow_exception(problem);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return outOfMemory();
  } catch (const std::exception& error) {
    return Error(ErrorKind::unknownError, error.what());
  }
}

Napi::Value errorOf(Napi::Env env, const Error& error) {
  const std::string_view kind = name(error.kind());
  return Instance::of(env).makeError.Call(
      {Napi::String::New(env, kind.data(), kind.size()), Napi::String::New(env, error.what())});
}

}  // namespace webnn::node
