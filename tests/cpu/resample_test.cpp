#include "cpu/cpu_support.h"
