#include "describe/ops_rust.h"

#include <algorithm>
#include <set>

#include "base/snake_case.h"
#include "base/text.h"
#include "describe/field_texts.h"
#include "describe/rust_examples.h"
#include "formats/document/json_fields.h"
#include "webnn/enums.h"

namespace webnn::describe {

namespace {

constexpr std::string_view kStart =
    R"(// Printed by `webnn ops --format=rust` from the operation table.
use std::ptr::null_mut;

use webnn_sys as sys;

use crate::raw;
use crate::{GraphBuilder, Number, Operand, Result, Splits, ffi};

)";

// The lines that begin and end an example in the documentation of a method.
constexpr std::string_view kExampleStart = R"(    ///
    /// ```
    /// # use webnn::*;
    /// # fn main() -> Result<()> {
    /// # let context = Context::new()?;
    /// let builder = GraphBuilder::new(&context)?;
)";
constexpr std::string_view kExampleEnd = R"(    /// # Ok(())
    /// # }
    /// ```
    #[inline]
)";

std::string rustName(std::string_view name) { return name == "where" ? "where_" : snakeCase(name); }

// Converts "MLConv2dOptions" to "Conv2dOptions" and "MLOperandDataType" to "DataType".
std::string rustType(std::string_view type) { return type == "MLOperandDataType" ? "DataType" : std::string(type.substr(2)); }

// Returns the name of a method's variant that takes options.
std::string withOptions(const std::string& name) { return name + (name.ends_with("_") ? "with" : "_with"); }

std::string cType(std::string_view type) { return "sys::Webnn" + std::string(type.substr(2)); }

// Converts "nearest-neighbor" to "NearestNeighbor".
std::string variantName(std::string_view name) {
  std::string text;
  bool isStart = true;
  for (const char c : name) {
    if (c != '-') text += isStart && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    isStart = c == '-';
  }
  return text;
}

std::string argumentType(const Field& field) {
  switch (field.kind) {
    case FieldKind::operand: return "Operand<'_>";
    case FieldKind::operands: return "&[Operand<'_>]";
    case FieldKind::boolean: return "bool";
    case FieldKind::unsignedInteger: return "u32";
    case FieldKind::integer: return "i32";
    case FieldKind::real: return "f64";
    case FieldKind::number: return "impl Into<Number>";
    case FieldKind::sizes: return "&[u32]";
    case FieldKind::reals: return "&[f32]";
    case FieldKind::splits: return "impl Into<Splits<'s>>";
    case FieldKind::enumeration: return rustType(field.enumType);
    case FieldKind::enumerations: return "&[" + rustType(field.enumType) + "]";
  }
  return "";
}

bool isAbsentByDefault(const Field& field) { return field.kind == FieldKind::number && field.defaultValue.isNull(); }

// Returns the type of an option's setter parameter.
std::string setterType(const Field& field) {
  switch (field.kind) {
    case FieldKind::operand: return "Operand<'a>";
    case FieldKind::sizes: return "&'a [u32]";
    case FieldKind::reals: return "&'a [f32]";
    case FieldKind::enumerations: return "&'a [" + rustType(field.enumType) + "]";
    default: return argumentType(field);
  }
}

// Returns whether an option's field is an Option, because the option has no default value.
bool isOptional(const Field& field) {
  return field.kind == FieldKind::operand || field.kind == FieldKind::sizes || field.kind == FieldKind::reals ||
         field.kind == FieldKind::enumerations || isAbsentByDefault(field);
}

std::string fieldType(const Field& field) {
  const std::string type = field.kind == FieldKind::number ? "Number" : setterType(field);
  return isOptional(field) ? "Option<" + type + ">" : type;
}

std::string defaultText(const Field& field) {
  if (isOptional(field)) return "None";
  switch (field.kind) {
    case FieldKind::boolean: return field.defaultValue.asBoolean() ? "true" : "false";
    case FieldKind::number:
      return formatText("Number::Double({})", formats::Json(formats::numberOf(field.defaultValue)->toDouble()).dump());
    case FieldKind::enumeration: return rustType(field.enumType) + "::" + variantName(field.defaultValue.asText());
    default: return field.defaultValue.dump();
  }
}

