"""The elements of the 4-bit types of bitsandbytes (FP4, NF4), as bitsandbytes defines them."""

import numpy as np

_HALF_FP4 = [0, 0.0052083333, 0.66666667, 1, 0.33333333, 0.5, 0.16666667, 0.25]
_HALF_NF4 = [-1, -0.6961928, -0.52507305, -0.3949175, -0.28444138, -0.18477343, -0.091050036, 0]
_REST_NF4 = [0.0795803, 0.1609302, 0.2461123, 0.33791524, 0.44070983, 0.562617, 0.72295684, 1]
# Indexed by the attribute quant_type, then by the element's code.
TABLES = [np.array(_HALF_FP4 + [-x for x in _HALF_FP4]), np.array(_HALF_NF4 + _REST_NF4)]
