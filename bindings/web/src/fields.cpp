#include "fields.h"

namespace webnn::web {

void FieldSetter::set(Number& field, Tag tag) {
  if (tag == Tag::real) {
    field = request_.real();
  } else if (tag == Tag::integer) {
    field = request_.integer();
  } else {
    field = static_cast<std::uint64_t>(request_.integer());
  }
}

void FieldSetter::set(Splits& field, Tag tag) {
  if (tag == Tag::list) {
    std::vector<std::uint32_t> sizes;
    set(sizes, tag);
    field = std::move(sizes);
  } else {
    std::uint32_t count = 0;
    set(count, tag);
    field = count;
  }
}

}  // namespace webnn::web
