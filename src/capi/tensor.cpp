#include "capi/objects.h"
#include "capi/values.h"

using namespace webnn;
using namespace webnn::capi;

namespace {

struct ReadTensorEvent final : Event {
  explicit ReadTensorEvent(const WebnnReadTensorCallbackInfo& callbackInfo) : Event(callbackInfo.mode), info(callbackInfo) {}
  void call() noexcept override {
    if (info.callback) info.callback(error.status(), error.get(), info.userdata1, info.userdata2);
  }
  const WebnnReadTensorCallbackInfo info;
};

}  // namespace

WebnnStatus webnnContextCreateTensor(WebnnContext context, const WebnnTensorDescriptor* descriptor, WebnnTensor* tensor,
                                     WebnnError* error) {
  return guarded(error, [&] {
    WebnnTensor& place = requireResult(tensor, "createTensor");
    Context& owner = requireObject(context, "createTensor: ").context;
    place = new WebnnTensorImpl(owner.createTensor(descriptorOf(descriptor, "createTensor: ")));
  });
}

WebnnStatus webnnContextCreateConstantTensor(WebnnContext context, const WebnnOperandDescriptor* descriptor,
                                             WebnnConstBytes bytes, WebnnTensor* tensor, WebnnError* error) {
  return guarded(error, [&] {
    WebnnTensor& place = requireResult(tensor, "createConstantTensor");
    Context& owner = requireObject(context, "createConstantTensor: ").context;
    const auto span = bytesOf(bytes.data, bytes.size, "createConstantTensor: bytes");
    place = new WebnnTensorImpl(owner.createConstantTensor(descriptorOf(descriptor, "createConstantTensor: "), span));
  });
}

WebnnStatus webnnContextWriteTensor(WebnnContext context, WebnnTensor tensor, WebnnConstBytes bytes, WebnnError* error) {
  return guarded(error, [&] {
    Context& owner = requireObject(context, "writeTensor: ").context;
    owner.writeTensor(requireObject(tensor, "writeTensor: ").tensor, bytesOf(bytes.data, bytes.size, "writeTensor: bytes"));
  });
}

WebnnFuture webnnContextReadTensor(WebnnContext context, WebnnTensor tensor, WebnnBytes bytes,
                                   WebnnReadTensorCallbackInfo callbackInfo) {
  const auto state = [&] { return requireObject(context, "readTensor: ").instance; };
  return beginEvent<ReadTensorEvent>(callbackInfo, state, "readTensor", [&](const auto& event) {
    const Tensor& source = requireObject(tensor, "readTensor: ").tensor;
    const auto done = [event, held = context->instance](std::exception_ptr failure) {
      if (failure) {
        try {
          std::rethrow_exception(std::move(failure));
        } catch (...) {
          event->error = currentError();
        }
      }
      held->complete(event);
    };
    context->context.readTensor(source, bytesOf(bytes, "readTensor: bytes"), done);
  });
}

WebnnStatus webnnContextReadTensorSync(WebnnContext context, WebnnTensor tensor, WebnnBytes bytes, WebnnError* error) {
  return guarded(error, [&] {
    Context& owner = requireObject(context, "readTensor: ").context;
    owner.readTensor(requireObject(tensor, "readTensor: ").tensor, bytesOf(bytes, "readTensor: bytes")).get();
  });
}

WebnnStatus webnnTensorGetDescriptor(WebnnTensor tensor, WebnnTensorDescriptor* descriptor, WebnnError* error) {
  return guarded(error, [&] {
    const Tensor& known = requireObject(tensor, "tensor descriptor: ").tensor;
    requireStruct(descriptor, "tensor descriptor: the descriptor");
    *descriptor = {nullptr, toC(known.dataType()), toC(known.shape()), known.readable() ? 1u : 0u, known.writable() ? 1u : 0u};
  });
}

WebnnBool webnnTensorIsConstant(WebnnTensor tensor) { return tensor && tensor->tensor.constant() ? 1 : 0; }

size_t webnnTensorGetByteLength(WebnnTensor tensor) {
  std::size_t length = 0;
  guarded(nullptr, [&] { length = byteLength(requireObject(tensor, "byte length: ").tensor.descriptor()); });
  return length;
}

void webnnTensorDestroy(WebnnTensor tensor) {
  guarded(nullptr, [&] { requireObject(tensor, "destroy: ").tensor.destroy(); });
}

void webnnTensorAddRef(WebnnTensor tensor) { addReference(tensor); }
void webnnTensorRelease(WebnnTensor tensor) { releaseReference(tensor); }
