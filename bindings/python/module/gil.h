// Releases and acquires the GIL. Records which threads hold it, because the stable ABI has no function to ask.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace webnn::python {

// Returns whether this thread holds the GIL. Callable at any time, also after Python has ended.
bool holdsGil();

class GilChange {
 protected:
  explicit GilChange(bool isReleased);
  ~GilChange();
  GilChange(const GilChange&) = delete;

 private:
  bool before_;
};

// GilReleased releases the GIL for its lifetime; GilAcquired acquires it.
class GilReleased : GilChange {
 public:
  GilReleased() : GilChange(true) {}

 private:
  nb::gil_scoped_release released_;
};

class GilAcquired : GilChange {
 public:
  GilAcquired() : GilChange(false) {}

 private:
  nb::gil_scoped_acquire acquired_;
};

}  // namespace webnn::python
