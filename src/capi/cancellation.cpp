// The functions of the C API for limits and cancellations.
#include <algorithm>

#include "capi/objects.h"
#include "capi/values.h"

using namespace webnn;
using namespace webnn::capi;

namespace {

std::chrono::nanoseconds durationOf(uint64_t nanoseconds) {
  return std::chrono::nanoseconds(std::min<uint64_t>(nanoseconds, std::chrono::nanoseconds::max().count()));
}

}  // namespace

namespace webnn::capi {

Limits limitsOf(const WebnnWorkLimits* limits, const What& what) {
  if (!limits) return {};
  requireStruct(limits, what);
  return {.maxMemory = limits->maxMemory,
          .maxOperations = limits->maxOperations,
          .maxElements = limits->maxElements,
          .maxCompileWork = limits->maxCompileWork,
          .maxTime = durationOf(limits->maxTimeNanoseconds)};
}

std::stop_token stopTokenOf(WebnnCancellation cancellation, const What& what) {
  return cancellation ? requireObject(cancellation, what).source.get_token() : std::stop_token();
}

std::function<void(const CallProgress&)> progressOf(WebnnProgressCallback callback, void* userdata) {
  if (!callback) return {};
  return [=](const CallProgress& progress) { callback(viewOf(progress.phase), progress.done, progress.total, userdata); };
}

CallOptions callOptionsOf(const WebnnCallOptions* options, const What& what) {
  if (!options) return {};
  requireStruct(options, what + "options");
  return {.stop = stopTokenOf(options->cancellation, what),
          .timeout = durationOf(options->timeoutNanoseconds),
          .onProgress = progressOf(options->onProgress, options->progressUserdata)};
}

}  // namespace webnn::capi

WebnnStatus webnnCreateCancellation(WebnnCancellation* cancellation, WebnnError* error) {
  return guarded(error, [&] {
    WebnnCancellation& place = requireResult(cancellation, "createCancellation");
    place = new WebnnCancellationImpl;
  });
}

void webnnCancellationRequest(WebnnCancellation cancellation) {
  guarded(nullptr, [&] { requireObject(cancellation, "request: ").source.request_stop(); });
}

WebnnBool webnnCancellationIsRequested(WebnnCancellation cancellation) {
  return cancellation && cancellation->source.stop_requested() ? 1 : 0;
}

void webnnCancellationAddRef(WebnnCancellation cancellation) { addReference(cancellation); }
void webnnCancellationRelease(WebnnCancellation cancellation) { releaseReference(cancellation); }
