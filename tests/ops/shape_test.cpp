// Validation: each throwing step of the specification. See tests/reference/shape_test.cpp for the values.
#include "support/support.h"
