// The Python class MLGraphBuilder. Its operations are created from the operation table.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "builder/builder_state.h"
#include "describe/ops_python.h"
#include "fields.h"
#include "objects.h"
#include "ops/checks.h"
#include "ops/operand_record.h"
#include "ops/operation.h"

namespace webnn::python {

namespace {

using describe::FieldKind;

// A method of MLGraphBuilder that appends an operation.
struct BoundMethod {
  Operation prototype;  // the operation with default fields
  describe::Method description;
  std::vector<describe::PythonParameter> parameters;
  const ops::OperationRow& row() const { return *description.row; }
};

// The arguments of one call, indexed by parameter.
class Arguments {
 public:
  Arguments(const BoundMethod& method, nb::handle builder, nb::args positional, nb::kwargs keywords)
      : method_(method), builder_(builder), values_(method.parameters.size()) {
    if (PyObject* const given = PyDict_GetItemString(keywords.ptr(), "label")) {
      if (given != Py_None) setField(label, given, prefix() + "label");
    }
    const auto most = static_cast<std::size_t>(std::ranges::count_if(method.parameters, &describe::PythonParameter::positional));
    if (positional.size() > most)
      fail(ErrorKind::typeError, "{}takes at most {} positional arguments, not {}.", prefix(), most, positional.size());
    for (std::size_t i = 0; i < positional.size(); ++i) values_[i] = positional[i];
    for (const auto [key, value] : keywords) take(utf8Of(key), value);
    makeOperands();
    countAxes();
  }

  // visitFields calls argument() or option() for each field, in order.
  template <typename Field>
  void argument(std::string_view name, Field& field) {
    if (!set(field)) fail(ErrorKind::typeError, "{}the argument {} is missing.", prefix(), describe::snakeCase(name));
  }
  template <typename Field>
  void option(std::string_view, Field& field) {
    set(field);
  }

  std::string label;

 private:
  std::string prefix() const { return ops::messagePrefix(method_.description.name(), label); }

  void take(std::string_view name, nb::handle value) {
    if (name == "label") return;
    auto found = std::ranges::find(method_.parameters, name, &describe::PythonParameter::name);
    // pywebnn, an older package, names the first operand of every method x
    if (found == method_.parameters.end() && name == "x") found = method_.parameters.begin();
    if (found == method_.parameters.end())
      fail(ErrorKind::typeError, "{}there is no argument {}.", prefix(), webnn::quoted(name));
    nb::handle& place = values_[static_cast<std::size_t>(found - method_.parameters.begin())];
    if (place.is_valid()) fail(ErrorKind::typeError, "{}the argument {} is given twice.", prefix(), name);
    place = value;
  }

  // Sets the field at the current index. Returns false if no argument, or None, was given.
  template <typename Field>
  bool set(Field& field) {
    const std::size_t index = field_++;
    bool isSet = false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const describe::PythonParameter& parameter = method_.parameters[i];
      if (parameter.field != index || !values_[i].is_valid() || values_[i].is_none()) continue;
      if (std::exchange(isSet, true)) fail(ErrorKind::typeError, "{}{} is given twice.", prefix(), parameter.name);
      if (method_.description.fields[index].mayBeOpen) makeSizes(i);
      setField(field, values_[i], prefix() + parameter.name);
      if constexpr (std::is_same_v<Field, OptionalSizes>) {
        if (parameter.beginningsFirst && field->size() == 4) std::swap((*field)[1], (*field)[2]);
      }
    }
    return isSet;
  }

  bool isGiven(std::size_t i) const { return values_[i].is_valid() && !values_[i].is_none(); }
  bool isOperand(std::size_t i) const {
    const FieldKind kind = method_.description.fields[method_.parameters[i].field].kind;
    return kind == FieldKind::operand || kind == FieldKind::operands;
  }
  void keep(std::size_t i, nb::object value) {
    kept_.push_back(value);
    values_[i] = value;
  }

  // In argument i, which holds sizes, replaces each expression over open dimensions, such as "past + 1", by its handle. See
  // GraphBuilder::openSize().
  void makeSizes(std::size_t i) {
    const nb::handle given = values_[i];
    if (PyUnicode_Check(given.ptr())) {
      const FieldKind kind = method_.description.fields[method_.parameters[i].field].kind;
      if (kind == FieldKind::unsignedInteger) keep(i, sizeOf(given, i));
    } else if (PyList_Check(given.ptr()) || PyTuple_Check(given.ptr())) {
      nb::list sizes;
      for (const nb::handle item : given) sizes.append(PyUnicode_Check(item.ptr()) ? sizeOf(item, i) : nb::borrow(item));
      keep(i, sizes);
    }
  }

