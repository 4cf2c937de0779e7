#include "fields.h"

namespace webnn::node {

void setField(bool& field, const Napi::Value& value) { field = value.As<Napi::Boolean>(); }

void setField(std::uint32_t& field, const Napi::Value& value) { field = value.As<Napi::Number>().Uint32Value(); }

void setField(std::int32_t& field, const Napi::Value& value) { field = value.As<Napi::Number>().Int32Value(); }

void setField(double& field, const Napi::Value& value) { field = value.As<Napi::Number>().DoubleValue(); }

void setField(float& field, const Napi::Value& value) { field = value.As<Napi::Number>().FloatValue(); }

void setField(Number& field, const Napi::Value& value) {
  if (!value.IsBigInt()) {
    field = value.As<Napi::Number>().DoubleValue();
    return;
  }
  const auto number = value.As<Napi::BigInt>();
  bool isExact = false;
  const std::int64_t integer = number.Int64Value(&isExact);
  if (isExact) {
    field = integer;
  } else {
    field = number.Uint64Value(&isExact);  // lib/ passes integers beyond 64 bits as numbers
  }
}

void setField(Operand& field, const Napi::Value& value) { field = handled<Operand>(value); }

void setField(DataType& field, const Napi::Value& value) { field = dataTypeOf(value); }

void setField(Splits& field, const Napi::Value& value) {
  if (value.IsArray()) {
    field = shapeOf(value);
  } else {
    field = value.As<Napi::Number>().Uint32Value();
  }
}

}  // namespace webnn::node
