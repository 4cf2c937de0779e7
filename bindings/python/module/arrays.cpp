#include "arrays.h"

#include <nanobind/ndarray.h>

#include <cstring>
#include <mutex>
#include <vector>

#include "base/text.h"
#include "fields.h"
#include "gil.h"
#include "webnn/enums.h"

namespace webnn::python {

namespace {

// Objects of NumPy, kept until the process ends.
struct Numpy {
  PyObject *array, *empty;
  PyObject* dtypes[kDataTypeCount];
};

const Numpy& numpy() {
  static const Numpy result = [] {
    const nb::module_ module = nb::module_::import_("numpy");
    Numpy made{nb::object(module.attr("ndarray")).release().ptr(), nb::object(module.attr("empty")).release().ptr(), {}};
    for (std::size_t i = 0; i < kDataTypeCount; ++i) {
      const auto type = static_cast<DataType>(i);
      const std::string_view dtype = bitsPerElement(type) < 8 ? "uint8" : name(type);
      made.dtypes[i] = nb::object(module.attr("dtype")(textOf(dtype))).release().ptr();
    }
    return made;
  }();
  return result;
}

bool isPacked4Bit(DataType type) { return bitsPerElement(type) < 8; }

// Returns whether the buffer's elements have this type, in native, little-endian format.
bool hasFormat(const Py_buffer& view, DataType type) {
  std::string_view format = view.format ? view.format : "B";
  if (!format.empty() && std::string_view("@=<").find(format[0]) != std::string_view::npos) format.remove_prefix(1);
  if (format.size() != 1) return false;
  if (isPacked4Bit(type)) return format == "B";
  if (static_cast<std::size_t>(view.itemsize) * 8 != bitsPerElement(type)) return false;
  std::string_view formats = "BHILQN?";
  if (isFloat(type)) formats = "fe";
  if (type == DataType::int8 || type == DataType::int32 || type == DataType::int64) formats = "bhilqn";
  return formats.find(format[0]) != std::string_view::npos;
}

// Buffers that were released by threads without the GIL, and now wait for a thread with the GIL. Never destroyed, because threads
// may outlive main(). A forked child replaces the object, because another thread of the parent may have held the mutex.
struct Waiting {
  std::mutex mutex;
  std::vector<Py_buffer*> buffers;
  bool isClosed = false;  // Python has ended
};
Waiting*& waitingHere() {
  static auto* result = new Waiting;
  return result;
}
Waiting& waiting() { return *waitingHere(); }

int releasePending(void*) {
  releaseWaiting();
  return 0;
}

void letGo(Py_buffer* buffer) {
  {
    const std::lock_guard lock(waiting().mutex);
    if (waiting().isClosed) return;  // the process is ending and frees the memory
    if (!holdsGil()) {
      waiting().buffers.push_back(buffer);
      Py_AddPendingCall(releasePending, nullptr);  // if this call fails, a later one releases this buffer too
      return;
    }
  }
  PyBuffer_Release(buffer);
  delete buffer;
}

void closeWaiting() {
  const std::lock_guard lock(waiting().mutex);
  waiting().isClosed = true;
}

}  // namespace

HeldBuffer::HeldBuffer(nb::handle object, int flags) {
  // Refuses masked arrays, because their memory also has values at masked elements.
  if (object.type().ptr() != numpy().array && typeNameOf(object).ends_with(".MaskedArray")) return;
  if (PyObject_GetBuffer(object.ptr(), &view_, flags) == 0) return;
  PyErr_Clear();
  view_ = {};
}

HeldBuffer::~HeldBuffer() {
  if (view_.obj) PyBuffer_Release(&view_);
}

bool matches(const HeldBuffer& buffer, const OperandDescriptor& descriptor) {
  const Py_buffer& view = buffer.view();
  if (!hasFormat(view, descriptor.dataType)) return false;
  if (isPacked4Bit(descriptor.dataType)) {
    if (view.ndim != 1 || static_cast<std::size_t>(view.shape[0]) != byteLength(descriptor)) return false;
  } else {
    if (static_cast<std::size_t>(view.ndim) != descriptor.shape.size()) return false;
    for (std::size_t i = 0; i < descriptor.shape.size(); ++i) {
      if (view.shape[i] != static_cast<Py_ssize_t>(descriptor.shape[i])) return false;
    }
  }
  return PyBuffer_IsContiguous(&view, 'C') != 0;
}

HeldBuffer packedBytes(nb::handle array, const OperandDescriptor& descriptor, std::string_view what) {
  if (PyObject_CheckBuffer(array.ptr())) {
    HeldBuffer buffer(array, PyBUF_STRIDES | PyBUF_FORMAT);
    if (buffer && matches(buffer, descriptor)) return buffer;
  }
  const nb::object converted =
      fromPackage("webnn._arrays", "packed")(array, textOf(name(descriptor.dataType)), tupleOf(descriptor.shape), textOf(what));
  HeldBuffer buffer(converted, PyBUF_STRIDES | PyBUF_FORMAT);
  if (!buffer || !matches(buffer, descriptor))
    fail(ErrorKind::typeError, "{}: the array is not of {}.", what, toString(descriptor));
  return buffer;
}

ExternalBytes keptAlive(HeldBuffer buffer) {
  static const bool once = Py_AtExit(closeWaiting) == 0;
  (void)once;
  const std::span<std::byte> bytes = buffer.bytes();
  // A Py_buffer may contain pointers to itself. Moving it is safe only for NumPy and memoryview.
  auto* const held = new Py_buffer(std::exchange(buffer.view_, {}));
  return {bytes, std::shared_ptr<const void>(held, [](Py_buffer* view) { letGo(view); })};
}

void releaseWaiting() {
  std::vector<Py_buffer*> buffers;
  {
    const std::lock_guard lock(waiting().mutex);
    buffers.swap(waiting().buffers);
  }
  for (Py_buffer* buffer : buffers) {
    PyBuffer_Release(buffer);
    delete buffer;
  }
}

void forgetWaiting() { waitingHere() = new Waiting; }

ArrayMaker::ArrayMaker(const OperandDescriptor& descriptor)
    : shape(isPacked4Bit(descriptor.dataType) ? nb::make_tuple(byteLength(descriptor)) : tupleOf(descriptor.shape)),
      dtype(nb::borrow(numpy().dtypes[static_cast<std::size_t>(descriptor.dataType)])) {}

nb::object ArrayMaker::empty() const {
  PyObject* const arguments[] = {shape.ptr(), dtype.ptr()};
  PyObject* const array = PyObject_Vectorcall(numpy().empty, arguments, 2, nullptr);
  if (!array) nb::raise_python_error();
  return nb::steal(array);
}

nb::object emptyArray(const OperandDescriptor& descriptor) { return ArrayMaker(descriptor).empty(); }

nb::object arrayOf(const OperandDescriptor& descriptor, UnsetVector<std::byte> bytes) {
  using Bytes = UnsetVector<std::byte>;
  auto kept = std::make_unique<Bytes>(std::move(bytes));
  const nb::capsule owner(kept.get(), [](void* pointer) noexcept { delete static_cast<Bytes*>(pointer); });
  Bytes* const own = kept.release();
  const std::vector<std::size_t> shape(descriptor.shape.begin(), descriptor.shape.end());
  const std::string_view type = name(descriptor.dataType);
  const auto code = type.starts_with("float") ? nb::dlpack::dtype_code::Float
                    : type.starts_with("int") ? nb::dlpack::dtype_code::Int
                                              : nb::dlpack::dtype_code::UInt;
  const nb::dlpack::dtype dtype{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bitsPerElement(descriptor.dataType)), 1};
  return nb::cast(nb::ndarray<nb::numpy>(own->data(), shape.size(), shape.data(), owner, nullptr, dtype));
}

DataType dataTypeOf(nb::handle value, std::string_view what) {
  nb::object text = nb::borrow(value);
  if (!PyUnicode_Check(value.ptr())) text = fromPackage("webnn._arrays", "data_type_name")(value, textOf(what));
  if (const auto type = dataTypeFromName(utf8Of(text))) return *type;
  fail(ErrorKind::typeError, "{}: Unsupported data type: {}.", what, webnn::quoted(utf8Of(text)));
}

Shape shapeOf(nb::handle value, std::string_view what) {
  Shape shape;
  setField(shape, value, what);
  return shape;
}

nb::tuple tupleOf(const Shape& shape) {
  nb::list list;
  for (const std::uint32_t size : shape) list.append(size);
  return nb::tuple(list);
}

nb::str textOf(std::string_view text) { return nb::str(text.data(), text.size()); }

nb::object fromPackage(const char* module, const char* name) { return nb::module_::import_(module).attr(name); }

}  // namespace webnn::python
