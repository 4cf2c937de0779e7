// Validation: each throwing step of the specification. See tests/reference/gather_scatter_test.cpp for the values.
#include "support/support.h"
