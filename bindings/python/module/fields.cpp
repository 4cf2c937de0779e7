#include "fields.h"

#include <cmath>
#include <limits>

#include "arrays.h"

namespace webnn::python {

namespace {

[[noreturn]] void failType(std::string_view what, std::string_view expected, nb::handle value) {
  fail(ErrorKind::typeError, "{} must be {}, not {}.", what, expected, typeNameOf(value));
}

// Returns the value as a Python int; null if it is a bool or has no __index__.
nb::object integerOf(nb::handle value) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) return {};
  PyObject* const integer = PyNumber_Index(value.ptr());
  if (!integer) PyErr_Clear();
  return nb::steal(integer);
}

std::int64_t integerBetween(nb::handle value, std::int64_t least, std::int64_t most, std::string_view what) {
  const nb::object integer = integerOf(value);
  if (!integer) failType(what, "an integer", value);
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow != 0 || number < least || number > most)
    fail(ErrorKind::typeError, "{} ({}) is not between {} and {}.", what, nb::str(integer).c_str(), least, most);
  return number;
}

double realOf(nb::handle value, std::string_view what) {
  if (PyBool_Check(value.ptr()) || PyUnicode_Check(value.ptr()) || !(PyFloat_Check(value.ptr()) || PyNumber_Check(value.ptr())))
    failType(what, "a number", value);
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred()) {
    const bool isTooLarge = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
    PyErr_Clear();
    if (isTooLarge) fail(ErrorKind::typeError, "{} is beyond the range of a double.", what);
    failType(what, "a number", value);
  }
  return number;
}

}  // namespace

std::string_view utf8Of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data) return {data, static_cast<std::size_t>(size)};
  PyErr_Clear();  // the text has a lone surrogate
  fail(ErrorKind::typeError, "the text is not Unicode.");
}

std::string typeNameOf(nb::handle value) {
  const auto name = [type = value.type()](const char* attribute) { return std::string(utf8Of(nb::str(type.attr(attribute)))); };
  const std::string module = name("__module__");
  return module == "builtins" ? name("__name__") : module + "." + name("__name__");
}

std::string invalid(std::string_view what) {
  const std::size_t colon = what.rfind(": ");
  const std::size_t start = colon == what.npos ? 0 : colon + 2;
  return formatText("{}Invalid {}", what.substr(0, start), what.substr(start));
}

void setField(bool& field, nb::handle value, std::string_view what) {
  if (!PyBool_Check(value.ptr())) {
    const std::string type = typeNameOf(value);
    if (type != "numpy.bool" && type != "numpy.bool_") failType(what, "a bool", value);
  }
  field = PyObject_IsTrue(value.ptr()) == 1;
}

void setField(std::uint32_t& field, nb::handle value, std::string_view what) {
  field = static_cast<std::uint32_t>(integerBetween(value, 0, std::numeric_limits<std::uint32_t>::max(), what));
}

void setField(std::int32_t& field, nb::handle value, std::string_view what) {
  using Limits = std::numeric_limits<std::int32_t>;
  field = static_cast<std::int32_t>(integerBetween(value, Limits::min(), Limits::max(), what));
}

void setField(double& field, nb::handle value, std::string_view what) {
  const double number = realOf(value, what);
  if (!std::isfinite(number)) fail(ErrorKind::typeError, "{} ({}) is not finite.", what, number);
  field = number;
}

void setField(float& field, nb::handle value, std::string_view what) {
  double number = 0;
  setField(number, value, what);
  if (std::abs(number) > std::numeric_limits<float>::max()) fail(ErrorKind::typeError, "{} ({}) is not a float.", what, number);
  field = static_cast<float>(number);
}

void setField(Number& field, nb::handle value, std::string_view what) {
  const nb::object integer = integerOf(value);
  if (!integer) {
    field = realOf(value, what);
    return;
  }
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow == 0) {
    field = number;
    return;
  }
  if (overflow > 0) {
    const unsigned long long large = PyLong_AsUnsignedLongLong(integer.ptr());
    if (!PyErr_Occurred()) {
      field = large;
      return;
    }
    PyErr_Clear();
  }
  field = realOf(integer, what);  // an int beyond 64 bits becomes a float: a later cast clamps it
}

void setField(std::string& field, nb::handle value, std::string_view what) {
  if (!PyUnicode_Check(value.ptr())) failType(what, "a str", value);
  field = utf8Of(value);
}

void setField(Operand& field, nb::handle value, std::string_view what) {
  if (!nb::isinstance<Operand>(value)) failType(what, "an MLOperand", value);
  field = *nb::inst_ptr<Operand>(value);
}

void setField(DataType& field, nb::handle value, std::string_view what) { field = dataTypeOf(value, what); }

void setField(Splits& field, nb::handle value, std::string_view what) {
  if (integerOf(value)) {
    std::uint32_t count = 0;
    setField(count, value, what);
    field = count;
  } else {
    std::vector<std::uint32_t> sizes;
    setField(sizes, value, what);
    field = std::move(sizes);
  }
}

std::vector<nb::object> itemsOf(nb::handle sequence, std::string_view what) {
  if (PyUnicode_Check(sequence.ptr()) || PyBytes_Check(sequence.ptr()) || !PySequence_Check(sequence.ptr()))
    failType(what, "a sequence", sequence);
  const nb::object list = nb::steal(PySequence_List(sequence.ptr()));
  if (!list) {
    PyErr_Clear();
    failType(what, "a sequence", sequence);
  }
  std::vector<nb::object> items;
  for (Py_ssize_t i = 0; i < NB_LIST_GET_SIZE(list.ptr()); ++i) items.push_back(nb::borrow(NB_LIST_GET_ITEM(list.ptr(), i)));
  return items;
}

}  // namespace webnn::python
