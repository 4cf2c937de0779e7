// Validation: each throwing step of the specification. See tests/reference/pool_test.cpp for the values.
#include "support/support.h"