  nb::object sizeOf(nb::handle text, std::size_t i) {
    try {
      return nb::int_((**nb::inst_ptr<PyBuilder>(builder_)).openSize(utf8Of(text)));
    } catch (const Error& error) {
      throw Error(error.kind(), prefix() + method_.parameters[i].name + ": " + error.what());
    }
  }

  // Replaces numbers and arrays given as operands by constants.
  void makeOperands() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!isGiven(i) || !isOperand(i) || nb::isinstance<Operand>(values_[i])) continue;
      const std::string what = prefix() + method_.parameters[i].name;
      if (method_.description.fields[method_.parameters[i].field].kind == FieldKind::operand) {
        keep(i, constantOf(values_[i], i, what));
        continue;
      }
      std::vector<nb::object> items = itemsOf(values_[i], what);
      const auto first = std::ranges::find_if(items, [](const nb::object& item) { return nb::isinstance<Operand>(item); });
      nb::list operands;
      for (const nb::object& item : items) {
        if (nb::isinstance<Operand>(item)) {
          operands.append(item);
        } else {
          operands.append(constantOf(item, i, what, first == items.end() ? nb::handle() : nb::handle(*first)));
        }
      }
      keep(i, operands);
    }
  }

  nb::object constantOf(nb::handle value, std::size_t i, const std::string& what, nb::handle like = {}) {
    const ops::OperandRule* const rule = method_.row().find(method_.description.fields[method_.parameters[i].field].name);
    if (!like.is_valid() && rule) like = operandOfType(rule->sameTypeAs.empty() ? rule->name : rule->sameTypeAs);
    nb::list types;
    if (like.is_valid()) {
      types.append(textOf(name(nb::inst_ptr<Operand>(like)->dataType())));
    } else if (rule) {
      for (const std::string_view type : describe::dataTypeNames(typesOf(*rule))) types.append(textOf(type));
    }
    return fromPackage("webnn._builder", "operand_of")(builder_, value, types, textOf(what));
  }

  ops::DataTypeSet typesOf(const ops::OperandRule& rule) const {
    const ops::OperandRule* const other = rule.sameTypeAs.empty() ? nullptr : method_.row().find(rule.sameTypeAs);
    return other ? typesOf(*other) : rule.types;
  }

  // Returns an operand given for `name`, or for a parameter that must have the same type.
  nb::handle operandOfType(std::string_view name) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!isGiven(i) || !nb::isinstance<Operand>(values_[i])) continue;
      const ops::OperandRule* const rule = method_.row().find(method_.description.fields[method_.parameters[i].field].name);
      if (rule && (rule->name == name || rule->sameTypeAs == name)) return values_[i];
    }
    return {};
  }

  // Replaces negative axes, which count from the end, by the equivalent non-negative ones.
  void countAxes() {
    if (!isGiven(0)) return;
    for (std::size_t i = 1; i < values_.size(); ++i) {
      const std::string& parameter = method_.parameters[i].name;
      if (!isGiven(i) || (parameter != "axis" && parameter != "axes")) continue;
      nb::handle first = values_[0];
      if (PyList_Check(first.ptr()) && NB_LIST_GET_SIZE(first.ptr()) > 0) first = NB_LIST_GET_ITEM(first.ptr(), 0);
      if (!nb::isinstance<Operand>(first)) continue;
      const auto rank = static_cast<long long>(nb::inst_ptr<Operand>(first)->rank());
      const bool mayCount = nb::inst_ptr<PyBuilder>(builder_)->countsAxesFromEnd;
      keep(i, fromPackage("webnn._builder", "counted_axes")(values_[i], rank, mayCount, textOf(prefix() + parameter)));
    }
  }

  const BoundMethod& method_;
  nb::handle builder_;
  std::vector<nb::handle> values_;
  std::vector<nb::object> kept_;  // owns some of `values_`
  std::size_t field_ = 0;
};

nb::object call(const BoundMethod& method, nb::handle self, nb::args positional, nb::kwargs keywords) {
  PyBuilder& builder = *nb::inst_ptr<PyBuilder>(self);
  Operation operation = method.prototype;
  Arguments arguments(method, self, std::move(positional), std::move(keywords));
  visitFields(operation, arguments);
  std::visit([&](auto& op) { op.options.label = arguments.label; }, operation);
  std::vector<Operand> results = (*builder).append(std::move(operation));
  if (!method.description.returnsList) return nb::cast(std::move(results[0]));
  nb::list list;
  for (Operand& result : results) list.append(nb::cast(std::move(result)));
  return list;
}

