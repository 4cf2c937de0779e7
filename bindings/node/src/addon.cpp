#include <napi.h>

#include "describe/ops_printers.h"
#include "instance.h"
#include "values.h"

namespace webnn::node {

namespace {

// Returns the operation table as `webnn ops --format=json` prints it.
Napi::Value operations(const Napi::CallbackInfo& info) { return text(info.Env(), describe::printJson(describe::describeAll())); }

// JavaScript: connect(makeError, settle, report). See Instance.
void connect(const Napi::CallbackInfo& info) {
  Instance& instance = Instance::of(info.Env());
  instance.makeError = Napi::Persistent(info[0].As<Napi::Function>());
  instance.settle = Napi::Persistent(info[1].As<Napi::Function>());
  instance.report = Napi::Persistent(info[2].As<Napi::Function>());
}

void close(const Napi::CallbackInfo& info) { Instance::of(info.Env()).close(); }

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  Instance::attach(env);
  define<operations>(exports, "operations");
  define<connect>(exports, "connect");
  define<close>(exports, "close");
  defineContext(exports);
  defineBuilder(exports);
  defineFiles(exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(webnn, initialize)

}  // namespace webnn::node
