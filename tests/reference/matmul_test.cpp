// Values of the reference executor, against numbers computed independently.
#include "support/support.h"
