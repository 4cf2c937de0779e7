#include "gil.h"

namespace webnn::python {

namespace {

// By this thread, which had it. Threads of the library never have it but in a GilAcquired.
thread_local bool isReleasedHere = false;

}  // namespace

bool holdsGil() { return !isReleasedHere && PyGILState_GetThisThreadState(); }

GilChange::GilChange(bool isReleased) : before_(isReleasedHere) { isReleasedHere = isReleased; }
GilChange::~GilChange() { isReleasedHere = before_; }

}  // namespace webnn::python