// Returns all methods. They are never destroyed, because the Python class uses them until Python ends.
const std::vector<BoundMethod>& boundMethods() {
  static const auto* const methods = [] {
    auto* const made = new std::vector<BoundMethod>;
    for (const Operation& operation : allOperations()) {
      describe::Method description = describe::methodOf(operation);
      std::vector<describe::PythonParameter> parameters = describe::pythonParameters(description);
      made->push_back({operation, std::move(description), std::move(parameters)});
    }
    return made;
  }();
  return *methods;
}

nb::object build(PyBuilder& self, nb::handle outputs, nb::handle timeout, nb::handle cancellation, nb::handle progress) {
  const CallOptions options = callOptionsOf(timeout, cancellation, "build", progress);
  std::vector<NamedOperand> named = namedOperands(outputs, "build");
  GraphBuilder& builder = *self;
  self.isBuilding = true;
  const auto finally = [](bool* flag) { *flag = false; };
  const std::unique_ptr<bool, decltype(finally)> guard(&self.isBuilding, finally);
  Graph graph = withoutGil([&] { return builder.build(std::move(named), options); });
  releaseWaiting();
  return nb::cast(PyGraph(std::move(graph)));
}

// Adds an input with open dimensions. `shape` has numbers, expressions, and (name, smallest size, largest size).
Operand openInput(PyBuilder& self, nb::handle givenName, nb::handle shape, nb::handle dataType) {
  std::string name;
  setField(name, givenName, "input: name");
  OpenDescriptor descriptor{dataTypeOf(dataType, "input"), {}};
  for (const nb::object& item : itemsOf(shape, "input: shape")) {
    if (PyUnicode_Check(item.ptr())) {
      descriptor.shape.emplace_back(std::string(utf8Of(item)));
    } else if (PyTuple_Check(item.ptr())) {
      Dimension& dimension = descriptor.shape.emplace_back(0);
      setField(dimension.text, item[0], "input: shape: the name of a dimension");
      setField(dimension.min, item[1], "input: shape: min_size");
      setField(dimension.max, item[2], "input: shape: max_size");
    } else {
      std::uint32_t size = 0;
      setField(size, item, "input: shape");
      descriptor.shape.emplace_back(size);
    }
  }
  return (*self).openInput(std::move(name), std::move(descriptor));
}

OperandDescriptor descriptorOf(nb::handle dataType, nb::handle shape, std::string_view what) {
  return {dataTypeOf(dataType, what), shapeOf(shape, std::string(what) + ": shape")};
}

std::uintptr_t idOf(const BuilderToken& token) { return reinterpret_cast<std::uintptr_t>(&token); }

std::string kindOf(const Operand& operand) {
  switch (operand.record().kind) {
    case OperandKind::input: return "input";
    case OperandKind::constant: return "constant";
    case OperandKind::intermediate: break;
  }
  return "result";
}

void registerOperand(nb::module_& module) {
  nb::class_<Operand>(
      module, "MLOperand",
      R"(An input, a constant or a result of a graph that is being built. Has the operators + - * / @ ** and < <= > >= (which
give 0 and 1), with another operand, a number or an array; also -x, abs(x), and x[...] for slices, as in NumPy. == tells
whether two operands are the same. Keep the builder while you use operators. `shape` is a list; an open dimension is a str, its
name or expression.

>>> builder = webnn.MLGraphBuilder(webnn.ML().create_context())
>>> x = builder.input("x", [2, 3])
>>> (2 * x - 1)[..., :2]
<MLOperand result float32[2, 2]>
>>> builder.concat([builder.input("past", ["past", 64]), builder.input("new", [1, 64])], 0).shape
['past + 1', 64]
)")
      .def_prop_ro("data_type", [](const Operand& self) { return textOf(name(self.dataType())); })
      .def_prop_ro("shape",
                   [](const Operand& self) {
                     nb::list list;
                     for (const Dimension& dimension : self.dimensions())
                       list.append(dimension.text.empty() ? nb::object(nb::int_(dimension.size)) : textOf(dimension.text));
                     return list;
                   })
      .def_prop_ro("rank", &Operand::rank)
      .def_prop_ro("kind", [](const Operand& self) { return kindOf(self); })
      .def_prop_ro("name",
                   [](const Operand& self) -> nb::object {
                     if (self.record().name.empty()) return nb::none();
                     return textOf(self.record().name);
                   })
      .def("__eq__", [](const Operand& self,
                        nb::handle other) { return nb::isinstance<Operand>(other) && self == *nb::inst_ptr<Operand>(other); })
      .def_prop_ro("_builder_token", [](const Operand& self) { return idOf(*self.record().builder); })
      .def("__hash__", [](const Operand& self) { return std::hash<const void*>()(&self.record()); })
      .def("__repr__", [](const Operand& self) {
        const std::string& name = self.record().name;
        return "<MLOperand " + kindOf(self) + (name.empty() ? "" : " " + webnn::quoted(name)) + " " +
               std::string(webnn::name(self.dataType())) + toString(self.dimensions()) + ">";
      });
}

}  // namespace

