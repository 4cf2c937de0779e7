// An example call for each operation, shown in the documentation of the Rust crate. Its documentation tests run all of them.
#pragma once

#include <string_view>

namespace webnn::describe {

struct RustExample {
  std::string_view arguments;  // all arguments but the options: "builder.constant(&[2], &[1f32, 2.0])?"
  std::string_view options;    // calls that set options: ".axis(1)"
  std::string_view dataType;   // data type of the first result: "DataType::Float32"
  std::string_view shape;      // shape of the first result, with these options: "[2]"
};

// Returns the example of a method by its name in Rust; null if there is none.
const RustExample* rustExample(std::string_view method);

}  // namespace webnn::describe