// Returns an expression that converts `value`, an option of this field's type, to the type in the C API.
std::string rawText(const Field& field, const std::string& value) {
  switch (field.kind) {
    case FieldKind::operand: return formatText("raw::operand({})", value);
    case FieldKind::boolean: return formatText("u32::from({})", value);
    case FieldKind::number:
      return isAbsentByDefault(field) ? formatText("raw::number({})", value) : formatText("{}.raw()", value);
    case FieldKind::sizes: return formatText("raw::sizes({})", value);
    case FieldKind::reals: return formatText("raw::reals({})", value);
    case FieldKind::enumeration: return formatText("{}.raw()", value);
    case FieldKind::enumerations: return formatText("{}::raw_list({})", rustType(field.enumType), value);
    default: return value;
  }
}

void printEnum(std::string& text, std::string_view enumType, std::span<const std::string_view> names, bool isList) {
  const std::string type = rustType(enumType);
  const std::string first = variantName(names[0]);
  text += formatText(
      "/// The specification's [`{}`](https://www.w3.org/TR/webnn/#enumdef-{}).\n///\n/// ```\n/// use webnn::{};\n"
      "/// assert_eq!({}::{}.name(), \"{}\");\n/// assert_eq!({}::from_name(\"{}\"), Some({}::{}));\n/// ```\n",
      enumType, lowerCase(enumType), type, type, first, names[0], type, names[0], type, first);
  text += formatText("#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[repr(u32)]\npub enum {} {{\n", type);
  for (std::size_t i = 0; i < names.size(); ++i)
    text += formatText("    /// `{}`\n    {} = {},\n", names[i], variantName(names[i]), i + 1);
  text += formatText(
      "}}\n\nimpl {} {{\n    /// All values, in the specification's order.\n    pub const ALL: &'static [{}] = &[\n", type, type);
  for (std::size_t i = 0; i < names.size(); ++i) text += formatText("{}{}::{}", i == 0 ? "" : ", ", type, variantName(names[i]));
  text +=
      "];\n\n    /// Returns the specification's name of the value.\n    pub const fn name(self) -> &'static str {\n        "
      "match self {\n";
  for (const std::string_view name : names) text += formatText("            {}::{} => \"{}\",\n", type, variantName(name), name);
  text += formatText(
      "        }}\n    }}\n\n    /// Returns the value with this name of the specification.\n"
      "    pub fn from_name(name: &str) -> Option<{}> {{\n"
      "        {}::ALL.iter().copied().find(|value| value.name() == name)\n    }}\n",
      type, type);
  if (!isList) {
    text += formatText("\n    #[inline]\n    pub(crate) fn raw(self) -> {} {{\n        {}(self as u32)\n    }}\n",
                       cType(enumType), cType(enumType));
  } else {
    const std::string list = cType(enumType) + "List";
    text += formatText(
        "\n    #[inline]\n    pub(crate) fn raw_list(values: Option<&[{}]>) -> {} {{\n        match values {{\n"
        "            Some(values) => {} {{ count: values.len(), items: values.as_ptr().cast() }},\n"
        "            None => {}::default(),\n        }}\n    }}\n",
        type, list, list, list);
  }
  text += "}\n\n";
}

void printEnums(std::string& text, std::span<const Method> methods) {
  std::set<std::string> printed{"MLOperandDataType"}, lists;
  for (const Method& method : methods) {
    for (const Field& field : method.fields) {
      if (field.kind == FieldKind::enumerations) lists.insert(field.enumType);
    }
  }
  printEnum(text, "MLOperandDataType", enumNames<DataType>(), false);
  for (const Method& method : methods) {
    for (const Field& field : method.fields) {
      if (!field.enumType.empty() && printed.insert(field.enumType).second)
        printEnum(text, field.enumType, field.enumNames, lists.contains(field.enumType));
    }
  }
}

void printSetter(std::string& text, const Method& method, const Field& field) {
  const std::string name = rustName(field.name);
  const std::string value = field.kind == FieldKind::number ? name + ".into()" : name;
  text += formatText("\n    /// {}", fieldSentence(method, field));
  if (!isOptional(field)) text += formatText(" Default: `{}`.", defaultText(field));
  text += "\n    #[inline]\n    #[must_use]\n";
  text += formatText("    pub fn {}(mut self, {}: {}) -> Self {{\n        self.{} = {};\n        self\n    }}\n", name, name,
                     setterType(field), name, isOptional(field) ? "Some(" + value + ")" : value);
}

