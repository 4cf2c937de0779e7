// Validation: each throwing step of the specification. See tests/reference/elementwise_unary_test.cpp for the values.
#include "support/support.h"