std::vector<NamedOperand> namedOperands(nb::handle outputs, const std::string& method) {
  if (!PyDict_Check(outputs.ptr())) {
    fail(ErrorKind::typeError, "{}: outputs must be a dict of names and operands, {{\"y\": y}}, not {}.", method,
         typeNameOf(outputs));
  }
  std::vector<NamedOperand> named;
  for (const auto [key, value] : nb::borrow<nb::dict>(outputs)) {
    NamedOperand& item = named.emplace_back();
    setField(item.first, key, method + ": the name of an output");
    setField(item.second, value, method + ": output " + webnn::quoted(item.first));
  }
  return named;
}

GraphBuilder& PyBuilder::operator*() {
  if (isBuilding) fail(ErrorKind::invalidStateError, "the builder is building its graph.");
  return *builder.value;
}

void registerBuilder(nb::module_& module) {
  registerOperand(module);
  nb::class_<PyBuilder> builder(module, "MLGraphBuilder");
  builder
      .def(
          "__init__",
          [](PyBuilder* self, nb::handle given, nb::handle negativeAxes) {
            PyContext& context = stateOf<PyContext>(given, "MLGraphBuilder: context", "an MLContext");
            bool countsAxesFromEnd = false;
            setField(countsAxesFromEnd, negativeAxes, "MLGraphBuilder: negative_axes");
            new (self) PyBuilder{Released(std::make_unique<GraphBuilder>(*context)), countsAxesFromEnd};
          },
          anything(), anything())
      .def_prop_ro("_token", [](PyBuilder& self) { return idOf(*(*self).state().token); })
      .def(
          "_input",
          [](PyBuilder& self, nb::handle given, nb::handle shape, nb::handle dataType) {
            std::string name;
            setField(name, given, "input: name");
            return (*self).input(std::move(name), descriptorOf(dataType, shape, "input"));
          },
          anything(), anything(), anything())
      .def("_open_input", &openInput, anything(), anything(), anything())
      .def(
          "_constant",
          [](PyBuilder& self, nb::handle value, nb::handle shape, nb::handle dataType) {
            OperandDescriptor descriptor = descriptorOf(dataType, shape, "constant");
            byteLength(descriptor);  // checks the size before converting anything
            HeldBuffer bytes = packedBytes(value, descriptor, "constant");
            return (*self).constant(std::move(descriptor), keptAlive(std::move(bytes)));
          },
          anything(), anything(), anything())
      .def(
          "_scalar",
          [](PyBuilder& self, nb::handle dataType, nb::handle value) {
            Number number;
            setField(number, value, "constant: the value");
            return (*self).constant(dataTypeOf(dataType, "constant"), number);
          },
          anything(), anything())
      .def("_constant_tensor", [](PyBuilder& self, PyTensor& tensor) { return (*self).constant(*tensor); })
      .def(
          "_set_name",
          [](PyBuilder& self, nb::handle givenOperand, nb::handle givenName) {
            Operand operand;
            std::string name;
            setField(operand, givenOperand, "set_name: operand");
            setField(name, givenName, "set_name: name");
            (*self).setName(operand, std::move(name));
          },
          anything(), anything())
      .def(
          "_set_graph_name",
          [](PyBuilder& self, nb::handle given) {
            std::string name;
            setField(name, given, "set_graph_name: name");
            (*self).setGraphName(std::move(name));
          },
          anything())
      .def("_build", &build, anything(), anything(), anything(), anything());
  for (const BoundMethod& method : boundMethods()) {
    const std::string name = describe::snakeCase(method.description.name());
    const std::string signature = "def " + describe::pythonSignature(method.description);
    const std::string documentation = describe::pythonDocstring(method.description);
    builder.def(
        name.c_str(),
        [&method](nb::handle_t<PyBuilder> self, nb::args positional, nb::kwargs keywords) {
          return call(method, self, std::move(positional), std::move(keywords));
        },
        nb::sig(signature.c_str()), documentation.c_str());
  }
}

}  // namespace webnn::python
