// Validation: each throwing step of the specification. See tests/reference/matmul_test.cpp for the values.
#include "support/support.h"
