// Validation: each throwing step of the specification. See tests/reference/elementwise_binary_test.cpp for the values.
#include "support/support.h"
