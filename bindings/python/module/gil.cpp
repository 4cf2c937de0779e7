#include "gil.h"

namespace webnn::python {

namespace {

// Whether this thread has released the GIL. (Threads of the library hold the GIL only while a GilAcquired exists.)
thread_local bool isReleasedHere = false;

}  // namespace

bool holdsGil() { return !isReleasedHere && PyGILState_GetThisThreadState(); }

GilChange::GilChange(bool isReleased) : before_(isReleasedHere) { isReleasedHere = isReleased; }
GilChange::~GilChange() { isReleasedHere = before_; }

}  // namespace webnn::python
