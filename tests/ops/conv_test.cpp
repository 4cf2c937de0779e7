// Validation: each throwing step of the specification. See tests/reference/conv_test.cpp for the values.
#include "support/support.h"
