// Shapes of images and filters in each layout.
#pragma once

#include <cstdint>

#include "webnn/enums.h"
#include "webnn/types.h"

namespace webnn::test {

inline Shape imageOf(InputOperandLayout layout, std::uint32_t n, std::uint32_t c, std::uint32_t h, std::uint32_t w) {
  return layout == InputOperandLayout::nhwc ? Shape{n, h, w, c} : Shape{n, c, h, w};
}

inline Shape filterOf(Conv2dFilterOperandLayout layout, std::uint32_t o, std::uint32_t i, std::uint32_t h, std::uint32_t w) {
  switch (layout) {
    case Conv2dFilterOperandLayout::hwio: return {h, w, i, o};
    case Conv2dFilterOperandLayout::ohwi: return {o, h, w, i};
    case Conv2dFilterOperandLayout::ihwo: return {i, h, w, o};
    case Conv2dFilterOperandLayout::oihw: break;
  }
  return {o, i, h, w};
}

inline Shape filterOf(ConvTranspose2dFilterOperandLayout layout, std::uint32_t o, std::uint32_t i, std::uint32_t h,
                      std::uint32_t w) {
  switch (layout) {
    case ConvTranspose2dFilterOperandLayout::hwoi: return {h, w, o, i};
    case ConvTranspose2dFilterOperandLayout::ohwi: return {o, h, w, i};
    case ConvTranspose2dFilterOperandLayout::iohw: break;
  }
  return {i, o, h, w};
}

}  // namespace webnn::test