void printOptions(std::string& text, const Method& method) {
  const std::string type = rustType(method.optionsType), raw = cType(method.optionsType);
  std::vector<Field> options;
  for (const Field& field : method.fields) {
    if (!field.argument) options.push_back(field);
  }
  text += formatText(
      "/// The specification's [`{}`](https://www.w3.org/TR/webnn/#dictdef-{}).\n///\n/// ```\n"
      "/// let options = webnn::{}::default().label(\"name\");\n",
      method.optionsType, lowerCase(method.optionsType), type);
  text += "/// assert_eq!(options.label, \"name\");\n/// ```\n#[derive(Clone, Copy, Debug)]\n#[non_exhaustive]\n";
  text += formatText("pub struct {}<'a> {{\n", type);
  for (const Field& field : options)
    text += formatText("    /// {} `{}` of the specification.\n    pub {}: {},\n", fieldSentence(method, field), field.name,
                       rustName(field.name), fieldType(field));
  text += "    /// Named in error messages.\n    pub label: &'a str,\n}\n\n";
  text += formatText("impl Default for {}<'_> {{\n    #[inline]\n    fn default() -> Self {{\n        {} {{\n", type, type);
  for (const Field& field : options) text += formatText("            {}: {},\n", rustName(field.name), defaultText(field));
  text += formatText("            label: \"\",\n        }}\n    }}\n}}\n\nimpl<'a> {}<'a> {{\n", type);
  text +=
      "    /// Sets the label, which error messages name.\n    #[inline]\n    #[must_use]\n"
      "    pub fn label(mut self, label: &'a str) -> Self {\n        self.label = label;\n        self\n    }\n";
  for (const Field& field : options) printSetter(text, method, field);
  text +=
      formatText("\n    #[inline]\n    fn raw(&self) -> {} {{\n        {} {{\n            nextInChain: null_mut(),\n", raw, raw);
  for (const Field& field : options)
    text += formatText("            {}: {},\n", field.name, rawText(field, "self." + rustName(field.name)));
  text += "            label: raw::text(self.label),\n        }\n    }\n}\n\n";
}

// Returns the parameters of a method except the options, each after a comma.
std::string parameters(const Method& method) {
  std::string text;
  for (const Field& field : method.fields) {
    if (field.argument) text += formatText(", {}: {}", rustName(field.name), argumentType(field));
  }
  return text;
}

std::string callArgument(const Field& field) {
  const std::string name = rustName(field.name);
  switch (field.kind) {
    case FieldKind::number:
    case FieldKind::splits: return name + ".into().raw()";
    case FieldKind::enumeration: return name + ".raw()";
    default: return name;
  }
}

std::string documentation(const Method& method) {
  std::string summary(method.row->summary);
  for (const std::string_view special : {"[", "]", "|", "<", ">", "*"}) {
    if (summary.find(special) != std::string::npos) {
      summary = "`" + summary + "`";
      break;
    }
  }
  return formatText("    /// {}. <{}>\n", summary, specificationUrl(method));
}

void printExample(std::string& text, const Method& method, bool hasOptions) {
  const std::string name = rustName(method.name());
  const RustExample* const example = rustExample(snakeCase(method.name()));
  if (!example) return;
  const std::string result = method.returnsList ? "results[0]" : "result";
  text += kExampleStart;
  text += formatText("    /// let {} = builder.{}(\n    ///     {},\n", method.returnsList ? "results" : "result",
                     hasOptions ? withOptions(name) : name, example->arguments);
  if (hasOptions)
    text += formatText("    ///     {}::default().label(\"name\"){},\n", rustType(method.optionsType), example->options);
  text += "    /// )?;\n";
  text += formatText("    /// assert_eq!({}.data_type(), {});\n", result, example->dataType);
  if (hasOptions || example->options.empty()) text += formatText("    /// assert_eq!({}.shape(), {});\n", result, example->shape);
  text += kExampleEnd;
}

