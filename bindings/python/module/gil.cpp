#include "gil.h"

namespace webnn::python {

namespace {

// True on the thread that released the GIL. Threads of the library only hold the GIL inside a GilAcquired.
thread_local bool isReleasedHere = false;

}  // namespace

bool holdsGil() { return !isReleasedHere && PyGILState_GetThisThreadState(); }

GilChange::GilChange(bool isReleased) : before_(isReleasedHere) { isReleasedHere = isReleased; }
GilChange::~GilChange() { isReleasedHere = before_; }

}  // namespace webnn::python