void printMethod(std::string& text, const Method& method) {
  const std::string name = rustName(method.name()), type = rustType(method.optionsType);
  const std::string result = method.returnsList ? "Vec<Operand<'_>>" : "Operand<'_>";
  const std::string lifetime =
      std::ranges::any_of(method.fields, [](const Field& field) { return field.kind == FieldKind::splits; }) ? "<'s>" : "";
  std::string plain, raw;
  std::size_t count = 3;  // builder, options, result
  for (const Field& field : method.fields) {
    if (!field.argument) continue;
    plain += rustName(field.name) + ", ";
    raw += callArgument(field) + ", ";
    ++count;
  }
  text += documentation(method);
  printExample(text, method, false);
  text += formatText("    pub fn {}{}(&self{}) -> Result<{}> {{\n        self.{}({}{}::default())\n    }}\n\n", name, lifetime,
                     parameters(method), result, withOptions(name), plain, type);
  text += formatText("    /// Works like [`GraphBuilder::{}`], with options.\n", name);
  printExample(text, method, true);
  text += formatText("    pub fn {}{}(&self{}, options: {}<'_>) -> Result<{}> {{\n        let options = options.raw();\n",
                     withOptions(name), lifetime, parameters(method), type, result);
  std::string function = "webnnGraphBuilder" + variantName(method.name());
  text += formatText("        self.append{}(|result| ffi::call{}(sys::{}, self.handle(), {}&options, result))\n    }}\n\n",
                     method.returnsList ? "_list" : "", count, function, raw);
}

// Returns the method of `Entry` (in the tests) that reads a field's value.
std::string getter(const Field& field) {
  switch (field.kind) {
    case FieldKind::operand: return "operand()";
    case FieldKind::operands: return "operands()";
    case FieldKind::boolean: return "boolean()";
    case FieldKind::unsignedInteger: return "unsigned()";
    case FieldKind::integer: return "integer()";
    case FieldKind::real: return "real()";
    case FieldKind::number: return "number()";
    case FieldKind::sizes: return "sizes()";
    case FieldKind::reals: return "reals()";
    case FieldKind::splits: return "splits()";
    case FieldKind::enumeration: return formatText("name({}::from_name)", rustType(field.enumType));
    case FieldKind::enumerations: return formatText("names({}::from_name)", rustType(field.enumType));
  }
  return "";
}

bool isList(const Field& field) {
  return field.kind == FieldKind::operands || field.kind == FieldKind::sizes || field.kind == FieldKind::reals ||
         field.kind == FieldKind::enumerations;
}

}  // namespace

std::string printRust(std::span<const Method> methods) {
  std::string text(kStart);
  printEnums(text, methods);
  std::set<std::string> printed;
  for (const Method& method : methods) {
    if (printed.insert(method.optionsType).second) printOptions(text, method);
  }
  text +=
      "/// The operations. Each has a second form, whose name ends in `_with`, for options and a label.\nimpl GraphBuilder {\n";
  for (const Method& method : methods) printMethod(text, method);
  text.pop_back();
  return text + "}\n";
}

std::string printRustCalls(std::span<const Method> methods) {
  std::string text =
      "// Printed by `webnn ops --format=rust-calls` from the operation table.\nuse webnn::*;\n\nuse "
      "super::arguments::Arguments;\n\n"
      "/// Calls the method with the specification's name `name`.\n"
      "pub fn call<'b>(builder: &'b GraphBuilder, name: &str, given: &Arguments<'_, 'b>) -> Result<Vec<Operand<'b>>> {\n    "
      "match "
      "name "
      "{\n";
  for (const Method& method : methods) {
    text += formatText("        \"{}\" => {{\n            let label = given.label();\n", method.name());
    std::string arguments, setters;
    std::size_t argumentCount = 0;
    for (const Field& field : method.fields) {
      const std::string name = rustName(field.name);
      const std::string entry =
          field.argument ? formatText("argument({})", argumentCount++) : formatText("option(\"{}\")", field.name);
      text += formatText("            let {} = given.{}.{}{};\n", name, entry, getter(field), field.argument ? ".unwrap()" : "");
      const std::string value = isList(field) ? "&" + name : field.kind == FieldKind::splits ? name + ".get()" : name;
      if (field.argument) {
        arguments += value + ", ";
      } else {
        setters += formatText("            if let Some({}) = {}{} {{ o = o.{}({}); }}\n", name, isList(field) ? "&" : "", name,
                              name, name);
      }
    }
    text += formatText("            let {}o = {}::default().label(&label);\n{}", setters.empty() ? "" : "mut ",
                       rustType(method.optionsType), setters);
    const std::string call = formatText("builder.{}({}o)", withOptions(rustName(method.name())), arguments);
    text += method.returnsList ? formatText("            {}\n", call) : formatText("            Ok(vec![{}?])\n", call);
    text += "        }\n";
  }
  return text + "        _ => panic!(\"there is no operation {name}\"),\n    }\n}\n";
}

}  // namespace webnn::describe
